/* timing: how long a launch takes on a GPU, estimated from what some of its warps executed.
 *
 *   instructions of the kernel, traces of some blocks, hit rates --> TimeModel --> TimeEstimate
 *
 * One SM is simulated: its resident warps in turn on four parts, each instruction when its operands are there and its unit
 * takes it, memory with the share of L2 and DRAM that an SM of the grid has. The rest of the grid follows from that.
 * Units, latencies and rates were measured on an H200 (units.def, memory.def); docs/time.md says how far off it is.
 *
 * Invariants
 *   - The result depends on what it is given alone: the same launch has the same estimate on every machine.
 *   - Clocks inside, microseconds outside; the clock of the GPU is an input.
 *
 * What it does not do: run anything, know kernels or profiles, or count. */
#pragma once

#include "isa/isa.h"

typedef enum TimeUnit {
#define UNIT(id, name, scope, period, latency) TIME_##id,
#include "timing/units.def"
    TIME_UNIT_COUNT
} TimeUnit;

/* What the instructions of a kernel are to the model, by their numbers. */
typedef struct TimedInsn {
    TimeUnit unit;
    bool store, atomic;     /* of memory units: nothing waits for a store */
    bool adds_real;         /* an atomic whose sum the next one on that word needs */
    bool swaps;             /* … that compares, and writes what it was given */
    bool polls;             /* a load that may see what another block stores meanwhile */
    bool commits;           /* of TIME_group: the copies so far become a group */
    uint8_t left;           /* … or waits until so many groups are left */
    bool stall;             /* its operands take a clock more: three registers of one bank */
    float period, latency;  /* of this instruction */
    uint32_t site;          /* NO_TIME_SITE: none */
    uint32_t reads, writes; /* registers, behind each other in TimedCode.registers */
    uint32_t first_register;
} TimedInsn;

#define NO_TIME_SITE UINT32_MAX

/* before: the instruction before it, or empty. By its text, in PTX ("fma.rn.f32 …") or in machine code ("FFMA R1, …"). Registers and site are the caller's. */
TimedInsn timed_insn(Str text, Str before, bool machine);

typedef struct TimedCode {
    const TimedInsn *insns; /* [count] */
    const uint32_t *registers;
    uint32_t count, register_count, site_count;
    bool machine; /* it is machine code */
} TimedCode;

/* One instruction of a warp; of memory what it cost, as counted. */
typedef struct TimeEvent {
    uint32_t insn;
    uint16_t wavefronts, wavefronts_ideal; /* of shared memory */
    uint16_t sectors, sectors_ideal;       /* of L1 */
    uint16_t lines;
    uint16_t
        passes; /* of loads: of L1's tags and data, 0: not known, one for each line; of constants: different addresses */
    uint8_t lanes,
        words; /* words: different ones that the lanes of an access to global memory have */
} TimeEvent;

/* Events of instructions that followed each other. */
typedef struct TimeWindow {
    uint64_t at;    /* instructions of the warp before it */
    uint32_t first; /* event of it */
} TimeWindow;

/* Of a warp that executes more than is kept, windows spread over all that it does. */
typedef struct TimeTrace {
    VEC(TimeEvent) events;
    VEC(TimeWindow) windows; /* none: one, from the first instruction on */
    uint64_t executed;       /* instructions of the warp, those that are in no window too */
    uint64_t until;          /* so many are in this window, or in none */
    uint32_t apart;          /* one window of so many is kept */
    uint32_t
        poll; /* the event of its last polling load, plus 1, while nothing else of memory followed */
    bool past; /* what is executed now is in no window */
} TimeTrace;

/* The block's warps. */
typedef struct TimeBlock {
    TimeTrace *warps; /* [warps of a block] */
    uint64_t number;  /* in the grid */
} TimeBlock;

/* Of the sectors that a site asks of L1, the share that goes on to L2, and to DRAM. */
typedef struct TimeRates {
    float to_l2, to_dram;
    float places; /* of atomics: distinct sectors of all blocks; 0: not known */
    float waits,
        wait_clocks; /* of loads, the share that waits for what others brought on its way, and how long */
} TimeRates;

typedef struct TimeLaunch {
    const Gpu *gpu;
    const TimedCode *code;
    const TimeBlock *blocks; /* [block_count], spread over the grid, in their order */
    uint32_t block_count, warps_per_block, blocks_per_sm;
    uint64_t grid;         /* blocks of it */
    const uint32_t *sizes; /* [grid]: what each block executes, in one measure; NULL: not known */
    uint64_t executed; /* warp instructions of all of them; 0: as many as the traced blocks have */
    const TimeRates *rates; /* [sites] */
    double dram_bytes;      /* that pass from and to DRAM, of all blocks */
    double
        used; /* of the bytes of the sectors that are touched, the share that some access asks for */
    double clock_mhz; /* of the SMs */
} TimeLaunch;

/* What keeps a launch from being faster: a unit, or something that its warps wait for. */
typedef enum TimeLimit {
    TIME_BY_UNIT, /* that computes */
    TIME_BY_L1,   /* a unit of L1 and shared memory */
    TIME_BY_ISSUE,
    TIME_BY_L2,
    TIME_BY_ATOMICS, /* in L2 */
    TIME_BY_DRAM,
    TIME_BY_ARITHMETIC_LATENCY,
    TIME_BY_SHARED_LATENCY,
    TIME_BY_MEMORY_LATENCY,
    TIME_BY_BARRIERS,
    TIME_BY_LAUNCH /* the launch itself, and its blocks' */
} TimeLimit;

typedef struct TimeEstimate {
    double us, least_us,
        most_us; /* the interval, which what decides makes wide or narrow (intervals.def, docs/time.md) */
    double clocks;
    double
        held; /* by which it is longer than what was simulated, as DRAM takes so long for all of its bytes; 1: it is not */
    TimeLimit limit;
    const char *limit_name; /* "DRAM", "latency of memory" … */
    double busy;            /* how much of the time the limiting stage works, 0 … 1 */
} TimeEstimate;

/* Whether the model's numbers were measured on such a GPU; else they are those of an H200, with its own clock, SMs, rates and lanes. */
bool time_is_calibrated(const Gpu *gpu);
TimeEstimate time_estimate(const TimeLaunch *launch);
/* A site that has no more wavefronts and sectors than its lanes need. */
typedef struct TimeMend {
    bool is;
    float l2,
        dram; /* what is left then of the sectors that it asks of L2, and that come from DRAM or go there */
} TimeMend;
/* The same if the sites were mended ([sites]). Microseconds. */
double time_mended(const TimeLaunch *launch, const TimeMend *mends);
