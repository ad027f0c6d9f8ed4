/* run_options: what the command line of `warplens run` asks for. Settings that the program's own process reads go into
 * the environment that it gets (RunSettings). run_argp (commands.h) fills in a RunOptions: a value that is wrong becomes an error
 * in diags, and parsing goes on. */
#pragma once

#include "cli/options.h"
#include "cli/result.h"
#include "cli/run_program.h"
#include "cli/run_shard.h"

typedef enum RunMeasure { MEASURE_SAMPLED, MEASURE_TWICE, MEASURE_OFF } RunMeasure;
typedef enum RunWhere { ON_CPU, ON_GPU, ON_AUTO } RunWhere;

typedef struct RunOptions {
    Arena *arena;
    Diags *diags;
    RunSettings run;
    ResultOptions result;
    const char *gpu, *engine, *root, *kernel, *stop_after, *machine_code, *counts_only;
    const char *command; /* the whole command line */
    const char *as; /* what the profile says was run, in place of the program; NULL: the program */
    VEC(SourceMap) maps;
    ColourChoice colour;
    bool no_sass, list, once, sanitize;
    Shard shard;   /* --shard */
    bool launches; /* --shard counts a part of the launches, and does not run a part of the tests */
    uint32_t schedules; /* other orders to run in; 0: the program just runs */
    RunWhere where;
    RunMeasure measure;
    bool measured;        /* --measure was given */
    const char *cpu_only; /* an option that has no meaning on a GPU */
    uint32_t faults;      /* result: launches that faulted */
} RunOptions;
