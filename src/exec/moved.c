/* Accesses that the memory model does not cost: what is known of them are requests and bytes. */
#include "exec/warp.h"

void moved_count(Warp *warp, const Code *code, const Moved *moved) {
    if (warp->counting == COUNT_NOTHING || code->site == NO_SITE)
        return;
    Counters *counters = &warp->worker->counters[code->site];
    counters->requests++;
    counters->lanes++;
    counters->bytes += moved->bytes;
    counters->unmodelled++;
    counters->global_moved += moved->global;
    counters->shared_moved += moved->shared;
}

void moved_touch(Warp *warp, uint64_t address, uint64_t bytes, bool stored) {
    if (warp->counting == COUNT_AND_RECORD)
        touched_add_bytes(warp->worker->touched, warp->cta->record, address, bytes, stored);
}
