/* mbarrier: barriers that are objects in shared memory (PTX ISA 9.7.13.15), those of sm_80: without
 * counts of bytes. The object and the state that arriving gives are opaque to programs; here both are
 *
 *   bits 0 … 19    arrivals that a phase takes
 *   bits 20 … 39   arrivals that the current phase still waits for
 *   bits 40 … 63   number of the current phase; its lowest bit is the parity
 *
 * Copies of cp.async are done when they are issued (async.c): an arrival that they trigger happens at
 * once. test_wait and try_wait never block; a warp that spins on them gives others a turn. */
#include "exec/warp.h"

#include <string.h>

enum { COUNT_BITS = 20, COUNT_MOST = (1 << COUNT_BITS) - 1, PHASE_AT = 2 * COUNT_BITS };

typedef struct Object {
    uint32_t expected, pending, phase;
} Object;

static Object unpack(uint64_t bits) {
    return (Object){(uint32_t)bits & COUNT_MOST, (uint32_t)(bits >> COUNT_BITS) & COUNT_MOST,
                    (uint32_t)(bits >> PHASE_AT)};
}

static uint64_t pack(Object object) {
    return object.expected | (uint64_t)object.pending << COUNT_BITS |
           (uint64_t)object.phase << PHASE_AT;
}

typedef enum Action {
    ACTION_INIT,
    ACTION_INVAL,
    ACTION_ARRIVE,
    ACTION_DROP,
    ACTION_TEST,
    ACTION_COPIED,      /* cp.async.mbarrier.arrive: one more arrival is expected, and comes */
    ACTION_COPIED_NOINC /* … one that was expected comes */
} Action;

typedef struct MbarrierOp {
    Action action;
    bool no_complete, parity;
    uint32_t count; /* register: init, arrive; NO_OPERAND: 1 */
    uint32_t state; /* register: the state or the parity to test */
} MbarrierOp;

/* ---- one lane ---- */

static const char *arrive(const MbarrierOp *op, uint32_t count, Object *object) {
    if (object->expected == 0)
        return "mbarrier that was not initialised";
    if (count == 0 || count > object->pending)
        return "mbarrier: more arrivals than it expects in this phase";
    if (op->action == ACTION_DROP)
        object->expected -= count;
    object->pending -= count;
    if (object->pending)
        return NULL;
    if (op->no_complete)
        return "mbarrier: an arrival with .noComplete completes the phase";
    object->phase++;
    object->pending = object->expected;
    return NULL;
}

/* What the operation does for a lane; not NULL: what is wrong. */
static const char *act(const Warp *warp, const Code *code, uint32_t lane, uint64_t *bits) {
    const MbarrierOp *op = code->more;
    Object object = unpack(*bits);
    uint32_t count = op->count == NO_OPERAND ? 1 : reg32(warp, op->count)[lane];
    const char *wrong = NULL;
    switch (op->action) {
    case ACTION_INIT:
        if (count == 0 || count > COUNT_MOST)
            return "mbarrier.init: the count must be between 1 and 1048575";
        object = (Object){count, count, 0};
        break;
    case ACTION_INVAL:
        object = (Object){0};
        break;
    case ACTION_COPIED:
        return object.expected ? NULL : "mbarrier that was not initialised";
    default:
        if (code->d != NO_OPERAND)
            reg64(warp, code->d)[lane] = *bits;
        wrong = arrive(op, count, &object);
        break;
    }
    *bits = pack(object);
    return wrong;
}

static bool completed(const Warp *warp, const MbarrierOp *op, uint32_t lane, uint64_t bits) {
    uint32_t phase = unpack(bits).phase;
    if (op->parity)
        return (phase & 1) != (reg32(warp, op->state)[lane] & 1);
    return phase != unpack(reg64(warp, op->state)[lane]).phase;
}

/* ---- executing ---- */

static Step touch_objects(Warp *warp, const Code *code, uint32_t mask, Touch *touch) {
    touch_addresses(touch, warp, code->a, code->a_class, code->offset, mask);
    Space space = SPACE_SHARED;
    uint32_t now = mask;
    if (code->space == SPACE_GENERIC)
        space = touch_split(touch, &now);
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    if (space != SPACE_SHARED || now != mask)
        return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, lane, space, touch->address[lane],
                            "mbarrier outside of shared memory");
    return touch_check(touch, warp, code, SPACE_SHARED, mask, sizeof(uint64_t), true);
}

static Step exec_mbarrier(Warp *warp, const Code *code, uint32_t mask) {
    Touch touch;
    if (touch_objects(warp, code, mask, &touch) != STEP_NEXT)
        return STEP_FAULT;
    for_lanes(lane, mask) {
        uint64_t bits;
        memcpy(&bits, touch_place(&touch, lane), sizeof bits);
        const char *wrong = act(warp, code, lane, &bits);
        if (wrong)
            return memory_fault(warp, code, FAULT_DIVERGENT_BARRIER, lane, SPACE_SHARED,
                                touch.address[lane], "%s", wrong);
        memcpy(touch_place(&touch, lane), &bits, sizeof bits);
    }
    return STEP_NEXT;
}

static Step exec_test(Warp *warp, const Code *code, uint32_t mask) {
    Touch touch;
    uint32_t yes = 0;
    if (touch_objects(warp, code, mask, &touch) != STEP_NEXT)
        return STEP_FAULT;
    for_lanes(lane, mask) {
        uint64_t bits;
        memcpy(&bits, touch_place(&touch, lane), sizeof bits);
        yes |= (uint32_t)completed(warp, code->more, lane, bits) << lane;
    }
    write_pred(warp, code->d, mask, yes);
    return yes == mask ? STEP_NEXT : warp_spins(warp);
}

static Step exec_pending_count(Warp *warp, const Code *code, uint32_t mask) {
    for_lanes(lane, mask) reg32(warp, code->d)[lane] = unpack(reg64(warp, code->a)[lane]).pending;
    return STEP_NEXT;
}

/* ---- decoding ---- */

static Action action_of(const Insn *insn) {
    switch (insn->op) {
    case OP_mbarrier_init:
        return ACTION_INIT;
    case OP_mbarrier_inval:
        return ACTION_INVAL;
    case OP_mbarrier_arrive:
        return ACTION_ARRIVE;
    case OP_mbarrier_arrive_drop:
        return ACTION_DROP;
    case OP_cp_async_mbarrier:
        return insn->mods.flags & MOD_NOINC ? ACTION_COPIED_NOINC : ACTION_COPIED;
    default:
        return ACTION_TEST;
    }
}

static bool is_row(Op op) {
    return op == OP_mbarrier_init || op == OP_mbarrier_inval || op == OP_mbarrier_arrive ||
           op == OP_mbarrier_arrive_drop || op == OP_mbarrier_wait ||
           op == OP_mbarrier_wait_parity || op == OP_cp_async_mbarrier;
}

bool mbarrier_decode(Program *program, Arena *arena, const Insn *insn, Code *code) {
    uint8_t class;
    if (insn->op == OP_mbarrier_pending_count) {
        code->full = code->some = exec_pending_count;
        return true;
    }
    if (!is_row(insn->op))
        return false;
    MbarrierOp *op = NEW(arena, MbarrierOp);
    bool gives = op_info(insn->op)->operands[0] == '=';
    uint32_t at = gives ? 1 : 0; /* of the address; behind it a count, a state or a parity */
    const Operand *address = &insn->operands[at];
    op->action = action_of(insn);
    op->no_complete = insn->mods.flags & MOD_NO_COMPLETE;
    op->parity = insn->mods.flags & MOD_PARITY;
    op->count = op->state = NO_OPERAND;
    if (insn->operand_count > at + 1) {
        uint32_t behind = decode_operand(program, arena, &insn->operands[at + 1], &class);
        *(op->action == ACTION_TEST ? &op->state : &op->count) = behind;
    }
    if (gives && insn->operands[0].kind != OPERAND_SINK)
        code->d = decode_operand(program, arena, &insn->operands[0], &code->d_class);
    code->a = decode_operand(program, arena, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->space = (Space)insn->mods.space;
    code->more = op;
    code->full = code->some = op->action == ACTION_TEST ? exec_test : exec_mbarrier;
    return true;
}
