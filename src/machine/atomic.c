/* Atomics. PTX's rows do what the machine's do; three are the machine's own (ops.def, "machine code's own"):
 *
 *   ATOMS.CAST.SPIN       compares and stores, but of the lanes on a bank only one: the others find that it failed
 *   ATOMS.POPC.INC        adds the number of lanes on a word, at once
 *   ATOM with a predicate tells which lanes' addresses lie where the operation can be done */
#include "machine/address.h"

#define ORDER_WORDS "STRONG WEAK MMIO CTA SM GPU SYS"
#define FLOATS "F32 F64 F16x2 BF16x2 F32x2 F32x4 F16x4 F16x8 BF16x4 BF16x8"
#define TYPE_WORDS "32 64 S32 S64 U32 U64 FTZ RN " FLOATS
#define OPERATIONS "ADD MIN MAX INC DEC AND OR XOR EXCH"

typedef struct Atomic {
    const char *name; /* "add", "add.noftz" */
    const char *type; /* "u32", "v2.f32" */
    uint32_t bytes;
    bool vector; /* of registers */
    bool apart;  /* of the two halves of one */
} Atomic;

/* Sums; of halves also the least and the greatest. NULL: another operation. */
static const char *float_operation(const MachineInsn *insn, bool halves) {
    static const char *const names[][3] = {
        {"ADD", "add", "add.noftz"}, {"MIN", NULL, "min.noftz"}, {"MAX", NULL, "max.noftz"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (machine_has(insn, names[i][0]))
            return names[i][1 + halves];
    }
    return NULL;
}

/* Two halves in one register have a type of their own in sums, and are a vector of two where PTX has no other. */
static bool float_type(const MachineInsn *insn, Atomic *atomic) {
    static const struct {
        const char *word, *type;
        uint32_t bytes;
        bool flushes, halves;
    } types[] = {{"F32", "f32", 4, true, false},          {"F32x2", "v2.f32", 8, true, false},
                 {"F32x4", "v4.f32", 16, true, false},    {"F64", "f64", 8, false, false},
                 {"F16x2", "f16x2", 4, false, true},      {"F16x4", "v2.f16x2", 8, false, true},
                 {"F16x8", "v4.f16x2", 16, false, true},  {"BF16x2", "bf16x2", 4, false, true},
                 {"BF16x4", "v2.bf16x2", 8, false, true}, {"BF16x8", "v4.bf16x2", 16, false, true}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!machine_has(insn, types[i].word))
            continue;
        const bool apart = types[i].bytes == 4 && types[i].halves && !machine_has(insn, "ADD");
        *atomic = (Atomic){.name = float_operation(insn, types[i].halves),
                           .type = types[i].type,
                           .bytes = types[i].bytes,
                           .vector = *types[i].type == 'v',
                           .apart = apart};
        if (apart)
            atomic->type = *types[i].type == 'b' ? "v2.bf16" : "v2.f16";
        return atomic->name && machine_has(insn, "RN") &&
               machine_has(insn, "FTZ") == types[i].flushes;
    }
    return false;
}

/* ADD, MIN and the like; AND, OR, XOR and EXCH know no sign. */
static bool atomic_of(const MachineInsn *insn, Atomic *atomic) {
    static const struct {
        const char *word, *name;
        bool bits;
    } operations[] = {{"ADD", "add", false}, {"MIN", "min", false}, {"MAX", "max", false},
                      {"INC", "inc", false}, {"DEC", "dec", false}, {"AND", "and", true},
                      {"OR", "or", true},    {"XOR", "xor", true},  {"EXCH", "exch", true},
                      {"CAS", "cas", true}};
    if (machine_one_of(insn, FLOATS))
        return float_type(insn, atomic);
    if (machine_one_of(insn, "FTZ RN"))
        return false;
    const bool wide = machine_one_of(insn, "64 S64 U64"),
               is_signed = machine_one_of(insn, "S32 S64");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (!machine_has(insn, operations[i].word))
            continue;
        *atomic = (Atomic){
            .name = operations[i].name, .type = wide ? "u64" : "u32", .bytes = wide ? 8 : 4};
        if (operations[i].bits)
            atomic->type = wide ? "b64" : "b32";
        else if (is_signed)
            atomic->type = wide ? "s64" : "s32";
        return !((operations[i].bits && is_signed) || (wide && is_signed && *atomic->name == 'a'));
    }
    return false;
}

static const char *vector_of(Emit *e, const MachineOperand *operand, const Atomic *atomic) {
    const char *zero = temp32(e), *list = "";
    if (is_zero(operand))
        emit_always(e, "mov.b32 %s, 0", zero);
    for (uint32_t i = 0; i < atomic->bytes / 4; i++)
        list = emit_printf(e, "%s%s%s", list, i ? ", " : "",
                           is_zero(operand) ? zero : reg_at(e, operand, i));
    if (!atomic->apart)
        return emit_printf(e, "{%s}", list);
    const char *low = temp16(e), *high = temp16(e);
    emit_always(e, "mov.b32 {%s, %s}, %s", low, high, list);
    return emit_printf(e, "{%s, %s}", low, high);
}

static const char *value_of(Emit *e, const MachineOperand *operand, const Atomic *atomic) {
    const bool wide = atomic->bytes == 8;
    if (atomic->vector || atomic->apart)
        return vector_of(e, operand, atomic);
    if (is_zero(operand)) { /* of any type: a 0 in the text would be an integer */
        const char *zero = wide ? temp64(e) : temp32(e);
        emit_always(e, "mov.b%u %s, 0", wide ? 64 : 32, zero);
        return zero;
    }
    return wide ? in64(e, operand) : raw32(e, operand);
}

/* CAS has its two values in registers that follow each other on sm_75; since sm_80 each has its own. */
static const char *values_of(Emit *e, const MachineInsn *insn, uint32_t first,
                             const Atomic *atomic) {
    const char *value = value_of(e, &insn->operands[first], atomic);
    if (insn->operand_count == first + 1)
        return value;
    return emit_printf(e, "%s, %s", value, value_of(e, &insn->operands[first + 1], atomic));
}

/* Writes the operation, and its result to `to`: with `lead`, "atom.relaxed.gpu.global", and the operands behind the result. */
static void write_result(Emit *e, const Atomic *atomic, const char *lead, const MachineOperand *to,
                         const char *predicate, const char *operands) {
    const bool wide = atomic->bytes == 8, none = to->number == MACHINE_ZERO;
    const char *result = none ? "_" : wide ? temp64(e) : out32(e, to);
    if (none && predicate)
        result = wide ? temp64(e) : temp32(e);
    emit(e, "%s.%s.%s %s%s%s, %s", lead, atomic->name, atomic->type, result, predicate ? "|" : "",
         predicate ? predicate : "", operands);
    if (wide && !none)
        write64(e, to, result);
}

/* The same of several elements, in global memory: at a generic address, too. */
static void write_vector(Emit *e, const Atomic *atomic, const char *lead, const MachineOperand *to,
                         const char *operands) {
    const char *low = temp16(e), *high = temp16(e);
    const char *result =
        atomic->apart ? emit_printf(e, "{%s, %s}", low, high) : out_vector(e, to, atomic->bytes);
    emit(e, "%s.%s.%s %s, %s", lead, atomic->name, atomic->type, result, operands);
    if (atomic->apart)
        emit(e, "mov.b32 %s, {%s, %s}", out32(e, to), low, high);
}

/* ATOM.E.CAST.SPIN PT, R5, [R2], R4, R5: in shared memory of another block, at a generic address. */
static bool cast_far(Emit *e, const MachineInsn *insn) {
    Atomic atomic = {.name = "cast", .type = "b32", .bytes = 4};
    if (!machine_only(insn, "E CAST SPIN 64") || !machine_has(insn, "SPIN") ||
        insn->operand_count != 5 || !is_true(&insn->operands[0]))
        return false;
    if (machine_has(insn, "64"))
        atomic = (Atomic){.name = "cast", .type = "b64", .bytes = 8};
    const char *address = address64(e, &insn->operands[2]);
    if (!address)
        return false;
    const char *rest = emit_printf(e, "[%s], %s", address, values_of(e, insn, 3, &atomic));
    write_result(e, &atomic, "machine", &insn->operands[1], NULL, rest);
    return true;
}

/* ATOM.E.ADD.STRONG.GPU P0, R4, [R2.64], R6: at a generic address, or one in global memory. */
static bool atom(Emit *e, const MachineInsn *insn) {
    Atomic atomic;
    if (machine_has(insn, "CAST"))
        return cast_far(e, insn);
    const bool global = str_is(insn->opcode, "ATOMG"), swap = machine_has(insn, "CAS");
    const MachineOperand *operands = insn->operands;
    if (!machine_only(insn, "E CAS " OPERATIONS " " TYPE_WORDS " " ORDER_WORDS) ||
        !machine_has(insn, "E") || insn->operand_count != 4u + swap || !atomic_of(insn, &atomic) ||
        operands[0].kind != MACHINE_PRED || operands[1].kind != MACHINE_REG)
        return false;
    const bool tries = operands[0].number != MACHINE_ZERO, several = atomic.vector || atomic.apart;
    const char *address = address64(e, &operands[2]);
    if (!address || (tries && (global || several)))
        return false;
    const char *rest = emit_printf(e, "[%s], %s", address, values_of(e, insn, 3, &atomic));
    const char *lead = emit_printf(e, "atom%s%s", machine_order(insn), global ? ".global" : "");
    if (tries)
        write_result(e, &atomic, "machine.atom", &operands[1], out_pred(e, &operands[0]), rest);
    else if (several)
        write_vector(e, &atomic, lead, &operands[1], rest);
    else
        write_result(e, &atomic, lead, &operands[1], NULL, rest);
    return true;
}

/* RED.E.ADD.STRONG.GPU [R2.64], R4; REDG since sm_90: in global memory. */
static bool red(Emit *e, const MachineInsn *insn) {
    Atomic atomic;
    if (!machine_only(insn, "E " OPERATIONS " " TYPE_WORDS " " ORDER_WORDS) ||
        !machine_has(insn, "E") || insn->operand_count != 2 || !atomic_of(insn, &atomic))
        return false;
    const char *address = address64(e, &insn->operands[0]);
    if (!address)
        return false;
    emit(e, "red%s.global.%s.%s [%s], %s", machine_order(insn), atomic.name, atomic.type, address,
         value_of(e, &insn->operands[1], &atomic));
    return true;
}

/* ATOMS.CAST.SPIN.64 R10, [R13], R8, R10: 1 where the word was R8 and is R10 now, else 0; from sm_100 on a predicate. */
static bool cast(Emit *e, const MachineInsn *insn) {
    Atomic atomic = {.name = "cast", .type = "b32", .bytes = 4};
    if (!machine_only(insn, "CAST SPIN 64") || !machine_has(insn, "SPIN") ||
        insn->operand_count != 4)
        return false;
    if (machine_has(insn, "64"))
        atomic = (Atomic){.name = "cast", .type = "b64", .bytes = 8};
    const char *address = address32(e, &insn->operands[1]);
    if (!address)
        return false;
    const char *rest = emit_printf(e, "[%s], %s", address, values_of(e, insn, 2, &atomic));
    if (insn->operands[0].kind == MACHINE_PRED) {
        const char *done = atomic.bytes == 8 ? temp64(e) : temp32(e);
        emit(e, "machine.shared.cast.%s %s, %s", atomic.type, done, rest);
        emit(e, "setp.ne.%s %s, %s, 0", atomic.bytes == 8 ? "u64" : "u32",
             out_pred(e, &insn->operands[0]), done);
        return true;
    }
    write_result(e, &atomic, "machine.shared", &insn->operands[0], NULL, rest);
    return true;
}

/* ATOMS.POPC.INC.32 RZ, [R2+URZ] */
static bool popc_inc(Emit *e, const MachineInsn *insn) {
    if (!machine_only(insn, "POPC INC 32") || !machine_has(insn, "INC") ||
        insn->operand_count != 2 || insn->operands[0].number != MACHINE_ZERO)
        return false;
    const char *address = address32(e, &insn->operands[1]);
    if (!address)
        return false;
    emit(e, "machine.shared.popc.inc.u32 [%s]", address);
    return true;
}

/* ATOMS.ADD R4, [R2], R6: in shared memory. */
static bool atoms(Emit *e, const MachineInsn *insn) {
    Atomic atomic;
    const MachineOperand *operands = insn->operands;
    if (machine_has(insn, "CAST"))
        return cast(e, insn);
    if (machine_has(insn, "POPC"))
        return popc_inc(e, insn);
    const bool swap = machine_has(insn, "CAS");
    if (!machine_only(insn, "CAS " OPERATIONS " 64 S32 U32 32") ||
        insn->operand_count != 3u + swap || operands[0].kind != MACHINE_REG ||
        !atomic_of(insn, &atomic))
        return false;
    const char *address = address32(e, &operands[1]);
    if (!address)
        return false;
    const char *rest = emit_printf(e, "[%s], %s", address, values_of(e, insn, 2, &atomic));
    write_result(e, &atomic, "atom.shared", &operands[0], NULL, rest);
    return true;
}

const MachineFamily family_atomic[] = {
    {"ATOM", atom}, {"ATOMG", atom}, {"ATOMS", atoms}, {"RED", red}, {"REDG", red}, {0},
};
