/* warplens: finds the command and hands over to it. */
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *text;
} Command;

static const Command commands[] = {
    {"kernel", command_kernel, "run one kernel of a .ptx or .cu file or a program and profile it"},
    {"run", command_run, "run a CUDA program without a GPU and profile its kernels"},
    {"report", command_report, "show a profile again: summary, details, source, raw"},
    {"diff", command_diff, "compare two profiles: launches, lines, counters"},
    {"check", command_check, "fail where lines break limits or are worse than in a baseline"},
    {"model", command_model, "evaluate the memory model on tables of lane addresses"},
    {"ops", command_ops, "list the PTX instructions that are supported"},
    {"gpus", command_gpus, "list the GPUs that --gpu knows"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out) {
    fputs(
        "Usage: warplens COMMAND [OPTION...]\n"
        "Shared-memory bank conflicts and uncoalesced global accesses of CUDA kernels, per source\n"
        "line, exactly, without a GPU.\n\nCommands:\n",
        out);
    for (unsigned i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].text);
    fputs("\n'warplens COMMAND --help' explains a command. Example:\n"
          "  warplens kernel transpose.cu -k transposeTiled --grid 32,32 --block 32,8 \\\n"
          "      --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024\n",
          out);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        print_help(stderr);
        return EXIT_UNUSABLE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return EXIT_FINE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("warplens " WARPLENS_VERSION);
        return EXIT_FINE;
    }
    for (unsigned i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            char whole[64];
            snprintf(whole, sizeof whole, "warplens %s", commands[i].name);
            argv[1] = whole;
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    fprintf(stderr, "warplens: error: unknown command '%s'\n", name);
    print_help(stderr);
    return EXIT_UNUSABLE;
}
