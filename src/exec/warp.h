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

#include <pthread.h>

typedef struct Code Code;
typedef struct Warp Warp;
typedef struct Cta Cta;
typedef struct Cluster Cluster;
typedef struct Touch Touch;
typedef struct Worker Worker;
typedef struct Program Program;
typedef struct Evidence Evidence;
typedef struct Touched Touched;
typedef struct Decoding Decoding;
typedef struct Run Run;
typedef struct Routine Routine;
typedef struct Activation Activation;
typedef struct Relaid Relaid;
typedef struct Tier Tier;
typedef struct Compiled Compiled;
typedef struct Frame Frame;
typedef struct Notes Notes;
typedef struct Stored Stored;
typedef struct Sweep Sweep;
typedef struct Sampling Sampling;

/* What the warp does after an instruction. */
typedef enum Step {
    STEP_NEXT, /* goes on with the next instruction */
    STEP_WAIT, /* path->state says for what; executed again when released (path->released is set) */
    STEP_YIELD, /* goes on with the next instruction after other paths, warps and blocks had a turn */
    STEP_FAULT /* worker->fault is set */
} Step;

/* What the last instruction of a basic block does. */
typedef enum Control {
    CONTROL_NONE,
    CONTROL_BRANCH,
    CONTROL_EXIT,
    CONTROL_RETURN,
    CONTROL_CALL,  /* more: Call */
    CONTROL_SWITCH /* more: Switch */
} Control;

/* Executes for the lanes of mask (never 0; guards are already applied). Lanes outside keep their registers. */
typedef Step (*Execute)(Warp *warp, const Code *code, uint32_t mask);

/* A decoded instruction. Offsets are bytes from warp->registers; NO_OPERAND where there is none. */
#define NO_OPERAND UINT32_MAX
struct Code {
    Execute full;        /* for mask == FULL_MASK */
    Execute some;        /* for any mask */
    uint32_t d, d2;      /* written: first operand, and the second of a pair p|q */
    uint32_t a, b, c, e; /* read, in the order of the operands */
    uint32_t guard;      /* offset of the guard predicate or NO_OPERAND */
    uint32_t guard_flip; /* FULL_MASK for @!p */
    uint32_t negated;    /* bit i: the i-th read operand (a = 0) is a negated predicate */
    Mods mods;
    const Insn *insn;
    uint32_t *vector; /* offsets of the elements of a vector operand (ld.v4 …) */
    uint32_t count;   /* of them */
    uint32_t site;    /* or NO_SITE */
    uint8_t d_class, a_class, b_class,
        c_class;     /* register classes: 0 predicate, 1, 2, 3; see Slots */
    int64_t offset;  /* of an address operand */
    uint8_t control; /* Control */
    Space space;     /* resolved: a generic access has SPACE_GENERIC */
    void *more;      /* what an operation needs beyond that */
};

typedef enum PathState {
    PATH_RUNS,
    PATH_WAITS_WARP,    /* at a .sync instruction for the lanes of `wait` */
    PATH_WAITS_BARRIER, /* at barrier number `wait` of the block */
    PATH_WAITS_CLUSTER  /* at the cluster's barrier */
} PathState;

/* One group of lanes of a warp that run together. */
typedef struct Path {
    uint32_t pc;    /* index in program->code */
    uint32_t mask;  /* lanes; 0 = free */
    uint32_t order; /* of the basic block that it is in */
    uint32_t wait;
    uint32_t result; /* bar.red: what the barrier gave */
    uint8_t state;   /* PathState */
    bool released;   /* the wait is over: the instruction at pc goes through now */
    bool inside;     /* pc is inside a basic block that has been counted */
    bool passed;     /* another path has executed the instruction at pc for it */
    uint32_t frame;  /* where the frame of its function begins in the local memory of its lanes */
    Activation *activation; /* NULL: in the kernel itself */
} Path;

/* What is written down of a block's accesses: their counts, and the addresses as evidence. */
typedef enum Counting { COUNT_NOTHING, COUNT_ACCESSES, COUNT_AND_RECORD } Counting;

enum { BARRIERS = 16 };

/* Spinning operations after which another path has its turn: many at first, since a loop may do much
 * that looks like spinning; then half as many each time, until all lanes have met again. */
enum { PATIENCE_MOST = 8192, PATIENCE_LEAST = 4 };

struct Warp {
    uint8_t *registers;
    uint32_t carry;  /* CC.CF of each lane */
    uint32_t live;   /* lanes that exist and have not exited */
    uint32_t exists; /* lanes that exist */
    uint32_t number; /* in the block */
    Cta *cta;
    Worker *worker;
    Path *current;
    Path paths[WARP_LANES];
    uint32_t path_count; /* of paths in use, the first ones */
    uint8_t *local;      /* lane l's local memory is at local + l * program->stack_stride */
    Sweep *sweeps;       /* [program->sweep_count] */
    uint32_t guests;     /* lanes of other paths that the next .sync instruction is for, too */
    uint32_t stack_used; /* bytes of it that this block has used, the first ones */
    uint32_t arrived[BARRIERS]; /* lanes at each barrier, before the others of the warp */
    uint32_t cluster_arrived;   /* lanes that have arrived at the cluster's barrier */
    uint64_t executed;          /* warp instructions of this block so far */
    uint32_t spins;    /* operations that a spinning lane would do, since the last progress */
    uint32_t patience; /* with so many of them, before another path has its turn */
    Counting counting; /* as the block's */
    bool done;
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
/* The name of the function of ops_lanes.h that code->full applies to each lane; NULL: it is none. *level:
 * that full was built for, where it is a pure operation. */
const char *ops_lane(const Code *code, uint32_t *level);

/* ---- program: decode.c ---- */

/* A vector of registers that is filled before a warp runs: immediates and addresses (once per warp memory), parameters
 * (per launch), special registers (per block). */
typedef enum FillKind { FILL_VALUE, FILL_PARAM, FILL_SPECIAL } FillKind;
typedef struct Fill {
    FillKind kind;
    uint8_t class;
    uint32_t offset; /* in the registers */
    uint64_t
        value; /* VALUE: the lanes' value; PARAM: offset in the parameter block; SPECIAL: its number */
    uint32_t bytes; /* PARAM: to read */
    bool sign;      /* PARAM: sign-extended */
    Special special;
} Fill;

/* The kernel and the functions that it may call, one behind the other: code, basic blocks and sites
 * are numbered through. Registers of functions that may be active at once for a lane lie apart. */
struct Program {
    Decoding *decoding;       /* decode.c only */
    const Function *function; /* the kernel; while it is decoded, the function at hand */
    const Loaded *loaded;
    const Gpu *gpu;
    Routine *routines; /* the kernel's first */
    uint32_t routine_count;
    uint32_t *routine_of; /* [module->functions.count]: NO_INDEX where it cannot be called */
    Code *code;           /* [all instructions] */
    uint32_t *block_of;   /* [all instructions]: basic block */
    Block *blocks;        /* [block_count]: with numbers of the program */
    uint32_t *order;      /* [block_count]: in its function, see block_order */
    uint32_t code_count, block_count, site_count;
    uint32_t sweep_count; /* that a warp has; load_store.h */
    VEC(Fill) fills;
    VEC(Fill) block_fills; /* those of them that differ from block to block */
    uint32_t register_bytes;
    uint32_t shared_base;   /* address of the first static variable: 1024 on sm_90, else 0 */
    uint32_t shared_first;  /* the lowest address that may be used: shared_base, or 0 */
    uint32_t shared_static; /* bytes of static variables, from shared_base */
    uint32_t dynamic_at;    /* address of the dynamic array */
    uint32_t stack_bytes;   /* local memory of a lane: addresses 0 … stack_bytes-1 */
    uint32_t stack_stride;  /* from one lane's to the next one's; a multiple of 16 */
    uint32_t alloca_at;     /* register: the lowest address that alloca gave; NO_OPERAND: unused */
    bool has_alloca;        /* or stacksave */
    bool uses_reserved;     /* shared memory of the system, by %reserved_smem_offset_… */
    bool stack_grows;       /* recursion or alloca: how much stack is needed, nobody knows */
};

/* NULL: diags names the instructions that cannot be executed. */
Program *program_decode(Arena *arena, const Function *function, const Loaded *loaded,
                        const Gpu *gpu, Diags *diags);

/* ---- calls: call_layout.c, call_decode.c, call.c; docs/decisions/0006-calls.md ---- */

/* Where a .param variable or a register parameter lies: a vector of registers, or bytes of the
 * function's frame. */
typedef struct ParamPlace {
    uint32_t at; /* offset in the registers, or in the frame; NO_OPERAND: nobody reads it */
    uint32_t bytes;
    uint8_t class; /* of registers */
    bool in_frame;
    const Variable *variable;
    uint32_t first, last; /* instructions that name it; first = NO_INDEX: none */
} ParamPlace;

/* A function in a Program. */
struct Routine {
    const Function *function;
    uint32_t first_code, first_block, first_site;
    Slots slots;          /* of its registers, then of its .param variables that are in registers */
    uint32_t start[4];    /* of each class: the program's number of its slot 0 */
    uint32_t frame_bytes; /* .local variables, and .param variables behind; a multiple of 16 */
    ParamPlace *params, *results;
    VEC(ParamPlace) places; /* of parameters and results, then of the body's */
    uint32_t own_places;    /* of parameters and results */
    Map *place_of;          /* .param variables, by their address, to places */
    uint8_t *reaches;       /* [routine_count]: may be active while this one is */
};

/* What comes back with the lanes, because what they called may use it: a vector of registers. */
typedef struct Saved {
    uint32_t at, bytes;
    uint8_t class;
} Saved;

/* A call instruction. */
typedef struct Call {
    const Routine *caller, *callee; /* callee NULL: indirect, its address is operand a */
    ParamPlace *arguments, *results;
    uint32_t argument_count, result_count;
    VEC(Saved) saved;
    uint32_t saved_bytes;
} Call;

/* brx.idx: where each index leads. */
typedef struct Switch {
    uint32_t count;
    uint32_t *blocks; /* NO_INDEX: leaves the function */
} Switch;

/* Lanes that called together, until the last of them is back. */
struct Activation {
    Activation *parent; /* NULL: the kernel called; in a free list: the next one */
    const Code *call;
    const Routine *routine;
    uint32_t lanes; /* in it or in what it called */
    uint32_t frame, caller_frame;
    uint32_t depth; /* 1: called by the kernel */
    uint32_t order; /* of the call's basic block */
    uint32_t size_class;
    uint8_t *saved; /* call->saved, one behind the other */
};
enum { ACTIVATION_CLASSES = 26 };

/* Places of functions, their registers, frames and parameters. */
void calls_layout(Program *program, Arena *arena);
/* Local memory of a lane. */
void program_set_stack(Program *program, uint32_t bytes);
enum { STACK_BYTES_DEFAULT = 64 * 1024 };
/* NULL: not a .param variable of the function at hand. */
const ParamPlace *calls_place(const Program *program, const Variable *variable);
Routine *program_routine(const Program *program); /* the one at hand while decoding */
/* The vector of registers that is a slot of a function. */
uint32_t decode_slot(const Program *program, const Routine *routine, uint8_t class, uint32_t slot);
uint64_t function_address(const Function *function);

/* The lanes for which the call at the end of a basic block is to happen enter what they call. */
Step call_enter(Warp *warp, Path *path, const Code *code, uint32_t lanes);
/* All lanes of the path return to behind their call; false: there is nothing behind it. */
bool call_return(Warp *warp, Path *path);
/* Lanes of the path have exited: they return from nothing any more. */
void call_forget(Warp *warp, Activation *activation, uint32_t lanes);
/* The value of an argument (up to 8 bytes) in one lane. */
uint64_t call_argument(const Warp *warp, const Call *call, uint32_t index, uint32_t lane);
void call_set_result(const Warp *warp, const Call *call, uint32_t lane, uint64_t value);
/* Host memory behind a generic address of a lane, and how many bytes there are; NULL: none. */
uint8_t *lane_memory(const Warp *warp, uint32_t lane, uint64_t address, uint64_t *bytes);

/* A NUL-terminated string of the kernel, bounded by where it lies; "?" where it cannot be read. */
const char *lane_string(const Warp *warp, uint32_t lane, uint64_t address, size_t *length);

/* ---- printf.c, heap.c: functions that the CUDA runtime provides to kernels ---- */

Step exec_pass(Warp *warp, const Code *code, uint32_t mask);       /* control.c */
Step exec_assertfail(Warp *warp, const Code *code, uint32_t mask); /* control.c */
Step exec_vprintf(Warp *warp, const Code *code, uint32_t mask);
Step exec_malloc(Warp *warp, const Code *code, uint32_t mask);
Step exec_free(Warp *warp, const Code *code, uint32_t mask);

/* The windows of the generic address space. Host addresses stay below 2^47. */
#define WINDOW_SHARED (UINT64_C(1) << 48)
#define WINDOW_LOCAL (UINT64_C(2) << 48)
#define WINDOW_PARAM (UINT64_C(3) << 48)
#define WINDOW_CODE (UINT64_C(4) << 48) /* addresses of functions; see function_address */
#define WINDOW_OF(address) ((address) & (UINT64_C(0xffff) << 48))

/* ---- blocks and workers: cta.c, worker.c ---- */

/* A barrier counts threads, or warps where the instruction said how many threads it is for
 * (PTX ISA, "bar": the count is then a multiple of the warp size). A warp whose lanes arrive one path
 * after the other has arrived with the last of them. */
typedef struct Barrier {
    uint32_t threads;  /* that arrived */
    uint32_t warps;    /* all of whose live lanes arrived */
    uint32_t expected; /* warps; 0 = all live threads of the block */
    uint32_t yes;      /* bar.red: threads whose predicate holds */
} Barrier;

/* The blocks of a cluster. They run on one worker, so that their shared memory is changed by one
 * thread of ours alone. */
enum { CLUSTER_MOST = 16 };
struct Cluster {
    Cta *blocks[CLUSTER_MOST]; /* by rank; NULL: it has ended */
    uint32_t size, left;       /* blocks; of them not ended */
    uint32_t arrived;          /* threads at its barrier */
    Cluster *next;             /* spare */
};

struct Cta {
    Worker *worker;
    Cluster *cluster;
    uint32_t rank; /* in it */
    const Program *program;
    uint32_t index[3];
    uint64_t linear;
    uint8_t *shared; /* address 0 of shared memory; accesses lie in [shared_base, shared_end) */
    uint32_t shared_end;
    uint32_t shared_room; /* the same with the launch's layouts */
    Warp *warps;
    uint32_t warp_count;
    uint32_t live_threads;
    Barrier barriers[BARRIERS];
    Counting counting;
    uint32_t record;   /* number among those that are recorded */
    uint32_t together; /* rounds that its warps still run side by side */
    bool spinning;     /* its last turn brought nothing but waiting */
    uint64_t filled;   /* Run.number that its warps' registers were filled for; 0 = none */
    Cta *next;
};

typedef struct BlockCount {
    uint64_t warps, lanes;
} BlockCount;

/* The allocation that an instruction touched last: the next access is likely there. */
typedef struct LastHit {
    uint64_t first, bytes;
    bool read_only;
} LastHit;

struct Worker {
    Run *run;
    const Launch *launch;
    const Program *program;
    Arena *arena;
    Counters *counters;       /* [sites] */
    BlockCount *block_counts; /* [basic blocks] */
    LastHit *hits;            /* [sites + 1] */
    uint32_t number;
    Cta *resident;         /* blocks that have begun and not ended, in the order they take turns */
    Arena *evidence_arena; /* of this launch */
    Evidence *evidence;    /* of all its recorded blocks; NULL: none */
    Touched *touched;      /* by them; NULL: none */
    Cta *spare;            /* memory of ended ones, to be used again */
    Cluster *spare_clusters;
    Fault fault;
    Activation *activations[ACTIVATION_CLASSES]; /* free ones, by the size of what they save */
    Tier *tier;                                  /* NULL: all is interpreted */
    bool counting;                               /* what compiled code counts is wanted */
    const Compiled *counted; /* what it ran last; the numbers of frame and notes are that code's */
    Frame *frame;
    Notes *notes;
    const Warp *last; /* that ran it; NULL: nothing was counted yet */
    uint64_t clock;   /* what %clock reads: warp instructions so far */
};

/* ---- warp.c, diverge.c ---- */

typedef enum WarpEnd { WARP_DONE, WARP_BLOCKED, WARP_YIELDED, WARP_SLICE, WARP_FAULT } WarpEnd;
/* Runs until all lanes have exited, all wait, or about `budget` instructions were executed. */
WarpEnd warp_run(Warp *warp, uint64_t budget);
/* Lanes of the path part at the end of basic block `from`: `taken` go to its successor[1]. */
void diverge(Warp *warp, Path *path, uint32_t from, uint32_t taken);
/* Lanes of the path go on at the start of basic block `to` in a path of their own. */
void path_part(Warp *warp, Path *path, uint32_t lanes, uint32_t to);
/* Lanes of the path become a path of their own at the same place. */
Path *path_split(Warp *warp, Path *path, uint32_t lanes);
/* The path goes on at the start of basic block `to`. */
void path_enter(Warp *warp, Path *path, uint32_t to);
/* All lanes of the path return from their function; false: from the kernel, the path is gone. */
bool path_leave(Warp *warp, Path *path);
/* Lanes of `mask` exit; the path is gone where none is left. */
void path_exit(Warp *warp, Path *path, uint32_t mask);
/* The path at the first basic block, joined by all others that stand at its start; NULL: none can run. */
Path *path_choose(Warp *warp);
/* The next path in turn that can run, the current one last; NULL: none. */
Path *path_next(Warp *warp);
/* Every other live lane of the warp may still come to where the path stands, or waits there. */
bool path_others_come(const Warp *warp, const Path *path);
/* Paths that a barrier let go at one instruction go on as one. */
void path_join_released(Warp *warp);
/* For an instruction that all lanes of `members` execute together: true when the lanes of *mask go
 * through now, to which lanes of other paths may be added. false: STEP_WAIT; the path waits, or is to execute it again with the lanes it got. */
bool path_together(Warp *warp, Path *path, const Code *code, uint32_t *mask, uint32_t members);

/* ---- cta.c ---- */

/* WAITS: for other blocks of its cluster. */
typedef enum CtaEnd { CTA_DONE, CTA_SLICE, CTA_YIELDED, CTA_WAITS, CTA_FAULT } CtaEnd;
Cta *cta_new(Worker *worker);
/* The block of that rank in the cluster. unit: number of the cluster in the grid. */
void cta_begin(Cta *cta, Cluster *cluster, uint64_t unit, uint32_t rank);
CtaEnd cta_run(Cta *cta);
/* Lanes of the warp arrived at the barrier. */
void cta_arrive(Warp *warp, uint32_t barrier, uint32_t lanes);
/* Lanes of the warp have exited: barriers that waited for them may be complete. */
void cta_depart(Warp *warp);

/* ---- cluster.c ---- */

/* An address of shared memory has the rank of its block above these bits, plus one: 0 is the own. */
enum { CLUSTER_SHIFT = 24 };
Cluster *cluster_new(Worker *worker, uint32_t size);
void cluster_leave(Worker *worker, Cta *cta); /* the block has ended */
/* Threads of the cluster arrived or exited: its barrier may be complete. */
void cluster_check(Cluster *cluster);
/* The block waits at the cluster's barrier, and others of the cluster can come on. */
bool cluster_awaited(const Cta *cta);
/* The address is one of another block's shared memory. */
bool cluster_remote(const Warp *warp, uint64_t address);
/* touch_check for addresses of other blocks' shared memory. */
Step cluster_touch(Touch *touch, Warp *warp, const Code *code, uint32_t mask, uint32_t width,
                   bool writes);

/* ---- fill.c: what registers hold when a block begins ---- */

void fill_warp(const Cta *cta,
               Warp *warp); /* immediates, parameters, what is the same in all blocks */
void fill_block(const Cta *cta, Warp *warp); /* what depends on the block */
bool fill_depends_on_block(const Fill *fill);

/* ---- worker.c ---- */

/* What the workers of one launch share. */
struct Run {
    const Launch *launch;
    const Function *kernel;
    const Gpu *gpu;
    const Program *program;
    uint64_t number;        /* of the launch, among those of the kernel */
    uint64_t limit;         /* Launch.limit, or the default */
    const uint64_t *chosen; /* linear numbers of the blocks to run; NULL: 0 … count-1 */
    uint64_t count, step;   /* blocks to run; the k-th is chosen[k] or k * step */
    uint32_t cluster[3];    /* blocks of a cluster; 1,1,1 without: what is counted are clusters */
    uint32_t cluster_size;  /* their product */
    bool is_clustered;      /* %is_explicit_cluster */
    uint64_t evidence_step; /* every so many-th of them is recorded; 0 = none */
    const Relaid *relaid;   /* other layouts of shared variables, or NULL */
    Sampling *sampling;     /* NULL: all blocks are counted that run */
    Tier *tier;             /* NULL: all is interpreted */
    uint32_t shared_end;    /* of shared memory with them */
    const Stored *stored;   /* arrays of global memory that are stored otherwise, or NULL */
    _Atomic uint64_t next;  /* to begin */
    _Atomic uint64_t done;
    _Atomic int stop; /* a fault somewhere, or interrupted */
    double started;
    Worker *workers;
    uint32_t worker_count;
    pthread_mutex_t print_lock; /* Launch.print is called by one worker at a time */
    Workers *others; /* started by the first worker when the launch turns out to be long */
};
void worker_run(void *run, uint32_t worker); /* for workers_start */
/* Makes a worker ready for the run; what it allocated for earlier ones is used again. */
void worker_ready(Worker *worker, Run *run, uint32_t number);

/* ---- prepare.c ---- */

/* Rows of the profile that belong to the kernel, and for each instruction its location's. */
typedef struct Rows {
    Profile *profile;
    uint32_t kernel;
    uint32_t *location_of; /* [program->code_count]; NONE: not yet */
    uint32_t *files;       /* [module->locations.count]: profile location, NONE: not yet */
} Rows;

struct Prepared {
    Arena *arena;
    const Function *kernel;
    const Gpu *gpu;
    Program *program;
    Tier *tier; /* NULL: no launch has asked for one */
    uint64_t launches;
    Rows rows;
    uint32_t block[3], dynamic_shared; /* of what the workers have allocated */
    bool relaid;                       /* with other layouts of shared variables */
    Worker *workers;
    uint32_t worker_count;
};
/* `count` workers whose blocks have the launch's shape. */
Worker *prepared_workers(Prepared *prepared, const Launch *launch, uint32_t count);

/* ---- access.c: what all memory operations share ---- */

/* The addresses of one access, and what is known of them. */
struct Touch {
    uint64_t address[WARP_LANES];
    Pattern pattern;
    uintptr_t host; /* lane l's bytes are at host + place[l]: see touch_place */
    const uint64_t *place;
    uint64_t moved[WARP_LANES]; /* place, where it differs from address (local memory) */
    bool remote;                /* shared memory of another block: not modelled */
    /* Shared memory with another layout (relayout.c): the variable that was hit, or NULL; `address` is
     * where it is now, `asked` where the program thinks it is. */
    const Relaid *relaid;
    uint64_t asked[WARP_LANES];
};

/* ---- relayout.c ---- */

/* The launch's layouts; NULL: none. *end: of shared memory with them. */
const Relaid *relaid_make(Arena *arena, const Program *program, const Launch *launch, uint32_t *end,
                          Diags *diags);
/* Moves the addresses of the active lanes to their places. */
Step relaid_touch(const Relaid *relaid, Touch *touch, Warp *warp, const Code *code, uint32_t mask,
                  uint32_t width, bool writes);
/* Counts an access that ptxas merges as it does with the layout: whole, or in pieces. skip: from the
 * addresses asked for to its first byte. */
void relaid_count(const Relaid *relaid, Warp *warp, const Code *code, const Access *asked,
                  MergedAccess merged, int32_t skip, const uint64_t address[WARP_LANES]);

/* ---- stored.c ---- */

/* The launch's storages, their arrays filled; NULL: none. */
const Stored *stored_make(Arena *arena, const Launch *launch, Diags *diags);
/* Puts the bytes back to where the program left them. NULL is allowed. */
void stored_end(const Stored *stored);
/* Moves the addresses of the active lanes to their places. */
Step stored_touch(const Stored *stored, Touch *touch, Warp *warp, const Code *code, uint32_t mask,
                  uint32_t width, bool writes);

/* Addresses of the active lanes: the register at `base` (of a class) plus an offset. */
void touch_addresses(Touch *touch, const Warp *warp, uint32_t base, uint8_t class, int64_t offset,
                     uint32_t mask);
/* Reduces *mask to the lanes whose generic address lies in the same space as the first lane's;
 * returns that space, and makes their addresses such of that space. */
Space touch_split(Touch *touch, uint32_t *mask);
/* Where the bytes of a lane are, after touch_check. */
static inline uint8_t *touch_place(const Touch *touch, uint32_t lane) {
    return (uint8_t *)(touch->host + touch->place[lane]);
}
/* Checks alignment, bounds and permission; sets host and place. STEP_FAULT: worker->fault. */
Step touch_check(Touch *touch, Warp *warp, const Code *code, Space space, uint32_t mask,
                 uint32_t width, bool writes);
/* Adds what the access costs. pattern: of its addresses, or NULL. */
void access_cost(Counters *counters, const Access *access, const Pattern *pattern);
/* Adds the access to the counters of the site, and to the evidence where the block is recorded. */
void access_count(Warp *warp, const Code *code, const Access *access, const Pattern *pattern);

Step warp_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, uint64_t address,
                const char *format, ...) __attribute__((format(printf, 6, 7)));
/* The same for an access to memory; the message also says where in the space the address lies. */
Step memory_fault(Warp *warp, const Code *code, FaultKind kind, uint32_t lane, Space space,
                  uint64_t address, const char *format, ...) __attribute__((format(printf, 7, 8)));
/* An operation that a lane does which waits in a loop for others (atomics, volatile loads …):
 * now and then it gives others a turn. */
static inline Step warp_spins(Warp *warp) {
    return ++warp->spins % 32 ? STEP_NEXT : STEP_YIELD;
}

/* ---- the operations beyond ops.c: each file knows its rows ---- */

/* Chooses full and some for a row of the file and prepares *code; false: not a row of this file. */
bool frame_decode(Program *program, const Insn *insn, Code *code);                /* load_store.c */
bool memory_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* load_store.c */
bool atomic_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* atomic.c */
bool async_decode(Program *program, Arena *arena, const Insn *insn, Code *code);  /* async.c */
bool matrix_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* ldmatrix.c */
bool mma_decode(Program *program, Arena *arena, const Insn *insn, Code *code);    /* mma.c */
bool wmma_decode(Program *program, Arena *arena, const Insn *insn, Code *code);   /* wmma.c */
bool warpwide_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* warpwide.c */
bool mbarrier_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* mbarrier.c */
bool barrier_decode(Program *program, Arena *arena, const Insn *insn, Code *code);  /* barrier.c */
bool cluster_decode(Program *program, Arena *arena, const Insn *insn, Code *code);
bool texture_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* texture.c */
/* Where the coordinates of [object, {…}] are. */
void coordinates_decode(Program *program, Arena *arena, const Operand *address,
                        uint32_t offsets[4]);
bool surface_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* surface.c */
bool control_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* control.c */
bool call_decode(Program *program, Arena *arena, const Insn *insn, Code *code); /* call_decode.c */
/* The offset of a vector of registers that holds the operand: a register, or a fill made for it. */
uint32_t decode_operand(Program *program, Arena *arena, const Operand *operand, uint8_t *class);
uint32_t decode_value(Program *program, Arena *arena, uint8_t class, uint64_t value);
/* How mem.h classes the access of a memory instruction. */
AccessKind code_access_kind(const Code *code);
AccessKind atomic_kind(const Code *code);
/* Bytes per lane of a load as ptxas narrows it (narrow.c); 0: another instruction. */
uint32_t code_width(const Code *code);
uint32_t code_accesses(const Code *code); /* that it makes: 0 to 2; wmma.load, wmma.store: more */
uint32_t code_matrices(const Code *code); /* ldmatrix, stmatrix, wmma.load as ldmatrix; else 0 */
uint32_t wmma_width(const Code *code);    /* wmma.c: of wmma.load and wmma.store */
uint32_t wmma_accesses(const Code *code);
uint32_t wmma_matrices(const Code *code);
/* What ptxas merges into it; width 0: nothing. */
MergedAccess code_merged(const Code *code);
/* The register is read somewhere in the function. */
bool decode_is_read(const Program *program, uint32_t reg);
/* Where a variable lies in its own space. */
uint64_t decode_variable(const Program *program, const Variable *variable);

/* ---- warpwide.c ---- */

/* Where each lane reads in shfl.sync with these operands b and c: bits 0-4, and bit 5: in range. */
void shuffle_lanes(const Code *code, uint32_t b, uint32_t c, uint8_t lanes[WARP_LANES]);

/* ---- evidence.c ---- */

Evidence *evidence_new(Arena *arena);
/* The access, `times` times. Returns the number of its record. */
uint32_t evidence_record(Evidence *evidence, const Warp *warp, const Code *code,
                         const Access *access, uint64_t times);
/* The same for a load or store of all lanes whose addresses are runs. anchor: where the allocation
 * begins, in global memory; 0: shared memory. */
void evidence_record_runs(Evidence *evidence, const Warp *warp, const Code *code,
                          const Pattern *pattern, uint64_t anchor);
/* Adds what the workers recorded to the profile, equal patterns as one, in an order that does not
 * depend on the workers. first_site: of the kernel. */
void evidence_save(Profile *profile, Arena *arena, const Run *run, uint32_t launch,
                   uint32_t first_site);

/* ---- footprint.c: the sectors of global memory that recorded blocks touch ---- */

Touched *touched_new(Arena *arena, bool by_blocks);
void touched_add(Touched *touched, uint32_t block, const Access *access);
void touched_add_bytes(Touched *touched, uint32_t block, uint64_t address, uint64_t bytes,
                       bool stored);
/* The same for a load or store of all lanes whose addresses are runs. */
void touched_add_runs(Touched *touched, uint32_t block, const Pattern *pattern, uint32_t width,
                      bool stored);
/* Of all workers together. */
Footprint touched_sum(const Run *run);

/* ---- record.c ---- */

/* Adds the launch to the profile, with its kernel, sites, locations and files as far as they are
 * new. Returns its number. */
uint32_t record_launch(Rows *rows, const Run *run, const LaunchResult *result, double wall_seconds,
                       double cpu_seconds);

#define for_lanes(lane, mask)                                                                      \
    for (uint32_t rest_##lane = (mask), lane = 0;                                                  \
         rest_##lane && (lane = (uint32_t)__builtin_ctz(rest_##lane), 1);                          \
         rest_##lane &= rest_##lane - 1)
