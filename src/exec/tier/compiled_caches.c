/* What compiled code asks of the caches. It says where each batch of accesses lies (Frame.note); how the lines of a batch lie
 * depends on the place of its base within a line alone, so they are found once for each such place. */
#include "exec/run/caches.h"
#include "exec/run/worker.h"
#include "exec/tier/tier.h"

/* [PLACES], of each batch; NULL: it was not executed yet. */
typedef struct AskedPlace {
    CacheGroup *group; /* NULL: it asks for nothing */
    bool known;
} AskedPlace;

struct AskedGroups {
    const CompiledCode *compiled;
    AskedPlace **batches;
};

static CacheGroup *find_group(Worker *worker, const Batch *batch, uint64_t base) {
    const CompiledCode *compiled = worker->counted;
    CachePattern **patterns = NEW_ARRAY(worker->arena, CachePattern *, batch->count + 1);
    uint32_t count = 0;
    for (uint32_t m = 0; m < batch->count; m++) {
        const Code *code = &worker->program->code[compiled->members[batch->first + m]];
        uint64_t address[WARP_LANES];
        const Access access = batch_access(compiled, code, batch, base, address);
        CachePattern *pattern =
            access.width ? caches_pattern(worker, worker->arena, code, &access, base / LINE_BYTES)
                         : NULL;
        if (pattern)
            patterns[count++] = pattern;
    }
    return group_new(worker->arena, patterns, count);
}

static AskedPlace *make_place(Worker *worker, uint32_t number, uint64_t base) {
    if (!worker->asked)
        worker->asked = NEW(worker->arena, AskedGroups);
    AskedGroups *asked = worker->asked;
    if (asked->compiled != worker->counted) {
        asked->compiled = worker->counted;
        asked->batches = NEW_ARRAY(worker->arena, AskedPlace *, worker->counted->batch_count + 1);
    }
    AskedPlace **batch = &asked->batches[number];
    if (!*batch)
        *batch = NEW_ARRAY(worker->arena, AskedPlace, PLACES);
    AskedPlace *place = &(*batch)[base % PLACES];
    if (!place->known)
        *place = (AskedPlace){find_group(worker, &worker->counted->batches[number], base), true};
    return place;
}

__attribute__((noinline)) static void ask_first(Worker *worker, uint32_t number, uint64_t base) {
    const AskedPlace *place = make_place(worker, number, base);
    if (place->group)
        trace_group(worker->last->cta->trace, worker->last->number, place->group,
                    base / LINE_BYTES);
}

void compiled_ask(Worker *worker, uint32_t number, uint64_t base) {
    const AskedGroups *asked = worker->asked;
    const AskedPlace *batch =
        asked && asked->compiled == worker->counted ? asked->batches[number] : NULL;
    if (!batch || !batch[base % PLACES].known) {
        ask_first(worker, number, base);
        return;
    }
    CacheGroup *group = batch[base % PLACES].group;
    if (group)
        trace_group(worker->last->cta->trace, worker->last->number, group, base / LINE_BYTES);
}
