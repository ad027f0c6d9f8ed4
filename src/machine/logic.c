/* Logic, shifts, bits and bytes of registers. */
#include "machine/integer.h"

/* ---- LOP3: any function of three bits ---- */

/* The table of a function of (a, b, c) with some of them zero: what it is of the others. */
static uint32_t without_zeros(uint32_t table, bool a, bool b, bool c) {
    uint32_t result = 0;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t at = i & ((a ? 0u : 4u) | (b ? 0u : 2u) | (c ? 0u : 1u));
        result |= (table >> at & 1) << i;
    }
    return result;
}

/* The PTX instruction of two operands x and y with their truth tables; NULL: there is none. */
static const char *two_operands(uint32_t table, uint32_t x, uint32_t y) {
    return table == (x & y)   ? "and.b32"
           : table == (x | y) ? "or.b32"
           : table == (x ^ y) ? "xor.b32"
                              : NULL;
}

/* d = the function of a, b, c with that table. */
static void emit_logic(Emit *e, const char *d, const MachineOperand *operands, uint32_t table) {
    static const uint32_t own[3] = {0xf0, 0xcc, 0xaa};
    const char *value[3];
    table =
        without_zeros(table, is_zero(&operands[0]), is_zero(&operands[1]), is_zero(&operands[2]));
    if (table == 0 || table == 0xff) {
        emit(e, "mov.b32 %s, %s", d, table ? "0xffffffff" : "0");
        return;
    }
    for (int i = 0; i < 3; i++)
        value[i] = in32(e, &operands[i]);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        const char *name = two_operands(table, own[i], own[j]);
        if (table == own[i] || table == (~own[i] & 0xff)) {
            emit(e, "%s %s, %s", table == own[i] ? "mov.b32" : "not.b32", d, value[i]);
            return;
        }
        if (name) {
            emit(e, "%s %s, %s, %s", name, d, value[i], value[j]);
            return;
        }
    }
    emit(e, "lop3.b32 %s, %s, %s, %s, 0x%x", d, value[0], value[1], value[2], table);
}

/* LOP3.LUT [P,] d, a, b, c, table, Q: P where d is not zero, or Q */
bool translate_lop3(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    bool tests = operands[0].kind == MACHINE_PRED || operands[0].kind == MACHINE_UPRED;
    const MachineOperand *d = &operands[tests];
    if (!machine_only(insn, "LUT"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, tests + 6u) || d[4].kind != MACHINE_INT ||
        !(tests || is_false(&d[5])))
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    if (d[1].inverted || d[2].inverted || d[3].inverted)
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    uint32_t table = (uint32_t)d[4].value & 0xff;
    if (!tests) {
        emit_logic(e, out32(e, d), d + 1, table);
        return true;
    }
    const char *result = is_zero(d) ? temp32(e) : out32(e, d);
    emit_logic(e, result, d + 1, table);
    if (is_false(&d[5])) {
        emit(e, "setp.ne.b32 %s, %s, 0", out_pred(e, &operands[0]), result);
        return true;
    }
    const char *other = in_pred(e, &d[5]);
    emit(e, "setp.ne.or.b32 %s, %s, 0, %s", out_pred(e, &operands[0]), result, other);
    return true;
}

/* ---- SHF: a word of {c, a} after a shift by b ---- */

typedef struct Shift {
    const char *d, *low, *high, *amount;
    bool left, upper, wide, is_signed, wraps;
    bool constant;
    uint32_t by; /* where constant */
} Shift;

/* One word whose other half has no part in the result. */
static void shift_word(Emit *e, const Shift *s, const char *word) {
    const char *name = s->left ? "shl.b32" : s->is_signed ? "shr.s32" : "shr.u32";
    const char *amount = s->amount;
    if (s->wraps && s->constant) {
        amount = emit_printf(e, "%u", s->by & (s->wide ? 63 : 31));
    } else if (s->wraps) {
        amount = temp32(e);
        emit_always(e, "and.b32 %s, %s, %u", amount, s->amount, s->wide ? 63 : 31);
    }
    emit(e, "%s %s, %s, %s", name, s->d, word, amount);
}

/* A funnel shift by up to 32. */
static void shift_funnel(Emit *e, const Shift *s) {
    emit(e, "shf.%c.%s.b32 %s, %s, %s, %s", s->left ? 'l' : 'r', s->wraps ? "wrap" : "clamp", s->d,
         s->low, s->high, s->amount);
}

/* A shift of 64 bits by up to 64, of which one word is wanted: with a constant, one of 32. */
static void shift_wide(Emit *e, const Shift *s) {
    const char *kept = s->left ? s->low : s->high; /* the word that moves over */
    const char *name = s->left ? "shl.b64" : s->is_signed ? "shr.s64" : "shr.u64";
    uint32_t by = s->wraps ? s->by & 63 : s->by;
    if (s->constant && by < 32) {
        emit(e, "shf.%c.wrap.b32 %s, %s, %s, %u", s->left ? 'l' : 'r', s->d, s->low, s->high, by);
        return;
    }
    if (s->constant) {
        name = s->left ? "shl.b32" : s->is_signed ? "shr.s32" : "shr.u32";
        emit(e, "%s %s, %s, %u", name, s->d, kept, by - 32);
        return;
    }
    const char *both = temp64(e), *amount = s->amount;
    if (s->wraps) {
        amount = temp32(e);
        emit_always(e, "and.b32 %s, %s, 63", amount, s->amount);
    }
    emit_always(e, "mov.b64 %s, {%s, %s}", both, s->low, s->high);
    emit_always(e, "%s %s, %s, %s", name, both, both, amount);
    const char *other = temp32(e);
    if (s->left)
        emit(e, "mov.b64 {%s, %s}, %s", other, s->d, both);
    else
        emit(e, "mov.b64 {%s, %s}, %s", s->d, other, both);
}

/* SHF.{L,R}[.W].{U32,S32,U64,S64}[.HI] d, a, b, c */
bool translate_shf(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    const char *type = machine_one_of(insn, "U32 S32 U64 S64"), *way = machine_one_of(insn, "L R");
    if (!machine_only(insn, "L R W U32 S32 U64 S64 HI") || !type || !way)
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    Shift s = {.left = *way == 'L', .is_signed = *type == 'S', .wide = type[1] == '6'};
    s.upper = machine_has(insn, "HI");
    s.wraps = machine_has(insn, "W");
    s.constant = operands[2].kind == MACHINE_INT;
    s.by = (uint32_t)operands[2].value;
    s.low = in32(e, &operands[1]);
    s.amount = in32(e, &operands[2]);
    s.high = in32(e, &operands[3]);
    s.d = out32(e, &operands[0]);
    if (s.left && !s.upper) {
        shift_word(e, &s, s.low);
    } else if (!s.left && s.upper) {
        shift_word(e, &s, s.high);
    } else if (s.wide) {
        shift_wide(e, &s);
    } else if (s.left && !s.wraps && is_zero(&operands[1])) {
        shift_word(e, &s, s.high);
    } else if (!s.left && !s.wraps && is_zero(&operands[3])) {
        s.is_signed = false;
        shift_word(e, &s, s.low);
    } else {
        shift_funnel(e, &s);
    }
    return true;
}

/* ---- bits ---- */

static void one_operand(Emit *e, const MachineInsn *insn, const char *name) {
    const char *a = in32(e, &insn->operands[1]);
    emit(e, "%s %s, %s", name, out32(e, &insn->operands[0]), a);
}

static void two_operand(Emit *e, const MachineInsn *insn, const char *name) {
    const char *a = in32(e, &insn->operands[1]), *b = in32(e, &insn->operands[2]);
    emit(e, "%s %s, %s, %s", name, out32(e, &insn->operands[0]), a, b);
}

/* BMSK[.W] d, from, bits */
bool translate_bmsk(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "W C"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 3))
        return false;
    two_operand(e, insn, machine_has(insn, "W") ? "bmsk.wrap.b32" : "bmsk.clamp.b32");
    return true;
}

/* SGXT[.W][.U32] d, a, bits */
bool translate_sgxt(Emit *e, const MachineInsn *insn) {
    static const char *const names[2][2] = {{"szext.clamp.s32", "szext.clamp.u32"},
                                            {"szext.wrap.s32", "szext.wrap.u32"}};
    if (!machine_only(insn, "W C U32"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 3))
        return false;
    two_operand(e, insn, names[machine_has(insn, "W")][machine_has(insn, "U32")]);
    return true;
}

bool translate_brev(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, ""))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 2))
        return false;
    one_operand(e, insn, "brev.b32");
    return true;
}

/* FLO[.U32][.SH] d, a: the highest bit that is set (signed: that is not as the sign) */
bool translate_flo(Emit *e, const MachineInsn *insn) {
    static const char *const names[2][2] = {{"bfind.s32", "bfind.u32"},
                                            {"bfind.shiftamt.s32", "bfind.shiftamt.u32"}};
    if (!machine_only(insn, "U32 SH"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 2))
        return false;
    one_operand(e, insn, names[machine_has(insn, "SH")][machine_has(insn, "U32")]);
    return true;
}

bool translate_popc(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, ""))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 2))
        return false;
    one_operand(e, insn, "popc.b32");
    return true;
}

/* ---- bytes, and choice ---- */

/* PRMT[.mode] d, a, selector, b */
bool translate_prmt(Emit *e, const MachineInsn *insn) {
    static const char *const modes[][2] = {{"F4E", ".f4e"}, {"B4E", ".b4e"}, {"RC8", ".rc8"},
                                           {"ECL", ".ecl"}, {"ECR", ".ecr"}, {"RC16", ".rc16"}};
    const char *mode = "";
    if (!machine_only(insn, "F4E B4E RC8 ECL ECR RC16"))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        mode = machine_has(insn, modes[i][0]) ? modes[i][1] : mode;
    const char *a = in32(e, &insn->operands[1]), *selector = in32(e, &insn->operands[2]);
    const char *b = in32(e, &insn->operands[3]);
    emit(e, "prmt.b32%s %s, %s, %s, %s", mode, out32(e, &insn->operands[0]), a, b, selector);
    return true;
}

/* SEL d, a, b, p */
bool translate_sel(Emit *e, const MachineInsn *insn) {
    if (machine_has(insn, "64"))
        return translate_pair_select(e, insn);
    if (!machine_only(insn, ""))
        return integer_modifier(e, insn);
    if (!integer_operands(e, insn, 4))
        return false;
    const char *a = in32(e, &insn->operands[1]), *b = in32(e, &insn->operands[2]);
    emit_select(e, out32(e, &insn->operands[0]), a, b, &insn->operands[3]);
    return true;
}
