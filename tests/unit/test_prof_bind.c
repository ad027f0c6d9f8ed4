/* A value that SQLite does not take (memory ends) is none that a profile goes without: it is not written, whichever value it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "prof/store.h"
#include "sample_profile.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t values, refused; /* so far; the number of the one that is refused, 0: none */

#define BIND(function, parameters, arguments)                                                      \
    int __real_##function parameters;                                                              \
    int __wrap_##function parameters;                                                              \
    int __wrap_##function parameters {                                                             \
        return ++values == refused ? SQLITE_NOMEM : __real_##function arguments;                   \
    }
BIND(sqlite3_bind_blob, (sqlite3_stmt * s, int at, const void *v, int n, void (*end)(void *)),
     (s, at, v, n, end))
BIND(sqlite3_bind_text, (sqlite3_stmt * s, int at, const char *v, int n, void (*end)(void *)),
     (s, at, v, n, end))
BIND(sqlite3_bind_double, (sqlite3_stmt * s, int at, double v), (s, at, v))
BIND(sqlite3_bind_int64, (sqlite3_stmt * s, int at, sqlite3_int64 v), (s, at, v))
BIND(sqlite3_bind_int, (sqlite3_stmt * s, int at, int v), (s, at, v))

/* A launch of a kernel with one access, whose addresses are copied into the row. */
static Profile *small_profile(void) {
    Profile *profile = profile_new();
    const uint32_t at = profile_location(profile, profile_file(profile, "a.cu"), 1, 3, NULL, NONE);
    *vec_add(profile->arena, &profile->modules) = (ProfModule){.name = "a.ptx"};
    sample_kernel(profile, 0, "a", "a()", at, 1, 0);
    sample_site(profile, at, 2, SITE_LOAD, SITE_SHARED, 4, "ld.shared.u32 %r1, [%r2]");
    sample_launch(profile, 0, 1, 1, 32, 1, "h100")->counters[0] = sample_shared(1, 4, 1, 1);
    sample_pattern(profile, 0, 0, SITE_SHARED, 0, 4, 0, true);
    return profile;
}

static void all_values_or_no_file(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char directory[] = "/tmp/warplens-bind-XXXXXX";
    assert_non_null(mkdtemp(directory));
    const char *path = arena_printf(arena, "%s/a.wlp", directory);
    Profile *profile = small_profile();
    assert_true(profile_save(profile, path, diags_new(arena)));
    assert_int_equal(unlink(path), 0);
    const uint32_t all = values;
    assert_true(all > 50);
    for (uint32_t n = 1; n <= all; n++) {
        Diags *said = diags_new(arena);
        values = 0;
        refused = n;
        if (profile_save(profile, path, said))
            fail_msg("written without value %u of %u", n, all);
        assert_int_equal(said->errors, 1);
        assert_int_not_equal(access(path, F_OK), 0);
    }
    assert_int_equal(rmdir(directory), 0); /* no temporary file was left */
    profile_free(profile);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_values_or_no_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
