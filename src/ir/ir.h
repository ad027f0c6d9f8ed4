/* ir: a PTX module as data - kernels, instructions with their places in the source, variables,
 * control flow.
 *
 * Invariants (ptx/ establishes them; ir_verify checks them in debug builds and tests)
 *   - Everything lives in the module's arena and is never changed after ptx_parse and cfg_build.
 *   - Registers of a function are numbered 0 … regs.count-1; names are unique after scoping ("%r1",
 *     "%r1'2" for a second declaration in an inner scope).
 *   - Operands of an Insn are as its Op's row of ops.def asks for: the executor need not check
 *     again.
 *   - Block b holds insns [first, first+count); only its last one may branch, exit or return.
 *     blocks[0] is the entry.
 *   - An Insn that touches memory has a site number, 0 … sites-1 in program order; others have
 *     NO_SITE.
 *
 * What it does not do: parse text (ptx/), execute (exec/). */
#pragma once

#include "isa/isa.h"

#define NO_INDEX UINT32_MAX
#define NO_SITE NO_INDEX
#define NO_LOCATION NO_INDEX
#define NO_REG NO_INDEX

typedef struct Module Module;
typedef struct Function Function;
typedef struct Variable Variable;

/* A line of a .file'd source, and where it was inlined (.loc … inlined_at). Interned in
 * module->locations. */
typedef struct SourceLocation {
    uint32_t file; /* the number of the .file directive */
    uint32_t line, column;
    /* function_name of the .loc: mangled name of the inlined function, or NULL */
    const char *function;
    uint32_t inlined_at; /* index in module->locations of the call, or NO_LOCATION */
} SourceLocation;

typedef struct FileEntry { /* .file N "path" */
    uint32_t number;
    const char *path;
} FileEntry;

typedef struct Reg {
    const char *name; /* "%r1" */
    Type type;
} Reg;

/* An initialiser word that is the address of a variable: the bytes at `offset` of the variable's
 * data get address(target) + addend. */
typedef struct Relocation {
    uint64_t offset;
    uint32_t bytes; /* 4 or 8 */
    const Variable *target;
    const Function *function; /* or the address of a function */
    int64_t addend;
    bool generic; /* generic(target) */
} Relocation;

struct Variable {
    const char *name;
    Space space;     /* GLOBAL, CONST, SHARED, LOCAL, PARAM */
    Type type;       /* element type */
    uint32_t vector; /* .v2/.v4: 2, 4; else 1 */
    uint64_t bytes;  /* of the whole array; 0 for .extern .shared x[] */
    uint32_t align;  /* bytes; natural where not given */
    bool is_extern, is_visible, is_weak, is_managed;
    const uint8_t *data; /* initialiser, `bytes` long; NULL = zero */
    VEC(Relocation) relocations;
    Function *owner; /* NULL: module scope */
    /* SHARED: in the block's shared memory (dynamic: behind the static ones); LOCAL: in the frame;
     * PARAM: in the parameter block, behind the parameters for results and the .param variables of
     * a body; REG (a parameter of a .func): the number of the register; CONST, GLOBAL: see exec */
    uint64_t offset;
    uint32_t line; /* of its declaration in the PTX */
};

typedef enum OperandKind {
    OPERAND_NONE,
    OPERAND_REG, /* reg, negated for !%p */
    OPERAND_IMM, /* bits: an integer (64-bit two's complement) or float already in the operand's own
                    type */
    OPERAND_SPECIAL, /* special: %tid.x … */
    OPERAND_SYMBOL,  /* the address of a variable (+ offset): mov, or inside [] */
    OPERAND_ADDRESS, /* [reg + offset], [variable + offset], [offset]; with coordinates: elements */
    OPERAND_VECTOR,  /* {a, b, …}: elements */
    OPERAND_PAIR,    /* p|q: elements[0], elements[1] */
    OPERAND_SINK,    /* _ */
    OPERAND_LABEL,   /* insn index in `target` */
    OPERAND_FUNCTION /* function */
} OperandKind;

typedef enum Special {
    SREG_NONE,
    SREG_TID_X,
    SREG_TID_Y,
    SREG_TID_Z,
    SREG_NTID_X,
    SREG_NTID_Y,
    SREG_NTID_Z,
    SREG_CTAID_X,
    SREG_CTAID_Y,
    SREG_CTAID_Z,
    SREG_NCTAID_X,
    SREG_NCTAID_Y,
    SREG_NCTAID_Z,
    SREG_LANEID,
    SREG_WARPID,
    SREG_NWARPID,
    SREG_SMID,
    SREG_NSMID,
    SREG_GRIDID,
    SREG_LANEMASK_EQ,
    SREG_LANEMASK_LE,
    SREG_LANEMASK_LT,
    SREG_LANEMASK_GE,
    SREG_LANEMASK_GT,
    SREG_CLOCK,
    SREG_CLOCK_HI,
    SREG_CLOCK64,
    SREG_GLOBALTIMER,
    SREG_GLOBALTIMER_LO,
    SREG_GLOBALTIMER_HI,
    SREG_PM,
    SREG_ENVREG, /* %envreg<n>, %pm<n>: number in Operand.bits */
    SREG_DYNAMIC_SMEM_SIZE,
    SREG_TOTAL_SMEM_SIZE,
    SREG_AGGR_SMEM_SIZE,
    SREG_RESERVED_SMEM, /* %reserved_smem_offset_begin, _end, _cap, _<0|1>: which in bits */
    SREG_CLUSTERID_X,
    SREG_CLUSTERID_Y,
    SREG_CLUSTERID_Z,
    SREG_NCLUSTERID_X,
    SREG_NCLUSTERID_Y,
    SREG_NCLUSTERID_Z,
    SREG_CLUSTER_CTAID_X,
    SREG_CLUSTER_CTAID_Y,
    SREG_CLUSTER_CTAID_Z,
    SREG_CLUSTER_NCTAID_X,
    SREG_CLUSTER_NCTAID_Y,
    SREG_CLUSTER_NCTAID_Z,
    SREG_CLUSTER_CTARANK,
    SREG_CLUSTER_NCTARANK,
    SREG_IS_EXPLICIT_CLUSTER,
    SREG_CURRENT_GRAPH_EXEC,
    SREG_COUNT
} Special;

typedef struct Operand Operand;
struct Operand {
    OperandKind kind;
    Type type; /* the type the row asks for in this place (TYPE_NONE: label, function); a vector: of
                  its elements */
    bool negated; /* !p */
    uint32_t reg; /* REG; ADDRESS: base register or NO_REG */
    Special special;
    uint64_t bits;            /* IMM */
    int64_t offset;           /* ADDRESS, SYMBOL */
    const Variable *variable; /* ADDRESS, SYMBOL */
    const Function *function; /* FUNCTION */
    uint32_t target; /* LABEL: index of the instruction that it stands before; may be insns.count */
    uint32_t count;  /* VECTOR, PAIR */
    Operand *elements;
};

/* What an access of machine code to the stack is there for. */
typedef enum StackUse { STACK_NONE, STACK_ARRAY, STACK_SPILL, STACK_CALL } StackUse;
extern const char *const stack_uses[]; /* as .machine spells them; NULL at the end */

typedef struct Insn {
    Op op;
    Mods mods;
    uint32_t guard;     /* register of @p, or NO_REG */
    bool guard_negated; /* @!p */
    uint8_t operand_count;
    Operand *operands;
    uint32_t site; /* NO_SITE for anything but loads, stores, atomics of memory that is counted */
    uint32_t location;        /* in module->locations, or NO_LOCATION */
    uint32_t line, column;    /* in the PTX text */
    uint32_t used_bytes_mask; /* .pragma "used_bytes_mask N" before it; 0 = none */
    /* of machine code: number of the instruction that it belongs to, plus 1; 0: none */
    uint32_t machine;
    bool machine_begins; /* it is the first of those that this becomes */
    StackUse stack_use;
    Str text; /* from the opcode to before the semicolon, in the module's text; of machine
                                 code: the machine instruction, and `line` is that of the PTX it was made of */
} Insn;

typedef struct Block {
    uint32_t first, count;
    uint32_t successor[2]; /* block numbers or NO_INDEX: [0] fall-through (or the only target), [1]
                              taken */
    uint32_t *targets;     /* brx.idx: further successors; may repeat, NO_INDEX: the exit */
    uint32_t target_count;
    uint32_t ipdom; /* immediate post-dominator: where lanes that part here meet at the latest (they
                       may before: block_order); NO_INDEX: none before the exit */
} Block;

struct Function {
    Module *module;
    const char *name;
    uint32_t number; /* each function of a text has another one, the same however much was parsed */
    bool is_entry, is_extern, is_visible, is_weak, is_noreturn;
    VEC(Variable *) params; /* of an entry: offset in the parameter block; param_bytes its size */
    uint32_t param_bytes;
    VEC(Variable *) results; /* .func (…) */
    VEC(Reg) regs;
    VEC(Variable *) locals; /* .local, .shared and .param declared inside */
    VEC(Insn) insns;
    VEC(Block) blocks;
    uint32_t sites;
    uint32_t local_bytes;  /* .local frame */
    uint32_t shared_bytes; /* static shared memory: own and module-scope variables that it uses */
    /* Those variables, in layout order; dynamic (extern, 0 bytes) last. Module-scope ones lie
     * elsewhere in each entry, so an entry has copies, which its operands name as well. */
    VEC(Variable *) shared;
    uint32_t max_threads[3], required_threads[3]; /* .maxntid, .reqntid; 0 = none */
    uint32_t min_blocks_per_sm, max_registers;
    uint32_t required_cluster[3]; /* .reqnctapercluster; 0 = none */
    bool explicit_cluster;        /* .explicitcluster: launched as clusters */
    /* the body is machine code: lanes meet where it says, and accesses are what they are */
    bool machine;
    uint32_t registers, stack_bytes; /* per thread, of machine code; 0: not known */
    uint32_t location;               /* of the first .loc, or NO_LOCATION */
    uint32_t line;                   /* of .entry/.func in the PTX */
};

/* What a PTX text stands for. */
typedef struct PtxOrigin {
    const char *machine; /* the machine code that the GPU would take: "sm_90"; NULL: its driver
                            would compile the PTX */
    bool nearest;        /* the machine code has no PTX of its own: this is what comes nearest */
    bool relocatable;    /* compiled with -rdc=true: linked with others of its program */
    const char *
        options; /* that ptxas was given beside: "--maxrregcount=32", with blanks between; NULL: none */
    /* it has machine code, as src/machine writes it down: .machine and machine.xxx */
    bool translated;
    const void *
        cubin; /* there is no PTX: the text declares what this has, whose code is executed; NULL: there is */
    size_t cubin_bytes;
} PtxOrigin;

struct Module {
    Arena *arena;
    const char *name; /* path or label for messages */
    const char *text; /* NUL-terminated */
    size_t text_length;
    uint64_t hash; /* of the text */
    uint32_t version_major, version_minor;
    const char *target; /* "sm_90" */
    Arch arch;          /* the same */
    PtxOrigin origin;
    /* the PTX that `translated` code was made of; NULL: this is what was written */
    const struct Module *written;
    uint32_t address_size; /* 64 or 32 */
    VEC(FileEntry) files;  /* by number: module_add_file */
    VEC(SourceLocation) locations;
    VEC(Variable *) variables; /* module scope */
    VEC(Function *) functions;
};

/* ---- module.c ---- */

Module *module_new(Arena *arena, const char *name, const char *text, size_t length);
const char *module_file(const Module *module, uint32_t number); /* path of .file N, or NULL */
void module_add_file(Module *module, FileEntry file); /* .file; its number's first one counts */
uint32_t module_location(Module *module, SourceLocation location); /* interns */
Function *module_function(const Module *module, Str name);
Variable *module_variable(const Module *module, Str name);
bool insn_is_memory(const Insn *insn);
const char *special_name(Special special); /* "%tid.x" */
Special
special_named(Str name,
              uint64_t *number); /* "%tid.x", "%envreg3" (number 3); SREG_NONE where unknown */
/* C++ name of a mangled one ("blockScan<0>(unsigned char const*, …)"), in the arena; the name
 * itself where it is none. short form: without the parameter list. */
const char *name_demangled(Arena *arena, const char *mangled, bool parameters);

/* ---- cfg.c ---- */

/* Successors 0 … count-1 of a block, some of them NO_INDEX: successor[0], [1], then the targets. */
uint32_t block_successor_count(const Block *block);
uint32_t block_successor(const Block *block, uint32_t index);
/* Fills function->blocks from its insns: leaders, successors, immediate post-dominators. */
void cfg_build(Arena *arena, Function *function);

/* ---- order.c ---- */

/* [blocks.count]: each basic block's place in the order in which groups of lanes of a warp wait for
 * each other: the group at the lowest place runs. */
uint32_t *block_order(Arena *arena, const Function *function);

/* ---- liveness.c ---- */

/* Registers to slots: two registers that are never live at once in one thread may share a slot of
 * the same class. Classes: 0 predicates, 1 registers of up to 4 bytes, 2 of 8 bytes, 3 of 16. */
typedef struct Slots {
    uint32_t *slot; /* [regs.count]: number within the class; NO_INDEX: never used */
    /* [regs.count]: instructions between which it is live; first NO_INDEX: never used */
    uint32_t *first, *last;
    uint8_t *class;     /* [regs.count] */
    uint32_t counts[4]; /* slots of each class */
} Slots;
Slots liveness_slots(Arena *arena, const Function *function);
/* Calls visit once for each basic block and each register that is live at its start. Registers with results of the function are
 * live to its end; registers of a caller are not looked at. */
void liveness_entries(const Function *function,
                      void (*visit)(void *context, uint32_t block, uint32_t reg), void *context);
/* Calls visit for each register operand of an insn, the guard included; defined: the operand is
 * written (a guarded write, and a vector element written, also count as written). */
void insn_registers(const Insn *insn, void (*visit)(void *context, uint32_t reg, bool defined),
                    void *context);
/* The same, with the place of each, where another register may be put. */
void insn_register_places(Insn *insn, void (*visit)(void *context, uint32_t *reg, bool defined),
                          void *context);

/* ---- arrays.c ---- */

/* [insns.count]: the variable of shared or local memory that the instruction's address points into, or
 * should; NULL: it accesses none, or which one is not known. */
const Variable **function_arrays(Arena *arena, const Function *function);

/* ---- calls.c ---- */

typedef VEC(const Function *) Functions;

/* The functions that may run when `entry` does: itself first, then what it and they call, each once;
 * where a call is indirect, those whose address is taken anywhere in the module. */
void functions_reached(Arena *arena, const Function *entry, Functions *reached);
/* Functions whose address an instruction or an initialiser of the module takes. */
void functions_addressed(Arena *arena, const Module *module, Functions *addressed);
/* The function that a call names; NULL: the call is indirect, or insn is no call. */
const Function *insn_callee(const Insn *insn);
bool insn_calls(const Insn *insn);
/* waits.c: whether it has a loop in which it may wait for a store of another block, kernel or the host. */
bool function_may_wait(const Function *function);
/* depend.c: what lets the blocks of a grid of the kernel depend on each other, so that one cannot run without the others. */
typedef struct BlockDependence {
    const Function *function;
    const Insn *insn; /* NULL: the function as a whole */
    const char *why;
} BlockDependence;
bool blocks_depend(const Function *kernel, BlockDependence *found);
/* It is one of the CUDA device runtime's (cuda_device_runtime_api.h). Who executes the module provides
 * it, or nobody does: a body that was linked in from NVIDIA's library is not looked at. */
bool function_is_runtime(const Function *function);

/* ---- print.c ---- */

/* The whole module as text, one line per instruction with its row, site and place: for goldens and
 * people. */
void module_print(const Module *module, FILE *out);
/* The instruction as in the PTX, without its guard, blanks squeezed: "ld.shared.u64 %rd7, [%r4+8]". */
const char *insn_text(Arena *arena, const Insn *insn);
/* Asserts the invariants above; returns the first broken one, or NULL. */
const char *module_verify(const Module *module);
