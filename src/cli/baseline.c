/* baseline: `warplens baseline FILE.wlp` - other profiles inside a profile, by name: lists, adds and
 * removes them. */
#include "cli/baseline.h"

#include "cli/commands.h"
#include "cli/options.h"

#include <argp.h>
#include <string.h>
#include <sys/stat.h>

typedef struct BaselineRun {
    const char *profiles[2]; /* FILE.wlp, FROM.wlp */
    const char *add, *remove;
} BaselineRun;

static const struct argp_option option_list[] = {
    {"add", 'a', "NAME", 0, "store FROM.wlp, or the profile itself as it is, under NAME", 0},
    {"remove", 'r', "NAME", 0, "remove the baseline NAME", 0},
    {0},
};

static void check_usable(const BaselineRun *run, struct argp_state *state) {
    if (run->add && run->remove)
        argp_error(state, "--add or --remove, one at a time");
    else if (run->profiles[1] && !run->add)
        argp_error(state, "a second profile needs --add");
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    BaselineRun *run = state->input;
    switch (key) {
    case 'a':
        run->add = argument;
        return 0;
    case 'r':
        run->remove = argument;
        return 0;
    case ARGP_KEY_END:
        check_usable(run, state);
        return 0;
    default:
        return option_profiles(key, argument, run->profiles, 2, state);
    }
}

const struct argp baseline_argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "FILE.wlp [FROM.wlp]",
    .doc = "List the baselines of a profile: other profiles inside it, by name, which diff and "
           "check compare it with. Or add or remove one.\v"
           "Examples:\n"
           "  warplens baseline mine.wlp --add main main.wlp\n"
           "  warplens baseline mine.wlp\n"
           "  warplens diff mine.wlp --baseline main\n"
           "  warplens check mine.wlp --baseline main --deny regression\n"
           "  warplens baseline mine.wlp --remove main\n\n"
           "A new run that is saved to the same file (-o) replaces it, baselines included.\n\n"
           "Exit status: 0, or 3 if a file or an option cannot be used.",
};

Profile *baseline_open(const char *path, const char *word, Diags *diags) {
    struct stat status;
    if (stat(word, &status) == 0 && S_ISREG(status.st_mode))
        return profile_load(word, diags);
    Profile *profile = baseline_load(path, word, diags);
    if (!profile)
        diags_add(diags, DIAG_NOTE, (Place){0}, "'%s' is no file either", word);
    return profile;
}

/* ---- the list ---- */

static void print_row(const char *name, int width, const Profile *profile) {
    uint64_t wavefronts = 0;
    for (uint32_t i = 0; i < profile->launches.count; i++)
        wavefronts += profile_total(profile, i, NULL).wavefronts;
    plain_printf(stdout, "%-*s %8u %7u %12llu\n", width, name, profile->launches.count,
                 profile->kernels.count, (unsigned long long)wavefronts);
}

static bool list(const char *path, Arena *arena, Diags *diags) {
    BaselineNames names = {0};
    if (!baseline_names(arena, path, &names, diags))
        return false;
    int width = (int)strlen("baseline");
    for (uint32_t i = 0; i < names.list.count; i++)
        if ((int)strlen(names.list.at[i]) > width)
            width = (int)strlen(names.list.at[i]);
    if (names.list.count)
        printf("%-*s %8s %7s %12s\n", width, "baseline", "launches", "kernels", "wavefronts");
    else
        plain_printf(stdout, "%s has no baselines\n", path);
    for (uint32_t i = 0; i < names.list.count; i++) {
        Profile *profile = baseline_load(path, names.list.at[i], diags);
        if (profile)
            print_row(names.list.at[i], width, profile);
        profile_free(profile);
    }
    return diags->errors == 0;
}

static bool add(const BaselineRun *run, Diags *diags) {
    Profile *from = profile_load(run->profiles[1] ? run->profiles[1] : run->profiles[0], diags);
    bool good = from && baseline_add(run->profiles[0], run->add, from, diags);
    profile_free(from);
    return good;
}

int command_baseline(int argc, char **argv) {
    BaselineRun run = {0};
    if (!options_parse(&baseline_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    bool good = run.add      ? add(&run, diags)
                : run.remove ? baseline_remove(run.profiles[0], run.remove, diags)
                             : list(run.profiles[0], arena, diags);
    diags_print(diags, stderr, false);
    arena_free(arena);
    return good ? EXIT_FINE : EXIT_UNUSABLE;
}
