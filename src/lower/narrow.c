/* What ptxas makes of a vector load of which some elements are never read. nvcc writes such loads
 * (float4 v = p[i]; use(v.x, v.y)), and the machine code loads less: other wavefronts, other requests.
 *
 * Seen in the machine code of ptxas 13.0 for sm_80 and sm_90, for global and shared memory alike, for
 * every subset of the elements of v2 and v4 loads of 1, 2, 4 and 8 bytes each
 * (docs/memory-model.md, "Loads that ptxas narrows"). */
#include "lower/lowering.h"

uint32_t narrow_pieces(uint32_t count, uint32_t bytes, uint32_t used, VectorPiece pieces[2]) {
    uint32_t all = (1u << count) - 1;
    used &= all;
    pieces[0] = (VectorPiece){0, count};
    if (used == 0)
        return 0;
    if (used == all || bytes == 1 || count > 4)
        return 1;
    uint32_t first = (uint32_t)__builtin_ctz(used), rest = used & (used - 1);
    if (!rest) {
        pieces[0] = (VectorPiece){first, 1};
        return 1;
    }
    if (rest & (rest - 1)) /* three of four: the whole vector */
        return 1;
    uint32_t second = (uint32_t)__builtin_ctz(rest);
    if (second == first + 1 && first % 2 == 0) { /* an aligned pair */
        pieces[0] = (VectorPiece){first, 2};
        return 1;
    }
    if (bytes < 4)
        return 1;
    pieces[0] = (VectorPiece){first, 1};
    pieces[1] = (VectorPiece){second, 1};
    return 2;
}

/* With the elements that are read later; none: ptxas drops it. */
void narrow_load(const Lowering *lowering, const Insn *insn, LoweredAccess *lowered) {
    const Operand *data = &insn->operands[0];
    uint32_t bytes = type_bytes((Type)insn->mods.type), used = 0;
    bool vector = data->kind == OPERAND_VECTOR;
    uint32_t count = vector ? data->count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const Operand *one = vector ? &data->elements[i] : data;
        if (one->kind == OPERAND_REG && lowering->read[one->reg])
            used |= 1u << i;
    }
    lowered->accesses = narrow_pieces(count, bytes, used, lowered->pieces);
    lowered->dropped = lowered->accesses == 0;
    if (!lowered->dropped) {
        lowered->width = lowered->pieces[0].count * bytes;
        lowered->skip = (int32_t)(lowered->pieces[0].first * bytes);
    }
}
