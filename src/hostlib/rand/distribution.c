/* What becomes of a sequence's words. */
#include "hostlib/rand/rand.h"

#include <math.h>
#include <string.h>

enum { WORDS_MOST = 2 * TURN_MOST };
static const float tau = 6.2831855f;

size_t distribution_bytes(DistributionId id) {
    return id == BITS_64 || id == UNIFORM_DOUBLE || id == NORMAL_DOUBLE || id == LOG_NORMAL_DOUBLE
               ? sizeof(double)
               : sizeof(float);
}

bool distribution_is_normal(DistributionId id) {
    return id >= NORMAL && id <= LOG_NORMAL_DOUBLE;
}

unsigned distribution_turn(const RandFamily *family, const Distribution *distribution) {
    return distribution_is_normal(distribution->id) && family->turn < 2 ? 2 : family->turn;
}

/* Two normal numbers of two words: G. Box and M. Muller, A Note on the Generation of Random Normal Deviates
 * (1958). */
static void normal_pair(const RandFamily *family, const uint32_t *words, float *pair) {
    float radius = sqrtf(-2.0f * logf(family->uniform(words[0])));
    float angle = tau * family->uniform(words[1]);
    pair[0] = radius * sinf(angle);
    pair[1] = radius * cosf(angle);
}

/* The sine and cosine of pi * x, x from 0 to 2. */
static void sine_cosine(double x, double *sine, double *cosine) {
    double quarters = rint(2 * x), rest = (x - quarters / 2) * 3.14159265358979323846;
    double sines[4] = {sin(rest), cos(rest), -sin(rest), -cos(rest)};
    *sine = sines[(int)quarters % 4];
    *cosine = sines[((int)quarters + 1) % 4];
}

static void normal_pair_double(const RandFamily *family, const uint32_t *words, double *pair) {
    double radius = sqrt(-2.0 * log(family->uniform_double(words)));
    sine_cosine(2 * family->uniform_double(words + family->words_of_double), &pair[0], &pair[1]);
    pair[0] *= radius;
    pair[1] *= radius;
}

static void take_normal(const RandFamily *family, const Distribution *distribution,
                        Sequence *sequence, unsigned count, float *numbers) {
    uint32_t words[WORDS_MOST];
    family->draw(sequence, words, count);
    for (unsigned i = 0; i < count; i += 2)
        normal_pair(family, words + i, numbers + i);
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = fmaf((float)distribution->deviation, numbers[i], (float)distribution->mean);
        if (distribution->id == LOG_NORMAL)
            numbers[i] = expf(numbers[i]);
    }
}

static void take_double(const RandFamily *family, const Distribution *distribution,
                        Sequence *sequence, unsigned count, double *numbers) {
    uint32_t words[WORDS_MOST];
    unsigned each = family->words_of_double;
    family->draw(sequence, words, count * each);
    if (distribution->id == UNIFORM_DOUBLE) {
        for (unsigned i = 0; i < count; i++)
            numbers[i] = family->uniform_double(words + i * each);
        return;
    }
    for (unsigned i = 0; i < count; i += 2)
        normal_pair_double(family, words + i * each, numbers + i);
    for (unsigned i = 0; i < count; i++) {
        numbers[i] = fma(distribution->deviation, numbers[i], distribution->mean);
        if (distribution->id == LOG_NORMAL_DOUBLE)
            numbers[i] = exp(numbers[i]);
    }
}

/* Where normal numbers come in pairs, one by one. */
static float single_normal(const RandFamily *family, Sequence *sequence) {
    uint32_t words[2];
    float pair[2];
    if (sequence->has_spare) {
        sequence->has_spare = false;
        return sequence->spare;
    }
    family->draw(sequence, words, 2);
    normal_pair(family, words, pair);
    sequence->spare = pair[1];
    sequence->has_spare = true;
    return pair[0];
}

static void take_rounded(const RandFamily *family, double lambda, Sequence *sequence,
                         unsigned count, uint32_t *numbers) {
    static const Distribution standard = {NORMAL, 0, 1, NULL};
    float normal[TURN_MOST];
    if (family->pairs)
        normal[0] = single_normal(family, sequence);
    else
        take_normal(family, &standard, sequence, count, normal);
    for (unsigned i = 0; i < count; i++)
        numbers[i] = (uint32_t)(sqrt(lambda) * normal[i] + lambda + 0.5);
}

static void take_words(const RandFamily *family, const Distribution *distribution,
                       Sequence *sequence, unsigned count, uint32_t *numbers) {
    uint32_t words[WORDS_MOST];
    family->draw(sequence, words, count);
    for (unsigned i = 0; i < count; i++) {
        float uniform = family->uniform(words[i]);
        numbers[i] = family->bits(words[i]);
        if (distribution->id == POISSON)
            numbers[i] = poisson_number(distribution->table, numbers[i]);
        else if (distribution->id == UNIFORM)
            memcpy(&numbers[i], &uniform, sizeof uniform);
    }
}

void distribution_take(const RandFamily *family, const Distribution *distribution,
                       Sequence *sequence, void *numbers) {
    unsigned count = distribution_turn(family, distribution);
    if (distribution_bytes(distribution->id) == sizeof(double))
        take_double(family, distribution, sequence, count, numbers);
    else if (distribution->id == NORMAL || distribution->id == LOG_NORMAL)
        take_normal(family, distribution, sequence, count, numbers);
    else if (distribution->id == POISSON && !distribution->table)
        take_rounded(family, distribution->mean, sequence, count, numbers);
    else
        take_words(family, distribution, sequence, count, numbers);
}
