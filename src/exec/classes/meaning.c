/* What instructions do to forms. */
#include "exec/classes/meaning.h"
#include "exec/calls/calls.h"
#include "exec/decode/operands.h"
#include "exec/tier/tier.h"

typedef struct Finder {
    Arena *arena;
    const Program *program;
    const Insn *insn;
    Meaning *meaning;
} Finder;

/* ---- what is read and written ---- */

static RegisterAt register_at(const Program *program, uint32_t reg) {
    const Routine *routine = &program->routines[0];
    uint8_t class = routine->slots.class[reg];
    return (RegisterAt){decode_slot(routine, class, routine->slots.slot[reg]), class};
}

static void visit(void *context, uint32_t reg, bool defined) {
    const Finder *finder = context;
    Meaning *meaning = finder->meaning;
    if (finder->program->routines[0].slots.slot[reg] == NO_INDEX)
        return;
    if (defined)
        *vec_add(finder->arena, &meaning->writes) = register_at(finder->program, reg);
    else if (reg != finder->insn->guard)
        *vec_add(finder->arena, &meaning->reads) = register_at(finder->program, reg);
}

static void find_special(const Finder *finder, const Operand *operand) {
    const Program *program = finder->program;
    if (operand->kind != OPERAND_SPECIAL)
        return;
    for (uint32_t i = 0; i < program->block_fills.count; i++) {
        const Fill *fill = &program->block_fills.at[i];
        if (fill->special == operand->special)
            *vec_add(finder->arena, &finder->meaning->reads) =
                (RegisterAt){fill->offset, fill->class};
    }
}

static void find_registers(Finder *finder) {
    const Insn *insn = finder->insn;
    insn_registers(insn, visit, finder);
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        find_special(finder, &insn->operands[i]);
        for (uint32_t e = 0; e < insn->operands[i].count; e++)
            find_special(finder, &insn->operands[i].elements[e]);
    }
}

/* ---- pure operations ---- */

static uint32_t bits_of(Type type) {
    bool number = type != TYPE_PRED && !type_is_float(type) && type != TYPE_NONE;
    uint32_t bytes = number ? type_bytes(type) : 0;
    return bytes == 4 || bytes == 8 ? 8 * bytes : 0;
}

static Type operand_type(const Insn *insn, uint32_t index) {
    return index < insn->operand_count ? insn->operands[index].type : TYPE_NONE;
}

static Rule rule_of_math(const Insn *insn, Meaning *meaning) {
    switch (op_math(insn->op)) {
    case OP_MATH_SUM:
        return RULE_SUM;
    case OP_MATH_DIFFERENCE:
        return RULE_DIFFERENCE;
    case OP_MATH_PRODUCT:
        return RULE_PRODUCT;
    case OP_MATH_MULTIPLY_ADD:
        return RULE_MULTIPLY_ADD;
    case OP_MATH_SHIFT:
        return RULE_SHIFT_LEFT;
    case OP_MATH_SHIFT_RIGHT:
        return RULE_SHIFT_RIGHT;
    case OP_MATH_QUOTIENT:
        return RULE_QUOTIENT;
    case OP_MATH_REMAINDER:
    case OP_MATH_MODULO:
        return RULE_REMAINDER;
    case OP_MATH_AND:
        return RULE_AND;
    case OP_MATH_OR:
    case OP_MATH_XOR:
        return RULE_OR;
    case OP_MATH_CHOICE:
        return RULE_CHOICE;
    case OP_MATH_GREATEST:
        meaning->greatest = true;
        return RULE_LEAST;
    case OP_MATH_LEAST:
        return RULE_LEAST;
    default:
        return RULE_OTHER;
    }
}

/* Its operands are a, b, c and its results d, d2, lane by lane. */
static bool is_plain(const Code *code) {
    return !code->vector && code->e == NO_OPERAND && code->d != NO_OPERAND &&
           !op_has(code->insn->op, TRAIT_CARRY);
}

static Rule rule_of_lanes(const Code *code, Meaning *meaning) {
    const Insn *insn = code->insn;
    const OpKind kind = op_info(insn->op)->kind;
    const Type to = operand_type(insn, 0), from = operand_type(insn, 1);
    if (!is_plain(code))
        return RULE_MANY;
    meaning->bits = bits_of(from);
    meaning->result = bits_of(to);
    meaning->is_signed = type_is_signed(from);
    if (kind == OP_KIND_COMPARE)
        return meaning->bits ? RULE_COMPARE : RULE_OTHER;
    if (kind == OP_KIND_HAND && op_has(insn->op, TRAIT_MOVES)) {
        bool converts = op_has(insn->op, TRAIT_CONVERTS);
        if (!converts)
            return code->d_class == code->a_class ? RULE_COPY : RULE_OTHER;
        bool whole = meaning->bits && meaning->result && !(insn->mods.flags & MOD_SAT) &&
                     (meaning->result == 32) == (code->d_class == 1) &&
                     (meaning->bits == 32) == (code->a_class == 1);
        return whole ? RULE_CONVERT : RULE_OTHER;
    }
    if (kind != OP_KIND_LANE || !meaning->bits || !meaning->result)
        return RULE_OTHER;
    return rule_of_math(insn, meaning);
}

/* ---- the others ---- */

static void find_addresses(const Finder *finder) {
    const Insn *insn = finder->insn;
    Meaning *meaning = finder->meaning;
    const OpAccess access = op_access(insn->op);
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        const Operand *operand = &insn->operands[i];
        if (operand->kind == OPERAND_ADDRESS && operand->reg != NO_REG && !operand->count)
            *vec_add(finder->arena, &meaning->addresses) =
                register_at(finder->program, operand->reg);
    }
    bool moves = (access == OP_ACCESS_LOAD || access == OP_ACCESS_STORE ||
                  access == OP_ACCESS_LDMATRIX || access == OP_ACCESS_STMATRIX ||
                  access == OP_ACCESS_ATOMIC || access == OP_ACCESS_REDUCTION);
    if (moves && !op_has(insn->op, TRAIT_TILE))
        return;
    /* A tile's stride, how much is copied, coordinates: whatever is read and is no tile's element. */
    bool writes = op_info(insn->op)->operands[0] == '=';
    uint32_t first = moves ? insn->operand_count - 1u : writes;
    for (uint32_t i = first; i < insn->operand_count; i++) {
        const Operand *operand = &insn->operands[i];
        bool spec = moves ? operand->kind == OPERAND_REG : operand->kind != OPERAND_NONE;
        if (spec && operand->kind == OPERAND_REG)
            *vec_add(finder->arena, &meaning->deciding) =
                register_at(finder->program, operand->reg);
        bool coordinates = access == OP_ACCESS_TEXTURE;
        for (uint32_t e = 0; spec && coordinates && e < operand->count; e++)
            if (operand->elements[e].kind == OPERAND_REG)
                *vec_add(finder->arena, &meaning->deciding) =
                    register_at(finder->program, operand->elements[e].reg);
        if (spec && operand->kind == OPERAND_ADDRESS && operand->count && operand->reg != NO_REG)
            *vec_add(finder->arena, &meaning->deciding) =
                register_at(finder->program, operand->reg);
    }
}

static Rule rule_of_access(const Finder *finder, const Code *code) {
    Meaning *meaning = finder->meaning;
    const Insn *insn = finder->insn;
    const Space space = (Space)insn->mods.space;
    if (op_access(insn->op) == OP_ACCESS_LOAD && space == SPACE_PARAM)
        return RULE_MANY;
    find_addresses(finder);
    meaning->known = op_access(insn->op) == OP_ACCESS_LOAD && space == SPACE_CONST;
    if (op_access(insn->op) == OP_ACCESS_ATOMIC || op_access(insn->op) == OP_ACCESS_REDUCTION) {
        AccessKind kind = finder->program->lowered[code->site].kind;
        meaning->loops = kind == ACCESS_ATOMIC_LOOP32 || kind == ACCESS_ATOMIC_LOOP64;
    }
    return RULE_ACCESS;
}

static Rule refused(Meaning *meaning, const char *why) {
    meaning->why = why;
    return RULE_REFUSED;
}

/* A tensor map, and coordinates. */
static bool names_tensor(const Insn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++)
        if (insn->operands[i].kind == OPERAND_ADDRESS && insn->operands[i].count)
            return true;
    return false;
}

static Rule rule_of_other(const Finder *finder, const Code *code) {
    const Op op = finder->insn->op;
    const OpAccess access = op_access(op);
    Meaning *meaning = finder->meaning;
    const CodeKind kind = memory_kind(code);
    if (op_has(op, TRAIT_STACK))
        return refused(meaning, "the stack is moved");
    if (op_has(op, TRAIT_WRITES))
        return refused(meaning, "a surface is written");
    if (access == OP_ACCESS_COPY && names_tensor(finder->insn))
        return refused(meaning, "boxes of a tensor are copied");
    if (kind == KIND_PARAM || op_has(op, TRAIT_HINT))
        return RULE_NOTHING;
    if (kind == KIND_ADDRESS)
        return RULE_COPY;
    if (kind == KIND_NOTHING)
        return RULE_DATA;
    if (access != OP_ACCESS_NONE)
        return rule_of_access(finder, code);
    if (op_has(op, TRAIT_MATRIX))
        return RULE_DATA;
    if (op_has(op, TRAIT_PURE))
        return RULE_MANY;
    if (shuffle_is(code))
        return RULE_SHUFFLE;
    if (op_has(op, TRAIT_BARRIER | TRAIT_MBARRIER | TRAIT_ASYNC))
        return meaning->writes.count && !op_has(op, TRAIT_MBARRIER) ? RULE_GATHER : RULE_DECIDES;
    if (op_has(op, TRAIT_CONVERGENT | TRAIT_VARIES | TRAIT_UNIFORM))
        return RULE_WARP;
    return meaning->reads.count || meaning->writes.count ? RULE_DECIDES : RULE_NOTHING;
}

static bool reads_clock(const Insn *insn) {
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        Special special = insn->operands[i].special;
        if (insn->operands[i].kind == OPERAND_SPECIAL && special >= SREG_CLOCK &&
            special <= SREG_GLOBALTIMER_HI)
            return true;
    }
    return false;
}

Meaning *meanings_find(Arena *arena, const Program *program) {
    Meaning *meanings = NEW_ARRAY(arena, Meaning, program->code_count + 1);
    /* Functions that are called are not followed, so the kernel's own code is all. */
    for (uint32_t i = 0; i < program->routines[0].function->insns.count; i++) {
        const Code *code = &program->code[i];
        Meaning *meaning = &meanings[i];
        Finder finder = {arena, program, code->insn, meaning};
        if (op_has(code->insn->op, TRAIT_CALLS)) {
            meaning->rule = refused(meaning, "a function is called");
            continue;
        }
        find_registers(&finder);
        if (code->control != CONTROL_NONE)
            meaning->rule = RULE_NOTHING;
        else if (reads_clock(code->insn))
            meaning->rule = RULE_DATA;
        else if (op_info(code->insn->op)->kind == OP_KIND_OTHER)
            meaning->rule = rule_of_other(&finder, code);
        else
            meaning->rule = rule_of_lanes(code, meaning);
    }
    return meanings;
}
