/* api: the C API, include/warplens/warplens.h: handles for what a session has, and errors as
 * values.
 *
 *   WarplensModule --> Session: memory, profile --> WarplensKernel (parsed when asked for), its arguments
 *                         |--> WarplensBuffer: a piece of its memory
 *                         '--> WarplensResult: a row of its profile
 *
 * Invariants
 *   - Everything belongs to one module and its two arenas; nothing is shared between modules.
 *   - Every entry sets the caller's error, also when all is well.
 *   - No symbol but those of the header leaves the library (libwarplens.map).
 *
 * What it does not do: anything that layers below could do; print. */
#pragma once

#include "rules/rules.h"
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

struct WarplensResult {
    WarplensModule *module;
    const Profile *profile;
    uint32_t launch;      /* row of profile->launches */
    uint32_t child_count; /* rows behind it: of launches from the device */
    LaunchResult ran;     /* all zero: of one of those */
    Counters total;
    LineCounts *lines;
    uint32_t line_count;
    WarplensFinding *findings;
    uint32_t finding_count;
};

struct WarplensModule {
    Arena *arena;
    Arena *results; /* what launches and their results take: until warplens_forget */
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

WarplensResult *result_new(WarplensModule *module, uint32_t launch);
