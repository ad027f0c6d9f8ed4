/* kernel_options: what `warplens kernel` or `warplens fix` was asked to do. */
#pragma once

#include "cli/result.h"
#include "exec/exec.h"
#include "fix/fix.h"

#include <argp.h>

typedef VEC(const char *) Texts;

typedef struct Options {
    Arena *arena;
    Diags *diags;
    Texts files, flags, arguments, dumps, checks, maps, instantiate;
    const char *kernel, *gpu, *print, *arch, *engine, *machine_code, *machine_counts, *root,
        *sanitize;
    ResultOptions result;
    Launch launch; /* as far as options say what it is */
    double rtol, atol;
    const char *patch;          /* fix --patch: the file, or "-": standard output */
    FILE *patch_out;            /* then, that output */
    bool apply;                 /* fix --apply */
    const char *build, *branch; /* of a program, with --apply */
    const char *on;             /* of a program, with --build: "gpu"; NULL: the CPU */
    bool json;                  /* fix --format=json */
    FILE *json_out;             /* where that goes, if other things are printed, too */
    uint32_t until; /* fix --until: percent of the wavefronts that may be left beyond the ideal */
    uint32_t only;  /* launch of a profile; NONE: all */
    FixPreference prefer;
    bool no_sass, no_counts, stats;
    ColourChoice colour;
    const char *command; /* the command line */
} Options;

/* argp: kernel_argp or fix_argp. false: the options cannot be used, diags says why (or the help was
 * printed and the process ended). */
bool kernel_options(const struct argp *argp, int argc, char **argv, Options *given);
