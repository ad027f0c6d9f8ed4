/* Which array an access is for: the one variable of shared or local memory from whose address its register
 * was computed.
 *
 * Each register has what its definitions agree on: a plain value, an address in one variable, or something
 * else. A sum of an address and a value lies in the address's variable, wherever it points. What two
 * addresses are made into, what comes out of both a value and an address, and what is done to an address
 * beyond sums, choices and moves is something else: nothing is said of it. */
#include "ir/ir.h"

typedef enum OriginKind { ORIGIN_UNSEEN, ORIGIN_VALUE, ORIGIN_ARRAY, ORIGIN_OTHER } OriginKind;

typedef struct RegOrigin {
    OriginKind kind;
    const Variable *array;
} RegOrigin;

typedef struct ArrayFinder {
    RegOrigin *of; /* [regs] */
    RegOrigin now; /* what the instruction at hand gives */
    bool changed;
} ArrayFinder;

static const RegOrigin value = {.kind = ORIGIN_VALUE}, other = {.kind = ORIGIN_OTHER};

/* What either of two definitions gives. */
static RegOrigin either(RegOrigin a, RegOrigin b) {
    if (a.kind == ORIGIN_UNSEEN || b.kind == ORIGIN_UNSEEN)
        return a.kind == ORIGIN_UNSEEN ? b : a;
    return a.kind == b.kind && a.array == b.array ? a : other;
}

/* What both together give, where one of them counts from the other. */
static RegOrigin sum(RegOrigin a, RegOrigin b) {
    if (a.kind == ORIGIN_UNSEEN || b.kind == ORIGIN_UNSEEN)
        return (RegOrigin){0};
    if (a.kind == ORIGIN_VALUE || b.kind == ORIGIN_VALUE)
        return a.kind == ORIGIN_VALUE ? b : a;
    return other;
}

/* What an operation gives that leaves of an address nothing to count from. */
static RegOrigin computed(RegOrigin a, RegOrigin b) {
    if (a.kind == ORIGIN_UNSEEN || b.kind == ORIGIN_UNSEEN)
        return (RegOrigin){0};
    return a.kind == ORIGIN_VALUE && b.kind == ORIGIN_VALUE ? value : other;
}

static RegOrigin operand_origin(const ArrayFinder *finder, const Operand *operand) {
    switch (operand->kind) {
    case OPERAND_REG:
        return finder->of[operand->reg];
    case OPERAND_SYMBOL:
        return operand->variable->space == SPACE_SHARED || operand->variable->space == SPACE_LOCAL
                   ? (RegOrigin){ORIGIN_ARRAY, operand->variable}
                   : value;
    case OPERAND_IMM:
    case OPERAND_SPECIAL:
        return value;
    default:
        return other;
    }
}

static RegOrigin source(const ArrayFinder *finder, const Insn *insn, uint32_t number) {
    return number < insn->operand_count ? operand_origin(finder, &insn->operands[number]) : value;
}

static RegOrigin result_of(const ArrayFinder *finder, const Insn *insn) {
    const RegOrigin a = source(finder, insn, 1), b = source(finder, insn, 2);
    if (op_access(insn->op) != OP_ACCESS_NONE)
        return value; /* what memory holds */
    if (op_has(insn->op, TRAIT_MOVES | TRAIT_ADDRESS))
        return a;
    switch (op_math(insn->op)) {
    case OP_MATH_SUM:
    case OP_MATH_OR: /* of bits that do not overlap */
    case OP_MATH_XOR:
        return sum(a, b);
    case OP_MATH_DIFFERENCE:
        return b.kind == ORIGIN_ARRAY ? other : sum(a, b);
    case OP_MATH_MULTIPLY_ADD:
        return sum(computed(a, b), source(finder, insn, 3));
    case OP_MATH_CHOICE:
        return either(a, b);
    default:
        return computed(computed(a, b), source(finder, insn, 3));
    }
}

static void define(void *context, uint32_t reg, bool defined) {
    ArrayFinder *finder = context;
    if (!defined)
        return;
    RegOrigin was = finder->of[reg], is = either(was, finder->now);
    finder->changed |= was.kind != is.kind || was.array != is.array;
    finder->of[reg] = is;
}

/* Several results, or one in several registers: nothing but values are followed there. */
static bool is_single(const Insn *insn) {
    return insn->operand_count > 0 && insn->operands[0].kind == OPERAND_REG;
}

static const Variable *array_at(const ArrayFinder *finder, const Insn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        const Operand *at = &insn->operands[i];
        if (at->kind != OPERAND_ADDRESS)
            continue;
        if (at->reg == NO_REG)
            return at->variable && (at->variable->space == SPACE_SHARED ||
                                    at->variable->space == SPACE_LOCAL)
                       ? at->variable
                       : NULL;
        return finder->of[at->reg].kind == ORIGIN_ARRAY ? finder->of[at->reg].array : NULL;
    }
    return NULL;
}

const Variable **function_arrays(Arena *arena, const Function *function) {
    const Variable **arrays = NEW_ARRAY(arena, const Variable *, function->insns.count + 1);
    Arena *scratch = arena_new();
    ArrayFinder finder = {.of = NEW_ARRAY(scratch, RegOrigin, function->regs.count + 1)};
    for (uint32_t i = 0; !function->is_entry && i < function->params.count; i++)
        if (function->params.at[i]->space == SPACE_REG)
            finder.of[function->params.at[i]->offset] = value;
    do {
        finder.changed = false;
        for (uint32_t i = 0; i < function->insns.count; i++) {
            const Insn *insn = &function->insns.at[i];
            finder.now = is_single(insn) ? result_of(&finder, insn) : value;
            if (finder.now.kind != ORIGIN_UNSEEN)
                insn_registers(insn, define, &finder);
        }
    } while (finder.changed);
    for (uint32_t i = 0; i < function->insns.count; i++)
        arrays[i] = array_at(&finder, &function->insns.at[i]);
    arena_free(scratch);
    return arrays;
}
