/* call_graph: which functions of a program may call which. Private to exec/calls. */
#pragma once

#include "exec/calls/calls.h"

/* Node n is the program's routine n; the last one all that a call through a pointer may reach. */
typedef struct CallGraph {
    uint32_t nodes;
    uint32_t *start, *to; /* who is called by n: to[start[n]] … to[start[n + 1] - 1] */
    uint32_t components;  /* circles of calls, and what is in none */
    uint32_t *component;  /* [nodes] */
    bool *circular;       /* [components]: its functions may be called while they are active */
    uint32_t *
        order; /* [nodes]: callers before what they call, those of a component together, by their numbers */
} CallGraph;

CallGraph call_graph(Arena *arena, const Program *program);
