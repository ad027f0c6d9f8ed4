/* Files, diagnostics and workers. */
#include "base/base.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void files_come_back_whole(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char directory[] = "/tmp/warplens-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    const char *path = arena_printf(arena, "%s/file", directory);
    char *data = NEW_ARRAY(arena, char, 300000);
    for (size_t i = 0; i < 300000; i++)
        data[i] = (char)(i * 7 % 251);
    size_t size;
    for (size_t length = 0; length <= 300000; length += 100000) {
        assert_true(file_write(path, data, length));
        char *text = file_read(arena, path, &size);
        assert_non_null(text);
        assert_int_equal(size, length);
        assert_memory_equal(text, data, length);
        assert_int_equal(text[length], 0);
    }
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* no temporary file was left */
    arena_free(arena);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode & 0777;
}

/* A new file gets what the umask leaves, one that is replaced keeps its mode, a link stays a link. */
static void files_keep_mode_and_links(void **state) {
    (void)state;
    Arena *arena = arena_new();
    char directory[] = "/tmp/warplens-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    const char *path = arena_printf(arena, "%s/file", directory);
    const char *name = arena_printf(arena, "%s/link", directory);
    mode_t before = umask(027);
    assert_true(file_write(path, "a", 1));
    umask(before);
    assert_int_equal(mode_of(path), 0640);
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(symlink("file", name), 0);
    assert_true(file_write(name, "bc", 2));
    assert_int_equal(mode_of(path), 0400);
    struct stat status;
    assert_int_equal(lstat(name, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    size_t size;
    assert_string_equal(file_read(arena, path, &size), "bc");
    unlink(name);
    unlink(path);
    assert_int_equal(rmdir(directory), 0);
    arena_free(arena);
}

/* A device is written to, not replaced. */
static void devices_stay(void **state) {
    (void)state;
    Arena *arena = arena_new();
    NewFile file;
    char directory[] = "/tmp/warplens-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    const char *name = arena_printf(arena, "%s/null", directory);
    assert_int_equal(symlink("/dev/null", name), 0);
    assert_true(file_write(name, "x", 1));
    assert_false(new_file_begin(arena, name, &file));
    assert_int_equal(errno, ENOTSUP);
    struct stat status;
    assert_int_equal(stat(name, &status), 0);
    assert_true(S_ISCHR(status.st_mode));
    unlink(name);
    assert_int_equal(rmdir(directory), 0);
    arena_free(arena);
}

static void file_errors_say_why(void **state) {
    (void)state;
    Arena *arena = arena_new();
    size_t size;
    assert_null(file_read(arena, "/nonexistent/file", &size));
    assert_int_equal(errno, ENOENT);
    assert_null(file_read(arena, "/", &size));
    assert_int_equal(errno, EISDIR);
    assert_false(file_write("/nonexistent/file", "x", 1));
    assert_int_equal(errno, ENOENT);
    assert_non_null(file_read(arena, "/proc/self/status", &size)); /* its size is said to be 0 */
    assert_true(size > 100);
    arena_free(arena);
}

/* A write that cannot finish leaves the old file and nothing else: here the target is a folder. */
static void failed_write_leaves_nothing(void **state) {
    (void)state;
    char directory[] = "/tmp/warplens-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    Arena *arena = arena_new();
    const char *target = arena_printf(arena, "%s/folder", directory);
    assert_int_equal(mkdir(target, 0700), 0);
    assert_false(file_write(target, "x", 1));
    assert_int_equal(rmdir(target), 0);
    assert_int_equal(rmdir(directory), 0);
    arena_free(arena);
}

static const char *printed(Arena *arena, const Diags *diags) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    diags_print(diags, out, false);
    fclose(out);
    const char *copy = arena_copy(arena, text, size);
    free(text);
    return copy;
}

static void printed_text_is_whole(void **state) {
    (void)state;
    Arena *arena = arena_new();
    PrintedText printed;
    printed_begin(&printed, arena);
    assert_string_equal(printed_end(&printed), "");
    FILE *out = printed_begin(&printed, arena);
    for (int i = 0; i < 10000; i++)
        fprintf(out, "%04d\n", i);
    const char *text = printed_end(&printed);
    assert_int_equal(strlen(text), 50000);
    for (int i = 0; i < 10000; i++)
        assert_int_equal(strtol(text + (ptrdiff_t)5 * i, NULL, 10), i);
    arena_free(arena);
}

static void diagnostics_show_the_line(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    const char *text = ".version 9.0\n\tadd.u23 %r1, %r2;\r\nret;";
    Place place = {.file = "a.ptx", .text = text, .line = 2, .column = 2, .length = 7};
    diags_add(diags, DIAG_ERROR, place, "unknown instruction %s", "add.u23");
    place = (Place){.file = "a.ptx", .text = text, .line = 3};
    diags_add(diags, DIAG_WARNING, place, "the end");
    place.line = 9; /* behind the end of the text */
    diags_add(diags, DIAG_NOTE, place, "nothing there");
    diags_error(diags, "no such file");
    assert_int_equal(diags->errors, 2);
    assert_int_equal(diags->warnings, 1);
    assert_string_equal(printed(arena, diags), "a.ptx:2:2: error: unknown instruction add.u23\n"
                                               "  \tadd.u23 %r1, %r2;\n"
                                               "  \t^~~~~~~\n"
                                               "a.ptx:3: warning: the end\n"
                                               "a.ptx:9: note: nothing there\n"
                                               "warplens: error: no such file\n");
    arena_free(arena);
}

static void diagnostics_survive_wrong_columns(void **state) {
    (void)state;
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Place place = {"a", "short", 1, 1000, 1000};
    diags_add(diags, DIAG_ERROR, place, "x");
    assert_string_equal(printed(arena, diags), "a:1:1000: error: x\n  short\n       ^\n");
    arena_free(arena);
}

enum { WORKERS = 7 };
static void count_worker(void *context, uint32_t worker) {
    atomic_uint *runs = context;
    atomic_fetch_add(&runs[worker], 1);
}

static void every_worker_runs_once(void **state) {
    (void)state;
    atomic_uint runs[WORKERS + 1] = {0};
    workers_run(WORKERS, count_worker, runs);
    for (uint32_t i = 0; i < WORKERS; i++)
        assert_int_equal(runs[i], 1);
    assert_int_equal(runs[WORKERS], 0);
    workers_run(0, count_worker, runs);
    assert_int_equal(runs[0], 1);
    assert_true(workers_default() >= 1);
}

static void note_thread(void *context, uint32_t worker) {
    _Atomic pid_t *threads = context;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    threads[worker] =
        sigismember(&blocked, SIGTERM) && !sigismember(&blocked, SIGSEGV) ? gettid() : 0;
}

static void threads_are_kept(void **state) {
    (void)state;
    _Atomic pid_t first[WORKERS] = {0}, second[WORKERS] = {0}, other;
    workers_join(workers_start(1, WORKERS - 1, note_thread, first));
    workers_join(workers_start(1, WORKERS - 1, note_thread, second));
    for (uint32_t i = 1; i < WORKERS; i++) {
        bool found = false;
        for (uint32_t j = 1; j < WORKERS; j++)
            found |= first[j] == second[i];
        assert_true(second[i] != 0 && found);
    }
    /* While one has work, another begins elsewhere. */
    Workers *one = workers_start(0, 1, note_thread, first),
            *two = workers_start(0, 1, note_thread, &other);
    workers_join(two);
    workers_join(one);
    assert_true(first[0] != other);
    assert_true(workers_cpu(NULL) == 0);
}

/* ThreadSanitizer ends a forked process that starts threads, unless it is told not to. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

static void a_forked_process_makes_its_own(void **state) {
    (void)state;
    _Atomic pid_t ours[WORKERS] = {0};
    workers_join(workers_start(1, WORKERS - 1, note_thread, ours));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        atomic_uint runs[WORKERS] = {0};
        alarm(60);
        for (uint32_t i = 0; i < 3; i++)
            workers_run(WORKERS, count_worker, runs);
        for (uint32_t i = 0; i < WORKERS; i++)
            if (runs[i] != 3)
                _exit(1);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    workers_join(workers_start(1, WORKERS - 1, note_thread, ours));
    assert_true(ours[1] != 0);
}

static void clocks_advance(void **state) {
    (void)state;
    double wall = clock_wall(), cpu = clock_cpu();
    for (volatile uint32_t i = 0; i < 1000000; i++)
        continue;
    assert_true(clock_wall() > wall);
    assert_true(clock_cpu() > cpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_back_whole),
        cmocka_unit_test(files_keep_mode_and_links),
        cmocka_unit_test(devices_stay),
        cmocka_unit_test(file_errors_say_why),
        cmocka_unit_test(failed_write_leaves_nothing),
        cmocka_unit_test(printed_text_is_whole),
        cmocka_unit_test(diagnostics_show_the_line),
        cmocka_unit_test(diagnostics_survive_wrong_columns),
        cmocka_unit_test(every_worker_runs_once),
        cmocka_unit_test(threads_are_kept),
        cmocka_unit_test(a_forked_process_makes_its_own),
        cmocka_unit_test(clocks_advance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
