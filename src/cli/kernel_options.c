/* The options of `warplens kernel` and `warplens fix`: kernel_options.def, and how each kind is read. */
#include "cli/kernel_options.h"

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/origin.h"
#include "cli/pages.h"

#include <argp.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum OptionKind {
    KIND_TEXT,
    KIND_TEXT_OR_DASH, /* "-" without a value */
    KIND_LIST,         /* of texts */
    KIND_FLAG,
    KIND_NUMBER, /* of 32 bits */
    KIND_LONG,
    KIND_ALL_OR_NUMBER,
    KIND_THREE,
    KIND_TOLERANCE,
    KIND_CHOICE, /* of blocks */
    KIND_SAMPLE,
    KIND_SCHEDULE,
    KIND_SHARD,
    KIND_PAGES,
    KIND_COLOUR,
    KIND_FORMAT,
    KIND_PREFERENCE
} OptionKind;

typedef struct OptionRow {
    const char *name;
    int key;
    OptionKind kind;
    size_t field; /* where it is in Options */
    uint64_t most;
    const char *expected;
} OptionRow;

enum {
#define OPTION(id, ...) ROW_##id,
#define KERNEL_OPTION OPTION
#define FIX_OPTION OPTION
#include "cli/kernel_options.def"
    ROWS
};

enum { KEY_FIRST = 256 }; /* of options without a letter */
#define KEY_OF(id, letter) ((letter) ? (letter) : KEY_FIRST + ROW_##id)

static const OptionRow rows[ROWS] = {
#define OPTION(id, name, letter, value, group, kind, field, most, expected, help)                  \
    {name, KEY_OF(id, letter), KIND_##kind, offsetof(Options, field), most, expected},
#define KERNEL_OPTION OPTION
#define FIX_OPTION OPTION
#include "cli/kernel_options.def"
};

#define HIDDEN NULL
#define FLAGS_OF(kind, help)                                                                       \
    ((KIND_##kind == KIND_TEXT_OR_DASH ? OPTION_ARG_OPTIONAL : 0) |                                \
     (help == HIDDEN ? OPTION_HIDDEN : 0))
#define ARGP_ROW(id, name, letter, value, group, kind, field, most, expected, help)                \
    {name, KEY_OF(id, letter), value, FLAGS_OF(kind, help), help, group},

static const struct argp_option options[] = {
#define OPTION ARGP_ROW
#define KERNEL_OPTION ARGP_ROW
#define FIX_OPTION(...)
#include "cli/kernel_options.def"
    {0}};

static const struct argp_option fix_options[] = {
#define OPTION ARGP_ROW
#define KERNEL_OPTION(...)
#define FIX_OPTION ARGP_ROW
#include "cli/kernel_options.def"
    {0}};

/* ---- values ---- */

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

/* first:N | every:N | random:N:SEED */
static bool parse_choice(const char *text, Launch *launch) {
    char *end;
    const char *colon = strchr(text, ':');
    if (!colon)
        return false;
    launch->choice_n = strtoull(colon + 1, &end, 0);
    if (end == colon + 1 || launch->choice_n == 0)
        return false;
    Str name = {text, (size_t)(colon - text)};
    launch->choice = str_is(name, "first")    ? BLOCKS_FIRST
                     : str_is(name, "every")  ? BLOCKS_EVERY
                     : str_is(name, "random") ? BLOCKS_RANDOM
                                              : BLOCKS_ALL;
    if (launch->choice == BLOCKS_RANDOM && *end == ':')
        launch->choice_seed = strtoull(end + 1, &end, 0);
    return launch->choice != BLOCKS_ALL && !*end;
}

static bool parse_tolerance(const char *text, double *into) {
    char *end;
    *into = strtod(text, &end);
    return end != text && !*end && *into >= 0;
}

static bool parse_format(const char *text, bool *is_json) {
    *is_json = strcmp(text, "json") == 0;
    return *is_json || strcmp(text, "term") == 0;
}

static bool parse_preference(const char *text, FixPreference *into) {
    *into = strcmp(text, "padding") == 0   ? PREFER_PADDING
            : strcmp(text, "swizzle") == 0 ? PREFER_SWIZZLE
                                           : PREFER_NONE;
    return *into != PREFER_NONE || strcmp(text, "none") == 0;
}

static bool parse_number(const char *text, uint64_t most, uint32_t *into) {
    uint64_t value = 0;
    bool good = number_parse(text, most, &value);
    *into = (uint32_t)value;
    return good;
}

static bool is_all(const char *text, uint32_t *into) {
    *into = UINT32_MAX;
    return strcmp(text, "all") == 0;
}

/* Into the row's field; false: it is no such value. */
static bool read_value(Options *given, const OptionRow *row, const char *text) {
    void *field = (char *)given + row->field;
    switch (row->kind) {
    case KIND_LIST:
        *vec_add(given->arena, (Texts *)field) = text;
        return true;
    case KIND_FLAG:
        return *(bool *)field = true;
    case KIND_NUMBER:
        return parse_number(text, row->most, field);
    case KIND_LONG:
        return number_parse(text, UINT64_MAX, field);
    case KIND_ALL_OR_NUMBER:
        return is_all(text, field) || parse_number(text, row->most, field);
    case KIND_THREE:
        return parse_three(text, field);
    case KIND_TOLERANCE:
        return parse_tolerance(text, field);
    case KIND_CHOICE:
        return parse_choice(text, field);
    case KIND_SAMPLE:
        return sample_parse(text, field);
    case KIND_SCHEDULE:
        return schedule_named(text, field);
    case KIND_SHARD:
        return shard_parse(text, field);
    case KIND_PAGES:
        return pages_choice(text, field);
    case KIND_COLOUR:
        return colour_choice(text, field);
    case KIND_FORMAT:
        return parse_format(text, field);
    case KIND_PREFERENCE:
        return parse_preference(text, field);
    default:
        *(const char **)field = text ? text : "-";
        return true;
    }
}

static error_t parse_option(int key, char *text, struct argp_state *state) {
    Options *given = state->input;
    if (key == ARGP_KEY_ARG) {
        *vec_add(given->arena, &given->files) = text;
        return 0;
    }
    for (const OptionRow *row = rows; row < rows + ROWS; row++) {
        if (row->key != key)
            continue;
        if (!read_value(given, row, text))
            diags_error(given->diags, "--%s %s: expected %s", row->name, text, row->expected);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

/* ---- the commands ---- */

static const char doc[] =
    "Run one kernel of a .ptx or .cu file or a program on the CPU and profile its memory "
    "accesses.\v"
    "Example:\n"
    "  warplens kernel scan.ptx -k 'blockScan<0>' --grid 32,32 --block 32,32 \\\n"
    "      --arg 'u8[1048576]=random:1' --arg 'u64[1048576]' --arg 'u64[32768]=0' \\\n"
    "      --arg 'u64[32768]=0' --arg i32=1024 --arg i32=1024\n"
    "  warplens report scan.wlp\n"
    "Flags behind -- go to the compiler.\n\n"
    "Exit status: 0, 1 if --check found differences, 2 if the kernel faulted, 3 if a file or an "
    "option "
    "cannot be used, 130 after Ctrl-C.";

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
    "  warplens fix --on gpu --build 'make -j' --apply -- ./program 1024\n"
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

bool kernel_options(const struct argp *argp, int argc, char **argv, Options *given) {
    given->gpu = "h100";
    given->launch = (Launch){.grid = {1, 1, 1}, .evidence_blocks = 16};
    given->only = NONE;
    given->command = command_line(given->arena, argc, argv);
    /* What stands behind -- is the compiler's. */
    int own = argc;
    for (int i = 1; i < argc && own == argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            own = i;
    }
    for (int i = own + 1; i < argc; i++)
        *vec_add(given->arena, &given->flags) = argv[i];
    return options_parse(argp, own, argv, 0, given) && !given->diags->errors;
}
