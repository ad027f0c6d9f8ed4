/* Links to the documentation, as in a build that was told where it is on the web: its help.c is compiled into
 * this program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/report.h"
#include "rules/help.c"
#include "sample_profile.h"

#include <stdlib.h>

static void test_report(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    Arena *arena = arena_new();
    Profile *profile = sample_profile();
    assert_non_null(out);
    assert_true(
        report_print(profile, report_format("json"), &REPORT_DEFAULTS, out, diags_new(arena)));
    fclose(out);
    assert_non_null(strstr(text, "\"help\": \"https://docs.test/rules/bank-conflicts.md\""));
    assert_non_null(strstr(text, "\"means\": \"Shared memory has 32 banks;"));
    free(text);
    profile_free(profile);
    arena_free(arena);
}

static void test_sarif(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    Profile *profile = sample_profile();
    assert_non_null(out);
    gate_format("sarif")->write(&(GateResult){.profile = profile, .version = "0.0.0"},
                                &REPORT_DEFAULTS, out);
    fclose(out);
    assert_non_null(strstr(text, "\"helpUri\": \"https://docs.test/rules/check.md#max-nway\""));
    assert_non_null(strstr(text, "[More](https://docs.test/rules/check.md#max-nway)"));
    free(text);
    profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_report), cmocka_unit_test(test_sarif)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
