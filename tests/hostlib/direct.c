/* cuSOLVER's sparse systems: at once, in steps, of many, again with other values; factors; orders. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, ZERO_PIVOT = 10 };
typedef struct Handle *Handle;
typedef struct Object *Object;
#define SYSTEM                                                                                     \
    Handle handle, int n, int count, Object description, const void *values, const int *offsets,   \
        const int *places, const void *b, double tolerance, int reorder, void *x, int *singular
#define PATTERN                                                                                    \
    Handle handle, int n, int count, Object description, const int *offsets, const int *places
#define MATRIX                                                                                     \
    Handle handle, int n, int count, Object description, const void *values, const int *offsets,   \
        const int *places, Object object
#define RECTANGLE                                                                                  \
    Handle handle, int m, int n, int count, Object description, const void *values,                \
        const int *offsets, const int *places

int cusparseCreateMatDescr(Object *description);
int cusparseDestroyMatDescr(Object description);
int cusparseSetMatIndexBase(Object description, int base);
int cusolverSpCreate(Handle *handle);
int cusolverSpDestroy(Handle handle);
int cusolverSpDcsrlsvqr(SYSTEM);
int cusolverSpDcsrlsvluHost(SYSTEM);
int cusolverSpZcsrlsvchol(SYSTEM);
int cusolverSpXcsrsymrcmHost(PATTERN, int *order);
int cusolverSpXcsrissymHost(Handle handle, int n, int count, Object description, const int *offsets,
                            const int *ends, const int *places, int *symmetric);
int cusolverSpXcsrpermHost(Handle handle, int m, int n, int count, Object description, int *offsets,
                           int *places, const int *p, const int *q, int *map, void *area);
int cusolverSpCreateCsrluInfoHost(Object *object);
int cusolverSpDestroyCsrluInfoHost(Object object);
int cusolverSpXcsrluAnalysisHost(PATTERN, Object object);
int cusolverSpDcsrluFactorHost(MATRIX, double threshold, void *area);
int cusolverSpDcsrluZeroPivotHost(Handle handle, Object object, double tolerance, int *position);
int cusolverSpDcsrluSolveHost(Handle handle, int n, const double *b, double *x, Object object,
                              void *area);
int cusolverSpXcsrluNnzHost(Handle handle, int *lower, int *upper, Object object);
int cusolverSpDcsrluExtractHost(Handle handle, int *p, int *q, Object lower, double *lower_values,
                                int *lower_offsets, int *lower_places, Object upper,
                                double *upper_values, int *upper_offsets, int *upper_places,
                                Object object, void *area);
int cusolverSpCreateCsrqrInfo(Object *object);
int cusolverSpDestroyCsrqrInfo(Object object);
int cusolverSpDcsrqrSetup(RECTANGLE, double shift, Object object);
int cusolverSpDcsrqrFactor(Handle handle, int m, int n, int count, double *b, double *x,
                           Object object, void *area);
int cusolverSpDcsrqrSolve(Handle handle, int m, int n, double *b, double *x, Object object,
                          void *area);
int cusolverSpDcsrqrZeroPivot(Handle handle, Object object, double tolerance, int *position);
int cusolverSpDcsrqrsvBatched(RECTANGLE, const double *b, double *x, int batch, Object object,
                              void *area);
int cusolverRfCreate(Object *again);
int cusolverRfDestroy(Object again);
int cusolverRfSetupHost(int n, int count, int *offsets, int *places, double *values, int lower,
                        int *lower_offsets, int *lower_places, double *lower_values, int upper,
                        int *upper_offsets, int *upper_places, double *upper_values, int *p, int *q,
                        Object again);
int cusolverRfResetValues(int n, int count, int *offsets, int *places, double *values, int *p,
                          int *q, Object again);
int cusolverRfAnalyze(Object again);
int cusolverRfRefactor(Object again);
int cusolverRfSolve(Object again, int *p, int *q, int count, double *spare, int lead_spare,
                    double *x, int lead);

/* A grid of SIDE by SIDE points, of which each sees its neighbours, the right one twice as much as the left one; and the last one
 * the first. Its diagonal is small, so that pivots are not all on it. */
enum { SIDE = 9, N = SIDE * SIDE, MOST = 5 * N + 1 };
typedef struct Grid {
    int offsets[N + 1], places[MOST], count;
    double values[2 * MOST], x[2 * N], b[2 * N];
} Grid;
static Grid *grid; /* on the device, which the host reads, too */
static double dense[N][N];
static Handle h;
static Object description;

static void add(int column, double value) {
    grid->places[grid->count] = column + 1;
    grid->values[grid->count++] = value;
}

static void make(double diagonal, double right) {
    memset(grid, 0, sizeof *grid);
    memset(dense, 0, sizeof dense);
    for (int i = 0; i < N; i++) {
        grid->offsets[i] = grid->count + 1;
        if (i == N - 1)
            add(0, 3);
        if (i >= SIDE)
            add(i - SIDE, -1);
        if (i % SIDE)
            add(i - 1, -1);
        add(i, diagonal);
        if (i % SIDE < SIDE - 1)
            add(i + 1, right);
        if (i < N - SIDE)
            add(i + SIDE, -1);
        for (int k = grid->offsets[i] - 1; k < grid->count; k++)
            dense[i][grid->places[k] - 1] = grid->values[k];
    }
    grid->offsets[N] = grid->count + 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid->b[i] += dense[i][j] * (j % 7 + 1);
}

static bool is_solution(const double *x, double times) {
    double most = 0;
    for (int j = 0; j < N; j++)
        most = fmax(most, fabs(x[j] - times * (j % 7 + 1)));
    return most < 1e-11;
}

static void at_once(void) {
    int singular = 7;
    make(0.25, -2);
    CHECK(!cusolverSpDcsrlsvqr(h, N, grid->count, description, grid->values, grid->offsets,
                               grid->places, grid->b, 1e-14, 1, grid->x, &singular));
    CHECK(singular == -1 && is_solution(grid->x, 1));
    double *x = malloc(N * sizeof *x); /* of the host's memory */
    CHECK(!cusolverSpDcsrlsvluHost(h, N, grid->count, description, grid->values, grid->offsets,
                                   grid->places, grid->b, 1e-14, 0, x, &singular));
    CHECK(singular == -1 && is_solution(x, 1));
    free(x);
    make(0,
         0); /* the last column of the first row has nothing to its right: singular with the rest */
    for (int k = 0; k < grid->count; k++)
        grid->values[k] = grid->places[k] == 5 ? 0 : grid->values[k];
    CHECK(!cusolverSpDcsrlsvqr(h, N, grid->count, description, grid->values, grid->offsets,
                               grid->places, grid->b, 1e-14, 1, grid->x, &singular));
    CHECK(singular >= 0 && grid->x[0] == 0);
    CHECK(cusolverSpDcsrlsvqr(NULL, N, 0, description, grid->values, grid->offsets, grid->places,
                              grid->b, 0, 1, grid->x, &singular) == NOT_INITIALIZED);
}

/* 4 2i / -2i 5, times (1, i); and with a negative diagonal. */
static void cholesky(void) {
    static const int offsets[] = {1, 3, 5}, places[] = {1, 2, 1, 2};
    static const double complex values[] = {4, 2 * I, -2 * I, 5}, b[] = {2, 3 * I};
    int singular = 7;
    memcpy(grid->offsets, offsets, sizeof offsets);
    memcpy(grid->places, places, sizeof places);
    memcpy(grid->values, values, sizeof values);
    memcpy(grid->b, b, sizeof b);
    CHECK(!cusolverSpZcsrlsvchol(h, 2, 4, description, grid->values, grid->offsets, grid->places,
                                 grid->b, 1e-14, 0, grid->x, &singular));
    CHECK(singular == -1 && fabs(grid->x[0] - 1) < 1e-15 && fabs(grid->x[3] - 1) < 1e-15);
    grid->values[6] = -5;
    CHECK(!cusolverSpZcsrlsvchol(h, 2, 4, description, grid->values, grid->offsets, grid->places,
                                 grid->b, 1e-14, 0, grid->x, &singular));
    CHECK(singular >= 0);
}

/* Rows of PAQ are what L and U make. */
static void factors(void) {
    Object lu;
    int position, lower, upper, p[N], q[N], l_offsets[N + 1], u_offsets[N + 1];
    make(0.25, -2);
    CHECK(!cusolverSpCreateCsrluInfoHost(&lu));
    CHECK(!cusolverSpXcsrluAnalysisHost(h, N, grid->count, description, grid->offsets, grid->places,
                                        lu));
    CHECK(!cusolverSpDcsrluFactorHost(h, N, grid->count, description, grid->values, grid->offsets,
                                      grid->places, lu, 1, NULL));
    CHECK(!cusolverSpDcsrluZeroPivotHost(h, lu, 1e-14, &position) && position == -1);
    CHECK(!cusolverSpDcsrluSolveHost(h, N, grid->b, grid->x, lu, NULL) && is_solution(grid->x, 1));
    CHECK(!cusolverSpXcsrluNnzHost(h, &lower, &upper, lu) && upper > N && upper < N * N / 4);
    int *l_places = malloc((size_t)lower * sizeof(int)),
        *u_places = malloc((size_t)upper * sizeof(int));
    double *l = malloc((size_t)lower * sizeof *l), *u = malloc((size_t)upper * sizeof *u);
    CHECK(!cusolverSpDcsrluExtractHost(h, p, q, description, l, l_offsets, l_places, description, u,
                                       u_offsets, u_places, lu, NULL));
    double most = 0, row[N];
    for (int i = 0; i < N; i++) {
        memset(row, 0, sizeof row);
        for (int s = l_offsets[i] - 1; s < l_offsets[i + 1] - 1; s++) {
            const int k = l_places[s] - 1;
            CHECK(k < i || (k == i && l[s] == 1));
            for (int t = u_offsets[k] - 1; t < u_offsets[k + 1] - 1; t++)
                row[u_places[t] - 1] += l[s] * u[t];
        }
        for (int j = 0; j < N; j++)
            most = fmax(most, fabs(row[j] - dense[p[i]][q[j]]));
    }
    CHECK(most < 1e-13);
    free(l_places), free(u_places), free(l), free(u);
    CHECK(!cusolverSpDestroyCsrluInfoHost(lu));
}

/* A line through (0, 1), (1, 3), (2, 4), (3, 8): 0.7 + 2.2 t; and two systems of the grid. */
static void steps(void) {
    static const int offsets[] = {1, 2, 4, 6, 8}, places[] = {1, 1, 2, 1, 2, 1, 2};
    static const double values[] = {1, 1, 1, 1, 2, 1, 3}, b[] = {1, 3, 4, 8};
    Object qr;
    int position = 7;
    CHECK(!cusolverSpCreateCsrqrInfo(&qr));
    memcpy(grid->offsets, offsets, sizeof offsets);
    memcpy(grid->places, places, sizeof places);
    memcpy(grid->values, values, sizeof values);
    memcpy(grid->b, b, sizeof b);
    CHECK(!cusolverSpDcsrqrSetup(h, 4, 2, 7, description, grid->values, grid->offsets, grid->places,
                                 0, qr));
    CHECK(!cusolverSpDcsrqrFactor(h, 4, 2, 7, NULL, NULL, qr, NULL));
    CHECK(!cusolverSpDcsrqrZeroPivot(h, qr, 1e-14, &position) && position == -1);
    CHECK(!cusolverSpDcsrqrSolve(h, 4, 2, grid->b, grid->x, qr, NULL));
    CHECK(fabs(grid->x[0] - 0.7) < 1e-14 && fabs(grid->x[1] - 2.2) < 1e-14);
    CHECK(cusolverSpDcsrqrSetup(h, 2, 4, 7, description, grid->values, grid->offsets, grid->places,
                                0, qr) == INVALID_VALUE);
    make(0.25, -2);
    for (int k = 0; k < grid->count; k++)
        grid->values[grid->count + k] = 2 * grid->values[k];
    memcpy(grid->b + N, grid->b, N * sizeof *grid->b);
    CHECK(!cusolverSpDcsrqrsvBatched(h, N, N, grid->count, description, grid->values, grid->offsets,
                                     grid->places, grid->b, grid->x, 2, qr, NULL));
    CHECK(is_solution(grid->x, 1) && is_solution(grid->x + N, 0.5));
    CHECK(!cusolverSpDestroyCsrqrInfo(qr));
}

static void refactored(void) {
    Object again;
    make(0.25, -2);
    for (int i = 0; i <= N; i++) /* which counts from 0 */
        grid->offsets[i]--;
    for (int k = 0; k < grid->count; k++)
        grid->places[k]--;
    CHECK(!cusolverRfCreate(&again) && cusolverRfAnalyze(again) == INVALID_VALUE);
    CHECK(!cusolverRfSetupHost(N, grid->count, grid->offsets, grid->places, grid->values, 0, NULL,
                               NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, again));
    for (int k = 0; k < grid->count; k++)
        grid->values[k] *= 4;
    CHECK(!cusolverRfAnalyze(again));
    for (int i = 0; i < 2; i++) {
        CHECK(!cusolverRfRefactor(again));
        memcpy(grid->x, grid->b, N * sizeof *grid->b);
        CHECK(!cusolverRfSolve(again, NULL, NULL, 1, NULL, N, grid->x, N));
        CHECK(is_solution(grid->x, i ? 0.25 : 1));
        CHECK(!cusolverRfResetValues(N, grid->count, grid->offsets, grid->places, grid->values,
                                     NULL, NULL, again));
    }
    memset(grid->values, 0, sizeof grid->values);
    CHECK(!cusolverRfResetValues(N, grid->count, grid->offsets, grid->places, grid->values, NULL,
                                 NULL, again));
    CHECK(cusolverRfRefactor(again) == ZERO_PIVOT && !cusolverRfDestroy(again));
}

static void orders(void) {
    int order[N], seen[N] = {0}, map[MOST], symmetric = 7, width = 0;
    make(4, -1);
    CHECK(!cusolverSpXcsrissymHost(h, N, grid->count, description, grid->offsets, grid->offsets + 1,
                                   grid->places, &symmetric));
    CHECK(symmetric == 0); /* the last row's first column */
    CHECK(!cusolverSpXcsrsymrcmHost(h, N, grid->count, description, grid->offsets, grid->places,
                                    order));
    for (int i = 0; i < N; i++)
        seen[order[i]]++;
    for (int k = 0; k < grid->count; k++)
        map[k] = k;
    double kept[MOST];
    memcpy(kept, grid->values, sizeof kept);
    CHECK(!cusolverSpXcsrpermHost(h, N, N, grid->count, description, grid->offsets, grid->places,
                                  order, order, map, NULL));
    for (int i = 0; i < N; i++) {
        CHECK(seen[i] == 1);
        for (int k = grid->offsets[i] - 1; k < grid->offsets[i + 1] - 1; k++) {
            const int j = grid->places[k] - 1;
            CHECK(kept[map[k]] == dense[order[i]][order[j]]);
            width = abs(i - j) > width ? abs(i - j) : width;
        }
    }
    CHECK(width < 2 * SIDE + 3); /* the corner that it closes costs as much again */
    order[0] = order[1];
    CHECK(cusolverSpXcsrpermHost(h, N, N, grid->count, description, grid->offsets, grid->places,
                                 order, order, map, NULL) == INVALID_VALUE);
}

int main(void) {
    CUdeviceptr made;
    start();
    OK(cuMemAlloc_v2(&made, sizeof *grid));
    grid = (Grid *)(uintptr_t)made;
    CHECK(!cusolverSpCreate(&h) && !cusparseCreateMatDescr(&description));
    CHECK(!cusparseSetMatIndexBase(description, 1));
    at_once();
    cholesky();
    factors();
    steps();
    refactored();
    orders();
    CHECK(!cusparseDestroyMatDescr(description) && !cusolverSpDestroy(h));
    puts("direct: fine");
    return 0;
}
