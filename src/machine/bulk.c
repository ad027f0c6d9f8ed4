/* Copies that one instruction makes for the whole warp: bulk copies, boxes of tensors, and what lanes store or add in another
 * block's shared memory with its mbarrier.
 *
 * What takes uniform registers alone is executed once, not by each lane: here by the lowest one. Behind the place in shared
 * memory stands the mbarrier's, then the coordinates: [UR8], [UR9], {UR10, UR11}. */
#include "machine/address.h"

/* ---- once for all lanes ---- */

/* A predicate that is true in the lowest lane of those that are there and have the guard. */
static const char *one_lane(Emit *e) {
    const char *lanes = temp32(e), *lane = temp32(e), *one = temp_pred(e);
    emit_always(e, "activemask.b32 %s", lanes);
    if (guard_of(e))
        emit_always(e, "vote.sync.ballot.b32 %s, %s, %s", lanes, guard_value(e), lanes);
    emit_always(e, "brev.b32 %s, %s", lanes, lanes);
    emit_always(e, "clz.b32 %s, %s", lanes, lanes);
    emit_always(e, "mov.u32 %s, %%laneid", lane);
    emit_always(e, "setp.eq.u32 %s, %s, %s", one, lane, lanes);
    return one;
}

/* "UR8" of [UR8]; MACHINE_NONE: it is something else. */
static uint32_t uniform_place(const MachineOperand *operand) {
    const bool plain = operand->kind == MACHINE_ADDRESS && operand->reg == MACHINE_NONE &&
                       operand->value == 0 && operand->symbol.length == 0 && !operand->described;
    return plain ? operand->ureg : MACHINE_NONE;
}

static const char *uniform32(Emit *e, uint32_t number) {
    const MachineOperand operand = {.kind = MACHINE_UREG, .number = number};
    return raw32(e, &operand);
}

static const char *uniform64(Emit *e, uint32_t number) {
    const MachineOperand operand = {.kind = MACHINE_UREG, .number = number};
    return in64(e, &operand);
}

/* Takes off the operands' end what says how caches are to treat the data: desc[UR26]. */
static uint32_t without_hint(const MachineInsn *insn) {
    const uint32_t count = insn->operand_count;
    return count > 2 && str_starts(insn->operands[count - 1].text, "desc[") ? count - 1 : count;
}

/* Half a register, as 16 bits. */
static const char *half_of(Emit *e, uint32_t ureg, bool upper) {
    const char *word = temp32(e), *half = temp16(e);
    emit_always(e, "shr.u32 %s, %s, %u", word, uniform32(e, ureg), upper ? 16 : 0);
    emit_always(e, "cvt.u16.u32 %s, %s", half, word);
    return half;
}

/* What is done with what is there, of ADD and others; NULL: no modifier says. */
static const char *operation_of(const MachineInsn *insn) {
    static const char *const ops[][2] = {{"ADD", "add"}, {"MIN", "min"}, {"MAX", "max"},
                                         {"INC", "inc"}, {"DEC", "dec"}, {"AND", "and"},
                                         {"OR", "or"},   {"XOR", "xor"}};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        if (machine_has(insn, ops[i][0]))
            return ops[i][1];
    return NULL;
}

/* ---- bulk copies: UBLKCP, UBLKRED ---- */

/* [place in global memory], [place in shared memory], or the other way round; size in units of 16 bytes, and the blocks that
 * get the data in the upper half. */
typedef struct BulkCopy {
    uint32_t to, from, size;
    bool global_to, global_from;
} BulkCopy;

static bool read_copy(const MachineInsn *insn, BulkCopy *copy) {
    const MachineOperand *operands = insn->operands;
    if (without_hint(insn) != 3 || insn->mod_count < 2 || operands[2].kind != MACHINE_UREG)
        return false;
    const Str to = insn->mods[0], from = insn->mods[1];
    copy->to = uniform_place(&operands[0]);
    copy->from = uniform_place(&operands[1]);
    copy->size = operands[2].number;
    copy->global_to = str_is(to, "G");
    copy->global_from = str_is(from, "G");
    return copy->to != MACHINE_NONE && copy->from != MACHINE_NONE &&
           (copy->global_to || str_is(to, "S")) && (copy->global_from || str_is(from, "S")) &&
           !(copy->global_to && copy->global_from);
}

static const char *place_of(Emit *e, uint32_t ureg, bool global) {
    return global ? uniform64(e, ureg) : uniform32(e, ureg);
}

/* The bytes that are copied. */
static const char *bytes_of(Emit *e, const BulkCopy *copy) {
    const char *bytes = temp32(e);
    emit_always(e, "and.b32 %s, %s, 0xffff", bytes, uniform32(e, copy->size));
    emit_always(e, "shl.b32 %s, %s, 4", bytes, bytes);
    return bytes;
}

/* ", [%UR9]": the mbarrier, where the data comes to shared memory. */
static const char *barrier_of(Emit *e, const BulkCopy *copy) {
    return copy->global_to ? "" : emit_printf(e, ", [%s]", uniform32(e, copy->to + 1));
}

static const char *way_of(const BulkCopy *copy) {
    return copy->global_to     ? "global.shared::cta.bulk_group"
           : copy->global_from ? "shared::cluster.global.mbarrier::complete_tx::bytes"
                               : "shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
}

/* UBLKCP.S.G.MULTICAST [UR8], [UR4], UR6 */
static bool ublkcp(Emit *e, const MachineInsn *insn) {
    BulkCopy copy;
    const bool many = machine_has(insn, "MULTICAST");
    if (!read_copy(insn, &copy) || !machine_only(insn, "S G MULTICAST") ||
        insn->mod_count != 2u + many || (many && !copy.global_from))
        return false;
    const char *one = one_lane(e), *bytes = bytes_of(e, &copy);
    const char *to = place_of(e, copy.to, copy.global_to);
    const char *from = place_of(e, copy.from, copy.global_from);
    const char *mask = many ? emit_printf(e, ", %s", half_of(e, copy.size, true)) : "";
    emit_line(e, "@%s cp.async.bulk.%s%s [%s], [%s], %s%s%s;", one, way_of(&copy),
              many ? ".multicast::cluster" : "", to, from, bytes, barrier_of(e, &copy), mask);
    return true;
}

/* What a reduction does: ".add.noftz.bf16" of ADD and BF16; NULL: not known. Words without a type are unsigned. */
static const char *reduction(Emit *e, const MachineInsn *insn) {
    static const char *const types[][2] = {{"S32", "s32"}, {"U64", "u64"},   {"S64", "s64"},
                                           {"F16", "f16"}, {"BF16", "bf16"}, {"F32", "f32"},
                                           {"F64", "f64"}};
    const char *op = operation_of(insn), *type = "u32";
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        type = machine_has(insn, types[i][0]) ? types[i][1] : type;
    if (!op ||
        !machine_only(insn, "S G ADD MIN MAX INC DEC AND OR XOR S32 U64 S64 F16 BF16 F32 F64 RN"))
        return NULL;
    if (machine_one_of(insn, "AND OR XOR"))
        type = machine_has(insn, "U64") ? "b64" : "b32";
    const bool half = machine_one_of(insn, "F16 BF16") && machine_has(insn, "ADD");
    return emit_printf(e, ".%s%s.%s", op, half ? ".noftz" : "", type);
}

/* UBLKRED.G.S.ADD.F32.RN [UR4], [UR8], UR6 */
static bool ublkred(Emit *e, const MachineInsn *insn) {
    BulkCopy copy;
    const char *what = reduction(e, insn);
    if (!read_copy(insn, &copy) || !what || copy.global_from)
        return false;
    const char *one = one_lane(e), *bytes = bytes_of(e, &copy);
    emit_line(e, "@%s cp.reduce.async.bulk.%s%s [%s], [%s], %s%s;", one, way_of(&copy), what,
              place_of(e, copy.to, copy.global_to), uniform32(e, copy.from), bytes,
              barrier_of(e, &copy));
    return true;
}

/* ---- boxes of tensors: UTMALDG, UTMASTG, UTMAREDG ---- */

static uint32_t rank_of(const MachineInsn *insn) {
    const char *rank = machine_one_of(insn, "1D 2D 3D 4D 5D");
    return rank ? (uint32_t)(rank[0] - '0') : 0;
}

/* "[%td0, {%UR10, %UR11}]": the tensor's map, and the box's coordinates. */
static const char *box(Emit *e, const MachineOperand *map, uint32_t first, uint32_t rank) {
    const char *list = uniform32(e, first);
    for (uint32_t i = 1; i < rank; i++)
        list = emit_printf(e, "%s, %s", list, uniform32(e, first + i));
    return emit_printf(e, "[%s, {%s}]", uniform64(e, map->ureg), list);
}

/* How far from the window's place the pixels are read: one number of 16 bits, two of 8, three of 5. */
static const char *offsets(Emit *e, uint32_t ureg, uint32_t rank) {
    const uint32_t bits = rank == 3 ? 16 : rank == 4 ? 8 : 5;
    const char *list = "";
    for (uint32_t i = 0; i + 2 < rank; i++) {
        const char *part = temp32(e), *offset = temp16(e);
        emit_always(e, "bfe.u32 %s, %s, %u, %u", part, uniform32(e, ureg), i * bits, bits);
        emit_always(e, "cvt.u16.u32 %s, %s", offset, part);
        list = emit_printf(e, "%s%s%s", list, i ? ", " : "", offset);
    }
    return emit_printf(e, ", {%s}", list);
}

/* UTMALDG.4D.IM2COL.MULTICAST [UR8], [UR6], UR4: offsets in the lower half of UR4, blocks that get the box in the upper. */
static bool utmaldg(Emit *e, const MachineInsn *insn) {
    const bool many = machine_has(insn, "MULTICAST"), pixels = machine_has(insn, "IM2COL");
    const uint32_t rank = rank_of(insn), count = without_hint(insn);
    const uint32_t to = uniform_place(&insn->operands[0]);
    if (!rank || !machine_only(insn, "1D 2D 3D 4D 5D IM2COL MULTICAST") ||
        insn->mod_count != 1u + many + pixels || count != 2u + (many || pixels) ||
        to == MACHINE_NONE || uniform_place(&insn->operands[1]) == MACHINE_NONE ||
        (count == 3 && insn->operands[2].kind != MACHINE_UREG) || (pixels && rank < 3))
        return false;
    const uint32_t more = insn->operands[2].number;
    const char *one = one_lane(e), *from = box(e, &insn->operands[1], to + 2, rank);
    const char *moved = pixels ? offsets(e, more, rank) : "";
    const char *mask = many ? emit_printf(e, ", %s", half_of(e, more, true)) : "";
    emit_line(
        e,
        "@%s cp.async.bulk.tensor.%ud.shared::cluster.global.%s.mbarrier::complete_tx::bytes%s "
        "[%s], %s, [%s]%s%s;",
        one, rank, pixels ? "im2col" : "tile", many ? ".multicast::cluster" : "", uniform32(e, to),
        from, uniform32(e, to + 1), moved, mask);
    return true;
}

static bool store_box(Emit *e, const MachineInsn *insn, const char *operation, const char *what) {
    const uint32_t rank = rank_of(insn), from = uniform_place(&insn->operands[0]);
    const bool pixels = machine_has(insn, "IM2COL");
    if (!rank || without_hint(insn) != 2 || from == MACHINE_NONE ||
        uniform_place(&insn->operands[1]) == MACHINE_NONE || (pixels && rank < 3))
        return false;
    const char *one = one_lane(e), *to = box(e, &insn->operands[1], from + 1, rank);
    emit_line(e, "@%s %s.async.bulk.tensor.%ud.global.shared::cta%s.%s.bulk_group %s, [%s];", one,
              operation, rank, what, pixels ? "im2col_no_offs" : "tile", to, uniform32(e, from));
    return true;
}

/* UTMASTG.2D [UR8], [UR6]: coordinates in UR9 and UR10. */
static bool utmastg(Emit *e, const MachineInsn *insn) {
    return machine_only(insn, "1D 2D 3D 4D 5D IM2COL") && store_box(e, insn, "cp", "");
}

/* UTMAREDG.2D.ADD [UR8], [UR6] */
static bool utmaredg(Emit *e, const MachineInsn *insn) {
    const char *op = operation_of(insn);
    return op && machine_only(insn, "1D 2D 3D 4D 5D IM2COL ADD MIN MAX INC DEC AND OR XOR") &&
           store_box(e, insn, "cp.reduce", emit_printf(e, ".%s", op));
}

/* UTMAPF.L2.2D [UR10], [UR6]; UBLKPF.L2 [UR4], UR6: hints. */
static bool prefetches(Emit *e, const MachineInsn *insn) {
    (void)e;
    return machine_only(insn, "L2 1D 2D 3D 4D 5D IM2COL");
}

/* UTMACMDFLUSH: the copies so far are a group; DEPBAR waits for it. */
static bool flush_copies(Emit *e, const MachineInsn *insn) {
    if (insn->mod_count != 0 || insn->operand_count != 0)
        return false;
    emit(e, "cp.async.bulk.commit_group");
    return true;
}

/* ---- lane by lane: STAS, REDAS ---- */

/* [R12.64]: the place, and in R13 the mbarrier's. */
static bool far_places(Emit *e, const MachineOperand *operand, const char **to,
                       const char **barrier) {
    const MachineOperand pair = {.kind = MACHINE_REG, .number = operand->reg};
    if (operand->kind != MACHINE_ADDRESS || operand->value != 0 || operand->ureg != MACHINE_NONE ||
        !str_is(operand->reg_suffix, ".64") || operand->reg >= MACHINE_ZERO)
        return false;
    *to = reg_at(e, &pair, 0);
    *barrier = reg_at(e, &pair, 1);
    return true;
}

/* STAS.128 [R12.64], R4 */
static bool stas(Emit *e, const MachineInsn *insn) {
    const char *to, *barrier;
    const MachineWidth width = machine_width(insn);
    if (!machine_only(insn, "64 128") || insn->operand_count != 2 ||
        !far_places(e, &insn->operands[0], &to, &barrier))
        return false;
    emit(e, "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes%s [%s], %s, [%s]",
         width.type, to, in_vector(e, &insn->operands[1], width.bytes), barrier);
    return true;
}

/* REDAS.ADD.64 [R12.64], R4: a word, or two that are one. */
static bool redas(Emit *e, const MachineInsn *insn) {
    const char *to, *barrier, *op = operation_of(insn);
    const bool wide = machine_has(insn, "64"), bits = machine_one_of(insn, "AND OR XOR") != NULL;
    if (!op || !machine_only(insn, "ADD MIN MAX INC DEC AND OR XOR S32 64") ||
        insn->operand_count != 2 || (wide && !machine_has(insn, "ADD")) ||
        !far_places(e, &insn->operands[0], &to, &barrier))
        return false;
    emit(e,
         "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s.%s [%s], %s, "
         "[%s]",
         op,
         wide                       ? "u64"
         : bits                     ? "b32"
         : machine_has(insn, "S32") ? "s32"
                                    : "u32",
         to, wide ? in64(e, &insn->operands[1]) : raw32(e, &insn->operands[1]), barrier);
    return true;
}

const MachineFamily family_bulk[] = {
    {"UBLKCP", ublkcp},
    {"UBLKRED", ublkred},
    {"UBLKPF", prefetches},
    {"UTMALDG", utmaldg},
    {"UTMASTG", utmastg},
    {"UTMAREDG", utmaredg},
    {"UTMAPF", prefetches},
    {"STAS", stas},
    {"REDAS", redas},
    {"UTMACMDFLUSH", flush_copies},
    {0},
};
