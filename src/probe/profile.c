/* Launches that were counted on a GPU, into the Profile. A kernel's sites are known when all of its launches are (sites.c), so kernels
 * come first, then launches. */
#include "probe/run.h"

#include <string.h>

enum { EVIDENCE_PERIOD = 512, BLOCKS_SAMPLED = 16, CODE_MOST = 30000 };

static uint32_t module_row(const ProbedKernel *kernel, Profile *profile) {
    for (uint32_t i = 0; i < profile->modules.count; i++)
        if (profile->modules.at[i].hash == kernel->hash)
            return i;
    Arena *arena = profile->arena;
    *vec_add(arena, &profile->modules) =
        (ProfModule){.name = arena_printf(arena, "module %u", profile->modules.count + 1),
                     .hash = kernel->hash,
                     .no_ptx = true,
                     .machine = arena_printf(arena, "sm_%u", kernel->capability)};
    return profile->modules.count - 1;
}

/* The outermost place first, as the inner ones refer to it. */
uint32_t sass_location(Profile *profile, const SassPlace *place) {
    uint32_t location = NONE;
    for (const SassPlace *done = NULL; done != place;) {
        const SassPlace *at = place;
        while (at->inlined_at != done)
            at = at->inlined_at;
        location =
            profile_location(profile, profile_file(profile, at->file), at->line, 0, NULL, location);
        done = at;
    }
    return location;
}

/* Of the kernel's own instructions, where its PTX says it; those of functions that it calls are not told apart. */
static LocalUse local_use(const ProbedKernel *kernel, const ProbedSite *site) {
    return site->access.space == SITE_LOCAL && kernel->code.at[0].code.spills_alone &&
                   strcmp(site->function, kernel->name) == 0
               ? LOCAL_SPILL
               : LOCAL_NONE;
}

static bool has_lines(const ProbedKernel *kernel) {
    bool has = false;
    for (uint32_t i = 0; i < kernel->sites.count; i++)
        has |= kernel->sites.at[i].place != NULL;
    return has;
}

/* Sites have the line of the listing that their instruction is in: list_module. */
static void save_sites(const ProbedKernel *kernel, Profile *profile) {
    for (uint32_t i = 0; i < kernel->sites.count; i++) {
        const ProbedSite *from = &kernel->sites.at[i];
        *vec_add(profile->arena, &profile->sites) =
            (Site){.kernel = kernel->row,
                   .location = sass_location(profile, from->place),
                   .text = arena_copy(profile->arena, from->text, strlen(from->text)),
                   .ptx_line = from->ptx_line,
                   .op = from->access.op,
                   .space = from->access.space,
                   .width = from->access.width,
                   .access = from->access.kind,
                   .matrices = from->access.matrices,
                   .local_use = local_use(kernel, from),
                   .accesses = 1};
    }
}

static void save_code(const ProbedKernel *kernel, const KernelCode *code, Profile *profile) {
    ProfKernel *row = &profile->kernels.at[kernel->row];
    for (uint32_t i = 0; i < code->insts.count && code->insts.count <= CODE_MOST; i++) {
        const CodeInst *inst = &code->insts.at[i];
        uint32_t site = probed_site(kernel, kernel->name, (uint64_t)i << PROBE_INSN_SHIFT);
        *vec_add(profile->arena, &row->sass) =
            (SassInst){.location = sass_location(profile, inst->place),
                       .text = arena_copy(profile->arena, inst->text, strlen(inst->text)),
                       .site = site == NONE ? NONE : row->first_site + site};
    }
    row->location = row->sass.count ? row->sass.at[0].location : NONE;
}

static void save_shared(const ProbedKernel *kernel, Profile *profile) {
    Arena *arena = profile->arena;
    const KernelCode *code = &kernel->code.at[0].code;
    for (uint32_t i = 0; i < code->variables.count; i++) {
        SharedVariable *to = vec_add(arena, &profile->kernels.at[kernel->row].shared);
        *to = code->variables.at[i];
        to->symbol = arena_copy(arena, to->symbol, strlen(to->symbol));
        to->name = arena_copy(arena, to->name, strlen(to->name));
    }
}

static uint32_t stack_of(const ProbedKernel *kernel) {
    const ModuleCode *module = kernel->module;
    CubinResources resources;
    return module && module->good &&
                   cubin_resources(module->elf.data, module->elf.size, kernel->name, &resources)
               ? resources.stack_bytes
               : 0;
}

static void save_kernel(ProbedKernel *kernel, Profile *profile) {
    uint32_t module = module_row(kernel, profile);
    Arena *arena = profile->arena;
    kernel->row = profile->kernels.count;
    *vec_add(arena, &profile->kernels) =
        (ProfKernel){.module = module,
                     .name = arena_copy(arena, kernel->name, strlen(kernel->name)),
                     .demangled = name_demangled(arena, kernel->name, true),
                     .location = NONE,
                     .registers = kernel->registers,
                     .stack_bytes = stack_of(kernel),
                     .first_site = profile->sites.count,
                     .site_count = kernel->sites.count,
                     .machine_code = true};
    save_sites(kernel, profile);
    profile->modules.at[module].has_lines |= has_lines(kernel);
    save_code(kernel, &kernel->code.at[0].code, profile);
    save_shared(kernel, profile);
}

/* A kernel's name, its instructions, and those of functions that were seen: one a line, as many as are told apart. */
static uint32_t list_kernel(const ProbedKernel *kernel, uint32_t line, Profile *profile,
                            FILE *out) {
    ProfKernel *row = &profile->kernels.at[kernel->row];
    Site *sites = profile->sites.count ? &profile->sites.at[row->first_site] : NULL;
    const KernelCode *code = &kernel->code.at[0].code;
    fprintf(out, "%s:\n", kernel->name);
    row->ptx_line = line++;
    for (uint32_t i = 0; i < code->insts.count; i++, line++) {
        uint32_t site = probed_site(kernel, kernel->name, (uint64_t)i << PROBE_INSN_SHIFT);
        fprintf(out, "    %s\n", code->insts.at[i].text);
        if (site != NONE)
            sites[site].ptx_line = line;
    }
    for (uint32_t i = 0; i < kernel->sites.count; i++)
        if (!sites[i].ptx_line) {
            fprintf(out, "    %s\n", kernel->sites.at[i].text);
            sites[i].ptx_line = line++;
        }
    return line;
}

/* What is beside the source where the cubin has it: its PTX. */
static void list_ptx(const ProbedKernel *kernel, Profile *profile) {
    enum { MOST = 16 << 20 };
    ProfKernel *row = &profile->kernels.at[kernel->row];
    ProfModule *module = &profile->modules.at[row->module];
    const uint32_t line = kernel->module ? kernel_ptx_line(kernel->module, kernel->name) : 0;
    if (!line || strlen(kernel->module->ptx_text) > MOST)
        return;
    row->ptx_line = line;
    if (module->no_ptx)
        module->text =
            arena_copy(profile->arena, kernel->module->ptx_text, strlen(kernel->module->ptx_text));
    module->no_ptx = false;
}

/* In place of a source, where there are no lines of one. */
static void list_modules(const ProbeRun *run, Profile *profile) {
    for (uint32_t m = 0; m < profile->modules.count; m++) {
        PrintedText text;
        uint32_t line = 1;
        if (profile->modules.at[m].has_lines)
            continue;
        FILE *out = printed_begin(&text, profile->arena);
        for (uint32_t i = 0; i < run->kernels.count; i++)
            if (profile->kernels.at[run->kernels.at[i].row].module == m)
                line = list_kernel(&run->kernels.at[i], line, profile, out);
        profile->modules.at[m].text = printed_end(&text);
    }
}

/* ---- launches ---- */

/* Of a load, bytes that no lane uses are not told by the API: of 12 of 16 the whole is counted, of 8 of 16 it cannot be. */
static void note_narrow(const ProbedKernel *kernel, const ProbeSlot *slot, uint32_t site,
                        Diags *notes) {
    const ProbedSite *at = &kernel->sites.at[site];
    const bool plain = slot->key.part == PROBE_GLOBAL || slot->key.part == PROBE_SHARED ||
                       slot->key.part == PROBE_LOCAL;
    if (plain && site < kernel->listed && at->access.op == SITE_LOAD &&
        slot->key.width < at->access.width)
        diags_add(notes, DIAG_WARNING, (Place){0},
                  "%s: %s is counted as %u bytes a lane, which is what is used of %u",
                  name_demangled(notes->arena, kernel->name, false), at->text, slot->key.width,
                  at->access.width);
}

static void save_counters(const ProbedKernel *kernel, const ProbeLaunch *launch,
                          LaunchRecord *record, Diags *notes) {
    for (uint32_t i = 0; i < launch->slots.count; i++) {
        const ProbeSlot *slot = &launch->slots.at[i];
        uint32_t site = probed_site(kernel, probed_function(launch, slot), slot->offset);
        slot_counters(&record->counters[site], &slot->key, kernel->sites.at[site].access.kind,
                      slot->sums);
        note_narrow(kernel, slot, site, notes);
    }
}

static bool find_allocation(const void *memory, uint64_t address, Extent *extent,
                            uint32_t *number) {
    const ProbeLaunch *launch = memory;
    for (uint32_t i = 0; i < launch->allocations.count; i++) {
        const ProbeAllocation *at = &launch->allocations.at[i];
        if (address - at->address >= at->bytes)
            continue;
        *extent = (Extent){at->address, at->bytes};
        *number = i;
        return true;
    }
    return false;
}

static Space sample_space(const ProbeKey *key) {
    return key->part == PROBE_GLOBAL  ? SPACE_GLOBAL
           : key->part == PROBE_LOCAL ? SPACE_LOCAL
                                      : SPACE_SHARED;
}

/* Addresses in shared memory count from where the block's own begins. */
static void place_shared(const ProbedKernel *kernel, uint64_t address[WARP_LANES], uint32_t mask) {
    enum { WINDOW = 0xffffff };
    for_lanes(lane, mask) address[lane] =
        (address[lane] & WINDOW) - kernel->code.at[0].code.shared_base;
}

/* Where the variables of its shared memory lie in this launch. */
static const Extent *shared_extents(Arena *arena, const KernelCode *code,
                                    const ProbeLaunch *launch) {
    Extent *extents = NEW_ARRAY(arena, Extent, code->variables.count + 1);
    for (uint32_t i = 0; i < code->variables.count; i++) {
        const SharedVariable *variable = &code->variables.at[i];
        extents[i] = (Extent){variable->offset,
                              variable->dynamic ? launch->dynamic_shared : variable->bytes};
    }
    return extents;
}

/* The element size of a shared variable: the width that most samples of it have. */
static void save_elements(const ProbedKernel *kernel, Profile *profile, uint32_t first) {
    enum { WIDTHS = 6 }; /* 1, 2, 4, 8, 16, 32 bytes */
    ProfKernel *row = &profile->kernels.at[kernel->row];
    for (uint32_t v = 0; v < row->shared.count; v++) {
        uint64_t by_width[WIDTHS] = {0};
        uint32_t best = 0;
        for (uint32_t i = first; i < profile->patterns.count; i++) {
            const AccessPattern *pattern = &profile->patterns.at[i];
            uint32_t width = profile->sites.at[pattern->site].width;
            if (pattern->space == SITE_SHARED && pattern->variable == v && width)
                by_width[__builtin_ctz(width) % WIDTHS] += pattern->count;
        }
        for (uint32_t w = 1; w < WIDTHS; w++)
            best = by_width[w] > by_width[best] ? w : best;
        if (by_width[best])
            row->shared.at[v].element_bytes = 1u << best;
    }
}

static void save_evidence(const ProbedKernel *kernel, const ProbeLaunch *launch, Profile *profile,
                          uint32_t number) {
    Arena *scratch = arena_new();
    const KernelCode *code_of_it = &kernel->code.at[0].code;
    const uint32_t first = profile->patterns.count;
    const AddressMap map = {.shared = shared_extents(scratch, code_of_it, launch),
                            .shared_count = code_of_it->variables.count,
                            .memory = launch,
                            .find = find_allocation,
                            .period = EVIDENCE_PERIOD};
    Evidence *evidence = evidence_new(scratch, &map, false);
    for (uint32_t i = 0; i < launch->samples.count; i++) {
        const ProbeSample *sample = &launch->samples.at[i];
        const ProbeSlot *slot = &launch->slots.at[sample->slot];
        uint32_t site = probed_site(kernel, probed_function(launch, slot), slot->offset);
        const CodeAccess *code = &kernel->sites.at[site].access;
        uint64_t address[WARP_LANES];
        if (sample->source)
            continue;
        memcpy(address, sample->address, sizeof address);
        Access access = {.kind = code->kind,
                         .space = sample_space(&slot->key),
                         .width = code->width,
                         .mask = sample->mask,
                         .matrices = code->matrices,
                         .address = address};
        if (access.space == SPACE_SHARED)
            place_shared(kernel, address, sample->mask);
        if (code->op == SITE_CP_ASYNC && i + 1 < launch->samples.count && sample[1].source)
            access.source = sample[1].address;
        evidence_record(evidence, site, &access, 1);
    }
    profile->launches.at[number].evidence_others = evidence_save(
        evidence, profile, profile->arena, number, profile->kernels.at[kernel->row].first_site);
    save_elements(kernel, profile, first);
    arena_free(scratch);
}

static uint64_t sampled_blocks(const ProbeLaunch *launch, uint64_t blocks) {
    return launch->sampled ? (blocks + launch->block_mask) / ((uint64_t)launch->block_mask + 1) : 0;
}

/* Not how long it took while it was counted, which says nothing of the kernel. */
static void save_time(const ProbeRun *run, const ProbeLaunch *launch, LaunchRecord *record) {
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->times.count; i++) {
        const ProbeTime *time = &run->times.at[i];
        if (time->module != launch->module || strcmp(time->kernel, launch->kernel) != 0 ||
            memcmp(time->grid, launch->grid, sizeof time->grid) != 0 ||
            memcmp(time->block, launch->block, sizeof time->block) != 0)
            continue;
        sum += time->seconds;
        count++;
    }
    if (count)
        record->wall_seconds = sum / count;
}

static void save_launch(const ProbeRun *run, const ProbedKernel *kernel, const ProbeLaunch *launch,
                        Profile *profile, Diags *notes) {
    Arena *arena = profile->arena;
    const Gpu *gpu = probe_model(launch->gpu, launch->capability);
    uint64_t blocks =
        (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2] * launch->together;
    LaunchRecord record = {.kernel = kernel->row,
                           .gpu = gpu->name,
                           .gpu_measured = gpu->measured,
                           .device = launch->device,
                           .dynamic_shared = launch->dynamic_shared,
                           .status = launch->failed ? LAUNCH_FAULT : LAUNCH_DONE,
                           .blocks = blocks,
                           .blocks_run = blocks,
                           .evidence_blocks = sampled_blocks(launch, blocks),
                           .launched_by = profile->launches.count,
                           .fault_location = NONE};
    memcpy(record.grid, launch->grid, sizeof record.grid);
    memcpy(record.block, launch->block, sizeof record.block);
    if (launch->together == 1)
        save_time(run, launch, &record);
    record.ran_on = arena_copy(arena, launch->gpu, strlen(launch->gpu));
    if (launch->failed)
        record.fault = arena_printf(arena, "the launch failed on the GPU: %s", launch->failed);
    record.counters = NEW_ARRAY(arena, Counters, kernel->sites.count + 1);
    save_counters(kernel, launch, &record, notes);
    for (uint32_t i = 0; i < launch->allocations.count; i++)
        *vec_add(arena, &record.allocations) =
            (Allocation){.name = arena_printf(arena, "allocation %u", i + 1),
                         .bytes = launch->allocations.at[i].bytes};
    *vec_add(arena, &profile->launches) = record;
    save_evidence(kernel, launch, profile, profile->launches.count - 1);
}

/* What is counted in part is left out: a wrong number is worse than none. */
static void note_lost(const ProbeRun *run, const ProbeLaunch *launch, Diags *notes) {
    diags_add(notes, DIAG_WARNING, (Place){0},
              "%s: launches are left out of which some accesses found no place in the table, so "
              "that their counts would be too low",
              name_demangled(run->arena, launch->kernel, false));
}

static void note_together(const ProbeRun *run, const ProbeLaunch *launch, Diags *notes) {
    if (launch->together > 1)
        diags_add(notes, DIAG_NOTE, (Place){0},
                  "%s: %u launches by one CUDA graph are counted together, as one of the first's "
                  "grid: they cannot be told apart",
                  name_demangled(run->arena, launch->kernel, false), launch->together);
}

/* Launches that are missing from the profile since they were timed. */
static void note_left(const ProbeRun *run, Diags *diags) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < run->times.count; i++)
        left += run->times.at[i].left;
    if (left)
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "%u launch%s not counted but timed, one of each kernel that is launched often "
                  "(--measure off counts all)",
                  left, left > 1 ? "es were" : " was");
}

void probe_run_finish(ProbeRun *run, Profile *profile, Diags *diags) {
    Diags *notes = diags_new(run->arena);
    run->kernels.count = 0;
    for (uint32_t i = 0; i < run->launches.count; i++)
        if (!run->launches.at[i].lost)
            probed_add(run, &run->launches.at[i], notes);
        else
            note_lost(run, &run->launches.at[i], notes);
    for (uint32_t i = 0; i < run->kernels.count; i++)
        save_kernel(&run->kernels.at[i], profile);
    for (uint32_t i = 0; i < run->kernels.count; i++)
        if (profile->modules.at[profile->kernels.at[run->kernels.at[i].row].module].has_lines)
            list_ptx(&run->kernels.at[i], profile);
    list_modules(run, profile);
    for (uint32_t i = 0; i < run->launches.count; i++) {
        const ProbeLaunch *launch = &run->launches.at[i];
        if (launch->lost)
            continue;
        save_launch(run, probed_kernel(run, launch), launch, profile, notes);
        note_together(run, launch, notes);
    }
    for (uint32_t i = 0; i < notes->list.count; i++) { /* each once */
        bool said = false;
        for (uint32_t k = 0; k < i; k++)
            said |= strcmp(notes->list.at[k].message, notes->list.at[i].message) == 0;
        if (!said)
            diags_add(diags, notes->list.at[i].level, (Place){0}, "%s", notes->list.at[i].message);
    }
    note_left(run, diags);
}
