/* Which loads and stores of shared memory may become one access with others: those of a group (see
 * merge.c), and what they use of it. */
#include "lower/lowering.h"

/* Half a register will do for what it reads: arithmetic on f16 and bf16, conversions that can select
 * the half, moves, stores. Other 16-bit operations need the number in a register of its own, which a
 * 16-bit load gives and a piece of a wide one does not. */
static bool takes_half(const Insn *insn) {
    if (insn->op == OP_cvt || insn->op == OP_cvt_half)
        return insn->mods.type2 == TYPE_F16 || insn->mods.type2 == TYPE_S16;
    return insn->op == OP_mov || insn->op == OP_st ||
           (insn->op >= OP_add_half && insn->op <= OP_ex2_half);
}

static void note_extended(void *context, uint32_t reg, bool defined) {
    Merger *merger = context;
    merger->extended[reg] |= !defined;
}

void members_find_extended(Merger *merger) {
    const Function *function = merger->function;
    for (uint32_t i = 0; i < function->insns.count; i++)
        if (!takes_half(&function->insns.at[i]))
            insn_registers(&function->insns.at[i], note_extended, merger);
}

/* Bit i: element i is written, or loaded and read later; 0: none, or one that is not merged. */
static uint32_t used_elements(const Merger *merger, const Insn *insn, const Operand *data) {
    uint32_t count = data->kind == OPERAND_VECTOR ? data->count : 1, used = 0;
    bool half = insn->op == OP_ld && type_bytes((Type)insn->mods.type) == 2;
    for (uint32_t i = 0; i < count; i++) {
        const Operand *one = data->kind == OPERAND_VECTOR ? &data->elements[i] : data;
        bool read = one->kind == OPERAND_REG && merger->lowering->read[one->reg];
        if (read && half && (merger->extended[one->reg] || register_bytes(merger, one->reg) > 2))
            return 0;
        used |= (uint32_t)(read || insn->op == OP_st) << i;
    }
    return used;
}

bool member_of(const Merger *merger, uint32_t at, Member *member) {
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

bool same_group(const Member *a, const Member *b) {
    return a->base == b->base && a->bytes == b->bytes && a->start == b->start &&
           a->group == b->group;
}

static Lowered *lowered_of(const Merger *merger, uint32_t insn) {
    return &merger->lowering->sites[merger->function->insns.at[insn].site];
}

void set_wide(const Merger *merger, const Member *member, uint32_t mask, uint32_t used) {
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    Lowered *lowered = lowered_of(merger, member->insn);
    lowered->accesses = 1;
    lowered->width = (uint32_t)__builtin_popcount(mask) * member->bytes;
    lowered->skip = (int32_t)(first * member->bytes) - (int32_t)member->at;
    lowered->element = member->bytes;
    lowered->used = used >> first;
}

void set_part(const Merger *merger, const Member *member, uint32_t into) {
    Lowered *lowered = lowered_of(merger, member->insn);
    lowered->accesses = 0;
    lowered->into = into;
}
