/* The progress bar, and Ctrl-C. */
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <string.h>

static volatile int interrupted; /* the flag that the signal sets */

static void on_interrupt(int number) {
    interrupted = 1;
    signal(number, SIG_DFL);
}

volatile const int *interrupt_catch(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}

void progress_clear(FILE *out) {
    fputs("\r\033[K", out);
    fflush(out);
}

void progress_show(void *context, const Progress *progress) {
    enum { BAR = 24 };
    FILE *out = context;
    double part = progress->blocks ? (double)progress->blocks_done / (double)progress->blocks : 0;
    int full = (int)(part * BAR);
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = 0;
    double left = part > 0 ? progress->seconds * (1 - part) / part : NAN;
    fprintf(out, "\r[%s] %3.0f %%  %llu of %llu blocks  %.0f M thread instructions/s", bar,
            100 * part, (unsigned long long)progress->blocks_done,
            (unsigned long long)progress->blocks,
            (double)progress->thread_insts / progress->seconds / 1e6);
    if (!isnan(left))
        fprintf(out, "  %.0f s left", left);
    fputs("\033[K", out);
    fflush(out);
}
