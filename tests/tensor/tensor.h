/* The operands and kernels with which matrix instructions are compared with a GPU: what the test, which
 * runs them under warplens, and the probe, which runs them on a GPU, have to do alike.
 *
 * A line of answers.txt is an instruction and, for each kind of operands, a digest of the results of a few
 * warps. Operands are numbers made from the spelling, so that nothing but digests needs keeping. */
#pragma once

#include "isa/isa.h"

enum {
    KINDS = 20,
    STRIDES = 3,
    IMAGE_WORDS = 64 /* per lane, of the memory that wmma.load reads */
};

typedef struct Subject {
    const char *spelling; /* "mma.sp.sync….f32/1": sparsity selector behind the slash */
    Op op;
    Mods mods;
    uint32_t selector;
    Fragment a, b, c, d; /* as far as it has them; d: also of wmma.load and .store, movmatrix */
    bool moves;          /* wmma.load, wmma.store */
    uint32_t words_in, words_out; /* per lane */
    uint32_t warps;               /* for each kind of operands */
    uint32_t kinds;               /* KINDS, or STRIDES for those that move */
} Subject;

/* false: the line is no instruction that we know. */
bool subject_read(Arena *arena, const char *spelling, Subject *subject);
/* Stride of wmma.load and .store, in elements: without conflicts, with, another one. */
uint32_t subject_stride(const Subject *subject, uint32_t kind);

/* Kernel "k": u64 in, u64 out, u32 stride; warp = block. Words lie as [warp][word][lane]. */
char *subject_ptx(Arena *arena, const Subject *subject);

/* Operands of all warps for one kind. */
void subject_operands(const Subject *subject, uint32_t kind, uint32_t *words);

uint32_t subject_digest(const uint32_t *words, size_t count);
