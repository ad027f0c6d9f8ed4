/* wgmma: asynchronous matrix products of a warpgroup, four warps (PTX ISA 9.7.15).
 *
 * A warp of the group has 16 of the 64 rows of A and D; B is in shared memory, A there or in registers.
 * Each warp computes its rows when it issues the instruction, which is early: programs wait for the
 * result with wgmma.wait_group, and until then may neither read it nor write the factors. There the four
 * warps wait for each other, because one of them may then tell a producer for all that the factors are
 * used up. Fences and groups have nothing left to do. */
#include "exec/decode/operands.h"
#include "exec/matrix/descriptor.h"
#include "exec/run/cta.h"

#include <string.h>

enum { ROWS = 16, BLOCK_MOST = 64, TILE_COLUMNS = 8 };

typedef struct Wgmma {
    Product product; /* of a warp's rows and a block of columns */
    uint32_t columns, depth;
    bool a_in_registers, a_turned, b_turned;
    uint32_t a_flip, b_flip; /* sign bits of elements that are multiplied by -1 */
    Operands a;
    uint32_t a_at, b_at;     /* registers of the descriptors */
    uint32_t scale, negated; /* predicate: whether D is added */
    uint32_t *d;             /* offsets of its registers */
    Metadata metadata;
} Wgmma;

/* ---- D: tiles of 8 columns; a register has one element of a row of 4 lanes, or an f16 pair ---- */

enum { ROWS_HALF = 8, ROW_LANES = 4 };

/* One half of a tile, 8 rows: registers of the first and of the second elements of the lanes. */
static void gather_half(const uint32_t *restrict first, const uint32_t *restrict second,
                        uint32_t pitch, uint32_t *restrict word) {
    for (uint32_t row = 0; row < ROWS_HALF; row++, word += pitch)
        for (uint32_t i = 0; i < ROW_LANES; i++) {
            word[2 * i] = first[row * ROW_LANES + i];
            word[2 * i + 1] = second[row * ROW_LANES + i];
        }
}

static void gather_pairs(const uint32_t *restrict pairs, uint32_t pitch, uint32_t *restrict word) {
    for (uint32_t row = 0; row < ROWS_HALF; row++, word += pitch)
        for (uint32_t i = 0; i < ROW_LANES; i++) {
            word[2 * i] = pairs[row * ROW_LANES + i] & 0xffff;
            word[2 * i + 1] = pairs[row * ROW_LANES + i] >> 16;
        }
}

static void scatter_half(uint32_t *restrict first, uint32_t *restrict second, uint32_t pitch,
                         const uint32_t *word) {
    for (uint32_t row = 0; row < ROWS_HALF; row++, word += pitch)
        for (uint32_t i = 0; i < ROW_LANES; i++) {
            first[row * ROW_LANES + i] = word[2 * i];
            second[row * ROW_LANES + i] = word[2 * i + 1];
        }
}

static void scatter_pairs(uint32_t *pairs, uint32_t pitch, const uint32_t *word) {
    for (uint32_t row = 0; row < ROWS_HALF; row++, word += pitch)
        for (uint32_t i = 0; i < ROW_LANES; i++)
            pairs[row * ROW_LANES + i] = word[2 * i] | word[2 * i + 1] << 16;
}

/* The columns of a block, n of them from `first` on, row by row. */
static void gather_d(const Warp *warp, const Wgmma *wgmma, uint32_t first, const Product *product,
                     uint32_t *word) {
    uint32_t pitch = product->pitch, end = (first + product->n) / TILE_COLUMNS * 2;
    for (uint32_t half = first / TILE_COLUMNS * 2; half < end; half++) {
        uint32_t *at = &word[half % 2 * TILE_COLUMNS * pitch + half / 2 * TILE_COLUMNS - first];
        if (wgmma->product.d == TYPE_F16)
            gather_pairs(reg32(warp, wgmma->d[half]), pitch, at);
        else
            gather_half(reg32(warp, wgmma->d[2 * half]), reg32(warp, wgmma->d[2 * half + 1]), pitch,
                        at);
    }
}

static void scatter_d(const Warp *warp, const Wgmma *wgmma, uint32_t first, const Product *product,
                      const uint32_t *word) {
    uint32_t pitch = product->pitch, end = (first + product->n) / TILE_COLUMNS * 2;
    for (uint32_t half = first / TILE_COLUMNS * 2; half < end; half++) {
        const uint32_t *at =
            &word[half % 2 * TILE_COLUMNS * pitch + half / 2 * TILE_COLUMNS - first];
        if (wgmma->product.d == TYPE_F16)
            scatter_pairs(reg32(warp, wgmma->d[half]), pitch, at);
        else
            scatter_half(reg32(warp, wgmma->d[2 * half]), reg32(warp, wgmma->d[2 * half + 1]),
                         pitch, at);
    }
}

/* ---- factors ---- */

static uint32_t element_bits(Type type) {
    return type == TYPE_TF32 || type == TYPE_B1 ? 32 : 8 * type_bytes(type);
}

static void flip(uint32_t *word, uint32_t count, uint32_t sign) {
    for (uint32_t i = 0; sign && i < count; i++)
        word[i] ^= sign;
}

/* The warp's rows: lines along k, or pieces of lines along m. */
static Step read_a(Warp *warp, const Code *code, const Wgmma *wgmma, Factor *a) {
    uint32_t k = wgmma->product.k, bits = element_bits(wgmma->product.a);
    uint32_t row = warp->number % WARPGROUP_WARPS * ROWS, elements = 128 / bits;
    Step step = STEP_NEXT;
    if (wgmma->a_in_registers) {
        operands_gather(warp, &wgmma->a, a->word);
    } else {
        Descriptor descriptor = descriptor_read(reg64(warp, wgmma->a_at)[0], wgmma->a_turned);
        Region along_k = {.matrix = 'a',
                          .bits = bits,
                          .first_line = row,
                          .lines = ROWS,
                          .pieces = k / elements,
                          .line_step = k,
                          .element_step = 1};
        Region along_m = {.matrix = 'a',
                          .bits = bits,
                          .lines = k,
                          .first_piece = row / elements,
                          .pieces = ROWS / elements,
                          .line_step = 1,
                          .element_step = k};
        step = descriptor_gather(warp, code, &descriptor, wgmma->a_turned ? &along_m : &along_k,
                                 a->word);
    }
    flip(a->word, ROWS * k, wgmma->a_flip);
    return step;
}

static Step read_b(Warp *warp, const Code *code, const Wgmma *wgmma, uint32_t first,
                   const Product *product, Factor *b) {
    uint32_t n = product->n, pitch = product->pitch;
    uint32_t bits = element_bits(wgmma->product.b), elements = 128 / bits;
    Descriptor descriptor = descriptor_read(reg64(warp, wgmma->b_at)[0], wgmma->b_turned);
    Region along_k = {.matrix = 'b',
                      .bits = bits,
                      .first_line = first,
                      .lines = n,
                      .pieces = wgmma->depth / elements,
                      .line_step = 1,
                      .element_step = pitch};
    Region along_n = {.matrix = 'b',
                      .bits = bits,
                      .lines = wgmma->depth,
                      .first_piece = first / elements,
                      .pieces = n / elements,
                      .line_step = pitch,
                      .element_step = 1};
    if (pitch > n)
        memset(b->word, 0, wgmma->depth * pitch * sizeof *b->word);
    if (descriptor_gather(warp, code, &descriptor, wgmma->b_turned ? &along_n : &along_k,
                          b->word) != STEP_NEXT)
        return STEP_FAULT;
    flip(b->word, wgmma->depth * pitch, wgmma->b_flip);
    return STEP_NEXT;
}

/* ---- executing ---- */

static Step check_group(Warp *warp, const Code *code, uint32_t mask) {
    Step step = matrix_together(warp, code, mask);
    if (step == STEP_NEXT && (warp->number | (WARPGROUP_WARPS - 1)) >= warp->cta->warp_count)
        return warp_fault(
            warp, code, FAULT_UNSUPPORTED, 0, 0,
            "wgmma is executed by a warpgroup, four warps whose first one's number is "
            "a multiple of 4: warp %u of a block of %u warps is in none",
            warp->number, warp->cta->warp_count);
    return step;
}

/* Which of Traffic.matrices: lines of 16 bytes have no swizzle. */
static uint32_t swizzle_of(const Warp *warp, uint32_t at, bool turned) {
    return descriptor_read(reg64(warp, at)[0], turned).shift - 4;
}

/* The warps of a group read the rows of A each its own, and B together: what the group reads is counted
 * with its first warp. A wavefront gives 128 bytes, wherever the descriptors say that they lie: measured on
 * an H200 (docs/memory-model.md, section 8). */
static void count_moved(Warp *warp, const Code *code, const Wgmma *wgmma) {
    uint64_t a = (uint64_t)WARPGROUP_WARPS * ROWS * wgmma->product.k;
    uint64_t b = (uint64_t)wgmma->columns * wgmma->depth;
    uint64_t bytes = b * element_bits(wgmma->product.b) / 8;
    bool first = warp->number % WARPGROUP_WARPS == 0;
    if (!wgmma->a_in_registers)
        bytes += a * element_bits(wgmma->product.a) / 8;
    Traffic traffic = {.lanes = WARP_LANES};
    if (first) {
        traffic.bytes = traffic.shared = bytes;
        traffic.wavefronts = (uint32_t)mem_matrix_wavefronts(bytes);
        traffic.matrices[swizzle_of(warp, wgmma->b_at, wgmma->b_turned)]++;
        if (!wgmma->a_in_registers)
            traffic.matrices[swizzle_of(warp, wgmma->a_at, wgmma->a_turned)]++;
    }
    traffic_count(warp, code, &traffic);
}

static Step exec_wgmma(Warp *warp, const Code *code, uint32_t mask) {
    const Wgmma *wgmma = code->more;
    Product product = wgmma->product;
    Matrices matrices;
    Factor a;
    Step step = check_group(warp, code, mask);
    if (step != STEP_NEXT)
        return step;
    if (read_a(warp, code, wgmma, &a) != STEP_NEXT)
        return STEP_FAULT;
    if (product.sparse)
        metadata_pick(warp, &wgmma->metadata, &product, &matrices);
    bool adds = (*reg32(warp, wgmma->scale) ^ wgmma->negated) != 0;
    uint32_t room = FACTOR_ELEMENTS / wgmma->depth, most = room < BLOCK_MOST ? room : BLOCK_MOST;
    for (uint32_t first = 0; first < wgmma->columns; first += product.n) {
        uint32_t left = wgmma->columns - first;
        product.n = left < most ? left : most;
        product.pitch = product_pitch(&product);
        if (read_b(warp, code, wgmma, first, &product, &matrices.b) != STEP_NEXT)
            return STEP_FAULT;
        memcpy(matrices.a.word, a.word, ROWS * product.k * sizeof *a.word);
        if (!adds || product.pitch > product.n)
            memset(matrices.c.word, 0, ROWS * product.pitch * sizeof *matrices.c.word);
        if (adds)
            gather_d(warp, wgmma, first, &product, matrices.c.word);
        product.run(&product, &matrices);
        scatter_d(warp, wgmma, first, &product, matrices.d.word);
    }
    warp->multiplied = true;
    count_moved(warp, code, wgmma);
    return STEP_NEXT;
}

/* Fences and commits: nothing is under way. */
static Step exec_fence(Warp *warp, const Code *code, uint32_t mask) {
    return matrix_together(warp, code, mask);
}

/* The warps of the group meet, if they have issued products since they last met. */
static Step exec_wait(Warp *warp, const Code *code, uint32_t mask) {
    Path *path = warp->current;
    if (path->released) {
        path->released = false;
        return STEP_NEXT;
    }
    Step step = matrix_together(warp, code, mask);
    if (step != STEP_NEXT || !warp->multiplied)
        return step;
    warp->multiplied = false;
    uint32_t meeting = BARRIERS_NAMED + warp->number / WARPGROUP_WARPS;
    warp->cta->barriers[meeting].expected = WARPGROUP_WARPS;
    path->state = PATH_WAITS_BARRIER;
    path->wait = meeting;
    cta_arrive(warp, meeting, mask);
    return STEP_WAIT;
}

/* ---- decoding ---- */

static bool is_fp8(Type type) {
    return type == TYPE_E4M3 || type == TYPE_E5M2;
}

static void decode_product(const Insn *insn, Wgmma *wgmma) {
    const Mods *mods = &insn->mods;
    Fragment a = fragment_of(insn->op, mods, 'a');
    Product *product = &wgmma->product;
    product->m = a.rows;
    product->k = a.columns * a.bits / fragment_part_bits(&a);
    product->a = a.element;
    product->b = fragment_of(insn->op, mods, 'b').element;
    product->c = product->d = fragment_of(insn->op, mods, 'd').element;
    product->sparse = op_has(insn->op, TRAIT_SPARSE);
    product->satfinite = mods->flags & MOD_SATFINITE;
    product->func = (Func)mods->func;
    product->step = product->k;
    product->kept = is_fp8(a.element) ? SUM_BITS_FP8 : SUM_BITS;
    wgmma->columns = mods->n;
    wgmma->depth = product->k * (product->sparse ? 2 : 1);
    ops_product(product);
}

static uint32_t sign_of(Type type, const Operand *scale) {
    return (int32_t)scale->bits < 0 ? 1u << (element_bits(type) - 1) : 0;
}

/* scale-d, imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b: as far as the row has them. A in registers
 * is not transposed. */
static void decode_choices(Decoding *decoding, const Insn *insn, uint32_t at, Wgmma *wgmma) {
    uint8_t class;
    const Operand *operand = &insn->operands[at];
    wgmma->negated = operand->negated ? FULL_MASK : 0;
    wgmma->scale = decode_operand(decoding, operand, &class);
    if (insn->operand_count < at + 3)
        return;
    wgmma->a_flip = sign_of(wgmma->product.a, &operand[1]);
    wgmma->b_flip = sign_of(wgmma->product.b, &operand[2]);
    if (insn->operand_count < at + 4)
        return;
    wgmma->a_turned = !wgmma->a_in_registers && operand[3].bits;
    wgmma->b_turned = insn->operands[insn->operand_count - 1].bits;
}

static void decode_d(Decoding *decoding, const Insn *insn, Wgmma *wgmma) {
    uint8_t class;
    const Operand *operand = &insn->operands[0];
    wgmma->d = NEW_ARRAY(decoding->arena, uint32_t, operand->count);
    for (uint32_t r = 0; r < operand->count; r++)
        wgmma->d[r] = decode_operand(decoding, &operand->elements[r], &class);
}

bool wgmma_decode(Decoding *decoding, const Insn *insn, Code *code) {
    uint8_t class;
    bool product = op_access(insn->op) == OP_ACCESS_WGMMA;
    code->full = code->some = product                     ? exec_wgmma
                              : insn->op == OP_wgmma_wait ? exec_wait
                                                          : exec_fence;
    if (!product)
        return true;
    Wgmma *wgmma = NEW(decoding->arena, Wgmma);
    decode_product(insn, wgmma);
    decode_d(decoding, insn, wgmma);
    wgmma->a_in_registers = insn->operands[1].kind == OPERAND_VECTOR;
    if (wgmma->a_in_registers)
        operands_decode(decoding, insn, &wgmma->product, 'a', &insn->operands[1], &wgmma->a);
    else
        wgmma->a_at = decode_operand(decoding, &insn->operands[1], &class);
    wgmma->b_at = decode_operand(decoding, &insn->operands[2], &class);
    if (wgmma->product.sparse)
        metadata_decode(decoding, insn, &wgmma->product, 3, &wgmma->metadata);
    decode_choices(decoding, insn, wgmma->product.sparse ? 5 : 3, wgmma);
    code->more = wgmma;
    return true;
}
