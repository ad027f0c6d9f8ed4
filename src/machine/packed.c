/* Two numbers of single precision in a pair of registers, as sm_100 adds and multiplies them at once. */
#include "machine/real.h"

#include <string.h>

/* R4.F32x2.HI_LO: as they lie; LO_HI: the other way round; .NP: of what that gives the upper one negative, or with a minus
 * before it the lower one alone; UR6.F32, or a number: one for both. */
static bool element(Emit *e, const MachineOperand *operand, uint32_t i, const char **name) {
    const Str suffix = operand->suffix;
    const bool crossed = str_starts(suffix, ".F32x2.LO_HI"),
               pair = crossed || str_starts(suffix, ".F32x2.HI_LO");
    const Str rest = pair ? str_drop(suffix, strlen(".F32x2.HI_LO")) : suffix;
    const bool negative = pair && str_is(rest, ".NP");
    MachineOperand one = *operand;
    one.suffix = (Str){0};
    one.negated ^= i && negative;
    i = pair ? i ^ crossed : 0;
    if (one.kind == MACHINE_CONST)
        one.value += 4 * i;
    else if (i && one.number != MACHINE_ZERO)
        one.number += i;
    const char *to = temp32(e);
    emit_always(e, "mov.b32 %s, %s", to, in_f32(e, &one));
    *name = to;
    return !rest.length || negative || (!pair && str_is(rest, ".F32"));
}

static const char *pair_in(Emit *e, const MachineOperand *operand) {
    const char *low, *high, *pair = temp64(e);
    if (!element(e, operand, 0, &low) || !element(e, operand, 1, &high))
        return NULL;
    emit_always(e, "mov.b64 %s, {%s, %s}", pair, low, high);
    return pair;
}

/* FFMA2.FTZ.RZ R10, R4.F32x2.HI_LO, -R10.F32x2.HI_LO, R12.F32x2.HI_LO */
static bool computed(Emit *e, const MachineInsn *insn, const char *name, uint32_t sources) {
    const char *list = "", *to = temp64(e);
    if (!real_form(e, insn, sources + 1, "FTZ RM RP RZ"))
        return false;
    for (uint32_t i = 1; i <= sources; i++) {
        const char *pair = pair_in(e, &insn->operands[i]);
        if (!pair)
            return real_unknown(e, insn);
        list = emit_printf(e, "%s, %s", list, pair);
    }
    emit(e, "%s%s%s.f32x2 %s%s", name, real_rounding(insn), real_ftz(insn), to, list);
    write64(e, &insn->operands[0], to);
    return true;
}

static bool translate_fadd2(Emit *e, const MachineInsn *insn) {
    return computed(e, insn, "add", 2);
}

static bool translate_fmul2(Emit *e, const MachineInsn *insn) {
    return computed(e, insn, "mul", 2);
}

static bool translate_ffma2(Emit *e, const MachineInsn *insn) {
    return computed(e, insn, "fma", 3);
}

const MachineFamily family_packed[] = {
    {"FADD2", translate_fadd2}, {"FMUL2", translate_fmul2}, {"FFMA2", translate_ffma2}, {0}};
