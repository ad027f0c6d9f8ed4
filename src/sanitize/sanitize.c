/* Who is told of what: each check hears of what it looks at, if it is on. */
#include "sanitize/state.h"
#include "sanitize/streams.h"

#include <stdlib.h>
#include <string.h>

Sanitizer *sanitizer_new(const SanitizeOptions *options) {
    if (!options->checks)
        return NULL;
    Arena *arena = arena_new();
    Sanitizer *sanitizer = NEW(arena, Sanitizer);
    sanitizer->arena = arena;
    sanitizer->options = *options;
    sanitizer->launch_arena = arena_new();
    sanitizer->places = map_new(sanitizer->launch_arena);
    if (wants(sanitizer, CHECK_races))
        sanitizer->races = race_watch_new(sanitizer);
    if (wants(sanitizer, CHECK_races))
        sanitizer->streams = streams_new();
    if (wants(sanitizer, CHECK_memory))
        sanitizer->heap = heap_watch_new();
    sanitizer->known = known_new();
    return sanitizer;
}

void sanitizer_free(Sanitizer *sanitizer) {
    if (!sanitizer)
        return;
    race_watch_free(sanitizer->races);
    streams_free(sanitizer->streams);
    known_free(sanitizer->known);
    heap_watch_free(sanitizer->heap);
    arena_free(sanitizer->launch_arena);
    arena_free(sanitizer->arena);
}

Sanitizer *sanitizer_of_launches(Sanitizer *sanitizer) {
    return sanitizer && sanitize_kernels(&sanitizer->options) ? sanitizer : NULL;
}

bool sanitize_streams(const Sanitizer *sanitizer) {
    return sanitizer->streams != NULL;
}

const SanitizeOptions *sanitizer_options(const Sanitizer *sanitizer) {
    return &sanitizer->options;
}

void sanitize_launch_begin(Sanitizer *sanitizer, const WatchedLaunch *launch) {
    arena_clear(sanitizer->launch_arena);
    memset(&sanitizer->found, 0, sizeof sanitizer->found);
    sanitizer->stopped = false;
    sanitizer->places = map_new(sanitizer->launch_arena);
    sanitizer->blocks = sanitizer->spare = NULL;
    sanitizer->launch = *launch;
    if (sanitizer->races)
        race_watch_launch(sanitizer->races);
}

void sanitize_launch_end(Sanitizer *sanitizer) {
    sanitizer->blocks = sanitizer->spare = NULL;
}

WatchedBlock *sanitize_block_begin(Sanitizer *sanitizer, const BlockShape *shape) {
    WatchedBlock *block = sanitizer->spare;
    if (block)
        sanitizer->spare = block->next;
    else
        block = NEW(sanitizer->launch_arena, WatchedBlock);
    block->sanitizer = sanitizer;
    block->shape = *shape;
    block->next = sanitizer->blocks;
    sanitizer->blocks = block;
    block->race = NULL;
    if (sanitizer->races)
        race_watch_begin(sanitizer->races, block);
    if (wants(sanitizer, CHECK_init))
        init_begin(block);
    sync_begin(block);
    copies_begin(block);
    mbarriers_begin(block);
    return block;
}

void sanitize_block_end(WatchedBlock *block) {
    Sanitizer *sanitizer = block->sanitizer;
    if (sanitizer->races)
        race_watch_end(sanitizer->races, block);
    WatchedBlock **at = &sanitizer->blocks;
    while (*at != block)
        at = &(*at)->next;
    *at = block->next;
    block->next = sanitizer->spare;
    sanitizer->spare = block;
}

bool sanitize_access(const WatchedAccess *access) {
    bool unset = false;
    const Sanitizer *sanitizer = access->by.block->sanitizer;
    if (access->array_end > access->array_first && wants(sanitizer, CHECK_memory))
        arrays_access(access);
    if (sanitizer->heap)
        heap_access(sanitizer->heap, access);
    if (wants(sanitizer, CHECK_init))
        unset = init_access(access);
    if (wants(sanitizer, CHECK_sync)) {
        copies_access(access);
        mbarriers_access(access);
    }
    if (sanitizer->races)
        race_watch_access(sanitizer->races, access);
    if (sanitizer->streams && streams_busy(sanitizer->streams))
        streams_access(sanitizer->streams, access);
    return unset && access->follows;
}

bool sanitize_run(const WatchedRun *run) {
    const Sanitizer *sanitizer = run->by.block->sanitizer;
    if (run->array_end > run->array_first && wants(sanitizer, CHECK_memory) && !arrays_run(run))
        return false;
    if (sanitizer->heap && !heap_run(sanitizer->heap, run))
        return false;
    if (run->by.block->copies && run->space == SPACE_SHARED && wants(sanitizer, CHECK_sync))
        return false;
    if (wants(sanitizer, CHECK_sync) && !mbarriers_run(run))
        return false;
    if (wants(sanitizer, CHECK_init) && !init_run(run))
        return false;
    if (sanitizer->races)
        race_watch_run(sanitizer->races, run);
    if (sanitizer->streams && streams_busy(sanitizer->streams))
        streams_run(sanitizer->streams, run);
    return true;
}

void sanitize_range(const WatchedRange *range) {
    const Sanitizer *sanitizer = range->by.block->sanitizer;
    if (wants(sanitizer, CHECK_init))
        init_range(range);
    if (sanitizer->races && range->by.insn != NONE) /* what the runtime writes is no access */
        race_watch_range(sanitizer->races, range);
    if (sanitizer->streams && streams_busy(sanitizer->streams) && range->space == SPACE_GLOBAL)
        streams_range(sanitizer->streams, range->address, range->bytes, range->ways & ACCESS_WRITES,
                      range->by.insn);
}

void sanitize_event(const WatchedEvent *event) {
    const Sanitizer *sanitizer = event->by.block->sanitizer;
    if (event->kind == EVENT_FENCE && event->scope == SCOPE_SYS && sanitizer->streams)
        streams_talk(sanitizer->streams);
    if (wants(sanitizer, CHECK_sync)) {
        sync_event(event);
        copies_event(event);
        mbarriers_event(event);
    }
    if (sanitizer->races && event->kind != EVENT_NOT_NAMED)
        race_watch_event(sanitizer->races, event);
}

static void allocated(Sanitizer *sanitizer, uint64_t address, uint64_t bytes, bool known) {
    if (!known && wants(sanitizer, CHECK_init))
        known_add(sanitizer->known, address, bytes);
    if (sanitizer->races)
        race_watch_allocated(sanitizer->races, address, bytes);
}

void sanitize_allocated(Sanitizer *sanitizer, uint64_t address, uint64_t bytes, bool known) {
    if (sanitizer->heap)
        heap_gone(sanitizer->heap, address, bytes);
    allocated(sanitizer, address, bytes, known);
}

void sanitize_heap_allocated(const Agent *by, const WatchedHeap *heap, uint64_t address,
                             uint64_t bytes) {
    Sanitizer *sanitizer = by->block->sanitizer;
    allocated(sanitizer, address, bytes, false);
    if (sanitizer->heap)
        heap_allocated(sanitizer->heap, by, heap, address, bytes);
}

void sanitize_heap_released(const Agent *by, uint64_t address) {
    Sanitizer *sanitizer = by->block->sanitizer;
    if (sanitizer->heap)
        heap_released(sanitizer->heap, by, address);
    sanitize_released(sanitizer, address);
}

void sanitize_released(Sanitizer *sanitizer, uint64_t address) {
    known_remove(sanitizer->known, address);
}

void sanitize_written(Sanitizer *sanitizer, uint64_t address, uint64_t bytes) {
    known_write(sanitizer->known, address, bytes);
}

void sanitize_copied(Sanitizer *sanitizer, uint64_t to, uint64_t from, uint64_t bytes) {
    known_copy(sanitizer->known, to, from, bytes);
}
