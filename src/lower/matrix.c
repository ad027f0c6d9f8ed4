/* wmma.load and wmma.store (PTX ISA 9.7.14.4): the accesses that ptxas makes of them; seen in the
 * machine code of ptxas 13.0 for sm_80 and sm_90, which agree, for every shape, type, layout and space:
 *   factors of up to 16 bits in .shared     ldmatrix, with .trans where memory is contiguous across k;
 *                                           8-bit ones only where it is contiguous along k
 *   8-bit factors otherwise, across k       a byte at a time
 *   other registers with several elements   32 bits, a row of 8x8 elements in four lanes; where memory is
 *                                           contiguous the other way, movmatrix turns them over
 *   accumulators of 32 and 64 bits          two neighbours at once where they are contiguous
 *   anything else                           an element at a time
 * Tested against the counters of an H100 (docs/tensor-cores.md). */
#include "lower/lowering.h"

enum { LINES = 8, LINE_LANES = 4, ROW_BYTES = 16 };

typedef struct Fragments {
    const Insn *insn;
    char matrix;
    Fragment fragment;
    uint32_t parts;
    MatrixAccess *accesses;
    uint32_t count;
} Fragments;

/* Where a part of a register lies. Lane 0 holds the first element of the 8 lines of a register. */
static LinePlace place(const Fragments *in, uint32_t reg, uint32_t part, uint32_t lane) {
    return fragment_line_place(in->insn->op, &in->insn->mods, in->matrix, reg, part, lane);
}

static MatrixAccess *add_access(Fragments *in, uint32_t width) {
    MatrixAccess *access = &in->accesses[in->count++];
    access->width = width;
    access->mask = FULL_MASK;
    return access;
}

/* All lanes, from the places of one part of a register. */
static void add_part(Fragments *in, uint32_t reg, uint32_t part, uint32_t width) {
    MatrixAccess *access = add_access(in, width);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        access->place[lane] = place(in, reg, part, lane);
}

static void add_turned(Fragments *in, uint32_t reg) {
    MatrixAccess *access = add_access(in, 4);
    LinePlace first = place(in, reg, 0, 0);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        access->place[lane] = (LinePlace){first.line + lane / LINE_LANES,
                                          first.element + lane % LINE_LANES * in->parts};
}

static void add_ldmatrix(Fragments *in) {
    uint32_t most = in->fragment.bits == 16 ? 4 : 2; /* registers at once */
    uint32_t count = in->fragment.distinct < most ? in->fragment.distinct : most;
    for (uint32_t reg = 0; reg < in->fragment.distinct; reg += most) {
        MatrixAccess *access = add_access(in, ROW_BYTES);
        access->matrices = count;
        access->mask = (uint32_t)((UINT64_C(1) << LINES * count) - 1);
        for (uint32_t lane = 0; lane < LINES * count; lane++) {
            access->place[lane] = place(in, reg + lane / LINES, 0, 0);
            access->place[lane].line += lane % LINES;
        }
    }
}

/* Whether the second of two things that a lane holds lies behind the first. */
static bool adjacent(const Fragments *in) {
    if (in->fragment.distinct * in->parts < 2)
        return false;
    LinePlace first = place(in, 0, 0, 0);
    LinePlace second = in->parts > 1 ? place(in, 0, 1, 0) : place(in, 1, 0, 0);
    return second.line == first.line && second.element == first.element + 1;
}

static void add_accesses(Fragments *in, bool shared, bool factor) {
    uint32_t bits = in->fragment.bits;
    bool together = adjacent(in) || bits == 1;
    if (factor && shared && bits <= 16 && (together || bits == 16)) {
        add_ldmatrix(in);
        return;
    }
    bool pairs = !factor && bits >= 32 && together;
    for (uint32_t reg = 0; reg < in->fragment.distinct; reg += pairs ? 2 : 1) {
        if (pairs)
            add_part(in, reg, 0, bits / 4);
        else if (bits >= 32 || together)
            add_part(in, reg, 0, bits < 32 ? 4 : bits / 8);
        else if (bits == 16)
            add_turned(in, reg);
        else
            for (uint32_t part = 0; part < in->parts; part++)
                add_part(in, reg, part, 1);
    }
}

void lower_matrix(Arena *arena, const Insn *insn, LoweredAccess *lowered) {
    bool stores = op_access(insn->op) == OP_ACCESS_STORE;
    char matrix = stores ? 'd' : insn->mods.fragment;
    Fragment fragment = fragment_of(insn->op, &insn->mods, matrix);
    Fragments in = {
        .insn = insn, .matrix = matrix, .fragment = fragment, .parts = fragment_parts(&fragment)};
    in.accesses = NEW_ARRAY(arena, MatrixAccess, fragment.distinct * in.parts);
    add_accesses(&in, insn->mods.space == SPACE_SHARED, matrix == 'a' || matrix == 'b');
    lowered->kind = stores ? ACCESS_STORE : in.accesses->matrices ? ACCESS_LDMATRIX : ACCESS_LOAD;
    lowered->accesses = in.count;
    lowered->width = in.accesses->width;
    lowered->matrices = in.accesses->matrices;
    lowered->matrix = in.accesses;
}
