/* Asynchronous copies. */
#include "machine/address.h"
#include "machine/translate.h"

/* ---- LDGSTS: cp.async ---- */

/* ZFILL: the source's offset in so many bytes says how many of them are not read; they are zeros, and lie behind the others.
 * Returns the source's begin; *read: how many are. */
static const char *filled_source(Emit *e, const char *address, int64_t added, uint32_t bytes,
                                 const MachineOperand *whether, const char **read) {
    const char *at = temp64(e), *left = temp32(e);
    emit_always(e, "add.u64 %s, %s, %lld", at, address, (long long)added);
    emit_always(e, "cvt.u32.u64 %s, %s", left, at);
    emit_always(e, "and.b32 %s, %s, %u", left, left, bytes - 1);
    emit_always(e, "sub.u32 %s, %u, %s", left, bytes, left);
    emit_always(e, "and.b64 %s, %s, -%u", at, at, bytes);
    if (whether && !is_true(whether))
        emit_always(e, "selp.b32 %s, %s, 0, %s", left, left, in_pred(e, whether));
    *read = left;
    return at;
}

/* LDGSTS.E.BYPASS.LTC128B.128.ZFILL [R4+0x10], [R2.64], P0: without P0 nothing is read, and zeros are written. */
static bool ldgsts(Emit *e, const MachineInsn *insn) {
    const uint32_t bytes = machine_width(insn).bytes;
    const bool fills = machine_has(insn, "ZFILL"), bypass = machine_has(insn, "BYPASS");
    const MachineOperand *operands = insn->operands;
    const MachineOperand *whether = insn->operand_count == 3 ? &operands[2] : NULL;
    if (!machine_only(insn, "E BYPASS ZFILL 64 128 LTC64B LTC128B LTC256B") ||
        !machine_has(insn, "E") || insn->operand_count < 2 || insn->operand_count > 3 ||
        (bypass && bytes != 16))
        return false;
    MachineOperand from = operands[1];
    if (fills)
        from.value = 0;
    const char *to = address32(e, &operands[0]), *source = address64(e, &from), *tail = "";
    if (!to || !source)
        return false;
    if (fills) {
        const char *read = NULL;
        source = filled_source(e, source, operands[1].value, bytes, whether, &read);
        tail = emit_printf(e, ", %s", read);
    } else if (whether && !is_true(whether)) {
        MachineOperand ignored = *whether;
        ignored.inverted = !ignored.inverted;
        tail = emit_printf(e, ", %s", in_pred(e, &ignored));
    }
    emit(e, "cp.async.%s.shared.global [%s], [%s], %u%s", bypass ? "cg" : "ca", to, source, bytes,
         tail);
    return true;
}

static bool commit_copies(Emit *e, const MachineInsn *insn) {
    if (insn->mod_count != 0 || insn->operand_count != 0)
        return false;
    emit(e, "cp.async.commit_group");
    return true;
}

/* DEPBAR.LE SB0, 0x1, and others: waits for what was issued, which here is done when it is. */
static bool depbar(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    if (!machine_only(insn, "LE"))
        return false;
    if (insn->operand_count == 2 && operands[1].kind == MACHINE_INT)
        emit(e, "cp.async.wait_group %u", (uint32_t)operands[1].value);
    return true;
}

/* ---- SYNCS: mbarrier ---- */

/* The state that an arrival gives: the phase's parity in bit 63, 2^20 less the pending arrivals in the bits from 43 on. */
static void write_state(Emit *e, const MachineOperand *to, const char *token) {
    const char *pending = temp64(e), *high = temp32(e), *parity = temp32(e);
    emit(e, "shr.u64 %s, %s, 20", pending, token);
    emit(e, "cvt.u32.u64 %s, %s", high, pending);
    emit(e, "and.b32 %s, %s, 0xfffff", high, high);
    emit(e, "sub.u32 %s, 0x100000, %s", high, high);
    emit(e, "shr.u64 %s, %s, 61", pending, token);
    emit(e, "cvt.u32.u64 %s, %s", parity, pending);
    emit(e, "shl.b32 %s, %s, 31", parity, parity);
    emit(e, "mad.lo.u32 %s, %s, 2048, %s", out_at(e, to, 1), high, parity);
    emit(e, "mov.b32 %s, 0", out_at(e, to, 0));
}

/* SYNCS.EXCH.64 URZ, [UR8], UR4: 2^20 less the arrivals that a phase takes, doubled. */
static bool barrier_init(Emit *e, const MachineInsn *insn) {
    const char *count = temp32(e), *address = NULL;
    if (!machine_only(insn, "EXCH 64") || insn->operand_count != 3 || !is_zero(&insn->operands[0]))
        return false;
    address = address32(e, &insn->operands[1]);
    emit_always(e, "shr.u32 %s, %s, 1", count, raw32(e, &insn->operands[2]));
    emit_always(e, "sub.u32 %s, 0x100000, %s", count, count);
    if (address)
        emit(e, "mbarrier.init.shared.b64 [%s], %s", address, count);
    return address != NULL;
}

/* SYNCS.ARRIVE.TRANS64.RED.A1T0 RZ, [R0+URZ], RZ: A1, AR or none say how many arrive; T0, TR or none how many bytes are
 * expected. RED: at any block's barrier, and without a result. OPTOUT: the phases that follow take fewer. TMASK: the phase
 * does not end by it. */
static bool barrier_arrive(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    const char *mode = machine_one_of(insn, "A1T0 ART0"), *token = "_";
    const bool far = machine_has(insn, "RED"), drops = machine_has(insn, "OPTOUT");
    const bool goes_on = machine_has(insn, "TMASK");
    if (!machine_only(insn, "ARRIVE TRANS64 TMASK OPTOUT RED A1T0 ART0") ||
        (goes_on && (far || !mode || mode[1] != 'R')) || insn->operand_count != 3 ||
        (far && !is_zero(&operands[0])))
        return false;
    const char *address = address32(e, &operands[1]), *tail = "";
    if (!address)
        return false;
    if (!is_zero(&operands[0]))
        token = temp64(e);
    if (!mode || mode[1] == 'R')
        tail = emit_printf(e, ", %s", raw32(e, &operands[2]));
    emit(e, "mbarrier.arrive%s%s%s.b64 %s, [%s]%s", drops ? "_drop" : "",
         goes_on ? ".noComplete"
         : mode  ? ""
                 : ".expect_tx",
         far ? ".release.cluster.shared::cluster" : ".shared", token, address, tail);
    if (!is_zero(&operands[0]))
        write_state(e, &operands[0], token);
    return true;
}

/* SYNCS.ARRIVE.TRANS64.RED.A0TR RZ, [UR4], R7: bytes alone. A0TX: they are there; A0T1: one. */
static bool barrier_bytes(Emit *e, const MachineInsn *insn) {
    const bool done = machine_has(insn, "A0TX"), one = machine_has(insn, "A0T1");
    if (!machine_only(insn, "ARRIVE TRANS64 RED A0TR A0TX A0T1") || insn->operand_count != 3 ||
        !is_zero(&insn->operands[0]))
        return false;
    const char *address = address32(e, &insn->operands[1]);
    if (!address)
        return false;
    emit(e, "mbarrier.%s.relaxed.cluster.shared::cluster.b64 [%s], %s",
         done ? "complete_tx" : "expect_tx", address, one ? "1" : raw32(e, &insn->operands[2]));
    return true;
}

/* SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R7+URZ], R5: is the phase over whose parity is the upper bit of R5? */
static bool barrier_check(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "PHASECHK TRANS64 TRYWAIT") || insn->operand_count != 3)
        return false;
    const char *parity = temp32(e), *address = address32(e, &insn->operands[1]);
    if (!address)
        return false;
    emit_always(e, "shr.u32 %s, %s, 31", parity, raw32(e, &insn->operands[2]));
    emit(e, "mbarrier.%s.parity.shared.b64 %s, [%s], %s",
         machine_has(insn, "TRYWAIT") ? "try_wait" : "test_wait", out_pred(e, &insn->operands[0]),
         address, parity);
    return true;
}

static bool syncs(Emit *e, const MachineInsn *insn) {
    if (machine_has(insn, "EXCH"))
        return barrier_init(e, insn);
    if (machine_has(insn, "PHASECHK"))
        return barrier_check(e, insn);
    if (machine_one_of(insn, "A0TR A0TX A0T1"))
        return barrier_bytes(e, insn);
    if (machine_has(insn, "ARRIVE"))
        return barrier_arrive(e, insn);
    const char *address = NULL;
    if (machine_only(insn, "CCTL IV") && insn->mod_count == 2 && insn->operand_count == 1)
        address = address32(e, &insn->operands[0]);
    if (address)
        emit(e, "mbarrier.inval.shared.b64 [%s]", address);
    return address != NULL;
}

/* ARRIVES.LDGSTSBAR.64.TRANSCNT [UR4]: the byte that A0T1 expected is there; ARVCNT: one arrives. */
static bool copies_arrive(Emit *e, const MachineInsn *insn) {
    const bool byte = machine_has(insn, "TRANSCNT");
    if (!machine_only(insn, "LDGSTSBAR 64 TRANSCNT ARVCNT") || insn->mod_count != 3 ||
        insn->operand_count != 1 || emit_arch(e) < 90)
        return false;
    const char *address = address32(e, &insn->operands[0]);
    if (!address)
        return false;
    if (byte)
        emit(e, "mbarrier.complete_tx.relaxed.cta.shared.b64 [%s], 1", address);
    else
        emit(e, "cp.async.mbarrier.arrive.noinc.shared.b64 [%s]", address);
    return true;
}

const MachineFamily family_async[] = {
    {"LDGSTS", ldgsts}, {"LDGDEPBAR", commit_copies}, {"DEPBAR", depbar},
    {"SYNCS", syncs},   {"ARRIVES", copies_arrive},   {0},
};
