/* Products of a warpgroup: wgmma. An instruction of PTX becomes one of the machine's of the same shape; fences, groups and
 * waits are instructions of their own, but that a group ends with the product that has gsb0. */
#include "machine/emit.h"
#include "machine/tensor.h"

#include <string.h>

/* gdesc[UR8].negA.tnspB: the uniform registers from UR8 on describe A, where that is in shared memory, and B. */
typedef struct Described {
    uint32_t ureg;
    bool turns_a, turns_b, negates_a, negates_b;
} Described;

/* Takes a word off the text that begins with it. */
static bool take(Str *text, const char *word) {
    if (!str_starts(*text, word))
        return false;
    *text = str_drop(*text, strlen(word));
    return true;
}

static bool read_described(const MachineOperand *operand, Described *described) {
    Str text = operand->text;
    *described = (Described){.ureg = MACHINE_ZERO};
    if (!take(&text, "gdesc[UR"))
        return false;
    if (!take(&text, "Z")) {
        described->ureg = 0;
        while (text.length && text.at[0] >= '0' && text.at[0] <= '9' && described->ureg < 64) {
            described->ureg = 10 * described->ureg + (uint32_t)(text.at[0] - '0');
            text = str_drop(text, 1);
        }
    }
    if (!take(&text, "]"))
        return false;
    while (text.length) {
        bool *flag = take(&text, ".negA")    ? &described->negates_a
                     : take(&text, ".negB")  ? &described->negates_b
                     : take(&text, ".tnspA") ? &described->turns_a
                     : take(&text, ".tnspB") ? &described->turns_b
                                             : NULL;
        if (!flag || *flag)
            return false;
        *flag = true;
    }
    return true;
}

/* What an instruction multiplies, and what is not in its name. */
typedef struct GroupProduct {
    Product shape;
    Described described;
    const MachineOperand *a;               /* NULL: in shared memory */
    const MachineOperand *c;               /* what is added */
    const MachineOperand *adds, *metadata; /* NULL: there is none */
    uint32_t selector;
    bool commits; /* the group ends here */
} GroupProduct;

static bool is_predicate(const MachineOperand *operand) {
    return operand->kind == MACHINE_PRED || operand->kind == MACHINE_UPRED;
}

/* R24, gdesc[UR8], R24, UP0, R28, 0x1, gsb0: D, B and perhaps A, C; then whether C is added, of a sparse A which elements these
 * are, and which lanes' registers say so, and whether the group ends: each where there is any. */
static bool read_operands(const MachineInsn *insn, GroupProduct *product) {
    const MachineOperand *at = insn->operands, *end = at + insn->operand_count;
    if (insn->operand_count < 3 || at->kind != MACHINE_REG)
        return false;
    at++;
    if (at->kind == MACHINE_REG)
        product->a = at++;
    if (at == end || !read_described(at++, &product->described) || at == end ||
        at->kind != MACHINE_REG)
        return false;
    product->c = at++;
    if (at < end && is_predicate(at))
        product->adds = at++;
    if (at < end && at->kind == MACHINE_REG)
        product->metadata = at++;
    if (at < end && at->kind == MACHINE_INT && product->metadata)
        product->selector = (uint32_t)(at++)->value;
    if (at < end && at->kind == MACHINE_NAME && str_is(at->symbol, "gsb0")) {
        product->commits = true;
        at++;
    }
    return at == end;
}

static const char *descriptor(Emit *e, uint32_t ureg) {
    const MachineOperand pair = {.kind = MACHINE_UREG, .number = ureg};
    return in64(e, &pair);
}

/* A predicate that is true where C is added. */
static const char *added(Emit *e, const GroupProduct *product) {
    const MachineOperand always = {.kind = MACHINE_PRED, .number = MACHINE_ZERO};
    const MachineOperand never = {.kind = MACHINE_PRED, .number = MACHINE_ZERO, .inverted = true};
    if (product->c->number == MACHINE_ZERO)
        return in_pred(e, &never);
    return in_pred(e, product->adds ? product->adds : &always);
}

/* ", 1, -1, 0, 1": signs of A and B, and which of them are turned; a turned A is in shared memory. */
static const char *signs(Emit *e, const GroupProduct *product, bool can_turn) {
    const Described *described = &product->described;
    const bool negates_a = described->negates_a || (product->a && product->a->negated);
    const char *text =
        emit_printf(e, ", %d, %d", negates_a ? -1 : 1, described->negates_b ? -1 : 1);
    if (can_turn && !product->a)
        text = emit_printf(e, "%s, %d", text, described->turns_a);
    return can_turn ? emit_printf(e, "%s, %d", text, described->turns_b) : text;
}

static bool known(const MachineInsn *insn, const GroupProduct *product) {
    const Product *shape = &product->shape;
    const bool turns = product->described.turns_a || product->described.turns_b;
    const bool signs = product->described.negates_a || product->described.negates_b ||
                       (product->a && product->a->negated);
    return shape->m == 64 && shape->n % 8 == 0 && shape->n <= 256 &&
           (product->c->number == insn->operands[0].number || product->c->number == MACHINE_ZERO) &&
           (product->described.ureg != MACHINE_ZERO) &&
           (product->metadata != NULL) == shape->sparse && !(turns && shape->a_bits != 16) &&
           !(signs && strcmp(shape->d, "s32") == 0) &&
           !(product->described.turns_a && product->a) && !insn->guarded;
}

/* The product, if any: ptxas ends a group that has none of its own with one whose result is RZ. */
static bool multiply(Emit *e, const MachineInsn *insn, GroupProduct *product, const char *middle,
                     const char *end) {
    const Product *shape = &product->shape;
    const bool integer = strcmp(shape->d, "s32") == 0;
    if (insn->operands[0].number == MACHINE_ZERO && !insn->guarded)
        return true;
    if (!known(insn, product))
        return false;
    const uint32_t lane_bits = 4 * WARP_LANES * 32; /* of a register in all lanes of the group */
    const char *d =
        out_fragment(e, &insn->operands[0], shape->m * shape->n * shape->d_bits / lane_bits);
    const char *a =
        product->a
            ? in_fragment(e, product->a,
                          shape->m * shape->k * shape->a_bits / lane_bits / (1 + shape->sparse))
            : descriptor(e, product->described.ureg);
    const char *b = descriptor(e, product->described.ureg + 2), *rest = "";
    if (shape->sparse)
        rest = emit_printf(e, ", %s, %u", raw32(e, product->metadata), product->selector);
    emit(e, "wgmma.mma_async%s.sync.aligned.m%un%uk%u.%s.%s.%s%s%s %s, %s, %s%s, %s%s",
         shape->sparse ? ".sp" : "", shape->m, shape->n, shape->k, shape->d, shape->a, shape->b,
         middle, end, d, a, b, rest, added(e, product),
         integer ? "" : signs(e, product, shape->a_bits == 16));
    return true;
}

static bool finish(Emit *e, const GroupProduct *product) {
    if (product->commits)
        emit(e, "wgmma.commit_group.sync.aligned");
    return true;
}

static bool read_product(const MachineInsn *insn, GroupProduct *product) {
    product->shape.sparse = machine_has(insn, "SP");
    return shape_of(insn, &product->shape) && read_operands(insn, product);
}

/* HGMMA.64x64x16.F32.BF16 R24, gdesc[UR8], R24, UP0, gsb0 */
static bool hgmma(Emit *e, const MachineInsn *insn) {
    GroupProduct product = {0};
    Product *shape = &product.shape;
    if (!read_product(insn, &product) || !only_with_shape(insn, "F16 F32 BF16 TF32 SP") ||
        machine_has(insn, "F16") == machine_has(insn, "F32"))
        return false;
    shape->d = machine_has(insn, "F16") ? "f16" : "f32";
    shape->d_bits = machine_has(insn, "F16") ? 16 : 32;
    shape->a = machine_has(insn, "BF16") ? "bf16" : machine_has(insn, "TF32") ? "tf32" : "f16";
    shape->b = shape->a;
    shape->a_bits = machine_has(insn, "TF32") ? 32 : 16;
    return multiply(e, insn, &product, "", "") && finish(e, &product);
}

/* The types of A and B, each one of a word list's. */
static bool two_types(const MachineInsn *insn, const char *(*name)(Str), Product *shape) {
    const char *types[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        const char *type = name(insn->mods[i]);
        if (type && count == 2)
            return false;
        if (type)
            types[count++] = type;
    }
    if (count != 2)
        return false;
    shape->a = types[0];
    shape->b = types[1];
    shape->a_bits = 8;
    return true;
}

static const char *small_float(Str word) {
    return str_is(word, "E4M3") ? "e4m3" : str_is(word, "E5M2") ? "e5m2" : NULL;
}

static const char *small_integer(Str word) {
    return str_is(word, "S8") ? "s8" : str_is(word, "U8") ? "u8" : NULL;
}

/* QGMMA.64x8x32.F32.E4M3.E5M2 R24, R28, gdesc[UR4], R24 */
static bool qgmma(Emit *e, const MachineInsn *insn) {
    GroupProduct product = {0};
    if (!read_product(insn, &product) || !only_with_shape(insn, "F16 F32 E4M3 E5M2 SP") ||
        machine_has(insn, "F16") == machine_has(insn, "F32") ||
        !two_types(insn, small_float, &product.shape))
        return false;
    product.shape.d = machine_has(insn, "F16") ? "f16" : "f32";
    product.shape.d_bits = machine_has(insn, "F16") ? 16 : 32;
    return multiply(e, insn, &product, "", "") && finish(e, &product);
}

/* IGMMA.64x8x32.U8.S8.SAT R24, gdesc[UR8], R24 */
static bool igmma(Emit *e, const MachineInsn *insn) {
    GroupProduct product = {0};
    if (!read_product(insn, &product) || !only_with_shape(insn, "S8 U8 SAT SP") ||
        !two_types(insn, small_integer, &product.shape))
        return false;
    product.shape.d = "s32";
    product.shape.d_bits = 32;
    return multiply(e, insn, &product, "", machine_has(insn, "SAT") ? ".satfinite" : "") &&
           finish(e, &product);
}

/* BGMMA.64x8x256.AND.POPC R24, gdesc[UR8], R24 */
static bool bgmma(Emit *e, const MachineInsn *insn) {
    GroupProduct product = {.shape = {.d = "s32", .a = "b1", .b = "b1", .d_bits = 32, .a_bits = 1}};
    if (!read_product(insn, &product) || !only_with_shape(insn, "AND POPC"))
        return false;
    return multiply(e, insn, &product, ".and.popc", "") && finish(e, &product);
}

/* WARPGROUP.ARRIVE; WARPGROUP.DEPBAR.LE gsb0, 0x1: until at most one group is not done. */
static bool warpgroup(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    if (machine_has(insn, "ARRIVE") && insn->mod_count == 1 && insn->operand_count == 0) {
        emit(e, "wgmma.fence.sync.aligned");
        return true;
    }
    if (!machine_only(insn, "DEPBAR LE") || insn->mod_count != 2 || insn->operand_count != 2 ||
        !str_is(operands[0].symbol, "gsb0") || operands[1].kind != MACHINE_INT)
        return false;
    emit(e, "wgmma.wait_group.sync.aligned %u", (uint32_t)operands[1].value);
    return true;
}

const MachineFamily family_warpgroup[] = {
    {"HGMMA", hgmma}, {"QGMMA", qgmma},         {"IGMMA", igmma},
    {"BGMMA", bgmma}, {"WARPGROUP", warpgroup}, {0},
};
