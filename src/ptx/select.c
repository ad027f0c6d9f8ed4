/* Which of the kernels in some inputs a name means: the one that it fits best. */
#include "base/kernel_name.h"
#include "ptx/ptx.h"

typedef struct KernelMatch {
    uint32_t input;
    const char *mangled, *full; /* full: demangled, with parameters */
} KernelMatch;

typedef VEC(KernelMatch) Candidates;

static void collect(Arena *arena, const PtxInput *inputs, uint32_t count, Candidates *all) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < inputs[i].entry_count; e++) {
            const char *mangled = inputs[i].entries[e].name;
            const char *full = name_demangled(arena, mangled, true);
            *vec_add(arena, all) = (KernelMatch){i, mangled, full};
        }
    }
}

static void list(Diags *diags, const PtxInput *inputs, const Candidates *candidates) {
    for (uint32_t i = 0; i < candidates->count && i < 40; i++) {
        const KernelMatch *candidate = &candidates->at[i];
        diags_add(diags, DIAG_NOTE, (Place){.file = inputs[candidate->input].name}, "%s",
                  candidate->full);
    }
    if (candidates->count > 40)
        diags_add(diags, DIAG_NOTE, (Place){0}, "… and %u more", candidates->count - 40);
}

bool ptx_select(Arena *arena, const PtxInput *inputs, uint32_t count, const char *wanted,
                uint32_t *input, const char **name, Diags *diags) {
    Candidates all = {0}, best = {0};
    collect(arena, inputs, count, &all);
    NameFit best_fit = NAME_MATCHED;
    for (uint32_t i = 0; i < all.count; i++) {
        NameFit now =
            wanted ? kernel_name_fit(all.at[i].mangled, all.at[i].full, wanted) : best_fit;
        if (now > best_fit) {
            best.count = 0;
            best_fit = now;
        }
        if (now == best_fit)
            *vec_add(arena, &best) = all.at[i];
    }
    if (best.count == 1) {
        *input = best.at[0].input;
        *name = best.at[0].mangled;
        return true;
    }
    if (all.count == 0)
        diags_error(diags, "there is no kernel in %s%s", inputs[0].name,
                    count > 1 ? " and the other files" : "");
    else if (best.count == 0)
        diags_error(diags, "no kernel's name has or matches '%s'; the kernels are", wanted);
    else if (wanted)
        diags_error(diags, "'%s' fits %u kernels; give more of the name", wanted, best.count);
    else
        diags_error(diags, "there are %u kernels; name one with -k", best.count);
    list(diags, inputs, best.count ? &best : &all);
    return false;
}
