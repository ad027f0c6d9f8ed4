/* Joins accesses to shared memory as ptxas does, so that what is counted is what the GPU executes: four
 * unrolled 4-byte loads from a row that starts at a multiple of 16 are one load of 16 bytes.
 *
 * Loads. An access belongs to a group: 16 aligned bytes (8 for 2-byte elements, less where alignment is
 * known to less) at a distance from a base register that the compiler knows. A load whose group was
 * already loaded on every way to it, with nothing between that may write shared memory or order
 * accesses, joins the first such load - its root. The root loads the whole group if three or four of its
 * elements are read, an aligned half if that is all, and nothing changes for others.
 *
 * Stores. Those of one group that follow each other in a basic block, with no other access to shared
 * memory between, become one store, at the place of the last, of the pairs and fours that are complete.
 *
 * Seen in the machine code of ptxas 13.0 for sm_80 and sm_90 (docs/memory-model.md, section 5;
 * tests/exec/merge.py has the cases). */
#include "lower/lowering.h"

/* ---- stores ---- */

static bool is_store(const Insn *insn) {
    return op_access(insn->op) == OP_ACCESS_STORE;
}

static bool ends_run(const Insn *insn) {
    bool releases = insn->mods.order == ORDER_RELEASE || insn->mods.order == ORDER_ACQ_REL;
    return is_fence(insn) || releases || (op_has(insn->op, TRAIT_ENDS_STORES) && is_shared(insn));
}

enum { RUN_MAX = 64 };

typedef struct StoreRun {
    Member at[RUN_MAX];
    uint32_t count, version;
} StoreRun;

/* The members that store the elements of the mask become one, the last. */
static void join_stores(const Merger *merger, const StoreRun *run, uint32_t mask) {
    uint32_t last = run->count - 1;
    while (!(run->at[last].used & mask))
        last--;
    set_wide(merger, &run->at[last], mask, mask);
    for (uint32_t i = 0; i < last; i++)
        if (run->at[i].used & mask)
            set_part(merger, &run->at[i], run->at[last].insn);
}

static void end_run(const Merger *merger, StoreRun *run) {
    uint32_t used = 0, bytes = run->at[0].bytes;
    for (uint32_t i = 0; i < run->count; i++)
        used |= run->at[i].used;
    uint32_t elements = run->count ? run->at[0].group / bytes : 0, all = (1u << elements) - 1;
    if (run->count > 1 && elements > 1 && used == all) {
        join_stores(merger, run, all);
    } else if (run->count > 1) {
        for (uint32_t pair = 0; pair + 1 < elements; pair += 2)
            if ((used >> pair & 3) == 3)
                join_stores(merger, run, 3u << pair);
    }
    run->count = 0;
}

static void add_store(const Merger *merger, StoreRun *run, const Member *member) {
    uint32_t version = nodes_version(merger->nodes[VIEW_STORES], member->base);
    if (run->count == RUN_MAX ||
        (run->count && (!same_group(&run->at[0], member) || run->version != version)))
        end_run(merger, run);
    run->at[run->count++] = *member;
    run->version = version;
}

/* ---- the whole ---- */

/* Loads into merger->loads; stores are joined at once, as their runs end with the block. */
static void find_members(Merger *merger) {
    const Function *function = merger->function;
    StoreRun run = {.count = 0};
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            const Insn *insn = &function->insns.at[i];
            Member member;
            bool is_member = member_of(merger, i, &member);
            member.parent = NO_INDEX;
            if (is_member && is_store(insn) && !member.guarded)
                add_store(merger, &run, &member);
            else if (ends_run(insn))
                end_run(merger, &run);
            if (is_member && !is_store(insn))
                *vec_add(merger->arena, &merger->loads) = member;
            for (View view = 0; view < VIEW_COUNT; view++)
                if (view == 0 || merger->nodes[view] != merger->nodes[0])
                    nodes_pass(merger->nodes[view], i);
        }
        end_run(merger, &run);
    }
}

static bool touches_shared(const Function *function) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        count += op_has(insn->op, TRAIT_ELEMENTS) && insn->mods.space == SPACE_SHARED;
    }
    return count > 1;
}

static uint32_t *number_blocks(Arena *arena, const Function *function) {
    uint32_t *block_of = NEW_ARRAY(arena, uint32_t, function->insns.count);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t i = block->first; i < block->first + block->count; i++)
            block_of[i] = b;
    }
    return block_of;
}

static bool has_or(const Function *function) {
    for (uint32_t i = 0; i < function->insns.count; i++)
        if (op_math(function->insns.at[i].op) == OP_MATH_OR)
            return true;
    return false;
}

void merge_accesses(Lowering *lowering) {
    const Function *function = lowering->function;
    if (!touches_shared(function))
        return;
    Arena *arena = lowering->scratch;
    lowering->block_of = number_blocks(arena, function);
    Merger merger = {.lowering = lowering,
                     .arena = arena,
                     .function = function,
                     .extended = NEW_ARRAY(arena, bool, function->regs.count + 1),
                     .member_of = NEW_ARRAY(arena, uint32_t, function->insns.count)};
    bool differ = has_or(function);
    for (View view = 0; view < VIEW_COUNT; view++)
        merger.nodes[view] = view && !differ
                                 ? merger.nodes[0]
                                 : nodes_new(arena, lowering, known_bits(lowering, view));
    members_find_extended(&merger);
    find_members(&merger);
    loads_join(&merger);
}
