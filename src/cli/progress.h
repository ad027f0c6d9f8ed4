/* progress: the bar that long launches show on a terminal. */
#pragma once

#include "exec/exec.h"
#include "wire/wire.h"

/* For Launch.progress; the context is a FILE * that is a terminal. */
void progress_show(void *context, const Progress *progress);
/* What stands there before the first block, while ptxas and nvdisasm are asked for the machine code. */
void progress_machine(FILE *out);
void progress_clear(FILE *out);

/* The same for a launch of a program that `warplens run` runs. The program may write to the terminal,
 * too: the line is there only while a launch lasts, on a line of its own, and if the process writes
 * anything meanwhile, no line is shown any more. */
typedef struct LaunchLine {
    FILE *out; /* a terminal */
    bool shown, withdrawn;
    uint64_t number, written; /* of what is shown: see RunningLaunch */
} LaunchLine;
void launch_line_show(LaunchLine *line, const RunningLaunch *running);
void launch_line_clear(LaunchLine *line);

/* For a program on a GPU, which has many launches: a line that stays, after two seconds, then whenever the program has run twice as
 * long, and at least once a minute. */
typedef struct CountLines {
    FILE *out;         /* a terminal; NULL: nothing is shown */
    double begin, due; /* of the clock; due 0: it has not begun */
} CountLines;
/* Milliseconds until a line is due; -1: none is. */
int count_lines_wait(CountLines *lines);
void count_lines_show(CountLines *lines, uint64_t launches, uint32_t kernels);

/* Ctrl-C, SIGTERM and SIGHUP set the flag that Launch.interrupted takes; a second Ctrl-C ends the process. */
volatile const int *interrupt_catch(void);
/* From here to interrupt_let, Ctrl-C, SIGTERM and SIGHUP do not end the process, so that it can save what it has; a second
 * Ctrl-C does. */
void interrupt_hold(void);
void interrupt_let(void);
