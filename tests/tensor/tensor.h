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
    IMAGE_WORDS = 64,       /* per lane, of the memory that wmma.load reads */
    IMAGE_BYTES = 34 * 1024 /* of the shared memory that wgmma reads */
};

/* A factor of wgmma. */
typedef struct Placing {
    bool in_registers, turned, negated; /* turned: contiguous along m or n */
    uint32_t swizzle;                   /* as in descriptors */
} Placing;
typedef struct Group {
    Placing a, b;
    bool scaled, turns; /* the instruction has factors -1 and 1, a choice of major-ness */
} Group;

typedef struct Subject {
    const char *spelling; /* "mma.sp.sync….f32/1": sparsity selector behind the slash */
    Op op;
    Mods mods;
    uint32_t selector;
    Fragment a, b, c, d; /* as far as it has them; d: also of wmma.load and .store, movmatrix */
    bool moves;          /* wmma.load, wmma.store */
    uint32_t words_in, words_out; /* per lane */
    uint32_t warps;               /* for each kind of operands; of wgmma: warpgroups */
    uint32_t threads;             /* of a block: a warp or a warpgroup */
    Group group;                  /* wgmma */
    uint32_t kinds;               /* KINDS, or STRIDES for those that move */
} Subject;

/* false: the line is no instruction that we know. */
bool subject_read(Arena *arena, const char *spelling, Subject *subject);
/* What the kernel takes. */
typedef struct Arguments {
    uint64_t in, out;
    uint32_t stride;
    uint32_t adds; /* wgmma: whether D is added */
    uint64_t a, b; /* its descriptors, with offsets in the image as addresses */
} Arguments;
Arguments subject_arguments(const Subject *subject, uint32_t kind, uint64_t in, uint64_t out);

/* Kernel "k"; warp (or warpgroup) = block. Words lie as [warp][word][lane]; of wgmma, the image first. */
char *subject_ptx(Arena *arena, const Subject *subject);

/* Operands of all warps for one kind. */
void subject_operands(const Subject *subject, uint32_t kind, uint32_t *words);

uint32_t subject_digest(const uint32_t *words, size_t count);

/* ---- for group.c: wgmma ---- */

typedef struct Text {
    char *at;
    size_t left;
} Text;
void text_write(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_list(Text *text, const char *before, char name, uint32_t count);

typedef struct Random {
    uint64_t state;
} Random;
uint32_t random_below(Random *random, uint32_t limit);
uint64_t subject_seed(const char *spelling, uint32_t kind, uint32_t warp);
/* A register with elements of that type. */
uint64_t draw_register(Random *random, Type element, uint32_t kind, bool sums, bool negate);
uint32_t draw_metadata(Random *random, Type element, uint32_t kind);

/* Reads the options behind the slash. */
bool group_read(Subject *subject);
void group_ptx(Text *text, const Subject *subject);
void group_operands(const Subject *subject, uint32_t kind, uint32_t *words);
void group_descriptors(const Subject *subject, uint32_t kind, Arguments *arguments);
