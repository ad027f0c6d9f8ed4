/* UnsetValues that nobody has written, followed through registers: a mask of lanes for each byte of each register.
 *
 * What moves or masks bytes is executed twice, once with these bytes inverted: bytes of the result that differ hang on
 * them. All other results have none of their bytes known. So a struct that is copied with the bytes between its
 * members is no finding, nor is a vector of which one element is used. */
#include "exec/run/unset.h"
#include "exec/access/load_store.h"
#include "exec/decode/operands.h"

#include <string.h>

enum { REGISTER_BYTES = 16, OPERANDS_MOST = 64 };

/* A register: its bytes without a value, and where one of them was read. */
typedef struct Unknown {
    uint32_t lanes[REGISTER_BYTES];
    bool held, computed;
    FoundDefect read;
} Unknown;

struct UnsetValues {
    uint32_t held; /* registers: unset_any */
    Unknown *registers;
};

/* Registers of an instruction, once more often if it names them so. */
typedef struct Uses {
    uint32_t read[OPERANDS_MOST], written[OPERANDS_MOST];
    uint32_t reads, writes;
} Uses;

static const Routine *kernel_of(const Warp *warp) {
    return &warp->worker->program->routines[0];
}

static uint32_t number_of(const Warp *warp, const Code *code) {
    return (uint32_t)(code - warp->worker->program->code);
}

static bool in_kernel(const Warp *warp, const Code *code) {
    const Routine *kernel = kernel_of(warp);
    return number_of(warp, code) - kernel->first_code < kernel->function->insns.count;
}

static struct UnsetValues *held_of(const Warp *warp) {
    return (struct UnsetValues *)warp->unset;
}

static Unknown *unknown_of(const Warp *warp, uint32_t reg) {
    return &held_of(warp)->registers[reg];
}

void unset_clear(Warp *warp) {
    struct UnsetValues *values = held_of(warp);
    if (!values || !values->held)
        return;
    memset(values->registers, 0, kernel_of(warp)->function->regs.count * sizeof(Unknown));
    values->held = 0;
}

static void make(Warp *warp) {
    Arena *arena = warp->worker->arena;
    struct UnsetValues *values = NEW(arena, struct UnsetValues);
    values->registers = NEW_ARRAY(arena, Unknown, kernel_of(warp)->function->regs.count);
    warp->unset = &values->held;
}

static void look_whether_held(Warp *warp, Unknown *unknown) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < REGISTER_BYTES; i++)
        any |= unknown->lanes[i];
    held_of(warp)->held += any != 0;
    held_of(warp)->held -= unknown->held;
    unknown->held = any != 0;
}

static void set_known(Warp *warp, uint32_t reg, uint32_t lanes) {
    Unknown *unknown = unknown_of(warp, reg);
    for (uint32_t i = 0; i < REGISTER_BYTES; i++)
        unknown->lanes[i] &= ~lanes;
    look_whether_held(warp, unknown);
}

static uint32_t unknown_lanes(const Unknown *unknown) {
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < REGISTER_BYTES; i++)
        lanes |= unknown->lanes[i];
    return lanes;
}

static uint32_t class_of(const Warp *warp, uint32_t reg) {
    return kernel_of(warp)->slots.class[reg];
}

/* Bytes of a lane's register; a predicate is one. */
static uint32_t bytes_of(uint32_t class) {
    return class ? 2u << class : 1;
}

static uint8_t *place_of(const Warp *warp, uint32_t reg) {
    const Routine *kernel = kernel_of(warp);
    return warp->registers +
           decode_slot(kernel, kernel->slots.class[reg], kernel -> slots.slot[reg]);
}

/* ---- findings ---- */

/* What the value decides: FoundDefect.number[0]; the read is the other access. */
static void report(Warp *warp, const Code *code, uint32_t reg, uint32_t lanes, ValueUse use) {
    const Unknown *unknown = unknown_of(warp, reg);
    FoundDefect defect = unknown->read;
    lanes &= unknown_lanes(unknown);
    if (!lanes)
        return;
    const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    defect.other = defect.by;
    defect.by =
        (Witness){number_of(warp, code), warp->cta->linear, warp->number * WARP_LANES + lane};
    defect.count = (uint64_t)__builtin_popcount(lanes);
    defect.number[0] = use;
    sanitize_report(warp->worker->launch->sanitizer, &defect);
    set_known(warp, reg, lanes); /* once is enough */
}

/* ---- memory ---- */

bool unset_follow(const Warp *warp, const Code *code) {
    const Sanitizer *sanitizer = warp->worker->launch->sanitizer;
    return code->insn->op == OP_ld && in_kernel(warp, code) && !code->insn->machine &&
           !sanitizer_options(sanitizer)->init_strict;
}

static const Operand *data_of(const Code *code, bool writes, uint32_t element) {
    const Operand *data = &code->insn->operands[writes];
    const Elements *elements = code->more;
    const uint32_t first = elements->bytes ? elements->skip / elements->bytes : 0;
    return data->kind == OPERAND_VECTOR ? &data->elements[first + element] : data;
}

void unset_loaded(Warp *warp, const Code *code, const WatchedAccess *access) {
    const Elements *elements = code->more;
    const FoundDefect read = sanitize_unset_read(access);
    if (!warp->unset)
        make(warp);
    for (uint32_t i = 0; i < access->width / elements->bytes; i++) {
        const Operand *data = data_of(code, false, i);
        if (data->kind != OPERAND_REG)
            continue;
        Unknown *unknown = unknown_of(warp, data->reg);
        const uint32_t room = bytes_of(class_of(warp, data->reg));
        uint32_t last = 0;
        for (uint32_t byte = 0; byte < elements->bytes; byte++) {
            last = sanitize_unset(access, i * elements->bytes + byte);
            unknown->lanes[byte] = (unknown->lanes[byte] & ~access->by.lanes) | last;
        }
        for (uint32_t byte = elements->bytes; byte < room; byte++) /* the sign */
            unknown->lanes[byte] = (unknown->lanes[byte] & ~access->by.lanes) |
                                   (type_is_signed(elements->type) ? last : 0);
        unknown->read = read;
        unknown->computed = false;
        look_whether_held(warp, unknown);
    }
}

/* Of a store that copies: lanes that write no byte with a value. */
static uint32_t empty_lanes(const Warp *warp, const Code *code, const WatchedAccess *access) {
    const Elements *elements = code->more;
    uint32_t lanes = access->by.lanes;
    for (uint32_t i = 0; i < access->width / elements->bytes; i++) {
        const Operand *data = data_of(code, true, i);
        const Unknown *unknown = data->kind == OPERAND_REG ? unknown_of(warp, data->reg) : NULL;
        for (uint32_t byte = 0; byte < elements->bytes; byte++)
            lanes &= unknown ? unknown->lanes[byte] : 0;
    }
    return lanes;
}

void unset_stored(Warp *warp, const Code *code, const WatchedAccess *access) {
    const Elements *elements = code->more;
    if (code->insn->op != OP_st || !in_kernel(warp, code))
        return;
    const uint32_t empty = empty_lanes(warp, code, access);
    const bool host = access->space == SPACE_GLOBAL;
    for (uint32_t i = 0; i < access->width / elements->bytes; i++) {
        const Operand *data = data_of(code, true, i);
        if (data->kind != OPERAND_REG || !unknown_of(warp, data->reg)->held)
            continue;
        const Unknown *unknown = unknown_of(warp, data->reg);
        for (uint32_t byte = 0; byte < elements->bytes; byte++)
            sanitize_unwrite(access, unknown->lanes[byte], i * elements->bytes + byte);
        if (host)
            report(warp, code, data->reg, unknown->computed ? access->by.lanes : empty,
                   VALUE_IS_STORED);
    }
}

/* ---- instructions ---- */

static void use(void *context, uint32_t reg, bool defined) {
    Uses *uses = context;
    if (defined && uses->writes < OPERANDS_MOST)
        uses->written[uses->writes++] = reg;
    if (!defined && uses->reads < OPERANDS_MOST)
        uses->read[uses->reads++] = reg;
}

static bool begins(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* It moves, chooses or masks bytes, or bits of them. */
static bool moves_bytes(const Insn *insn) {
    static const char *const names[] = {"mov", "and", "or",   "xor", "not",  "lop3", "shl",  "shr",
                                        "shf", "bfe", "prmt", "bfi", "selp", "cvt",  "szext"};
    const char *id = op_info(insn->op)->id;
    bool found = false;
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= begins(id, names[i]);
    return found && op_has(insn->op, TRAIT_PURE) && !op_has(insn->op, TRAIT_CARRY);
}

/* The first of them that has bytes without a value tells where it was read. */
static const Unknown *source_of(const Warp *warp, const Uses *uses, uint32_t mask) {
    for (uint32_t i = 0; i < uses->reads; i++)
        if (unknown_lanes(unknown_of(warp, uses->read[i])) & mask)
            return unknown_of(warp, uses->read[i]);
    return NULL;
}

static void invert(const Warp *warp, const Unknown *unknown, uint32_t reg) {
    const uint32_t class = class_of(warp, reg), bytes = bytes_of(class);
    uint8_t *place = place_of(warp, reg);
    if (class == 0) {
        *(uint32_t *)(void *)place ^= unknown->lanes[0];
        return;
    }
    for (uint32_t byte = 0; byte < bytes; byte++)
        for_lanes(lane, unknown->lanes[byte]) {
            place[lane * bytes + byte] ^= 0xff;
        }
}

typedef struct Result {
    uint8_t bytes[WARP_LANES * REGISTER_BYTES];
} Result;

static void take(const Warp *warp, uint32_t reg, Result *result) {
    memcpy(result->bytes, place_of(warp, reg), vector_bytes[class_of(warp, reg)]);
}

static void put(const Warp *warp, uint32_t reg, const Result *result) {
    memcpy(place_of(warp, reg), result->bytes, vector_bytes[class_of(warp, reg)]);
}

/* Bytes of the result, where they differ from what the register has now. */
static void set_differing(Warp *warp, uint32_t reg, const Result *other, const Unknown *from,
                          uint32_t mask) {
    const uint32_t class = class_of(warp, reg), bytes = bytes_of(class);
    const uint8_t *place = place_of(warp, reg);
    Unknown *unknown = unknown_of(warp, reg);
    for (uint32_t byte = 0; byte < bytes && class; byte++)
        for_lanes(lane, mask) {
            const bool differs = place[lane * bytes + byte] != other->bytes[lane * bytes + byte];
            unknown->lanes[byte] |= (uint32_t)differs << lane;
        }
    if (class == 0) {
        uint32_t now, then;
        memcpy(&now, place, sizeof now);
        memcpy(&then, other->bytes, sizeof then);
        unknown->lanes[0] |= (now ^ then) & mask;
    }
    unknown->read = from->read;
    unknown->computed = from->computed;
    look_whether_held(warp, unknown);
}

/* Executes it with the bytes inverted, and as it is. */
static Step execute_twice(Warp *warp, const Code *code, const Uses *uses, uint32_t mask) {
    enum { FEW = 8 };
    Result kept[FEW], other[FEW];
    const Unknown from = *source_of(warp, uses, mask);
    for (uint32_t i = 0; i < uses->reads; i++)
        take(warp, uses->read[i], &kept[i]);
    for (uint32_t i = 0; i < uses->reads; i++) {
        bool again = false;
        for (uint32_t j = 0; j < i; j++)
            again |= uses->read[j] == uses->read[i];
        if (!again)
            invert(warp, unknown_of(warp, uses->read[i]), uses->read[i]);
    }
    code->some(warp, code, mask);
    for (uint32_t i = 0; i < uses->writes; i++)
        take(warp, uses->written[i], &other[i]);
    for (uint32_t i = 0; i < uses->reads; i++)
        put(warp, uses->read[i], &kept[i]);
    const Step step = code->some(warp, code, mask);
    for (uint32_t i = 0; i < uses->writes; i++) {
        set_known(warp, uses->written[i], mask);
        set_differing(warp, uses->written[i], &other[i], &from, mask);
    }
    return step;
}

static void set_unknown(Warp *warp, uint32_t reg, uint32_t lanes, const Unknown *from) {
    Unknown *unknown = unknown_of(warp, reg);
    for (uint32_t byte = 0; byte < bytes_of(class_of(warp, reg)); byte++)
        unknown->lanes[byte] |= lanes;
    unknown->read = from->read;
    unknown->computed = true;
    look_whether_held(warp, unknown);
}

/* Lane that each lane of shfl takes its value from (PTX ISA, "shfl.sync"); itself where there is none. */
static uint32_t shuffled(const Warp *warp, const Code *code, uint32_t lanes, uint32_t mask) {
    const uint32_t *b = reg32(warp, code->b), *c = reg32(warp, code->c);
    const char *text = code->insn->text.at;
    const bool up = memmem(text, 16, ".up", 3), down = memmem(text, 16, ".down", 5);
    const bool index = memmem(text, 16, ".idx", 4);
    uint32_t result = 0;
    for_lanes(lane, mask) {
        const uint32_t step = b[lane] & 31, segment = c[lane] >> 8 & 31;
        const uint32_t most = (lane & segment) | (c[lane] & 31 & ~segment);
        uint32_t from = up      ? lane - step
                        : down  ? lane + step
                        : index ? (lane & segment) | (step & ~segment)
                                : lane ^ step;
        const bool inside = up ? (int32_t)from >= (int32_t)most : from <= most;
        from = inside ? from & 31 : lane;
        result |= (lanes >> from & 1) << lane;
    }
    return result;
}

/* Which lanes' results hang on what these lanes hold. */
static uint32_t reached(const Warp *warp, const Code *code, uint32_t lanes, uint32_t mask) {
    if (begins(op_info(code->insn->op)->id, "shfl"))
        return shuffled(warp, code, lanes, mask);
    if (op_has(code->insn->op, TRAIT_CONVERGENT | TRAIT_MATRIX))
        return lanes ? mask : 0;
    return lanes & mask;
}

static Step execute_once(Warp *warp, const Code *code, const Uses *uses, uint32_t mask) {
    const Unknown *source = source_of(warp, uses, FULL_MASK);
    const Unknown from = source ? *source : (Unknown){0};
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < uses->reads; i++)
        lanes |= unknown_lanes(unknown_of(warp, uses->read[i]));
    lanes = reached(warp, code, lanes, mask);
    const Step step = (mask == FULL_MASK ? code->full : code->some)(warp, code, mask);
    for (uint32_t i = 0; i < uses->writes && step == STEP_NEXT; i++) {
        set_known(warp, uses->written[i], mask);
        if (lanes)
            set_unknown(warp, uses->written[i], lanes, &from);
    }
    return step;
}

/* An access: its address decides, and what it writes goes where it is not followed, but for st. */
static Step execute_access(Warp *warp, const Code *code, const Uses *uses, uint32_t mask) {
    const Insn *insn = code->insn;
    for (uint32_t i = 0; i < insn->operand_count; i++)
        if (insn->operands[i].kind == OPERAND_ADDRESS && insn->operands[i].reg != NO_REG)
            report(warp, code, insn->operands[i].reg, mask, VALUE_IS_ADDRESS);
    const bool follows = insn->op == OP_st && insn->mods.space != SPACE_PARAM;
    for (uint32_t i = 0; i < uses->reads && !follows; i++)
        report(warp, code, uses->read[i], mask, VALUE_IS_STORED);
    for (uint32_t i = 0; i < uses->writes; i++)
        set_known(warp, uses->written[i], mask);
    const Step step = (mask == FULL_MASK ? code->full : code->some)(warp, code, mask);
    return step == STEP_YIELD && insn->mods.order == ORDER_WEAK ? STEP_NEXT : step;
}

static void decide(Warp *warp, const Code *code, uint32_t lanes) {
    if (code->insn->guard != NO_REG)
        report(warp, code, code->insn->guard, lanes, VALUE_IS_BRANCH);
}

Step unset_execute(Warp *warp, const Code *code, uint32_t lanes, uint32_t mask) {
    Uses uses = {.reads = 0};
    if (!in_kernel(warp, code))
        return mask ? (mask == FULL_MASK ? code->full : code->some)(warp, code, mask) : STEP_NEXT;
    decide(warp, code, lanes);
    if (!mask)
        return STEP_NEXT;
    insn_registers(code->insn, use, &uses);
    if (op_access(code->insn->op) != OP_ACCESS_NONE)
        return execute_access(warp, code, &uses, mask);
    if (moves_bytes(code->insn) && uses.reads <= 8 && uses.writes <= 8 &&
        source_of(warp, &uses, mask))
        return execute_twice(warp, code, &uses, mask);
    return execute_once(warp, code, &uses, mask);
}

void unset_decide(Warp *warp, const Code *code, uint32_t lanes) {
    Uses uses = {.reads = 0};
    if (!in_kernel(warp, code))
        return;
    decide(warp, code, lanes);
    if (code->control != CONTROL_SWITCH)
        return;
    insn_registers(code->insn, use, &uses);
    for (uint32_t i = 0; i < uses.reads; i++)
        report(warp, code, uses.read[i], lanes, VALUE_IS_BRANCH);
}
