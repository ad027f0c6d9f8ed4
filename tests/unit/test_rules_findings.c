/* Every rule: a launch where it fires, with its numbers, and one where it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rules/rules.h"
#include "rules/shapes.h"
#include "sample_profile.h"

#include <unistd.h>

typedef struct Judged {
    Arena *arena;
    Profile *profile;
    Finding *findings;
    uint32_t count;
} Judged;

static Judged judge(Profile *profile, uint32_t launch) {
    Judged judged = {.arena = arena_new(), .profile = profile};
    judged.findings = rules_run(judged.arena, profile, launch, &judged.count);
    return judged;
}

static void done(Judged *judged) {
    arena_free(judged->arena);
    profile_free(judged->profile);
}

static const Finding *finding_of(const Judged *judged, RuleId rule) {
    for (uint32_t i = 0; i < judged->count; i++)
        if (judged->findings[i].rule == rule)
            return &judged->findings[i];
    return NULL;
}

/* How the lanes of a finding's worst instruction lie. */
static const char *evidence(const Judged *judged, const Finding *finding) {
    return words_pattern(judged->arena, judged->profile, finding->launch, finding->lines[0].site);
}

static void unpadded_tile(void **state) {
    (void)state;
    Judged judged = judge(sample_profile(), LAUNCH_SCAN);
    assert_int_equal(judged.count, 3);
    const Finding *shared = finding_of(&judged, RULE_uncoalesced_shared);
    assert_ptr_equal(shared, &judged.findings[0]); /* the worst */
    assert_int_equal(shared->excess, 2 * (1048576 - 65536));
    assert_int_equal(shared->total, 2 * 1048576 + 4 * 65536);
    assert_int_equal(shared->severity, SEVERITY_HIGH);
    assert_string_equal(words_finding(judged.arena, shared),
                        "1,966,080 of 2,359,296 shared-memory wavefronts (83 %) are more than the "
                        "accesses need at best: 6.0-way on average");
    assert_int_equal(shared->line_count, 2);
    assert_int_equal(shared->lines[0].line, 28);
    assert_int_equal(shared->lines[1].line, 30);
    assert_true(shared->lines[0].share == 0.5);
    assert_string_equal(evidence(&judged, shared),
                        "lanes use 8 bytes each, 256 bytes apart in tile");
    const Finding *load = finding_of(&judged, RULE_bank_conflicts_load);
    assert_int_equal(load->excess, 30 * 32768);
    assert_string_equal(words_finding(judged.arena, load),
                        "98,304 shared loads take 1,179,648 wavefronts, 12.0 a request where 2.0 "
                        "would do (6.0-way); 983,040 of them (83 %) are bank conflicts");
    assert_int_equal(load->line_count, 1);
    assert_int_equal(finding_of(&judged, RULE_bank_conflicts_store)->lines[0].line, 30);
    done(&judged);
}

static void padded_tile(void **state) {
    (void)state;
    Judged judged = judge(sample_profile(), LAUNCH_SCAN_PADDED);
    assert_int_equal(judged.count, 0);
    done(&judged);
}

static void structures_of_three_doubles(void **state) {
    (void)state;
    Judged judged = judge(sample_profile(), LAUNCH_ADD3_SAMPLED);
    assert_int_equal(judged.count, 3);
    assert_string_equal(words_finding(judged.arena, finding_of(&judged, RULE_uncoalesced_global)),
                        "65,536 of 98,304 global-memory sectors (67 %) are more than the accesses "
                        "need at best");
    const Finding *load = finding_of(&judged, RULE_access_pattern_load);
    assert_string_equal(words_finding(judged.arena, load),
                        "global loads: on average 8 bytes per thread per request, "
                        "24 sectors per request where 8 would do");
    assert_int_equal(load->lines[0].file, NONE);
    assert_int_equal(load->lines[0].line, 11);
    assert_string_equal(evidence(&judged, load),
                        "lanes use 8 bytes each, 24 bytes apart in argument 0");
    assert_string_equal(words_finding(judged.arena, finding_of(&judged, RULE_access_pattern_store)),
                        "global stores: on average 8 bytes per thread per request, 24 sectors per "
                        "request where 8 would do");
    done(&judged);
}

/* cp.async belongs to both excess rules, not to the conflicts of loads and stores; atomics to the
 * excess alone; local memory has a rule of its own. */
static void copies_and_atomics(void **state) {
    (void)state;
    Judged judged = judge(sample_profile(), LAUNCH_GEMM);
    assert_int_equal(finding_of(&judged, RULE_uncoalesced_global)->excess, 8192 * 16);
    assert_int_equal(finding_of(&judged, RULE_uncoalesced_shared)->excess,
                     8192 * 9 + 131072 * 2 + 4096 + 2048 * 31);
    assert_int_equal(finding_of(&judged, RULE_bank_conflicts_load)->excess, 131072 * 2 + 4096);
    assert_null(finding_of(&judged, RULE_bank_conflicts_store));
    assert_null(finding_of(&judged, RULE_access_pattern_load));
    assert_int_equal(finding_of(&judged, RULE_local_memory)->excess, 16384);
    done(&judged);
}

static Profile *one_site(SiteOp op, SiteSpace space, uint32_t width, Counters counters) {
    Profile *profile = profile_new();
    sample_kernel(profile, 0, "k", "k", NONE, 1, 0);
    sample_site(profile, NONE, 3, op, space, width, "x");
    sample_launch(profile, 0, 1, 1, 32, 1, "h100")->counters[0] = counters;
    return profile;
}

/* Where machine code was executed, spills and what calls keep on the stack are apart from arrays. */
static void the_stack_by_what_it_is_used_for(void **state) {
    (void)state;
    static const RuleId rules[] = {[LOCAL_NONE] = RULE_local_memory,
                                   [LOCAL_ARRAY] = RULE_local_memory,
                                   [LOCAL_SPILL] = RULE_register_spills,
                                   [LOCAL_CALL] = RULE_call_stack};
    for (LocalUse use = LOCAL_NONE; use <= LOCAL_CALL; use++) {
        const Counters counters = {.requests = 10, .lanes = 320, .sectors = 40};
        Profile *profile = one_site(SITE_LOAD, SITE_LOCAL, 4, counters);
        profile->sites.at[0].local_use = use;
        profile->kernels.at[0].registers = 32;
        Judged judged = judge(profile, 0);
        assert_int_equal(judged.count, 1);
        assert_int_equal(judged.findings[0].rule, rules[use]);
        assert_int_equal(judged.findings[0].excess, 40);
        if (use == LOCAL_SPILL)
            assert_string_equal(words_finding(judged.arena, &judged.findings[0]),
                                "10 requests to local memory put registers aside and get them "
                                "back: 40 sectors, 100 % of all sectors of the launch; a thread "
                                "needs more registers than its 32");
        done(&judged);
    }
}

static void step_is(const OccupancyStep *step, const char *unit, uint64_t to, uint32_t warps) {
    if (unit)
        assert_string_equal(step->unit, unit);
    else
        assert_null(step->unit);
    assert_int_equal(step->to, to);
    assert_int_equal(step->warps, warps);
}

/* The least change with which an SM of an H100 holds more warps: one tried after the other. */
static void occupancy_by_a_step_less(void **state) {
    (void)state;
    Profile *profile = one_site(SITE_LOAD, SITE_GLOBAL, 4, (Counters){0});
    Occupancy occupancy;
    profile->kernels.at[0].registers = 96;
    profile->launches.at[0].block[0] = 256;
    assert_true(launch_occupancy(profile, 0, &occupancy));
    assert_int_equal(occupancy.block_warps, 8);
    assert_int_equal(occupancy.alone[0], 2);   /* 65,536 / 4 / (96 * 32) * 4 = 20 warps */
    assert_int_equal(occupancy.alone[1], 228); /* by the KiB that the system reserves */
    assert_int_equal(occupancy.alone[2], 8);
    assert_int_equal(occupancy.alone[3], 32);
    step_is(&occupancy.steps[0], "registers a thread", 80, 24);
    step_is(&occupancy.steps[1], NULL, 0, 0); /* it is not what runs out */
    step_is(&occupancy.steps[2], "threads a block", 192, 18);
    profile->kernels.at[0].registers = 32;
    profile->launches.at[0].dynamic_shared = 100000;
    assert_true(launch_occupancy(profile, 0, &occupancy));
    step_is(&occupancy.steps[1], "bytes of shared memory a block", 76800, 24);
    profile_free(profile);
}

/* Blocks of 256 threads with 96 registers: two of them; what runs out is told apart. */
static void occupancy_by_what_runs_out(void **state) {
    (void)state;
    static const struct {
        uint32_t registers, shared, threads, blocks;
        const char *limit;
    } cases[] = {{96, 0, 256, 2, "registers"},
                 {32, 100000, 256, 2, "shared memory"},
                 {32, 0, 32, 32, "blocks"},
                 {16, 0, 768, 2, "block size"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Profile *profile = one_site(SITE_LOAD, SITE_GLOBAL, 4, (Counters){0});
        Occupancy occupancy;
        assert_false(launch_occupancy(profile, 0, &occupancy)); /* registers are not known */
        profile->kernels.at[0].registers = cases[i].registers;
        profile->launches.at[0].dynamic_shared = cases[i].shared;
        profile->launches.at[0].block[0] = cases[i].threads;
        assert_true(launch_occupancy(profile, 0, &occupancy));
        assert_int_equal(occupancy.blocks, cases[i].blocks);
        assert_int_equal(occupancy.warps, cases[i].blocks * cases[i].threads / 32);
        assert_int_equal(occupancy.most_warps, 64);
        assert_string_equal(occupancy.limit, cases[i].limit);
        profile_free(profile);
    }
}

/* Loads and stores tell more of the same lines: parts of one finding, behind it. */
static void details_are_parts(void **state) {
    (void)state;
    Judged scan = judge(sample_profile(), LAUNCH_SCAN);
    assert_false(scan.findings[0].part);
    assert_true(scan.findings[1].part && scan.findings[2].part);
    done(&scan);
    Judged gemm = judge(sample_profile(), LAUNCH_GEMM);
    double last = 1;
    for (uint32_t i = 0; i < gemm.count; i++) {
        const Finding *finding = &gemm.findings[i];
        assert_int_equal(finding->part, finding->rule == RULE_bank_conflicts_load);
        if (finding->part) {
            assert_int_equal(gemm.findings[i - 1].rule, RULE_uncoalesced_shared);
            continue;
        }
        assert_true(finding->share <= last);
        last = finding->share;
    }
    done(&gemm);
}

static void conflicts_count_from_a_tenth_on(void **state) {
    (void)state;
    Counters counters = {.requests = 91, .wavefronts = 100, .wavefronts_ideal = 91, .conflicts = 9};
    Judged below = judge(one_site(SITE_LOAD, SITE_SHARED, 4, counters), 0);
    assert_null(finding_of(&below, RULE_bank_conflicts_load));
    assert_non_null(finding_of(&below, RULE_uncoalesced_shared));
    done(&below);
    counters =
        (Counters){.requests = 90, .wavefronts = 100, .wavefronts_ideal = 90, .conflicts = 10};
    Judged at = judge(one_site(SITE_STORE, SITE_SHARED, 4, counters), 0);
    assert_non_null(finding_of(&at, RULE_bank_conflicts_store));
    assert_null(finding_of(&at, RULE_bank_conflicts_load));
    done(&at);
}

/* A tenth, rounded up: of 20 sectors two more, of 21 three; of none any. */
static void sectors_count_from_a_tenth_on(void **state) {
    static const struct {
        uint64_t ideal, excess;
        bool fires;
    } cases[] = {{20, 1, false}, {20, 2, true}, {21, 2, false}, {21, 3, true},
                 {10, 0, false}, {10, 1, true}, {0, 0, false},  {0, 1, true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Counters counters =
            sample_global(1, 4, cases[i].ideal + cases[i].excess, cases[i].ideal, 1);
        Judged load = judge(one_site(SITE_LOAD, SITE_GLOBAL, 4, counters), 0);
        assert_int_equal(finding_of(&load, RULE_access_pattern_load) != NULL, cases[i].fires);
        assert_null(finding_of(&load, RULE_access_pattern_store));
        done(&load);
        Judged store = judge(one_site(SITE_STORE, SITE_GLOBAL, 4, counters), 0);
        assert_int_equal(finding_of(&store, RULE_access_pattern_store) != NULL, cases[i].fires);
        done(&store);
    }
}

/* Arrays in global memory have shapes; nothing else has, wherever its lanes lie. */
static void shapes_are_of_global_arrays(void **state) {
    static const struct {
        SiteOp op;
        SiteSpace space;
        uint32_t width, variable, mask, shapes;
    } cases[] = {{SITE_LOAD, SITE_GLOBAL, 4, 0, UINT32_MAX, 1},
                 {SITE_REDUCTION, SITE_GLOBAL, 4, 0, UINT32_MAX, 1},
                 {SITE_LOAD, SITE_SHARED, 4, 0, UINT32_MAX, 0},
                 {SITE_LOAD, SITE_LOCAL, 4, 0, UINT32_MAX, 0},
                 {SITE_CP_ASYNC, SITE_GLOBAL, 4, 0, UINT32_MAX, 0},
                 {SITE_LOAD, SITE_GLOBAL, 4, NONE, UINT32_MAX, 0},
                 {SITE_LOAD, SITE_GLOBAL, 4, 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_new();
        Profile *profile = one_site(cases[i].op, cases[i].space, cases[i].width,
                                    sample_global(16, cases[i].width, 32, 4, 32));
        *vec_add(profile->arena, &profile->launches.at[0].allocations) =
            (Allocation){.name = "argument 0", .bytes = 1 << 20};
        uint32_t count;
        sample_pattern(profile, 0, 0, cases[i].space, cases[i].variable, 256, 16, true);
        profile->patterns.at[0].mask = cases[i].mask;
        shapes_of(arena, profile, 0, &count);
        assert_int_equal(count, cases[i].shapes);
        profile_free(profile);
        arena_free(arena);
    }
}

/* Lanes 64 bytes apart: an instruction that visits several places of a row walks down columns, and with it the others
 * of its array; one that visits the same place each time reads structures. */
static void columns_are_of_one_array(void **state) {
    static const struct {
        uint32_t site, variable;
        uint64_t first;
    } patterns[] = {{0, 0, 0}, {0, 0, 4}, {1, 0, 8}, {2, 1, 0}, {2, 1, 2048}};
    static const ShapeKind kinds[] = {SHAPE_COLUMNS, SHAPE_COLUMNS, SHAPE_STRUCTURES};
    (void)state;
    Arena *arena = arena_new();
    Profile *profile = one_site(SITE_LOAD, SITE_GLOBAL, 4, sample_global(16, 4, 32, 4, 32));
    for (uint32_t site = 1; site < 3; site++)
        sample_site(profile, NONE, 3 + site, SITE_LOAD, SITE_GLOBAL, 4, "x");
    for (uint32_t variable = 0; variable < 2; variable++)
        *vec_add(profile->arena, &profile->launches.at[0].allocations) =
            (Allocation){.name = "an argument", .bytes = 1 << 20};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        sample_pattern(profile, 0, patterns[i].site, SITE_GLOBAL, patterns[i].variable, 64, 16,
                       true);
        profile->patterns.at[i].first = patterns[i].first;
    }
    uint32_t count, found = 0;
    const Shape *shapes = shapes_of(arena, profile, 0, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < shapes[i].sites.count; j++, found++)
            assert_int_equal(shapes[i].kind, kinds[shapes[i].sites.at[j].site]);
    assert_int_equal(found, 3);
    profile_free(profile);
    arena_free(arena);
}

/* Where two ways of lying waste as much, or occur as often, an array is what the plainer one makes of it. */
static void ties_go_to_the_plainer_shape(void **state) {
    static const struct {
        int64_t strides[2]; /* 0: lanes without a common stride, each in a sector of its own */
        ShapeKind kind;
    } cases[] = {{{64, 0}, SHAPE_STRUCTURES}, {{0, 64}, SHAPE_STRUCTURES}, {{0, 0}, SHAPE_GATHER}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_new();
        Profile *profile = one_site(SITE_LOAD, SITE_GLOBAL, 4, sample_global(16, 4, 32, 4, 32));
        *vec_add(profile->arena, &profile->launches.at[0].allocations) =
            (Allocation){.name = "an argument", .bytes = 1 << 20};
        for (uint32_t p = 0; p < 2; p++) {
            sample_pattern(profile, 0, 0, SITE_GLOBAL, 0, cases[i].strides[p], 16, true);
            int64_t *delta = NEW_ARRAY(arena, int64_t, 32);
            for (int64_t lane = 0; lane < 32; lane++)
                delta[lane] = cases[i].strides[p] ? lane * cases[i].strides[p] : lane * lane * 64;
            profile->patterns.at[p].delta = delta;
        }
        uint32_t count;
        const Shape *shapes = shapes_of(arena, profile, 0, &count);
        assert_int_equal(count, 1);
        assert_int_equal(shapes[0].kind, cases[i].kind);
        profile_free(profile);
        arena_free(arena);
    }
}

static void narrow_accesses_in_words(void **state) {
    (void)state;
    Judged judged = judge(sample_profile(), LAUNCH_SCAN);
    for (uint32_t width = 1; width <= 2; width++) {
        const Shape shape = {.kind = SHAPE_NARROW, .width = width};
        assert_string_equal(
            words_shape(judged.arena, judged.profile, &shape),
            width == 1 ? "1 byte a lane: as few sectors as there can be, in many requests"
                       : "2 bytes a lane: as few sectors as there can be, in many requests");
    }
    done(&judged);
}

static void a_perfect_vector_load_is_no_finding(void **state) {
    (void)state;
    Judged judged = judge(one_site(SITE_LOAD, SITE_SHARED, 16, sample_shared(8, 16, 4, 4)), 0);
    assert_int_equal(judged.count, 0);
    done(&judged);
}

static void a_generic_access_is_what_its_addresses_are(void **state) {
    (void)state;
    Judged shared = judge(one_site(SITE_LOAD, SITE_GENERIC, 4, sample_shared(8, 4, 32, 1)), 0);
    assert_non_null(finding_of(&shared, RULE_bank_conflicts_load));
    assert_null(finding_of(&shared, RULE_uncoalesced_global));
    done(&shared);
    Judged global = judge(one_site(SITE_LOAD, SITE_GENERIC, 4, sample_global(8, 4, 32, 4, 32)), 0);
    assert_non_null(finding_of(&global, RULE_uncoalesced_global));
    assert_null(finding_of(&global, RULE_uncoalesced_shared));
    done(&global);
}

/* Loads from shared memory of 32 wavefronts where 1 would do, beside 10,000 of 4 sectors. */
static Judged conflicts_among_loads(uint64_t conflicts, const char *gpu, uint64_t warp_insts) {
    Profile *profile = profile_new();
    sample_kernel(profile, 0, "k", "k", NONE, 1, 0);
    sample_site(profile, NONE, 3, SITE_LOAD, SITE_SHARED, 4, "x");
    sample_site(profile, NONE, 4, SITE_LOAD, SITE_GLOBAL, 4, "y");
    LaunchRecord *record = sample_launch(profile, 0, 1, 1, 32, 1, gpu);
    record->warp_insts = warp_insts;
    record->counters[0] = sample_shared(conflicts, 4, 32, 1);
    record->counters[1] = sample_global(10000, 4, 4, 4, 1);
    return judge(profile, 0);
}

/* Of the launch's wavefronts and sectors, not of those of the finding's own accesses; what may be hidden
 * is one less. */
static void severity_is_of_the_launch(void **state) {
    (void)state;
    const struct {
        uint64_t conflicts;
        const char *gpu;
        uint64_t warp_insts;
        Severity severity;
    } cases[] = {{20, "unknown", 0, SEVERITY_LOW},     {100, "unknown", 0, SEVERITY_MEDIUM},
                 {2000, "unknown", 0, SEVERITY_HIGH},  {20, "h100", 0, SEVERITY_LOW},
                 {2000, "h100", 12000, SEVERITY_HIGH}, {2000, "h100", 300000, SEVERITY_MEDIUM},
                 {100, "h100", 100000, SEVERITY_LOW},  {2000, "h100", 3000000, SEVERITY_LOW}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Judged judged =
            conflicts_among_loads(cases[i].conflicts, cases[i].gpu, cases[i].warp_insts);
        if (judged.findings[0].severity != cases[i].severity)
            fail_msg("case %zu is %s: %s", i, severity_name(judged.findings[0].severity),
                     words_matters(judged.arena, &judged.findings[0]));
        done(&judged);
    }
}

/* Lanes in rows and columns, with and without lanes that take no part. */
static void lattices_in_words(void **state) {
    (void)state;
    static const struct {
        uint32_t inner, stride;     /* lanes of the first level, bytes between them */
        uint32_t middle, step, far; /* lanes of the second, bytes; bytes of the third */
        uint32_t mask;
        const char *words;
    } cases[] = {
        {32, 4, 1, 0, 0, UINT32_MAX, "4 bytes each, 4 bytes apart"},
        {16, 128, 2, 16, 0, UINT32_MAX,
         "4 bytes each: 16 rows 128 bytes apart, 2 columns 16 bytes apart"},
        {16, 4, 2, 512, 0, UINT32_MAX,
         "4 bytes each: 2 rows 512 bytes apart, 16 lanes side by side in each"},
        {16, 0, 2, 64, 0, UINT32_MAX, "4 bytes each: 2 places 64 bytes apart, 16 lanes at each"},
        {16, 64, 2, 0, 0, UINT32_MAX, "4 bytes each: 16 places 64 bytes apart, 2 lanes at each"},
        {8, 8, 4, 1000, 0, UINT32_MAX,
         "4 bytes each: 4 groups 1,000 bytes apart, 8 lanes 8 bytes apart in each"},
        {8, 128, 2, 16, 1024, UINT32_MAX,
         "4 bytes each: 8 rows 128 bytes apart, 2 columns 16 bytes apart; 2 times that, 1,024 "
         "bytes apart"},
        {8, 4, 4, 256, 0, 0x7f7f7f7f,
         "4 bytes each: 4 rows 256 bytes apart, 7 lanes side by side in each"},
        {8, 4, 4, 256, 0, 0x01010101, "4 bytes each, 256 bytes apart"},
        {8, 4, 4, 256, 0, 0x7fffffff, "4 bytes each, without a common stride"},
        {4, 4, 2, 100, 1000, UINT32_MAX, "4 bytes each, without a common stride"},
    };
    Judged judged = judge(one_site(SITE_LOAD, SITE_SHARED, 4, sample_shared(8, 4, 32, 1)), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t delta[32];
        for (uint32_t l = 0; l < 32; l++) {
            uint32_t outer = l / cases[i].inner, third = outer / cases[i].middle;
            delta[l] =
                l % cases[i].inner * cases[i].stride + outer % cases[i].middle * cases[i].step;
            delta[l] += third * cases[i].far +
                        (i + 1 == sizeof cases / sizeof *cases ? third * third * 4 : 0);
        }
        AccessPattern pattern = {
            .space = SITE_SHARED, .variable = NONE, .mask = cases[i].mask, .delta = delta};
        assert_string_equal(words_access(judged.arena, judged.profile, &pattern),
                            arena_printf(judged.arena, "lanes use %s", cases[i].words));
    }
    done(&judged);
}

static void a_launch_that_did_nothing(void **state) {
    (void)state;
    Judged judged = judge(one_site(SITE_LOAD, SITE_GENERIC, 4, (Counters){0}), 0);
    assert_int_equal(judged.count, 0);
    done(&judged);
}

static void every_rule_has_its_page(void **state) {
    (void)state;
    Arena *arena = arena_new();
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        const RuleInfo *info = rule_info((RuleId)rule);
        size_t size;
        const char *path = arena_printf(arena, "%s/../docs/rules/%s", TESTS_DIR, info->page);
        const char *text = file_read(arena, path, &size);
        if (!text || !strstr(text, arena_printf(arena, "`%s`", info->name)))
            fail_msg("%s does not speak of %s", path, info->name);
    }
    arena_free(arena);
}

static void words(void **state) {
    (void)state;
    Arena *arena = arena_new();
    assert_string_equal(words_count(arena, 0), "0");
    assert_string_equal(words_count(arena, 999), "999");
    assert_string_equal(words_count(arena, 1000), "1,000");
    assert_string_equal(words_count(arena, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(words_percent(arena, 1, 1000), "< 1 %");
    assert_string_equal(words_percent(arena, 0, 0), "0 %");
    assert_string_equal(words_ratio(arena, 1, 0), "-");
    assert_string_equal(name_last("tile"), "tile");
    assert_string_equal(name_last("a::scan<b::c>(d::e)::tile"), "tile");
    assert_string_equal(name_last("void f<(g::h)1>(int)"), "void f<(g::h)1>(int)");
    assert_string_equal(words_ratio_bare(arena, 48, 2), "24");
    assert_string_equal(words_ratio_bare(arena, 3, 2), "1.5");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unpadded_tile),
        cmocka_unit_test(padded_tile),
        cmocka_unit_test(structures_of_three_doubles),
        cmocka_unit_test(copies_and_atomics),
        cmocka_unit_test(the_stack_by_what_it_is_used_for),
        cmocka_unit_test(occupancy_by_what_runs_out),
        cmocka_unit_test(occupancy_by_a_step_less),
        cmocka_unit_test(details_are_parts),
        cmocka_unit_test(severity_is_of_the_launch),
        cmocka_unit_test(lattices_in_words),
        cmocka_unit_test(conflicts_count_from_a_tenth_on),
        cmocka_unit_test(sectors_count_from_a_tenth_on),
        cmocka_unit_test(shapes_are_of_global_arrays),
        cmocka_unit_test(columns_are_of_one_array),
        cmocka_unit_test(ties_go_to_the_plainer_shape),
        cmocka_unit_test(narrow_accesses_in_words),
        cmocka_unit_test(a_perfect_vector_load_is_no_finding),
        cmocka_unit_test(a_generic_access_is_what_its_addresses_are),
        cmocka_unit_test(a_launch_that_did_nothing),
        cmocka_unit_test(every_rule_has_its_page),
        cmocka_unit_test(words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
