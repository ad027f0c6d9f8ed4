/* explain: `warplens explain` - one access of a warp, lane by lane: which lane has which bank and
 * word in which wavefront, and why. Of an index expression, or of a line in a profile. */
#include "cli/explain.h"

#include "cli/commands.h"
#include "cli/explain_layout.h"
#include "cli/options.h"

#include <argp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct ExplainOptions {
    ExplainRun run;
    const char *what; /* the declaration or the profile */
    const char *output, *svg;
    const DrawingFormat *format;
    ColourChoice colour;
    bool profile_option; /* one was given that is for profiles alone */
    bool layout;
} ExplainOptions;

enum {
    KEY_OP = 256,
    KEY_WIDTH,
    KEY_AT,
    KEY_OFFSET,
    KEY_SWIZZLE,
    KEY_SET,
    KEY_BLOCK,
    KEY_WARP,
    KEY_LANES,
    KEY_IF,
    KEY_SOURCE,
    KEY_GLOBAL,
    KEY_LAYOUT,
    KEY_BANKS,
    KEY_LINE,
    KEY_PATTERN,
    KEY_FORMAT,
    KEY_SVG,
    KEY_COLOUR
};

static const struct argp_option option_list[] = {
    {"access", 'a', "EXPR", 0, "what each lane accesses: tile[lane][k], v[tid].y", 0},
    {"bytes", 'b', "LIST|EXPR", 0,
     "instead of a declaration: byte addresses of lane 0, 1, ... (-: not active), or a formula for "
     "all "
     "lanes",
     0},
    {"op", KEY_OP, "OP", 0,
     "load (default), store, cas, increment, ldmatrix.x1/x2/x4, stmatrix.x1/x2/x4, cp.async.ca, "
     "cp.async.cg, or as PTX spells it: atom.add.f32, ld.shared.v4.f32",
     0},
    {"vector", 'v', "N", 0, "each lane accesses N elements from there on", 0},
    {"width", KEY_WIDTH, "BYTES", 0, "that each lane accesses (default: an element; of --bytes: 4)",
     0},
    {"at", KEY_AT, "BYTES", 0, "where in the element, with --width", 0},
    {"offset", KEY_OFFSET, "BYTES", 0, "where the array begins in shared memory (default: 0)", 0},
    {"swizzle", KEY_SWIZZLE, "B,M,S", 0, "CuTe's Swizzle<B,M,S> on element numbers", 0},
    {"set", KEY_SET, "NAME=EXPR", 0,
     "a variable, such as k=3 or row=lane/8; may be repeated. What is not set is 0", 0},
    {"block", KEY_BLOCK, "X[,Y[,Z]]", 0, "threads of a block, for threadIdx (default: 1024)", 0},
    {"warp", KEY_WARP, "N", 0, "of the block (default: 0)", 0},
    {"lanes", KEY_LANES, "LIST", 0, "lanes that take part: 0-15,24 or a mask 0xffff", 0},
    {"if", KEY_IF, "EXPR", 0, "lanes for which this is not 0 take part: lane < 16", 0},
    {"source", KEY_SOURCE, "EXPR", 0,
     "cp.async: bytes in global memory (default: one after the other)", 0},
    {"global", KEY_GLOBAL, 0, 0, "the array is in global memory: show its sectors", 0},
    {"layout", KEY_LAYOUT, 0, 0,
     "the table of an array's layout of CuTe's, with banks, threads and values, and the wavefronts "
     "of --access",
     0},
    {"bank-bytes", KEY_BANKS, "4|8", 0, "8: the mode that GPUs of compute capability 3.x had", 0},
    {"line", KEY_LINE, "[FILE:]N", 0,
     "of a profile: accesses of this line, the most frequent pattern of lanes first (default: the "
     "costliest access)",
     0},
    {"launch", 'l', "N", 0, "of a profile: this launch, counted from 0 (default: the worst)", 0},
    {"kernel", 'k', "NAME", 0, "of a profile: kernels " NAMED, 0},
    {"pattern", KEY_PATTERN, "N", 0, "of a profile: the N-th pattern, counted from 1", 0},
    {"svg", KEY_SVG, "FILE", 0, "the picture, too", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "term (default), svg or json", 0},
    {"output", 'o', "FILE", 0, "write to FILE; .svg and .json say the format", 0},
    {"color", KEY_COLOUR, "WHEN", 0, "auto (default: on a terminal), always or never", 0},
    {0},
};

/* ---- options ---- */

/* "8,8,4": as many numbers as there are commas; those that are not there keep their value. */
static void set_numbers(char *text, const char *what, uint32_t *const numbers[3], uint32_t least,
                        struct argp_state *state) {
    uint32_t count = 0;
    for (char *at = text; at; count++) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma = 0;
        if (count == 3 || !number_option(at, numbers[count]))
            argp_error(state, "--%s takes numbers such as 3,2,3, not '%s'", what, at);
        at = comma ? comma + 1 : NULL;
    }
    if (count < least)
        argp_error(state, "--%s takes %u numbers", what, least);
}

static void set_block(ExplainRun *run, char *text, struct argp_state *state) {
    uint32_t *const numbers[3] = {&run->block[0], &run->block[1], &run->block[2]};
    run->block[1] = run->block[2] = 1;
    set_numbers(text, "block", numbers, 1, state);
    for (uint32_t i = 0; i < 3; i++)
        if (run->block[i] == 0 || run->block[i] > 1024)
            argp_error(state, "a block has 1 to 1024 threads");
    run->asked.question.block = run->block;
}

static void set_swizzle(ExplainRun *run, char *text, struct argp_state *state) {
    Layout *layout = &run->swizzle;
    uint32_t *const numbers[3] = {&layout->bits, &layout->base, &layout->shift};
    set_numbers(text, "swizzle", numbers, 3, state);
    if (layout->bits > 16 || layout->base > 16 || layout->shift > 16 ||
        layout->shift < layout->bits)
        argp_error(state, "Swizzle<B,M,S> has B <= S, and none of them above 16");
    layout->kind = LAYOUT_SWIZZLED;
    run->asked.question.layout = layout;
}

static void set_format(ExplainOptions *given, const char *name, struct argp_state *state) {
    given->format = drawing_format(name);
    if (!given->format)
        argp_error(state, "there is no format '%s': term, svg, json", name);
}

static const OptionField fields[] = {
    {'a', STORE_TEXT, offsetof(Question, index), NULL},
    {'b', STORE_TEXT, offsetof(Question, bytes), NULL},
    {KEY_AT, STORE_NUMBER, offsetof(Question, byte), "at"},
    {KEY_WARP, STORE_NUMBER, offsetof(Question, warp), "warp"},
    {KEY_LANES, STORE_TEXT, offsetof(Question, lanes), NULL},
    {KEY_IF, STORE_TEXT, offsetof(Question, active), NULL},
    {KEY_SOURCE, STORE_TEXT, offsetof(Question, source), NULL},
};

static error_t parse_access(int key, char *argument, struct argp_state *state) {
    ExplainRun *run = &((ExplainOptions *)state->input)->run;
    Question *question = &run->asked.question;
    uint32_t width = question->access.width;
    if (option_store(fields, sizeof fields / sizeof *fields, key, argument, question, state))
        return 0;
    switch (key) {
    case 'v':
        option_number(argument, "vector", &question->vector, state);
        if (question->vector < 1 || question->vector > 16)
            argp_error(state, "--vector is 1 to 16 elements");
        return 0;
    case KEY_OP:
        if (!operation_named(argument, &question->access))
            argp_error(state, "--op: there is no '%s'", argument);
        if (run->asked.width_given)
            question->access.width = width;
        return 0;
    case KEY_WIDTH:
        option_number(argument, "width", &question->access.width, state);
        run->asked.width_given = true;
        return 0;
    case KEY_OFFSET:
        option_number(argument, "offset", &question->offset, state);
        if (question->offset >= 1u << 28)
            argp_error(state, "--offset: no block has so much shared memory");
        return 0;
    case KEY_SWIZZLE:
        set_swizzle(run, argument, state);
        return 0;
    case KEY_SET:
        *vec_add(run->arena, &run->set) = argument;
        return 0;
    case KEY_BLOCK:
        set_block(run, argument, state);
        return 0;
    case KEY_GLOBAL:
        run->global = true;
        return 0;
    case KEY_BANKS:
        option_number(argument, "bank-bytes", &run->asked.bank_bytes, state);
        if (run->asked.bank_bytes != 4 && run->asked.bank_bytes != 8)
            argp_error(state, "--bank-bytes is 4 or 8");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_profile(int key, char *argument, struct argp_state *state) {
    ExplainOptions *given = state->input;
    switch (key) {
    case KEY_LINE:
        option_line(argument, &given->run.options, state);
        break;
    case 'l':
        option_number(argument, "launch", &given->run.options.launch, state);
        break;
    case 'k':
        given->run.options.kernel = argument;
        break;
    case KEY_PATTERN:
        option_number(argument, "pattern", &given->run.pattern, state);
        break;
    default:
        return parse_access(key, argument, state);
    }
    given->profile_option = true;
    return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    ExplainOptions *given = state->input;
    switch (key) {
    case KEY_SVG:
        given->svg = argument;
        return 0;
    case KEY_LAYOUT:
        given->layout = true;
        return 0;
    case KEY_FORMAT:
        set_format(given, argument, state);
        return 0;
    case 'o':
        given->output = argument;
        return 0;
    case KEY_COLOUR:
        option_colour(argument, &given->colour, state);
        return 0;
    case ARGP_KEY_ARG:
        if (given->what)
            argp_error(state, "one declaration or profile at a time");
        given->what = argument;
        return 0;
    default:
        return parse_profile(key, argument, state);
    }
}

const struct argp explain_argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "[DECLARATION|FILE.wlp]",
    .doc = "Show which lane has which bank in which wavefront.\v"
           "Expressions are C's: + - * / % << >> & | ^ ~ ! ?: comparisons and parentheses over "
           "lane, warp, tid, threadIdx.x, blockDim.x, numbers and what --set sets.\n\n"
           "Examples:\n"
           "  warplens explain 'float a[32][32]' --access 'a[lane][k]'\n"
           "  warplens explain 'float a[32][32]' -a 'a[lane][k]' --swizzle 5,0,5 -o a.svg\n"
           "  warplens explain 'half a[64][64]' -a 'a[lane % 16][8 * (lane / 16)]' \\\n"
           "      --op ldmatrix.x4\n"
           "  warplens explain 'struct P { float x, y, z; } p[32]' -a 'p[lane].y'\n"
           "  warplens explain --bytes 'lane * 8' --width 8 --lanes 0-15\n"
           "  warplens explain scan.wlp --line scan2d.cu:36\n\n"
           "Exit status: 0, or 3 if the file, an expression or an option cannot be used.",
};

/* ---- the command ---- */

static bool has_suffix(const char *path, const char *suffix) {
    size_t length = strlen(path), end = strlen(suffix);
    return length > end && strcmp(path + length - end, suffix) == 0;
}

static const DrawingFormat *format_of(const ExplainOptions *given) {
    if (given->format)
        return given->format;
    const char *name = !given->output                       ? "term"
                       : has_suffix(given->output, ".svg")  ? "svg"
                       : has_suffix(given->output, ".json") ? "json"
                                                            : "term";
    return drawing_format(name);
}

static bool write_one(const ExplainOptions *given, const Drawing *drawing,
                      const DrawingFormat *format, const char *output) {
    Pages pages;
    if (!pages_begin(&pages, output, false, given->run.diags))
        return false;
    format->write(drawing, &given->run.options, pages.out);
    return pages_end(&pages, true, given->run.diags);
}

/* What was asked, or NULL: what is missing. */
static const char *missing(const ExplainOptions *given) {
    const Question *question = &given->run.asked.question;
    bool asked = question->index || question->bytes;
    if (given->layout)
        return question->bytes || given->svg || !given->what
                   ? "--layout takes a declaration, and neither --bytes nor --svg"
                   : NULL;
    if (question->index && question->bytes)
        return "--access and --bytes: one of both";
    if (question->bytes && given->what)
        return "--bytes needs no declaration";
    if (question->index && !given->what)
        return "--access needs a declaration, such as 'float a[32][33]'";
    if (asked && given->profile_option)
        return "--line, --launch, --kernel and --pattern are for profiles";
    if (!asked && !given->what)
        return "explain what? A declaration with --access, --bytes, or a profile";
    if (!asked && !has_suffix(given->what, ".wlp") && access(given->what, R_OK) != 0)
        return "a declaration needs --access, such as 'a[lane][k]'";
    return NULL;
}

/* What several options say together. */
static void complete(ExplainOptions *given) {
    Question *question = &given->run.asked.question;
    question->declaration = given->what;
    question->set = given->run.set.at;
    question->set_count = given->run.set.count;
    if (given->run.global)
        question->access.space = SPACE_GLOBAL;
}

static bool find_answer(ExplainOptions *given, Drawing *drawing, Profile **profile) {
    ExplainRun *run = &given->run;
    const char *wrong = missing(given);
    if (wrong) {
        diags_error(run->diags, "%s", wrong);
        return false;
    }
    complete(given);
    if (run->asked.question.index || run->asked.question.bytes)
        return drawing_asked(run->arena, &run->asked, drawing, run->diags);
    *profile = profile_load(given->what, run->diags);
    return *profile &&
           drawing_recorded(run->arena, *profile, &run->options, run->pattern, drawing, run->diags);
}

static bool write_layout(ExplainOptions *given) {
    ExplainRun *run = &given->run;
    const char *wrong = missing(given), *format = format_of(given)->name;
    Pages pages;
    if (!wrong && strcmp(format, "svg") == 0)
        wrong = "--layout has the formats term and json";
    if (wrong)
        diags_error(run->diags, "%s", wrong);
    complete(given);
    return !wrong && pages_begin(&pages, given->output, false, run->diags) &&
           pages_end(&pages,
                     explain_layout(run->arena, &run->asked, strcmp(format, "json") == 0, pages.out,
                                    run->diags),
                     run->diags);
}

int command_explain(int argc, char **argv) {
    Arena *arena = arena_new();
    ExplainOptions given = {.run = {.arena = arena,
                                    .diags = diags_new(arena),
                                    .asked = {.bank_bytes = BANK_BYTES},
                                    .options = REPORT_DEFAULTS}};
    Drawing drawing;
    Profile *profile = NULL;
    bool good = options_parse(&explain_argp, argc, argv, 0, &given);
    pages_fit(&given.run.options, given.colour, true, given.output);
    const char *const outputs[] = {given.output, given.svg};
    good = good && outputs_usable(outputs, 2, &given.what, 1, given.run.diags) &&
           (given.layout ? write_layout(&given)
                         : find_answer(&given, &drawing, &profile) &&
                               write_one(&given, &drawing, format_of(&given), given.output) &&
                               (!given.svg ||
                                write_one(&given, &drawing, drawing_format("svg"), given.svg)));
    diags_print(given.run.diags, stderr, colour_shown(given.colour, STDERR_FILENO));
    profile_free(profile);
    arena_free(arena);
    return good ? EXIT_FINE : EXIT_UNUSABLE;
}
