/* select: finds the kernel that the user means. */
#pragma once

#include "ir/ir.h"
#include "ptx/ptx.h"

/* One text with kernels: a .ptx file, or a .cu file compiled. */
typedef struct Input {
    const char *name; /* of the file, for messages */
    const char *text;
    size_t length;
    PtxEntry *entries;
    uint32_t entry_count;
} Input;

/* The input and the mangled name of the kernel that `wanted` names: mangled or demangled, with or
 * without its parameter list, whole or by a part that only one kernel has; NULL wanted: the only
 * kernel there is. false: diags lists the candidates. */
bool kernel_select(Arena *arena, const Input *inputs, uint32_t count, const char *wanted,
                   uint32_t *input, const char **name, Diags *diags);
