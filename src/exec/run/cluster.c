/* Clusters: blocks that run together and see each other's shared memory (PTX ISA: barrier.cluster, mapa,
 * getctarank). The address of a byte of another block's shared memory is its offset there, with the
 * rank of the block, plus one, above CLUSTER_SHIFT; in the generic space it lies in the window of
 * shared memory. What such an access costs is not modelled: docs/decisions/0009-clusters.md. */
#include "exec/decode/operands.h"
#include "exec/run/observe.h"
#include "exec/run/watch.h"

#define OFFSET_MASK ((UINT64_C(1) << CLUSTER_SHIFT) - 1)
#define RANK_MASK (UINT64_C(0xff) << CLUSTER_SHIFT)

Cluster *cluster_new(Worker *worker, uint32_t size) {
    Cluster *cluster = worker->spare_clusters;
    if (cluster)
        worker->spare_clusters = cluster->next;
    else
        cluster = NEW(worker->arena, Cluster);
    *cluster = (Cluster){.size = size, .left = size};
    return cluster;
}

void cluster_leave(Worker *worker, Cta *cta) {
    Cluster *cluster = cta->cluster;
    cluster->blocks[cta->rank] = NULL;
    if (--cluster->left > 0)
        return;
    cluster->next = worker->spare_clusters;
    worker->spare_clusters = cluster;
}

/* ---- the barrier ---- */

static void release_warp(Warp *warp) {
    warp->cluster_arrived = 0;
    warp->spins = 0;
    for (uint32_t p = 0; p < warp->path_count; p++) {
        Path *path = &warp->paths[p];
        if (!path->mask || path->state != PATH_WAITS_CLUSTER)
            continue;
        path->state = PATH_RUNS;
        path->released = true;
    }
    path_join_released(warp);
}

static void release(Cluster *cluster) {
    cluster->arrived = 0;
    const Cta *told = NULL;
    for (uint32_t rank = 0; rank < cluster->size; rank++)
        told = told ? told : cluster->blocks[rank];
    if (told && told->watched)
        watch_cluster_release(told);
    for (uint32_t rank = 0; rank < cluster->size; rank++) {
        Cta *cta = cluster->blocks[rank];
        for (uint32_t i = 0; cta && i < cta->warp_count; i++)
            release_warp(&cta->warps[i]);
    }
}

static bool all_arrived(const Cluster *cluster) {
    for (uint32_t rank = 0; rank < cluster->size; rank++) {
        const Cta *cta = cluster->blocks[rank];
        for (uint32_t i = 0; cta && i < cta->warp_count; i++)
            if (cta->warps[i].live & ~cta->warps[i].cluster_arrived)
                return false;
    }
    return true;
}

/* Threads that arrived and exited are still among those that arrived, so that their number says only
 * when to look. */
void cluster_check(Cluster *cluster) {
    uint64_t live = 0;
    for (uint32_t rank = 0; rank < cluster->size; rank++)
        live += cluster->blocks[rank] ? cluster->blocks[rank]->live_threads : 0;
    if (cluster->arrived >= live && all_arrived(cluster))
        release(cluster);
}

static Step exec_cluster_arrive(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t fresh = mask & ~warp->cluster_arrived;
    warp->cluster_arrived |= fresh;
    warp->cta->cluster->arrived += (uint32_t)__builtin_popcount(fresh);
    if (watched(warp) && fresh)
        watch_event(warp, code, EVENT_CLUSTER_ARRIVE, fresh, 0, 0);
    cluster_check(warp->cta->cluster);
    return STEP_NEXT;
}

/* Lanes that have arrived wait until all have; others did so at an earlier barrier that is over. */
static Step exec_cluster_wait(Warp *warp, const Code *code, uint32_t mask) {
    Path *path = warp->current;
    bool over = path->released || !(warp->cluster_arrived & mask);
    path->released = false;
    if (over && watched(warp))
        watch_event(warp, code, EVENT_CLUSTER_WAIT, mask, 0, 0);
    if (over)
        return STEP_NEXT;
    path->state = PATH_WAITS_CLUSTER;
    return STEP_WAIT;
}

static bool has_path(const Cta *cta, PathState state) {
    for (uint32_t i = 0; i < cta->warp_count; i++) {
        const Warp *warp = &cta->warps[i];
        for (uint32_t p = 0; p < warp->path_count; p++)
            if (warp->paths[p].mask && warp->paths[p].state == state)
                return true;
    }
    return false;
}

bool cluster_awaited(const Cta *cta) {
    const Cluster *cluster = cta->cluster;
    bool can_run = false;
    for (uint32_t rank = 0; rank < cluster->size; rank++)
        can_run |= cluster->blocks[rank] && has_path(cluster->blocks[rank], PATH_RUNS);
    return can_run && has_path(cta, PATH_WAITS_CLUSTER);
}

/* ---- addresses ---- */

/* In machine code the rank stands there as it is, in addresses of the own block, too. */
static uint32_t rank_of(const Warp *warp, uint64_t address) {
    uint32_t bits = (uint32_t)((address & RANK_MASK) >> CLUSTER_SHIFT);
    if (warp->worker->program->function->machine)
        return bits;
    return bits ? bits - 1 : warp->cta->rank;
}

bool cluster_remote(const Warp *warp, uint64_t address) {
    return rank_of(warp, address) != warp->cta->rank;
}

static uint64_t value_at(const Warp *warp, uint32_t offset, uint8_t class, uint32_t lane) {
    return class == 2 ? reg64(warp, offset)[lane] : reg32(warp, offset)[lane];
}

uint64_t cluster_address(const Warp *warp, uint64_t address, uint32_t rank) {
    const uint64_t bits = (uint64_t)rank + !warp->worker->program->function->machine;
    return (address & ~RANK_MASK) | (bits << CLUSTER_SHIFT & RANK_MASK);
}

uint8_t *cluster_memory(const Warp *warp, uint64_t address, uint64_t bytes) {
    const Cluster *cluster = warp->cta->cluster;
    uint64_t offset = address & OFFSET_MASK;
    uint32_t rank = rank_of(warp, address);
    const Cta *cta = rank < cluster->size ? cluster->blocks[rank] : NULL;
    if (address >> CLUSTER_SHIFT > CLUSTER_MOST || !cta ||
        offset < warp->worker->program->shared.first || offset > cta->shared_end ||
        cta->shared_end - offset < bytes)
        return NULL;
    const RelaidArrays *relaid = warp->worker->run->relaid;
    if (relaid && !relaid_range(relaid, &offset, bytes))
        return NULL;
    return cta->shared + offset;
}

static Step exec_mapa(Warp *warp, const Code *code, uint32_t mask) {
    const uint32_t *rank = reg32(warp, code->b);
    for_lanes(lane, mask) {
        uint64_t address =
            cluster_address(warp, value_at(warp, code->a, code->a_class, lane), rank[lane]);
        if (code->d_class == 2)
            reg64(warp, code->d)[lane] = address;
        else
            reg32(warp, code->d)[lane] = (uint32_t)address;
    }
    return STEP_NEXT;
}

static Step exec_getctarank(Warp *warp, const Code *code, uint32_t mask) {
    uint32_t *rank = reg32(warp, code->d);
    for_lanes(lane, mask) {
        rank[lane] = rank_of(warp, value_at(warp, code->a, code->a_class, lane));
    }
    return STEP_NEXT;
}

static Step fault(Warp *warp, const Code *code, uint32_t lane, uint64_t address, uint32_t width,
                  bool writes) {
    const Cluster *cluster = warp->cta->cluster;
    uint32_t rank = rank_of(warp, address);
    const char *what = rank >= cluster->size           ? "which the cluster does not have"
                       : cluster->blocks[rank] == NULL ? "which has ended"
                                                       : "outside of it";
    return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, SPACE_SHARED, address,
                        "%s of %u bytes in the shared memory of the cluster's block %u, %s",
                        writes ? "write" : "read", width, rank, what);
}

Step cluster_needed(Warp *warp, const Code *code, uint32_t lane) {
    if (warp->worker->run->is_clustered)
        return STEP_NEXT;
    return warp_fault(
        warp, code, FAULT_UNSUPPORTED, lane, 0,
        "illegal instruction: a launch without cluster dimensions cannot write to the "
        "shared memory of a cluster");
}

uint8_t *shared_range(Warp *warp, const Code *code, uint32_t lane, uint64_t address, uint64_t bytes,
                      bool writes) {
    uint8_t *place = cluster_memory(warp, address, bytes);
    if (!place && cluster_remote(warp, address))
        fault(warp, code, lane, address, (uint32_t)bytes, writes);
    else if (!place)
        memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, SPACE_SHARED, address & OFFSET_MASK,
                     "out-of-bounds %s of %llu bytes in shared memory", writes ? "write" : "read",
                     (unsigned long long)bytes);
    else
        observe_range(warp, code, SPACE_SHARED, address, bytes, writes);
    if (place && watched(warp))
        watch_range(warp, code, lane, SPACE_SHARED, address & OFFSET_MASK, place, bytes, writes);
    return place;
}

Step cluster_touch(Touch *touch, Warp *warp, const Code *code, uint32_t mask, uint32_t width,
                   bool writes) {
    const Cluster *cluster = warp->cta->cluster;
    for_lanes(lane, mask) {
        uint64_t address = touch->address[lane], offset = address & OFFSET_MASK;
        uint32_t rank = rank_of(warp, address);
        const Cta *cta = rank < cluster->size ? cluster->blocks[rank] : NULL;
        if (address >> CLUSTER_SHIFT > CLUSTER_MOST || !cta ||
            offset < warp->worker->program->shared.base || offset + width > cta->shared_end)
            return fault(warp, code, lane, address, width, writes);
        touch->moved[lane] = (uint64_t)(uintptr_t)cta->shared + offset;
        touch->remote |= cta != warp->cta;
        touch->block[lane] = cta == warp->cta ? BLOCK_OWN : (uint8_t)rank;
        touch->address[lane] = offset;
    }
    touch->pattern = pattern_of(touch->address, mask);
    touch->host = 0;
    touch->place = touch->moved;
    return STEP_NEXT;
}

/* ---- decoding ---- */

bool cluster_decode(Decoding *decoding, const Insn *insn, Code *code) {
    switch (insn->op) {
    case OP_cluster_arrive:
        code->full = code->some = exec_cluster_arrive;
        return true;
    case OP_cluster_wait:
        code->full = code->some = exec_cluster_wait;
        return true;
    case OP_mapa:
        code->b = decode_operand(decoding, &insn->operands[2], &code->b_class);
        code->full = code->some = exec_mapa;
        break;
    case OP_getctarank:
        code->full = code->some = exec_getctarank;
        break;
    default:
        return false;
    }
    code->d = decode_operand(decoding, &insn->operands[0], &code->d_class);
    const Operand *address = &insn->operands[1];
    code->a = decode_operand(decoding, address, &code->a_class);
    if (address->kind == OPERAND_SYMBOL && insn->mods.space == SPACE_GENERIC)
        code->a = decode_value(decoding, code->a_class,
                               WINDOW_SHARED + decode_variable(decoding, address->variable) +
                                   (uint64_t)address->offset);
    return true;
}
