/* passes: how long L1 takes for what a warp loads of it, from the addresses. Its two stages work side by side:
 *
 *   tags   look up a line each in four banks: as many clocks as the fullest bank has lines
 *   data   gives words from 32 banks, as shared memory does
 *
 * Measured on an H100 (`table_…`, `period_l1_…` of bench/results/gpu/calibration-h100.tsv); how lines lie in the tags' banks is published
 * for earlier GPUs: docs/decisions/0114-passes-of-l1.md. */
#include "mem/lanes.h"

enum { TAG_BANKS = 4, TAG_BITS = 2 };

/* All pairs of bits of the line's number, XORed. */
static uint32_t tag_bank(uint64_t line) {
    for (uint32_t half = 32; half >= TAG_BITS; half /= 2)
        line ^= line >> half;
    return line & (TAG_BANKS - 1);
}

typedef struct TagLines {
    uint64_t number[WARP_LANES];
    uint32_t count, bank[TAG_BANKS];
} TagLines;

static void look_up(TagLines *lines, uint64_t line) {
    for (uint32_t i = lines->count; i-- > 0;) /* mostly the last one */
        if (lines->number[i] == line)
            return;
    lines->number[lines->count++] = line;
    lines->bank[tag_bank(line)]++;
}

uint32_t mem_tag_passes(const uint64_t address[WARP_LANES], uint32_t mask) {
    TagLines lines = {.count = 0};
    for_lanes(lane, mask) look_up(&lines, address[lane] / LINE_BYTES);
    uint32_t most = 0;
    for (uint32_t b = 0; b < TAG_BANKS; b++)
        most = lines.bank[b] > most ? lines.bank[b] : most;
    return most;
}

/* Word k of lane L lies at (32 k + L) * 4: the lanes' words are in different banks, but where they ask for different k, in different lines. */
static uint32_t local_passes(const Access *access) {
    uint64_t address[WARP_LANES];
    for_lanes(lane, access->mask) address[lane] =
        (access->address[lane] / BANK_BYTES * WARP_LANES + lane) * BANK_BYTES;
    return mem_tag_passes(address, access->mask) * ((access->width + BANK_BYTES - 1) / BANK_BYTES);
}

uint32_t mem_load_passes(const Access *access) {
    if (access->space == SPACE_LOCAL)
        return local_passes(access);
    const uint32_t tags = mem_tag_passes(access->address, access->mask),
                   data = load_cost(access->address, access->mask, access->width).wavefronts;
    return tags > data ? tags : data;
}
