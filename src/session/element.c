/* Values of one element type: read from text, filled in, compared. */
#include "session/element.h"

#include "base/random.h"
#include "session/npy.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- 16-bit floats ---- */

/* A float of 16 bits: how many its mantissa has, with the one that is not stored, and the exponent of the least normal one. */
typedef struct Half {
    int digits, least;
} Half;
static const Half f16 = {11, -14}, bf16 = {8, -126};

/* Rounds to nearest even, once. */
static uint16_t half_of(Half half, double value) {
    const int stored = half.digits - 1;
    const long infinity = 0x7fff >> stored << stored;
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fabs(value);
    int exponent;
    if (isnan(value))
        return 0x7fff;
    if (isinf(value))
        return (uint16_t)(sign | infinity);
    if (magnitude == 0)
        return sign;
    frexp(magnitude, &exponent); /* it is below 2^exponent */
    const int least = half.least + 1, biased = exponent > least ? exponent - least : 0;
    const long mantissa = lrint(ldexp(magnitude, half.digits - least - biased));
    const long bits = ((long)biased << stored) + mantissa; /* one that is rounded up may carry */
    return (uint16_t)(sign | (bits > infinity ? infinity : bits));
}

static double f16_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double magnitude = exponent == 31  ? (mantissa ? (double)NAN : (double)INFINITY)
                       : exponent == 0 ? ldexp(mantissa, -24)
                                       : ldexp(1024 + mantissa, exponent - 25);
    return bits & 0x8000 ? -magnitude : magnitude;
}

static void put_float(Type type, double value, void *at) {
    float single = (float)value;
    if (type == TYPE_F64) {
        memcpy(at, &value, sizeof value);
    } else if (type == TYPE_F32) {
        memcpy(at, &single, sizeof single);
    } else {
        uint16_t half = half_of(type == TYPE_BF16 ? bf16 : f16, value);
        memcpy(at, &half, sizeof half);
    }
}

/* ---- text ---- */

static bool parse_integer(Type type, const char *text, void *value) {
    uint32_t bits = 8 * type_bytes(type);
    char *end;
    errno = 0;
    bool negative = *text == '-';
    uint64_t number = negative ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    if (end == text || *end || errno || isspace((unsigned char)*text))
        return false;
    uint64_t most = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, signed_most = most >> 1;
    if (negative && (number < ~signed_most || (!type_is_signed(type) && !type_is_bits(type))))
        return false;
    if (!negative && number > (type_is_signed(type) ? signed_most : most))
        return false;
    memcpy(value, &number, type_bytes(type));
    return true;
}

bool element_parse(Type type, const char *text, void *value) {
    if (!type_is_float(type))
        return parse_integer(type, text, value);
    char *end;
    double number = type == TYPE_F32 ? (double)strtof(text, &end) : strtod(text, &end);
    if (end == text || *end || isspace((unsigned char)*text))
        return false;
    put_float(type, number, value);
    return true;
}

/* ---- filling ---- */

/* Each element gets a value of this type, computed from its number i. */
#define FILL(Value, value)                                                                         \
    {                                                                                              \
        for (uint64_t i = 0; i < count; i++) {                                                     \
            const Value one = (Value)(value);                                                      \
            memcpy(at + i * sizeof one, &one, sizeof one);                                         \
        }                                                                                          \
        break;                                                                                     \
    }
/* Integers, by their bytes. */
#define FILL_INTEGERS(number)                                                                      \
    switch (type_bytes(type)) {                                                                    \
    case 1:                                                                                        \
        FILL(uint8_t, number)                                                                      \
    case 2:                                                                                        \
        FILL(uint16_t, number)                                                                     \
    case 4:                                                                                        \
        FILL(uint32_t, number)                                                                     \
    default:                                                                                       \
        FILL(uint64_t, number)                                                                     \
    }

/* The upper bits of the next number. */
static inline uint64_t random_top(uint64_t *seed, uint32_t bits) {
    return random_step(seed) >> (64 - bits);
}

/* Of 16 bits. bits: that a float in [0, 1) of this type can hold. */
static void fill_random_halves(uint8_t *at, Type type, uint64_t count, uint64_t seed) {
    const uint32_t bits = type == TYPE_F16 ? 11 : 8;
    for (uint64_t i = 0; i < count; i++)
        put_float(type, (double)random_top(&seed, bits) / (double)(1 << bits), at + 2 * i);
}

/* A float has as many bits as one in [0, 1) of its type can hold: 24 of f32, 53 of f64. */
static void fill_random(uint8_t *at, Type type, uint64_t count, uint64_t seed) {
    const uint32_t bits = 8 * type_bytes(type);
    switch (type) {
    case TYPE_F32:
        FILL(float, 0x1p-24f * (float)(int32_t)random_top(&seed, 24))
    case TYPE_F64:
        FILL(double, 0x1p-53 * (double)(int64_t)random_top(&seed, 53))
    case TYPE_F16:
    case TYPE_BF16:
        fill_random_halves(at, type, count, seed);
        break;
    default:
        FILL_INTEGERS(random_top(&seed, bits))
    }
}

static void fill_iota(uint8_t *at, Type type, uint64_t count) {
    switch (type) {
    case TYPE_F32:
        FILL(float, (double)(int64_t)i)
    case TYPE_F64:
        FILL(double, (int64_t)i)
    case TYPE_F16:
    case TYPE_BF16:
        for (uint64_t i = 0; i < count; i++)
            put_float(type, (double)i, at + 2 * i);
        break;
    default:
        FILL_INTEGERS(i)
    }
}

/* All elements are this one: it is doubled until a piece is long enough, which is copied then. */
static void fill_value(uint8_t *at, uint64_t bytes, const uint8_t *value, uint32_t width) {
    enum { PIECE = 16 * 1024 };
    uint64_t done = width;
    memcpy(at, value, width);
    while (done < bytes) {
        uint64_t piece = done < PIECE ? done : PIECE;
        piece = piece < bytes - done ? piece : bytes - done;
        memcpy(at + done, at, piece);
        done += piece;
    }
}

static bool fill_file(Arena *arena, void *at, Type type, uint64_t count, const char *path,
                      const char *argument, Diags *diags) {
    Npy npy;
    if (!npy_read(arena, path, &npy, diags))
        return false;
    if (!npy_is(&npy, type, count)) {
        diags_error(diags, "argument %s: %s has %llu elements of %s", argument, path,
                    (unsigned long long)npy.count, type_name(npy.type));
        return false;
    }
    memcpy(at, npy.data, count * type_bytes(type));
    return true;
}

bool array_fill(Arena *arena, void *at, Type type, uint64_t count, const char *fill,
                const char *argument, Diags *diags) {
    size_t length = strlen(fill);
    uint8_t value[8] = {0};
    char *end;
    if (strcmp(fill, "iota") == 0) {
        fill_iota(at, type, count);
        return true;
    }
    if (strncmp(fill, "random:", 7) == 0) {
        uint64_t seed = strtoull(fill + 7, &end, 0);
        if (end != fill + 7 && !*end) {
            fill_random(at, type, count, seed);
            return true;
        }
    }
    if (length > 4 && strcmp(fill + length - 4, ".npy") == 0)
        return fill_file(arena, at, type, count, fill, argument, diags);
    if (!element_parse(type, fill, value)) {
        diags_error(
            diags,
            "argument %s: cannot fill %s elements with '%s'; expected a value, unset, iota, "
            "random:SEED or a .npy file",
            argument, type_name(type), fill);
        return false;
    }
    fill_value(at, count * type_bytes(type), value, type_bytes(type));
    return true;
}

/* ---- comparing ---- */

double element_value(Type type, const void *at) {
    uint64_t bits = 0;
    memcpy(&bits, at, type_bytes(type));
    float single;
    double number;
    switch (type) {
    case TYPE_F64:
        memcpy(&number, at, sizeof number);
        return number;
    case TYPE_F32:
        memcpy(&single, at, sizeof single);
        return (double)single;
    case TYPE_F16:
        return f16_value((uint16_t)bits);
    case TYPE_BF16: {
        uint32_t wide = (uint32_t)bits << 16;
        memcpy(&single, &wide, sizeof single);
        return (double)single;
    }
    default:
        break;
    }
    if (!type_is_signed(type))
        return (double)bits;
    uint32_t unused = 64 - 8 * type_bytes(type);
    return (double)((int64_t)(bits << unused) >> unused);
}

bool elements_agree(Type type, const void *a, const void *b, double rtol, double atol) {
    if (memcmp(a, b, type_bytes(type)) == 0)
        return true;
    if (!type_is_float(type))
        return false;
    double got = element_value(type, a), expected = element_value(type, b);
    if (isnan(got) && isnan(expected))
        return true;
    if (isinf(got) || isinf(expected))
        return got == expected; /* no tolerance reaches there */
    return fabs(got - expected) <= atol + rtol * fabs(expected) && (rtol > 0 || atol > 0);
}
