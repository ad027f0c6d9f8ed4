/* Loads and stores of every space and width, and the conversions between address spaces. */
#include "exec/load_store.h"
#include "exec/merge.h"
#include "exec/tier.h"

#include <string.h>

/* ---- moving the bytes of one element per lane ---- */

/* expression: what the register gets of `value`. */
#define GATHER(Memory, Register, expression)                                                       \
    for_lanes(lane, mask) {                                                                        \
        Memory value;                                                                              \
        memcpy(&value, touch_place(touch, lane) + skip, sizeof value);                             \
        ((Register *)to)[lane] = (Register)(expression);                                           \
    }

/* keep: bits of the register's type, for registers narrower than their 32-bit lanes. */
static void load_narrow(const Touch *touch, uint32_t mask, Type type, uint32_t skip, void *to,
                        uint32_t keep) {
    if (type == TYPE_S8)
        GATHER(int8_t, uint32_t, (uint32_t)value & keep)
    else if (type == TYPE_S16)
        GATHER(int16_t, uint32_t, (uint32_t)value & keep)
    else if (type_bytes(type) == 1)
        GATHER(uint8_t, uint32_t, value)
    else if (type_bytes(type) == 2)
        GATHER(uint16_t, uint32_t, value)
    else
        GATHER(uint32_t, uint32_t, value)
}

static void load_wide(const Touch *touch, uint32_t mask, Type type, uint32_t skip, void *to) {
    if (type == TYPE_S8)
        GATHER(int8_t, uint64_t, (int64_t)value)
    else if (type == TYPE_S16)
        GATHER(int16_t, uint64_t, (int64_t)value)
    else if (type == TYPE_S32)
        GATHER(int32_t, uint64_t, (int64_t)value)
    else if (type_bytes(type) == 1)
        GATHER(uint8_t, uint64_t, value)
    else if (type_bytes(type) == 2)
        GATHER(uint16_t, uint64_t, value)
    else if (type_bytes(type) == 4)
        GATHER(uint32_t, uint64_t, value)
    else
        GATHER(uint64_t, uint64_t, value)
}

static void load_quad(const Touch *touch, uint32_t mask, uint32_t skip, void *to) {
    for_lanes(lane, mask) memcpy((uint8_t *)to + 16 * lane, touch_place(touch, lane) + skip, 16);
}

static void load_element(const Warp *warp, const Touch *touch, const Elements *elements, uint32_t i,
                         uint32_t mask) {
    const Cell *cell = &elements->cell[i];
    uint32_t skip = i * elements->bytes;
    if (cell->sink)
        return;
    void *to = warp->registers + cell->offset;
    const Pattern *pattern = &touch->pattern;
    bool whole = touch->place == touch->address && pattern->affine &&
                 pattern->stride[0] == (int64_t)elements->bytes && elements->count == 1;
    if (whole && elements->bytes == 4 && cell->class == 1)
        memcpy(to, touch_place(touch, 0), 4 * WARP_LANES);
    else if (whole && elements->bytes == 8)
        memcpy(to, touch_place(touch, 0), 8 * WARP_LANES);
    else if (cell->class == 1)
        load_narrow(touch, mask, elements->type, skip, to, cell->keep);
    else if (cell->class == 2)
        load_wide(touch, mask, elements->type, skip, to);
    else
        load_quad(touch, mask, skip, to);
}

#define SCATTER(Memory, Register)                                                                  \
    for_lanes(lane, mask) {                                                                        \
        Memory value = (Memory)((const Register *)from)[lane];                                     \
        memcpy(touch_place(touch, lane) + skip, &value, sizeof value);                             \
    }

static void store_element(const Warp *warp, const Touch *touch, const Elements *elements,
                          uint32_t i, uint32_t mask) {
    const Cell *cell = &elements->cell[i];
    uint32_t skip = i * elements->bytes;
    const void *from = warp->registers + cell->offset;
    const Pattern *pattern = &touch->pattern;
    bool whole = touch->place == touch->address && pattern->affine &&
                 pattern->stride[0] == (int64_t)elements->bytes && elements->count == 1;
    if (whole && elements->bytes == 4 && cell->class == 1)
        memcpy(touch_place(touch, 0), from, 4 * WARP_LANES);
    else if (whole && elements->bytes == 8)
        memcpy(touch_place(touch, 0), from, 8 * WARP_LANES);
    else if (elements->bytes == 1 && cell->class == 1)
        SCATTER(uint8_t, uint32_t)
    else if (elements->bytes == 1)
        SCATTER(uint8_t, uint64_t)
    else if (elements->bytes == 2 && cell->class == 1)
        SCATTER(uint16_t, uint32_t)
    else if (elements->bytes == 2)
        SCATTER(uint16_t, uint64_t)
    else if (elements->bytes == 4 && cell->class == 1)
        SCATTER(uint32_t, uint32_t)
    else if (elements->bytes == 4)
        SCATTER(uint32_t, uint64_t)
    else if (elements->bytes == 8)
        SCATTER(uint64_t, uint64_t)
    else
        for_lanes(lane, mask)
            memcpy(touch_place(touch, lane) + skip, (const uint8_t *)from + 16 * lane, 16);
}

/* ---- executing ---- */

static void count(Warp *warp, const Code *code, const Elements *elements, const Touch *touch,
                  Space space, uint32_t mask, bool writes) {
    Access asked = {.kind = writes ? ACCESS_STORE : ACCESS_LOAD,
                    .space = touch->remote ? SPACE_GENERIC : space,
                    .width = elements->count_width,
                    .mask = mask,
                    .address = touch->address};
    if (space == SPACE_SHARED && touch->relaid && elements->count_used) {
        relaid_count(touch->relaid, warp, code, &asked,
                     (MergedAccess){elements->count_width, elements->bytes, elements->count_used},
                     elements->count_skip, touch->asked);
        return;
    }
    if (elements->count_skip == 0) {
        access_count(warp, code, &asked, &touch->pattern);
        return;
    }
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = touch->address[l] + (uint64_t)(int64_t)elements->count_skip;
    asked.address = address;
    Pattern pattern = pattern_of(address, mask);
    access_count(warp, code, &asked, &pattern);
}

static Step access(Warp *warp, const Code *code, const Elements *elements, Touch *touch,
                   Space space, uint32_t mask, bool writes) {
    if (touch_check(touch, warp, code, space, mask, elements->width, writes) != STEP_NEXT)
        return STEP_FAULT;
    if (elements->count_width)
        count(warp, code, elements, touch, space, mask, writes);
    for (uint32_t i = 0; i < elements->count; i++) {
        if (writes)
            store_element(warp, touch, elements, i, mask);
        else
            load_element(warp, touch, elements, i, mask);
    }
    return STEP_NEXT;
}

static Step execute(Warp *warp, const Code *code, const Elements *elements, uint32_t mask,
                    bool writes) {
    Touch touch;
    touch_addresses(&touch, warp, code->a, code->a_class, code->offset + elements->skip, mask);
    for (uint32_t rest = mask; rest;) {
        uint32_t now = rest;
        Space space = code->space == SPACE_GENERIC ? touch_split(&touch, &now) : code->space;
        if (access(warp, code, elements, &touch, space, now, writes) != STEP_NEXT)
            return STEP_FAULT;
        rest &= ~now;
    }
    return STEP_NEXT;
}

Step load_any(Warp *warp, const Code *code, uint32_t mask) {
    const Elements *elements = code->more;
    Step step = execute(warp, code, elements, mask, false);
    if (step == STEP_NEXT && elements->next)
        step = execute(warp, code, elements->next, mask, false);
    return step == STEP_NEXT && elements->spins ? warp_spins(warp) : step;
}

Step store_any(Warp *warp, const Code *code, uint32_t mask) {
    return execute(warp, code, code->more, mask, true);
}

static Step exec_nothing(Warp *warp, const Code *code, uint32_t mask) {
    (void)warp, (void)code, (void)mask;
    return STEP_NEXT;
}

/* ld.param of a kernel parameter at a fixed place: its vector was filled at launch. */
static Step exec_param(Warp *warp, const Code *code, uint32_t mask) {
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

/* ---- frames of functions that were called: they begin elsewhere in each activation ---- */

static Step exec_frame(Warp *warp, const Code *code, uint32_t mask) {
    bool writes = code->insn->op == OP_st;
    for (const Elements *elements = code->more; elements; elements = elements->next) {
        Touch touch;
        uint64_t address = warp->current->frame + (uint64_t)code->offset + elements->skip;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            touch.address[lane] = address;
        touch.pattern = pattern_of(touch.address, mask);
        if (access(warp, code, elements, &touch, SPACE_LOCAL, mask, writes) != STEP_NEXT)
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

static bool in_frame(const Program *program, const Variable *variable) {
    if (!variable || variable->space == SPACE_LOCAL)
        return variable && variable->owner;
    const ParamPlace *place = calls_place(program, variable);
    return place && place->in_frame;
}

bool frame_decode(Program *program, const Insn *insn, Code *code) {
    if ((insn->op != OP_mov && insn->op != OP_cvta) || program->function->is_entry)
        return false;
    const Operand *from = &insn->operands[1];
    if (from->kind != OPERAND_SYMBOL || !in_frame(program, from->variable))
        return false;
    code->offset = (int64_t)decode_variable(program, from->variable) + from->offset;
    code->full = code->some = exec_frame_address;
    return true;
}

/* ---- address conversions ---- */

static uint64_t window_base(Space space) {
    return space == SPACE_SHARED  ? WINDOW_SHARED
           : space == SPACE_LOCAL ? WINDOW_LOCAL
           : space == SPACE_PARAM ? WINDOW_PARAM
                                  : 0;
}

uint64_t memory_addend(const Code *code) {
    uint64_t base = window_base((Space)code->mods.space);
    return code->mods.flags & MOD_TO ? 0 - base : base;
}

static Step exec_cvta(Warp *warp, const Code *code, uint32_t mask) {
    uint64_t base = memory_addend(code);
    const uint64_t *from = reg64(warp, code->a);
    uint64_t *to = reg64(warp, code->d);
    for_lanes(lane, mask) to[lane] = from[lane] + base;
    return STEP_NEXT;
}

static Step exec_cvta_full(Warp *warp, const Code *code, uint32_t mask) {
    (void)mask;
    if (code->mods.space != SPACE_GLOBAL && code->mods.space != SPACE_CONST)
        return exec_cvta(warp, code, FULL_MASK);
    memmove(reg64(warp, code->d), reg64(warp, code->a), 8 * WARP_LANES);
    return STEP_NEXT;
}

static Step exec_isspacep(Warp *warp, const Code *code, uint32_t mask) {
    uint64_t base = window_base((Space)code->mods.space);
    bool constant = code->mods.space == SPACE_CONST;
    bool own = code->mods.space == SPACE_SHARED && !(code->mods.flags & MOD_CLUSTER);
    uint32_t yes = 0;
    for_lanes(lane, mask) {
        uint64_t address = reg64(warp, code->a)[lane];
        bool in = WINDOW_OF(address) == base && !(own && cluster_remote(warp, address));
        if (in && base == 0) { /* global and constant memory are told apart by the allocation */
            const MemoryBlock *block = memory_find(warp->worker->launch->memory, address, NULL);
            in = constant == (block && block->read_only);
        }
        yes |= (uint32_t)in << lane;
    }
    write_pred(warp, code->d, mask, yes);
    return STEP_NEXT;
}

/* Cache policies are opaque and without effect here. */
static Step exec_policy(Warp *warp, const Code *code, uint32_t mask) {
    for_lanes(lane, mask) reg64(warp, code->d)[lane] = 0;
    return STEP_NEXT;
}

CodeKind memory_kind(const Code *code) {
    return code->some == exec_param     ? KIND_PARAM
           : code->some == exec_cvta    ? KIND_ADDRESS
           : code->full == exec_nothing ? KIND_NOTHING
           : code->full == exec_pass    ? KIND_NOTHING
                                        : KIND_CALL;
}

/* ---- decoding ---- */

static uint32_t bits_kept(const Function *function, const Operand *operand) {
    if (operand->kind != OPERAND_REG)
        return FULL_MASK;
    uint32_t bytes = type_bytes(function->regs.at[operand->reg].type);
    return bytes >= 4 ? FULL_MASK : (1u << 8 * bytes) - 1;
}

static Elements *decode_elements(Program *program, Arena *arena, const Insn *insn,
                                 const Operand *data) {
    Elements *elements = NEW(arena, Elements);
    bool vector = data->kind == OPERAND_VECTOR;
    elements->type = (Type)insn->mods.type;
    elements->bytes = type_bytes(elements->type);
    elements->count = vector ? data->count : 1;
    elements->width = elements->bytes * elements->count;
    elements->count_width = insn->site != NO_SITE ? elements->width : 0;
    elements->spins = insn->mods.order != ORDER_WEAK && insn->op == OP_ld;
    for (uint32_t i = 0; i < elements->count && i < 8; i++) {
        const Operand *one = vector ? &data->elements[i] : data;
        Cell *cell = &elements->cell[i];
        cell->sink = one->kind == OPERAND_SINK;
        cell->keep = bits_kept(program->function, one);
        if (!cell->sink)
            cell->offset = decode_operand(program, arena, one, &cell->class);
    }
    return elements;
}

/* [variable + offset] of a kernel parameter, without a register: known at launch. */
static bool fixed_param(const Insn *insn, const Operand *address) {
    return insn->mods.space == SPACE_PARAM && address->reg == NO_REG && address->variable &&
           !address->variable->owner->results.count && address->variable->space == SPACE_PARAM &&
           address->variable->owner->is_entry;
}

static bool is_entry_param(const Function *function, const Variable *variable) {
    for (uint32_t i = 0; i < function->params.count; i++) {
        if (function->params.at[i] == variable)
            return true;
    }
    return false;
}

static void decode_param(Program *program, Arena *arena, const Operand *address, Code *code) {
    Elements *elements = code->more;
    code->vector = NEW_ARRAY(arena, uint32_t, elements->count);
    code->count = elements->count;
    code->full = exec_param_full;
    code->some = exec_param;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        if (cell->sink || (cell->class == 1 && cell->keep != FULL_MASK))
            code->full = exec_param;
        Fill *one = vec_add(arena, &program->fills);
        *one = (Fill){.kind = FILL_PARAM,
                      .class = cell->class,
                      .value = address->variable->offset + (uint64_t)address->offset +
                               i * elements->bytes,
                      .bytes = elements->bytes < 8 ? elements->bytes : 8,
                      .sign = type_is_signed(elements->type)};
        if (cell->sink)
            one->class = 1;
        one->offset = program->register_bytes;
        program->register_bytes += 128u << (one->class - 1);
        code->vector[i] = one->offset;
    }
}

/* How the fast path moves the elements; MOVE_ANY: it does not. */
static Move decode_move(const Elements *elements) {
    uint8_t class = elements->bytes == 8 ? 2 : 1;
    for (uint32_t i = 0; i < elements->count; i++) {
        const Cell *cell = &elements->cell[i];
        bool cut = cell->keep != FULL_MASK && type_is_signed(elements->type);
        if (cell->sink || cell->class != class || cut)
            return MOVE_ANY;
    }
    bool is_signed = type_is_signed(elements->type);
    switch (elements->bytes) {
    case 1:
        return is_signed ? MOVE_S8 : MOVE_U8;
    case 2:
        return is_signed ? MOVE_S16 : MOVE_U16;
    case 4:
        return MOVE_32;
    case 8:
        return MOVE_64;
    default:
        return MOVE_ANY;
    }
}

static Elements *piece_of(Arena *arena, const Elements *whole, Piece piece) {
    Elements *part = NEW(arena, Elements);
    *part = *whole;
    part->count = piece.count;
    part->width = piece.count * whole->bytes;
    part->count_width = whole->count_width ? part->width : 0;
    part->skip = piece.first * whole->bytes;
    for (uint32_t i = 0; i < piece.count; i++)
        part->cell[i] = whole->cell[piece.first + i];
    return part;
}

/* The load as ptxas makes it, with the elements that are read later; NULL: ptxas drops it. */
static Elements *decode_narrow(const Program *program, Arena *arena, const Operand *data,
                               Elements *whole) {
    uint32_t used = 0;
    Piece pieces[2];
    for (uint32_t i = 0; i < whole->count; i++) {
        const Operand *one = data->kind == OPERAND_VECTOR ? &data->elements[i] : data;
        if (one->kind == OPERAND_REG && decode_is_read(program, one->reg))
            used |= 1u << i;
    }
    uint32_t count = narrow_pieces(whole->count, whole->bytes, used, pieces);
    if (count == 0)
        return NULL;
    if (pieces[0].count == whole->count)
        return whole;
    Elements *first = piece_of(arena, whole, pieces[0]);
    if (count == 2)
        first->next = piece_of(arena, whole, pieces[1]);
    return first;
}

/* Counts the access as ptxas merges it with others. */
static void merge(Elements *elements, const Merge *merge) {
    if (!merge || (!merge->follows && !merge->width))
        return;
    elements->count_width = merge->width;
    elements->count_skip = merge->skip - (int32_t)elements->skip;
    elements->count_used = merge->used;
    if (elements->next)
        elements->next->count_width = 0;
}

/* See pattern_shared and pattern_global for what does not change the cost. */
static uint32_t cost_key(const Elements *elements, const Code *code, bool writes) {
    bool shared = code->space == SPACE_SHARED;
    uint32_t offset = (uint32_t)(code->offset + elements->skip + elements->count_skip);
    if (!elements->count_width)
        return 0;
    return elements->count_width << 16 | (uint32_t)shared << 9 | (uint32_t)writes << 8 |
           (offset & (shared ? BANK_BYTES - 1 : LINE_BYTES - 1));
}

static void decode_access(Program *program, Arena *arena, const Insn *insn, Code *code) {
    bool writes = insn->op == OP_st;
    const Operand *address = &insn->operands[writes ? 0 : 1];
    const Operand *data = &insn->operands[writes ? 1 : 0];
    Elements *elements = decode_elements(program, arena, insn, data);
    if (!writes && insn->mods.order == ORDER_WEAK && insn->mods.space != SPACE_PARAM) {
        elements = decode_narrow(program, arena, data, elements);
        if (!elements) {
            code->full = code->some = exec_nothing;
            return;
        }
    }
    merge(elements, decode_merge(program, insn));
    code->more = elements;
    code->space = (Space)insn->mods.space;
    code->full = code->some = writes ? store_any : load_any;
    code->a = decode_operand(program, arena, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    elements->move = decode_move(elements);
    if (insn->op == OP_ldu && code->space == SPACE_GENERIC)
        code->space = SPACE_GLOBAL;
    bool straight = code->space == SPACE_SHARED || code->space == SPACE_GLOBAL;
    if (straight && elements->move != MOVE_ANY && insn->site != NO_SITE && !elements->spins &&
        !elements->next)
        code->full = ops_access(code->space, writes);
    elements->swept = code->full != code->some;
    elements->cost_of = cost_key(elements, code, writes);
    if (code->space != SPACE_PARAM)
        return;
    bool entry = address->variable && is_entry_param(program->function, address->variable);
    if (entry && fixed_param(insn, address) && elements->bytes <= 8)
        decode_param(program, arena, address, code);
    else if (!program->function->is_entry || (address->variable && !entry))
        code->space = SPACE_LOCAL; /* a parameter of a function or of a call */
}

/* A .param variable that is in a register: moved there or from there. */
static bool decode_register(Program *program, Arena *arena, const Insn *insn, Code *code) {
    bool writes = insn->op == OP_st;
    const Operand *address = &insn->operands[writes ? 0 : 1];
    const ParamPlace *place = address->variable ? calls_place(program, address->variable) : NULL;
    if (!place || place->in_frame)
        return false;
    uint8_t class;
    uint32_t data = decode_operand(program, arena, &insn->operands[writes ? 1 : 0], &class);
    code->d = writes ? place->at : data;
    code->a = writes ? data : place->at;
    code->d_class = code->a_class = place->class;
    code->negated = code->count = 0;
    code->mods.type = place->class == 2 ? TYPE_B64 : TYPE_B32;
    return ops_lookup(OP_mov, code, &code->full, &code->some);
}

/* [variable + offset] of a variable in the frame of a function that is called. */
static void decode_frame(const Program *program, const Operand *address, Code *code) {
    bool plain = code->full == load_any || code->full == store_any;
    if (!plain || program->function->is_entry || address->reg != NO_REG ||
        !in_frame(program, address->variable))
        return;
    code->offset = (int64_t)decode_variable(program, address->variable) + address->offset;
    code->space = SPACE_LOCAL;
    code->full = code->some = exec_frame;
}

bool memory_decode(Program *program, Arena *arena, const Insn *insn, Code *code) {
    switch (insn->op) {
    case OP_ld:
    case OP_ldu:
    case OP_st:
        if (decode_register(program, arena, insn, code))
            return true;
        decode_access(program, arena, insn, code);
        decode_frame(program, &insn->operands[insn->op == OP_st ? 0 : 1], code);
        return true;
    case OP_prefetch:
    case OP_applypriority:
    case OP_discard: /* what is discarded may be anything: what it was, too */
        code->full = code->some = exec_nothing;
        return true;
    case OP_createpolicy_fractional:
    case OP_createpolicy_range:
    case OP_createpolicy_cvt:
        code->full = code->some = exec_policy;
        return true;
    case OP_cvta:
    case OP_cvta_to:
        code->full = exec_cvta_full;
        code->some = exec_cvta;
        if (insn->op == OP_cvta_to)
            code->mods.flags |= MOD_TO;
        return insn->mods.type == TYPE_U64;
    case OP_isspacep:
        code->full = code->some = exec_isspacep;
        return true;
    default:
        return false;
    }
}

static bool has_elements(const Code *code) {
    Op op = code->insn->op;
    return op == OP_ld || op == OP_ldu || op == OP_st;
}

Elements *code_swept(const Code *code) {
    Elements *elements = has_elements(code) ? code->more : NULL;
    return elements && elements->swept ? elements : NULL;
}

uint32_t code_width(const Code *code) {
    if (code->insn->op == OP_wmma_load || code->insn->op == OP_wmma_store)
        return wmma_width(code);
    const Elements *elements = code->more;
    if (!elements || !has_elements(code))
        return 0;
    return elements->count_width ? elements->count_width : elements->width;
}

MergedAccess code_merged(const Code *code) {
    const Elements *elements = code->more;
    if (!elements || !has_elements(code) || !elements->count_used)
        return (MergedAccess){0, 0, 0};
    return (MergedAccess){elements->count_width, elements->bytes, elements->count_used};
}

uint32_t code_accesses(const Code *code) {
    if (code->insn->op == OP_wmma_load || code->insn->op == OP_wmma_store)
        return wmma_accesses(code);
    if (!has_elements(code))
        return 1;
    uint32_t count = 0;
    for (const Elements *elements = code->more; elements; elements = elements->next)
        count += elements->count_width > 0;
    return count;
}
