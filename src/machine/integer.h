/* integer.h: what the files of the family share: integer.c (arithmetic, comparison) has the table, logic.c its logic,
 * shifts and bits. Private to machine. */
#pragma once

#include "machine/emit.h"

/* The operands are so many, and none has a sign or |x| that integers do not. */
bool integer_operands(Emit *e, const MachineInsn *insn, uint32_t count);
bool integer_modifier(Emit *e, const MachineInsn *insn); /* false: there is one that is not known */
/* d = condition ? a : b */
void emit_select(Emit *e, const char *d, const char *a, const char *b,
                 const MachineOperand *condition);

/* ---- wide.c ---- */

bool translate_pair_sum(Emit *e, const MachineInsn *insn);
bool translate_pair_move(Emit *e, const MachineInsn *insn);
bool translate_pair_select(Emit *e, const MachineInsn *insn);
bool translate_pair_compare(Emit *e, const MachineInsn *insn);
bool translate_pair_extreme(Emit *e, const MachineInsn *insn);
bool translate_byte_sum(Emit *e, const MachineInsn *insn);
bool translate_byte_extreme(Emit *e, const MachineInsn *insn);

/* ---- logic.c ---- */

bool translate_lop3(Emit *e, const MachineInsn *insn);
bool translate_shf(Emit *e, const MachineInsn *insn);
bool translate_bmsk(Emit *e, const MachineInsn *insn);
bool translate_sgxt(Emit *e, const MachineInsn *insn);
bool translate_brev(Emit *e, const MachineInsn *insn);
bool translate_flo(Emit *e, const MachineInsn *insn);
bool translate_popc(Emit *e, const MachineInsn *insn);
bool translate_prmt(Emit *e, const MachineInsn *insn);
bool translate_sel(Emit *e, const MachineInsn *insn);
