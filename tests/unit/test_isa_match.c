/* The matcher: rows, modifiers, blame, and the tables. */
#include "isa/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static Match match(const char *spelling) {
    static Arena *arena; /* for the texts of closest; one for all tests */
    if (!arena)
        arena = arena_new();
    return isa_match(arena, str_of(spelling));
}

static void assert_row(const char *spelling, const char *id) {
    Match found = match(spelling);
    assert_int_equal(found.error, MATCH_OK);
    assert_string_equal(op_info(found.op)->id, id);
}

static void test_rows(void **state) {
    (void)state;
    assert_row("add.s32", "add_u32");
    assert_row("ld.global.nc.v4.f32", "ld");
    assert_row("exit", "exit");
    assert_row("ret", "ret");
    assert_row("ret.uni", "ret");
    assert_row("barrier.cta.sync.aligned", "bar_sync");
    assert_row("vote.ballot.sync.b32", "ballot_sync");
    assert_row("ldmatrix.sync.aligned.x4.m8n8.shared.b16", "ldmatrix");
}

static void test_modifiers(void **state) {
    (void)state;
    Mods mods = match("ld.volatile.shared.v4.f32").mods;
    assert_int_equal(mods.order, ORDER_VOLATILE);
    assert_int_equal(mods.space, SPACE_SHARED);
    assert_int_equal(mods.vector, 4);
    assert_int_equal(mods.type, TYPE_F32);
    mods = match("cvt.rzi.ftz.s32.f32").mods;
    assert_int_equal(mods.round, ROUND_RZI);
    assert_int_equal(mods.flags, MOD_FTZ);
    assert_int_equal(mods.type, TYPE_S32);
    assert_int_equal(mods.type2, TYPE_F32);
    assert_int_equal(mods.vector, 1);
    mods = match("setp.lo.and.u32").mods;
    assert_int_equal(mods.compare, CMP_LO);
    assert_int_equal(mods.func, FUNC_AND);
    mods = match("cp.async.cg.shared.global.L2::128B").mods;
    assert_int_equal(mods.space, SPACE_SHARED);
    assert_true(mods.flags & MOD_CG);
    mods = match("atom.global.relaxed.sys.cas.b32").mods;
    assert_int_equal(match("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16").mods.matrices, 2);
    assert_int_equal(match("bar.red.popc.u32").mods.func, FUNC_POPC);
    assert_int_equal(match("vote.sync.uni.pred").mods.func, FUNC_UNI);
}

/* ".lo" compares in setp only. */
static void test_lo_of_mul(void **state) {
    (void)state;
    assert_int_equal(match("mul.lo.s32").mods.compare, CMP_NONE);
    assert_int_equal(match("mul.hi.s32").mods.compare, CMP_NONE);
}

static void assert_blame(const char *spelling, MatchError error, const char *part,
                         const char *closest) {
    Match found = match(spelling);
    assert_int_equal(found.error, error);
    assert_int_equal(found.length, strlen(part));
    assert_memory_equal(spelling + found.offset, part, found.length);
    if (closest)
        assert_string_equal(found.closest, closest);
    else
        assert_null(found.closest);
}

static void test_blame(void **state) {
    (void)state;
    assert_blame("ad.s32", MATCH_UNKNOWN, "ad", "add");
    assert_blame("frobnicate.u32", MATCH_UNKNOWN, "frobnicate", NULL);
    assert_blame("add.u31", MATCH_MODIFIER, "u31", "add.u32");
    assert_blame("add.s32.ftz", MATCH_MODIFIER, "ftz", "add.s32");
    assert_blame("fma.f32", MATCH_MODIFIER, "f32", "fma.rn.f32");
    assert_blame("ld.global", MATCH_MODIFIER, "", "ld.global.b8");
    assert_blame("add..s32", MATCH_MODIFIER, "", NULL);
    assert_blame("add.s32.", MATCH_MODIFIER, "", NULL);
    assert_blame("", MATCH_UNKNOWN, "", NULL);
}

/* A spelling that the pattern takes: the first of each choice, with or without what is optional. */
static Str spell(Arena *arena, const char *pattern, size_t length, bool optional) {
    char *text = arena_alloc(arena, length + 1);
    size_t used = 0;
    int brackets = 0;
    bool skipping = false; /* behind the first of a choice */
    for (size_t i = 0; i < length; i++) {
        brackets += pattern[i] == '[';
        skipping |= pattern[i] == ',';
        if ((optional || !brackets) && !skipping && !strchr("{}[]", pattern[i]))
            text[used++] = pattern[i];
        skipping &= pattern[i] != '}';
        brackets -= pattern[i] == ']';
    }
    while (used && text[used - 1] == ' ')
        used--;
    return (Str){text, used};
}

static bool leads_to(Str spelling, Op first, Op op) {
    while (first != OP_NONE && first != op)
        first = isa_match_longer(spelling, first);
    return first == op;
}

/* Every pattern takes what it says, and no row is hidden behind earlier ones. */
static void test_every_row(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (Op op = OP_NONE + 1; op < OP_COUNT; op++) {
        const char *at = op_info(op)->syntax;
        while (*at) {
            at += strspn(at, " |");
            size_t length = strcspn(at, "|");
            Str bare = spell(arena, at, length, false), full = spell(arena, at, length, true);
            Match least = isa_match(arena, bare), most = isa_match(arena, full);
            if (least.error || most.error ||
                (!leads_to(bare, least.op, op) && !leads_to(full, most.op, op)))
                fail_msg("%.*s does not find row %s", (int)length, at, op_info(op)->id);
            at += length;
        }
    }
    arena_free(arena);
}

static void test_types(void **state) {
    (void)state;
    for (Type type = TYPE_PRED; type < TYPE_COUNT; type++)
        assert_int_equal(type_named(str_of(type_name(type))), type);
    assert_int_equal(type_named(STR("b33")), TYPE_NONE);
    assert_int_equal(type_bytes(TYPE_B128), 16);
    assert_int_equal(type_bytes(TYPE_PRED), 0);
    assert_true(type_is_float(TYPE_BF16) && type_is_signed(TYPE_S8) && type_is_bits(TYPE_B1));
}

static void test_gpus(void **state) {
    (void)state;
    const Gpu *h100 = gpu_named(STR("h100"));
    assert_non_null(h100);
    assert_true(h100->measured);
    assert_int_equal(h100->shared_per_block_optin, 227 * 1024);
    assert_null(gpu_named(STR("h1000")));
    for (uint32_t i = 0; i < gpu_count(); i++) {
        const Gpu *gpu = gpu_at(i);
        assert_ptr_equal(gpu_named(str_of(gpu->name)), gpu);
        assert_int_equal(gpu->shared_per_block_optin, gpu->shared_per_sm - gpu->shared_reserved);
        assert_true(gpu->threads_per_sm % 1024 == 0 || gpu->threads_per_sm == 1536);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),      cmocka_unit_test(test_modifiers),
        cmocka_unit_test(test_lo_of_mul), cmocka_unit_test(test_blame),
        cmocka_unit_test(test_every_row), cmocka_unit_test(test_types),
        cmocka_unit_test(test_gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
