/* vectors: the instructions that compute, compared with a GPU bit for bit.
 *
 *   ops.def --plan_make--> Plan: kernels that execute every spelling on many operands
 *   Plan + GPU --measure--> answers --pack--> h100.bin.zst        (once, where there is a GPU)
 *   Plan + exec --test_vectors--> results, compared with h100.bin.zst   (every test run)
 *
 * A kernel reads its operands from one array and writes the results of each of its instructions (a
 * Slot) into a part of another. Operands are a function of their type, place and case: nothing but
 * answers is stored, and they are found by the slot's name, so a new row or another order of rows
 * leaves them valid. */
#pragma once

#include "isa/isa.h"

enum { BLOCK_THREADS = 128, NAME_BYTES = 96 };

/* How the operands of an input come about. */
typedef enum Fill {
    FILL_VALUE,     /* special values, all pairs of them, and random ones of the type */
    FILL_BIT,       /* 0 or 1 */
    FILL_VOTE,      /* 0 or 1; all, none, one or any of the lanes of a warp */
    FILL_FEW,       /* one of a few numbers, in some warps the same in all lanes */
    FILL_COMPARE,   /* often equal to the first input */
    FILL_MEMBERS,   /* a mask of lanes, not 0, the same in all lanes of a warp */
    FILL_SHUFFLE_B, /* lane, delta or lane mask of a shuffle */
    FILL_SHUFFLE_C, /* its clamp and segment */
    FILL_SHUFFLE_IN /* lane, delta … such that the source is a lane of the members: input 1 */
} Fill;

typedef struct Input {
    Fill fill;
    Type type;
    Func mode;       /* FILL_SHUFFLE_IN */
    uint64_t offset; /* in the kernel's operands */
} Input;

typedef struct Slot {
    const char *name; /* "add.rn.f32", or that and what is special about it */
    Type type;        /* of the results; they are as large as it is, predicates one byte */
    uint32_t bytes;
    uint64_t offset; /* in the kernel's results */
} Slot;

typedef struct Kernel {
    const char *name, *group; /* group: the mnemonic */
    Op op;
    uint32_t cases; /* a multiple of BLOCK_THREADS: one thread for each */
    VEC(Input) inputs;
    VEC(Slot) slots;
    uint64_t in_bytes, out_bytes;
    FILE *body;
    char *text; /* of the body */
    size_t text_length;
} Kernel;

typedef struct Plan {
    Arena *arena;
    VEC(Kernel *) kernels;
    Map *rejected; /* spellings that ptxas does not take */
} Plan;

/* ---- plan.c ---- */

/* rejected: a file with a spelling on each line, or NULL. */
Plan *plan_make(Arena *arena, const char *rejected);
Kernel *kernel_open(Plan *plan, Op op, uint32_t cases);
uint32_t kernel_input(Plan *plan, Kernel *kernel, Fill fill, Type type);
/* A place for results; the text that computes them goes to kernel->body, on one line that ends with
 * slot_end, and stores them with slot_store. */
Slot *kernel_slot(Plan *plan, Kernel *kernel, const char *name, Type type);
void slot_store(const Kernel *kernel, const Slot *slot, const char *reg);
void slot_end(const Kernel *kernel, const char *spelling);
void kernel_close(Kernel *kernel);
/* The whole PTX of the kernel, a module of its own. */
char *kernel_ptx(Arena *arena, const Kernel *kernel);
/* All operands of the kernel. */
void kernel_operands(const Kernel *kernel, uint8_t *to);

/* ---- spellings.c ---- */

typedef VEC(const char *) Spellings;
/* Everything that a syntax of ops.def stands for. */
void spellings_of(Arena *arena, const char *syntax, Spellings *to);
bool spelling_has(const char *spelling, const char *modifier); /* ".sat" */

/* ---- rows.c, warpwide.c ---- */

void plan_rows(Plan *plan);     /* instructions that compute from registers of their lane */
void plan_carries(Plan *plan);  /* add.cc and its kin */
void plan_warpwide(Plan *plan); /* shfl, vote, match, redux … */
void plan_atomics(Plan *plan);  /* atom, red: old values and what memory holds then */
bool plan_takes(const Plan *plan, Op op, const char *spelling);

/* ---- operands.c ---- */

uint64_t operand_value(const Kernel *kernel, uint32_t input, uint32_t index);
