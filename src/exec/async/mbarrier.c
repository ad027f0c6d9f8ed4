/* mbarrier: barriers that are objects in shared memory (PTX ISA 9.7.13.15). A phase is over when no
 * arrival is pending and no byte of the asynchronous copies that report to the object is on its way:
 * expect_tx adds bytes, and each copy that is done takes away its own. The object and the state that
 * arriving gives are opaque to programs; here both are
 *
 *   bits 0 … 19    arrivals that a phase takes
 *   bits 20 … 39   arrivals that the current phase still waits for
 *   bits 40 … 60   bytes that it still waits for, as a signed number: copies may be done before they
 *                  are expected
 *   bits 61 … 63   number of the current phase; its lowest bit is the parity
 *
 * Copies are done when they are issued (async.c, bulk.c): what they trigger happens at once. test_wait
 * and try_wait never block; a warp that waits in a loop of them gives the others its turn each time, and
 * where all warps of a cluster do nothing else any more, that is a deadlock (cta.c). */
#include "exec/decode/operands.h"
#include "exec/run/watch.h"

#include <string.h>

enum {
    COUNT_BITS = 20,
    COUNT_MOST = (1 << COUNT_BITS) - 1,
    BYTES_AT = 2 * COUNT_BITS,
    BYTES_BITS = 21,
    BYTES_MOST = (1 << 20) - 1,
    PHASE_AT = BYTES_AT + BYTES_BITS,
    PHASE_MASK = 7,
    WAIT_SPINS = 256 /* spinning operations that a failed wait is worth: it surely waits */
};

typedef struct BarrierObject {
    uint32_t expected, pending, phase;
    int64_t bytes;
} BarrierObject;

static BarrierObject unpack(uint64_t bits) {
    int64_t bytes = (int64_t)(bits << (64 - PHASE_AT)) >> (64 - BYTES_BITS);
    return (BarrierObject){(uint32_t)bits & COUNT_MOST, (uint32_t)(bits >> COUNT_BITS) & COUNT_MOST,
                           (uint32_t)(bits >> PHASE_AT), bytes};
}

static uint64_t pack(BarrierObject object) {
    uint64_t bytes = (uint64_t)object.bytes & ((UINT64_C(1) << BYTES_BITS) - 1);
    return object.expected | (uint64_t)object.pending << COUNT_BITS | bytes << BYTES_AT |
           (uint64_t)(object.phase & PHASE_MASK) << PHASE_AT;
}

typedef enum Action {
    ACTION_INIT,
    ACTION_INVAL,
    ACTION_ARRIVE,
    ACTION_DROP,
    ACTION_EXPECT,   /* more bytes */
    ACTION_COMPLETE, /* bytes are there */
    ACTION_TEST,
    ACTION_COPIED,      /* cp.async.mbarrier.arrive: one more arrival is expected, and comes */
    ACTION_COPIED_NOINC /* … one that was expected comes */
} Action;

typedef struct MbarrierOp {
    Action action;
    bool no_complete, parity;
    uint32_t count; /* register: init, arrive; NO_OPERAND: 1 */
    uint32_t bytes; /* register: expect_tx, complete_tx; NO_OPERAND: none */
    uint32_t state; /* register: the state or the parity to test */
} MbarrierOp;

/* ---- one lane ---- */

static const char not_initialised[] = "mbarrier that was not initialised";

/* The phase ends where nothing is missing any more. */
static bool settle(BarrierObject before, BarrierObject *object) {
    bool was_open = before.pending || before.bytes;
    if (!was_open || object->pending || object->bytes)
        return false;
    object->phase++;
    object->pending = object->expected;
    return true;
}

static const char *add_bytes(BarrierObject *object, int64_t bytes) {
    object->bytes += bytes;
    return object->bytes > BYTES_MOST || object->bytes < -BYTES_MOST
               ? "mbarrier: more than 1048575 bytes of transactions in a phase"
               : NULL;
}

static const char *arrive(const MbarrierOp *op, uint32_t count, BarrierObject *object) {
    if (count == 0 || count > object->pending)
        return "mbarrier: more arrivals than it expects in this phase";
    if (op->action == ACTION_DROP)
        object->expected -= count;
    object->pending -= count;
    if (op->no_complete && !object->pending && !object->bytes)
        return "mbarrier: an arrival with .noComplete completes the phase";
    return NULL;
}

static const char *init(uint32_t count, uint64_t *bits) {
    if (count == 0 || count > COUNT_MOST)
        return "mbarrier.init: the count must be between 1 and 1048575";
    *bits = pack((BarrierObject){.expected = count, .pending = count});
    return NULL;
}

/* What the operation does for a lane; not NULL: what is wrong. */
static const char *act(const Warp *warp, const Code *code, uint32_t lane, uint64_t *bits) {
    const MbarrierOp *op = code->more;
    BarrierObject before = unpack(*bits), object = before;
    uint32_t count = op->count == NO_OPERAND ? 1 : reg32(warp, op->count)[lane];
    int64_t bytes = op->bytes == NO_OPERAND ? 0 : reg32(warp, op->bytes)[lane];
    const char *wrong = NULL;
    if (op->action == ACTION_INIT)
        return init(count, bits);
    if (*bits == 0)
        return not_initialised;
    switch (op->action) {
    case ACTION_INVAL:
        *bits = 0;
        return NULL;
    case ACTION_COPIED:
        return NULL;
    case ACTION_EXPECT:
    case ACTION_COMPLETE:
        wrong = add_bytes(&object, op->action == ACTION_EXPECT ? bytes : -bytes);
        break;
    default:
        if (code->d != NO_OPERAND)
            reg64(warp, code->d)[lane] = *bits;
        wrong = add_bytes(&object, bytes);
        if (!wrong)
            wrong = arrive(op, count, &object);
        break;
    }
    warp->cta->cluster->phases += settle(before, &object);
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

static EventKind event_of(Action action) {
    return action == ACTION_INIT                                      ? EVENT_MBARRIER_INIT
           : action == ACTION_INVAL                                   ? EVENT_MBARRIER_INVAL
           : action == ACTION_COPIED || action == ACTION_COPIED_NOINC ? EVENT_COPY_ARRIVE
                                                                      : EVENT_MBARRIER_ARRIVE;
}

/* What a lane did to an object, and what came of it. */
static void tell(const Warp *warp, const Code *code, uint32_t lane, const uint8_t *place,
                 uint64_t before, uint64_t now) {
    const MbarrierOp *op = code->more;
    watch_mbarrier(warp, code, event_of(op->action), lane, place, unpack(now).expected);
    bool lives = op->action != ACTION_INIT && op->action != ACTION_INVAL;
    if (lives && unpack(before).phase != unpack(now).phase)
        watch_mbarrier(warp, code, EVENT_MBARRIER_PHASE, lane, place, 0);
}

static Step exec_mbarrier(Warp *warp, const Code *code, uint32_t mask) {
    Touch touch;
    if (touch_objects(warp, code, mask, &touch) != STEP_NEXT)
        return STEP_FAULT;
    for_lanes(lane, mask) {
        uint64_t bits, before;
        memcpy(&bits, touch_place(&touch, lane), sizeof bits);
        before = bits;
        const char *wrong = act(warp, code, lane, &bits);
        if (wrong)
            return memory_fault(warp, code, FAULT_BARRIER, lane, SPACE_SHARED, touch.address[lane],
                                "%s", wrong);
        memcpy(touch_place(&touch, lane), &bits, sizeof bits);
        if (watched(warp))
            tell(warp, code, lane, touch_place(&touch, lane), before, bits);
    }
    return STEP_NEXT;
}

/* The wait failed in this lane: the warp has nothing better to do than to let others run. */
static Step waits(Warp *warp, const Code *code, uint32_t lane, uint64_t address) {
    warp->awaited = (MbarrierWait){code, address, lane};
    warp->current->awaits = true;
    warp->spins += WAIT_SPINS;
    return STEP_YIELD;
}

static Step exec_test(Warp *warp, const Code *code, uint32_t mask) {
    Touch touch;
    uint32_t yes = 0;
    if (touch_objects(warp, code, mask, &touch) != STEP_NEXT)
        return STEP_FAULT;
    uint32_t first = (uint32_t)__builtin_ctz(mask);
    if (touch.remote)
        return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, first, SPACE_SHARED,
                            touch.address[first],
                            "a thread can wait only for mbarriers of its own block");
    for_lanes(lane, mask) {
        uint64_t bits;
        memcpy(&bits, touch_place(&touch, lane), sizeof bits);
        yes |= (uint32_t)completed(warp, code->more, lane, bits) << lane;
    }
    write_pred(warp, code->d, mask, yes);
    for_lanes(lane, watched(warp) ? yes : 0)
        watch_mbarrier(warp, code, EVENT_MBARRIER_WAITED, lane, touch_place(&touch, lane), 0);
    warp->current->awaits = false;
    if (yes == mask)
        return STEP_NEXT;
    uint32_t lane = (uint32_t)__builtin_ctz(mask & ~yes);
    return waits(warp, code, lane, touch.address[lane]);
}

Step mbarrier_complete(Warp *warp, const Code *code, uint32_t lane, uint64_t address,
                       uint32_t bytes) {
    uint64_t bits;
    uint8_t *place = cluster_memory(warp, address, sizeof bits);
    if (!place || address % sizeof bits)
        return memory_fault(warp, code, place ? FAULT_MISALIGNED : FAULT_OUT_OF_BOUNDS, lane,
                            SPACE_SHARED, address,
                            place ? "misaligned mbarrier" : "mbarrier outside of shared memory");
    memcpy(&bits, place, sizeof bits);
    BarrierObject before = unpack(bits), object = before;
    const char *wrong = bits ? add_bytes(&object, -(int64_t)bytes) : not_initialised;
    if (wrong)
        return memory_fault(warp, code, FAULT_BARRIER, lane, SPACE_SHARED, address, "%s", wrong);
    warp->cta->cluster->phases += settle(before, &object);
    bits = pack(object);
    memcpy(place, &bits, sizeof bits);
    if (watched(warp))
        watch_mbarrier(warp, code, EVENT_MBARRIER_COPIED, lane, place, bytes);
    if (watched(warp) && before.phase != object.phase)
        watch_mbarrier(warp, code, EVENT_MBARRIER_PHASE, lane, place, 0);
    return STEP_NEXT;
}

/* ---- waits that never end ---- */

/* What the mbarrier that a warp waited for last still misses. */
static void describe(const Warp *warp, char *text, size_t room) {
    uint64_t bits = 0;
    const uint8_t *place = cluster_memory(warp, warp->awaited.address, sizeof bits);
    if (place)
        memcpy(&bits, place, sizeof bits);
    BarrierObject object = unpack(bits);
    if (!bits)
        snprintf(text, room, "it is not initialised");
    else
        snprintf(text, room,
                 "its current phase (parity %u) misses %u of %u arrivals and %lld bytes of copies",
                 object.phase & 1, object.pending, object.expected, (long long)object.bytes);
}

Step mbarrier_deadlock(Warp *warp) {
    char missing[160];
    const MbarrierWait *awaited = &warp->awaited;
    describe(warp, missing, sizeof missing);
    return memory_fault(warp, awaited->code, FAULT_DEADLOCK, awaited->lane, SPACE_SHARED,
                        awaited->address,
                        "deadlock: the threads of the %s do nothing but wait, this one for an "
                        "mbarrier; %s",
                        warp->cta->cluster->size > 1 ? "cluster" : "block", missing);
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
    case OP_mbarrier_arrive_remote:
    case OP_mbarrier_arrive_expect:
    case OP_mbarrier_arrive_expect_remote:
        return ACTION_ARRIVE;
    case OP_mbarrier_arrive_drop:
    case OP_mbarrier_arrive_drop_remote:
    case OP_mbarrier_arrive_drop_expect:
    case OP_mbarrier_arrive_drop_expect_remote:
        return ACTION_DROP;
    case OP_mbarrier_expect_tx:
        return ACTION_EXPECT;
    case OP_mbarrier_complete_tx:
        return ACTION_COMPLETE;
    case OP_cp_async_mbarrier:
        return insn->mods.flags & MOD_NOINC ? ACTION_COPIED_NOINC : ACTION_COPIED;
    default:
        return ACTION_TEST;
    }
}

/* What stands behind the address: a count, bytes, a state or a parity. */
static uint32_t *behind(MbarrierOp *op, const Insn *insn) {
    if (op->action == ACTION_TEST)
        return &op->state;
    bool counts_bytes = op->action == ACTION_EXPECT || op->action == ACTION_COMPLETE ||
                        insn->mods.flags & MOD_EXPECT_TX;
    return counts_bytes ? &op->bytes : &op->count;
}

bool mbarrier_decode(Decoding *decoding, const Insn *insn, Code *code) {
    uint8_t class;
    if (insn->op == OP_mbarrier_pending_count) {
        code->full = code->some = exec_pending_count;
        return true;
    }
    MbarrierOp *op = NEW(decoding->arena, MbarrierOp);
    bool gives = op_info(insn->op)->operands[0] != '[';
    uint32_t at = gives ? 1 : 0; /* of the address */
    const Operand *address = &insn->operands[at];
    op->action = action_of(insn);
    op->no_complete = insn->mods.flags & MOD_NO_COMPLETE;
    op->parity = insn->mods.flags & MOD_PARITY;
    op->count = op->bytes = op->state = NO_OPERAND;
    if (insn->operand_count > at + 1)
        *behind(op, insn) = decode_operand(decoding, &insn->operands[at + 1], &class);
    if (gives && insn->operands[0].kind != OPERAND_SINK)
        code->d = decode_operand(decoding, &insn->operands[0], &code->d_class);
    code->a = decode_operand(decoding, address, &code->a_class);
    code->offset = address->reg == NO_REG ? 0 : address->offset;
    code->space = (uint8_t)insn->mods.space;
    code->more = op;
    code->full = code->some = op->action == ACTION_TEST ? exec_test : exec_mbarrier;
    return true;
}
