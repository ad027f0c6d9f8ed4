/* Division, written as an approximation that is made exact, is one instruction.
 *
 * ptxas writes a / b, rounded to nearest, as the unit's 1 / b and five products that correct it; where FCHK says that these
 * do not get it right, the code branches to a function that does. machine.div gives what the last of the products gives:
 * the quotient, or where FCHK would not agree the same six steps; machine.quotient where FCHK of the same operands has been executed before. 1 / b likewise. The steps before the last are left out by
 * dead.c, if nothing else reads them. */
#include "machine/tidy.h"

#include <string.h>

/* The steps, and what they become: these rows and no others, which is no property that a row could have. */
static const Op about_op = OP_rcp_approx_f32;  /* MUFU.RCP */
static const Op product_op = OP_fma_f32;       /* FFMA a, b, c */
static const Op rest_op = OP_machine_fnma_f32; /* FFMA -a, b, c */
static const Op difference_op = OP_sub_f32;    /* FADD a, -b */
static const Op quotient_op = OP_machine_div_f32;
static const Op check_op = OP_machine_fchk_f32; /* FCHK */
static const Op checked_op = OP_machine_quotient_f32;
static const Op inverse_op = OP_machine_rcp_f32;

/* An operand, and the write that it read; of a constant 0. */
typedef struct Value {
    const Operand *operand;
    uint32_t write;
} Value;

enum { READ_MOST = 3 };

/* What wrote a register last, if for all lanes. */
typedef struct Made {
    uint32_t write;
    const Insn *insn;
    uint32_t reads[READ_MOST]; /* the writes that its operands read */
} Made;

/* FCHK, and the write of its predicate. */
typedef struct Checked {
    const Insn *insn;
    uint32_t write, reads[2];
} Checked;

enum { CHECKS_MOST = 8 }; /* the latest */

typedef struct Steps {
    uint32_t *writes; /* [regs] */
    uint32_t last, begin;
    Made *made; /* [regs] */
    Checked checks[CHECKS_MOST];
    uint32_t check_count; /* of the basic block */
} Steps;

static Value operand_of(const Steps *steps, const Insn *insn, uint32_t i) {
    const Operand *operand = &insn->operands[1 + i];
    return (Value){operand, operand->kind == OPERAND_REG ? steps->writes[operand->reg] : 0};
}

static Value made_of(const Made *made, uint32_t i) {
    return (Value){&made->insn->operands[1 + i], made->reads[i]};
}

static bool same(Value a, Value b) {
    if (a.operand->kind != b.operand->kind)
        return false;
    if (a.operand->kind == OPERAND_REG)
        return a.operand->reg == b.operand->reg && a.write == b.write;
    return a.operand->kind == OPERAND_IMM && (uint32_t)a.operand->bits == (uint32_t)b.operand->bits;
}

static bool is_number(Value value, uint32_t bits) {
    return value.operand->kind == OPERAND_IMM && (uint32_t)value.operand->bits == bits;
}

static bool is_plain(const Insn *insn, uint32_t flags) {
    return insn->guard == NO_REG && insn->mods.flags == flags &&
           (insn->mods.round == ROUND_RN || insn->op == about_op);
}

/* The instruction that made the value, if it is that one. */
static const Made *maker(const Steps *steps, Value value, Op op, uint32_t flags) {
    if (value.operand->kind != OPERAND_REG || value.write <= steps->begin)
        return NULL;
    const Made *made = &steps->made[value.operand->reg];
    return made->write == value.write && made->insn->op == op && is_plain(made->insn, flags) ? made
                                                                                             : NULL;
}

/* Of the factors of a product the one that is not `known`. false: neither is. */
static bool other_factor(const Made *product, Value known, Value *other) {
    for (uint32_t i = 0; i < 2; i++) {
        *other = made_of(product, 1 - i);
        if (same(made_of(product, i), known))
            return true;
    }
    return false;
}

/* better = r + r (1 - b r), r = about 1 / b */
static bool is_reciprocal(const Steps *steps, Value better, Value b) {
    const Made *sum = maker(steps, better, product_op, 0);
    Value error, r;
    if (!sum || !other_factor(sum, made_of(sum, 2), &error))
        return false;
    const Made *left = maker(steps, error, rest_op, 0);
    if (!left || !other_factor(left, b, &r) || !same(r, made_of(sum, 2)) ||
        !is_number(made_of(left, 2), 0x3f800000))
        return false;
    const Made *about = maker(steps, r, about_op, MOD_FTZ);
    return about && same(made_of(about, 0), b);
}

/* q + better (a - b q), q = a better + 0 */
static bool is_division(const Steps *steps, const Insn *insn, Value *a, Value *b) {
    const Value q = operand_of(steps, insn, 2);
    const Made *first = maker(steps, q, product_op, 0);
    for (uint32_t i = 0; first && i < 2; i++) {
        const Value better = operand_of(steps, insn, i);
        const Made *rest = maker(steps, operand_of(steps, insn, 1 - i), rest_op, 0);
        Value factor;
        if (!rest || !other_factor(rest, q, b) || !is_number(made_of(first, 2), 0) ||
            !other_factor(first, better, &factor))
            continue;
        *a = made_of(rest, 2);
        if (same(factor, *a) && is_reciprocal(steps, better, *b))
            return true;
    }
    return false;
}

/* r + r (-0 - (b r - 1)), r = about 1 / b */
static bool is_inverse(const Steps *steps, const Insn *insn, Value *b) {
    const Value r = operand_of(steps, insn, 2);
    const Made *about = maker(steps, r, about_op, MOD_FTZ);
    for (uint32_t i = 0; about && i < 2; i++) {
        const Made *minus = maker(steps, operand_of(steps, insn, 1 - i), difference_op, MOD_FTZ);
        const Made *error = minus ? maker(steps, made_of(minus, 1), product_op, 0) : NULL;
        if (!error || !same(operand_of(steps, insn, i), r) ||
            !is_number(made_of(minus, 0), 0x80000000) || !is_number(made_of(error, 2), 0xbf800000))
            continue;
        *b = made_of(about, 0);
        Value factor;
        if (other_factor(error, r, &factor) && same(factor, *b))
            return true;
    }
    return false;
}

static bool is_there(const Steps *steps, Value value) {
    return value.operand->kind != OPERAND_REG || steps->writes[value.operand->reg] == value.write;
}

/* What FCHK of the block said of a and b, if it is still there. NULL: nothing. */
static const Operand *check_of(const Steps *steps, Value a, Value b) {
    for (uint32_t i = 0; i < CHECKS_MOST && i < steps->check_count; i++) {
        const Checked *check = &steps->checks[i];
        const Operand *operands = check->insn->operands;
        const Value dividend = {&operands[1], check->reads[0]},
                    divisor = {&operands[2], check->reads[1]};
        if (same(dividend, a) && same(divisor, b) && steps->writes[operands[0].reg] == check->write)
            return &operands[0];
    }
    return NULL;
}

static void replace(const Steps *steps, Insn *insn) {
    Value a, b;
    if (insn->op != product_op || !is_plain(insn, 0))
        return;
    if (is_division(steps, insn, &a, &b) && is_there(steps, a) && is_there(steps, b)) {
        const Operand operands[] = {*a.operand, *b.operand}, *check = check_of(steps, a, b);
        memcpy(&insn->operands[1], operands, sizeof operands);
        insn->op = check ? checked_op : quotient_op;
        insn->operand_count = 3;
        if (check)
            insn->operands[insn->operand_count++] = *check;
    } else if (is_inverse(steps, insn, &b) && is_there(steps, b)) {
        insn->operands[1] = *b.operand;
        insn->op = inverse_op;
        insn->operand_count = 2;
    }
}

static void note_write(void *context, uint32_t reg, bool defined) {
    Steps *steps = context;
    if (defined)
        steps->writes[reg] = ++steps->last;
}

/* Behind what it writes: a predicate. */
static void follow_check(Steps *steps, const Insn *insn) {
    const Operand *predicate = &insn->operands[0];
    if (insn->op == check_op && insn->guard == NO_REG && predicate->kind == OPERAND_REG)
        steps->checks[steps->check_count++ % CHECKS_MOST] =
            (Checked){insn,
                      steps->writes[predicate->reg],
                      {operand_of(steps, insn, 0).write, operand_of(steps, insn, 1).write}};
}

static void follow(Steps *steps, const Insn *insn) {
    Made made = {.insn = insn};
    const bool computes = op_info(insn->op)->kind == OP_KIND_FLOAT;
    for (uint32_t i = 0; computes && i + 1 < insn->operand_count && i < READ_MOST; i++)
        made.reads[i] = operand_of(steps, insn, i).write;
    insn_registers(insn, note_write, steps);
    follow_check(steps, insn);
    if (!computes || insn->operands[0].kind != OPERAND_REG)
        return;
    made.write = steps->writes[insn->operands[0].reg];
    steps->made[insn->operands[0].reg] = made;
}

void tidy_quotients(Arena *scratch, Function *function) {
    const uint32_t regs = function->regs.count;
    Steps steps = {.writes = NEW_ARRAY(scratch, uint32_t, regs),
                   .made = NEW_ARRAY(scratch, Made, regs)};
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        steps.begin = steps.last;
        steps.check_count = 0;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            Insn *insn = &function->insns.at[i];
            replace(&steps, insn);
            follow(&steps, insn);
        }
    }
}
