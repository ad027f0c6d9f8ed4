/* Control flow and register slots on functions built by hand, checked against slow, obvious
 * definitions on random ones. */
#include "ir/ir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

typedef struct Builder {
    Arena *arena;
    Function *function;
} Builder;

static Builder builder_new(uint32_t regs) {
    Builder builder = {arena_new(), NULL};
    Module *module = module_new(builder.arena, "test", "", 0);
    builder.function = NEW(builder.arena, Function);
    builder.function->module = module;
    builder.function->name = "f";
    builder.function->location = NO_LOCATION;
    for (uint32_t i = 0; i < regs; i++)
        *vec_add(builder.arena, &builder.function->regs) =
            (Reg){arena_printf(builder.arena, "%%r%u", i), TYPE_B32};
    *vec_add(builder.arena, &builder.function->regs) = (Reg){"%p", TYPE_PRED};
    return builder;
}

static Insn *add(Builder *builder, const char *spelling, uint32_t operands) {
    Match match = isa_match(builder->arena, str_of(spelling));
    assert_int_equal(match.error, MATCH_OK);
    Insn *insn = vec_add(builder->arena, &builder->function->insns);
    *insn = (Insn){.op = match.op,
                   .mods = match.mods,
                   .guard = NO_REG,
                   .operand_count = (uint8_t)operands,
                   .operands = NEW_ARRAY(builder->arena, Operand, operands),
                   .site = NO_SITE,
                   .location = NO_LOCATION};
    return insn;
}

static Operand reg(uint32_t number) {
    return (Operand){.kind = OPERAND_REG, .type = TYPE_B32, .reg = number};
}

static Insn *add_sum(Builder *builder, uint32_t d, uint32_t a, uint32_t b) {
    Insn *insn = add(builder, "add.u32", 3);
    insn->operands[0] = reg(d);
    insn->operands[1] = reg(a);
    insn->operands[2] = reg(b);
    return insn;
}

static Insn *add_branch(Builder *builder, uint32_t target, bool guarded) {
    Insn *insn = add(builder, "bra", 1);
    insn->operands[0] = (Operand){.kind = OPERAND_LABEL, .reg = NO_REG, .target = target};
    insn->guard = guarded ? builder->function->regs.count - 1 : NO_REG;
    return insn;
}

/* ---- control flow ---- */

static void test_if_else(void **state) {
    (void)state;
    Builder builder = builder_new(3);
    add_branch(&builder, 3, true); /* 0 */
    add_sum(&builder, 0, 1, 2);    /* 1 */
    add_branch(&builder, 4, false);
    add_sum(&builder, 0, 2, 1); /* 3 */
    add_sum(&builder, 1, 0, 0); /* 4 */
    add(&builder, "ret", 0);
    cfg_build(builder.arena, builder.function);
    const Block *blocks = builder.function->blocks.at;
    assert_int_equal(builder.function->blocks.count, 4);
    assert_int_equal(blocks[0].successor[0], 1);
    assert_int_equal(blocks[0].successor[1], 2);
    assert_int_equal(blocks[0].ipdom, 3);
    assert_int_equal(blocks[1].ipdom, 3);
    assert_int_equal(blocks[1].successor[1], NO_INDEX);
    assert_int_equal(blocks[3].ipdom, NO_INDEX);
    assert_null(module_verify(builder.function->module));
    arena_free(builder.arena);
}

/* A guarded exit on one side: the others meet at the exit only. */
static void test_guarded_exit(void **state) {
    (void)state;
    Builder builder = builder_new(3);
    add_branch(&builder, 3, true);
    add(&builder, "exit", 0)->guard = 3;
    add_sum(&builder, 0, 1, 2);
    add(&builder, "ret", 0);
    cfg_build(builder.arena, builder.function);
    const Block *blocks = builder.function->blocks.at;
    assert_int_equal(blocks[0].ipdom, NO_INDEX);
    assert_int_equal(blocks[1].successor[0], 2);
    assert_int_equal(blocks[1].ipdom, NO_INDEX);
    assert_int_equal(blocks[2].ipdom, 3);
    arena_free(builder.arena);
}

static uint32_t random_below(uint64_t *seed, uint32_t limit) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33) % limit;
}

static Builder random_function(uint64_t seed, uint32_t insns, uint32_t regs) {
    Builder builder = builder_new(regs);
    for (uint32_t i = 0; i < insns; i++) {
        uint32_t kind = random_below(&seed, 8);
        if (kind == 0) {
            add_branch(&builder, random_below(&seed, insns + 1), true);
        } else if (kind == 1 && random_below(&seed, 3) == 0) {
            add_branch(&builder, random_below(&seed, insns + 1), false);
        } else if (kind == 2 && random_below(&seed, 4) == 0) {
            add(&builder, "exit", 0)->guard = random_below(&seed, 2) ? regs : NO_REG;
        } else {
            Insn *insn = add_sum(&builder, random_below(&seed, regs), random_below(&seed, regs),
                                 random_below(&seed, regs));
            insn->guard = random_below(&seed, 6) ? NO_REG : regs;
        }
    }
    cfg_build(builder.arena, builder.function);
    return builder;
}

/* Where instruction i can go: up to two instructions, insns.count for the exit. */
static uint32_t successors(const Function *function, uint32_t i, uint32_t next[2]) {
    const Insn *insn = &function->insns.at[i];
    const char *id = op_info(insn->op)->id;
    uint32_t count = 0, end = function->insns.count;
    bool branches = strcmp(id, "bra") == 0, exits = strcmp(id, "exit") == 0;
    if ((!branches && !exits) || insn->guard != NO_REG)
        next[count++] = i + 1;
    if (branches)
        next[count++] = insn->operands[0].target;
    if (exits)
        next[count++] = end;
    return count;
}

/* Can one get from instruction `from` to the exit without instruction `without`? */
static bool escapes(const Function *function, uint32_t from, uint32_t without, bool *seen) {
    uint32_t stack[512], depth = 0, next[2], end = function->insns.count;
    memset(seen, 0, end + 1);
    stack[depth++] = from;
    while (depth) {
        uint32_t at = stack[--depth];
        if (at == end)
            return true;
        if (at == without || seen[at])
            continue;
        seen[at] = true;
        for (uint32_t i = successors(function, at, next); i-- > 0;)
            stack[depth++] = next[i];
    }
    return false;
}

/* Block p post-dominates b if no way from b to the exit avoids it; the nearest one is that which
 * all others post-dominate. */
static uint32_t slow_ipdom(const Function *function, uint32_t b) {
    bool seen[512];
    const Block *blocks = function->blocks.at;
    uint32_t best = NO_INDEX;
    uint32_t last = blocks[b].first + blocks[b].count - 1;
    if (!escapes(function, last, NO_INDEX, seen))
        return NO_INDEX;
    for (uint32_t p = 0; p < function->blocks.count; p++)
        if (p != b && !escapes(function, last, blocks[p].first, seen) &&
            (best == NO_INDEX || !escapes(function, blocks[p].first, blocks[best].first, seen)))
            best = p;
    /* best must be the first on the way: every other one post-dominates it */
    for (uint32_t p = 0; best != NO_INDEX && p < function->blocks.count; p++)
        if (p != b && p != best && !escapes(function, last, blocks[p].first, seen) &&
            escapes(function, blocks[best].first, blocks[p].first, seen))
            best = p;
    return best;
}

static void test_random_post_dominators(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Builder builder = random_function(seed, 40, 6);
        const Function *function = builder.function;
        for (uint32_t b = 0; b < function->blocks.count; b++)
            assert_int_equal(function->blocks.at[b].ipdom, slow_ipdom(function, b));
        assert_null(module_verify(function->module));
        arena_free(builder.arena);
    }
}

/* ---- register slots ---- */

/* live[i * regs + r]: a value of r from before instruction i may be read at i or later. */
typedef struct SlowLiveness {
    uint32_t regs, insn;
    const Function *function;
    bool *live;
} SlowLiveness;

typedef struct Uses {
    bool read[16], written[16];
} Uses;

static void note_use(void *context, uint32_t number, bool defined) {
    Uses *uses = context;
    if (defined)
        uses->written[number] = true;
    else
        uses->read[number] = true;
}

static bool step(SlowLiveness *slow, uint32_t i) {
    const Function *function = slow->function;
    const Insn *insn = &function->insns.at[i];
    uint32_t next[2], count = successors(function, i, next);
    Uses uses = {0};
    bool changed = false;
    insn_registers(insn, note_use, &uses);
    for (uint32_t r = 0; r < slow->regs; r++) {
        bool out = false;
        for (uint32_t n = 0; n < count; n++)
            out |= next[n] < function->insns.count && slow->live[next[n] * slow->regs + r];
        bool kills = uses.written[r] && insn->guard == NO_REG;
        bool in = uses.read[r] || (out && !kills) || (uses.written[r] && !kills);
        changed |= in != slow->live[i * slow->regs + r];
        slow->live[i * slow->regs + r] = in;
    }
    return changed;
}

/* Registers that an instruction names or that live through it must have slots of their own. */
static void check_slots(const Function *function, const Slots *slots, const SlowLiveness *slow) {
    for (uint32_t i = 0; i < function->insns.count; i++) {
        Uses uses = {0};
        insn_registers(&function->insns.at[i], note_use, &uses);
        for (uint32_t a = 0; a < slow->regs; a++) {
            bool live_a = slow->live[i * slow->regs + a] || uses.written[a];
            for (uint32_t b = 0; b < a && live_a; b++) {
                bool live_b = slow->live[i * slow->regs + b] || uses.written[b];
                if (live_b && slots->class[a] == slots->class[b])
                    assert_int_not_equal(slots->slot[a], slots->slot[b]);
            }
            if (live_a)
                assert_true(slots->slot[a] < slots->counts[slots->class[a]]);
        }
    }
}

static void test_random_slots(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        Builder builder = random_function(seed, 40, 10);
        const Function *function = builder.function;
        SlowLiveness slow = {.regs = function->regs.count, .function = function};
        slow.live = NEW_ARRAY(builder.arena, bool, slow.regs * function->insns.count);
        for (bool changed = true; changed;) {
            changed = false;
            for (uint32_t i = function->insns.count; i-- > 0;)
                changed |= step(&slow, i);
        }
        Slots slots = liveness_slots(builder.arena, function);
        check_slots(function, &slots, &slow);
        arena_free(builder.arena);
    }
}

/* A chain of 1000 registers, each read once by the next, needs few slots. */
static void test_chain_is_small(void **state) {
    (void)state;
    Builder builder = builder_new(1000);
    for (uint32_t i = 2; i < 1000; i++)
        add_sum(&builder, i, i - 1, i - 2);
    add(&builder, "ret", 0);
    cfg_build(builder.arena, builder.function);
    Slots slots = liveness_slots(builder.arena, builder.function);
    assert_true(slots.counts[1] <= 4);
    arena_free(builder.arena);
}

/* 100,000 instructions, 20,000 registers, 12,000 blocks: seconds would be a quadratic step. */
static void test_large(void **state) {
    (void)state;
    Builder builder = builder_new(20000);
    uint64_t seed = 7;
    for (uint32_t i = 0; i < 100000; i++)
        if (i % 8 == 7)
            add_branch(&builder, i > 30 ? i - random_below(&seed, 30) : i, true);
        else
            add_sum(&builder, i / 5, i / 5 ? i / 5 - 1 : 0, i / 5 > 50 ? i / 5 - 50 : 0);
    add(&builder, "ret", 0);
    double start = clock_cpu();
    cfg_build(builder.arena, builder.function);
    double built = clock_cpu();
    Slots slots = liveness_slots(builder.arena, builder.function);
    double done = clock_cpu();
    print_message("%u blocks: %.0f ms; %u slots: %.0f ms\n", builder.function->blocks.count,
                  1e3 * (built - start), slots.counts[1], 1e3 * (done - built));
    assert_true(done - start < 5);
    assert_true(slots.counts[1] < 200);
    arena_free(builder.arena);
}

/* ---- the module ---- */

static void test_locations(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Module *module = module_new(arena, "m", "", 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 1000; i++) {
            SourceLocation location = {.file = 1, .line = i, .inlined_at = NO_LOCATION};
            assert_int_equal(module_location(module, location), i);
        }
    SourceLocation inlined = {.file = 1, .line = 3, .function = "f", .inlined_at = 7};
    assert_int_equal(module_location(module, inlined), 1000);
    arena_free(arena);
}

static void test_names(void **state) {
    (void)state;
    Arena *arena = arena_new();
    uint64_t number;
    const char *mangled = "_Z9blockScanILi0EEvPKhPyPKyS4_ii";
    assert_string_equal(name_demangled(arena, mangled, false), "blockScan<0>");
    assert_string_equal(name_demangled(arena, mangled, true),
                        "void blockScan<0>(unsigned char const*, unsigned long long*, unsigned "
                        "long long const*, unsigned long long const*, int, int)");
    /* f<Pair<Pair<… int …, int>, int> > with 200 pairs: a name of 2,007 characters */
    char name[4096] = "_Z1fI";
    for (int i = 0; i < 200; i++)
        strcat(name, "4PairI");
    strcat(name, "i");
    for (int i = 0; i < 200; i++)
        strcat(name, "iE");
    strcat(name, "Evv");
    assert_int_equal(strncmp(name_demangled(arena, name, false), "f<Pair<Pair<", 12), 0);
    assert_string_equal(name_demangled(arena, "saxpy", true), "saxpy");
    assert_string_equal(name_demangled(arena, "_ZN4main4turnB2v1B8cw51cXTLEi", true),
                        "main::turn(int)");
    assert_int_equal(special_named(STR("%envreg31"), &number), SREG_ENVREG);
    assert_int_equal(number, 31);
    assert_int_equal(special_named(STR("%envreg32"), &number), SREG_NONE);
    assert_int_equal(special_named(STR("%tid"), &number), SREG_NONE);
    for (Special special = SREG_NONE + 1; special < SREG_COUNT; special++)
        if (special != SREG_PM && special != SREG_ENVREG && special != SREG_RESERVED_SMEM)
            assert_int_equal(special_named(str_of(special_name(special)), &number), special);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_else),        cmocka_unit_test(test_guarded_exit),
        cmocka_unit_test(test_random_slots),   cmocka_unit_test(test_random_post_dominators),
        cmocka_unit_test(test_chain_is_small), cmocka_unit_test(test_large),
        cmocka_unit_test(test_locations),      cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
