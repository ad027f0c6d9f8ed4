/* Words of one sequence. XORWOW: G. Marsaglia, Xorshift RNGs (2003). MRG32k3a: P. L'Ecuyer, Good Parameters
 * and Implementations for Combined Multiple Recursive Random Number Generators (1999). Philox4x32-10:
 * J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011). Their constants are those of the
 * papers; what a seed becomes, and how far sequences are apart, is cuRAND's. */
#include "hostlib/rand/rand.h"

#include <string.h>

/* ---- XORWOW: 160 bits under a linear map, and a counter ---- */

enum { XORWOW_BITS = 160, XORWOW_WORDS = 5, XORWOW_STEP = 362437, XORWOW_APART = 67 };

/* Column i is what becomes of bit i. */
typedef struct BitMatrix {
    uint32_t columns[XORWOW_BITS][XORWOW_WORDS];
} BitMatrix;

static void bits_apply(const BitMatrix *matrix, uint32_t *vector) {
    uint32_t sum[XORWOW_WORDS] = {0};
    for (int i = 0; i < XORWOW_BITS; i++) {
        uint32_t mask = 0 - (vector[i / 32] >> i % 32 & 1); /* no branch: it would be guessed */
        for (int k = 0; k < XORWOW_WORDS; k++)
            sum[k] ^= matrix->columns[i][k] & mask;
    }
    memcpy(vector, sum, sizeof sum);
}

static void bits_square(BitMatrix *matrix) {
    const BitMatrix old = *matrix;
    for (int i = 0; i < XORWOW_BITS; i++)
        bits_apply(&old, matrix->columns[i]);
}

static void xorwow_step(uint32_t *at) {
    uint32_t t = at[0] ^ at[0] >> 2;
    memmove(at, at + 1, 4 * sizeof *at);
    at[4] = at[4] ^ at[4] << 4 ^ t ^ t << 1;
}

static void xorwow_matrix(BitMatrix *matrix) {
    memset(matrix, 0, sizeof *matrix);
    for (int i = 0; i < XORWOW_BITS; i++) {
        matrix->columns[i][i / 32] = 1u << i % 32;
        xorwow_step(matrix->columns[i]);
    }
}

static void xorwow_place(Sequence *sequences, size_t count, uint64_t seed, uint64_t drawn) {
    uint32_t low = 1099087573u * ((uint32_t)seed ^ 0xaad26b49u);
    uint32_t high = 2591861531u * ((uint32_t)(seed >> 32) ^ 0xf7dcefddu);
    Sequence first = {.at = {123456789u + low, 362436069u ^ low, 521288629u + high,
                             88675123u ^ high, 5783321u + low, 6615241u + high + low}};
    BitMatrix matrix;
    xorwow_matrix(&matrix);
    first.at[5] += (uint32_t)drawn * XORWOW_STEP;
    for (int i = 0; i < XORWOW_APART; i++) {
        if (i < 64 && drawn >> i & 1)
            bits_apply(&matrix, first.at);
        bits_square(&matrix);
    }
    for (size_t i = 0; i < count; i++) {
        sequences[i] = first;
        bits_apply(&matrix, first.at);
    }
}

static void xorwow_draw(Sequence *sequence, uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        xorwow_step(sequence->at);
        sequence->at[5] += XORWOW_STEP;
        words[i] = sequence->at[4] + sequence->at[5];
    }
}

/* ---- MRG32k3a: two recurrences of three terms ---- */

enum { MRG_PARTS = 2, MRG_TERMS = 3, MRG_APART = 76 };

typedef struct Recurrence {
    uint64_t terms[MRG_TERMS][MRG_TERMS]; /* what becomes of three terms */
} Recurrence;

static const uint64_t mrg_modulus[MRG_PARTS] = {4294967087u, 4294944443u};
static const Recurrence mrg_step[MRG_PARTS] = {
    {{{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728, 1403580, 0}}},
    {{{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589, 0, 527612}}},
};

/* One round of what the moduli, a little below 2^32, allow instead of a division. */
static uint64_t mrg_fold(uint64_t number, uint64_t modulus) {
    return (number >> 32) * ((1ull << 32) - modulus) + (uint32_t)number;
}

static uint64_t mrg_reduce(uint64_t number, uint64_t modulus) {
    number = mrg_fold(mrg_fold(mrg_fold(number, modulus), modulus), modulus);
    return number >= modulus ? number - modulus : number;
}

static void mrg_apply(const Recurrence *by, uint64_t modulus, uint32_t *terms) {
    uint32_t sums[MRG_TERMS];
    for (int i = 0; i < MRG_TERMS; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < MRG_TERMS; k++)
            sum += mrg_fold(by->terms[i][k] * terms[k], modulus);
        sums[i] = (uint32_t)mrg_reduce(sum, modulus);
    }
    memcpy(terms, sums, sizeof sums);
}

static void mrg_square(Recurrence *matrix, uint64_t modulus) {
    const Recurrence old = *matrix;
    for (int i = 0; i < MRG_TERMS; i++)
        for (int j = 0; j < MRG_TERMS; j++) {
            uint64_t sum = 0;
            for (int k = 0; k < MRG_TERMS; k++)
                sum += mrg_fold(old.terms[i][k] * old.terms[k][j], modulus);
            matrix->terms[i][j] = mrg_reduce(sum, modulus);
        }
}

static void mrg_place(Sequence *sequences, size_t count, uint64_t seed, uint64_t drawn) {
    uint64_t mixed[2] = {(uint32_t)seed ^ 0x55555555u, (uint32_t)(seed >> 32) ^ 0xaaaaaaaau};
    for (int part = 0; part < MRG_PARTS; part++) {
        uint64_t modulus = mrg_modulus[part];
        uint32_t terms[MRG_TERMS];
        Recurrence step = mrg_step[part];
        for (int i = 0; i < MRG_TERMS; i++)
            terms[i] = (uint32_t)((seed ? mixed[(part + i) % 2] : 1) * 12345 % modulus);
        for (int i = 0; i < MRG_APART; i++) {
            if (i < 64 && drawn >> i & 1)
                mrg_apply(&step, modulus, terms);
            mrg_square(&step, modulus);
        }
        for (size_t i = 0; i < count; i++) {
            memcpy(sequences[i].at + part * MRG_TERMS, terms, sizeof terms);
            mrg_apply(&step, modulus, terms);
        }
    }
}

/* From 1 to the first modulus. */
static void mrg_draw(Sequence *sequence, uint32_t *words, unsigned count) {
    uint32_t *at = sequence->at;
    for (unsigned i = 0; i < count; i++) {
        uint64_t first = mrg_reduce(1403580 * (uint64_t)at[1] + 810728 * (mrg_modulus[0] - at[0]),
                                    mrg_modulus[0]);
        uint64_t second = mrg_reduce(527612 * (uint64_t)at[5] + 1370589 * (mrg_modulus[1] - at[3]),
                                     mrg_modulus[1]);
        at[0] = at[1], at[1] = at[2], at[2] = (uint32_t)first;
        at[3] = at[4], at[4] = at[5], at[5] = (uint32_t)second;
        words[i] = (uint32_t)(first - second + (first > second ? 0 : mrg_modulus[0]));
    }
}

static const double mrg_norm =
    2.3283065498378288e-10; /* 1 / (the first modulus + 1), as cuRAND has it */

static uint32_t mrg_bits(uint32_t word) {
    return (uint32_t)(word * 1.000000048662);
}

static float mrg_uniform(uint32_t word) {
    return (float)(word * mrg_norm);
}

static double mrg_uniform_double(const uint32_t *words) {
    return words[0] * mrg_norm;
}

/* ---- Philox4x32-10: the cipher of a counter: four words of it, two of the key ---- */

static void philox_place(Sequence *sequences, size_t count, uint64_t seed, uint64_t drawn) {
    for (size_t i = 0; i < count; i++)
        sequences[i] = (Sequence){.at = {(uint32_t)drawn, (uint32_t)(drawn >> 32), (uint32_t)i, 0,
                                         (uint32_t)seed, (uint32_t)(seed >> 32)}};
}

static void philox_block(const Sequence *sequence, uint32_t *words) {
    uint32_t keys[2] = {sequence->at[4], sequence->at[5]};
    memcpy(words, sequence->at, 4 * sizeof *words);
    for (int round = 0; round < 10; round++) {
        uint64_t a = 0xd2511f53ull * words[0], b = 0xcd9e8d57ull * words[2];
        words[0] = (uint32_t)(b >> 32) ^ words[1] ^ keys[0];
        words[2] = (uint32_t)(a >> 32) ^ words[3] ^ keys[1];
        words[1] = (uint32_t)b;
        words[3] = (uint32_t)a;
        keys[0] += 0x9e3779b9u;
        keys[1] += 0xbb67ae85u;
    }
}

/* Fours. */
static void philox_draw(Sequence *sequence, uint32_t *words, unsigned count) {
    for (unsigned i = 0; i < count; i += 4) {
        philox_block(sequence, words + i);
        for (int k = 0; k < 4 && !++sequence->at[k]; k++)
            ;
    }
}

/* ---- what XORWOW and Philox share ---- */

static uint32_t word_bits(uint32_t word) {
    return word;
}

static float word_uniform(uint32_t word) {
    return (float)word * 0x1p-32f + 0x1p-33f;
}

static double words_uniform_double(const uint32_t *words) {
    return (double)(words[0] ^ (uint64_t)words[1] << 21) * 0x1p-53 + 0x1p-54;
}

const RandFamily families[FAMILIES] = {
    {"XORWOW", 101, 4096, 4096, 1, 2, true, xorwow_place, xorwow_draw, word_bits, word_uniform,
     words_uniform_double},
    {"MRG32k3a", 121, 81920, 4096, 1, 1, true, mrg_place, mrg_draw, mrg_bits, mrg_uniform,
     mrg_uniform_double},
    {"Philox4_32_10", 161, 65536, 65536, 4, 2, false, philox_place, philox_draw, word_bits,
     word_uniform, words_uniform_double},
};
