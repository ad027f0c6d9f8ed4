/* The progress bar, alone and of a program that runs; and Ctrl-C. */
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <sys/ioctl.h>

static volatile int interrupted; /* the flag that the signal sets */

/* A second Ctrl-C ends the process; others send SIGTERM twice, to the process and to its group. */
static void on_interrupt(int number) {
    interrupted = 1;
    if (number == SIGINT)
        signal(number, SIG_DFL);
}

enum { ENDING = 3 };
static const int ending[ENDING] = {SIGINT, SIGTERM, SIGHUP};

volatile const int *interrupt_catch(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING; i++)
        sigaction(ending[i], &action, NULL);
    return &interrupted;
}

/* Those that have this handler have that one then; others, as those that nohup ignores, stay. */
static void exchange(void (*from)(int), void (*to)(int)) {
    struct sigaction now, action = {.sa_handler = to};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < ENDING; i++)
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == from)
            sigaction(ending[i], &action, NULL);
}

void interrupt_hold(void) {
    exchange(SIG_DFL, on_interrupt);
}

void interrupt_let(void) {
    exchange(on_interrupt, SIG_DFL);
}

void progress_clear(FILE *out) {
    fputs("\r\033[K", out);
    fflush(out);
}

static const char asking[] = "ptxas and nvdisasm are asked for its machine code";

void progress_machine(FILE *out) {
    fprintf(out, "\r%s\033[K", asking);
    fflush(out);
}

static int progress_text(char *text, size_t size, const Progress *progress) {
    enum { BAR = 24 };
    double part = progress->blocks ? (double)progress->blocks_done / (double)progress->blocks : 0;
    int full = (int)(part * BAR);
    char bar[BAR + 1];
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = 0;
    double left = part > 0 ? progress->seconds * (1 - part) / part : NAN;
    int length = snprintf(
        text, size, "[%s] %3.0f %%  %llu of %llu blocks  %.0f M thread instructions/s", bar,
        100 * part, (unsigned long long)progress->blocks_done, (unsigned long long)progress->blocks,
        (double)progress->thread_insts / progress->seconds / 1e6);
    if (!isnan(left) && (size_t)length < size)
        length += snprintf(text + length, size - (size_t)length, "  %.0f s left", left);
    return length;
}

void progress_show(void *context, const Progress *progress) {
    FILE *out = context;
    char text[256];
    progress_text(text, sizeof text, progress);
    fprintf(out, "\r%s\033[K", text);
    fflush(out);
}

/* ---- of a program that runs ---- */

static int columns_of(FILE *out) {
    struct winsize size;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* The program may have left the cursor within a line. So many blanks bring it to the next line then,
 * and else to the end of its own; nothing that can be seen is overwritten. */
static void begin_line(FILE *out, int columns) {
    fprintf(out, "%*s\r", columns - 1, "");
}

void launch_line_show(LaunchLine *line, const RunningLaunch *running) {
    char bar[256];
    const Progress progress = {running->blocks, running->blocks_done, running->thread_insts,
                               running->seconds};
    int columns = columns_of(line->out);
    bool same = line->shown && line->number == running->number;
    line->withdrawn |= same && line->written != running->written;
    if (line->withdrawn) {
        launch_line_clear(line);
        return;
    }
    if (!line->shown)
        begin_line(line->out, columns);
    if (running->blocks)
        progress_text(bar, sizeof bar, &progress);
    else
        snprintf(bar, sizeof bar, "%s", asking);
    char text[512];
    snprintf(text, sizeof text, "launch %llu: %.64s %s", (unsigned long long)running->number,
             running->kernel, bar);
    fprintf(line->out, "\r%.*s\033[K", columns - 1, plain_text(text));
    fflush(line->out);
    line->shown = true;
    line->number = running->number;
    line->written = running->written;
}

void launch_line_clear(LaunchLine *line) {
    if (line->shown)
        progress_clear(line->out);
    line->shown = false;
}

/* ---- of a program on a GPU ---- */

int count_lines_wait(CountLines *lines) {
    enum { FIRST = 2 };
    if (!lines->out)
        return -1;
    double now = clock_wall();
    if (lines->due == 0)
        *lines = (CountLines){lines->out, now, now + FIRST};
    return lines->due > now ? (int)((lines->due - now) * 1000) + 1 : 0;
}

void count_lines_show(CountLines *lines, uint64_t launches, uint32_t kernels) {
    const double most = 60, now = clock_wall(), ran = now - lines->begin;
    lines->due = now + (ran < most ? ran : most);
    if (launches == 0)
        return;
    begin_line(lines->out, columns_of(lines->out));
    fprintf(lines->out,
            "warplens: %.0f s: %llu launch%s of %u kernel%s counted, %.*f a second\033[K\n", ran,
            (unsigned long long)launches, launches == 1 ? "" : "es", kernels,
            kernels == 1 ? "" : "s", (double)launches < 10 * ran ? 1 : 0, (double)launches / ran);
    fflush(lines->out);
}
