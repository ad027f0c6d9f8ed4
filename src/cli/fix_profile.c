/* warplens fix x.wlp: the best layouts by the evidence of a profile. Nothing is run, so nothing is proven. */
#include "cli/commands.h"
#include "cli/fix_combine.h"
#include "cli/fix_global.h"
#include "cli/fix_patch.h"

#include <string.h>

bool fix_is_profile(const Options *given) {
    const char *file = given->files.count == 1 ? given->files.at[0] : "";
    size_t length = strlen(file);
    return length > 4 && strcmp(file + length - 4, ".wlp") == 0;
}

static void print_proof(const Profile *profile) {
    const char *command = profile->command ? profile->command : "";
    bool program = profile_of_program(profile);
    puts("not proven, since nothing is run from a profile. It was made by");
    plain_printf(stdout, "  %s\n", command);
    puts(program
             ? "and warplens fix -- PROGRAM ARGUMENT... runs that program again and compares"
             : "and warplens fix with the same file, kernel and arguments runs it and compares");
}

/* Is a source another one than when the profile was made? */
static void warn_of_changes(Options *given, const Profile *profile, const uint64_t *hashes) {
    for (uint32_t i = 0; i < profile->files.count; i++)
        if (hashes[i] && profile->files.at[i].hash != hashes[i])
            diags_add(given->diags, DIAG_WARNING, (Place){.file = profile->files.at[i].path},
                      "it has changed since the profile was made");
}

static int patch(Options *given, Profile *profile, const FixPlans *plans) {
    SourceFixes fixes = {0};
    uint64_t *hashes = NEW_ARRAY(given->arena, uint64_t, profile->files.count + 1);
    for (uint32_t i = 0; i < profile->files.count; i++)
        hashes[i] = profile->files.at[i].hash;
    kernel_sources(given, profile); /* as they are now; its paths are those of --source-map */
    int status = fix_patch_plans(given, plans, given->files.at[0], &fixes);
    if (status != EXIT_UNUSABLE && fixes.done == 0)
        fix_no_patch(given, NOTHING_REWRITTEN);
    warn_of_changes(given, profile, hashes);
    return status;
}

int fix_profile(Options *given) {
    Profile *profile = profile_load(given->files.at[0], given->diags);
    FixPlans plans = {0};
    FixSteps steps = {0};
    if (!profile)
        return EXIT_UNUSABLE;
    if (given->only != NONE && given->only >= profile->launches.count)
        diags_error(given->diags, "--launch %u: the profile has %u launches", given->only,
                    profile->launches.count);
    int status = EXIT_FINE;
    if (!given->diags->errors)
        fix_plans(given, profile, &plans);
    if (!given->diags->errors) {
        fix_combine(given->arena, given->until, &plans, &steps);
        for (uint32_t i = 0; i < plans.global.count; i++)
            global_unpriced(given->arena, plans.global.at[i]);
    }
    if (!given->diags->errors && given->json) {
        FixSummary summary = {0};
        fix_summarize(given->arena, &plans, "-", &summary);
        fix_order_summary(&summary);
        fix_json(given, &(FixData){.plans = &plans, .summary = &summary});
    } else if (!given->diags->errors) {
        FixSummary summary = {0};
        uint32_t fixes = fix_print_plans(given->arena, &plans);
        fix_print_left(given, &plans, &steps);
        if (fixes)
            print_proof(profile);
        if (fixes && given->patch)
            status = patch(given, profile, &plans);
        else
            fix_no_patch(given, NOTHING_BETTER);
        fix_print_global(given->arena, &plans);
        fix_summarize(given->arena, &plans, "-", &summary);
        fix_print_summary(given->arena, &summary);
    }
    profile_free(profile);
    return given->diags->errors ? EXIT_UNUSABLE : status;
}
