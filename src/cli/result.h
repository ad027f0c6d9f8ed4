/* result: what becomes of the profile of `warplens kernel` and `warplens run`: pages are printed, and it is
 * saved, unless something else was asked for. */
#pragma once

#include "cli/pages.h"

typedef struct ResultOptions {
    const char *output; /* NULL: named after what ran */
    uint32_t pages;     /* see pages_choice; 0: the summary */
    bool no_save, quiet;
    const char *suppress, *suppress_new; /* files of known defects: suppress.h; NULL: none */
} ResultOptions;

/* Whether no output is a source that the profile has read: which sources there are shows after the run. false: diags says which. */
bool result_spares(Arena *arena, const Profile *profile, const char *const *outputs, uint32_t count,
                   Diags *diags);
/* Takes known defects out of the profile, writes the others to a file if that was asked for, and saves the profile of a run of
 * `input`, a file. Returns the path of the profile; NULL: it was not saved. Where the name is of our own choice, that is a
 * warning in diags, else an error. */
const char *result_save(Arena *arena, const ResultOptions *given, const char *input,
                        Profile *profile, Diags *diags);
/* Prints the pages to out, and on standard error where the profile is, if it is somewhere. */
void result_show(const ResultOptions *given, const Profile *profile, const char *saved,
                 ReportOptions options, FILE *out, Diags *diags);
