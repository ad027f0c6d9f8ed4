/* Colour and width of the terminal; where pages go. */
#include "cli/pages.h"

#include <errno.h>
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

bool pages_terminal(void) {
    const char *never = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(never && *never) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

uint32_t pages_width(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return REPORT_WIDTH;
    return size.ws_col < LEAST_COLUMNS ? LEAST_COLUMNS : size.ws_col;
}

void pages_fit(ReportOptions *options, ColourChoice colour, bool width_given, const char *output) {
    bool terminal = !output && pages_terminal();
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

void pages_begin(PagesText *pages) {
    *pages = (PagesText){0};
    pages->out = open_memstream(&pages->text, &pages->size);
    if (!pages->out)
        out_of_memory();
}

/* To the file, or to standard output where output is NULL. */
static bool write_to(const char *output, const char *text, size_t size, Diags *diags) {
    if (output) {
        if (file_write(output, text, size))
            return true;
        diags_error(diags, "%s: cannot be written: %s", output, strerror(errno));
        return false;
    }
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0)
        return true;
    if (errno != EPIPE)
        diags_error(diags, "standard output: %s", strerror(errno));
    clearerr(stdout); /* it is said */
    return false;
}

bool pages_end(PagesText *pages, bool good, const char *output, bool paged, Diags *diags) {
    if ((ferror(pages->out) | fclose(pages->out)) || !pages->text)
        out_of_memory();
    if (good && !(paged && pages_paged(pages->text, pages->size)))
        good = write_to(output, pages->text, pages->size, diags);
    free(pages->text);
    return good;
}
