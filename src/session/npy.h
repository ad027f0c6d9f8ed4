/* npy: NumPy's file format for one array (numpy.lib.format, versions 1 to 3), in C order. */
#pragma once

#include "base/base.h"
#include "isa/isa.h"

typedef struct Npy {
    Type type;
    uint64_t count;    /* elements, whatever the shape */
    const void *data;  /* in the arena */
    const char *descr; /* "<f4" */
} Npy;

/* false: diags says what is wrong with the file. */
bool npy_read(Arena *arena, const char *path, Npy *npy, Diags *diags);
/* Has it so many elements of that size and kind? */
bool npy_is(const Npy *npy, Type type, uint64_t count);
/* A one-dimensional array. false: diags. */
bool npy_write(const char *path, Type type, const void *data, uint64_t count, Diags *diags);
