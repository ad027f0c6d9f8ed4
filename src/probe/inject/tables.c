/* Tables on the GPU: made for the first launch of a kernel, used again by the next; one for each launch that runs at a time. Where memory is
 * short, those that no launch uses are given back, and then new ones are smaller. */
#include "probe/inject/inject.h"

#include <stdlib.h>
#include <string.h>

enum {
    SAMPLES_OF_SLOT = 32,
    SAMPLES_LEAST = 512,
    SAMPLES_MOST = 4096,
    SMALLER_MOST = 4, /* times that a table is halved */
    BLOCKS_SAMPLED = 16,
    SLOTS_MORE = 64,
    CELLS_LEAST = 256,
    CELLS_MOST = 1 << 17,
    SUMS_BYTES = 4 << 20, /* of all copies: fewer where there are many instructions */
    ALIGNED = 256
};

static uint32_t power_up(uint64_t least, uint32_t from, uint32_t most) {
    uint32_t power = from;
    while (power < least && power < most)
        power *= 2;
    return power;
}

/* ---- making ---- */

static uint32_t place(size_t *end, size_t bytes) {
    uint32_t at = (uint32_t)*end;
    *end += (bytes + ALIGNED - 1) & ~(size_t)(ALIGNED - 1);
    return at;
}

static uint64_t foreign_insts(const LaunchedKernel *kernel) {
    uint64_t bytes = 0;
    for (uint32_t i = 1; i < kernel->functions.count; i++)
        bytes += kernel->functions.at[i].size;
    return bytes >> PROBE_INSN_SHIFT;
}

static size_t cells_bytes(const ProbeTable *table) {
    return ((size_t)table->cell_mask + 1) * sizeof(ProbeCell);
}

/* bytes: behind the cells. A slot for each instruction, since any may access memory; few have several parts. smaller: how often what
 * is not needed is halved, the copies of sums and the samples. */
static ProbeTable layout(const LaunchedKernel *kernel, uint32_t smaller, size_t *bytes) {
    const uint64_t insts = kernel->functions.at[0].size >> PROBE_INSN_SHIFT,
                   slots = insts + SLOTS_MORE + foreign_insts(kernel);
    ProbeTable table = {.cell_mask = power_up(2 * slots, CELLS_LEAST, CELLS_MOST) - 1};
    const uint32_t limit = table.cell_mask / 2;
    table.slot_limit = slots < limit ? (uint32_t)slots : limit;
    table.copies = PROBE_COPIES_MOST;
    while (table.copies > 1 &&
           (uint64_t)table.slot_limit * table.copies * PROBE_SUMS * sizeof(uint64_t) > SUMS_BYTES)
        table.copies /= 2;
    table.copies = table.copies >> smaller ? table.copies >> smaller : 1;
    table.sample_limit =
        power_up((uint64_t)table.slot_limit * 4, SAMPLES_LEAST, SAMPLES_MOST) >> smaller;
    table.sample_most = SAMPLES_OF_SLOT;
    size_t end = 0;
    place(&end, sizeof table);
    table.sampled = place(&end, table.slot_limit * sizeof(uint32_t));
    table.sums =
        place(&end, (size_t)table.slot_limit * table.copies * PROBE_SUMS * sizeof(uint64_t));
    table.keys = place(&end, table.slot_limit * sizeof(ProbeKey));
    table.records = place(&end, table.sample_limit * sizeof(ProbeSample));
    *bytes = end;
    return table;
}

static size_t bytes_of_device(const Probe *probe, uint32_t device) {
    size_t bytes = 0;
    for (const WatchedContext *context = probe->contexts; context; context = context->next)
        bytes += context->device == device ? context->table_bytes : 0;
    return bytes;
}

/* Without the lock. */
static SanResult allocate(Probe *probe, const SanLaunchData *launch, size_t bytes, void **memory) {
    SanResult result = probe->san.alloc(launch->context, memory, bytes);
    if (result)
        return result;
    result = probe->san.set(*memory, 0, bytes, launch->stream_handle);
    if (result)
        probe->san.free(launch->context, *memory);
    return result;
}

/* It is busy. NULL: *why. */
static LaunchTable *make_sized(Probe *probe, LaunchedKernel *kernel, WatchedContext *context,
                               const SanLaunchData *launch, uint32_t smaller, const char **why) {
    size_t bytes;
    ProbeTable host = layout(kernel, smaller, &bytes);
    const size_t cells = cells_bytes(&host);
    void *memory = NULL;
    bytes += cells;
    if (bytes_of_device(probe, context->device) + bytes > TABLE_BYTES_MOST) {
        *why = "the tables of counted kernels would take more than 256 MiB of the GPU's memory";
        return NULL;
    }
    context->table_bytes += bytes;
    probe_unlock(probe);
    SanResult result = allocate(probe, launch, bytes, &memory);
    probe_lock(probe);
    if (result) {
        context->table_bytes -= bytes;
        *why = sanitizer_text(&probe->san, result);
        return NULL;
    }
    LaunchTable *table = NEW(probe->arena, LaunchTable);
    *table = (LaunchTable){.context = context,
                           .memory = (char *)memory + cells,
                           .bytes = bytes,
                           .host = host,
                           .keys = malloc(host.slot_limit * sizeof(ProbeKey)),
                           .busy = true,
                           .next = kernel->tables};
    if (!table->keys)
        out_of_memory();
    kernel->tables = table;
    return table;
}

/* Those that no launch uses go to *idle, in front of what is there. */
static void take_idle(LaunchedKernel *kernel, LaunchTable **idle) {
    for (LaunchTable **at = &kernel->tables; *at;) {
        LaunchTable *table = *at;
        if (table->busy) {
            at = &table->next;
            continue;
        }
        *at = table->next;
        table->next = *idle;
        *idle = table;
    }
}

/* Tables that are in no list any more. */
static void give_back(Probe *probe, LaunchTable *tables) {
    for (LaunchTable *table = tables, *next; table; table = next) {
        CudaContext *handle = table->context->handle;
        next = table->next;
        free(table->keys);
        probe_unlock(probe);
        if (handle) /* else it went with its context */
            probe->san.free(handle, (char *)table->memory - cells_bytes(&table->host));
        probe_lock(probe);
        table->context->table_bytes -= table->bytes;
    }
}

/* Tables of the context, which this thread is in a call for: others may be about to go. false: there were none. */
static bool give_idle_back(Probe *probe, const WatchedContext *context) {
    LaunchTable *idle = NULL;
    for (LaunchedKernel *kernel = probe->kernels; kernel; kernel = kernel->next)
        if (kernel->module->context == context->handle)
            take_idle(kernel, &idle);
    give_back(probe, idle);
    return idle;
}

static LaunchTable *make(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *launch,
                         const char **why) {
    WatchedContext *context = context_find(probe, launch->context);
    if (!context) {
        *why = "nothing told of its context";
        return NULL;
    }
    LaunchTable *table = make_sized(probe, kernel, context, launch, 0, why);
    if (!table && give_idle_back(probe, context))
        table = make_sized(probe, kernel, context, launch, 0, why);
    for (uint32_t smaller = 1; !table && smaller <= SMALLER_MOST; smaller++) {
        table = make_sized(probe, kernel, context, launch, smaller, why);
        if (table && !probe->told_smaller)
            probe_message(probe,
                          "the GPU's memory is short (%s): tables are made smaller, so that "
                          "there are fewer samples of addresses; counts stay exact",
                          *why);
        probe->told_smaller |= table != NULL;
    }
    return table;
}

/* ---- for a launch ---- */

static size_t sums_bytes(const ProbeTable *table, uint32_t slots) {
    return (size_t)slots * table->copies * PROBE_SUMS * sizeof(uint64_t);
}

static uint32_t block_mask(const uint32_t grid[3]) {
    uint64_t blocks = (uint64_t)grid[0] * grid[1] * grid[2], step = 1;
    while (blocks / step > BLOCKS_SAMPLED && step < UINT64_C(1) << 31)
        step *= 2;
    return (uint32_t)(step - 1);
}

/* From the field `samples` on; the sums of the slots that were used so far. The fields before are written where they change. Without the lock. */
static SanResult clear(Probe *probe, LaunchTable *table, const SanLaunchData *launch, bool sampled,
                       bool dynamic) {
    char *memory = table->memory;
    const size_t from = offsetof(ProbeTable, samples), fixed = offsetof(ProbeTable, used);
    const bool asked =
        sampled || dynamic; /* its dynamic shared memory is asked of the first block */
    uint32_t mask = sampled ? block_mask(launch->grid) : asked ? UINT32_MAX : 0;
    uint32_t value = asked ? 0 : 1, most = sampled ? SAMPLES_OF_SLOT : 0;
    SanResult result = 0;
    if (!table->written || table->host.block_mask != mask || table->host.block_value != value ||
        table->host.sample_most != most) {
        table->host.sample_most = most;
        table->host.block_mask = mask;
        table->host.block_value = value;
        result = probe->san.to_device(memory, &table->host, fixed, launch->stream_handle);
        table->written = true;
    }
    size_t to = table->host.sums + sums_bytes(&table->host, table->host.used);
    if (result == 0)
        result = probe->san.set(memory + from, 0, to - from, launch->stream_handle);
    return result;
}

LaunchTable *table_take(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *launch,
                        bool sampled, const char **why) {
    LaunchTable *table = kernel->tables;
    while (table && table->busy)
        table = table->next;
    if (table)
        table->busy = true;
    else
        table = make(probe, kernel, launch, why);
    if (!table)
        return NULL;
    bool dynamic = kernel->dynamic_shared > 0;
    probe_unlock(probe);
    SanResult result = clear(probe, table, launch, sampled, dynamic);
    probe_lock(probe);
    if (result) {
        *why = sanitizer_text(&probe->san, result);
        table_give(probe, table);
        return NULL;
    }
    return table;
}

void table_give(Probe *probe, LaunchTable *table) {
    table->busy = false;
    if (table->forgotten)
        give_back(probe, table);
}

void tables_forget(Probe *probe, LaunchedKernel *kernel) {
    LaunchTable *idle = NULL;
    take_idle(kernel, &idle);
    for (LaunchTable *table = kernel->tables, *next; table; table = next) {
        next = table->next;
        table->forgotten = true;
        table->next = NULL;
    }
    kernel->tables = NULL;
    give_back(probe, idle);
}

/* ---- reading ---- */

static SanResult fetch(Probe *probe, void *to, const LaunchTable *table, size_t from, size_t bytes,
                       SanStream *stream) {
    return bytes ? probe->san.to_host(to, (char *)table->memory + from, bytes, stream) : 0;
}

/* Which of the functions has the instruction, and where. */
static void locate(const LaunchedKernel *kernel, ProbeSlot *slot) {
    enum { HALF_KEY = 1 << 29, WINDOW = 1 << 30 }; /* a cell's key has 30 bits of the place */
    const uint64_t code = kernel->functions.at[0].pc >> PROBE_INSN_SHIFT;
    uint64_t away = ((slot->key.cell >> 2) - code + HALF_KEY) % WINDOW;
    uint64_t pc = (code + away - HALF_KEY) << PROBE_INSN_SHIFT;
    slot->function = NONE;
    slot->offset = pc;
    for (uint32_t i = 0; i < kernel->functions.count; i++) {
        const WatchedFunction *function = &kernel->functions.at[i];
        if (pc - function->pc < function->size) {
            slot->function = i;
            slot->offset = pc - function->pc;
            return;
        }
    }
}

static void add_slots(Arena *arena, const LaunchedKernel *kernel, const ProbeTable *table,
                      const ProbeKey *keys, const uint64_t *sums, ProbeLaunch *launch) {
    for (uint32_t i = 0; i < table->used; i++) {
        ProbeSlot *slot = vec_add(arena, &launch->slots);
        *slot = (ProbeSlot){.key = keys[i]};
        locate(kernel, slot);
        for (uint32_t copy = 0; copy < table->copies; copy++)
            for (uint32_t k = 0; k < PROBE_SUMS; k++)
                slot->sums[k] += sums[((size_t)i * table->copies + copy) * PROBE_SUMS + k];
    }
}

static void add_samples(Arena *arena, const ProbeTable *table, const ProbeSample *samples,
                        uint32_t count, ProbeLaunch *launch) {
    for (uint32_t i = 0; i < count; i++)
        if (samples[i].mask && samples[i].slot < table->used)
            *vec_add(arena, &launch->samples) = samples[i];
}

/* What lies behind `known` of the sums and keys of a launch: instructions that were executed for the first time. */
static SanResult fetch_new(Probe *probe, const LaunchTable *table, const ProbeTable *host,
                           uint32_t known, uint64_t *sums, SanStream *stream) {
    const size_t before = sums_bytes(host, known), all = sums_bytes(host, host->used);
    SanResult result =
        fetch(probe, (char *)sums + before, table, host->sums + before, all - before, stream);
    return result ? result
                  : fetch(probe, table->keys + known, table, host->keys + known * sizeof(ProbeKey),
                          (host->used - known) * sizeof(ProbeKey), stream);
}

/* What a launch has left. */
typedef struct TableRead {
    ProbeTable host;
    uint64_t *sums;
    ProbeSample *samples;
    uint32_t sample_count;
} TableRead;

/* Each copy is waited for: one brings what is known from the last launch to be there, and more are needed for what is new. Without the lock. */
static SanResult fetch_all(Probe *probe, Arena *arena, const LaunchTable *table, SanStream *stream,
                           TableRead *read) {
    ProbeTable *host = &read->host;
    *host = table->host;
    const uint32_t known = host->used;
    const size_t size = host->sums + sums_bytes(host, known);
    char *bytes = arena_alloc(arena, size);
    SanResult result = fetch(probe, bytes, table, 0, size, stream);
    if (result)
        return result;
    memcpy(host, bytes, sizeof *host);
    if (host->used > host->slot_limit)
        host->used = host->slot_limit;
    read->sample_count = host->samples < host->sample_limit ? host->samples : host->sample_limit;
    read->sums = arena_alloc(arena, sums_bytes(host, host->used) + 1);
    read->samples = NEW_ARRAY(arena, ProbeSample, read->sample_count + 1);
    memcpy(read->sums, bytes + host->sums, sums_bytes(host, known));
    result = fetch_new(probe, table, host, known, read->sums, stream);
    return result ? result
                  : fetch(probe, read->samples, table, host->records,
                          read->sample_count * sizeof *read->samples, stream);
}

bool table_read(Probe *probe, Arena *arena, LaunchedKernel *kernel, LaunchTable *table,
                SanStream *stream, ProbeLaunch *launch, const char **why) {
    TableRead read;
    probe_unlock(probe);
    SanResult result = fetch_all(probe, arena, table, stream, &read);
    probe_lock(probe);
    if (result) {
        *why = sanitizer_text(&probe->san, result);
        return false;
    }
    table->host.used = read.host.used;
    launch->lost = read.host.lost;
    if (read.host.dynamic_shared)
        kernel->dynamic_shared = read.host.dynamic_shared - 1;
    launch->dynamic_shared = kernel->dynamic_shared;
    launch->block_mask = read.host.block_mask;
    add_slots(arena, kernel, &read.host, table->keys, read.sums, launch);
    add_samples(arena, &read.host, read.samples, read.sample_count, launch);
    return true;
}
