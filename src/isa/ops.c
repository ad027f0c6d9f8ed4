/* The table of instructions as data: ops.def, with the operands of the lane kinds spelled out. */
#include "isa/isa.h"

#include <assert.h>

/* In ops.def the words stand without their prefix. */
enum {
    NONE = 0,
#define TRAIT(name, meaning) name = TRAIT_##name,
#include "isa/traits.def"
};

/* The columns of lane rows behind the expression may be missing. */
#define SECOND(first, second, ...) second
#define THIRD(first, second, third, ...) third
#define OP_MATH(name) OP_MATH_PASTE(name)
#define OP_MATH_PASTE(name) OP_MATH_##name
#define MATH(...)                                                                                  \
    .math = OP_MATH(SECOND(__VA_ARGS__, NONE, )), .traits = PURE | THIRD(__VA_ARGS__, NONE, NONE, )
#define FLOPS(...) .flops = SECOND(__VA_ARGS__, 0, ), .traits = PURE | THIRD(__VA_ARGS__, 0, NONE, )

/* Of some literals strchr finds what is asked for, as the compiler notices. */
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Waddress"
#endif

static const OpInfo table[OP_COUNT] = {
    [OP_NONE] = {.id = "none", .syntax = "", .operands = "", .kind = OP_KIND_OTHER},
#define ROW(row, row_kind, spelling, spec, ...)                                                    \
    [OP_##row] = {.id = #row,                                                                      \
                  .syntax = spelling,                                                              \
                  .first = (spelling)[0],                                                          \
                  .alternatives = __builtin_strchr(spelling, '|') != 0,                            \
                  .length = sizeof(spelling) - 1,                                                  \
                  .operands = spec,                                                                \
                  .kind = row_kind,                                                                \
                  __VA_ARGS__},
#define OP1(id, syntax, td, ta, ...)                                                               \
    ROW(id, OP_KIND_LANE, syntax, "=" #td ", " #ta, MATH(__VA_ARGS__))
#define OP2(id, syntax, td, ta, tb, ...)                                                           \
    ROW(id, OP_KIND_LANE, syntax, "=" #td ", " #ta ", " #tb, MATH(__VA_ARGS__))
#define OP3(id, syntax, td, ta, tb, tc, ...)                                                       \
    ROW(id, OP_KIND_LANE, syntax, "=" #td ", " #ta ", " #tb ", " #tc, MATH(__VA_ARGS__))
#define FOP1(id, syntax, type, ...)                                                                \
    ROW(id, OP_KIND_FLOAT, syntax, "=" #type ", " #type, FLOPS(__VA_ARGS__))
#define FOP2(id, syntax, type, ...)                                                                \
    ROW(id, OP_KIND_FLOAT, syntax, "=" #type ", " #type ", " #type, FLOPS(__VA_ARGS__))
#define FOP3(id, syntax, type, ...)                                                                \
    ROW(id, OP_KIND_FLOAT, syntax, "=" #type ", " #type ", " #type ", " #type, FLOPS(__VA_ARGS__))
#define CMP(id, syntax, type, expression)                                                          \
    ROW(id, OP_KIND_COMPARE, syntax, "=pred|pred, " #type ", " #type ", !pred?", .traits = PURE)
#define OPL(id, syntax, operands, room, has) ROW(id, OP_KIND_HAND, syntax, operands, .traits = has)
#define OPX(id, syntax, operands, room, asks, has)                                                 \
    ROW(id, OP_KIND_OTHER, syntax, operands, .access = OP_ACCESS_##asks, .traits = has)
#include "isa/ops.def"
};

const OpInfo *op_info(Op op) {
    assert(op < OP_COUNT);
    return &table[op];
}

OpAccess op_access(Op op) {
    return op_info(op)->access;
}

OpMath op_math(Op op) {
    return op_info(op)->math;
}

bool op_has(Op op, uint32_t traits) {
    return (op_info(op)->traits & traits) != 0;
}
