/* The options of `warplens kernel`. */
#include "cli/kernel_options.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/pages.h"

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    KEY_SAMPLE,
    KEY_LIMIT,
    KEY_EVIDENCE,
    KEY_PAGE,
    KEY_PRINT,
    KEY_NO_SASS,
    KEY_NO_COUNTS,
    KEY_ENGINE,
    KEY_COLOR,
    KEY_QUIET,
    KEY_ARG,
    KEY_PATCH,
    KEY_APPLY
};

/* What a launch is, and how its source is compiled: of every command that runs a kernel. */
#define LAUNCH_OPTIONS                                                                              \
    {"kernel", 'k', "NAME", 0, "the kernel: its name or a part that no other has", 1},              \
        {"grid", KEY_GRID, "X[,Y[,Z]]", 0, "blocks of the grid (default 1)", 1},                    \
        {"block", KEY_BLOCK, "X[,Y[,Z]]", 0, "threads of a block (required)", 1},                   \
        {"shared", KEY_SHARED, "BYTES", 0, "dynamic shared memory of a block", 1},                  \
        {"arg",                                                                                     \
         KEY_ARG,                                                                                   \
         "ARGUMENT",                                                                                \
         0,                                                                                         \
         "next kernel argument: i32=7, f32[1024]=random:1, u8[64]=file.npy, @0+128 (pointer into "  \
         "array 0), bytes=00ff (a struct)",                                                         \
         1},                                                                                        \
        {"gpu", KEY_GPU, "NAME", 0, "the GPU (default h100; 'warplens gpus' lists them)", 1},       \
        {"instantiate", KEY_INSTANTIATE, "NAME<ARGS>", 0, ".cu: instantiate a kernel template", 3}, \
        {"arch", KEY_ARCH, "SM", 0, ".cu: compile for sm_XX (default: that of --gpu)", 3}, {        \
        "limit", KEY_LIMIT, "N", 0,                                                                 \
            "warp instructions of one warp before it counts as an endless loop", 4                  \
    }

static const struct argp_option options[] = {
    LAUNCH_OPTIONS,
    {"output", 'o', "FILE", 0, "save the profile", 2},
    {"dump", KEY_DUMP, "N=FILE.npy", 0, "write array argument N (from 0) after the launch", 2},
    {"check", KEY_CHECK, "N=FILE.npy", 0, "compare it; exit status 1 where it differs", 2},
    {"rtol", KEY_RTOL, "X", 0, "--check: relative tolerance (default 0: equal)", 2},
    {"atol", KEY_ATOL, "X", 0, "--check: absolute tolerance (default 0)", 2},
    {"page", KEY_PAGE, "PAGE", 0,
     "print summary, details, source, raw or none (default: all but raw)", 2},
    {"print", KEY_PRINT, "WHAT", 0,
     "lowered: print the kernel's instructions with what ptxas makes of their accesses, and run "
     "nothing",
     2},
    {"color", KEY_COLOR, "WHEN", 0, "auto, always or never", 2},
    {"quiet", 'q', NULL, 0, "print no page and no progress", 2},
    {"source-map", KEY_SOURCE_MAP, "FROM=TO", 0, "rewrite the beginning of recorded source paths",
     3},
    {"no-sass", KEY_NO_SASS, NULL, 0, "do not compare with the machine code of ptxas", 3},
    {"threads", KEY_THREADS, "N", 0, "worker threads (default: all processors)", 4},
    {"blocks", KEY_BLOCKS, "CHOICE", 0,
     "run only first:N, every:N or random:N:SEED blocks; totals are extrapolated", 4},
    {"sample", KEY_SAMPLE, "N", 0,
     "run all blocks, and count in about N spread over the grid (auto: 32) and those at its edges "
     "where that gives every line within 1 %, else in all",
     4},
    {"evidence", KEY_EVIDENCE, "N", 0,
     "blocks to record access patterns in: a number or all (default 16)", 4},
    {"engine", KEY_ENGINE, "ENGINE", 0,
     "interp, jit (compile early) or auto (compile where it pays; default: auto, or the variable "
     "WARPLENS_ENGINE); jit=N, auto=N: after N instructions",
     4},
    {"no-counts", KEY_NO_COUNTS, NULL, 0, "only run, to measure what counting costs", 4},
    {0}};

static const struct argp_option fix_options[] = {
    LAUNCH_OPTIONS,
    {"launch", 'l', "N", 0, "of a profile: this launch alone, counted from 0", 1},
    {"threads", KEY_THREADS, "N", 0, "worker threads (default: 1, for the order of atomics)", 4},
    {"patch", KEY_PATCH, "FILE", OPTION_ARG_OPTIONAL,
     "write the source with the layouts marked * as a unified diff: to FILE, or to standard output "
     "(and all else to standard error)",
     2},
    {"apply", KEY_APPLY, NULL, 0,
     "change the source: if it is compiled, run and has the same results with the wavefronts that "
     "were promised",
     2},
    {"source-map", KEY_SOURCE_MAP, "FROM=TO", 0, "rewrite the beginning of recorded source paths",
     3},
    {0}};

static const char doc[] =
    "Run one kernel of a .ptx or .cu file or a program on the CPU and profile its memory "
    "accesses.\v"
    "Example:\n"
    "  warplens kernel scan.ptx -k 'blockScan<0>' --grid 32,32 --block 32,32 \\\n"
    "      --arg 'u8[1048576]=random:1' --arg 'u64[1048576]' --arg 'u64[32768]=0' \\\n"
    "      --arg 'u64[32768]=0' --arg i32=1024 --arg i32=1024 -o scan.wlp\n"
    "Flags behind -- go to the compiler.\n\n"
    "Exit status: 0, 1 if --check found differences, 2 if the kernel faulted, 3 if a file or an "
    "option "
    "cannot be used, 130 after Ctrl-C.";

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
    case 'l':
        check(given, parse_number(text, UINT32_MAX - 1, &value), "--launch", text, "a number");
        given->launch = (uint32_t)value;
        break;
    case KEY_SAMPLE:
        check(given, sample_parse(text, &given->sample), "--sample", text,
              "auto or a number of blocks");
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
    ColourChoice choice = COLOUR_AUTO;
    check(given, colour_choice(text, &choice), "--color", text, "auto, always or never");
    given->colour = choice == COLOUR_ALWAYS || (choice == COLOUR_AUTO && pages_terminal());
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

static const char **text_of(Options *given, int key) {
    switch (key) {
    case 'k':
        return &given->kernel;
    case 'o':
        return &given->output;
    case KEY_GPU:
        return &given->gpu;
    case KEY_PRINT:
        return &given->print;
    case KEY_ARCH:
        return &given->arch;
    case KEY_ENGINE:
        return &given->engine;
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
    const char **only = text_of(given, key);
    if (only) {
        *only = text;
        return 0;
    }
    switch (key) {
    case 'q':
        given->quiet = true;
        return 0;
    case KEY_PATCH:
        given->patch = text ? text : "-";
        return 0;
    case KEY_APPLY:
        given->apply = true;
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
    case KEY_SAMPLE:
    case KEY_BLOCKS:
    case 'l':
        parse_launch(given, key, text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp kernel_argp = {.options = options,
                                 .parser = parse_option,
                                 .args_doc = "FILE...  [-- COMPILER_FLAG...]",
                                 .doc = doc};

static const char fix_doc[] =
    "Find layouts of shared arrays that cost fewer wavefronts, and prove them: the kernel or the "
    "program runs again with the best layouts, its code untouched, and its results are compared. "
    "From a profile the layouts alone are found. Of a kernel also accesses to global memory, what "
    "to change in them, and a proof of what only stores an array in another way.\v"
    "Example:\n"
    "  warplens fix transpose.cu -k transposeTiled --grid 32,32 --block 32,8 \\\n"
    "      --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024\n"
    "  ... the same with --patch | patch -p1, or with --apply\n"
    "  warplens fix -- ./program 1024\n"
    "  warplens fix program.wlp -k transposeTiled\n"
    "\n"
    "Exit status: 0 where there is nothing to fix, or it is proven, 1 if a proof failed or the "
    "source could not be changed, 2 if the kernel faulted, 3 if a file or an option cannot be "
    "used, 130 after Ctrl-C.";

const struct argp fix_argp = {
    .options = fix_options,
    .parser = parse_option,
    .args_doc = "FILE...  [-- COMPILER_FLAG...]\n-- PROGRAM [ARGUMENT...]\nPROFILE.wlp",
    .doc = fix_doc};

/* The command line as a shell would take it. */
static const char *command_line(Arena *arena, int argc, char **argv) {
    const char *line = argv[0];
    for (int i = 1; i < argc; i++) {
        bool plain = argv[i][strcspn(argv[i], " '\"()[]<>*?&|;$`\\!#~")] == 0 && argv[i][0];
        line = arena_printf(arena, plain ? "%s %s" : "%s '%s'", line, argv[i]);
    }
    return line;
}

bool kernel_options(const struct argp *argp, int argc, char **argv, Options *given) {
    given->gpu = "h100";
    given->grid[0] = given->grid[1] = given->grid[2] = 1;
    given->evidence = 16;
    given->launch = NONE;
    given->colour = pages_terminal();
    given->command = command_line(given->arena, argc, argv);
    /* What stands behind -- is the compiler's. */
    int own = argc;
    for (int i = 1; i < argc && own == argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            own = i;
    }
    for (int i = own + 1; i < argc; i++)
        *vec_add(given->arena, &given->flags) = argv[i];
    argp_err_exit_status = EXIT_UNUSABLE;
    return argp_parse(argp, own, argv, 0, NULL, given) == 0 && !given->diags->errors;
}
