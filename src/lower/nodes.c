/* What registers hold, as far as ptxas sees that it is the same: each computation has a number (a node), the same
 * for the same one, and a register's value is a node and a constant that may be taken out of an address
 * (known.c says which may). Addresses at the same node are distances from one base.
 *
 * Sums are what they were written as, but for the order of two; products with constants are
 * spread over sums: (x + y) * 8 is x * 8 + y * 8, and (x + 1) * 8 is x * 8 and the constant 8.
 *
 * A register that is written in one place stands for itself: that place is passed, in every iteration, before
 * what is made of it. One that is written in several (a loop's pointer) stands for itself from one write
 * to the next in a basic block. */
#include "lower/lowering.h"

#include <string.h>

typedef enum NodeKind {
    NODE_NONE,
    NODE_LIVE,     /* the register `left`, whenever it is asked for */
    NODE_REGISTER, /* the same, written in one place */
    NODE_THEN,     /* the register `left` in block `right` after so many writes */
    NODE_SYMBOL,   /* a shared variable's address that ptxas does not know */
    NODE_LOCKED,   /* left + constant */
    NODE_SUM,      /* left + right + constant */
    NODE_SCALED,   /* left * constant */
    NODE_PRODUCT,  /* left * right; op: the type of these if it is wide */
    NODE_OTHER     /* an instruction's opcode, left and right */
} NodeKind;

typedef struct Node {
    struct NodeKey {
        uint32_t kind, left, right, op;
        uint64_t constant;
    } key;
    uint32_t *killers, killer_count;
} Node;

struct Nodes {
    Arena *arena;
    const Lowering *lowering;
    const Known *known;
    Map *numbers; /* of keys */
    VEC(Node *) all;
    Value *of;         /* [regs]: node 0 and constant 0: none yet */
    uint32_t *version; /* [regs]: writes so far */
};

Nodes *nodes_new(Arena *arena, const Lowering *lowering, const Known *known) {
    uint32_t regs = lowering->function->regs.count + 1;
    Nodes *nodes = NEW(arena, Nodes);
    *nodes = (Nodes){.arena = arena,
                     .lowering = lowering,
                     .known = known,
                     .numbers = map_new(arena),
                     .of = NEW_ARRAY(arena, Value, regs),
                     .version = NEW_ARRAY(arena, uint32_t, regs)};
    *vec_add(arena, &nodes->all) = NEW(arena, Node); /* 0: none */
    return nodes;
}

/* ---- nodes ---- */

enum { KILLERS_MAX = 16, DEPTH_MAX = 8 };

static uint32_t add_killers(const Node *node, uint32_t *at, uint32_t count) {
    for (uint32_t i = 0; i < node->killer_count; i++) {
        uint32_t k = 0;
        while (k < count && at[k] != node->killers[i])
            k++;
        if (k == count)
            at[count++] = node->killers[i];
    }
    return count;
}

static bool is_leaf(uint32_t kind) {
    return kind == NODE_LIVE || kind == NODE_REGISTER || kind == NODE_THEN || kind == NODE_SYMBOL;
}

static uint32_t new_node(Nodes *nodes, struct NodeKey key, uint32_t killer) {
    Node *node = NEW(nodes->arena, Node);
    uint32_t killers[2 * KILLERS_MAX], count = 0;
    node->key = key;
    if (!is_leaf(key.kind)) {
        count = add_killers(nodes->all.at[key.left], killers, 0);
        if (key.kind != NODE_LOCKED && key.kind != NODE_SCALED)
            count = add_killers(nodes->all.at[key.right], killers, count);
    } else if (killer != NO_REG) {
        killers[count++] = killer;
    }
    if (count > KILLERS_MAX)
        return 0;
    node->killers = NEW_ARRAY(nodes->arena, uint32_t, count + 1);
    node->killer_count = count;
    memcpy(node->killers, killers, count * sizeof *killers);
    *vec_add(nodes->arena, &nodes->all) = node;
    map_put(nodes->numbers, (Str){(const char *)&node->key, sizeof node->key},
            nodes->all.count - 1);
    return nodes->all.count - 1;
}

/* 0: too much goes into it. */
static uint32_t node_of(Nodes *nodes, struct NodeKey key, uint32_t killer) {
    uint64_t number;
    if (map_get(nodes->numbers, (Str){(const char *)&key, sizeof key}, &number))
        return (uint32_t)number;
    return new_node(nodes, key, killer);
}

static uint32_t register_node(Nodes *nodes, uint32_t reg) {
    return node_of(nodes, (struct NodeKey){.kind = NODE_REGISTER, .left = reg}, reg);
}

static uint32_t locked(Nodes *nodes, uint32_t node, uint64_t constant) {
    if (constant == 0 && node)
        return node;
    return node_of(nodes, (struct NodeKey){.kind = NODE_LOCKED, .left = node, .constant = constant},
                   NO_REG);
}

static uint32_t sum_node(Nodes *nodes, uint32_t left, uint32_t right, uint64_t constant) {
    struct NodeKey key = {.kind = NODE_SUM,
                          .left = left < right ? left : right,
                          .right = left < right ? right : left,
                          .constant = constant};
    return left && right ? node_of(nodes, key, NO_REG) : 0;
}

static uint32_t scaled(Nodes *nodes, uint32_t node, uint64_t factor, uint64_t mask,
                       uint32_t depth) {
    const struct NodeKey key = nodes->all.at[node]->key;
    if (factor == 1 || node == 0)
        return node;
    if (key.kind == NODE_SCALED)
        return scaled(nodes, key.left, key.constant * factor & mask, mask, depth);
    if (key.kind == NODE_SUM && depth < DEPTH_MAX)
        return sum_node(nodes, scaled(nodes, key.left, factor, mask, depth + 1),
                        scaled(nodes, key.right, factor, mask, depth + 1),
                        key.constant * factor & mask);
    return node_of(nodes, (struct NodeKey){.kind = NODE_SCALED, .left = node, .constant = factor},
                   NO_REG);
}

/* ---- instructions ---- */

/* An operand. */
typedef struct Term {
    Value value;
    Known known;
} Term;

static uint32_t bytes_of(const Nodes *nodes, uint32_t reg) {
    return type_bytes(nodes->lowering->function->regs.at[reg].type);
}

static Value register_value(Nodes *nodes, uint32_t reg, uint32_t at) {
    const Lowering *lowering = nodes->lowering;
    if (nodes->of[reg].node)
        return nodes->of[reg];
    if (lowering->writes[reg] < 2)
        return (Value){.node = register_node(nodes, reg)};
    struct NodeKey key = {.kind = NODE_THEN,
                          .left = reg,
                          .right = lowering->block_of[at],
                          .constant = nodes->version[reg]};
    /* What is made of it first is written again when the block is passed again. */
    return (Value){.node = node_of(nodes, key, lowering->function->insns.at[at].operands[0].reg)};
}

static Term term_of(Nodes *nodes, uint32_t at, uint32_t index) {
    const Lowering *lowering = nodes->lowering;
    const Insn *insn = &lowering->function->insns.at[at];
    const Operand *operand = &insn->operands[index];
    Term term = {.known = known_operand(lowering, nodes->known, insn, index)};
    if (known_is_plain(term.known))
        term.value.constant = term.known.value;
    else if (operand->kind == OPERAND_REG)
        term.value = register_value(nodes, operand->reg, at);
    else if (operand->kind == OPERAND_SYMBOL && operand->variable->space == SPACE_SHARED)
        term.value =
            (Value){.node = node_of(nodes,
                                    (struct NodeKey){.kind = NODE_SYMBOL,
                                                     .constant = shared_address(lowering->shared,
                                                                                operand->variable)},
                                    NO_REG),
                    .constant = (uint64_t)operand->offset};
    return term;
}

static void constant_last(Term *a, Term *b) {
    if (!known_is_plain(a->known))
        return;
    Term constant = *a;
    *a = *b;
    *b = constant;
}

static Value none(void) {
    return (Value){0};
}

static Value value_sum(Nodes *nodes, Term a, Term b, uint64_t mask) {
    constant_last(&a, &b);
    uint64_t both = a.value.constant + b.value.constant;
    if (a.value.node == 0)
        return none();
    if (known_is_plain(b.known)) {
        if (known_bound(a.known) == BOUND_AT_ONCE)
            return (Value){.node = locked(nodes, a.value.node, both & mask)};
        return (Value){a.value.node, both};
    }
    Kept kept = known_kept(a.known, b.known);
    uint64_t loose = (kept.a ? a.known.loose : 0) + (kept.b ? b.known.loose : 0);
    return (Value){sum_node(nodes, a.value.node, b.value.node, (both - loose) & mask), loose};
}

static Value value_of_kind(Nodes *nodes, struct NodeKey key, Term a, Term b, bool commutes) {
    if (a.value.node == 0 && b.value.node == 0)
        return none();
    uint32_t left = locked(nodes, a.value.node, a.value.constant);
    uint32_t right = locked(nodes, b.value.node, b.value.constant);
    key.left = commutes && right < left ? right : left;
    key.right = commutes && right < left ? left : right;
    return (Value){.node = left && right ? node_of(nodes, key, NO_REG) : 0};
}

static Value value_other(Nodes *nodes, const Insn *insn, Term a, Term b, bool commutes) {
    struct NodeKey key = {.kind = NODE_OTHER, .op = (uint32_t)insn->op};
    return value_of_kind(nodes, key, a, b, commutes);
}

static Term value_product(Nodes *nodes, const Insn *insn, Term a, Term b, uint64_t mask) {
    bool wide = is_wide(insn);
    struct NodeKey key = {.kind = NODE_PRODUCT, .op = wide ? insn->operands[1].type : 0};
    Term product = {.known = known_product(a.known, b.known, wide)};
    if (known_is_plain(product.known)) {
        product.value.constant = product.known.value;
        return product;
    }
    constant_last(&a, &b);
    if (wide || !known_is_plain(b.known) || a.value.node == 0) {
        product.value = value_of_kind(nodes, key, a, b, true);
        return product;
    }
    uint64_t factor = b.known.value & mask;
    uint64_t taken = known_shifts(b.known) ? a.value.constant : a.known.loose;
    uint32_t node = locked(nodes, a.value.node, (a.value.constant - taken) & mask);
    product.value = (Value){scaled(nodes, node, factor, mask, 0), taken * factor};
    return product;
}

static Value value_shifted(Nodes *nodes, const Insn *insn, Term a, Term by, uint64_t mask) {
    uint64_t bits = mask == UINT64_MAX ? 64 : 32;
    if (!known_is_plain(by.known) || by.known.value >= bits || a.value.node == 0)
        return value_other(nodes, insn, a, by, false);
    uint64_t factor = UINT64_C(1) << by.known.value;
    return (Value){scaled(nodes, a.value.node, factor, mask, 0), a.value.constant * factor};
}

static Value value_or(Nodes *nodes, const Insn *insn, Term a, Term b) {
    constant_last(&a, &b);
    if (!known_adds(a.known, b.known))
        return value_other(nodes, insn, a, b, true);
    return (Value){locked(nodes, a.value.node, a.value.constant), b.value.constant};
}

static Value value_made(Nodes *nodes, uint32_t at) {
    const Insn *insn = &nodes->lowering->function->insns.at[at];
    uint64_t mask = bytes_of(nodes, insn->operands[0].reg) == 8 ? UINT64_MAX : UINT32_MAX;
    Term a = term_of(nodes, at, 1), b = {0};
    if (insn->operand_count > 2)
        b = term_of(nodes, at, 2);
    switch (op_math(insn->op)) {
    case OP_MATH_SUM:
        return value_sum(nodes, a, b, mask);
    case OP_MATH_DIFFERENCE:
        if (!known_is_plain(b.known) && !known_subtracts(a.known, b.known))
            return value_other(nodes, insn, a, b, false);
        b.known = known_negative(b.known);
        b.value = (Value){scaled(nodes, b.value.node, mask, mask, 0), 0 - b.value.constant};
        return value_sum(nodes, a, b, mask);
    case OP_MATH_PRODUCT:
        return value_product(nodes, insn, a, b, mask).value;
    case OP_MATH_MULTIPLY_ADD: {
        Term product = value_product(nodes, insn, a, b, mask), added = term_of(nodes, at, 3);
        product.known = known_factors(a.known, b.known, added.known, is_wide(insn));
        if (known_keeps(product.known, added.known))
            product.value =
                (Value){.node = locked(nodes, product.value.node, product.value.constant & mask)};
        return value_sum(nodes, product, added, mask);
    }
    case OP_MATH_SHIFT:
        return value_shifted(nodes, insn, a, b, mask);
    case OP_MATH_OR:
        return value_or(nodes, insn, a, b);
    case OP_MATH_PRODUCT_OF_24:
    case OP_MATH_AND:
    case OP_MATH_XOR:
        return value_other(nodes, insn, a, b, true);
    default:
        return insn->op == OP_mov ? a.value : none();
    }
}

static bool is_numbered(const Nodes *nodes, const Insn *insn) {
    if (insn->guard != NO_REG || insn->operand_count < 2 || insn->operands[0].kind != OPERAND_REG)
        return false;
    uint32_t reg = insn->operands[0].reg, bytes = bytes_of(nodes, reg);
    return nodes->lowering->writes[reg] == 1 && (bytes == 4 || bytes == 8);
}

static void count_version(void *context, uint32_t reg, bool defined) {
    Nodes *nodes = context;
    nodes->version[reg] += defined;
}

void nodes_pass(Nodes *nodes, uint32_t at) {
    const Insn *insn = &nodes->lowering->function->insns.at[at];
    if (is_numbered(nodes, insn))
        nodes->of[insn->operands[0].reg] = value_made(nodes, at);
    insn_registers(insn, count_version, nodes);
}

/* ---- places ---- */

static uint32_t live_node(Nodes *nodes, uint32_t reg) {
    return node_of(nodes, (struct NodeKey){.kind = NODE_LIVE, .left = reg}, reg);
}

/* The same as the register itself, where it was not written since. */
static uint32_t live_base(Nodes *nodes, uint32_t node, uint32_t at) {
    const struct NodeKey key = nodes->all.at[node]->key;
    if (key.kind != NODE_THEN || key.right != nodes->lowering->block_of[at] ||
        key.constant != nodes->version[key.left])
        return node;
    return live_node(nodes, key.left);
}

static uint32_t bits_of(Known known, uint64_t taken) {
    return known_multiple((Known){.bits = known.bits, .value = known.value - taken}).bits;
}

BasePlace nodes_place(Nodes *nodes, const Operand *address, uint32_t at) {
    const Lowering *lowering = nodes->lowering;
    uint32_t reg = address->reg;
    uint64_t offset = (uint64_t)address->offset;
    if (reg == NO_REG && address->variable)
        offset += shared_address(lowering->shared, address->variable);
    if (reg == NO_REG)
        return (BasePlace){NO_INDEX, (uint32_t)offset, 32, false};
    Known known = nodes->known[reg];
    if (known.made & KNOWN_CONSTANT)
        return (BasePlace){NO_INDEX, (uint32_t)(offset + known.value), 32, false};
    Value value = nodes->of[reg];
    if (value.node == 0)
        value = (Value){.node = lowering->writes[reg] < 2 ? register_node(nodes, reg)
                                                          : live_node(nodes, reg)};
    return (BasePlace){live_base(nodes, value.node, at), (uint32_t)(offset + value.constant),
                       bits_of(known, value.constant), (known.made & KNOWN_CUT) != 0};
}

uint32_t nodes_version(const Nodes *nodes, uint32_t base) {
    if (base == NO_INDEX || nodes->all.at[base]->key.kind != NODE_LIVE)
        return 0;
    return nodes->version[nodes->all.at[base]->key.left];
}

uint32_t nodes_killers(const Nodes *nodes, uint32_t base, const uint32_t **regs) {
    if (base == NO_INDEX)
        return 0;
    *regs = nodes->all.at[base]->killers;
    return nodes->all.at[base]->killer_count;
}
