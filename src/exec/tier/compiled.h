/* compiled.h: machine code made of a Program while it runs, and what the interpreter and the plug-in that
 * makes it (src/jit, over LLVM) know of each other. docs/decisions/0013-jit.md has the reasons.
 *
 * Compiled code runs a path of a warp. It begins at the start of a basic block, or at an instruction that
 * waits, and it may stop before any instruction, with registers and counters as the interpreter would
 * have left them there; whatever it cannot do, the interpreter does next. There are two versions of a
 * basic block: for all 32 lanes, and, where lanes were seen to part, for any mask.
 *
 * Accesses. For a load or store the interpreter has seen how the lanes' addresses lie relative to lane
 * 0's (AccessShape). Compiled code expects the same again. Accesses of one piece of straight code that share
 * their base register are one Check: shape, alignment and bounds are looked at once. Those between two
 * places at which the code may stop are one Batch: they are counted by adding 1 to one number, chosen by
 * the base's place in 128 bytes, since moving all addresses by 128 changes no cost (compiled_count.c). */
#pragma once

#include "exec/run/worker.h"
#include "exec/tier/object.h"

/* ---- what is to be compiled ---- */

typedef enum ShapeState {
    SHAPE_UNSEEN, /* stop there: the interpreter looks */
    SHAPE_FIXED,
    SHAPE_VARIES /* call the interpreter's function */
} ShapeState;

typedef struct AccessShape {
    ShapeState state;
    int64_t place[WARP_LANES]; /* of each lane's address, from lane 0's */
} AccessShape;

/* How an instruction is compiled. */
typedef enum CodeKind {
    KIND_CALL,    /* by a call of its function */
    KIND_LANE,    /* the function of ops_lanes.h of that name */
    KIND_WORD,    /* a predicate: mov, and, or, xor, not */
    KIND_ACCESS,  /* a counted load or store that a Check may cover */
    KIND_PARAM,   /* ld.param: copies Code.vector */
    KIND_ADDRESS, /* cvta: adds a constant */
    KIND_SHUFFLE, /* shfl.sync */
    KIND_NOTHING
} CodeKind;

typedef struct Plan Plan; /* plan.h */

typedef struct CompileTask {
    const Program *program;
    const bool *wanted;        /* [basic blocks] */
    const bool *parted;        /* [basic blocks]: for any mask, too */
    const AccessShape *shapes; /* [code] */
    const uint8_t *kinds;      /* [code]: CodeKind */
    const char *const *lanes;  /* [code]: KIND_LANE: the function's name */
    const uint32_t *
        live; /* [basic blocks][live_words]: bit i: something behind the block reads the register at 4 i, or
                                  may; NULL: any */
    const bool *
        same; /* [basic blocks][same_cells]: all lanes that begin the block have one value in the register; NULL:
                          nothing is known */
    const char *level; /* of the processor: "x86-64-v3"; "plain": any */
    /* Of a shfl.sync whose operands b and c are known: the lane that each lane reads (bits 0-4), and
     * whether it is in range (bit 5). */
    void (*shuffle)(const Code *code, uint32_t b, uint32_t c, uint8_t lanes[WARP_LANES]);
    uint64_t (*addend)(const Code *code); /* KIND_ADDRESS */
} CompileTask;

static inline uint32_t live_words(const Program *program) {
    return program->register_bytes / 4 / 32 + 1;
}
static inline bool live_behind(const CompileTask *task, uint32_t block, uint32_t offset) {
    const uint32_t *set = task->live;
    return !set ||
           set[(size_t)block * live_words(task->program) + offset / 4 / 32] >> offset / 4 % 32 & 1;
}

/* Registers that are no predicates have cells of their own. */
static inline uint32_t same_cell(uint32_t offset) {
    return offset / 64;
}
static inline uint32_t same_cells(const Program *program) {
    return same_cell(program->register_bytes) + 1;
}
static inline bool same_before(const CompileTask *task, uint32_t block, uint32_t offset) {
    return task->same && task->same[(size_t)block * same_cells(task->program) + same_cell(offset)];
}
/* A register that is filled before a warp runs has one value in all lanes. */
static inline bool fill_is_same(const Fill *fill) {
    if (fill->kind != FILL_SPECIAL)
        return true;
    switch (fill->special) {
    case SREG_NTID_X:
    case SREG_NTID_Y:
    case SREG_NTID_Z:
    case SREG_CTAID_X:
    case SREG_CTAID_Y:
    case SREG_CTAID_Z:
    case SREG_NCTAID_X:
    case SREG_NCTAID_Y:
    case SREG_NCTAID_Z:
        return true;
    default:
        return false;
    }
}

/* ---- what comes back ---- */

/* Before instruction `at`: do the addresses in register `base` lie as the shape of instruction `access`
 * says, and so that all bytes from `low` to `high` around lane 0's address are in one piece of memory? */
typedef struct Check {
    uint32_t at, access;
} Check;

typedef struct Batch {
    uint32_t check;
    uint32_t first, count; /* CompiledCode.members: its accesses */
} Batch;

/* What the plug-in makes of a task. It names no address of this process, so that it can be kept on disk. */
typedef struct CodeImage {
    const void *object; /* an object file with the functions "all" and "some" */
    size_t object_bytes;
    uint32_t check_count, batch_count, member_count;
    const Check *checks;
    const Batch *batches;
    const uint32_t *members;              /* instructions */
    const bool *all_starts, *all_resumes; /* of Version */
    const bool *some_starts, *some_resumes;
} CodeImage;

enum { PLACES = 128 }; /* that the base of a batch may have */

/* What compiled code uses. */
struct Frame {
    BlockCount *block_counts;            /* [basic blocks] */
    uint64_t *counts;                    /* [batches][PLACES] */
    LastHit *hits;                       /* [sites] */
    uint64_t shared;                     /* where the block's shared memory is */
    uint64_t shared_first, shared_bytes; /* addresses of it that may be used */
    uint64_t recorded;                   /* each batch is noted */
    uint64_t lanes;                      /* of the path */
    const Code *code;                    /* the program's */
    uint64_t stop;                       /* leave between blocks once warp->executed is so much */
    uint64_t quiet; /* … before blocks of which others notice nothing: program->quiet */
    /* Of a block whose accesses are evidence, or go to the model of the caches: lane 0's address of a batch. */
    void (*note)(Worker *worker, uint64_t batch, uint64_t base);
    const Plan *plan; /* NULL: machine code needs none */
};

/* How compiled code ends: the reason, and in the lower half the instruction. */
typedef enum Left {
    LEFT_BEFORE, /* the interpreter goes on with this instruction, inside its block */
    LEFT_ENTERS, /* ... at this block's start, which is not counted yet */
    LEFT_STEP    /* + Step: that is what the instruction returned */
} Left;
typedef uint64_t (*CompiledRun)(Warp *warp, uint8_t *registers, const Frame *frame, uint64_t entry,
                                uint64_t mask);

/* The version for all lanes, or for any. */
typedef struct Version {
    CompiledRun run;
    const bool *starts;  /* [basic blocks]: entry 1 + number */
    const bool *resumes; /* [code]: entry 1 + basic blocks + number */
} Version;

struct CompiledCode {
    Version all, some;
    uint32_t check_count, batch_count;
    const Check *checks;
    const Batch *batches;
    const uint32_t *members;   /* instructions */
    const AccessShape *shapes; /* the task's */
    LoadedObject object;
    const Plan *plan; /* of the first tier; NULL: it is machine code */
};

/* The plug-in: the symbol "warplens_jit" of its library. */
#define PLUGIN_VERSION 11
struct Plugin {
    uint32_t version; /* of this header: PLUGIN_VERSION */
    const char *llvm; /* its version: "14.0.6" */
    void (*ready)(
        void); /* first of all: from then on a process that ends waits for what it compiles */
    /* What *image points to lies in the arena. false: it cannot be compiled. */
    bool (*compile)(const CompileTask *task, Arena *arena, CodeImage *image);
};
