/* program.h: a kernel as it is executed - decoded instructions, the vectors that are filled for them,
 * the functions that it may call - and what each file of exec/ decodes. Below warp.h, which has the
 * state that they work on; private to the layer.
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
#include "lower/lower.h"

typedef struct Code Code;
typedef struct Warp Warp;
typedef struct Program Program;
typedef struct Decoding Decoding;
typedef struct Routine Routine;

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
    const Function *function; /* the kernel */
    const Loaded *loaded;
    const Gpu *gpu;
    Routine *routines; /* the kernel's first */
    uint32_t routine_count;
    Code *code;         /* [all instructions] */
    uint32_t *block_of; /* [all instructions]: basic block */
    Block *blocks;      /* [block_count]: with numbers of the program */
    uint32_t *order;    /* [block_count]: in its function, see block_order */
    uint32_t code_count, block_count, site_count;
    uint32_t sweep_count; /* that a warp has; load_store.h */
    SharedSpace shared;
    Lowered *lowered; /* [site_count]: what ptxas makes of the accesses */
    VEC(Fill) fills;
    VEC(Fill) block_fills; /* those of them that differ from block to block */
    uint32_t register_bytes;
    uint32_t stack_bytes;  /* local memory of a lane: addresses 0 … stack_bytes-1 */
    uint32_t stack_stride; /* from one lane's to the next one's; a multiple of 16 */
    uint32_t alloca_at;    /* register: the lowest address that alloca gave; NO_OPERAND: unused */
    bool has_alloca;       /* or stacksave */
    bool stack_grows;      /* recursion or alloca: how much stack is needed, nobody knows */
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
    uint32_t at[4];       /* and its offset in the registers */
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
typedef struct DeviceCall DeviceCall;
typedef struct Call {
    const Routine *caller, *callee; /* callee NULL: indirect, its address is operand a */
    ParamPlace *arguments, *results;
    uint32_t argument_count, result_count;
    VEC(Saved) saved;
    uint32_t saved_bytes;
    const DeviceCall *device; /* of the CUDA device runtime, or NULL */
} Call;

/* brx.idx: where each index leads. */
typedef struct Switch {
    uint32_t count;
    uint32_t *blocks; /* NO_INDEX: leaves the function */
} Switch;

/* Places of functions, their registers, frames and parameters. */
void calls_layout(Program *program, Arena *arena);
/* Local memory of a lane. */
void program_set_stack(Program *program, uint32_t bytes);
enum { STACK_BYTES_DEFAULT = 64 * 1024 };
/* NULL: not a .param variable of the function. */
const ParamPlace *calls_place(const Routine *routine, const Variable *variable);
uint64_t function_address(const Function *function);

/* ---- the operations beyond ops.c: each file knows its rows ---- */

/* Chooses full and some for a row of the file and prepares *code; false: not a row of this file. */
bool frame_decode(Decoding *decoding, const Insn *insn, Code *code); /* frame.c */
/* load_store_decode.c */
bool memory_decode(Decoding *decoding, const Insn *insn, Code *code);
bool address_decode(const Insn *insn, Code *code);                    /* address.c */
bool atomic_decode(Decoding *decoding, const Insn *insn, Code *code); /* atomic.c */
bool async_decode(Decoding *decoding, const Insn *insn, Code *code);  /* async.c */
bool bulk_decode(Decoding *decoding, const Insn *insn, Code *code);   /* bulk.c */
bool async_store_decode(Decoding *decoding, const Insn *insn, Code *code);
bool matrix_decode(Decoding *decoding, const Insn *insn, Code *code);   /* ldmatrix.c */
bool mma_decode(Decoding *decoding, const Insn *insn, Code *code);      /* mma.c */
bool wmma_decode(Decoding *decoding, const Insn *insn, Code *code);     /* wmma.c */
bool wgmma_decode(Decoding *decoding, const Insn *insn, Code *code);    /* wgmma.c */
bool warpwide_decode(Decoding *decoding, const Insn *insn, Code *code); /* warpwide.c */
bool mbarrier_decode(Decoding *decoding, const Insn *insn, Code *code); /* mbarrier.c */
bool barrier_decode(Decoding *decoding, const Insn *insn, Code *code);  /* barrier.c */
bool cluster_decode(Decoding *decoding, const Insn *insn, Code *code);
bool texture_decode(Decoding *decoding, const Insn *insn, Code *code); /* texture.c */
/* Where the coordinates of [object, {…}] are. */
void coordinates_decode(Decoding *decoding, const Operand *address, uint32_t offsets[4]);
bool surface_decode(Decoding *decoding, const Insn *insn, Code *code); /* surface.c */
bool tensor_decode(Decoding *decoding, const Insn *insn, Code *code);  /* tensor.c */
/* tensor_replace.c */
bool tensormap_decode(Decoding *decoding, const Insn *insn, Code *code);
bool control_decode(Decoding *decoding, const Insn *insn, Code *code); /* control.c */
bool call_decode(Decoding *decoding, const Insn *insn, Code *code);    /* call_decode.c */
/* ---- warpwide.c ---- */

/* Where each lane reads in shfl.sync with these operands b and c: bits 0-4, and bit 5: in range. */
void shuffle_lanes(const Code *code, uint32_t b, uint32_t c, uint8_t lanes[WARP_LANES]);
