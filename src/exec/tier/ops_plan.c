/* Runs a plan (plan.h) from where a warp stands, all of its lanes together, as far as that goes. Built once for each level of the
 * processor (ops.cmake). */
#include "exec/lanes/ops.h"
#include "exec/tier/plan.h"

#include <string.h>

#define THROUGH UINT64_MAX /* to the end of the basic block; else how compiled code leaves */

static uint64_t left(uint64_t reason, uint32_t number) {
    return reason << 32 | number;
}

/* ---- checking ---- */

/* No early exit, so that the loops become a few vector instructions. */
static inline bool differs(const Warp *warp, const PlanCheck *check, uint64_t *address) {
    if (check->wide) {
        const uint64_t *a = reg64(warp, check->base);
        uint64_t all = 0;
        for (uint32_t l = 0; l < WARP_LANES; l++)
            all |= a[l] ^ (a[0] + (uint64_t)check->place[l]);
        *address = a[0];
        return all != 0;
    }
    const uint32_t *a = reg32(warp, check->base);
    uint32_t all = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        all |= a[l] ^ (a[0] + check->narrow[l]);
    *address = a[0];
    return all != 0;
}

/* Misaligned, beyond its piece of memory, read-only, or its lanes lie elsewhere. */
static inline bool fails(const Warp *warp, const Frame *frame, const PlanCheck *check) {
    uint64_t address, first = frame->shared_first, bytes = frame->shared_bytes;
    bool bad = differs(warp, check, &address);
    if (!check->shared) {
        const LastHit *hit = &frame->hits[check->site];
        first = hit->first;
        bytes = hit->bytes;
        bad |= check->writes & hit->read_only;
    }
    return bad | ((address & check->align) != 0) | (bytes < check->span) |
           (address + check->low - first > bytes - check->span);
}

/* ---- moving ---- */

#define LOAD(Memory, Register, Wide)                                                               \
    for (uint32_t l = 0; l < WARP_LANES; l++) {                                                    \
        Memory value;                                                                              \
        memcpy(&value, (const uint8_t *)host + item->place[l], sizeof value);                      \
        ((Register *)registers)[l] = (Register)(Wide)value;                                        \
    }

#define STORE(Memory, Register)                                                                    \
    for (uint32_t l = 0; l < WARP_LANES; l++) {                                                    \
        Memory value = (Memory)((const Register *)registers)[l];                                   \
        memcpy((uint8_t *)host + item->place[l], &value, sizeof value);                            \
    }

static void load_lanes(const PlanItem *item, uintptr_t host, void *registers) {
    BY_LOAD(item->elements->move, LOAD)
}

/* Where lanes write to one place, the last one counts. */
static void store_lanes(const PlanItem *item, uintptr_t host, const void *registers) {
    BY_STORE(item->elements->move, STORE)
}

static void move_lanes(const Warp *warp, const PlanItem *item, uintptr_t host) {
    const Elements *elements = item->elements;
    for (uint32_t i = 0; i < elements->count; i++) {
        void *registers = warp->registers + elements->cell[i].offset;
        if (item->writes)
            store_lanes(item, host + i * elements->bytes, registers);
        else
            load_lanes(item, host + i * elements->bytes, registers);
    }
}

static void move_runs(const Warp *warp, const PlanItem *item, uintptr_t host) {
    AT_LEVEL(ops_move)(warp, item->elements, &item->pattern, host, item->writes);
}

/* Of lanes beside each other, and all at one place. */
#define ROW_AND_SAME(Type, name)                                                                   \
    static void load_row##name(const Warp *warp, const PlanItem *item, uintptr_t host) {           \
        memcpy(warp->registers + item->registers, (const void *)host, sizeof(Type) * WARP_LANES);  \
    }                                                                                              \
    static void store_row##name(const Warp *warp, const PlanItem *item, uintptr_t host) {          \
        memcpy((void *)host, warp->registers + item->registers, sizeof(Type) * WARP_LANES);        \
    }                                                                                              \
    static void load_same##name(const Warp *warp, const PlanItem *item, uintptr_t host) {          \
        Type *to = (Type *)(void *)(warp->registers + item->registers);                            \
        Type value;                                                                                \
        memcpy(&value, (const void *)host, sizeof value);                                          \
        for (uint32_t l = 0; l < WARP_LANES; l++)                                                  \
            to[l] = value;                                                                         \
    }
ROW_AND_SAME(uint32_t, 32)
ROW_AND_SAME(uint64_t, 64)

PlanMove *AT_LEVEL(ops_plan_move)(const PlanItem *item) {
    const Move how = item->elements->move;
    if (item->lanes == LANES_ANY)
        return move_lanes;
    if ((how != MOVE_32 && how != MOVE_64) || item->lanes == LANES_RUNS)
        return move_runs;
    if (item->lanes == LANES_SAME)
        return item->writes ? move_runs : how == MOVE_32 ? load_same32 : load_same64;
    if (item->writes)
        return how == MOVE_32 ? store_row32 : store_row64;
    return how == MOVE_32 ? load_row32 : load_row64;
}

static inline uint64_t address_of(const Warp *warp, const PlanItem *item) {
    return item->wide ? *reg64(warp, item->base) : *reg32(warp, item->base);
}

static inline void count(const Warp *warp, const Frame *frame, const PlanItem *item) {
    const uint64_t address = address_of(warp, item);
    frame->counts[(size_t)item->first * PLACES + address % PLACES]++;
    if (__builtin_expect(frame->recorded != 0, 0))
        frame->note(warp->worker, item->first, address);
}

static inline void move(const Warp *warp, const Frame *frame, const PlanItem *item) {
    const uintptr_t host = address_of(warp, item) + item->offset;
    item->move(warp, item, item->shared ? host + frame->shared : host);
}

/* ---- items ---- */

static inline uint64_t run_code(Warp *warp, const Code *first, uint32_t count, uint32_t number) {
    for (const Code *code = first, *end = first + count; code < end; code += code->stride) {
        Step step = STEP_NEXT;
        if (__builtin_expect(code->guard == NO_OPERAND, 1)) {
            step = code->full(warp, code, FULL_MASK);
        } else {
            uint32_t mask = *reg32(warp, code->guard) ^ code->guard_flip;
            if (mask == FULL_MASK)
                step = code->full(warp, code, mask);
            else if (mask)
                step = code->some(warp, code, mask);
        }
        if (__builtin_expect(step != STEP_NEXT, 0))
            return left((uint64_t)LEFT_STEP + step, number + (uint32_t)(code - first));
    }
    return THROUGH;
}

static inline bool run_checks(const Warp *warp, const Frame *frame, const PlanItem *item) {
    bool bad = false;
    for (uint32_t i = item->first; i < item->end; i++)
        bad |= fails(warp, frame, &frame->plan->checks[i]);
    return !bad;
}

static inline uint64_t run_items(Warp *warp, const Frame *frame, const PlanItem *item) {
    for (;; item++) {
        switch (item->kind) {
        case PLAN_CODE: {
            uint64_t how =
                run_code(warp, &frame->code[item->first], item->end - item->first, item->first);
            if (__builtin_expect(how != THROUGH, 0))
                return how;
            break;
        }
        case PLAN_CHECK:
            if (__builtin_expect(!run_checks(warp, frame, item), 0))
                return left(LEFT_BEFORE, item->number);
            break;
        case PLAN_COUNT:
            count(warp, frame, item);
            break;
        case PLAN_MOVE:
            move(warp, frame, item);
            break;
        case PLAN_SPIN:
            move(warp, frame, item);
            if (load_spins(warp) != STEP_NEXT)
                return left((uint64_t)LEFT_STEP + STEP_YIELD, item->number);
            break;
        case PLAN_LEAVE:
            return left(LEFT_BEFORE, item->number);
        case PLAN_END:
            return THROUGH;
        }
    }
}

/* ---- basic blocks ---- */

/* The basic block that follows, for all lanes; NO_INDEX: the interpreter decides. */
static inline uint32_t next_block(const Warp *warp, const PlanBlock *block) {
    if (block->guard == NO_OPERAND)
        return block->goes_on ? block->successor[0] : NO_INDEX;
    const uint32_t lanes = *reg32(warp, block->guard) ^ block->flip;
    if (lanes == 0)
        return block->goes_on ? block->successor[0] : NO_INDEX;
    return lanes == FULL_MASK && block->leads ? block->successor[1] : NO_INDEX;
}

static inline void count_block(Warp *warp, const Frame *frame, const PlanBlock *block,
                               uint32_t number) {
    BlockCount *counted = &frame->block_counts[number];
    warp->executed += block->count;
    warp->worker->clock += block->count;
    counted->warps++;
    counted->lanes += WARP_LANES;
}

uint64_t AT_LEVEL(ops_plan)(Warp *warp, uint8_t *registers, const Frame *frame, uint64_t entry,
                            uint64_t mask) {
    const Plan *plan = frame->plan;
    const Program *program = warp->worker->program;
    uint32_t at = (uint32_t)entry - 1, number = at, item;
    (void)registers;
    (void)mask;
    if (at < program->block_count) {
        count_block(warp, frame, &plan->blocks[number], number);
        item = plan->blocks[number].item;
    } else {
        number = program->block_of[at - program->block_count];
        item = plan->resumes[at - program->block_count];
    }
    for (const PlanBlock *block = &plan->blocks[number];;) {
        const uint64_t how = run_items(warp, frame, &plan->items[item]);
        if (how != THROUGH)
            return how;
        number = next_block(warp, block);
        if (number == NO_INDEX)
            return left(LEFT_BEFORE, block->last);
        block = &plan->blocks[number];
        item = block->item;
        if (item == NO_INDEX || warp->executed >= (block->is_quiet ? frame->quiet : frame->stop))
            return left(LEFT_ENTERS, block->first);
        count_block(warp, frame, block, number);
    }
}
