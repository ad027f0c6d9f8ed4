/* kernel_options: what `warplens kernel` or `warplens fix` was asked to do. */
#pragma once

#include "exec/exec.h"
#include "report/report.h"

#include <argp.h>

typedef VEC(const char *) Texts;

typedef struct Options {
    Arena *arena;
    Diags *diags;
    Texts files, flags, arguments, dumps, checks, maps, instantiate;
    const char *kernel, *gpu, *output, *page, *print, *arch, *engine;
    uint32_t grid[3], block[3], shared, threads, evidence;
    uint64_t limit;
    BlockChoice choice;
    uint64_t choice_n, choice_seed;
    uint32_t sample;
    double rtol, atol;
    const char *patch; /* fix --patch: the file, or "-": standard output */
    FILE *patch_out;   /* then, that output */
    bool apply;        /* fix --apply */
    uint32_t launch;   /* of a profile; NONE: all */
    bool no_sass, no_counts, quiet, colour;
    const char *command; /* the command line */
} Options;

/* argp: kernel_argp or fix_argp. false: the options cannot be used, diags says why (or the help was printed and the process ended). */
bool kernel_options(const struct argp *argp, int argc, char **argv, Options *given);
