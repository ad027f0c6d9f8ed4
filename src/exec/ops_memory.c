/* The fast path of loads and stores: all lanes active, and their addresses a run - or one in each
 * half-warp - of constant stride, which is what most accesses of most kernels are. Bounds, counts and
 * the moves themselves then follow from base and stride. Whatever is not so goes to load_store.c, which
 * gives the same results and counts. Built once for each level of the processor (ops.cmake). */
#include "exec/load_store.h"
#include "exec/ops.h"

#include <string.h>

enum { HALF = WARP_LANES / 2 };

/* ---- recognising runs ----
 * No early exit, so that the loops become a few vector instructions. */

static inline bool runs32(const uint32_t *a, uint32_t offset, Pattern *pattern) {
    uint32_t stride0 = a[1] - a[0], stride1 = a[HALF + 1] - a[HALF], differs = 0;
    for (uint32_t l = 0; l < HALF; l++)
        differs |= (a[l] ^ (a[0] + l * stride0)) | (a[HALF + l] ^ (a[HALF] + l * stride1));
    pattern->base[0] = (uint32_t)(a[0] + offset);
    pattern->base[1] = (uint32_t)(a[HALF] + offset);
    pattern->stride[0] = (int32_t)stride0;
    pattern->stride[1] = (int32_t)stride1;
    pattern->affine = stride0 == stride1 && a[HALF] - a[HALF - 1] == stride0;
    pattern->halves = true;
    return differs == 0;
}

static inline bool runs64(const uint64_t *a, uint64_t offset, Pattern *pattern) {
    uint64_t stride0 = a[1] - a[0], stride1 = a[HALF + 1] - a[HALF], differs = 0;
    uint64_t next0 = a[0], next1 = a[HALF];
    for (uint32_t l = 0; l < HALF; l++) {
        differs |= (a[l] ^ next0) | (a[HALF + l] ^ next1);
        next0 += stride0;
        next1 += stride1;
    }
    pattern->base[0] = a[0] + offset;
    pattern->base[1] = a[HALF] + offset;
    pattern->stride[0] = (int64_t)stride0;
    pattern->stride[1] = (int64_t)stride1;
    pattern->affine = stride0 == stride1 && a[HALF] - a[HALF - 1] == stride0;
    pattern->halves = true;
    return differs == 0;
}

static inline bool runs_of(const Warp *warp, const Code *code, uint32_t skip, Pattern *pattern) {
    if (code->a_class == 1)
        return runs32(reg32(warp, code->a), (uint32_t)code->offset + skip, pattern);
    return runs64(reg64(warp, code->a), (uint64_t)code->offset + skip, pattern);
}

/* ---- bounds ---- */

/* Every lane's bytes lie in [first, first + bytes), aligned. A run that wraps around the address space
 * has an end below its base and a span that no memory has. */
static inline bool runs_inside(const Pattern *pattern, uint64_t first, uint64_t bytes,
                               uint32_t width) {
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (uint32_t h = 0; h < 2; h++) {
        uint64_t base = pattern->base[h];
        uint64_t end = base + (HALF - 1) * (uint64_t)pattern->stride[h];
        low = base < low ? base : low;
        low = end < low ? end : low;
        high = base > high ? base : high;
        high = end > high ? end : high;
        bits |= base | (uint64_t)pattern->stride[h];
        uint64_t step =
            (uint64_t)(pattern->stride[h] < 0 ? -pattern->stride[h] : pattern->stride[h]);
        if (step > bytes)
            return false;
    }
    return low >= first && bytes >= width && high - first <= bytes - width && !(bits & (width - 1));
}

/* ---- counts ---- */

static inline bool count(Worker *worker, const Code *code, const Pattern *at,
                         const Elements *elements, bool shared, bool writes) {
    Counters *counters = &worker->counters[code->site];
    uint32_t width = elements->count_width;
    if (!worker->counting || !width)
        return true;
    Pattern moved = *at;
    const Pattern *pattern = at;
    if (elements->count_skip) {
        moved.base[0] += (uint64_t)(int64_t)elements->count_skip;
        moved.base[1] += (uint64_t)(int64_t)elements->count_skip;
        pattern = &moved;
    }
    if (shared) {
        SharedCost cost;
        if (!pattern_shared(pattern, writes ? ACCESS_STORE : ACCESS_LOAD, width, &cost))
            return false;
        counters->wavefronts += cost.wavefronts;
        counters->wavefronts_ideal += cost.ideal;
        counters->conflicts += cost.conflicts;
    } else {
        GlobalCost cost;
        if (!pattern_global(pattern, width, &cost))
            return false;
        counters->sectors += cost.sectors;
        counters->sectors_ideal += cost.ideal;
        counters->tag_requests += cost.tag_requests;
        counters->bytes_used += cost.bytes_used;
    }
    counters->requests++;
    counters->lanes += WARP_LANES;
    counters->bytes += WARP_LANES * width;
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

static inline bool try(Warp *warp, const Code *code, bool shared, bool writes) {
    const Elements *elements = code->more;
    const Cta *cta = warp->cta;
    Worker *worker = warp->worker;
    Pattern pattern;
    if (cta->recorded || worker->run->relaid || worker->run->stored ||
        !runs_of(warp, code, elements->skip, &pattern))
        return false;
    uintptr_t host = 0;
    if (shared) {
        uint32_t first = worker->program->shared_first;
        if (!runs_inside(&pattern, first, cta->shared_end - first, elements->width))
            return false;
        host = (uintptr_t)cta->shared;
    } else {
        const LastHit *hit = &worker->hits[code->site];
        if (!runs_inside(&pattern, hit->first, hit->bytes, elements->width) ||
            (writes && hit->read_only))
            return false;
    }
    if (!count(worker, code, &pattern, elements, shared, writes))
        return false;
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        uintptr_t at = host + i * elements->bytes;
        if (writes)
            store_one(at, &pattern, elements->move, registers);
        else
            load_one(at, &pattern, elements->move, registers);
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
