/* What is known to be in another register already, or in none, is read there.
 *
 * Within a basic block: copies; and the two words of a register of 64 bits, which are packed for an address and unpacked from
 * a product: what was unpacked need not be packed again, and accesses through one address use one register. In the whole
 * kernel: what is written once, when it begins (constants, sizes and places in the grid). */
#include "machine/tidy.h"

#include <string.h>

/* A register, and the write that made its value. */
typedef struct Held {
    uint32_t reg, write;
} Held;

/* What a register holds since its last write. */
typedef struct Known {
    uint32_t write; /* of this register, in this block; 0: nothing is known of it */
    bool is_copy;
    Operand copy; /* REG: as of copied.write; or IMM, SPECIAL */
    Held copied;
    bool is_pair; /* of 64 bits: these two words */
    Held low, high;
} Known;

/* A register of 32 bits as the low word of one of 64. */
typedef struct Wide {
    Held low, high, wide;
} Wide;

typedef struct Values {
    Function *function;
    uint32_t *writes;     /* [regs]: number of the last write */
    uint32_t last, begin; /* write: the last one, and that before this block */
    Known *known;         /* [regs] */
    Wide *wides;          /* [regs] */
    Operand *fixed;       /* [regs]: in the whole kernel; NONE: nothing */
    const Insn **loaded;  /* [regs]: in the whole kernel, a word of a parameter; NULL: not */
} Values;

static bool still(const Values *values, Held held) {
    return values->writes[held.reg] == held.write;
}

static Held held_now(const Values *values, uint32_t reg) {
    return (Held){reg, values->writes[reg]};
}

/* ---- in the whole kernel ---- */

static void count_write(void *context, uint32_t reg, bool defined) {
    uint32_t *counts = context;
    counts[reg] += defined;
}

static bool is_clock(Special special) {
    return special >= SREG_CLOCK && special <= SREG_GLOBALTIMER_HI;
}

static bool is_constant(const Operand *operand) {
    return operand->kind == OPERAND_IMM ||
           (operand->kind == OPERAND_SPECIAL && !is_clock(operand->special));
}

static bool is_word_copy(const Insn *insn) {
    return insn->op == OP_mov && insn->operands[0].kind == OPERAND_REG &&
           type_bytes((Type)insn->mods.type) == 4 && insn->mods.type != TYPE_PRED;
}

/* Of the kernel; what a call returns is a parameter as well. */
static bool is_parameter(const Function *function, const Variable *variable) {
    for (uint32_t i = 0; i < function->params.count; i++) {
        if (function->params.at[i] == variable)
            return true;
    }
    return false;
}

static bool loads_word(const Function *function, const Insn *insn) {
    return insn->op == OP_ld && insn->mods.space == SPACE_PARAM &&
           insn->operands[0].kind == OPERAND_REG && insn->mods.type == TYPE_B32 &&
           insn->operands[1].reg == NO_REG && is_parameter(function, insn->operands[1].variable);
}

/* Before anything jumps, and nothing jumps there. */
static void find_fixed(Arena *scratch, Values *values) {
    const Function *function = values->function;
    uint32_t *counts = NEW_ARRAY(scratch, uint32_t, function->regs.count);
    for (uint32_t i = 0; i < function->insns.count; i++)
        insn_registers(&function->insns.at[i], count_write, counts);
    const Block *first = &function->blocks.at[0];
    for (uint32_t i = first->first; i < first->first + first->count; i++) {
        const Insn *insn = &function->insns.at[i];
        if (insn->guard != NO_REG)
            continue;
        if (is_word_copy(insn) && is_constant(&insn->operands[1]) &&
            counts[insn->operands[0].reg] == 1)
            values->fixed[insn->operands[0].reg] = insn->operands[1];
        else if (loads_word(function, insn) && counts[insn->operands[0].reg] == 1)
            values->loaded[insn->operands[0].reg] = insn;
    }
}

/* ---- operands ---- */

static const Known *known_of(const Values *values, uint32_t reg) {
    const Known *known = &values->known[reg];
    return known->write > values->begin && known->write == values->writes[reg] ? known : NULL;
}

/* The register that had the value first. */
static void read_copied(void *context, uint32_t *reg, bool defined) {
    const Values *values = context;
    const Known *known = defined ? NULL : known_of(values, *reg);
    if (known && known->is_copy && known->copy.kind == OPERAND_REG && still(values, known->copied))
        *reg = known->copied.reg;
}

static uint64_t value_as(Type type, uint64_t bits) {
    return type_is_signed(type) ? (uint64_t)(int64_t)(int32_t)bits : (uint32_t)bits;
}

/* An operand of an instruction that computes: a constant where its register holds one. */
static void read_constant(const Values *values, Operand *operand) {
    if (operand->kind != OPERAND_REG || operand->negated || operand->type == TYPE_PRED ||
        type_bytes(operand->type) != 4 ||
        type_bytes(values->function->regs.at[operand->reg].type) != 4)
        return;
    const Operand *constant = &values->fixed[operand->reg];
    const Known *known = known_of(values, operand->reg);
    if (known && known->is_copy)
        constant = &known->copy;
    if (!is_constant(constant))
        return;
    const Type type = operand->type;
    *operand = *constant;
    operand->type = type;
    if (operand->kind == OPERAND_IMM)
        operand->bits = value_as(type, operand->bits);
}

static void read_operands(const Values *values, Insn *insn) {
    if (op_has(insn->op, TRAIT_CONVERGENT | TRAIT_CALLS) ||
        strchr(op_info(insn->op)->operands, '+'))
        return;
    insn_register_places(insn, read_copied, (void *)values);
    if (!op_has(insn->op, TRAIT_PURE))
        return;
    for (uint32_t i = 1; i < insn->operand_count; i++) {
        Operand *operand = &insn->operands[i];
        read_constant(values, operand);
        for (uint32_t k = 0; operand->kind == OPERAND_VECTOR && k < operand->count; k++)
            read_constant(values, &operand->elements[k]);
    }
}

/* ---- pairs ---- */

static bool is_pair_of_words(const Operand *operand) {
    return operand->kind == OPERAND_VECTOR && operand->count == 2;
}

static bool packs(const Insn *insn) {
    return insn->op == OP_mov && insn->mods.type == TYPE_B64 &&
           insn->operands[0].kind == OPERAND_REG && is_pair_of_words(&insn->operands[1]);
}

static bool unpacks(const Insn *insn) {
    return insn->op == OP_mov && insn->mods.type == TYPE_B64 &&
           is_pair_of_words(&insn->operands[0]) && insn->operands[1].kind == OPERAND_REG;
}

/* Two words of a parameter that lie side by side: it is read whole. */
static bool load_whole(const Values *values, Insn *insn) {
    const Operand *words = insn->operands[1].elements;
    if (words[0].kind != OPERAND_REG || words[1].kind != OPERAND_REG)
        return false;
    const Insn *low = values->loaded[words[0].reg], *high = values->loaded[words[1].reg];
    if (!low || !high)
        return false;
    const Operand *from = &low->operands[1], *next = &high->operands[1];
    if (from->variable != next->variable || from->offset + 4 != next->offset ||
        (from->variable->offset + (uint64_t)from->offset) % 8 != 0)
        return false;
    insn->op = OP_ld;
    insn->mods = low->mods;
    insn->mods.type = TYPE_B64;
    insn->operands[1] = *from;
    insn->operands[0].type = TYPE_B64;
    return true;
}

/* A pack of words that were unpacked, or packed before, is a copy. */
static void read_pair(const Values *values, Insn *insn) {
    Operand *from = &insn->operands[1];
    const Operand *words = from->elements;
    if (words[0].kind != OPERAND_REG || words[1].kind != OPERAND_REG)
        return;
    const Wide *wide = &values->wides[words[0].reg];
    const bool same = wide->wide.write > values->begin && still(values, wide->low) &&
                      wide->low.reg == words[0].reg && wide->high.reg == words[1].reg &&
                      still(values, wide->high) && still(values, wide->wide);
    if (same)
        *from = (Operand){.kind = OPERAND_REG, .type = TYPE_B64, .reg = wide->wide.reg};
    else
        load_whole(values, insn);
}

static void know_wide(Values *values, uint32_t low, uint32_t high, Held wide) {
    values->wides[low] = (Wide){held_now(values, low), held_now(values, high), wide};
}

/* ---- what an instruction makes known ---- */

typedef struct Sources {
    Held copied, low, high;
} Sources;

/* The operands before the instruction writes any of them. */
static Sources sources_of(const Values *values, const Insn *insn) {
    Sources sources = {.copied = {NO_REG, 0}};
    if (insn->op != OP_mov)
        return sources;
    const Operand *from = &insn->operands[1];
    if (from->kind == OPERAND_REG && !from->negated) {
        sources.copied = held_now(values, from->reg);
        const Known *known = known_of(values, from->reg);
        if (unpacks(insn) && known && known->is_pair) {
            sources.low = known->low;
            sources.high = known->high;
        }
    } else if (packs(insn) && from->elements[0].kind == OPERAND_REG &&
               from->elements[1].kind == OPERAND_REG) {
        sources.low = held_now(values, from->elements[0].reg);
        sources.high = held_now(values, from->elements[1].reg);
    }
    return sources;
}

static void know_copy(Values *values, uint32_t reg, Held from) {
    if (from.reg == reg || !still(values, from))
        return;
    const Operand copy = {.kind = OPERAND_REG, .reg = from.reg};
    values->known[reg] =
        (Known){.write = values->writes[reg], .is_copy = true, .copy = copy, .copied = from};
}

static void learn_unpacked(Values *values, const Insn *insn, const Sources *sources) {
    const Operand *to = insn->operands[0].elements;
    const bool both = to[0].kind == OPERAND_REG && to[1].kind == OPERAND_REG;
    if (sources->low.write && sources->high.write) {
        if (to[0].kind == OPERAND_REG)
            know_copy(values, to[0].reg, sources->low);
        if (to[1].kind == OPERAND_REG)
            know_copy(values, to[1].reg, sources->high);
    }
    if (both && to[0].reg != to[1].reg && still(values, sources->copied))
        know_wide(values, to[0].reg, to[1].reg, sources->copied);
}

static void learn(Values *values, const Insn *insn, const Sources *sources) {
    if (insn->op != OP_mov || insn->guard != NO_REG)
        return;
    const Operand *to = &insn->operands[0], *from = &insn->operands[1];
    if (unpacks(insn)) {
        learn_unpacked(values, insn, sources);
    } else if (packs(insn) && sources->low.write && still(values, sources->low) &&
               still(values, sources->high)) {
        const Held wide = held_now(values, to->reg);
        values->known[to->reg] = (Known){
            .write = wide.write, .is_pair = true, .low = sources->low, .high = sources->high};
        know_wide(values, sources->low.reg, sources->high.reg, wide);
    } else if (to->kind == OPERAND_REG && sources->copied.reg != NO_REG) {
        const Known *before = known_of(values, sources->copied.reg);
        const Known pair = before && before->is_pair ? *before : (Known){0};
        know_copy(values, to->reg, sources->copied);
        if (pair.is_pair && values->known[to->reg].write == values->writes[to->reg]) {
            values->known[to->reg].is_pair = true;
            values->known[to->reg].low = pair.low;
            values->known[to->reg].high = pair.high;
        }
    } else if (is_word_copy(insn) && is_constant(from)) {
        values->known[to->reg] =
            (Known){.write = values->writes[to->reg], .is_copy = true, .copy = *from};
    }
}

static void note_write(void *context, uint32_t reg, bool defined) {
    Values *values = context;
    if (defined)
        values->writes[reg] = ++values->last;
}

void tidy_values(Arena *scratch, Function *function) {
    const uint32_t regs = function->regs.count;
    Values values = {.function = function,
                     .writes = NEW_ARRAY(scratch, uint32_t, regs),
                     .known = NEW_ARRAY(scratch, Known, regs),
                     .wides = NEW_ARRAY(scratch, Wide, regs),
                     .fixed = NEW_ARRAY(scratch, Operand, regs),
                     .loaded = NEW_ARRAY(scratch, const Insn *, regs)};
    find_fixed(scratch, &values);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        values.begin = values.last;
        for (uint32_t i = block->first; i < block->first + block->count; i++) {
            Insn *insn = &function->insns.at[i];
            read_operands(&values, insn);
            if (packs(insn))
                read_pair(&values, insn);
            const Sources sources = sources_of(&values, insn);
            insn_registers(insn, note_write, &values);
            learn(&values, insn, &sources);
        }
    }
}
