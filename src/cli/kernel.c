/* warplens kernel: compiles what needs compiling, finds the kernel, makes its arguments, runs it, saves
 * the profile and shows it. */
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/progress.h"
#include "cli/select.h"
#include "cli/sources.h"
#include "report/report.h"
#include "toolchain/toolchain.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_GRID = 256,
    KEY_BLOCK,
    KEY_SHARED,
    KEY_GPU,
    KEY_THREADS,
    KEY_DUMP,
    KEY_CHECK,
    KEY_RTOL,
    KEY_ATOL,
    KEY_SOURCE_MAP,
    KEY_INSTANTIATE,
    KEY_ARCH,
    KEY_BLOCKS,
    KEY_LIMIT,
    KEY_EVIDENCE,
    KEY_PAGE,
    KEY_NO_SASS,
    KEY_NO_COUNTS,
    KEY_COLOR,
    KEY_QUIET,
    KEY_ARG
};

static const struct argp_option options[] = {
    {"kernel", 'k', "NAME", 0, "the kernel: its name or a part that no other has", 1},
    {"grid", KEY_GRID, "X[,Y[,Z]]", 0, "blocks of the grid (default 1)", 1},
    {"block", KEY_BLOCK, "X[,Y[,Z]]", 0, "threads of a block (required)", 1},
    {"shared", KEY_SHARED, "BYTES", 0, "dynamic shared memory of a block", 1},
    {"arg", KEY_ARG, "ARGUMENT", 0,
     "next kernel argument: i32=7, f32[1024]=random:1, u8[64]=file.npy, @0+128 (pointer into array "
     "0), bytes=00ff (a struct)",
     1},
    {"gpu", KEY_GPU, "NAME", 0, "the GPU (default h100; 'warplens gpus' lists them)", 1},
    {"output", 'o', "FILE", 0, "save the profile", 2},
    {"dump", KEY_DUMP, "N=FILE.npy", 0, "write array argument N (from 0) after the launch", 2},
    {"check", KEY_CHECK, "N=FILE.npy", 0, "compare it; exit status 1 where it differs", 2},
    {"rtol", KEY_RTOL, "X", 0, "--check: relative tolerance (default 0: equal)", 2},
    {"atol", KEY_ATOL, "X", 0, "--check: absolute tolerance (default 0)", 2},
    {"page", KEY_PAGE, "PAGE", 0,
     "print summary, details, source, raw or none (default: all but raw)", 2},
    {"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 2},
    {"quiet", 'q', NULL, 0, "print no page and no progress", 2},
    {"source-map", KEY_SOURCE_MAP, "FROM=TO", 0, "rewrite the beginning of recorded source paths",
     3},
    {"instantiate", KEY_INSTANTIATE, "NAME<ARGS>", 0, ".cu: instantiate a kernel template", 3},
    {"arch", KEY_ARCH, "SM", 0, ".cu: compile for sm_XX (default: that of --gpu)", 3},
    {"no-sass", KEY_NO_SASS, NULL, 0, "do not compare with the machine code of ptxas", 3},
    {"threads", KEY_THREADS, "N", 0, "worker threads (default: all processors)", 4},
    {"blocks", KEY_BLOCKS, "CHOICE", 0,
     "run only first:N, every:N or random:N:SEED blocks; totals are extrapolated", 4},
    {"limit", KEY_LIMIT, "N", 0,
     "warp instructions of one warp before it counts as an endless loop", 4},
    {"evidence", KEY_EVIDENCE, "N", 0,
     "blocks to record access patterns in: a number or all (default 16)", 4},
    {"no-counts", KEY_NO_COUNTS, NULL, 0, "only run, to measure what counting costs", 4},
    {0}};

static const char doc[] =
    "Run one kernel of a .ptx or .cu file on the CPU and profile its memory accesses.\v"
    "Example:\n"
    "  warplens kernel scan.ptx -k 'blockScan<0>' --grid 32,32 --block 32,32 \\\n"
    "      --arg 'u8[1048576]=random:1' --arg 'u64[1048576]' --arg 'u64[32768]=0' \\\n"
    "      --arg 'u64[32768]=0' --arg i32=1024 --arg i32=1024 -o scan.wlp\n"
    "Flags behind -- go to the compiler. Exit status: 0 fine, 1 --check found differences, 2 the\n"
    "kernel faulted, 3 unusable input.";

typedef VEC(const char *) Texts;

typedef struct Options {
    Arena *arena;
    Diags *diags;
    Texts files, flags, arguments, dumps, checks, maps, instantiate;
    const char *kernel, *gpu, *output, *page, *arch;
    uint32_t grid[3], block[3], shared, threads, evidence;
    uint64_t limit;
    BlockChoice choice;
    uint64_t choice_n, choice_seed;
    double rtol, atol;
    bool no_sass, no_counts, quiet, colour;
} Options;

/* ---- options ---- */

static bool parse_three(const char *text, uint32_t out[3]) {
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        errno = 0;
        unsigned long value = strtoul(text, &end, 0);
        if (end == text || errno || value > UINT32_MAX)
            return false;
        out[i] = (uint32_t)value;
        if (!*end)
            return true;
        if (*end != ',' && *end != 'x')
            return false;
        text = end + 1;
    }
    return false;
}

static bool parse_number(const char *text, uint64_t most, uint64_t *value) {
    char *end;
    errno = 0;
    *value = strtoull(text, &end, 0);
    return end != text && !*end && !errno && *value <= most && *text != '-';
}

/* first:N | every:N | random:N:SEED */
static bool parse_choice(const char *text, Options *given) {
    char *end;
    const char *colon = strchr(text, ':');
    if (!colon)
        return false;
    given->choice_n = strtoull(colon + 1, &end, 0);
    if (end == colon + 1 || given->choice_n == 0)
        return false;
    Str name = {text, (size_t)(colon - text)};
    given->choice = str_is(name, "first")    ? BLOCKS_FIRST
                    : str_is(name, "every")  ? BLOCKS_EVERY
                    : str_is(name, "random") ? BLOCKS_RANDOM
                                             : BLOCKS_ALL;
    if (given->choice == BLOCKS_RANDOM && *end == ':')
        given->choice_seed = strtoull(end + 1, &end, 0);
    return given->choice != BLOCKS_ALL && !*end;
}

static void check(Options *given, bool good, const char *option, const char *text,
                  const char *expected) {
    if (!good)
        diags_error(given->diags, "%s %s: expected %s", option, text, expected);
}

static void parse_launch(Options *given, int key, char *text) {
    uint64_t value = 0;
    switch (key) {
    case KEY_GRID:
        check(given, parse_three(text, given->grid), "--grid", text, "X, X,Y or X,Y,Z");
        break;
    case KEY_BLOCK:
        check(given, parse_three(text, given->block), "--block", text, "X, X,Y or X,Y,Z");
        break;
    case KEY_SHARED:
        check(given, parse_number(text, UINT32_MAX, &value), "--shared", text, "a number of bytes");
        given->shared = (uint32_t)value;
        break;
    case KEY_THREADS:
        check(given, parse_number(text, 1024, &value), "--threads", text, "a number up to 1024");
        given->threads = (uint32_t)value;
        break;
    case KEY_LIMIT:
        check(given, parse_number(text, UINT64_MAX, &given->limit), "--limit", text, "a number");
        break;
    case KEY_EVIDENCE:
        value = UINT32_MAX;
        if (strcmp(text, "all") != 0)
            check(given, parse_number(text, UINT32_MAX, &value), "--evidence", text,
                  "a number of blocks or all");
        given->evidence = (uint32_t)value;
        break;
    case KEY_BLOCKS:
        check(given, parse_choice(text, given), "--blocks", text,
              "first:N, every:N or random:N:SEED");
        break;
    default:
        break;
    }
}

static void parse_tolerance(Options *given, double *into, const char *option, const char *text) {
    char *end;
    *into = strtod(text, &end);
    check(given, end != text && !*end && *into >= 0, option, text, "a number that is not negative");
}

static void parse_page(Options *given, const char *text) {
    ReportPage page;
    given->page = text;
    check(given, strcmp(text, "none") == 0 || report_page(text, &page), "--page", text,
          "summary, details, source, raw or none");
}

static void parse_colour(Options *given, const char *text) {
    given->colour = strcmp(text, "always") == 0 ||
                    (strcmp(text, "auto") == 0 && isatty(STDOUT_FILENO) && !getenv("NO_COLOR"));
    check(given, !strcmp(text, "always") || !strcmp(text, "auto") || !strcmp(text, "never"),
          "--color", text, "auto, always or never");
}

static Texts *list_of(Options *given, int key) {
    switch (key) {
    case KEY_ARG:
        return &given->arguments;
    case KEY_DUMP:
        return &given->dumps;
    case KEY_CHECK:
        return &given->checks;
    case KEY_SOURCE_MAP:
        return &given->maps;
    case KEY_INSTANTIATE:
        return &given->instantiate;
    case ARGP_KEY_ARG:
        return &given->files;
    default:
        return NULL;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    Options *given = state->input;
    Texts *list = list_of(given, key);
    if (list) {
        *vec_add(given->arena, list) = text;
        return 0;
    }
    switch (key) {
    case 'k':
        given->kernel = text;
        return 0;
    case 'o':
        given->output = text;
        return 0;
    case 'q':
        given->quiet = true;
        return 0;
    case KEY_GPU:
        given->gpu = text;
        return 0;
    case KEY_ARCH:
        given->arch = text;
        return 0;
    case KEY_PAGE:
        parse_page(given, text);
        return 0;
    case KEY_COLOR:
        parse_colour(given, text);
        return 0;
    case KEY_NO_SASS:
        given->no_sass = true;
        return 0;
    case KEY_NO_COUNTS:
        given->no_counts = true;
        return 0;
    case KEY_RTOL:
        parse_tolerance(given, &given->rtol, "--rtol", text);
        return 0;
    case KEY_ATOL:
        parse_tolerance(given, &given->atol, "--atol", text);
        return 0;
    case KEY_GRID:
    case KEY_BLOCK:
    case KEY_SHARED:
    case KEY_THREADS:
    case KEY_LIMIT:
    case KEY_EVIDENCE:
    case KEY_BLOCKS:
        parse_launch(given, key, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- input ---- */

static bool has_suffix(const char *name, const char *suffix) {
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

static bool read_ptx(Options *given, const char *file, Input *input) {
    size_t size;
    char *text = file_read(given->arena, file, &size);
    if (!text) {
        diags_error(given->diags, "%s: %s", file, strerror(errno));
        return false;
    }
    while (size > 0 && text[size - 1] == 0) /* as extracted from a fat binary */
        size--;
    *input = (Input){.name = file, .text = text, .length = size};
    return true;
}

static bool read_cuda(Options *given, const Gpu *gpu, const char *const *files, uint32_t count,
                      Input *inputs) {
    CompileOptions compile = {
        .arch = given->arch ? given->arch
                            : arena_printf(given->arena, "sm_%u%u", gpu->major, gpu->minor),
        .flags = given->flags.at,
        .flag_count = given->flags.count,
        .instantiate = given->instantiate.at,
        .instantiate_count = given->instantiate.count};
    CompiledPtx *compiled = toolchain_compile(given->arena, files, count, &compile, given->diags);
    for (uint32_t i = 0; compiled && i < count; i++)
        inputs[i] = (Input){files[i], compiled[i].text, compiled[i].length, NULL, 0};
    return compiled != NULL;
}

static Input *read_inputs(Options *given, const Gpu *gpu) {
    Input *inputs = NEW_ARRAY(given->arena, Input, given->files.count + 1);
    Texts cuda = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < given->files.count; i++) {
        const char *file = given->files.at[i];
        if (has_suffix(file, ".cu"))
            *vec_add(given->arena, &cuda) = file;
        else if (!read_ptx(given, file, &inputs[count++]))
            return NULL;
    }
    if (cuda.count && !read_cuda(given, gpu, cuda.at, cuda.count, inputs + count))
        return NULL;
    for (uint32_t i = 0; i < given->files.count; i++)
        inputs[i].entries =
            ptx_entries(given->arena, inputs[i].text, inputs[i].length, &inputs[i].entry_count);
    return inputs;
}

/* ---- running ---- */

typedef struct Session {
    Options *given;
    Profile *profile;
    Memory *memory;
    Arguments *arguments;
    const char *arch; /* "sm_90" */
    LaunchResult result;
} Session;

static Launch launch_of(const Options *given, const Function *kernel, const Gpu *gpu) {
    Launch launch = {.kernel = kernel,
                     .gpu = gpu,
                     .dynamic_shared = given->shared,
                     .workers = given->threads,
                     .limit = given->limit,
                     .choice = given->choice,
                     .choice_n = given->choice_n,
                     .choice_seed = given->choice_seed,
                     .evidence_blocks = given->evidence,
                     .counting = !given->no_counts,
                     .interrupted = interrupt_catch()};
    memcpy(launch.grid, given->grid, sizeof launch.grid);
    memcpy(launch.block, given->block, sizeof launch.block);
    if (!given->quiet && isatty(STDERR_FILENO)) {
        launch.progress = progress_show;
        launch.progress_context = stderr;
    }
    return launch;
}

static bool run(Session *session, const Input *input, const char *name, const Gpu *gpu) {
    Options *given = session->given;
    Module *module =
        ptx_parse(given->arena, input->name, input->text, input->length, name, given->diags);
    if (!module)
        return false;
    Function *kernel = module_function(module, str_of(name));
    session->memory = memory_new();
    if (!session->memory) {
        diags_error(given->diags, "no address space for the device's memory");
        return false;
    }
    session->arguments = arguments_make(given->arena, kernel, given->arguments.at,
                                        given->arguments.count, session->memory, given->diags);
    Loaded *loaded = module_load(given->arena, module, session->memory, given->diags);
    if (!session->arguments || !loaded)
        return false;
    Launch launch = launch_of(given, kernel, gpu);
    launch.params = session->arguments->params;
    launch.memory = session->memory;
    bool ran = launch_run(&launch, loaded, session->profile, &session->result, given->diags);
    if (launch.progress)
        progress_clear(stderr);
    return ran;
}

static void add_sources(Session *session) {
    Options *given = session->given;
    SourceMap *maps = NEW_ARRAY(given->arena, SourceMap, given->maps.count + 1);
    for (uint32_t i = 0; i < given->maps.count; i++) {
        if (!source_map_parse(given->arena, given->maps.at[i], &maps[i]))
            diags_error(given->diags, "--source-map %s: expected FROM=TO", given->maps.at[i]);
    }
    if (!given->diags->errors)
        sources_read(session->profile, maps, given->maps.count);
}

/* ---- what came out ---- */

static void dump(Session *session) {
    Options *given = session->given;
    for (uint32_t i = 0; i < given->dumps.count; i++)
        arguments_dump(session->arguments, session->memory, given->dumps.at[i], given->diags);
}

static bool compare(Session *session) {
    Options *given = session->given;
    bool same = true;
    for (uint32_t i = 0; i < given->checks.count; i++) {
        Comparison result;
        if (!arguments_compare(given->arena, session->arguments, session->memory,
                               given->checks.at[i], given->rtol, given->atol, &result,
                               given->diags))
            continue;
        if (result.differ == 0) {
            fprintf(stderr, "check %s: %llu elements agree\n", given->checks.at[i],
                    (unsigned long long)result.count);
            continue;
        }
        same = false;
        fprintf(
            stderr,
            "check %s: %llu of %llu elements differ; the first is [%llu]: %.9g, expected %.9g\n",
            given->checks.at[i], (unsigned long long)result.differ,
            (unsigned long long)result.count, (unsigned long long)result.first, result.got,
            result.expected);
    }
    return same;
}

static void show(const Session *session) {
    const Options *given = session->given;
    ReportOptions report = REPORT_DEFAULTS;
    ReportPage page;
    report.colour = given->colour;
    if (given->quiet || (given->page && strcmp(given->page, "none") == 0))
        return;
    if (given->page && report_page(given->page, &page))
        report.pages = 1u << page;
    report_print(session->profile, report_format("term"), &report, stdout, given->diags);
}

static int finish(Session *session) {
    Options *given = session->given;
    const LaunchRecord *record = &session->profile->launches.at[session->result.record];
    if (!given->no_sass)
        machine_compare(session->profile, record->kernel, session->arch, given->diags);
    add_sources(session);
    if (given->output)
        profile_save(session->profile, given->output, given->diags);
    dump(session);
    show(session);
    bool same = compare(session);
    if (session->result.status == LAUNCH_FAULT) {
        fprintf(stderr, "warplens: fault: %s\n", session->result.fault.message);
        return EXIT_FAULTED;
    }
    if (session->result.status == LAUNCH_INTERRUPTED) {
        fprintf(stderr, "warplens: interrupted: %llu of %llu blocks ran\n",
                (unsigned long long)record->blocks_run, (unsigned long long)record->blocks);
        return EXIT_INTERRUPTED;
    }
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    return same ? EXIT_FINE : EXIT_DIFFERS;
}

static int command(Options *given) {
    const Gpu *gpu = gpu_named(str_of(given->gpu));
    if (!gpu)
        diags_error(given->diags, "--gpu %s: unknown; 'warplens gpus' lists those that are known",
                    given->gpu);
    if (given->files.count == 0)
        diags_error(given->diags, "no input: name a .ptx or .cu file");
    if (given->block[0] == 0)
        diags_error(given->diags, "--block is missing: the threads of a block, as in --block 32,8");
    if (given->diags->errors)
        return EXIT_UNUSABLE;
    Input *inputs = read_inputs(given, gpu);
    uint32_t input;
    const char *name;
    if (!inputs || !kernel_select(given->arena, inputs, given->files.count, given->kernel, &input,
                                  &name, given->diags))
        return EXIT_UNUSABLE;
    Session session = {.given = given,
                       .profile = profile_new(),
                       .arch = arena_printf(given->arena, "sm_%u%u", gpu->major, gpu->minor)};
    int status = run(&session, &inputs[input], name, gpu) ? finish(&session) : EXIT_UNUSABLE;
    memory_free(session.memory);
    profile_free(session.profile);
    return status;
}

int command_kernel(int argc, char **argv) {
    Arena *arena = arena_new();
    Options given = {.arena = arena,
                     .diags = diags_new(arena),
                     .gpu = "h100",
                     .grid = {1, 1, 1},
                     .evidence = 16,
                     .colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
    /* What stands behind -- is the compiler's. */
    int own = argc;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            own = i;
            break;
        }
    }
    for (int i = own + 1; i < argc; i++)
        *vec_add(arena, &given.flags) = argv[i];
    const struct argp argp = {options, parse_option, "FILE...  [-- COMPILER_FLAG...]", doc, NULL,
                              NULL,    NULL};
    int status = EXIT_UNUSABLE;
    if (argp_parse(&argp, own, argv, 0, NULL, &given) == 0)
        status = command(&given);
    diags_print(given.diags, stderr, isatty(STDERR_FILENO));
    arena_free(arena);
    return status;
}
