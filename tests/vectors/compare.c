/* Results of a slot against the answers of a GPU: bit for bit, or within the limit of an approximation. */
#include "compare.h"

#include <math.h>
#include <string.h>

uint64_t result_bits(const uint8_t *results, uint32_t bytes, uint32_t index) {
    uint64_t value = 0;
    memcpy(&value, results + (size_t)index * bytes, bytes);
    return value;
}

static double as_number(Type type, uint64_t bits) {
    const uint32_t word = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &word, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return type == TYPE_F64 ? value : (double)single;
}

/* How many floating-point numbers are between two: their places in the order of all. Of a pair, the
 * greater distance. */
static uint64_t ulp_between(Type type, uint64_t a, uint64_t b) {
    if (type == TYPE_F16X2 || type == TYPE_BF16X2) {
        const uint64_t low = ulp_between(TYPE_F16, a & 0xffff, b & 0xffff);
        const uint64_t high = ulp_between(TYPE_F16, a >> 16, b >> 16);
        return low > high ? low : high;
    }
    const uint32_t bits = 8 * type_bytes(type);
    const uint64_t sign = UINT64_C(1) << (bits - 1);
    const uint64_t x = a & sign ? sign - (a & (sign - 1)) : sign + a;
    const uint64_t y = b & sign ? sign - (b & (sign - 1)) : sign + b;
    return x > y ? x - y : y - x;
}

static bool is_within(Limit limit, Type type, uint64_t ours, uint64_t gpu, uint64_t ulp) {
    const double a = as_number(type, ours), b = as_number(type, gpu);
    if (ours == gpu || (type != TYPE_F32 && type != TYPE_F64))
        return ours == gpu || (double)ulp <= limit.most;
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return false;
    const double difference = fabs(a - b), relative = difference / fabs(b);
    switch (limit.kind) {
    case LIMIT_ULP:
        return (double)ulp <= limit.most;
    case LIMIT_ABSOLUTE:
        return difference <= limit.most;
    case LIMIT_RELATIVE:
        return relative <= limit.most;
    case LIMIT_LOGARITHM:
        return difference <= limit.most || relative <= limit.most;
    default:
        return false;
    }
}

Verdict answer_compare(const Answer *answer, const Slot *slot, const uint8_t *results) {
    const Limit limit = slot_limit(slot->name);
    Verdict verdict = {true, true, NONE_KEPT, 0};
    for (uint32_t piece = 0; piece < PIECES; piece++)
        verdict.equal &=
            piece_hash(results, answer->cases, answer->bytes, piece) == answer->hashes[piece];
    if (verdict.equal)
        return verdict;
    verdict.fine = limit.kind != LIMIT_EXACT;
    for (uint32_t index = 0; index < answer->kept; index++) {
        const uint64_t ours = result_bits(results, answer->bytes, index);
        const uint64_t gpu = result_bits(answer->first, answer->bytes, index);
        const uint64_t ulp = ulp_between(slot->type, ours, gpu);
        const bool right = is_within(limit, slot->type, ours, gpu, ulp);
        if (!right && verdict.first == NONE_KEPT)
            verdict.first = index;
        verdict.fine &= right;
        if (right && ulp > verdict.farthest)
            verdict.farthest = ulp;
    }
    return verdict;
}
