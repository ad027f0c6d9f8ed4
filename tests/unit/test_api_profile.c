/* Profiles by the C API: read, shown, compared, judged, explained - as the program does it with the same file. */
#include <warplens/warplens.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define PATTERNS TESTS_DIR "/../samples/access_patterns/access_patterns.ptx"

/* Two files: of a kernel with conflicts; of it twice, and one without. */
typedef struct Files {
    char folder[32], before[64], after[64];
} Files;

static WarplensModule *launched(const char *const *kernels, size_t count) {
    WarplensError error;
    WarplensModule *module = warplens_load(PATTERNS, NULL, &error);
    assert_non_null(module);
    WarplensLaunch launch = {.block = {32}};
    for (size_t i = 0; i < count; i++) {
        WarplensKernel *kernel = warplens_kernel(module, kernels[i], &error);
        assert_non_null(kernel);
        WarplensBuffer *in = warplens_buffer(module, "in", 32, sizeof(double), &error);
        WarplensBuffer *out = warplens_buffer(module, "out", 32, sizeof(double), &error);
        assert_true(warplens_set_buffer(kernel, 0, in, 0, &error));
        assert_true(warplens_set_buffer(kernel, 1, out, 0, &error));
        if (!warplens_launch(kernel, &launch, &error))
            fail_msg("%s", error.message);
    }
    return module;
}

static const char *const one[] = {"ownElement<float, 32>"};
static const char *const three[] = {"ownElement<float, 32>", "ownElement<float, 32>",
                                    "ownElement<float, 33>"};

static int make_files(void **state) {
    static Files files;
    strcpy(files.folder, "api-XXXXXX");
    assert_non_null(mkdtemp(files.folder));
    snprintf(files.before, sizeof files.before, "%s/before.wlp", files.folder);
    snprintf(files.after, sizeof files.after, "%s/after.wlp", files.folder);
    WarplensModule *modules[] = {launched(one, 1), launched(three, 3)};
    assert_true(warplens_save(modules[0], files.before, NULL));
    assert_true(warplens_save(modules[1], files.after, NULL));
    warplens_free(modules[0]);
    warplens_free(modules[1]);
    *state = &files;
    return 0;
}

static int remove_files(void **state) {
    Files *files = *state;
    unlink(files->before);
    unlink(files->after);
    return rmdir(files->folder);
}

/* What the program prints; the caller frees it. */
static char *printed(const char *format, ...) {
    char command[1024] = WARPLENS " ", *text = NULL;
    size_t size = 0, start = strlen(command);
    va_list words;
    va_start(words, format);
    vsnprintf(command + start, sizeof command - start, format, words);
    va_end(words);
    FILE *pipe = popen(command, "r"), *out = open_memstream(&text, &size);
    for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe))
        fputc(c, out);
    pclose(pipe);
    fclose(out);
    return text;
}

static void same(const char *text, char *of_program, const WarplensError *error) {
    if (!text)
        fail_msg("%s", error->message);
    assert_true(strlen(of_program) > 40);
    assert_string_equal(text, of_program);
    free(of_program);
}

static void test_pages(void **state) {
    const Files *files = *state;
    WarplensError error;
    WarplensProfile *profile = warplens_profile_read(files->after, &error);
    assert_non_null(profile);
    static const char *const formats[] = {"term", "html", "json", "csv", "tsv"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        same(warplens_page(profile, &(WarplensPage){.format = formats[i]}, &error),
             printed("report %s --format %s", files->after, formats[i]), &error);
    same(warplens_page(profile, NULL, &error), printed("report %s", files->after), &error);
    same(warplens_page(profile, &(WarplensPage){.pages = "summary,raw"}, &error),
         printed("report %s --page summary --page raw", files->after), &error);
    const uint32_t launch = 2;
    same(warplens_page(profile, &(WarplensPage){.pages = "details", .launch = &launch, .width = 80},
                       &error),
         printed("report %s -l 2 --page details --width 80", files->after), &error);
    same(warplens_page(
             profile,
             &(WarplensPage){.pages = "source", .sort = "worst", .ptx = true, .width = UINT32_MAX},
             &error),
         printed("report %s --page source --sort worst --ptx --wide", files->after), &error);
    warplens_profile_free(profile);
}

static void test_comparison(void **state) {
    const Files *files = *state;
    WarplensError error;
    WarplensProfile *before = warplens_profile_read(files->before, &error);
    WarplensProfile *after = warplens_profile_read(files->after, &error);
    static const char *const formats[] = {"term", "html", "json"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        same(warplens_diff(before, after, &(WarplensPage){.format = formats[i]}, &error),
             printed("diff %s %s --format %s", files->before, files->after, formats[i]), &error);
    assert_null(warplens_diff(NULL, after, NULL, &error));
    assert_int_equal(error.status, WARPLENS_BAD_ARGUMENT);
    warplens_profile_free(before);
    warplens_profile_free(after);
}

static void test_judgement(void **state) {
    const Files *files = *state;
    WarplensError error;
    WarplensVerdict verdict;
    WarplensProfile *before = warplens_profile_read(files->before, &error);
    WarplensProfile *after = warplens_profile_read(files->after, &error);
    same(warplens_check(after, NULL, &verdict, &error), printed("check %s", files->after), &error);
    assert_int_equal(verdict, WARPLENS_BEYOND);
    same(warplens_check(after, &(WarplensLimits){.format = "sarif", .max_nway = 4}, &verdict,
                        &error),
         printed("check %s --format sarif --max-nway 4", files->after), &error);
    assert_int_equal(verdict, WARPLENS_BEYOND);
    assert_non_null(warplens_check(after, &(WarplensLimits){.max_nway = 32}, &verdict, &error));
    assert_int_equal(verdict, WARPLENS_WITHIN);
    same(warplens_check(after, &(WarplensLimits){.baseline = before}, &verdict, &error),
         printed("check %s --baseline %s", files->after, files->before), &error);
    assert_int_equal(verdict, WARPLENS_BEYOND); /* the second launch is not in it */
    assert_non_null(warplens_check(before, &(WarplensLimits){.baseline = after}, &verdict, &error));
    assert_int_equal(verdict, WARPLENS_WITHIN);
    const WarplensLimits file = {.file_text = "own* max-nway 31\n"};
    assert_non_null(warplens_check(after, &file, &verdict, &error));
    assert_int_equal(verdict, WARPLENS_BEYOND);
    static const struct {
        WarplensLimits limits;
        const char *message;
    } wrong[] = {{{.max_nway = 0.5}, "0.5 is no limit"},
                 {{.deny = "conflict,rain"}, "cannot deny 'rain'"},
                 {{.deny = "regression"}, "need a baseline"},
                 {{.format = "pdf"}, "no format 'pdf'"},
                 {{.file_text = "own* max-nway few"}, "limits:1"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(warplens_check(after, &wrong[i].limits, &verdict, &error));
        assert_int_equal(error.status, WARPLENS_BAD_ARGUMENT);
        assert_non_null(strstr(error.message, wrong[i].message));
    }
    warplens_profile_free(before);
    warplens_profile_free(after);
}

static void test_drawing(void **state) {
    const Files *files = *state;
    WarplensError error;
    WarplensProfile *profile = warplens_profile_read(files->after, &error);
    static const char *const formats[] = {"term", "svg", "json"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        same(warplens_explain(profile, &(WarplensPage){.format = formats[i]}, 0, &error),
             printed("explain %s --format %s", files->after, formats[i]), &error);
    assert_null(warplens_explain(profile, NULL, 999, &error));
    assert_non_null(strstr(error.message, "there is no pattern 999"));
    warplens_profile_free(profile);
}

/* The rows of a file are those of the launch that made it. */
static void test_results(void **state) {
    const Files *files = *state;
    WarplensError error;
    WarplensProfile *profile = warplens_profile_read(files->after, &error);
    assert_int_equal(warplens_profile_count(profile), 3);
    uint64_t wavefronts[] = {64, 64, 2};
    for (uint32_t i = 0; i < 3; i++) {
        WarplensResult *result = warplens_profile_result(profile, i);
        assert_int_equal(warplens_counter(warplens_total(result), "wavefronts"), wavefronts[i]);
        assert_int_equal(warplens_child_count(result), 0);
        assert_int_equal(warplens_finding_count(result) > 0, i < 2);
        uint64_t shared = 0, executions = 0;
        WarplensAccess access;
        for (uint32_t k = 0; k < warplens_site_count(result); k++)
            for (uint32_t n = 0; n < warplens_access_count(result, k); n++) {
                assert_true(warplens_access(result, k, n, &access));
                shared += access.wavefronts * access.executions;
                executions += access.executions;
                assert_true((access.wavefronts != 0) == (strcmp(access.space, "shared") == 0));
                assert_int_equal(access.mask, UINT32_MAX);
                assert_int_equal(access.offset[1] == access.offset[0], 0);
                assert_false(warplens_access(result, k, warplens_access_count(result, k), &access));
            }
        assert_int_equal(shared, wavefronts[i]);
        assert_int_equal(executions, 4);
        warplens_result_free(result); /* nothing happens */
    }
    assert_null(warplens_profile_result(profile, 3));
    assert_int_equal(warplens_profile_count(profile), 3);
    warplens_profile_free(profile);
}

/* A module's launches are shown without a file between. */
static void test_of_module(void **state) {
    const Files *files = *state;
    WarplensError error;
    WarplensModule *module = launched(one, 1);
    WarplensProfile *here = warplens_profile_of(module, &error);
    WarplensProfile *file = warplens_profile_read(files->before, &error);
    const WarplensPage page = {.pages = "details,source"};
    char *text = strdup(warplens_page(file, &page, &error));
    assert_string_equal(warplens_page(here, &page, &error), text);
    free(text);
    warplens_profile_free(here); /* nothing happens */
    assert_ptr_equal(warplens_profile_of(module, &error), here);
    assert_non_null(warplens_profile_result(here, 0));
    warplens_forget(module);
    assert_int_equal(warplens_profile_count(here), 0);
    warplens_profile_free(file);
    warplens_free(module);
}

static void test_errors(void **state) {
    const Files *files = *state;
    WarplensError error;
    assert_null(warplens_profile_read("nothing.wlp", &error));
    assert_int_equal(error.status, WARPLENS_BAD_FILE);
    assert_non_null(strstr(error.message, "nothing.wlp"));
    assert_null(warplens_profile_read(PATTERNS, &error));
    assert_int_equal(error.status, WARPLENS_BAD_FILE);
    assert_null(warplens_profile_read(NULL, &error));
    assert_null(warplens_profile_of(NULL, &error));
    assert_null(warplens_page(NULL, NULL, &error));
    assert_int_equal(error.status, WARPLENS_BAD_ARGUMENT);
    WarplensProfile *profile = warplens_profile_read(files->before, &error);
    const uint32_t seven = 7;
    const struct {
        WarplensPage page;
        const char *message;
    } wrong[] = {{{.format = "pdf"}, "there is no format 'pdf': term, html"},
                 {{.pages = "summary,first"}, "there is no page 'first'"},
                 {{.pages = ""}, "there is no page ''"},
                 {{.launch = &seven}, "there is no launch 7"},
                 {{.kernel = "nobody"}, "no launch of a kernel"},
                 {{.sort = "beauty"}, "cannot sort by \"beauty\""},
                 {{.line = "x.cu:"}, "a line is N or FILE:N"},
                 {{.line = "0"}, "a line is N or FILE:N"},
                 {{.line = "none.cu:3"}, "none.cu:3"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_null(warplens_page(profile, &wrong[i].page, &error));
        assert_int_equal(error.status, WARPLENS_BAD_ARGUMENT);
        if (!strstr(error.message, wrong[i].message))
            fail_msg("%s: %s", wrong[i].message, error.message);
    }
    assert_null(warplens_page(profile, &wrong[0].page, NULL));
    assert_non_null(warplens_page(profile, NULL, &error)); /* it is as it was */
    assert_int_equal(error.status, WARPLENS_OK);
    warplens_profile_free(profile);
    warplens_profile_free(NULL);
    assert_int_equal(warplens_profile_count(NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages),     cmocka_unit_test(test_comparison),
        cmocka_unit_test(test_judgement), cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_results),   cmocka_unit_test(test_of_module),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
