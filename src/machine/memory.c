/* Loads and stores.
 *
 * How long a cache keeps a line (EF, EL, NA, LU …), how much L2 fetches with it (LTC128B) and what describes the memory
 * (desc[…]) changes neither what is moved nor what is counted. */
#include "machine/address.h"
#include "machine/translate.h"

#include <string.h>

#define WIDTHS "U8 S8 U16 S16 32 64 128"
#define CACHE_WORDS "EF EL EU NA LU LTC64B LTC128B LTC256B"
#define ORDER_WORDS "WEAK STRONG MMIO CTA SM GPU SYS"

/* Load: the register, the address; store: the other way round. */
static bool two_operands(const MachineInsn *insn, bool store) {
    return insn->operand_count == 2 && insn->operands[store].kind == MACHINE_REG &&
           insn->operands[!store].kind == MACHINE_ADDRESS;
}

static bool load_from(Emit *e, const MachineInsn *insn, const char *space, const char *address) {
    MachineWidth width = machine_width(insn);
    if (!address)
        return false;
    emit(e, "ld%s%s%s %s, [%s]", machine_order(insn), space, width.type,
         out_vector(e, &insn->operands[0], width.bytes), address);
    return true;
}

static bool store_to(Emit *e, const MachineInsn *insn, const char *space, const char *address) {
    MachineWidth width = machine_width(insn);
    if (!address)
        return false;
    emit(e, "st%s%s%s [%s], %s", machine_order(insn), space, width.type, address,
         in_vector(e, &insn->operands[1], width.bytes));
    return true;
}

/* ---- global and generic ---- */

/* 32 bytes in two times four registers: LDG.E.ENL2.256 R12, R8, [R2.64] loads the first half into R8 to R11, the second into R12 to
 * R15; STG.E.ENL2.256 [R2.64], R8, R12 stores the first half from R8 to R11. */
#define WIDEST "256"
#define WIDE_WORDS "E CONSTANT ENL2 " WIDEST " " CACHE_WORDS " " ORDER_WORDS

static bool is_widest(const MachineInsn *insn) {
    return machine_has(insn, WIDEST);
}

static bool widest_form(const MachineInsn *insn, uint32_t address) {
    const MachineOperand *o = insn->operands;
    const uint32_t first = address == 0;
    return machine_has(insn, "E") && machine_has(insn, "ENL2") && insn->operand_count == 3 &&
           machine_only(insn, WIDE_WORDS) && o[address].kind == MACHINE_ADDRESS &&
           o[first].kind == MACHINE_REG && o[first + 1].kind == MACHINE_REG;
}

/* Eight registers between braces, of halves that each are. */
static const char *both_halves(Emit *e, const char *first, const char *second) {
    return emit_printf(e, "%.*s, %s", (int)strlen(first) - 1, first, second + 1);
}

static bool load_widest(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const char *address = widest_form(insn, 2) ? address64(e, &o[2]) : NULL;
    if (!address)
        return false;
    const char *first = out_vector(e, &o[1], 16), *second = out_vector(e, &o[0], 16);
    emit(e, "ld%s.global%s.v8.b32 %s, [%s]", machine_order(insn),
         machine_has(insn, "CONSTANT") ? ".nc" : "", both_halves(e, first, second), address);
    return true;
}

static bool store_widest(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const char *address =
        widest_form(insn, 0) && !machine_has(insn, "CONSTANT") ? address64(e, &o[0]) : NULL;
    if (!address)
        return false;
    const char *first = in_vector(e, &o[1], 16), *second = in_vector(e, &o[2], 16);
    emit(e, "st%s.global.v8.b32 [%s], %s", machine_order(insn), address,
         both_halves(e, first, second));
    return true;
}

/* .U: of code for sm_75 that loads what all lanes have the address of; LDS has it, too. */
static bool load_global(Emit *e, const MachineInsn *insn) {
    if (is_widest(insn))
        return load_widest(e, insn);
    return machine_has(insn, "E") && two_operands(insn, false) &&
           machine_only(insn, "E U CONSTANT " WIDTHS " " CACHE_WORDS " " ORDER_WORDS) &&
           load_from(e, insn, machine_has(insn, "CONSTANT") ? ".global.nc" : ".global",
                     address64(e, &insn->operands[1]));
}

static bool store_global(Emit *e, const MachineInsn *insn) {
    if (is_widest(insn))
        return store_widest(e, insn);
    return machine_has(insn, "E") && two_operands(insn, true) &&
           machine_only(insn, "E " WIDTHS " " CACHE_WORDS " " ORDER_WORDS) &&
           store_to(e, insn, ".global", address64(e, &insn->operands[0]));
}

static bool load_generic(Emit *e, const MachineInsn *insn) {
    return machine_has(insn, "E") && two_operands(insn, false) &&
           machine_only(insn, "E " WIDTHS " " CACHE_WORDS " " ORDER_WORDS) &&
           load_from(e, insn, "", address64(e, &insn->operands[1]));
}

static bool store_generic(Emit *e, const MachineInsn *insn) {
    return machine_has(insn, "E") && two_operands(insn, true) &&
           machine_only(insn, "E " WIDTHS " " CACHE_WORDS " " ORDER_WORDS) &&
           store_to(e, insn, "", address64(e, &insn->operands[0]));
}

/* ---- shared and local ---- */

static bool watches(const Function *function) {
    for (uint32_t i = 0; i < function->insns.count; i++) {
        const Insn *insn = &function->insns.at[i];
        if (insn->op == OP_ld && insn->mods.order != ORDER_WEAK &&
            (insn->mods.space == SPACE_SHARED || insn->mods.space == SPACE_GENERIC))
            return true;
    }
    return false;
}

/* LDS is the same for a volatile load: a warp that waits for another one's store reads it over and over, and must let the
 * other one run. Where the PTX has none, no warp waits so. */
static const char *shared_load(const Emit *e) {
    const Function *kernel = emit_kernel(e);
    bool watched = watches(kernel);
    for (uint32_t i = 0; !watched && i < kernel->module->functions.count; i++)
        watched = watches(kernel->module->functions.at[i]);
    return watched ? ".volatile.shared" : ".shared";
}

static bool load_shared(Emit *e, const MachineInsn *insn) {
    return two_operands(insn, false) && machine_only(insn, "U " WIDTHS) &&
           load_from(e, insn, shared_load(e), address32(e, &insn->operands[1]));
}

static bool store_shared(Emit *e, const MachineInsn *insn) {
    return two_operands(insn, true) && machine_only(insn, WIDTHS) &&
           store_to(e, insn, ".shared", address32(e, &insn->operands[0]));
}

static bool load_local(Emit *e, const MachineInsn *insn) {
    return two_operands(insn, false) && machine_only(insn, WIDTHS " " CACHE_WORDS) &&
           load_from(e, insn, ".local", address32(e, &insn->operands[1]));
}

static bool store_local(Emit *e, const MachineInsn *insn) {
    return two_operands(insn, true) && machine_only(insn, WIDTHS " " CACHE_WORDS) &&
           store_to(e, insn, ".local", address32(e, &insn->operands[0]));
}

/* ---- constants ---- */

static bool has_register(uint32_t number) {
    return number != MACHINE_NONE && number != MACHINE_ZERO;
}

/* At a fixed place: words, or a part of one. */
static void load_fixed(Emit *e, const MachineInsn *insn, MachineWidth width) {
    const MachineOperand *to = &insn->operands[0];
    MachineOperand word = insn->operands[1];
    const uint32_t part = (uint32_t)word.value & 3;
    word.reg = word.ureg = MACHINE_NONE;
    word.value -= part;
    if (width.bytes < 4)
        emit(e, "bfe.%s32 %s, %s, %u, %u", width.type[1] == 's' ? "s" : "u", out32(e, to),
             raw32(e, &word), 8 * part, 8 * width.bytes);
    for (uint32_t i = 0; i < width.bytes / 4; i++, word.value += 4)
        emit(e, "mov.b32 %s, %s", out_at(e, to, i), raw32(e, &word));
}

/* The offset in the bank that a register and the constant beside it make, less `base`. */
static const char *bank_offset(Emit *e, const MachineOperand *place, uint32_t base) {
    const bool uniform = has_register(place->ureg);
    const MachineOperand reg = {.kind = uniform ? MACHINE_UREG : MACHINE_REG,
                                .number = uniform ? place->ureg : place->reg};
    const uint32_t added = (uint32_t)place->value - base;
    if (added == 0)
        return raw32(e, &reg);
    const char *sum = temp32(e);
    emit_always(e, "add.u32 %s, %s, %u", sum, raw32(e, &reg), added);
    return sum;
}

static const char *at_offset(Emit *e, const char *base, const char *offset) {
    const char *wide = temp64(e);
    emit_always(e, "cvt.u64.u32 %s, %s", wide, offset);
    emit_always(e, "add.u64 %s, %s, %s", wide, wide, base);
    return wide;
}

/* Where the parameters lie otherwise in the bank than in PTX: the last that begins at the offset or before. */
static const char *param_place(Emit *e, const MachineOperand *place) {
    const Function *kernel = emit_kernel(e);
    const char *offset = bank_offset(e, place, 0), *base = NULL;
    for (uint32_t i = 0; i < kernel->params.count; i++) {
        const uint32_t begin = param_begin(e, i);
        const char *here = temp64(e), *behind = base ? temp_pred(e) : NULL;
        if (i > 0 && begin - kernel->params.at[i]->offset ==
                         param_begin(e, i - 1) - kernel->params.at[i - 1]->offset)
            continue; /* as far as the one before */
        emit_always(e, "mov.b64 %s, %s", here, kernel->params.at[i]->name);
        emit_always(e, "sub.s64 %s, %s, %u", here, here, begin);
        if (!base) {
            base = here;
            continue;
        }
        emit_always(e, "setp.ge.u32 %s, %s, %u", behind, offset, begin);
        emit_line(e, "@%s mov.b64 %s, %s;", behind, base, here);
    }
    return base ? at_offset(e, base, offset) : NULL;
}

/* Each variable of bank 3 lies where the program put it: the last that begins at the offset or before. One that the kernel's
 * PTX does not name is not in its module; no path of the kernel leads there. */
static const char *variable_place(Emit *e, const MachineOperand *place) {
    const MachineWord *words = e->code->variables.at;
    const uint32_t count = e->code->variables.count;
    const char *base = NULL, *offset = bank_offset(e, place, 0);
    for (uint32_t i = 0; i < count; i++) {
        if (words[i].bank != place->bank)
            continue;
        const Variable *variable = module_variable(emit_kernel(e)->module, words[i].symbol);
        const char *first = base ? temp_pred(e) : NULL;
        if (first)
            emit_always(e, "setp.ge.u32 %s, %s, %u", first, offset, words[i].offset);
        else
            base = temp64(e);
        const char *begin =
            variable ? emit_printf(e, "%s+-%u", variable->name, words[i].offset) : "0";
        emit_line(e, "%s%s mov.u64 %s, %s;", first ? "@" : "", first ? first : "", base, begin);
    }
    return base ? at_offset(e, base, offset) : NULL;
}

/* A word of a bank whose words are known one by one: addresses, literals, tables of jumps. */
static bool load_listed(Emit *e, const MachineInsn *insn, MachineWidth width) {
    enum { WORDS = 256 };
    const MachineOperand *place = &insn->operands[1];
    const uint32_t size = constant_bytes(e, place->bank), words = width.bytes / 4;
    if (width.bytes < 4 || size == 0 || size > 4 * WORDS)
        return false;
    const char *offset = bank_offset(e, place, 0), *value[4];
    for (uint32_t i = 0; i < words; i++)
        emit_always(e, "mov.b32 %s, 0", value[i] = temp32(e));
    const char *here = temp_pred(e);
    for (uint32_t at = 0; at + width.bytes <= size; at += width.bytes) {
        emit_always(e, "setp.eq.u32 %s, %s, %u", here, offset, at);
        if (constant_of_others(e, place->bank, at)) { /* no path of this kernel leads there */
            emit_line(e, "@%s trap;", here);
            continue;
        }
        for (uint32_t i = 0; i < words; i++)
            emit_line(e, "@%s mov.b32 %s, %s;", here, value[i],
                      constant32(e, place->bank, at + 4 * i));
    }
    for (uint32_t i = 0; i < words; i++)
        emit(e, "mov.b32 %s, %s", out_at(e, &insn->operands[0], i), value[i]);
    return true;
}

static bool is_label(const MachineFunction *function, uint32_t address) {
    for (uint32_t i = 0; i < function->labels.count; i++) {
        if (function->labels.at[i].address == address)
            return true;
    }
    return false;
}

/* The value of a register that an instruction before this one, in the same basic block, has set to a constant: MOV R2, 0x408.
 * Whatever else names the register may write it, as what leaves out its number, by being one of several. */
static bool known_value(const Emit *e, const MachineInsn *insn, uint32_t number, int64_t *value) {
    const MachineFunction *function = emit_function(e);
    for (uint32_t i = insn->address / 16; i > 0 && !is_label(function, 16 * i); i--) {
        const MachineInsn *before = &function->insns.at[i - 1];
        const MachineOperand *to = &before->operands[0], *from = &before->operands[1];
        const bool product = before->opcode.length > 3 &&
                             str_is(str_drop(before->opcode, before->opcode.length - 3), "MMA");
        if (product || str_is(before->opcode, "CALL") || before->operand_count == UINT32_MAX)
            return false;
        if (str_is(before->opcode, "MOV") && before->mod_count == 0 && !before->guarded &&
            to->kind == MACHINE_REG && to->number == number && from->kind == MACHINE_INT) {
            *value = from->value;
            return true;
        }
        for (uint32_t k = 0; k < before->operand_count; k++) {
            const MachineOperand *operand = &before->operands[k];
            if (operand->kind == MACHINE_REG && operand->number != MACHINE_ZERO &&
                operand->number <= number && number < operand->number + 4)
                return false;
        }
    }
    return false;
}

/* MOV R2, 0x408; LDC.64 R2, c[0x4][R2]: so are words read that lie far behind. */
static bool load_known(Emit *e, const MachineInsn *insn, MachineWidth width) {
    MachineInsn fixed = *insn;
    MachineOperand *place = &fixed.operands[1];
    int64_t value;
    if (!has_register(place->reg) || has_register(place->ureg) ||
        !known_value(e, insn, place->reg, &value))
        return false;
    place->value += value;
    place->reg = MACHINE_NONE;
    load_fixed(e, &fixed, width);
    return true;
}

/* LDC R5, c[0x0][R5+0x2ac], of sm_100: R5 is 0, as SR_CgaSize is here. */
static bool load_driver(Emit *e, const MachineInsn *insn, MachineWidth width) {
    MachineOperand place = insn->operands[1];
    const char *elsewhere = temp_pred(e);
    place.value = 0;
    emit_always(e, "setp.ne.u32 %s, %s, 0", elsewhere, bank_offset(e, &place, 0));
    emit_line(e, "@%s trap;", elsewhere);
    load_fixed(e, insn, width);
    return true;
}

/* LDC R4, c[0x3][R2+0x10] */
static bool load_constant(Emit *e, const MachineInsn *insn) {
    const MachineOperand *place = &insn->operands[1];
    if (insn->operand_count != 2 || place->kind != MACHINE_CONST || !machine_only(insn, WIDTHS))
        return false;
    MachineWidth width = machine_width(insn);
    const bool indexed = has_register(place->reg), uniform = has_register(place->ureg);
    if (!indexed && !uniform) {
        load_fixed(e, insn, width);
        return true;
    }
    if (indexed && uniform)
        return false;
    if (place->bank == 0 && place->value < param_begin(e, 0)) /* SR_CgaSize times its part */
        return load_driver(e, insn, width);
    if (place->bank != 0 && place->bank != 3)
        return load_known(e, insn, width) || load_listed(e, insn, width);
    const char *address = place->bank == 0 ? param_place(e, place) : variable_place(e, place);
    return load_from(e, insn, place->bank == 0 ? ".param" : ".const", address);
}

/* ---- spaces ---- */

/* QSPC.E.S P0, RZ, [R2+0x300]: does the generic address lie in shared memory of the block? D: of another one. */
static bool query_space(Emit *e, const MachineInsn *insn) {
    const char *space = machine_one_of(insn, "S D L G");
    if (!space || !machine_only(insn, "E S D L G") || insn->operand_count != 3 ||
        !is_zero(&insn->operands[1]))
        return false;
    MachineOperand place = insn->operands[2];
    place.value = 0;
    const char *address = address64(e, &place);
    const char *to = out_pred(e, &insn->operands[0]);
    if (!address)
        return false;
    if (insn->operands[2].value != 0) {
        const char *sum = temp64(e);
        emit_always(e, "add.s64 %s, %s, %lld", sum, address, (long long)insn->operands[2].value);
        address = sum;
    }
    if (*space == 'D') {
        const char *own = temp_pred(e), *any = temp_pred(e);
        emit_always(e, "isspacep.shared::cta %s, %s", own, address);
        emit_always(e, "isspacep.shared::cluster %s, %s", any, address);
        emit(e, "xor.pred %s, %s, %s", to, own, any);
        return true;
    }
    emit(e, "isspacep%s %s, %s",
         *space == 'S'   ? ".shared::cta"
         : *space == 'L' ? ".local"
                         : ".global",
         to, address);
    return true;
}

/* ---- order and caches ---- */

static bool no_effect(Emit *e, const MachineInsn *insn) {
    (void)e;
    return machine_only(insn,
                        "E C D U IVALL IVALLP IV PF1 PF1_5 PF2 PML2 RML2 DML2 WB RS LDCU DEEP PF");
}

static bool membar(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "SC ALL CTA SM GPU SYS VC") || insn->operand_count != 0)
        return false;
    emit(e, "fence.%s.%s", machine_has(insn, "SC") ? "sc" : "acq_rel",
         machine_has(insn, "GPU")         ? "gpu"
         : machine_one_of(insn, "SYS VC") ? "sys"
                                          : "cta");
    return true;
}

static bool errbar(Emit *e, const MachineInsn *insn) {
    (void)e;
    return insn->mod_count == 0 && insn->operand_count == 0;
}

/* FENCE.VIEW.ASYNC.S: what is written is seen by asynchronous copies. */
static bool fence(Emit *e, const MachineInsn *insn) {
    if (!machine_has(insn, "VIEW") || !machine_has(insn, "ASYNC") ||
        !machine_only(insn, "VIEW ASYNC S G T") || insn->operand_count != 0)
        return false;
    emit(e, "fence.proxy.async");
    return true;
}

const MachineFamily family_memory[] = {
    {"LDG", load_global},    {"STG", store_global},   {"LD", load_generic},
    {"ST", store_generic},   {"LDS", load_shared},    {"STS", store_shared},
    {"LDL", load_local},     {"STL", store_local},    {"LDC", load_constant},
    {"ULDC", load_constant}, {"LDCU", load_constant}, {"QSPC", query_space},
    {"CCTL", no_effect},     {"UTMACCTL", no_effect}, {"CCTLL", no_effect},
    {"UTMACCTL", no_effect}, {"MEMBAR", membar},      {"ERRBAR", errbar},
    {"CGAERRBAR", errbar},   {"FENCE", fence},        {0},
};
