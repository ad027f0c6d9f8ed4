/* api: the C API, include/warplens/warplens.h: handles for what a session has, and errors as
 * values.
 *
 *   WarplensModule --> Session: memory, profile --> WarplensKernel (parsed when asked for), its arguments
 *                         |--> WarplensBuffer: a piece of its memory
 *                         '--> WarplensResult: a row of its profile
 *   file, or a module --> WarplensProfile --> texts; WarplensResult: a row of it
 *
 * Invariants
 *   - Everything belongs to one module or to one profile of a file, and its arenas; nothing is shared between them.
 *   - Every entry sets the caller's error, also when all is well.
 *   - No symbol but those of the header leaves the library (libwarplens.map).
 *
 * What it does not do: anything that layers below could do; print. */
#pragma once

#include "report/report.h"
#include "session/session.h"

#include <warplens/warplens.h>

struct WarplensKernel {
    WarplensKernel *next;
    WarplensModule *module;
    SessionKernel *kernel;
    Arguments *arguments;
};

struct WarplensBuffer {
    WarplensModule *module;
    const char *name;
    uint64_t address; /* 0: given back */
    uint64_t bytes;
};

/* Rows of a profile that follow each other and end together: those of a launch and what it launched in turn,
 * or all of a file. */
typedef struct LaunchRows LaunchRows;
struct LaunchRows {
    LaunchRows *next;       /* older ones of the module */
    WarplensModule *module; /* NULL: of a file */
    Profile *profile;
    Arena *arena; /* of what they and their results take */
    uint32_t first, count;
};

struct WarplensResult {
    LaunchRows *rows;
    const Profile *profile;
    uint32_t offset;  /* of its row, from rows->first on */
    LaunchResult ran; /* all zero: of a launch from the device, or of a file */
    Counters total;
    LineCounts *lines;
    uint32_t line_count;
    WarplensFinding *findings;
    uint32_t finding_count;
};

struct WarplensProfile {
    Profile *profile;
    WarplensModule *module; /* NULL: of a file */
    LaunchRows rows;        /* of a file: all */
    Arena *arena;           /* of a file: its results */
    Arena *text;            /* of the last one that was made */
    bool lost;              /* memory ended in a call: it may be half made */
};

struct WarplensModule {
    Arena *arena;
    LaunchRows *rows;         /* of its launches, the last first */
    WarplensProfile *profile; /* of them; NULL: not asked for yet */
    Inputs inputs;
    Session *session;
    const char **names; /* of kernels, demangled */
    uint32_t kernel_count;
    WarplensKernel *kernels; /* those that were asked for */
    const char *plugin;      /* of the JIT; NULL: not there, or not looked for yet */
    bool sought;
};

/* ---- error.c ---- */

void error_clear(WarplensError *error); /* NULL is allowed, here and below */
void error_set(WarplensError *error, WarplensStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The diagnostics as one text, as much of it as the message holds. */
void error_diags(WarplensError *error, WarplensStatus status, const Diags *diags);

/* ---- engine.c ---- */

/* name: of WarplensLaunch. */
bool engine_of(WarplensModule *module, const char *name, Engine *engine, WarplensError *error);

/* ---- result.c ---- */

WarplensResult *result_new(LaunchRows *rows, uint32_t offset);
uint32_t result_row(const WarplensResult *result); /* of profile->launches */

/* ---- rows.c ---- */

/* For a launch that is to be made. */
LaunchRows *rows_new(WarplensModule *module);
/* Where they end; rows_free takes them out of the profile. Both end their results. */
void rows_drop(LaunchRows *rows); /* the last ones, that came to nothing */
void rows_forget(WarplensModule *module);
LaunchRows *rows_with(WarplensModule *module, uint32_t launch); /* NULL: there is no such launch */

/* ---- profile.c ---- */

/* With the texts of its sources, as they are now. */
void profile_complete(Profile *profile, Diags *diags);
/* Ends texts and results, not what is a module's. */
void profile_end(WarplensProfile *profile);
