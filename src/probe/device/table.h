/* table: the memory that a counted launch has on the GPU, as the device code and the library that is loaded into the
 * program both see it.
 *
 *   pc of the instruction, part --cells--> a slot: its key, its sums in several copies, how often it was sampled
 *
 * A part is one of the figures that an instruction may have: a generic load may go to shared and to global memory, a
 * cp.async has a source and a destination. Slots are given out in the order in which instructions are first executed;
 * cells and keys stay from launch to launch of a kernel, sums and samples begin anew.
 *
 * Sums are kept in copies, which multiprocessors share, so that few add to the same place at once. */
#pragma once

#include <stdint.h>

enum {
    PROBE_SUMS = 8,        /* of a slot */
    PROBE_PARTS = 4,       /* that an instruction may have at most: ProbePart modulo 4 */
    PROBE_INSN_SHIFT = 4,  /* instructions have 16 bytes */
    PROBE_COPIES_MOST = 16 /* a power of 2, as the number of copies is */
};

/* What a slot's sums are: requests, lanes, then as said. */
typedef enum ProbePart {
    PROBE_GLOBAL = 0, /* sectors, ideal, tag requests, bytes used */
    PROBE_SHARED = 1, /* wavefronts, ideal, groups */
    PROBE_LOCAL = 2,  /* as global */
    PROBE_REMOTE = 3, /* nothing: shared memory of another block */
    PROBE_SOURCE = 4, /* of cp.async, if it is .ca: as global */
    PROBE_COPY = 5,   /* of cp.async, if it is .ca: as shared */
    PROBE_COPY_CG =
        6, /* of cp.async of 16 bytes, if it is .cg: wavefronts, ideal, sectors, ideal, tag requests, bytes used */
    PROBE_MOVED =
        7, /* bytes, of global memory, of shared memory: bulk copies, asynchronous stores, wgmma */
    PROBE_ATOMIC = 9,  /* in shared memory: turns, words, ideal, groups (AtomicRule) */
    PROBE_MATRIX = 13, /* ldmatrix, stmatrix: as shared */
} ProbePart;

/* A place of a table that is looked up by pc and part, from PROBE_CELL on until it is found or free. */
typedef struct ProbeCell {
    uint32_t key;  /* PROBE_CELL_KEY; 0: free */
    uint32_t slot; /* its number + 1; 0: about to be given; PROBE_FULL: none was left */
} ProbeCell;
#define PROBE_FULL UINT32_MAX
/* Code lies within 16 GB; no instruction of it at a multiple of them. */
#define PROBE_CELL_KEY(pc, part)                                                                   \
    ((uint32_t)((pc) >> PROBE_INSN_SHIFT) << 2 | ((part) & (PROBE_PARTS - 1)))
#define PROBE_CELL(key) ((key)*0x9e3779b1u >> 7)

enum {
    PROBE_READ = 1,
    PROBE_WRITE = 2,
    PROBE_PREFETCH = 8
}; /* flags of an access, as the API has them */

typedef struct ProbeKey {
    uint32_t cell; /* PROBE_CELL_KEY */
    uint8_t part, flags, width, matrices;
} ProbeKey;

/* The addresses of one execution. A cp.async has two, the second with its source. */
typedef struct ProbeSample {
    uint32_t slot, mask;
    uint32_t block;  /* its number in the grid, the lower bits */
    uint32_t source; /* 1: the sources of the sample before */
    uint64_t address[32];
} ProbeSample;

/* In memory its cells are before it, the first nearest; what it names, as offsets from its beginning, is behind it. What is read after a
 * launch, and cleared from `samples` on before the next, lies together. What each access reads comes first. */
typedef struct ProbeTable {
    uint32_t cell_mask; /* their number, a power of 2, less 1 */
    uint32_t copies;
    uint32_t block_mask,
        block_value; /* value 0: blocks are sampled whose number is 0 under the mask; else none */
    uint32_t sums;   /* uint64_t[slot_limit][copies][PROBE_SUMS] */
    uint32_t slot_limit; /* less than the cells */
    uint32_t keys;       /* ProbeKey[slot_limit] */
    uint32_t sampled;    /* uint32_t[slot_limit]: how often a slot asked for a sample */
    uint32_t records;    /* ProbeSample[sample_limit] */
    uint32_t sample_limit, sample_most; /* in all; of a slot */
    uint32_t unused;
    uint32_t used;    /* slots */
    uint32_t samples; /* that were asked for, also beyond the limit */
    uint32_t lost;    /* executions that found no slot */
    uint32_t
        dynamic_shared; /* bytes + 1, as a warp found them that took a slot or a sample; 0: none did */
} ProbeTable;
