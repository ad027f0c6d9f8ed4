/* Atomics of 32-bit integers in the block's own shared memory: histograms, counters, queues. Addresses and bounds
 * are looked at for all lanes at once; the words change lane by lane. What is special goes to atomic.c, which gives
 * the same results and counts. Built once for each level of the processor (ops.cmake). */
#include "account/near.h"
#include "exec/access/atomic.h"
#include "exec/access/ops_addresses.h"
#include "exec/access/ops_near.h"

static const uint32_t ones[WARP_LANES] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                          1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* What the lanes do: to the words at `host` + address, with b and c; what was there goes to d. */
typedef struct WordChange {
    uintptr_t host;
    const uint64_t *address;
    const uint32_t *b, *c;
    uint32_t *d;
} WordChange;

/* expression: what the word holds then, of `old`, b and c. */
#define EACH(expression)                                                                           \
    {                                                                                              \
        for_lanes(lane, mask) {                                                                    \
            uint32_t *at = (uint32_t *)(change->host + change->address[lane]);                     \
            const uint32_t old = *at, b = change->b[lane], c = change->c[lane];                    \
            const uint32_t now = (expression);                                                     \
            (void)c;                                                                               \
            *at = now;                                                                             \
            change->d[lane] = old;                                                                 \
            changed |= now ^ old;                                                                  \
        }                                                                                          \
        break;                                                                                     \
    }

/* As atomic.c's combine. Returns whether a word has changed. */
static bool apply(Func func, bool is_signed, const WordChange *change, uint32_t mask) {
    uint32_t changed = 0;
    switch (func) {
    case FUNC_ADD:
        EACH(old + b)
    case FUNC_MIN:
        if (is_signed)
            EACH((int32_t)b < (int32_t)old ? b : old)
        EACH(b < old ? b : old)
    case FUNC_MAX:
        if (is_signed)
            EACH((int32_t)old < (int32_t)b ? b : old)
        EACH(old < b ? b : old)
    case FUNC_AND:
        EACH(old & b)
    case FUNC_OR:
        EACH(old | b)
    case FUNC_XOR:
        EACH(old ^ b)
    case FUNC_INC:
        EACH(old >= b ? 0 : old + 1)
    case FUNC_DEC:
        EACH(old == 0 || old > b ? b : old - 1)
    case FUNC_CAS:
        EACH(old == b ? c : old)
    default: /* FUNC_EXCH */
        EACH(b)
    }
    return changed != 0;
}

/* Of what the hardware does itself in one pass; 0: not known. */
static uint32_t find_wavefronts(const Access *access) {
    return access->kind == ACCESS_ATOMIC_POPC ? spread_wavefronts(access->address, access->mask)
           : access->kind == ACCESS_ATOMIC    ? lanes_on_bank(access->address, access->mask)
                                              : 0;
}

static void count(Account *account, uint32_t site, const Access *access) {
    const uint32_t wavefronts = find_wavefronts(access);
    if (wavefronts)
        near_cost(&account->sites[site].sum, access, wavefronts);
    else
        account_cost(account, site, access, NULL);
}

static Step shared_atomic(Warp *warp, const Code *code, uint32_t mask) {
    const Atomic *atomic = code->more;
    uint64_t address[WARP_LANES];
    uint32_t aside[WARP_LANES];
    const Room room = shared_room(warp);
    if (warp->worker->run->slow_shared || warp->counting == COUNT_AND_RECORD)
        return exec_atomic(warp, code, mask);
    find_addresses(warp, code, (uint64_t)code->offset, address);
    if (!all_inside(address, mask, &room, sizeof(uint32_t)))
        return exec_atomic(warp, code, mask);
    const WordChange change = {.host = room.host,
                               .address = address,
                               .b = code->b == NO_OPERAND ? ones : reg32(warp, code->b),
                               .c = code->c == NO_OPERAND ? ones : reg32(warp, code->c),
                               .d = atomic->returns ? reg32(warp, code->d) : aside};
    const bool changed = apply(atomic->func, type_is_signed(atomic->type), &change, mask);
    warp->activity->deeds += changed;
    const Access access = {.kind = atomic->lowered->kind,
                           .space = SPACE_SHARED,
                           .width = sizeof(uint32_t),
                           .mask = atomic_lanes(atomic, mask),
                           .no_change = atomic_leaves(atomic, changed),
                           .address = address};
    if (warp->counting != COUNT_NOTHING)
        count(&warp->worker->account, code->site, &access);
    return warp_spins(warp);
}

Execute AT_LEVEL(ops_shared_atomic)(void) {
    return shared_atomic;
}
