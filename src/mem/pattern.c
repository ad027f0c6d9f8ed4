/* pattern: the memory model for the accesses that make up most of a kernel.
 *
 * Where all 32 lanes are active and their addresses grow by a constant from lane to lane - or do so
 * in each half-warp, as in blocks 16 wide - the counts follow from base and stride alone. They
 * equal what mem_shared and mem_global count lane by lane (tests/unit/test_mem_pattern.c), which is
 * used where there is no closed form. */
#include "mem/lanes.h"

enum { HALF = WARP_LANES / 2 };

/* ---- recognising ---- */

/* 0 if each of the 15 steps of a half-warp is `stride`. Four steps at a time (step 11 twice) and no
 * branch, so that it becomes a few vector instructions. */
static uint64_t half_differs(const uint64_t a[HALF], uint64_t stride) {
    uint64_t differs[4];
    for (uint32_t i = 0; i < 4; i++)
        differs[i] = ((a[i + 1] - a[i]) ^ stride) | ((a[i + 5] - a[i + 4]) ^ stride) |
                     ((a[i + 9] - a[i + 8]) ^ stride) | ((a[i + 12] - a[i + 11]) ^ stride);
    return differs[0] | differs[1] | differs[2] | differs[3];
}

Pattern pattern_of(const uint64_t address[WARP_LANES], uint32_t mask) {
    if (mask != FULL_MASK)
        return (Pattern){0};
    uint64_t stride0 = address[1] - address[0], stride1 = address[HALF + 1] - address[HALF];
    bool halves = !(half_differs(address, stride0) | half_differs(address + HALF, stride1));
    bool joined = stride0 == stride1 && address[HALF] - address[HALF - 1] == stride0;
    return (Pattern){.halves = halves,
                     .affine = halves && joined,
                     .base = {address[0], address[HALF]},
                     .stride = {(int64_t)stride0, (int64_t)stride1}};
}

void pattern_addresses(const Pattern *pattern, uint64_t address[WARP_LANES]) {
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = pattern->base[l / HALF] + l % HALF * (uint64_t)pattern->stride[l / HALF];
}

/* ---- runs of lanes ---- */

/* `lanes` addresses, each `stride` after the one before. */
typedef struct Run {
    uint64_t base, lanes;
    int64_t stride;
} Run;

static Run run_of(const Pattern *pattern, uint32_t half) {
    return (Run){pattern->base[half], pattern->affine ? WARP_LANES : HALF, pattern->stride[half]};
}

static uint64_t run_step(Run run) {
    return run.stride < 0 ? -(uint64_t)run.stride : (uint64_t)run.stride;
}

static bool runs_equal(Run a, Run b) {
    return a.base == b.base && a.stride == b.stride;
}

/* The cells of 2^shift bytes that a run touches: first to last, and whether it leaves none out.
 * Each lane touches a cell of its own where it does. */
typedef struct Cells {
    uint64_t first, last, count;
    bool dense;
} Cells;

static Cells run_cells(Run run, uint32_t shift) {
    uint64_t end = run.base + (run.lanes - 1) * (uint64_t)run.stride;
    uint64_t low = run.stride < 0 ? end : run.base, high = run.stride < 0 ? run.base : end;
    Cells cells = {.first = low >> shift, .last = high >> shift};
    cells.dense = run_step(run) <= UINT64_C(1) << shift;
    cells.count = cells.dense ? cells.last - cells.first + 1 : run.lanes;
    return cells;
}

static bool cells_disjoint(Cells a, Cells b) {
    return a.last < b.first || b.last < a.first;
}

/* ---- global memory ---- */

/* The bytes that a run reaches over. */
typedef struct Span {
    uint64_t low, high, step, lanes;
} Span;

static inline Span span_of(Run run) {
    uint64_t end = run.base + (run.lanes - 1) * (uint64_t)run.stride;
    return (Span){.low = run.stride < 0 ? end : run.base,
                  .high = run.stride < 0 ? run.base : end,
                  .step = run_step(run),
                  .lanes = run.lanes};
}

static inline uint64_t span_cells(Span span, uint32_t shift) {
    bool dense = span.step <= UINT64_C(1) << shift;
    return dense ? (span.high >> shift) - (span.low >> shift) + 1 : span.lanes;
}

/* Cells that two different runs touch together; 0 where that takes a look at each lane. */
static inline uint64_t spans_cells(Span a, Span b, uint32_t shift) {
    if (a.high >> shift < b.low >> shift || b.high >> shift < a.low >> shift)
        return span_cells(a, shift) + span_cells(b, shift);
    if ((a.step > b.step ? a.step : b.step) > UINT64_C(1) << shift)
        return 0;
    uint64_t low = a.low < b.low ? a.low : b.low, high = a.high > b.high ? a.high : b.high;
    return (high >> shift) - (low >> shift) + 1;
}

GlobalCost pattern_global(const Pattern *pattern, uint32_t width) {
    enum { SECTOR_SHIFT = 5, LINE_SHIFT = 7 };
    uint32_t unit_shift = (uint32_t)__builtin_ctz(width);
    Run lower = run_of(pattern, 0), upper = run_of(pattern, 1);
    Span a = span_of(lower), b = span_of(upper);
    uint64_t sectors, lines, units;
    if (pattern->affine || runs_equal(lower, upper)) {
        sectors = span_cells(a, SECTOR_SHIFT);
        lines = span_cells(a, LINE_SHIFT);
        units = span_cells(a, unit_shift);
    } else {
        sectors = spans_cells(a, b, SECTOR_SHIFT);
        lines = spans_cells(a, b, LINE_SHIFT);
        units = spans_cells(a, b, unit_shift);
        if (!sectors || !lines || !units)
            return (GlobalCost){0};
    }
    uint32_t packed = WARP_LANES * width / SECTOR_BYTES;
    return (GlobalCost){.sectors = (uint32_t)sectors,
                        .ideal = sectors < packed ? (uint32_t)sectors : packed,
                        .tag_requests = (uint32_t)lines,
                        .bytes_used = (uint32_t)units * width};
}

/* ---- shared memory ---- */

/* How many units a walk of this stride, in units, puts on one of 2^n columns before it has met all
 * that it meets; `columns` where every step meets the same one. */
static uint32_t walk_depth(uint32_t stride, uint32_t columns) {
    uint32_t lowest = stride & -stride;
    return lowest == 0 || lowest > columns ? columns : lowest;
}

/* Groups of as many lanes as there are columns: lanes of 4, 8, 16 bytes have no unit in common
 * unless they all have one. */
static uint32_t group_depth(int64_t stride, uint32_t width) {
    return stride == 0 ? 1 : walk_depth((uint32_t)stride / width, LINE_BYTES / width);
}

/* 8 bytes, and all lanes of each half-warp load the same unit: the pair rule merges the halves. */
static SharedCost merged_cost(const Pattern *pattern) {
    bool same_column = ((pattern->base[0] ^ pattern->base[1]) & (LINE_BYTES - 1)) == 0;
    uint32_t extra = same_column && pattern->base[0] != pattern->base[1];
    return (SharedCost){.wavefronts = 1 + extra, .ideal = 1 + extra, .conflicts = extra};
}

static SharedCost grouped_cost(uint32_t wavefronts, uint32_t groups) {
    return (SharedCost){
        .wavefronts = wavefronts, .ideal = groups, .conflicts = wavefronts - groups};
}

/* Loads of 16 bytes: two groups for each half-warp, or one where all its lanes load the same unit. */
static SharedCost quad_cost(const Pattern *pattern) {
    uint32_t wavefronts = 0, groups = 0;
    for (uint32_t h = 0; h < 2; h++) {
        bool same = pattern->stride[h] == 0;
        wavefronts += same ? 1 : 2 * group_depth(pattern->stride[h], 16);
        groups += same ? 1 : 2;
    }
    return (SharedCost){.wavefronts = wavefronts,
                        .ideal = wavefronts < 4 ? wavefronts : 4,
                        .conflicts = wavefronts - groups};
}

/* 8 and 16 bytes: each half-warp has groups of its own. */
static SharedCost wide_cost(const Pattern *pattern, AccessKind kind, uint32_t width) {
    if (kind == ACCESS_LOAD && width == 16)
        return quad_cost(pattern);
    if (kind == ACCESS_LOAD && pattern->stride[0] == 0 && pattern->stride[1] == 0)
        return merged_cost(pattern);
    uint32_t depth =
        group_depth(pattern->stride[0], width) + group_depth(pattern->stride[1], width);
    return grouped_cost(depth * width / 8, width / 4);
}

/* The columns that the 16 words of a half-warp lie on, as bits, and how many words on each. */
typedef struct Walk {
    uint32_t columns, depth;
} Walk;

static uint32_t rotate(uint32_t bits, uint32_t by) {
    return bits << (by & 31) | bits >> (-by & 31);
}

/* words: the run's words. stride: in words. */
static Walk walk_of(Cells words, uint32_t stride, uint32_t first) {
    if (words.dense)
        return (Walk){rotate((UINT32_C(1) << words.count) - 1, (uint32_t)words.first), 1};
    uint32_t columns = 0, depth = walk_depth(stride, BANKS);
    for (uint32_t lane = 0; lane < HALF; lane++)
        columns |= UINT32_C(1) << (lane * stride & (BANKS - 1));
    return (Walk){rotate(columns, first), depth > 1 ? depth / 2 : 1};
}

/* One group of two half-warps; 0 where that takes a look at each lane. */
static uint32_t two_walks(Run a, Run b) {
    Cells x = run_cells(a, 2), y = run_cells(b, 2);
    if ((!x.dense && a.stride % BANK_BYTES) || (!y.dense && b.stride % BANK_BYTES))
        return 0;
    Walk lower = walk_of(x, (uint32_t)(a.stride / BANK_BYTES), (uint32_t)(a.base / BANK_BYTES));
    Walk upper = walk_of(y, (uint32_t)(b.stride / BANK_BYTES), (uint32_t)(b.base / BANK_BYTES));
    if (runs_equal(a, b))
        return lower.depth;
    if (!(lower.columns & upper.columns))
        return lower.depth > upper.depth ? lower.depth : upper.depth;
    if (cells_disjoint(x, y))
        return lower.depth + upper.depth;
    return x.dense && y.dense ? 1 : 0; /* one run of at most 32 words together */
}

/* 1, 2 and 4 bytes: the warp is one group. 0 where that takes a look at each lane. */
static uint32_t narrow_wavefronts(const Pattern *pattern) {
    Run run = run_of(pattern, 0);
    if (!pattern->affine)
        return two_walks(run, run_of(pattern, 1));
    if (run_step(run) < BANK_BYTES)
        return 1;
    return run.stride % BANK_BYTES ? 0 : group_depth(run.stride, BANK_BYTES);
}

SharedCost pattern_shared(const Pattern *pattern, AccessKind kind, uint32_t width) {
    if (width > 4)
        return wide_cost(pattern, kind, width);
    uint32_t wavefronts = narrow_wavefronts(pattern);
    return wavefronts ? grouped_cost(wavefronts, 1) : (SharedCost){0};
}
