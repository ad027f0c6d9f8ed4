/* near: wavefronts of words of one group that lie near each other, without comparing one lane with another. They are
 * looked at line by line: a line of 32 words has one in each bank. */
#pragma once

#include "mem/mem.h"

/* mem_shared of a load or store of up to 4 bytes by each lane, or of an atomic that the hardware does in one pass, of which
 * the wavefronts are known. */
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

/* ---- words in some more lines: counters of a histogram, the keys of a sort ---- */

enum { SPREAD_LINES = 32 }; /* that follow each other */

/* A lane asks for the word of this address. */
static inline void spread_add(uint32_t bank[BANKS], uint64_t address) {
    const uint32_t word = (uint32_t)address / BANK_BYTES;
    bank[word % BANKS] |= UINT32_C(1) << word / BANKS % SPREAD_LINES;
}

/* The most lines in which one bank is asked for; each bank has a bit for each line. All banks' bits are counted side by
 * side. */
static inline uint32_t spread_depth(const uint32_t bank[BANKS]) {
    uint32_t depth = 0;
    for (uint32_t b = 0; b < BANKS; b++) {
        uint32_t bits = bank[b] - (bank[b] >> 1 & 0x55555555);
        bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
        bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
        bits += bits >> 8;
        bits = (bits + (bits >> 16)) & 0x3f;
        depth = bits > depth ? bits : depth;
    }
    return depth;
}
