/* From a finished run to rows of the Profile: module, kernel, sites, locations, the launch itself. */
#include "exec/run/prepared.h"
#include "exec/run/timed.h"
#include "exec/run/values.h"

#include <stdlib.h>
#include <string.h>

static uint32_t record_module(Profile *profile, const Module *module) {
    module = module->written ? module->written : module;
    for (uint32_t i = 0; i < profile->modules.count; i++) {
        const ProfModule *known = &profile->modules.at[i];
        if (known->hash == module->hash && strcmp(known->name, module->name) == 0)
            return i;
    }
    Arena *arena = profile->arena;
    ProfModule *added = vec_add(arena, &profile->modules);
    added->name = arena_copy(arena, module->name, strlen(module->name));
    added->text = arena_copy(arena, module->text, module->text_length);
    added->hash = module->hash;
    added->version = arena_printf(arena, "%u.%u", module->version_major, module->version_minor);
    added->target = arena_copy(arena, module->target, strlen(module->target));
    added->has_lines = module->locations.count > 0;
    if (module->origin.machine)
        added->machine = arena_copy(arena, module->origin.machine, strlen(module->origin.machine));
    added->nearest = module->origin.nearest;
    added->no_ptx = module->origin.cubin != NULL;
    added->relocatable = module->origin.relocatable;
    if (module->origin.options)
        added->options = arena_copy(arena, module->origin.options, strlen(module->origin.options));
    return profile->modules.count - 1;
}

/* ---- sites ---- */

_Static_assert(ACCESS_LOAD == 0 && ACCESS_STORE == 1 && ACCESS_ATOMIC == 2 &&
                   ACCESS_ATOMIC_LOOP64 == 6 && ACCESS_LDMATRIX == 7 && ACCESS_STMATRIX == 8 &&
                   ACCESS_CP_ASYNC_CA == 9 && ACCESS_ATOMIC_CAST == 11 && ACCESS_KIND_COUNT == 12,
               "site_ops.def has these numbers");

static SiteOp site_op(const Insn *insn, const LoweredAccess *lowered) {
    static const SiteOp ops[OP_ACCESS_COUNT] = {
        [OP_ACCESS_LOAD] = SITE_LOAD,         [OP_ACCESS_STORE] = SITE_STORE,
        [OP_ACCESS_ATOMIC] = SITE_ATOMIC,     [OP_ACCESS_REDUCTION] = SITE_REDUCTION,
        [OP_ACCESS_LDMATRIX] = SITE_LDMATRIX, [OP_ACCESS_STMATRIX] = SITE_STMATRIX,
        [OP_ACCESS_CP_ASYNC] = SITE_CP_ASYNC, [OP_ACCESS_COPY] = SITE_COPY,
        [OP_ACCESS_WGMMA] = SITE_WGMMA,       [OP_ACCESS_TEXTURE] = SITE_TEXTURE,
    };
    bool ldmatrix = op_access(insn->op) == OP_ACCESS_LOAD && lowered->matrices;
    return ldmatrix ? SITE_LDMATRIX : ops[op_access(insn->op)]; /* wmma.load may be made so */
}

static SiteSpace site_space(const Insn *insn) {
    switch (insn->mods.space) {
    case SPACE_GLOBAL:
        return SITE_GLOBAL;
    case SPACE_SHARED:
        return SITE_SHARED;
    case SPACE_LOCAL:
        return SITE_LOCAL;
    case SPACE_CONST:
        return SITE_CONST;
    default:
        return SITE_GENERIC;
    }
}

static LocalUse local_use(const Insn *insn) {
    static const LocalUse uses[] = {
        [STACK_ARRAY] = LOCAL_ARRAY, [STACK_SPILL] = LOCAL_SPILL, [STACK_CALL] = LOCAL_CALL};
    return insn->mods.space == SPACE_LOCAL ? uses[insn->stack_use] : LOCAL_NONE;
}

static void record_sites(Rows *rows, const Program *program, uint32_t kernel) {
    Profile *profile = rows->profile;
    Arena *scratch = arena_new();
    Values values = values_new(scratch, program);
    for (uint32_t i = 0; i < program->code_count; i++) {
        const Insn *insn = program->code[i].insn;
        values_next(&values);
        if (insn->site == NO_SITE)
            continue;
        uint32_t location = rows_insn(rows, program, i);
        const LoweredAccess *lowered = &program->lowered[program->code[i].site];
        Site *site = vec_add(profile->arena, &profile->sites);
        *site = (Site){.kernel = kernel,
                       .location = location,
                       .ptx_line = insn->line,
                       .text = insn->machine
                                   ? arena_copy(profile->arena, insn->text.at, insn->text.length)
                                   : insn_text(profile->arena, insn),
                       .op = site_op(insn, lowered),
                       .space = site_space(insn),
                       .width = lowered->width,
                       .access = lowered->kind,
                       .matrices = lowered->matrices,
                       .accesses = lowered->accesses,
                       .merged_element = lowered->element,
                       .merged_used = lowered->used,
                       .block = values.block,
                       .guard = values_guard(&values),
                       .local_use = local_use(insn)};
        site->base = values_base(&values, &site->offset);
    }
    arena_free(scratch);
}

/* ---- kernels ---- */

/* Machine code, all of it: the sites of the kernel are there. */
static void record_machine(Rows *rows, const Program *program, uint32_t number) {
    Profile *profile = rows->profile;
    uint32_t site = profile->kernels.at[number].first_site;
    profile->kernels.at[number].machine_code = true;
    for (uint32_t i = 0; i < program->code_count; i++) {
        const Insn *insn = program->code[i].insn;
        ProfKernel *kernel = &profile->kernels.at[number];
        if (insn->machine_begins)
            *vec_add(profile->arena, &kernel->sass) =
                (SassInst){.location = rows_insn(rows, program, i),
                           .text = arena_copy(profile->arena, insn->text.at, insn->text.length),
                           .site = NONE};
        if (insn->site != NO_SITE && kernel->sass.count && insn->machine)
            kernel->sass.at[kernel->sass.count - 1].site = site;
        site += insn->site != NO_SITE;
    }
}

/* How often each instruction of a basic block of machine code was executed. */
static void record_runs(Arena *arena, const Program *program, const BlockCount *sums,
                        LaunchRecord *record) {
    for (uint32_t b = 0; b < program->block_count; b++) {
        const Block *block = &program->blocks[b];
        InstRun run = {.warps = sums[b].warps, .threads = sums[b].lanes};
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const Insn *insn = program->code[i].insn;
            if (insn->machine_begins && run.insts++ == 0)
                run.first = insn->machine - 1;
        }
        if (run.insts && run.warps)
            *vec_add(arena, &record->inst_runs) = run;
    }
}

static void record_shared(Profile *profile, ProfKernel *kernel, const Program *program) {
    Arena *arena = profile->arena;
    for (uint32_t i = 0; i < program->function->shared.count; i++) {
        const Variable *from = program->function->shared.at[i];
        SharedVariable *to = vec_add(arena, &kernel->shared);
        to->symbol = arena_copy(arena, from->name, strlen(from->name));
        to->name = name_demangled(arena, from->name, false);
        to->offset = (uint32_t)shared_address(&program->shared, from) - program->shared.base;
        to->bytes = (uint32_t)from->bytes;
        to->align = from->align;
        to->dynamic = from->bytes == 0;
    }
}

static void record_kernel(Rows *rows, const Program *program) {
    const Function *function = program->function;
    Profile *profile = rows->profile;
    if (rows->kernel != NONE)
        return;
    uint32_t module = record_module(profile, function->module);
    for (uint32_t i = 0; i < profile->kernels.count; i++) {
        const ProfKernel *known = &profile->kernels.at[i];
        if (known->module == module && strcmp(known->name, function->name) == 0) {
            rows->kernel = i;
            return;
        }
    }
    Arena *arena = profile->arena;
    rows->kernel = profile->kernels.count;
    uint32_t location = rows_location(rows, function->module, function->location);
    ProfKernel *kernel = vec_add(arena, &profile->kernels);
    kernel->module = module;
    kernel->name = arena_copy(arena, function->name, strlen(function->name));
    kernel->demangled = name_demangled(arena, function->name, true);
    kernel->location = location;
    kernel->ptx_line = function->line;
    kernel->registers = function->registers;
    kernel->stack_bytes = function->stack_bytes;
    if (program->modelled)
        kernel->modelled = arena_copy(arena, program->modelled, strlen(program->modelled));
    kernel->first_site = profile->sites.count;
    kernel->site_count = program->site_count;
    record_shared(profile, kernel, program);
    record_sites(rows, program, rows->kernel);
    if (function->machine)
        record_machine(rows, program, rows->kernel);
}

/* ---- the launch ---- */

static void sum_workers(const Run *run, BlockCount *blocks, Counters *sites) {
    for (uint32_t w = 0; w < run->worker_count; w++) {
        const Worker *worker = &run->workers[w];
        if (worker->run != run)
            continue;
        for (uint32_t b = 0; b < run->program->block_count; b++) {
            blocks[b].warps += worker->block_counts[b].warps;
            blocks[b].lanes += worker->block_counts[b].lanes;
        }
        for (uint32_t s = 0; s < run->program->site_count; s++)
            counters_add(&sites[s], &worker->account.sites[s].sum);
    }
}

/* Which row of location_counts a location has in this launch. */
typedef struct CountRows {
    Arena *arena;
    uint32_t *row_of; /* number + 1; 0 = none yet */
    uint32_t size;
} CountRows;

/* Behind those of the launch: others follow only where launches from the device are added to its row. */
static uint32_t add_count(Profile *profile, uint32_t launch, uint32_t location) {
    uint32_t at = profile->location_counts.count;
    vec_add(profile->arena, &profile->location_counts);
    LocationCount *rows = profile->location_counts.at;
    for (; at > 0 && rows[at - 1].launch > launch; at--)
        rows[at] = rows[at - 1];
    rows[at] = (LocationCount){.launch = launch, .location = location};
    return at;
}

static LocationCount *count_row(CountRows *rows, Profile *profile, uint32_t launch,
                                uint32_t location) {
    if (location >= rows->size) {
        uint32_t larger = profile->locations.count + 64;
        uint32_t *moved = NEW_ARRAY(rows->arena, uint32_t, larger);
        if (rows->size)
            memcpy(moved, rows->row_of, rows->size * sizeof *moved);
        rows->row_of = moved;
        rows->size = larger;
    }
    if (rows->row_of[location] == 0) {
        rows->row_of[location] = add_count(profile, launch, location) + 1;
    }
    return &profile->location_counts.at[rows->row_of[location] - 1];
}

/* The rows of a launch that this one is added to. */
static void find_count_rows(CountRows *rows, const Profile *profile, uint32_t launch) {
    if (launch >= profile->launches.count)
        return;
    rows->size = profile->locations.count + 64;
    rows->row_of = NEW_ARRAY(rows->arena, uint32_t, rows->size);
    for (uint32_t i = 0; i < profile->location_counts.count; i++)
        if (profile->location_counts.at[i].launch == launch)
            rows->row_of[profile->location_counts.at[i].location] = i + 1;
}

/* What is added for each execution by a warp. */
typedef struct Arithmetic {
    uint32_t fp32_flops, fp64_flops, matrix_insts;
    uint64_t matrix_ops;
} Arithmetic;

/* What the four warps of a warpgroup do together each has a quarter of. */
static uint64_t matrix_ops_of(const Insn *insn) {
    enum { GROUP_WARPS = 4 };
    const bool group = insn->machine ? memmem(insn->text.at, insn->text.length, "GMMA", 4) != NULL
                                     : op_access(insn->op) == OP_ACCESS_WGMMA;
    return matrix_operations(insn->text) / (group ? GROUP_WARPS : 1);
}

static Arithmetic arithmetic_of(const Insn *insn) {
    if (insn->machine) {
        const Opcode *opcode = opcode_of(insn->text);
        const bool matrix = opcode->class == INST_tensor;
        return (Arithmetic){opcode->fp32_flops, opcode->fp64_flops, matrix,
                            matrix ? matrix_ops_of(insn) : 0};
    }
    uint32_t flops = op_info(insn->op)->flops;
    bool wide = insn->mods.type == TYPE_F64;
    return (Arithmetic){.fp32_flops = wide ? 0 : flops,
                        .fp64_flops = wide ? flops : 0,
                        .matrix_insts = op_has(insn->op, TRAIT_MATRIX),
                        .matrix_ops = op_has(insn->op, TRAIT_MATRIX) ? matrix_ops_of(insn) : 0};
}

static void add_arithmetic(LaunchRecord *sum, Arithmetic one, uint64_t executions) {
    sum->fp32_flops += one.fp32_flops * executions;
    sum->fp64_flops += one.fp64_flops * executions;
    sum->matrix_insts += one.matrix_insts * executions;
    sum->matrix_ops += one.matrix_ops * executions;
}

static void record_counts(Rows *rows, const Run *run, uint32_t launch, LaunchRecord *record) {
    const Program *program = run->program;
    Profile *profile = rows->profile;
    Arena *arena = arena_new();
    BlockCount *sums = NEW_ARRAY(arena, BlockCount, program->block_count + 1);
    CountRows counts = {.arena = arena};
    find_count_rows(&counts, profile, launch);
    sum_workers(run, sums, record->counters);
    if (program->function->machine)
        record_runs(run->launch->scratch ? run->launch->scratch : profile->arena, program, sums,
                    record);
    for (uint32_t b = 0; b < program->block_count; b++) {
        const Block *block = &program->blocks[b];
        for (uint32_t i = block->first; sums[b].warps && i < block->first + block->count; i++) {
            if (program->function->machine && !program->code[i].insn->machine_begins)
                continue;
            uint32_t location = rows_insn(rows, program, i);
            LocationCount *count = count_row(&counts, profile, launch, location);
            count->warp_insts += sums[b].warps;
            count->thread_insts += sums[b].lanes;
            record->warp_insts += sums[b].warps;
            record->thread_insts += sums[b].lanes;
            add_arithmetic(record, arithmetic_of(program->code[i].insn), sums[b].warps);
        }
    }
    const ProfKernel *kernel = &profile->kernels.at[rows->kernel];
    record->modelled = 0;
    for (uint32_t i = 0; i < kernel->site_count && (run->guesses || !kernel->machine_code); i++)
        if (kernel->machine_code || site_is_modelled(&profile->sites.at[kernel->first_site + i]))
            record->modelled += record->counters[i].requests;
    arena_free(arena);
}

/* ---- what recorded blocks did ---- */

static void record_evidence(Rows *rows, const Run *run, Arena *arena, uint32_t number) {
    Profile *profile = rows->profile;
    if (!run->evidence_step)
        return;
    Arena *scratch = arena_new();
    Account sum = {0};
    account_keep_evidence(&sum, scratch, &(AddressMap){0}, run->evidence_all,
                          run->evidence_step > 1);
    for (uint32_t w = 0; w < run->worker_count; w++) {
        const Account *account = &run->workers[w].account;
        if (run->workers[w].run != run)
            continue;
        evidence_join(sum.evidence, account->evidence);
        bytes_join(sum.bytes, account->bytes);
    }
    LaunchRecord *record = &profile->launches.at[number];
    const Footprint touched = bytes_sum(sum.bytes);
    record->loaded_sectors = touched.loaded_sectors;
    record->loaded_bytes = touched.loaded_bytes;
    record->stored_sectors = touched.stored_sectors;
    record->stored_bytes = touched.stored_bytes;
    record->loaded_by_blocks = touched.loaded_by_blocks;
    record->evidence_others = evidence_save(sum.evidence, profile, arena, number,
                                            profile->kernels.at[rows->kernel].first_site);
    arena_free(scratch);
}

/* ---- the allocations that recorded patterns lie in: a program may have very many more ---- */

static bool names_allocation(const AccessPattern *pattern) {
    return pattern->variable != NONE && pattern->space != SITE_SHARED;
}

static int by_number(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t rank_of(const uint32_t *numbers, uint32_t count, uint32_t number) {
    const uint32_t *at = bsearch(&number, numbers, count, sizeof number, by_number);
    return (uint32_t)(at - numbers);
}

/* Blocks of the launch's patterns, each once, by address. */
static uint32_t *blocks_named(Arena *arena, const Profile *profile, uint32_t first_pattern,
                              uint32_t *count) {
    uint32_t *numbers = NEW_ARRAY(arena, uint32_t, profile->patterns.count - first_pattern + 1);
    uint32_t all = 0, kept = 0;
    for (uint32_t i = first_pattern; i < profile->patterns.count; i++)
        if (names_allocation(&profile->patterns.at[i]))
            numbers[all++] = profile->patterns.at[i].variable;
    qsort(numbers, all, sizeof *numbers, by_number);
    for (uint32_t i = 0; i < all; i++)
        if (kept == 0 || numbers[kept - 1] != numbers[i])
            numbers[kept++] = numbers[i];
    *count = kept;
    return numbers;
}

/* Patterns come with numbers of blocks, and get rows of launch.allocations. */
static void record_allocations(Profile *profile, Arena *arena, const Memory *memory,
                               LaunchRecord *record, uint32_t first_pattern) {
    if (first_pattern == profile->patterns.count)
        return;
    Arena *scratch = arena_new();
    uint32_t count;
    const uint32_t *numbers = blocks_named(scratch, profile, first_pattern, &count);
    for (uint32_t i = 0; i < count; i++) {
        const MemoryBlock *block = memory_at(memory, numbers[i]);
        *vec_add(arena, &record->allocations) =
            (Allocation){.name = arena_copy(arena, block->name, strlen(block->name)),
                         .bytes = block->bytes,
                         .element_bytes = block->element_bytes};
    }
    for (uint32_t i = first_pattern; i < profile->patterns.count; i++) {
        AccessPattern *pattern = &profile->patterns.at[i];
        if (names_allocation(pattern))
            pattern->variable = rank_of(numbers, count, pattern->variable);
    }
    arena_free(scratch);
}

enum { ELEMENT_WIDTHS = 6 }; /* 1, 2, 4, 8, 16, 32 bytes */
typedef struct Widths {
    uint64_t count[ELEMENT_WIDTHS]; /* of accesses */
} Widths;

/* The element size of a shared variable: the width that most recorded accesses to it have. */
static void record_elements(Profile *profile, const Program *program, uint32_t kernel,
                            uint32_t first_pattern) {
    ProfKernel *row = &profile->kernels.at[kernel];
    if (first_pattern == profile->patterns.count || row->shared.count == 0)
        return;
    Arena *scratch = arena_new();
    Widths *widths = NEW_ARRAY(scratch, Widths, row->shared.count);
    for (uint32_t i = first_pattern; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        uint32_t width = program->lowered[pattern->site - row->first_site].written;
        if (pattern->space == SITE_SHARED && pattern->variable < row->shared.count && width)
            widths[pattern->variable].count[__builtin_ctz(width) % ELEMENT_WIDTHS] +=
                pattern->count;
    }
    for (uint32_t v = 0; v < row->shared.count; v++) {
        const uint64_t *count = widths[v].count;
        uint32_t best = 0;
        for (uint32_t w = 1; w < ELEMENT_WIDTHS; w++)
            best = count[w] > count[best] ? w : best;
        if (count[best])
            row->shared.at[v].element_bytes = 1u << best;
    }
    arena_free(scratch);
}

static void record_fault(Rows *rows, Arena *arena, const Run *run, const LaunchResult *result,
                         LaunchRecord *record) {
    const Fault *fault = &result->fault;
    if (result->status != LAUNCH_FAULT)
        return;
    record->fault = arena_copy(arena, fault->message, strlen(fault->message));
    record->fault_location = rows_place(rows, run->kernel, fault->insn);
}

/* Adds a launch from the device to the row of others like it. Patterns are of the first. */
static uint32_t record_more(Rows *rows, const Run *run, const LaunchResult *result,
                            LaunchRecord *to, double wall_seconds, double cpu_seconds) {
    const Launch *launch = run->launch;
    uint32_t number = launch->child->into;
    Arena *arena = launch->scratch ? launch->scratch : rows->profile->arena;
    to->launches++;
    to->blocks += (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    to->blocks_run += run_done(run);
    to->wall_seconds += wall_seconds;
    to->cpu_seconds += cpu_seconds;
    to->compile_seconds += result->use.compile_seconds;
    if (result->status != LAUNCH_DONE)
        to->status = result->status;
    record_fault(rows, arena, run, result, to);
    record_counts(rows, run, number, to);
    record_defects(rows, run, number);
    return number;
}

uint32_t record_launch(Rows *rows, const Run *run, const LaunchResult *result, double wall_seconds,
                       double cpu_seconds) {
    const Launch *launch = run->launch;
    Profile *profile = rows->profile;
    Arena *arena = launch->scratch ? launch->scratch : profile->arena;
    const Child *child = launch->child;
    record_kernel(rows, run->program);
    if (child && child->into != NONE)
        return record_more(rows, run, result, &profile->launches.at[child->into], wall_seconds,
                           cpu_seconds);
    uint32_t number = profile->launches.count, first_pattern = profile->patterns.count;
    LaunchRecord record = {
        .kernel = rows->kernel,
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]},
        .dynamic_shared = launch->dynamic_shared,
        .gpu = run->gpu->name,
        .gpu_measured = run->gpu->measured,
        .status = result->status,
        .blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2],
        .blocks_run = run_done(run),
        .blocks_counted = result->analysed,
        .representatives = result->representatives,
        .evidence_blocks = launch->shard.part > 1 ? 0 : run->recorded * run->cluster_size,
        .wall_seconds = wall_seconds,
        .cpu_seconds = cpu_seconds,
        .compile_seconds = result->use.compile_seconds,
        .launches = child ? 1 : 0,
        .part = launch->shard.part,
        .parts = launch->shard.parts,
        .number = launch->number,
        .device = launch->device,
        .depth = child ? child->depth : 0,
        .launched_by = child && child->parent != NONE ? child->parent : number,
        .range = launch->range,
        .fault_location = NONE,
    };
    record_fault(rows, arena, run, result, &record);
    record.counters = NEW_ARRAY(arena, Counters, run->program->site_count + 1);
    record_counts(rows, run, number, &record);
    *vec_add(profile->arena, &profile->launches) = record;
    const uint32_t first_site = profile->kernels.at[rows->kernel].first_site;
    caches_record(run->caches, arena, &profile->launches.at[number], first_site);
    record_evidence(rows, run, arena, number);
    timed_record(run->timed, run, profile, arena, &profile->launches.at[number], first_site);
    record_allocations(profile, arena, launch->memory, &profile->launches.at[number],
                       first_pattern);
    record_elements(profile, run->program, rows->kernel, first_pattern);
    record_defects(rows, run, number);
    return number;
}
