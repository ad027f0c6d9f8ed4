/* Why nothing of a file is run: what is there, and what to do. */
#include "image/image.h"

#include <string.h>

/* "compute_80, compute_90": adds a name that is not there yet. */
static const char *with_name(Arena *arena, const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
        if (at[length] == ',' || !at[length])
            return names;
    return arena_printf(arena, "%s%s%s", names, *names ? ", " : "", name);
}

/* What there is of each kind. */
typedef struct Contents {
    const char *ptx, *code, *lto; /* ptx: in machine code, too */
} Contents;

static void add_contents(Arena *arena, const Fatbin *fatbin, Contents *contents) {
    for (uint32_t i = 0; i < fatbin->entries.count; i++) {
        const FatEntry *entry = &fatbin->entries.at[i];
        Arch ptx = entry_ptx_arch(arena, fatbin, entry, diags_new(arena));
        if (ptx.number)
            contents->ptx = with_name(arena, contents->ptx, arch_name(arena, "compute", ptx));
        if (entry->kind == FAT_CUBIN)
            contents->code = with_name(arena, contents->code, arch_name(arena, "sm", entry->arch));
        if (entry->kind == FAT_LTO)
            contents->lto = "LTO-IR";
    }
}

static const char *contents_text(Arena *arena, const Fatbin *fatbins, uint32_t count) {
    Contents contents = {"", "", ""};
    for (uint32_t i = 0; i < count; i++)
        add_contents(arena, &fatbins[i], &contents);
    const char *text = *contents.ptx ? arena_printf(arena, "PTX for %s", contents.ptx) : "";
    if (*contents.code)
        text = arena_printf(arena, "%s%smachine code for %s", text, *text ? " and " : "",
                            contents.code);
    if (*contents.lto)
        text = arena_printf(arena, "%s%s%s", text, *text ? " and " : "", contents.lto);
    return *text ? text : "nothing";
}

static bool any_chosen(Arena *arena, const Fatbin *fatbins, uint32_t count,
                       const ArchChoice *choice) {
    bool chosen = false;
    PtxText text;
    for (uint32_t i = 0; i < count && !chosen; i++)
        chosen = fatbin_choose(arena, &fatbins[i], choice, &text, diags_new(arena));
    return chosen;
}

const char *gpu_advice(Arena *arena, const char *before, const Gpu *gpu) {
    return gpu ? arena_printf(
                     arena,
                     "%schoose a GPU that does, as with --gpu %s (in Python: WARPLENS_GPU=%s)",
                     before, gpu->name, gpu->name)
               : "";
}

/* ", or choose …": a GPU that runs some of it, if there is one. */
static const char *other_gpu(Arena *arena, const Fatbin *fatbins, uint32_t count, Arch forced) {
    for (uint32_t i = 0; i < gpu_count(); i++) {
        const ArchChoice choice = {gpu_at(i), forced};
        if (any_chosen(arena, fatbins, count, &choice))
            return gpu_advice(arena, ", or ", choice.gpu);
    }
    return "";
}

/* The library of CUDA whose kernels these are, which is in the program as libNAME_static.a; NULL: none that is known. */
static const char *static_library(Arena *arena, const Fatbin *fatbins, uint32_t count) {
    enum { LOOKED_AT = 16 }; /* of thousands */
    static const char *const words[] = {"cublas", "cufft", "cusparse", "cusolver", "curand"};
    const char *found = NULL;
    for (uint32_t i = 0; !found && i < count && i < LOOKED_AT; i++)
        found = fatbin_mentions(arena, &fatbins[i], words, sizeof words / sizeof *words);
    return found;
}

void fatbins_refuse(const char *name, const Fatbin *fatbins, uint32_t count,
                    const ArchChoice *choice, Diags *diags) {
    Arena *arena = diags->arena;
    bool forced = choice->forced.number > 0;
    Arch gpu = gpu_arch(choice->gpu);
    const char *sm = arch_name(arena, "sm", forced ? choice->forced : gpu);
    const char *library = static_library(arena, fatbins, count);
    if (strcmp(name, "libtorch_cuda.so") == 0) {
        diags_error(diags,
                    "%s: has PyTorch's operators, of which %s (sm_%u) runs none: they are %s; with "
                    "'import warplens' before "
                    "'import torch' they are done on the host, but for those on sparse, nested and "
                    "quantised tensors",
                    name, choice->gpu->name, gpu.number, contents_text(arena, fatbins, count));
        return;
    }
    if (library && strncmp(name, "lib", 3) == 0 && strstr(name, library) == name + 3) {
        diags_error(
            diags,
            "%s: its kernels are %s, of which %s (sm_%u) runs none; under 'warplens run', or "
            "'python -m warplens', its calls are done on the host",
            name, contents_text(arena, fatbins, count), choice->gpu->name, gpu.number);
        return;
    }
    if (library) {
        diags_error(diags,
                    "%s: has kernels of lib%s linked in, of which %s (sm_%u) runs none: they are "
                    "%s; link the shared library (-l%s, not -l%s_static), whose calls are done on "
                    "the host",
                    name, library, choice->gpu->name, gpu.number,
                    contents_text(arena, fatbins, count), library, library);
        return;
    }
    diags_error(diags,
                "%s: has %s that %s (sm_%u) runs%s, only %s; rebuild with nvcc -lineinfo -arch=%s "
                "(CMake: CUDA_ARCHITECTURES %s)%s",
                name, forced ? "no PTX" : "neither PTX nor machine code", choice->gpu->name,
                gpu.number,
                forced ? arch_name(arena, " and that is for compute", choice->forced) : "",
                contents_text(arena, fatbins, count), sm, sm + strlen("sm_"),
                other_gpu(arena, fatbins, count, choice->forced));
}

bool ptx_fits(const char *name, const char *text, size_t length, const Gpu *gpu, Diags *diags) {
    Arch arch;
    Place place;
    if (!ptx_target(name, text, length, &arch, &place) || gpu_runs_ptx(gpu, arch))
        return true; /* without a .target: who parses it says so */
    const Gpu *other = gpu_first(gpu_runs_ptx, arch);
    diags_add(diags, DIAG_ERROR, place, "%s (sm_%u) does not run PTX for %s%s", gpu->name,
              gpu_arch(gpu).number, arch_name(diags->arena, "sm", arch),
              gpu_advice(diags->arena, "; ", other));
    return false;
}
