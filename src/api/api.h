/* api: the C API, include/warplens/warplens.h, over the layers below: handles, and errors as values.
 *
 *   WarplensModule --> units (one PTX text each) --> WarplensKernel (parsed when asked for)
 *       |--> Memory: buffers, variables of the units
 *       '--> Profile: every launch is a row of it, a WarplensResult says which
 *
 * Invariants
 *   - Everything belongs to one module and its arena; nothing is shared between modules.
 *   - Every entry sets the caller's error, also when all is well.
 *   - No symbol but those of the header leaves the library (libwarplens.map).
 *
 * What it does not do: count or judge, compile sources, print. */
#pragma once

#include "exec/exec.h"
#include "image/image.h"
#include "ptx/ptx.h"
#include "rules/rules.h"

#include <warplens/warplens.h>

/* One PTX text of the module: variables that its kernels share. */
typedef struct Unit {
    PtxIndex *index;
    Loaded *loaded; /* NULL: no kernel of it was asked for yet */
} Unit;

struct WarplensKernel {
    WarplensKernel *next;
    WarplensModule *module;
    const Function *function;
    Prepared *prepared;
    uint8_t *params; /* function->param_bytes */
    bool *set;       /* [function->params.count] */
};

struct WarplensBuffer {
    WarplensModule *module;
    const char *name;
    uint64_t address; /* 0: given back */
    uint64_t bytes;
};

struct WarplensResult {
    const Profile *profile;
    uint32_t launch; /* row of profile->launches */
    LineCounts *lines;
    uint32_t line_count;
    WarplensFinding *findings;
    uint32_t finding_count;
};

struct WarplensModule {
    Arena *arena;
    const Gpu *gpu;
    Memory *memory;
    Profile *profile;
    PtxTexts texts;
    Unit *units;        /* [texts.list.count] */
    PtxInput *inputs;   /* [texts.list.count] */
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
