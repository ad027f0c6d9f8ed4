/* check: `warplens check FILE.wlp` - a gate for CI: fails where a line breaks a limit, or is worse than in
 * a baseline. */
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/options.h"

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct CheckRun {
    const char *profile, *baseline, *limits_file, *root;
    const char *output, *sarif, *junit;
    const GateFormat *format;
    Limit limit; /* of all kernels; negative: not given */
    uint32_t deny;
    ReportOptions options;
    ColourChoice colour;
} CheckRun;

/* Where nothing is asked for: limits of a line (limit_default), or with a baseline that no line is worse than there. */
static const uint32_t compared =
    1u << GATE_new_conflict | 1u << GATE_new_uncoalesced | 1u << GATE_regression;

enum {
    KEY_NWAY = 256,
    KEY_SECTORS,
    KEY_DENY,
    KEY_LIMITS,
    KEY_ROOT,
    KEY_FORMAT,
    KEY_SARIF,
    KEY_JUNIT,
    KEY_COLOUR
};

static const struct argp_option option_list[] = {
    {"max-nway", KEY_NWAY, "N", 0, "wavefronts / ideal wavefronts that a line may have", 0},
    {"max-sector-ratio", KEY_SECTORS, "R", 0, "sectors / ideal sectors that a line may have", 0},
    {"limits", KEY_LIMITS, "FILE", 0,
     "limits by kernel; they win over --max-nway and --max-sector-ratio", 0},
    {"baseline", 'b', "FILE.wlp|NAME", 0,
     "the profile to compare with: a file, or where there is none of that name a baseline inside "
     "the profile",
     0},
    {"deny", KEY_DENY, "LIST", 0,
     "any of conflict, uncoalesced, and with a baseline new-conflict, new-uncoalesced, regression; "
     "commas between (default with a baseline: these three)",
     0},
    {"format", KEY_FORMAT, "FORMAT", 0, "term (default), github, sarif or junit", 0},
    {"output", 'o', "FILE", 0, "write to FILE", 0},
    {"sarif", KEY_SARIF, "FILE", 0, "beside that, SARIF 2.1.0 to FILE", 0},
    {"junit", KEY_JUNIT, "FILE", 0, "beside that, JUnit XML to FILE", 0},
    {"root", KEY_ROOT, "DIR", 0,
     "of the project: its lines are blamed, and paths given from there (default: as recorded, the "
     "repository or the sources' folder)",
     0},
    {"color", KEY_COLOUR, "WHEN", 0, "auto (default: on a terminal), always or never", 0},
    {0},
};

/* ---- options ---- */

static void set_limit(const char *text, double *limit, struct argp_state *state) {
    if (!limit_number(text, limit))
        argp_error(state, "'%s' is no limit: a number of at least 1, or none", text);
}

static void set_deny(CheckRun *run, char *list, struct argp_state *state) {
    Limits limits = {0};
    char *rest = NULL;
    for (char *word = strtok_r(list, ",", &rest); word; word = strtok_r(NULL, ",", &rest))
        if (!limits_deny(&limits, word))
            argp_error(state,
                       "cannot deny '%s': conflict, uncoalesced, new-conflict, new-uncoalesced, "
                       "regression",
                       word);
    run->deny |= limits.deny;
}

static void set_format(CheckRun *run, const char *name, struct argp_state *state) {
    run->format = gate_format(name);
    if (!run->format)
        argp_error(state, "there is no format '%s': term, github, sarif, junit", name);
}

static void check_usable(CheckRun *run, struct argp_state *state) {
    bool limited = run->limits_file || run->limit.max_nway >= 0 || run->limit.max_sector_ratio >= 0;
    if (run->deny & compared && !run->baseline)
        argp_error(state, "regression, new-conflict and new-uncoalesced need --baseline");
    if (run->deny || limited)
        return;
    if (run->baseline)
        run->deny = compared;
    else
        run->limit = limit_default;
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    CheckRun *run = state->input;
    switch (key) {
    case KEY_NWAY:
        set_limit(argument, &run->limit.max_nway, state);
        return 0;
    case KEY_SECTORS:
        set_limit(argument, &run->limit.max_sector_ratio, state);
        return 0;
    case KEY_LIMITS:
        run->limits_file = argument;
        return 0;
    case KEY_DENY:
        set_deny(run, argument, state);
        return 0;
    case 'b':
        run->baseline = argument;
        return 0;
    case KEY_FORMAT:
        set_format(run, argument, state);
        return 0;
    case 'o':
        run->output = argument;
        return 0;
    case KEY_SARIF:
        run->sarif = argument;
        return 0;
    case KEY_JUNIT:
        run->junit = argument;
        return 0;
    case KEY_ROOT:
        run->root = argument;
        return 0;
    case KEY_COLOUR:
        option_colour(argument, &run->colour, state);
        return 0;
    case ARGP_KEY_END:
        check_usable(run, state);
        return 0;
    default:
        return option_profiles(key, argument, &run->profile, 1, state);
    }
}

const struct argp check_argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "FILE.wlp",
    .doc =
        "Fail where a line of a profile breaks a limit, or is worse than in a baseline. A line is "
        "judged by what it takes relative to its ideal, so that a perfect access of any width is "
        "1. A launch that ended with a fault always fails. With neither limits nor --deny, a line "
        "may have 1.1 times its ideal of shared wavefronts and 1.5 times that of sectors; with a "
        "baseline no line may be worse than there.\v"
        "Examples:\n"
        "  warplens check mine.wlp\n"
        "  warplens check mine.wlp --max-nway 2 --max-sector-ratio 1.5\n"
        "  warplens check mine.wlp --baseline main.wlp\n"
        "  warplens check mine.wlp --baseline main.wlp --deny regression,new-conflict\n"
        "  warplens check mine.wlp --limits .warplens-limits --sarif warplens.sarif\n\n"
        "Exit status: 0 within limits, 1 beyond one, 2 if a launch of the profile ended with a "
        "fault, "
        "3 if a file or an option cannot be used.",
};

/* ---- the run ---- */

static bool all_usable(const CheckRun *run, Diags *diags) {
    const char *inputs[] = {run->profile, run->baseline, run->limits_file};
    const char *outputs[] = {run->output, run->sarif, run->junit};
    return outputs_usable(outputs, sizeof outputs / sizeof *outputs, inputs,
                          sizeof inputs / sizeof *inputs, diags);
}

static bool read_limits(const CheckRun *run, Arena *arena, Limits *limits, Diags *diags) {
    size_t size;
    *vec_add(arena, &limits->list) = run->limit;
    limits->deny = run->deny;
    if (!run->limits_file)
        return true;
    const char *text = file_read(arena, run->limits_file, &size);
    if (text)
        return limits_read(arena, limits, run->limits_file, text, diags);
    diags_error(diags, "%s: cannot be read: %s", run->limits_file, strerror(errno));
    return false;
}

static bool write_as(const CheckRun *run, const GateFormat *format, const char *output,
                     const GateResult *result, Diags *diags) {
    Pages pages;
    if (!pages_begin(&pages, output, false, diags))
        return false;
    format->write(result, &run->options, pages.out);
    return pages_end(&pages, true, diags);
}

static bool write_all(const CheckRun *run, const GateResult *result, Diags *diags) {
    bool good = write_as(run, run->format, run->output, result, diags);
    if (run->sarif)
        good &= write_as(run, gate_format("sarif"), run->sarif, result, diags);
    if (run->junit)
        good &= write_as(run, gate_format("junit"), run->junit, result, diags);
    return good;
}

static bool any_fault(const Profile *profile, Diags *diags) {
    bool any = false;
    for (uint32_t i = 0; i < profile->launches.count; i++) {
        const LaunchRecord *record = &profile->launches.at[i];
        if (record->status != LAUNCH_FAULT)
            continue;
        diags_error(diags, "launch %u, %s, ended with a fault: only what ran before it was counted",
                    i, profile->kernels.at[record->kernel].demangled);
        any = true;
    }
    return any;
}

static void tell_other_code(Arena *arena, const Profile *profile, const Profile *baseline,
                            Diags *diags) {
    ProfileDiff changes = profile_diff(arena, baseline, profile);
    uint32_t count = diff_other_code(&changes);
    if (count)
        diags_add(diags, DIAG_NOTE, (Place){0},
                  "%u launch%s executed as machine code here and as PTX in the baseline, or the "
                  "other way round: lines may differ in how they were counted; --machine-code "
                  "says how to count",
                  count, count == 1 ? " was" : "es were");
}

static int check(const CheckRun *run, Arena *arena, const Profile *profile, const Profile *baseline,
                 Diags *diags) {
    Limits limits = {0};
    if (!read_limits(run, arena, &limits, diags))
        return EXIT_UNUSABLE;
    GateResult result = {.profile = profile,
                         .names = kernel_names(arena, profile, NAME_WIDTH),
                         .version = WARPLENS_VERSION};
    result.violations = gate_run(arena, profile, baseline, &limits, &result.count);
    if (!write_all(run, &result, diags))
        return EXIT_UNUSABLE;
    if (baseline)
        tell_other_code(arena, profile, baseline, diags);
    if (any_fault(profile, diags))
        return EXIT_FAULTED;
    return result.count ? EXIT_DIFFERS : EXIT_FINE;
}

int command_check(int argc, char **argv) {
    CheckRun run = {.format = &gate_formats[0], .limit = {"*", -1, -1}, .options = REPORT_DEFAULTS};
    if (!options_parse(&check_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    pages_fit(&run.options, run.colour, false, run.output);
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Profile *profile = all_usable(&run, diags) ? profile_load(run.profile, diags) : NULL;
    Profile *baseline =
        profile && run.baseline ? baseline_open(run.profile, run.baseline, diags) : NULL;
    bool loaded = profile && (baseline || !run.baseline) && option_root(run.root, profile, diags);
    int status = loaded ? check(&run, arena, profile, baseline, diags) : EXIT_UNUSABLE;
    diags_print(diags, stderr, colour_shown(run.colour, STDERR_FILENO));
    profile_free(profile);
    profile_free(baseline);
    arena_free(arena);
    return status;
}
