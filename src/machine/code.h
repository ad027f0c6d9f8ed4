/* code.h: machine code as data. Private to machine. */
#pragma once

#include "machine/machine.h"

#include "isa/isa.h"

typedef enum MachineOperandKind {
    MACHINE_REG,     /* R0 … R254: number; RZ: MACHINE_ZERO */
    MACHINE_UREG,    /* UR0 … UR62; URZ: MACHINE_ZERO */
    MACHINE_PRED,    /* P0 … P6; PT: MACHINE_ZERO */
    MACHINE_UPRED,   /* UP0 … UP6; UPT: MACHINE_ZERO */
    MACHINE_BARRIER, /* B0 … B15: a convergence barrier */
    MACHINE_INT,     /* 0x10, -0x10: value */
    MACHINE_FLOAT, /* 1.5, -1, +INF, -QNAN: real; written in decimal where an integer would be hexadecimal */
    MACHINE_CONST, /* c[bank][offset], with a register added where reg (R) or ureg (UR) is there */
    MACHINE_ADDRESS, /* [R2.64+UR4+0x10]: reg, ureg, value; desc[…] before it is dropped */
    MACHINE_CODE,    /* `(.L_x_4): symbol ".L_x_4"; a label or a function */
    MACHINE_NAME     /* SR_TID.X, 2D, SB0, {…}, anything else: symbol is the whole text */
} MachineOperandKind;

enum { MACHINE_ZERO = 255, MACHINE_NONE = 256 };

typedef struct MachineOperand {
    MachineOperandKind kind;
    uint32_t number; /* of a register, predicate, barrier */
    bool negated;    /* - before it */
    bool absolute;   /* |x|; the - is then outside: -|x| */
    bool inverted;   /* ~ before a register, ! before a predicate */
    Str suffix;      /* ".64", ".H0_H0", ".B1"; without ".reuse"; empty where there is none */
    int64_t value;   /* INT; ADDRESS, CONST: what is added */
    double real;     /* FLOAT */
    uint32_t bank;   /* CONST */
    uint32_t reg;    /* ADDRESS, CONST: number of R, MACHINE_ZERO for RZ, MACHINE_NONE */
    Str reg_suffix;  /* ".64", ".X4", ".U32" of that register */
    uint32_t ureg;   /* ADDRESS, CONST: number of UR, or MACHINE_NONE */
    Str ureg_suffix;
    bool described; /* ADDRESS: desc[…] stood before it */
    Str symbol;     /* CODE, NAME; ADDRESS: a variable that is added */
    Str text;       /* as it is written */
} MachineOperand;

enum { MACHINE_OPERANDS = 12, MACHINE_MODS = 12 };

typedef struct MachineInsn {
    uint32_t address; /* in the function's section */
    bool guarded;     /* @P0, @!UP1: `guard` */
    MachineOperand guard;
    Str opcode;             /* "LDG" */
    Str mods[MACHINE_MODS]; /* "E", "64", "CONSTANT" */
    uint32_t mod_count;
    MachineOperand operands[MACHINE_OPERANDS];
    uint32_t operand_count;
    Str text;          /* from the guard to before the semicolon, blanks squeezed */
    uint64_t bits;     /* its first eight bytes: an immediate is the upper half; 0: not listed */
    uint32_t ptx_line; /* of the PTX that ptxas read, from 1; 0: not known */
    uint32_t
        place;  /* of the source, where there is no PTX: number in `places` plus 1; 0: not known */
    bool spill; /* ptxas' own mark: it puts a register aside, or gets it back */
} MachineInsn;

/* A label or function: where it stands in its section. */
typedef struct MachineLabel {
    Str name;
    uint32_t address;
    bool function;
} MachineLabel;

/* A text section: a kernel with the functions that it calls. */
typedef struct MachineFunction {
    Str name;               /* mangled */
    VEC(MachineInsn) insns; /* at addresses 0, 16, 32, … */
    VEC(MachineLabel) labels;
    uint32_t registers, stack_bytes; /* per thread; 0: not listed */
} MachineFunction;

/* A symbol's place in a section of constants, or a word there that is a symbol's address. */
typedef struct MachineWord {
    uint32_t bank, offset;
    Str symbol;
    uint32_t bytes; /* of an address: 4 or 8; of a symbol: what it takes, 0 where not known */
    uint32_t part;  /* of an address of 4 bytes: 0 its low half, 32 its high half */
    int64_t addend;
} MachineWord;

typedef struct
    MachineBytes { /* of a section of constants: bank, and for .nv.constant2.K the kernel */
    uint32_t bank;
    Str kernel; /* empty: of all */
    const uint8_t *bytes;
    uint32_t count;
} MachineBytes;

/* A line of the source, and that where it is inlined. */
typedef struct MachinePlace {
    uint32_t file, line;
    uint32_t outer; /* as `place`; 0: it is not inlined */
} MachinePlace;

struct MachineCode {
    Arena *arena;
    uint32_t arch;     /* 80, 90 … */
    bool marks_spills; /* ptxas 13 and later */
    VEC(MachineFunction) functions;
    VEC(MachineWord) variables; /* of banks 3 … : where each begins */
    VEC(MachineWord) addresses; /* of bank 4: what each holds */
    VEC(MachineBytes) constants;
    VEC(MachinePlace) places;
    VEC(Str) files; /* of those */
};

/* ---- insn.c ---- */

/* Reads "@!P0 LDG.E R4, desc[UR6][R8.64+0x10]". false: *why says what is not known in it. */
bool machine_insn_read(Arena *arena, Str text, MachineInsn *insn, const char **why);
bool machine_has(const MachineInsn *insn, const char *mod);
/* The last operand; a name that is empty where a listing has none. */
const MachineOperand *machine_last(const MachineInsn *insn);

/* ---- facts.c ---- */

/* Registers, stack and spills of the functions, whose code is there. */
void machine_read_facts(MachineCode *code, const char *listing);
