/* Which PTX of a fat binary stands for what a GPU would run. The driver's choice was measured on an H200
 * (docs/decisions/0029-ptx-of-the-machine-code.md). */
#include "image/image.h"

/* What the driver likes better: the higher architecture, and of one that for this GPU alone. */
static uint32_t rank(Arch arch) {
    return arch.number * 4 + (arch.variant == 'a' ? 2 : arch.variant == 'f');
}

/* The best entry of a kind, machine code or PTX, that the GPU runs; NULL: there is none. */
static const FatEntry *best_entry(const Fatbin *fatbin, FatKind kind, const Gpu *gpu) {
    const FatEntry *best = NULL;
    for (uint32_t i = 0; i < fatbin->entries.count; i++) {
        const FatEntry *entry = &fatbin->entries.at[i];
        bool runs =
            kind == FAT_CUBIN ? gpu_runs_code(gpu, entry->arch) : gpu_runs_ptx(gpu, entry->arch);
        if (entry->kind == kind && runs && (!best || rank(entry->arch) > rank(best->arch)))
            best = entry;
    }
    return best;
}

static const FatEntry *ptx_entry(const Fatbin *fatbin, Arch arch) {
    for (uint32_t i = 0; i < fatbin->entries.count; i++) {
        const FatEntry *entry = &fatbin->entries.at[i];
        if (entry->kind == FAT_PTX && arch_same(entry->arch, arch))
            return entry;
    }
    return NULL;
}

Arch entry_ptx_arch(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, Diags *diags) {
    Arch arch = {0};
    PtxText text = {0};
    Place place;
    if (entry->kind == FAT_PTX)
        return entry->arch;
    if (fatbin_ptx(arena, fatbin, entry, &text, diags))
        ptx_target(fatbin->name, text.text, text.length, &arch, &place);
    return arch;
}

/* The PTX of an entry, with lines of the source. */
static bool take(Arena *arena, const Fatbin *fatbin, const FatEntry *entry, PtxText *text,
                 Diags *diags) {
    if (!fatbin_ptx(arena, fatbin, entry, text, diags))
        return false;
    cubin_lines(arena, text);
    return true;
}

static bool choose_forced(Arena *arena, const Fatbin *fatbin, const ArchChoice *choice,
                          PtxText *text, Diags *diags) {
    if (!gpu_runs_ptx(choice->gpu, choice->forced))
        return false;
    const FatEntry *found = ptx_entry(fatbin, choice->forced);
    for (uint32_t i = 0; i < fatbin->entries.count && !found; i++) {
        const FatEntry *entry = &fatbin->entries.at[i];
        if (arch_same(entry_ptx_arch(arena, fatbin, entry, diags), choice->forced))
            found = entry;
    }
    return found && take(arena, fatbin, found, text, diags);
}

bool fatbin_choose(Arena *arena, const Fatbin *fatbin, const ArchChoice *choice, PtxText *text,
                   Diags *diags) {
    *text = (PtxText){0};
    if (choice->forced.number)
        return choose_forced(arena, fatbin, choice, text, diags);
    const FatEntry *code = best_entry(fatbin, FAT_CUBIN, choice->gpu), *ptx = NULL;
    if (code) {
        uint32_t errors = diags->errors;
        Arch inside = entry_ptx_arch(arena, fatbin, code, diags);
        if (diags->errors > errors)
            return false;
        text->origin.machine = arch_name(arena, "sm", code->arch);
        ptx = ptx_entry(fatbin, inside.number ? inside : code->arch);
        ptx = !ptx && inside.number ? code : ptx;
    }
    if (ptx)
        return take(arena, fatbin, ptx, text, diags);
    ptx = best_entry(fatbin, FAT_PTX, choice->gpu);
    if (code && !ptx)
        return fatbin_declare(arena, fatbin, code, text, diags);
    if (!ptx || !fatbin_ptx(arena, fatbin, ptx, text, diags))
        return false;
    text->origin.nearest = code != NULL;
    if (code)
        diags_add(
            diags, DIAG_NOTE, (Place){0},
            "%s: %s would take the machine code for %s, which has no PTX of its own; that for "
            "%s is run (build with -lineinfo)",
            fatbin->name, choice->gpu->name, text->origin.machine,
            arch_name(arena, "compute", ptx->arch));
    return true;
}
