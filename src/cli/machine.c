/* From what toolchain read in the machine code to rows of the Profile: see
 * docs/decisions/0001-count-ptx.md for why the two are compared, and by line. */
#include "cli/machine.h"

#include "probe/probe.h"
#include "toolchain/toolchain.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_LIMIT = 30000 }; /* instructions of a kernel that a profile keeps */

bool machine_wanted(const char *wanted, bool without, MachineUse *use, Diags *diags) {
    bool known = wanted ? machine_use_named(wanted, use) : machine_use_told(use);
    if (!known && wanted)
        diags_error(diags, "--machine-code %s: expected " MACHINE_USES, wanted);
    else if (!known)
        diags_error(diags, "WARPLENS_MACHINE_CODE=%s: expected " MACHINE_USES,
                    getenv("WARPLENS_MACHINE_CODE"));
    if (without && *use == MACHINE_AUTO)
        *use = MACHINE_OFF;
    return known;
}

/* The name that toolchain gives to such instructions in the machine code; NULL: not compared
 * (constants are operands there). */
static const char *operation_of(const Site *site) {
    static const char *const names[][3] = {
        [SITE_GENERIC] = {"generic load", "generic store", "generic atomic"},
        [SITE_GLOBAL] = {"global load", "global store", "global atomic"},
        [SITE_SHARED] = {"shared load", "shared store", "shared atomic"},
        [SITE_LOCAL] = {"local load", "local store", NULL},
        [SITE_CONST] = {NULL, NULL, NULL},
    };
    switch (site->op) {
    case SITE_LOAD:
        return names[site->space][0];
    case SITE_STORE:
        return names[site->space][1];
    case SITE_ATOMIC:
    case SITE_REDUCTION:
        return names[site->space][2];
    case SITE_LDMATRIX:
        return "ldmatrix";
    case SITE_STMATRIX:
        return "stmatrix";
    case SITE_CP_ASYNC:
        return "cp.async";
    default:
        return NULL;
    }
}

static uint32_t bytes_of(const Site *site) {
    bool matrices = site->op == SITE_LDMATRIX || site->op == SITE_STMATRIX;
    return matrices ? 4 * site->matrices : site->width;
}

static MemoryOpsTable *ptx_ops(Arena *arena, const Profile *profile, const ProfKernel *kernel) {
    MemoryOpsTable *ops = memory_ops_new(arena);
    for (uint32_t i = 0; i < kernel->site_count; i++) {
        const Site *site = &profile->sites.at[kernel->first_site + i];
        const char *operation = operation_of(site);
        if (!operation || site->location == NONE)
            continue;
        const Location *place = &profile->locations.at[site->location];
        for (uint32_t k = 0; place->file != NONE && k < site->accesses; k++)
            memory_ops_add(ops, kernel->name, profile->files.at[place->file].path, place->line,
                           operation, bytes_of(site));
    }
    return ops;
}

static void add_line(Profile *profile, uint32_t kernel, const MemoryOps *ptx,
                     const MemoryOps *sass) {
    const MemoryOps *either = ptx ? ptx : sass;
    SassLine line = {.kernel = kernel, .line = either->line};
    line.file = profile_file(profile, either->file);
    line.operation = arena_copy(profile->arena, either->operation, strlen(either->operation));
    if (ptx) {
        line.ptx = ptx->count;
        line.ptx_bytes = ptx->bytes;
    }
    if (sass) {
        line.sass = sass->count;
        line.sass_bytes = sass->bytes;
    }
    *vec_add(profile->arena, &profile->sass_lines) = line;
}

static void add_lines(Profile *profile, uint32_t kernel, const MemoryOpsTable *ptx,
                      const MemoryOpsTable *sass) {
    const char *name = profile->kernels.at[kernel].name;
    for (uint32_t i = 0; i < ptx->rows.count; i++)
        add_line(profile, kernel, &ptx->rows.at[i], memory_ops_find(sass, &ptx->rows.at[i]));
    for (uint32_t i = 0; i < sass->rows.count; i++) {
        const MemoryOps *row = &sass->rows.at[i];
        if (strcmp(row->kernel, name) == 0 && !memory_ops_find(ptx, row))
            add_line(profile, kernel, NULL, row);
    }
}

static void add_inst(Profile *profile, ProfKernel *kernel, const ListedInst *inst) {
    *vec_add(profile->arena, &kernel->sass) =
        (SassInst){.location = sass_location(profile, inst->place),
                   .text = arena_copy(profile->arena, inst->text, strlen(inst->text)),
                   .site = NONE};
}

static void add_code(Profile *profile, ProfKernel *kernel, const Sass *sass, Diags *diags) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < sass->code.count; i++)
        count += strcmp(sass->code.at[i].kernel, kernel->name) == 0;
    if (count > CODE_LIMIT) {
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "the profile has no machine code of %s: more than %d instructions",
                  kernel->demangled, CODE_LIMIT);
        return;
    }
    for (uint32_t i = 0; i < sass->code.count; i++)
        if (strcmp(sass->code.at[i].kernel, kernel->name) == 0)
            add_inst(profile, kernel, &sass->code.at[i]);
}

/* ---- asking ---- */

/* A kernel whose machine code is asked for, on a thread of its own. */
typedef struct Job {
    uint32_t kernel;
    Arena *arena;
    SassQuestion question;
    Diags *diags; /* its own */
    Sass *sass;   /* NULL: ptxas did not assemble it */
} Job;

static Job job_new(const Profile *profile, uint32_t kernel, const Gpu *gpu, PtxIndex *index) {
    const ProfKernel *record = &profile->kernels.at[kernel];
    const ProfModule *module = &profile->modules.at[record->module];
    Job job = {.kernel = kernel, .arena = arena_new()};
    job.diags = diags_new(job.arena);
    job.question =
        (SassQuestion){.entry = record->name,
                       .arch = machine_arch(job.arena, module->machine, module->target, gpu),
                       .options = module->options,
                       .relocatable = module->relocatable,
                       .resources = record->machine_code}; /* whose listing is there already */
    job.question.ptx = ptx_slice(job.arena, index, record->name, &job.question.length);
    return job;
}

static PtxIndex *index_of(Arena *arena, const ProfModule *module) {
    return ptx_index(arena, module->name, module->text, strlen(module->text));
}

/* What was found, into the profile; the notes into diags. */
static bool settle(Profile *profile, Job *job, Diags *diags) {
    ProfKernel *record = &profile->kernels.at[job->kernel];
    const Sass *sass = job->sass;
    for (uint32_t i = 0; sass && i < sass->kernels.count; i++) {
        const SassKernel *kernel = &sass->kernels.at[i];
        if (strcmp(kernel->name, record->name) != 0)
            continue;
        record->registers = kernel->registers;
        record->stack_bytes = kernel->stack_bytes;
        record->spill_store_bytes = kernel->spill_stores;
        record->spill_load_bytes = kernel->spill_loads;
    }
    if (sass && sass->listed) {
        add_lines(profile, job->kernel, ptx_ops(job->arena, profile, record), sass->ops);
        add_code(profile, record, sass, job->diags);
    }
    for (uint32_t i = 0; i < job->diags->list.count; i++)
        diags_add(diags, job->diags->list.at[i].level, (Place){0}, "%s",
                  job->diags->list.at[i].message);
    arena_free(job->arena);
    return sass;
}

bool machine_compare(Profile *profile, uint32_t kernel, const Gpu *gpu, Diags *diags) {
    Arena *arena = arena_new();
    const ProfModule *module = &profile->modules.at[profile->kernels.at[kernel].module];
    if (module->no_ptx) { /* its own is there already */
        arena_free(arena);
        return true;
    }
    Job job = job_new(profile, kernel, gpu, index_of(arena, module));
    job.sass = toolchain_sass(job.arena, &job.question, job.diags);
    arena_free(arena);
    return settle(profile, &job, diags);
}

/* ---- all that were launched ---- */

typedef struct Jobs {
    VEC(Job) list;
    atomic_uint next;
} Jobs;

static void work(void *context, uint32_t worker) {
    (void)worker;
    Jobs *jobs = context;
    for (uint32_t i; (i = atomic_fetch_add(&jobs->next, 1)) < jobs->list.count;) {
        Job *job = &jobs->list.at[i];
        job->sass = toolchain_sass(job->arena, &job->question, job->diags);
    }
}

static void find_jobs(Arena *arena, const Profile *profile, Jobs *jobs) {
    bool *found = NEW_ARRAY(arena, bool, profile->kernels.count);
    PtxIndex **indices = NEW_ARRAY(arena, PtxIndex *, profile->modules.count);
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const LaunchRecord *record = &profile->launches.at[i];
        const Gpu *gpu = gpu_named(str_of(record->gpu));
        uint32_t module = profile->kernels.at[record->kernel].module;
        if (found[record->kernel] || !gpu || profile->modules.at[module].no_ptx)
            continue;
        if (!indices[module])
            indices[module] = index_of(arena, &profile->modules.at[module]);
        *vec_add(arena, &jobs->list) = job_new(profile, record->kernel, gpu, indices[module]);
        found[record->kernel] = true;
    }
}

void machine_compare_all(Profile *profile, Diags *diags) {
    enum { AT_ONCE = 16 };
    Arena *arena = arena_new();
    Jobs jobs = {.next = 0};
    if (toolchain_find(arena, "ptxas"))
        find_jobs(arena, profile, &jobs);
    uint32_t workers = workers_default();
    workers = workers < AT_ONCE ? workers : AT_ONCE;
    if (jobs.list.count)
        workers_run(workers < jobs.list.count ? workers : jobs.list.count, work, &jobs);
    uint32_t before = diags->list.count;
    for (uint32_t i = 0; i < jobs.list.count; i++) /* one note says enough */
        settle(profile, &jobs.list.at[i], diags->list.count == before ? diags : diags_new(arena));
    arena_free(arena);
}
