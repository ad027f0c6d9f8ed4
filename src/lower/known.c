/* Which registers are constants, and of which power of two the others are multiples in every thread and every
 * iteration: whether an address is a multiple of 16, as ptxas proves it. Registers written in several places
 * (loop counters) keep what all writes agree on; the first guess is that everything is known, and passes
 * over the instructions take back what is not so, until nothing changes.
 *
 * ptxas keeps no residues: a counter that begins at 12 and steps by 16 is a multiple of 4 to it, and
 * four loads from 4 beyond it stay four. But it takes constants out of addresses, and what remains may be a
 * multiple of 16. It does so between making instructions of several operations, and a constant in such
 * an instruction stays where it is. In this order:
 *
 *   1. A product of two numbers, of an argument and a constant, or of 64 bits, becomes one instruction with
 *      what is added to it, if nothing else reads it and it is in the same block.
 *   2. A constant that is the last to be added to an address is taken out.
 *   3. A number that is shifted or times a constant becomes one instruction with what is added to it, if
 *      nothing else reads it; and a sum of two becomes a sum of three with what is added to it.
 *   4. A constant in a sum of three is taken out, and one added to what such a product is added to, unless
 *      that has become a sum of three itself.
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
    return (Known){.bits = 64, .value = value, .loose = value, .made = KNOWN_CONSTANT};
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

static Known with(uint32_t bits, uint64_t value, uint32_t made) {
    Known known = {.bits = 64, .value = value, .made = made};
    known.loose = made & KNOWN_CONSTANT ? value : 0;
    return cut(known, bits);
}

/* Of which power of two it is a multiple, with the loose constant taken out or not: each constant that
 * stays is added in an instruction of its own, to what ptxas knows of the rest. */
static uint32_t zeros_of(Known known, bool taken) {
    Known loose = with(known.bits, known.loose, 0);
    Known rest = with(known.bits, known.value - known.loose, 0);
    Known apart = with(known.bits, known.apart, 0);
    uint32_t bits = least(zeros(rest), zeros(apart));
    return taken ? bits : least(bits, zeros(loose));
}

Known known_multiple(Known known) {
    if (is(known, KNOWN_CONSTANT))
        return known;
    return (Known){.bits = zeros_of(known, false), .made = known.made};
}

/* What holds for both. */
static Known join(Known a, Known b) {
    if (a.bits == UNSEEN)
        return b;
    if (b.bits == UNSEEN)
        return a;
    if (is(a, KNOWN_CONSTANT) && is(b, KNOWN_CONSTANT) && a.value == b.value)
        return a;
    return (Known){.bits = least(zeros_of(a, false), zeros_of(b, false))};
}

/* ---- sums ---- */

bool known_is_plain(Known known) {
    return is(known, KNOWN_CONSTANT) && !is(known, KNOWN_WINDOW);
}

static bool once(Known known, uint32_t made) {
    return is(known, KNOWN_ONCE) && is(known, made);
}

Bound known_bound(Known x) {
    if (once(x, KNOWN_PRODUCT))
        return BOUND_AT_ONCE;
    return once(x, KNOWN_SCALED) ? BOUND_LATER : BOUND_NOT;
}

Kept known_kept(Known a, Known b) {
    bool early = once(a, KNOWN_PRODUCT) || once(b, KNOWN_PRODUCT);
    bool scaled = once(a, KNOWN_SCALED) || once(b, KNOWN_SCALED);
    if (scaled)
        return (Kept){.a = !early && !is(a, KNOWN_STIFF), .b = !early && !is(b, KNOWN_STIFF)};
    return (Kept){.a = !early, .b = !early && !is(a, KNOWN_PAIR)};
}

/* x + constant */
static Known sum_with(Known x, Known added) {
    if (added.value == 0)
        return x;
    Bound bound = known_bound(x);
    uint32_t made = KNOWN_SUM | (x.made & (KNOWN_PAIR | KNOWN_WINDOW | KNOWN_STIFF));
    if (once(x, KNOWN_PAIR) && x.apart == 0)
        made |= KNOWN_STIFF; /* a sum of three */
    if (bound != BOUND_NOT)
        made |= KNOWN_BOUND;
    uint64_t loose = x.loose + added.value;
    if (bound == BOUND_AT_ONCE)
        return with(least(zeros_of(x, false), zeros(added)), 0, KNOWN_SUM | KNOWN_BOUND);
    Known known = with(least(x.bits, added.bits), x.value + added.value, made);
    known.loose = bound == BOUND_LATER && !is(x, KNOWN_SPREAD | KNOWN_FOLDED) ? 0 : loose;
    known.apart = x.apart;
    return known;
}

/* Of two that are no constants. */
static Known sum_of_two(Known a, Known b) {
    Kept kept = known_kept(a, b);
    uint32_t bits = least(zeros_of(a, kept.a), zeros_of(b, kept.b));
    uint32_t made = KNOWN_SUM | ((a.made | b.made) & KNOWN_WINDOW);
    uint32_t products = KNOWN_SCALED | KNOWN_PRODUCT;
    if (!once(a, products) && !once(b, products))
        made |= KNOWN_PAIR;
    uint64_t of_a = kept.a ? a.loose : 0, of_b = kept.b ? b.loose : 0;
    Known known = with(bits, of_a + of_b, made);
    known.apart = of_a | of_b;
    return known;
}

static Known sum(Known a, Known b) {
    if (is(a, KNOWN_CONSTANT) && is(b, KNOWN_CONSTANT)) {
        uint32_t window = (a.made | b.made) & KNOWN_WINDOW;
        Known known = with(least(a.bits, b.bits), a.value + b.value, KNOWN_CONSTANT | window);
        known.loose = a.loose + b.loose;
        return known;
    }
    if (known_is_plain(a))
        return sum_with(b, a);
    return known_is_plain(b) ? sum_with(a, b) : sum_of_two(a, b);
}

bool known_subtracts(Known a, Known b) {
    bool zero = is(a, KNOWN_CONSTANT) && a.value == 0;
    bool factor = once(a, KNOWN_SCALED | KNOWN_PRODUCT) && !is(a, KNOWN_SUM);
    return !zero && !factor && once(b, KNOWN_SCALED);
}

Known known_negative(Known known) {
    known.value = 0 - known.value;
    known.loose = 0 - known.loose;
    return cut(known, known.bits);
}

static Known difference(Known a, Known b) {
    if (known_is_plain(b) || known_subtracts(a, b))
        return sum(a, known_negative(b));
    return nothing;
}

/* ---- products ---- */

bool is_wide(const Insn *insn) {
    return type_bytes(insn->operands[0].type) != type_bytes(insn->operands[1].type);
}

/* An argument times a constant, which ptxas has as one factor with what is shifted by next. */
static bool is_argument_scaled(Known known) {
    return is(known, KNOWN_SCALED) && is(known, KNOWN_PRODUCT);
}

static uint32_t product_made(Known a, Known b) {
    uint32_t both = a.made & b.made & KNOWN_CONSTANT;
    if (both)
        return both;
    if (!is(a, KNOWN_CONSTANT) && !is(b, KNOWN_CONSTANT))
        return KNOWN_PRODUCT;
    const Known factor = is(b, KNOWN_CONSTANT) ? b : a, other = is(b, KNOWN_CONSTANT) ? a : b;
    bool shifts = known_shifts(factor), times = is(other, KNOWN_TIMES);
    if (!shifts)
        times |= is(other, KNOWN_ARGUMENT);
    if (times || is(other, KNOWN_ARGUMENT) || (shifts && is_argument_scaled(other)))
        return KNOWN_SCALED | KNOWN_PRODUCT | (times ? KNOWN_TIMES : 0);
    return KNOWN_SCALED;
}

bool known_shifts(Known factor) {
    return known_is_plain(factor) && factor.value && !(factor.value & (factor.value - 1));
}

static Known times(Known a, Known factor, uint32_t made) {
    if (known_shifts(factor)) {
        made |= is(a, KNOWN_BOUND) ? KNOWN_FOLDED : 0;
        Known known = with(least(a.bits + zeros(factor), 64), a.value * factor.value, made);
        known.loose = a.loose * factor.value;
        known.apart = a.apart * factor.value;
        return known;
    }
    uint32_t bits = zeros_of(a, true) + zeros(factor);
    made |= a.loose ? KNOWN_SPREAD : 0;
    return with(least(bits, 64), a.loose * factor.value, made);
}

Known known_product(Known a, Known b, bool wide) {
    uint32_t made = product_made(a, b);
    if (wide && !(made & KNOWN_CONSTANT))
        made = (made | KNOWN_PRODUCT) & ~(uint32_t)KNOWN_TIMES;
    if (is(a, KNOWN_CONSTANT) && !is(b, KNOWN_CONSTANT))
        return known_product(b, a, wide);
    if (made == KNOWN_SCALED)
        return times(a, b, made);
    /* (a + 2^i x)(b + 2^j y) = ab + 2^i xb + 2^j ya + 2^(i+j) xy */
    uint32_t bits = least(a.bits + zeros(b), b.bits + zeros(a));
    if (made & KNOWN_CONSTANT)
        return with(least(bits, 64), a.value * b.value, made);
    return with(least(zeros_of(a, false) + zeros_of(b, false), 64), 0, made);
}

/* There what is shifted keeps its own instruction. */
Known known_factors(Known a, Known b, Known added, bool wide) {
    Known product = known_product(a, b, wide);
    product.made |= KNOWN_ONCE;
    if (is(product, KNOWN_SCALED) && !wide && !is(a, KNOWN_ARGUMENT | KNOWN_TIMES) &&
        !is(b, KNOWN_ARGUMENT | KNOWN_TIMES))
        product.made &= ~(uint32_t)KNOWN_PRODUCT;
    if (is(product, KNOWN_SPREAD) && !known_is_plain(added))
        product.loose = product.value;
    return product;
}

bool known_keeps(Known product, Known added) {
    return is(product, KNOWN_FOLDED) && known_is_plain(added) && added.value != 0;
}

/* (x + 1) * 12 with a constant is one instruction, in which both constants stay, each by itself. */
static Known multiply_add(Known a, Known b, Known added, bool wide) {
    Known product = known_factors(a, b, added, wide);
    bool apart = is(product, KNOWN_SPREAD | KNOWN_FOLDED) && known_is_plain(added);
    product.made &= ~(uint32_t)KNOWN_FOLDED;
    Known known = sum(product, added);
    if (apart) {
        known.loose = 0;
        known.apart = product.value | added.value;
    }
    return known;
}

static Known shifted(Known a, Known by) {
    if (by.bits < 32 || by.value > 63)
        return nothing;
    bool argument = is(a, KNOWN_ARGUMENT) || is_argument_scaled(a);
    uint32_t made = KNOWN_SCALED | (argument ? KNOWN_PRODUCT : 0);
    made |= is(a, KNOWN_BOUND) ? KNOWN_FOLDED : 0;
    Known known = with(least(a.bits + (uint32_t)by.value, 64), a.value << by.value,
                       is(a, KNOWN_CONSTANT) ? a.made : made);
    known.loose = a.loose << by.value;
    known.apart = a.apart << by.value;
    return known;
}

/* ---- bits ---- */

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
bool known_adds(Known a, Known b) {
    uint32_t bits = known_multiple(a).bits;
    return is(a, KNOWN_SCALED | KNOWN_PRODUCT | KNOWN_SUM) && !is(a, KNOWN_WINDOW) &&
           is(b, KNOWN_CONSTANT) && bits < 64 && b.value >> bits == 0;
}

static Known disjunction(Known a, Known b, View view) {
    if (is(a, KNOWN_CONSTANT) && !is(b, KNOWN_CONSTANT))
        return disjunction(b, a, view);
    a = known_multiple(a);
    b = known_multiple(b);
    if (known_adds(a, b)) {
        Known known = with(a.bits, b.value, KNOWN_STIFF);
        known.loose = view == VIEW_LOADS ? b.value : 0;
        return known;
    }
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
    View view;
    bool *differs; /* [regs]: of one that is written in several places: it is no constant */
    bool changed;
} Finder;

/* A shared variable's address, as instructions have it. */
static Known of_symbol(const SharedSpace *shared, const Operand *operand) {
    if (operand->variable->space != SPACE_SHARED)
        return nothing;
    Known known = constant(shared_address(shared, operand->variable) + (uint64_t)operand->offset);
    if (shared->window) {
        known.made |= KNOWN_WINDOW;
        known.loose = (uint64_t)operand->offset;
    }
    return known;
}

/* Products become one instruction with what is added to them only in their own block. */
static bool reads_once(const Lowering *lowering, uint32_t reg, uint32_t made) {
    bool near = lowering->writes[reg] == 1 && lowering->block_of[lowering->reader[reg]] ==
                                                  lowering->block_of[lowering->writer[reg]];
    return lowering->reads[reg] == 1 && (near || !(made & KNOWN_PRODUCT));
}

static Known of_register(const Lowering *lowering, Known known, uint32_t reg) {
    known.made &= ~(uint32_t)KNOWN_ONCE;
    if (reads_once(lowering, reg, known.made))
        known.made |= KNOWN_ONCE;
    return known;
}

Known known_operand(const Lowering *lowering, const Known *known, const Insn *insn,
                    uint32_t index) {
    const Operand *operand = &insn->operands[index];
    uint32_t width = operand->type == TYPE_NONE ? 64 : 8 * type_bytes(operand->type);
    switch (operand->kind) {
    case OPERAND_REG:
        return cut(of_register(lowering, known[operand->reg], operand->reg),
                   known[operand->reg].bits == UNSEEN ? UNSEEN : width);
    case OPERAND_IMM:
        return cut(constant(operand->bits), width);
    case OPERAND_SYMBOL:
        return cut(of_symbol(lowering->shared, operand), width);
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
    if (type_bytes((Type)mods->type) == 4 && type_bytes((Type)mods->type2) == 8)
        in.made |= KNOWN_CUT;
    return mods->space == SPACE_GENERIC ? in : cut(in, 32);
}

static Known evaluate(const Finder *finder, const Insn *insn) {
    Known in[3] = {nothing, nothing, nothing};
    for (uint32_t i = 1; i < insn->operand_count && i <= 3; i++) {
        in[i - 1] = known_operand(finder->lowering, finder->known, insn, i);
        if (in[i - 1].bits == UNSEEN)
            return in[i - 1]; /* looked at again when it is known */
    }
    if (op_access(insn->op) == OP_ACCESS_LOAD && insn->mods.space == SPACE_PARAM)
        return (Known){.made = finder->function->is_entry ? KNOWN_ARGUMENT : 0};
    if (op_has(insn->op, TRAIT_MOVES))
        return moved(&insn->mods, in[0]);
    switch (op_math(insn->op)) {
    case OP_MATH_SUM:
        return sum(in[0], in[1]);
    case OP_MATH_DIFFERENCE:
        return difference(in[0], in[1]);
    case OP_MATH_PRODUCT:
    case OP_MATH_PRODUCT_OF_24:
        return known_product(in[0], in[1], is_wide(insn));
    case OP_MATH_MULTIPLY_ADD:
        return multiply_add(in[0], in[1], in[2], is_wide(insn));
    case OP_MATH_SHIFT:
        return shifted(in[0], in[1]);
    case OP_MATH_AND:
        return conjunction(in[0], in[1]);
    case OP_MATH_OR:
        return disjunction(in[0], in[1], finder->view);
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

static bool differ(Known a, Known b) {
    return a.bits != b.bits || a.value != b.value || a.loose != b.loose || a.apart != b.apart ||
           a.made != b.made;
}

static void note(Finder *finder, uint32_t reg, Known value) {
    if (value.bits == UNSEEN)
        return;
    Known *known = &finder->known[reg];
    uint32_t width = 8 * type_bytes(finder->function->regs.at[reg].type);
    Known now = cut(value, width);
    if (now.bits < width)
        now.made &= ~(uint32_t)KNOWN_CONSTANT;
    if (finder->lowering->writes[reg] != 1) {
        now = join(*known, now);
        if (finder->differs[reg])
            now = known_multiple((Known){.bits = now.bits, .value = now.value});
    }
    finder->changed |= differ(now, *known);
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

static void solve(Finder *finder) {
    const Function *function = finder->function;
    for (uint32_t r = 0; r < function->regs.count; r++)
        finder->known[r] = (Known){.bits = UNSEEN};
    for (uint32_t i = 0; i < function->params.count; i++)
        if (function->params.at[i]->space == SPACE_REG)
            finder->known[function->params.at[i]->offset] = nothing;
    do {
        finder->changed = false;
        for (uint32_t i = 0; i < function->insns.count; i++) {
            const Insn *insn = &function->insns.at[i];
            bool single = insn->operand_count && insn->operands[0].kind == OPERAND_REG;
            Write write = {finder, single ? evaluate(finder, insn) : nothing};
            insn_registers(insn, note_write, &write);
        }
    } while (finder->changed);
    for (uint32_t r = 0; r < function->regs.count; r++)
        if (finder->known[r].bits == UNSEEN)
            finder->known[r] = nothing;
}

/* Twice: what is an instruction of its own depends on what is a constant, so this is found out first. */
Known *known_bits(const Lowering *lowering, View view) {
    const Function *function = lowering->function;
    Finder finder = {.function = function,
                     .lowering = lowering,
                     .view = view,
                     .known = NEW_ARRAY(lowering->scratch, Known, function->regs.count + 1),
                     .differs = NEW_ARRAY(lowering->scratch, bool, function->regs.count + 1)};
    solve(&finder);
    for (uint32_t r = 0; r < function->regs.count; r++)
        finder.differs[r] = !is(finder.known[r], KNOWN_CONSTANT);
    solve(&finder);
    return finder.known;
}
