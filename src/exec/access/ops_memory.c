/* The fast path of loads and stores: all lanes active, and their addresses a run - or one in each
 * half-warp - of constant stride, which is what most accesses of most kernels are. Bounds, counts and
 * the moves themselves then follow from base and stride. Whatever is not so goes to load_store.c, which
 * gives the same results and counts. Built once for each level of the processor (ops.cmake). */
#include "exec/access/load_store.h"
#include "exec/lanes/ops.h"
#include "exec/run/worker.h"

#include <stddef.h>
#include <string.h>

enum { HALF = WARP_LANES / 2 };

/* ---- recognising runs ----
 * No early exit, so that the loops become a few vector instructions. */

static inline bool runs32(const uint32_t *a, Pattern *pattern) {
    uint32_t stride0 = a[1] - a[0], stride1 = a[HALF + 1] - a[HALF], differs = 0;
    for (uint32_t l = 0; l < HALF; l++)
        differs |= (a[l] ^ (a[0] + l * stride0)) | (a[HALF + l] ^ (a[HALF] + l * stride1));
    pattern->base[0] = a[0];
    pattern->base[1] = a[HALF];
    pattern->stride[0] = (int32_t)stride0;
    pattern->stride[1] = (int32_t)stride1;
    pattern->affine = stride0 == stride1 && a[HALF] - a[HALF - 1] == stride0;
    pattern->halves = true;
    return differs == 0;
}

static inline bool runs64(const uint64_t *a, Pattern *pattern) {
    uint64_t stride0 = a[1] - a[0], stride1 = a[HALF + 1] - a[HALF], differs = 0;
    uint64_t next0 = a[0], next1 = a[HALF];
    for (uint32_t l = 0; l < HALF; l++) {
        differs |= (a[l] ^ next0) | (a[HALF + l] ^ next1);
        next0 += stride0;
        next1 += stride1;
    }
    pattern->base[0] = a[0];
    pattern->base[1] = a[HALF];
    pattern->stride[0] = (int64_t)stride0;
    pattern->stride[1] = (int64_t)stride1;
    pattern->affine = stride0 == stride1 && a[HALF] - a[HALF - 1] == stride0;
    pattern->halves = true;
    return differs == 0;
}

static inline bool is_short(int64_t stride) {
    const int64_t most = INT64_C(1) << 40;
    return stride > -most && stride < most;
}

static inline uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static inline uint64_t greatest(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static inline void look_at(Sweep *sweep, const Warp *warp, const Code *code) {
    Pattern *pattern = &sweep->pattern;
    bool found = code->a_class == 1 ? runs32(reg32(warp, code->a), pattern)
                                    : runs64(reg64(warp, code->a), pattern);
    uint64_t first0 = pattern->base[0], first1 = pattern->base[1];
    uint64_t last0 = first0 + (HALF - 1) * (uint64_t)pattern->stride[0];
    uint64_t last1 = first1 + (HALF - 1) * (uint64_t)pattern->stride[1];
    sweep->found = found && is_short(pattern->stride[0]) && is_short(pattern->stride[1]);
    sweep->low = least(least(first0, last0), least(first1, last1));
    sweep->high = greatest(greatest(first0, last0), greatest(first1, last1));
    sweep->bits =
        (uint32_t)(first0 | first1 | (uint64_t)pattern->stride[0] | (uint64_t)pattern->stride[1]);
    sweep->apart = first1 - first0;
    sweep->shape = (uint64_t)pattern->stride[0] * UINT64_C(0xd1342543de82ef95) +
                   (uint64_t)pattern->stride[1] * UINT64_C(0xc2b2ae3d27d4eb4f) +
                   sweep->apart * UINT64_C(0x9fb21c651e98df25);
    sweep->cost_of = 0;
    sweep->clock = warp->worker->clock;
}

/* The register as the access finds it: often another one of the basic block has looked at it. */
static inline Sweep *sweep_of(const Warp *warp, const Code *code, const Elements *elements) {
    Sweep *sweep = &warp->sweeps[elements->sweep];
    if (!elements->follows || sweep->clock != warp->worker->clock)
        look_at(sweep, warp, code);
    return sweep;
}

/* ---- bounds ---- */

/* Every lane's bytes lie in [first, first + bytes), aligned. Both ends are compared, so that a run that
 * wraps around the address space has one outside. */
static inline bool sweep_inside(const Sweep *sweep, uint64_t offset, uint64_t first, uint64_t bytes,
                                uint32_t width) {
    uint64_t room = bytes - width, low = sweep->low + offset - first;
    uint64_t high = sweep->high + offset - first;
    return (bytes >= width) & (low <= room) & (high <= room) &
           !((sweep->bits | (uint32_t)offset) & (width - 1));
}

/* ---- counts ---- */

static inline Pattern pattern_at(const Sweep *sweep, uint64_t offset) {
    Pattern moved = sweep->pattern;
    moved.base[0] += offset;
    moved.base[1] += offset;
    return moved;
}

/* All counters that the access can have at once, which is a few vector instructions: those of shared
 * memory are the first. */
static inline void add(Counters *restrict to, const Counters *restrict cost, bool shared) {
    const uint32_t count = shared ? offsetof(Counters, sectors) / sizeof(uint64_t)
                                  : offsetof(Counters, constants) / sizeof(uint64_t);
    uint64_t *restrict sums = (uint64_t *)(void *)to;
    const uint64_t *restrict terms = (const uint64_t *)(const void *)cost;
    for (uint32_t i = 0; i < count; i++)
        sums[i] += terms[i];
}

static Counters find_cost(const Pattern *pattern, uint32_t width, bool shared, bool writes) {
    Counters sum = {.requests = 1, .lanes = WARP_LANES, .bytes = (uint64_t)WARP_LANES * width};
    if (shared) {
        SharedCost cost = pattern_shared(pattern, writes ? ACCESS_STORE : ACCESS_LOAD, width);
        sum.wavefronts = cost.wavefronts;
        sum.wavefronts_ideal = cost.ideal;
        sum.conflicts = cost.conflicts;
        sum.requests = cost.wavefronts != 0;
    } else {
        GlobalCost cost = pattern_global(pattern, width);
        sum.sectors = cost.sectors;
        sum.sectors_ideal = cost.ideal;
        sum.tag_requests = cost.tag_requests;
        sum.bytes_used = cost.bytes_used;
        sum.requests = cost.sectors != 0;
    }
    return sum;
}

/* What an access costs depends on where its first lane is in a line (in shared memory: in a word), how
 * the others lie from there, and what kind of access it is. Accesses of a loop are a few such cases, again
 * and again. (One comparison after the other: as a vector, fields that were just written one by one
 * would have to be waited for.) */
static inline const Counters *cost_at(Worker *worker, const Sweep *sweep, uint64_t offset,
                                      const Elements *elements, bool shared, bool writes) {
    const Pattern *pattern = &sweep->pattern;
    uint64_t place = (pattern->base[0] + offset) & (shared ? BANK_BYTES - 1 : LINE_BYTES - 1);
    uint64_t kind = place << 32 | elements->cost_of >> 8;
    uint64_t hash = sweep->shape + kind * UINT64_C(0x9e3779b97f4a7c15);
    KnownCost *known = &worker->costs[hash >> (64 - KNOWN_COST_BITS)];
    if (known->kind == kind && known->apart == sweep->apart &&
        known->stride[0] == pattern->stride[0] && known->stride[1] == pattern->stride[1])
        return &known->cost;
    Pattern moved = pattern_at(sweep, offset);
    *known = (KnownCost){.kind = kind,
                         .apart = sweep->apart,
                         .stride = {pattern->stride[0], pattern->stride[1]},
                         .cost = find_cost(&moved, elements->count_width, shared, writes)};
    return &known->cost;
}

/* For those that follow: what add reads, as whole vectors, which is how it reads them. */
static inline void keep(Sweep *sweep, uint32_t cost_of, const Counters *cost) {
    typedef uint64_t Part __attribute__((vector_size(32), aligned(8)));
    _Static_assert(offsetof(Counters, constants) <= 3 * sizeof(Part), "what add reads");
    _Static_assert(sizeof(Counters) >= 3 * sizeof(Part), "and no more than there is");
    const Part *from = (const Part *)(const void *)cost;
    Part *to = (Part *)(void *)&sweep->cost;
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
    sweep->cost_of = cost_of;
}

static void record_runs(const Warp *warp, const Code *code, const Pattern *pattern, uint32_t width,
                        bool shared, bool writes) {
    const Worker *worker = warp->worker;
    uint64_t anchor = shared ? 0 : worker->hits[code->site].first;
    evidence_record_runs(worker->evidence, warp, code, pattern, anchor);
    if (!shared)
        touched_add_runs(worker->touched, warp->cta->record, pattern, width, writes);
}

/* false: there is no closed form, and nothing is counted. */
static inline bool count(const Warp *warp, const Code *code, const Elements *elements, Sweep *sweep,
                         bool shared, bool writes) {
    if (warp->counting == COUNT_NOTHING || !elements->cost_of)
        return true;
    Worker *worker = warp->worker;
    const Counters *cost = &sweep->cost;
    if (sweep->cost_of != elements->cost_of) {
        uint64_t offset = (uint64_t)(code->offset + elements->skip + elements->count_skip);
        cost = cost_at(worker, sweep, offset, elements, shared, writes);
        if (!cost->requests)
            return false;
        if (elements->sweep)
            keep(sweep, elements->cost_of, cost);
    }
    add(&worker->sites[code->site].sum, cost, shared);
    if (warp->counting == COUNT_AND_RECORD) {
        uint64_t offset = (uint64_t)(code->offset + elements->skip + elements->count_skip);
        Pattern pattern = pattern_at(sweep, offset);
        record_runs(warp, code, &pattern, elements->count_width, shared, writes);
    }
    return true;
}

/* ---- moving ---- */

#define LOAD(Memory, Register, Wide)                                                               \
    for (uint32_t h = 0; h < 2; h++) {                                                             \
        const uint8_t *from = (const uint8_t *)(host + pattern->base[h]);                          \
        Register *to = (Register *)registers + HALF * h;                                           \
        for (uint32_t l = 0; l < HALF; l++) {                                                      \
            Memory value;                                                                          \
            memcpy(&value, from + (int64_t)l * pattern->stride[h], sizeof value);                  \
            to[l] = (Register)(Wide)value;                                                         \
        }                                                                                          \
    }

#define STORE(Memory, Register)                                                                    \
    for (uint32_t h = 0; h < 2; h++) {                                                             \
        uint8_t *to = (uint8_t *)(host + pattern->base[h]);                                        \
        const Register *from = (const Register *)registers + HALF * h;                             \
        for (uint32_t l = 0; l < HALF; l++) {                                                      \
            Memory value = (Memory)from[l];                                                        \
            memcpy(to + (int64_t)l * pattern->stride[h], &value, sizeof value);                    \
        }                                                                                          \
    }

static inline void splat32(uint32_t *to, const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, sizeof value);
    for (uint32_t l = 0; l < WARP_LANES; l++)
        to[l] = value;
}

static inline void load_one(uintptr_t host, const Pattern *pattern, Move move, void *registers) {
    bool one = pattern->affine;
    int64_t stride = pattern->stride[0];
    switch (move) {
    case MOVE_32:
        if (one && stride == 4)
            memcpy(registers, (const void *)(host + pattern->base[0]), 4 * WARP_LANES);
        else if (one && stride == 0)
            splat32(registers, (const uint8_t *)(host + pattern->base[0]));
        else
            LOAD(uint32_t, uint32_t, uint32_t)
        break;
    case MOVE_64:
        if (one && stride == 8)
            memcpy(registers, (const void *)(host + pattern->base[0]), 8 * WARP_LANES);
        else
            LOAD(uint64_t, uint64_t, uint64_t)
        break;
    case MOVE_U8:
        LOAD(uint8_t, uint32_t, uint32_t)
        break;
    case MOVE_S8:
        LOAD(int8_t, uint32_t, int32_t)
        break;
    case MOVE_U16:
        LOAD(uint16_t, uint32_t, uint32_t)
        break;
    default:
        LOAD(int16_t, uint32_t, int32_t)
        break;
    }
}

static inline void store_one(uintptr_t host, const Pattern *pattern, Move move,
                             const void *registers) {
    bool one = pattern->affine;
    int64_t stride = pattern->stride[0];
    switch (move) {
    case MOVE_32:
        if (one && stride == 4)
            memcpy((void *)(host + pattern->base[0]), registers, 4 * WARP_LANES);
        else
            STORE(uint32_t, uint32_t)
        break;
    case MOVE_64:
        if (one && stride == 8)
            memcpy((void *)(host + pattern->base[0]), registers, 8 * WARP_LANES);
        else
            STORE(uint64_t, uint64_t)
        break;
    case MOVE_U8:
    case MOVE_S8:
        STORE(uint8_t, uint32_t)
        break;
    default:
        STORE(uint16_t, uint32_t)
        break;
    }
}

/* ---- the four kinds ---- */

ALWAYS_INLINE bool try(Warp *warp, const Code *code, bool shared, bool writes) {
    const Elements *elements = code->more;
    const Cta *cta = warp->cta;
    const Worker *worker = warp->worker;
    if (shared ? worker->run->relaid != NULL : worker->run->stored != NULL)
        return false;
    Sweep *sweep = sweep_of(warp, code, elements);
    uint64_t offset = (uint64_t)(code->offset + elements->skip);
    if (!sweep->found)
        return false;
    uintptr_t host = offset;
    if (shared) {
        uint32_t first = worker->program->shared.first;
        if (!sweep_inside(sweep, offset, first, cta->shared_end - first, elements->width))
            return false;
        host += (uintptr_t)cta->shared;
    } else {
        const LastHit *hit = &worker->hits[code->site];
        if (!sweep_inside(sweep, offset, hit->first, hit->bytes, elements->width) ||
            (writes && hit->read_only))
            return false;
    }
    if (!count(warp, code, elements, sweep, shared, writes))
        return false;
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        uintptr_t at = host + i * elements->bytes;
        if (writes)
            store_one(at, &sweep->pattern, elements->move, registers);
        else
            load_one(at, &sweep->pattern, elements->move, registers);
    }
    return true;
}

static Step load_shared(Warp *warp, const Code *code, uint32_t mask) {
    return try(warp, code, true, false) ? STEP_NEXT : load_any(warp, code, mask);
}

static Step load_global(Warp *warp, const Code *code, uint32_t mask) {
    return try(warp, code, false, false) ? STEP_NEXT : load_any(warp, code, mask);
}

static Step store_shared(Warp *warp, const Code *code, uint32_t mask) {
    return try(warp, code, true, true) ? STEP_NEXT : store_any(warp, code, mask);
}

static Step store_global(Warp *warp, const Code *code, uint32_t mask) {
    return try(warp, code, false, true) ? STEP_NEXT : store_any(warp, code, mask);
}

Execute AT_LEVEL(ops_access)(Space space, bool writes) {
    if (space == SPACE_SHARED)
        return writes ? store_shared : load_shared;
    return writes ? store_global : load_global;
}
