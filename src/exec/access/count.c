/* Where the accesses of a warp come to the worker's account. */
#include "exec/classes/classes.h"
#include "exec/run/caches.h"
#include "exec/run/observe.h"
#include "exec/run/timed.h"
#include "exec/run/worker.h"

void access_count(Warp *warp, const Code *code, const Access *access, const Pattern *pattern) {
    Account *account = &warp->worker->account;
    if (code->site == NO_SITE)
        return;
    observe_access(warp, code, access);
    if (warp->cta->trace)
        caches_access(warp, code, access);
    if (warp->cta->timed)
        timed_access(warp, access);
    if (warp->counting == COUNT_NOTHING)
        return;
    account_cost(account, code->site, access, pattern);
    if (warp->counting != COUNT_AND_RECORD)
        return;
    if (warp->worker->follower)
        follow_record(warp, code->site, access);
    account_record(account, code->site, warp->cta->record, access);
}

void traffic_count(Warp *warp, const Code *code, const Traffic *traffic) {
    if (code->site == NO_SITE)
        return;
    observe_traffic(warp, code, traffic);
    if (warp->counting != COUNT_NOTHING)
        traffic_cost(&warp->worker->account.sites[code->site].sum, traffic);
}

void traffic_touch(Warp *warp, const Code *code, uint64_t address, uint64_t bytes, bool stored) {
    observe_range(warp, code, SPACE_GLOBAL, address, bytes, stored);
    if (warp->counting != COUNT_AND_RECORD)
        return;
    if (warp->worker->follower)
        follow_record_range(warp, address, bytes, stored);
    bytes_range(account_bytes(&warp->worker->account), warp->cta->record, address, bytes, stored);
}

/* ---- where addresses lie ---- */

static bool find(const void *memory, uint64_t address, Extent *extent, uint32_t *number) {
    const MemoryBlock *block = memory_find(memory, address, NULL);
    if (!block)
        return false;
    *extent = (Extent){block->address, block->bytes};
    *number = memory_index(memory, block);
    return true;
}

AddressMap address_map(Arena *arena, const Worker *worker) {
    const Launch *launch = worker->launch;
    const Program *program = worker->program;
    uint32_t count = program->function->shared.count;
    Extent *shared = NEW_ARRAY(arena, Extent, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const Variable *variable = program->function->shared.at[i];
        uint64_t first = shared_address(&program->shared, variable);
        uint64_t end = program->shared.dynamic_at + launch->dynamic_shared;
        shared[i] = (Extent){first, variable->bytes ? variable->bytes : end - first};
    }
    uint64_t period = launch->evidence_period ? launch->evidence_period : ALLOCATION_ALIGN;
    return (AddressMap){.shared = shared,
                        .shared_count = count,
                        .memory = launch->memory,
                        .find = find,
                        .period = period};
}
