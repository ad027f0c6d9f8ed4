/* Runs of a program that is to be fixed: what comes out of one, and how two of them compare. */
#include "cli/fix_program.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- running ---- */

static RunSettings settings_of(const Options *given, const char *layouts) {
    Arena *arena = given->arena;
    RunSettings settings = {.arena = arena, .profile = true};
    char **program = NEW_ARRAY(arena, char *, given->flags.count + 1);
    for (uint32_t i = 0; i < given->flags.count; i++)
        program[i] = arena_copy(arena, given->flags.at[i], strlen(given->flags.at[i]));
    settings.program = program;
    settings.path = program_find(arena, program[0]);
    settings.choice.gpu = gpu_wanted(given->gpu, given->diags);
    run_number(&settings, "WARPLENS_THREADS", given->launch.workers);
    run_number(&settings, "WARPLENS_EVIDENCE", UINT32_MAX);
    run_setting(&settings, "WARPLENS_RESULTS", "1");
    run_setting(&settings, "WARPLENS_MACHINE_CODE",
                given->machine_code); /* as with a kernel: fix.c */
    if (given->kernel)
        run_setting(&settings, "WARPLENS_KERNEL", given->kernel);
    if (layouts)
        run_setting(&settings, "WARPLENS_LAYOUTS", layouts);
    return settings;
}

bool program_run(const Options *given, const char *layouts, ProgramRun *run) {
    RunSettings settings = settings_of(given, layouts);
    run->result = (RunResult){.profile = profile_new()};
    run->output = tmpfile();
    if (run->output)
        settings.output = fileno(run->output);
    return settings.choice.gpu && program_runnable(&settings, given->diags) &&
           run_program(&settings, &run->result, given->diags);
}

void program_run_end(ProgramRun *run) {
    if (run->output)
        fclose(run->output);
    if (run->result.profile)
        profile_free(run->result.profile);
}

/* ---- comparing ---- */

static int by_result(const void *left, const void *right) {
    const ProgramResult *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* In any order: threads of a program may take turns. */
uint64_t program_results_differ(RunResult *a, RunResult *b) {
    uint32_t i = 0, j = 0;
    uint64_t differ = 0;
    if (a->results.count)
        qsort(a->results.at, a->results.count, sizeof *a->results.at, by_result);
    if (b->results.count)
        qsort(b->results.at, b->results.count, sizeof *b->results.at, by_result);
    while (i < a->results.count || j < b->results.count) {
        int order = i == a->results.count   ? 1
                    : j == b->results.count ? -1
                                            : by_result(&a->results.at[i], &b->results.at[j]);
        differ += order != 0;
        i += order <= 0;
        j += order >= 0;
    }
    return differ;
}

static char *read_line(FILE *file, char **line, size_t *size) {
    return getline(line, size, file) < 0 ? NULL : *line;
}

void program_print_output(const ProgramRun *before, const ProgramRun *after) {
    char *lines[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    uint64_t count = 0, differ = 0;
    if (!before->output || !after->output)
        return;
    rewind(before->output);
    rewind(after->output);
    for (;;) {
        const char *was = read_line(before->output, &lines[0], &sizes[0]);
        const char *is = read_line(after->output, &lines[1], &sizes[1]);
        if (!was && !is)
            break;
        count++;
        differ += !was || !is || strcmp(was, is) != 0;
    }
    if (differ)
        plain_printf(stdout,
                     "%llu of %llu lines that it prints differ: times, if it measures any\n",
                     (unsigned long long)differ, (unsigned long long)count);
    else if (count)
        plain_printf(stdout, "what it prints is the same: %llu line%s\n", (unsigned long long)count,
                     count == 1 ? "" : "s");
    free(lines[0]);
    free(lines[1]);
}

uint64_t program_wavefronts(const Profile *profile, const char *kernel) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++)
        if (strcmp(profile_kernel(profile, i)->name, kernel) == 0)
            sum += profile_total(profile, i, NULL).wavefronts;
    return sum;
}

FixCost program_cost(const Profile *profile, const char *kernel) {
    FixCost cost = {.wavefronts = program_wavefronts(profile, kernel)};
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const LaunchRecord *launch = &profile->launches.at[i];
        if (strcmp(profile->kernels.at[launch->kernel].name, kernel) != 0)
            continue;
        cost.thread_insts += launch->thread_insts;
        cost.warp_insts += launch->warp_insts;
        cost.sectors += launch_counters(profile, i, SITE_GLOBAL).sectors;
    }
    return cost;
}

uint64_t program_result_bytes(const RunResult *result) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < result->results.count; i++)
        bytes += result->results.at[i].bytes;
    return bytes;
}
