/* Function to Program: each instruction gets its functions and the places of its operands, once per
 * launch. Registers are packed into slots (ir/liveness.c), so that a warp's registers stay in cache
 * however many PTX names there are. */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"
#include "exec/lanes/lanes.h"
#include "exec/run/worker.h"

#include <string.h>

/* ---- places ---- */

static void count_slots(const Program *program, uint32_t counts[4]) {
    for (uint32_t i = 0; i < program->routine_count; i++) {
        const Routine *routine = &program->routines[i];
        for (uint32_t class = 0; class < 4; class ++) {
            uint32_t end = routine->start[class] + routine->slots.counts[class];
            counts[class] = end > counts[class] ? end : counts[class];
        }
    }
}

/* A parameter in a register: not there if nobody reads what comes in, or writes what goes out. */
static ParamPlace place_register(const Routine *routine, const Variable *variable, bool comes_in) {
    uint32_t reg = (uint32_t)variable->offset;
    uint8_t class = routine->slots.class[reg];
    uint32_t slot = routine->slots.slot[reg];
    bool used = slot != NO_INDEX && (!comes_in || routine->slots.first[reg] == 0);
    return (ParamPlace){.at = used ? decode_slot(routine, class, slot) : NO_OPERAND,
                        .bytes = (uint32_t)variable->bytes,
                        .class = class};
}

static void place_params(Arena *arena, Routine *routine) {
    const Function *function = routine->function;
    for (uint32_t i = 0; i < routine->places.count; i++) {
        ParamPlace *place = &routine->places.at[i];
        if (!place->in_frame)
            place->at = decode_slot(routine, place->class, place->at);
        if (place->first == NO_INDEX)
            place->at = NO_OPERAND;
    }
    routine->params = NEW_ARRAY(arena, ParamPlace, function->params.count);
    routine->results = NEW_ARRAY(arena, ParamPlace, function->results.count);
    for (uint32_t i = 0; !function->is_entry && i < function->params.count; i++) {
        const Variable *param = function->params.at[i];
        routine->params[i] = param->space == SPACE_REG ? place_register(routine, param, true)
                                                       : *calls_place(routine, param);
    }
    for (uint32_t i = 0; i < function->results.count; i++) {
        const Variable *result = function->results.at[i];
        routine->results[i] = result->space == SPACE_REG ? place_register(routine, result, false)
                                                         : *calls_place(routine, result);
    }
}

static void layout_registers(Program *program, Arena *arena) {
    uint32_t counts[4] = {0};
    count_slots(program, counts);
    for (uint32_t class = 0; class < 4; class ++) {
        for (uint32_t i = 0; i < program->routine_count; i++)
            program->routines[i].at[class] =
                program->register_bytes + program->routines[i].start[class] * vector_bytes[class];
        program->register_bytes += counts[class] * vector_bytes[class];
        program->register_bytes = (program->register_bytes + 63) & ~63u;
    }
    program->alloca_at = NO_OPERAND;
    if (program->has_alloca) {
        program->alloca_at = program->register_bytes;
        program->register_bytes += vector_bytes[1];
    }
    for (uint32_t i = 0; i < program->routine_count; i++)
        place_params(arena, &program->routines[i]);
}

/* ---- instructions ---- */

/* mov of a clock: warp instructions executed so far on this worker, which is at least monotonic; the
 * global timer counts nanoseconds at 1 GHz of them. */
static Step exec_clock(Warp *warp, const Code *code, uint32_t mask) {
    uint64_t now = warp->worker->clock;
    Special special = code->insn->operands[1].special;
    if (special == SREG_CLOCK_HI || special == SREG_GLOBALTIMER_HI)
        now >>= 32;
    for_lanes(lane, mask) {
        if (code->d_class == 2)
            reg64(warp, code->d)[lane] = now;
        else
            reg32(warp, code->d)[lane] = (uint32_t)now;
    }
    warp->worker->clock++;
    return STEP_NEXT;
}

static void place_vector(Decoding *decoding, const Operand *operand, Code *code) {
    uint8_t class;
    code->count = (uint8_t)operand->count;
    code->vector = NEW_ARRAY(decoding->arena, uint32_t, operand->count);
    for (uint32_t i = 0; i < operand->count; i++)
        code->vector[i] = decode_operand(decoding, &operand->elements[i], &class);
}

static void place_result(Decoding *decoding, const Operand *operand, Code *code) {
    uint8_t class;
    if (operand->kind == OPERAND_PAIR) {
        code->d = decode_operand(decoding, &operand->elements[0], &code->d_class);
        code->d2 = decode_operand(decoding, &operand->elements[1], &class);
    } else if (operand->kind == OPERAND_VECTOR) {
        place_vector(decoding, operand, code);
    } else {
        code->d = decode_operand(decoding, operand, &code->d_class);
    }
}

/* d, d2, a, b, c, e from the operands in their order, for the operations that are no memory access. */
static void place_operands(Decoding *decoding, const Insn *insn, Code *code) {
    uint32_t first = 0, read = 0;
    uint8_t class = 0;
    const char *spec = op_info(insn->op)->operands;
    if (spec[0] == '=' && insn->operand_count > 0) {
        place_result(decoding, &insn->operands[0], code);
        first = 1;
    }
    for (uint32_t i = first; i < insn->operand_count && read < 4; i++, read++) {
        const Operand *operand = &insn->operands[i];
        uint32_t *places[4] = {&code->a, &code->b, &code->c, &code->e};
        uint8_t *classes[4] = {&code->a_class, &code->b_class, &code->c_class, &class};
        if (operand->kind == OPERAND_VECTOR)
            place_vector(decoding, operand, code);
        else
            *places[read] = decode_operand(decoding, operand, classes[read]);
        code->negated |= (uint32_t)operand->negated << read;
    }
}

static bool lane_decode(const Insn *insn, Code *code) {
    code->full = code->some = exec_clock;
    return (insn->operand_count == 2 && operand_is_clock(&insn->operands[1])) ||
           ops_lookup(insn->op, code, &code->full, &code->some);
}

/* Who decodes a row that does not compute lane by lane. */
static bool (*const decoders[OP_COUNT])(Decoding *, const Insn *, Code *) = {
#define OPX(id, syntax, operands, room, access, traits) [OP_##id] = room##_decode,
#include "isa/ops.def"
};

static bool decode_insn(Decoding *decoding, const Insn *insn, Code *code) {
    uint8_t class;
    *code = (Code){.d = NO_OPERAND,
                   .d2 = NO_OPERAND,
                   .a = NO_OPERAND,
                   .b = NO_OPERAND,
                   .c = NO_OPERAND,
                   .e = NO_OPERAND,
                   .guard = NO_OPERAND,
                   .mods = insn->mods,
                   .insn = insn,
                   .site = insn->site == NO_SITE ? NO_SITE
                                                 : decoding->routine->first_site + insn->site};
    if (insn->guard != NO_REG) {
        Operand guard = {.kind = OPERAND_REG, .reg = insn->guard};
        code->guard = decode_operand(decoding, &guard, &class);
        code->guard_flip = insn->guard_negated ? FULL_MASK : 0;
    }
    if (!insn_calls(insn))
        place_operands(decoding, insn, code);
    /* What is in a frame lies elsewhere in each call, whatever the row does with the address. */
    if (frame_decode(decoding, insn, code))
        return true;
    return decoders[insn->op] ? decoders[insn->op](decoding, insn, code) : lane_decode(insn, code);
}

static Place place_of(const Function *function, const Insn *insn) {
    const Module *module = function->module;
    return (Place){module->name, module->text, insn->line, insn->column,
                   (uint32_t)insn->text.length};
}

/* ---- programs ---- */

/* The kernel and the functions with a body that it may call. */
static void find_routines(Program *program, Arena *arena) {
    Functions reached = {0};
    functions_reached(arena, program->function, &reached);
    program->shared = shared_space(arena, program->function, &reached, program->gpu);
    program->routines = NEW_ARRAY(arena, Routine, reached.count);
    program_routines_begin(program, arena);
    for (uint32_t i = 0; i < reached.count; i++) {
        const Function *function = reached.at[i];
        if (i > 0 && (function->insns.count == 0 || function->is_entry))
            continue;
        Routine *routine = &program->routines[program->routine_count];
        routine->function = function;
        program_routines_add(program, routine, program->routine_count++);
        routine->first_code = program->code_count;
        routine->first_block = program->block_count;
        routine->first_site = program->site_count;
        program->code_count += function->insns.count;
        program->block_count += function->blocks.count;
        program->site_count += function->sites;
    }
}

static uint32_t renumbered(uint32_t block, const Routine *routine) {
    return block == NO_INDEX ? NO_INDEX : block + routine->first_block;
}

static void copy_blocks(Program *program, Arena *arena, const Routine *routine) {
    const Function *function = routine->function;
    uint32_t *order = block_order(arena, function);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        uint32_t number = routine->first_block + b;
        Block *block = &program->blocks[number];
        *block = function->blocks.at[b];
        block->first += routine->first_code;
        block->successor[0] = renumbered(block->successor[0], routine);
        block->successor[1] = renumbered(block->successor[1], routine);
        program->order[number] = order[b];
        for (uint32_t i = 0; i < block->count; i++)
            program->block_of[block->first + i] = number;
    }
}

/* A call of what is not there says so; anything else is not supported yet. */
static void add_error(Diags *diags, const Function *function, const Insn *insn) {
    const Function *callee = insn_callee(insn);
    if (callee && (callee->insns.count == 0 || function_is_runtime(callee)))
        diags_add(diags, DIAG_ERROR, place_of(function, insn),
                  "'%s' has no body in this module, and it is no function of the CUDA runtime that "
                  "warplens provides",
                  callee->name);
    else
        diags_add(diags, DIAG_ERROR, place_of(function, insn),
                  "this instruction cannot be executed yet (row %s)", op_info(insn->op)->id);
}

static void find_strides(const Program *program, const Routine *routine) {
    for (uint32_t b = 0; b < routine->function->blocks.count; b++) {
        const Block *block = &program->blocks[routine->first_block + b];
        for (uint32_t i = block->first + block->count, stride = 1; i-- > block->first;) {
            Code *code = &program->code[i];
            const bool passes = code->full == exec_pass && code->control == CONTROL_NONE;
            code->stride = stride;
            stride = passes ? stride + 1 : 1;
        }
    }
}

static void find_shared_loads(const Program *program, const Routine *routine) {
    for (uint32_t b = 0; b < routine->function->blocks.count; b++) {
        const Block *block = &program->blocks[routine->first_block + b];
        bool follows = false;
        for (uint32_t i = block->first + block->count; i-- > block->first;) {
            const Insn *insn = program->code[i].insn;
            program->shared_follows[i] = follows;
            follows |= insn->mods.space == SPACE_SHARED && op_access(insn->op) == OP_ACCESS_LOAD;
        }
    }
}

static void decode_routine(Decoding *decoding, Routine *routine, Diags *diags) {
    Program *program = decoding->program;
    const Function *function = routine->function;
    uint32_t errors = diags->errors;
    decoding->routine = routine;
    decoding->function = function;
    lower_function(decoding->arena, function, &program->shared,
                   program->lowered + routine->first_site);
    for (uint32_t i = 0; i < function->insns.count && diags->errors < errors + 20; i++) {
        const Insn *insn = &function->insns.at[i];
        if (!decode_insn(decoding, insn, &program->code[routine->first_code + i]))
            add_error(diags, function, insn);
    }
    if (diags->errors == errors)
        sweeps_find(decoding);
    find_strides(program, routine);
    find_shared_loads(program, routine);
    quiet_find(program, routine);
}

Program *program_decode(Arena *arena, const Function *function, const LoadedModule *loaded,
                        const Gpu *gpu, Diags *diags) {
    Program *program = NEW(arena, Program);
    program->function = function;
    program->loaded = loaded;
    program->gpu = gpu;
    find_routines(program, arena);
    calls_layout(program, arena);
    layout_registers(program, arena);
    program->lowered = NEW_ARRAY(arena, LoweredAccess, program->site_count + 1);
    program->code =
        arena_alloc_aligned(arena, (program->code_count + 1) * sizeof *program->code, 64);
    program->block_of = NEW_ARRAY(arena, uint32_t, program->code_count + 1);
    program->blocks = NEW_ARRAY(arena, Block, program->block_count + 1);
    program->order = NEW_ARRAY(arena, uint32_t, program->block_count + 1);
    program->shared_follows = NEW_ARRAY(arena, bool, program->code_count + 1);
    program->quiet = NEW_ARRAY(arena, uint32_t, program->block_count + 1);
    program->sweep_count = 1;
    program->keeps = NEW_ARRAY(arena, uint64_t, program->block_count + 1);
    memset(program->keeps, 0xff, program->block_count * sizeof *program->keeps);
    uint32_t errors = diags->errors;
    for (uint32_t i = 0; i < program->routine_count; i++)
        copy_blocks(program, arena, &program->routines[i]);
    Decoding decoding = {.program = program, .arena = arena, .values = map_new(arena)};
    for (uint32_t i = 0; i < program->routine_count; i++)
        decode_routine(&decoding, &program->routines[i], diags);
    for (uint32_t i = 0; i < program->fills.count; i++)
        if (fill_depends_on_block(&program->fills.at[i]))
            *vec_add(arena, &program->block_fills) = program->fills.at[i];
    program->register_bytes = (program->register_bytes + 63) & ~63u;
    return diags->errors > errors ? NULL : program;
}
