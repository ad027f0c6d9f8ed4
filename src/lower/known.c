/* The low bits of registers that are the same in every thread and every iteration: whether an address is
 * a multiple of 16, as ptxas proves it. Low bits of sums, products and shifts depend on the low bits of
 * what goes in alone, so one number per register does. Registers written in several places (loop
 * counters) keep what all writes agree on; the first guess is that everything is known, and passes over
 * the instructions take back what is not so, until nothing changes.
 *
 * The operations here are those through which ptxas 13.0 was seen to follow alignment; through min, max,
 * shr, lop3, neg, shfl and others it does not [DISASSEMBLY of our own PTX]. */
#include "lower/lowering.h"

enum { UNSEEN = 255 }; /* no write of the register looked at yet */

static const Known nothing = {0, 0};

static Known cut(Known known, uint32_t bits) {
    known.bits = known.bits < bits ? known.bits : bits;
    known.value &= known.bits < 64 ? (UINT64_C(1) << known.bits) - 1 : UINT64_MAX;
    return known;
}

static Known constant(uint64_t value) {
    return (Known){64, value};
}

/* Trailing zeros of a value that is known to some bits. */
static uint32_t zeros(Known known) {
    uint32_t count = known.value ? (uint32_t)__builtin_ctzll(known.value) : 64;
    return count < known.bits ? count : known.bits;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

/* What holds for both. */
static Known join(Known a, Known b) {
    if (a.bits == UNSEEN)
        return b;
    if (b.bits == UNSEEN)
        return a;
    uint32_t bits = least(a.bits, b.bits);
    uint64_t differ = a.value ^ b.value;
    return cut(a, differ ? least(bits, (uint32_t)__builtin_ctzll(differ)) : bits);
}

static Known sum(Known a, Known b, bool minus) {
    uint64_t value = minus ? a.value - b.value : a.value + b.value;
    return cut((Known){64, value}, least(a.bits, b.bits));
}

/* (a + 2^i x)(b + 2^j y) = ab + 2^i xb + 2^j ya + 2^(i+j) xy */
static Known product(Known a, Known b) {
    uint32_t bits = least(a.bits + zeros(b), b.bits + zeros(a));
    return cut((Known){64, a.value * b.value}, least(bits, 64));
}

static Known shifted(Known a, Known by) {
    if (by.bits < 32 || by.value > 63)
        return nothing;
    return cut((Known){64, a.value << by.value}, least(a.bits + (uint32_t)by.value, 64));
}

/* A zero on either side settles a bit. */
static Known conjunction(Known a, Known b) {
    uint32_t bits = least(a.bits, b.bits);
    const Known *longer = a.bits > b.bits ? &a : &b;
    while (bits < longer->bits && !(longer->value >> bits & 1))
        bits++;
    return cut((Known){64, a.value & b.value}, bits);
}

typedef struct Finder {
    const Function *function;
    const SharedSpace *shared;
    Known *known;
    bool changed;
} Finder;

static Known of_operand(const Finder *finder, const Insn *insn, uint32_t index) {
    const Operand *operand = &insn->operands[index];
    uint32_t width = operand->type == TYPE_NONE ? 64 : 8 * type_bytes(operand->type);
    switch (operand->kind) {
    case OPERAND_REG:
        return cut(finder->known[operand->reg],
                   finder->known[operand->reg].bits == UNSEEN ? UNSEEN : width);
    case OPERAND_IMM:
        return cut(constant(operand->bits), width);
    case OPERAND_SYMBOL:
        if (operand->variable->space != SPACE_SHARED)
            return nothing;
        return cut(
            constant(shared_address(finder->shared, operand->variable) + (uint64_t)operand->offset),
            width);
    default:
        return nothing;
    }
}

/* rem by a power of two is an and. */
static Known remainder_of(Known a, Known b) {
    if (b.bits < 32 || (b.value & (b.value - 1)))
        return nothing;
    return conjunction(a, (Known){b.bits, b.value - 1});
}

/* mov, cvta, cvt; of a generic address the upper half is open. */
static Known moved(const Mods *mods, Known in) {
    bool rounds = mods->type2 != TYPE_NONE &&
                  (type_is_float((Type)mods->type) || type_is_float((Type)mods->type2));
    if (rounds || mods->flags & MOD_SAT)
        return nothing;
    return mods->space == SPACE_GENERIC ? in : cut(in, 32);
}

static Known evaluate(const Finder *finder, const Insn *insn) {
    Known in[3] = {nothing, nothing, nothing};
    for (uint32_t i = 1; i < insn->operand_count && i <= 3; i++) {
        in[i - 1] = of_operand(finder, insn, i);
        if (in[i - 1].bits == UNSEEN)
            return in[i - 1]; /* looked at again when it is known */
    }
    if (op_has(insn->op, TRAIT_MOVES))
        return moved(&insn->mods, in[0]);
    switch (op_math(insn->op)) {
    case OP_MATH_SUM:
        return sum(in[0], in[1], false);
    case OP_MATH_DIFFERENCE:
        return sum(in[0], in[1], true);
    case OP_MATH_PRODUCT:
        return product(in[0], in[1]);
    case OP_MATH_MULTIPLY_ADD:
        return sum(product(in[0], in[1]), in[2], false);
    case OP_MATH_SHIFT:
        return shifted(in[0], in[1]);
    case OP_MATH_AND:
        return conjunction(in[0], in[1]);
    case OP_MATH_OR:
        return cut((Known){64, in[0].value | in[1].value}, least(in[0].bits, in[1].bits));
    case OP_MATH_XOR:
        return cut((Known){64, in[0].value ^ in[1].value}, least(in[0].bits, in[1].bits));
    case OP_MATH_CHOICE:
        return join(in[0], in[1]);
    case OP_MATH_REMAINDER:
        return remainder_of(in[0], in[1]);
    default:
        return nothing;
    }
}

static void note(Finder *finder, uint32_t reg, Known value) {
    Type type = finder->function->regs.at[reg].type;
    Known *known = &finder->known[reg];
    Known now = join(*known, value.bits == UNSEEN ? value : cut(value, 8 * type_bytes(type)));
    finder->changed |= now.bits != known->bits;
    *known = now;
}

typedef struct Write {
    Finder *finder;
    Known value;
} Write;

static void note_write(void *context, uint32_t reg, bool defined) {
    const Write *write = context;
    if (defined)
        note(write->finder, reg, write->value);
}

Known *known_bits(Arena *arena, const Function *function, const SharedSpace *shared) {
    Finder finder = {.function = function,
                     .shared = shared,
                     .known = NEW_ARRAY(arena, Known, function->regs.count + 1)};
    for (uint32_t r = 0; r < function->regs.count; r++)
        finder.known[r].bits = UNSEEN;
    for (uint32_t i = 0; i < function->params.count; i++)
        if (function->params.at[i]->space == SPACE_REG)
            finder.known[function->params.at[i]->offset] = nothing;
    do {
        finder.changed = false;
        for (uint32_t i = 0; i < function->insns.count; i++) {
            const Insn *insn = &function->insns.at[i];
            bool single = insn->operand_count && insn->operands[0].kind == OPERAND_REG;
            Write write = {&finder, single ? evaluate(&finder, insn) : nothing};
            insn_registers(insn, note_write, &write);
        }
    } while (finder.changed);
    for (uint32_t r = 0; r < function->regs.count; r++)
        if (finder.known[r].bits == UNSEEN)
            finder.known[r] = nothing;
    return finder.known;
}
