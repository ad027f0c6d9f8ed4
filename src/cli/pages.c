/* Colour and width of the terminal; where pages go. */
#include "cli/pages.h"

#include "cli/ends.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LEAST_COLUMNS = 80 };

bool pages_choice(const char *text, uint32_t *pages) {
    ReportPage page;
    if (strcmp(text, "all") == 0)
        *pages |= PAGES_ALL;
    else if (strcmp(text, "none") == 0)
        *pages |= PAGES_NONE;
    else if (report_page(text, &page))
        *pages |= 1u << page;
    else
        return false;
    return true;
}

bool colour_choice(const char *text, ColourChoice *choice) {
    static const char *const names[] = {"auto", "always", "never"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(text, names[i]) == 0) {
            *choice = (ColourChoice)i;
            return true;
        }
    return false;
}

bool colour_shown(ColourChoice choice, int descriptor) {
    if (choice != COLOUR_AUTO)
        return choice == COLOUR_ALWAYS;
    const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(descriptor) && !(never && *never) && !(terminal && strcmp(terminal, "dumb") == 0);
}

uint32_t pages_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return REPORT_WIDTH;
    return size.ws_col < LEAST_COLUMNS ? LEAST_COLUMNS : size.ws_col;
}

void pages_fit(ReportOptions *options, ColourChoice colour, bool width_given, const char *output) {
    bool terminal = !output && colour_shown(COLOUR_AUTO, STDOUT_FILENO);
    options->colour = colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && terminal);
    if (!width_given && terminal)
        options->width = pages_width();
}

bool number_option(const char *text, uint32_t *number) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && !*end && errno == 0 && value < NONE;
}

/* ---- where pages go ---- */

/* NULL and errno. */
static FILE *open_output(Pages *pages) {
    if (!new_file_begin(pages->arena, pages->output, &pages->file))
        return errno == ENOTSUP ? fopen(pages->output, "w") : NULL; /* a pipe, /dev/stdout */
    ends_unfinished(pages->file.path);
    int descriptor = fcntl(pages->file.descriptor, F_DUPFD_CLOEXEC, 0);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

static void say_unwritten(const Pages *pages, Diags *diags) {
    const char *reason = errno ? strerror(errno) : "not all was taken";
    if (pages->output)
        diags_error(diags, "%s: cannot be written: %s", pages->output, reason);
    else if (errno != EPIPE)
        diags_error(diags, "standard output: %s", reason);
}

/* A file takes its place, if all is good. */
static bool close_pages(Pages *pages, bool good) {
    errno = 0;
    bool written = pages->out && !ferror(pages->out);
    if (pages->out)
        written &= (pages->out == stdout ? fflush(stdout) : fclose(pages->out)) == 0;
    pages->file.lasts = true;
    if (pages->file.path)
        written = new_file_end(&pages->file, good && written) && written;
    ends_unfinished(NULL);
    return written;
}

bool pages_begin(Pages *pages, const char *output, bool paged, Diags *diags) {
    *pages = (Pages){.output = output, .arena = arena_new(), .file.descriptor = -1};
    pages->paged = paged && !output && pager_wanted();
    pages->out = pages->paged ? printed_begin(&pages->whole, pages->arena)
                 : output     ? open_output(pages)
                              : stdout;
    if (pages->out)
        return true;
    say_unwritten(pages, diags);
    close_pages(pages, false);
    arena_free(pages->arena);
    return false;
}

bool pages_end(Pages *pages, bool good, Diags *diags) {
    if (pages->paged) {
        const char *text = printed_end(&pages->whole);
        pages->out = stdout;
        if (good && !pager_show(text))
            fputs(text, stdout);
    }
    bool written = close_pages(pages, good);
    if (good && !written)
        say_unwritten(pages, diags);
    if (pages->out == stdout)
        clearerr(stdout); /* it is said */
    arena_free(pages->arena);
    return good && written;
}
