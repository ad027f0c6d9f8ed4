/* The manual page, in roff. */
#include "cli/manual.h"

#include <stdbool.h>
#include <string.h>

/* A line of text: backslashes, hyphens and a leading dot mean themselves. */
static void put_line(FILE *out, const char *text, size_t length) {
    if (length && (*text == '.' || *text == '\''))
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\')
            fputs("\\e", out);
        else if (text[i] == '-')
            fputs("\\-", out);
        else
            putc(text[i], out);
    }
    putc('\n', out);
}

static void put_text(FILE *out, const char *text) {
    put_line(out, text, strlen(text));
}

/* What stands behind the options in a help: paragraphs, and examples, which are indented. */
static void put_lines(FILE *out, const char *text) {
    bool example = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool now = *text == ' ';
        if (now != example)
            fputs(now ? ".PP\n.EX\n" : ".EE\n.PP\n", out);
        example = now;
        if (length || example)
            put_line(out, text, length);
        else
            fputs(".PP\n", out);
        text += length + (text[length] == '\n');
    }
    if (example)
        fputs(".EE\n", out);
}

static void put_option(FILE *out, const struct argp_option *option) {
    bool letter = option->key > ' ' && option->key < 127;
    fputs(".TP\n", out);
    if (letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->key);
    fputs("\\fB\\-\\-", out);
    for (const char *at = option->name; *at; at++)
        fputs(*at == '-' ? "\\-" : (char[]){*at, 0}, out);
    fputs("\\fR", out);
    if (option->arg)
        fprintf(out, "=\\fI%s\\fR", option->arg);
    putc('\n', out);
    put_text(out, option->doc);
}

static void put_command(FILE *out, const Command *command) {
    const struct argp *argp = command->argp;
    const char *behind = strchr(argp->doc, '\v');
    fprintf(out, ".SS warplens %s%s%s%s\n", command->name, argp->options ? " [OPTION...]" : "",
            argp->args_doc ? " " : "", argp->args_doc ? argp->args_doc : "");
    put_line(out, argp->doc, behind ? (size_t)(behind - argp->doc) : strlen(argp->doc));
    for (const struct argp_option *option = argp->options; option && option->name; option++)
        if (!(option->flags & OPTION_HIDDEN))
            put_option(out, option);
    fputs(".PP\n", out);
    if (behind)
        put_lines(out, behind + 1);
}

static void put_exits(FILE *out) {
    static const struct {
        int status;
        const char *commands, *text;
    } rows[] = {
#define EXIT_ROW(name, status, commands, text) {status, commands, text},
#include "cli/exits.def"
    };
    fputs(".SH EXIT STATUS\n.TS\nlb lb lbx\nr l lx.\nstatus\tof\tmeans\n", out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fprintf(out, "%d\t%s\tT{\n", rows[i].status, rows[i].commands);
        put_text(out, rows[i].text);
        fputs("T}\n", out);
    }
    fputs("other\trun\tT{\nThat of the program; 128 + N where signal N ended it.\nT}\n.TE\n", out);
}

static const char tail[] =
    ".SH ENVIRONMENT\n"
    ".TP\n\\fBNO_COLOR\\fR\nIf set and not empty, nothing is coloured unless \\-\\-color asks for "
    "it.\n"
    ".TP\n\\fBPAGER\\fR\nWhat report shows pages with on a terminal (default: less \\-R).\n"
    ".TP\n\\fBCUDA_HOME\\fR\nWhere the CUDA compiler and its tools are looked for, besides PATH.\n"
    ".TP\n\\fBWARPLENS_NVCC\\fR, \\fBWARPLENS_PTXAS\\fR, \\fBWARPLENS_NVDISASM\\fR\n"
    "The tools themselves.\n"
    ".TP\n\\fBWARPLENS_BLAS\\fR\nThe file of a BLAS with LAPACK and 32-bit sizes, on which cuBLAS "
    "and "
    "cuSOLVER stand (default: the system's OpenBLAS).\n"
    ".TP\n\\fBWARPLENS_CACHE\\fR\nWhere answers of ptxas and nvdisasm and code of the JIT are kept "
    "(default: "
    "warplens/compilers in "
    "XDG_CACHE_HOME or\n~/.cache); empty: nowhere.\n"
    ".TP\n\\fBWARPLENS_MACHINE_CODE\\fR\nWhat kernel and run execute where "
    "\\-\\-machine\\-code is not given: auto (the default), off, on or require.\n"
    ".TP\n\\fBWARPLENS_CPU\\fR\n"
    "The level of the processor to execute kernels for: x86\\-64\\-v2, \\-v3 or \\-v4 (default: "
    "the best "
    "one\nthat it has). Results and counts are the same.\n"
    ".SH SEE ALSO\n"
    "The guide, the memory model, the format of profiles, and a page for each rule lie in the\n"
    "documentation of the package; \\fI<warplens/warplens.h>\\fR is the C interface.\n";

void manual_page(FILE *out, const Command *list) {
    fputs("'\\\" t\n.TH WARPLENS 1 \"\" \"warplens " WARPLENS_VERSION "\"\n"
          ".SH NAME\nwarplens \\- bank conflicts and uncoalesced accesses of CUDA kernels, without "
          "a GPU\n"
          ".SH SYNOPSIS\n\\fBwarplens\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n"
          ".SH DESCRIPTION\n"
          "warplens executes the PTX of a CUDA kernel on the CPU, a warp at a time, and computes\n"
          "from the addresses of every access to memory what it costs on the GPU: wavefronts in\n"
          "shared memory, sectors in global memory, per source line, exactly.\n"
          ".PP\n\\fBwarplens\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR prints what stands below of a "
          "command.\n"
          ".SH COMMANDS\n",
          out);
    for (const Command *command = list; command->name; command++)
        put_command(out, command);
    put_exits(out);
    fputs(tail, out);
}
