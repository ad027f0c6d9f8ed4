/* object.h: machine code from an object file (ELF for this processor, relocatable) into executable memory. What is taken is
 * what LLVM emits for position-independent code: sections, relative references among them, and calls of a few
 * functions of the C library. Whatever else is in the file, or lies outside it, is refused. Private to exec. */
#pragma once

#include "base/base.h"

typedef struct LoadedObject {
    uint8_t *at; /* NULL: none */
    size_t bytes;
} LoadedObject;

/* false: the object is none that can be loaded, or there is no executable memory. */
bool object_load(const void *file, size_t size, LoadedObject *object);
/* The address of a function that the file defines; 0: there is none. */
uint64_t object_function(const void *file, size_t size, const LoadedObject *object,
                         const char *name);
void object_unload(LoadedObject *object);
