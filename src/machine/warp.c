/* What the lanes of a warp, and the warps of a block, do together.
 *
 * SHFL, VOTE, MATCH and REDUX act on the lanes that execute them together: a WARPSYNC before them sees to it that these are
 * those of the program's mask. */
#include "machine/translate.h"

/* ---- within a warp ---- */

static const char *path_lanes(Emit *e) {
    const char *lanes = temp32(e);
    emit(e, "activemask.b32 %s", lanes);
    return lanes;
}

/* SHFL.BFLY PT, R5, R4, 0x10, 0x1f */
static bool shfl(Emit *e, const MachineInsn *insn) {
    static const char *const words[][2] = {
        {"IDX", "idx"}, {"UP", "up"}, {"DOWN", "down"}, {"BFLY", "bfly"}};
    const MachineOperand *operands = insn->operands;
    if (insn->operand_count != 5 || insn->mod_count != 1)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_is(insn->mods[0], words[i][0]))
            continue;
        const bool tells = operands[0].number != MACHINE_ZERO;
        emit(e, "shfl.%s.b32 %s%s%s, %s, %s, %s", words[i][1], out32(e, &operands[1]),
             tells ? "|" : "", tells ? out_pred(e, &operands[0]) : "", in32(e, &operands[2]),
             in32(e, &operands[3]), in32(e, &operands[4]));
        return true;
    }
    return false;
}

/* VOTE.ANY R4, P0, P1: the lanes whose P1 is true, and whether there are any (ALL: none whose is not; EQ: all agree). */
static bool vote(Emit *e, const MachineInsn *insn) {
    const char *mode = machine_one_of(insn, "ALL ANY EQ");
    const MachineOperand *operands = insn->operands, *yes = machine_last(insn);
    if (!mode || insn->mod_count != 1 || insn->operand_count < 2 || insn->operand_count > 3)
        return false;
    const bool mask = operands[0].kind == MACHINE_REG || operands[0].kind == MACHINE_UREG;
    const MachineOperand *verdict = &operands[mask];
    if (insn->operand_count != 2u + mask)
        return false;
    const char *source = in_pred(e, yes), *lanes = NULL;
    const bool tells = verdict->number != MACHINE_ZERO;
    const bool lists = mask && operands[0].number != MACHINE_ZERO;
    if (lists)
        lanes = tells ? temp32(e) : out32(e, &operands[0]);
    if (lists)
        emit(e, "vote.ballot.b32 %s, %s", lanes, source);
    if (tells)
        emit(e, "vote.%s.pred %s, %s",
             mode[0] == 'E'   ? "uni"
             : mode[1] == 'L' ? "all"
                              : "any",
             out_pred(e, verdict), source);
    if (lists && tells)
        emit(e, "mov.b32 %s, %s", out32(e, &operands[0]), lanes);
    return true;
}

/* MATCH.ANY R4, R2; MATCH.ALL P0, R4, R2: the lanes whose values agree. */
static bool match(Emit *e, const MachineInsn *insn) {
    const bool all = machine_has(insn, "ALL"), wide = machine_has(insn, "U64");
    const MachineOperand *operands = insn->operands;
    if (!machine_only(insn, "ALL ANY U32 U64") || all == machine_has(insn, "ANY") ||
        insn->operand_count != 2u + all)
        return false;
    const MachineOperand *from = &operands[1 + all], *to = &operands[all];
    const char *value = wide ? in64(e, from) : in32(e, from);
    if (all)
        emit(e, "match.all.sync.b%s %s|%s, %s, %s", wide ? "64" : "32", out32(e, to),
             out_pred(e, &operands[0]), value, path_lanes(e));
    else
        emit(e, "match.any.sync.b%s %s, %s, %s", wide ? "64" : "32", out32(e, to), value,
             path_lanes(e));
    return true;
}

/* REDUX.SUM.S32 UR4, R2 */
static bool redux(Emit *e, const MachineInsn *insn) {
    const bool is_signed = machine_has(insn, "S32");
    const char *word = machine_one_of(insn, "SUM MIN MAX AND OR XOR");
    if (insn->operand_count != 2 || !machine_only(insn, "SUM MIN MAX AND OR XOR S32 U32"))
        return false;
    const char *mode = !word            ? "and"
                       : word[0] == 'S' ? "add"
                       : word[0] == 'A' ? "and"
                       : word[0] == 'O' ? "or"
                       : word[0] == 'X' ? "xor"
                       : word[1] == 'I' ? "min"
                                        : "max";
    const bool bits = mode[0] == 'x' || mode[0] == 'o' || mode[1] == 'n';
    const char *value = in32(e, &insn->operands[1]);
    emit(e, "redux.sync.%s.%s %s, %s, %s", mode,
         bits        ? "b32"
         : is_signed ? "s32"
                     : "u32",
         out32(e, &insn->operands[0]), value, path_lanes(e));
    return true;
}

/* CREDUX.MINABS.F32.NAN UR4, R2: of sm_100; of integers, too. */
static bool credux(Emit *e, const MachineInsn *insn) {
    const char *word = machine_one_of(insn, "MIN MAX MINABS MAXABS");
    if (!machine_has(insn, "F32"))
        return redux(e, insn);
    if (!word || insn->operand_count != 2 || !machine_only(insn, "MIN MAX MINABS MAXABS F32 NAN"))
        return false;
    emit(e, "redux.sync.%s%s%s.f32 %s, %s, %s", word[1] == 'I' ? "min" : "max",
         machine_one_of(insn, "MINABS MAXABS") ? ".abs" : "",
         machine_has(insn, "NAN") ? ".NaN" : "", out32(e, &insn->operands[0]),
         in32(e, &insn->operands[1]), path_lanes(e));
    return true;
}

/* ELECT P0, UR4, PT: the lowest lane. */
static bool elect(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    if (insn->mod_count != 0 || insn->operand_count != 3 || !is_true(&operands[2]))
        return false;
    const char *lanes = temp32(e), *to = out32(e, &operands[1]);
    emit_always(e, "activemask.b32 %s", lanes);
    if (guard_of(e))
        emit_always(e, "vote.sync.ballot.b32 %s, %s, %s", lanes, guard_value(e), lanes);
    emit(e, "elect.sync %s|%s, %s", to, out_pred(e, &operands[0]), lanes);
    return true;
}

/* Lanes with other masks do not execute with these what follows, up to where all meet. Those that have the mask of the first
 * go on, the others do the same again. */
static void part_by(Emit *e, const MachineInsn *insn, const char *lanes) {
    const char *here = temp32(e), *first = temp32(e), *others = temp_pred(e);
    emit_line(e, "X%x:", insn->address);
    emit_always(e, "activemask.b32 %s", here);
    emit_always(e, "brev.b32 %s, %s", first, here);
    emit_always(e, "clz.b32 %s, %s", first, first);
    emit_always(e, "shfl.idx.b32 %s, %s, %s, 31", first, lanes, first);
    emit_always(e, "setp.ne.b32 %s, %s, %s", others, first, lanes);
    emit_line(e, "@%s bra X%x;", others, insn->address);
}

/* WARPSYNC.COLLECTIVE R4, `(.L_x_1): waits for the lanes of the mask, at whichever of these instructions they are. All of them
 * execute what stands here until ENDCOLLECTIVE; then each goes on at the label of its own. Lanes with other masks do so apart. */
static bool collective(Emit *e, const MachineInsn *insn) {
    const bool all = machine_has(insn, "ALL");
    uint32_t address;
    if (insn->mod_count != 1u + all || insn->operand_count != 2u - all || insn->guarded)
        return false;
    const MachineOperand *target = &insn->operands[!all];
    if (target->kind != MACHINE_CODE || !address_of(e, target->symbol, &address))
        return false;
    land_at(e, address);
    emit(e, "mov.b32 %%RC, %u", address / 16);
    const char *lanes = all ? "0xffffffff" : in32(e, &insn->operands[0]);
    if (!all)
        part_by(e, insn, lanes);
    emit(e, "machine.collective %s", lanes);
    return true;
}

static bool end_collective(Emit *e, const MachineInsn *insn) {
    if (insn->mod_count != 0 || insn->operand_count != 0 || insn->guarded)
        return false;
    emit(e, "brx.idx %%RC, landings");
    e->jumps = true;
    return true;
}

/* WARPSYNC R4, WARPSYNC 0xffffffff, WARPSYNC.ALL: waits for the lanes of the mask. EXCLUSIVE: and those with others do not
 * come along. */
static bool warpsync(Emit *e, const MachineInsn *insn) {
    if (machine_has(insn, "COLLECTIVE"))
        return collective(e, insn);
    if (machine_has(insn, "ALL") && insn->mod_count == 1 && insn->operand_count == 0) {
        emit(e, "bar.warp.sync 0xffffffff");
        return true;
    }
    const bool exclusive = machine_has(insn, "EXCLUSIVE");
    if (insn->mod_count != exclusive || insn->operand_count != 1 || (exclusive && insn->guarded))
        return false;
    const char *lanes = in32(e, &insn->operands[0]);
    if (exclusive)
        part_by(e, insn, lanes);
    emit(e, "bar.warp.sync %s", lanes);
    return true;
}

static bool nanosleep(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "SYNCS WARP") || insn->operand_count != 1)
        return false;
    emit(e, "nanosleep.u32 %s", in32(e, &insn->operands[0]));
    return true;
}

/* Another path of the warp, or another warp, may go on. */
static bool yield(Emit *e, const MachineInsn *insn) {
    emit(e, "machine.yield");
    return insn->mod_count == 0 && insn->operand_count == 0;
}

/* ---- within a block ---- */

/* BAR.RED.POPC leaves its result in the barrier; B2R.RESULT R4, P0 takes it. */
static bool bar_reduce(Emit *e, const MachineInsn *insn, const char *barrier) {
    const char *mode = machine_one_of(insn, "POPC AND OR");
    const MachineOperand *yes = machine_last(insn);
    if (!mode || insn->operand_count < 2)
        return false;
    const char *source = in_pred(e, yes);
    if (mode[0] == 'P') {
        emit(e, "barrier.cta.red.popc.aligned.u32 %%BR, %s, %s", barrier, source);
        return true;
    }
    emit(e, "barrier.cta.red.%s.aligned.pred %%BP, %s, %s", mode[0] == 'A' ? "and" : "or", barrier,
         source);
    return true;
}

/* B2R.RESULT R4; B2R.RESULT RZ, P1 */
static bool barrier_result(Emit *e, const MachineInsn *insn) {
    const MachineOperand *operands = insn->operands;
    if (insn->mod_count != 1 || !machine_has(insn, "RESULT") || insn->operand_count < 1 ||
        insn->operand_count > 2 || (insn->operand_count == 2 && !is_zero(&operands[0])))
        return false;
    if (insn->operand_count == 2)
        emit(e, "mov.pred %s, %%BP", out_pred(e, &operands[1]));
    else
        emit(e, "mov.b32 %s, %%BR", out32(e, &operands[0]));
    return true;
}

/* "1, 64": the number of the barrier, and of the threads. One register has both: the number in its low 4 bits, the threads in
 * the upper half. */
static const char *barrier_of(Emit *e, const MachineOperand *operands, uint32_t count) {
    const char *number = in32(e, &operands[0]);
    if (count == 1)
        return number;
    if (operands[0].kind == MACHINE_INT || operands[1].kind == MACHINE_INT)
        return emit_printf(e, "%s, %s", number, in32(e, &operands[1]));
    const char *low = temp32(e), *threads = temp32(e);
    emit_always(e, "and.b32 %s, %s, 15", low, number);
    emit_always(e, "shr.u32 %s, %s, 16", threads, in32(e, &operands[1]));
    return emit_printf(e, "%s, %s", low, threads);
}

/* BAR.SYNC.DEFER_BLOCKING 0x1, 0x40: barrier 1, of 64 threads. */
static bool barrier(Emit *e, const MachineInsn *insn) {
    const bool sync = machine_has(insn, "SYNC"), arrive = machine_has(insn, "ARV");
    if (!machine_only(insn, "SYNC ARV RED POPC AND OR DEFER_BLOCKING") || insn->operand_count < 1)
        return false;
    const uint32_t numbers = insn->operand_count - machine_has(insn, "RED");
    if (numbers < 1 || numbers > 2)
        return false;
    const char *barrier = barrier_of(e, insn->operands, numbers);
    if (machine_has(insn, "RED"))
        return bar_reduce(e, insn, barrier);
    if (sync == arrive || (arrive && numbers != 2))
        return false;
    emit(e, "barrier.cta.%s %s", sync ? "sync" : "arrive", barrier);
    return true;
}

/* Lanes that have another guard do not wait: they part from those that do. */
static bool bar(Emit *e, const MachineInsn *insn) {
    if (!insn->guarded)
        return barrier(e, insn);
    emit_line(e, "@!%s bra G%x;", guard_value(e), insn->address);
    const bool known = barrier(e, insn);
    emit_line(e, "G%x:", insn->address);
    return known;
}

/* ---- within a cluster ---- */

static bool cluster_arrive(Emit *e, const MachineInsn *insn) {
    if (insn->mod_count != 0 || insn->operand_count != 0)
        return false;
    emit(e, "barrier.cluster.arrive");
    return true;
}

static bool cluster_wait(Emit *e, const MachineInsn *insn) {
    if (insn->mod_count != 0 || insn->operand_count != 0)
        return false;
    emit(e, "barrier.cluster.wait");
    return true;
}

/* USETMAXREG.TRY_ALLOC.CTAPOOL UP0, 0xe8: a warp has all the registers that it names. UP0: it got them. */
static bool set_registers(Emit *e, const MachineInsn *insn) {
    const bool asks = insn->operand_count == 2;
    if (!machine_only(insn, "TRY_ALLOC ALLOC DEALLOC CTAPOOL") || insn->operand_count < 1 ||
        insn->operand_count > 2)
        return false;
    if (asks)
        emit(e, "mov.pred %s, %%PT", out_pred(e, &insn->operands[0]));
    return true;
}

const MachineFamily family_warp[] = {
    {"SHFL", shfl},
    {"VOTE", vote},
    {"VOTEU", vote},
    {"MATCH", match},
    {"REDUX", redux},
    {"CREDUX", credux},
    {"ELECT", elect},
    {"WARPSYNC", warpsync},
    {"ENDCOLLECTIVE", end_collective},
    {"NANOSLEEP", nanosleep},
    {"YIELD", yield},
    {"BAR", bar},
    {"B2R", barrier_result},
    {"UCGABAR_ARV", cluster_arrive},
    {"UCGABAR_WAIT", cluster_wait},
    {"USETMAXREG", set_registers},
    {0},
};
