/* What times before and after a change decide: figures of kernels that were timed on an H200, and made-up ones. */
#include "fix/measured.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef struct Times {
    double before, after,
        spread; /* microseconds; the turns lie spread around them, in parts of 1 */
} Times;

static MeasuredKernel turns_of(Times times) {
    static const double around[MEASURED_TURNS] = {0, -1, 1, 0.5, -0.5, 0.2, -0.2};
    MeasuredKernel kernel = {.name = "kernel"};
    for (uint32_t i = 0; i < MEASURED_TURNS; i++) {
        kernel.before[i] = times.before * 1e-6 * (1 + times.spread * around[i]);
        kernel.after[i] = times.after * 1e-6 * (1 + times.spread * around[i]);
    }
    return kernel;
}

static void check(const Times *times, uint32_t count, MeasuredVerdict verdict) {
    MeasuredKernel kernels[4];
    for (uint32_t i = 0; i < count; i++)
        kernels[i] = turns_of(times[i]);
    assert_int_equal(measured_verdict(kernels, count), verdict);
}

static void test_recorded(void **state) {
    (void)state;
    check(&(Times){87.2, 38.91, 0.01}, 1, MEASURED_FASTER); /* transpose_float */
    check(&(Times){379, 421, 0.01}, 1, MEASURED_SLOWER);    /* a stencil, stored by columns */
    check(&(Times){60.7, 79.9, 0.02}, 1, MEASURED_SLOWER);  /* product_registers, padded */
    check(&(Times){7.72, 7.72, 0.01}, 1, MEASURED_ALIKE);   /* structures_of_8 */
    check(&(Times){18.49, 18.46, 0.01}, 1, MEASURED_ALIKE); /* fft_complex */
}

static void test_noise(void **state) {
    (void)state;
    check(&(Times){100, 98, 0.001}, 1, MEASURED_FASTER);
    check(&(Times){100, 98, 0.1}, 1, MEASURED_ALIKE); /* less than the times vary */
    check(&(Times){100, 103, 0.001}, 1, MEASURED_SLOWER);
    check(&(Times){100, 103, 0.2}, 1, MEASURED_ALIKE);
    check(&(Times){100, 101.5, 0.001}, 1, MEASURED_ALIKE); /* within two hundredths */
}

static void test_several(void **state) {
    (void)state;
    const Times one_is_slower[] = {{100, 50, 0.001}, {10, 11, 0.001}};
    const Times one_counts[] = {{100, 99.9, 0.001}, {50, 40, 0.001}};
    const Times not_timed[] = {{0, 40, 0.001}, {100, 50, 0.001}};
    check(one_is_slower, 2, MEASURED_SLOWER);
    check(one_counts, 2, MEASURED_FASTER);
    check(not_timed, 1, MEASURED_NOTHING);
    check(not_timed, 2, MEASURED_FASTER);
    check(not_timed, 0, MEASURED_NOTHING);
}

static void test_missing_turns(void **state) {
    (void)state;
    MeasuredKernel kernel = {.before = {3, 0, 1, 0, 2}, .after = {0}};
    assert_true(measured_median(kernel.before) == 2);
    assert_true(measured_median(kernel.after) == 0);
    assert_int_equal(measured_verdict(&kernel, 1), MEASURED_NOTHING);
    kernel.after[6] = 1;
    assert_int_equal(measured_verdict(&kernel, 1),
                     MEASURED_ALIKE); /* one of the turns was as fast before */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_missing_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
