/* run_source: `warplens run x.cu` - a source in place of a program. */
#pragma once

#include "isa/isa.h"

bool is_cuda_source(const char *path);
/* Compiles it with nvcc for the GPU, with line information, into a program in the folder. Returns the program's path, or NULL: diags
 * has nvcc's words, or how to compile it where there is no nvcc. */
const char *source_compile(Arena *arena, const char *source, const Gpu *gpu, const char *folder,
                           Diags *diags);
