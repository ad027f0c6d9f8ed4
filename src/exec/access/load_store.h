/* load_store.h: how a load or store is decoded (load_store_decode.c, frame.c); shared by load_store.c,
 * which does every access, and ops_memory.c and ops_scattered.c, which do the common ones fast. */
#pragma once

#include "exec/calls/calls.h"
#include "exec/run/warp.h"

/* How a register takes an element. */
typedef struct Cell {
    uint32_t offset;
    uint32_t keep; /* bits of its type, for registers narrower than their 32-bit lanes */
    uint8_t class;
    bool sink; /* _ : not written */
} Cell;

/* What ops_memory.c does for each element; MOVE_ANY: nothing, load_store.c does it. WIDE: the register has 64 bits. */
typedef enum Move {
    MOVE_ANY,
    MOVE_U8,
    MOVE_S8,
    MOVE_U16,
    MOVE_S16,
    MOVE_32,
    MOVE_64,
    MOVE_U8_WIDE,
    MOVE_S8_WIDE,
    MOVE_U16_WIDE,
    MOVE_S16_WIDE,
    MOVE_U32_WIDE,
    MOVE_S32_WIDE
} Move;
/* Loads: Do(type in memory, of the register, what the value becomes between them); stores: Do(type in memory, of the register). */
#define BY_LOAD(move, Do)                                                                          \
    switch (move) {                                                                                \
    case MOVE_32:                                                                                  \
        Do(uint32_t, uint32_t, uint32_t) break;                                                    \
    case MOVE_64:                                                                                  \
        Do(uint64_t, uint64_t, uint64_t) break;                                                    \
    case MOVE_U8:                                                                                  \
        Do(uint8_t, uint32_t, uint32_t) break;                                                     \
    case MOVE_S8:                                                                                  \
        Do(int8_t, uint32_t, int32_t) break;                                                       \
    case MOVE_U16:                                                                                 \
        Do(uint16_t, uint32_t, uint32_t) break;                                                    \
    case MOVE_U8_WIDE:                                                                             \
        Do(uint8_t, uint64_t, uint64_t) break;                                                     \
    case MOVE_S8_WIDE:                                                                             \
        Do(int8_t, uint64_t, int64_t) break;                                                       \
    case MOVE_U16_WIDE:                                                                            \
        Do(uint16_t, uint64_t, uint64_t) break;                                                    \
    case MOVE_S16_WIDE:                                                                            \
        Do(int16_t, uint64_t, int64_t) break;                                                      \
    case MOVE_U32_WIDE:                                                                            \
        Do(uint32_t, uint64_t, uint64_t) break;                                                    \
    case MOVE_S32_WIDE:                                                                            \
        Do(int32_t, uint64_t, int64_t) break;                                                      \
    default:                                                                                       \
        Do(int16_t, uint32_t, int32_t) break;                                                      \
    }
#define BY_STORE(move, Do)                                                                         \
    switch (move) {                                                                                \
    case MOVE_32:                                                                                  \
        Do(uint32_t, uint32_t) break;                                                              \
    case MOVE_64:                                                                                  \
        Do(uint64_t, uint64_t) break;                                                              \
    case MOVE_U8:                                                                                  \
    case MOVE_S8:                                                                                  \
        Do(uint8_t, uint32_t) break;                                                               \
    case MOVE_U8_WIDE:                                                                             \
    case MOVE_S8_WIDE:                                                                             \
        Do(uint8_t, uint64_t) break;                                                               \
    case MOVE_U16_WIDE:                                                                            \
    case MOVE_S16_WIDE:                                                                            \
        Do(uint16_t, uint64_t) break;                                                              \
    case MOVE_U32_WIDE:                                                                            \
    case MOVE_S32_WIDE:                                                                            \
        Do(uint32_t, uint64_t) break;                                                              \
    default:                                                                                       \
        Do(uint16_t, uint32_t) break;                                                              \
    }

typedef struct Elements Elements;
struct Elements {
    Type type;
    uint32_t bytes; /* of one */
    uint32_t width; /* of all */
    uint32_t count;
    bool spins;
    bool whole;           /* a lane's elements move at once: of a vector that is not weak */
    uint32_t count_width; /* bytes per lane of the access that is counted here; 0: none (lower.h) */
    int32_t count_skip;   /* from the first element to its first byte */
    uint32_t count_used;  /* bit i: element i of it is asked for; 0: it is not merged */
    Move move;
    bool swept; /* the fast path is tried */
    /* Equal for accesses that cost the same through one register: cost_key * LINE_BYTES, and their
     * offset, as far as it matters; 0: not counted. */
    uint32_t cost_of;
    uint32_t sweep;   /* number of the warp's Sweep for the address register */
    uint64_t lasting; /* its bit in Warp.lasting; 0: the sweep is of the basic block, and then: */
    bool follows;     /* another access of the basic block goes through it before this one */
    uint32_t skip;    /* bytes from the instruction's address to the first element */
    Elements *next;   /* a second access that the instruction becomes, or NULL */
    Cell cell[8];
};

/* What the lanes hold in an address register, as far as the fast path needs it: a run, or one in each
 * half-warp. Of the accesses through one register that keeps its value, the first looks at it, and those
 * that follow find it here (sweep.c). */
struct Sweep {
    uint64_t seen;      /* warp_entered when it was looked at */
    AddressRuns runs;   /* of the register; the instructions' offsets are added to it */
    uint64_t low, high; /* lowest and highest value */
    uint32_t bits;      /* set in one of the values, as far as alignment needs them */
    bool found;         /* false: nothing else here is meant */
    uint32_t cost_of
        [2]; /* Elements.cost_of of the load, and of the store, that a cost is for; 0: none */
    Counters cost[2]; /* what they add to their sites' */
};

/* A load that may wait for a store of others was done: what the warp loads from here on, it loads later, on processors that would not
 * keep that order, too. Now and then others have a turn. */
static inline Step load_spins(Warp *warp) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return warp_spins(warp);
}

/* What a load that was done returns. */
static inline Step loaded(Warp *warp, const Code *code) {
    const Elements *elements = code->more;
    return elements->spins ? load_spins(warp) : STEP_NEXT;
}

/* ---- sweep.c ---- */

/* Finds which accesses of the function at hand, which is decoded, go through the same register. */
void sweeps_find(Decoding *decoding);

/* ---- load_store_decode.c ---- */

/* The accesses of the fast path; NULL: another instruction. */
Elements *code_swept(const Code *code);

/* ---- load_store.c ---- */

/* Code.full and Code.some of every load and store. */
Step load_any(Warp *warp, const Code *code, uint32_t mask);
Step store_any(Warp *warp, const Code *code, uint32_t mask);
/* Checks and counts the access at touch's addresses, and moves the bytes. */
Step elements_access(Warp *warp, const Code *code, const Elements *elements, Touch *touch,
                     Space space, uint32_t mask, bool writes);

/* ---- frame.c ---- */

/* Code.some of ld.param of a kernel parameter at a fixed place: its vector was filled at launch. */
Step exec_param(Warp *warp, const Code *code, uint32_t mask);
/* An access to parameter space, decoded as any other: takes it where the parameter is. */
void param_decode(Decoding *decoding, const Operand *address, Code *code);
/* An access to a .param variable that is in a register: moved there or from there. false: it is not. */
bool param_register_decode(Decoding *decoding, const Insn *insn, Code *code);
/* The same for [variable + offset] of a variable in the frame of a function that is called. */
void frame_access_decode(const Decoding *decoding, const Operand *address, Code *code);

/* ---- ops_memory.c ---- */

/* Code.full of a counted access to shared or global memory by all lanes: fast where the addresses are
 * one or two runs, Code.some otherwise. Built for this processor; see ops.c. */
Execute ops_access(Space space, bool writes);

/* The same for each level that was built. */
Execute ops_access_v2(Space space, bool writes);
Execute ops_access_v3(Space space, bool writes);
Execute ops_access_v4(Space space, bool writes);
Execute ops_access_plain(Space space, bool writes);

/* Moves the elements of all lanes between their registers and this process's memory, where lane l's first byte is at
 * `host` + what the pattern, of one or two runs, says. Bounds are checked, counts are kept elsewhere. */
typedef void Mover(const Warp *warp, const Elements *elements, const Pattern *pattern,
                   uintptr_t host, bool writes);
Mover ops_move_v2, ops_move_v3, ops_move_v4, ops_move_plain;

/* ---- ops_scattered.c ---- */

/* Code.some of the same accesses: by any lanes at any addresses. */
Execute ops_scattered(Space space, bool writes);

/* The same for each level that was built. */
Execute ops_scattered_v2(Space space, bool writes);
Execute ops_scattered_v3(Space space, bool writes);
Execute ops_scattered_v4(Space space, bool writes);
Execute ops_scattered_plain(Space space, bool writes);
