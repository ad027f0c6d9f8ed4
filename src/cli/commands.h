/* The commands of warplens: one row in main.c, one file each. */
#pragma once

/* argv[0] is "warplens COMMAND". Return the exit status; README.md lists them. */
int command_kernel(int argc, char **argv);
int command_run(int argc, char **argv);
int command_report(int argc, char **argv);
int command_check(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_model(int argc, char **argv);
int command_ops(int argc, char **argv);
int command_gpus(int argc, char **argv);

/* Exit statuses of every command. */
enum {
    EXIT_FINE = 0,
    EXIT_DIFFERS = 1,      /* a comparison that was asked for failed: --check, check, model */
    EXIT_FAULTED = 2,      /* the kernel faulted; what ran before is in the profile */
    EXIT_UNUSABLE = 3,     /* options, files or input that cannot be used */
    EXIT_INTERRUPTED = 130 /* by Ctrl-C; what ran before is in the profile */
};
