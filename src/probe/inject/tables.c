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

/* NULL: *why. */
static LaunchTable *make_sized(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *launch,
                               uint32_t smaller, const char **why) {
    size_t bytes;
    ProbeTable host = layout(kernel, smaller, &bytes);
    const size_t cells = cells_bytes(&host);
    void *memory = NULL;
    bytes += cells;
    if (probe->table_bytes + bytes > TABLE_BYTES_MOST) {
        *why = "the tables of counted kernels would take more than 256 MiB of the GPU's memory";
        return NULL;
    }
    SanResult result = probe->san.alloc(launch->context, &memory, bytes);
    if (result == 0) {
        result = probe->san.set(memory, 0, bytes, launch->stream_handle);
        if (result)
            probe->san.free(launch->context, memory);
    }
    if (result) {
        *why = sanitizer_text(&probe->san, result);
        return NULL;
    }
    LaunchTable *table = NEW(probe->arena, LaunchTable);
    *table = (LaunchTable){.memory = (char *)memory + cells,
                           .bytes = bytes,
                           .host = host,
                           .keys = malloc(host.slot_limit * sizeof(ProbeKey)),
                           .next = kernel->tables};
    if (!table->keys)
        out_of_memory();
    kernel->tables = table;
    probe->table_bytes += bytes;
    return table;
}

static void give_back(Probe *probe, const LaunchedKernel *kernel, const LaunchTable *table) {
    if (kernel->module->context && context_find(probe, kernel->module->context))
        probe->san.free(kernel->module->context, (char *)table->memory - cells_bytes(&table->host));
    probe->table_bytes -= table->bytes;
    free(table->keys);
}

/* Tables that no launch uses. false: there were none. */
static bool give_idle_back(Probe *probe) {
    const size_t before = probe->table_bytes;
    for (LaunchedKernel *kernel = probe->kernels; kernel; kernel = kernel->next)
        for (LaunchTable **at = &kernel->tables; *at;) {
            LaunchTable *table = *at;
            if (table->busy) {
                at = &table->next;
                continue;
            }
            give_back(probe, kernel, table);
            *at = table->next;
        }
    return probe->table_bytes < before;
}

static LaunchTable *make(Probe *probe, LaunchedKernel *kernel, const SanLaunchData *launch,
                         const char **why) {
    LaunchTable *table = make_sized(probe, kernel, launch, 0, why);
    if (!table && give_idle_back(probe))
        table = make_sized(probe, kernel, launch, 0, why);
    for (uint32_t smaller = 1; !table && smaller <= SMALLER_MOST; smaller++) {
        table = make_sized(probe, kernel, launch, smaller, why);
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

/* From the field `samples` on; the sums of the slots that were used so far. The fields before are written where they change. */
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
    if (!table)
        table = make(probe, kernel, launch, why);
    SanResult result = table ? clear(probe, table, launch, sampled, kernel->dynamic_shared > 0) : 0;
    if (result) {
        *why = sanitizer_text(&probe->san, result);
        return NULL;
    }
    if (table)
        table->busy = true;
    return table;
}

void table_give(LaunchTable *table) {
    table->busy = false;
}

void tables_forget(Probe *probe, LaunchedKernel *kernel) {
    for (const LaunchTable *table = kernel->tables; table; table = table->next)
        give_back(probe, kernel, table);
    kernel->tables = NULL;
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

/* Each copy is waited for: one brings what is known from the last launch to be there, and more are needed for what is new. */
bool table_read(Probe *probe, Arena *arena, LaunchedKernel *kernel, LaunchTable *table,
                SanStream *stream, ProbeLaunch *launch, const char **why) {
    ProbeTable host = table->host;
    const uint32_t known = host.used;
    const size_t size = host.sums + sums_bytes(&host, known);
    char *bytes = arena_alloc(arena, size);
    SanResult result = fetch(probe, bytes, table, 0, size, stream);
    if (result == 0)
        memcpy(&host, bytes, sizeof host);
    if (host.used > host.slot_limit)
        host.used = host.slot_limit;
    uint32_t sample_count = host.samples < host.sample_limit ? host.samples : host.sample_limit;
    uint64_t *sums = arena_alloc(arena, sums_bytes(&host, host.used) + 1);
    ProbeSample *samples = NEW_ARRAY(arena, ProbeSample, sample_count + 1);
    memcpy(sums, bytes + host.sums, sums_bytes(&host, known));
    if (result == 0)
        result = fetch_new(probe, table, &host, known, sums, stream);
    if (result == 0)
        result = fetch(probe, samples, table, host.records, sample_count * sizeof *samples, stream);
    if (result) {
        *why = sanitizer_text(&probe->san, result);
        return false;
    }
    table->host.used = host.used;
    launch->lost = host.lost;
    if (host.dynamic_shared)
        kernel->dynamic_shared = host.dynamic_shared - 1;
    launch->dynamic_shared = kernel->dynamic_shared;
    launch->block_mask = host.block_mask;
    add_slots(arena, kernel, &host, table->keys, sums, launch);
    add_samples(arena, &host, samples, sample_count, launch);
    return true;
}
