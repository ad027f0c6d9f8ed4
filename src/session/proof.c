/* The proof of another layout or storage: the kernel runs again with it, its code untouched
 * (exec/access/relayout.c). All memory of the device must hold the same bytes then, and the
 * accesses cost as much as promised. */
#include "session/session.h"

#include <string.h>

/* ---- memory ---- */

void snapshot_take(Snapshot *to, const Memory *memory) {
    for (uint32_t i = 0; i < memory_count(memory); i++) {
        const MemoryBlock *block = memory_at(memory, i);
        *vec_add(to->arena, &to->blocks) = *block;
        *vec_add(to->arena, &to->copies) =
            arena_copy(to->arena, memory_host(memory, block->address), block->bytes);
        to->bytes += block->bytes;
    }
}

/* The block as it is now; NULL: it is not what it was. */
static const MemoryBlock *same_block(const Memory *memory, const MemoryBlock *was) {
    const MemoryBlock *is = memory_find(memory, was->address, NULL);
    return is && is->address == was->address && is->bytes == was->bytes ? is : NULL;
}

uint64_t snapshot_differ(const Snapshot *snapshot, const Memory *memory) {
    uint64_t differ = 0;
    for (uint32_t i = 0; i < snapshot->blocks.count; i++) {
        const MemoryBlock *block = &snapshot->blocks.at[i];
        const char *was = snapshot->copies.at[i], *is = memory_host(memory, block->address);
        if (block->bytes && !same_block(memory, block))
            return snapshot->bytes;
        for (uint64_t b = 0; b < block->bytes; b++)
            differ += is[b] != was[b];
    }
    return differ;
}

void snapshot_restore(const Snapshot *snapshot, Memory *memory) {
    for (uint32_t i = 0; i < snapshot->blocks.count; i++) {
        const MemoryBlock *block = &snapshot->blocks.at[i];
        if (block->bytes && same_block(memory, block))
            memcpy(memory_host(memory, block->address), snapshot->copies.at[i], block->bytes);
    }
}

/* ---- counts ---- */

/* cp.async is left out: it has evidence of its own kind. A generic access is its addresses'
 * memory's. */
static bool is_in(const Site *site, const Counters *counters, SiteSpace space) {
    return space == SITE_SHARED ? site->space == SITE_SHARED
                                : site->op != SITE_CP_ASYNC && site_in(site, counters, space);
}

static uint64_t made_requests(const Profile *profile, uint32_t launch, SiteSpace space) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    uint64_t sum = 0;
    for (uint32_t s = 0; s < kernel->site_count; s++)
        if (is_in(&profile->sites.at[kernel->first_site + s], &record->counters[s], space))
            sum += record->counters[s].requests;
    return sum;
}

bool launch_is_complete(const Profile *profile, uint32_t launch, SiteSpace space) {
    uint64_t recorded = 0;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        SiteSpace in = profile->sites.at[pattern->site].space;
        if (pattern->launch != launch)
            continue;
        if (space == SITE_SHARED ? in == SITE_SHARED : pattern->space == space && !pattern->source)
            recorded += pattern->count;
    }
    return recorded == made_requests(profile, launch, space);
}

Counters launch_counters(const Profile *profile, uint32_t launch, SiteSpace space) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    Counters sum = {0};
    for (uint32_t s = 0; s < kernel->site_count; s++)
        if (site_in(&profile->sites.at[kernel->first_site + s], &record->counters[s], space))
            counters_add(&sum, &record->counters[s]);
    return sum;
}

bool proof_holds(const Proof *proof) {
    return !proof->faulted && proof->differ == 0 &&
           (!proof->complete || proof->after == proof->promised);
}
