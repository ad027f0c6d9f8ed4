/* warplens: finds the command and hands over to it. */
#include "cli/commands.h"
#include "cli/ends.h"
#include "cli/engine.h"
#include "exec/exec.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(FILE *out) {
    fputs("Usage: warplens COMMAND [OPTION...]\n"
          "Shared-memory bank conflicts and uncoalesced global accesses of CUDA kernels,\n"
          "per source line, exactly, without a GPU.\n\n",
          out);
    for (unsigned i = 0; commands[i].name; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].text);
    fputs("\n'warplens COMMAND --help' explains a command. Example:\n"
          "  nvcc -lineinfo -o app app.cu && warplens run ./app\n"
          "  warplens report app.wlp --format html -o app.html\n",
          out);
}

static void print_version(void) {
    Arena *arena = arena_new();
    const char *why, *llvm = engine_llvm(arena, &why);
    puts("warplens " WARPLENS_VERSION);
    if (llvm)
        printf("engines: interpreter, JIT (LLVM %s)\n", llvm);
    else
        printf("engines: interpreter; no JIT: %s\n", why);
    arena_free(arena);
}

static bool check_cpu(void) {
    const char *wanted = getenv("WARPLENS_CPU");
    if (!wanted || strcmp(wanted, exec_cpu()) == 0)
        return true;
    plain_printf(
        stderr,
        "warplens: error: WARPLENS_CPU is '%s': expected x86-64-v2, x86-64-v3 or x86-64-v4, as "
        "far as this processor has it\n",
        wanted);
    return false;
}

/* A write beyond `ulimit -f` fails then, and what was begun is taken away; programs that are started have
 * the signal as it was. */
static void on_too_large(int number) {
    (void)number;
}

int run_command(int argc, char **argv) {
    signal(SIGXFSZ, on_too_large);
    ends_watch();
    if (argc < 2) {
        print_help(stderr);
        return EXIT_UNUSABLE;
    }
    if (!check_cpu())
        return EXIT_UNUSABLE;
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return EXIT_FINE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        print_version();
        return EXIT_FINE;
    }
    for (unsigned i = 0; commands[i].name; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            char whole[64];
            snprintf(whole, sizeof whole, "warplens %s", commands[i].name);
            argv[1] = whole;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    plain_printf(stderr, "warplens: error: unknown command '%s'\n", name);
    print_help(stderr);
    return EXIT_UNUSABLE;
}
