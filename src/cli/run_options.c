/* The options of `warplens run`: their help, and what each sets. */
#include "cli/run_options.h"
#include "base/kernel_name.h"
#include "cli/commands.h"
#include "cli/defects.h"
#include "cli/engine.h"
#include "cli/run_orders.h"
#include "cli/suppress.h"
#include "isa/isa.h"
#include "sanitize/sanitize.h"
#include "wire/wire.h"

#include <string.h>

enum {
    KEY_LAUNCHES = 256,
    KEY_LIST,
    KEY_STOP_AFTER,
    KEY_MEASURE,
    KEY_ONCE,
    KEY_COUNTS_ONLY,
    KEY_GPU,
    KEY_THREADS,
    KEY_PTX,
    KEY_NO_PROFILE,
    KEY_NO_SAVE,
    KEY_REPORT,
    KEY_FAULT,
    KEY_EVIDENCE,
    KEY_SAMPLE,
    KEY_CACHES,
    KEY_TIME,
    KEY_CLOCK,
    KEY_LIMIT,
    KEY_SOURCE_MAP,
    KEY_ROOT,
    KEY_NO_SASS,
    KEY_COLOUR,
    KEY_ENGINE,
    KEY_MACHINE,
    KEY_SANITIZE,
    KEY_SCHEDULE,
    KEY_SCHEDULES,
    KEY_SUPPRESS,
    KEY_SUPPRESS_NEW,
    KEY_DEVICES,
    KEY_SHARD,
    KEY_AS,
    KEY_ON
};

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "profile only kernels " NAMED "; all are run", 1},
    {"launches", KEY_LAUNCHES, "N|A:B", 0,
     "profile only the first N launches of each kernel, or those numbered A to before B, from 0",
     1},
    {"once", KEY_ONCE, NULL, 0,
     "profile a launch that repeats another (same arguments, and the same bytes where it reads) "
     "once; all are run",
     1},
    {"counts-only", KEY_COUNTS_ONLY, "NAME", 0,
     "of kernels " NAMED ", run only some blocks that stand for all, where no data decide; what "
     "they were to compute is not there: who reads it faults",
     1},
    {"stop-after", KEY_STOP_AFTER, "N", 0,
     "end the program after N profiled launches, and keep their profile", 1},
    {"shard", KEY_SHARD, "I/N", 0,
     "do part I of N of the work, as one of N machines: of ctest, run every N-th test; of any "
     "other program, count every N-th "
     "launch (all are run). 'warplens merge' makes one profile of the N",
     1},
    {"list", KEY_LIST, NULL, 0,
     "just run, as with --no-profile, and list the kernels with their launches and seconds", 1},
    {"on", KEY_ON, "WHERE", 0,
     "run on the cpu, on the machine's gpu, or auto: on the GPU if it can be counted there "
     "(default cpu)",
     1},
    {"measure", KEY_MEASURE, "HOW", 0,
     "--on gpu: how long launches take uncounted: sampled (from launches that are not counted; the "
     "default), twice (from another run of the whole program before), or off",
     1},
    {"gpu", KEY_GPU, "NAME", 0, "the GPU (default h100; 'warplens gpus' lists them)", 1},
    {"devices", KEY_DEVICES, "N", 0, "how many GPUs the program sees (default 1)", 1},
    {"ptx", KEY_PTX, "ARCH", 0,
     "run the program's PTX for compute_XX (default: what the GPU's driver would take)", 1},
    {"fault", KEY_FAULT, "WHAT", 0,
     "when a kernel faults: continue (default: the program gets the CUDA error) or stop, with "
     "--sanitize also at the first finding in a kernel; pass-reads: continue, but reads outside of "
     "arrays that a GPU would not notice, within its pages of 2 MiB, get zeros and are told once",
     1},
    {"output", 'o', "FILE", 0,
     "save the profile as FILE (default: the program's name with .wlp, in the current directory)",
     2},
    {"no-save", KEY_NO_SAVE, NULL, 0, "save no profile, unless -o names one", 2},
    {"page", 'p', "PAGE", 0, "print on stderr " PAGE_HELP " (default: summary)", 2},
    {"report", KEY_REPORT, "PAGE", OPTION_HIDDEN, NULL, 2},
    /* for python/warplens, whose program only waits while another process sends records */
    {"as", KEY_AS, "COMMAND", OPTION_HIDDEN, NULL, 2},
    {"quiet", 'q', NULL, 0, "print nothing but faults and errors", 2},
    {"color", KEY_COLOUR, "WHEN", 0, "auto, always or never", 2},
    {"source-map", KEY_SOURCE_MAP, "FROM=TO", 0, "rewrite the beginning of recorded source paths",
     2},
    {"root", KEY_ROOT, "DIR", 0,
     "of the project, whose lines are blamed (default: the repository, or the sources' folder); if "
     "given, no source elsewhere is read",
     2},
    {"no-sass", KEY_NO_SASS, NULL, 0, "do not compare with the machine code of ptxas", 2},
    {"threads", KEY_THREADS, "N", 0, "worker threads (default: all processors)", 3},
    {"evidence", KEY_EVIDENCE, "N", 0,
     "blocks of a launch to record access patterns in (default 16)", 3},
    {"limit", KEY_LIMIT, "N", 0,
     "warp instructions without a store, an atomic or the end of a warp that are an endless loop "
     "(default: 2^32, about a minute)",
     3},
    {"caches", KEY_CACHES, NULL, 0,
     "estimate which accesses hit in L1 and in L2, and what passes between L2 and DRAM; takes "
     "longer",
     3},
    {"time", KEY_TIME, NULL, 0,
     "estimate how long each launch takes, what decides that, and what each finding would save; "
     "with "
     "--caches, and takes longer",
     3},
    {"clock", KEY_CLOCK, "MHZ", 0, "--time: the clock of the SMs (default: the GPU's boost clock)",
     3},
    {"sample", KEY_SAMPLE, "N", 0,
     "count in about N blocks of a launch spread over its grid (auto: 32) and those at its edges "
     "where that gives every line within 1 %, else in all; all are run",
     3},
    {"engine", KEY_ENGINE, "ENGINE", 0,
     "interp, plan (no compiler), jit (compile each kernel early) or auto (default: plan, and "
     "compile those where it pays)",
     3},
    {"machine-code", KEY_MACHINE, "USE", 0,
     "execute what ptxas makes of the kernels: off, on (where all of it is known), require, or "
     "auto "
     "(on, if ptxas and nvdisasm are installed; default: auto, or the variable "
     "WARPLENS_MACHINE_CODE)",
     3},
    {"sanitize", KEY_SANITIZE, "CHECKS", 0,
     "look for defects: all, or names with commas between: memory, races, init (or init=strict), "
     "sync, leaks, api; and stop: the first finding ends its launch as a fault does",
     3},
    {"schedule", KEY_SCHEDULE, "seed:N", 0,
     "run blocks, warps and parted lanes of each launch in another legal order, drawn from N: the "
     "same for the same N, on one worker, interpreted",
     3},
    {"schedules", KEY_SCHEDULES, "N", 0,
     "run the program in its usual order, twice, and in N others, and say what depends on the "
     "order: "
     "output, memory behind each launch, counts; no profile is saved",
     3},
    {"suppress", KEY_SUPPRESS, "FILE", 0,
     "--sanitize: leave out the defects that FILE names, by kind, kernel and line", 3},
    {"suppress-new", KEY_SUPPRESS_NEW, "FILE", 0,
     "--sanitize: write such a FILE of the defects that are found", 3},
    {"no-profile", KEY_NO_PROFILE, NULL, 0, "just run, as fast as possible", 3},
    {0}};

static const char doc[] =
    "Run a CUDA program without a GPU and profile its kernels' memory accesses.\v"
    "Example:\n"
    "  nvcc -lineinfo -o scan scan.cu\n"
    "  warplens run ./scan 1048576\n"
    "  warplens report scan.wlp\n\n"
    "'warplens run scan.cu 1048576' compiles the source so, and runs what comes of it.\n\n"
    "Exit status: the program's, or 128 + N where signal N ended it; 1 where --sanitize found a "
    "defect and the program ended well, or --schedules a result that depends on the order; 2 after "
    "--fault stop, and where a kernel faulted and the "
    "program ended well; 3 if a file or an option cannot be used.";

static void check(RunOptions *given, bool good, const char *option, const char *text,
                  const char *expected) {
    if (!good)
        diags_error(given->diags, "%s %s: expected %s", option, text, expected);
}

/* A number that the program's process reads. */
static void pass_number(RunOptions *given, const char *option, const char *variable,
                        const char *text, uint64_t most, const char *expected) {
    uint64_t number = 0;
    check(given, number_parse(text, most, &number), option, text, expected);
    run_number(&given->run, variable, number);
}

static bool measure_parse(const char *text, RunMeasure *measure) {
    static const char *const names[] = {"sampled", "twice", "off"};
    for (uint32_t i = 0; i < 3; i++) {
        *measure = (RunMeasure)i;
        if (strcmp(text, names[i]) == 0)
            return true;
    }
    return false;
}

/* Which launches are profiled. */
static bool parse_chosen(RunOptions *given, int key, char *text) {
    switch (key) {
    case 'k':
        given->kernel = text;
        run_setting(&given->run, "WARPLENS_KERNEL", text);
        return true;
    case KEY_LAUNCHES:
        check(given, launch_numbers_parse(text, &(LaunchNumbers){0}), "--launches", text,
              "a number N, or A:B with A below B");
        run_setting(&given->run, "WARPLENS_LAUNCHES", text);
        return true;
    case KEY_STOP_AFTER:
        pass_number(given, "--stop-after", "WARPLENS_STOP_AFTER", text, UINT64_MAX,
                    "a number of launches");
        check(given, strcmp(text, "0") != 0, "--stop-after", text, "a launch at least");
        given->stop_after = text;
        return true;
    case KEY_ONCE:
        given->once = true;
        run_setting(&given->run, "WARPLENS_ONCE", "1");
        return true;
    case KEY_SHARD:
        check(given, shard_parse(text, &given->shard), "--shard", text,
              "I/N, a part I of N, with I from 1");
        return true;
    case KEY_COUNTS_ONLY:
        given->counts_only = text;
        run_setting(&given->run, "WARPLENS_COUNTS_ONLY", text);
        return true;
    case KEY_LIST:
        run_setting(&given->run, "WARPLENS_LIST", "1");
        run_setting(&given->run, "WARPLENS_NO_PROFILE", "1");
        given->run.profile = false;
        given->list = true;
        return true;
    case KEY_MEASURE:
        check(given, measure_parse(text, &given->measure), "--measure", text,
              "sampled, twice or off");
        given->measured = true;
        return true;
    default:
        return false;
    }
}

/* Where it runs. */
static bool parse_where(RunOptions *given, int key, const char *text) {
    static const char *const places[] = {"cpu", "gpu", "auto"};
    static const struct {
        int key;
        const char *option;
    } cpu_only[] = {{KEY_GPU, "--gpu"},
                    {KEY_DEVICES, "--devices"},
                    {KEY_PTX, "--ptx"},
                    {KEY_ONCE, "--once"},
                    {KEY_SHARD, "--shard"},
                    {KEY_THREADS, "--threads"},
                    {KEY_LIMIT, "--limit"},
                    {KEY_SAMPLE, "--sample"},
                    {KEY_CACHES, "--caches"},
                    {KEY_TIME, "--time"},
                    {KEY_CLOCK, "--clock"},
                    {KEY_ENGINE, "--engine"},
                    {KEY_MACHINE, "--machine-code"},
                    {KEY_FAULT, "--fault"},
                    {KEY_SANITIZE, "--sanitize"},
                    {KEY_COUNTS_ONLY, "--counts-only"},
                    {KEY_SCHEDULE, "--schedule"},
                    {KEY_SCHEDULES, "--schedules"}};
    for (size_t i = 0; i < sizeof cpu_only / sizeof *cpu_only; i++)
        if (key == cpu_only[i].key)
            given->cpu_only = cpu_only[i].option;
    if (key != KEY_ON)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        if (strcmp(text, places[i]) == 0) {
            given->where = (RunWhere)i;
            return true;
        }
    }
    check(given, false, "--on", text, "cpu, gpu or auto");
    return true;
}

/* What is looked for, and in which order of threads. */
static bool parse_checks(RunOptions *given, int key, char *text) {
    SanitizeOptions checks;
    uint64_t seed = 0, count = 0;
    switch (key) {
    case KEY_SCHEDULES:
        check(given, number_parse(text, SCHEDULES_MOST, &count) && count > 0, "--schedules", text,
              "a number from 1 to 1000");
        given->schedules = (uint32_t)count;
        return true;
    case KEY_SUPPRESS:
        given->result.suppress = text;
        suppress_apply(given->arena, text, NULL, given->diags);
        return true;
    case KEY_SUPPRESS_NEW:
        given->result.suppress_new = text;
        return true;
    case KEY_SANITIZE:
        given->sanitize = true;
        if (sanitize_parse(text, "--sanitize", &checks, given->diags))
            run_setting(&given->run, "WARPLENS_SANITIZE", text);
        return true;
    case KEY_SCHEDULE:
        check(given, schedule_named(text, &seed), "--schedule", text, "seed:N with N from 1");
        run_setting(&given->run, "WARPLENS_SCHEDULE", text);
        return true;
    default:
        return false;
    }
}

/* Options that the program's process reads from its environment. */
static bool parse_passed(RunOptions *given, int key, char *text) {
    uint32_t sample = 0;
    uint64_t devices = 0;
    switch (key) {
    case KEY_GPU:
        given->gpu = text;
        return true;
    case KEY_DEVICES:
        check(given, number_parse(text, DEVICES_MOST, &devices) && devices > 0, "--devices", text,
              "a number from 1 to 16");
        run_number(&given->run, "WARPLENS_DEVICES", devices);
        return true;
    case KEY_PTX:
        check(given, arch_parse(str_of(text), &given->run.choice.forced), "--ptx", text,
              "compute_XX");
        return true;
    case KEY_THREADS:
        pass_number(given, "--threads", "WARPLENS_THREADS", text, 9999, "a number");
        return true;
    case KEY_EVIDENCE:
        pass_number(given, "--evidence", "WARPLENS_EVIDENCE", text, UINT32_MAX,
                    "a number of blocks");
        return true;
    case KEY_LIMIT:
        pass_number(given, "--limit", "WARPLENS_LIMIT", text, UINT64_MAX, "a number");
        return true;
    case KEY_SAMPLE:
        check(given, sample_parse(text, &sample), "--sample", text, "auto or a number of blocks");
        run_number(&given->run, "WARPLENS_SAMPLE", sample);
        return true;
    case KEY_CACHES:
        run_setting(&given->run, "WARPLENS_CACHES", "1");
        return true;
    case KEY_TIME:
        run_setting(&given->run, "WARPLENS_TIME", "1");
        return true;
    case KEY_CLOCK:
        pass_number(given, "--clock", "WARPLENS_CLOCK", text, 100000, "a number of MHz");
        return true;
    case KEY_MACHINE:
        given->machine_code = text;
        return true;
    case KEY_ENGINE:
        given->engine = text;
        return true;
    case KEY_NO_PROFILE:
        run_setting(&given->run, "WARPLENS_NO_PROFILE", "1");
        given->run.profile = false;
        return true;
    case KEY_FAULT:
        given->run.stop_at_fault = strcmp(text, "stop") == 0;
        check(given,
              given->run.stop_at_fault || strcmp(text, "continue") == 0 ||
                  strcmp(text, "pass-reads") == 0,
              "--fault", text, "stop, continue or pass-reads");
        run_setting(&given->run, "WARPLENS_FAULT", text);
        return true;
    default:
        return false;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    RunOptions *given = state->input;
    SourceMap map;
    if (parse_where(given, key, text) || parse_chosen(given, key, text) ||
        parse_passed(given, key, text) || parse_checks(given, key, text))
        return 0;
    switch (key) {
    case 'o':
        given->result.output = text;
        return 0;
    case 'q':
        given->result.quiet = true;
        return 0;
    case KEY_NO_SAVE:
        given->result.no_save = true;
        return 0;
    case KEY_NO_SASS:
        given->no_sass = true;
        return 0;
    case 'p':
    case KEY_REPORT: /* its old name */
        check(given, pages_choice(text, &given->result.pages), "--page", text, PAGES_EXPECTED);
        return 0;
    case KEY_AS:
        given->as = text;
        return 0;
    case KEY_COLOUR:
        check(given, colour_choice(text, &given->colour), "--color", text, "auto, always or never");
        return 0;
    case KEY_SOURCE_MAP:
        check(given, source_map_parse(given->arena, text, &map), "--source-map", text, "FROM=TO");
        *vec_add(given->arena, &given->maps) = map;
        return 0;
    case KEY_ROOT:
        given->root = text;
        return 0;
    case ARGP_KEY_ARG: /* the program; what follows is its own */
        given->run.program = &state->argv[state->next - 1];
        state->next = state->argc;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp run_argp = {
    .options = options, .parser = parse_option, .args_doc = "PROGRAM [ARGUMENT...]", .doc = doc};
