/* Operands: random numbers with what sums of products go wrong over. */
#include "tensor.h"

#include <string.h>

static uint64_t next(Random *random) { /* splitmix64 */
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t random_below(Random *random, uint32_t limit) {
    return (uint32_t)((next(random) >> 32) * limit >> 32);
}

typedef struct Format {
    uint32_t exponent, fraction;
} Format;

typedef struct Draw {
    Random *random;
    Format format;
    uint64_t sign, fraction;
    int64_t bias, top; /* the largest exponent of a number */
    bool sums;         /* c, not a factor */
} Draw;

static uint64_t number(const Draw *draw, int64_t exponent, uint64_t fraction) {
    Format format = draw->format;
    exponent = exponent < 0 ? 0 : exponent > draw->top ? draw->top : exponent;
    return draw->sign << (format.exponent + format.fraction) |
           (uint64_t)exponent << format.fraction |
           (fraction & ((UINT64_C(1) << format.fraction) - 1));
}

/* An exponent at most `spread` from the middle of the range. */
static uint64_t near_one(const Draw *draw, uint32_t spread) {
    return number(draw, draw->bias - spread + random_below(draw->random, 2 * spread + 1),
                  draw->fraction);
}

static uint64_t not_a_number(const Draw *draw, uint64_t fraction) {
    Draw past = *draw;
    past.top++;
    return number(&past, past.top, fraction);
}

static uint64_t with_specials(const Draw *draw) {
    switch (random_below(draw->random, 64)) {
    case 0:
        return not_a_number(draw, 0);
    case 1:
        return not_a_number(draw, draw->fraction | 1);
    case 2:
    case 3:
        return number(draw, 0, 0);
    case 4:
        return number(draw, 0, draw->fraction);
    default:
        return near_one(draw, 3);
    }
}

/* Products about the least subnormal f32, or the least f16 where the format has no smaller ones. */
static uint64_t tiny(const Draw *draw) {
    uint32_t any = random_below(draw->random, 24);
    if (draw->sums)
        return number(draw, 0, any < 12 ? 0 : any < 18 ? any - 11 : draw->fraction);
    return number(draw, draw->format.exponent > 5 ? draw->bias - 86 + any : any % 8,
                  draw->fraction);
}

static uint64_t few_values(const Draw *draw) {
    uint32_t any = random_below(draw->random, 9);
    uint64_t half = UINT64_C(1) << (draw->format.fraction - 1);
    return number(draw, draw->bias + any % 2, any < 3 ? 1 : any < 5 ? half : 0);
}

static uint64_t draw_of_kind(const Draw *draw, uint32_t kind) {
    Random *random = draw->random;
    switch (kind) {
    case 0:
        return near_one(draw, 3);
    case 1:
        return near_one(draw, 8);
    case 2: /* every exponent */
        return draw->sums && random_below(random, 2)
                   ? near_one(draw, 40)
                   : number(draw, random_below(random, (uint32_t)draw->top + 1), draw->fraction);
    case 3: /* powers of two */
        return number(draw, draw->bias - 12 + random_below(random, 25), 0);
    case 4: /* half of them zeros */
        return random_below(random, 2) ? number(draw, 0, 0) : near_one(draw, 14);
    case 5:
        return with_specials(draw);
    case 6: /* least and largest */
        return number(draw,
                      random_below(random, 2) ? random_below(random, 3)
                                              : draw->top - random_below(random, 4),
                      draw->fraction);
    case 7: /* largest: overflow */
        return number(draw, draw->top - random_below(random, 4), draw->fraction);
    case 8: /* any bits */
        return next(random) >> (63 - draw->format.exponent - draw->format.fraction);
    case 9: { /* all positive, nearly all ones: carries */
        uint64_t fraction = ~(draw->fraction & next(random));
        return number(&(Draw){.format = draw->format, .top = draw->top},
                      draw->bias - 2 + random_below(random, 5), fraction);
    }
    case 10: /* zeros of both signs and ones */
        return number(draw, random_below(random, 8) < 6 ? 0 : draw->bias, 0);
    case 11: /* c far from the products */
        return near_one(draw, draw->sums ? 30 : 1);
    case 12:
        return few_values(draw);
    case 13: /* single bits under c */
        return draw->sums ? near_one(draw, 26)
                          : number(draw, draw->bias - 12 + random_below(random, 25), 0);
    case 14:
        return draw->sums ? 0 : number(draw, draw->bias - random_below(random, 16), draw->fraction);
    case 15: /* c large or infinite */
        if (draw->sums)
            return random_below(random, 4)
                       ? number(draw, draw->top - random_below(random, 3), draw->fraction)
                       : not_a_number(draw, 0);
        return number(draw, draw->bias / 2 + draw->bias - 2 + random_below(random, 5),
                      draw->fraction);
    case 16:
        return tiny(draw);
    case 17: /* tiny products, c = 0 */
        return draw->sums ? number(draw, 0, 0) : tiny(draw);
    default:
        return near_one(draw, 2);
    }
}

static uint64_t draw_float(Random *random, Format format, uint32_t kind, bool sums) {
    int64_t bias = (INT64_C(1) << (format.exponent - 1)) - 1;
    Draw draw = {.random = random, .format = format, .bias = bias, .top = 2 * bias, .sums = sums};
    draw.sign = next(random) >> 63;
    draw.fraction = next(random);
    return draw_of_kind(&draw, kind);
}

/* Neighbours that cancel each other (kinds 18, 19), if the other factor's are equal. */
static uint32_t packed(Random *random, Format format, uint32_t kind, bool sums, bool negate) {
    uint32_t bits = 1 + format.exponent + format.fraction, word = 0;
    for (uint32_t at = 0; at < 32; at += bits) {
        uint32_t value = (uint32_t)draw_float(random, format, kind, sums);
        if (kind >= 18 && at && !sums && random_below(random, 16))
            value = (word & ((1u << bits) - 1)) ^ (negate && at / bits % 2 ? 1u << (bits - 1) : 0);
        word |= value << at;
    }
    return word;
}

static uint32_t draw_sum(Random *random, uint32_t kind) {
    switch (kind % 4) {
    case 0:
        return (uint32_t)next(random);
    case 1:
        return 0x7fffffffu - random_below(random, 100000);
    case 2:
        return 0x80000000u + random_below(random, 100000);
    default:
        return random_below(random, 2000) - 1000;
    }
}

static uint32_t draw_bytes(Random *random, uint32_t kind) {
    static const uint8_t extremes[8] = {0x80, 0x7f, 0xff, 0, 0x88, 0x77, 0xf7, 1};
    if (kind < 12)
        return (uint32_t)next(random);
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word |= (uint32_t)extremes[random_below(random, 8)] << 8 * i;
    return word;
}

/* Pairs of indices: of two of four, in order; in any order and equal (kinds 14, 15: the GPU takes
 * them); of tf32, of one of two. */
uint32_t draw_metadata(Random *random, Type element, uint32_t kind) {
    static const uint8_t ordered[6] = {4, 8, 9, 12, 13, 14}, single[2] = {4, 14};
    if (element != TYPE_TF32 && (kind == 14 || kind == 15))
        return (uint32_t)next(random);
    uint32_t word = 0;
    for (uint32_t i = 0; i < 8; i++)
        word |= (uint32_t)(element == TYPE_TF32 ? single[random_below(random, 2)]
                                                : ordered[random_below(random, 6)])
                << 4 * i;
    return word;
}

uint64_t draw_register(Random *random, Type element, uint32_t kind, bool sums, bool negate) {
    switch (element) {
    case TYPE_F16:
        return packed(random, (Format){5, 10}, kind, sums, negate);
    case TYPE_BF16:
        return packed(random, (Format){8, 7}, kind, sums, negate);
    case TYPE_E4M3:
        return packed(random, (Format){4, 3}, kind, sums, negate);
    case TYPE_E5M2:
        return packed(random, (Format){5, 2}, kind, sums, negate);
    case TYPE_TF32: /* the bits below its 19 are there, too, and do not count */
        return draw_float(random, (Format){8, 10}, kind, sums) << 13 |
               (random_below(random, 2) ? next(random) & 0x1fff : 0);
    case TYPE_F32:
        return draw_float(random, (Format){8, 23}, kind, sums);
    case TYPE_F64:
        return draw_float(random, (Format){11, 52}, kind, sums);
    case TYPE_S32:
        return draw_sum(random, kind);
    default:
        return draw_bytes(random, kind);
    }
}

static uint32_t *draw_fragment(Random *random, const Fragment *fragment, uint32_t kind, char matrix,
                               uint32_t *words) {
    for (uint32_t r = 0; r < fragment->registers; r++) {
        bool wide = fragment->element == TYPE_F64;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            uint64_t value =
                draw_register(random, fragment->element, kind, matrix == 'c', matrix == 'a');
            words[lane] = (uint32_t)value;
            if (wide)
                words[WARP_LANES + lane] = (uint32_t)(value >> 32);
        }
        words += wide ? 2 * WARP_LANES : WARP_LANES;
    }
    return words;
}

uint64_t subject_seed(const char *spelling, uint32_t kind, uint32_t warp) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *at = spelling; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return (hash ^ kind << 16 ^ warp) * UINT64_C(0x9e3779b97f4a7c15);
}

void subject_operands(const Subject *subject, uint32_t kind, uint32_t *words) {
    if (op_access(subject->op) == OP_ACCESS_WGMMA) {
        group_operands(subject, kind, words);
        return;
    }
    for (uint32_t warp = 0; warp < subject->warps; warp++) {
        Random random = {subject_seed(subject->spelling, kind, warp)};
        uint32_t *end = words + subject->words_in * WARP_LANES;
        if (!subject->moves && subject->b.registers) {
            words = draw_fragment(&random, &subject->a, kind, 'a', words);
            words = draw_fragment(&random, &subject->b, kind, 'b', words);
            words = draw_fragment(&random, &subject->c, kind, 'c', words);
        }
        for (; words < end; words++)
            *words = subject->op == OP_mma_sp ? draw_metadata(&random, subject->a.element, kind)
                                              : (uint32_t)next(&random);
    }
}

uint32_t subject_digest(const uint32_t *words, size_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ words[i]) * UINT64_C(0x100000001b3) ^ hash >> 29;
    return (uint32_t)(hash ^ hash >> 32);
}
