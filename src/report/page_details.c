/* The details of a launch: how it ran, what lies in shared memory, what its accesses cost by
 * operation and memory; findings follow (page_findings.c). */
#include "report/page.h"

#include <inttypes.h>

/* ---- launch ---- */

static const char *blocks_words(Arena *arena, const LaunchRecord *record) {
    if (record->blocks_counted)
        return arena_printf(arena, "%s, %s counted", words_count(arena, record->blocks_run),
                            words_count(arena, record->blocks_counted));
    if (record->representatives)
        return arena_printf(arena, "%s, by %s that ran", words_count(arena, record->blocks),
                            words_count(arena, record->representatives));
    return arena_printf(arena, "%s of %s%s", words_count(arena, record->blocks_run),
                        words_count(arena, record->blocks), status_words(record->status));
}

const char *words_children(Arena *arena, const LaunchView *view) {
    const LaunchRecord *record = view->record;
    const char *by = record->launched_by == view->number
                         ? ""
                         : arena_printf(arena, " by launch %u", record->launched_by);
    return arena_printf(arena, "%s launch%s from the device%s, at depth %u",
                        words_count(arena, record->launches), record->launches == 1 ? "" : "es", by,
                        record->depth);
}

/* What runs on the GPU where this PTX was executed. */
static const char *words_machine(Arena *arena, const ProfModule *module, bool counted) {
    if (module->no_ptx && !counted)
        return "the same; there is no PTX";
    if (!module->machine)
        return "what its driver compiles";
    return arena_printf(arena, "machine code for %s%s", module->machine,
                        module->nearest ? ", whose own PTX is not there" : "");
}

static void print_items(const Report *report, const LaunchView *view) {
    Arena *arena = report->arena;
    const LaunchRecord *record = view->record;
    const ProfModule *module = &report->profile->modules.at[view->kernel->module];
    uint64_t threads = (uint64_t)record->block[0] * record->block[1] * record->block[2];
    const bool machine = view->kernel->machine_code;
    uint64_t fixed = 0;
    for (uint32_t i = 0; i < view->kernel->shared.count; i++)
        fixed += view->kernel->shared.at[i].dynamic ? 0 : view->kernel->shared.at[i].bytes;
    struct {
        const char *name, *value;
    } items[] = {
        {"grid", text_shape(arena, record->grid)},
        {"GPU", text_gpu(arena, record)},
        {record->ran_on ? "counted on"
         : machine      ? "machine code"
                        : "PTX executed",
         record->ran_on ? record->ran_on : arena_printf(arena, "for %s", module->target)},
        {"on the GPU", words_machine(arena, module, record->ran_on)},
        {"block", arena_printf(arena, "%s (%s warp%s)", text_shape(arena, record->block),
                               words_count(arena, (threads + 31) / 32), threads > 32 ? "s" : "")},
        {"registers", view->kernel->registers
                          ? arena_printf(arena, "%u a thread", view->kernel->registers)
                          : "not known (needs ptxas)"},
        {"blocks run", blocks_words(arena, record)},
        {"shared memory",
         arena_printf(arena, "%s B static, %s B dynamic", words_count(arena, fixed),
                      words_count(arena, record->dynamic_shared))},
        {machine ? "thread insts" : "PTX thread insts",
         record->ran_on ? "not counted" : words_count(arena, record->thread_insts)},
        {machine ? "warp insts" : "PTX warp insts",
         record->ran_on
             ? "not counted"
             : arena_printf(arena, "%s (%s lanes active)", words_count(arena, record->warp_insts),
                            words_ratio(arena, record->thread_insts, record->warp_insts))},
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i += 2) {
        fprintf(report->out, "  ");
        text_print(report, STYLE_DIM, arena_printf(arena, "%-20s", items[i].name));
        text_print(report, STYLE_PLAIN, arena_printf(arena, "%-26s", items[i].value));
        text_print(report, STYLE_DIM, arena_printf(arena, "%-18s", items[i + 1].name));
        text_print(report, STYLE_PLAIN, items[i + 1].value);
        fputc('\n', report->out);
    }
    print_machine_facts(report, view);
    if (record->ran_on && record->wall_seconds > 0)
        text_wrap(report, 2, STYLE_PLAIN,
                  arena_printf(arena, "It takes %s where nothing is counted",
                               words_duration(arena, record->wall_seconds)));
    if (record->repeats)
        text_wrap(report, 2, STYLE_PLAIN,
                  arena_printf(arena, "Counted once: %s launches read the same bytes",
                               words_count(arena, record->repeats + 1)));
    if (record->range)
        text_wrap(report, 2, STYLE_PLAIN, arena_printf(arena, "range: %s", record->range));
    if (record->launches)
        text_wrap(report, 2, STYLE_PLAIN,
                  arena_printf(arena, "Sums of %s", words_children(arena, view)));
}

static const char *scaled(Arena *arena, const LaunchView *view, uint64_t counted) {
    return words_count(arena, view_whole((double)counted * view->scale + 0.5));
}

static void print_extrapolated(const Report *report, const LaunchView *view) {
    Arena *arena = report->arena;
    const char *text = arena_printf(arena,
                                    "All counts below are of the blocks that ran. Extrapolated to "
                                    "the grid (x %.1f): %s thread instructions",
                                    view->scale, scaled(arena, view, view->record->thread_insts));
    if (view->shared.wavefronts)
        text = arena_printf(arena, "%s, %s shared wavefronts", text,
                            scaled(arena, view, view->shared.wavefronts));
    if (view->global.sectors)
        text = arena_printf(arena, "%s, %s global sectors", text,
                            scaled(arena, view, view->global.sectors));
    text_wrap(report, 2, STYLE_WARM, arena_printf(arena, "%s.", text));
}

static void print_launch(const Report *report, const LaunchView *view) {
    Arena *arena = report->arena;
    const LaunchRecord *record = view->record;
    text_title(report, "Launch %u: %s%s", view->number, text_kernel(report, view->kernel, true),
               status_words(record->status));
    text_wrap(report, 2, STYLE_DIM, text_kernel(report, view->kernel, false));
    if (record->fault) {
        text_print(report, STYLE_HOT,
                   "  The launch ended with a fault; counts are of what ran before it.");
        fputc('\n', report->out);
        text_wrap(report, 4, STYLE_PLAIN, record->fault);
    }
    print_items(report, view);
    if (view->scale != 1)
        print_extrapolated(report, view);
    if (!record->gpu_measured)
        text_wrap(
            report, 2, STYLE_WARM,
            arena_printf(
                arena,
                "The counting rules were measured on an H100 and an H200, not on this GPU (%s).",
                record->gpu));
}

/* ---- shared memory ---- */

static void map_row(const Report *report, Table *table, const LaunchView *view,
                    const SharedVariable *variable) {
    Arena *arena = report->arena;
    uint32_t bytes = variable->dynamic ? view->record->dynamic_shared : variable->bytes;
    uint32_t first = variable->offset / BANK_BYTES % BANKS;
    uint32_t words = (bytes + variable->offset % BANK_BYTES + BANK_BYTES - 1) / BANK_BYTES;
    bool all = words >= BANKS;
    table_row(table);
    table_cell(table, STYLE_PLAIN,
               report->options->mangled && variable->symbol ? variable->symbol
                                                            : name_last(variable->name));
    table_cell(table, STYLE_PLAIN, words_count(arena, variable->offset));
    table_cell(table, STYLE_PLAIN, words_count(arena, bytes));
    table_cell(table, STYLE_PLAIN,
               variable->element_bytes ? arena_printf(arena, "%u", variable->element_bytes) : "-");
    table_cell(table, STYLE_PLAIN, bytes ? arena_printf(arena, "%u", first) : "-");
    table_cell(table, STYLE_PLAIN,
               bytes ? arena_printf(arena, "%u", (first + words - 1) % BANKS) : "-");
    table_cell(table, STYLE_DIM, all ? "all banks" : "");
}

static void print_map(const Report *report, const LaunchView *view) {
    static const Column columns[] = {
        {.head = "variable", .left = true, .flexible = true},
        {.head = "offset"},
        {.head = "bytes"},
        {.head = "access"},
        {.head = "first bank"},
        {.head = "last bank"},
        {.head = "", .left = true, .optional = true},
    };
    const ProfKernel *kernel = view->kernel;
    if (!kernel->shared.count)
        return;
    text_title(report, "Map of shared memory");
    Table *table = table_new(report->arena, columns, sizeof columns / sizeof *columns);
    for (int dynamic = 0; dynamic < 2; dynamic++) /* the dynamic array lies behind the others */
        for (uint32_t i = 0; i < kernel->shared.count; i++)
            if (kernel->shared.at[i].dynamic == dynamic)
                map_row(report, table, view, &kernel->shared.at[i]);
    table_print(table, report, 2);
}

/* Operations as the tables of the page divide them. */
typedef struct Operation {
    const char *name;
    uint32_t ops;  /* set of 1 << SiteOp */
    uint32_t uses; /* of local memory: set of 1 << LocalUse; 0: whatever it is used for */
} Operation;

static const Operation shared_operations[] = {
    {"loads", 1 << SITE_LOAD, 0},
    {"stores", 1 << SITE_STORE, 0},
    {"atomics", 1 << SITE_ATOMIC | 1 << SITE_REDUCTION, 0},
    {"ldmatrix", 1 << SITE_LDMATRIX, 0},
    {"stmatrix", 1 << SITE_STMATRIX, 0},
    {"cp.async", 1 << SITE_CP_ASYNC, 0},
    {"all", UINT32_MAX, 0},
};

static const Operation global_operations[] = {
    {"loads", 1 << SITE_LOAD, 0},
    {"stores", 1 << SITE_STORE, 0},
    {"atomics", 1 << SITE_ATOMIC | 1 << SITE_REDUCTION, 0},
    {"cp.async", 1 << SITE_CP_ASYNC, 0},
    {"all", UINT32_MAX, 0},
};

static const Operation local_operations[] = {
    {"loads", 1 << SITE_LOAD, 1 << LOCAL_NONE},
    {"stores", 1 << SITE_STORE, 1 << LOCAL_NONE},
    {"array loads", 1 << SITE_LOAD, 1 << LOCAL_ARRAY},
    {"array stores", 1 << SITE_STORE, 1 << LOCAL_ARRAY},
    {"spill loads", 1 << SITE_LOAD, 1 << LOCAL_SPILL},
    {"spill stores", 1 << SITE_STORE, 1 << LOCAL_SPILL},
    {"loads of calls", 1 << SITE_LOAD, 1 << LOCAL_CALL},
    {"stores of calls", 1 << SITE_STORE, 1 << LOCAL_CALL},
    {"all", UINT32_MAX, 0},
};

static Counters sum_of(const Report *report, const LaunchView *view, SiteSpace space,
                       const Operation *operation) {
    Counters sum = {0};
    for (uint32_t i = 0; i < view->kernel->site_count; i++) {
        const Site *site = &report->profile->sites.at[view->kernel->first_site + i];
        if (operation->uses && !(operation->uses >> site->local_use & 1))
            continue;
        if (operation->ops >> site->op & 1 && site_in(site, &view->record->counters[i], space))
            counters_add(&sum, &view->record->counters[i]);
    }
    return sum;
}

static void print_shared(const Report *report, const LaunchView *view) {
    static const char per_request[] = "per request";
    static const Column columns[] = {
        {.head = "operation", .left = true},
        {.head = "requests"},
        {.head = "wavefronts"},
        {.head = "ideal"},
        {.head = "excess"},
        {.head = "N-way"},
        {.group = per_request, .head = "wavefronts"},
        {.group = per_request, .head = "ideal"},
    };
    Arena *arena = report->arena;
    if (!view->shared.requests)
        return;
    text_title(report, "Shared memory");
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < sizeof shared_operations / sizeof *shared_operations; i++) {
        Counters sum = sum_of(report, view, SITE_SHARED, &shared_operations[i]);
        if (!sum.requests)
            continue;
        table_row(table);
        table_cell(table, STYLE_PLAIN, shared_operations[i].name);
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.requests));
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.wavefronts));
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.wavefronts_ideal));
        table_cell(table, STYLE_PLAIN, words_count(arena, counters_excess_wavefronts(&sum)));
        table_cell(table, STYLE_PLAIN, words_ratio(arena, sum.wavefronts, sum.wavefronts_ideal));
        table_cell(table, STYLE_PLAIN, words_ratio(arena, sum.wavefronts, sum.requests));
        table_cell(table, STYLE_PLAIN, words_ratio(arena, sum.wavefronts_ideal, sum.requests));
    }
    table_print(table, report, 2);
    text_wrap(report, 2, STYLE_DIM,
              "N-way is wavefronts / ideal wavefronts: a perfect 16-byte load takes 4 wavefronts a "
              "request and is 1-way. Nsight Compute's N-way is wavefronts per request.");
}

static void conflict_row(const Report *report, Table *table, const LaunchView *view,
                         const char *name, uint32_t ops, const char *metric) {
    Operation operation = {name, ops, 0};
    Counters sum = sum_of(report, view, SITE_SHARED, &operation);
    table_row(table);
    table_cell(table, STYLE_PLAIN, name);
    table_cell(table, STYLE_PLAIN, words_count(report->arena, sum.conflicts));
    table_cell(table, STYLE_PLAIN, words_percent(report->arena, sum.conflicts, sum.wavefronts));
    table_cell(table, STYLE_DIM, metric);
}

static void print_conflicts(const Report *report, const LaunchView *view) {
    static const Column columns[] = {
        {.head = "bank conflicts", .left = true},
        {.head = "sum"},
        {.head = "of wavefronts"},
        {.head = "in Nsight Compute", .left = true},
    };
    if (!view->shared.requests)
        return;
    fputc('\n', report->out);
    Table *table = table_new(report->arena, columns, sizeof columns / sizeof *columns);
    conflict_row(report, table, view, "loads", 1 << SITE_LOAD | 1 << SITE_LDMATRIX,
                 "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum");
    conflict_row(report, table, view, "stores", 1 << SITE_STORE | 1 << SITE_STMATRIX,
                 "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
    table_print(table, report, 2);
    Operation copies = {"cp.async", 1 << SITE_CP_ASYNC, 0};
    if (sum_of(report, view, SITE_SHARED, &copies).requests)
        text_wrap(report, 2, STYLE_DIM,
                  "cp.async is in neither: for cp.async.cg the hardware counter reads 0, however "
                  "many wavefronts the copies take.");
}

/* ---- global, local and constant memory ---- */

static void print_sectors(const Report *report, const LaunchView *view, SiteSpace space,
                          const char *title, const Operation *operations, size_t count) {
    static const char per_request[] = "per request";
    static const Column columns[] = {
        {.head = "operation", .left = true},
        {.head = "requests"},
        {.head = "sectors"},
        {.head = "ideal"},
        {.head = "excess"},
        {.group = per_request, .head = "sectors"},
        {.group = per_request, .head = "ideal"},
        {.head = "bytes/sector"},
        {.head = "tag requests"},
    };
    Arena *arena = report->arena;
    if (!sum_of(report, view, space, &(Operation){"all", UINT32_MAX, 0}).requests)
        return;
    text_title(report, "%s", title);
    Table *table = table_new(arena, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        Counters sum = sum_of(report, view, space, &operations[i]);
        if (!sum.requests)
            continue;
        table_row(table);
        table_cell(table, STYLE_PLAIN, operations[i].name);
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.requests));
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.sectors));
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.sectors_ideal));
        table_cell(table, STYLE_PLAIN, words_count(arena, counters_excess_sectors(&sum)));
        table_cell(table, STYLE_PLAIN, words_ratio(arena, sum.sectors, sum.requests));
        table_cell(table, STYLE_PLAIN, words_ratio(arena, sum.sectors_ideal, sum.requests));
        table_cell(table, STYLE_PLAIN, words_ratio(arena, sum.bytes_used, sum.sectors));
        table_cell(table, STYLE_PLAIN, words_count(arena, sum.tag_requests));
    }
    table_print(table, report, 2);
    if (space == SITE_GLOBAL)
        text_wrap(report, 2, STYLE_DIM,
                  "bytes/sector: how many of a sector's 32 bytes the request used. tag requests: "
                  "128-byte lines.");
}

static void print_constant(const Report *report, const LaunchView *view) {
    Operation loads = {"loads", UINT32_MAX, 0};
    Counters sum = sum_of(report, view, SITE_CONST, &loads);
    if (!sum.requests)
        return;
    text_title(report, "Constant memory");
    text_wrap(report, 2, STYLE_PLAIN,
              arena_printf(report->arena,
                           "%s requests to %s distinct addresses, %s a request; 1 would do, as "
                           "lanes that read different addresses take turns",
                           words_count(report->arena, sum.requests),
                           words_count(report->arena, sum.constants),
                           words_ratio(report->arena, sum.constants, sum.requests)));
}

/* ---- what is known by requests and bytes alone ---- */

static bool is_copy(const Site *site) {
    return site->op == SITE_COPY;
}

static bool is_wgmma(const Site *site) {
    return site->op == SITE_WGMMA;
}

static bool is_texture(const Site *site) {
    return site->op == SITE_TEXTURE;
}

static void unmodelled_row(const Report *report, const LaunchView *view, Table *table,
                           const char *name, bool (*filter)(const Site *site)) {
    Counters sum = profile_total(report->profile, view->number, filter);
    Arena *arena = report->arena;
    if (!sum.requests)
        return;
    table_row(table);
    table_cell(table, STYLE_PLAIN, name);
    table_cell(table, STYLE_PLAIN, words_count(arena, sum.requests));
    table_cell(table, STYLE_PLAIN, words_count(arena, sum.bytes));
    table_cell(table, STYLE_PLAIN, sum.global_moved ? words_count(arena, sum.global_moved) : "");
    table_cell(table, STYLE_PLAIN, sum.shared_moved ? words_count(arena, sum.shared_moved) : "");
    table_cell(table, STYLE_PLAIN, sum.copy_sectors ? words_count(arena, sum.copy_sectors) : "");
    table_cell(table, STYLE_PLAIN,
               sum.matrix_wavefronts ? words_count(arena, sum.matrix_wavefronts) : "");
}

/* Requests to other blocks' shared memory; a site's bytes, if it makes no others. */
static void remote_row(const Report *report, const LaunchView *view, Table *table) {
    uint64_t requests = 0, bytes = 0, sectors = 0, wavefronts = 0;
    bool mixed = false;
    for (uint32_t i = 0; i < view->kernel->site_count; i++) {
        const Counters *counters = &view->record->counters[i];
        requests += counters->remote;
        bytes += counters->remote ? counters->bytes : 0;
        sectors += counters->remote_sectors;
        wavefronts += counters->remote_wavefronts;
        mixed |= counters->remote && counters->remote != counters->requests;
    }
    if (!requests)
        return;
    table_row(table);
    table_cell(table, STYLE_PLAIN, "shared memory of other blocks");
    table_cell(table, STYLE_PLAIN, words_count(report->arena, requests));
    table_cell(table, STYLE_PLAIN, mixed ? "" : words_count(report->arena, bytes));
    table_skip(table, 2);
    table_cell(table, STYLE_PLAIN, sectors ? words_count(report->arena, sectors) : "");
    table_cell(table, STYLE_PLAIN, wavefronts ? words_count(report->arena, wavefronts) : "");
}

static void print_descriptors(const Report *report, const Counters *sum) {
    uint64_t swizzled =
        sum->matrices_swizzle32 + sum->matrices_swizzle64 + sum->matrices_swizzle128;
    Arena *arena = report->arena;
    if (!swizzled && !sum->matrices_plain)
        return;
    text_wrap(report, 2, STYLE_PLAIN,
              arena_printf(arena,
                           "wgmma read %s matrices through descriptors: %s with a swizzle of 128 "
                           "bytes, %s of 64, %s of 32, %s without. A row of 8 x 16 bytes, as it "
                           "reads them, lies in different banks in each of these layouts: they are "
                           "free of bank conflicts by construction.",
                           words_count(arena, swizzled + sum->matrices_plain),
                           words_count(arena, sum->matrices_swizzle128),
                           words_count(arena, sum->matrices_swizzle64),
                           words_count(arena, sum->matrices_swizzle32),
                           words_count(arena, sum->matrices_plain)));
}

static void print_unmodelled(const Report *report, const LaunchView *view) {
    static const Column columns[] = {
        {.head = "operation", .left = true},
        {.head = "requests"},
        {.head = "bytes"},
        {.head = "global bytes"},
        {.head = "shared bytes"},
        {.head = "sectors"},
        {.head = "wavefronts"},
    };
    if (!view->all.unmodelled && !view->all.remote)
        return;
    text_title(report, "Copies, wgmma, textures, other blocks");
    Table *table = table_new(report->arena, columns, sizeof columns / sizeof *columns);
    unmodelled_row(report, view, table, "asynchronous copies", is_copy);
    unmodelled_row(report, view, table, "wgmma", is_wgmma);
    unmodelled_row(report, view, table, "textures and surfaces", is_texture);
    remote_row(report, view, table);
    table_print(table, report, 2);
    print_descriptors(report, &view->all);
    text_wrap(
        report, 2, STYLE_DIM,
        "In no other number of this report. Sectors are those that pass between an SM and L2 or "
        "another SM; wavefronts, of wgmma's matrices and of loads and stores in other blocks. "
        "What is empty, and a part of what has atomics, is not modelled.");
}

void page_details(const Report *report, const LaunchView *view) {
    print_launch(report, view);
    print_mix(report, view);
    print_map(report, view);
    print_shared(report, view);
    print_conflicts(report, view);
    print_sectors(report, view, SITE_GLOBAL, "Global memory", global_operations,
                  sizeof global_operations / sizeof *global_operations);
    print_sectors(report, view, SITE_LOCAL, "Local memory", local_operations,
                  sizeof local_operations / sizeof *local_operations);
    print_constant(report, view);
    print_unmodelled(report, view);
    page_findings(report, view);
    print_caches(report, view);
    print_time(report, view);
}
