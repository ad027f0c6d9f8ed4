/* merge: `warplens merge A.wlp B.wlp … -o ALL.wlp` - several profiles as one: of jobs that machines have shared out, or of programs that
 * ran one by one. */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/progress.h"

#include <argp.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct MergeRun {
    Arena *arena;
    VEC(const char *) profiles;
    const char *output;
    bool quiet;
} MergeRun;

static const struct argp_option option_list[] = {
    {"output", 'o', "FILE", 0, "save the merged profile as FILE (needed)", 0},
    {"quiet", 'q', NULL, 0, "print nothing but errors", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    MergeRun *run = state->input;
    switch (key) {
    case 'o':
        run->output = argument;
        return 0;
    case 'q':
        run->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        *vec_add(run->arena, &run->profiles) = argument;
        return 0;
    case ARGP_KEY_END:
        if (run->profiles.count == 0)
            argp_error(state, "no profile: warplens merge A.wlp B.wlp … -o ALL.wlp");
        if (!run->output)
            argp_error(state, "-o FILE is missing: where the merged profile is saved");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp merge_argp = {
    .options = option_list,
    .parser = parse_option,
    .args_doc = "FILE.wlp...",
    .doc = "Make one profile of several: their launches in the order in which the profiles are "
           "named, sources and modules "
           "once. Parts of a launch (kernel --shard) become one where all are there, with the "
           "counts of the whole; launches "
           "that were shared out (run --shard) go by their numbers in the program.\v"
           "Examples:\n"
           "  warplens merge tests-1.wlp tests-2.wlp -o tests.wlp\n"
           "  warplens kernel scan.ptx … --shard 1/4 -o part-1.wlp   (and 2/4, 3/4, 4/4 on other "
           "machines)\n"
           "  warplens merge part-*.wlp -o scan.wlp\n\n"
           "Profiles may be merged in any order, and what was merged again. What a sum cannot have "
           "stays apart, and is told of: "
           "a source that differs between profiles, parts of a launch of which some are missing. "
           "Baselines inside the profiles are left "
           "out.\n\n"
           "Exit status: 0, or 3 if a file or an option cannot be used.",
};

/* No file twice, by whatever name: its launches would count double. */
static bool are_different(const MergeRun *run, Diags *diags) {
    struct stat *files = NEW_ARRAY(run->arena, struct stat, run->profiles.count);
    for (uint32_t i = 0; i < run->profiles.count; i++) {
        if (stat(run->profiles.at[i], &files[i]) != 0)
            continue; /* which is told when it is read */
        for (uint32_t j = 0; j < i; j++) {
            if (files[j].st_ino != files[i].st_ino || files[j].st_dev != files[i].st_dev)
                continue;
            diags_error(diags, "%s: is the same file as %s, and would count twice",
                        run->profiles.at[i], run->profiles.at[j]);
            return false;
        }
    }
    return true;
}

static void show(void *context, uint32_t done, uint32_t all) {
    FILE *out = context;
    if (done == all)
        progress_clear(out);
    else
        fprintf(out, "\rmerging: %u %%\033[K", 100 * done / all);
    fflush(out);
}

int command_merge(int argc, char **argv) {
    Arena *arena = arena_new();
    MergeRun run = {.arena = arena};
    Diags *diags = diags_new(arena);
    bool good = options_parse(&merge_argp, argc, argv, 0, &run);
    const MergeWatch watch = {show, stderr};
    bool shows = !run.quiet && isatty(STDERR_FILENO);
    good = good && are_different(&run, diags) &&
           output_usable(run.output, run.profiles.at, run.profiles.count, diags) &&
           profiles_merge(run.profiles.at, run.profiles.count, run.output, shows ? &watch : NULL,
                          diags);
    if (good && run.quiet)
        diags->list.count = 0;
    diags_print(diags, stderr, colour_shown(COLOUR_AUTO, STDERR_FILENO));
    arena_free(arena);
    return good ? EXIT_FINE : EXIT_UNUSABLE;
}
