/* Starts a program without a shell, waits, and brings back what it printed. Its output goes to a
 * file rather than through pipes: two pipes would need a loop that reads both, and nothing here is
 * read while it runs. */
#include "toolchain/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* posix_spawn's error number. */
static int start(const char *const *argv, const char *captured, const char *out, pid_t *child) {
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed)
        return failed;
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failed)
        failed = posix_spawn_file_actions_addopen(&actions, 2, captured, flags, 0600);
    if (!failed && out)
        failed = posix_spawn_file_actions_addopen(&actions, 1, out, flags, 0600);
    else if (!failed)
        failed = posix_spawn_file_actions_adddup2(&actions, 2, 1);
    /* posix_spawn takes char *const[] for historical reasons and does not write to it. */
    if (!failed)
        failed = posix_spawn(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* With `stop`, looks at it a hundred times a second. */
static int wait_for(pid_t child, volatile const int *stop) {
    const struct timespec nap = {.tv_nsec = 10000000};
    int status;
    for (pid_t ended; (ended = waitpid(child, &status, stop ? WNOHANG : 0)) != child;) {
        if (ended < 0 && errno != EINTR)
            return -1;
        if (stop && *stop)
            kill(child, SIGTERM);
        if (stop)
            nanosleep(&nap, NULL);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ProcessResult process_run(Arena *arena, const char *const *argv, const char *scratch,
                          const char *out) {
    return process_run_until(arena, argv, scratch, out, NULL);
}

ProcessResult process_run_until(Arena *arena, const char *const *argv, const char *scratch,
                                const char *out, volatile const int *stop) {
    const char *captured = arena_printf(arena, "%s/captured", scratch);
    pid_t child;
    int failed = start(argv, captured, out, &child);
    ProcessResult result = {.status = failed ? -1 : wait_for(child, stop), .output = ""};
    size_t size;
    char *text = file_read(arena, captured, &size);
    if (text) {
        while (size > 0 && text[size - 1] == '\n')
            text[--size] = 0;
        result.output = text;
    }
    unlink(captured);
    if (failed)
        errno = failed;
    return result;
}
