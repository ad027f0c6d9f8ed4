/* program.h: a kernel as it is executed - decoded instructions and the vectors that are filled for them -
 * and what each file of exec/ decodes. Below warp.h, which has the state that they work on; private to
 * the layer.
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
    uint32_t stride;     /* to the next instruction of the basic block that does anything */
    uint32_t negated;    /* bit i: the i-th read operand (a = 0) is a negated predicate */
    void *more;          /* what an operation needs beyond that */
    int64_t offset;      /* of an address operand */
    const Insn *insn;
    uint32_t *vector; /* offsets of the elements of a vector operand (ld.v4 …) */
    uint32_t site;    /* or NO_SITE */
    uint8_t d_class, a_class, b_class,
        c_class;     /* register classes: 0 predicate, 1, 2, 3; see Slots */
    uint8_t count;   /* of elements */
    uint8_t control; /* Control */
    uint8_t space;   /* Space, resolved: a generic access has SPACE_GENERIC */
    bool gathers;    /* lanes enter, leave or wait at a convergence barrier of machine code */
    Mods mods;
};
_Static_assert(sizeof(Code) <= 128, "two cache lines, of which most instructions need the first");

/* ---- program: decode.c ---- */

/* A vector of registers that is filled before a warp runs: immediates and addresses (once per warp memory), parameters
 * (per launch), special registers (per block). */
typedef enum FillKind { FILL_VALUE, FILL_PARAM, FILL_SPECIAL } FillKind;
typedef struct Fill {
    FillKind kind;
    uint8_t class;
    uint32_t offset; /* in the registers */
    /* VALUE: the lanes' value; PARAM: offset in the parameter block; SPECIAL: its number */
    uint64_t value;
    bool is_place;  /* VALUE: it follows from where something lies in memory */
    uint32_t bytes; /* PARAM: to read */
    bool sign;      /* PARAM: sign-extended */
    Special special;
} Fill;

/* The kernel and the functions that it may call, one behind the other: code, basic blocks and sites
 * are numbered through. Registers of functions that may be active at once for a lane lie apart. */
struct Program {
    const Function *function; /* the kernel */
    const LoadedModule *loaded;
    const Gpu *gpu;
    const char *modelled; /* see prepared_modelled */
    Routine *routines;    /* the kernel's first */
    uint32_t routine_count;
    Map *routine_of, *routine_at; /* to numbers of routines, see program_routine */
    Code *code;                   /* [all instructions] */
    uint32_t *block_of;           /* [all instructions]: basic block */
    Block *blocks;                /* [block_count]: with numbers of the program */
    uint32_t *order;              /* [block_count]: in its function, see block_order */
    bool *stores;                 /* [block_count]: see limit.c */
    uint32_t code_count, block_count, site_count;
    Extent *arrays; /* [all instructions]: of the array that its address points into, in its space;
                       no bytes: not known. NULL: no launch has asked (watch_prepare) */
    const Variable **array_of; /* [all instructions]: the array; NULL: not known */
    bool *observes;            /* [all instructions]: an atomic whose result something reads */
    bool *shared_follows; /* [all instructions]: behind it, its block loads from shared memory */
    /* [block_count]: the least that is executed from its beginning on, of which other warps notice nothing, nor it of them;
     * 0: the block is noticed */
    uint32_t *quiet;
    uint32_t sweep_count;   /* that a warp has; load_store.h */
    uint32_t lasting_count; /* of these, those with a bit in Warp.lasting */
    /* the others, but the first, which is for accesses that nobody follows */
    VEC(uint32_t) block_sweeps;
    /* [block_count]: bits of Warp.lasting whose registers the block does not write */
    uint64_t *keeps;
    SharedSpace shared;
    LoweredAccess *lowered; /* [site_count]: what ptxas makes of the accesses */
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
Program *program_decode(Arena *arena, const Function *function, const LoadedModule *loaded,
                        const Gpu *gpu, Diags *diags);

/* ---- routines.c ---- */

void program_routines_begin(Program *program, Arena *arena);
/* Under its function, and, but for the kernel, which is number 0, its address. */
void program_routines_add(Program *program, Routine *routine, uint32_t number);
uint32_t program_routine(const Program *program,
                         const Function *function); /* its number; NO_INDEX: it is none */
/* Which one is called through a pointer; NULL: none. */
const Routine *program_routine_at(const Program *program, uint64_t address);

/* ---- quiet.c ---- */

bool operand_is_clock(const Operand *operand);
/* Others can notice it, or it notices others. */
bool code_is_noticed(const Code *code);
void quiet_find(const Program *program, const Routine *routine); /* Program.quiet */

/* ---- the operations beyond ops.c: each file knows its rows ---- */

/* frame.c: mov and cvta of the address of a variable in a frame; false: it is none. */
bool frame_decode(Decoding *decoding, const Insn *insn, Code *code);
/* Each room of ops.def chooses full and some for its rows and prepares *code; false: it cannot be executed. */
/* load_store_decode.c */
bool memory_decode(Decoding *decoding, const Insn *insn, Code *code);
bool address_decode(Decoding *decoding, const Insn *insn, Code *code); /* address.c */
bool atomic_decode(Decoding *decoding, const Insn *insn, Code *code);  /* atomic.c */
bool async_decode(Decoding *decoding, const Insn *insn, Code *code);   /* async.c */
bool bulk_decode(Decoding *decoding, const Insn *insn, Code *code);    /* bulk.c */
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
bool surface_decode(Decoding *decoding, const Insn *insn, Code *code); /* surface.c */
bool tensor_decode(Decoding *decoding, const Insn *insn, Code *code);  /* tensor.c */
/* tensor_replace.c */
bool tensormap_decode(Decoding *decoding, const Insn *insn, Code *code);
bool control_decode(Decoding *decoding, const Insn *insn, Code *code); /* control.c */
bool call_decode(Decoding *decoding, const Insn *insn, Code *code);    /* call_decode.c */
