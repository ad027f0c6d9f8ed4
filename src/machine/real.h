/* real.h: what the instructions of all floating-point formats have in common: signs that an instruction itself can
 * take, rounding, comparisons. Private to machine. */
#pragma once

#include "machine/emit.h"

/* A source without its minus sign, and whether it has one. |x| is applied. */
typedef struct Signed {
    const char *name;
    bool negative;
} Signed;

Signed signed_f32(Emit *e, const MachineOperand *operand);
Signed signed_f64(Emit *e, const MachineOperand *operand);

/* false, and why: there are not so many operands; the modifiers are not all among the words. */
bool real_form(Emit *e, const MachineInsn *insn, uint32_t operands, const char *mods);
bool real_unknown(Emit *e, const MachineInsn *insn);

/* ".rn", ".rz", ".rm", ".rp" for RZ, RM, RP or none of them. */
const char *real_rounding(const MachineInsn *insn);
/* ".ftz" where the word stands for FTZ, else "". */
const char *real_ftz(const MachineInsn *insn);
const char *real_sat(const MachineInsn *insn);

/* d = a + b, with signs; type: ".ftz.f32", ".f64" … with what stands before it. */
void emit_sum(Emit *e, const char *mods, const char *d, Signed a, Signed b);
/* d = a b + c, with signs; mods as for emit_sum. */
void emit_fused(Emit *e, const char *mods, const char *d, Signed a, Signed b, Signed c);

/* LT GEU NUM … and how the result is combined with the condition, in PTX; NULL where the instruction lacks it.
 * The words for real_form(). */
#define REAL_COMPARISONS "LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU AND OR XOR"
const char *real_comparison(Emit *e, const MachineInsn *insn);
/* ".and" and ", %P0" of a condition that changes the comparison; both empty where there is none. false: unknown. */
typedef struct Combined {
    const char *func, *condition;
} Combined;
bool real_combined(Emit *e, const MachineInsn *insn, const MachineOperand *condition, Combined *to);
/* The one or two predicates that a comparison writes, "%P0|%P1"; NULL: none. */
const char *real_predicates(Emit *e, const MachineOperand *p, const MachineOperand *q);
