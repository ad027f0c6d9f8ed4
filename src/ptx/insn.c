/* Instructions: guard, opcode, operands. The opcode gives the row of ops.def, the row says what
 * each operand may be (check.c). */
#include "ptx/parser.h"

#include <string.h>

/* An instruction while it is read: operands with the tokens where they start. */
typedef struct Draft {
    Insn insn;
    const Row *row;
    Operand operands[MAX_OPERANDS];
    Token at[MAX_OPERANDS];
    uint32_t count;
} Draft;

/* ---- opcodes ---- */

static bool match_error(Parser *parser, const Token *opcode, const Match *match) {
    const char *closest =
        match->closest ? arena_printf(parser->scratch, "; did you mean '%s'?", match->closest) : "";
    Token part = *opcode;
    part.text = (Str){opcode->text.at + match->offset, match->length};
    part.column += match->offset;
    if (match->error == MATCH_UNKNOWN)
        return parser_error(parser, &part, "unknown instruction '" STR_FMT "'%s",
                            STR_ARG(part.text), closest);
    if (part.text.length == 0)
        return parser_error(parser, &part, "'" STR_FMT "' needs another modifier%s",
                            STR_ARG(opcode->text), closest);
    return parser_error(parser, &part, "'" STR_FMT "' does not take '." STR_FMT "' here%s",
                        (int)strcspn(opcode->text.at, ". \t\n;"), opcode->text.at,
                        STR_ARG(part.text), closest);
}

/* The row of the opcode; each spelling is matched once per module. */
static bool parse_opcode(Parser *parser, Draft *draft) {
    Token opcode;
    uint64_t number;
    if (!parser_name(parser, "an instruction", &opcode))
        return false;
    if (!map_get(parser->spellings, opcode.text, &number)) {
        number = parser->matches.count;
        *vec_add(parser->scratch, &parser->matches) = isa_match(parser->scratch, opcode.text);
        map_put(parser->spellings, opcode.text, number);
    }
    const Match *match = &parser->matches.at[number];
    if (match->error != MATCH_OK)
        return match_error(parser, &opcode, match);
    if (str_starts(opcode.text, "machine.") && !parser->module->origin.translated)
        return parser_error(parser, &opcode, "unknown instruction '" STR_FMT "'",
                            STR_ARG(opcode.text));
    draft->insn.op = match->op;
    draft->insn.mods = match->mods;
    draft->insn.line = opcode.line;
    draft->insn.column = opcode.column;
    draft->insn.text = opcode.text; /* its end follows at the semicolon */
    draft->row = check_row(parser, match->op);
    return true;
}

/* ---- operands ---- */

static bool unknown_name(Parser *parser, const Token *name) {
    Str prefix;
    uint32_t count = symbol_range(parser, name->text, &prefix);
    if (count)
        return parser_error(parser, name, "'" STR_FMT "' is beyond the registers '" STR_FMT "<%u>'",
                            STR_ARG(name->text), STR_ARG(prefix), count);
    const char *closest = symbol_closest(parser, name->text);
    return parser_error(parser, name, "there is no register or variable '" STR_FMT "'%s%s%s",
                        STR_ARG(name->text), closest ? "; did you mean '" : "",
                        closest ? closest : "", closest ? "'?" : "");
}

/* Module-scope shared variables lie elsewhere in each kernel, so an entry has copies of its own. */
static Variable *shared_copy(Parser *parser, Symbol *symbol) {
    Function *function = parser->function;
    if (symbol->used_by != function) {
        Variable *copy = NEW(parser->arena, Variable);
        *copy = *symbol->variable;
        symbol->used_by = function;
        symbol->used_as = copy;
        *vec_add(parser->arena, &function->shared) = copy;
    }
    return symbol->used_as;
}

static const Variable *variable_of(Parser *parser, Symbol *symbol) {
    const Variable *variable = symbol->variable;
    bool copied = variable->space == SPACE_SHARED && !variable->owner && parser->function->is_entry;
    return copied ? shared_copy(parser, symbol) : variable;
}

/* [ ("+" | "-") constant ] */
static bool parse_offset(Parser *parser, int64_t *offset) {
    *offset = 0;
    if (!parser_is(parser, '+') && !parser_is(parser, '-'))
        return true;
    return constant_integer(parser, "an offset", offset);
}

/* register | special register | "_" | variable [ offset ] | function */
static bool parse_named(Parser *parser, Operand *operand) {
    Token name = parser->token;
    parser_next(parser);
    operand->reg = symbol_register(parser, name.text);
    if (operand->reg != NO_REG) {
        operand->kind = OPERAND_REG;
        return true;
    }
    if (str_is(name.text, "_")) {
        operand->kind = OPERAND_SINK;
        return true;
    }
    Symbol *symbol = symbol_find(parser, name.text);
    if (symbol && symbol->kind == SYMBOL_FUNCTION) {
        operand->kind = OPERAND_FUNCTION;
        operand->function = symbol->function;
        return true;
    }
    if (symbol && symbol->kind == SYMBOL_VARIABLE) {
        operand->kind = OPERAND_SYMBOL;
        operand->variable = variable_of(parser, symbol);
        return parse_offset(parser, &operand->offset);
    }
    operand->special = special_named(name.text, &operand->bits);
    operand->kind = OPERAND_SPECIAL;
    return operand->special != SREG_NONE || unknown_name(parser, &name);
}

/* The bits as written; check_operand makes them the operand's own type. */
static bool parse_immediate(Parser *parser, Operand *operand) {
    Constant constant;
    if (!constant_parse(parser, &constant))
        return false;
    operand->kind = OPERAND_IMM;
    operand->bits = constant.bits;
    operand->type = constant.is_float      ? (constant.single ? TYPE_F32 : TYPE_F64)
                    : constant.is_unsigned ? TYPE_U64
                                           : TYPE_S64;
    return true;
}

static bool parse_simple(Parser *parser, Operand *operand, bool negatable);
static bool parse_vector(Parser *parser, Operand *operand);

/* "," ( simple | vector ): the coordinates become the address's elements */
static bool parse_coordinates(Parser *parser, Operand *address) {
    Operand operand = {.reg = NO_REG};
    if (!(parser_is(parser, '{') ? parse_vector(parser, &operand)
                                 : parse_simple(parser, &operand, false)))
        return false;
    if (operand.kind == OPERAND_VECTOR) {
        address->elements = operand.elements;
        address->count = operand.count;
    } else {
        address->elements = NEW(parser->arena, Operand);
        *address->elements = operand;
        address->count = 1;
    }
    return true;
}

/* "[" ( register | variable ) [ offset ] [ coordinates ] "]" | "[" constant "]" */
static bool parse_address(Parser *parser, Operand *operand) {
    Token at = parser->token;
    parser_next(parser);
    operand->reg = NO_REG;
    if (parser->token.kind != TOKEN_NAME) {
        if (!constant_integer(parser, "an address", &operand->offset))
            return false;
    } else if (!parse_named(parser, operand) ||
               (operand->kind == OPERAND_REG && !parse_offset(parser, &operand->offset))) {
        return false;
    } else if (operand->kind != OPERAND_REG && operand->kind != OPERAND_SYMBOL) {
        return parser_error(parser, &at, "an address is a register or a variable, and an offset");
    }
    if (parser_take(parser, ',') && !parse_coordinates(parser, operand))
        return false;
    operand->kind = OPERAND_ADDRESS;
    return parser_expect(parser, ']');
}

/* register | immediate | … : one that is no vector and no address */
static bool parse_simple(Parser *parser, Operand *operand, bool negatable) {
    *operand = (Operand){.reg = NO_REG};
    if (negatable && parser_is(parser, '!')) {
        Token at = parser->token;
        parser_next(parser);
        operand->negated = true;
        if (parser->token.kind != TOKEN_NAME || !parse_named(parser, operand))
            return false;
        return operand->kind == OPERAND_REG ||
               parser_error(parser, &at, "only a predicate can be negated");
    }
    if (parser->token.kind == TOKEN_NAME && !str_is(parser->token.text, "WARP_SZ"))
        return parse_named(parser, operand);
    if (constant_starts(parser))
        return parse_immediate(parser, operand);
    return parser_error(parser, &parser->token, "expected an operand, not %s",
                        parser_describe(parser, &parser->token));
}

static void set_elements(Parser *parser, Operand *operand, OperandKind kind,
                         const Operand *elements, uint32_t count) {
    operand->kind = kind;
    operand->count = count;
    operand->elements = NEW_ARRAY(parser->arena, Operand, count);
    if (count)
        memcpy(operand->elements, elements, sizeof *elements * count);
}

/* simple { "," simple } up to `close` */
static bool parse_elements(Parser *parser, Operand *operand, char close) {
    Operand elements[MAX_OPERANDS];
    uint32_t count = 0;
    if (!parser_is(parser, close)) {
        do {
            if (count == MAX_OPERANDS)
                return parser_error(parser, &parser->token, "more than %d elements", MAX_OPERANDS);
            if (!parse_simple(parser, &elements[count++], false))
                return false;
        } while (parser_take(parser, ','));
    }
    set_elements(parser, operand, OPERAND_VECTOR, elements, count);
    return parser_expect(parser, close);
}

static bool parse_vector(Parser *parser, Operand *operand) {
    parser->braces++;
    parser_next(parser);
    if (!parse_elements(parser, operand, '}'))
        return false;
    parser->braces--;
    return true;
}

/* operand = "[" … "]" | "{" … "}" | simple [ "|" simple ] */
static bool parse_operand(Parser *parser, Operand *operand, bool negatable) {
    *operand = (Operand){.reg = NO_REG};
    if (parser_is(parser, '['))
        return parse_address(parser, operand);
    if (parser_is(parser, '{'))
        return parse_vector(parser, operand);
    if (!parse_simple(parser, operand, negatable))
        return false;
    if (!parser_take(parser, '|'))
        return true;
    Operand both[2] = {*operand};
    if (!parse_simple(parser, &both[1], false))
        return false;
    set_elements(parser, operand, OPERAND_PAIR, both, 2);
    return true;
}

static bool parse_target(Parser *parser, Operand *operand) {
    Token name;
    *operand = (Operand){.kind = OPERAND_LABEL, .reg = NO_REG, .target = NO_INDEX};
    return parser_name(parser, "a label", &name);
}

/* The name of a list that .branchtargets declared before. */
static bool parse_target_list(Parser *parser, Operand *operand) {
    Token name;
    if (!parser_name(parser, "a list of branch targets", &name))
        return false;
    const Symbol *symbol = symbol_find(parser, name.text);
    if (!symbol || symbol->kind != SYMBOL_TARGETS)
        return parser_error(parser, &name, "'" STR_FMT "' is not a list of .branchtargets",
                            STR_ARG(name.text));
    *operand = *symbol->targets;
    return true;
}

/* targets = label { "," label } ";" */
bool insn_parse_targets(Parser *parser, const Token *name) {
    VEC(Operand) labels = {0};
    VEC(Token) at = {0};
    do {
        if (labels.count == MAX_TARGETS)
            return parser_error(parser, &parser->token, "more than %d targets", MAX_TARGETS);
        *vec_add(parser->scratch, &at) = parser->token;
        if (!parse_target(parser, vec_add(parser->scratch, &labels)))
            return false;
    } while (parser_take(parser, ','));
    Operand *targets = NEW(parser->arena, Operand);
    targets->reg = NO_REG;
    set_elements(parser, targets, OPERAND_VECTOR, labels.at, labels.count);
    for (uint32_t i = 0; i < labels.count; i++)
        *vec_add(parser->scratch, &parser->jumps) = (Jump){&targets->elements[i], at.at[i]};
    return symbol_define(parser, name, (Symbol){.kind = SYMBOL_TARGETS, .targets = targets}) &&
           parser_expect(parser, ';');
}

/* Whether the last operands choose transpositions: A of wgmma takes one only as a descriptor. */
static bool transposes(const Row *row) {
    const Slot *last = row->count ? &row->slots[row->count - 1] : NULL;
    return last && last->constants && last->optional;
}

static bool count_error(Parser *parser, const Draft *draft) {
    uint32_t least = 0, most = draft->row->count;
    if (transposes(draft->row))
        return parser_error(parser, &parser->token,
                            "'%.*s' takes %u operands where A is in registers, %u with a "
                            "descriptor of it",
                            (int)draft->insn.text.length, draft->insn.text.at, most - 1, most);
    while (least < most && !draft->row->slots[least].optional)
        least++;
    const char *wanted = most == 0   ? "no operands"
                         : most == 1 ? (least == 0 ? "at most one operand" : "one operand")
                         : least == most
                             ? arena_printf(parser->scratch, "%u operands", most)
                             : arena_printf(parser->scratch, "%u to %u operands", least, most);
    return parser_error(parser, &parser->token, "'%.*s' takes %s", (int)draft->insn.text.length,
                        draft->insn.text.at, wanted);
}

/* "!p" may stand where a predicate is read (ptxas takes it there, too). */
static bool is_negatable(const Slot *slot, const Draft *draft) {
    return slot->negatable || (slot->kind == SLOT_VALUE && !slot->written &&
                               slot_type(slot, &draft->insn.mods) == TYPE_PRED);
}

static bool is_complete(const Draft *draft) {
    const Row *row = draft->row;
    if (transposes(row))
        return draft->count + (draft->operands[1].kind == OPERAND_VECTOR) == row->count;
    return draft->count == row->count || row->slots[draft->count].optional;
}

/* Another operand than the row has: of the same spelling there may be a row that goes on. */
static bool takes_longer(Parser *parser, Draft *draft) {
    Op longer = isa_match_longer(draft->insn.text, draft->insn.op);
    if (longer == OP_NONE || !parser_is(parser, ','))
        return false;
    draft->insn.op = longer;
    draft->row = check_row(parser, longer);
    return true;
}

/* [ operand { "," operand } ]: as many as the row has slots, but for the optional ones at
 * its end */
static bool parse_operands(Parser *parser, Draft *draft) {
    const Row *row = draft->row;
    while (!parser_is(parser, ';')) {
        if (draft->count == row->count && takes_longer(parser, draft))
            row = draft->row;
        if (draft->count == row->count || (draft->count && !parser_is(parser, ',')))
            return draft->count == row->count ? count_error(parser, draft)
                                              : parser_expect(parser, ',');
        if (draft->count)
            parser_next(parser);
        const Slot *slot = &row->slots[draft->count];
        Operand *operand = &draft->operands[draft->count];
        Token *at = &draft->at[draft->count++];
        *at = parser->token;
        bool taken = slot->kind == SLOT_LABEL ? parse_target(parser, operand)
                     : slot->kind == SLOT_LABELS
                         ? parse_target_list(parser, operand)
                         : parse_operand(parser, operand, is_negatable(slot, draft));
        if (!taken || !check_operand(parser, &draft->insn, row, slot, operand, at) ||
            !check_bounds(parser, slot, operand, at))
            return false;
    }
    return is_complete(draft) || count_error(parser, draft);
}

/* ---- calls ---- */

static void type_elements(Parser *parser, Operand *list) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->elements[i].kind == OPERAND_REG)
            list->elements[i].type = parser->function->regs.at[list->elements[i].reg].type;
}

/* What a direct call passes and takes, against what its function declares. */
static bool check_call(Parser *parser, const Token *at, const Draft *draft) {
    const Function *function = draft->operands[0].function;
    uint32_t results = draft->operands[1].count, arguments = draft->operands[2].count;
    if (!function || (results == function->results.count && arguments == function->params.count))
        return true;
    return parser_error(
        parser, at, "results and arguments: '%s' declares %u and %u, the call has %u and %u",
        function->name, function->results.count, function->params.count, results, arguments);
}

/* call = [ "(" results ")" "," ] ( function | register ) [ "," "(" arguments ")" ] [ "," name ]
 * gives the operands: function, vector of results, vector of arguments */
static bool parse_call(Parser *parser, Draft *draft) {
    Operand *callee = &draft->operands[0], *results = &draft->operands[1];
    Operand *arguments = &draft->operands[2];
    draft->count = 3;
    *results = *arguments = (Operand){.kind = OPERAND_VECTOR, .reg = NO_REG};
    if (parser_take(parser, '(') &&
        (!parse_elements(parser, results, ')') || !parser_expect(parser, ',')))
        return false;
    Token at = parser->token;
    *callee = (Operand){.reg = NO_REG};
    if (at.kind != TOKEN_NAME)
        return parser_error(parser, &at, "expected a function, not %s",
                            parser_describe(parser, &at));
    if (!parse_named(parser, callee))
        return false;
    if (callee->kind != OPERAND_FUNCTION && callee->kind != OPERAND_REG)
        return parser_error(parser, &at, "'" STR_FMT "' is not a function", STR_ARG(at.text));
    if (parser_take(parser, ',') && parser_take(parser, '(') &&
        !parse_elements(parser, arguments, ')'))
        return false;
    type_elements(parser, results);
    type_elements(parser, arguments);
    while (parser_is(parser, ',') || parser->token.kind == TOKEN_NAME)
        parser_next(parser); /* prototype or targets of an indirect call */
    return check_call(parser, &at, draft);
}

/* ---- the whole ---- */

/* "@" [ "!" ] predicate */
static bool parse_guard(Parser *parser, Insn *insn) {
    Token name;
    insn->guard = NO_REG;
    if (!parser_take(parser, '@'))
        return true;
    insn->guard_negated = parser_take(parser, '!');
    if (!parser_name(parser, "a predicate", &name))
        return false;
    insn->guard = symbol_register(parser, name.text);
    if (insn->guard == NO_REG)
        return unknown_name(parser, &name);
    if (parser->function->regs.at[insn->guard].type != TYPE_PRED)
        return parser_error(parser, &name, "'" STR_FMT "' is not a predicate", STR_ARG(name.text));
    return true;
}

static void add_insn(Parser *parser, Draft *draft, const char *end) {
    Function *function = parser->function;
    Insn *insn = &draft->insn;
    while (end > insn->text.at && (unsigned char)end[-1] <= ' ')
        end--;
    insn->text.length = (size_t)(end - insn->text.at);
    insn->location = parser->location;
    insn->used_bytes_mask = parser->used_bytes_mask;
    parser->used_bytes_mask = 0;
    insn->machine = parser->machine;
    if (insn->machine) {
        insn->line = parser->machine_line;
        insn->text = parser->machine_text;
        insn->machine_begins = parser->machine_begins;
        insn->stack_use = parser->stack_use;
        parser->machine_begins = false;
    }
    insn->operand_count = (uint8_t)draft->count;
    insn->operands = NEW_ARRAY(parser->arena, Operand, draft->count);
    if (draft->count)
        memcpy(insn->operands, draft->operands, sizeof(Operand) * draft->count);
    for (uint32_t i = 0; i < draft->count; i++)
        if (insn->operands[i].kind == OPERAND_LABEL)
            *vec_add(parser->scratch, &parser->jumps) = (Jump){&insn->operands[i], draft->at[i]};
    insn->site = insn_is_memory(insn) ? function->sites++ : NO_SITE;
    *vec_add(parser->arena, &function->insns) = *insn;
}

bool insn_parse(Parser *parser) {
    Draft draft;
    draft.insn = (Insn){.op = OP_NONE};
    draft.count = 0;
    if (!parse_guard(parser, &draft.insn) || !parse_opcode(parser, &draft))
        return false;
    if (!(draft.row->calls ? parse_call(parser, &draft) : parse_operands(parser, &draft)))
        return false;
    const char *end = parser->token.start;
    if (!parser_expect(parser, ';'))
        return false;
    add_insn(parser, &draft, end);
    return true;
}
