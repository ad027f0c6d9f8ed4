/* What an access adds to the counters of its site: here, and nowhere else, the numbers of the memory model
 * get their names. */
#include "account/near.h"
#include "mem/near.h"

static SharedCost shared_cost(const Access *access, const Pattern *pattern) {
    SharedCost cost = {0};
    bool plain = access->kind == ACCESS_LOAD || access->kind == ACCESS_STORE;
    if (pattern && pattern->halves && plain)
        cost = pattern_shared(pattern, access->kind, access->width);
    return cost.wavefronts ? cost : mem_shared(access);
}

static GlobalCost global_cost(const Access *access, const Pattern *pattern) {
    GlobalCost cost = {0};
    if (pattern && pattern->halves)
        cost = pattern_global(pattern, access->width);
    return cost.sectors ? cost : mem_global(access);
}

static void add_wavefronts(Counters *sum, SharedCost cost) {
    sum->wavefronts += cost.wavefronts;
    sum->wavefronts_ideal += cost.ideal;
    sum->conflicts += cost.conflicts;
}

static void add_sectors(Counters *sum, GlobalCost cost) {
    sum->sectors += cost.sectors;
    sum->sectors_ideal += cost.ideal;
    sum->tag_requests += cost.tag_requests;
    sum->bytes_used += cost.bytes_used;
}

/* Of cp.async: what lanes that read nothing name as their source is not read. */
static void add_source(Counters *sum, const Access *access) {
    Access reading = *access;
    reading.mask &= ~access->idle;
    if (reading.mask)
        add_sectors(sum, mem_global(&reading));
}

/* Shared memory of other blocks: loads and stores tell which ones; what atomics cost is not known. */
static void add_remote(Counters *sum, const Access *access) {
    sum->remote++;
    if (!access->block)
        return;
    RemoteCost cost = mem_remote(access);
    sum->remote_sectors += cost.sectors;
    sum->remote_wavefronts += cost.wavefronts;
}

static void add_request(Counters *sum, const Access *access) {
    uint32_t lanes = (uint32_t)__builtin_popcount(access->mask);
    sum->requests++;
    sum->lanes += lanes;
    sum->bytes += lanes * access->width;
}

void near_cost(Counters *sum, const Access *access, uint32_t wavefronts) {
    add_request(sum, access);
    add_wavefronts(sum, mem_near(access, wavefronts));
}

void access_cost(Counters *sum, const Access *access, const Pattern *pattern) {
    add_request(sum, access);
    switch (access->space) {
    case SPACE_GENERIC:
        add_remote(sum, access);
        break;
    case SPACE_SHARED:
        add_wavefronts(sum, shared_cost(access, pattern));
        if (access->source)
            add_source(sum, access);
        break;
    case SPACE_GLOBAL:
        add_sectors(sum, global_cost(access, pattern));
        break;
    case SPACE_LOCAL:
        if (access->generic) /* counted as local, without an ideal and tags: measured on an H200 */
            sum->local_sectors += mem_local(access).sectors;
        else
            add_sectors(sum, mem_local(access));
        break;
    case SPACE_CONST:
        sum->constants += mem_constant(access);
        break;
    default:
        break;
    }
}

void traffic_cost(Counters *sum, const Traffic *traffic) {
    sum->requests++;
    sum->lanes += traffic->lanes ? traffic->lanes : 1;
    sum->bytes += traffic->bytes;
    sum->unmodelled++;
    sum->global_moved += traffic->global;
    sum->shared_moved += traffic->shared;
    sum->copy_sectors += traffic->sectors;
    sum->matrix_wavefronts += traffic->wavefronts;
    sum->matrices_plain += traffic->matrices[0];
    sum->matrices_swizzle32 += traffic->matrices[1];
    sum->matrices_swizzle64 += traffic->matrices[2];
    sum->matrices_swizzle128 += traffic->matrices[3];
}
