/* How many lines are enough.
 *
 * Where line i has the share w(i) of what is asked for, and one of n lines is looked at, what these are asked for is
 * off by a standard deviation of sqrt((n - 1) * sum of w(i)^2), in parts of the whole (Horvitz and Thompson, 1952):
 * little where there are many lines, much where few of them are asked for most. */
#include "cache/sample.h"
#include "cache/request.h"

#include <stdlib.h>

enum {
    BITS_MOST = 5,
    LINES_LEAST = 1 << 17,
    L1_LINES_LEAST = 28,
    SLOT_BITS = 18,
    SLOTS = 1 << SLOT_BITS
};
#define DEVIATION_MOST 0.02

/* How often each line is asked for; of two lines in one slot as if they were one, which errs towards more lines. */
typedef struct Shares {
    uint32_t *slots;
    uint64_t lines, blocks;
    double squares; /* the sum of the slots' squares */
} Shares;

static void share_block(Shares *shares, const CacheTrace *trace) {
    for (size_t at = 0; at < trace->count;) {
        const CacheRequest request = trace_request(trace->words, (uint32_t)at);
        for (uint32_t i = 0; i < request.lines; i++) {
            uint64_t number = request_line(&request, i) + (request.local ? ~shares->blocks : 0);
            uint32_t *slot =
                &shares->slots[number * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS)];
            shares->squares += 2.0 * (*slot)++ + 1;
        }
        shares->lines += request.lines;
        at += request.words;
    }
    shares->blocks++;
}

/* The sum of w(i)^2. */
static double squares_of(const Shares *shares) {
    return shares->squares / ((double)shares->lines * (double)shares->lines);
}

/* Lines that all blocks ask for have the same share in however many blocks, those of a few have less in more of them: a + b / blocks,
 * which two numbers of blocks tell. */
static double squares_of_all(double half, uint64_t blocks_half, double whole, uint64_t blocks_whole,
                             uint64_t blocks) {
    if (blocks_half == blocks_whole || half <= whole)
        return whole;
    const double b = (half - whole) / (1 / (double)blocks_half - 1 / (double)blocks_whole);
    const double a = whole - b / (double)blocks_whole;
    return (a > 0 ? a : 0) + b / (double)blocks;
}

uint32_t sample_bits(const CacheTrace *first, uint64_t blocks, uint64_t l1_bytes) {
    uint64_t lines = 0, seen = 0;
    for (const CacheTrace *trace = first; trace; trace = trace->next, seen++)
        lines += trace->lines;
    if (!seen || (double)lines / (double)seen * (double)blocks < LINES_LEAST)
        return 0;
    Shares shares = {.slots = calloc(SLOTS, sizeof *shares.slots)};
    if (!shares.slots)
        out_of_memory();
    const uint64_t middle = (lines < SLOTS ? lines : SLOTS) / 2;
    double half = 0;
    uint64_t blocks_half = 0;
    for (const CacheTrace *trace = first; trace && shares.lines < SLOTS; trace = trace->next) {
        share_block(&shares, trace);
        if (!blocks_half && shares.lines >= middle) {
            half = squares_of(&shares);
            blocks_half = shares.blocks;
        }
    }
    const double squares =
        squares_of_all(half, blocks_half, squares_of(&shares), shares.blocks, blocks);
    free(shares.slots);
    uint32_t bits = 0;
    while (bits < BITS_MOST && l1_bytes / LINE_BYTES >> (bits + 1) >= L1_LINES_LEAST &&
           ((2u << bits) - 1) * squares <= DEVIATION_MOST * DEVIATION_MOST)
        bits++;
    return bits;
}
