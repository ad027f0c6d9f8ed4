/* The table of instructions as data: ops.def, with the operands of the lane kinds spelled out. */
#include "isa/isa.h"

#include <assert.h>
#include <string.h>

static const OpInfo table[OP_COUNT] = {
    [OP_NONE] = {"none", "", "", OP_KIND_HAND},
#define OP1(id, syntax, td, ta, expression)                                                        \
    [OP_##id] = {#id, syntax, "=" #td ", " #ta, OP_KIND_LANE},
#define OP2(id, syntax, td, ta, tb, expression)                                                    \
    [OP_##id] = {#id, syntax, "=" #td ", " #ta ", " #tb, OP_KIND_LANE},
#define OP3(id, syntax, td, ta, tb, tc, expression)                                                \
    [OP_##id] = {#id, syntax, "=" #td ", " #ta ", " #tb ", " #tc, OP_KIND_LANE},
#define FOP1(id, syntax, type, expression)                                                         \
    [OP_##id] = {#id, syntax, "=" #type ", " #type, OP_KIND_FLOAT},
#define FOP2(id, syntax, type, expression)                                                         \
    [OP_##id] = {#id, syntax, "=" #type ", " #type ", " #type, OP_KIND_FLOAT},
#define FOP3(id, syntax, type, expression)                                                         \
    [OP_##id] = {#id, syntax, "=" #type ", " #type ", " #type ", " #type, OP_KIND_FLOAT},
#define CMP(id, syntax, type, expression)                                                          \
    [OP_##id] = {#id, syntax, "=pred|pred, " #type ", " #type ", !pred?", OP_KIND_COMPARE},
#define OPX(id, syntax, operands) [OP_##id] = {#id, syntax, operands, OP_KIND_HAND},
#include "isa/ops.def"
};

const OpInfo *op_info(Op op) {
    assert(op < OP_COUNT);
    return &table[op];
}

bool op_is(Op op, const char *words) {
    const char *syntax = op_info(op)->syntax;
    size_t length = strlen(words);
    return strncmp(syntax, words, length) == 0 &&
           (syntax[length] == 0 || strchr(".[ ", syntax[length]));
}

bool op_is_wgmma(Op op) {
    return op >= OP_wgmma_half && op <= OP_wgmma_int_sp;
}

bool op_is_texture(Op op) {
    return op == OP_tex || op == OP_tex_level || op == OP_tex_grad || op == OP_tld4 ||
           op == OP_suld || op == OP_sust;
}

bool op_is_tensor(Op op) {
    return op >= OP_tensor_load && op <= OP_tensor_prefetch_im2col;
}

bool op_is_sparse(Op op) {
    return op == OP_mma_sp || (op >= OP_wgmma_half_sp && op <= OP_wgmma_int_sp);
}
