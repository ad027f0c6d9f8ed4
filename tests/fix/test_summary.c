/* The table of all changes: a column of times where a kernel was measured on a GPU, and none elsewhere. */
#include "cli/fix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#define SourceLocation CmockaSourceLocation /* which is ours, too */
#include <cmocka.h>

/* Of fix_print.c, for rows of layouts: there are none here. */
const char *percent_words(Arena *arena, uint64_t is, uint64_t was) {
    return arena_printf(arena, "%d", is > was);
}

/* What it prints of two changes. */
static const char *printed(Arena *arena, FixTime time) {
    FixSummary summary = {0};
    *vec_add(arena, &summary.rows) = (FixSummaryRow){.before = 100,
                                                     .then = 90,
                                                     .unit = "wavefronts",
                                                     .array = "b in k",
                                                     .change = "padding",
                                                     .proven = "yes"};
    *vec_add(arena, &summary.rows) = (FixSummaryRow){.before = 4000,
                                                     .then = 1000,
                                                     .unit = "sectors",
                                                     .array = "a in k",
                                                     .change = "columns",
                                                     .time = time,
                                                     .proven = "yes"};
    FILE *file = tmpfile();
    fflush(stdout);
    int copy = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    fix_print_summary(arena, &summary);
    fflush(stdout);
    dup2(copy, STDOUT_FILENO);
    close(copy);
    char *text = NEW_ARRAY(arena, char, 4096);
    rewind(file);
    text[fread(text, 1, 4095, file)] = 0;
    fclose(file);
    return text;
}

static void test_times(void **state) {
    (void)state;
    Arena *arena = arena_new();
    const char *with = printed(arena, (FixTime){33.4e-6, 16.6e-6}),
               *without = printed(arena, (FixTime){0, 0});
    assert_non_null(strstr(with, "us of the kernel proven"));
    assert_non_null(strstr(with, "3,000 sectors        33.40 to 16.60    yes  a in k: columns"));
    assert_non_null(strstr(with, "10 wavefronts                  -    yes  b in k: padding"));
    assert_null(strstr(without, " us "));
    assert_non_null(strstr(without, "3,000 sectors       yes  a in k: columns"));
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
