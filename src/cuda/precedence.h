/* precedence: --sanitize races, between streams and the host. All of this does nothing where that is not asked for. */
#pragma once

#include "cuda/core.h"
#include "cuda/owner.h"

#include <signal.h>

/* ---- precedence.c: in which order streams do what they do ---- */

/* Of a stream. */
struct StreamOrder {
    uint32_t line;
    Reached *at;
    VEC(uint32_t) branches; /* lines, for the branches of its graphs; in the core's arena */
    uint32_t branches_used; /* by the graph that runs */
};
typedef struct Precedence {
    bool on;
    pthread_mutex_t lock;       /* recursive: one operation after the other */
    Arena *arena;               /* of operations that may still be asked for */
    struct StreamOrder *stream; /* of what runs */
    uint64_t stream_id;
    Reached *at;     /* NULL: nothing runs */
    Reached *left;   /* by streams that are destroyed; NULL: none */
    uint32_t graphs; /* that run in each other */
} Precedence;
void precedence_join(CUstream stream);  /* it is made */
void precedence_leave(CUstream stream); /* it is destroyed */
/* What is enqueued on the stream now comes behind all this. Under the lock. */
Reached *precedence_arrive(CUstream stream);
void precedence_host_reaches(const Reached *at); /* the host knows all this to be over; likewise */
/* The host waits: for all of a stream, for an event, for a device (NULL: for all). */
void precedence_await_stream(CUstream stream);
void precedence_await_event(CUevent event);
void precedence_await_all(const Device *device);
void precedence_forget(uint64_t address, uint64_t bytes); /* memory begins to be there */

/* ---- host_guard.c: the host's own accesses ---- */

/* Pages that lie next to each other, and what the host may do with them. */
typedef struct GuardedRun {
    uint64_t page, pages;
    HostMay may;
} GuardedRun;
/* The host with an operation, and where it did that. */
typedef void HostRaceTell(const StreamRace *race, const Callers *by);
enum { GUARDED_MOST = 4096, HOST_PAGE = 4096 }; /* HOST_PAGE: the system's, or nothing is guarded */
typedef struct HostGuard {
    bool on;
    pthread_mutex_t lock; /* of all below; taken behind that of precedence */
    uint32_t lifted;      /* operations at work, and functions of the host: nothing is protected */
    GuardedRun runs[GUARDED_MOST];
    uint32_t count;
    struct sigaction before; /* for SIGSEGV */
    HostRaceTell *tell;
} HostGuard;
void host_guard_made(uint64_t address,
                     uint64_t bytes); /* memory that the host sees begins to be there */
void host_guard_lift(void);           /* an operation begins; who may access all */
/* Under the lock of precedence: it has ended, and tell is called from now on; the host has waited. */
void host_guard_drop(HostRaceTell *tell);
void host_guard_update(void);

/* ---- operations.c: which of them race ---- */

typedef struct GraphOrder GraphOrder;
typedef struct Work Work;
CUresult operations_enqueue(CUstream stream, const Work *work); /* does it */
/* Nodes in an order that obeys the edges, each once; NULL: it is not watched. */
GraphOrder *operations_graph_begin(CUgraph graph);
CUresult operations_node(GraphOrder *order, const struct GraphNode *node);
void operations_graph_end(GraphOrder *order, CUgraph graph);
/* By the work that runs, if this is memory that kernels can access. */
void operations_access(const void *memory, uint64_t bytes, bool writes);
