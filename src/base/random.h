/* splitmix64: Steele, Lea, Flood, Fast Splittable Pseudorandom Number Generators, 2014. Here it is random_next (base.h) without a
 * call, for who fills arrays. */
#pragma once

#include <stdint.h>

static inline uint64_t random_step(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}
