/* The rows of ops.def as functions over 32 lanes. One include of the table makes the functions, a
 * second one the table of pointers to them.
 *
 * Every row has a function for the full mask, which is a plain loop that compilers vectorise, and
 * one for any mask, which blends. A floating-point row has three such pairs: as it stands; with
 * .ftz; and one function for the rest (.sat, or a rounding mode other than to nearest), which
 * sets the processor's rounding mode around the loop. A comparison gathers one bit per lane; .ftz
 * makes a second version of it. What no spelling of a row asks for is left out. */
#include "exec/lanes/ops_directed.h"
#include "exec/lanes/ops_lanes.h"

#ifdef __SSE__
#include <xmmintrin.h>
#else
#include <fenv.h>
#endif

/* ---- rounding ---- */

/* Loops between these two are in functions that are not inlined: that keeps arithmetic from
 * moving across. Operands come from memory, so nothing is computed at compile time for the wrong
 * mode. */
#ifdef __SSE__
static uint32_t round_begin(Round round) {
    uint32_t before = _mm_getcsr();
    uint32_t mode = round == ROUND_RZ   ? _MM_ROUND_TOWARD_ZERO
                    : round == ROUND_RM ? _MM_ROUND_DOWN
                    : round == ROUND_RP ? _MM_ROUND_UP
                                        : _MM_ROUND_NEAREST;
    _mm_setcsr((before & ~(uint32_t)_MM_ROUND_MASK) | mode);
    return before;
}
static void round_end(uint32_t before) {
    _mm_setcsr(before);
}
#elif defined FE_TOWARDZERO
static uint32_t round_begin(Round round) {
    uint32_t before = (uint32_t)fegetround();
    fesetround(round == ROUND_RZ   ? FE_TOWARDZERO
               : round == ROUND_RM ? FE_DOWNWARD
               : round == ROUND_RP ? FE_UPWARD
                                   : FE_TONEAREST);
    return before;
}
static void round_end(uint32_t before) {
    fesetround((int)before);
}
#else /* to nearest alone: ops_directed.c */
#define ONE_ROUNDING
static uint32_t round_begin(Round round) {
    return (uint32_t)round;
}
static void round_end(uint32_t before) {
    (void)before;
}
#endif

/* p = t op c, q = !t op c (PTX ISA 9.7.6.2). Inlined, or gcc jumps here and does not clear the upper halves of vectors, for which
 * the next instruction for short ones has to wait, on processors of Intel. */
ALWAYS_INLINE Step compare_end(Warp *warp, const Code *code, uint32_t mask, uint32_t t) {
    uint32_t p = t, q = ~t;
    if (code->mods.func != FUNC_NONE) {
        uint32_t c = read_pred(warp, code, code->c, 2);
        bool is_and = code->mods.func == FUNC_AND, is_or = code->mods.func == FUNC_OR;
        p = is_and ? t & c : is_or ? t | c : t ^ c;
        q = is_and ? ~t & c : is_or ? ~t | c : ~t ^ c;
    }
    if (code->d != NO_OPERAND)
        write_pred(warp, code->d, mask, p);
    if (code->d2 != NO_OPERAND)
        write_pred(warp, code->d2, mask, q);
    return STEP_NEXT;
}

/* ---- functions ---- */

/* The two functions of a row, from the loop id##_lanes(warp, code, mask, all, …). */
#define BOTH_MASKS(name, ...)                                                                      \
    static Step name##_full(Warp *warp, const Code *code, uint32_t mask) {                         \
        (void)mask;                                                                                \
        return __VA_ARGS__(warp, code, FULL_MASK, true);                                           \
    }                                                                                              \
    static Step name##_some(Warp *warp, const Code *code, uint32_t mask) {                         \
        return __VA_ARGS__(warp, code, mask, false);                                               \
    }

#define OP1(id, syntax, td, ta, ...)                                                               \
    ALWAYS_INLINE Step id##_lanes(Warp *warp, const Code *code, uint32_t mask, bool all) {         \
        const in_##ta in_a = open_##ta(warp, code, code->a, 0);                                    \
        out_##td out = begin_##td(warp, code->d);                                                  \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_##td(&out, l, all || (mask & lane_bit[l]), id##_lane(get_##ta(in_a, l)));          \
        }                                                                                          \
        close_##td(warp, code->d, mask, &out);                                                     \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    BOTH_MASKS(id, id##_lanes)

#define OP2(id, syntax, td, ta, tb, ...)                                                           \
    ALWAYS_INLINE Step id##_lanes(Warp *warp, const Code *code, uint32_t mask, bool all) {         \
        const in_##ta in_a = open_##ta(warp, code, code->a, 0);                                    \
        const in_##tb in_b = open_##tb(warp, code, code->b, 1);                                    \
        out_##td out = begin_##td(warp, code->d);                                                  \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_##td(&out, l, all || (mask & lane_bit[l]),                                         \
                     id##_lane(get_##ta(in_a, l), get_##tb(in_b, l)));                             \
        }                                                                                          \
        close_##td(warp, code->d, mask, &out);                                                     \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    BOTH_MASKS(id, id##_lanes)

#define OP3(id, syntax, td, ta, tb, tc, ...)                                                       \
    ALWAYS_INLINE Step id##_lanes(Warp *warp, const Code *code, uint32_t mask, bool all) {         \
        const in_##ta in_a = open_##ta(warp, code, code->a, 0);                                    \
        const in_##tb in_b = open_##tb(warp, code, code->b, 1);                                    \
        const in_##tc in_c = open_##tc(warp, code, code->c, 2);                                    \
        out_##td out = begin_##td(warp, code->d);                                                  \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_##td(&out, l, all || (mask & lane_bit[l]),                                         \
                     id##_lane(get_##ta(in_a, l), get_##tb(in_b, l), get_##tc(in_c, l)));          \
        }                                                                                          \
        close_##td(warp, code->d, mask, &out);                                                     \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    BOTH_MASKS(id, id##_lanes)

/* Whether the spellings of a row have a modifier: a constant. */
#define HAS(syntax, modifier) (__builtin_strstr(syntax, modifier) != NULL)

/* The versions of a floating-point row, from id##_float(warp, code, mask, all, ftz, sat). */
#define FLOAT_VERSIONS(id, syntax)                                                                 \
    ALWAYS_INLINE Step id##_lanes(Warp *warp, const Code *code, uint32_t mask, bool all) {         \
        return id##_float(warp, code, mask, all, false, false);                                    \
    }                                                                                              \
    ALWAYS_INLINE Step id##_ftz(Warp *warp, const Code *code, uint32_t mask, bool all) {           \
        return id##_float(warp, code, mask, all, true, false);                                     \
    }                                                                                              \
    BOTH_MASKS(id, id##_lanes)                                                                     \
    BOTH_MASKS(id##_ftz, id##_ftz)                                                                 \
    static __attribute__((noinline)) Step id##_any(Warp *warp, const Code *code, uint32_t mask) {  \
        return id##_float(warp, code, mask, false,                                                 \
                          HAS(syntax, ".ftz") && (code->mods.flags & MOD_FTZ) != 0,                \
                          HAS(syntax, ".sat") && (code->mods.flags & MOD_SAT) != 0);               \
    }                                                                                              \
    static Step id##_general(Warp *warp, const Code *code, uint32_t mask) {                        \
        const uint32_t before = round_begin(code->mods.round);                                     \
        id##_any(warp, code, mask);                                                                \
        round_end(before);                                                                         \
        return STEP_NEXT;                                                                          \
    }

#define FOP1(id, syntax, type, ...)                                                                \
    ALWAYS_INLINE Step id##_float(Warp *warp, const Code *code, uint32_t mask, bool all, bool ftz, \
                                  bool sat) {                                                      \
        const in_##type in_a = open_##type(warp, code, code->a, 0);                                \
        out_##type out = begin_##type(warp, code->d);                                              \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_##type(&out, l, all || (mask & lane_bit[l]),                                       \
                       id##_value(get_##type(in_a, l), ftz, sat));                                 \
        }                                                                                          \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    FLOAT_VERSIONS(id, syntax)

#define FOP2(id, syntax, type, ...)                                                                \
    ALWAYS_INLINE Step id##_float(Warp *warp, const Code *code, uint32_t mask, bool all, bool ftz, \
                                  bool sat) {                                                      \
        const in_##type in_a = open_##type(warp, code, code->a, 0);                                \
        const in_##type in_b = open_##type(warp, code, code->b, 1);                                \
        out_##type out = begin_##type(warp, code->d);                                              \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_##type(&out, l, all || (mask & lane_bit[l]),                                       \
                       id##_value(get_##type(in_a, l), get_##type(in_b, l), ftz, sat));            \
        }                                                                                          \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    FLOAT_VERSIONS(id, syntax)

#define FOP3(id, syntax, type, ...)                                                                \
    ALWAYS_INLINE Step id##_float(Warp *warp, const Code *code, uint32_t mask, bool all, bool ftz, \
                                  bool sat) {                                                      \
        const in_##type in_a = open_##type(warp, code, code->a, 0);                                \
        const in_##type in_b = open_##type(warp, code, code->b, 1);                                \
        const in_##type in_c = open_##type(warp, code, code->c, 2);                                \
        out_##type out = begin_##type(warp, code->d);                                              \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_##type(&out, l, all || (mask & lane_bit[l]),                                       \
                       id##_value(get_##type(in_a, l), get_##type(in_b, l), get_##type(in_c, l),   \
                                  ftz, sat));                                                      \
        }                                                                                          \
        return STEP_NEXT;                                                                          \
    }                                                                                              \
    FLOAT_VERSIONS(id, syntax)

#define CMP(id, syntax, type, expression)                                                          \
    ALWAYS_INLINE Step id##_lanes(Warp *warp, const Code *code, uint32_t mask, bool ftz) {         \
        const in_##type in_a = open_##type(warp, code, code->a, 0);                                \
        const in_##type in_b = open_##type(warp, code, code->b, 1);                                \
        out_pred t = 0;                                                                            \
        LANES for (uint32_t l = 0; l < WARP_LANES; l++) {                                          \
            put_pred(&t, l, true, id##_value(get_##type(in_a, l), get_##type(in_b, l), ftz));      \
        }                                                                                          \
        return compare_end(warp, code, mask, t);                                                   \
    }                                                                                              \
    static Step id##_some(Warp *warp, const Code *code, uint32_t mask) {                           \
        return id##_lanes(warp, code, mask, false);                                                \
    }                                                                                              \
    static Step id##_ftz_some(Warp *warp, const Code *code, uint32_t mask) {                       \
        return id##_lanes(warp, code, mask, true);                                                 \
    }
#include "isa/ops.def"

/* ---- the table ---- */

typedef struct Row {
    Pair plain, ftz; /* ftz: where the row has that modifier */
    Execute general; /* .sat, .rz, .rm, .rp of a floating-point row that has one of them */
} Row;

/* As constants, so that functions for modifiers that a row does not have are not there. */
#define FTZ_PAIR(syntax, full, some, lane)                                                         \
    (HAS(syntax, ".ftz") ? (Pair){full, some, lane} : (Pair){0})
#define LANE_ROW(id)                                                                               \
    case OP_##id:                                                                                  \
        return (Row){.plain = {id##_full, id##_some, #id "_lane"}};
#define FLOAT_ROW(id, syntax)                                                                      \
    case OP_##id:                                                                                  \
        return (Row){.plain = {id##_full, id##_some, #id "_lane"},                                 \
                     .ftz = FTZ_PAIR(syntax, id##_ftz_full, id##_ftz_some, #id "_ftz_lane"),       \
                     .general = HAS(syntax, ".sat") || HAS(syntax, ",rz") ? id##_general : NULL};
static Row row_of(Op op) {
    switch (op) {
#define OP1(id, ...) LANE_ROW(id)
#define OP2(id, ...) LANE_ROW(id)
#define OP3(id, ...) LANE_ROW(id)
#define FOP1(id, syntax, ...) FLOAT_ROW(id, syntax)
#define FOP2(id, syntax, ...) FLOAT_ROW(id, syntax)
#define FOP3(id, syntax, ...) FLOAT_ROW(id, syntax)
#define CMP(id, syntax, ...)                                                                       \
    case OP_##id:                                                                                  \
        return (Row){.plain = {id##_some, id##_some, #id "_lane"},                                 \
                     .ftz = FTZ_PAIR(syntax, id##_ftz_some, id##_ftz_some, #id "_ftz_lane")};
#include "isa/ops.def"
    default:
        return (Row){0};
    }
}

static Pair (*const by_hand[OP_COUNT])(Op op, const Code *code) = {
#define OPL(id, syntax, operands, room, traits) [OP_##id] = AT_LEVEL(ops_##room),
#include "isa/ops.def"
};

Pair AT_LEVEL(ops_rows)(Op op, const Code *code) {
    const Row row = row_of(op);
    const Round round = code->mods.round;
    if (!row.plain.full)
        return by_hand[op] ? by_hand[op](op, code) : (Pair){0};
    const bool directed = round == ROUND_RZ || round == ROUND_RM || round == ROUND_RP;
#ifdef ONE_ROUNDING
    if (row.general && directed) {
        Execute execute = AT_LEVEL(ops_directed)(op);
        return (Pair){execute, execute, NULL};
    }
#endif
    if (row.general && (directed || (code->mods.flags & MOD_SAT)))
        return (Pair){row.general, row.general, NULL};
    if (row.ftz.full && (code->mods.flags & MOD_FTZ))
        return row.ftz;
    return row.plain;
}

Execute AT_LEVEL(ops_nearest)(const Code *code) {
    const Row row = row_of(code->insn->op);
    return code->mods.flags & MOD_SAT   ? row.general
           : code->mods.flags & MOD_FTZ ? row.ftz.some
                                        : row.plain.some;
}
