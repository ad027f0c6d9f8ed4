/* The C API: what a launch counts and finds, as the header says it, and every kind of error as a value. */
#include <warplens/warplens.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void test_results(void **state) {
    (void)state;
    Conflict it = run_conflict("ownElement<float, 32>");
    WarplensCounters total, sum = {0};
    WarplensSite site;
    warplens_total(it.result, &total);
    assert_int_equal(total.wavefronts, 64);
    assert_int_equal(total.wavefronts_ideal, 2);
    assert_int_equal(total.conflicts, 62);
    assert_int_equal(total.sectors, 8);
    uint32_t shared = 0;
    for (uint32_t i = 0; i < warplens_site_count(it.result); i++) {
        assert_true(warplens_site(it.result, i, &site));
        sum.wavefronts += site.counters.wavefronts;
        if (strcmp(site.space, "shared") == 0) {
            shared++;
            assert_int_equal(site.counters.wavefronts, 32);
            assert_int_equal(site.width, 4);
            assert_non_null(strstr(site.file, "access_patterns.cu"));
            assert_non_null(strstr(site.instruction, ".shared"));
            assert_string_equal(site.operation, shared == 1 ? "store" : "load");
        }
    }
    assert_int_equal(shared, 2);
    assert_int_equal(sum.wavefronts, total.wavefronts);
    assert_false(warplens_site(it.result, warplens_site_count(it.result), &site));
    for (int i = 0; i < 32; i++) /* each thread gets the element of the other end */
        assert_true(((float *)warplens_buffer_data(it.out))[i] == (float)(31 - i));
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
        conflicts += line.counters.wavefronts == 32;
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
    expect(&error, WARPLENS_BAD_NAME, "no kernel's name has 'nobody'");
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
    expect(&error, WARPLENS_BAD_ARGUMENT, "expected interp, jit or auto");
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        launch.engine = engines[i];
        WarplensCounters total;
        WarplensResult *result = warplens_launch(it.kernel, &launch, &error);
        if (!result && engines[i] && strncmp(engines[i], "jit", 3) == 0) {
            expect(&error, WARPLENS_BAD_ARGUMENT, "libwarplens-jit.so");
            continue;
        }
        assert_non_null(result);
        warplens_total(result, &total);
        assert_int_equal(total.wavefronts, 64);
        assert_int_equal(total.sectors, 8);
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
    WarplensCounters total;
    warplens_total(faulted, &total);
    assert_int_equal(total.wavefronts, 64);
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
        WarplensCounters total;
        warplens_total(it.result, &total);
        if (total.wavefronts != (strstr(kernel, "32") ? 64 : 2))
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

static void test_version(void **state) {
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", WARPLENS_VERSION_MAJOR, WARPLENS_VERSION_MINOR,
             WARPLENS_VERSION_PATCH);
    assert_string_equal(warplens_version(), expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),         cmocka_unit_test(test_lines_and_findings),
        cmocka_unit_test(test_no_findings),     cmocka_unit_test(test_save),
        cmocka_unit_test(test_load_errors),     cmocka_unit_test(test_kernel_errors),
        cmocka_unit_test(test_argument_errors), cmocka_unit_test(test_engines),
        cmocka_unit_test(test_launch_errors),   cmocka_unit_test(test_print_and_variables),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
