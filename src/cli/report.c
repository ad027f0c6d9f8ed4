/* report: `warplens report FILE.wlp` - shows a profile again, without running anything. */
#include "cli/commands.h"
#include "cli/options.h"

#include <argp.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

typedef struct ReportRun {
    const char *profile, *output, *root;
    const ReportFormat *format;
    ReportOptions options;
    ColourChoice colour;
    bool width_given, no_pager;
} ReportRun;

enum {
    KEY_PTX = 256,
    KEY_INLINE,
    KEY_MANGLED,
    KEY_EXACT,
    KEY_BY_LINE,
    KEY_BY_INST,
    KEY_COLOUR,
    KEY_FORMAT,
    KEY_WIDTH,
    KEY_WIDE,
    KEY_TOP,
    KEY_LINE,
    KEY_EACH_LAUNCH,
    KEY_ROOT,
    KEY_NO_PAGER,
    KEY_COLUMNS
};

static const struct argp_option option_list[] = {
    {"page", 'p', "PAGE", 0, PAGE_HELP " (default: all, details and source of the worst launch)",
     0},
    {"launch", 'l', "N", 0, "this launch alone, counted from 0", 0},
    {"kernel", 'k', "NAME", 0, "launches of kernels " NAMED, 0},
    {"line", KEY_LINE, "[FILE:]N", 0,
     "launches that accessed memory in line N of FILE, or of its end; source: this line alone, "
     "with "
     "its PTX, what was inlined, and how the lanes lie",
     0},
    {"top", KEY_TOP, "N", 0,
     "summary: N launches, source: N lines, those that come first by --sort (default: worst)", 0},
    {"sort", 's', "KEY", 0,
     "summary: launches, source: lines, the largest first, by a counter or by worst, "
     "excess_wavefronts, excess_sectors, n_way, sectors_per_request; launches by time or saves, "
     "too (--time)",
     0},
    {"columns", KEY_COLUMNS, "LIST", 0,
     "summary: these columns, such as time,saves,registers,occupancy,l1_hits,dram_rate (an unknown "
     "one lists all)",
     0},
    {"each-launch", KEY_EACH_LAUNCH, NULL, 0,
     "summary: a row for each launch (without, for each kernel, where there are more than 30)", 0},
    {"ptx", KEY_PTX, NULL, 0, "source: with the PTX instructions of each line", 0},
    {"inline", KEY_INLINE, NULL, 0, "source: with what was inlined into each line", 0},
    {"exact", KEY_EXACT, NULL, 0, "source: no rounded numbers", 0},
    {"instructions", KEY_BY_INST, NULL, 0,
     "raw, csv, tsv: all instructions of machine code that was executed, with their executions", 0},
    {"lines", KEY_BY_LINE, NULL, 0, "raw, csv, tsv: totals of source lines, not of instructions",
     0},
    {"root", KEY_ROOT, "DIR", 0,
     "of the project, whose lines are blamed (default: as recorded, the repository or the sources' "
     "folder)",
     0},
    {"mangled", KEY_MANGLED, NULL, 0, "names as in the PTX", 0},
    {"format", KEY_FORMAT, "FORMAT", 0, "term (default), html, json, svg (a picture), csv or tsv",
     0},
    {"width", KEY_WIDTH, "N", 0, "columns of a page, 0: no limit (default: the terminal's, or 100)",
     0},
    {"wide", KEY_WIDE, NULL, 0, "as wide as need be: --width 0", 0},
    {"no-pager", KEY_NO_PAGER, NULL, 0,
     "write to the terminal at once (default: through PAGER, or less)", 0},
    {"color", KEY_COLOUR, "WHEN", 0, "auto (default: on a terminal), always or never", 0},
    {"output", 'o', "FILE", 0, "write to FILE", 0},
    {0},
};

static const OptionField fields[] = {
    {'l', STORE_NUMBER, offsetof(ReportRun, options.launch), "launch"},
    {'k', STORE_TEXT, offsetof(ReportRun, options.kernel), NULL},
    {'s', STORE_TEXT, offsetof(ReportRun, options.sort), NULL},
    {'o', STORE_TEXT, offsetof(ReportRun, output), NULL},
    {KEY_COLUMNS, STORE_TEXT, offsetof(ReportRun, options.columns), NULL},
    {KEY_PTX, STORE_FLAG, offsetof(ReportRun, options.ptx), NULL},
    {KEY_INLINE, STORE_FLAG, offsetof(ReportRun, options.inlined), NULL},
    {KEY_MANGLED, STORE_FLAG, offsetof(ReportRun, options.mangled), NULL},
    {KEY_EXACT, STORE_FLAG, offsetof(ReportRun, options.exact), NULL},
    {KEY_BY_LINE, STORE_FLAG, offsetof(ReportRun, options.by_line), NULL},
    {KEY_BY_INST, STORE_FLAG, offsetof(ReportRun, options.by_inst), NULL},
    {KEY_TOP, STORE_NUMBER, offsetof(ReportRun, options.top), "top"},
    {KEY_EACH_LAUNCH, STORE_FLAG, offsetof(ReportRun, options.each_launch), NULL},
    {KEY_NO_PAGER, STORE_FLAG, offsetof(ReportRun, no_pager), NULL},
    {KEY_ROOT, STORE_TEXT, offsetof(ReportRun, root), NULL},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    ReportRun *run = state->input;
    if (option_store(fields, sizeof fields / sizeof *fields, key, argument, run, state))
        return 0;
    switch (key) {
    case 'p':
        if (!pages_choice(argument, &run->options.pages))
            argp_error(state, "--page %s: expected " PAGES_EXPECTED, argument);
        return 0;
    case KEY_WIDTH:
        option_number(argument, "width", &run->options.width, state);
        run->width_given = true;
        return 0;
    case KEY_WIDE:
        run->options.width = 0;
        run->width_given = true;
        return 0;
    case KEY_LINE:
        option_line(argument, &run->options, state);
        return 0;
    case KEY_COLOUR:
        option_colour(argument, &run->colour, state);
        return 0;
    case KEY_FORMAT:
        run->format = report_format(argument);
        if (!run->format)
            argp_error(state, "there is no format '%s': term, html, json, svg, csv, tsv", argument);
        return 0;
    default:
        return option_profiles(key, argument, &run->profile, 1, state);
    }
}

const struct argp report_argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "FILE.wlp",
    .doc = "Show a profile.\v"
           "Examples:\n"
           "  warplens report scan.wlp\n"
           "  warplens report scan.wlp --page source --sort excess_wavefronts\n"
           "  warplens report scan.wlp --page summary --top 10\n"
           "  warplens report scan.wlp --line scan2d.cu:70\n"
           "  warplens report scan.wlp --page raw > counters.tsv\n"
           "  warplens report scan.wlp --format html -o scan.html\n"
           "  warplens report scan.wlp --format svg -o memory.svg\n"
           "  warplens report scan.wlp --format svg --page summary -o roofline.svg\n\n"
           "Exit status: 0, or 3 if the file or an option cannot be used.",
};

static bool write_pages(const ReportRun *run, const Profile *profile, Diags *diags) {
    Pages pages;
    bool paged = !run->no_pager && run->format == &report_formats[0];
    if (!pages_begin(&pages, run->output, paged, diags))
        return false;
    bool good = report_print(profile, run->format, &run->options, pages.out, diags);
    return pages_end(&pages, good, diags);
}

int command_report(int argc, char **argv) {
    ReportRun run = {.format = &report_formats[0], .options = REPORT_DEFAULTS};
    if (!options_parse(&report_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    pages_fit(&run.options, run.colour, run.width_given, run.output);
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Profile *profile =
        output_usable(run.output, &run.profile, 1, diags) ? profile_load(run.profile, diags) : NULL;
    bool good =
        profile && option_root(run.root, profile, diags) && write_pages(&run, profile, diags);
    diags_print(diags, stderr, colour_shown(run.colour, STDERR_FILENO));
    profile_free(profile);
    arena_free(arena);
    return good ? EXIT_FINE : EXIT_UNUSABLE;
}
