/* warplens run: runs a program as it is, with our library in place of the CUDA driver and runtime, and
 * collects what its launches cost.
 *
 *   fork: the program, with LD_PRELOAD and a socket's path in its environment
 *   wait: records from each of its processes -> one Profile; signals; the program's end
 *   then: the profile is saved, the summary printed on stderr, the program's exit status passed on */
#include "cli/commands.h"
#include "cli/defects.h"
#include "cli/engine.h"
#include "cli/machine.h"
#include "cli/on_gpu.h"
#include "cli/origin.h"
#include "cli/progress.h"
#include "cli/run_options.h"
#include "cli/run_orders.h"
#include "cli/run_source.h"
#include "image/image.h"
#include "isa/isa.h"
#include "probe/probe.h"
#include "report/report.h"
#include "toolchain/toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- after ---- */

static const char *save(RunOptions *given, Profile *profile, Diags *diags) {
    origin_set(profile, given->as ? given->as : given->run.program[0],
               given->as ? given->as : given->command, given->engine);
    if (!given->no_sass && !given->run.on_gpu)
        machine_compare_all(profile, given->result.quiet ? diags_new(given->arena) : diags);
    origin_tools(profile);
    const SourceRules rules = {given->maps.at, given->maps.count, given->root};
    sources_read(profile, &rules, diags);
    if (!option_root(given->root, profile, diags))
        return NULL;
    return result_save(given->arena, &given->result, given->run.program[0], profile, diags);
}

static void show(RunOptions *given, const Profile *profile, const char *saved) {
    ReportOptions report = REPORT_DEFAULTS;
    report.brief = true;
    report.colour = colour_shown(given->colour, STDERR_FILENO);
    result_show(&given->result, profile, saved, report, stderr, given->diags);
}

static void save_and_show(RunOptions *given, Profile *profile) {
    const char *saved = save(given, profile, given->diags);
    interrupt_let();
    show(given, profile, saved);
}

static void list_unsupported(const RunResult *result) {
    if (result->unsupported.count == 0)
        return;
    fputs("warplens: the program called what is not supported (it got an error that says so):\n",
          stderr);
    for (uint32_t i = 0; i < result->unsupported.count; i++)
        plain_printf(stderr, "  %s\n", result->unsupported.at[i]);
}

/* How much of the launches that were cut short is in the profile. */
static void list_interrupted(const Profile *profile) {
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const LaunchRecord *record = &profile->launches.at[i];
        if (record->status == LAUNCH_INTERRUPTED)
            fprintf(stderr, "warplens: interrupted: launch %u, %s: %llu of %llu blocks ran\n", i,
                    profile->kernels.at[record->kernel].demangled,
                    (unsigned long long)record->blocks_run, (unsigned long long)record->blocks);
    }
}

/* --list. */
static void list_kernels(const RunResult *result) {
    fputs("launches    seconds  kernel\n", stderr);
    for (uint32_t i = 0; i < result->listed.count; i++) {
        const ListedKernel *kernel = &result->listed.at[i];
        plain_printf(stderr, "%8llu %10.3f  %s\n", (unsigned long long)kernel->launches,
                     kernel->seconds, kernel->name);
    }
}

/* ---- of a GPU ---- */

static void show_listing(void *context, uint32_t done, uint32_t modules) {
    FILE *out = context;
    fprintf(
        out,
        "\rwarplens: lines and machine code of %u of %u modules; Ctrl-C leaves out the rest\033[K",
        done, modules);
    fflush(out);
}

/* Lines may take nvdisasm a minute: what was counted is saved before, and Ctrl-C leaves them out. */
static void finish_probe(RunOptions *given, RunResult *result) {
    ProbeRun *probe = result->probe;
    if (probe_run_recall(probe, given->diags)) {
        const ListingWatch watch = {
            .stop = interrupt_catch(),
            .progress = isatty(STDERR_FILENO) && !given->result.quiet ? show_listing : NULL,
            .context = stderr};
        Profile *first = profile_new();
        Diags *said_later = diags_new(given->arena);
        probe_run_finish(probe, first, said_later);
        save(given, first, said_later);
        profile_free(first);
        uint32_t left = probe_run_list(probe, &watch, given->diags);
        if (watch.progress)
            progress_clear(stderr);
        if (left)
            diags_add(given->diags, DIAG_WARNING, (Place){0},
                      "interrupted: the profile has no lines and no machine code of %u module%s; "
                      "another run lists the rest",
                      left, left > 1 ? "s" : "");
    }
    probe_run_finish(probe, result->profile, given->diags);
}

/* What the whole program did is in the first part alone, as all parts run the whole. */
static bool has_launches(const RunOptions *given, Profile *profile) {
    if (given->launches && given->shard.part > 1)
        profile->host_calls.count = 0;
    return profile->launches.count > 0 || profile->host_calls.count > 0 ||
           profile->defects.count > 0 || given->shard.parts;
}

/* A debugger's program is not seen on a GPU: the driver loads what counts into one of the debugger's own processes. */
static bool is_debugger(const char *program) {
    static const char known[] = "cuda-gdb"; /* or longer, such as cuda-gdb-minimal */
    const char *slash = strrchr(program, '/');
    return strncmp(slash ? slash + 1 : program, known, strlen(known)) == 0;
}

static void tell_none(const RunOptions *given, const RunResult *result) {
    if (result->probe && is_debugger(given->run.program[0]))
        fputs("warplens: nothing was counted: another tool (cuda-gdb) watches the program: one at "
              "a time can\n",
              stderr);
    else
        fprintf(stderr, "warplens: the program launched no kernel that is profiled%s\n",
                given->kernel ? "; 'warplens run --list' lists those that it launches" : "");
}

static int finish(RunOptions *given, RunResult *result) {
    if (result->probe)
        finish_probe(given, result);
    list_unsupported(result);
    if (given->list)
        list_kernels(result);
    if (result->enough && !given->result.quiet)
        fprintf(stderr, "warplens: ended after %s launch%s, as --stop-after asks\n",
                given->stop_after, strcmp(given->stop_after, "1") == 0 ? "" : "es");
    list_interrupted(result->profile);
    const Profile *profile = result->profile;
    if (result->probe && !result->processes && !given->result.quiet)
        fputs("warplens: nothing was counted: no process of the program loaded the library that "
              "counts: it does not use CUDA, or another tool (ncu, say) runs it, or runs warplens: "
              "one at a time can watch it\n",
              stderr);
    else if (has_launches(given, result->profile))
        save_and_show(given, result->profile);
    else if (given->run.profile && !given->result.quiet)
        tell_none(given, result);
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    given->faults = result->faults;
    int status = result->enough ? EXIT_SUCCESS : result->status;
    bool faulted = result->stopped || (result->faults > 0 && status == 0);
    uint32_t defects = tell_defects(profile);
    return faulted ? EXIT_FAULTED : defects && status == 0 ? EXIT_DIFFERS : status;
}

/* The last line: a program that looks at no error may have said that all is well. */
static void tell_faults(uint32_t count) {
    if (count)
        fprintf(stderr, "warplens: %u fault%s\n", count, count > 1 ? "s" : "");
}

static void set_gpu(RunOptions *given) {
    ArchChoice *choice = &given->run.choice;
    choice->gpu = gpu_wanted(given->gpu, given->diags);
    if (choice->gpu && choice->forced.number && !gpu_runs_ptx(choice->gpu, choice->forced))
        diags_error(given->diags,
                    "--ptx %s: %s (sm_%u) does not run it; 'warplens gpus' lists those that may",
                    arch_name(given->arena, "compute", choice->forced), choice->gpu->name,
                    gpu_arch(choice->gpu).number);
}

/* Tells the program's process which engine it has. */
static void set_engine(RunOptions *given) {
    Engine engine;
    if (!engine_wanted(given->arena, given->engine, &engine, given->diags))
        return;
    const char *name = engine_name(engine.kind);
    given->engine = origin_engine(&engine);
    if (engine.after)
        name = arena_printf(given->arena, "%s=%llu", name, (unsigned long long)engine.after);
    run_setting(&given->run, "WARPLENS_ENGINE", name);
    if (engine.plugin)
        run_setting(&given->run, "WARPLENS_PLUGIN", engine.plugin);
}

/* And which code of kernels it executes. */
static void set_machine(RunOptions *given) {
    MachineUse use;
    if (machine_wanted(given->machine_code, given->no_sass, &use, given->diags))
        run_setting(&given->run, "WARPLENS_MACHINE_CODE", machine_use_name(use));
}

/* ---- on a GPU ---- */

/* Decides where the program runs, and says so where it was to choose. */
static void set_where(RunOptions *given) {
    Diags *why = given->where == ON_GPU ? given->diags : diags_new(given->arena);
    if (given->where == ON_CPU) {
        if (given->measured)
            diags_error(given->diags, "--measure is of runs on the GPU: --on gpu");
        return;
    }
    if (given->where == ON_GPU && given->cpu_only) {
        diags_error(given->diags, "%s is of runs on the CPU, and cannot be given with --on gpu",
                    given->cpu_only);
        return;
    }
    given->run.on_gpu = !given->cpu_only && gpu_ready(&given->run, given->where == ON_AUTO, why);
    if (given->where == ON_AUTO && !given->result.quiet)
        fprintf(stderr, "warplens: runs on the %s%s%s\n", given->run.on_gpu ? "GPU" : "CPU",
                why->errors ? ": " : "", why->errors ? why->list.at[0].message : "");
}

/* ---- a part of the work ---- */

static void set_shard(RunOptions *given) {
    if (!given->shard.parts || given->diags->errors ||
        !run_shard(&given->run, given->shard, &given->launches, given->diags))
        return;
    const char *other = !given->run.profile ? "--no-profile"
                        : given->schedules  ? "--schedules"
                        : !given->launches  ? NULL
                        : given->once       ? "--once"
                        : given->sanitize   ? "--sanitize"
                                            : NULL;
    if (other)
        diags_error(given->diags, "--shard and %s: %s", other,
                    given->run.profile ? "it looks at launches together, which are counted apart"
                                       : "nothing would be counted");
    else if (!given->result.quiet)
        run_shard_tell(&given->run, given->shard, given->launches);
}

/* Has launches timed that are not counted: of the run that follows, or in one of its own. false: it could not be started. */
static bool measure(RunOptions *given, ProbeRun *probe) {
    if (given->measure == MEASURE_SAMPLED)
        run_setting(&given->run, "WARPLENS_MEASURE", "sampled");
    if (given->measure != MEASURE_TWICE)
        return true;
    RunSettings once = given->run;
    RunResult result = {.profile = profile_new(), .probe = probe};
    run_setting(&once, "WARPLENS_MEASURE", "only");
    run_setting(&once, "WARPLENS_NO_PROFILE", "1");
    once.profile = false;
    bool good = program_runnable(&once, given->diags) && run_program(&once, &result, given->diags);
    profile_free(result.profile);
    return good;
}

static bool all_usable(const RunOptions *given) {
    const char *inputs[] = {given->run.path, given->result.suppress};
    const char *outputs[] = {given->run.profile ? given->result.output : NULL,
                             given->result.suppress_new};
    return outputs_usable(outputs, 2, inputs, 2, given->diags);
}

/* Runs the program at given->run.path. Returns the exit status. */
static int run(RunOptions *given) {
    if (given->schedules)
        return program_runnable(&given->run, given->diags)
                   ? run_orders(&given->run, given->schedules, given->root, given->diags)
                   : EXIT_UNUSABLE;
    if (!program_runnable(&given->run, given->diags) || !all_usable(given))
        return EXIT_UNUSABLE;
    RunResult result = {.profile = profile_new()};
    int status = EXIT_UNUSABLE;
    if (given->run.on_gpu)
        result.probe = probe_run_new(given->arena);
    given->run.progress =
        given->run.on_gpu && given->run.profile && !given->result.quiet && isatty(STDERR_FILENO);
    if (given->run.on_gpu && !measure(given, result.probe)) {
        probe_run_free(result.probe);
        profile_free(result.profile);
        return EXIT_UNUSABLE;
    }
    interrupt_hold(); /* one that comes when the program has ended, too: finish saves first */
    if (run_program(&given->run, &result, given->diags))
        status = finish(given, &result);
    interrupt_let();
    if (result.probe)
        probe_run_free(result.probe);
    profile_free(result.profile);
    return status;
}

/* Runs what a source is compiled to. */
static int run_source(RunOptions *given) {
    const char *folder = scratch_new(given->arena);
    int status = EXIT_UNUSABLE;
    if (!folder) {
        diags_error(given->diags, "no temporary directory: %s", strerror(errno));
        return status;
    }
    given->run.path = source_compile(given->arena, given->run.program[0], given->run.choice.gpu,
                                     folder, given->diags);
    if (given->run.path)
        status = run(given);
    scratch_remove(folder);
    return status;
}

int command_run(int argc, char **argv) {
    Arena *arena = arena_new();
    RunOptions given = {.arena = arena, .diags = diags_new(arena), .gpu = "h100"};
    given.run = (RunSettings){.arena = arena, .profile = true};
    given.command = command_line(arena, argc, argv);
    int status = EXIT_UNUSABLE;
    if (options_parse(&run_argp, argc, argv, ARGP_IN_ORDER, &given)) {
        if (!given.run.program)
            diags_error(given.diags, "no program: warplens run [OPTION...] PROGRAM [ARGUMENT...]");
        if (isatty(STDERR_FILENO) && !given.result.quiet)
            run_setting(&given.run, "WARPLENS_PROGRESS", "1");
        if (given.counts_only && !given.run.profile)
            diags_error(given.diags,
                        "--counts-only: nothing is counted with --no-profile or --list");
        set_where(&given);
        set_gpu(&given);
        set_engine(&given);
        set_machine(&given);
        set_shard(&given);
        if (given.schedules && (!given.run.profile || given.result.output))
            diags_error(given.diags, "--schedules saves no profile, and compares counts: not with "
                                     "-o, --no-profile or --list");
        if (!given.diags->errors && is_cuda_source(given.run.program[0])) {
            status = run_source(&given);
        } else if (!given.diags->errors) {
            given.run.path = program_find(arena, given.run.program[0]);
            status = run(&given);
        }
    }
    diags_print(given.diags, stderr, colour_shown(given.colour, STDERR_FILENO));
    tell_faults(given.faults);
    if (given.run.folder)
        scratch_remove(given.run.folder);
    arena_free(arena);
    return status;
}
