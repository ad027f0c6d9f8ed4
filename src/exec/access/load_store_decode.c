/* What is known of a load or store before it is executed: its elements, which of them ptxas loads, the
 * access that is counted for it, whether the fast path may do it. */
#include "exec/access/load_store.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"

static uint32_t bits_kept(const Function *function, const Operand *operand) {
    if (operand->kind != OPERAND_REG)
        return FULL_MASK;
    uint32_t bytes = type_bytes(function->regs.at[operand->reg].type);
    return bytes >= 4 ? FULL_MASK : (1u << 8 * bytes) - 1;
}

static Elements *decode_elements(Decoding *decoding, const Insn *insn, const Operand *data) {
    Elements *elements = NEW(decoding->arena, Elements);
    bool vector = data->kind == OPERAND_VECTOR;
    elements->type = (Type)insn->mods.type;
    elements->bytes = type_bytes(elements->type);
    elements->count = vector ? data->count : 1;
    elements->width = elements->bytes * elements->count;
    bool weak = insn->mods.order == ORDER_WEAK;
    elements->spins = !weak && insn->op == OP_ld;
    elements->whole =
        !weak && elements->count > 1 && (elements->width == 8 || elements->width == 16);
    for (uint32_t i = 0; i < elements->count && i < 8; i++) {
        const Operand *one = vector ? &data->elements[i] : data;
        Cell *cell = &elements->cell[i];
        cell->sink = one->kind == OPERAND_SINK;
        cell->keep = bits_kept(decoding->function, one);
        if (!cell->sink)
            cell->offset = decode_operand(decoding, one, &cell->class);
    }
    return elements;
}

/* How the fast path moves the elements; MOVE_ANY: it does not. */
static Move decode_move(const Elements *elements) {
    const uint8_t class = elements->cell[0].class;
    if (class != 2 && (class != 1 || elements->bytes == 8))
        return MOVE_ANY;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        bool cut = cell->keep != FULL_MASK && type_is_signed(elements->type);
        if (cell->sink || cell->class != class || cut)
            return MOVE_ANY;
    }
    const bool is_signed = type_is_signed(elements->type), wide = class == 2;
    switch (elements->bytes) {
    case 1:
        return wide ? (is_signed ? MOVE_S8_WIDE : MOVE_U8_WIDE) : is_signed ? MOVE_S8 : MOVE_U8;
    case 2:
        return wide ? (is_signed ? MOVE_S16_WIDE : MOVE_U16_WIDE) : is_signed ? MOVE_S16 : MOVE_U16;
    case 4:
        return !wide ? MOVE_32 : is_signed ? MOVE_S32_WIDE : MOVE_U32_WIDE;
    case 8:
        return MOVE_64;
    default:
        return MOVE_ANY;
    }
}

static Elements *piece_of(Arena *arena, const Elements *whole, VectorPiece piece) {
    Elements *elements = NEW(arena, Elements);
    *elements = *whole;
    elements->count = piece.count;
    elements->width = piece.count * whole->bytes;
    elements->skip = piece.first * whole->bytes;
    for (uint32_t i = 0; i < piece.count; i++)
        elements->cell[i] = whole->cell[piece.first + i];
    return elements;
}

/* The elements that ptxas loads, and what is counted for them. */
static Elements *decode_lowered(Arena *arena, const LoweredAccess *lowered, Elements *elements) {
    const VectorPiece *pieces = lowered->pieces;
    if (pieces[0].count && pieces[0].count < elements->count) {
        Elements *whole = elements;
        elements = piece_of(arena, whole, pieces[0]);
        if (pieces[1].count)
            elements->next = piece_of(arena, whole, pieces[1]);
    }
    if (lowered->accesses) {
        elements->count_width = lowered->width;
        elements->count_skip = lowered->skip - (int32_t)elements->skip;
        elements->count_used = lowered->used;
    }
    if (lowered->accesses == 2)
        elements->next->count_width = elements->next->width;
    return elements;
}

static uint32_t cost_of(const Elements *elements, const Code *code, bool writes) {
    uint32_t period = code->space == SPACE_SHARED ? BANK_BYTES : LINE_BYTES;
    uint32_t offset = (uint32_t)(code->offset + elements->skip + elements->count_skip);
    uint32_t key =
        cost_key(writes ? ACCESS_STORE : ACCESS_LOAD, code->space, elements->count_width);
    return elements->count_width ? key * LINE_BYTES + offset % period : 0;
}

static void decode_access(Decoding *decoding, const Insn *insn, Code *code) {
    bool writes = insn->op == OP_st;
    const Operand *address = &insn->operands[writes ? 0 : 1];
    const Operand *data = &insn->operands[writes ? 1 : 0];
    Elements *elements = decode_elements(decoding, insn, data);
    if (insn->site != NO_SITE) {
        const LoweredAccess *lowered = &decoding->program->lowered[code->site];
        if (lowered->dropped) {
            code->full = code->some = exec_pass;
            return;
        }
        elements = decode_lowered(decoding->arena, lowered, elements);
    }
    code->more = elements;
    code->space = (uint8_t)insn->mods.space;
    code->full = code->some = writes ? store_any : load_any;
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    elements->move = decode_move(elements);
    if (insn->op == OP_ldu && code->space == SPACE_GENERIC)
        code->space = SPACE_GLOBAL;
    bool straight = code->space == SPACE_SHARED || code->space == SPACE_GLOBAL ||
                    (code->space == SPACE_CONST && !writes);
    bool releases = insn->mods.order == ORDER_RELEASE; /* store_any does that */
    if (straight && !releases && elements->move != MOVE_ANY && insn->site != NO_SITE &&
        !elements->whole && !elements->next) {
        code->full = ops_access(code->space, writes);
        code->some = ops_scattered(code->space, writes);
        elements->swept = true;
    }
    elements->cost_of = cost_of(elements, code, writes);
    if (code->space == SPACE_PARAM)
        param_decode(decoding, address, code);
}

bool memory_decode(Decoding *decoding, const Insn *insn, Code *code) {
    if (param_register_decode(decoding, insn, code))
        return true;
    decode_access(decoding, insn, code);
    frame_access_decode(decoding, &insn->operands[insn->op == OP_st ? 0 : 1], code);
    return true;
}

Elements *code_swept(const Code *code) {
    Elements *elements = op_has(code->insn->op, TRAIT_ELEMENTS) ? code->more : NULL;
    return elements && elements->swept ? elements : NULL;
}
