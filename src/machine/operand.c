/* Operands of machine instructions as operands of PTX, and their guards. */
#include "machine/translate.h"

#include <stdlib.h>
#include <string.h>

bool emit_unknown_operand(Emit *e, const MachineOperand *operand) {
    return emit_unknown(e, "the operand " STR_FMT " of " STR_FMT, STR_ARG(operand->text),
                        STR_ARG(e->insn->text));
}

/* ---- registers ---- */

static const char *register_name(Emit *e, const MachineOperand *operand, uint32_t i) {
    uint32_t number = operand->number + i;
    if (operand->kind == MACHINE_UREG) {
        e->uregs = number >= e->uregs ? number + 1 : e->uregs;
        return emit_printf(e, "%%UR%u", number);
    }
    e->regs = number >= e->regs ? number + 1 : e->regs;
    return emit_printf(e, "%%R%u", number);
}

static bool is_register(const MachineOperand *operand) {
    return operand->kind == MACHINE_REG || operand->kind == MACHINE_UREG;
}

const char *reg_at(Emit *e, const MachineOperand *operand, uint32_t i) {
    if (!is_register(operand)) {
        emit_unknown_operand(e, operand);
        return "0";
    }
    return operand->number == MACHINE_ZERO ? "0" : register_name(e, operand, i);
}

static bool is_predicate(const MachineOperand *operand) {
    return operand->kind == MACHINE_PRED || operand->kind == MACHINE_UPRED;
}

static uint32_t float_bits(double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return value != value ? 0x7fffffffu | (bits & 0x80000000u) : bits;
}

/* 32@lo((kernel + .L_x_0@srel)): the address of a place in the code; its high half is 0. NULL: it is none. */
static const char *word_of_place(Emit *e, Str text) {
    const bool low = str_starts(text, "32@lo((");
    const char *plus =
        low || str_starts(text, "32@hi((") ? memchr(text.at, '+', text.length) : NULL;
    if (!plus || plus + 2 >= text.at + text.length)
        return NULL;
    Str label = {plus + 2, (size_t)(text.at + text.length - plus) - 2};
    const char *end = memchr(label.at, '@', label.length);
    uint32_t address;
    if (!end || strncmp(end, "@srel))", 7) != 0)
        return NULL;
    label.length = (size_t)(end - label.at);
    if (!address_of(e, label, &address))
        return NULL;
    land_at(e, address);
    return emit_printf(e, "%u", low ? address : 0);
}

/* "$__" NAME "__51" stands for a variable inside a function. */
static bool names_variable(Str symbol, const Variable *variable) {
    const size_t length = strlen(variable->name);
    if (variable->space != SPACE_SHARED)
        return false;
    if (str_is(symbol, variable->name))
        return true;
    symbol = str_starts(symbol, "$__") ? str_drop(symbol, 3) : (Str){0};
    return str_starts(symbol, variable->name) && symbol.length > length + 2 &&
           str_starts(str_drop(symbol, length), "__") &&
           strspn(symbol.at + length + 2, "0123456789") >= symbol.length - length - 2;
}

/* "buffer", or "(buffer + 0x80)" */
static Str split_symbol(Str text, long *added) {
    *added = 0;
    if (!str_starts(text, "("))
        return text;
    text = str_drop(text, 1);
    const char *plus = memchr(text.at, '+', text.length);
    if (!plus)
        return (Str){0};
    *added = strtol(plus + 1, NULL, 0);
    return str_trimmed((Str){text.at, (size_t)(plus - text.at)});
}

/* "kernel" of fun@fdesc(kernel), which is launched from the device; NULL: it is something else. */
static const char *launched_kernel(const Emit *e, Str text) {
    static const char before[] = "fun@fdesc(";
    if (!str_starts(text, before) || text.at[text.length - 1] != ')')
        return NULL;
    text = str_drop(text, strlen(before));
    text.length--;
    const Function *function = module_function(e->kernel->module, text);
    return function ? function->name : NULL;
}

/* 32@lo(counter), 32@hi((table + 0x8)): of the address of a variable, in code that was linked, or of a kernel. NULL: it is
 * none. */
static const char *word_of_variable(Emit *e, Str text) {
    const bool low = str_starts(text, "32@lo(");
    if ((!low && !str_starts(text, "32@hi(")) || text.at[text.length - 1] != ')')
        return NULL;
    long added;
    Str inside = str_drop(text, 6);
    inside.length--;
    const Str name = split_symbol(inside, &added);
    const Variable *variable = module_variable(e->kernel->module, name);
    const char *place = variable ? variable->name : launched_kernel(e, inside);
    if (!place || (variable && variable->space != SPACE_GLOBAL))
        return NULL;
    const char *address = temp64(e), *half = temp32(e), *other = temp32(e);
    if (variable)
        place = emit_printf(e, "%s+%ld", place, added);
    emit_always(e, "mov.u64 %s, %s", address, place);
    emit_always(e, "mov.b64 {%s, %s}, %s", low ? half : other, low ? other : half, address);
    return half;
}

const char *shared_symbol(Emit *e, Str text) {
    const Variable *found = NULL;
    long added;
    const Str name = split_symbol(text, &added);
    for (uint32_t i = 0; i < e->kernel->shared.count; i++) {
        if (names_variable(name, e->kernel->shared.at[i]))
            found = e->kernel->shared.at[i];
    }
    for (uint32_t i = 0; i < e->kernel->locals.count; i++) {
        if (names_variable(name, e->kernel->locals.at[i]))
            found = e->kernel->locals.at[i];
    }
    if (!found)
        return NULL;
    const char *to = temp32(e);
    emit_always(e, "mov.u32 %s, %s", to, found->name);
    added -= shared_base(e); /* which the code adds itself */
    if (added)
        emit_always(e, "add.s32 %s, %s, %ld", to, to, added);
    return to;
}

/* A word of the operand as it is: of a pair, i = 1 is the high one. */
static const char *word_of(Emit *e, const MachineOperand *operand, uint32_t i) {
    switch (operand->kind) {
    case MACHINE_REG:
    case MACHINE_UREG:
        return reg_at(e, operand, i);
    case MACHINE_INT:
        return emit_printf(e, "0x%x", (uint32_t)((uint64_t)operand->value >> (32 * i)));
    case MACHINE_FLOAT: /* a NaN is written without its bits */
        if (operand->real != operand->real && e->insn->bits)
            return emit_printf(e, "0x%x", (uint32_t)(e->insn->bits >> 32));
        return emit_printf(e, "0x%x", float_bits(operand->real));
    case MACHINE_CONST:
        if (operand->reg == MACHINE_NONE && operand->ureg == MACHINE_NONE)
            return constant32(e, operand->bank, operand->value + 4 * i);
        break;
    case MACHINE_CODE: {
        const char *place = i == 0 ? shared_symbol(e, operand->symbol) : NULL;
        if (place)
            return place;
        break;
    }
    case MACHINE_NAME: {
        const char *place = word_of_place(e, operand->text);
        place = place ? place : word_of_variable(e, operand->text);
        if (place)
            return place;
        break;
    }
    default:
        break;
    }
    emit_unknown_operand(e, operand);
    return "0";
}

static bool plain_suffix(Emit *e, const MachineOperand *operand, const char *allowed) {
    if (operand->suffix.length == 0 || str_is(operand->suffix, allowed))
        return true;
    return emit_unknown_operand(e, operand);
}

const char *raw32(Emit *e, const MachineOperand *operand) {
    return word_of(e, operand, 0);
}

const char *in32(Emit *e, const MachineOperand *operand) {
    plain_suffix(e, operand, ".64");
    const char *value = word_of(e, operand, 0);
    if (operand->absolute) {
        const char *to = temp32(e);
        emit_always(e, "abs.s32 %s, %s", to, value);
        value = to;
    }
    if (operand->inverted && is_zero(operand))
        return "0xffffffff";
    if (operand->negated || operand->inverted) {
        if (is_zero(operand))
            return "0";
        const char *to = temp32(e);
        emit_always(e, "%s %s, %s", operand->negated ? "neg.s32" : "not.b32", to, value);
        value = to;
    }
    return value;
}

const char *in_f32(Emit *e, const MachineOperand *operand) {
    plain_suffix(e, operand, "");
    if (operand->kind == MACHINE_FLOAT)
        return emit_printf(e, "0f%08X", float_bits(operand->real));
    if (is_zero(operand))
        return operand->negated ? "0f80000000" : "0f00000000";
    if (operand->kind == MACHINE_INT)
        return emit_printf(e, "0f%08X", (uint32_t)operand->value);
    const char *value = word_of(e, operand, 0);
    if (operand->absolute) {
        const char *to = temp32(e);
        emit_always(e, "abs.f32 %s, %s", to, value);
        value = to;
    }
    if (operand->negated) {
        const char *to = temp32(e);
        emit_always(e, "neg.f32 %s, %s", to, value);
        value = to;
    }
    return value;
}

static const char *pair_of(Emit *e, const MachineOperand *operand) {
    if (operand->kind == MACHINE_INT)
        return emit_printf(e, "0x%llx", (unsigned long long)operand->value);
    if (is_zero(operand))
        return "0";
    const char *low = word_of(e, operand, 0), *high = word_of(e, operand, 1);
    const char *to = temp64(e);
    emit_always(e, "mov.b64 %s, {%s, %s}", to, low, high);
    return to;
}

const char *in64(Emit *e, const MachineOperand *operand) {
    plain_suffix(e, operand, ".64");
    const char *value = pair_of(e, operand);
    if (operand->negated || operand->inverted || operand->absolute) {
        const char *to = temp64(e);
        if (operand->absolute) {
            emit_always(e, "abs.s64 %s, %s", to, value);
            value = to;
        }
        if (operand->negated || operand->inverted)
            emit_always(e, "%s %s, %s", operand->negated ? "neg.s64" : "not.b64", to, value);
        value = to;
    }
    return value;
}

const char *in_f64(Emit *e, const MachineOperand *operand) {
    plain_suffix(e, operand, "");
    if (operand->kind == MACHINE_FLOAT) {
        uint64_t bits;
        memcpy(&bits, &operand->real, sizeof bits);
        return emit_printf(e, "0d%016llX", (unsigned long long)bits);
    }
    if (is_zero(operand))
        return operand->negated ? "0d8000000000000000" : "0d0000000000000000";
    if (operand->kind == MACHINE_INT) /* the high half */
        return emit_printf(e, "0d%08X00000000", (uint32_t)operand->value);
    const char *value = pair_of(e, operand);
    if (operand->negated || operand->absolute) {
        const char *to = temp64(e);
        if (operand->absolute)
            emit_always(e, "abs.f64 %s, %s", to, value);
        if (operand->negated)
            emit_always(e, "neg.f64 %s, %s", to, operand->absolute ? to : value);
        value = to;
    }
    return value;
}

/* ---- predicates ---- */

bool is_true(const MachineOperand *operand) {
    return is_predicate(operand) && operand->number == MACHINE_ZERO && !operand->inverted;
}

bool is_false(const MachineOperand *operand) {
    return is_predicate(operand) && operand->number == MACHINE_ZERO && operand->inverted;
}

bool is_zero(const MachineOperand *operand) {
    return (is_register(operand) && operand->number == MACHINE_ZERO) ||
           (operand->kind == MACHINE_INT && operand->value == 0);
}

static const char *predicate_name(Emit *e, const MachineOperand *operand) {
    return emit_printf(e, operand->kind == MACHINE_UPRED ? "%%UP%u" : "%%P%u", operand->number);
}

const char *in_pred(Emit *e, const MachineOperand *operand) {
    if (!is_predicate(operand)) {
        emit_unknown_operand(e, operand);
        return "%PT";
    }
    if (operand->number == MACHINE_ZERO)
        return operand->inverted ? "%PF" : "%PT";
    const char *value = predicate_name(e, operand);
    if (!operand->inverted)
        return value;
    const char *to = temp_pred(e);
    emit_always(e, "not.pred %s, %s", to, value);
    return to;
}

/* ---- guards ---- */

const char *guard_of(const Emit *e) {
    return *e->guard ? e->guard : NULL;
}

const char *guard_value(Emit *e) {
    return e->insn->guarded ? in_pred(e, &e->insn->guard) : "%PT";
}

/* ---- destinations ---- */

const char *out_at(Emit *e, const MachineOperand *operand, uint32_t i) {
    if (!is_register(operand)) {
        emit_unknown(e, "the result " STR_FMT " of " STR_FMT, STR_ARG(operand->text),
                     STR_ARG(e->insn->text));
        return "%sink";
    }
    return operand->number == MACHINE_ZERO ? "%sink" : register_name(e, operand, i);
}

const char *out32(Emit *e, const MachineOperand *operand) {
    return out_at(e, operand, 0);
}

const char *out_pred(Emit *e, const MachineOperand *operand) {
    if (!is_predicate(operand)) {
        emit_unknown(e, "the result " STR_FMT " of " STR_FMT, STR_ARG(operand->text),
                     STR_ARG(e->insn->text));
        return "%PS";
    }
    return operand->number == MACHINE_ZERO ? "%PS" : predicate_name(e, operand);
}

void write64(Emit *e, const MachineOperand *operand, const char *value) {
    if (is_register(operand) && operand->number == MACHINE_ZERO)
        return;
    emit(e, "mov.b64 {%s, %s}, %s", out_at(e, operand, 0), out_at(e, operand, 1), value);
}
