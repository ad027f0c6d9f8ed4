/* Accesses that the memory model does not cost: what is known of them are requests and bytes. */
#include "exec/run/worker.h"

void moved_count(Warp *warp, const Code *code, const Moved *moved) {
    if (warp->counting == COUNT_NOTHING || code->site == NO_SITE)
        return;
    Counters *counters = &warp->worker->sites[code->site].sum;
    counters->requests++;
    counters->lanes += moved->lanes ? moved->lanes : 1;
    counters->bytes += moved->bytes;
    counters->unmodelled++;
    counters->global_moved += moved->global;
    counters->shared_moved += moved->shared;
}

void moved_matrix(Warp *warp, const Code *code, uint32_t line_bytes) {
    if (warp->counting == COUNT_NOTHING || code->site == NO_SITE)
        return;
    Counters *counters = &warp->worker->sites[code->site].sum;
    counters->matrices_plain += line_bytes < 32;
    counters->matrices_swizzle32 += line_bytes == 32;
    counters->matrices_swizzle64 += line_bytes == 64;
    counters->matrices_swizzle128 += line_bytes == 128;
}

void moved_touch(Warp *warp, uint64_t address, uint64_t bytes, bool stored) {
    if (warp->counting == COUNT_AND_RECORD)
        touched_add_bytes(warp->worker->touched, warp->cta->record, address, bytes, stored);
}
