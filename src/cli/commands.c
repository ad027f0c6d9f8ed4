/* The commands, and `warplens manual`, which prints what is made of them: the manual page, with --bash and
 * --zsh completions. All come from commands.def, exits.def and the options that the commands parse, so none
 * can be out of date. */
#include "cli/manual.h"
#include "cli/options.h"

const Command commands[] = {
#define COMMAND(name, text) {#name, text, command_##name, &name##_argp},
#include "cli/commands.def"
    {0}};

/* ---- warplens manual ---- */

enum { KEY_BASH = 256, KEY_ZSH };

typedef struct ManualRun {
    void (*print)(FILE *out, const Command *list);
} ManualRun;

static const struct argp_option option_list[] = {
    {"bash", KEY_BASH, NULL, 0, "the completion for bash", 0},
    {"zsh", KEY_ZSH, NULL, 0, "the completion for zsh", 0},
    {0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state) {
    (void)argument;
    ManualRun *run = state->input;
    switch (key) {
    case KEY_BASH:
        run->print = completion_bash;
        return 0;
    case KEY_ZSH:
        run->print = completion_zsh;
        return 0;
    default:
        return option_nothing(key, state);
    }
}

const struct argp manual_argp = {
    .options = option_list,
    .parser = parse_option,
    .doc = "Print the manual page, or completions.\v"
           "Examples:\n"
           "  warplens manual > warplens.1 && man ./warplens.1\n"
           "  eval \"$(warplens manual --bash)\"\n"
           "  warplens manual --zsh > ~/.zfunc/_warplens\n\n"
           "Exit status: 0, or 3 if an option cannot be used.",
};

int command_manual(int argc, char **argv) {
    ManualRun run = {.print = manual_page};
    if (!options_parse(&manual_argp, argc, argv, 0, &run))
        return EXIT_UNUSABLE;
    run.print(stdout, commands);
    return EXIT_FINE;
}
