/* Machine instructions by their text; and launches that were counted on a GPU, as they become a profile: with a listing of the
 * kernel's instructions, and without. */
#include "probe/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#define SourceLocation CmockaSourceLocation /* cmocka.h has one of its own */
#include <cmocka.h>
#undef SourceLocation

/* ---- opcode.c ---- */

static const struct {
    const char *text;
    CodeAccess access;
} accesses[] = {
    {"LDG.E R2, [R4.64] ;", {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 4, 0}},
    {"@P0 LDG.E.U8 R2, [R4.64] ;", {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 1, 0}},
    {"@!P3 LDG.E.S16.CONSTANT R2, [R4.64] ;", {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 2, 0}},
    {"LDG.E.64 R2, [R4.64] ;", {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 8, 0}},
    {"LDG.E.256 R2, [R4.64] ;", {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 32, 0}},
    {"LDG.E.640 R2, [R4.64] ;", {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 4, 0}}, /* no word "64" */
    {"STG.E.128 [R4.64], R8 ;", {SITE_STORE, SITE_GLOBAL, ACCESS_STORE, 16, 0}},
    {"LDS.U.128 R4, [R2] ;", {SITE_LOAD, SITE_SHARED, ACCESS_LOAD, 16, 0}},
    {"STS [R2], R4 ;", {SITE_STORE, SITE_SHARED, ACCESS_STORE, 4, 0}},
    {"LDL.LU R4, [R1] ;", {SITE_LOAD, SITE_LOCAL, ACCESS_LOAD, 4, 0}},
    {"STL.64 [R1], R4 ;", {SITE_STORE, SITE_LOCAL, ACCESS_STORE, 8, 0}},
    {"LD.E R4, [R2.64]", {SITE_LOAD, SITE_GENERIC, ACCESS_LOAD, 4, 0}},
    {"ST.E [R2.64], R4", {SITE_STORE, SITE_GENERIC, ACCESS_STORE, 4, 0}},
    {"ATOMG.E.ADD.STRONG.GPU PT, R2, [R4.64], R6 ;",
     {SITE_ATOMIC, SITE_GLOBAL, ACCESS_ATOMIC, 4, 0}},
    {"ATOMG.E.CAS.64 PT, R2, [R4], R6, R8 ;", {SITE_ATOMIC, SITE_GLOBAL, ACCESS_ATOMIC_CAS, 8, 0}},
    {"ATOMS.CAST.SPIN R2, [R4], R6, R7 ;", {SITE_ATOMIC, SITE_SHARED, ACCESS_ATOMIC_CAST, 4, 0}},
    {"ATOMS.POPC.INC.32 RZ, [R4] ;", {SITE_ATOMIC, SITE_SHARED, ACCESS_ATOMIC_POPC, 4, 0}},
    {"ATOM.E.ADD R2, [R4], R6 ;", {SITE_ATOMIC, SITE_GENERIC, ACCESS_ATOMIC, 4, 0}},
    {"REDG.E.ADD.F64.RN.STRONG.GPU [R4], R6 ;", {SITE_REDUCTION, SITE_GLOBAL, ACCESS_ATOMIC, 8, 0}},
    {"LDSM.16.M88 R4, [R2] ;", {SITE_LDMATRIX, SITE_SHARED, ACCESS_LDMATRIX, 16, 1}},
    {"LDSM.16.MT88.2 R4, [R2] ;", {SITE_LDMATRIX, SITE_SHARED, ACCESS_LDMATRIX, 16, 2}},
    {"STSM.16.M88.4 [R2], R4 ;", {SITE_STMATRIX, SITE_SHARED, ACCESS_STMATRIX, 16, 4}},
    {"LDGSTS.E [R2], [R4.64] ;", {SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CA, 4, 0}},
    {"LDGSTS.E.BYPASS.128 [R2], [R4.64] ;",
     {SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CG, 16, 0}},
    {"UBLKCP.S.G [UR4], [UR6], UR8 ;", {SITE_COPY, SITE_SHARED, ACCESS_LOAD, 4, 0}},
    {"HGMMA.64x64x16.F32 R24, gdesc[UR4], R24 ;", {SITE_WGMMA, SITE_SHARED, ACCESS_LOAD, 4, 0}},
};

static void test_accesses(void **state) {
    (void)state;
    static const char *const others[] = {"IADD3 R2, R4, R5, RZ ;",
                                         "@!PT LDS RZ, [RZ] ;", /* fills up a place */
                                         "LDGDEPBAR ;", "BAR.SYNC 0x0 ;", ""};
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        CodeAccess is;
        if (!code_access(accesses[i].text, &is))
            fail_msg("%s: no access", accesses[i].text);
        const CodeAccess *wanted = &accesses[i].access;
        if (is.op != wanted->op || is.space != wanted->space || is.kind != wanted->kind ||
            is.width != wanted->width || is.matrices != wanted->matrices)
            fail_msg("%s: op %d, space %d, kind %d, width %u, matrices %u", accesses[i].text, is.op,
                     is.space, is.kind, is.width, is.matrices);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(code_access(others[i], &(CodeAccess){0}));
}

static void test_uncounted(void **state) {
    (void)state;
    static const struct {
        const char *text, *name;
    } rows[] = {{"@P0 UTMALDG.2D [UR4], [UR6] ;", "UTMALDG"},
                {"TEX.SCR.LL R0, R2, 0x0 ;", "TEX"},
                {"SULD.D.BA.2D R4, [R2] ;", "SULD"},
                {"UTMACMDFLUSH ;", NULL},
                {"UTMACCTL.PF [UR4] ;", NULL},
                {"LDG.E R2, [R4.64] ;", NULL},
                {"EXIT ;", NULL}};
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = code_uncounted(arena, rows[i].text);
        if (!name || !rows[i].name)
            assert_true(name == rows[i].name);
        else
            assert_string_equal(name, rows[i].name);
    }
    arena_free(arena);
}

/* ---- profile.c ---- */

enum { MODULE = 7, OTHER = 8 };

static const char listing[] = "//----- .text.k  -----\n"
                              "        /*0000*/                   LDG.E.64 R2, [R4.64] ;\n"
                              "        /*0010*/                   STL [R1], R2 ;\n"
                              "        /*0020*/                   LDGSTS.E [R2], [R4.64] ;\n"
                              "        /*0030*/                   TEX.SCR.LL R0, R2, 0x0 ;\n"
                              "        /*0040*/                   SULD.D R4, [R2] ;\n"
                              "        /*0050*/                   EXIT ;\n"
                              "//----- .text.f  -----\n"
                              "        /*0000*/                   LDS R2, [R4] ;\n";

static ModuleCode *listed_module(void) {
    Arena *arena = arena_new();
    ModuleCode *module = NEW(arena, ModuleCode);
    *module = (ModuleCode){.arena = arena, .path = "k.cubin", .good = true, .ptx_read = true};
    module->diags = diags_new(arena);
    module->sass.ops = memory_ops_new(arena);
    sass_read_listing(arena, listing, &module->sass);
    return module;
}

static ProbeLaunch *add_launch(ProbeRun *run, uint64_t module, const char *kernel) {
    ProbeLaunch *launch = vec_add(run->arena, &run->launches);
    *launch = (ProbeLaunch){.module = module,
                            .kernel = kernel,
                            .gpu = "NVIDIA H100 80GB HBM3",
                            .capability = 90,
                            .grid = {2, 1, 1},
                            .block = {32, 1, 1},
                            .together = 1};
    *vec_add(run->arena, &launch->functions) = kernel;
    return launch;
}

/* `requests` of 32 lanes each. */
static void add_slot(ProbeRun *run, ProbeLaunch *launch, uint32_t function, uint64_t offset,
                     ProbePart part, uint8_t flags, uint8_t width, uint64_t requests) {
    *vec_add(run->arena, &launch->slots) =
        (ProbeSlot){.key = {.part = (uint8_t)part, .flags = flags, .width = width, .matrices = 2},
                    .function = function,
                    .offset = offset,
                    .sums = {requests, requests * 32, requests, requests}};
}

static const Site *site_named(const Profile *profile, const char *text) {
    for (uint32_t i = 0; i < profile->sites.count; i++)
        if (strcmp(profile->sites.at[i].text, text) == 0)
            return &profile->sites.at[i];
    fail_msg("no site %s", text);
    return NULL;
}

static const char *messages(Arena *arena, const Diags *diags) {
    const char *all = "";
    for (uint32_t i = 0; i < diags->list.count; i++)
        all = arena_printf(arena, "%s%s\n", all, diags->list.at[i].message);
    return all;
}

/* Where nothing was listed, an instruction is what it was seen to do. */
static void test_seen(void **state) {
    (void)state;
    static const struct {
        ProbePart part;
        uint8_t flags;
        CodeAccess access;
    } rows[] = {
        {PROBE_GLOBAL, PROBE_READ, {SITE_LOAD, SITE_GLOBAL, ACCESS_LOAD, 4, 2}},
        {PROBE_GLOBAL, PROBE_WRITE, {SITE_STORE, SITE_GLOBAL, ACCESS_STORE, 4, 2}},
        {PROBE_GLOBAL, PROBE_READ | PROBE_WRITE, {SITE_ATOMIC, SITE_GLOBAL, ACCESS_ATOMIC, 4, 2}},
        {PROBE_LOCAL, PROBE_READ, {SITE_LOAD, SITE_LOCAL, ACCESS_LOAD, 4, 2}},
        {PROBE_SHARED, PROBE_WRITE, {SITE_STORE, SITE_SHARED, ACCESS_STORE, 4, 2}},
        {PROBE_REMOTE, PROBE_READ, {SITE_LOAD, SITE_SHARED, ACCESS_LOAD, 4, 2}},
        {PROBE_ATOMIC, PROBE_READ | PROBE_WRITE, {SITE_ATOMIC, SITE_SHARED, ACCESS_ATOMIC, 4, 2}},
        {PROBE_MATRIX, PROBE_READ, {SITE_LDMATRIX, SITE_SHARED, ACCESS_LDMATRIX, 4, 2}},
        {PROBE_MATRIX, PROBE_WRITE, {SITE_STMATRIX, SITE_SHARED, ACCESS_STMATRIX, 4, 2}},
        {PROBE_MOVED, PROBE_READ, {SITE_COPY, SITE_SHARED, ACCESS_LOAD, 0, 0}},
        {PROBE_SOURCE, PROBE_READ, {SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CA, 4, 0}},
        {PROBE_COPY, PROBE_WRITE, {SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CA, 4, 0}},
        {PROBE_COPY_CG, PROBE_WRITE, {SITE_CP_ASYNC, SITE_SHARED, ACCESS_CP_ASYNC_CA, 4, 0}},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    Arena *arena = arena_new();
    ProbeRun *run = probe_run_new(arena);
    ProbeLaunch *launch = add_launch(run, MODULE, "k");
    for (uint32_t i = 0; i < ROWS; i++)
        add_slot(run, launch, i % 2 ? NONE : 0, i << PROBE_INSN_SHIFT, rows[i].part, rows[i].flags,
                 4, 1);
    Profile *profile = profile_new();
    Diags *diags = diags_new(arena);
    probe_run_finish(run, profile, diags);
    assert_int_equal(diags->list.count, 0);
    assert_int_equal(profile->sites.count, ROWS);
    for (uint32_t i = 0; i < ROWS; i++) {
        const Site *site = &profile->sites.at[i];
        const char *name =
            arena_printf(arena, "%s+0x%x", i % 2 ? "pc" : "k", i << PROBE_INSN_SHIFT);
        assert_string_equal(site->text, name);
        assert_int_equal(site->op, rows[i].access.op);
        assert_int_equal(site->space, rows[i].access.space);
        assert_int_equal(site->access, rows[i].access.kind);
        assert_int_equal(site->width, rows[i].access.width);
        assert_int_equal(site->matrices, rows[i].access.matrices);
    }
    profile_free(profile);
    probe_run_free(run);
    arena_free(arena);
}

/* Two kernels of a module that was listed, and functions that one calls. */
static void test_listed(void **state) {
    (void)state;
    Arena *arena = arena_new();
    ProbeRun *run = probe_run_new(arena);
    *vec_add(arena, &run->modules) = (ProbedModule){OTHER, listed_module()};
    *vec_add(arena, &run->modules) = (ProbedModule){MODULE, listed_module()};
    ProbeLaunch *launch = add_launch(run, MODULE, "k");
    *vec_add(arena, &launch->functions) = "f";
    *vec_add(arena, &launch->functions) = "g";                      /* not listed */
    add_slot(run, launch, 0, 0x00, PROBE_GLOBAL, PROBE_READ, 4, 3); /* narrower than the load */
    add_slot(run, launch, 0, 0x10, PROBE_LOCAL, PROBE_WRITE, 4, 5);
    add_slot(run, launch, 1, 0x00, PROBE_SHARED, PROBE_READ, 4, 7);
    add_slot(run, launch, 2, 0x40, PROBE_GLOBAL, PROBE_WRITE, 4, 11);
    add_slot(run, launch, 2, 0x50, PROBE_GLOBAL, PROBE_WRITE, 4, 13);
    add_slot(run, launch, 0, 0x40, PROBE_GLOBAL, PROBE_READ, 4, 1); /* a newer library tells it */
    launch = add_launch(run, MODULE, "f");
    add_slot(run, launch, 0, 0x00, PROBE_SHARED, PROBE_READ, 4, 17);
    launch = add_launch(run, MODULE, "k");
    launch->lost = 2;
    launch = add_launch(run, MODULE, "k");
    launch->failed = "error 700";
    launch->together = 3;
    launch->dynamic_shared = 512;
    assert_int_equal(probe_run_progress(run).launches, 4);
    assert_int_equal(probe_run_progress(run).kernels, 2);
    Profile *profile = profile_new();
    Diags *diags = diags_new(arena);
    probe_run_finish(run, profile, diags);
    const char *said = messages(arena, diags);
    assert_non_null(strstr(said, "k: 1 instruction, such as TEX, is not counted on the GPU"));
    assert_non_null(strstr(
        said, "LDG.E.64 R2, [R4.64] is counted as 4 bytes a lane, which is what is used of 8"));
    assert_non_null(strstr(said, "3 launches by one CUDA graph are counted together"));
    assert_non_null(strstr(said, "k: launches are left out"));
    assert_int_equal(diags->list.count, 4);
    assert_int_equal(profile->kernels.count, 2);
    assert_int_equal(profile->modules.count, 1);
    assert_int_equal(profile->launches.count, 3);
    assert_int_equal(profile->launches.at[2].status, LAUNCH_FAULT);
    assert_int_equal(profile->launches.at[2].blocks, 6);
    assert_int_equal(profile->kernels.at[0].sass.count, 6);
    assert_int_equal(profile->kernels.at[0].shared.count, 1); /* the dynamic array */
    assert_int_equal(site_named(profile, "STL [R1], R2")->op, SITE_STORE);
    assert_int_equal(site_named(profile, "g+0x40")->op, SITE_STORE);
    const Site *load = site_named(profile, "LDS R2, [R4]"); /* of f, as k calls it */
    assert_int_equal(load->kernel, 0);
    const Counters *counters = profile->launches.at[0].counters;
    const uint32_t first = profile->kernels.at[0].first_site;
    assert_int_equal(counters[load - profile->sites.at - first].at[COUNTER_requests], 7);
    assert_int_equal(
        counters[site_named(profile, "g+0x50") - profile->sites.at - first].at[COUNTER_requests],
        13);
    /* lines of the listing */
    const char *text = profile->modules.at[0].text;
    assert_non_null(strstr(text, "k:\n    LDG.E.64 R2, [R4.64]\n    STL [R1], R2\n"));
    assert_non_null(strstr(text, "    EXIT\n    LDS R2, [R4]\n    g+0x40\n    g+0x50\n"));
    assert_int_equal(site_named(profile, "STL [R1], R2")->ptx_line, 3);
    assert_true(load->ptx_line > 6);
    profile_free(profile);
    probe_run_free(run);
    arena_free(arena);
}

/* Of launches that are alike in kernel, grid and block, those that were not counted say how long it takes. */
static void test_times(void **state) {
    (void)state;
    Arena *arena = arena_new();
    ProbeRun *run = probe_run_new(arena);
    static const ProbeTime times[] = {{MODULE, "k", {2, 1, 1}, {32, 1, 1}, 1.0, false},
                                      {MODULE, "k", {2, 1, 1}, {32, 1, 1}, 3.0, true},
                                      {MODULE, "k", {4, 1, 1}, {32, 1, 1}, 8.0, true},
                                      {MODULE, "k", {2, 1, 1}, {64, 1, 1}, 8.0, false},
                                      {OTHER, "k", {2, 1, 1}, {32, 1, 1}, 8.0, false},
                                      {MODULE, "f", {2, 1, 1}, {32, 1, 1}, 5.0, false}};
    add_launch(run, MODULE, "k");
    Profile *profile = profile_new();
    Diags *diags = diags_new(arena);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *vec_add(arena, &run->times) = times[i];
    probe_run_finish(run, profile, diags);
    assert_true(profile->launches.at[0].wall_seconds == 2.0);
    assert_non_null(strstr(messages(arena, diags), "2 launches were not counted but timed"));
    assert_true(probe_run_seconds(run, "f") == 5.0);
    assert_true(probe_run_seconds(run, "k") == 28.0 / 5);
    assert_true(probe_run_seconds(run, "g") == 0);
    profile_free(profile);
    probe_run_free(run);
    arena_free(arena);
}

/* Samples of shared memory count from where the block's own begins; a cp.async's source is behind it. */
static void test_samples(void **state) {
    (void)state;
    Arena *arena = arena_new();
    ProbeRun *run = probe_run_new(arena);
    *vec_add(arena, &run->modules) = (ProbedModule){MODULE, listed_module()};
    ProbeLaunch *launch = add_launch(run, MODULE, "k");
    launch->sampled = true;
    launch->dynamic_shared = 4096;
    add_slot(run, launch, 0, 0x20, PROBE_COPY, PROBE_WRITE, 4, 1);
    add_slot(run, launch, 0, 0x00, PROBE_GLOBAL, PROBE_READ, 8, 1);
    *vec_add(arena, &launch->allocations) = (ProbeAllocation){0x10000, 0x1000};
    *vec_add(arena, &launch->allocations) = (ProbeAllocation){0x20000, 0x1000};
    ProbeSample copy = {.slot = 0, .mask = UINT32_MAX},
                source = {.slot = 0, .mask = UINT32_MAX, .source = 1},
                load = {.slot = 1, .mask = 0xffff};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        copy.address[lane] =
            UINT64_C(0x7f0001000000) + 1024 + lane * 128; /* the window; 1 KB is the system's */
        source.address[lane] = 0x20000 + lane * 4;
        load.address[lane] = 0x10000 + lane * 8;
    }
    *vec_add(arena, &launch->samples) = copy;
    *vec_add(arena, &launch->samples) = source;
    *vec_add(arena, &launch->samples) = load;
    Profile *profile = profile_new();
    probe_run_finish(run, profile, diags_new(arena));
    assert_int_equal(profile->launches.at[0].evidence_blocks, 2);
    assert_int_equal(profile->launches.at[0].allocations.count, 2);
    assert_int_equal(profile->patterns.count, 2);
    const AccessPattern *shared = NULL;
    for (uint32_t i = 0; i < 2; i++)
        if (profile->patterns.at[i].space == SITE_SHARED)
            shared = &profile->patterns.at[i];
    assert_non_null(shared);
    assert_int_equal(shared->variable, 0);
    assert_int_equal(profile->kernels.at[0].shared.at[0].element_bytes, 4);
    profile_free(profile);
    probe_run_free(run);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses), cmocka_unit_test(test_uncounted),
        cmocka_unit_test(test_seen),     cmocka_unit_test(test_listed),
        cmocka_unit_test(test_times),    cmocka_unit_test(test_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
