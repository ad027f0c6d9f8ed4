/* What the sums of a slot are called in a profile. On the GPU an access is told without its machine code being known: what
 * depends on that is decided here. */
#include "probe/slot.h"

enum { CAS_PASSES = 2 };

static void add_sectors(Counters *sum, const uint64_t at[4]) {
    sum->sectors += at[0];
    sum->sectors_ideal += at[1];
    sum->tag_requests += at[2];
    sum->bytes_used += at[3];
}

static void add_wavefronts(Counters *sum, uint64_t wavefronts, uint64_t ideal, uint64_t groups) {
    sum->wavefronts += wavefronts;
    sum->wavefronts_ideal += ideal;
    sum->conflicts += wavefronts - groups;
}

static void add_atomic(Counters *sum, AccessKind kind, const uint64_t at[4]) {
    const uint64_t turns = at[0], words = at[1], ideal = at[2], groups = at[3];
    switch (kind) {
    case ACCESS_ATOMIC_POPC:
        add_wavefronts(sum, words, ideal, groups);
        break;
    case ACCESS_ATOMIC_CAS:
        add_wavefronts(sum, CAS_PASSES * turns, CAS_PASSES * ideal, groups);
        break;
    case ACCESS_ATOMIC_CAST:
        add_wavefronts(sum, CAS_PASSES * groups, CAS_PASSES * ideal, CAS_PASSES * groups);
        break;
    default:
        add_wavefronts(sum, turns, ideal, groups);
    }
}

/* Those of a request are counted once, at one part of it. */
static void add_requests(Counters *sum, const ProbeKey *key, const uint64_t sums[PROBE_SUMS]) {
    sum->requests += sums[0];
    sum->lanes += sums[1];
    sum->bytes += sums[1] * key->width;
}

/* As traffic_cost of account/; how the matrices of wgmma are laid out is not told on the GPU. */
static void add_moved(Counters *sum, const uint64_t sums[PROBE_SUMS]) {
    sum->requests += sums[0];
    sum->unmodelled += sums[0];
    sum->lanes += sums[1];
    sum->bytes += sums[2];
    sum->global_moved += sums[3];
    sum->shared_moved += sums[4];
}

void slot_counters(Counters *sum, const ProbeKey *key, AccessKind kind,
                   const uint64_t sums[PROBE_SUMS]) {
    if (key->part == PROBE_MOVED) {
        add_moved(sum, sums);
        return;
    }
    const bool cg = kind == ACCESS_CP_ASYNC_CG;
    if (cg != (key->part == PROBE_COPY_CG) && (cg || key->part == PROBE_COPY_CG))
        return;
    if (key->part != PROBE_SOURCE)
        add_requests(sum, key, sums);
    switch (key->part) {
    case PROBE_GLOBAL:
    case PROBE_LOCAL:
    case PROBE_SOURCE:
        add_sectors(sum, &sums[2]);
        break;
    case PROBE_ATOMIC:
        add_atomic(sum, kind, &sums[2]);
        break;
    case PROBE_COPY_CG:
        add_wavefronts(sum, sums[2], sums[3], sums[2]);
        add_sectors(sum, &sums[4]);
        break;
    case PROBE_REMOTE:
        sum->remote += sums[0];
        break;
    default:
        add_wavefronts(sum, sums[2], sums[3], sums[4]);
    }
}
