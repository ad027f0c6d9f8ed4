/* Which kernel a name means. Names are compared without blanks, so that 'gemm<float,128>' and
 * 'gemm<float, 128>' are the same. */
#include "ptx/ptx.h"

#include <string.h>

typedef struct KernelMatch {
    uint32_t input;
    const char *mangled, *full, *brief; /* full: with parameters, brief: without */
} KernelMatch;

typedef VEC(KernelMatch) Candidates;

/* Without blanks and without casts in template arguments: "f<(int)1>" as "f<1>", as people write. */
static const char *plain(Arena *arena, const char *name) {
    char *copy = arena_alloc(arena, strlen(name) + 1), *to = copy;
    for (const char *at = name; *at; at++) {
        if ((at == name || at[-1] == '<' || at[-1] == ' ' || at[-1] == ',') && *at == '(') {
            size_t length = strcspn(at, ")<>,");
            if (at[length] == ')' && length > 1 && at[length + 1] &&
                !strchr(",>) ", at[length + 1])) {
                at += length;
                continue;
            }
        }
        if (*at != ' ')
            *to++ = *at;
    }
    *to = 0;
    return copy;
}

/* The name before its parameter list, and behind its return type. */
static const char *brief_name(Arena *arena, const char *full) {
    int depth = 0;
    size_t start = 0, end = strlen(full);
    for (size_t i = 0; full[i]; i++) {
        depth += full[i] == '<' ? 1 : full[i] == '>' ? -1 : 0;
        if (depth == 0 && full[i] == ' ')
            start = i + 1;
        if (depth == 0 && full[i] == '(' && i > start && strncmp(full + i, "(anonymous", 10) != 0) {
            end = i;
            break;
        }
    }
    return arena_copy(arena, full + start, end - start);
}

static void collect(Arena *arena, const PtxInput *inputs, uint32_t count, Candidates *all) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t e = 0; e < inputs[i].entry_count; e++) {
            const char *mangled = inputs[i].entries[e].name;
            const char *full = name_demangled(arena, mangled, true);
            *vec_add(arena, all) = (KernelMatch){i, mangled, full, brief_name(arena, full)};
        }
    }
}

/* How well a candidate fits: 3 whole name, 2 a part that ends with the name's own end, 1 a part. */
static int fit(Arena *arena, const KernelMatch *candidate, const char *wanted) {
    const char *bare = plain(arena, wanted), *full = plain(arena, candidate->full);
    const char *brief = plain(arena, candidate->brief);
    if (strcmp(candidate->mangled, wanted) == 0 || strcmp(full, bare) == 0 ||
        strcmp(brief, bare) == 0)
        return 3;
    size_t length = strlen(bare);
    if (strncmp(brief, bare, length) == 0 && brief[length] == '<')
        return 2; /* the template's name without its arguments */
    return strstr(full, bare) || strstr(candidate->mangled, wanted) ? 1 : 0;
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
    int best_fit = 1;
    for (uint32_t i = 0; i < all.count; i++) {
        int now = wanted ? fit(arena, &all.at[i], wanted) : 1;
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
        diags_error(diags, "no kernel's name has '%s'; the kernels are", wanted);
    else if (wanted)
        diags_error(diags, "'%s' fits %u kernels; give more of the name", wanted, best.count);
    else
        diags_error(diags, "there are %u kernels; name one with -k", best.count);
    list(diags, inputs, best.count ? &best : &all);
    return false;
}
