/* Loads and stores whose place is known when they are decoded: parameters of the kernel, and
 * parameters and variables of functions that are called, which are in registers or in a frame. */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"
#include "exec/lanes/lanes.h"

#include <string.h>

/* ---- parameters of the kernel ---- */

Step exec_param(Warp *warp, const Code *code, uint32_t mask) {
    const Elements *elements = code->more;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        if (cell->sink)
            continue;
        if (cell->class == 1) {
            const uint32_t *from = reg32(warp, code->vector[i]);
            uint32_t *to = reg32(warp, cell->offset);
            for_lanes(lane, mask) to[lane] = from[lane] & cell->keep;
        } else {
            const uint64_t *from = reg64(warp, code->vector[i]);
            uint64_t *to = reg64(warp, cell->offset);
            uint32_t each = cell->class == 3 ? 2 : 1;
            for_lanes(lane, mask) memcpy(to + each * lane, from + each * lane, 8 * each);
        }
    }
    return STEP_NEXT;
}

/* The same for all lanes, of registers that take all bits. */
static Step exec_param_full(Warp *warp, const Code *code, uint32_t mask) {
    (void)mask;
    const Elements *elements = code->more;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        memcpy(warp->registers + cell->offset, warp->registers + code->vector[i],
               (size_t)64 << cell->class);
    }
    return STEP_NEXT;
}

/* [variable + offset] of a kernel parameter, without a register: known at launch. What reaches beyond
 * the parameters is left to the access itself, which faults. */
static bool fixed_param(const Insn *insn, const Operand *address, uint32_t width) {
    if (insn->mods.space != SPACE_PARAM || address->reg != NO_REG ||
        address->variable->space != SPACE_PARAM || !address->variable->owner->is_entry)
        return false;
    uint64_t at = address->variable->offset + (uint64_t)address->offset;
    uint64_t end = address->variable->owner->param_bytes;
    return at <= end && end - at >= width;
}

static bool is_entry_param(const Function *function, const Variable *variable) {
    for (uint32_t i = 0; i < function->params.count; i++) {
        if (function->params.at[i] == variable)
            return true;
    }
    return false;
}

static void decode_fixed(Decoding *decoding, const Operand *address, Code *code) {
    Elements *elements = code->more;
    code->vector = NEW_ARRAY(decoding->arena, uint32_t, elements->count);
    code->count = (uint8_t)elements->count;
    code->full = exec_param_full;
    code->some = exec_param;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        if (cell->sink || (cell->class == 1 && cell->keep != FULL_MASK))
            code->full = exec_param;
        Fill one = {.kind = FILL_PARAM,
                    .class = cell->sink ? 1 : cell->class,
                    .value =
                        address->variable->offset + (uint64_t)address->offset + i * elements->bytes,
                    .bytes = elements->bytes < 8 ? elements->bytes : 8,
                    .sign = type_is_signed(elements->type)};
        code->vector[i] = fill_add(decoding, one);
    }
}

void param_decode(Decoding *decoding, const Operand *address, Code *code) {
    const Function *function = decoding->function;
    const Elements *elements = code->more;
    bool entry = address->variable && is_entry_param(function, address->variable);
    if (entry && elements->bytes <= 8 && fixed_param(code->insn, address, elements->width))
        decode_fixed(decoding, address, code);
    else if (!function->is_entry || (address->variable && !entry))
        code->space = SPACE_LOCAL; /* a parameter of a function or of a call */
}

/* ---- frames of functions that were called: they begin elsewhere in each activation ---- */

static Step exec_frame(Warp *warp, const Code *code, uint32_t mask) {
    bool writes = code->insn->op == OP_st;
    for (const Elements *elements = code->more; elements; elements = elements->next) {
        Touch touch;
        uint64_t address = warp->current->frame + (uint64_t)code->offset + elements->skip;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            touch.address[lane] = address;
        touch.pattern = pattern_of(touch.address, mask);
        if (elements_access(warp, code, elements, &touch, SPACE_LOCAL, mask, writes) != STEP_NEXT)
            return STEP_FAULT;
    }
    return STEP_NEXT;
}

/* mov or cvta of the address of a variable in the frame. */
static Step exec_frame_address(Warp *warp, const Code *code, uint32_t mask) {
    uint64_t base = code->insn->op == OP_cvta ? WINDOW_LOCAL : 0;
    uint64_t address = base + warp->current->frame + (uint64_t)code->offset;
    if (code->d_class == 2)
        for_lanes(lane, mask) reg64(warp, code->d)[lane] = address;
    else
        for_lanes(lane, mask) reg32(warp, code->d)[lane] = (uint32_t)address;
    return STEP_NEXT;
}

static bool in_frame(const Decoding *decoding, const Variable *variable) {
    if (!variable || variable->space == SPACE_LOCAL)
        return variable && variable->owner;
    const ParamPlace *place = calls_place(decoding->routine, variable);
    return place && place->in_frame;
}

bool frame_decode(Decoding *decoding, const Insn *insn, Code *code) {
    if (!op_has(insn->op, TRAIT_MOVES) || decoding->function->is_entry)
        return false;
    const Operand *from = &insn->operands[1];
    if (from->kind != OPERAND_SYMBOL || !in_frame(decoding, from->variable))
        return false;
    code->offset = (int64_t)decode_variable(decoding, from->variable) + from->offset;
    code->full = code->some = exec_frame_address;
    return true;
}

void frame_access_decode(const Decoding *decoding, const Operand *address, Code *code) {
    bool plain = code->full == load_any || code->full == store_any;
    if (!plain || decoding->function->is_entry || address->reg != NO_REG ||
        !in_frame(decoding, address->variable))
        return;
    code->offset = (int64_t)decode_variable(decoding, address->variable) + address->offset;
    code->space = SPACE_LOCAL;
    code->full = code->some = exec_frame;
}

/* ---- parameters of functions in registers ---- */

bool param_register_decode(Decoding *decoding, const Insn *insn, Code *code) {
    bool writes = op_access(insn->op) == OP_ACCESS_STORE;
    const Operand *address = &insn->operands[writes ? 0 : 1];
    const ParamPlace *place =
        address->variable ? calls_place(decoding->routine, address->variable) : NULL;
    if (!place || place->in_frame)
        return false;
    uint8_t class;
    uint32_t data = decode_operand(decoding, &insn->operands[writes ? 1 : 0], &class);
    code->d = writes ? place->at : data;
    code->a = writes ? data : place->at;
    code->d_class = code->a_class = place->class;
    code->negated = code->count = 0;
    code->mods.type = place->class == 2 ? TYPE_B64 : TYPE_B32;
    return ops_lookup(OP_mov, code, &code->full, &code->some);
}
