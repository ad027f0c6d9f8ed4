/* How the process ends where memory or what it prints to fails. */
#include "cli/ends.h"

#include "base/base.h"
#include "cli/commands.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *unfinished;

void ends_unfinished(const char *path) {
    unfinished = path;
}

void ends_out_of_memory(void *unused) {
    (void)unused;
    static const char text[] = "warplens: error: out of memory\n";
    (void)!write(STDERR_FILENO, text, sizeof text - 1);
    if (unfinished)
        unlink(unfinished);
    _exit(EXIT_UNUSABLE);
}

static void *json_alloc(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        ends_out_of_memory(NULL);
    return memory;
}

/* At exit, which argp's --help takes as well. Nobody reads what a closed pipe has lost. */
static void close_output(void) {
    bool failed = ferror(stdout);
    errno = 0;
    failed |= fclose(stdout) != 0;
    if (!failed)
        return;
    if (errno != EPIPE)
        fprintf(stderr, "warplens: error: standard output: %s\n",
                errno ? strerror(errno) : "cannot be written");
    _exit(EXIT_UNUSABLE);
}

void ends_watch(void) {
    json_set_alloc_funcs(json_alloc, free);
    atexit(close_output);
}
