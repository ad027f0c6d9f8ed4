/* Pages on a terminal go through a pager, as those of git do: that of PAGER, or less, which keeps colours
 * (-R), ends at once where all fits on the screen (-F) and leaves the text there (-X). */
#include "cli/pages.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGER_DEFAULT "LESS=\"${LESS-FRX}\" less"
enum { NOT_FOUND = 127 }; /* what a shell says of a command that is not there */

bool pager_wanted(void) {
    const char *pager = getenv("PAGER"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 &&
           !(pager && (!*pager || strcmp(pager, "cat") == 0));
}

bool pager_show(const char *text) {
    const char *pager = getenv("PAGER");
    /* A pager that is left before the end is no error. */
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGPIPE, &ignore, &before);
    FILE *to = popen(pager ? pager : PAGER_DEFAULT, "w");
    if (to)
        fputs(text, to);
    int status = to ? pclose(to) : -1;
    sigaction(SIGPIPE, &before, NULL);
    return status >= 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND);
}
