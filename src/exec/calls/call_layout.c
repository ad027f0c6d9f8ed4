/* Where the functions of a program keep their things: registers, parameters, frames.
 *
 * Registers. Each function has slots of its own, at fixed places, so that an instruction's operands
 * are offsets whoever called. Functions that cannot be active at once for a lane may share places:
 * the slots of a function begin behind those of all that may call it. Functions that call each other
 * in a circle all lie apart; what a lane still needs of them is saved at the call (call_decode.c).
 *
 * Parameters. A .param variable of 4 or 8 bytes that is only ever loaded and stored whole is a slot,
 * too; others lie in the frame, behind the .local variables. */
#include "exec/calls/call_graph.h"
#include "exec/run/warp.h"

#include <string.h>

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

/* Numbers of slots of each class. */
typedef struct SlotNumbers {
    uint32_t of[4];
} SlotNumbers;

static SlotNumbers slots_end(const Routine *routine) {
    SlotNumbers end;
    for (uint32_t class = 0; class < 4; class ++)
        end.of[class] = routine->start[class] + routine->slots.counts[class];
    return end;
}

static void move_behind(SlotNumbers *begin, const SlotNumbers *end) {
    for (uint32_t class = 0; class < 4; class ++)
        if (end->of[class] > begin->of[class])
            begin->of[class] = end->of[class];
}

typedef struct SlotLayout {
    Program *program;
    const CallGraph *graph;
    SlotNumbers *behind; /* [nodes]: ends of the callers that have their places */
} SlotLayout;

/* Callees in other components begin behind it; in this one what is called through a pointer is told, too, whose
 * callees may lie in others. */
static void push_callees(const SlotLayout *layout, uint32_t node, const SlotNumbers *end) {
    const CallGraph *graph = layout->graph;
    for (uint32_t e = graph->start[node]; e < graph->start[node + 1]; e++) {
        uint32_t to = graph->to[e];
        if (graph->component[to] != graph->component[node] || to == graph->nodes - 1)
            move_behind(&layout->behind[to], end);
    }
}

/* order[first] … order[end - 1] are a component: its functions lie one behind the other, the first one behind all
 * that call any of them. The kernel stays at the beginning. */
static void place_component(const SlotLayout *layout, uint32_t first, uint32_t end) {
    const CallGraph *graph = layout->graph;
    SlotNumbers begin = {0};
    for (uint32_t i = first; i < end; i++)
        move_behind(&begin, &layout->behind[graph->order[i]]);
    for (uint32_t i = first; i < end; i++) {
        uint32_t node = graph->order[i];
        if (node == graph->nodes - 1) {
            push_callees(layout, node, &layout->behind[node]);
            continue;
        }
        Routine *routine = &layout->program->routines[node];
        if (node > 0)
            memcpy(routine->start, begin.of, sizeof begin.of);
        const SlotNumbers own_end = slots_end(routine);
        push_callees(layout, node, &own_end);
        move_behind(&begin, &own_end);
    }
}

static void place_slots(Program *program, Arena *scratch, const CallGraph *graph) {
    SlotLayout layout = {program, graph, NEW_ARRAY(scratch, SlotNumbers, graph->nodes)};
    for (uint32_t first = 0, end; first < graph->nodes; first = end) {
        uint32_t component = graph->component[graph->order[first]];
        for (end = first; end < graph->nodes && graph->component[graph->order[end]] == component;)
            end++;
        place_component(&layout, first, end);
    }
}

/* ---- the whole ---- */

/* The deepest stack that calls can make where there are no circles, LOCAL_BYTES_MOST + 1 where it
 * is deeper. */
static uint32_t deepest_stack(const Program *program, Arena *scratch, const CallGraph *graph) {
    uint32_t *at = NEW_ARRAY(scratch, uint32_t, graph->nodes), deepest = 0;
    for (uint32_t i = 0; i < graph->nodes; i++) {
        uint32_t node = graph->order[i];
        uint64_t end = at[node];
        if (node < program->routine_count)
            end += program->routines[node].frame_bytes;
        end = end <= LOCAL_BYTES_MOST ? end : LOCAL_BYTES_MOST + 1;
        deepest = end > deepest ? (uint32_t)end : deepest;
        for (uint32_t e = graph->start[node]; e < graph->start[node + 1]; e++)
            at[graph->to[e]] = end > at[graph->to[e]] ? (uint32_t)end : at[graph->to[e]];
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
    for (uint32_t i = 0; i < count; i++) {
        Routine *routine = &program->routines[i];
        routine->slots = liveness_slots(arena, routine->function);
        find_places(routine, arena);
        place_params(routine);
        program->has_alloca |=
            uses(routine->function, OP_alloca) || uses(routine->function, OP_stacksave);
    }
    program->stack_grows = program->has_alloca;
    const CallGraph graph = call_graph(scratch, program);
    place_slots(program, scratch, &graph);
    for (uint32_t i = 0; i < count; i++) {
        Routine *routine = &program->routines[i];
        routine->component = graph.component[i];
        routine->circular = graph.circular[routine->component];
        program->stack_grows |= routine->circular;
    }
    /* A function that was called has a frame of 16 bytes at least, so that recursion ends. */
    for (uint32_t i = 1; i < count; i++)
        if (program->routines[i].frame_bytes == 0)
            program->routines[i].frame_bytes = 16;
    program_set_stack(program, program->stack_grows ? STACK_BYTES_DEFAULT
                                                    : deepest_stack(program, scratch, &graph));
    arena_free(scratch);
}
