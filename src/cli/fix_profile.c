/* warplens fix x.wlp: the best layouts by the evidence of a profile. Nothing is run, so nothing is proven. */
#include "cli/commands.h"
#include "cli/fix.h"

#include <string.h>

bool fix_is_profile(const Options *given) {
    const char *file = given->files.count == 1 ? given->files.at[0] : "";
    size_t length = strlen(file);
    return length > 4 && strcmp(file + length - 4, ".wlp") == 0;
}

static void print_proof(const Profile *profile) {
    const char *command = profile->command ? profile->command : "";
    bool program = strncmp(command, "warplens run", 12) == 0;
    puts("not proven, since nothing is run from a profile. It was made by");
    printf("  %s\n", command);
    puts(program
             ? "and warplens fix -- PROGRAM ARGUMENT... runs that program again and compares"
             : "and warplens fix with the same file, kernel and arguments runs it and compares");
}

int fix_profile(Options *given) {
    Profile *profile = profile_load(given->files.at[0], given->diags);
    FixPlans plans = {0};
    if (!profile)
        return EXIT_UNUSABLE;
    if (given->launch != NONE && given->launch >= profile->launches.count)
        diags_error(given->diags, "--launch %u: the profile has %u launches", given->launch,
                    profile->launches.count);
    if (!given->diags->errors) {
        fix_plans(given, profile, &plans);
        if (fix_print_plans(given->arena, &plans))
            print_proof(profile);
    }
    profile_free(profile);
    return given->diags->errors ? EXIT_UNUSABLE : EXIT_FINE;
}
