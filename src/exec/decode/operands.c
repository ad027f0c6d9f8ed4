/* The places of operands: a slot of the function at hand, or a vector that is filled before a warp runs. */
#include "exec/decode/operands.h"
#include "exec/calls/calls.h"

const uint32_t vector_bytes[4] = {4, 4 * WARP_LANES, 8 * WARP_LANES, 16 * WARP_LANES};

uint32_t decode_slot(const Routine *routine, uint8_t class, uint32_t slot) {
    return routine->at[class] + slot * vector_bytes[class];
}

static uint8_t class_of_type(Type type) {
    if (type == TYPE_PRED)
        return 0;
    uint32_t bytes = type_bytes(type);
    return bytes <= 4 ? 1 : bytes <= 8 ? 2 : 3;
}

uint32_t fill_add(Decoding *decoding, Fill fill) {
    fill.offset = decoding->program->register_bytes;
    /* Predicates take a whole line as well: they are few, and vectors stay aligned. */
    decoding->program->register_bytes += fill.class == 0 ? 64 : vector_bytes[fill.class];
    *vec_add(decoding->arena, &decoding->program->fills) = fill;
    return fill.offset;
}

/* Fills with equal contents share a vector. */
static uint32_t fill_find(Decoding *decoding, Fill fill, const char *key) {
    uint64_t offset;
    if (map_get(decoding->values, str_of(key), &offset))
        return (uint32_t)offset;
    offset = fill_add(decoding, fill);
    map_put(decoding->values, str_of(key), offset);
    return (uint32_t)offset;
}

uint32_t decode_value(Decoding *decoding, uint8_t class, uint64_t value) {
    const char *key = arena_printf(decoding->arena, "v%u %llx", class, (unsigned long long)value);
    return fill_find(decoding, (Fill){.kind = FILL_VALUE, .class = class, .value = value}, key);
}

/* An address that is another one in another process: of a function, or in global memory. */
static uint32_t decode_place(Decoding *decoding, uint8_t class, uint64_t value) {
    const char *key = arena_printf(decoding->arena, "p%u %llx", class, (unsigned long long)value);
    Fill fill = {.kind = FILL_VALUE, .class = class, .value = value, .is_place = true};
    return fill_find(decoding, fill, key);
}

static uint32_t decode_special(Decoding *decoding, uint8_t class, const Operand *operand) {
    const char *key = arena_printf(decoding->arena, "s%u %u %llu", class, operand->special,
                                   (unsigned long long)operand->bits);
    return fill_find(decoding,
                     (Fill){.kind = FILL_SPECIAL,
                            .class = class,
                            .special = operand->special,
                            .value = operand->bits},
                     key);
}

uint64_t decode_variable(const Decoding *decoding, const Variable *variable) {
    const ParamPlace *place;
    switch (variable->space) {
    case SPACE_SHARED:
        return shared_address(&decoding->program->shared, variable);
    case SPACE_LOCAL:
        return variable->offset;
    case SPACE_PARAM:
        place = calls_place(decoding->routine, variable);
        return place ? place->at : variable->offset;
    default:
        return loaded_address(decoding->program->loaded, variable);
    }
}

/* variable: or NULL. */
static uint32_t decode_symbol(Decoding *decoding, uint8_t class, const Variable *variable,
                              int64_t offset) {
    uint64_t value = (variable ? decode_variable(decoding, variable) : 0) + (uint64_t)offset;
    bool placed = variable && (variable->space == SPACE_GLOBAL || variable->space == SPACE_CONST);
    return placed ? decode_place(decoding, class, value) : decode_value(decoding, class, value);
}

uint32_t decode_operand(Decoding *decoding, const Operand *operand, uint8_t *class) {
    const Routine *routine = decoding->routine;
    uint32_t reg = operand->reg;
    switch (operand->kind) {
    case OPERAND_ADDRESS:
        if (reg == NO_REG) {
            *class = 2;
            return decode_symbol(decoding, 2, operand->variable, operand->offset);
        }
        *class = routine->slots.class[reg];
        return decode_slot(routine, *class, routine->slots.slot[reg]);
    case OPERAND_REG:
        *class = routine->slots.class[reg];
        return decode_slot(routine, *class, routine->slots.slot[reg]);
    case OPERAND_IMM:
        *class = class_of_type(operand->type);
        return decode_value(decoding, *class, operand->bits);
    case OPERAND_SYMBOL:
        *class = class_of_type(operand->type);
        return decode_symbol(decoding, *class, operand->variable, operand->offset);
    case OPERAND_FUNCTION:
        *class = class_of_type(operand->type);
        return decode_place(decoding, *class, function_address(operand->function));
    case OPERAND_SPECIAL:
        *class = class_of_type(operand->type);
        return decode_special(decoding, *class, operand);
    default:
        *class = 0;
        return NO_OPERAND;
    }
}

void decode_coordinates(Decoding *decoding, const Operand *address, uint32_t offsets[4]) {
    uint8_t class;
    for (uint32_t i = 0; i < address->count; i++)
        offsets[i] = decode_operand(decoding, &address->elements[i], &class);
}
