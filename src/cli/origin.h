/* origin: what a profile says of who made it, when and where. */
#pragma once

#include "exec/exec.h"
#include "prof/prof.h"

/* The command line as a shell would take it. */
const char *command_line(Arena *arena, int argc, char **argv);
/* Its name; of one that has no JIT to change to, "interp". */
const char *origin_engine(const Engine *engine);
/* program: a path, whose last part is its name. */
void origin_set(Profile *profile, const char *program, const char *command, const char *engine);
/* The versions of ptxas and nvdisasm, where they were asked: when the kernels have what they said. */
void origin_tools(Profile *profile);
