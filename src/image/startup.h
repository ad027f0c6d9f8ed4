/* startup: entry points of a CUDA runtime that are found by how code from nvcc calls them. */
#pragma once

#include "image/code.h"

/* Adds those to what was found by name. `common`: a function that the runtime's entry points call. */
void startup_find(const Elf *elf, const Code *code, uint64_t common, LinkedRuntime *runtime);
