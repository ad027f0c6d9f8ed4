/* Integers of 64 bits in pairs of registers, and of four bytes in one, as from sm_120 on. */
#include "machine/integer.h"

#include <string.h>

static bool is_predicate(const MachineOperand *operand) {
    return operand->kind == MACHINE_PRED || operand->kind == MACHINE_UPRED;
}

static bool other_operands(Emit *e, const MachineInsn *insn) {
    return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
}

/* ---- sums ---- */

/* sum = from + value; carry is what is carried out, where it is asked for, with what was before. */
static void add_pair(Emit *e, const char *sum, const char *from, const char *value,
                     const char *carry) {
    const bool first = !str_is(str_of(from), sum);
    const char *more = carry && !first ? temp_pred(e) : carry;
    emit_always(e, "add.s64 %s, %s, %s", sum, from, value);
    if (!carry)
        return;
    emit_always(e, "setp.lt.u64 %s, %s, %s", more, sum, value);
    if (!first)
        emit_always(e, "or.pred %s, %s, %s", carry, carry, more);
}

/* d, p = a - b, which carries if a >= b, as IADD3 does. */
static bool emit_difference(Emit *e, const MachineOperand *d, const MachineOperand *out,
                            const MachineOperand *a, const MachineOperand *b) {
    MachineOperand plain = *b;
    plain.negated = false;
    const char *x = in64(e, a), *y = in64(e, &plain), *value = temp64(e), *carry = temp_pred(e);
    emit_always(e, "sub.s64 %s, %s, %s", value, x, y);
    emit_always(e, "setp.ge.u64 %s, %s, %s", carry, x, y);
    write64(e, d, value);
    emit(e, "mov.pred %s, %s", out_pred(e, out), carry);
    return true;
}

/* IADD.64 d, [p,] a, b; IADD.64.X d, [p,] a, b, carry; UIADD3.64 d, [p, q,] a, b, c, of which one carries at most. */
bool translate_pair_sum(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands, *out = NULL;
    const uint32_t values = str_is(insn->opcode, "IADD") || str_is(insn->opcode, "UIADD") ? 2 : 3;
    const bool extended = machine_has(insn, "X");
    uint32_t first = 1;
    if (!machine_only(insn, extended ? "64 X" : "64") || !machine_has(insn, "64"))
        return integer_modifier(e, insn);
    for (; first < insn->operand_count && first < values && is_predicate(&o[first]); first++) {
        if (o[first].number == MACHINE_ZERO)
            continue;
        if (out)
            return other_operands(e, insn);
        out = &o[first];
    }
    const uint32_t carries = extended ? insn->operand_count - first - values : 0;
    if (!integer_operands(e, insn, first + values + carries) || (extended && carries != values - 1))
        return other_operands(e, insn);
    if (out && values == 2 && !extended && o[first + 1].negated && !o[first].negated)
        return emit_difference(e, &o[0], out, &o[first], &o[first + 1]);
    const char *sum = temp64(e), *carry = out ? temp_pred(e) : NULL, *one = NULL;
    const char *from = in64(e, &o[first]);
    for (uint32_t i = 1; i < values; i++) {
        const MachineOperand *value = &o[first + i];
        if (is_zero(value) && !value->inverted && i > 1)
            continue;
        if (out && (value->negated || o[first].negated))
            return other_operands(e, insn); /* whether -0 carries was not seen */
        add_pair(e, sum, from, in64(e, value), carry);
        from = sum;
    }
    for (uint32_t i = 0; i < carries; i++) {
        const MachineOperand *in = &o[first + values + i];
        if (is_false(in))
            continue;
        emit_always(e, "selp.b64 %s, 1, 0, %s", one = temp64(e), in_pred(e, in));
        add_pair(e, sum, sum, one, carry);
    }
    write64(e, &o[0], sum);
    if (out)
        emit(e, "mov.pred %s, %s", out_pred(e, out), carry);
    return true;
}

/* ---- moves ---- */

/* MOV.64 d, a; UMOV.64 */
bool translate_pair_move(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "64"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 2))
        return false;
    const char *value = temp64(e);
    emit_always(e, "mov.b64 %s, %s", value, in64(e, &insn->operands[1]));
    write64(e, &insn->operands[0], value);
    return true;
}

/* SEL.64 d, a, b, p: p ? a : b */
bool translate_pair_select(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "64"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    const char *value = temp64(e), *a = in64(e, &o[1]), *b = in64(e, &o[2]);
    emit_always(e, "selp.b64 %s, %s, %s, %s", value, a, b, in_pred(e, &o[3]));
    write64(e, &o[0], value);
    return true;
}

/* ---- comparison ---- */

/* ISETP.GE.U64.AND p, q, a, b, c */
bool translate_pair_compare(Emit *e, const MachineInsn *insn) {
    static const char *const names[][2] = {{"EQ", "eq"}, {"NE", "ne"}, {"LT", "lt"},
                                           {"LE", "le"}, {"GT", "gt"}, {"GE", "ge"}};
    const MachineOperand *o = insn->operands;
    const char *combine = machine_one_of(insn, "AND OR XOR"), *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        name = machine_has(insn, names[i][0]) ? names[i][1] : name;
    if (!machine_only(insn, "EQ NE LT LE GT GE U64 S64 AND OR XOR") || !combine || !name)
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 5))
        return false;
    if (o[2].inverted || o[3].inverted)
        return other_operands(e, insn);
    const char *a = in64(e, &o[2]), *b = in64(e, &o[3]), *c = in_pred(e, &o[4]);
    const char *is = temp_pred(e), *is_not = temp_pred(e);
    const char *with = *combine == 'A' ? "and" : *combine == 'O' ? "or" : "xor";
    emit_always(e, "setp.%s.%s %s, %s, %s", name, machine_has(insn, "U64") ? "u64" : "s64", is, a,
                b);
    emit_always(e, "not.pred %s, %s", is_not, is);
    emit_always(e, "%s.pred %s, %s, %s", with, is, is, c);
    emit_always(e, "%s.pred %s, %s, %s", with, is_not, is_not, c);
    emit(e, "mov.pred %s, %s", out_pred(e, &o[0]), is);
    if (o[1].number != MACHINE_ZERO)
        emit(e, "mov.pred %s, %s", out_pred(e, &o[1]), is_not);
    return true;
}

/* IMNMX.U64 PT, PT, d, a, b, p, !PT: p ? min : max; what the others are of was not seen. */
bool translate_pair_extreme(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const char *type = machine_has(insn, "U64") ? "u64" : "s64";
    if (!machine_only(insn, "U64 S64"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 7))
        return false;
    if (!is_true(&o[0]) || !is_true(&o[1]) || !is_false(&o[6]))
        return other_operands(e, insn);
    const char *a = in64(e, &o[3]), *b = in64(e, &o[4]), *value = temp64(e), *most = temp64(e);
    emit_always(e, "min.%s %s, %s, %s", type, value, a, b);
    emit_always(e, "max.%s %s, %s, %s", type, most, a, b);
    emit_always(e, "selp.b64 %s, %s, %s, %s", value, value, most, in_pred(e, &o[5]));
    write64(e, &o[2], value);
    return true;
}

/* ---- four bytes ---- */

/* The highest bits of the bytes are added apart, so that nothing is carried from one byte to the next. */
static void emit_byte_sum(Emit *e, const char *d, const char *x, const char *y, bool minus) {
    const char *low = temp32(e), *other = temp32(e), *high = temp32(e);
    emit_always(e, minus ? "or.b32 %s, %s, 0x80808080" : "and.b32 %s, %s, 0x7f7f7f7f", low, x);
    emit_always(e, "and.b32 %s, %s, 0x7f7f7f7f", other, y);
    emit_always(e, "%s.u32 %s, %s, %s", minus ? "sub" : "add", low, low, other);
    emit_always(e, "xor.b32 %s, %s, %s", high, x, y);
    if (minus)
        emit_always(e, "not.b32 %s, %s", high, high);
    emit_always(e, "and.b32 %s, %s, 0x80808080", high, high);
    emit(e, "xor.b32 %s, %s, %s", d, low, high);
}

/* VIADD.U8x4 d, a, -b */
bool translate_byte_sum(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "U8x4 S8x4"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 3))
        return false;
    MachineOperand a = o[1], b = o[2];
    const bool minus = a.negated || b.negated;
    if ((a.negated && b.negated) || a.inverted || b.inverted)
        return other_operands(e, insn);
    if (a.negated) {
        b = o[1];
        a = o[2];
    }
    b.negated = false;
    const char *x = in32(e, &a), *y = in32(e, &b);
    emit_byte_sum(e, out32(e, &o[0]), x, y, minus);
    return true;
}

/* Every second byte, in halves; the bytes of signed ones in the order of unsigned ones. */
static const char *every_second(Emit *e, const char *value, bool is_signed, bool odd) {
    const char *to = temp32(e);
    if (is_signed)
        emit_always(e, "xor.b32 %s, %s, 0x80808080", to, value);
    if (odd)
        emit_always(e, "shr.u32 %s, %s, 8", to, is_signed ? to : value);
    emit_always(e, "and.b32 %s, %s, 0x00ff00ff", to, is_signed || odd ? to : value);
    return to;
}

static const char *byte_extreme(Emit *e, const char *a, const char *b, const char *name,
                                bool is_signed) {
    const char *half[2];
    for (int odd = 0; odd < 2; odd++) {
        const char *x = every_second(e, a, is_signed, odd), *y = every_second(e, b, is_signed, odd);
        emit_always(e, "%s.u16x2 %s, %s, %s", name, half[odd] = temp32(e), x, y);
    }
    emit_always(e, "mad.lo.u32 %s, %s, 256, %s", half[0], half[1], half[0]);
    if (is_signed)
        emit_always(e, "xor.b32 %s, %s, 0x80808080", half[0], half[0]);
    return half[0];
}

/* VIMNMX.U8x4 d, a, b, p: p ? min : max; d, PT, PT, a, b, p of sm_100 */
bool translate_byte_extreme(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const uint32_t tells = insn->operand_count == 6 ? 2 : 0;
    const bool is_signed = machine_has(insn, "S8x4");
    if (!machine_only(insn, "U8x4 S8x4"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4 + tells))
        return false;
    if (tells && (!is_true(&o[1]) || !is_true(&o[2])))
        return other_operands(e, insn);
    const char *a = in32(e, &o[1 + tells]), *b = in32(e, &o[2 + tells]);
    const MachineOperand *least = &o[3 + tells];
    const char *min = is_false(least) ? "0" : byte_extreme(e, a, b, "min", is_signed);
    const char *max = is_true(least) ? "0" : byte_extreme(e, a, b, "max", is_signed);
    emit_select(e, out32(e, &o[0]), min, max, least);
    return true;
}
