/* How long L1 takes for a load, beside what was measured: the same places as in bench/calibrate.cu's table_loads and l1_op. */
#include "mem/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Table {
    uint32_t words, of_lane;
    double
        clocks; /* of an SM for a warp's load: table_… of bench/results/gpu/calibration-h100.tsv */
} Table;

static const Table tables[] = {
    {256, 1, 2.79},   {256, 2, 4.944},  {1024, 1, 7.031}, {1024, 2, 7.251},
    {4096, 1, 10.17}, {4096, 2, 10.23}, {16384, 1, 11},   {16384, 2, 11.03},
};

enum { WARPS = 16, TURNS = 64 };

static uint32_t passes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width) {
    return mem_load_passes(&(Access){.kind = ACCESS_LOAD,
                                     .space = SPACE_GLOBAL,
                                     .width = width,
                                     .mask = mask,
                                     .address = address});
}

static double mean_passes(Table table) {
    const uint32_t mask = (table.words - 1) & ~(table.of_lane - 1);
    uint64_t sum = 0;
    for (uint32_t warp = 0; warp < WARPS; warp++) {
        uint32_t at[WARP_LANES];
        for (uint32_t l = 0; l < WARP_LANES; l++)
            at[l] = (warp * WARP_LANES + l) * 2654435761u;
        for (uint32_t turn = 0; turn < TURNS; turn++) {
            uint64_t address[WARP_LANES];
            for (uint32_t l = 0; l < WARP_LANES; l++) {
                address[l] = (UINT64_C(1) << 33) + 4 * (uint64_t)(at[l] >> 9 & mask);
                at[l] = at[l] * 1664525u + 1013904223u;
            }
            sum += passes(address, FULL_MASK, 4 * table.of_lane);
        }
    }
    return (double)sum / (WARPS * TURNS);
}

/* Scattered words take what the fullest bank of tags or data has; a clock for each line would be up to three times as much. */
static void tables_as_measured(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const double mean = mean_passes(tables[i]);
        assert_true(mean > 0.88 * tables[i].clocks && mean < 1.01 * tables[i].clocks);
    }
}

static uint32_t strided(uint32_t stride, uint32_t width) {
    uint64_t address[WARP_LANES];
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = 4096 + (uint64_t)l * stride;
    return passes(address, FULL_MASK, width);
}

/* period_l1_32_stride8, …_stride32, period_l1_128: 8.045, 32.01, 4.145 clocks. */
static void strides_as_measured(void **state) {
    (void)state;
    assert_int_equal(strided(32, 4), 8);
    assert_int_equal(strided(128, 4), 32);
    assert_int_equal(strided(16, 16), 4);
    assert_int_equal(strided(4, 4), 1);
    assert_int_equal(strided(0, 4), 1);
}

static void tags_lie_in_four_banks(void **state) {
    (void)state;
    uint64_t address[WARP_LANES] = {0, 128, 256, 384, 5 * 128, 10 * 128, UINT64_C(1) << 40};
    assert_int_equal(mem_tag_passes(address, 0xf), 1);  /* lines 0 to 3 */
    assert_int_equal(mem_tag_passes(address, 0x31), 3); /* lines 0, 5 and 10: all of bank 0 */
    assert_int_equal(mem_tag_passes(address, 0x43), 1); /* … and 2^33: of bank 2 */
    assert_int_equal(mem_tag_passes(address, 0), 0);
}

/* Of an array in local memory every lane has a bank of its own; other words of it lie in other lines. */
static void local_arrays_have_a_bank_for_each_lane(void **state) {
    (void)state;
    for (uint32_t apart = 0; apart < 2; apart++)
        for (uint32_t width = 4; width <= 8; width += 4) {
            uint64_t address[WARP_LANES];
            for (uint32_t l = 0; l < WARP_LANES; l++)
                address[l] = 64 + (uint64_t)l * apart * width;
            const Access access = {.kind = ACCESS_LOAD,
                                   .space = SPACE_LOCAL,
                                   .width = width,
                                   .mask = FULL_MASK,
                                   .address = address};
            assert_int_equal(mem_load_passes(&access), (apart ? 8 : 1) * (width / 4));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_as_measured),
        cmocka_unit_test(strides_as_measured),
        cmocka_unit_test(tags_lie_in_four_banks),
        cmocka_unit_test(local_arrays_have_a_bank_for_each_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
