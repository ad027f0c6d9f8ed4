/* The commands of warplens: one row in commands.def, one file each. */
#pragma once

#include <argp.h>

/* argv[0] is "warplens COMMAND". Return the exit status. The argp is what the help, the manual page
 * and the completions are made of. */
#define COMMAND(name, text)                                                                        \
    int command_##name(int argc, char **argv);                                                     \
    extern const struct argp name##_argp;
#include "cli/commands.def"

typedef struct Command {
    const char *name, *text;
    int (*run)(int argc, char **argv);
    const struct argp *argp;
} Command;
extern const Command commands[]; /* name NULL at the end */

/* Finds the command and hands over to it. Returns the exit status. */
int run_command(int argc, char **argv);

/* Exit statuses of every command. */
enum {
#define EXIT_ROW(name, status, commands, text) EXIT_##name = (status),
#include "cli/exits.def"
};
