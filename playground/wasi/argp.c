/* argp over getopt_long: see include/argp.h. What is printed of errors is what the C library's argp prints. */
#include <argp.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int argp_err_exit_status = 64;

enum { OPTIONS_MOST = 128 };

typedef struct Tables {
    struct option longs[OPTIONS_MOST + 1];
    char shorts[3 * OPTIONS_MOST];
} Tables;

static _Noreturn void end_with_hint(const struct argp_state *state) {
    const char *name = state->argv[0];
    fprintf(stderr, "Try `%s --help' or `%s --usage' for more\ninformation.\n", name, name);
    exit(argp_err_exit_status);
}

void argp_error(const struct argp_state *state, const char *format, ...) {
    va_list arguments;
    fprintf(stderr, "%s: ", state->argv[0]);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    end_with_hint(state);
}

void argp_usage(const struct argp_state *state) {
    const char *what = state->root_argp->args_doc;
    fprintf(stderr, "Usage: %s [OPTION...] %s\n", state->argv[0], what ? what : "");
    end_with_hint(state);
}

/* Keys of getopt_long are the options' own; 0 would end its loop. */
static void fill(const struct argp *argp, Tables *tables) {
    uint32_t count = 0;
    char *at = tables->shorts;
    *at++ = ':'; /* tells what lacks an argument from what is not known */
    const struct argp_option *option = argp->options;
    for (; option && (option->name || option->key || option->doc); option++) {
        int argument = !option->arg                          ? no_argument
                       : option->flags & OPTION_ARG_OPTIONAL ? optional_argument
                                                             : required_argument;
        if (option->name && count < OPTIONS_MOST)
            tables->longs[count++] = (struct option){option->name, argument, NULL, option->key};
        if (option->key > ' ' && option->key < 127) {
            *at++ = (char)option->key;
            for (int colons = 0; colons < argument; colons++)
                *at++ = ':';
        }
    }
    *at = 0;
}

static void print_help(const struct argp *argp, const char *name) {
    const char *doc = argp->doc ? argp->doc : "", *after = strchr(doc, '\v');
    int before = after ? (int)(after - doc) : (int)strlen(doc);
    printf("Usage: %s [OPTION...] %s\n%.*s\n\n", name, argp->args_doc ? argp->args_doc : "", before,
           doc);
    const struct argp_option *option = argp->options;
    for (; option && (option->name || option->key || option->doc); option++)
        if (!(option->flags & OPTION_HIDDEN) && option->name)
            printf("  --%s%s%s\n      %s\n", option->name, option->arg ? "=" : "",
                   option->arg ? option->arg : "", option->doc ? option->doc : "");
    printf("\n%s\n", after ? after + 1 : "");
}

static error_t tell(struct argp_state *state, int key, char *argument) {
    return state->root_argp->parser ? state->root_argp->parser(key, argument, state)
                                    : ARGP_ERR_UNKNOWN;
}

/* The words of the C library of Linux. */
static _Noreturn void end_wrong(const struct argp_state *state, bool lacks) {
    const char *word = state->argv[optind - 1];
    if (word[0] != '-' || word[1] != '-')
        fprintf(stderr, "%s: %s -- '%c'\n", state->argv[0],
                lacks ? "option requires an argument" : "invalid option", optopt);
    else
        fprintf(stderr, "%s: %s '%s'%s\n", state->argv[0], lacks ? "option" : "unrecognized option",
                word, lacks ? " requires an argument" : "");
    end_with_hint(state);
}

static void take_options(struct argp_state *state) {
    Tables *tables = calloc(1, sizeof *tables);
    fill(state->root_argp, tables);
    opterr = 0;
    for (int i = 1; i < state->argc && strcmp(state->argv[i], "--") != 0; i++)
        if (strcmp(state->argv[i], "--help") == 0) {
            print_help(state->root_argp, state->argv[0]);
            exit(0);
        }
    for (int key; (key = getopt_long(state->argc, state->argv, tables->shorts, tables->longs,
                                     NULL)) != -1;) {
        if (key == '?' || key == ':')
            end_wrong(state, key == ':');
        tell(state, key, optarg);
    }
    free(tables);
}

error_t argp_parse(const struct argp *argp, int argc, char **argv, unsigned flags, int *index,
                   void *input) {
    (void)index;
    struct argp_state state = {
        .root_argp = argp, .argc = argc, .argv = argv, .flags = flags, .input = input};
    tell(&state, ARGP_KEY_INIT, NULL);
    take_options(&state);
    for (state.next = optind; state.next < argc;) {
        int at = state.next++;
        if (tell(&state, ARGP_KEY_ARG, argv[at]) != ARGP_ERR_UNKNOWN) {
            state.arg_num++;
            continue;
        }
        state.next = at;
        if (tell(&state, ARGP_KEY_ARGS, NULL) == ARGP_ERR_UNKNOWN)
            argp_error(&state, "Too many arguments");
        state.arg_num += (unsigned)(argc - at);
        state.next = argc;
    }
    if (!state.arg_num)
        tell(&state, ARGP_KEY_NO_ARGS, NULL);
    tell(&state, ARGP_KEY_END, NULL);
    tell(&state, ARGP_KEY_SUCCESS, NULL);
    return 0;
}
