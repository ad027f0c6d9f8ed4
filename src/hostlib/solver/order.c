/* An order of rows and columns in which a matrix has its elements near the diagonal: breadth first, neighbours with fewest
 * neighbours first, from a row with few, and reversed. The pattern is taken as if it were symmetric. */
#include "hostlib/solver/direct.h"

#include <stdlib.h>

typedef struct Graph {
    int count, *begin, *to;
} Graph;

static void graph_free(Graph *graph) {
    free(graph->begin), free(graph->to);
}

/* Each element is an edge both ways; some are there twice. */
static bool graph_new(Graph *graph, const Columns *a) {
    const size_t n = (size_t)a->count, most = 2 * (size_t)a->begin[a->count];
    *graph = (Graph){a->count, calloc(n + 2, sizeof(int)), malloc((most + 1) * sizeof(int))};
    int *begin = graph->begin;
    if (!begin || !graph->to) {
        graph_free(graph);
        return false;
    }
    for (int j = 0; j < a->count; j++)
        for (int p = a->begin[j]; p < a->begin[j + 1]; p++)
            begin[j + 2]++, begin[a->rows[p] + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        begin[i] += begin[i - 1];
    for (int j = 0; j < a->count; j++)
        for (int p = a->begin[j]; p < a->begin[j + 1]; p++) {
            graph->to[begin[j + 1]++] = a->rows[p];
            graph->to[begin[a->rows[p] + 1]++] = j;
        }
    return true;
}

static int degree(const Graph *graph, int i) {
    return graph->begin[i + 1] - graph->begin[i];
}

/* What is reached from a node, nearest first, behind those that are in the order already; where the last distance begins. */
static int walk(const Graph *graph, int from, int *order, int first, int *end, int *seen,
                int mark) {
    int last = first, next_distance = first + 1;
    order[first] = from;
    *end = first + 1;
    seen[from] = mark;
    for (int i = first; i < *end; i++) {
        if (i == next_distance) {
            last = i;
            next_distance = *end;
        }
        const int begun = *end;
        for (int p = graph->begin[order[i]]; p < graph->begin[order[i] + 1]; p++) {
            const int node = graph->to[p];
            if (seen[node] == mark)
                continue;
            seen[node] = mark;
            int at = (*end)++; /* by insertion: a node has few neighbours */
            for (; at > begun && degree(graph, order[at - 1]) > degree(graph, node); at--)
                order[at] = order[at - 1];
            order[at] = node;
        }
    }
    return last;
}

int *order_of(const Columns *a) {
    Graph graph;
    const int n = a->count;
    int *order = malloc(((size_t)n + 1) * sizeof *order),
        *seen = calloc((size_t)n + 1, sizeof *seen);
    int *placed = calloc((size_t)n + 1, sizeof *placed);
    bool good = order && seen && placed && graph_new(&graph, a);
    for (int i = 0, done = 0, mark = 0; good && i < n; i++) {
        int end, from = i;
        if (placed[i])
            continue;
        for (int turn = 0; turn < 2; turn++) /* to the other end, where the walk begins */
            from = order[walk(&graph, from, order, done, &end, seen, ++mark)];
        walk(&graph, from, order, done, &end, seen, ++mark);
        for (; done < end; done++)
            placed[order[done]] = 1;
    }
    for (int i = 0; good && i < n / 2; i++) {
        const int kept = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = kept;
    }
    if (good)
        graph_free(&graph);
    else
        free(order);
    free(seen), free(placed);
    return good ? order : NULL;
}
