/* What becomes of the profile of a run: see result.h. */
#include "cli/result.h"
#include "cli/suppress.h"

#include <string.h>

/* "scan.wlp" for "src/scan.cu", "prog.wlp" for "../bin/prog". */
static const char *default_name(Arena *arena, const char *input) {
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    bool source = dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".ptx") == 0);
    return arena_printf(arena, "%.*s.wlp", (int)(source ? (size_t)(dot - name) : strlen(name)),
                        name);
}

bool result_spares(Arena *arena, const Profile *profile, const char *const *outputs, uint32_t count,
                   Diags *diags) {
    VEC(const char *) sources = {0};
    for (uint32_t i = 0; i < profile->files.count; i++)
        if (profile->files.at[i].text)
            *vec_add(arena, &sources) = profile->files.at[i].path;
    for (uint32_t i = 0; i < count; i++)
        if (!output_usable(outputs[i], sources.at, sources.count, diags))
            return false;
    return true;
}

const char *result_save(Arena *arena, const ResultOptions *given, const char *input,
                        Profile *profile, Diags *diags) {
    const char *const outputs[] = {given->output, given->suppress_new};
    if (!result_spares(arena, profile, outputs, 2, diags))
        return NULL;
    if (given->suppress && !suppress_apply(arena, given->suppress, profile, diags))
        return NULL;
    if (given->suppress_new && !suppress_write(arena, given->suppress_new, profile, diags))
        return NULL;
    if (given->output)
        return profile_save(profile, given->output, diags) ? given->output : NULL;
    if (given->no_save)
        return NULL;
    const char *name = default_name(arena, input);
    Diags *wrong = diags_new(arena);
    if (profile_save(profile, name, wrong))
        return name;
    diags_add(diags, DIAG_WARNING, (Place){0}, "the profile is not saved: %s",
              wrong->list.at[0].message);
    return NULL;
}

/* What was counted on a GPU, and machine code without PTX, has no PTX to show in their place. */
static const char *lacks_lines_words(const Profile *profile) {
    bool gpu = profile->launches.count > 0;
    for (uint32_t i = 0; i < profile->launches.count; i++)
        gpu &= profile->launches.at[i].ran_on ||
               profile->modules.at[profile_kernel(profile, i)->module].no_ptx;
    return !report_lacks_lines(profile) ? ""
           : gpu ? " (of the machine code: build with nvcc -lineinfo for those of the source)"
                 : " (of the PTX: build with nvcc -lineinfo)";
}

void result_show(const ResultOptions *given, const Profile *profile, const char *saved,
                 ReportOptions options, FILE *out, Diags *diags) {
    if (given->quiet)
        return;
    options.pages = given->pages ? given->pages : 1u << PAGE_SUMMARY;
    bool shown = !(options.pages & PAGES_NONE);
    if (shown)
        report_print(profile, &report_formats[0], &options, out, diags);
    fflush(out);
    if (saved)
        plain_printf(stderr,
                     "%swarplens: profile saved in %s; 'warplens report %s' shows its lines%s\n",
                     shown ? "\n" : "", saved, saved, lacks_lines_words(profile));
}
