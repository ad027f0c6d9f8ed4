/* The project's root, which files are its own, and at which line a site is counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sample_profile.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const LineCounts *line_of(const LineCounts *lines, uint32_t count, uint32_t file,
                                 uint32_t line) {
    for (uint32_t i = 0; i < count; i++)
        if (lines[i].file == file && lines[i].line == line)
            return &lines[i];
    return NULL;
}

/* The sample's copy.h:12 is inlined into copy.h:21 and into sgemm.cu. */
static void a_site_is_counted_at_the_first_line_of_the_project(void **state) {
    (void)state;
    Profile *profile = sample_profile();
    Arena *arena = arena_new();
    uint32_t count, gemm = profile_file(profile, "samples/sgemm/sgemm.cu"),
                    copy = profile_file(profile, "samples/sgemm/copy.h");
    profile->files.at[copy].toolkit = true;
    profile_set_root(profile, "/anywhere");
    LineCounts *lines = profile_lines(arena, profile, LAUNCH_GEMM, &count);
    assert_int_equal(line_of(lines, count, copy, 12)->own.requests, 0);
    assert_int_equal(line_of(lines, count, copy, 12)->total.wavefronts, 8192 * 17);
    assert_int_equal(line_of(lines, count, gemm, 30)->own.wavefronts, 8192 * 8);
    assert_int_equal(line_of(lines, count, gemm, 32)->own.wavefronts, 8192 * 9);
    uint64_t own = 0;
    for (uint32_t i = 0; i < count; i++)
        own += lines[i].own.wavefronts;
    assert_int_equal(own, profile_total(profile, LAUNCH_GEMM, NULL).wavefronts);
    arena_free(arena);
    profile_free(profile);
}

static void the_instructions_own_line_is_kept(void **state) {
    (void)state;
    Profile *profile = profile_new();
    uint32_t user = profile_file(profile, "/p/a.cu"), header = profile_file(profile, "/cuda/m.hpp");
    uint32_t call = profile_location(profile, user, 9, 1, NULL, NONE);
    uint32_t inside = profile_location(profile, header, 91, 1, "ns::load(int)", call);
    uint32_t nowhere = profile_location(profile, user, 0, 0, NULL, call);
    profile_set_root(profile, "/p/");
    SitePlace place = site_place(profile, &(Site){.location = inside});
    assert_int_equal(place.file, user);
    assert_int_equal(place.line, 9);
    assert_int_equal(place.location, call);
    assert_int_equal(place.inner, inside);
    place = site_place(profile, &(Site){.location = call});
    assert_int_equal(place.line, 9);
    assert_int_equal(place.inner, NONE);
    place = site_place(profile, &(Site){.location = nowhere}); /* line 0 is passed over */
    assert_int_equal(place.line, 9);
    place = site_place(profile, &(Site){.location = NONE, .ptx_line = 5});
    assert_int_equal(place.file, NONE);
    assert_int_equal(place.line, 5);
    profile_set_root(profile, "/q"); /* nothing is the project's */
    place = site_place(profile, &(Site){.location = inside});
    assert_int_equal(place.file, header);
    assert_int_equal(place.inner, NONE);
    profile_free(profile);
}

static void paths_lie_below_a_root(void **state) {
    (void)state;
    static const struct {
        const char *root, *path, *shown;
        bool own;
    } cases[] = {
        {"/p", "/p/a.cu", "a.cu", true},
        {"/p/.", "/p/build/../src//a.cu", "src/a.cu", true},
        {"/p", "/p/../q/a.cu", "/q/a.cu", false},
        {"/p", "/pq/a.cu", "/pq/a.cu", false},
        {"/p", "./a.cu", "a.cu", true}, /* relative to where it was compiled */
        {"/p", "../../a.cu", "../../a.cu", false},
        {"/p", "b/../../a.cu", "../a.cu", false},
        {"/", "/p/a.cu", "/p/a.cu", true},
        {"/p", "/../a.cu", "/a.cu", false},
    };
    Arena *arena = arena_new();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Profile *profile = profile_new();
        profile_file(profile, cases[i].path);
        profile_set_root(profile, cases[i].root);
        assert_string_equal(profile_path(arena, profile, cases[i].path), cases[i].shown);
        assert_int_equal(profile->own[0], cases[i].own);
        profile_free(profile);
    }
    arena_free(arena);
}

static const char *touch(Arena *arena, const char *folder, const char *name) {
    const char *path = arena_printf(arena, "%s/%s", folder, name);
    assert_true(file_write(path, "", 0));
    return path;
}

static const char *make(Arena *arena, const char *folder, const char *name) {
    const char *path = arena_printf(arena, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static void the_root_is_the_sources_folder_or_repository(void **state) {
    (void)state;
    char top[] = "/tmp/warplens-root-XXXXXX";
    Arena *arena = arena_new();
    assert_non_null(mkdtemp(top));
    const char *src = make(arena, top, "src"), *lib = make(arena, top, "lib");
    const char *venv = make(arena, top, "venv"), *crt = make(arena, venv, "crt");
    touch(arena, venv, "cuda_runtime.h");
    Profile *profile = profile_new();
    uint32_t toolkit = profile_file(profile, touch(arena, crt, "mma.hpp"));
    uint32_t first = profile_file(profile, touch(arena, src, "a.cu"));
    uint32_t second = profile_file(profile, touch(arena, lib, "b.cu"));
    profile_find_root(profile);
    assert_string_equal(profile->root, top);
    assert_false(profile->own[toolkit]);
    assert_true(profile->own[first] && profile->own[second]);
    const char *git = make(arena, src, ".git");
    profile_find_root(profile);
    assert_string_equal(profile->root, src);
    assert_true(profile->own[first]);
    assert_false(profile->own[second]);
    const char *folders[] = {git, crt, venv, src, lib, top};
    const char *names[] = {"venv/crt/mma.hpp", "venv/cuda_runtime.h", "src/a.cu", "lib/b.cu"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_int_equal(unlink(arena_printf(arena, "%s/%s", top, names[i])), 0);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        assert_int_equal(rmdir(folders[i]), 0);
    profile_free(profile);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_site_is_counted_at_the_first_line_of_the_project),
        cmocka_unit_test(the_instructions_own_line_is_kept),
        cmocka_unit_test(paths_lie_below_a_root),
        cmocka_unit_test(the_root_is_the_sources_folder_or_repository),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
