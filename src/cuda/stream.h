/* stream: streams and events. */
#pragma once

#include "cuda/handle.h"
#include "cuda/precedence.h"

/* ---- attributes.c ---- */

/* A hint that was given, for who asks. */
typedef struct AttributeNote {
    int id;
    CUlaunchAttributeValue value;
    struct AttributeNote *next;
} AttributeNote;

/* ---- stream.c, event.c ---- */

/* Nodes of one graph, in its arena. */
typedef VEC(CUgraphNode) NodeSet;

enum { PRIORITY_GREATEST = -5, PRIORITY_LEAST = 0 }; /* of streams */
struct Stream {
    uint32_t tag;
    unsigned flags;
    int priority;
    unsigned long long id;
    CUcontext context;
    CUgraph capture; /* the graph that it records into, or NULL */
    NodeSet before;  /* of that graph: what the next node depends on */
    AttributeNote *attributes;
    struct StreamOrder *order;  /* operations.c; NULL: not yet, or nobody asks */
    bool origin, to_graph;      /* where that capture began; into a graph that was there */
    struct Stream *next, *made; /* of the spare ones; of all */
};

struct Event {
    uint32_t tag;
    unsigned flags;
    bool recorded;
    CUcontext context;
    uint64_t aside;   /* the number of the work that records it; 0: none */
    double seconds;   /* when */
    CUgraph capture;  /* recorded in a capture */
    NodeSet before;   /* what had been captured then */
    Reached *reached; /* operations.c: what is over when it happens; NULL: nothing is known */
    struct Event *next, *made;
};

/* The object of a handle, 0, 1 and 2 included; NULL: there is no such stream. */
CUstream stream_of(CUstream handle);
/* Where its work runs: the default streams are of the current context. The stream is there. */
CUcontext stream_context(CUstream handle);
