/* Matrix products and what loads their fragments. The fragments are those of mma.sync, ldmatrix and stmatrix: an instruction of
 * PTX becomes one of the machine's of the same shape, or several. */
#include "machine/tensor.h"
#include "machine/address.h"

#include <stdlib.h>
#include <string.h>

/* ---- shapes ---- */

/* "16816": 16 by 8 by 16; "16x8x16" since sm_90 for f64. */
static bool read_shape(Str word, Product *product) {
    char text[16] = {0};
    if (word.length < 3 || word.length >= sizeof text)
        return false;
    memcpy(text, word.at, word.length);
    char *end = text;
    if (strchr(text, 'x')) {
        product->m = (uint32_t)strtoul(text, &end, 10);
        product->n = *end == 'x' ? (uint32_t)strtoul(end + 1, &end, 10) : 0;
        product->k = *end == 'x' ? (uint32_t)strtoul(end + 1, &end, 10) : 0;
    } else {
        const bool tall = strncmp(text, "168", 3) == 0;
        if (!tall && strncmp(text, "88", 2) != 0)
            return false;
        product->m = tall ? 16 : 8;
        product->n = 8;
        product->k = (uint32_t)strtoul(text + 2 + tall, &end, 10);
    }
    return *end == '\0' && product->m && product->n && product->k;
}

bool shape_of(const MachineInsn *insn, Product *product) {
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        if (insn->mods[i].at[0] >= '0' && insn->mods[i].at[0] <= '9')
            return read_shape(insn->mods[i], product);
    }
    return false;
}

bool only_with_shape(const MachineInsn *insn, const char *words) {
    MachineInsn rest = *insn;
    rest.mod_count = 0;
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        if (insn->mods[i].at[0] < '0' || insn->mods[i].at[0] > '9')
            rest.mods[rest.mod_count++] = insn->mods[i];
    }
    return machine_only(&rest, words) && rest.mod_count + 1 == insn->mod_count;
}

/* ---- fragments ---- */

static const char *joined(Emit *e, const char *list, const char *name) {
    return *list ? emit_printf(e, "%s, %s", list, name) : name;
}

/* Registers that hold a lane's share of so many elements of so many bits. */
static uint32_t share(uint32_t elements, uint32_t bits) {
    return elements * bits / (WARP_LANES * 32);
}

const char *in_fragment(Emit *e, const MachineOperand *operand, uint32_t count) {
    const char *list = "", *zero = NULL;
    if (operand->number == MACHINE_ZERO) {
        zero = temp32(e);
        emit_always(e, "mov.b32 %s, 0", zero);
    }
    for (uint32_t i = 0; i < count; i++)
        list = joined(e, list, zero ? zero : reg_at(e, operand, i));
    return emit_printf(e, "{%s}", list);
}

const char *out_fragment(Emit *e, const MachineOperand *operand, uint32_t count) {
    const char *list = "";
    for (uint32_t i = 0; i < count; i++)
        list = joined(e, list, out_at(e, operand, i));
    return emit_printf(e, "{%s}", list);
}

/* Of f64: pairs. */
static const char *in_pairs(Emit *e, const MachineOperand *operand, uint32_t count) {
    const char *list = "";
    for (uint32_t i = 0; i < count; i++) {
        const char *pair = temp64(e);
        emit_always(e, "mov.b64 %s, {%s, %s}", pair, reg_at(e, operand, 2 * i),
                    reg_at(e, operand, 2 * i + 1));
        list = joined(e, list, pair);
    }
    return emit_printf(e, "{%s}", list);
}

static bool fragments_known(const MachineInsn *insn, uint32_t count, const char *a, const char *b) {
    for (uint32_t i = 0; i < 4; i++) {
        const MachineOperand *operand = &insn->operands[i];
        if (operand->kind != MACHINE_REG || operand->negated || operand->absolute ||
            operand->inverted ||
            !str_is(operand->suffix, i == 1   ? a
                                     : i == 2 ? b
                                              : ""))
            return false;
    }
    return insn->operand_count == count && insn->operands[0].number != MACHINE_ZERO;
}

/* ---- products ---- */

/* D, A, B, C; of a sparse A the register that says which elements these are, and which lanes' registers do. */
static bool emit_product(Emit *e, const MachineInsn *insn, const Product *product,
                         const char *middle, const char *end) {
    const MachineOperand *operands = insn->operands;
    const uint32_t accumulators = share(product->m * product->n, product->d_bits);
    const char *d = out_fragment(e, &operands[0], accumulators);
    const char *a = in_fragment(
        e, &operands[1], share(product->m * product->k, product->a_bits) / (1 + product->sparse));
    const char *b = in_fragment(e, &operands[2], share(product->k * product->n, product->b_bits));
    const char *c = in_fragment(e, &operands[3], accumulators), *rest = "";
    if (product->sparse)
        rest = emit_printf(e, ", %s, %u", raw32(e, &operands[4]), (uint32_t)operands[5].value);
    emit(e, "mma%s.sync.aligned.m%un%uk%u.row.col%s.%s.%s.%s.%s%s %s, %s, %s, %s%s",
         product->sparse ? ".sp" : "", product->m, product->n, product->k, middle, product->d,
         product->a, product->b, product->d, end, d, a, b, c, rest);
    return true;
}

static bool sparse_known(const MachineInsn *insn) {
    return insn->operands[4].kind == MACHINE_REG && insn->operands[5].kind == MACHINE_INT;
}

/* HMMA.16816.F32.BF16 R4, R8, R12, R4 */
static bool hmma(Emit *e, const MachineInsn *insn) {
    Product product = {.sparse = machine_has(insn, "SP"), .a = "f16", .a_bits = 16};
    if (!shape_of(insn, &product) || !only_with_shape(insn, "F16 F32 BF16 TF32 SP") ||
        machine_has(insn, "F16") == machine_has(insn, "F32") ||
        !fragments_known(insn, product.sparse ? 6 : 4, "", "") ||
        (product.sparse && !sparse_known(insn)))
        return false;
    product.d = machine_has(insn, "F16") ? "f16" : "f32";
    product.d_bits = machine_has(insn, "F16") ? 16 : 32;
    if (machine_has(insn, "BF16"))
        product.a = "bf16";
    if (machine_has(insn, "TF32")) {
        product.a = "tf32";
        product.a_bits = 32;
    }
    product.b = product.a;
    product.b_bits = product.a_bits;
    return emit_product(e, insn, &product, "", "");
}

static const char *eighth_name(Str type) {
    return str_is(type, "E4M3") ? "e4m3" : str_is(type, "E5M2") ? "e5m2" : NULL;
}

/* QMMA.16832.F32.E4M3.E5M2 R16, R4.ROW, R8.COL, R12: of sm_89; without ROW and COL of sm_120 */
static bool qmma(Emit *e, const MachineInsn *insn) {
    Product product = {.sparse = machine_has(insn, "SP"), .a_bits = 8, .b_bits = 8};
    const bool half = machine_has(insn, "F16"), old = emit_arch(e) < 90;
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        const char *name = eighth_name(insn->mods[i]);
        product.a = product.a ? product.a : name;
        product.b = name ? name : product.b;
    }
    if (!shape_of(insn, &product) || !only_with_shape(insn, "F16 F32 E4M3 E5M2 SP") || !product.a ||
        half == machine_has(insn, "F32") || insn->mod_count != 4u + product.sparse ||
        !fragments_known(insn, product.sparse ? 6 : 4, old ? ".ROW" : "", old ? ".COL" : "") ||
        (product.sparse && !sparse_known(insn)))
        return false;
    product.d = half ? "f16" : "f32";
    product.d_bits = half ? 16 : 32;
    return emit_product(e, insn, &product, "", "");
}

static uint32_t integer_bits(Str type) {
    return str_is(type, "U8") || str_is(type, "S8")   ? 8
           : str_is(type, "U4") || str_is(type, "S4") ? 4
                                                      : 0;
}

static const char *integer_name(Str type) {
    const bool is_signed = type.at[0] == 'S', wide = type.at[1] == '8';
    return is_signed ? wide ? "s8" : "s4" : wide ? "u8" : "u4";
}

/* IMMA.16832.S8.U8.SAT R4, R8.ROW, R12.COL, R4 */
static bool imma(Emit *e, const MachineInsn *insn) {
    Product product = {.sparse = machine_has(insn, "SP"), .d = "s32", .d_bits = 32};
    Str types[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < insn->mod_count; i++) {
        if (integer_bits(insn->mods[i]) && count < 2)
            types[count++] = insn->mods[i];
    }
    if (!shape_of(insn, &product) || !only_with_shape(insn, "S8 U8 S4 U4 SAT SP") || count != 2 ||
        integer_bits(types[0]) != integer_bits(types[1]) ||
        !fragments_known(insn, product.sparse ? 6 : 4, ".ROW", ".COL") ||
        (product.sparse && !sparse_known(insn)))
        return false;
    product.a_bits = product.b_bits = integer_bits(types[0]);
    product.a = integer_name(types[0]);
    product.b = integer_name(types[1]);
    return emit_product(e, insn, &product, machine_has(insn, "SAT") ? ".satfinite" : "", "");
}

/* BMMA.168256.XOR.POPC R4, R8.ROW, R12.COL, R4 */
static bool bmma(Emit *e, const MachineInsn *insn) {
    Product product = {.d = "s32", .a = "b1", .b = "b1", .d_bits = 32, .a_bits = 1, .b_bits = 1};
    const bool exclusive = machine_has(insn, "XOR");
    if (!shape_of(insn, &product) || !only_with_shape(insn, "XOR AND POPC") ||
        !machine_has(insn, "POPC") || exclusive == machine_has(insn, "AND") ||
        !fragments_known(insn, 4, ".ROW", ".COL"))
        return false;
    return emit_product(e, insn, &product, "", exclusive ? ".xor.popc" : ".and.popc");
}

/* DMMA.8x8x4.RM R4, R8, R12, R4 */
static bool dmma(Emit *e, const MachineInsn *insn) {
    Product product = {.d_bits = 64};
    const MachineOperand *operands = insn->operands;
    const char *round = machine_one_of(insn, "RM RP RZ");
    if (!shape_of(insn, &product) || !only_with_shape(insn, "RM RP RZ") ||
        !fragments_known(insn, 4, "", ""))
        return false;
    const uint32_t accumulators = product.m * product.n / WARP_LANES;
    const char *a = in_pairs(e, &operands[1], product.m * product.k / WARP_LANES);
    const char *b = in_pairs(e, &operands[2], product.k * product.n / WARP_LANES);
    const char *c = in_pairs(e, &operands[3], accumulators), *d = "", *results[16];
    if (accumulators > sizeof results / sizeof *results)
        return false;
    for (uint32_t i = 0; i < accumulators; i++) {
        results[i] = temp64(e);
        d = joined(e, d, results[i]);
    }
    emit(e, "mma.sync.aligned.m%un%uk%u.row.col.%s.f64.f64.f64.f64 {%s}, %s, %s, %s", product.m,
         product.n, product.k,
         !round            ? "rn"
         : round[1] == 'M' ? "rm"
         : round[1] == 'P' ? "rp"
                           : "rz",
         d, a, b, c);
    for (uint32_t i = 0; i < accumulators; i++)
        emit(e, "mov.b64 {%s, %s}, %s", out_at(e, &operands[0], 2 * i),
             out_at(e, &operands[0], 2 * i + 1), results[i]);
    return true;
}

/* ---- matrices in shared memory and in registers ---- */

/* LDSM.16.MT88.4 R4, [R2+UR4+0x100]: four matrices of 8 by 8 elements of 16 bits, transposed. */
static bool moved_matrices(const MachineInsn *insn, uint32_t *count) {
    *count = machine_has(insn, "4") ? 4 : machine_has(insn, "2") ? 2 : 1;
    return machine_only(insn, "16 M88 MT88 2 4") && machine_has(insn, "16") &&
           machine_has(insn, "M88") != machine_has(insn, "MT88") && insn->operand_count == 2;
}

static bool ldsm(Emit *e, const MachineInsn *insn) {
    uint32_t count;
    if (!moved_matrices(insn, &count) || insn->operands[0].kind != MACHINE_REG)
        return false;
    const char *address = address32(e, &insn->operands[1]);
    if (!address)
        return false;
    emit(e, "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [%s]", count,
         machine_has(insn, "MT88") ? ".trans" : "", out_fragment(e, &insn->operands[0], count),
         address);
    return true;
}

static bool stsm(Emit *e, const MachineInsn *insn) {
    uint32_t count;
    if (!moved_matrices(insn, &count) || insn->operands[1].kind != MACHINE_REG)
        return false;
    const char *address = address32(e, &insn->operands[0]);
    if (!address)
        return false;
    emit(e, "stmatrix.sync.aligned.m8n8.x%u%s.shared.b16 [%s], %s", count,
         machine_has(insn, "MT88") ? ".trans" : "", address,
         in_fragment(e, &insn->operands[1], count));
    return true;
}

/* MOVM.16.MT88 R4, R2 */
static bool movm(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "16 MT88") || insn->mod_count != 2 || insn->operand_count != 2 ||
        is_zero(&insn->operands[1]))
        return false;
    emit(e, "movmatrix.sync.aligned.m8n8.trans.b16 %s, %s", out32(e, &insn->operands[0]),
         in32(e, &insn->operands[1]));
    return true;
}

const MachineFamily family_tensor[] = {
    {"HMMA", hmma}, {"QMMA", qmma}, {"IMMA", imma},
    {"BMMA", bmma}, {"DMMA", dmma}, {"LDSM", ldsm},
    {"STSM", stsm}, {"MOVM", movm}, {0},
};
