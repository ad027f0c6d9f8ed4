/* translate.h: what control flow and constants need of the translation. Private to machine. */
#pragma once

#include "machine/emit.h"

struct Emit {
    Arena *arena;
    const MachineCode *code;
    const MachineFunction *function;
    const Function *kernel;
    uint32_t arch;
    FILE *out; /* of the instruction that is being translated */
    const MachineInsn *insn;
    const char *guard; /* "@%P0 ", or "" */
    uint32_t written;  /* PTX instructions of it so far */
    uint32_t temps[4]; /* of it: .pred .b16 .b32 .b64 */
    uint32_t temps_most[4];
    uint32_t regs, uregs;    /* highest number used, plus 1 */
    const uint8_t *reached;  /* [insns]: see reached_code */
    uint8_t *labelled;       /* [insns]: something jumps there */
    uint8_t *lands;          /* [insns]: a register may hold its address */
    bool jumps;              /* through the table of those */
    uint32_t frame_bytes;    /* of local memory */
    Map *constants;          /* name -> 1: read once, when the kernel begins, or declared alone */
    VEC(const char *) names; /* of them */
    VEC(const char *) prologue; /* the lines that read them */
    const char *why;
};

/* ---- places.c ---- */

bool address_of(const Emit *e, Str symbol, uint32_t *address); /* in the section */
/* The PTX label of a place in the section; NULL: the symbol is none of it. */
const char *label_of(Emit *e, Str symbol);
void land_at(Emit *e, uint32_t address);
bool leading_register(const MachineInsn *insn, uint32_t *number); /* "R20 `(k)": 20 */

/* ---- operand.c ---- */

/* A register with the place of a variable in shared memory, of code that is linked; NULL: it is none. */
const char *shared_symbol(Emit *e, Str name);

/* ---- jump.c ---- */

/* Goes on at the address that R number holds. */
void jump_to(Emit *e, uint32_t number);
bool branch_table(Emit *e, const MachineInsn *insn, bool uniform);
bool call_outside(Emit *e, const MachineInsn *insn, Str symbol);
bool call_register(Emit *e, const MachineInsn *insn);
/* The function of the PTX that a label of the section stands for, "$kernel$f"; NULL: none that the kernel reaches. */
const Function *function_of_label(const Emit *e, Str label);

/* ---- link.c ---- */

/* The kernel's section with those of the functions that it calls behind it; itself, where there are none. */
const MachineFunction *function_linked(Arena *arena, const MachineCode *code,
                                       const MachineFunction *kernel);

/* ---- reach.c ---- */

/* [insns]: 1 where the instruction is of a function that the kernel can reach. */
uint8_t *reached_code(Emit *e);

/* ---- constants.c ---- */

/* A register that holds 32 bits of a bank, read when the kernel begins; "0": not known, and said. */
const char *constant32(Emit *e, uint32_t bank, int64_t offset);
/* Where a parameter begins in bank 0. */
uint32_t param_begin(const Emit *e, uint32_t number);
/* Bytes of a bank that the listing has; 0: it has none of it. */
uint32_t constant_bytes(const Emit *e, uint32_t bank);
/* Is there the address of something that the kernel's PTX does not reach? The listing is of other functions too. */
bool constant_of_others(const Emit *e, uint32_t bank, uint32_t offset);
/* The number that a word of bank 4 holds instead of the address of a function that is not in the code. */
uint32_t function_token(const Emit *e, uint32_t index);
const MachineWord *function_words(const Emit *e, uint32_t *count);
/* What is added to addresses in shared memory, and what the driver keeps at its beginning: 1,024 from sm_90 on. */
uint32_t shared_base(const Emit *e);
