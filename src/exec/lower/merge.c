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
#include "exec/lower/merge_parts.h"

/* ---- members ---- */

/* Bit i: element i is written, or loaded and read later; 0: none, or one that is not merged. */
static uint32_t used_elements(const Merger *merger, const Insn *insn, const Operand *data) {
    uint32_t count = data->kind == OPERAND_VECTOR ? data->count : 1, used = 0;
    bool half = insn->op == OP_ld && type_bytes((Type)insn->mods.type) == 2;
    for (uint32_t i = 0; i < count; i++) {
        const Operand *one = data->kind == OPERAND_VECTOR ? &data->elements[i] : data;
        bool read = one->kind == OPERAND_REG && decode_is_read(merger->program, one->reg);
        if (read && half && (merger->extended[one->reg] || register_bytes(merger, one->reg) > 2))
            return 0;
        used |= (uint32_t)(read || insn->op == OP_st) << i;
    }
    return used;
}

/* How an instruction's access lies in a group; false: it is none that ptxas was seen to merge. */
static bool member_of(const Merger *merger, uint32_t at, Member *member) {
    const Insn *insn = &merger->function->insns.at[at];
    if ((insn->op != OP_ld && insn->op != OP_st) || insn->mods.space != SPACE_SHARED ||
        insn->mods.order != ORDER_WEAK || insn->site == NO_SITE)
        return false;
    bool store = insn->op == OP_st;
    const Operand *data = &insn->operands[store ? 1 : 0];
    Type type = (Type)insn->mods.type;
    uint32_t bytes = type_bytes(type), count = data->kind == OPERAND_VECTOR ? data->count : 1;
    if (bytes < 2 || bytes > 8 || count * bytes > 16)
        return false;
    uint32_t distance;
    *member = (Member){.insn = at, .bytes = bytes, .guarded = insn->guard != NO_REG};
    member->base = place_of(merger, &insn->operands[store ? 0 : 1], at, &distance);
    Known known = {32, 0};
    if (member->base != NO_REG)
        known = merger->known[member->base];
    uint32_t bits = bytes == 2 ? 3 : 4;
    member->group = 1u << (known.bits < bits ? known.bits : bits);
    if (member->group < bytes * count)
        member->group = bytes; /* of a lone element; a vector joins nothing */
    member->at = ((uint32_t)known.value + distance) & (member->group - 1);
    member->start = distance - member->at;
    member->used = used_elements(merger, insn, data) << member->at / bytes;
    /* ptxas leaves a vector alone of which nvcc said what is used, unless one element remains. */
    if (insn->used_bytes_mask && member->used & (member->used - 1))
        return false;
    return member->group >= bytes * count && member->at % bytes == 0 && member->used;
}

/* May it write shared memory, or order accesses? Global stores and atomics do not. Shuffles and their
 * kin do where the warp may be divergent, which ptxas finds out and we do not. */
bool is_fence(const Insn *insn) {
    switch (insn->op) {
    case OP_st:
    case OP_atom:
    case OP_atom_cas:
    case OP_red:
        return insn->mods.space == SPACE_SHARED || insn->mods.space == SPACE_GENERIC;
    case OP_cp_async:
    case OP_cp_async_wait:
    case OP_cp_async_wait_all:
    case OP_bulk_load:
    case OP_bulk_multicast:
    case OP_bulk_send:
    case OP_bulk_add_far:
    case OP_bulk_wait:
    case OP_tensor_load:
    case OP_tensor_load_multicast:
    case OP_tensor_im2col:
    case OP_tensor_im2col_multicast:
    case OP_st_async:
    case OP_red_async:
    case OP_cp_async_mbarrier:
    case OP_stmatrix:
    case OP_wmma_store:
    case OP_mbarrier_init:
    case OP_mbarrier_inval:
    case OP_mbarrier_arrive:
    case OP_mbarrier_arrive_remote:
    case OP_mbarrier_arrive_expect:
    case OP_mbarrier_arrive_expect_remote:
    case OP_mbarrier_arrive_drop:
    case OP_mbarrier_arrive_drop_remote:
    case OP_mbarrier_arrive_drop_expect:
    case OP_mbarrier_arrive_drop_expect_remote:
    case OP_mbarrier_expect_tx:
    case OP_mbarrier_complete_tx:
    case OP_mbarrier_wait:
    case OP_mbarrier_wait_parity:
    case OP_call:
    case OP_nanosleep:
    case OP_bar_sync:
    case OP_bar_arrive:
    case OP_bar_red_popc:
    case OP_bar_red:
    case OP_bar_warp_sync:
    case OP_fence:
    case OP_shfl_sync:
    case OP_vote_sync:
    case OP_ballot_sync:
    case OP_match_any:
    case OP_match_all:
    case OP_redux:
        return true;
    default:
        return false;
    }
}

/* Does it read or write shared memory? */
static bool is_shared(const Insn *insn) {
    return insn->op == OP_ldmatrix || (insn->op == OP_ld && (insn->mods.space == SPACE_SHARED ||
                                                             insn->mods.space == SPACE_GENERIC));
}

bool same_group(const Member *a, const Member *b) {
    return a->base == b->base && a->bytes == b->bytes && a->start == b->start &&
           a->group == b->group;
}

void set_wide(Merger *merger, const Member *member, uint32_t mask, uint32_t used) {
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    merger->merges[member->insn] =
        (Merge){.width = (uint32_t)__builtin_popcount(mask) * member->bytes,
                .skip = (int32_t)(first * member->bytes) - (int32_t)member->at,
                .used = used >> first};
}

/* ---- stores ---- */

enum { RUN_MAX = 64 };

typedef struct StoreRun {
    Member at[RUN_MAX];
    uint32_t count, version;
} StoreRun;

/* The members that store the elements of the mask become one, the last. */
static void join_stores(Merger *merger, const StoreRun *run, uint32_t mask) {
    const Member *last = NULL;
    for (uint32_t i = 0; i < run->count; i++) {
        if (!(run->at[i].used & mask))
            continue;
        if (last)
            merger->merges[last->insn] = (Merge){.follows = true};
        last = &run->at[i];
    }
    set_wide(merger, last, mask, mask);
}

static void end_run(Merger *merger, StoreRun *run) {
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

static void add_store(Merger *merger, StoreRun *run, const Member *member) {
    uint32_t version = member->base == NO_REG ? 0 : merger->version[member->base];
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
            if (is_member && insn->op == OP_st && !member.guarded)
                add_store(merger, &run, &member);
            else if (is_fence(insn) || is_shared(insn))
                end_run(merger, &run);
            if (is_member && insn->op == OP_ld)
                *vec_add(merger->arena, &merger->loads) = member;
            places_pass(merger, insn);
        }
        end_run(merger, &run);
    }
}

static bool touches_shared(const Function *function) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        count += (insn->op == OP_ld || insn->op == OP_st) && insn->mods.space == SPACE_SHARED;
    }
    return count > 1;
}

Merge *merge_find(Arena *arena, const Program *program) {
    const Function *function = program->function;
    if (!touches_shared(function))
        return NULL;
    uint32_t regs = function->regs.count + 1;
    Arena *scratch = arena_new();
    Merger merger = {.arena = scratch,
                     .program = program,
                     .function = function,
                     .known = known_bits(scratch, program),
                     .merges = NEW_ARRAY(arena, Merge, function->insns.count),
                     .writes = NEW_ARRAY(scratch, uint32_t, regs),
                     .writer = NEW_ARRAY(scratch, uint32_t, regs),
                     .extended = NEW_ARRAY(scratch, bool, regs),
                     .member_of = NEW_ARRAY(scratch, uint32_t, function->insns.count),
                     .version = NEW_ARRAY(scratch, uint32_t, regs),
                     .seen = NEW_ARRAY(scratch, uint32_t, regs)};
    places_find_writers(&merger);
    find_members(&merger);
    loads_join(&merger);
    arena_free(scratch);
    return merger.merges;
}
