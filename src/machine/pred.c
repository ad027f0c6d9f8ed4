/* Predicates: their logic, and their way to registers and back. */
#include "machine/emit.h"

static bool other_operands(Emit *e, const MachineInsn *insn) {
    return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
}

/* ---- PLOP3: any function of three predicates ---- */

enum { PLACES = 3 };

/* A function of the inputs that are not known: their names, and its table, of which bit i is the value where input k
 * is bit k of i. */
typedef struct Logic {
    const char *inputs[PLACES];
    uint32_t count, table;
} Logic;

/* A predicate, or the sign of a register: R4.SIGN. */
static const char *logic_input(Emit *e, const MachineOperand *operand) {
    if (operand->kind == MACHINE_PRED || operand->kind == MACHINE_UPRED) {
        MachineOperand plain = *operand;
        plain.inverted = false;
        return in_pred(e, &plain);
    }
    if (!str_is(operand->suffix, ".SIGN")) {
        emit_unknown_operand(e, operand);
        return "%PF";
    }
    const char *to = temp_pred(e);
    emit_always(e, "setp.lt.s32 %s, %s, 0", to, raw32(e, operand));
    return to;
}

/* The function of a, b, c with a table in which a is the high bit of the index. */
static Logic logic_of(Emit *e, const MachineOperand *operands, uint32_t table) {
    Logic logic = {0};
    uint32_t places[PLACES], known = 0, inverted = 0;
    for (uint32_t i = 0; i < PLACES; i++) {
        const MachineOperand *operand = &operands[i];
        uint32_t bit = 4u >> i;
        if (is_true(operand) || is_false(operand)) {
            known |= is_true(operand) ? bit : 0;
            continue;
        }
        inverted |= operand->inverted ? bit : 0;
        places[logic.count] = bit;
        logic.inputs[logic.count++] = logic_input(e, operand);
    }
    for (uint32_t i = 0; i < 1u << logic.count; i++) {
        uint32_t at = known;
        for (uint32_t k = 0; k < logic.count; k++)
            at |= i >> k & 1 ? places[k] : 0;
        logic.table |= (table >> (at ^ inverted) & 1) << i;
    }
    return logic;
}

/* The function with the last input known. */
static Logic cofactor(const Logic *logic, uint32_t value) {
    Logic part = *logic;
    uint32_t half = 1u << --part.count;
    part.table = (logic->table >> (value ? half : 0)) & ((1u << half) - 1);
    return part;
}

/* to: where the value goes, under the guard; NULL: a temporary. */
static const char *combined(Emit *e, const char *to, const char *op, const char *a, const char *b) {
    const char *name = to ? to : temp_pred(e);
    (to ? emit : emit_always)(e, "%s.pred %s, %s, %s", op, name, a, b);
    return name;
}

static const char *moved(Emit *e, const char *to, const char *op, const char *a) {
    const char *name = to ? to : temp_pred(e);
    (to ? emit : emit_always)(e, "%s.pred %s, %s", op, name, a);
    return name;
}

/* By its last input: x ? f : g. Few of them are more than one or two of and, or, xor and not. */
static const char *evaluate(Emit *e, Logic logic, const char *to) {
    if (logic.count == 0) {
        const char *value = logic.table & 1 ? "%PT" : "%PF";
        return to ? moved(e, to, "mov", value) : value;
    }
    const char *x = logic.inputs[logic.count - 1];
    Logic then = cofactor(&logic, 1), other = cofactor(&logic, 0);
    uint32_t all = (1u << (1u << then.count)) - 1;
    if (then.table == other.table)
        return evaluate(e, other, to);
    if (then.table == all && other.table == 0)
        return to ? moved(e, to, "mov", x) : x;
    if (then.table == 0 && other.table == all)
        return moved(e, to, "not", x);
    if (then.table == (~other.table & all))
        return combined(e, to, "xor", x, evaluate(e, other, NULL));
    if (other.table == 0)
        return combined(e, to, "and", x, evaluate(e, then, NULL));
    if (then.table == all)
        return combined(e, to, "or", x, evaluate(e, other, NULL));
    const char *not_x = moved(e, NULL, "not", x);
    if (then.table == 0)
        return combined(e, to, "and", not_x, evaluate(e, other, NULL));
    if (other.table == all)
        return combined(e, to, "or", not_x, evaluate(e, then, NULL));
    const char *one = combined(e, NULL, "and", x, evaluate(e, then, NULL));
    const char *two = combined(e, NULL, "and", not_x, evaluate(e, other, NULL));
    return combined(e, to, "or", one, two);
}

/* PLOP3.LUT p, q, a, b, c, table, table of q */
static bool translate_plop3(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "LUT"))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    if (insn->operand_count != 7 || o[5].kind != MACHINE_INT || o[1].number != MACHINE_ZERO)
        return other_operands(e, insn);
    evaluate(e, logic_of(e, &o[2], (uint32_t)o[5].value & 0xff), out_pred(e, &o[0]));
    return true;
}

/* ---- to registers and back: bit i is P i ---- */

enum { PREDICATES = 7 };

static MachineOperand predicate(const MachineInsn *insn, uint32_t number) {
    bool uniform = insn->opcode.at[0] == 'U';
    return (MachineOperand){.kind = uniform ? MACHINE_UPRED : MACHINE_PRED, .number = number};
}

/* The operands name all predicates, and a mask that has no more. */
static bool all_predicates(const MachineInsn *insn, uint32_t place) {
    const MachineOperand *mask = machine_last(insn);
    return insn->operands[place].kind == MACHINE_NAME &&
           (str_is(insn->operands[place].symbol, "PR") ||
            str_is(insn->operands[place].symbol, "UPR")) &&
           mask->kind == MACHINE_INT && mask->value > 0 && mask->value < 1 << PREDICATES;
}

/* P2R d, PR, a, mask: those of the mask into a */
static bool translate_p2r(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, ""))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    if (insn->operand_count != 4 || !all_predicates(insn, 1))
        return other_operands(e, insn);
    uint32_t mask = (uint32_t)o[3].value;
    const char *value = NULL;
    if (!is_zero(&o[2])) {
        const char *kept = in32(e, &o[2]);
        value = temp32(e);
        emit_always(e, "and.b32 %s, %s, 0x%x", value, kept, ~mask);
    }
    for (uint32_t i = 0; i < PREDICATES; i++) {
        if (!(mask >> i & 1))
            continue;
        MachineOperand p = predicate(insn, i);
        const char *bit = temp32(e);
        emit_always(e, "selp.b32 %s, %u, 0, %s", bit, 1u << i, in_pred(e, &p));
        if (value)
            emit_always(e, "or.b32 %s, %s, %s", bit, bit, value);
        value = bit;
    }
    emit(e, "mov.b32 %s, %s", out32(e, &o[0]), value);
    return true;
}

/* "R4.B2": 2; 0 for R4.B0, and for what is no byte. */
static uint32_t byte_of(const MachineOperand *operand) {
    const Str suffix = operand->suffix;
    bool is_byte = suffix.length == 3 && str_starts(suffix, ".B");
    return is_byte && suffix.at[2] >= '0' && suffix.at[2] <= '3' ? (uint32_t)(suffix.at[2] - '0')
                                                                 : 0;
}

/* R2P PR, a, mask; a.B1: of the second byte */
static bool translate_r2p(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, ""))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    if (insn->operand_count != 3 || !all_predicates(insn, 0))
        return other_operands(e, insn);
    const uint32_t byte = byte_of(&o[1]);
    MachineOperand whole = o[1];
    if (byte)
        whole.suffix = (Str){0};
    const char *a = in32(e, &whole);
    for (uint32_t i = 0; i < PREDICATES; i++) {
        if (!(o[2].value >> i & 1))
            continue;
        MachineOperand p = predicate(insn, i);
        const char *bit = temp32(e);
        emit_always(e, "and.b32 %s, %s, %u", bit, a, 1u << (8 * byte + i));
        emit(e, "setp.ne.u32 %s, %s, 0", out_pred(e, &p), bit);
    }
    return true;
}

const MachineFamily family_pred[] = {
    {"PLOP3", translate_plop3}, {"UPLOP3", translate_plop3}, {"P2R", translate_p2r},
    {"UP2UR", translate_p2r},   {"R2P", translate_r2p},      {0},
};
