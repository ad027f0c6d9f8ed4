/* warplens fix --on gpu: what was built is measured on this machine's GPU against the program as it was. They take turns; kernels that
 * changed are timed uncounted, medians are compared, and time decides (fix/measured.h). Then each runs once more and is counted. */
#include "cli/commands.h"
#include "cli/fix_program.h"
#include "cli/on_gpu.h"
#include "cli/options.h"
#include "fix/measured.h"
#include "rules/rules.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static RunSettings settings_of(const Options *given) {
    Arena *arena = given->arena;
    RunSettings settings = {.arena = arena, .on_gpu = true, .profile = true};
    char **program = NEW_ARRAY(arena, char *, given->flags.count + 1);
    for (uint32_t i = 0; i < given->flags.count; i++)
        program[i] = arena_copy(arena, given->flags.at[i], strlen(given->flags.at[i]));
    settings.program = program;
    settings.path = program_find(arena, program[0]);
    if (given->kernel)
        run_setting(&settings, "WARPLENS_KERNEL", given->kernel);
    return settings;
}

bool gpu_trial_possible(GpuTrial *trial, const Options *given) {
    *trial = (GpuTrial){.given = given, .settings = settings_of(given)};
    trial->settings.choice.gpu = gpu_wanted(given->gpu, given->diags);
    return trial->settings.choice.gpu && gpu_ready(&trial->settings, false, given->diags);
}

/* ---- the program as it was ---- */

bool gpu_trial_begin(GpuTrial *trial) {
    const RunSettings *settings = &trial->settings;
    Diags *diags = trial->given->diags;
    size_t size;
    struct stat status;
    char *bytes = file_read(settings->arena, settings->path, &size);
    const char *path =
        arena_printf(settings->arena, "%s.as-it-was.%d", settings->path, (int)getpid());
    if (!bytes || stat(settings->path, &status) != 0 || !file_write(path, bytes, size) ||
        chmod(path, status.st_mode & 07777) != 0) {
        diags_error(diags, "--on gpu: %s: %s", path, strerror(errno));
        return false;
    }
    trial->original = path;
    return true;
}

void gpu_trial_end(GpuTrial *trial) {
    if (trial->original)
        unlink(trial->original);
    if (trial->settings.folder)
        scratch_remove(trial->settings.folder);
}

/* ---- running ---- */

typedef enum GpuRun { RUN_TIMED, RUN_COUNTED } GpuRun;

/* Ends with gpu_run_end in any case. */
static bool gpu_run(const GpuTrial *trial, const char *path, GpuRun kind, ProgramRun *run) {
    RunSettings settings = trial->settings;
    char **program = NEW_ARRAY(settings.arena, char *, trial->given->flags.count + 1);
    memcpy(program, settings.program, trial->given->flags.count * sizeof *program);
    program[0] = arena_copy(settings.arena, path, strlen(path));
    settings.program = program;
    settings.path = path;
    if (kind == RUN_TIMED) {
        run_setting(&settings, "WARPLENS_MEASURE", "only");
        run_setting(&settings, "WARPLENS_NO_PROFILE", "1");
        settings.profile = false;
    }
    *run =
        (ProgramRun){.result = {.profile = profile_new(), .probe = probe_run_new(settings.arena)}};
    run->output = tmpfile();
    if (run->output)
        settings.output = fileno(run->output);
    bool good = run_program(&settings, &run->result, trial->given->diags);
    if (good && kind == RUN_COUNTED)
        probe_run_finish(run->result.probe, run->result.profile, diags_new(settings.arena));
    return good;
}

static void gpu_run_end(ProgramRun *run) {
    if (run->result.probe)
        probe_run_free(run->result.probe);
    program_run_end(run);
}

/* ---- times ---- */

typedef struct Measurement {
    VEC(MeasuredKernel) kernels;
    VEC(const FixPlan *) plans; /* of each */
} Measurement;

/* A turn of one of the two. NULL, or why there is nothing to compare. */
static const char *turn(const GpuTrial *trial, const char *path, Measurement *all, uint32_t number,
                        bool after) {
    ProgramRun run;
    const char *why = NULL;
    if (!gpu_run(trial, path, RUN_TIMED, &run))
        why = "the program could not be run on the GPU";
    else if (run.result.interrupted)
        why = "interrupted";
    else if (run.result.status)
        why = arena_printf(trial->settings.arena, "on the GPU the program ends with status %d%s",
                           run.result.status, after ? "" : ", as it was");
    for (uint32_t i = 0; !why && i < all->kernels.count; i++) {
        MeasuredKernel *kernel = &all->kernels.at[i];
        double seconds = probe_run_seconds(run.result.probe, kernel->name);
        (after ? kernel->after : kernel->before)[number] = seconds;
    }
    gpu_run_end(&run);
    return why;
}

/* The first of each goes to and fro as the others do, and is not counted: clocks and caches are cold. */
static const char *take_turns(const GpuTrial *trial, Measurement *all) {
    const char *paths[] = {trial->original, trial->settings.path}, *why = NULL;
    for (uint32_t i = 0; i <= MEASURED_TURNS && !why; i++)
        for (uint32_t k = 0; k < 2 && !why; k++) {
            uint32_t which = (i + k) % 2;
            why = turn(trial, paths[which], all, i ? i - 1 : 0, which == 1);
        }
    return why;
}

/* ---- counts ---- */

static void print_kernels(const GpuTrial *trial, const Measurement *all, const ProgramRun runs[2]) {
    enum { MICRO = 1000000 };
    Arena *arena = trial->settings.arena;
    plain_printf(stdout, "\non the GPU, medians of %d turns each:\n", (int)MEASURED_TURNS);
    plain_printf(stdout, "    %12s %12s %9s %14s %14s  %s\n", "us a launch", "then", "",
                 "wavefronts", "then", "kernel");
    for (uint32_t i = 0; i < all->kernels.count; i++) {
        const MeasuredKernel *kernel = &all->kernels.at[i];
        double was = measured_median(kernel->before), is = measured_median(kernel->after);
        if (was > 0 && is > 0)
            *all->plans.at[i]->time = (FixTime){was, is};
        plain_printf(stdout, "    %12.2f %12.2f %+7.1f %% %14s %14s  %s\n", was * MICRO, is * MICRO,
                     was > 0 ? 100 * (is - was) / was : 0,
                     words_count(arena, program_wavefronts(runs[0].result.profile, kernel->name)),
                     words_count(arena, program_wavefronts(runs[1].result.profile, kernel->name)),
                     fix_kernel(all->plans.at[i])->demangled);
    }
    fflush(stdout);
}

static const char *verdict_words(MeasuredVerdict verdict) {
    switch (verdict) {
    case MEASURED_FASTER:
        return NULL;
    case MEASURED_ALIKE:
        return "on this GPU it takes as long as before";
    case MEASURED_SLOWER:
        return "on this GPU it is slower";
    default:
        return "none of the kernels that changed was timed on the GPU";
    }
}

const char *gpu_trial_judge(GpuTrial *trial, const FixPlans *plans) {
    Arena *arena = trial->settings.arena;
    Measurement all = {0};
    ProgramRun counted[2] = {0};
    const char *paths[] = {trial->original, trial->settings.path};
    for (uint32_t p = 0; p < plans->list.count; p++) {
        const FixPlan *plan = &plans->list.at[p];
        if (!plan->relayout_count)
            continue;
        *vec_add(arena, &all.kernels) = (MeasuredKernel){.name = fix_kernel(plan)->name};
        *vec_add(arena, &all.plans) = plan;
    }
    const char *why = take_turns(trial, &all);
    for (uint32_t i = 0; i < 2 && !why; i++)
        if (!gpu_run(trial, paths[i], RUN_COUNTED, &counted[i]))
            why = "the program could not be counted on the GPU";
    if (!why) {
        print_kernels(trial, &all, counted);
        program_print_output(&counted[0], &counted[1]);
        why = verdict_words(measured_verdict(all.kernels.at, all.kernels.count));
    }
    for (uint32_t i = 0; i < 2; i++)
        gpu_run_end(&counted[i]);
    return why;
}
