/* graph: works, and which of them come behind which. */
#pragma once

#include "cuda/stream.h"
#include "cuda/work.h"

/* ---- graph.c ---- */

typedef struct GraphEdge {
    uint32_t from; /* index of a node */
    CUgraphEdgeData data;
} GraphEdge;

struct GraphNode {
    uint32_t tag;
    AttributeNote *attributes;
    CUgraph graph;
    uint32_t index; /* in the graph: creation order */
    bool gone;      /* destroyed: it keeps its place and does nothing */
    bool disabled;
    Work work;
    VEC(GraphEdge) before; /* nodes that this one depends on */
};

/* What conditional nodes ask, at an address that kernels may write to. */
typedef struct GraphCondition {
    CUdeviceptr address;
    unsigned value; /* when the graph is launched */
    bool assigned;  /* that value, then; else it stays as it is */
} GraphCondition;

/* References that a graph holds. */
typedef struct OwnedObject {
    CUuserObject object;
    unsigned count;
} OwnedObject;

struct Graph {
    uint32_t tag;
    Arena *arena;
    VEC(CUgraphNode) nodes;
    VEC(OwnedObject) objects;
    VEC(GraphCondition) conditions;
    uint32_t *order; /* each node behind those it depends on; NULL: the order of creation */
    unsigned long long id;
    unsigned long long of; /* the graph that it was copied from; 0: none */
    bool owned;            /* the copy that belongs to an exec or a node, or a node's body */
    bool spoilt; /* a call that captures forbid was made while a stream captured into it */
};

struct GraphExec {
    uint32_t tag;
    uint64_t flags;
    CUgraph graph; /* a copy of its own, with its order */
};
CUgraph graph_new(void);
CUgraphNode graph_add(CUgraph graph, const CUgraphNode *before, size_t count, const Work *work);
CUresult graph_run(CUgraph graph);
/* Whether an executable graph could become that one: 0, or CUgraphExecUpdateResult with the node. */
int graph_compare(const struct Graph *old, const struct Graph *graph, CUgraphNode *wrong);
bool graph_may_wait(CUgraph graph);                       /* as WorkKind.waits */
void conditional_copy(CUgraph to, ConditionalWork *work); /* bodies of its own */
void conditional_drop(const ConditionalWork *work);
void conditions_assign(CUgraph graph); /* the graph is launched */
bool graph_sort(CUgraph graph);        /* it and those in it; false: there is a cycle */
void graph_set_work(CUgraphNode node, const Work *work);
CUgraph graph_copy(CUgraph from);
void graph_drop(CUgraph graph);

/* ---- graph_build.c ---- */

/* What a node with these parameters is to do. */
CUresult graph_work(const CUgraphNodeParams *params, Work *work);
bool graph_edges_valid(const CUgraphEdgeData *edges, size_t count);
CUresult graph_kernel_work(const CUDA_KERNEL_NODE_PARAMS *params, bool extended, Work *work);
CUresult graph_set_node_work(const CUDA_MEMSET_NODE_PARAMS *params, Work *work);

/* ---- graph_conditional.c ---- */

CUresult conditional_work(CUgraph graph, CUDA_CONDITIONAL_NODE_PARAMS *params, Work *work);

/* ---- user_object.c ---- */

void user_objects_share(CUgraph to, CUgraph from); /* a copy holds what the original holds */
void user_objects_release(CUgraph graph);
