/* Function to Program: each instruction gets its functions and the places of its operands, once per
 * launch. Registers are packed into slots (ir/liveness.c), so that a warp's registers stay in cache
 * however many PTX names there are. */
#include "exec/warp.h"

#include <string.h>

typedef struct Layout {
    Slots slots;
    uint32_t at[4]; /* where the vectors of each class begin */
} Layout;

static const uint32_t vector_bytes[4] = {4, 4 * WARP_LANES, 8 * WARP_LANES, 16 * WARP_LANES};

struct Decoding {
    Layout layout;
    uint8_t *read; /* [regs]: see decode_is_read */
    Map *values;   /* "class value" of fills that exist */
};

static uint8_t class_of_type(Type type) {
    if (type == TYPE_PRED)
        return 0;
    uint32_t bytes = type_bytes(type);
    return bytes <= 4 ? 1 : bytes <= 8 ? 2 : 3;
}

static uint32_t fill_add(Program *program, Arena *arena, Fill fill) {
    fill.offset = program->register_bytes;
    /* Predicates take a whole line as well: they are few, and vectors stay aligned. */
    program->register_bytes += fill.class == 0 ? 64 : vector_bytes[fill.class];
    *vec_add(arena, &program->fills) = fill;
    return fill.offset;
}

/* Fills with equal contents share a vector. */
static uint32_t fill_find(Program *program, Arena *arena, Fill fill, const char *key) {
    uint64_t offset;
    if (map_get(program->decoding->values, str_of(key), &offset))
        return (uint32_t)offset;
    offset = fill_add(program, arena, fill);
    map_put(program->decoding->values, str_of(key), offset);
    return (uint32_t)offset;
}

uint32_t decode_value(Program *program, Arena *arena, uint8_t class, uint64_t value) {
    const char *key = arena_printf(arena, "v%u %llx", class, (unsigned long long)value);
    return fill_find(program, arena, (Fill){.kind = FILL_VALUE, .class = class, .value = value},
                     key);
}

static uint32_t decode_special(Program *program, Arena *arena, uint8_t class,
                               const Operand *operand) {
    const char *key = arena_printf(arena, "s%u %u %llu", class, operand->special,
                                   (unsigned long long)operand->bits);
    return fill_find(program, arena,
                     (Fill){.kind = FILL_SPECIAL,
                            .class = class,
                            .special = operand->special,
                            .value = operand->bits},
                     key);
}

uint64_t decode_variable(const Program *program, const Variable *variable) {
    const Function *function = program->function;
    switch (variable->space) {
    case SPACE_SHARED:
        if (variable->bytes == 0)
            return program->dynamic_at;
        return program->shared_base + variable->offset;
    case SPACE_LOCAL:
        return variable->offset;
    case SPACE_PARAM:
        for (uint32_t i = 0; i < function->params.count; i++) {
            if (function->params.at[i] == variable)
                return variable->offset;
        }
        for (uint64_t i = 0, at = program->params_at; i < function->locals.count; i++) {
            const Variable *local = function->locals.at[i];
            if (local->space != SPACE_PARAM)
                continue;
            uint64_t align = local->align > 8 ? local->align : 8;
            at = (at + align - 1) & ~(align - 1);
            if (local == variable)
                return at;
            at += local->bytes;
        }
        return 0;
    default:
        return loaded_address(program->loaded, variable);
    }
}

uint32_t decode_operand(Program *program, Arena *arena, const Operand *operand, uint8_t *class) {
    const Layout *layout = &program->decoding->layout;
    uint32_t reg = operand->reg;
    switch (operand->kind) {
    case OPERAND_ADDRESS:
        if (reg == NO_REG) {
            uint64_t base = operand->variable ? decode_variable(program, operand->variable) : 0;
            *class = 2;
            return decode_value(program, arena, 2, base + (uint64_t)operand->offset);
        }
        *class = layout->slots.class[reg];
        return layout->at[*class] + layout->slots.slot[reg] * vector_bytes[*class];
    case OPERAND_REG:
        *class = layout->slots.class[reg];
        return layout->at[*class] + layout->slots.slot[reg] * vector_bytes[*class];
    case OPERAND_IMM:
        *class = class_of_type(operand->type);
        return decode_value(program, arena, *class, operand->bits);
    case OPERAND_SYMBOL:
        *class = class_of_type(operand->type);
        return decode_value(program, arena, *class,
                            decode_variable(program, operand->variable) +
                                (uint64_t)operand->offset);
    case OPERAND_SPECIAL:
        *class = class_of_type(operand->type);
        return decode_special(program, arena, *class, operand);
    default:
        *class = 0;
        return NO_OPERAND;
    }
}

static void note_read(void *context, uint32_t reg, bool defined) {
    uint8_t *read = context;
    if (!defined)
        read[reg] = 1;
}

static uint8_t *find_reads(Arena *arena, const Function *function) {
    uint8_t *read = NEW_ARRAY(arena, uint8_t, function->regs.count + 1);
    for (uint32_t i = 0; i < function->insns.count; i++)
        insn_registers(&function->insns.at[i], note_read, read);
    return read;
}

bool decode_is_read(const Program *program, uint32_t reg) {
    return program->decoding->read[reg];
}

/* ---- places ---- */

static void layout_registers(Program *program, Arena *arena) {
    Layout *layout = &program->decoding->layout;
    layout->slots = liveness_slots(arena, program->function);
    for (uint32_t class = 0; class < 4; class ++) {
        layout->at[class] = program->register_bytes;
        program->register_bytes += layout->slots.counts[class] * vector_bytes[class];
        program->register_bytes = (program->register_bytes + 63) & ~63u;
    }
}

static void layout_memory(Program *program) {
    const Function *function = program->function;
    uint32_t align = 16;
    for (uint32_t i = 0; i < function->shared.count; i++) {
        if (function->shared.at[i]->bytes == 0 && function->shared.at[i]->align > align)
            align = function->shared.at[i]->align;
    }
    program->shared_base = program->gpu->major >= 9 ? program->gpu->shared_reserved : 0;
    program->shared_static = function->shared_bytes;
    program->dynamic_at =
        (program->shared_base + program->shared_static + align - 1) & ~(align - 1);
    program->local_bytes = function->local_bytes;
    program->params_at = (program->local_bytes + 15) & ~15u;
    uint32_t end = program->params_at;
    for (uint32_t i = 0; i < function->locals.count; i++) {
        const Variable *local = function->locals.at[i];
        if (local->space == SPACE_PARAM) {
            uint32_t place = (uint32_t)decode_variable(program, local);
            end = place + (uint32_t)local->bytes;
        }
    }
    program->frame_bytes = (end + 15) & ~15u;
}

/* ---- instructions ---- */

static bool is_clock(const Operand *operand) {
    return operand->kind == OPERAND_SPECIAL && operand->special >= SREG_CLOCK &&
           operand->special <= SREG_GLOBALTIMER_HI;
}

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

static void place_vector(Program *program, Arena *arena, const Operand *operand, Code *code) {
    uint8_t class;
    code->count = operand->count;
    code->vector = NEW_ARRAY(arena, uint32_t, operand->count);
    for (uint32_t i = 0; i < operand->count; i++)
        code->vector[i] = decode_operand(program, arena, &operand->elements[i], &class);
}

static void place_result(Program *program, Arena *arena, const Operand *operand, Code *code) {
    uint8_t class;
    if (operand->kind == OPERAND_PAIR) {
        code->d = decode_operand(program, arena, &operand->elements[0], &code->d_class);
        code->d2 = decode_operand(program, arena, &operand->elements[1], &class);
    } else if (operand->kind == OPERAND_VECTOR) {
        place_vector(program, arena, operand, code);
    } else {
        code->d = decode_operand(program, arena, operand, &code->d_class);
    }
}

/* d, d2, a, b, c, e from the operands in their order, for the operations that are no memory access. */
static void place_operands(Program *program, Arena *arena, const Insn *insn, Code *code) {
    uint32_t first = 0, read = 0;
    uint8_t class = 0;
    const char *spec = op_info(insn->op)->operands;
    if (spec[0] == '=' && insn->operand_count > 0) {
        place_result(program, arena, &insn->operands[0], code);
        first = 1;
    }
    for (uint32_t i = first; i < insn->operand_count && read < 4; i++, read++) {
        const Operand *operand = &insn->operands[i];
        uint32_t *places[4] = {&code->a, &code->b, &code->c, &code->e};
        uint8_t *classes[4] = {&code->a_class, &code->b_class, &code->c_class, &class};
        if (operand->kind == OPERAND_VECTOR)
            place_vector(program, arena, operand, code);
        else
            *places[read] = decode_operand(program, arena, operand, classes[read]);
        code->negated |= (uint32_t)operand->negated << read;
    }
}

static bool lookup(Program *program, Arena *arena, const Insn *insn, Code *code) {
    if (memory_decode(program, arena, insn, code) || atomic_decode(program, arena, insn, code) ||
        async_decode(program, arena, insn, code) || matrix_decode(program, arena, insn, code) ||
        barrier_decode(program, arena, insn, code) || control_decode(program, arena, insn, code))
        return true;
    if (insn->operand_count == 2 && is_clock(&insn->operands[1])) {
        code->full = code->some = exec_clock;
        return true;
    }
    return warpwide_decode(program, arena, insn, code) ||
           ops_lookup(insn->op, code, &code->full, &code->some);
}

static bool decode_insn(Program *program, Arena *arena, const Insn *insn, Code *code) {
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
                   .site = insn->site};
    if (insn->guard != NO_REG) {
        Operand guard = {.kind = OPERAND_REG, .reg = insn->guard};
        code->guard = decode_operand(program, arena, &guard, &class);
        code->guard_flip = insn->guard_negated ? FULL_MASK : 0;
    }
    if (insn->op != OP_call)
        place_operands(program, arena, insn, code);
    return lookup(program, arena, insn, code);
}

AccessKind code_access_kind(const Code *code) {
    switch (code->insn->op) {
    case OP_st:
        return ACCESS_STORE;
    case OP_ldmatrix:
        return ACCESS_LDMATRIX;
    case OP_stmatrix:
        return ACCESS_STMATRIX;
    case OP_cp_async:
        return code->mods.flags & MOD_CG ? ACCESS_CP_ASYNC_CG : ACCESS_CP_ASYNC_CA;
    case OP_atom:
    case OP_atom_cas:
    case OP_red:
        return atomic_kind(code);
    default:
        return ACCESS_LOAD;
    }
}

static Place place_of(const Function *function, const Insn *insn) {
    const Module *module = function->module;
    return (Place){module->name, module->text, insn->line, insn->column,
                   (uint32_t)insn->text.length};
}

Program *program_decode(Arena *arena, const Function *function, const Loaded *loaded,
                        const Gpu *gpu, Diags *diags) {
    Program *program = NEW(arena, Program);
    program->function = function;
    program->loaded = loaded;
    program->gpu = gpu;
    program->decoding = NEW(arena, Decoding);
    program->decoding->values = map_new(arena);
    program->decoding->read = find_reads(arena, function);
    layout_registers(program, arena);
    layout_memory(program);
    uint32_t count = function->insns.count;
    program->code = arena_alloc_aligned(arena, (count + 1) * sizeof *program->code, 64);
    program->block_of = NEW_ARRAY(arena, uint32_t, count + 1);
    program->order = block_order(arena, function);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t i = 0; i < block->count; i++)
            program->block_of[block->first + i] = b;
    }
    uint32_t errors = diags->errors;
    for (uint32_t i = 0; i < count && diags->errors < errors + 20; i++) {
        const Insn *insn = &function->insns.at[i];
        if (!decode_insn(program, arena, insn, &program->code[i]))
            diags_add(diags, DIAG_ERROR, place_of(function, insn),
                      "this instruction cannot be executed yet (row %s)", op_info(insn->op)->id);
    }
    program->register_bytes = (program->register_bytes + 63) & ~63u;
    return diags->errors > errors ? NULL : program;
}
