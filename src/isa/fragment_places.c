/* Which element of a matrix lies where in a warp.
 *
 * mma: figures of PTX ISA 9.7.14.5, "Matrix fragments for mma". Lane l is thread t = l % 4 of group
 * g = l / 4; a register of A holds neighbours in a row, of B in a column, and registers step through
 * blocks of 8 rows first, then through k. m8n8k4 of f16 is four products, one for each quad pair.
 *
 * wmma: the manual leaves the layout open. On sm_80 and sm_90 a wmma operand is a row of mma tiles:
 * m16n16k16 is two m16n8k16 side by side, m32n8k16 two on top of each other, and m8n32k16 the transpose
 * of m32n8k16 (ptxas swaps the factors). Read off the machine code of ptxas 13.0 and checked with
 * loads and stores on an H100. Fragments of f16 factors have more registers than they need: those
 * behind repeat the first ones. */
#include "isa/isa.h"

uint32_t fragment_part_bits(const Fragment *fragment) {
    return fragment->bits == 1 ? 32 : fragment->bits;
}

uint32_t fragment_parts(const Fragment *fragment) {
    return fragment->bits == 1 || fragment->bits >= 32 ? 1 : 32 / fragment->bits;
}

/* A lane's share of a factor's line: where its parts lie along k. */
static uint32_t along_k(uint32_t block, uint32_t part, uint32_t parts, uint32_t lane) {
    return (block * 4 + lane % 4) * parts + part;
}

/* The first factor of a tile, as (row, k): blocks of 8 rows, two of them in a tile of 16. */
static ElementPlace first_factor(uint32_t rows, uint32_t blocks, uint32_t reg, uint32_t part,
                                 uint32_t parts, uint32_t lane) {
    uint32_t lower = rows >= 16 ? reg % 2 : 0, rest = rows >= 16 ? reg / 2 : reg;
    return (ElementPlace){.row = 16 * (rest / blocks) + 8 * lower + lane / 4,
                          .column = along_k(rest % blocks, part, parts, lane)};
}

/* The second factor, as (k, column). */
static ElementPlace second_factor(uint32_t blocks, uint32_t reg, uint32_t part, uint32_t parts,
                                  uint32_t lane) {
    return (ElementPlace){.row = along_k(reg % blocks, part, parts, lane),
                          .column = 8 * (reg / blocks) + lane / 4};
}

/* Accumulators, index i: pairs along the row, two blocks of 8 rows, tile by tile. */
static ElementPlace accumulator(uint32_t rows, uint32_t columns, uint32_t i, uint32_t lane) {
    uint32_t tile = i / 4;
    return (ElementPlace){.row = lane / 4 + 8 * (i / 2 % 2) + (rows > 16 ? 16 * tile : 0),
                          .column = 2 * (lane % 4) + i % 2 + (columns > 8 ? 8 * tile : 0)};
}

static ElementPlace transposed(ElementPlace place) {
    return (ElementPlace){place.column, place.row};
}

/* m8n8k4 of f16: product q belongs to lanes 4q … 4q+3 and 16 lanes further; rows of A, C and D, and
 * columns of B, of the four products follow each other. */
static ElementPlace quad_place(const Mods *mods, char matrix, Type element, uint32_t i,
                               uint32_t lane) {
    uint32_t quad = 8 * (lane % 16 / 4), thread = lane % 4, upper = lane >= 16 ? 4 : 0;
    bool row_major = (matrix == 'b' ? mods->major2 : mods->major) == MAJOR_ROW;
    if (matrix == 'a')
        return row_major ? (ElementPlace){quad + upper + thread, i}
                         : (ElementPlace){quad + upper + i, thread};
    if (matrix == 'b')
        return row_major ? (ElementPlace){thread, quad + upper + i}
                         : (ElementPlace){i, quad + upper + thread};
    if (element == TYPE_F16)
        return (ElementPlace){quad + upper + thread, i};
    return (ElementPlace){quad + upper + (thread & 1) + (i & 2), (i & 4) + (thread & 2) + (i & 1)};
}

ElementPlace fragment_place(Op op, const Mods *mods, char matrix, uint32_t reg, uint32_t part,
                            uint32_t lane) {
    Fragment fragment = fragment_of(op, mods, matrix);
    if (op == OP_wmma_load)
        matrix = mods->fragment;
    uint32_t parts = fragment_parts(&fragment), part_bits = fragment_part_bits(&fragment);
    if (op == OP_mma && mods->m == 8 && mods->k == 4 && fragment.element != TYPE_F64)
        return quad_place(mods, matrix, fragment.element, reg * parts + part, lane);
    bool swapped =
        op_access(op) != OP_ACCESS_WGMMA && mods->n == 32; /* the transpose, in tiles of m16n8 */
    uint32_t m = swapped ? mods->n : mods->m, n = swapped ? mods->m : mods->n;
    if (matrix == 'c' || matrix == 'd') {
        ElementPlace place = accumulator(m, n, reg * parts + part, lane);
        return swapped ? transposed(place) : place;
    }
    uint32_t along = matrix == 'a' ? fragment.columns : fragment.rows;
    uint32_t blocks = along * fragment.bits / part_bits / (4 * parts);
    uint32_t lines = matrix == 'a' ? fragment.rows : fragment.columns;
    reg %= lines / 8 * blocks;
    if ((matrix == 'a') != swapped) {
        ElementPlace place = first_factor(m, blocks, reg, part, parts, lane);
        return swapped ? transposed(place) : place;
    }
    ElementPlace place = second_factor(blocks, reg, part, parts, lane);
    return swapped ? transposed(place) : place;
}

LinePlace fragment_line_place(Op op, const Mods *mods, char matrix, uint32_t reg, uint32_t part,
                              uint32_t lane) {
    ElementPlace place = fragment_place(op, mods, matrix, reg, part, lane);
    bool rows = mods->major == MAJOR_ROW;
    uint32_t element = rows ? place.column : place.row;
    bool single_bits = fragment_of(op, mods, matrix).bits == 1;
    return (LinePlace){.line = rows ? place.row : place.column,
                       .element = single_bits ? 32 * element : element};
}
