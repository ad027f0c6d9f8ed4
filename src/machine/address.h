/* address.h: operands in brackets, as PTX writes them. Private to machine. */
#pragma once

#include "machine/emit.h"

/* What stands between the brackets in PTX: "%td0+16". NULL, and said: the form is not known. Temporaries that it
 * needs are computed without the guard. */
const char *address64(Emit *e, const MachineOperand *address); /* [R2.64+0x10], [R2.U32+UR4] … */
const char *
address32(Emit *e,
          const MachineOperand *address); /* [R2.X4+UR4+0x10]: in shared and local memory */
/* Bytes that a lane moves (1, 2, 4, 8, 16), and PTX's vector and type for it (".v2.b32"); by U8 … 128. */
typedef struct MachineWidth {
    uint32_t bytes;
    const char *type;
} MachineWidth;
MachineWidth machine_width(const MachineInsn *insn);
/* "%R4", or "{%R4, %R5}": the registers of an operand that hold so many bytes. */
const char *out_vector(Emit *e, const MachineOperand *operand, uint32_t bytes);
const char *in_vector(Emit *e, const MachineOperand *operand, uint32_t bytes);
/* ".relaxed.gpu" by .STRONG.GPU and the like; "" without. */
const char *machine_order(const MachineInsn *insn);
