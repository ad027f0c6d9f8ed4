/* Barriers of a block: bar and barrier .sync, .arrive, .red (PTX ISA 9.7.13.1). A path arrives, waits,
 * and executes the instruction once more when the barrier is complete (path->released).
 *
 * Threads arrive, not warps, with .aligned, too, as on every GPU since Volta: lanes of a warp that come
 * on different ways, or to different instructions, complete the barrier together (CUDA C++ Programming
 * Guide, "Independent Thread Scheduling"). */
#include "exec/decode/operands.h"
#include "exec/run/watch.h"

typedef struct BarrierOp {
    bool waits, reduces;
    Func func;          /* POPC, AND, OR */
    uint32_t number;    /* of a barrier that the instruction names */
    uint32_t threads;   /* register, or NO_OPERAND: all threads of the block */
    uint32_t predicate; /* or NO_OPERAND */
    uint32_t flip;
} BarrierOp;

static Step finish(Warp *warp, const Code *code, const BarrierOp *op, uint32_t mask) {
    Path *path = warp->current;
    path->released = false;
    if (!op->reduces)
        return STEP_NEXT;
    uint32_t yes = path->result, threads = path->wait;
    if (op->func == FUNC_POPC) {
        uint32_t *d = reg32(warp, code->d);
        for_lanes(lane, mask) d[lane] = yes;
    } else {
        bool holds = op->func == FUNC_AND ? yes == threads : yes != 0;
        write_pred(warp, code->d, mask, holds ? FULL_MASK : 0);
    }
    return STEP_NEXT;
}

/* At this barrier, for so many threads (0: all). */
static Step arrive_at(Warp *warp, const Code *code, uint32_t mask, uint32_t number,
                      uint32_t threads) {
    const BarrierOp *op = code->more;
    Path *path = warp->current;
    Barrier *barrier = &warp->cta->barriers[number];
    barrier->expected = threads / WARP_LANES;
    if (op->predicate != NO_OPERAND)
        barrier->yes +=
            (uint32_t)__builtin_popcount((*reg32(warp, op->predicate) ^ op->flip) & mask);
    if (op->waits) {
        path->state = PATH_WAITS_BARRIER;
        path->wait = number;
        path->pc =
            (uint32_t)(code - warp->worker->program->code); /* for who is told of the release */
    }
    if (watched(warp))
        watch_event(warp, code, EVENT_ARRIVE, mask, number, threads);
    cta_arrive(warp, number, mask);
    if (!op->waits)
        return STEP_NEXT;
    if (path->released)
        cta_side_by_side(warp);
    /* Of one warp nobody was missing: it goes on without being let in again, unless others are to see that, have joined it or may. */
    return path->released && warp->cta->warp_count == 1 && warp->path_count == 1 &&
                   path->mask == mask && !warp->worker->looks
               ? finish(warp, code, op, mask)
               : STEP_WAIT;
}

static __attribute__((noinline)) Step arrive(Warp *warp, const Code *code, uint32_t mask) {
    const BarrierOp *op = code->more;
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    uint32_t number = reg32(warp, code->a)[lane];
    uint32_t threads = op->threads == NO_OPERAND ? 0 : reg32(warp, op->threads)[lane];
    if (number >= BARRIERS_NAMED || threads % WARP_LANES)
        return warp_fault(warp, code, FAULT_BARRIER, lane, 0,
                          number >= BARRIERS_NAMED
                              ? "barrier %u: a block has barriers 0 to 15"
                              : "barrier %u for %u threads: must be a multiple of 32",
                          number, threads);
    return arrive_at(warp, code, mask, number, threads);
}

static Step exec_barrier(Warp *warp, const Code *code, uint32_t mask) {
    return warp->current->released ? finish(warp, code, code->more, mask)
                                   : arrive(warp, code, mask);
}

/* A wait of all threads at a barrier that is named, as nearly all are. */
static Step exec_sync(Warp *warp, const Code *code, uint32_t mask) {
    const BarrierOp *op = code->more;
    return warp->current->released ? finish(warp, code, op, mask)
                                   : arrive_at(warp, code, mask, op->number, 0);
}

/* bar.red d, a{, b}, {!}c: the last operand is the predicate. */
static void decode_reduction(Decoding *decoding, const Insn *insn, Code *code, BarrierOp *op) {
    uint8_t class;
    const Operand *predicate = &insn->operands[insn->operand_count - 1];
    op->reduces = true;
    op->func = insn->op == OP_bar_red_popc ? FUNC_POPC : (Func)insn->mods.func;
    if (predicate->kind == OPERAND_IMM) /* the same in all threads */
        op->predicate = decode_value(decoding, 0, predicate->bits != 0);
    else
        op->predicate = decode_operand(decoding, predicate, &class);
    op->flip = predicate->negated ? FULL_MASK : 0;
    code->d = decode_operand(decoding, &insn->operands[0], &code->d_class);
}

bool barrier_decode(Decoding *decoding, const Insn *insn, Code *code) {
    bool reduces = insn->op == OP_bar_red || insn->op == OP_bar_red_popc;
    BarrierOp *op = NEW(decoding->arena, BarrierOp);
    uint32_t first = reduces ? 1 : 0; /* operand with the barrier's number */
    uint32_t given = insn->operand_count - first - reduces;
    uint8_t class;
    op->waits = insn->op != OP_bar_arrive;
    op->predicate = op->threads = NO_OPERAND;
    code->a = decode_operand(decoding, &insn->operands[first], &class);
    if (given > 1)
        op->threads = decode_operand(decoding, &insn->operands[first + 1], &class);
    if (reduces)
        decode_reduction(decoding, insn, code, op);
    code->more = op;
    const Operand *number = &insn->operands[first];
    const bool named = number->kind == OPERAND_IMM && number->bits < BARRIERS_NAMED;
    op->number = named ? (uint32_t)number->bits : 0;
    code->full = code->some =
        named && op->waits && !reduces && op->threads == NO_OPERAND ? exec_sync : exec_barrier;
    return true;
}
