/* Operands in brackets, and what is moved there and from there. */
#include "machine/address.h"
#include "machine/translate.h"

static const char *unknown_address(Emit *e, const MachineOperand *address) {
    emit_unknown(e, "the address " STR_FMT " of " STR_FMT, STR_ARG(address->text),
                 STR_ARG(e->insn->text));
    return NULL;
}

static bool has_register(uint32_t number) {
    return number != MACHINE_NONE && number != MACHINE_ZERO;
}

static MachineOperand register_of(MachineOperandKind kind, uint32_t number) {
    return (MachineOperand){.kind = kind, .number = number};
}

/* "%td0+-16", "16" */
static const char *displaced(Emit *e, const char *base, int64_t value) {
    if (!base)
        return emit_printf(e, "%lld", (long long)value);
    return value ? emit_printf(e, "%s+%lld", base, (long long)value) : base;
}

static const char *widened(Emit *e, const MachineOperand *reg) {
    const char *to = temp64(e);
    emit_always(e, "cvt.u64.u32 %s, %s", to, raw32(e, reg));
    return to;
}

/* The register of 64 bits, or of 32 that are extended by zeros. A uniform one beside it has 64 bits. */
const char *address64(Emit *e, const MachineOperand *address) {
    const bool narrow = str_is(address->reg_suffix, ".U32");
    const MachineOperand reg = register_of(MACHINE_REG, address->reg);
    const MachineOperand ureg = register_of(MACHINE_UREG, address->ureg);
    if (address->kind != MACHINE_ADDRESS || address->symbol.length ||
        !(narrow || address->reg_suffix.length == 0 || str_is(address->reg_suffix, ".64")))
        return unknown_address(e, address);
    if (!has_register(address->ureg)) {
        const char *base = !has_register(address->reg) ? NULL
                           : narrow                    ? widened(e, &reg)
                                                       : in64(e, &reg);
        return displaced(e, base, address->value);
    }
    if (address->ureg_suffix.length != 0 && !str_is(address->ureg_suffix, ".64"))
        return unknown_address(e, address);
    if (!has_register(address->reg))
        return displaced(e, in64(e, &ureg), address->value);
    const char *sum = temp64(e);
    emit_always(e, "add.u64 %s, %s, %s", sum, narrow ? widened(e, &reg) : in64(e, &reg),
                in64(e, &ureg));
    return displaced(e, sum, address->value);
}

static bool scale_of(Str suffix, uint32_t *scale) {
    *scale = suffix.length == 0       ? 1
             : str_is(suffix, ".X4")  ? 4
             : str_is(suffix, ".X8")  ? 8
             : str_is(suffix, ".X16") ? 16
                                      : 0;
    return *scale != 0;
}

/* [R17.X4+`(x)], of code that is linked */
static const char *behind_symbol(Emit *e, const MachineOperand *address, uint32_t scale) {
    const MachineOperand reg = register_of(MACHINE_REG, address->reg);
    const char *symbol = shared_symbol(e, address->symbol), *sum = temp32(e);
    if (!symbol || has_register(address->ureg))
        return unknown_address(e, address);
    if (!has_register(address->reg))
        return displaced(e, symbol, address->value);
    emit_always(e, "mad.lo.u32 %s, %s, %u, %s", sum, raw32(e, &reg), scale, symbol);
    return displaced(e, sum, address->value);
}

const char *address32(Emit *e, const MachineOperand *address) {
    uint32_t scale = 1;
    if (address->kind != MACHINE_ADDRESS || !scale_of(address->reg_suffix, &scale) ||
        address->ureg_suffix.length != 0)
        return unknown_address(e, address);
    const bool has = has_register(address->reg), uniform = has_register(address->ureg);
    const MachineOperand reg = register_of(MACHINE_REG, address->reg);
    const MachineOperand ureg = register_of(MACHINE_UREG, address->ureg);
    if (address->symbol.length)
        return behind_symbol(e, address, scale);
    if (!has)
        return displaced(e, uniform ? raw32(e, &ureg) : NULL, address->value);
    if (!uniform && scale == 1)
        return displaced(e, raw32(e, &reg), address->value);
    const char *sum = temp32(e);
    if (!uniform)
        emit_always(e, "mul.lo.u32 %s, %s, %u", sum, raw32(e, &reg), scale);
    else if (scale == 1)
        emit_always(e, "add.u32 %s, %s, %s", sum, raw32(e, &reg), raw32(e, &ureg));
    else
        emit_always(e, "mad.lo.u32 %s, %s, %u, %s", sum, raw32(e, &reg), scale, raw32(e, &ureg));
    return displaced(e, sum, address->value);
}

MachineWidth machine_width(const MachineInsn *insn) {
    static const struct {
        const char *word;
        MachineWidth width;
    } widths[] = {{"U8", {1, ".u8"}},   {"S8", {1, ".s8"}},     {"U16", {2, ".u16"}},
                  {"S16", {2, ".s16"}}, {"64", {8, ".v2.b32"}}, {"128", {16, ".v4.b32"}}};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        if (machine_has(insn, widths[i].word))
            return widths[i].width;
    }
    return (MachineWidth){4, ".b32"};
}

typedef const char *Part(Emit *e, const MachineOperand *operand, uint32_t offset);

/* Two or four registers from the operand's on. */
static const char *vector(Emit *e, const MachineOperand *operand, uint32_t bytes, Part *part) {
    if (bytes == 8)
        return emit_printf(e, "{%s, %s}", part(e, operand, 0), part(e, operand, 1));
    return emit_printf(e, "{%s, %s, %s, %s}", part(e, operand, 0), part(e, operand, 1),
                       part(e, operand, 2), part(e, operand, 3));
}

const char *out_vector(Emit *e, const MachineOperand *operand, uint32_t bytes) {
    return bytes == 8 || bytes == 16 ? vector(e, operand, bytes, out_at) : out32(e, operand);
}

const char *in_vector(Emit *e, const MachineOperand *operand, uint32_t bytes) {
    return bytes == 8 || bytes == 16 ? vector(e, operand, bytes, reg_at) : raw32(e, operand);
}

const char *machine_order(const MachineInsn *insn) {
    if (!machine_has(insn, "STRONG") && !machine_has(insn, "MMIO"))
        return "";
    return machine_has(insn, "GPU")                              ? ".relaxed.gpu"
           : machine_has(insn, "SM") || machine_has(insn, "CTA") ? ".relaxed.cta"
                                                                 : ".relaxed.sys";
}
