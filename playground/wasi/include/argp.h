/* argp.h: the part of the C library's argp that warplens uses, over getopt_long: rows of options, a parser that is called for each, and
 * errors. --help prints the text around the options. (Definitions: wasi/argp.c.) */
#pragma once

#include <errno.h>
#include <stdio.h>

typedef int error_t;

#define OPTION_ARG_OPTIONAL 1
#define OPTION_HIDDEN 2
#define ARGP_NO_EXIT 0x20
#define ARGP_IN_ORDER 8
#define ARGP_ERR_UNKNOWN E2BIG
#define ARGP_KEY_ARG 0
#define ARGP_KEY_ARGS 0x1000006
#define ARGP_KEY_END 0x1000001
#define ARGP_KEY_NO_ARGS 0x1000002
#define ARGP_KEY_INIT 0x1000003
#define ARGP_KEY_SUCCESS 0x1000004

struct argp_state;
struct argp_option {
    const char *name;
    int key;
    const char *arg;
    int flags;
    const char *doc;
    int group;
};
struct argp {
    const struct argp_option *options;
    error_t (*parser)(int key, char *argument, struct argp_state *state);
    const char *args_doc, *doc;
};
struct argp_state {
    const struct argp *root_argp;
    int argc;
    char **argv;
    int next;
    unsigned flags;
    void *input;
    unsigned arg_num;
};

extern int argp_err_exit_status;
error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input);
/* "NAME: MESSAGE", and ends the program. */
void argp_error(const struct argp_state *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void argp_usage(const struct argp_state *state);
