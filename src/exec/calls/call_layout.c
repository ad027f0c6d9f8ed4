/* Where the functions of a program keep their things: registers, parameters, frames.
 *
 * Registers. Each function has slots of its own, at fixed places, so that an instruction's operands
 * are offsets whoever called. Functions that cannot be active at once for a lane may share places:
 * the slots of a function begin behind those of all that may call it. Functions that call each other
 * in a circle all lie apart; what a lane still needs of them is saved at the call (call_decode.c).
 *
 * Parameters. A .param variable of 4 or 8 bytes that is only ever loaded and stored whole is a slot,
 * too; others lie in the frame, behind the .local variables. */
#include "exec/calls/calls.h"
#include "exec/run/warp.h"

#include <string.h>

/* ---- who may be active while whom ---- */

static uint32_t number_of(const Program *program, const Function *function) {
    for (uint32_t i = 0; i < program->routine_count; i++)
        if (program->routines[i].function == function)
            return i;
    return NO_INDEX;
}

/* Routines that an instruction of `from` calls: calls mark(from, to). */
static void find_callees(const Program *program, const Functions *addressed, uint32_t from,
                         uint8_t *calls) {
    const Function *function = program->routines[from].function;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        const Function *callee = insn_callee(insn);
        if (callee) {
            uint32_t number = number_of(program, callee);
            if (number != NO_INDEX)
                calls[number] = 1;
        } else if (insn_calls(insn)) {
            for (uint32_t a = 0; a < addressed->count; a++) {
                uint32_t number = number_of(program, addressed->at[a]);
                if (number != NO_INDEX)
                    calls[number] = 1;
            }
        }
    }
}

/* Eight at a time: the rows of a module of thousands of functions are long. */
static void add_reach(uint8_t *reaches, const uint8_t *more, uint32_t count) {
    uint32_t i = 0;
    for (; count - i >= sizeof(uint64_t); i += sizeof(uint64_t)) {
        uint64_t a, b;
        memcpy(&a, reaches + i, sizeof a);
        memcpy(&b, more + i, sizeof b);
        a |= b;
        memcpy(reaches + i, &a, sizeof a);
    }
    for (; i < count; i++)
        reaches[i] |= more[i];
}

/* Warshall's closure over the matrix of calls. */
static void find_reach(Program *program, Arena *arena, uint8_t *calls) {
    uint32_t count = program->routine_count;
    for (uint32_t i = 0; i < count; i++) {
        Routine *routine = &program->routines[i];
        routine->reaches = NEW_ARRAY(arena, uint8_t, count);
        memcpy(routine->reaches, calls + (size_t)i * count, count);
    }
    for (uint32_t via = 0; via < count; via++) {
        const uint8_t *beyond = program->routines[via].reaches;
        for (uint32_t from = 0; from < count; from++)
            if (from != via && program->routines[from].reaches[via])
                add_reach(program->routines[from].reaches, beyond, count);
    }
}

static bool in_a_circle(const Program *program, uint32_t a, uint32_t b) {
    return program->routines[a].reaches[b] && program->routines[b].reaches[a];
}

/* ---- .param variables ---- */

static Str key_of(Arena *arena, const Variable *variable) {
    const Variable **key = NEW(arena, const Variable *);
    *key = variable;
    return (Str){(const char *)key, sizeof *key};
}

static ParamPlace *place_of(const Routine *routine, const Variable *variable) {
    uint64_t index;
    Str key = {(const char *)&variable, sizeof(const Variable *)};
    return map_get(routine->place_of, key, &index) ? &routine->places.at[index] : NULL;
}

const ParamPlace *calls_place(const Routine *routine, const Variable *variable) {
    return place_of(routine, variable);
}

static void add_place(Routine *routine, Arena *arena, const Variable *variable) {
    bool word = variable->bytes == 4 || variable->bytes == 8;
    map_put(routine->place_of, key_of(arena, variable), routine->places.count);
    *vec_add(arena, &routine->places) = (ParamPlace){.bytes = (uint32_t)variable->bytes,
                                                     .class = variable->bytes == 4 ? 1 : 2,
                                                     .in_frame = !word,
                                                     .variable = variable,
                                                     .first = NO_INDEX};
}

/* Whether the instruction loads or stores the whole variable, between it and a register of its size
 * or an immediate. */
static bool moves_whole(const Function *function, const Insn *insn, const Operand *address) {
    if (!op_has(insn->op, TRAIT_ELEMENTS) || address->kind != OPERAND_ADDRESS)
        return false;
    const Operand *data = &insn->operands[op_access(insn->op) == OP_ACCESS_STORE ? 1 : 0];
    uint32_t bytes = type_bytes((Type)insn->mods.type);
    bool fits =
        data->kind == OPERAND_IMM ||
        (data->kind == OPERAND_REG && type_bytes(function->regs.at[data->reg].type) == bytes);
    return fits && address->offset == 0 && bytes == address->variable->bytes;
}

/* Notes that an operand names a variable. One that something else is done with than moving it whole,
 * or passing it, goes into the frame. */
static void look_at(Routine *routine, uint32_t at, const Operand *operand) {
    const Insn *insn = &routine->function->insns.at[at];
    ParamPlace *place = operand->variable ? place_of(routine, operand->variable) : NULL;
    if (!place)
        return;
    place->in_frame |= !insn_calls(insn) && !moves_whole(routine->function, insn, operand);
    place->first = place->first == NO_INDEX ? at : place->first;
    place->last = at;
}

static void look_at_uses(Routine *routine) {
    const Function *function = routine->function;
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        for (uint32_t o = 0; o < insn->operand_count; o++) {
            const Operand *operand = &insn->operands[o];
            look_at(routine, i, operand);
            for (uint32_t e = 0; e < operand->count; e++)
                look_at(routine, i, &operand->elements[e]);
        }
    }
}

static void find_places(Routine *routine, Arena *arena) {
    const Function *function = routine->function;
    routine->place_of = map_new(arena);
    for (uint32_t i = 0; i < function->params.count && !function->is_entry; i++)
        if (function->params.at[i]->space == SPACE_PARAM)
            add_place(routine, arena, function->params.at[i]);
    for (uint32_t i = 0; i < function->results.count; i++)
        if (function->results.at[i]->space == SPACE_PARAM)
            add_place(routine, arena, function->results.at[i]);
    routine->own_places = routine->places.count;
    for (uint32_t i = 0; i < function->locals.count; i++)
        if (function->locals.at[i]->space == SPACE_PARAM)
            add_place(routine, arena, function->locals.at[i]);
    look_at_uses(routine);
}

/* How far a function's slots and frame are taken. */
typedef struct TakenRoom {
    uint32_t slots[4];
    uint32_t frame;
} TakenRoom;

static void place_param(TakenRoom *taken, ParamPlace *place) {
    if (!place->in_frame) {
        place->at = taken->slots[place->class]++;
        return;
    }
    uint32_t align = place->variable->align > 8 ? place->variable->align : 8;
    place->at = (taken->frame + align - 1) & ~(align - 1);
    taken->frame = place->at + place->bytes;
}

/* The .param variables of a body belong to one call each (PTX ISA 7.1: st.param directly before it,
 * ld.param directly behind). So those of a call take the places that the ones of the last call had. */
static void place_params(Routine *routine) {
    const Function *function = routine->function;
    TakenRoom taken = {.frame = (function->local_bytes + 15) & ~15u}, most, own;
    memcpy(taken.slots, routine->slots.counts, sizeof taken.slots);
    uint32_t call_end = 0;
    most = own = taken;
    for (uint32_t i = 0; i < routine->places.count; i++) {
        ParamPlace *place = &routine->places.at[i];
        bool in_body = i >= routine->own_places;
        if (in_body && place->first > call_end)
            taken = own;
        place_param(&taken, place);
        if (!in_body)
            own = taken;
        else if (place->first != NO_INDEX && place->last > call_end)
            call_end = place->last;
        for (uint32_t class = 1; class < 4; class ++)
            most.slots[class] =
                taken.slots[class] > most.slots[class] ? taken.slots[class] : most.slots[class];
        most.frame = taken.frame > most.frame ? taken.frame : most.frame;
    }
    memcpy(routine->slots.counts, most.slots, sizeof most.slots);
    routine->frame_bytes = (most.frame + 15) & ~15u;
}

/* ---- registers ---- */

/* The slots of a function begin behind those of all that may call it, but for functions in a circle
 * with it: these lie one behind the other. Repeated until nothing moves, which takes as many rounds
 * as calls can be nested without a circle. */
static bool move_behind_callers(Program *program, const uint8_t *calls, uint32_t number) {
    uint32_t count = program->routine_count;
    Routine *routine = &program->routines[number];
    bool moved = false, circular = routine->reaches[number];
    for (uint32_t from = 0; from < count; from++) {
        const Routine *caller = &program->routines[from];
        bool circle = in_a_circle(program, from, number);
        bool before = circle ? from < number : calls[(size_t)from * count + number];
        /* A member of a circle also begins where the others that call the circle end. */
        for (uint32_t member = 0; circular && !before && !circle && member < count; member++)
            before = member != number && in_a_circle(program, member, number) &&
                     calls[(size_t)from * count + member];
        if (!before || from == number)
            continue;
        for (uint32_t class = 0; class < 4; class ++) {
            uint32_t end = caller->start[class] + caller->slots.counts[class];
            moved |= end > routine->start[class];
            routine->start[class] = end > routine->start[class] ? end : routine->start[class];
        }
    }
    return moved;
}

/* ---- the whole ---- */

static uint32_t stack_end(const Program *program, const uint32_t *at, uint32_t number) {
    uint64_t end = (uint64_t)at[number] + program->routines[number].frame_bytes;
    return end <= LOCAL_BYTES_MOST ? (uint32_t)end : LOCAL_BYTES_MOST + 1;
}

/* The deepest stack that calls without circles can make, LOCAL_BYTES_MOST + 1 where it
 * is deeper. */
static uint32_t deepest_stack(const Program *program, const uint8_t *calls, uint32_t *at) {
    uint32_t count = program->routine_count, deepest = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t from = 0; from < count; from++)
            for (uint32_t to = 0; to < count; to++) {
                uint32_t end = stack_end(program, at, from);
                if (calls[(size_t)from * count + to] && end > at[to]) {
                    at[to] = end;
                    moved = true;
                }
            }
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = stack_end(program, at, i);
        deepest = end > deepest ? end : deepest;
    }
    return deepest;
}

/* Lanes lie a little more than a power of two apart, or their frames would share cache sets. */
void program_set_stack(Program *program, uint32_t bytes) {
    program->stack_bytes = bytes;
    program->stack_stride = ((bytes + 15) & ~15u) + (bytes >= 1024 ? 64 + 16 : 0);
}

static bool uses(const Function *function, Op op) {
    for (uint32_t i = 0; i < function->insns.count; i++)
        if (function->insns.at[i].op == op)
            return true;
    return false;
}

void calls_layout(Program *program, Arena *arena) {
    uint32_t count = program->routine_count;
    Arena *scratch = arena_new();
    Functions addressed = {0};
    functions_addressed(scratch, program->function->module, &addressed);
    uint8_t *calls = NEW_ARRAY(scratch, uint8_t, (size_t)count * count);
    for (uint32_t i = 0; i < count; i++) {
        Routine *routine = &program->routines[i];
        find_callees(program, &addressed, i, calls + (size_t)i * count);
        routine->slots = liveness_slots(arena, routine->function);
        find_places(routine, arena);
        place_params(routine);
        program->has_alloca |=
            uses(routine->function, OP_alloca) || uses(routine->function, OP_stacksave);
    }
    program->stack_grows = program->has_alloca;
    find_reach(program, arena, calls);
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 1; i < count; i++)
            moved |= move_behind_callers(program, calls, i);
    }
    for (uint32_t i = 0; i < count; i++)
        program->stack_grows |= program->routines[i].reaches[i] != 0;
    /* A function that was called has a frame of 16 bytes at least, so that recursion ends. */
    for (uint32_t i = 1; i < count; i++)
        if (program->routines[i].frame_bytes == 0)
            program->routines[i].frame_bytes = 16;
    program_set_stack(program,
                      program->stack_grows
                          ? STACK_BYTES_DEFAULT
                          : deepest_stack(program, calls, NEW_ARRAY(scratch, uint32_t, count)));
    arena_free(scratch);
}
