/* engine: which engine executes kernels, and where its plug-in is. */
#pragma once

#include "exec/exec.h"

/* wanted: of --engine; NULL: of the variable WARPLENS_ENGINE, else the default. false: diags says why it
 * cannot be had. The plug-in's path is in the arena. */
bool engine_wanted(Arena *arena, const char *wanted, Engine *engine, Diags *diags);
/* The version of the JIT's LLVM; NULL: *why says why there is no JIT. */
const char *engine_llvm(Arena *arena, const char **why);
