/* prepared.h: a kernel between its launches, and its rows of the profile. Private to exec. */
#pragma once

#include "exec/run/worker.h"

/* ---- prepare.c ---- */

/* Rows of the profile that belong to the kernel, and for each instruction its location's. */
typedef struct Rows {
    Profile *profile;
    uint32_t kernel;
    uint32_t *location_of; /* [program->code_count]; NONE: not yet */
    uint32_t *files;       /* [module->locations.count]: profile location, NONE: not yet */
} Rows;

/* What is known of a kernel, for its next launches with `sample`. */
typedef struct SampleVerdict {
    bool known;          /* the code was looked at */
    const char *because; /* why all blocks are counted; NULL: nothing speaks against sampling */
} SampleVerdict;

typedef struct Seconds {
    double wall, cpu;
} Seconds;

struct PreparedKernel {
    Arena *arena;
    const Function *kernel;
    const Gpu *gpu;
    Program *program;
    Tier *tier; /* NULL: no launch has asked for one */
    uint64_t launches;
    Rows rows;
    uint32_t block[3], dynamic_shared; /* of what the workers have allocated */
    bool relaid;                       /* with other layouts of shared variables */
    double block_seconds;              /* of a worker, on average of the last launch; 0: none yet */
    Seconds ended;                     /* the clocks when the last launch ended; 0: none has */
    Worker *workers;
    uint32_t worker_count;
    SampleVerdict sampled;
};
/* `count` workers whose blocks have the launch's shape. */
Worker *prepared_workers(PreparedKernel *prepared, const Launch *launch, uint32_t count);

/* ---- defects.c ---- */

/* What the launch's Sanitizer has found, into the profile, with the launch's number. */
void record_defects(Rows *rows, const Run *run, uint32_t launch);
/* The finding that a Sanitizer stopped at is the launch's fault, if it has no other. */
void fault_defect(const Run *run, LaunchResult *result);

/* ---- places.c: rows of locations ---- */

uint32_t rows_location(Rows *rows, const Module *module, uint32_t number); /* of the module's */
/* Of an instruction; one without a location has its PTX line. */
uint32_t rows_place(Rows *rows, const Function *kernel, const Insn *insn);
uint32_t rows_insn(Rows *rows, const Program *program, uint32_t number); /* of the program's */

/* ---- record.c ---- */

/* Adds the launch to the profile, with its kernel, sites, locations and files as far as they are
 * new. Returns its number. */
uint32_t record_launch(Rows *rows, const Run *run, const LaunchResult *result, double wall_seconds,
                       double cpu_seconds);
