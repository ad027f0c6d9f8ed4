/* The C API: what a launch counts and finds, as the header says it, and every kind of error as a value. */
#include <warplens/warplens.h>

#include <malloc.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define SAMPLES TESTS_DIR "/../samples/"
#define PATTERNS SAMPLES "access_patterns/access_patterns.ptx"

static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n";

static WarplensModule *text_module(const char *body) {
    WarplensError error;
    char text[2048];
    int length = snprintf(text, sizeof text, "%s%s", head, body);
    WarplensModule *module = warplens_load_text("test.ptx", text, (size_t)length, NULL, &error);
    assert_non_null(module);
    assert_int_equal(error.status, WARPLENS_OK);
    assert_string_equal(error.message, "");
    return module;
}

static void expect(const WarplensError *error, WarplensStatus status, const char *part) {
    if (error->status != status || !strstr(error->message, part))
        fail_msg("status %d, '%s'; expected %d, '%s'", error->status, error->message, status, part);
}

/* A launch of ownElement<float, 32>, whose lanes are 32 words apart: 32 wavefronts where 1 would do. */
typedef struct Conflict {
    WarplensModule *module;
    WarplensKernel *kernel;
    WarplensBuffer *in, *out;
    WarplensResult *result;
} Conflict;

static Conflict run_conflict(const char *kernel) {
    WarplensError error;
    Conflict it = {.module = warplens_load(PATTERNS, "h100", &error)};
    it.kernel = warplens_kernel(it.module, kernel, &error);
    it.in = warplens_buffer(it.module, "in", 32, sizeof(float), &error);
    it.out = warplens_buffer(it.module, "out", 32, sizeof(float), &error);
    for (int i = 0; i < 32; i++)
        ((float *)warplens_buffer_data(it.in))[i] = (float)i;
    assert_true(warplens_set_buffer(it.kernel, 0, it.in, 0, &error));
    assert_true(warplens_set_buffer(it.kernel, 1, it.out, 0, &error));
    WarplensLaunch launch = {.block = {32}};
    it.result = warplens_launch(it.kernel, &launch, &error);
    assert_non_null(it.result);
    assert_int_equal(error.status, WARPLENS_OK);
    return it;
}

/* A block that is not named is the one that the kernel requires; without .reqntid, one thread. */
static void test_required_block(void **state) {
    (void)state;
    static const struct {
        const char *limit;
        uint32_t x, threads;
    } cases[] = {{".reqntid 48, 3", 0, 144}, {".reqntid 48, 3", 1, 0}, {"", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WarplensError error;
        char text[256];
        snprintf(text, sizeof text,
                 ".visible .entry k(.param .u64 out) %s\n{\n\t.reg .b64 %%rd<2>;\n"
                 "\tld.param.u64 %%rd1, [out];\n\tred.global.add.u32 [%%rd1], 1;\n\tret;\n}\n",
                 cases[i].limit);
        WarplensModule *module = text_module(text);
        WarplensKernel *kernel = warplens_kernel(module, "k", &error);
        WarplensBuffer *out = warplens_buffer(module, "out", 1, sizeof(uint32_t), &error);
        assert_true(warplens_set_buffer(kernel, 0, out, 0, &error));
        WarplensLaunch launch = {.block = {cases[i].x}};
        assert_int_equal(warplens_launch(kernel, &launch, &error) != NULL, cases[i].threads > 0);
        if (cases[i].threads)
            assert_int_equal(*(uint32_t *)warplens_buffer_data(out), cases[i].threads);
        else
            expect(&error, WARPLENS_BAD_LAUNCH, "block is 1,1,1; the kernel requires 48,3,1");
        warplens_free(module);
    }
}

static void test_results(void **state) {
    (void)state;
    Conflict it = run_conflict("ownElement<float, 32>");
    uint64_t sum = 0;
    WarplensSite site;
    const uint64_t *total = warplens_total(it.result);
    assert_int_equal(warplens_counter(total, "wavefronts"), 64);
    assert_int_equal(warplens_counter(total, "wavefronts_ideal"), 2);
    assert_int_equal(warplens_counter(total, "conflicts"), 62);
    assert_int_equal(warplens_counter(total, "sectors"), 8);
    uint32_t shared = 0;
    for (uint32_t i = 0; i < warplens_site_count(it.result); i++) {
        assert_true(warplens_site(it.result, i, &site));
        sum += warplens_counter(site.counters, "wavefronts");
        if (strcmp(site.space, "shared") == 0) {
            shared++;
            assert_int_equal(warplens_counter(site.counters, "wavefronts"), 32);
            assert_int_equal(site.width, 4);
            assert_non_null(strstr(site.file, "access_patterns.cu"));
            assert_non_null(strstr(site.instruction, ".shared"));
            assert_string_equal(site.operation, shared == 1 ? "store" : "load");
        }
    }
    assert_int_equal(shared, 2);
    assert_int_equal(sum, warplens_counter(total, "wavefronts"));
    assert_false(warplens_site(it.result, warplens_site_count(it.result), &site));
    for (int i = 0; i < 32; i++) /* each thread gets the element of the other end */
        assert_true(((float *)warplens_buffer_data(it.out))[i] == (float)(31 - i));
    warplens_free(it.module);
}

/* Every counter has a name, a unit and words, and is found by its name. */
static void test_counters(void **state) {
    (void)state;
    Conflict it = run_conflict("ownElement<float, 32>");
    const uint64_t *total = warplens_total(it.result);
    uint32_t count = warplens_counter_count();
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(*warplens_counter_unit(i) && *warplens_counter_help(i));
        assert_int_equal(warplens_counter(total, warplens_counter_name(i)), total[i]);
    }
    assert_null(warplens_counter_name(count));
    assert_null(warplens_counter_unit(count));
    assert_null(warplens_counter_help(count));
    assert_true(warplens_counter(total, "wavefront") == UINT64_MAX);
    warplens_free(it.module);
}

static void test_lines_and_findings(void **state) {
    (void)state;
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensLine line;
    WarplensFinding finding;
    uint32_t conflicts = 0;
    for (uint32_t i = 0; i < warplens_line_count(it.result); i++) {
        assert_true(warplens_line(it.result, i, &line));
        assert_true(line.warp_instructions > 0 && line.line > 0);
        conflicts += warplens_counter(line.counters, "wavefronts") == 32;
    }
    assert_int_equal(conflicts, 2);
    assert_false(warplens_line(it.result, warplens_line_count(it.result), &line));
    assert_int_equal(warplens_finding_count(it.result), 3);
    bool load = false;
    for (uint32_t i = 0; warplens_finding(it.result, i, &finding); i++) {
        load |= strcmp(finding.rule, "bank-conflicts-load") == 0;
        assert_string_equal(finding.severity, "high");
        assert_string_equal(finding.unit, "wavefronts");
        assert_true(finding.excess < finding.total && finding.line_count > 0);
        assert_non_null(strstr(finding.lines[0].file, "access_patterns.cu"));
        assert_true(*finding.message && *finding.advice && *finding.title);
    }
    assert_true(load);
    warplens_free(it.module);
}

static void test_no_findings(void **state) {
    (void)state;
    Conflict it = run_conflict("ownElement<float, 33>");
    assert_int_equal(warplens_finding_count(it.result), 0);
    warplens_free(it.module);
}

static void test_save(void **state) {
    (void)state;
    WarplensError error;
    Conflict it = run_conflict("ownElement<float, 32>");
    char path[] = "api-XXXXXX", start[16] = "";
    int file = mkstemp(path);
    assert_true(warplens_save(it.module, path, &error));
    close(file);
    FILE *saved = fopen(path, "rb");
    assert_int_equal(fread(start, 1, sizeof start, saved), sizeof start);
    assert_string_equal(start, "SQLite format 3");
    fclose(saved);
    unlink(path);
    assert_false(warplens_save(it.module, "no/such/folder/x.wlp", &error));
    expect(&error, WARPLENS_BAD_FILE, "no/such/folder/x.wlp");
    warplens_free(it.module);
}

static void test_load_errors(void **state) {
    (void)state;
    WarplensError error;
    assert_null(warplens_load("nothing.ptx", NULL, &error));
    expect(&error, WARPLENS_BAD_FILE, "nothing.ptx: No such file");
    assert_null(warplens_load(PATTERNS, "voodoo2", &error));
    expect(&error, WARPLENS_BAD_NAME, "voodoo2");
    assert_null(warplens_load(NULL, NULL, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no path");
    assert_null(warplens_load_text("x", NULL, 0, NULL, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no PTX");
    assert_null(warplens_load("nothing.ptx", NULL, NULL)); /* errors may be ignored */
    warplens_free(NULL);
}

static void test_kernel_errors(void **state) {
    (void)state;
    WarplensError error;
    WarplensModule *module = warplens_load(PATTERNS, NULL, &error);
    assert_null(warplens_kernel(module, "nobody", &error));
    expect(&error, WARPLENS_BAD_NAME, "no kernel's name has or matches 'nobody'");
    assert_null(warplens_kernel(module, "ownElement", &error));
    expect(&error, WARPLENS_BAD_NAME, "give more of the name");
    assert_null(warplens_kernel_name(module, warplens_kernel_count(module)));
    assert_true(strlen(warplens_kernel_name(module, 0)) > 0);
    warplens_free(module);
    module = text_module(".entry k() {\n frobnicate.u32 %r1;\n ret;\n}\n");
    assert_int_equal(warplens_kernel_count(module), 1);
    assert_null(warplens_kernel(module, NULL, &error));
    expect(&error, WARPLENS_BAD_PTX, "test.ptx:5:");
    warplens_free(module);
    module = warplens_load_text("x", "no PTX at all", 13, NULL, &error);
    assert_null(warplens_kernel(module, NULL, &error));
    expect(&error, WARPLENS_BAD_NAME, "no kernel");
    warplens_free(module);
}

static void test_argument_errors(void **state) {
    (void)state;
    WarplensError error;
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensModule *other = warplens_load(PATTERNS, NULL, &error);
    WarplensBuffer *foreign = warplens_buffer(other, "foreign", 1, 4, &error);
    int32_t number = 7;
    assert_ptr_equal(warplens_kernel(it.module, "ownElement<float, 32>", &error), it.kernel);
    assert_int_equal(warplens_parameter_count(it.kernel), 2);
    assert_int_equal(warplens_parameter_bytes(it.kernel, 1), 8);
    assert_int_equal(warplens_parameter_bytes(it.kernel, 2), 0);
    assert_false(warplens_set_buffer(it.kernel, 0, foreign, 0, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "'foreign' belongs to another module");
    assert_false(warplens_set_buffer(it.kernel, 2, it.in, 0, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no parameter 2");
    assert_false(warplens_set_value(it.kernel, 0, &number, sizeof number, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "has 8 bytes; the value has 4");
    assert_null(warplens_buffer(it.module, "none", 0, 4, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no buffer");
    assert_null(warplens_buffer(it.module, "huge", SIZE_MAX / 8, 4, &error));
    expect(&error, WARPLENS_NO_MEMORY, "'huge'");
    assert_int_equal(warplens_buffer_bytes(it.in), 128);
    warplens_buffer_free(it.in);
    warplens_buffer_free(it.in);
    assert_false(warplens_set_buffer(it.kernel, 0, it.in, 0, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no buffer");
    warplens_free(other);
    warplens_free(it.module);
}

/* The same counts by each engine; where the plug-in of the JIT is not there, it cannot be asked for. */
static void test_engines(void **state) {
    (void)state;
    static const char *const engines[] = {"interp", "jit=1", NULL, "auto=1", "jit=1"};
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensLaunch launch = {.block = {32}, .engine = "fast"};
    WarplensError error;
    assert_null(warplens_launch(it.kernel, &launch, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "expected interp, plan, jit or auto");
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        launch.engine = engines[i];
        WarplensResult *result = warplens_launch(it.kernel, &launch, &error);
        if (!result && engines[i] && strncmp(engines[i], "jit", 3) == 0) {
            expect(&error, WARPLENS_BAD_ARGUMENT, "libwarplens-jit.so");
            continue;
        }
        assert_non_null(result);
        const uint64_t *total = warplens_total(result);
        assert_int_equal(warplens_counter(total, "wavefronts"), 64);
        assert_int_equal(warplens_counter(total, "sectors"), 8);
    }
    warplens_free(it.module);
}

static void test_launch_errors(void **state) {
    (void)state;
    WarplensError error;
    WarplensLaunch launch = {.block = {32}}, large = {.block = {1025}};
    WarplensModule *module = warplens_load(PATTERNS, NULL, &error);
    WarplensKernel *kernel = warplens_kernel(module, "ownElement<float, 32>", &error);
    assert_null(warplens_launch(kernel, &launch, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "parameter 0");
    assert_null(warplens_launch(NULL, &launch, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no kernel");
    warplens_free(module);
    Conflict it = run_conflict("ownElement<float, 32>");
    assert_null(warplens_launch(it.kernel, &large, &error));
    expect(&error, WARPLENS_BAD_LAUNCH, "1025");
    /* 16 bytes before the end: what ran before the fault is there all the same */
    assert_true(warplens_set_buffer(it.kernel, 1, it.out, 112, &error));
    WarplensResult *faulted = warplens_launch(it.kernel, &launch, &error);
    expect(&error, WARPLENS_FAULT, "out");
    assert_non_null(faulted);
    assert_int_equal(warplens_counter(warplens_total(faulted), "wavefronts"), 64);
    warplens_free(it.module);
}

/* ---- printf, variables, threads ---- */

static void collect(void *context, const char *text, size_t length) {
    strncat(context, text, length);
}

static void test_print_and_variables(void **state) {
    (void)state;
    WarplensError error;
    char printed[64] = "";
    WarplensModule *module = text_module(
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);\n"
        ".global .u32 count = 5;\n"
        ".global .align 1 .b8 format[7] = {111, 110, 101, 32, 37, 100, 0};\n"
        ".entry tick() { .reg .u32 %r<2>; ld.global.u32 %r0, [count]; add.u32 %r0, %r0, 1;\n"
        " st.global.u32 [count], %r0; ret; }\n"
        ".entry tell() {\n"
        " .local .align 8 .b8 frame[8]; .reg .b64 %d<4>; .reg .b32 %r<3>;\n"
        " ld.global.u32 %r1, [count]; mov.u64 %d1, frame; st.local.u32 [%d1], %r1;\n"
        " cvta.local.u64 %d1, %d1; mov.u64 %d2, format; cvta.global.u64 %d2, %d2;\n"
        " { .param .b64 a; st.param.b64 [a], %d2; .param .b64 b; st.param.b64 [b], %d1;\n"
        "   .param .b32 r; call.uni (r), vprintf, (a, b); ld.param.b32 %r2, [r]; }\n"
        " ret; }\n");
    WarplensLaunch launch = {.print = collect, .context = printed};
    for (int i = 0; i < 2; i++)
        assert_non_null(warplens_launch(warplens_kernel(module, "tick", &error), &launch, &error));
    WarplensKernel *tell = warplens_kernel(module, "tell", &error);
    expect(&error, WARPLENS_OK, "");
    assert_non_null(warplens_launch(tell, &launch, &error));
    assert_string_equal(printed, "one 7"); /* kernels of a module share its variables */
    warplens_free(module);
}

static void *run_many(void *kernel) {
    for (int i = 0; i < 8; i++) {
        Conflict it = run_conflict(kernel);
        uint64_t wavefronts = warplens_counter(warplens_total(it.result), "wavefronts");
        if (wavefronts != (strstr(kernel, "32") ? 64u : 2u))
            return kernel;
        warplens_free(it.module);
    }
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    static char names[2][24] = {"ownElement<float, 32>", "ownElement<float, 33>"};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_many, names[i % 2]), 0);
    for (int i = 0; i < 4; i++) {
        void *wrong;
        pthread_join(threads[i], &wrong);
        assert_null(wrong);
    }
}

/* ---- all that a launch may be ---- */

/* Runs the only kernel of a text on 32 lanes with one array. */
static Conflict run_text(const char *body, const WarplensLaunch *launch, const char *array) {
    WarplensError error;
    Conflict it = {.module = text_module(body)};
    it.kernel = warplens_kernel(it.module, NULL, &error);
    assert_true(warplens_set_text(it.kernel, 0, array, &error));
    it.out = warplens_array(it.kernel, 0, &error);
    it.result = warplens_launch(it.kernel, launch, &error);
    if (!it.result)
        fail_msg("%s", error.message);
    return it;
}

#define STORE_SPECIAL(value)                                                                       \
    ".entry k(.param .u64 p) { .reg .u32 %r<4>; .reg .u64 %d<3>;\n"                                \
    " ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;\n"                     \
    " add.u64 %d1, %d1, %d2; mov.b32 %r2, " value "; st.global.u32 [%d1], %r2; ret; }\n"

static void test_clusters_and_cooperation(void **state) {
    (void)state;
    WarplensError error;
    WarplensLaunch launch = {.grid = {8}, .block = {32}, .cluster = {4}};
    Conflict it = run_text(STORE_SPECIAL("%cluster_nctaid.x"), &launch, "u32[32]");
    assert_int_equal(((uint32_t *)warplens_buffer_data(it.out))[31], 4);
    launch.cluster[0] = 3;
    assert_null(warplens_launch(it.kernel, &launch, &error));
    expect(&error, WARPLENS_BAD_LAUNCH, "multiple of the cluster's 3,1,1");
    warplens_free(it.module);
    launch = (WarplensLaunch){.grid = {8}, .block = {32}};
    it = run_text(STORE_SPECIAL("%envreg2"), &launch, "u32[32]=7");
    assert_int_equal(((uint32_t *)warplens_buffer_data(it.out))[0], 0);
    launch.cooperative = true;
    assert_non_null(warplens_launch(it.kernel, &launch, &error));
    assert_true(((uint32_t *)warplens_buffer_data(it.out))[0] != 0);
    launch.grid[0] = 100000;
    assert_null(warplens_launch(it.kernel, &launch, &error));
    expect(&error, WARPLENS_BAD_LAUNCH, "a cooperative grid of 100000 blocks");
    warplens_free(it.module);
}

static void test_children(void **state) {
    (void)state;
    WarplensError error;
    WarplensModule *module = warplens_load(TESTS_DIR "/exec/cases/children.ptx", NULL, &error);
    WarplensKernel *kernel = warplens_kernel(module, "order", &error);
    WarplensLaunch launch = {.grid = {3}, .block = {2}};
    assert_true(warplens_set_text(kernel, 0, "u32[64]=0", &error));
    WarplensResult *result = warplens_launch(kernel, &launch, &error);
    const uint32_t *array = warplens_buffer_data(warplens_array(kernel, 0, &error));
    assert_true(array[0] == 13 && array[1] == 10 && array[2] == 100 && array[13] == 99);
    assert_int_equal(warplens_child_count(result), 3);
    for (uint32_t i = 0; i < 3; i++) {
        WarplensResult *child = warplens_child(result, i);
        assert_true(strlen(warplens_result_kernel(child)) > 0);
        assert_true(warplens_site_count(child) > 0);
    }
    assert_null(warplens_child(result, 3));
    warplens_free(module);
}

/* Some blocks run for all, and count what all do; where data decide, all run, and it is said why. */
static void test_counts_only(void **state) {
    (void)state;
    WarplensError error;
    WarplensRepresented represented;
    WarplensLaunch launch = {.grid = {4096}, .block = {32}, .counts_only = true};
    Conflict it = run_text(STORE_SPECIAL("%r1"), &launch, "u32[32]");
    assert_true(warplens_represented(it.result, &represented));
    assert_true(represented.blocks == 4096 && !represented.executed_because);
    assert_true(represented.representatives >= 1 && represented.representatives < 64);
    warplens_free(it.module);
    launch.counts_only = false;
    it = run_text(STORE_SPECIAL("%r1"), &launch, "u32[32]");
    assert_true(warplens_represented(it.result, &represented));
    assert_true(represented.blocks == 4096 && represented.representatives == 0);
    launch = (WarplensLaunch){.grid = {64}, .block = {32}, .counts_only = true, .sample = 4};
    warplens_free(it.module);
    it = run_text(STORE_SPECIAL("%r1"), &launch, "u32[32]");
    assert_true(warplens_represented(it.result, &represented));
    assert_true(represented.representatives == 0);
    assert_string_equal(represented.executed_because, "it is sampled");
    warplens_free(it.module);
    assert_false(warplens_represented(NULL, &represented));
    (void)error;
}

static void test_sampling(void **state) {
    (void)state;
    WarplensError error;
    WarplensSampled sampled;
    WarplensLaunch launch = {.grid = {4096}, .block = {32}, .sample = 32};
    Conflict it = run_text(STORE_SPECIAL("%r1"), &launch, "u32[32]");
    assert_true(warplens_sampled(it.result, &sampled));
    assert_true(sampled.blocks == 4096 && sampled.blocks_run == 4096 && !sampled.all_because);
    assert_true(sampled.blocks_counted >= 32 && sampled.blocks_counted < 200);
    warplens_free(it.module);
    launch = (WarplensLaunch){
        .grid = {64}, .block = {32}, .blocks = WARPLENS_BLOCKS_FIRST, .blocks_n = 4};
    it = run_text(STORE_SPECIAL("%r1"), &launch, "u32[32]");
    assert_true(warplens_sampled(it.result, &sampled));
    assert_true(sampled.blocks == 64 && sampled.blocks_run == 4);
    launch.blocks = (WarplensBlocks)9;
    assert_null(warplens_launch(it.kernel, &launch, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "blocks 9");
    warplens_free(it.module);
}

static void test_stop(void **state) {
    (void)state;
    int now = 1;
    WarplensError error;
    WarplensLaunch launch = {.grid = {64}, .block = {32}};
    Conflict it = run_text(STORE_SPECIAL("%r1"), &launch, "u32[32]");
    launch.stop = &now;
    assert_non_null(warplens_launch(it.kernel, &launch, &error));
    expect(&error, WARPLENS_STOPPED, "stopped");
    warplens_free(it.module);
}

static void test_adopted_memory(void **state) {
    (void)state;
    static _Alignas(128) uint32_t own[32];
    WarplensError error;
    WarplensLaunch launch = {.block = {32}};
    WarplensModule *module = text_module(STORE_SPECIAL("%r1"));
    WarplensKernel *kernel = warplens_kernel(module, NULL, &error);
    WarplensBuffer *buffer = warplens_adopt(module, "own", own, sizeof own, &error);
    assert_int_equal(warplens_buffer_address(buffer), (uint64_t)(uintptr_t)own);
    assert_true(warplens_set_buffer(kernel, 0, buffer, 0, &error));
    assert_non_null(warplens_launch(kernel, &launch, &error));
    assert_int_equal(own[31], 31);
    assert_null(warplens_adopt(module, "again", &own[4], 4, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "'again' overlaps");
    assert_null(warplens_adopt(module, "none", NULL, 4, &error));
    warplens_buffer_free(buffer);
    warplens_launch(kernel, &launch, &error);
    expect(&error, WARPLENS_FAULT, "");
    warplens_free(module);
}

/* ---- proofs ---- */

static void test_proof_of_a_layout(void **state) {
    (void)state;
    WarplensError error;
    WarplensProof proof;
    uint32_t count;
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensLaunch launch = {.block = {32}, .evidence_blocks = UINT32_MAX};
    it.result = warplens_launch(it.kernel, &launch, &error);
    const WarplensFix *fix = warplens_fixes(it.result, &count);
    assert_int_equal(count, 1);
    assert_true(fix->wavefronts == 64 && fix->promised == 2 && *fix->words && *fix->name);
    launch.layouts = &fix->layout;
    launch.layout_count = 1;
    assert_true(warplens_prove(it.kernel, &launch, &proof, &error));
    assert_true(proof.equal && proof.bytes == 256 && proof.differ == 0);
    assert_int_equal(warplens_counter(warplens_total(proof.before), "wavefronts"), fix->wavefronts);
    assert_int_equal(warplens_counter(warplens_total(proof.after), "wavefronts"), fix->promised);
    WarplensLayout wrong = {fix->layout.array, "padded:0,0,0,0"}, nobody = {"nobody", "plain"};
    launch.layouts = &wrong;
    assert_false(warplens_prove(it.kernel, &launch, &proof, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "padded:0,0,0,0");
    launch.layouts = &nobody;
    assert_false(warplens_prove(it.kernel, &launch, &proof, &error));
    expect(&error, WARPLENS_BAD_LAUNCH, "'nobody'");
    launch.layout_count = 0;
    assert_false(warplens_prove(it.kernel, &launch, &proof, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no layout");
    warplens_free(it.module);
}

/* A kernel that adds to what is there: both runs begin with the same memory. Structures of two words
 * are taken apart, so that lanes have neighbouring words. */
static void test_proof_of_a_storage(void **state) {
    (void)state;
    WarplensError error;
    WarplensProof proof;
    WarplensLaunch launch = {.block = {32}};
    Conflict it = run_text(".entry k(.param .u64 p) { .reg .u32 %r<4>; .reg .u64 %d<3>;\n"
                           " ld.param.u64 %d1, [p]; mov.u32 %r1, %tid.x;\n"
                           " mul.wide.u32 %d2, %r1, 8; add.u64 %d1, %d1, %d2;\n"
                           " ld.global.u32 %r2, [%d1]; add.u32 %r2, %r2, 1;\n"
                           " st.global.u32 [%d1], %r2; ret; }\n",
                           &launch, "u32[64]=iota");
    const WarplensLayout apart = {"argument 0", "fields:0,8,32,0,4"};
    launch.storages = &apart;
    launch.storage_count = 1;
    assert_true(warplens_prove(it.kernel, &launch, &proof, &error));
    assert_true(proof.equal);
    assert_int_equal(warplens_counter(warplens_total(proof.before), "sectors"), 16);
    assert_int_equal(warplens_counter(warplens_total(proof.after), "sectors"), 8);
    assert_int_equal(((uint32_t *)warplens_buffer_data(it.out))[62], 62 + 2); /* two launches */
    warplens_free(it.module);
}

/* Padding tears the four words of each access apart. */
static void test_proof_that_fails(void **state) {
    (void)state;
    WarplensError error;
    WarplensProof proof;
    WarplensLaunch launch = {.block = {32}};
    Conflict it = run_text(".entry k(.param .u64 p) { .reg .u32 %r<5>; .reg .u64 %d<3>;\n"
                           " .shared .align 16 .b8 tile[512];\n"
                           " mov.u32 %r0, %tid.x; shl.b32 %r0, %r0, 4; mov.u32 %r1, tile;\n"
                           " add.u32 %r1, %r1, %r0; ld.param.u64 %d1, [p];\n"
                           " st.shared.v4.u32 [%r1], {%r0, %r0, %r0, %r0};\n"
                           " st.global.u32 [%d1], %r0; ret; }\n",
                           &launch, "u32[4]");
    const WarplensLayout padded = {"tile", "padded:4,4,0,0"};
    launch.layouts = &padded;
    launch.layout_count = 1;
    assert_true(warplens_prove(it.kernel, &launch, &proof, &error));
    assert_int_equal(error.status, WARPLENS_OK);
    assert_false(proof.equal);
    assert_non_null(strstr(proof.fault, "tile"));
    warplens_free(it.module);
}

/* ---- arguments as text ---- */

static void test_texts(void **state) {
    (void)state;
    WarplensError error;
    WarplensComparison found;
    char path[] = "texts-XXXXXX.npy";
    close(mkstemps(path, 4));
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensLaunch launch = {.block = {32}};
    assert_false(warplens_set_text(it.kernel, 0, "f33[4]", &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "unknown type");
    assert_null(warplens_launch(it.kernel, &launch, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "parameter 0");
    assert_true(warplens_set_text(it.kernel, 0, "f32[32]=iota", &error));
    assert_true(warplens_set_text(it.kernel, 1, "f32[32]", &error));
    assert_non_null(warplens_launch(it.kernel, &launch, &error));
    assert_true(((float *)warplens_buffer_data(warplens_array(it.kernel, 1, &error)))[0] == 31);
    assert_true(warplens_dump(it.kernel, 1, path, &error));
    assert_true(warplens_compare(it.kernel, 1, path, 0, 0, &found, &error));
    assert_true(found.count == 32 && found.differ == 0);
    assert_true(warplens_compare(it.kernel, 0, path, 0, 0, &found, &error));
    assert_true(found.differ == 32 && found.first == 0 && found.expected == 31);
    assert_false(warplens_compare(it.kernel, 0, "none.npy", 0, 0, &found, &error));
    expect(&error, WARPLENS_BAD_FILE, "none.npy");
    assert_false(warplens_dump(it.kernel, 2, path, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no parameter 2");
    unlink(path);
    warplens_free(it.module);
}

/* What is not there is said, and nothing crashes. */
static void test_nothing(void **state) {
    (void)state;
    WarplensError error;
    WarplensProof proof;
    WarplensSampled sampled;
    WarplensLaunch launch = {.block = {32}};
    uint32_t count = 0;
    assert_int_equal(warplens_kernel_count(NULL), 0);
    assert_null(warplens_kernel_name(NULL, 0));
    assert_null(warplens_kernel(NULL, "k", &error));
    assert_false(warplens_machine_code(NULL, "on", &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no module");
    assert_int_equal(warplens_parameter_count(NULL), 0);
    assert_int_equal(warplens_parameter_bytes(NULL, 0), 0);
    assert_false(warplens_set_text(NULL, 0, "i32=1", &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no kernel");
    assert_false(warplens_set_value(NULL, 0, &count, 4, &error));
    assert_null(warplens_array(NULL, 0, &error));
    assert_false(warplens_dump(NULL, 0, "x.npy", &error));
    assert_false(warplens_prove(NULL, &launch, &proof, &error));
    assert_null(warplens_adopt(NULL, "x", &count, 4, &error));
    assert_int_equal(warplens_child_count(NULL), 0);
    assert_null(warplens_child(NULL, 0));
    assert_false(warplens_sampled(NULL, &sampled));
    assert_null(warplens_fixes(NULL, &count));
    assert_null(warplens_compile(NULL, 0, NULL, NULL, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "no path");
}

/* Results end alone, in any order: others keep their numbers, and the memory comes back. */
static void test_free_results(void **state) {
    (void)state;
    WarplensError error;
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensLaunch launch = {.block = {32}}, half = {.block = {16}};
    WarplensResult *other = warplens_launch(it.kernel, &half, &error);
    uint64_t of_other = warplens_counter(warplens_total(other), "wavefronts");
    assert_int_equal(of_other, 32);
    size_t taken = 0;
    for (int i = 0; i < 400; i++) {
        WarplensResult *result = warplens_launch(it.kernel, &launch, NULL);
        assert_int_equal(warplens_counter(warplens_total(result), "wavefronts"), 64);
        assert_true(warplens_finding_count(result) > 0);
        warplens_result_free(i == 5 ? it.result : result);
        if (i == 5)
            it.result = result;
        if (i == 9)
            taken = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks <= taken + (64 << 10));
    assert_int_equal(warplens_counter(warplens_total(it.result), "wavefronts"), 64);
    WarplensSite site;
    uint64_t sum = 0;
    for (uint32_t i = 0; warplens_site(other, i, &site); i++)
        sum += warplens_counter(site.counters, "wavefronts");
    assert_int_equal(sum, of_other);
    WarplensProfile *profile = warplens_profile_of(it.module, &error);
    assert_int_equal(warplens_profile_count(profile), 2);
    sum = 0;
    for (uint32_t i = 0; i < 2; i++)
        sum += warplens_counter(warplens_total(warplens_profile_result(profile, i)), "wavefronts");
    assert_int_equal(sum, 64 + 32);
    WarplensAccess access;
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warplens_site_count(other); i++)
        for (uint32_t k = 0; warplens_access(other, i, k, &access); k++)
            lanes |= access.mask;
    assert_int_equal(lanes, 0xffff);
    warplens_result_free(other);
    warplens_result_free(it.result);
    assert_int_equal(warplens_profile_count(profile), 0);
    warplens_free(it.module);
    warplens_result_free(NULL);
}

/* A kernel whose argument is a tensor map: boxes of 8 columns and 4 rows, the second below row 2 and beyond the last. */
static void test_tensor_map(void **state) {
    (void)state;
    WarplensError error;
    WarplensModule *module = text_module(
        ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out)\n{\n"
        "\t.reg .pred %p<3>;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %d<5>;\n"
        "\t.shared .align 128 .b8 box[128];\n\t.shared .align 8 .b64 bar;\n"
        "\tmov.b64 %d1, map;\n\tcvta.param.u64 %d2, %d1;\n\tld.param.u64 %d3, [out];\n"
        "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, box;\n\tmov.u32 %r3, bar;\n"
        "\tmov.u32 %r4, 0;\n\tmov.u32 %r5, 6;\n\tsetp.eq.u32 %p1, %r1, 0;\n"
        "\t@%p1 mbarrier.init.shared.b64 [%r3], 1;\n\tbar.warp.sync 0xffffffff;\n"
        "\t@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 128;\n"
        "\t@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
        "[%r2], [%d2, {%r4, %r5}], [%r3];\n"
        "wait:\n\tmbarrier.try_wait.parity.shared.b64 %p2, [%r3], 0;\n\t@!%p2 bra wait;\n"
        "\tshl.b32 %r6, %r1, 2;\n\tadd.u32 %r7, %r2, %r6;\n\tld.shared.b32 %r8, [%r7];\n"
        "\tcvt.u64.u32 %d4, %r6;\n\tadd.u64 %d3, %d3, %d4;\n\tst.global.b32 [%d3], %r8;\n"
        "\tret;\n}\n");
    WarplensKernel *kernel = warplens_kernel(module, "k", &error);
    if (!kernel)
        fail_msg("%s", error.message);
    WarplensBuffer *in = warplens_buffer(module, "in", 4 + 64, sizeof(uint32_t), &error);
    WarplensBuffer *out = warplens_buffer(module, "out", 32, sizeof(uint32_t), &error);
    for (uint32_t i = 0; i < 64; i++)
        ((uint32_t *)warplens_buffer_data(in))[4 + i] = 100 + i;
    WarplensTensor tensor = {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {8, 4}};
    _Alignas(64) unsigned char map[WARPLENS_TENSOR_MAP_BYTES];
    assert_true(warplens_tensor_map(in, 16, &tensor, map, &error));
    assert_true(warplens_set_value(kernel, 0, map, sizeof map, &error));
    assert_true(warplens_set_buffer(kernel, 1, out, 0, &error));
    WarplensLaunch launch = {.block = {32}};
    if (!warplens_launch(kernel, &launch, &error) || error.status)
        fail_msg("%s", error.message);
    for (uint32_t i = 0; i < 32; i++)
        assert_int_equal(((uint32_t *)warplens_buffer_data(out))[i], i < 16 ? 100 + 48 + i : 0);
    static const WarplensTensor wrong[] = {
        {.type = "u33", .rank = 2, .extent = {8, 8}, .box = {8, 4}},
        {.rank = 2, .extent = {8, 8}, .box = {8, 4}},
        {.type = "u32", .rank = 6, .extent = {8, 8}, .box = {8, 4}},
        {.type = "u32", .rank = 2, .extent = {8, 0}, .box = {8, 4}},
        {.type = "u32", .rank = 2, .extent = {7, 8}, .box = {8, 4}},
        {.type = "u64", .rank = 3, .extent = {1ull << 32, 1ull << 32, 8}, .box = {8, 4, 1}},
        {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {8, 257}},
        {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {8, 4}, .swizzle = 96},
        {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {16, 4}, .swizzle = 32},
        {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {8, 4}, .swizzle = 256},
        {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {8, 4}, .nan_fill = true},
        {.type = "u32", .rank = 2, .extent = {8, 8}, .box = {8, 4}, .interleave = 16}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(warplens_tensor_map(in, 16, &wrong[i], map, &error));
        expect(&error, WARPLENS_BAD_ARGUMENT, "no such tensor map");
    }
    assert_false(warplens_tensor_map(in, 4, &tensor, map, &error)); /* not at a multiple of 16 */
    assert_false(warplens_tensor_map(in, 4096, &tensor, map, &error));
    expect(&error, WARPLENS_BAD_ARGUMENT, "behind the end of in");
    assert_false(warplens_tensor_map(NULL, 0, &tensor, map, &error));
    tensor.swizzle = 128;
    assert_true(warplens_tensor_map(in, 16, &tensor, map, NULL));
    warplens_free(module);
}

/* A thousand launches take what ten do, when they are forgotten. */
static void test_forget(void **state) {
    (void)state;
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensLaunch launch = {.block = {32}};
    size_t taken = 0;
    for (int i = 0; i < 400; i++) {
        WarplensResult *result = warplens_launch(it.kernel, &launch, NULL);
        assert_int_equal(warplens_counter(warplens_total(result), "wavefronts"), 64);
        assert_true(warplens_finding_count(result) > 0);
        warplens_forget(it.module);
        if (i == 9)
            taken = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks <= taken + (64 << 10));
    assert_non_null(warplens_launch(it.kernel, &launch, NULL));
    warplens_free(it.module);
    warplens_forget(NULL);
}

/* Address space for many modules at once: more than 128 of 1 TB are not to be had. */
static void test_many_modules(void **state) {
    (void)state;
    enum { MANY = 200 };
    WarplensModule *modules[MANY];
    WarplensError error;
    for (int i = 0; i < MANY; i++) {
        modules[i] = text_module(".entry k() { ret; }");
        assert_non_null(warplens_buffer(modules[i], "data", 1 << 20, 4, &error));
    }
    for (int i = 0; i < MANY; i++)
        warplens_free(modules[i]);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* As after `ulimit -v`: what is reserved is a part of what there is, and leaves the program its own. */
static void test_limited_address_space(void **state) {
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* the sanitizer needs the address space itself */
#endif
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {UINT64_C(2) << 30, UINT64_C(2) << 30};
        WarplensError error;
        setrlimit(RLIMIT_AS, &limit);
        Conflict it = run_conflict("ownElement<float, 32>");
        bool good = it.result && warplens_buffer(it.module, "more", 64 << 20, 4, &error) &&
                    mmap(NULL, (size_t)900 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                        MAP_FAILED;
        _exit(good ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void test_version(void **state) {
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", WARPLENS_VERSION_MAJOR, WARPLENS_VERSION_MINOR,
             WARPLENS_VERSION_PATCH);
    assert_string_equal(warplens_version(), expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_required_block),
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_lines_and_findings),
        cmocka_unit_test(test_no_findings),
        cmocka_unit_test(test_save),
        cmocka_unit_test(test_load_errors),
        cmocka_unit_test(test_kernel_errors),
        cmocka_unit_test(test_argument_errors),
        cmocka_unit_test(test_engines),
        cmocka_unit_test(test_launch_errors),
        cmocka_unit_test(test_print_and_variables),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_free_results),
        cmocka_unit_test(test_tensor_map),
        cmocka_unit_test(test_forget),
        cmocka_unit_test(test_many_modules),
        cmocka_unit_test(test_limited_address_space),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_clusters_and_cooperation),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_sampling),
        cmocka_unit_test(test_counts_only),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_adopted_memory),
        cmocka_unit_test(test_proof_of_a_layout),
        cmocka_unit_test(test_proof_of_a_storage),
        cmocka_unit_test(test_proof_that_fails),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
