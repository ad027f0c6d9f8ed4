/* Calls, decoded: who is called, where arguments and results lie, and which registers of the caller
 * must be saved, because what it calls may call the caller again. */
#include "exec/calls/calls.h"
#include "exec/calls/child.h"
#include "exec/decode/operands.h"

#include <string.h>

/* ---- arguments and results ---- */

static ParamPlace place_operand(Decoding *decoding, const Operand *operand) {
    const ParamPlace *place =
        operand->variable ? calls_place(decoding->routine, operand->variable) : NULL;
    if (place)
        return *place;
    ParamPlace made = {.at = NO_OPERAND, .bytes = type_bytes(operand->type)};
    if (operand->kind != OPERAND_SINK)
        made.at = decode_operand(decoding, operand, &made.class);
    if (operand->kind == OPERAND_IMM) { /* as the function declares it, which the caller sets */
        made.class = 2;
        made.at = decode_value(decoding, 2, operand->bits);
    }
    return made;
}

static ParamPlace *place_list(Decoding *decoding, const Operand *list, uint32_t *count) {
    *count = list->count;
    ParamPlace *places = NEW_ARRAY(decoding->arena, ParamPlace, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        places[i] = place_operand(decoding, &list->elements[i]);
    return places;
}

/* An immediate argument has the class of the parameter that it stands for. */
static void fit_immediates(Decoding *decoding, const Operand *list, Call *call) {
    for (uint32_t i = 0; call->callee && i < list->count; i++) {
        if (list->elements[i].kind != OPERAND_IMM)
            continue;
        const ParamPlace *param = &call->callee->params[i];
        ParamPlace *place = &call->arguments[i];
        place->class = param->class;
        place->bytes = param->bytes;
        place->at = decode_value(decoding, param->class, list->elements[i].bits);
    }
}

/* ---- what is saved ---- */

static void save(Call *call, Arena *arena, uint32_t at, uint8_t class) {
    *vec_add(arena, &call->saved) = (SavedRegister){at, vector_bytes[class], class};
    call->saved_bytes += vector_bytes[class];
}

/* The caller's registers that are live across the call, and its parameters. */
static void save_caller(const Decoding *decoding, Call *call, uint32_t insn) {
    const Routine *caller = call->caller;
    const Slots *slots = &caller->slots;
    for (uint32_t reg = 0; reg < caller->function->regs.count; reg++) {
        if (slots->slot[reg] == NO_INDEX || slots->first[reg] >= insn || slots->last[reg] <= insn)
            continue;
        uint8_t class = slots->class[reg];
        save(call, decoding->arena, decode_slot(caller, class, slots->slot[reg]), class);
    }
    for (uint32_t i = 0; i < caller->own_places; i++) {
        const ParamPlace *place = &caller->places.at[i];
        if (!place->in_frame && place->first != NO_INDEX)
            save(call, decoding->arena, place->at, place->class);
    }
}

static bool may_come_back(const Call *call) {
    if (call->callee)
        return call->callee->component == call->caller->component;
    return call->caller->circular; /* if an indirect call can, this one may */
}

/* ---- the instruction ---- */

static const struct {
    const char *name;
    Execute execute;
} provided_functions[] = {{"vprintf", exec_vprintf},
                          {"malloc", exec_malloc},
                          {"free", exec_free},
                          {"__assertfail", exec_assertfail},
                          {"cudaGraphSetConditional", exec_set_conditional}};
enum { PROVIDED = sizeof provided_functions / sizeof *provided_functions };

static Execute provided(const char *name) {
    for (uint32_t i = 0; i < PROVIDED; i++)
        if (strcmp(name, provided_functions[i].name) == 0)
            return provided_functions[i].execute;
    return NULL;
}

const char *runtime_function(uint32_t index) {
    return index < PROVIDED ? provided_functions[index].name : device_call_name(index - PROVIDED);
}

static const Routine *routine_named(const Program *program, const Function *function) {
    uint32_t number = program_routine(program, function);
    return number == NO_INDEX || number == 0 ? NULL : &program->routines[number];
}

bool call_decode(Decoding *decoding, const Insn *insn, Code *code) {
    Call *call = NEW(decoding->arena, Call);
    const Operand *callee = &insn->operands[0];
    call->caller = decoding->routine;
    call->results = place_list(decoding, &insn->operands[1], &call->result_count);
    call->arguments = place_list(decoding, &insn->operands[2], &call->argument_count);
    code->more = call;
    if (callee->kind == OPERAND_FUNCTION) {
        call->callee = routine_named(decoding->program, callee->function);
        if (!call->callee) {
            call->device = device_call_named(callee->function->name);
            code->full = code->some =
                call->device ? exec_device_call : provided(callee->function->name);
            return code->full != NULL;
        }
        fit_immediates(decoding, &insn->operands[2], call);
    } else {
        code->a = decode_operand(decoding, callee, &code->a_class);
    }
    code->control = CONTROL_CALL;
    code->full = code->some = exec_pass;
    if (may_come_back(call))
        save_caller(decoding, call, (uint32_t)(insn - call->caller->function->insns.at));
    if (decoding->program->alloca_at != NO_OPERAND)
        save(call, decoding->arena, decoding->program->alloca_at, 1);
    return true;
}
