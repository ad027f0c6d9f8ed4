/* threads: that work for a while, and rest until there is more. Private to base.
 *
 * Invariants
 *   - A thread is made when there is work and none rests, and lasts as long as the process, or as the library that this is in.
 *   - It blocks the signals that are sent to a process: they are for the program's own threads.
 *   - A forked process has none of its parent's threads, and makes its own. */
#pragma once

#include <time.h>

typedef struct Thread Thread;

/* Begins run(context) on a thread that rests, or on a new one. NULL: there is none to be had. */
Thread *thread_start(void (*run)(void *context), void *context);
void thread_wait(Thread *thread);        /* until it has returned; the handle is not used again */
double thread_cpu(const Thread *thread); /* CPU seconds since thread_start */

double clock_read(clockid_t clock); /* clocks.c: its seconds */
