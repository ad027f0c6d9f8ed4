/* Approximations around which operands and results are scaled are one instruction.
 *
 * The unit (MUFU) knows no subnormal numbers. Where the program wants them, ptxas multiplies an operand below the least normal
 * one by 2^24, and corrects the result:
 *
 *      setp.geu.f32 p, |x|, 2^-126;   @!p mul x, x, 2^24;   rsqrt.approx.ftz r, x;   @!p mul r, r, 2^12
 *
 * is rsqrt.approx r, x. So it is with square roots, logarithms and powers of two; a quotient, and 1 / x, has its reciprocal and
 * its dividend scaled. The operand may also be chosen (selp p, x, x 2^24), so that x stays. Between the steps stand others.
 * What these compute is what the single instructions do, bit for bit (exec/lanes/ops_mufu.h). */
#include "machine/tidy.h"

#include <string.h>

enum { READ_MOST = 3 };

#define LEAST_NORMAL 0x00800000u /* 2^-126 */
#define UP 0x4b800000u           /* 2^24 */
#define ONE 0x3f800000u

/* The steps, and what they become: these rows and no others, which is no property that a row could have. */
static const Op product_op = OP_mul_f32;
static const Op sum_op = OP_add_f32;
static const Op choice_op = OP_selp_b32;
static const Op magnitude_op = OP_abs_f32;
static const Op test_op = OP_setp_geu_f32;
static const Op quotient_op = OP_div_approx_f32;

/* The steps around an approximation. */
typedef struct Steps {
    Op op;
    bool magnitude; /* of the operand is looked at: */
    uint32_t below; /* if less than that, */
    uint32_t scale; /* it is multiplied by this */
    Op correction;  /* of the result, and with what; */
    bool by_itself; /* or the result */
    uint32_t by;
} Steps;

static const Steps kinds[] = {
    {OP_ex2_f32, false, 0xc2fc0000 /* -126 */, 0x3f000000 /* 1/2 */, OP_mul_f32, true, 0},
    {OP_lg2_f32, true, LEAST_NORMAL, UP, OP_add_f32, false, 0xc1c00000 /* -24 */},
    {OP_rsqrt_f32, true, LEAST_NORMAL, UP, OP_mul_f32, false, 0x45800000 /* 2^12 */},
    {OP_sqrt_approx_f32, true, LEAST_NORMAL, UP, OP_mul_f32, false, 0x39800000 /* 2^-12 */}};
static const Steps reciprocal = {OP_rcp_approx_f32, true, LEAST_NORMAL, UP, OP_mul_f32, false, 0};

/* A write of a register, in its basic block. */
typedef struct Write {
    Insn *insn;
    uint32_t reads[READ_MOST]; /* the writes that its operands read; 0: another kind of operand */
    uint32_t guard, before;    /* of the predicate; and what other lanes keep; 0: it is for all */
    uint32_t value;            /* the write that a copy has its value of */
    uint32_t readers;          /* of it, here and in other blocks */
    uint32_t at, ends;         /* instructions: this one; the next that writes the register */
} Write;

typedef struct Scaled {
    Function *function;
    Arena *arena;
    const Lives *lives;
    VEC(Write) made;  /* by number; first one for each register, of before the first block */
    uint32_t *writes; /* [regs]: number of the last write */
    uint32_t begin;   /* the last write before this block */
    uint32_t at;      /* the instruction at hand */
} Scaled;

static const Write *write_of(const Scaled *scaled, uint32_t number) {
    return number > scaled->begin ? &scaled->made.at[number] : NULL;
}

static uint32_t value_of(const Scaled *scaled, uint32_t number) {
    const Write *write = write_of(scaled, number);
    return write ? write->value : number;
}

/* Whether its register holds it at the instruction at hand. */
static bool is_there(const Scaled *scaled, uint32_t number) {
    return scaled->made.at[number].ends >= scaled->at;
}

/* ---- the steps ---- */

static bool is_number(const Operand *operand, uint32_t bits) {
    return operand->kind == OPERAND_IMM && (uint32_t)operand->bits == bits;
}

static bool is_plain(const Insn *insn, Op op, uint32_t flags) {
    const bool rounds = op == product_op || op == sum_op;
    return insn && insn->op == op && insn->mods.flags == flags && insn->mods.func == FUNC_NONE &&
           (!rounds || insn->mods.round == ROUND_RN) && insn->operands[0].kind == OPERAND_REG;
}

/* What made the value for all lanes, if it is that instruction. */
static const Write *maker(const Scaled *scaled, uint32_t number, Op op, uint32_t flags) {
    const Write *write = write_of(scaled, number);
    return write && !write->before && is_plain(write->insn, op, flags) ? write : NULL;
}

/* Lanes in which the predicate does not hold have it multiplied. */
static const Write *multiplied(const Scaled *scaled, uint32_t number, uint32_t scale) {
    const Write *write = write_of(scaled, number);
    if (!write || !write->before || !is_plain(write->insn, product_op, 0) ||
        !write->insn->guard_negated || !is_number(&write->insn->operands[2], scale) ||
        value_of(scaled, write->reads[0]) != value_of(scaled, write->before))
        return NULL;
    return write;
}

/* selp chosen, value, value scale, p */
static const Write *chosen(const Scaled *scaled, uint32_t number, uint32_t scale) {
    const Write *write = maker(scaled, number, choice_op, 0);
    const Write *product = write ? maker(scaled, write->reads[1], product_op, 0) : NULL;
    if (!product || !write->reads[0] || !is_number(&product->insn->operands[2], scale) ||
        value_of(scaled, product->reads[0]) != value_of(scaled, write->reads[0]))
        return NULL;
    return write;
}

/* A number that is scaled where a predicate does not hold. */
typedef struct Number {
    Operand operand;    /* as it was, at the instruction at hand */
    uint32_t value;     /* a write */
    uint32_t predicate; /* likewise */
    Insn *left_out;     /* the multiplication that nobody else reads; NULL: it is a chosen one */
} Number;

static bool find_number(const Scaled *scaled, uint32_t number, uint32_t scale, Number *found) {
    const Write *write = multiplied(scaled, number, scale);
    if (write) {
        *found = (Number){write->insn->operands[0], value_of(scaled, write->before), write->guard,
                          write->insn};
        found->operand.type = TYPE_F32;
        return write->readers == 1 && is_there(scaled, number);
    }
    write = chosen(scaled, number, scale);
    if (!write)
        return false;
    *found = (Number){write->insn->operands[1], value_of(scaled, write->reads[0]), write->reads[2],
                      NULL};
    found->operand.type = TYPE_F32;
    return is_there(scaled, write->reads[0]);
}

/* setp.geu p, |value|, 2^-126 */
static bool is_test(const Scaled *scaled, uint32_t predicate, uint32_t value, const Steps *steps) {
    const Write *test = maker(scaled, predicate, test_op, 0);
    if (!test || !is_number(&test->insn->operands[2], steps->below))
        return false;
    uint32_t looked_at = test->reads[0];
    if (steps->magnitude) {
        const Write *magnitude = maker(scaled, looked_at, magnitude_op, 0);
        if (!magnitude)
            return false;
        looked_at = magnitude->reads[0];
    }
    return looked_at && value_of(scaled, looked_at) == value;
}

/* The approximation that made the value, of a number that is scaled. */
static const Write *approximation(const Scaled *scaled, uint32_t made, const Steps *steps,
                                  Number *operand) {
    const Write *about = maker(scaled, made, steps->op, MOD_FTZ);
    if (!about || !find_number(scaled, about->reads[0], steps->scale, operand) ||
        !is_test(scaled, operand->predicate, operand->value, steps))
        return NULL;
    return about;
}

/* ---- replacing ---- */

static void leave_out_scaling(const Number *number) {
    if (number->left_out)
        tidy_leave_out(number->left_out);
}

/* @!p mul r, r, 2^12 */
static bool correct_result(const Scaled *scaled, const Write *write, const Steps *steps) {
    const Insn *insn = write->insn;
    Number operand;
    const uint32_t reads = steps->by_itself ? 3 : 2; /* what other lanes keep is one of them */
    if (!write->before || !insn->guard_negated || !is_plain(insn, steps->correction, 0) ||
        write->reads[0] != write->before ||
        !(steps->by_itself ? write->reads[1] == write->before
                           : is_number(&insn->operands[2], steps->by)))
        return false;
    const Write *about = approximation(scaled, write->before, steps, &operand);
    if (!about || about->readers != reads || operand.predicate != write->guard)
        return false;
    about->insn->mods.flags = 0;
    about->insn->operands[1] = operand.operand;
    leave_out_scaling(&operand);
    tidy_leave_out(write->insn);
    return true;
}

/* 1, or 2^24 where the predicate does not hold. */
static bool is_scale(const Scaled *scaled, uint32_t number, Number *found) {
    const Write *write = maker(scaled, number, choice_op, 0);
    if (!write || !is_number(&write->insn->operands[1], ONE) ||
        !is_number(&write->insn->operands[2], UP))
        return false;
    *found = (Number){.operand = write->insn->operands[1], .predicate = write->reads[2]};
    found->operand.type = TYPE_F32;
    return true;
}

/* mul y, r, a: r = about 1 / x, x and a scaled alike */
static bool divide(const Scaled *scaled, const Write *write) {
    Insn *insn = write->insn;
    for (uint32_t i = 0; i < 2 && !write->before && is_plain(insn, product_op, 0); i++) {
        Number divisor, dividend;
        const Write *about = approximation(scaled, write->reads[i], &reciprocal, &divisor);
        if (!about || about->readers != 1 ||
            !(is_scale(scaled, write->reads[1 - i], &dividend) ||
              find_number(scaled, write->reads[1 - i], UP, &dividend)) ||
            dividend.predicate != divisor.predicate)
            continue;
        insn->op = quotient_op;
        insn->mods.round = ROUND_NONE;
        insn->operands[1] = dividend.operand;
        insn->operands[2] = divisor.operand;
        leave_out_scaling(&dividend);
        leave_out_scaling(&divisor);
        return true;
    }
    return false;
}

static void replace(const Scaled *scaled, const Write *write) {
    bool done = divide(scaled, write);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !done; i++)
        done = correct_result(scaled, write, &kinds[i]);
}

/* ---- following a block ---- */

static const Insn *insn_at(const Scaled *scaled) {
    return &scaled->function->insns.at[scaled->at];
}

/* What is written for some lanes keeps what others have. */
static void note_read(void *context, uint32_t reg, bool defined) {
    const Scaled *scaled = context;
    if (!defined || insn_at(scaled)->guard != NO_REG)
        scaled->made.at[scaled->writes[reg]].readers++;
}

static uint32_t add_write(Scaled *scaled) {
    const uint32_t number = scaled->made.count;
    *vec_add(scaled->arena, &scaled->made) =
        (Write){.value = number, .at = scaled->at, .ends = NO_INDEX};
    return number;
}

static void note_write(void *context, uint32_t reg, bool defined) {
    Scaled *scaled = context;
    if (!defined)
        return;
    scaled->made.at[scaled->writes[reg]].ends = scaled->at;
    scaled->writes[reg] = add_write(scaled);
}

static bool copies(const Insn *insn) {
    return insn->op == OP_mov && insn->guard == NO_REG && insn->operands[1].kind == OPERAND_REG;
}

static void follow(Scaled *scaled, Insn *insn) {
    const uint32_t before = scaled->made.count;
    uint32_t reads[READ_MOST] = {0};
    for (uint32_t i = 0; i + 1 < insn->operand_count && i < READ_MOST; i++) {
        const Operand *from = &insn->operands[1 + i];
        if (from->kind == OPERAND_REG && !from->negated)
            reads[i] = scaled->writes[from->reg];
    }
    const bool one = insn->operand_count && insn->operands[0].kind == OPERAND_REG;
    const uint32_t guard = insn->guard == NO_REG ? 0 : scaled->writes[insn->guard];
    const uint32_t kept = one ? scaled->writes[insn->operands[0].reg] : 0;
    insn_registers(insn, note_read, scaled);
    insn_registers(insn, note_write, scaled);
    if (!one || scaled->made.count != before + 1)
        return;
    Write *write = &scaled->made.at[before];
    write->insn = insn;
    memcpy(write->reads, reads, sizeof reads);
    write->guard = guard;
    write->before = guard ? kept : 0;
    if (copies(insn) && reads[0])
        write->value = value_of(scaled, reads[0]);
}

/* What other blocks read is read by somebody. */
static void end_block(const Scaled *scaled, uint32_t block) {
    lives_behind(scaled->lives, block);
    for (uint32_t reg = 0; reg < scaled->function->regs.count; reg++) {
        if (lives_here(scaled->lives, reg))
            scaled->made.at[scaled->writes[reg]].readers++;
    }
}

void tidy_scaled(Arena *scratch, Function *function) {
    const uint32_t regs = function->regs.count;
    Scaled scaled = {.function = function,
                     .arena = scratch,
                     .lives = lives_find(scratch, function),
                     .writes = NEW_ARRAY(scratch, uint32_t, regs)};
    add_write(&scaled); /* number 0 says that there is none */
    for (uint32_t reg = 0; reg < regs; reg++)
        scaled.writes[reg] = add_write(&scaled);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        scaled.begin = scaled.made.count - 1;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            scaled.at = i;
            follow(&scaled, &function->insns.at[i]);
        }
        end_block(&scaled, b);
        for (uint32_t number = scaled.begin + 1; number < scaled.made.count; number++) {
            scaled.at = scaled.made.at[number].at;
            if (scaled.made.at[number].insn)
                replace(&scaled, &scaled.made.at[number]);
        }
    }
}
