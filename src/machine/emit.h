/* emit.h: what the families of machine instructions write their PTX with. Private to machine.
 *
 * A family's function gets one MachineInsn and writes the PTX that does the same. Registers: R4 is %R4 (.b32), UR4
 * is %UR4 (.b32), P0 is %P0, UP0 is %UP0 (.pred), B0 is %B0 (.b32). Rules:
 *   - Read all sources before the first destination is written; with several destinations compute them all into
 *     temporaries first: a destination may be a source of the same instruction.
 *   - emit() adds the guard. What must happen in all lanes, or may (temporaries), can go without: emit_always().
 *   - return false for a modifier or operand that is not handled: never ignore one. machine_only() helps. */
#pragma once

#include "machine/code.h"

typedef struct Emit Emit;

/* One PTX instruction without its semicolon, under the instruction's guard. */
void emit(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
void emit_always(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A line as it is (a label, a directive). */
void emit_line(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Names of fresh registers. */
const char *temp16(Emit *e);
const char *temp32(Emit *e);
const char *temp64(Emit *e);
const char *temp_pred(Emit *e);

/* The guard: "%P0", or NULL where there is none; and a predicate that is true where the instruction is executed. */
const char *guard_of(const Emit *e);
const char *guard_value(Emit *e);

/* Sources: the name of a register, or an immediate, that holds the operand's value with its sign, |x| and ~ applied.
 * RZ is 0, PT is true. */
const char *in32(Emit *e, const MachineOperand *operand);   /* integer; a FLOAT: its bits as f32 */
const char *in_f32(Emit *e, const MachineOperand *operand); /* - and |x| of a float */
const char *
in64(Emit *e,
     const MachineOperand *operand); /* R4: the pair R4, R5; an INT: extended by its sign */
const char *in_f64(Emit *e, const MachineOperand *operand);  /* a pair; a FLOAT: as f64 */
const char *in_pred(Emit *e, const MachineOperand *operand); /* a register, ! applied */
/* The same without sign, |x| and ~: the register itself. */
const char *raw32(Emit *e, const MachineOperand *operand);
/* Register number + i of a vector operand: "%R6" for R4 and 2; "0" for RZ. */
const char *reg_at(Emit *e, const MachineOperand *operand, uint32_t i);

/* Destinations. RZ and PT: a register that nobody reads. */
const char *out32(Emit *e, const MachineOperand *operand);
const char *out_at(Emit *e, const MachineOperand *operand, uint32_t i); /* number + i */
const char *out_pred(Emit *e, const MachineOperand *operand);
void write64(Emit *e, const MachineOperand *operand,
             const char *value); /* a b64 to the pair, under the guard */

/* The value of a condition that is known: in_pred of it is that one. */
bool is_true(const MachineOperand *operand); /* PT, !PT negated … */
bool is_false(const MachineOperand *operand);
bool is_zero(const MachineOperand *operand); /* RZ, URZ, 0x0 */

/* Every modifier of the instruction is one of these words (split by blanks). */
bool machine_only(const MachineInsn *insn, const char *words);
/* The first that is one of these words, or NULL: its text there. */
const char *machine_one_of(const MachineInsn *insn, const char *words);

const char *emit_printf(Emit *e, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* in the arena */
uint32_t emit_arch(const Emit *e);         /* 80, 90 … */
const MachineFunction *emit_function(const Emit *e);
const Function *emit_kernel(const Emit *e); /* of the PTX */
/* Why it is not translated; returns false, for `return emit_unknown(e, "…")`. */
bool emit_unknown(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of one operand of the instruction. */
bool emit_unknown_operand(Emit *e, const MachineOperand *operand);

/* A family: opcodes and what translates them, up to {0}. */
typedef struct MachineFamily {
    const char *opcode;
    bool (*translate)(Emit *e, const MachineInsn *insn);
} MachineFamily;

extern const MachineFamily
    family_integer[]; /* integer.c: IADD3 IMAD LEA LOP3 SHF ISETP … and their uniform forms */
extern const MachineFamily family_pred[];    /* pred.c: PLOP3 P2R R2P VOTE … */
extern const MachineFamily family_float[];   /* float.c: FADD FFMA FSETP MUFU FCHK … */
extern const MachineFamily family_double[];  /* double.c: DADD DFMA DSETP */
extern const MachineFamily family_packed[];  /* packed.c: FADD2 FMUL2 FFMA2 */
extern const MachineFamily family_half[];    /* half.c: HADD2 HFMA2 HSETP2 … and bf16 */
extern const MachineFamily family_convert[]; /* convert.c: F2F F2I I2F F2FP … */
extern const MachineFamily
    family_memory[]; /* memory.c: LDG STG LDS STS LDL STL LD ST LDC CCTL MEMBAR … */
extern const MachineFamily family_atomic[];    /* atomic.c: ATOM ATOMG ATOMS RED … */
extern const MachineFamily family_warp[];      /* warp.c: SHFL VOTE MATCH REDUX ELECT BAR … */
extern const MachineFamily family_control[];   /* control.c: BRA BSSY BSYNC CALL RET EXIT BRX … */
extern const MachineFamily family_system[];    /* system.c: S2R S2UR CS2R R2UR MOV UMOV … */
extern const MachineFamily family_tensor[];    /* tensor.c: HMMA IMMA DMMA LDSM STSM … */
extern const MachineFamily family_async[];     /* async.c: LDGSTS LDGDEPBAR DEPBAR SYNCS … */
extern const MachineFamily family_bulk[];      /* bulk.c: UBLKCP UTMALDG UTMASTG STAS … */
extern const MachineFamily family_warpgroup[]; /* warpgroup.c: HGMMA QGMMA IGMMA WARPGROUP … */
extern const MachineFamily family_texture[];   /* texture.c: TEX TLD SULD SUST … */
