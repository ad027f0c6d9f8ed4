/* Integer arithmetic, logic, shifts, comparisons, in registers of threads and of warps (uniform).
 *
 * A carry is a predicate. `machine.addc.u32 d, a, b, p` is a + b + p, and `machine.carry.u32 q, a, b, p` what that
 * carries out; PTX has but one carry, and no way to keep it. */
#include "machine/integer.h"

#include <string.h>

static bool other_operands(Emit *e, const MachineInsn *insn) {
    return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
}

static bool is_predicate(const MachineOperand *operand) {
    return operand->kind == MACHINE_PRED || operand->kind == MACHINE_UPRED;
}

static bool same(const char *a, const char *b) {
    return strcmp(a, b) == 0;
}

/* ---- sums ---- */

typedef struct Value {
    const char *name;
    bool minus;
} Value;

/* d = up to three values and two carries, which carries out as many. */
typedef struct Sum {
    const char *d;
    Value values[3]; /* those that are not zero */
    uint32_t count;
    const char *in[2];
    uint32_t in_count;
    const MachineOperand *out[2];
    uint32_t out_count;
} Sum;

/* extended: -x is printed ~x, and is that. */
static void add_value(Emit *e, Sum *sum, const MachineOperand *operand) {
    if (is_zero(operand) && !operand->inverted && !(operand->negated && sum->out_count))
        return;
    bool minus = operand->negated;
    sum->values[sum->count++] = (Value){minus ? raw32(e, operand) : in32(e, operand), minus};
}

static void add_carry(Emit *e, Sum *sum, const MachineOperand *operand) {
    if (!is_false(operand))
        sum->in[sum->in_count++] = in_pred(e, operand);
}

static void add_out(Sum *sum, const MachineOperand *operand) {
    if (operand->number != MACHINE_ZERO)
        sum->out[sum->out_count++] = operand;
}

/* d = x + y + in, and q what is carried out. in, q: NULL where there is none. As the hardware does it, x - y is
 * x + ~y + 1, which carries if x >= y. */
static void emit_step(Emit *e, const char *d, Value x, Value y, const char *in, const char *q) {
    if (in) {
        if (q)
            emit(e, "machine.carry.u32 %s, %s, %s, %s", q, x.name, y.name, in);
        emit(e, "machine.addc.u32 %s, %s, %s, %s", d, x.name, y.name, in);
        return;
    }
    if (x.minus) {
        Value swap = x;
        x = y;
        y = swap;
    }
    if (q && y.minus)
        emit(e, "setp.ge.u32 %s, %s, %s", q, x.name, y.name);
    bool doubles = same(d, x.name) && same(d, y.name);
    if (q && !y.minus && doubles)
        emit(e, "setp.lt.s32 %s, %s, 0", q, x.name);
    if (same(x.name, "0") && y.minus)
        emit(e, "neg.s32 %s, %s", d, y.name);
    else if (same(x.name, "0") || same(y.name, "0"))
        emit(e, "mov.b32 %s, %s", d, same(x.name, "0") ? y.name : x.name);
    else
        emit(e, "%s %s, %s, %s", y.minus ? "sub.s32" : "add.s32", d, x.name, y.name);
    if (q && !y.minus && !doubles)
        emit(e, "setp.lt.u32 %s, %s, %s", q, d, same(d, x.name) ? y.name : x.name);
}

/* Signs that one addition can have: at most one minus, and none beside a carry in. */
static bool order_values(Emit *e, Sum *sum) {
    Value *v = sum->values;
    if (sum->count == 3 && v[0].minus && v[1].minus && !v[2].minus) {
        Value swap = v[1];
        v[1] = v[2];
        v[2] = swap;
    }
    for (uint32_t i = 0; i < sum->count; i++) {
        if (v[i].minus && sum->in_count)
            return false;
    }
    if (sum->count >= 2 && v[0].minus && v[1].minus) {
        if (sum->out_count)
            return false;
        const char *to = temp32(e);
        emit_always(e, "neg.s32 %s, %s", to, v[0].name);
        v[0] = (Value){to, false};
    }
    return true;
}

/* A carry out is written last where the predicate is one that goes in, too. */
static const char *carry_name(Emit *e, const Sum *sum, uint32_t i) {
    const char *name = out_pred(e, sum->out[i]);
    bool read = false;
    for (uint32_t k = 0; k < sum->in_count; k++)
        read = read || same(sum->in[k], name);
    return read ? temp_pred(e) : name;
}

static bool emit_sum(Emit *e, const MachineInsn *insn, Sum *sum) {
    static const Value zero = {"0", false};
    if (!order_values(e, sum))
        return other_operands(e, insn);
    const char *q[2] = {NULL, NULL};
    for (uint32_t i = 0; i < sum->out_count; i++)
        q[i] = carry_name(e, sum, i);
    Value *v = sum->values;
    for (uint32_t i = sum->count; i < 3; i++)
        v[i] = zero;
    if (sum->count <= 2 && sum->in_count <= 1) {
        emit_step(e, sum->d, v[0], v[1], sum->in[0], q[0]);
        if (q[1])
            emit(e, "mov.pred %s, %%PF", q[1]);
    } else {
        if (sum->out_count == 1)
            return other_operands(e, insn); /* of two, nothing says which */
        const char *part = temp32(e);
        emit_step(e, part, v[0], v[1], sum->in[0], q[0]);
        emit_step(e, sum->d, (Value){part, false}, v[2], sum->in[1], q[1]);
    }
    for (uint32_t i = 0; i < sum->out_count; i++) {
        const char *name = out_pred(e, sum->out[i]);
        if (!same(name, q[i]))
            emit(e, "mov.pred %s, %s", name, q[i]);
    }
    return true;
}

/* IADD3[.X] d, [p,] [q,] a, b, c[, carry, carry] */
static bool translate_iadd3(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    uint32_t first = 1, extended = 2u * machine_has(insn, "X");
    if (!machine_only(insn, "X"))
        return integer_modifier(e, insn);
    Sum sum = {0};
    for (; first < insn->operand_count && is_predicate(&operands[first]) && first < 3; first++)
        add_out(&sum, &operands[first]);
    if (!integer_operands(e, insn, first + 3 + extended))
        return false;
    for (uint32_t i = first; i < first + 3; i++) {
        if (operands[i].inverted && !extended)
            return other_operands(e, insn);
        add_value(e, &sum, &operands[i]);
    }
    for (uint32_t i = 0; i < extended; i++)
        add_carry(e, &sum, &operands[first + 3 + i]);
    sum.d = out32(e, &operands[0]);
    return emit_sum(e, insn, &sum);
}

static bool translate_uiadd3(Emit *e, const MachineInsn *insn) {
    return machine_has(insn, "64") ? translate_pair_sum(e, insn) : translate_iadd3(e, insn);
}

/* VIADD.S32.ISAT d, a, -b: between the least and the largest */
static bool saturated_sum(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "S32 ISAT") || insn->mod_count != 2)
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 3))
        return false;
    if ((o[1].negated && o[2].negated) || o[1].inverted || o[2].inverted)
        return other_operands(e, insn);
    const MachineOperand *first = o[1].negated ? &o[2] : &o[1];
    MachineOperand second = o[1].negated ? o[1] : o[2];
    const bool minus = second.negated;
    second.negated = false;
    const char *a = in32(e, first), *b = in32(e, &second);
    emit(e, "%s.sat.s32 %s, %s, %s", minus ? "sub" : "add", out32(e, &o[0]), a, b);
    return true;
}

static bool emit_sum_of_two(Emit *e, const MachineInsn *insn) {
    Sum sum = {0};
    add_value(e, &sum, &insn->operands[1]);
    add_value(e, &sum, &insn->operands[2]);
    sum.d = out32(e, &insn->operands[0]);
    return emit_sum(e, insn, &sum);
}

/* VIADD[.16x2] d, a, b */
static bool translate_viadd(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    if (machine_one_of(insn, "U8x4 S8x4"))
        return translate_byte_sum(e, insn);
    if (machine_has(insn, "ISAT"))
        return saturated_sum(e, insn);
    if (!machine_only(insn, "16x2"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 3))
        return false;
    if (machine_has(insn, "16x2")) {
        if (operands[1].negated || operands[2].negated)
            return other_operands(e, insn);
        const char *a = in32(e, &operands[1]), *b = in32(e, &operands[2]);
        emit(e, "add.u16x2 %s, %s, %s", out32(e, &operands[0]), a, b);
        return true;
    }
    return emit_sum_of_two(e, insn);
}

/* IADD[.X] d, [p,] a, b[, carry]: as IADD3; IADD.64 */
static bool translate_iadd(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const bool extended = machine_has(insn, "X");
    if (machine_has(insn, "64"))
        return translate_pair_sum(e, insn);
    if (!machine_only(insn, "X"))
        return integer_modifier(e, insn);
    const uint32_t first = insn->operand_count > 1 && is_predicate(&o[1]) ? 2 : 1;
    if (!integer_operands(e, insn, first + 2 + extended))
        return false;
    Sum sum = {0};
    if (first == 2)
        add_out(&sum, &o[1]);
    for (uint32_t i = first; i < first + 2; i++) {
        if (o[i].inverted && !extended)
            return other_operands(e, insn);
        add_value(e, &sum, &o[i]);
    }
    if (extended)
        add_carry(e, &sum, &o[first + 2]);
    sum.d = out32(e, &o[0]);
    return emit_sum(e, insn, &sum);
}

/* ---- products ---- */

static bool power_of_two(const MachineOperand *operand, uint32_t *log) {
    uint32_t value = (uint32_t)operand->value;
    if (operand->kind != MACHINE_INT || !value || (value & (value - 1)))
        return false;
    *log = (uint32_t)__builtin_ctz(value);
    return true;
}

/* d = the low word of a * b */
static void emit_product(Emit *e, const char *d, const MachineOperand *a, const MachineOperand *b) {
    uint32_t log;
    const char *x = in32(e, a);
    if (power_of_two(b, &log))
        emit(e, "shl.b32 %s, %s, %u", d, x, log);
    else
        emit(e, "mul.lo.s32 %s, %s, %s", d, x, in32(e, b));
}

/* IMAD d, a, b, c, which is also printed as .MOV, .IADD and .SHL; .X adds a carry. */
static bool multiply_low(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands, *a = &o[1], *b = &o[2], *c = &o[3];
    bool extended = machine_has(insn, "X"), none = is_zero(a) || is_zero(b);
    uint32_t log = 1;
    bool once = power_of_two(b, &log) && log == 0;
    if (!integer_operands(e, insn, extended ? 5 : 4))
        return false;
    if (none || once || extended) {
        Sum sum = {0};
        if (once && !none) {
            add_value(e, &sum, a);
        } else if (!none) {
            const char *part = temp32(e);
            emit_product(e, part, a, b);
            sum.values[sum.count++] = (Value){part, false};
        }
        add_value(e, &sum, c);
        if (extended)
            add_carry(e, &sum, &o[4]);
        sum.d = out32(e, &o[0]);
        return emit_sum(e, insn, &sum);
    }
    const char *d = out32(e, &o[0]);
    if (is_zero(c)) {
        emit_product(e, d, a, b);
        return true;
    }
    const char *x = in32(e, a), *y = in32(e, b), *z = in32(e, c);
    emit(e, "mad.lo.s32 %s, %s, %s, %s", d, x, y, z);
    return true;
}

/* x + c + carry to d, or to its high word alone, with p carried out. */
static void wide_sum(Emit *e, const MachineInsn *insn, const char *product, const char *c,
                     const MachineOperand *p, const MachineOperand *carry, bool high) {
    const char *value = temp64(e), *q = NULL;
    emit_always(e, "add.s64 %s, %s, %s", value, product, c);
    if (p) {
        q = temp_pred(e);
        emit_always(e, "setp.lt.u64 %s, %s, %s", q, value, product);
    }
    if (carry) {
        const char *one = temp64(e), *more = temp_pred(e);
        emit_always(e, "selp.b64 %s, 1, 0, %s", one, in_pred(e, carry));
        emit_always(e, "add.s64 %s, %s, %s", value, value, one);
        if (p) {
            emit_always(e, "setp.lt.u64 %s, %s, %s", more, value, one);
            emit_always(e, "or.pred %s, %s, %s", q, q, more);
        }
    }
    if (high)
        emit(e, "mov.b64 {%s, %s}, %s", temp32(e), out32(e, &insn->operands[0]), value);
    else
        write64(e, &insn->operands[0], value);
    if (p)
        emit(e, "mov.pred %s, %s", out_pred(e, p), q);
}

/* IMAD.WIDE[.U32][.X] d, [p,] a, b, c[, carry]; IMAD.HI d is the high word of the same. */
static bool multiply_wide(Emit *e, const MachineInsn *insn, bool high) {
    const MachineOperand *o = insn->operands;
    bool carries = is_predicate(&o[1]), extended = machine_has(insn, "X");
    const char *type = machine_has(insn, "U32") ? "u32" : "s32";
    if (!integer_operands(e, insn, 4u + carries + extended))
        return false;
    const MachineOperand *a = &o[1 + carries], *b = a + 1, *c = a + 2;
    bool immediate = c->kind == MACHINE_INT && c->value != 0; /* of 64 bits: not seen */
    if ((c->negated && (carries || extended)) || c->inverted || immediate)
        return other_operands(e, insn);
    const char *x = in32(e, a), *y = in32(e, b);
    if (high && is_zero(c) && !carries && !extended) {
        emit(e, "mul.hi.%s %s, %s, %s", type, out32(e, &o[0]), x, y);
        return true;
    }
    const char *value = temp64(e), *z = in64(e, c);
    if (carries || extended) {
        emit_always(e, "mul.wide.%s %s, %s, %s", type, value, x, y);
        wide_sum(e, insn, value, z, carries && o[1].number != MACHINE_ZERO ? &o[1] : NULL,
                 extended && !is_false(&c[1]) ? &c[1] : NULL, high);
        return true;
    }
    if (is_zero(c))
        emit_always(e, "mul.wide.%s %s, %s, %s", type, value, x, y);
    else
        emit_always(e, "mad.wide.%s %s, %s, %s, %s", type, value, x, y, z);
    if (high)
        emit(e, "mov.b64 {%s, %s}, %s", temp32(e), out32(e, &o[0]), value);
    else
        write64(e, &o[0], value);
    return true;
}

static bool translate_imad(Emit *e, const MachineInsn *insn) {
    bool wide = machine_has(insn, "WIDE"), high = machine_has(insn, "HI");
    if (wide || high)
        return machine_only(insn, "WIDE HI U32 X") ? multiply_wide(e, insn, high)
                                                   : integer_modifier(e, insn);
    return machine_only(insn, "MOV IADD SHL U32 X") ? multiply_low(e, insn)
                                                    : integer_modifier(e, insn);
}

/* ---- LEA: a << k, or its high word, + b ---- */

/* The word that is added: {c, a} << k, or its high word; a's sign is left to the sum, which carries as b - (a << k) does. */
static const char *shifted(Emit *e, const MachineOperand *a, const MachineOperand *c, uint32_t k,
                           bool high, bool is_signed) {
    const char *x = raw32(e, a), *to = temp32(e);
    if (!high)
        emit_always(e, "shl.b32 %s, %s, %u", to, x, k);
    else if (is_signed)
        emit_always(e, "shr.s32 %s, %s, %u", to, x, 32 - k);
    else if (is_zero(c))
        emit_always(e, "shr.u32 %s, %s, %u", to, x, 32 - k);
    else
        emit_always(e, "shf.l.wrap.b32 %s, %s, %s, %u", to, x, in32(e, c), k);
    return to;
}

/* LEA d, [p,] a, b, k; LEA.HI[.X] d, [p,] a, b, c, k[, carry]; .SX32: c is the sign of a, and not there */
static bool translate_lea(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    bool high = machine_has(insn, "HI"), extended = machine_has(insn, "X");
    bool is_signed = machine_has(insn, "SX32"), carries = is_predicate(&o[1]);
    bool three = high && !is_signed;
    if (!machine_only(insn, "HI X SX32") || (is_signed && !high))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4u + carries + three + extended))
        return false;
    const MachineOperand *a = &o[1 + carries], *b = a + 1, *c = a + 2, *k = three ? a + 3 : a + 2;
    if (k->kind != MACHINE_INT || k->value < 0 || k->value > 31 || (b->inverted && !extended) ||
        (a->negated && high) || a->inverted)
        return other_operands(e, insn);
    uint32_t by = (uint32_t)k->value;
    const char *d = out32(e, &o[0]);
    if (!high && !extended && !carries && !b->negated) {
        const char *x = in32(e, a), *y = in32(e, b);
        if (is_zero(b))
            emit(e, "shl.b32 %s, %s, %u", d, x, by);
        else
            emit(e, "mad.lo.s32 %s, %s, 0x%x, %s", d, x, 1u << by, y);
        return true;
    }
    Sum sum = {.d = d};
    if (carries)
        add_out(&sum, &o[1]);
    if (!is_zero(a) || (a->negated && sum.out_count) || (three && !is_zero(c)))
        sum.values[sum.count++] = (Value){shifted(e, a, c, by, high, is_signed), a->negated};
    add_value(e, &sum, b);
    if (extended)
        add_carry(e, &sum, &k[1]);
    return emit_sum(e, insn, &sum);
}

/* ---- comparison ---- */

/* p, q = (a ? b) and not (a ? b), each combined with c: ISETP.cmp[.U32].{AND,OR,XOR}[.EX] p, q, a, b, c[, low]
 * .EX: a and b are high words, and low is the same comparison of the low ones. */
typedef struct Setp {
    const char *p, *name, *combine, *type, *a, *b;
} Setp;

/* The last operand of setp, which can be !p. */
static const char *combined_with(Emit *e, const MachineOperand *operand) {
    MachineOperand plain = *operand;
    plain.inverted = false;
    if (!operand->inverted || operand->number == MACHINE_ZERO)
        return in_pred(e, operand);
    return emit_printf(e, "!%s", in_pred(e, &plain));
}

static const char *ptx_compare(const MachineInsn *insn) {
    static const char *const names[][2] = {{"EQ", "eq"}, {"NE", "ne"}, {"LT", "lt"},
                                           {"LE", "le"}, {"GT", "gt"}, {"GE", "ge"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (machine_has(insn, names[i][0]))
            return names[i][1];
    }
    return NULL;
}

/* s->p = the comparison of 64 bits */
static void compare_extended(Emit *e, const Setp *s, const MachineOperand *low) {
    const char *under = combined_with(e, low);
    if (same(s->name, "eq") || same(s->name, "ne")) {
        emit(e, "setp.%s.%s.u32 %s, %s, %s, %s", s->name, same(s->name, "eq") ? "and" : "or", s->p,
             s->a, s->b, under);
        return;
    }
    const char *equal = temp_pred(e), strict[3] = {s->name[0], 't', 0};
    emit_always(e, "setp.eq.and.u32 %s, %s, %s, %s", equal, s->a, s->b, under);
    emit(e, "setp.%s.or.%s %s, %s, %s, %s", strict, s->type, s->p, s->a, s->b, equal);
}

static bool setp_extended(Emit *e, const MachineInsn *insn, Setp *s) {
    const MachineOperand *o = insn->operands;
    const char *p = s->p;
    if (o[1].number != MACHINE_ZERO)
        return other_operands(e, insn);
    if (same(s->combine, "and") && is_true(&o[4])) {
        compare_extended(e, s, &o[5]);
        return true;
    }
    const char *c = in_pred(e, &o[4]);
    s->p = temp_pred(e);
    compare_extended(e, s, &o[5]);
    emit(e, "%s.pred %s, %s, %s", s->combine, p, s->p, c);
    return true;
}

static bool translate_isetp(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const char *combine = machine_one_of(insn, "AND OR XOR");
    bool extended = machine_has(insn, "EX");
    if (machine_one_of(insn, "U64 S64"))
        return translate_pair_compare(e, insn);
    Setp s = {.name = ptx_compare(insn), .type = machine_has(insn, "U32") ? "u32" : "s32"};
    if (!machine_only(insn, "EQ NE LT LE GT GE U32 AND OR XOR EX") || !combine || !s.name)
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 5u + extended))
        return false;
    if (o[2].negated || o[3].negated || o[2].inverted || o[3].inverted)
        return other_operands(e, insn);
    s.combine = *combine == 'A' ? "and" : *combine == 'O' ? "or" : "xor";
    s.p = out_pred(e, &o[0]);
    s.a = in32(e, &o[2]);
    s.b = in32(e, &o[3]);
    if (extended)
        return setp_extended(e, insn, &s);
    if (o[1].number != MACHINE_ZERO)
        s.p = emit_printf(e, "%s|%s", s.p, out_pred(e, &o[1]));
    if (*combine == 'A' && is_true(&o[4]))
        emit(e, "setp.%s.%s %s, %s, %s", s.name, s.type, s.p, s.a, s.b);
    else
        emit(e, "setp.%s.%s.%s %s, %s, %s, %s", s.name, s.combine, s.type, s.p, s.a, s.b,
             combined_with(e, &o[4]));
    return true;
}

/* ---- smallest and largest ---- */

/* d = p ? min(a, b) : max(a, b), of the type in the instruction; .RELU: and of 0 */
static bool emit_minimum(Emit *e, const MachineInsn *insn, const char *d, const char *a,
                         const char *b, const MachineOperand *p) {
    const char *type = machine_has(insn, "U32")     ? "u32"
                       : machine_has(insn, "U16x2") ? "u16x2"
                       : machine_has(insn, "S16x2") ? "s16x2"
                                                    : "s32";
    const char *relu = machine_has(insn, "RELU") ? ".relu" : "";
    if (is_true(p) || is_false(p)) {
        emit(e, "%s%s.%s %s, %s, %s", is_true(p) ? "min" : "max", relu, type, d, a, b);
        return true;
    }
    const char *least = temp32(e), *most = temp32(e);
    emit_always(e, "min%s.%s %s, %s, %s", relu, type, least, a, b);
    emit_always(e, "max%s.%s %s, %s, %s", relu, type, most, a, b);
    emit_select(e, d, least, most, p);
    return true;
}

/* IMNMX[.U32] d, a, b, p; VIMNMX, of halves too; VIMNMX d, PT, PT, a, b, p of sm_100: what it tells is not known */
static bool translate_imnmx(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (machine_one_of(insn, "U8x4 S8x4"))
        return translate_byte_extreme(e, insn);
    if (machine_one_of(insn, "U64 S64"))
        return translate_pair_extreme(e, insn);
    if (!machine_only(insn, "U32 S32 U16x2 S16x2 RELU"))
        return integer_modifier(e, insn);
    const uint32_t tells = insn->operand_count == 6 ? 2 : 0;
    if (!integer_operands(e, insn, 4 + tells))
        return false;
    if (tells && (!is_true(&o[1]) || !is_true(&o[2])))
        return other_operands(e, insn);
    const MachineOperand *values = &o[1 + tells];
    const char *a = in32(e, &values[0]), *b = in32(e, &values[1]);
    return emit_minimum(e, insn, out32(e, &o[0]), a, b, &values[2]);
}

/* VIMNMX3 d, a, b, c, p: of three; of halves, too. .RELU can be applied to each pair. */
static bool translate_vimnmx3(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "U32 S32 U16x2 S16x2 RELU"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 5))
        return false;
    const char *a = in32(e, &o[1]), *b = in32(e, &o[2]), *c = in32(e, &o[3]), *part = temp32(e);
    return emit_minimum(e, insn, part, a, b, &o[4]) &&
           emit_minimum(e, insn, out32(e, &o[0]), part, c, &o[4]);
}

/* VIADDMNMX[.U32] d, a, b, c, p: of a + b and c; of halves, too, which add up apart */
static bool translate_viaddmnmx(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const bool halves = machine_one_of(insn, "U16x2 S16x2");
    if (!machine_only(insn, "U32 S32 U16x2 S16x2 RELU"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 5))
        return false;
    if (halves && (o[1].negated || o[2].negated || o[3].negated))
        return other_operands(e, insn);
    const char *part = temp32(e), *c = in32(e, &o[3]);
    if (halves) {
        const char *a = in32(e, &o[1]), *b = in32(e, &o[2]);
        emit_always(e, "add.u16x2 %s, %s, %s", part, a, b);
        return emit_minimum(e, insn, out32(e, &o[0]), part, c, &o[4]);
    }
    Sum sum = {.d = part};
    add_value(e, &sum, &o[1]);
    add_value(e, &sum, &o[2]);
    return emit_sum(e, insn, &sum) && emit_minimum(e, insn, out32(e, &o[0]), part, c, &o[4]);
}

/* ---- the rest ---- */

static bool translate_iabs(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, ""))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 2))
        return false;
    const char *a = in32(e, &insn->operands[1]);
    emit(e, "abs.s32 %s, %s", out32(e, &insn->operands[0]), a);
    return true;
}

static void emit_three(Emit *e, const MachineInsn *insn, const char *name) {
    const MachineOperand *o = insn->operands;
    const char *a = in32(e, &o[1]), *b = in32(e, &o[2]), *c = in32(e, &o[3]);
    emit(e, "%s %s, %s, %s, %s", name, out32(e, &o[0]), a, b, c);
}

/* VABSDIFF[.U32] d, a, b, c: |a - b| + c */
static bool translate_vabsdiff(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "U32"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    emit_three(e, insn, machine_has(insn, "U32") ? "sad.u32" : "sad.s32");
    return true;
}

/* VABSDIFF4[.U8][.ACC] d, a, b, c: of bytes; .ACC: their sum + c */
static bool translate_vabsdiff4(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "U8 ACC"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    const char *type = machine_has(insn, "U8") ? "u32" : "s32";
    const char *sum = machine_has(insn, "ACC") ? ".add" : "";
    emit_three(e, insn, emit_printf(e, "vabsdiff4.u32.%s.%s%s", type, type, sum));
    return true;
}

/* IDP.4A.{U8,S8}.{U8,S8} d, a, b, c; IDP.2A.{LO,HI}.{U16,S16}.{U8,S8} */
static bool translate_idp(Emit *e, const MachineInsn *insn) {
    const Str *mods = insn->mods;
    bool four = insn->mod_count == 3 && str_is(mods[0], "4A");
    bool two = insn->mod_count == 4 && str_is(mods[0], "2A") &&
               (str_is(mods[1], "LO") || str_is(mods[1], "HI"));
    if (!machine_only(insn, "4A 2A LO HI U8 S8 U16 S16") || !(four || two))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    const Str *types = &mods[insn->mod_count - 2];
    const char *name = four ? "dp4a" : str_is(mods[1], "LO") ? "dp2a.lo" : "dp2a.hi";
    emit_three(e, insn,
               emit_printf(e, "%s.%c32.%c32", name, types[0].at[0] == 'U' ? 'u' : 's',
                           types[1].at[0] == 'U' ? 'u' : 's'));
    return true;
}

const MachineFamily family_integer[] = {
    {"IADD3", translate_iadd3},
    {"UIADD3", translate_uiadd3},
    {"IADD", translate_iadd},
    {"UIADD", translate_pair_sum},
    {"VIADD", translate_viadd},
    {"IMAD", translate_imad},
    {"UIMAD", translate_imad},
    {"IABS", translate_iabs},
    {"ISETP", translate_isetp},
    {"UISETP", translate_isetp},
    {"IMNMX", translate_imnmx},
    {"UIMNMX", translate_imnmx},
    {"VIMNMX", translate_imnmx},
    {"UVIMNMX", translate_imnmx},
    {"VIMNMX3", translate_vimnmx3},
    {"UVIMNMX3", translate_vimnmx3},
    {"VIADDMNMX", translate_viaddmnmx},
    {"LEA", translate_lea},
    {"ULEA", translate_lea},
    {"LOP3", translate_lop3},
    {"ULOP3", translate_lop3},
    {"SHF", translate_shf},
    {"USHF", translate_shf},
    {"BMSK", translate_bmsk},
    {"UBMSK", translate_bmsk},
    {"SGXT", translate_sgxt},
    {"USGXT", translate_sgxt},
    {"BREV", translate_brev},
    {"UBREV", translate_brev},
    {"FLO", translate_flo},
    {"UFLO", translate_flo},
    {"POPC", translate_popc},
    {"UPOPC", translate_popc},
    {"PRMT", translate_prmt},
    {"UPRMT", translate_prmt},
    {"SEL", translate_sel},
    {"USEL", translate_sel},
    {"VABSDIFF", translate_vabsdiff},
    {"VABSDIFF4", translate_vabsdiff4},
    {"IDP", translate_idp},
    {0},
};
