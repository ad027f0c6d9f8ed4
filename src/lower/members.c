/* Which loads and stores of shared memory may become one access with others: those of a group (see
 * merge.c), and what they use of it. */
#include "lower/lowering.h"

/* Half a register will do for what it reads: arithmetic on f16 and bf16, conversions that can select
 * the half, moves, stores. Other 16-bit operations need the number in a register of its own, which a
 * 16-bit load gives and a piece of a wide one does not. */
static bool takes_half(const Insn *insn) {
    Type from = (Type)insn->mods.type2; /* of a conversion */
    return op_has(insn->op, TRAIT_HALF) &&
           (from == TYPE_NONE || from == TYPE_F16 || from == TYPE_S16);
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
    bool stores = op_access(insn->op) == OP_ACCESS_STORE;
    bool half = !stores && type_bytes((Type)insn->mods.type) == 2;
    for (uint32_t i = 0; i < count; i++) {
        const Operand *one = data->kind == OPERAND_VECTOR ? &data->elements[i] : data;
        bool read = one->kind == OPERAND_REG && merger->lowering->read[one->reg];
        if (read && half &&
            (merger->extended[one->reg] ||
             type_bytes(merger->function->regs.at[one->reg].type) > 2))
            return 0;
        used |= (uint32_t)(read || stores) << i;
    }
    return used;
}

bool member_of(const Merger *merger, uint32_t at, Member *member) {
    const Insn *insn = &merger->function->insns.at[at];
    if (!op_has(insn->op, TRAIT_ELEMENTS) || insn->mods.space != SPACE_SHARED ||
        insn->mods.order != ORDER_WEAK || insn->site == NO_SITE)
        return false;
    bool store = op_access(insn->op) == OP_ACCESS_STORE;
    const Operand *data = &insn->operands[store ? 1 : 0];
    Type type = (Type)insn->mods.type;
    uint32_t bytes = type_bytes(type), count = data->kind == OPERAND_VECTOR ? data->count : 1;
    if (bytes < 2 || bytes > 8 || count * bytes > 16)
        return false;
    const Operand *address = &insn->operands[store ? 0 : 1];
    BasePlace place = nodes_place(merger->nodes[store ? VIEW_STORES : VIEW_LOADS], address, at);
    if (place.cut && address->offset < 0)
        return false;
    *member =
        (Member){.insn = at, .base = place.base, .bytes = bytes, .guarded = insn->guard != NO_REG};
    uint32_t bits = bytes == 2 ? 3 : 4;
    member->group = 1u << (place.bits < bits ? place.bits : bits);
    if (member->group < bytes * count)
        member->group = bytes; /* of a lone element; a vector joins nothing */
    member->at = place.distance & (member->group - 1);
    member->start = place.distance - member->at;
    member->used = used_elements(merger, insn, data) << member->at / bytes;
    /* ptxas leaves a vector alone of which nvcc said what is used, unless one element remains. */
    if (insn->used_bytes_mask && member->used & (member->used - 1))
        return false;
    return member->group >= bytes * count && member->at % bytes == 0 && member->used;
}

bool is_shared(const Insn *insn) {
    return insn->mods.space == SPACE_SHARED || insn->mods.space == SPACE_GENERIC;
}

static bool is_own(const Insn *insn) {
    return insn->mods.space == SPACE_SHARED && !(insn->mods.flags & MOD_CLUSTER);
}

bool is_fence(const Insn *insn) {
    uint32_t traits = TRAIT_ORDERS;
    traits |= is_shared(insn) ? TRAIT_ORDERS_SHARED : 0;
    traits |= is_own(insn) ? TRAIT_ORDERS_OWN : 0;
    traits |= type_bytes((Type)insn->mods.type) == 2 ? TRAIT_ORDERS_HALF : 0;
    return op_has(insn->op, traits);
}

bool same_group(const Member *a, const Member *b) {
    return a->base == b->base && a->bytes == b->bytes && a->start == b->start &&
           a->group == b->group;
}

static LoweredAccess *lowered_of(const Merger *merger, uint32_t insn) {
    return &merger->lowering->sites[merger->function->insns.at[insn].site];
}

void set_wide(const Merger *merger, const Member *member, uint32_t mask, uint32_t used) {
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    LoweredAccess *lowered = lowered_of(merger, member->insn);
    lowered->accesses = 1;
    lowered->width = (uint32_t)__builtin_popcount(mask) * member->bytes;
    lowered->skip = (int32_t)(first * member->bytes) - (int32_t)member->at;
    lowered->element = member->bytes;
    lowered->used = used >> first;
}

void set_part(const Merger *merger, const Member *member, uint32_t into) {
    LoweredAccess *lowered = lowered_of(merger, member->insn);
    lowered->accesses = 0;
    lowered->into = into;
}
