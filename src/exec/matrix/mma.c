/* Matrix products of a warp: mma, mma.sp, wmma.mma (PTX ISA 9.7.14). Fragments are gathered into
 * matrices, multiplied (ops_mma.c), and scattered (fragments.c). */
#include "exec/matrix/mma.h"
#include "exec/decode/operands.h"

#include <string.h>

typedef struct Mma {
    Product product;
    Operands a, b, c, d;
    Metadata metadata;
} Mma;

/* ---- sparse A ---- */

/* The row of B that belongs to the element of A at a row and a stored column: in a group of four
 * units of the full row, two are stored; their numbers, two bits each, stand in the metadata. */
static uint32_t picked_row(const Warp *warp, const Metadata *metadata, uint32_t row,
                           uint32_t column) {
    uint32_t unit = column / metadata->unit;
    uint32_t group = metadata->single ? unit : unit / 2;
    uint32_t lower = row / 8; /* rows 8 … 15: of 16-bit elements, the upper half of the same lane */
    uint32_t lane = 4 * (row % 8) + metadata->first, shift = 4 * (group % 4) + 16 * lower;
    if (metadata->halves) {
        lane += group / 4;
    } else {
        lane += 2 * (group / 8) + lower;
        shift = 4 * (group % 8);
    }
    uint32_t indices = reg32(warp, metadata->offset)[lane] >> shift & 15;
    if (metadata->single)
        return 2 * group + (indices >> 1 & 1);
    uint32_t index = unit % 2 ? indices >> 2 : indices & 3;
    return (4 * group + index) * metadata->unit + column % metadata->unit;
}

void metadata_pick(const Warp *warp, const Metadata *metadata, const Product *product,
                   Matrices *matrices) {
    uint32_t k = product->k;
    for (uint32_t row = 0; row < product->m; row++)
        for (uint32_t i = 0; i < k; i++)
            matrices->pick[row * k + i] =
                (uint16_t)picked_row(warp, metadata, row, metadata->column[i]);
}

/* ---- executing ---- */

Step matrix_together(Warp *warp, const Code *code, uint32_t mask) {
    if (mask == FULL_MASK)
        return STEP_NEXT;
    Path *path = warp->current;
    uint32_t lanes = mask;
    if (warp->live == FULL_MASK && (path->released || path_others_come(warp, path)) &&
        !path_together(warp, path, code, &lanes, FULL_MASK))
        return STEP_WAIT;
    if (lanes == FULL_MASK)
        return STEP_NEXT;
    return warp_fault(warp, code, FAULT_UNSUPPORTED, (uint32_t)__builtin_ctz(mask), 0,
                      "matrix instruction executed by part of the warp (lanes 0x%08x)", mask);
}

static Step exec_mma(Warp *warp, const Code *code, uint32_t mask) {
    const Mma *mma = code->more;
    const Product *product = &mma->product;
    Matrices matrices;
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    if (product->pitch > product->n) {
        memset(matrices.b.word, 0, (product->sparse ? 2 : 1) * product->k * product->pitch * 4);
        memset(matrices.c.word, 0, product->m * product->pitch * 4);
    }
    operands_gather(warp, &mma->a, matrices.a.word);
    operands_gather(warp, &mma->b, matrices.b.word);
    operands_gather(warp, &mma->c, matrices.c.word);
    if (product->sparse)
        metadata_pick(warp, &mma->metadata, product, &matrices);
    product->run(product, &matrices);
    operands_scatter(warp, &mma->d, matrices.d.word);
    return STEP_NEXT;
}

static Step exec_mma_f64(Warp *warp, const Code *code, uint32_t mask) {
    const Mma *mma = code->more;
    Matrices matrices;
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    operands_gather_wide(warp, &mma->a, matrices.a.wide);
    operands_gather_wide(warp, &mma->b, matrices.b.wide);
    operands_gather_wide(warp, &mma->c, matrices.c.wide);
    mma->product.run(&mma->product, &matrices);
    operands_scatter_wide(warp, &mma->d, matrices.d.wide);
    return STEP_NEXT;
}

/* ---- decoding ---- */

static bool is_fp8(Type type) {
    return type == TYPE_E4M3 || type == TYPE_E5M2;
}

/* Where products of stored column `column` stand in the order of the sums: the H100 has no mma of
 * 8-bit floats; ptxas widens the lower half of every register to f16, then the upper. */
static uint32_t position(const Product *product, uint32_t column) {
    if (!product->adds_last)
        return column;
    return column % 4 / 2 * (product->k / 2) + column / 4 * 2 + column % 2;
}

void operands_decode(Decoding *decoding, const Insn *insn, const Product *product, char matrix,
                     const Operand *operand, Operands *to) {
    Fragment fragment = fragment_of(insn->op, &insn->mods, matrix);
    bool dense_b = matrix == 'b' && !product->sparse;
    uint32_t columns =
        matrix == 'a' ? product->k : product->pitch * (product->quads && dense_b ? 4 : 1);
    to->parts = fragment_parts(&fragment);
    to->bits = fragment_part_bits(&fragment);
    to->registers = fragment.registers;
    if (insn->op == OP_wmma_mma && fragment.element == TYPE_F16) /* not those that repeat others */
        to->registers = fragment.rows * fragment.columns / (2 * WARP_LANES);
    to->at = NEW_ARRAY(decoding->arena, uint16_t, to->registers * to->parts * WARP_LANES);
    for (uint32_t r = 0; r < to->registers; r++) {
        const Operand *one = operand->kind == OPERAND_VECTOR ? &operand->elements[r] : operand;
        uint8_t class = 1;
        to->offset[r] =
            one->kind == OPERAND_SINK
                ? decode_value(decoding, fragment.element == TYPE_F64 ? 2 : 1, UINT64_C(0xdead) + r)
                : decode_operand(decoding, one, &class);
    }
    uint16_t *at = to->at;
    for (uint32_t r = 0; r < to->registers; r++)
        for (uint32_t part = 0; part < to->parts; part++)
            for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
                ElementPlace place = fragment_place(insn->op, &insn->mods, matrix, r, part, lane);
                if (matrix == 'a')
                    place.column = position(product, place.column);
                if (dense_b)
                    place.row = position(product, place.row);
                *at++ = (uint16_t)(place.row * columns + place.column);
            }
    operands_order(to);
}

void metadata_decode(Decoding *decoding, const Insn *insn, const Product *product, uint32_t at,
                     Metadata *metadata) {
    uint8_t class;
    metadata->single = product->a == TYPE_TF32;
    metadata->unit = product->a == TYPE_S4 || product->a == TYPE_U4 ? 2 : 1;
    metadata->halves = product->a == TYPE_F16 || product->a == TYPE_BF16 || metadata->single;
    metadata->groups = product->k / metadata->unit / (metadata->single ? 1 : 2);
    uint32_t lanes = metadata->groups / 4; /* of a quad */
    metadata->first = (uint32_t)insn->operands[at + 1].bits * lanes % 4;
    metadata->offset = decode_operand(decoding, &insn->operands[at], &class);
    metadata->column = NEW_ARRAY(decoding->arena, uint16_t, product->k);
    for (uint32_t column = 0; column < product->k; column++)
        metadata->column[position(product, column)] = (uint16_t)column;
}

static void decode_product(const Insn *insn, Product *product) {
    const Mods *mods = &insn->mods;
    Fragment a = fragment_of(insn->op, mods, 'a');
    product->m = mods->m;
    product->n = mods->n;
    product->k = a.columns * a.bits / fragment_part_bits(&a);
    product->a = a.element;
    product->b = fragment_of(insn->op, mods, 'b').element;
    product->c = fragment_of(insn->op, mods, 'c').element;
    product->d = fragment_of(insn->op, mods, 'd').element;
    product->sparse = insn->op == OP_mma_sp;
    product->quads = insn->op == OP_mma && mods->k == 4 && product->a == TYPE_F16;
    product->satfinite = mods->flags & MOD_SATFINITE;
    product->adds_last = is_fp8(product->a);
    product->func = (Func)mods->func;
    product->round = (Round)mods->round;
    product->step = product->k;
    product->kept = SUM_BITS;
    if (product->adds_last)
        product->step = product->k / 2;
    else if (insn->op == OP_wmma_mma && product->a == TYPE_TF32)
        product->step = 4;
    product->pitch = product_pitch(product);
    ops_product(product);
}

uint32_t product_pitch(const Product *product) {
    bool exact = product->a == TYPE_F64 || !type_is_float(product->a);
    if (exact || product->quads)
        return product->n;
    return (product->n + COLUMNS_FUSED - 1) / COLUMNS_FUSED * COLUMNS_FUSED;
}

bool mma_decode(Decoding *decoding, const Insn *insn, Code *code) {
    Mma *mma = NEW(decoding->arena, Mma);
    decode_product(insn, &mma->product);
    const char matrices[] = {'d', 'a', 'b', 'c'};
    Operands *operands[] = {&mma->d, &mma->a, &mma->b, &mma->c};
    for (uint32_t i = 0; i < 4; i++)
        operands_decode(decoding, insn, &mma->product, matrices[i], &insn->operands[i],
                        operands[i]);
    if (mma->product.sparse)
        metadata_decode(decoding, insn, &mma->product, 4, &mma->metadata);
    code->more = mma;
    code->full = code->some = mma->product.a == TYPE_F64 ? exec_mma_f64 : exec_mma;
    return true;
}
