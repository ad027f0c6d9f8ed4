/* For the programs of tests/hostlib: numbers of 16 bits. Those that are made must be of that precision. */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

static inline uint16_t half_of(float value) {
    uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000;
    uint32_t rest = bits << 1 ? ((bits >> 23 & 0xff) - 112) << 10 | (bits >> 13 & 0x3ff) : 0;
    return (uint16_t)(sign | rest);
}

static inline float of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    float value =
        exponent ? ldexpf((float)(fraction + 1024), exponent - 25) : ldexpf((float)fraction, -24);
    return bits & 0x8000 ? -value : value;
}

static inline uint16_t brain_of(float value) {
    return (uint16_t)(bits_of(value) >> 16);
}

static inline float of_brain(uint16_t bits) {
    uint32_t wide = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &wide, 4);
    return value;
}
