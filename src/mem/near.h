/* near: wavefronts of words of one group that lie near each other, without comparing one lane with another. They are
 * looked at line by line: a line of 32 words has one in each bank. */
#pragma once

#include "mem/mem.h"

/* mem_shared of a load or store of up to 4 bytes by each lane, of which the wavefronts are known. */
SharedCost mem_near(const Access *access, uint32_t wavefronts);

enum { NEAR_LINES = 4 };

/* In how many of the lines, which have a bit for each bank that is asked for there, the fullest bank is asked for: all
 * banks are added up at once, a binary digit of theirs in each number. */
static inline uint32_t near_depth(const uint32_t line[NEAR_LINES]) {
    const uint32_t one01 = line[0] ^ line[1], two01 = line[0] & line[1];
    const uint32_t one23 = line[2] ^ line[3], two23 = line[2] & line[3];
    const uint32_t ones = one01 ^ one23, carry = one01 & one23;
    const uint32_t twos = two01 ^ two23 ^ carry, fours = two01 & two23;
    return fours ? 4 : (twos & ones) ? 3 : twos ? 2 : 1;
}
