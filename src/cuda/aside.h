/* aside: work that waits for what comes later, on threads of its own. */
#pragma once

#include "cuda/work.h"

/* ---- asides.c, aside.c ---- */

typedef struct Aside Aside;
typedef VEC(uint64_t) Numbers;
struct Aside {
    Aside *next; /* of all that is not done, in the order in which it was enqueued */
    uint64_t number;
    Numbers behind; /* what must be done before */
    CUgraph graph;  /* one node: the work */
    CUcontext context;
    uint64_t stream;       /* as aside_stream says */
    bool legacy, blocking; /* of the stream */
    bool goes_on;          /* the host does */
    bool watched;          /* by the thread that enqueued it, which frees it */
    bool done;
    const char *range; /* that it was enqueued in; NULL: none */
    CUresult result;
};
struct Asides {
    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    Aside *first;           /* work that is not done, in the order in which it was enqueued */
    _Atomic uint32_t count; /* of them */
    uint64_t numbers;       /* given to them */
    volatile int others;    /* 0: the host waits for some of it */
    _Atomic bool ending;    /* so does the process */
};
/* It waits, if it may, on a thread of its own. */
bool work_may_wait(const Work *work);
/* Does the work, now or in the stream's order. An error is what it returned, where it is done already. */
CUresult aside_enqueue(CUstream stream, const Work *work);
/* The work that this thread does; NULL: it is one of the program's. */
Aside *aside_current(void);
void aside_begin(Aside *aside);
uint64_t
aside_stream(const struct Stream *stream); /* which it is: a spare one has another number */
bool aside_precedes(const Aside *aside,
                    const struct Stream *stream); /* what is enqueued on it now */
bool asides_pend(const struct Asides *asides, uint64_t number);
/* `while (…) asides_pause(asides);`, under their lock. The host waits: if nobody else goes on, what waits does so for
 * ever, and is told after a while. */
void asides_pause(struct Asides *asides);
void aside_goes_on(Aside *aside); /* it waits: the host goes on; NULL is allowed */
bool asides_end(void);            /* the process ends: nothing is worth waiting for */
/* Whether some of it is not done: of a stream, or recorded by an event; or, `wait`, until all is. */
bool aside_stream_pends(CUstream stream, bool wait);
bool aside_event_pends(CUevent event, bool wait);
void asides_settle(
    const Device *device); /* returns when all of the device's is done; NULL: of all devices */
