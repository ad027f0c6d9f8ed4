/* warp.h: what the files of exec/ share - decoded instructions, warps, blocks, workers. Private to the layer.
 *
 * Registers. A warp's registers are one piece of memory, 64-byte aligned. A register is a vector of 32 lanes at a byte
 * offset in it, by class:
 *   predicates            one uint32_t, bit l = lane l
 *   up to 4 bytes         uint32_t[32]; 8- and 16-bit values are kept zero-extended, floats as their bits
 *   8 bytes               uint64_t[32]
 *   16 bytes              uint64_t[32][2]
 * Immediates, addresses of variables and special registers are such vectors as well (filled once per warp or block), so
 * an operand is always an offset and an operation never asks what kind of operand it has. */
#pragma once

#include "exec/exec.h"

typedef struct Code Code;
typedef struct Warp Warp;
typedef struct Cta Cta;
typedef struct Worker Worker;
typedef struct Program Program;

/* What the warp does after an instruction. */
typedef enum Step {
    STEP_NEXT,  /* goes on with the next instruction */
    STEP_WAIT,  /* waits for other lanes, warps or blocks; the instruction is executed again when it is resumed */
    STEP_AGAIN, /* as STEP_WAIT, but nothing in particular wakes it: yields to others */
    STEP_FAULT  /* worker->fault is set */
} Step;

/* Executes for the lanes of mask (never 0; guards are already applied). Lanes outside keep their registers. */
typedef Step (*Execute)(Warp *warp, const Code *code, uint32_t mask);

/* A decoded instruction. Offsets are bytes from warp->registers; NO_OPERAND where there is none. */
#define NO_OPERAND UINT32_MAX
struct Code {
    Execute full; /* for mask == FULL_MASK */
    Execute some; /* for any mask */
    uint32_t d, d2;      /* written: first operand, and the second of a pair p|q */
    uint32_t a, b, c, e; /* read, in the order of the operands */
    uint32_t guard;      /* offset of the guard predicate or NO_OPERAND */
    uint32_t guard_flip; /* FULL_MASK for @!p */
    uint32_t negated;    /* bit i: the i-th read operand (a = 0) is a negated predicate */
    Mods mods;
    const Insn *insn;
    uint32_t *vector;    /* offsets of the elements of a vector operand (ld.v4 …) */
    uint32_t count;      /* of them */
    uint32_t site;       /* or NO_SITE */
    uint8_t d_class, a_class, b_class, c_class; /* register classes: 0 predicate, 1, 2, 3; see Slots */
    int64_t offset;      /* of an address operand */
    Space space;         /* resolved: a generic access has SPACE_GENERIC */
    void *more;          /* what an operation needs beyond that */
};

/* One group of lanes of a warp that run together. */
typedef struct Path {
    uint32_t pc;     /* index in program->code */
    uint32_t mask;
    uint32_t region; /* index in warp->regions of the innermost open divergence, or NO_INDEX */
    uint8_t state;   /* PathState */
    uint32_t wait;   /* WAIT_WARP: membermask; WAIT_BARRIER: barrier number */
} Path;

struct Warp {
    uint8_t *registers;
    uint32_t carry; /* CC.CF of each lane */
    uint32_t live;  /* lanes that exist and have not exited */
    uint32_t number; /* in the block */
    Cta *cta;
    Worker *worker;
    Path *current;
    struct Region *regions;
    Path paths[WARP_LANES];
    uint32_t path_count, region_count;
    uint8_t *local; /* local memory: lane l at local + l * program->local_bytes */
    uint64_t executed; /* warp instructions since the block began */
    struct AsyncCopy *copies;
};

static inline uint32_t *reg32(const Warp *warp, uint32_t offset) {
    return (uint32_t *)(void *)(warp->registers + offset);
}
static inline uint64_t *reg64(const Warp *warp, uint32_t offset) {
    return (uint64_t *)(void *)(warp->registers + offset);
}
/* A predicate operand of a Code: i-th read operand at `offset`, negation applied. */
static inline uint32_t read_pred(const Warp *warp, const Code *code, uint32_t offset, uint32_t i) {
    return *reg32(warp, offset) ^ (0u - ((code->negated >> i) & 1u));
}
static inline void write_pred(const Warp *warp, uint32_t offset, uint32_t mask, uint32_t value) {
    uint32_t *p = reg32(warp, offset);
    *p = (*p & ~mask) | (value & mask);
}

/* ---- ops.c, ops_cvt.c, ops_bits.c …: pure operations, lane by lane ---- */

/* The functions of a row for these modifiers; false where the row is not one of theirs (memory, control, warp-wide
 * operations are looked up by decode.c itself). Chosen for this processor (x86-64-v2, -v3, -v4) at the first call. */
bool ops_lookup(Op op, const Code *code, Execute *full, Execute *some);
