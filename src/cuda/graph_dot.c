/* A graph as a picture's source, for Graphviz: a box for each node, an arrow for each edge, graphs inside
 * others in frames. */
#include "cuda/graph.h"
#include "cuda/handle.h"
#include "cuda/work.h"

static const char *node_type_name(int type) {
    static const char *const names[] = {[NODE_KERNEL] = "KERNEL",
                                        [NODE_MEMCPY] = "MEMCPY",
                                        [NODE_MEMSET] = "MEMSET",
                                        [NODE_HOST] = "HOST",
                                        [NODE_GRAPH] = "CHILD_GRAPH",
                                        [NODE_EMPTY] = "EMPTY",
                                        [NODE_WAIT_EVENT] = "WAIT_EVENT",
                                        [NODE_EVENT_RECORD] = "EVENT_RECORD",
                                        [NODE_MEM_ALLOC] = "MEM_ALLOC",
                                        [NODE_MEM_FREE] = "MEM_FREE",
                                        [NODE_BATCH_MEM_OP] = "BATCH_MEM_OP",
                                        [NODE_CONDITIONAL] = "CONDITIONAL"};
    return names[type];
}

static void print_graph(FILE *out, const struct Graph *graph);

static void print_node(FILE *out, const struct GraphNode *node) {
    const Work *work = &node->work;
    unsigned long long id = node->graph->id;
    fprintf(out, "\"graph_%llu_node_%u\"[label=\"%u\\n%s", id, node->index, node->index,
            node_type_name(work->kind->node));
    if (work->kind == &work_kernel && IS(work->kernel.kernel, TAG_KERNEL))
        fprintf(out, "\\n%s\\n\\<\\<\\<%u,%u,%u\\>\\>\\>", work->kernel.kernel->name,
                work->kernel.grid[0] * work->kernel.grid[1] * work->kernel.grid[2],
                work->kernel.block[0] * work->kernel.block[1] * work->kernel.block[2],
                work->kernel.dynamic_shared);
    fputs("\" shape=\"record\"];\n", out);
    for (uint32_t d = 0; d < node->before.count; d++)
        fprintf(out, "\"graph_%llu_node_%u\" -> \"graph_%llu_node_%u\"%s;\n", id,
                node->before.at[d].from, id, node->index,
                node->before.at[d].data.type ? " [style=\"dashed\"]" : "");
    if (work->kind == &work_graph)
        print_graph(out, work->graph);
    for (uint32_t b = 0; work->kind == &work_conditional && b < work->conditional.count; b++)
        print_graph(out, work->conditional.bodies[b]);
}

static void print_graph(FILE *out, const struct Graph *graph) {
    fprintf(out, "subgraph cluster_%llu {\nlabel=\"graph_%llu\" graph[style=\"dashed\"];\n",
            graph->id, graph->id);
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        if (!graph->nodes.at[i]->gone)
            print_node(out, graph->nodes.at[i]);
    fputs("}\n", out);
}

/* The flags ask for more words in the boxes: they all have the same ones. */
CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags) {
    (void)flags;
    if (!IS(graph, TAG_GRAPH) || !path)
        return CUDA_ERROR_INVALID_VALUE;
    FILE *out = fopen(path, "we");
    if (!out)
        return CUDA_ERROR_OPERATING_SYSTEM;
    fputs("digraph dot {\n", out);
    print_graph(out, graph);
    fputs("}\n", out);
    return fclose(out) == 0 ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
