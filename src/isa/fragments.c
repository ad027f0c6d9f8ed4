/* Which registers of a lane hold a matrix operand (PTX ISA 9.7.14, "Matrix fragments"): a warp's 32
 * lanes share the elements of the matrix evenly, packed into 32-bit registers. */
#include "isa/isa.h"

enum { REGISTER_BITS = 32 };

static uint32_t bits_of(Type element) {
    switch (element) {
    case TYPE_B1:
        return 1;
    case TYPE_U4:
    case TYPE_S4:
        return 4;
    case TYPE_TF32:
        return 32;
    default:
        return 8 * type_bytes(element);
    }
}

/* d, a, b, c in this order, but for .f16 factors of wmma, which go without saying: d, c. The c of wgmma
 * is its d. */
static Type element_of(Op op, const Mods *mods, char matrix) {
    bool factor = matrix == 'a' || matrix == 'b';
    if (op_access(op) == OP_ACCESS_WGMMA && matrix == 'c')
        matrix = 'd';
    if (op_has(op, TRAIT_TILE))
        return (Type)mods->type;
    if (mods->type3 == TYPE_NONE)
        return factor ? TYPE_F16 : (Type)(matrix == 'c' ? mods->type2 : mods->type);
    return (Type)(matrix == 'a'   ? mods->type2
                  : matrix == 'b' ? mods->type3
                  : matrix == 'c' ? mods->type4
                                  : mods->type);
}

Fragment fragment_of(Op op, const Mods *mods, char matrix) {
    if (op == OP_wmma_load)
        matrix = mods->fragment;
    Type element = element_of(op, mods, matrix);
    bool factor = matrix == 'a' || matrix == 'b';
    bool wmma = op_has(op, TRAIT_TILE) || op == OP_wmma_mma;
    Fragment fragment = {.element = element,
                         .reg = element == TYPE_F32 || element == TYPE_F64 || element == TYPE_S32
                                    ? element
                                    : TYPE_B32,
                         .bits = bits_of(element),
                         .rows = matrix == 'b' ? mods->k : mods->m,
                         .columns = matrix == 'a' ? mods->k : mods->n};
    if (op_access(op) == OP_ACCESS_WGMMA && matrix != 'b')
        fragment.rows /= WARPGROUP_WARPS;
    if (op_has(op, TRAIT_SPARSE) && matrix == 'a')
        fragment.columns /= 2;
    uint32_t width = element == TYPE_F64 ? 2 * REGISTER_BITS : REGISTER_BITS;
    uint32_t bits = fragment.rows * fragment.columns * fragment.bits;
    bool quads = op == OP_mma && mods->k == 4 && mods->m == 8 && element != TYPE_F64;
    fragment.distinct = fragment.registers = (quads ? 4 : 1) * bits / (width * WARP_LANES);
    if (wmma && factor && element == TYPE_F16)
        fragment.registers = 8; /* the same for all shapes: what is needed, over and over */
    return fragment;
}
