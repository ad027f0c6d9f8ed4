/* Atomics and reductions in shared and global memory (PTX ISA 9.7.13, "atom", "red").
 *
 * Blocks run on several workers at once, so global memory is changed by the host's compare-and-swap;
 * a block's shared memory belongs to one worker. Lanes follow each other in lane order. What the
 * hardware does natively, what in a loop, and for which lanes: see lower/atomic.c. */
#include "exec/access/atomic.h"
#include "exec/lanes/ops_half.h"
#include "exec/run/warp.h"

#include <math.h>
#include <string.h>

static float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float flush(float value) {
    return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value;
}

/* PTX ISA, "atom": .add.f32 on global memory flushes subnormal inputs and results to zero; on shared
 * memory it does not. NaN results are the canonical NaN. */
static uint64_t add_f32(uint64_t old, uint64_t operand, bool flushes) {
    float a = as_float((uint32_t)old), b = as_float((uint32_t)operand);
    float sum = flushes ? flush(flush(a) + flush(b)) : a + b;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return isnan(sum) ? UINT64_C(0x7fffffff) : bits;
}

/* A NaN passes: in global memory the operand's before the old one, as it is; in shared memory, where
 * the addition is an instruction of the program, the old one's before the operand's, quieted
 * (tests/vectors). */
static uint64_t add_f64(uint64_t old, uint64_t operand, bool is_global) {
    const double a = as_double(old), b = as_double(operand), sum = a + b;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    if (!isnan(sum))
        return bits;
    if (is_global)
        return isnan(b) ? operand : isnan(a) ? old : UINT64_C(0xfff8000000000000);
    const uint64_t nan = isnan(a) ? old : isnan(b) ? operand : UINT64_C(0xfff8000000000000);
    return nan | UINT64_C(0x0008000000000000);
}

/* .noftz: rounded once (see ops_half.c), subnormals kept. */
static uint32_t add_half(bool is_f16, uint32_t a, uint32_t b) {
    if (is_f16)
        return f16_bits_of_f32(bits_of_f32(f32_of_bits(f32_bits_of_f16(a & 0xffff)) +
                                           f32_of_bits(f32_bits_of_f16(b & 0xffff))));
    return bf16_bits_of_f32(bits_of_f32(f32_of_bits(f32_bits_of_bf16(a & 0xffff)) +
                                        f32_of_bits(f32_bits_of_bf16(b & 0xffff))));
}

static uint64_t add(Type type, bool flushes, uint64_t old, uint64_t operand) {
    const uint32_t a = (uint32_t)old, b = (uint32_t)operand;
    const bool is_f16 = type == TYPE_F16 || type == TYPE_F16X2;
    switch (type) {
    case TYPE_F16:
    case TYPE_BF16:
        return add_half(is_f16, a, b);
    case TYPE_F16X2:
    case TYPE_BF16X2:
        return add_half(is_f16, a, b) | add_half(is_f16, a >> 16, b >> 16) << 16;
    case TYPE_F32:
        return add_f32(old, operand, flushes);
    case TYPE_F64:
        return add_f64(old, operand, flushes);
    default:
        return old + operand;
    }
}

/* min and max of cp.reduce.async.bulk and of vectors: see add_half. */
static uint64_t lesser_half(Type type, bool greater, uint32_t a, uint32_t b) {
    bool is_f16 = type == TYPE_F16 || type == TYPE_F16X2;
    float x = f32_of_bits(is_f16 ? f32_bits_of_f16(a) : f32_bits_of_bf16(a));
    float y = f32_of_bits(is_f16 ? f32_bits_of_f16(b) : f32_bits_of_bf16(b));
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? 0x7fff : isnan(x) ? b : a;
    bool b_less = y < x || (x == y && signbit(y) && !signbit(x));
    return b_less != greater ? b : a;
}

static uint64_t lesser(Type type, bool greater, uint32_t a, uint32_t b) {
    const bool is_pair = type == TYPE_F16X2 || type == TYPE_BF16X2;
    return lesser_half(type, greater, a & 0xffff, b & 0xffff) |
           (is_pair ? lesser_half(type, greater, a >> 16, b >> 16) << 16 : 0);
}

static bool less(Type type, uint64_t a, uint64_t b) {
    if (type == TYPE_S32)
        return (int32_t)a < (int32_t)b;
    if (type == TYPE_S64)
        return (int64_t)a < (int64_t)b;
    return a < b;
}

/* What memory holds afterwards. c: the second operand of cas. */
static uint64_t combine(const Atomic *atomic, bool flushes, uint64_t old, uint64_t b, uint64_t c) {
    switch (atomic->func) {
    case FUNC_ADD:
        return add(atomic->type, flushes, old, b);
    case FUNC_MIN:
    case FUNC_MAX:
        if (type_is_float(atomic->type))
            return lesser(atomic->type, atomic->func == FUNC_MAX, (uint32_t)old, (uint32_t)b);
        if (atomic->func == FUNC_MAX)
            return less(atomic->type, old, b) ? b : old;
        return less(atomic->type, b, old) ? b : old;
    case FUNC_AND:
        return old & b;
    case FUNC_OR:
        return old | b;
    case FUNC_XOR:
        return old ^ b;
    case FUNC_INC:
        return old >= b ? 0 : old + 1;
    case FUNC_DEC:
        return old == 0 || old > b ? b : old - 1;
    case FUNC_CAS:
        return old == b ? c : old;
    default: /* FUNC_EXCH */
        return b;
    }
}

/* What memory held before and after. */
typedef struct Exchange {
    uint64_t old, now;
} Exchange;

#define EXCHANGE_LOOP(Word)                                                                        \
    {                                                                                              \
        Word *at = (Word *)(void *)place;                                                          \
        Word seen = __atomic_load_n(at, __ATOMIC_RELAXED), now;                                    \
        do                                                                                         \
            now = (Word)combine(atomic, flushes, seen, b, c);                                      \
        while (!__atomic_compare_exchange_n(at, &seen, now, true, __ATOMIC_SEQ_CST,                \
                                            __ATOMIC_RELAXED));                                    \
        return (Exchange){seen, now};                                                              \
    }

static Exchange apply(const Atomic *atomic, bool flushes, uint8_t *place, uint64_t b, uint64_t c) {
    if (atomic->bytes == 4)
        EXCHANGE_LOOP(uint32_t)
    if (atomic->bytes == 8)
        EXCHANGE_LOOP(uint64_t)
    EXCHANGE_LOOP(uint16_t)
}

#define EXCHANGE(Word)                                                                             \
    {                                                                                              \
        Word *at = (Word *)(void *)place, seen = *at;                                              \
        *at = (Word)combine(atomic, false, seen, b, c);                                            \
        return (Exchange){seen, *at};                                                              \
    }

/* In shared memory, which no other worker sees. */
static Exchange apply_shared(const Atomic *atomic, uint8_t *place, uint64_t b, uint64_t c) {
    if (atomic->bytes == 4)
        EXCHANGE(uint32_t)
    if (atomic->bytes == 8)
        EXCHANGE(uint64_t)
    EXCHANGE(uint16_t)
}

void atomic_range(Func func, Type type, bool as_global, uint8_t *to, const uint8_t *from,
                  uint64_t bytes) {
    const Atomic atomic = {.type = type, .func = func, .bytes = type_bytes(type)};
    for (uint64_t at = 0; at < bytes; at += atomic.bytes) {
        uint64_t operand = 0;
        memcpy(&operand, from + at, atomic.bytes);
        apply(&atomic, as_global, to + at, operand, 0);
    }
}

static uint64_t operand_value(const Warp *warp, uint32_t offset, uint32_t class, uint32_t lane) {
    return class == 2 ? reg64(warp, offset)[lane] : reg32(warp, offset)[lane];
}

static void write_old(Warp *warp, const Code *code, uint32_t lane, uint64_t old) {
    if (code->d_class == 2)
        reg64(warp, code->d)[lane] = old;
    else
        reg32(warp, code->d)[lane] = (uint32_t)old;
}

Step exec_cast(Warp *warp, const Code *code, uint32_t mask) {
    const Atomic *atomic = code->more;
    Touch touch;
    touch_addresses(&touch, warp, code->a, code->a_class, code->offset, mask);
    uint32_t now = mask, any = (uint32_t)__builtin_ctz(mask);
    Space space = code->space == SPACE_GENERIC ? touch_split(&touch, &now) : SPACE_SHARED;
    if (space != SPACE_SHARED || now != mask)
        return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, any, space, touch.address[any],
                            "a compare-and-swap that tries, outside of shared memory");
    if (touch_check(&touch, warp, code, space, mask, atomic->bytes, true) != STEP_NEXT)
        return STEP_FAULT;
    const uint32_t first = mem_cast_lanes(touch.address, mask, atomic->bytes);
    for_lanes(lane, mask) {
        uint64_t expected = operand_value(warp, code->b, code->b_class, lane);
        uint64_t value = operand_value(warp, code->c, code->c_class, lane), held = 0;
        bool stored = false;
        if (first >> lane & 1) {
            memcpy(&held, touch_place(&touch, lane), atomic->bytes);
            stored = held == expected;
        }
        if (stored)
            memcpy(touch_place(&touch, lane), &value, atomic->bytes);
        warp->activity->deeds += stored && value != held;
        if (atomic->returns)
            write_old(warp, code, lane, stored);
    }
    Access access = {.kind = ACCESS_ATOMIC_CAST,
                     .space = touch.remote ? SPACE_GENERIC : SPACE_SHARED,
                     .width = atomic->bytes,
                     .mask = mask,
                     .address = touch.address};
    access_count(warp, code, &access, &touch.pattern);
    return warp_spins(warp);
}

/* All elements of a lane, then the next lane's. */
static Step vector_in_space(Warp *warp, const Code *code, Touch *touch, Space space,
                            uint32_t mask) {
    const Atomic *atomic = code->more;
    const uint32_t width = atomic->bytes * atomic->count, any = (uint32_t)__builtin_ctz(mask);
    if (space != SPACE_GLOBAL)
        return memory_fault(warp, code, FAULT_OUT_OF_BOUNDS, any, space, touch->address[any],
                            "an atomic on a vector, outside of global memory");
    if (touch_check(touch, warp, code, space, mask, width, true) != STEP_NEXT)
        return STEP_FAULT;
    bool changed = false;
    for_lanes(lane, mask) for (uint32_t i = 0; i < atomic->count; i++) {
        uint8_t *place = touch_place(touch, lane) + i * atomic->bytes;
        Exchange done = apply(atomic, true, place, reg32(warp, atomic->operand[i])[lane], 0);
        changed |= done.now != done.old;
        if (atomic->old[i] != NO_OPERAND)
            reg32(warp, atomic->old[i])[lane] = (uint32_t)done.old;
    }
    warp->activity->deeds += changed;
    Access access = {.kind = ACCESS_ATOMIC,
                     .space = space,
                     .width = width,
                     .mask = mask,
                     .generic = code->space == SPACE_GENERIC,
                     .no_change = atomic_leaves(atomic, changed),
                     .address = touch->address};
    access_count(warp, code, &access, &touch->pattern);
    return STEP_NEXT;
}

static Step in_space(Warp *warp, const Code *code, Touch *touch, Space space, uint32_t mask) {
    const Atomic *atomic = code->more;
    if (touch_check(touch, warp, code, space, mask, atomic->bytes, true) != STEP_NEXT)
        return STEP_FAULT;
    bool changed = false, shared = space == SPACE_SHARED;
    for_lanes(lane, mask) {
        uint64_t b = code->b == NO_OPERAND ? 1 : operand_value(warp, code->b, code->b_class, lane);
        uint64_t c = code->c == NO_OPERAND ? 0 : operand_value(warp, code->c, code->c_class, lane);
        uint8_t *place = touch_place(touch, lane);
        Exchange done =
            shared ? apply_shared(atomic, place, b, c) : apply(atomic, true, place, b, c);
        changed |= done.now != done.old;
        if (atomic->returns)
            write_old(warp, code, lane, done.old);
    }
    warp->activity->deeds += changed;
    Access access = {.kind = atomic->lowered->kind,
                     .space = touch->remote ? SPACE_GENERIC : space,
                     .width = atomic->bytes,
                     .mask = atomic_lanes(atomic, mask),
                     .generic = code->space == SPACE_GENERIC,
                     .no_change = atomic_leaves(atomic, changed),
                     .address = touch->address};
    if (space != SPACE_SHARED)
        access.kind = ACCESS_ATOMIC;
    access_count(warp, code, &access, &touch->pattern);
    return STEP_NEXT;
}

/* Where the hardware does the operation itself at a generic address. */
static bool native(const Atomic *atomic, Space space) {
    return space == SPACE_GLOBAL ||
           (space == SPACE_SHARED && (atomic->func == FUNC_EXCH || atomic->func == FUNC_CAS));
}

Step exec_atomic(Warp *warp, const Code *code, uint32_t mask) {
    const Atomic *atomic = code->more;
    uint32_t failed = 0;
    Touch touch;
    touch_addresses(&touch, warp, code->a, code->a_class, code->offset, mask);
    for (uint32_t rest = mask; rest;) {
        uint32_t now = rest;
        Space space = code->space == SPACE_GENERIC ? touch_split(&touch, &now) : code->space;
        if (atomic->tries && !native(atomic, space))
            failed |= now;
        else if (atomic->count > 1) {
            if (vector_in_space(warp, code, &touch, space, now) != STEP_NEXT)
                return STEP_FAULT;
        } else if (in_space(warp, code, &touch, space, now) != STEP_NEXT)
            return STEP_FAULT;
        rest &= ~now;
    }
    if (atomic->tries && code->d2 != NO_OPERAND)
        write_pred(warp, code->d2, mask, ~failed);
    return warp_spins(warp);
}
