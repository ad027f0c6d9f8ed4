/* The columns of ops.def that say what an instruction is: every row has them, and none contradicts itself. */
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* What a row must have one of, beside an access: a word that says what it is there for. */
static bool is_classified(Op op) {
    if (op_info(op)->kind == OP_KIND_OTHER)
        return op_access(op) != OP_ACCESS_NONE || op_info(op)->traits;
    return op_access(op) == OP_ACCESS_NONE && op_has(op, TRAIT_PURE | TRAIT_CARRY);
}

static bool has_all(Op op, uint32_t traits) {
    return (op_info(op)->traits & traits) == traits;
}

static bool contradicts(Op op) {
    bool writes_lanes = op_info(op)->operands[0] == '=' || op_info(op)->operands[0] == '+';
    return has_all(op, TRAIT_VARIES | TRAIT_UNIFORM) || has_all(op, TRAIT_PURE | TRAIT_CARRY) ||
           has_all(op, TRAIT_ORDERS | TRAIT_ORDERS_SHARED) ||
           (op_has(op, TRAIT_UNIFORM) && !writes_lanes) ||
           (op_has(op, TRAIT_SPARSE) && !op_has(op, TRAIT_MATRIX)) ||
           (op_has(op, TRAIT_PURE | TRAIT_HINT) && op_access(op) != OP_ACCESS_NONE) ||
           (op_has(op, TRAIT_TILE | TRAIT_ELEMENTS) && op_access(op) != OP_ACCESS_LOAD &&
            op_access(op) != OP_ACCESS_STORE);
}

static void test_every_row(void **state) {
    (void)state;
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        if (!is_classified(op))
            fail_msg("%s: ops.def does not say what it is", op_info(op)->id);
        if (contradicts(op))
            fail_msg("%s: its traits contradict each other", op_info(op)->id);
    }
}

static void test_columns(void **state) {
    (void)state;
    assert_int_equal(op_access(OP_wmma_load), OP_ACCESS_LOAD);
    assert_int_equal(op_access(OP_red), OP_ACCESS_REDUCTION);
    assert_true(has_all(OP_bar_sync, TRAIT_BARRIER | TRAIT_WAITS | TRAIT_ORDERS));
    assert_false(op_has(OP_wgmma_commit, TRAIT_ORDERS));
    assert_int_equal(op_math(OP_mad_wide_u32), OP_MATH_MULTIPLY_ADD);
    assert_int_equal(op_math(OP_add_sat_s32), OP_MATH_NONE);
    assert_int_equal(op_info(OP_fma_f64)->flops, 2);
    assert_int_equal(op_info(OP_div_f32)->flops, 0);
    assert_true(has_all(OP_xor_pred, TRAIT_PURE | TRAIT_PREDICATES));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_row),
                                       cmocka_unit_test(test_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
