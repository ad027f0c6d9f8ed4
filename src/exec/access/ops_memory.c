/* The fast path of loads and stores: all lanes active, and their addresses a run - or one in each
 * half-warp - of constant stride, which is what most accesses of most kernels are. Bounds, counts and
 * the moves themselves then follow from base and stride. Whatever is not so goes to ops_scattered.c, which
 * gives the same results and counts. Built once for each level of the processor (ops.cmake). */
#include "exec/access/load_store.h"
#include "exec/lanes/ops.h"
#include "exec/lanes/words.h"
#include "exec/run/unset.h"
#include "exec/run/watch.h"

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
    Pattern *pattern = &sweep->runs.pattern;
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
    runs_shape(&sweep->runs);
    sweep->cost_of[0] = sweep->cost_of[1] = 0;
    sweep->seen = warp_entered(warp);
}

/* The register as the access finds it: often another one has looked at it. What lasts is not believed within compiled
 * code, which enters basic blocks without saying so. */
static inline Sweep *sweep_of(Warp *warp, const Code *code, const Elements *elements) {
    Sweep *sweep = &warp->sweeps[elements->sweep];
    bool known = elements->lasting
                     ? (warp->lasting & elements->lasting) && warp->entered == warp->executed
                     : elements->follows && sweep->seen == warp_entered(warp);
    if (!known) {
        look_at(sweep, warp, code);
        warp->lasting |= elements->lasting;
    }
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

static inline void add(Counters *restrict sum, const Counters *restrict cost) {
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        sum->at[i] += cost->at[i];
}

static void record(const Warp *warp, const Code *code, const Elements *elements, const Sweep *sweep,
                   uint64_t offset, bool writes) {
    Worker *worker = warp->worker;
    Access access = {.kind = writes ? ACCESS_STORE : ACCESS_LOAD,
                     .space = code->space,
                     .width = elements->count_width,
                     .mask = FULL_MASK};
    Pattern pattern = sweep->runs.pattern;
    pattern.base[0] += offset;
    pattern.base[1] += offset;
    account_record_runs(&worker->account, code->site, warp->cta->record, &access, &pattern,
                        worker->hits[code->site].first);
}

static inline void count(const Warp *warp, const Code *code, const Elements *elements, Sweep *sweep,
                         bool shared, bool writes) {
    if (warp->counting == COUNT_NOTHING || !elements->cost_of)
        return;
    Account *account = &warp->worker->account;
    uint64_t offset = (uint64_t)(code->offset + elements->skip + elements->count_skip);
    const Counters *cost = &sweep->cost[writes];
    if (sweep->cost_of[writes] != elements->cost_of) {
        cost = known_cost(account->known, &sweep->runs, offset, elements->cost_of / LINE_BYTES,
                          shared);
        if (elements->sweep) { /* for those that follow */
            sweep->cost[writes] = *cost;
            sweep->cost_of[writes] = elements->cost_of;
        }
    }
    add(&account->sites[code->site].sum, cost);
    if (warp->counting == COUNT_AND_RECORD)
        record(warp, code, elements, sweep, offset, writes);
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
    default:
        BY_LOAD(move, LOAD)
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
    default:
        BY_STORE(move, STORE)
        break;
    }
}

/* Vectors of two or four words, lane beside lane: what a lane has of them lies together in memory, what the
 * lanes have of one word in a register. */
enum { LANES_AT_ONCE = 4 };

static inline void load_quads(const Warp *warp, const Elements *elements, const uint8_t *from) {
    for (uint32_t l = 0; l < WARP_LANES; l += LANES_AT_ONCE) {
        Words word[4];
        for (uint32_t i = 0; i < 4; i++)
            word[i] = words_at(from + (l + i) * sizeof(Words));
        turn_words(word);
        for (uint32_t i = 0; i < 4; i++)
            put_words(reg32(warp, elements->cell[i].offset) + l, word[i]);
    }
}

static inline void store_quads(const Warp *warp, const Elements *elements, uint8_t *to) {
    for (uint32_t l = 0; l < WARP_LANES; l += LANES_AT_ONCE) {
        Words word[4];
        for (uint32_t i = 0; i < 4; i++)
            word[i] = words_at(reg32(warp, elements->cell[i].offset) + l);
        turn_words(word);
        for (uint32_t i = 0; i < 4; i++)
            put_words(to + (l + i) * sizeof(Words), word[i]);
    }
}

static inline void load_pairs(const Warp *warp, const Elements *elements, const uint8_t *from) {
    for (uint32_t l = 0; l < WARP_LANES; l += LANES_AT_ONCE) {
        const Words one = words_at(from + l * 8), other = words_at(from + l * 8 + sizeof(Words));
        put_words(reg32(warp, elements->cell[0].offset) + l, PICK(one, other, 0, 2, 4, 6));
        put_words(reg32(warp, elements->cell[1].offset) + l, PICK(one, other, 1, 3, 5, 7));
    }
}

static inline void store_pairs(const Warp *warp, const Elements *elements, uint8_t *to) {
    for (uint32_t l = 0; l < WARP_LANES; l += LANES_AT_ONCE) {
        const Words one = words_at(reg32(warp, elements->cell[0].offset) + l);
        const Words other = words_at(reg32(warp, elements->cell[1].offset) + l);
        put_words(to + l * 8, PICK(one, other, 0, 4, 1, 5));
        put_words(to + l * 8 + sizeof(Words), PICK(one, other, 2, 6, 3, 7));
    }
}

/* false: it is no such vector, or not lane beside lane. */
static inline bool move_words(const Warp *warp, const Elements *elements, const Pattern *pattern,
                              uintptr_t host, bool writes) {
    const uint32_t count = elements->count;
    if ((count != 4 && count != 2) || elements->move != MOVE_32 || elements->bytes != 4 ||
        !pattern->affine || pattern->stride[0] != (int64_t)count * 4)
        return false;
    void *at = (void *)(host + pattern->base[0]);
    if (count == 4 && writes)
        store_quads(warp, elements, at);
    else if (count == 4)
        load_quads(warp, elements, at);
    else if (writes)
        store_pairs(warp, elements, at);
    else
        load_pairs(warp, elements, at);
    return true;
}

/* All elements of all lanes; the pattern's addresses, and `host`, are those in this process's memory. */
ALWAYS_INLINE void move_runs(const Warp *warp, const Elements *elements, const Pattern *pattern,
                             uintptr_t host, bool writes) {
    if (move_words(warp, elements, pattern, host, writes))
        return;
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        uintptr_t at = host + i * elements->bytes;
        if (writes)
            store_one(at, pattern, elements->move, registers);
        else
            load_one(at, pattern, elements->move, registers);
    }
}

/* ---- the four kinds ---- */

ALWAYS_INLINE bool move(Warp *warp, const Code *code, bool shared, bool writes, bool tells) {
    const Elements *elements = code->more;
    const Cta *cta = warp->cta;
    const Worker *worker = warp->worker;
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
    if (tells)
        watch_run(warp, code, &sweep->runs.pattern, offset, host - offset, writes);
    count(warp, code, elements, sweep, shared, writes);
    move_runs(warp, elements, &sweep->runs.pattern, host, writes);
    return true;
}

void AT_LEVEL(ops_move)(const Warp *warp, const Elements *elements, const Pattern *pattern,
                        uintptr_t host, bool writes) {
    move_runs(warp, elements, pattern, host, writes);
}

/* In a launch that is looked at, and nothing else about it is special; but not what may wait for others. */
#define TOLD(name, shared, writes)                                                                 \
    static __attribute__((noinline)) Step name(Warp *warp, const Code *code, uint32_t mask) {      \
        const Elements *elements = code->more;                                                     \
        const Worker *worker = warp->worker;                                                       \
        const bool tells = worker->run->tells && !worker->follower && !elements->spins;            \
        if (tells && move(warp, code, shared, writes, true))                                       \
            return unset_step(warp);                                                               \
        return code->some(warp, code, mask);                                                       \
    }
TOLD(told_load_shared, true, false)
TOLD(told_load_global, false, false)
TOLD(told_store_shared, true, true)
TOLD(told_store_global, false, true)

static Step load_shared(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_shared)
        return told_load_shared(warp, code, mask);
    return move(warp, code, true, false, false) ? loaded(warp, code) : code->some(warp, code, mask);
}

/* Also of constant memory, which lies in allocations, too. */
static Step load_global(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_global)
        return told_load_global(warp, code, mask);
    return move(warp, code, false, false, false) ? loaded(warp, code)
                                                 : code->some(warp, code, mask);
}

static Step store_shared(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_shared)
        return told_store_shared(warp, code, mask);
    return move(warp, code, true, true, false) ? STEP_NEXT : code->some(warp, code, mask);
}

static Step store_global(Warp *warp, const Code *code, uint32_t mask) {
    if (warp->worker->run->slow_global)
        return told_store_global(warp, code, mask);
    return move(warp, code, false, true, false) ? STEP_NEXT : code->some(warp, code, mask);
}

Execute AT_LEVEL(ops_access)(Space space, bool writes) {
    if (space == SPACE_SHARED)
        return writes ? store_shared : load_shared;
    return writes ? store_global : load_global;
}
