/* Jumps to where a register says, and calls of what is not in the section. */
#include "machine/translate.h"

#include <stdlib.h>
#include <string.h>

/* The table has a place for every instruction: its index is the address by 16. */
void jump_to(Emit *e, uint32_t number) {
    const char *index = temp32(e);
    MachineOperand reg = {.kind = MACHINE_REG, .number = number, .reg = MACHINE_NONE};
    emit_always(e, "shr.u32 %s, %s, 4", index, reg_at(e, &reg, 0));
    emit(e, "brx.idx %s, landings", index);
    e->jumps = true;
}

/* ---- BRX ---- */

/* "BRX R4 -0x300 (*"BRANCH_TARGETS .L_x_6,.L_x_7"*)": the register, the offset, the names. */
typedef struct Branch {
    uint32_t reg;
    int64_t offset;
    Str targets;
} Branch;

static bool read_branch(const MachineInsn *insn, bool uniform, Branch *branch) {
    static const char mark[] = "BRANCH_TARGETS ";
    const char *end = insn->text.at + insn->text.length;
    const char *reg = memchr(insn->text.at, uniform ? 'U' : ' ', insn->text.length);
    for (; reg && reg + 3 < end; reg++) {
        if (uniform ? strncmp(reg, " UR", 3) == 0 : strncmp(reg, " R", 2) == 0)
            break;
    }
    if (!reg || reg + 3 >= end)
        return false;
    char *rest = NULL;
    branch->reg = (uint32_t)strtoul(reg + 2 + uniform, &rest, 10);
    if (rest == reg + 2 + uniform)
        return false;
    branch->offset = strtoll(rest, &rest, 16);
    for (const char *at = rest; at + sizeof mark - 1 < end; at++) {
        if (strncmp(at, mark, sizeof mark - 1) == 0) {
            const char *names = at + sizeof mark - 1;
            const char *close = memchr(names, '"', (size_t)(end - names));
            branch->targets = (Str){names, (size_t)((close ? close : end) - names)};
            return true;
        }
    }
    return false;
}

/* A chain of comparisons with the targets' addresses. */
bool branch_table(Emit *e, const MachineInsn *insn, bool uniform) {
    Branch branch;
    if (!read_branch(insn, uniform, &branch))
        return false;
    MachineOperand reg = {
        .kind = uniform ? MACHINE_UREG : MACHINE_REG, .number = branch.reg, .reg = MACHINE_NONE};
    const char *at = temp32(e), *here = temp_pred(e);
    emit_always(e, "add.s32 %s, %s, %d", at, reg_at(e, &reg, 0),
                (int)(insn->address + 16 + branch.offset));
    Str rest = branch.targets;
    while (rest.length > 0) {
        const char *comma = memchr(rest.at, ',', rest.length);
        Str name = {rest.at, comma ? (size_t)(comma - rest.at) : rest.length};
        rest = (Str){name.at + name.length, rest.length - name.length};
        rest = rest.length ? (Str){rest.at + 1, rest.length - 1} : rest;
        uint32_t address;
        const char *label = label_of(e, name);
        if (!label || !address_of(e, name, &address))
            return emit_unknown(e, "the target " STR_FMT, STR_ARG(name));
        emit_always(e, "setp.eq.u32 %s, %s, %u", here, at, address);
        if (guard_of(e))
            emit_always(e, "and.pred %s, %s, %s", here, here, guard_value(e));
        emit_line(e, "@%s bra %s;", here, label);
    }
    emit(e, "trap");
    return true;
}

/* ---- calls ---- */

enum { LAST_PARAM = 15 };

/* A parameter that is words side by side, such as a dim3: each has a register, the next one. */
static void write_words(Emit *e, const Variable *param, uint32_t number, uint32_t *reg) {
    emit_line(e, ".param .align 4 .b8 cp%u[%u];", number, (uint32_t)param->bytes);
    for (uint32_t at = 0; at < param->bytes; at += 4) {
        const MachineOperand from = {.kind = MACHINE_REG, .number = (*reg)++, .reg = MACHINE_NONE};
        emit_always(e, "st.param.b32 [cp%u+%u], %s", number, at, raw32(e, &from));
    }
}

/* Parameters of a function in registers, R4 to R15: one of 8 bytes begins at an even one. Those beyond are on the stack, where
 * nobody knows what the function's reading them costs: false. */
static bool write_params(Emit *e, const Function *function, uint32_t *reg) {
    for (uint32_t i = 0; i < function->params.count; i++) {
        const Variable *param = function->params.at[i];
        if (param->align == 4 && param->bytes > 4 && param->bytes % 4 == 0) {
            write_words(e, param, i, reg);
            continue;
        }
        if (param->bytes > 8 || param->bytes == 0)
            return false;
        MachineOperand from = {.kind = MACHINE_REG, .reg = MACHINE_NONE};
        bool wide = param->bytes == 8;
        *reg = wide ? (*reg + 1) & ~1u : *reg;
        from.number = *reg;
        *reg += wide ? 2 : 1;
        emit_line(e, ".param .b%u cp%u;", (uint32_t)(wide ? 64 : 32), i);
        emit_always(e, "st.param.b%u [cp%u], %s", (uint32_t)(wide ? 64 : 32), i,
                    wide ? in64(e, &from) : raw32(e, &from));
    }
    return *reg <= LAST_PARAM + 1;
}

static const char *param_list(Emit *e, uint32_t count) {
    const char *list = "";
    for (uint32_t i = 0; i < count; i++)
        list = emit_printf(e, "%s%scp%u", list, i ? ", " : "", i);
    return list;
}

/* A function that who executes the module provides: vprintf, malloc … The result is in R4; then the lanes go on where
 * R20 says. */
bool call_outside(Emit *e, const MachineInsn *insn, Str symbol) {
    const Function *function = module_function(e->kernel->module, symbol);
    if (!function || guard_of(e))
        return emit_unknown(e, "the function that " STR_FMT " calls", STR_ARG(insn->text));
    uint32_t reg = 4, results = function->results.count;
    MachineOperand to = {.kind = MACHINE_REG, .number = 4, .reg = MACHINE_NONE};
    uint64_t bytes = results ? function->results.at[0]->bytes : 0;
    if (results > 1 || bytes > 8)
        return emit_unknown(e, "the results of " STR_FMT, STR_ARG(symbol));
    emit_line(e, "{");
    if (!write_params(e, function, &reg))
        return emit_unknown(e, "the parameters of " STR_FMT, STR_ARG(symbol));
    if (results)
        emit_line(e, ".param .b%u cr;", bytes == 8 ? 64 : 32);
    emit_always(e, "call.uni %s" STR_FMT ", (%s)", results ? "(cr), " : "", STR_ARG(symbol),
                param_list(e, function->params.count));
    if (bytes == 8) {
        const char *value = temp64(e);
        emit_always(e, "ld.param.b64 %s, [cr]", value);
        write64(e, &to, value);
    } else if (results) {
        emit_always(e, "ld.param.b32 %s, [cr]", out32(e, &to));
    }
    emit_line(e, "}");
    jump_to(e, 20);
    return true;
}

const Function *function_of_label(const Emit *e, Str label) {
    for (size_t i = label.length; i > 0; i--) {
        Str name = {label.at + i, label.length - i};
        const Function *function =
            label.at[i - 1] == '$' ? module_function(e->kernel->module, name) : NULL;
        if (function)
            return function;
    }
    return module_function(e->kernel->module, label);
}

/* Where a function pointer of the program leads: the number that PTX's functions have. */
static void jump_by_pointer(Emit *e, const char *pointer) {
    for (uint32_t i = 0; i < e->function->labels.count; i++) {
        const MachineLabel *label = &e->function->labels.at[i];
        const Function *function = label->function ? function_of_label(e, label->name) : NULL;
        if (!function || function->is_entry)
            continue;
        const char *address = temp64(e), *here = temp_pred(e);
        emit_always(e, "mov.u64 %s, %s", address, function->name);
        emit_always(e, "setp.eq.u64 %s, %s, %s", here, pointer, address);
        emit_line(e, "@%s bra %s;", here, label_of(e, label->name));
    }
}

/* CALL.REL.NOINC R6 `(k): to a function of the section, or one outside. */
bool call_register(Emit *e, const MachineInsn *insn) {
    MachineOperand reg = {.kind = MACHINE_REG, .reg = MACHINE_NONE};
    if (guard_of(e) || !leading_register(insn, &reg.number))
        return emit_unknown(e, "the function that " STR_FMT " calls", STR_ARG(insn->text));
    const char *low = reg_at(e, &reg, 0);
    const char *pointer = in64(e, &reg);
    uint32_t count;
    const MachineWord *words = function_words(e, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (words[i].bank != 4 || !module_function(e->kernel->module, words[i].symbol) ||
            module_variable(e->kernel->module, words[i].symbol))
            continue;
        const char *other = temp_pred(e);
        emit_always(e, "setp.ne.u32 %s, %s, 0x%x", other, low, function_token(e, i));
        const char *skip = emit_printf(e, "$S_%x_%u", insn->address, i);
        emit_line(e, "@%s bra %s;", other, skip);
        if (!call_outside(e, insn, words[i].symbol))
            return false;
        emit_line(e, "%s:", skip);
    }
    jump_by_pointer(e, pointer);
    jump_to(e, reg.number);
    return true;
}
