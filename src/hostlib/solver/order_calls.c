/* The exported functions that put rows and columns of a sparse matrix into another order, and say whether it is symmetric. All of
 * it is done on the host's memory, at once. Each order is that of order.c, whatever it was asked to be good for. */
#include "hostlib/solver/sparse_calls.h"

#include <stdlib.h>

static SolverStatus check(const SolverHandle *handle, const struct SparseMatrix *description,
                          const Csr *a) {
    if (!is_sparse(handle))
        return SOLVER_NOT_INITIALIZED;
    return !description || a->rows < 0 || a->columns < 0 || a->count < 0 || !a->offsets ||
                   !a->places || !csr_is_good(a)
               ? SOLVER_INVALID_VALUE
               : SOLVER_SUCCESS;
}

static Csr pattern(int m, int n, int count, PATTERN) {
    const int base = description ? cusparseGetMatIndexBase(description) : 0;
    return (Csr){m, n, count, base, offsets, places, NULL, TYPE_D};
}

static SolverStatus order(const SolverHandle *handle, int n, int count, PATTERN, int *to) {
    const Csr a = pattern(n, n, count, description, offsets, places);
    const SolverStatus wrong = check(handle, description, &a);
    Columns columns;
    if (wrong || !to)
        return wrong ? wrong : SOLVER_INVALID_VALUE;
    if (!columns_of(&columns, &a, 0))
        return SOLVER_ALLOC_FAILED;
    int *found = order_of(&columns);
    columns_free(&columns);
    for (int i = 0; found && i < n; i++)
        to[i] = found[i];
    free(found);
    return found ? SOLVER_SUCCESS : SOLVER_ALLOC_FAILED;
}

#define ORDER(name)                                                                                \
    EXPORTED(cusolverSpX##name, SolverHandle *handle, int n, int count, PATTERN, int *to) {        \
        return order(handle, n, count, description, offsets, places, to);                          \
    }
ORDER(csrsymrcmHost)
ORDER(csrsymmdqHost)
ORDER(csrsymamdHost)

EXPORTED(cusolverSpXcsrmetisndHost, SolverHandle *handle, int n, int count, PATTERN,
         const int64_t *options, int *to) {
    (void)options;
    return order(handle, n, count, description, offsets, places, to);
}

/* ---- a matrix in another order ---- */

EXPORTED(cusolverSpXcsrperm_bufferSizeHost, SolverHandle *handle, int m, int n, int count, PATTERN,
         const int *p, const int *q, size_t *bytes) {
    const Csr a = pattern(m, n, count, description, offsets, places);
    const SolverStatus wrong = check(handle, description, &a);
    if (wrong || !p || !q || !bytes)
        return wrong ? wrong : SOLVER_INVALID_VALUE;
    *bytes = sizeof(double) * 2;
    return SOLVER_SUCCESS;
}

typedef struct Moved {
    int place, map;
} Moved;

static int compare(const void *a, const void *b) {
    const Moved *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->map > y->map) - (x->map < y->map);
}

/* Row i of the new matrix is row p[i], column j column q[j]; the map says where its elements were. */
EXPORTED(cusolverSpXcsrpermHost, SolverHandle *handle, int m, int n, int count,
         const struct SparseMatrix *description, int *offsets, int *places, const int *p,
         const int *q, int *map, void *area) {
    const Csr a = pattern(m, n, count, description, offsets, places);
    const SolverStatus wrong = check(handle, description, &a);
    (void)area;
    if (wrong || !p || !q || !map)
        return wrong ? wrong : SOLVER_INVALID_VALUE;
    int *where = malloc(((size_t)n + 1) * sizeof *where);
    int *begin = malloc(((size_t)m + 1) * sizeof *begin);
    Moved *moved = malloc(((size_t)count + 1) * sizeof *moved);
    bool good = where && begin && moved;
    for (int j = 0; good && j < n; j++)
        where[j] = -1;
    for (int j = 0; good && j < n; j++) {
        good = q[j] >= 0 && q[j] < n && where[q[j]] < 0;
        if (good)
            where[q[j]] = j;
    }
    int at = 0;
    for (int i = 0; good && i < m; i++) {
        good = p[i] >= 0 && p[i] < m;
        begin[i] = at;
        for (int k = good ? offsets[p[i]] - a.base : 0;
             good && k < offsets[p[i] + 1] - a.base && at < count; k++)
            moved[at++] = (Moved){where[places[k] - a.base], map[k]};
        if (good)
            qsort(moved + begin[i], (size_t)(at - begin[i]), sizeof *moved, compare);
    }
    for (int k = 0; good && k < at; k++) {
        places[k] = moved[k].place + a.base;
        map[k] = moved[k].map;
    }
    for (int i = 0; good && i < m; i++)
        offsets[i] = begin[i] + a.base;
    const bool memory = where && begin && moved;
    free(where), free(begin), free(moved);
    return !memory ? SOLVER_ALLOC_FAILED : good ? SOLVER_SUCCESS : SOLVER_INVALID_VALUE;
}

/* ---- is it symmetric? ---- */

static bool has(const Csr *a, const int *ends, int row, int column) {
    for (int k = a->offsets[row] - a->base; k < ends[row] - a->base; k++)
        if (a->places[k] - a->base == column)
            return true;
    return false;
}

EXPORTED(cusolverSpXcsrissymHost, SolverHandle *handle, int n, int count,
         const struct SparseMatrix *description, const int *offsets, const int *ends,
         const int *places, int *symmetric) {
    const Csr a = pattern(n, n, count, description, offsets, places);
    const SolverStatus wrong = check(handle, description, &a);
    if (wrong || !ends || !symmetric)
        return wrong ? wrong : SOLVER_INVALID_VALUE;
    *symmetric = 1;
    for (int i = 0; i < n && *symmetric; i++)
        for (int k = offsets[i] - a.base; k < ends[i] - a.base && *symmetric; k++)
            *symmetric = has(&a, ends, places[k] - a.base, i);
    return SOLVER_SUCCESS;
}
