/* run_program: starts a program with our library in place of CUDA and receives its records. */
#pragma once

#include "image/image.h"
#include "probe/probe.h"
#include "wire/wire.h"

typedef struct RunSettings {
    Arena *arena;
    VEC(const char *) environment; /* NAME=VALUE for the program */
    char **program;                /* its argv */
    const char *path;              /* of its file */
    ArchChoice choice;             /* the GPU, and --ptx */
    bool profile, stop_at_fault;
    bool on_gpu;           /* the program has the machine's own CUDA, and is watched */
    const char *sanitizer; /* on_gpu: the library of the Compute Sanitizer API */
    const char *folder;    /* on_gpu: with device code, and for cubins */
    bool progress;         /* on_gpu: says on standard error, a terminal, what was counted so far */
    int output;            /* a file for its standard output; 0: ours */
} RunSettings;
void run_setting(RunSettings *settings, const char *name, const char *value);
void run_number(RunSettings *settings, const char *name, uint64_t value);

/* What --list tells of a kernel. */
typedef struct ListedKernel {
    const char *name;
    uint64_t launches;
    double seconds;
} ListedKernel;

typedef struct RunResult {
    Profile *profile;              /* the caller's; records are added */
    ProbeRun *probe;               /* on_gpu: what came, to be added to the profile */
    int status;                    /* what the program's exit status is to a shell */
    bool stopped;                  /* by --fault stop */
    bool enough;                   /* ended by --stop-after */
    uint32_t faults;               /* launches that faulted */
    bool interrupted;              /* by Ctrl-C */
    uint32_t processes;            /* that loaded our library */
    VEC(const char *) unsupported; /* entry points, each once */
    VEC(ListedKernel) listed;      /* by --list, in the order of their first launches */
    VEC(ProgramResult) results;    /* where WARPLENS_RESULTS is set */
} RunResult;

/* The folder of what is loaded into programs; NULL: it is not where it was installed. */
const char *run_library(Arena *arena);
/* Of the library for programs on a GPU; false: it is not there. */
bool run_probe(Arena *arena);
/* Where the shell would find it. */
const char *program_find(Arena *arena, const char *name);
/* What cannot be run is refused before it starts; scripts and programs without kernels of their own
 * pass, as what they run or load may have some. */
bool program_runnable(const RunSettings *settings, Diags *diags);

/* Returns when the program and every process that sent records has ended. false: it could not be
 * started, diags says why. */
bool run_program(const RunSettings *settings, RunResult *result, Diags *diags);
