/* warplens fix -- PROGRAM: runs a program, finds the best layouts for the shared arrays of each of its
 * kernels, and runs it again with them. The results must be equal bit for bit: every copy from the device,
 * and all memory as it is when it is released or the program ends; and the wavefronts as promised.
 *
 * What programs print is not shown. It may differ in times, so that it is compared, and said, and proves
 * nothing. Where results differ, a third run without the layouts tells whether they do so by themselves. */
#include "cli/commands.h"
#include "cli/fix_patch.h"
#include "cli/options.h"
#include "cli/run_program.h"
#include "rules/rules.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct ProgramRun {
    RunResult result;
    FILE *output;
} ProgramRun;

/* ---- running ---- */

/* "KERNEL SYMBOL LAYOUT;…": see cuda/layouts.c. */
static const char *layouts_of(Arena *arena, const FixPlans *plans) {
    const char *text = "";
    for (uint32_t p = 0; p < plans->list.count; p++) {
        const FixPlan *plan = &plans->list.at[p];
        for (uint32_t i = 0; i < plan->relayout_count; i++)
            text = arena_printf(arena, "%s%s %s %s;", text, fix_kernel(plan)->name,
                                plan->relayouts[i].symbol,
                                layout_text(arena, &plan->relayouts[i].layout));
    }
    return text;
}

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
    run_setting(&settings, "WARPLENS_MACHINE_CODE", "off"); /* as with a kernel: fix.c */
    if (given->kernel)
        run_setting(&settings, "WARPLENS_KERNEL", given->kernel);
    if (layouts)
        run_setting(&settings, "WARPLENS_LAYOUTS", layouts);
    return settings;
}

static bool run(const Options *given, const char *layouts, ProgramRun *run) {
    RunSettings settings = settings_of(given, layouts);
    run->result = (RunResult){.profile = profile_new()};
    run->output = tmpfile();
    if (run->output)
        settings.output = fileno(run->output);
    return settings.choice.gpu && program_runnable(&settings, given->diags) &&
           run_program(&settings, &run->result, given->diags);
}

static void end(ProgramRun *run) {
    if (run->output)
        fclose(run->output);
    profile_free(run->result.profile);
}

/* ---- comparing ---- */

static int by_result(const void *left, const void *right) {
    const ProgramResult *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* In any order: threads of a program may take turns. Returns how many of `a` are not in `b`, and the other
 * way round. */
static uint64_t count_differing(RunResult *a, RunResult *b) {
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

static void print_output(const ProgramRun *before, const ProgramRun *after) {
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

/* ---- wavefronts ---- */

static uint64_t wavefronts_of(const Profile *profile, const char *kernel) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++)
        if (strcmp(profile->kernels.at[profile->launches.at[i].kernel].name, kernel) == 0)
            sum += profile_total(profile, i, NULL).wavefronts;
    return sum;
}

/* Each kernel that has changed; false: one does not keep the promise. */
static bool print_wavefronts(Arena *arena, const FixPlans *plans, const Profile *after) {
    bool kept = true;
    for (uint32_t i = 0; i < plans->list.count; i++) {
        const FixPlan *plan = &plans->list.at[i];
        const ProfKernel *kernel = fix_kernel(plan);
        uint64_t was = wavefronts_of(plan->scope.profile, kernel->name);
        uint64_t is = wavefronts_of(after, kernel->name),
                 promised = was - plan->now + plan->promised;
        if (plan->relayout_count == 0)
            continue;
        plain_printf(stdout, "  %s: %s wavefronts become %s, ", kernel->demangled,
                     words_count(arena, was), words_count(arena, is));
        if (is == promised)
            puts("as promised");
        else
            plain_printf(stdout, "NOT the %s that were promised\n", words_count(arena, promised));
        kept &= is == promised;
    }
    return kept;
}

/* ---- the proof ---- */

static uint64_t total_bytes(const RunResult *result) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < result->results.count; i++)
        bytes += result->results.at[i].bytes;
    return bytes;
}

/* Results differ: do they without the layouts, too? */
static void print_differing(const Options *given, ProgramRun *before, uint64_t differ) {
    ProgramRun again;
    bool alike = true;
    if (run(given, NULL, &again))
        alike = count_differing(&before->result, &again.result) == 0;
    end(&again);
    if (alike)
        plain_printf(stdout,
                     "NOT proven: with the layouts marked *, %llu results of the program differ\n",
                     (unsigned long long)differ);
    else
        puts(
            "NOT proven: the program's results differ from run to run, with the same layouts, too");
}

static int prove(const Options *given, const FixPlans *plans, ProgramRun *before) {
    Arena *arena = given->arena;
    ProgramRun after;
    bool holds = false;
    fflush(stdout);
    bool ran = run(given, layouts_of(arena, plans), &after);
    if (ran) {
        uint64_t differ = count_differing(&before->result, &after.result);
        holds = differ == 0 && after.result.status == before->result.status;
        if (differ)
            print_differing(given, before, differ);
        else if (!holds)
            plain_printf(stdout, "NOT proven: the program's exit status becomes %d\n",
                         after.result.status);
        else
            plain_printf(
                stdout,
                "proven: run again with the layouts marked *, all %s results of the program "
                "(copies from the\ndevice, memory when it is released; %s bytes) are equal, and\n",
                words_count(arena, before->result.results.count),
                words_count(arena, total_bytes(&before->result)));
        holds &= print_wavefronts(arena, plans, after.result.profile);
        print_output(before, &after);
    }
    end(&after);
    return !ran ? EXIT_UNUSABLE : holds ? EXIT_FINE : EXIT_DIFFERS;
}

static int patch(Options *given, const FixPlans *plans) {
    SourceFixes fixes = {0};
    return fix_patch_plans(given, plans, given->flags.at[0], &fixes);
}

int fix_program(Options *given) {
    ProgramRun before;
    FixPlans plans = {0};
    int status = EXIT_UNUSABLE;
    bool ran = run(given, NULL, &before);
    if (ran && before.result.interrupted) {
        status = EXIT_INTERRUPTED;
    } else if (ran) {
        status = EXIT_FINE;
        if (before.result.status)
            plain_printf(stdout, "the program ended with status %d\n\n", before.result.status);
        kernel_sources(given, before.result.profile);
        fix_plans(given, before.result.profile, &plans);
        bool better = fix_print_plans(given->arena, &plans) > 0;
        if (better)
            status = prove(given, &plans, &before);
        if (!better || status != EXIT_FINE)
            fix_no_patch(given, better ? "the layouts are not proven" : NOTHING_BETTER);
        else if (given->patch)
            status = patch(given, &plans);
        fix_print_global(given, before.result.profile);
    }
    end(&before);
    return status;
}
