/* A kernel as text, for goldens and people: one line for each instruction, and behind those with a site
 * what ptxas makes of them.
 *
 *    8  ld.shared.u32 %r5, [%r3+4]  // site 2: load of 16 bytes from -4, elements 0 1 2 of 4 bytes
 *   12  ld.shared.u32 %r6, [%r3]  // site 3: merged into 8
 */
#include "lower/lower.h"

static const char *const kinds[ACCESS_KIND_COUNT] = {
    [ACCESS_LOAD] = "load",
    [ACCESS_STORE] = "store",
    [ACCESS_ATOMIC] = "atomic",
    [ACCESS_ATOMIC_POPC] = "atomic increment",
    [ACCESS_ATOMIC_CAS] = "compare-and-swap",
    [ACCESS_ATOMIC_LOOP32] = "compare-and-swap loop",
    [ACCESS_ATOMIC_LOOP64] = "compare-and-swap loop",
    [ACCESS_LDMATRIX] = "ldmatrix",
    [ACCESS_STMATRIX] = "stmatrix",
    [ACCESS_CP_ASYNC_CA] = "cp.async.ca",
    [ACCESS_CP_ASYNC_CG] = "cp.async.cg",
    [ACCESS_ATOMIC_CAST] = "compare-and-swap try",
};

static const char *const lanes[] = {
    [LANES_ALL] = "",
    [LANES_ONE] = ", by one lane for all",
    [LANES_ONE_IF_FULL] = ", by one lane for all where all are active",
};

static void print_pieces(const LoweredAccess *lowered, FILE *out) {
    if (lowered->matrix || lowered->width == lowered->written)
        return;
    for (uint32_t i = 0; i < lowered->accesses; i++)
        for (uint32_t e = 0; e < lowered->pieces[i].count; e++)
            fprintf(out, "%s%u", i + e ? " " : ", elements ", lowered->pieces[i].first + e);
}

static void print_merged(const LoweredAccess *lowered, FILE *out) {
    if (lowered->skip)
        fprintf(out, " from %+d", lowered->skip);
    fputs(", elements", out);
    for (uint32_t i = 0; lowered->used >> i; i++)
        if (lowered->used >> i & 1)
            fprintf(out, " %u", i);
    fprintf(out, " of %u bytes", lowered->element);
}

/* What shared memory does for an atomic is of no account elsewhere. */
static AccessKind kind_of(const Insn *insn, AccessKind kind) {
    bool atomic = kind >= ACCESS_ATOMIC && kind <= ACCESS_ATOMIC_LOOP64;
    return atomic && insn->mods.space == SPACE_GLOBAL ? ACCESS_ATOMIC : kind;
}

static void print_lowered(const Insn *insn, const LoweredAccess *lowered, FILE *out) {
    if (lowered->dropped) {
        fputs(": dropped", out);
        return;
    }
    if (lowered->into != NO_INDEX) {
        fprintf(out, ": merged into %u", lowered->into);
        return;
    }
    fprintf(out, ": %s", kinds[kind_of(insn, lowered->kind)]);
    if (lowered->accesses > 1)
        fprintf(out, ", %u times", lowered->accesses);
    if (lowered->matrices)
        fprintf(out, " x%u", lowered->matrices);
    else
        fprintf(out, " of %u bytes", lowered->width);
    if (lowered->element)
        print_merged(lowered, out);
    else
        print_pieces(lowered, out);
    fputs(lanes[lowered->lanes], out);
}

/* Bulk copies, textures and wgmma are left as they are. */
static bool is_modelled(const LoweredAccess *lowered) {
    return lowered->kind != ACCESS_LOAD || lowered->pieces[0].count || lowered->matrix;
}

static void print_insn(Arena *arena, const Function *function, uint32_t index,
                       const LoweredAccess *sites, FILE *out) {
    const Insn *insn = &function->insns.at[index];
    fprintf(out, "  %4u  ", index);
    if (insn->guard != NO_REG)
        fprintf(out, "@%s%s ", insn->guard_negated ? "!" : "", function->regs.at[insn->guard].name);
    fputs(insn_text(arena, insn), out);
    if (insn->site != NO_SITE) {
        fprintf(out, "  // site %u", insn->site);
        if (is_modelled(&sites[insn->site]))
            print_lowered(insn, &sites[insn->site], out);
    }
    fputc('\n', out);
}

static void print_function(const Function *function, const SharedSpace *shared, FILE *out) {
    Arena *arena = arena_new();
    LoweredAccess *sites = NEW_ARRAY(arena, LoweredAccess, function->sites + 1);
    lower_function(arena, function, shared, sites);
    fprintf(out, "%s %s\n", function->is_entry ? "entry" : "func", function->name);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        fprintf(out, " block %u\n", b);
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            print_insn(arena, function, i, sites, out);
    }
    arena_free(arena);
}

void lower_print(const Function *kernel, const Gpu *gpu, FILE *out) {
    Arena *arena = arena_new();
    Functions reached = {0};
    functions_reached(arena, kernel, &reached);
    SharedSpace shared = shared_space(arena, kernel, &reached, gpu);
    for (uint32_t i = 0; i < reached.count; i++)
        if (i == 0 || (!reached.at[i]->is_entry && reached.at[i]->insns.count))
            print_function(reached.at[i], &shared, out);
    arena_free(arena);
}
