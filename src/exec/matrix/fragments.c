/* Between the registers of a warp and matrices. The 32 lanes of a register are eight groups of four, and in most fragments the
 * elements of a group, or those of one lane of four groups, are neighbours in the matrix: they are moved as vectors. */
#include "exec/lanes/ops.h"
#include "exec/lanes/words.h"
#include "exec/matrix/mma.h"

enum { GROUP = 4, LANES_TURNED = 16 /* of four groups */ };

typedef uint8_t Bytes __attribute__((vector_size(16)));

/* Each step is a few moves: a loop around them would take as long as they do. */
#define UNROLLED _Pragma("GCC unroll 8")

/* ---- which order a fragment has ---- */

static const uint16_t *places_of(const Operands *operands, uint32_t reg, uint32_t part) {
    return operands->at + (reg * operands->parts + part) * WARP_LANES;
}

/* What a group holds lies side by side. */
static bool in_rows(const Operands *operands, uint32_t reg) {
    const uint32_t parts = operands->parts;
    bool so = (parts == 1 || parts == 2 || parts == 4) && parts * operands->bits == 32;
    for (uint32_t part = 0; part < parts; part++)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            so &= places_of(operands, reg, part)[lane] ==
                  places_of(operands, reg, 0)[lane / GROUP * GROUP] + lane % GROUP * parts + part;
    return so;
}

/* What the lanes of one place in four groups hold lies side by side. */
static bool in_columns(const Operands *operands, uint32_t reg) {
    bool so = true;
    for (uint32_t part = 0; part < operands->parts; part++)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            so &=
                places_of(operands, reg, part)[lane] ==
                places_of(operands, reg, part)[lane / LANES_TURNED * LANES_TURNED + lane % GROUP] +
                    lane % LANES_TURNED / GROUP;
    return so;
}

/* What a group holds in this register and the next lies side by side, by turns. */
static bool in_pairs(const Operands *operands, uint32_t reg) {
    bool so = operands->parts == 1 && operands->registers % 2 == 0;
    for (uint32_t lane = 0; so && lane < WARP_LANES; lane++)
        so &= places_of(operands, reg, 0)[lane] ==
              places_of(operands, reg - reg % 2, 0)[lane / GROUP * GROUP] + lane % GROUP * 2 +
                  reg % 2;
    return so;
}

void operands_order(Operands *operands) {
    bool rows = true, columns = true, pairs = true;
    for (uint32_t reg = 0; reg < operands->registers; reg++) {
        rows &= in_rows(operands, reg);
        columns &= in_columns(operands, reg);
        pairs &= in_pairs(operands, reg);
    }
    operands->order = rows ? ORDER_ROWS : columns ? ORDER_COLUMNS : pairs ? ORDER_PAIRS : ORDER_ANY;
}

/* ---- from registers to a matrix ---- */

ALWAYS_INLINE void gather_rows(const uint32_t *from, uint32_t parts, const uint16_t *at,
                               uint32_t *word) {
    const Bytes zero = {0};
    UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane += GROUP) {
        const Words group = words_at(from + lane);
        uint32_t *to = word + at[lane];
        if (parts == 1) {
            put_words(to, group);
            continue;
        }
        Halves halves[2] = {(Halves)group};
        if (parts == 4) {
            halves[0] = (Halves)PICK((Bytes)group, zero, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21,
                                     6, 22, 7, 23);
            halves[1] = (Halves)PICK((Bytes)group, zero, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13,
                                     29, 14, 30, 15, 31);
        }
        for (uint32_t i = 0; i < parts / 2; i++) {
            put_words(to + 8 * i, (Words)PICK(halves[i], (Halves)zero, 0, 8, 1, 9, 2, 10, 3, 11));
            put_words(to + 8 * i + 4,
                      (Words)PICK(halves[i], (Halves)zero, 4, 12, 5, 13, 6, 14, 7, 15));
        }
    }
}

ALWAYS_INLINE void gather_columns(const uint32_t *from, uint32_t parts, uint32_t bits,
                                  const uint16_t *at, uint32_t *word) {
    const uint32_t keep = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    for (uint32_t first = 0; first < WARP_LANES; first += LANES_TURNED) {
        Words turned[GROUP];
        for (uint32_t i = 0; i < GROUP; i++)
            turned[i] = words_at(from + first + GROUP * i);
        turn_words(turned);
        for (uint32_t part = 0; part < parts; part++)
            for (uint32_t i = 0; i < GROUP; i++)
                put_words(word + at[part * WARP_LANES + first + i],
                          turned[i] >> part * bits & keep);
    }
}

static void gather_pair(const uint32_t *from, const uint32_t *next, const uint16_t *at,
                        uint32_t *word) {
    UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane += GROUP) {
        const Words even = words_at(from + lane), odd = words_at(next + lane);
        put_words(word + at[lane], PICK(even, odd, 0, 4, 1, 5));
        put_words(word + at[lane] + GROUP, PICK(even, odd, 2, 6, 3, 7));
    }
}

static void gather_part(const uint32_t *from, uint32_t shift, uint32_t keep, const uint16_t *at,
                        uint32_t *word) {
    UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane++) word[at[lane]] =
        from[lane] >> shift & keep;
}

static void gather_one(const Warp *warp, const Operands *operands, uint32_t reg, uint32_t *word) {
    const uint32_t bits = operands->bits, parts = operands->parts;
    const uint32_t *from = reg32(warp, operands->offset[reg]);
    const uint16_t *at = places_of(operands, reg, 0);
    switch (operands->order) {
    case ORDER_ROWS:
        if (parts == 2) /* the most common: a loop without a question */
            gather_rows(from, 2, at, word);
        else
            gather_rows(from, parts, at, word);
        return;
    case ORDER_COLUMNS:
        if (parts == 2)
            gather_columns(from, 2, 16, at, word);
        else
            gather_columns(from, parts, bits, at, word);
        return;
    case ORDER_PAIRS:
        if (reg % 2 == 0)
            gather_pair(from, reg32(warp, operands->offset[reg + 1]), at, word);
        return;
    case ORDER_ANY:
        break;
    }
    const uint32_t keep = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    for (uint32_t part = 0; part < parts; part++)
        gather_part(from, part * bits, keep, at + part * WARP_LANES, word);
}

void operands_gather(const Warp *warp, const Operands *operands, uint32_t *word) {
    for (uint32_t reg = 0; reg < operands->registers; reg++)
        gather_one(warp, operands, reg, word);
}

void operands_gather_wide(const Warp *warp, const Operands *operands, uint64_t *wide) {
    for (uint32_t r = 0; r < operands->registers; r++)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            wide[operands->at[r * WARP_LANES + lane]] = reg64(warp, operands->offset[r])[lane];
}

/* ---- and back: words, or halves, each in a word ---- */

static void scatter_rows(uint32_t *to, uint32_t parts, const uint16_t *at, const uint32_t *word) {
    UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane += GROUP) {
        const uint32_t *from = word + at[lane];
        const Words low = words_at(from);
        if (parts == 1)
            put_words(to + lane, low);
        else
            put_words(to + lane, (Words)PICK((Halves)low, (Halves)words_at(from + GROUP), 0, 2, 4,
                                             6, 8, 10, 12, 14));
    }
}

static void scatter_columns(uint32_t *to, uint32_t parts, const uint16_t *at,
                            const uint32_t *word) {
    for (uint32_t first = 0; first < WARP_LANES; first += LANES_TURNED) {
        Words turned[GROUP];
        for (uint32_t i = 0; i < GROUP; i++) {
            turned[i] = words_at(word + at[first + i]);
            if (parts == 2)
                turned[i] |= words_at(word + at[WARP_LANES + first + i]) << 16;
        }
        turn_words(turned);
        for (uint32_t i = 0; i < GROUP; i++)
            put_words(to + first + GROUP * i, turned[i]);
    }
}

static void scatter_pair(uint32_t *to, uint32_t *next, const uint16_t *at, const uint32_t *word) {
    UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane += GROUP) {
        const Words low = words_at(word + at[lane]), high = words_at(word + at[lane] + GROUP);
        put_words(to + lane, PICK(low, high, 0, 2, 4, 6));
        put_words(next + lane, PICK(low, high, 1, 3, 5, 7));
    }
}

static void scatter_any(uint32_t *to, uint32_t parts, const uint16_t *at, const uint32_t *word) {
    if (parts == 2)
        UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane++) to[lane] =
            word[at[lane]] | word[at[WARP_LANES + lane]] << 16;
    else
        UNROLLED for (uint32_t lane = 0; lane < WARP_LANES; lane++) to[lane] = word[at[lane]];
}

void operands_scatter(const Warp *warp, const Operands *operands, const uint32_t *word) {
    const uint32_t parts = operands->parts;
    for (uint32_t r = 0; r < operands->registers; r++) {
        uint32_t *to = reg32(warp, operands->offset[r]);
        const uint16_t *at = places_of(operands, r, 0);
        if (operands->order == ORDER_ROWS)
            scatter_rows(to, parts, at, word);
        else if (operands->order == ORDER_COLUMNS)
            scatter_columns(to, parts, at, word);
        else if (operands->order == ORDER_PAIRS && r % 2 == 0)
            scatter_pair(to, reg32(warp, operands->offset[r + 1]), at, word);
        else if (operands->order == ORDER_ANY)
            scatter_any(to, parts, at, word);
    }
}

void operands_scatter_wide(const Warp *warp, const Operands *operands, const uint64_t *wide) {
    for (uint32_t r = 0; r < operands->registers; r++)
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            reg64(warp, operands->offset[r])[lane] = wide[operands->at[r * WARP_LANES + lane]];
}
