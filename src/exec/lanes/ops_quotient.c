/* Quotients as ptxas computes them, step by step (src/machine/quotients.c): the last step's value. In the range for which the
 * steps are made it is the quotient, rounded to nearest, which processors compute as well; elsewhere they are taken. */
#include "exec/lanes/ops_lanes.h"

static float approximation(float b) {
    return rcp_approx_f32_value(b, true, false);
}
static float product(float a, float b, float c) {
    return fma_f32_value(a, b, c, false, false);
}
static float rest(float a, float b, float c) {
    return machine_fnma_f32_value(a, b, c, false, false);
}

static float reciprocal_steps(float b) {
    const float r = approximation(b);
    return product(r, sub_f32_value(-0.0f, product(b, r, -1), true, false), r);
}

static float division_steps(float a, float b) {
    const float r = approximation(b), better = product(r, rest(b, r, 1), r);
    const float q = product(a, better, 0);
    return product(better, rest(b, q, a), q);
}

/* The range of 1 / b: neither it nor b is subnormal, and both are numbers. */
ALWAYS_INLINE bool is_ordinary(float b) {
    return ((bits_of_f32(b) + 0x1800000) & 0x7f800000) > 0x1ffffff;
}

/* Lane by lane, so that the result may go where an operand is. */
static void divide(float *to, const float *a, const float *b, uint32_t mask) {
    if (mask == FULL_MASK) {
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) to[l] = a[l] / b[l];
        return;
    }
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) to[l] =
        mask & lane_bit[l] ? a[l] / b[l] : to[l];
}

/* The lanes that need the steps: mostly none, which is seen without looking at each. */
static uint32_t out_of_range(const float *a, const float *b) {
    int32_t rooms = 0;
    uint32_t lanes = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) rooms |= fchk_rooms(a[l], b[l]);
    if (__builtin_expect(rooms >= 0, 1))
        return 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) lanes |= fchk_f32(a[l], b[l]) ? lane_bit[l] : 0;
    return lanes;
}

static void divide_as_asked(float *to, const float *a, const float *b, uint32_t mask,
                            uint32_t steps) {
    for_lanes(l, steps) to[l] = division_steps(a[l], b[l]);
    divide(to, a, b, mask & ~steps);
}

static Step machine_div(Warp *warp, const Code *code, uint32_t mask) {
    const in_f32 a = open_f32(warp, code, code->a, 0), b = open_f32(warp, code, code->b, 1);
    divide_as_asked(begin_f32(warp, code->d), a, b, mask, out_of_range(a, b) & mask);
    return STEP_NEXT;
}

/* The same, where FCHK has looked. */
static Step machine_quotient(Warp *warp, const Code *code, uint32_t mask) {
    const in_f32 a = open_f32(warp, code, code->a, 0), b = open_f32(warp, code, code->b, 1);
    const in_pred checked = open_pred(warp, code, code->c, 2);
    divide_as_asked(begin_f32(warp, code->d), a, b, mask, checked & mask);
    return STEP_NEXT;
}

static Step machine_rcp(Warp *warp, const Code *code, uint32_t mask) {
    _Alignas(64) float ones[WARP_LANES];
    const in_f32 b = open_f32(warp, code, code->a, 0);
    float *to = begin_f32(warp, code->d);
    uint32_t steps = 0;
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) steps |= is_ordinary(b[l]) ? 0 : lane_bit[l];
    for_lanes(l, steps & mask) to[l] = reciprocal_steps(b[l]);
    LANES for (uint32_t l = 0; l < WARP_LANES; l++) ones[l] = 1;
    divide(to, ones, b, mask & ~steps);
    return STEP_NEXT;
}

Pair AT_LEVEL(ops_quotient)(Op op, const Code *code) {
    (void)code;
    const Execute execute = op == OP_machine_div_f32        ? machine_div
                            : op == OP_machine_quotient_f32 ? machine_quotient
                                                            : machine_rcp;
    return (Pair){execute, execute, NULL};
}
