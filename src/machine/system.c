/* Special registers, and moves. */
#include "machine/integer.h"
#include "machine/translate.h"

/* ---- special registers ---- */

typedef struct Named {
    const char *name, *ptx; /* ptx: of 32 bits */
} Named;

static const Named specials[] = {
    {"SR_TID.X", "%tid.x"},
    {"SR_TID.Y", "%tid.y"},
    {"SR_TID.Z", "%tid.z"},
    {"SR_CTAID.X", "%ctaid.x"},
    {"SR_CTAID.Y", "%ctaid.y"},
    {"SR_CTAID.Z", "%ctaid.z"},
    {"SR_LANEID", "%laneid"},
    {"SR_EQMASK", "%lanemask_eq"},
    {"SR_LTMASK", "%lanemask_lt"},
    {"SR_LEMASK", "%lanemask_le"},
    {"SR_GTMASK", "%lanemask_gt"},
    {"SR_GEMASK", "%lanemask_ge"},
    {"SR_VIRTUALSMID", "%smid"},
    {"SR_CLOCKLO", "%clock"},
    {"SR_CLOCKHI", "%clock_hi"},
    {"SR_GLOBALTIMERLO", "%globaltimer_lo"},
    {"SR_GLOBALTIMERHI", "%globaltimer_hi"},
    {"SR_CgaCtaId", "%cluster_ctarank"},
    {"SR_CgaSize",
     "0"}, /* read to find words of bank 0, which lie elsewhere for clusters: see load_constant */
    {"SRZ", "0"},
};

static const char *special_register(const MachineOperand *operand) {
    if (operand->kind != MACHINE_NAME)
        return NULL;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (str_is(operand->symbol, specials[i].name))
            return specials[i].ptx;
    }
    return NULL;
}

/* What several values of PTX are packed into: bits 8 to 14 of SR_VIRTID are %warpid, bits 8 to 15 of SR_VIRTCFG
 * %nwarpid; ptxas reads no others. SR_SWINHI is the high word of the addresses in shared memory, SR_LMEMHIOFF the end of the
 * stack, with which code for a debugger compares R1. */
static bool special_packed(Emit *e, const MachineOperand *operand, const char *d) {
    if (operand->kind != MACHINE_NAME)
        return false;
    bool id = str_is(operand->symbol, "SR_VIRTID");
    if (id || str_is(operand->symbol, "SR_VIRTCFG")) {
        const char *value = temp32(e);
        emit_always(e, "mov.u32 %s, %s", value, id ? "%warpid" : "%nwarpid");
        emit(e, "shl.b32 %s, %s, 8", d, value);
        return true;
    }
    if (str_is(operand->symbol, "SR_SWINHI")) {
        const char *window = temp64(e);
        emit_always(e, "mov.u64 %s, 0", window);
        emit_always(e, "cvta.shared.u64 %s, %s", window, window);
        emit(e, "mov.b64 {%s, %s}, %s", temp32(e), d, window);
        return true;
    }
    if (str_is(operand->symbol, "SR_LMEMHIOFF")) {
        emit(e, "mov.u32 %s, %s", d, e->frame_bytes ? "$frame" : "0");
        return true;
    }
    return false;
}

/* S2R d, SR_x; S2UR; CS2R.32 */
static bool translate_s2r(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "32"))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    const char *name = insn->operand_count == 2 ? special_register(&o[1]) : NULL;
    if (name) {
        emit(e, "mov.u32 %s, %s", out32(e, &o[0]), name);
        return true;
    }
    if (insn->operand_count == 2 && special_packed(e, &o[1], out32(e, &o[0])))
        return true;
    return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
}

/* CS2R d, SR_x: a register and the next one */
static bool translate_cs2r(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (machine_has(insn, "32"))
        return translate_s2r(e, insn);
    if (!machine_only(insn, "64"))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    if (insn->operand_count != 2 || o[1].kind != MACHINE_NAME)
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    bool clock = str_is(o[1].symbol, "SR_CLOCKLO");
    if (str_is(o[1].symbol, "SRZ")) {
        emit(e, "mov.b32 %s, 0", out_at(e, &o[0], 0));
        emit(e, "mov.b32 %s, 0", out_at(e, &o[0], 1));
        return true;
    }
    if (!clock && !str_is(o[1].symbol, "SR_GLOBALTIMERLO"))
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    const char *value = temp64(e);
    emit_always(e, "mov.u64 %s, %s", value, clock ? "%clock64" : "%globaltimer");
    write64(e, &o[0], value);
    return true;
}

/* ---- moves ---- */

/* MOV d, a[, lanes of a quad]; UMOV */
static bool translate_mov(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (machine_has(insn, "64"))
        return translate_pair_move(e, insn);
    if (!machine_only(insn, ""))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    bool quad = insn->operand_count == 3 && o[2].kind == MACHINE_INT && o[2].value == 0xf;
    if (insn->operand_count != 2 && !quad)
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    const char *a = in32(e, &o[1]);
    emit(e, "mov.b32 %s, %s", out32(e, &o[0]), a);
    return true;
}

/* "Rpc.LO", "Rpc.HI": of the register for the place of a return; declared where it is used. */
static const char *return_place(Emit *e, const MachineOperand *operand) {
    const bool high = str_is(operand->symbol, "Rpc.HI");
    const char *name = high ? "%PC1" : "%PC0";
    uint64_t known;
    if (operand->kind != MACHINE_NAME || (!high && !str_is(operand->symbol, "Rpc.LO")))
        return NULL;
    if (!map_get(e->constants, str_of(name), &known)) {
        map_put(e->constants, str_of(name), 1);
        *vec_add(e->arena, &e->names) = name;
    }
    return name;
}

/* RPCMOV.32 Rpc.HI, R3; RPCMOV.32 R3, Rpc.HI: what was put aside there comes back. */
static bool translate_rpcmov(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    if (!machine_only(insn, "32") || insn->mod_count != 1 || insn->operand_count != 2)
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    const char *to = return_place(e, &o[0]), *from = return_place(e, &o[1]);
    from = from ? from : in32(e, &o[1]);
    emit(e, "mov.b32 %s, %s", to ? to : out32(e, &o[0]), from);
    return true;
}

/* R2UR P0, UR6, R4: the value of one lane of those that the guard names, for all; P0: the lane's is another. R2UR.OR: or P0
 * was true. Loops over the values that lanes have are made of it. */
static bool spread_value(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const char *here = temp32(e), *there = temp32(e), *value = temp32(e), *other = temp_pred(e);
    const MachineOperand was = {.kind = o[0].kind, .number = o[0].number};
    const char *from = in32(e, &o[2]);
    emit_always(e, "activemask.b32 %s", here);
    emit_always(e, "vote.sync.ballot.b32 %s, %s, %s", there, guard_value(e), here);
    emit_always(e, "brev.b32 %s, %s", there, there);
    emit_always(e, "clz.b32 %s, %s", there, there); /* the lowest of them; 32: there is none */
    emit_always(e, "shfl.sync.idx.b32 %s, %s, %s, 31, %s", value, from, there, here);
    emit_always(e, "setp.ne.u32 %s, %s, %s", other, from, value);
    if (machine_has(insn, "OR"))
        emit_always(e, "or.pred %s, %s, %s", other, other, in_pred(e, &was));
    const char *some = temp_pred(e);
    emit_always(e, "setp.ne.u32 %s, %s, 32", some, there);
    emit_line(e, "@%s mov.b32 %s, %s;", some, out32(e, &o[1]), value);
    emit(e, "mov.pred %s, %s", out_pred(e, &o[0]), other);
    return true;
}

/* R2UR ur, r: the compiler knows that it is the same in all lanes that take part, so that each has its own copy of the
 * uniform register. */
static bool translate_r2ur(Emit *e, const MachineInsn *insn) {
    const MachineOperand *o = insn->operands;
    const bool asks = insn->operand_count == 3 && o[0].kind == MACHINE_PRED;
    if (!machine_only(insn, asks ? "OR" : ""))
        return emit_unknown(e, "a modifier of " STR_FMT, STR_ARG(insn->text));
    if (asks && o[1].kind == MACHINE_UREG)
        return spread_value(e, insn);
    if (insn->operand_count != 2 || o[0].kind != MACHINE_UREG)
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    const char *a = in32(e, &o[1]);
    emit(e, "mov.b32 %s, %s", out32(e, &o[0]), a);
    return true;
}

/* ACQBULK: waits for the launches before; PREEXIT: those behind may begin. */
static bool translate_dependents(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "") || insn->operand_count != 0)
        return emit_unknown(e, "the operands of " STR_FMT, STR_ARG(insn->text));
    emit(e, "griddepcontrol.%s", str_is(insn->opcode, "ACQBULK") ? "wait" : "launch_dependents");
    return true;
}

/* Nothing is computed: NOP; PMTRIG, for a profiler's counters. */
static bool translate_nothing(Emit *e, const MachineInsn *insn) {
    (void)e, (void)insn;
    return true;
}

const MachineFamily family_system[] = {
    {"S2R", translate_s2r},
    {"S2UR", translate_s2r},
    {"CS2R", translate_cs2r},
    {"MOV", translate_mov},
    {"UMOV", translate_mov},
    {"R2UR", translate_r2ur},
    {"RPCMOV", translate_rpcmov},
    {"NOP", translate_nothing},
    {"PMTRIG", translate_nothing},
    {"ACQBULK", translate_dependents},
    {"PREEXIT", translate_dependents},
    {0},
};
