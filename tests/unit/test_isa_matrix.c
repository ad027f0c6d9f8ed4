/* Operations of matrix products, by the manuals' shapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isa/isa.h"

static void shapes_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t operations;
    } cases[] = {
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%r1}, {%r2}, {%f1}",
         2 * 16 * 8 * 16},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1}, {%fd2}, {%fd3}, {%fd1}",
         2 * 8 * 8 * 4},
        {"mma.sp.sync.aligned.m16n8k128.row.col.s32.s4.s4.s32 {%r1}", 2 * 16 * 8 * 128},
        {"wmma.mma.sync.aligned.row.col.m32n8k16.f32.f32 {%f1}", 2 * 32 * 8 * 16},
        {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {%f1}", 2 * 64 * 256 * 16},
        {"HMMA.16816.F32.BF16 R4, R8, R12, R4", 2 * 16 * 8 * 16},
        {"HMMA.1688.F32.TF32 R4, R8, R12, R4", 2 * 16 * 8 * 8},
        {"HMMA.1684.F32.TF32 R4, R8, R12, R4", 2 * 16 * 8 * 4},
        {"HMMA.SP.16832.F32 R4, R8, R12, R4", 2 * 16 * 8 * 32},
        {"HMMA.884.F32.F32.STEP0 R4, R8, R12, R4", 2 * 8 * 8 * 4},
        {"IMMA.8816.S8.S8 R4, R8.ROW, R12.COL, R4", 2 * 8 * 8 * 16},
        {"BMMA.168256.XOR.POPC R4, R8, R12, R4", 2 * 16 * 8 * 256},
        {"BMMA.88128.XOR.POPC R4, R8, R12, R4", 2 * 8 * 8 * 128},
        {"DMMA.8x8x4.RM R4, R8, R12, R4", 2 * 8 * 8 * 4},
        {"HGMMA.64x128x16.F32.BF16 R24, gdesc[UR8], R24, UP0, gsb0", 2 * 64 * 128 * 16},
        {"fma.rn.f32 %f1, %f2, %f3, %f4", 0},
        {"ld.global.v4.f32 {%f1}, [%rd1+16.m8n8k4]", 0},
        {"", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(matrix_operations(str_of(cases[i].text)), cases[i].operations);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_are_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
