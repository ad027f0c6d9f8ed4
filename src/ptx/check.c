/* Operands against their row: the operand strings of ops.def, compiled once per row and module into
 * slots, and the check of what stands in a slot. PTX ISA 9.2 and 9.4: sizes must agree; a register
 * of ld, st and cvt may be wider than the instruction's type; .bN agrees with every type of its
 * size. */
#include "ptx/parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS_VECTOR = 0, ELEMENTS_OFFSETS = 254, ELEMENTS_MATRICES = 255 };

/* ---- from the operand string to slots ---- */

static bool take_suffix(Str *text, char suffix) {
    if (text->length == 0 || text->at[text->length - 1] != suffix)
        return false;
    text->length--;
    return true;
}

static bool take_prefix(Str *text, char prefix) {
    if (text->length == 0 || text->at[0] != prefix)
        return false;
    *text = (Str){text->at + 1, text->length - 1};
    return true;
}

/* "t" "t2" "t3" "t4" "w" or the name of a type, each maybe with '>' or '&' */
static bool compile_type(Str text, Slot *slot) {
    static const char *const named[] = {"t", "t2", "t3", "t4", "w"};
    static const SlotType from[] = {SLOT_T, SLOT_T2, SLOT_T3, SLOT_T4, SLOT_WIDE};
    slot->wider = take_suffix(&text, '>');
    slot->packs = take_suffix(&text, '&');
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (str_is(text, named[i])) {
            slot->type_from = from[i];
            return true;
        }
    slot->type_from = SLOT_FIXED;
    slot->type = type_named(text);
    return slot->type != TYPE_NONE;
}

/* "sign" "bit" "none": constants that choose */
static bool compile_constant(Str text, Slot *slot) {
    slot->constants = str_is(text, "sign")   ? "-1 or 1"
                      : str_is(text, "bit")  ? "0 or 1"
                      : str_is(text, "none") ? "0"
                                             : NULL;
    slot->type = TYPE_S32;
    slot->immediate |= slot->constants != NULL;
    return slot->constants;
}

/* "{" type "}" [ "*" ( number | "matrices" | "offsets" ) ] */
static bool compile_vector(Str text, Slot *slot) {
    const char *close = memchr(text.at, '}', text.length);
    if (!close)
        return false;
    slot->kind = SLOT_VECTOR;
    slot->elements = ELEMENTS_VECTOR;
    Str type = {text.at + 1, (size_t)(close - text.at) - 1};
    Str count = {close + 1, text.length - type.length - 2};
    if (take_prefix(&count, '*')) {
        if (str_is(count, "matrices"))
            slot->elements = ELEMENTS_MATRICES;
        else if (str_is(count, "offsets"))
            slot->elements = ELEMENTS_OFFSETS;
        else
            for (size_t i = 0; i < count.length; i++)
                slot->elements = (uint8_t)(slot->elements * 10 + (count.at[i] - '0'));
    }
    return compile_type(type, slot);
}

static uint32_t take_number(Str *text, uint32_t otherwise) {
    if (text->length == 0 || !isdigit((unsigned char)text->at[0]))
        return otherwise;
    uint32_t number = 0;
    for (; text->length && isdigit((unsigned char)text->at[0]); take_prefix(text, text->at[0]))
        number = number * 10 + (uint32_t)(text->at[0] - '0');
    return number;
}

/* "(" [ least ] [ ".." most ] [ "/" multiple ] ")", taken off the end */
static bool compile_bounds(Str *text, Slot *slot) {
    const char *open = memchr(text->at, '(', text->length);
    if (!open)
        return true;
    Str bounds = {open + 1, (size_t)(text->at + text->length - open - 1)};
    text->length = (size_t)(open - text->at);
    bool any = str_starts(bounds, "/");
    slot->least = take_number(&bounds, 0);
    slot->most = any ? UINT32_MAX : slot->least;
    if (str_starts(bounds, "..")) {
        bounds = (Str){bounds.at + 2, bounds.length - 2};
        slot->most = take_number(&bounds, 0);
    }
    slot->multiple = take_prefix(&bounds, '/') ? take_number(&bounds, 0) : 1;
    return slot->multiple && str_is(bounds, ")");
}

/* slot = [ "=" | "+" ] [ "!" ] ( "[m]" | "[x]" | "[t]" | "label" | "labels" | "func" | "any" | "_"
 *        | "<" matrix ">" [ "|b64" ] | vector | "sign" | "bit" | "none" | type [ "|" type ] )
 *        { "?" | "#" } [ bounds ] */
static bool compile_slot(Str text, Slot *slot) {
    *slot = (Slot){.kind = SLOT_VALUE};
    if (!compile_bounds(&text, slot))
        return false;
    slot->written = take_prefix(&text, '=') || take_prefix(&text, '+');
    slot->negatable = take_prefix(&text, '!');
    slot->optional = take_suffix(&text, '?');
    slot->immediate = take_suffix(&text, '#');
    slot->optional |= take_suffix(&text, '?');
    const char *bar = memchr(text.at, '|', text.length);
    if (str_is(text, "[m]"))
        slot->kind = SLOT_ADDRESS;
    else if (str_is(text, "[x]"))
        slot->kind = SLOT_COORDINATES;
    else if (str_is(text, "[t]"))
        slot->kind = SLOT_TENSOR;
    else if (str_is(text, "label"))
        slot->kind = SLOT_LABEL;
    else if (str_is(text, "labels"))
        slot->kind = SLOT_LABELS;
    else if (str_is(text, "_"))
        slot->kind = SLOT_SINK;
    else if (str_is(text, "any") || str_is(text, "func"))
        slot->kind = SLOT_ANY;
    else if (text.length >= 3 && text.at[0] == '<') {
        slot->kind = SLOT_FRAGMENT;
        slot->fragment = text.at[1];
        slot->described = bar != NULL;
        return true;
    } else if (compile_constant(text, slot)) {
        return true;
    } else if (text.length && text.at[0] == '{')
        return compile_vector(text, slot);
    else if (bar) {
        Str second = {bar + 1, (size_t)(text.at + text.length - bar - 1)};
        slot->has_second = true;
        slot->second = type_named(second);
        return slot->second != TYPE_NONE &&
               compile_type((Str){text.at, (size_t)(bar - text.at)}, slot);
    } else {
        return compile_type(text, slot);
    }
    slot->negatable |= slot->kind == SLOT_ANY;
    return true;
}

bool check_compile(const char *operands, Row *row) {
    *row = (Row){0};
    while (*operands) {
        size_t length = strcspn(operands, ",");
        if (row->count == sizeof row->slots / sizeof *row->slots ||
            !compile_slot((Str){operands, length}, &row->slots[row->count++]))
            return false;
        operands += length;
        operands += strspn(operands, ", ");
    }
    return true;
}

const Row *check_row(Parser *parser, Op op) {
    if (!parser->rows[op]) {
        Row *row = NEW(parser->scratch, Row);
        check_compile(op_info(op)->operands, row); /* a test compiles every row */
        row->widens = op_has(op, TRAIT_CONVERTS);
        row->calls = op_has(op, TRAIT_CALLS);
        row->converts_addresses = op_has(op, TRAIT_ADDRESS);
        for (uint32_t i = 0; i < row->count; i++)
            row->addresses +=
                row->slots[i].kind == SLOT_ADDRESS || row->slots[i].kind == SLOT_TENSOR;
        parser->rows[op] = row;
    }
    return parser->rows[op];
}

Type slot_type(const Slot *slot, const Mods *mods) {
    switch (slot->type_from) {
    case SLOT_FIXED:
        return slot->type;
    case SLOT_T:
        return (Type)mods->type;
    case SLOT_T2:
        return (Type)mods->type2;
    case SLOT_T3:
        return (Type)mods->type3;
    case SLOT_T4:
        return (Type)mods->type4;
    case SLOT_WIDE:
        break;
    }
    switch ((Type)mods->type) {
    case TYPE_U16:
        return TYPE_U32;
    case TYPE_S16:
        return TYPE_S32;
    case TYPE_S32:
        return TYPE_S64;
    default:
        return TYPE_U64;
    }
}

/* ---- one operand ---- */

typedef struct OperandCheck {
    Parser *parser;
    const Insn *insn;
    const Row *row;
    const Slot *slot;
    const Token *at;
} OperandCheck;

static bool is_integer(Type type) {
    return !type_is_float(type) && !type_is_bits(type) && type != TYPE_PRED;
}

static bool check_register(const OperandCheck *check, Operand *operand) {
    const Reg *reg = &check->parser->function->regs.at[operand->reg];
    Type wanted = operand->type;
    bool wider = check->slot->wider || check->row->widens || type_bytes(wanted) == 1;
    uint32_t has = type_bytes(reg->type), wants = type_bytes(wanted);
    if ((reg->type == TYPE_PRED) != (wanted == TYPE_PRED))
        return parser_error(check->parser, check->at,
                            wanted == TYPE_PRED ? "expected a predicate; '%s' is .%s"
                                                : "'%s' is a predicate; expected a .%s",
                            reg->name, type_name(wanted == TYPE_PRED ? reg->type : wanted));
    if (wider ? has < wants : has != wants)
        return parser_error(check->parser, check->at, "'%s' is .%s; expected a register of %u%s",
                            reg->name, type_name(reg->type), 8 * wants,
                            wider ? " bits or more" : " bits");
    bool floats = type_is_float(wanted) && type_is_float(reg->type);
    bool mixed = (type_is_float(wanted) && is_integer(reg->type)) ||
                 (is_integer(wanted) && type_is_float(reg->type)) || (floats && has != wants);
    if (mixed && !type_is_bits((Type)check->insn->mods.type))
        return parser_error(check->parser, check->at, "'%s' is .%s; expected a .%s", reg->name,
                            type_name(reg->type), type_name(wanted));
    return true;
}

/* "-1 or 1" and the like: one of the numbers in the text. */
static bool check_choice(const OperandCheck *check, const Operand *operand) {
    const char *at = check->slot->constants;
    while (at) {
        char *end;
        if (strtol(at, &end, 10) == (int32_t)operand->bits)
            return true;
        at = strstr(end, "or ");
        at = at ? at + strlen("or ") : NULL;
    }
    return parser_error(check->parser, check->at, "expected %s", check->slot->constants);
}

static bool check_immediate(const OperandCheck *check, Operand *operand, Type raw) {
    Constant constant = {.is_float = type_is_float(raw),
                         .single = raw == TYPE_F32,
                         .is_unsigned = raw == TYPE_U64,
                         .bits = operand->bits};
    if (constant_convert(&constant, operand->type, &operand->bits))
        return !check->slot->constants || check_choice(check, operand);
    return parser_error(check->parser, check->at,
                        constant.is_float ? "a floating constant cannot stand for a .%s"
                                          : "an integer cannot stand for a .%s: write it as 0f…, "
                                            "0d… or with a decimal point",
                        type_name(operand->type));
}

/* Addresses of variables and functions: mov and cvta take them, others want a register. */
static bool check_symbol(const OperandCheck *check, const Operand *operand) {
    uint32_t bytes = type_bytes(operand->type);
    if (!check->slot->packs && !check->row->converts_addresses)
        return parser_error(check->parser, check->at,
                            "expected a register: only mov and cvta take the address of '%s'",
                            operand->variable ? operand->variable->name : operand->function->name);
    return bytes == 4 || bytes == 8 ||
           parser_error(check->parser, check->at, "an address does not fit into a .%s",
                        type_name(operand->type));
}

static bool check_special(const OperandCheck *check, const Operand *operand) {
    if (!check->slot->packs && !check->row->widens)
        return parser_error(check->parser, check->at,
                            "expected a register: only mov and cvt read special registers");
    return operand->type != TYPE_PRED || operand->special == SREG_IS_EXPLICIT_CLUSTER ||
           parser_error(check->parser, check->at, "expected a predicate");
}

static bool check_value(const OperandCheck *check, Operand *operand, Type type) {
    Type raw = operand->type;
    operand->type = type;
    bool written = check->slot->written;
    if (check->slot->immediate && operand->kind != OPERAND_IMM)
        return parser_error(check->parser, check->at, "expected a constant");
    if (written && (operand->kind == OPERAND_IMM || operand->kind == OPERAND_SPECIAL ||
                    operand->kind == OPERAND_SYMBOL || operand->kind == OPERAND_FUNCTION))
        return parser_error(check->parser, check->at, "expected a register to write to");
    if (operand->negated && type != TYPE_PRED)
        return parser_error(check->parser, check->at, "only a predicate can be negated");
    switch (operand->kind) {
    case OPERAND_REG:
        return check_register(check, operand);
    case OPERAND_IMM:
        return check_immediate(check, operand, raw);
    case OPERAND_SINK:
        return written || parser_error(check->parser, check->at, "'_' is for results only");
    case OPERAND_SYMBOL:
    case OPERAND_FUNCTION:
        return check_symbol(check, operand);
    case OPERAND_SPECIAL:
        return check_special(check, operand);
    case OPERAND_ADDRESS:
        return parser_error(check->parser, check->at, "an address in brackets cannot stand here");
    default:
        return parser_error(check->parser, check->at, "expected a register or a constant of .%s",
                            type_name(type));
    }
}

static bool check_elements(const OperandCheck *check, Operand *operand, Type type, uint32_t count) {
    operand->type = type;
    if (operand->kind != OPERAND_VECTOR || operand->count != count)
        return parser_error(check->parser, check->at, "expected %u elements in braces, each of .%s",
                            count, type_name(type));
    for (uint32_t i = 0; i < count; i++)
        if (!check_value(check, &operand->elements[i], type))
            return false;
    return true;
}

static bool check_vector(const OperandCheck *check, Operand *operand, Type type) {
    const Mods *mods = &check->insn->mods;
    uint32_t count = check->slot->elements == ELEMENTS_VECTOR     ? mods->vector
                     : check->slot->elements == ELEMENTS_MATRICES ? mods->matrices
                     : check->slot->elements == ELEMENTS_OFFSETS
                         ? geometry_rank((Geometry)mods->geometry) - 2
                         : check->slot->elements;
    if (count == 1 && operand->kind != OPERAND_VECTOR)
        return check_value(check, operand, type);
    return check_elements(check, operand, type, count);
}

/* The registers of a matrix; a single one may stand without braces. */
static bool check_fragment(const OperandCheck *check, Operand *operand) {
    Fragment fragment = fragment_of(check->insn->op, &check->insn->mods, check->slot->fragment);
    if (check->slot->described && operand->kind != OPERAND_VECTOR)
        return check_value(check, operand, TYPE_B64);
    if (fragment.registers == 1 && operand->kind != OPERAND_VECTOR)
        return check_value(check, operand, fragment.reg);
    return check_elements(check, operand, fragment.reg, fragment.registers);
}

static bool check_pair(const OperandCheck *check, Operand *operand, Type type) {
    operand->type = type;
    if (!check->slot->has_second)
        return parser_error(check->parser, check->at, "this instruction has no second result");
    return check_value(check, &operand->elements[0], type) &&
           check_value(check, &operand->elements[1], check->slot->second);
}

/* mov.b64 {lo, hi}, x and back: the elements share the bits of the type. */
static bool check_packed(const OperandCheck *check, Operand *operand, Type type) {
    uint32_t bytes = operand->count ? type_bytes(type) / operand->count : 0;
    Type element = bytes == 1   ? TYPE_B8
                   : bytes == 2 ? TYPE_B16
                   : bytes == 4 ? TYPE_B32
                   : bytes == 8 ? TYPE_B64
                                : TYPE_NONE;
    if (!type_is_bits(type) || element == TYPE_NONE || operand->count < 2 ||
        bytes * operand->count != type_bytes(type))
        return parser_error(check->parser, check->at, "%u elements do not make up a .%s",
                            operand->count, type_name(type));
    return check_elements(check, operand, element, operand->count);
}

/* A variable that is named lies in the space of the instruction, unless that has two addresses. */
static bool check_space(const OperandCheck *check, const Operand *operand) {
    Space space = (Space)check->insn->mods.space;
    const Variable *variable = operand->variable;
    bool generic = space == SPACE_GENERIC && variable && variable->space != SPACE_PARAM;
    if (!variable || generic || space == variable->space || check->row->addresses > 1)
        return true;
    return parser_error(check->parser, check->at, "'%s' is a .%s variable, not a .%s one",
                        variable->name, space_name(variable->space), space_name(space));
}

static bool check_address(const OperandCheck *check, Operand *operand) {
    const Mods *mods = &check->insn->mods;
    operand->type = (Type)mods->type;
    if (operand->kind != OPERAND_ADDRESS)
        return parser_error(check->parser, check->at, "expected an address in brackets");
    if (operand->count)
        return parser_error(check->parser, check->at, "this instruction takes no coordinates");
    if (operand->reg == NO_REG)
        return check_space(check, operand);
    const Reg *reg = &check->parser->function->regs.at[operand->reg];
    uint32_t bytes = type_bytes(reg->type);
    if ((bytes != 4 && bytes != 8) || type_is_float(reg->type))
        return parser_error(check->parser, check->at, "'%s' is .%s; an address has 32 or 64 bits",
                            reg->name, type_name(reg->type));
    return true;
}

/* [object, {x, y, …}]: the object is a register; of an array the index of its layer goes first. */
static bool check_coordinates(const OperandCheck *check, Operand *operand) {
    const Mods *mods = &check->insn->mods;
    Geometry geometry = (Geometry)mods->geometry;
    bool layered =
        geometry == GEOMETRY_A1D || geometry == GEOMETRY_A2D || geometry == GEOMETRY_ACUBE;
    bool floats = mods->type2 == TYPE_F32;
    operand->type = TYPE_B64;
    if (operand->kind != OPERAND_ADDRESS || operand->reg == NO_REG ||
        type_bytes(check->parser->function->regs.at[operand->reg].type) != 8)
        return parser_error(check->parser, check->at,
                            "expected [object, coordinates] with a 64-bit register as the object");
    if (operand->count != geometry_elements(geometry))
        return parser_error(check->parser, check->at, "expected %u coordinates, not %u",
                            geometry_elements(geometry), operand->count);
    for (uint32_t i = 0; i < operand->count; i++) {
        bool is_float = floats && !(layered && i == 0) && operand->elements[i].kind == OPERAND_IMM;
        if (!check_value(check, &operand->elements[i], is_float ? TYPE_F32 : TYPE_B32))
            return false;
    }
    return true;
}

/* [map, {x, y, …}]: the map's generic address is in a register. */
static bool check_tensor(const OperandCheck *check, Operand *operand) {
    uint32_t rank = geometry_rank((Geometry)check->insn->mods.geometry);
    operand->type = TYPE_B64;
    if (operand->kind != OPERAND_ADDRESS || operand->reg == NO_REG ||
        type_bytes(check->parser->function->regs.at[operand->reg].type) != 8)
        return parser_error(
            check->parser, check->at,
            "expected [tensor map, coordinates] with the map's address in a 64-bit register");
    if (operand->count != rank)
        return parser_error(check->parser, check->at, "expected %u coordinates, not %u", rank,
                            operand->count);
    for (uint32_t i = 0; i < operand->count; i++)
        if (!check_value(check, &operand->elements[i], TYPE_B32))
            return false;
    return true;
}

/* Registers keep their own type, immediates the one they were written in. */
static bool check_any(const OperandCheck *check, Operand *operand) {
    if (operand->kind == OPERAND_REG)
        operand->type = check->parser->function->regs.at[operand->reg].type;
    if (operand->negated && operand->type != TYPE_PRED)
        return parser_error(check->parser, check->at, "only a predicate can be negated");
    for (uint32_t i = 0; i < operand->count; i++)
        if (operand->elements[i].kind == OPERAND_REG)
            operand->elements[i].type =
                check->parser->function->regs.at[operand->elements[i].reg].type;
    return true;
}

bool check_operand(Parser *parser, const Insn *insn, const Row *row, const Slot *slot,
                   Operand *operand, const Token *at) {
    OperandCheck check = {parser, insn, row, slot, at};
    switch (slot->kind) {
    case SLOT_LABEL:
    case SLOT_LABELS:
        return true;
    case SLOT_ANY:
        return check_any(&check, operand);
    case SLOT_ADDRESS:
        return check_address(&check, operand);
    case SLOT_COORDINATES:
        return check_coordinates(&check, operand);
    case SLOT_TENSOR:
        return check_tensor(&check, operand);
    case SLOT_VECTOR:
        return check_vector(&check, operand, slot_type(slot, &insn->mods));
    case SLOT_FRAGMENT:
        return check_fragment(&check, operand);
    case SLOT_SINK:
        return operand->kind == OPERAND_SINK ||
               parser_error(parser, at, "expected '_': this form gives no result");
    case SLOT_VALUE:
        break;
    }
    Type type = slot_type(slot, &insn->mods);
    if (operand->kind == OPERAND_PAIR)
        return check_pair(&check, operand, type);
    if (operand->kind == OPERAND_VECTOR && slot->packs)
        return check_packed(&check, operand, type);
    return check_value(&check, operand, type);
}

bool check_bounds(Parser *parser, const Slot *slot, const Operand *operand, const Token *at) {
    if (!slot->multiple || operand->kind != OPERAND_IMM)
        return true;
    if (operand->bits % slot->multiple)
        return parser_error(parser, at, "expected a multiple of %u", slot->multiple);
    if (operand->bits < slot->least || operand->bits > slot->most)
        return parser_error(parser, at, "expected a number from %u to %u", slot->least, slot->most);
    return true;
}
