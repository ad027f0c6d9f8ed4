/* Values of options: see options.h. */
#include "cli/options.h"

#include "cli/commands.h"
#include "exec/exec.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    argp_err_exit_status = EXIT_UNUSABLE;
    error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
    if (error == ENOMEM)
        out_of_memory();
    return error == 0;
}

void option_number(const char *text, const char *name, uint32_t *number,
                   const struct argp_state *state) {
    if (!number_option(text, number))
        argp_error(state, "'%s' is no number for --%s", text, name);
}

bool number_parse(const char *text, uint64_t most, uint64_t *number) {
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 0);
    return end != text && !*end && !errno && *number <= most && *text != '-';
}

bool sample_parse(const char *text, uint32_t *sample) {
    *sample = SAMPLE_AUTO;
    return strcmp(text, "auto") == 0 || (number_option(text, sample) && *sample > 0);
}

bool option_store(const OptionField *fields, size_t count, int key, const char *text, void *into,
                  const struct argp_state *state) {
    for (size_t i = 0; i < count; i++) {
        void *field = (char *)into + fields[i].offset;
        if (fields[i].key != key)
            continue;
        switch (fields[i].store) {
        case STORE_TEXT:
            *(const char **)field = text;
            break;
        case STORE_FLAG:
            *(bool *)field = true;
            break;
        default:
            option_number(text, fields[i].name, field, state);
        }
        return true;
    }
    return false;
}

const Gpu *gpu_wanted(const char *name, Diags *diags) {
    const Gpu *gpu = gpu_named(str_of(name));
    if (!gpu)
        diags_error(diags, "--gpu %s: unknown; 'warplens gpus' lists those that are known", name);
    return gpu;
}

error_t option_nothing(int key, struct argp_state *state) {
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    argp_usage(state);
    return 0;
}

error_t option_profiles(int key, char *argument, const char **profiles, uint32_t most,
                        struct argp_state *state) {
    uint32_t given = 0;
    if (key == ARGP_KEY_NO_ARGS)
        argp_error(state, "which profile?");
    if (key != ARGP_KEY_ARG)
        return key == ARGP_KEY_NO_ARGS ? 0 : ARGP_ERR_UNKNOWN;
    while (given < most && profiles[given])
        given++;
    if (given == most)
        argp_error(state, most == 1 ? "one profile at a time" : "two profiles, not more");
    else
        profiles[given] = argument;
    return 0;
}

void option_colour(const char *text, ColourChoice *choice, struct argp_state *state) {
    if (!colour_choice(text, choice))
        argp_error(state, "--color is auto, always or never, not '%s'", text);
}

void option_line(char *text, ReportOptions *options, struct argp_state *state) {
    char *colon = strrchr(text, ':');
    if (!number_option(colon ? colon + 1 : text, &options->line) || options->line == 0)
        argp_error(state, "--line takes N or FILE:N, not '%s'", text);
    if (!colon)
        return;
    *colon = 0;
    options->file = text;
}

bool option_root(const char *folder, Profile *profile, Diags *diags) {
    char path[PATH_MAX];
    if (!folder) {
        if (!profile->root)
            profile_find_root(profile);
        return true;
    }
    const char *root = realpath(folder, path);
    if (!root && *folder != '/') { /* an absolute one may be of the machine that made the profile */
        diags_error(diags, "--root %s: %s", folder, strerror(errno));
        return false;
    }
    profile_set_root(profile, root ? root : folder);
    return true;
}
