/* tensor.h: shapes and fragments of matrix products. Private to machine. */
#pragma once

#include "machine/emit.h"

typedef struct Product {
    uint32_t m, n, k;
    const char *d, *a, *b; /* types of the accumulator and of the factors */
    uint32_t d_bits, a_bits, b_bits;
    bool sparse;
} Product;

/* By the modifier that begins with a digit. false: there is none. */
bool shape_of(const MachineInsn *insn, Product *product);
/* The modifiers but the shape are among these words. */
bool only_with_shape(const MachineInsn *insn, const char *words);
/* "{%R4, %R5}": so many registers from the operand's on; of RZ zeros. */
const char *in_fragment(Emit *e, const MachineOperand *operand, uint32_t count);
const char *out_fragment(Emit *e, const MachineOperand *operand, uint32_t count);
