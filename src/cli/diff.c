/* diff: `warplens diff BEFORE.wlp AFTER.wlp` - what has become of the launches, lines and counters. */
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <argp.h>
#include <unistd.h>

typedef struct DiffRun {
    const char *profiles[2], *baseline, *output;
    uint32_t given;
    const DiffFormat *format;
    ReportOptions options;
    ColourChoice colour;
    bool width_given;
} DiffRun;

enum { KEY_MANGLED = 256, KEY_COLOUR, KEY_FORMAT, KEY_WIDTH };

static const struct argp_option option_list[] = {
    {"baseline", 'b', "FILE.wlp|NAME", 0,
     "the profile before: a file, or where there is none of that name a baseline inside AFTER.wlp",
     0},
    {"kernel", 'k', "NAME", 0, "launches of kernels " NAMED, 0},
    {"mangled", KEY_MANGLED, NULL, 0, "names as in the PTX", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "term (default), html, json or svg (a picture)", 0},
    {"width", KEY_WIDTH, "N", 0, "columns of a page, 0: no limit (default: the terminal's, or 100)",
     0},
    {"color", KEY_COLOUR, "WHEN", 0, "auto (default: on a terminal), always or never", 0},
    {"output", 'o', "FILE", 0, "write to FILE", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    DiffRun *run = state->input;
    switch (key) {
    case 'b':
        run->baseline = argument;
        return 0;
    case 'k':
        run->options.kernel = argument;
        return 0;
    case 'o':
        run->output = argument;
        return 0;
    case KEY_MANGLED:
        run->options.mangled = true;
        return 0;
    case KEY_WIDTH:
        option_number(argument, "width", &run->options.width, state);
        run->width_given = true;
        return 0;
    case KEY_COLOUR:
        option_colour(argument, &run->colour, state);
        return 0;
    case KEY_FORMAT:
        run->format = diff_format(argument);
        if (!run->format)
            argp_error(state, "there is no format '%s': term, html, json, svg", argument);
        return 0;
    case ARGP_KEY_ARG:
        if (run->given == 2)
            argp_error(state, "two profiles, not more");
        run->profiles[run->given++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (run->given + (run->baseline != NULL) != 2)
            argp_error(state, "two profiles: the one before (or --baseline) and the one after");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp diff_argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "[BEFORE.wlp] AFTER.wlp",
    .doc =
        "Compare two profiles: launches by kernel and order, lines through the edits of their "
        "source, every counter with its change.\v"
        "Examples:\n"
        "  warplens diff main.wlp mine.wlp\n"
        "  warplens diff main.wlp mine.wlp --kernel scan\n"
        "  warplens diff mine.wlp --baseline main\n"
        "  warplens diff main.wlp mine.wlp --format html -o changes.html\n\n"
        "Exit status: 0, whether or not anything has changed (warplens check judges changes), or 3 "
        "if a file or an option cannot be used.",
};

static bool write_diff(const DiffRun *run, const Profile *before, const Profile *after,
                       Diags *diags) {
    Pages pages;
    if (!pages_begin(&pages, run->output, false, diags))
        return false;
    bool good = report_diff(before, after, run->format, &run->options, pages.out, diags);
    return pages_end(&pages, good, diags);
}

int command_diff(int argc, char **argv) {
    DiffRun run = {.format = &diff_formats[0], .options = REPORT_DEFAULTS};
    if (!options_parse(&diff_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    pages_fit(&run.options, run.colour, run.width_given, run.output);
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const char *last = run.profiles[run.given - 1];
    Profile *before = run.baseline ? baseline_open(last, run.baseline, diags)
                                   : profile_load(run.profiles[0], diags);
    const char *inputs[] = {run.profiles[0], last, run.baseline};
    bool usable = output_usable(run.output, inputs, sizeof inputs / sizeof *inputs, diags);
    Profile *after = before && usable ? profile_load(last, diags) : NULL;
    bool good = after && write_diff(&run, before, after, diags);
    diags_print(diags, stderr, colour_shown(run.colour, STDERR_FILENO));
    profile_free(before);
    profile_free(after);
    arena_free(arena);
    return good ? EXIT_FINE : EXIT_UNUSABLE;
}
