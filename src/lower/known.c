/* Which registers are constants, and of which power of two the others are multiples in every thread and every
 * iteration: whether an address is a multiple of 16, as ptxas proves it. Registers written in several places
 * (loop counters) keep what all writes agree on; the first guess is that everything is known, and passes
 * over the instructions take back what is not so, until nothing changes.
 *
 * ptxas keeps no residues: a counter that begins at 12 and steps by 16 is a multiple of 4 to it, and
 * four loads from 4 beyond it stay four. Only constants that are the last to be added to an address are
 * taken out of it first (places.c).
 *
 * The operations here are those through which ptxas 13.0 was seen to follow alignment; through min, max,
 * shr, lop3, neg, shfl and others it does not [DISASSEMBLY of our own PTX]. */
#include "lower/lowering.h"

enum { UNSEEN = 255 }; /* no write of the register looked at yet */

static const Known nothing = {0};

static Known cut(Known known, uint32_t bits) {
    known.bits = known.bits < bits ? known.bits : bits;
    known.value &= known.bits < 64 ? (UINT64_C(1) << known.bits) - 1 : UINT64_MAX;
    return known;
}

static Known constant(uint64_t value) {
    return (Known){64, value, KNOWN_CONSTANT};
}

static bool is(Known known, uint32_t made) {
    return (known.made & made) != 0;
}

/* Trailing zeros of a value that is known to some bits. */
static uint32_t zeros(Known known) {
    uint32_t count = known.value ? (uint32_t)__builtin_ctzll(known.value) : 64;
    return count < known.bits ? count : known.bits;
}

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

Known known_multiple(Known known) {
    return is(known, KNOWN_CONSTANT) ? known : (Known){zeros(known), 0, known.made};
}

static Known with(uint32_t bits, uint64_t value, uint32_t made) {
    return cut((Known){64, value, made}, bits);
}

/* What holds for both. */
static Known join(Known a, Known b) {
    if (a.bits == UNSEEN)
        return b;
    if (b.bits == UNSEEN)
        return a;
    if (is(a, KNOWN_CONSTANT) && is(b, KNOWN_CONSTANT) && a.value == b.value)
        return a;
    return (Known){.bits = least(zeros(a), zeros(b))};
}

/* x + constant. The address of a shared variable that ptxas does not know is a term like another. */
static Known sum_with(Known x, Known added) {
    uint32_t made = KNOWN_SUM | ((x.made | added.made) & KNOWN_WINDOW);
    if (is(added, KNOWN_WINDOW)) {
        x = is(x, KNOWN_LOOSE) ? x : known_multiple(x);
    } else if (is(x, KNOWN_PRODUCT)) {
        made |= KNOWN_PRODUCT;
        x = known_multiple(x);
        added = (Known){.bits = zeros(added)};
    } else if (!is(x, KNOWN_SCALED)) {
        made |= KNOWN_LOOSE;
    }
    return with(least(x.bits, added.bits), x.value + added.value, made);
}

static Known sum(Known a, Known b) {
    uint32_t both = (a.made | b.made) & KNOWN_WINDOW;
    if (is(a, KNOWN_CONSTANT) && is(b, KNOWN_CONSTANT))
        return with(least(a.bits, b.bits), a.value + b.value, KNOWN_CONSTANT | both);
    if (is(a, KNOWN_CONSTANT))
        return sum_with(b, a);
    if (is(b, KNOWN_CONSTANT))
        return sum_with(a, b);
    /* Three terms are one instruction, unless one of them is shifted. */
    bool shifts = is(a, KNOWN_SCALED | KNOWN_PRODUCT) || is(b, KNOWN_SCALED | KNOWN_PRODUCT);
    if (shifts || !is(a, KNOWN_LOOSE) || is(b, KNOWN_LOOSE))
        a = known_multiple(a);
    if (shifts || !is(b, KNOWN_LOOSE) || is(a, KNOWN_LOOSE))
        b = known_multiple(b);
    return with(least(a.bits, b.bits), a.value + b.value, KNOWN_SUM | both);
}

/* Of what is subtracted ptxas knows something only where it is a product with a negative constant. */
static Known difference(Known a, Known b) {
    if (is(b, KNOWN_CONSTANT)) {
        b.value = 0 - b.value;
        return sum(a, b);
    }
    bool zero = is(a, KNOWN_CONSTANT) && a.value == 0;
    if (zero || is(a, KNOWN_SCALED) || !is(b, KNOWN_SCALED))
        return nothing;
    a = known_multiple(a);
    return with(least(a.bits, zeros(b)), a.value, KNOWN_SUM | (a.made & KNOWN_WINDOW));
}

/* (a + 2^i x)(b + 2^j y) = ab + 2^i xb + 2^j ya + 2^(i+j) xy */
static Known product(Known a, Known b) {
    a = known_multiple(a);
    b = known_multiple(b);
    uint32_t bits = least(a.bits + zeros(b), b.bits + zeros(a));
    uint32_t made = a.made & b.made & KNOWN_CONSTANT;
    if (!made)
        made = (a.made | b.made) & KNOWN_CONSTANT ? KNOWN_SCALED : KNOWN_PRODUCT;
    return with(least(bits, 64), a.value * b.value, made);
}

static Known multiply_add(Known a, Known b, Known added) {
    return sum(product(a, b), added);
}

static Known shifted(Known a, Known by) {
    if (by.bits < 32 || by.value > 63)
        return nothing;
    uint32_t made = is(a, KNOWN_CONSTANT) ? a.made : KNOWN_SCALED;
    return with(least(a.bits + (uint32_t)by.value, 64), a.value << by.value, made);
}

/* A zero on either side settles a bit. */
static Known conjunction(Known a, Known b) {
    a = known_multiple(a);
    b = known_multiple(b);
    uint32_t bits = least(a.bits, b.bits);
    const Known *longer = a.bits > b.bits ? &a : &b;
    while (bits < longer->bits && !(longer->value >> bits & 1))
        bits++;
    return known_multiple(with(bits, a.value & b.value, a.made & b.made & KNOWN_CONSTANT));
}

/* Of bits that are zero in sums and products it is an addition; other logic becomes one instruction with it. */
static Known disjunction(Known a, Known b) {
    if (is(a, KNOWN_CONSTANT) && !is(b, KNOWN_CONSTANT))
        return disjunction(b, a);
    a = known_multiple(a);
    b = known_multiple(b);
    if (is(a, KNOWN_SCALED | KNOWN_SUM) && !is(a, KNOWN_WINDOW) && is(b, KNOWN_CONSTANT) &&
        a.bits < 64 && b.value >> a.bits == 0)
        return with(a.bits, b.value, KNOWN_LOOSE);
    uint32_t made = a.made & b.made & KNOWN_CONSTANT;
    return known_multiple(with(least(a.bits, b.bits), a.value | b.value, made));
}

static Known exclusive(Known a, Known b) {
    a = known_multiple(a);
    b = known_multiple(b);
    uint32_t made = a.made & b.made & KNOWN_CONSTANT;
    return known_multiple(with(least(a.bits, b.bits), a.value ^ b.value, made));
}

typedef struct Finder {
    const Function *function;
    const Lowering *lowering;
    Known *known;
    bool changed;
} Finder;

/* A shared variable's address, as instructions have it. */
static Known of_symbol(const Finder *finder, const Operand *operand) {
    const SharedSpace *shared = finder->lowering->shared;
    if (operand->variable->space != SPACE_SHARED)
        return nothing;
    Known known = constant(shared_address(shared, operand->variable) + (uint64_t)operand->offset);
    known.made |= shared->window ? KNOWN_WINDOW : 0;
    return known;
}

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
        return cut(of_symbol(finder, operand), width);
    default:
        return nothing;
    }
}

/* rem by a power of two is an and. */
static Known remainder_of(Known a, Known b) {
    if (b.bits < 32 || (b.value & (b.value - 1)))
        return nothing;
    return conjunction(a, with(b.bits, b.value - 1, KNOWN_CONSTANT));
}

/* mov, cvta, cvt; of a generic address the upper half is open. */
static Known moved(const Mods *mods, Known in) {
    bool rounds = mods->type2 != TYPE_NONE &&
                  (type_is_float((Type)mods->type) || type_is_float((Type)mods->type2));
    if (rounds || mods->flags & MOD_SAT)
        return nothing;
    if (mods->type2 != TYPE_NONE)
        in = known_multiple(in);
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
        return sum(in[0], in[1]);
    case OP_MATH_DIFFERENCE:
        return difference(in[0], in[1]);
    case OP_MATH_PRODUCT:
        return product(in[0], in[1]);
    case OP_MATH_MULTIPLY_ADD:
        return multiply_add(in[0], in[1], in[2]);
    case OP_MATH_SHIFT:
        return shifted(in[0], in[1]);
    case OP_MATH_AND:
        return conjunction(in[0], in[1]);
    case OP_MATH_OR:
        return disjunction(in[0], in[1]);
    case OP_MATH_XOR:
        return exclusive(in[0], in[1]);
    case OP_MATH_CHOICE:
        return join(in[0], in[1]);
    case OP_MATH_REMAINDER:
        return remainder_of(in[0], in[1]);
    default:
        return nothing;
    }
}

static void note(Finder *finder, uint32_t reg, Known value) {
    if (value.bits == UNSEEN)
        return;
    Known *known = &finder->known[reg];
    uint32_t width = 8 * type_bytes(finder->function->regs.at[reg].type);
    value = cut(value, width);
    if (value.bits < width)
        value.made &= ~(uint32_t)KNOWN_CONSTANT;
    Known now = join(*known, value);
    if (finder->lowering->writes[reg] == 1) /* what it said before was but a guess */
        now = cut(value, least(value.bits, known->bits));
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

Known *known_bits(const Lowering *lowering) {
    const Function *function = lowering->function;
    Finder finder = {.function = function,
                     .lowering = lowering,
                     .known = NEW_ARRAY(lowering->scratch, Known, function->regs.count + 1)};
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
