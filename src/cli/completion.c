/* Completions for bash and zsh: the commands, their options, and the values of options that take one
 * of a few words. */
#include "cli/commands.h"
#include "cli/manual.h"
#include "isa/isa.h"
#include "report/report.h"

#include <stdbool.h>
#include <string.h>

/* ---- values of options ---- */

static void put_pages(FILE *out) {
    for (unsigned i = 0; i < PAGE_COUNT; i++)
        fprintf(out, "%s ", report_pages[i].name);
    fputs("all none", out);
}

static void put_formats(FILE *out) {
    for (const ReportFormat *format = report_formats; format->name; format++)
        fprintf(out, "%s%s", format == report_formats ? "" : " ", format->name);
}

static void put_diff_formats(FILE *out) {
    for (const DiffFormat *format = diff_formats; format->name; format++)
        fprintf(out, "%s%s", format == diff_formats ? "" : " ", format->name);
}

static void put_gate_formats(FILE *out) {
    for (const GateFormat *format = gate_formats; format->name; format++)
        fprintf(out, "%s%s", format == gate_formats ? "" : " ", format->name);
}

static void put_gpus(FILE *out) {
    for (uint32_t i = 0; i < gpu_count(); i++)
        fprintf(out, "%s%s", i ? " " : "", gpu_at(i)->name);
}

static void put_when(FILE *out) {
    fputs("auto always never", out);
}

static const struct {
    const char *command; /* NULL: of every command */
    const char *option;
    void (*values)(FILE *out);
} choices[] = {
    {NULL, "color", put_when},
    {NULL, "page", put_pages},
    {NULL, "gpu", put_gpus},
    {"report", "format", put_formats},
    {"diff", "format", put_diff_formats},
    {"check", "format", put_gate_formats},
};

static void (*values_of(const char *command, const char *option))(FILE *out) {
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        if (strcmp(choices[i].option, option) == 0 &&
            (!choices[i].command || strcmp(choices[i].command, command) == 0))
            return choices[i].values;
    }
    return NULL;
}

/* The option or the next one that is shown; NULL: there is none. */
static const struct argp_option *shown(const struct argp_option *option) {
    while (option && option->name && option->flags & OPTION_HIDDEN)
        option++;
    return option && option->name ? option : NULL;
}

static const struct argp_option *first_of(const Command *command) {
    return shown(command->argp->options);
}

static const struct argp_option *next_of(const struct argp_option *option) {
    return shown(option + 1);
}

static bool has_letter(const struct argp_option *option) {
    return option->key > ' ' && option->key < 127;
}

static void put_command_names(FILE *out, const Command *list) {
    for (const Command *command = list; command->name; command++)
        fprintf(out, "%s%s", command == list ? "" : " ", command->name);
}

/* ---- bash ---- */

static void put_bash_options(FILE *out, const Command *command) {
    fprintf(out, "    %s) options='", command->name);
    for (const struct argp_option *option = first_of(command); option; option = next_of(option))
        fprintf(out, "--%s ", option->name);
    fputs("--help --usage' ;;\n", out);
}

static void put_bash_values(FILE *out, const Command *command) {
    for (const struct argp_option *option = first_of(command); option; option = next_of(option)) {
        void (*values)(FILE *) = values_of(command->name, option->name);
        if (!values)
            continue;
        fprintf(out, "    %s,--%s", command->name, option->name);
        if (has_letter(option))
            fprintf(out, " | %s,-%c", command->name, option->key);
        fputs(") options='", out);
        values(out);
        fputs("' ;;\n", out);
    }
}

void completion_bash(FILE *out, const Command *list) {
    fputs("# Completion of warplens for bash: made by 'warplens manual --bash'.\n"
          "_warplens() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        options='",
          out);
    put_command_names(out, list);
    fputs(" --help --version'\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    if [[ $word == = ]]; then # --page= is two words\n"
          "        word=\n"
          "    elif [[ $before == = ]]; then\n"
          "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    fi\n"
          "    case ${COMP_WORDS[1]},$before in\n",
          out);
    for (const Command *command = list; command->name; command++)
        put_bash_values(out, command);
    fputs("    esac\n"
          "    if [[ -z $options && $word == -* ]]; then\n"
          "        case ${COMP_WORDS[1]} in\n",
          out);
    for (const Command *command = list; command->name; command++) {
        fputs("    ", out);
        put_bash_options(out, command);
    }
    fputs("        esac\n"
          "    fi\n"
          "    [[ -z $options ]] || COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "}\n"
          "complete -o bashdefault -o default -F _warplens warplens\n",
          out);
}

/* ---- zsh ---- */

/* Inside single quotes and brackets of a specification. */
static void put_zsh_text(FILE *out, const char *text) {
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            putc(*text, out);
    }
}

/* What an option takes: ":NAME:(one two)" or ":NAME:_files". */
static void put_zsh_argument(FILE *out, const Command *command, const struct argp_option *option) {
    void (*values)(FILE *) = values_of(command->name, option->name);
    if (!option->arg)
        return;
    putc(':', out);
    put_zsh_text(out, option->arg);
    putc(':', out);
    if (values) {
        putc('(', out);
        values(out);
        putc(')', out);
    } else if (strstr(option->arg, "FILE")) {
        fputs("_files", out);
    }
}

static void put_zsh_spelling(FILE *out, const Command *command, const struct argp_option *option,
                             bool letter) {
    if (letter)
        fprintf(out, " \\\n            '*-%c%s[", option->key, option->arg ? "+" : "");
    else
        fprintf(out, " \\\n            '*--%s%s[", option->name, option->arg ? "=" : "");
    put_zsh_text(out, option->doc);
    putc(']', out);
    put_zsh_argument(out, command, option);
    putc('\'', out);
}

/* What stands beside the options. Behind a program everything is its own ("*::"); behind a file
 * options are offered, too. */
static void put_zsh_words(FILE *out, const Command *command) {
    const char *words = command->argp->args_doc;
    if (!words)
        return;
    if (strncmp(words, "PROGRAM", strlen("PROGRAM")) == 0)
        fputs(" \\\n            '(-):program:_command_names -e' '*::arguments:_normal'", out);
    else if (strstr(words, ".wlp"))
        fputs(" \\\n            '*:profile:_files -g \"*.wlp\"'", out);
    else
        fputs(" \\\n            '*:file:_files'", out);
}

static void put_zsh_command(FILE *out, const Command *command) {
    fprintf(out, "    %s)\n        _arguments", command->name);
    for (const struct argp_option *option = first_of(command); option; option = next_of(option)) {
        if (has_letter(option))
            put_zsh_spelling(out, command, option, true);
        put_zsh_spelling(out, command, option, false);
    }
    fputs(" \\\n            '--help[print the help]' '--usage[print the options alone]'", out);
    put_zsh_words(out, command);
    fputs("\n        ;;\n", out);
}

void completion_zsh(FILE *out, const Command *list) {
    fputs("#compdef warplens\n"
          "# Completion of warplens for zsh: made by 'warplens manual --zsh'.\n"
          "_warplens() {\n"
          "    local -a commands=(\n",
          out);
    for (const Command *command = list; command->name; command++) {
        fprintf(out, "        '%s:", command->name);
        put_zsh_text(out, command->text);
        fputs("'\n", out);
    }
    fputs("    )\n"
          "    if ((CURRENT == 2)); then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    shift words\n"
          "    ((CURRENT--))\n"
          "    case $words[1] in\n",
          out);
    for (const Command *command = list; command->name; command++)
        put_zsh_command(out, command);
    fputs("    esac\n"
          "}\n"
          "_warplens \"$@\"\n",
          out);
}
