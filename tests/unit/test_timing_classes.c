/* Which unit each instruction goes to, how long it keeps it, and what else the model asks of it: a row for each case, as the listing or the
 * PTX has it. Periods of matrix units are products over what the unit makes in a clock. */
#include "timing/timing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static TimedInsn machine(const char *text) {
    return timed_insn(str_of(text), (Str){"", 0}, true);
}

static TimedInsn ptx(const char *text) {
    return timed_insn(str_of(text), (Str){"", 0}, false);
}

typedef struct Row {
    const char *text;
    TimeUnit unit;
} Row;

static void machine_code_has_units(void **state) {
    (void)state;
    static const Row rows[] = {
        {"FADD.FTZ R4, R5, -R6", TIME_fma},
        {"FFMA2 R4, R6.F32x2.HI_LO, R8.F32x2.HI_LO, R10.F32x2.HI_LO", TIME_fma},
        {"FSWZADD R4, R5, R6, PPPPPPPP", TIME_fma},
        {"IMAD R4, R5, R6, R7", TIME_imad},
        {"IMAD.MOV R4, RZ, RZ, R7", TIME_fma},
        {"IDP.4A.U8.U8 R4, R5, R6, R7", TIME_imad},
        {"HFMA2.MMA R4, R5, R6, R7", TIME_half},
        {"HSETP2.LT.AND P0, PT, R5, R6, PT", TIME_half},
        {"MUFU.RCP R4, R5", TIME_xu},
        {"POPC R4, R5", TIME_xu},
        {"F2I.TRUNC.NTZ R4, R5", TIME_convert},
        {"I2F.F64 R4, R6", TIME_xu},
        {"F2F.F32.F64 R4, R6", TIME_xu},
        {"FRND.FLOOR R4, R5", TIME_convert},
        {"DADD R4, R6, R8", TIME_fp64},
        {"DSETP.LT.AND P0, PT, R4, R6, PT", TIME_fp64},
        {"BRA `(.L_x_1)", TIME_control},
        {"@P0 EXIT", TIME_control},
        {"NANOSLEEP 0x40", TIME_control},
        {"S2R R4, SR_TID.X", TIME_special},
        {"MEMBAR.SC.GPU", TIME_special},
        {"CCTL.IVALL", TIME_special},
        {"LDC R4, c[0x0][0x160]", TIME_constant},
        {"ULDC.64 UR4, c[0x0][0x118]", TIME_constant},
        {"VOTE.ANY R4, PT, P0", TIME_vote},
        {"VOTEU.ANY UR4, UPT, P0", TIME_vote},
        {"SHFL.BFLY PT, R4, R5, 0x1, 0x1f", TIME_shuffle},
        {"MOVM.16.MT88 R4, R5", TIME_shuffle},
        {"BAR.SYNC.DEFER_BLOCKING 0x0", TIME_barrier},
        {"LDS.128 R4, [R8]", TIME_shared},
        {"STSM.16.M88.4 [R8], R4", TIME_shared},
        {"LDG.E R4, [R2.64]", TIME_global},
        {"STL [R1], R4", TIME_global},
        {"QSPC.E.S P0, RZ, [R2]", TIME_global},
        {"TEX.SCR.LL R6, R4, R8, R12, 0x0, 0x58, 2D, 0xf", TIME_texture},
        {"SUST.D.BA.2D [R8], R4, UR4, 0x0", TIME_texture},
        {"LDGDEPBAR", TIME_group},
        {"LDGSTS.E [R4], [R2.64]", TIME_copy},
        {"UBLKCP.S.G [UR8], [UR4], UR6", TIME_copy},
        {"UTMAREDG.2D.ADD [UR8], [UR6]", TIME_copy},
        {"UISETP.LT.AND UP0, UPT, UR4, UR5, UPT", TIME_uniform},
        {"FSETP.LT.AND P0, PT, R4, R5, PT", TIME_alu},
        {"FMNMX R4, R5, R6, PT", TIME_alu},
        {"FSEL R4, R5, R6, P0", TIME_alu},
        {"LOP3.LUT R4, R5, R6, RZ, 0xc0, !PT", TIME_alu},
        {"U R4", TIME_alu}, /* no name of the uniform datapath */
        {"", TIME_alu},
        {"@P0", TIME_alu},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (machine(rows[i].text).unit != rows[i].unit)
            fail_msg("%s: %d", rows[i].text, machine(rows[i].text).unit);
}

static void ptx_has_units(void **state) {
    (void)state;
    static const Row rows[] = {
        {"mov.u32 %r1, %tid.x;", TIME_free},
        {"cvta.to.global.u64 %rd1, %rd2;", TIME_free},
        {"add.s32 %r1, %r2, %r3;", TIME_alu},
        {"add.f32 %f1, %f2, %f3;", TIME_fma},
        {"add.rn.f16x2 %r1, %r2, %r3;", TIME_half},
        {"fma.rn.bf16 %h1, %h2, %h3, %h4;", TIME_half},
        {"fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", TIME_fp64},
        {"max.f32 %f1, %f2, %f3;", TIME_alu},
        {"neg.f32 %f1, %f2;", TIME_alu},
        {"copysign.f32 %f1, %f2, %f3;", TIME_alu},
        {"mul.lo.s32 %r1, %r2, %r3;", TIME_imad},
        {"mad.wide.u32 %rd1, %r2, %r3, %rd4;", TIME_imad},
        {"dp4a.s32.s32 %r1, %r2, %r3, %r4;", TIME_imad},
        {"div.rn.f32 %f1, %f2, %f3;", TIME_fma},
        {"rem.u32 %r1, %r2, %r3;", TIME_alu},
        {"sqrt.rn.f32 %f1, %f2;", TIME_xu},
        {"rcp.rn.f64 %fd1, %fd2;", TIME_fp64},
        {"setp.lt.f64 %p1, %fd1, %fd2;", TIME_fp64},
        {"ex2.approx.f32 %f1, %f2;", TIME_xu},
        {"popc.b32 %r1, %r2;", TIME_xu},
        {"cvt.rn.f32.s32 %f1, %r1;", TIME_convert},
        {"cvt.f64.f32 %fd1, %f1;", TIME_xu},
        {"cvt.u64.u32 %rd1, %r1;", TIME_free},
        {"cvt.rn.f16.f32 %h1, %f1;", TIME_convert},
        {"ld.param.u32 %r1, [p];", TIME_free},
        {"ld.const.u32 %r1, [c];", TIME_constant},
        {"ld.global.nc.f32 %f1, [%rd1];", TIME_global},
        {"ld.shared::cta.f32 %f1, [%r1];", TIME_shared},
        {"atom.shared.add.u32 %r1, [%r2], %r3;", TIME_shared},
        {"st.f32 [%rd1], %f1;", TIME_global},
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1}, [%r2];", TIME_shared},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f1};",
         TIME_tensor},
        {"cp.async.ca.shared.global [%r1], [%rd1], 4;", TIME_copy},
        {"cp.async.commit_group;", TIME_group},
        {"cp.async.wait_group 2;", TIME_group},
        {"cp.async.wait_all;", TIME_group},
        {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, p, 1, 1, 0, 0;",
         TIME_tensor},
        {"wgmma.fence.sync.aligned;", TIME_special},
        {"bra L1;", TIME_control},
        {"membar.gl;", TIME_special},
        {"vote.sync.ballot.b32 %r1, %p1, -1;", TIME_vote},
        {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", TIME_shuffle},
        {"bar.sync 0;", TIME_barrier},
        {"bar.warp.sync -1;", TIME_control},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1}, [%r2];", TIME_shared},
        {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, %f6}];", TIME_texture},
        {"addc.u32 %r1, %r2, %r3;", TIME_alu},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ptx(rows[i].text).unit != rows[i].unit)
            fail_msg("%s: %d", rows[i].text, ptx(rows[i].text).unit);
}

/* Products of a warp over those in a clock: of 16 bits 339, through a warpgroup 512; of doubles 16. */
static void matrices_take_their_products(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool machine;
        double period;
    } rows[] = {
        {"HMMA.16816.F32 R4, R8, R12, R4", true, 16 * 8 * 16 / 339.0},
        {"HMMA.1688.F32.TF32 R4, R8, R12, R4", true, 16 * 8 * 8 * 2 / 339.0},
        {"IMMA.16832.S8.S8 R4, R8.ROW, R12.COL, R4", true, 16 * 8 * 32 / 2 / 339.0},
        {"IMMA.16864.U4.S4 R4, R8.ROW, R12.COL, R4", true, 16 * 8 * 64 / 4 / 339.0},
        {"IMMA.8816.S8.S8 R4, R8.ROW, R12.COL, R4", true, 4},
        {"BMMA.168256.AND.POPC R4, R8.ROW, R12.COL, R4", true, 16 * 8 * 256 / 16 / 339.0},
        {"QMMA.16832.F32.E4M3.E5M2 R4, R8, R12, R4", true, 16 * 8 * 32 / 2 / 339.0},
        {"DMMA.884 R4, R8, R12, R4", true, 8 * 8 * 4 / 16.0},
        {"DMMA.8x8x4 R4, R8, R12, R4", true, 8 * 8 * 4 / 16.0},
        {"DMMA.16x8x16 R4, R12, R24, R4", true, 16 * 8 * 16 / 16.0},
        {"HGMMA.64x64x16.F32 R24, gdesc[UR8], R24", true, 16 * 64 * 16 / 512.0},
        {"HGMMA.64x256x16.F32.BF16 R24, gdesc[UR8], R24, gsb0", true, 16 * 256 * 16 / 512.0},
        {"HGMMA.64x128x8.F32.TF32 R24, gdesc[UR8], R24", true, 16 * 128 * 8 * 2 / 512.0},
        {"QGMMA.64x128x32.F32.E4M3.E4M3 R24, gdesc[UR8], R24", true, 16 * 128 * 32 / 2 / 512.0},
        {"IGMMA.64x128x32.S8.S8 R24, gdesc[UR8], R24", true, 16 * 128 * 32 / 2 / 512.0},
        {"BGMMA.64x128x256.AND.POPC R24, gdesc[UR8], R24", true, 16 * 128 * 256 / 16 / 512.0},
        {"HMMA R4, R8, R12, R4", true, 2048 / 339.0},
        {"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {}", false, 16 * 8 * 16 / 339.0},
        {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {}", false, 16 * 8 * 8 * 2 / 339.0},
        {"mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32 {}", false, 16 * 8 * 64 / 4 / 339.0},
        {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc {}", false,
         16 * 8 * 256 / 16 / 339.0},
        {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {}", false, 16},
        {"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {}", false, 16 * 256 * 16 / 512.0},
        {"wgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e5m2 {}", false,
         16 * 128 * 32 / 2 / 512.0},
        {"wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.s8 {}", false, 16 * 128 * 32 / 2 / 512.0},
        {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {}", false, 16 * 16 * 16 / 339.0},
        {"wgmma.mma_async", false, 2048 / 512.0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TimedInsn insn = rows[i].machine ? machine(rows[i].text) : ptx(rows[i].text);
        const double expected = rows[i].period > 4 ? rows[i].period : 4;
        if (insn.period < expected - 0.01 || insn.period > expected + 0.01)
            fail_msg("%s: %g, not %g", rows[i].text, (double)insn.period, expected);
        assert_true(insn.latency >= insn.period);
    }
}

/* What is told of an instruction beside its unit. */
enum { STORE = 1, ATOMIC = 2, ADDS = 4, POLLS = 8, COMMITS = 16 };

static void the_rest_is_told(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool machine;
        int told;
        uint8_t left;
    } rows[] = {
        {"STG.E [R2.64], R4", true, STORE, 0},
        {"STS [R2], R4", true, STORE, 0},
        {"LDG.E R4, [R2.64]", true, 0, 0},
        {"LDG.E.STRONG.GPU R4, [R2.64]", true, POLLS, 0},
        {"LD.E.CV R4, [R2.64]", true, POLLS, 0},
        {"STG.E.STRONG.GPU [R2.64], R4", true, STORE, 0},
        {"LDS R4, [R2]", true, 0, 0},
        {"ATOMG.E.ADD.STRONG.GPU PT, R4, [R2.64], R6", true, ATOMIC | POLLS, 0},
        {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU PT, R4, [R2.64], R6", true, ATOMIC | ADDS | POLLS, 0},
        {"ATOMG.E.MAX.S32.STRONG.GPU PT, R4, [R2.64], R6", true, ATOMIC | POLLS, 0},
        {"RED.E.ADD.F64.RN.STRONG.GPU [R2.64], R4", true, STORE | ATOMIC | ADDS, 0},
        {"ATOMS.ADD R4, [R2], R6", true, ATOMIC, 0},
        {"BAR.ARV 0x1, 0x40", true, COMMITS, 0},
        {"BAR.SYNC 0x0", true, 0, 0},
        {"LDGDEPBAR", true, COMMITS, 0},
        {"DEPBAR.LE SB0, 0x3", true, 0, 3},
        {"DEPBAR", true, 0, 0},
        {"st.global.f32 [%rd1], %f1;", false, STORE, 0},
        {"ld.volatile.global.u32 %r1, [%rd1];", false, POLLS, 0},
        {"ld.acquire.gpu.global.u32 %r1, [%rd1];", false, POLLS, 0},
        {"ld.global.cv.u32 %r1, [%rd1];", false, POLLS, 0},
        {"ld.global.u32 %r1, [%rd1];", false, 0, 0},
        {"atom.global.add.f32 %f1, [%rd1], %f2;", false, ATOMIC | ADDS, 0},
        {"atom.global.add.u32 %r1, [%rd1], %r2;", false, ATOMIC, 0},
        {"atom.global.max.s32 %r1, [%rd1], %r2;", false, ATOMIC, 0},
        {"red.global.add.f64 [%rd1], %fd1;", false, STORE | ATOMIC | ADDS, 0},
        {"bar.arrive 1, 64;", false, COMMITS, 0},
        {"bar.sync 0;", false, 0, 0},
        {"cp.async.commit_group;", false, COMMITS, 0},
        {"cp.async.wait_group 2;", false, 0, 2},
        {"cp.async.bulk.wait_group.read 1;", false, 0, 1},
        {"cp.async.wait_all;", false, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TimedInsn insn = rows[i].machine ? machine(rows[i].text) : ptx(rows[i].text);
        const int told = insn.store * STORE + insn.atomic * ATOMIC + insn.adds_real * ADDS +
                         insn.polls * POLLS + insn.commits * COMMITS;
        if (told != rows[i].told || insn.left != rows[i].left)
            fail_msg("%s: %d, %u", rows[i].text, told, insn.left);
        assert_int_equal(insn.site, NO_TIME_SITE);
    }
}

/* How many instructions of its unit one of PTX is. */
static void some_are_many(void **state) {
    (void)state;
    static const struct {
        const char *text, *one;
        double times;
    } rows[] = {
        {"div.rn.f64 %fd1, %fd2, %fd3;", "mul.f64 %fd1, %fd2, %fd3;", 14},
        {"div.rn.f32 %f1, %f2, %f3;", "mul.f32 %f1, %f2, %f3;", 9},
        {"div.approx.f32 %f1, %f2, %f3;", "mul.f32 %f1, %f2, %f3;", 2},
        {"div.u64 %rd1, %rd2, %rd3;", "add.u32 %r1, %r2, %r3;", 60},
        {"rem.s64 %rd1, %rd2, %rd3;", "add.u32 %r1, %r2, %r3;", 60},
        {"rem.u32 %r1, %r2, %r3;", "add.u32 %r1, %r2, %r3;", 18},
        {"sqrt.rn.f64 %fd1, %fd2;", "mul.f64 %fd1, %fd2, %fd3;", 12},
        {"rcp.rn.f32 %f1, %f2;", "rcp.approx.f32 %f1, %f2;", 1.5},
        {"sqrt.approx.f32 %f1, %f2;", "rcp.approx.f32 %f1, %f2;", 1},
        {"add.s64 %rd1, %rd2, %rd3;", "add.s32 %r1, %r2, %r3;", 2},
        {"shl.b64 %rd1, %rd2, 3;", "shl.b32 %r1, %r2, 3;", 2},
        {"mul.lo.u64 %rd1, %rd2, %rd3;", "mul.lo.u32 %r1, %r2, %r3;", 2},
        {"ld.global.u64 %rd1, [%rd2];", "ld.global.u32 %r1, [%rd2];", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double times = (double)ptx(rows[i].text).period / (double)ptx(rows[i].one).period;
        if (times < rows[i].times - 0.01 || times > rows[i].times + 0.01)
            fail_msg("%s: %g", rows[i].text, times);
    }
    assert_float_equal(ptx("div.rn.f32 %f1, %f2, %f3;").latency,
                       ptx("mul.f32 %f1, %f2, %f3;").latency * 4.5F, 0.01);
    assert_float_equal(ptx("match.any.sync.b32 %r1, %r2, -1;").period, 64, 0);
    assert_float_equal(ptx("redux.sync.add.s32 %r1, %r2, -1;").period, 2, 0);
    assert_float_equal(machine("MATCH.ANY R4, R5").period, 64, 0);
    assert_float_equal(machine("REDUX.SUM UR4, R5").latency, 43, 0.1);
}

/* Three registers of one bank take a clock more, unless one of them is kept from the instruction before. */
static void banks_of_registers_collide(void **state) {
    (void)state;
    static const struct {
        const char *text, *before;
        bool stall;
    } rows[] = {
        {"FFMA R1, R2, R4, R6", "", true},
        {"FFMA R1, R3, R5, R7", "", true},
        {"FFMA R1, -R2, |R4|, ~R6", "", true},
        {"FFMA R1, R2, R4, R5", "", false},
        {"FFMA R1, R2, R4, RZ", "", false},
        {"FFMA R1, R2, R4, 1", "", false},
        {"FFMA R1, R2, R4, UR6", "", false},
        {"FADD R1, R2, R4", "", false},
        {"FFMA R1, R2, R4, R6", "FFMA R9, R2.reuse, R3, R5", false},
        {"FFMA R1, R2, R4, R6", "FFMA R9, R8.reuse, R3, R5", true},
        {"FFMA R1, R2, R4, R6", "FFMA R9, R2, R3, R5", true},
        {"LOP3.LUT R1, R2, R4, R6, 0xc0, !PT", "", false}, /* of other units it was not seen */
        {"FFMA R1", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (timed_insn(str_of(rows[i].text), str_of(rows[i].before), true).stall != rows[i].stall)
            fail_msg("%s behind %s", rows[i].text, rows[i].before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machine_code_has_units),
        cmocka_unit_test(ptx_has_units),
        cmocka_unit_test(matrices_take_their_products),
        cmocka_unit_test(the_rest_is_told),
        cmocka_unit_test(some_are_many),
        cmocka_unit_test(banks_of_registers_collide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
