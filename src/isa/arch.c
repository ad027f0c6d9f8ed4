/* Architectures that PTX and machine code are made for, and which GPUs take them (CUDA C++ Programming
 * Guide, "Binary Compatibility", "PTX Compatibility", "Feature Set Compiler Targets"). */
#include "isa/isa.h"

#include <ctype.h>

bool arch_parse(Str text, Arch *arch) {
    enum { LEAST = 10, MOST = 9999 };
    size_t at = str_starts(text, "compute_") ? 8 : str_starts(text, "sm_") ? 3 : 0;
    uint32_t number = 0;
    for (; at < text.length && isdigit((unsigned char)text.at[at]) && number <= MOST; at++)
        number = number * 10 + (uint32_t)(text.at[at] - '0');
    bool varies = at < text.length && (text.at[at] == 'a' || text.at[at] == 'f');
    *arch = (Arch){number, varies ? text.at[at] : 0};
    return number >= LEAST && number <= MOST && at + varies == text.length;
}

const char *arch_name(Arena *arena, const char *prefix, Arch arch) {
    return arena_printf(arena, "%s_%u%.1s", prefix, arch.number, &arch.variant);
}

bool arch_same(Arch a, Arch b) {
    return a.number == b.number && a.variant == b.variant;
}

Arch gpu_arch(const Gpu *gpu) {
    return (Arch){gpu->major * 10 + gpu->minor, 0};
}

bool gpu_runs_code(const Gpu *gpu, Arch arch) {
    uint32_t own = gpu_arch(gpu).number;
    return arch.variant == 'a' ? arch.number == own
                               : arch.number / 10 == gpu->major && arch.number <= own;
}

bool gpu_runs_ptx(const Gpu *gpu, Arch arch) {
    return arch.variant ? gpu_runs_code(gpu, arch) : arch.number <= gpu_arch(gpu).number;
}

const Gpu *gpu_first(bool (*runs)(const Gpu *gpu, Arch arch), Arch arch) {
    for (uint32_t i = 0; i < gpu_count(); i++)
        if (runs(gpu_at(i), arch))
            return gpu_at(i);
    return NULL;
}
