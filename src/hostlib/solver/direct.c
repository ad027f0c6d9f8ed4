/* Sparse LU, column by column. */
#include "hostlib/solver/direct.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* ---- columns ---- */

static bool columns_new(Columns *columns, int count, int room) {
    const size_t most = room > 0 ? (size_t)room : 1;
    *columns = (Columns){.count = count,
                         .begin = calloc((size_t)count + 2, sizeof *columns->begin),
                         .rows = malloc(most * sizeof *columns->rows),
                         .values = malloc(most * sizeof *columns->values),
                         .room = (int)most};
    if (columns->begin && columns->rows && columns->values)
        return true;
    columns_free(columns);
    return false;
}

void columns_free(Columns *columns) {
    free(columns->begin), free(columns->rows), free(columns->values);
    *columns = (Columns){0};
}

bool csr_is_good(const Csr *matrix) {
    bool good = matrix->offsets[0] == matrix->base;
    for (int i = 0; good && i < matrix->rows; i++)
        good = matrix->offsets[i] <= matrix->offsets[i + 1];
    good = good && matrix->offsets[matrix->rows] - matrix->base == matrix->count;
    for (int k = 0; good && k < matrix->count; k++)
        good =
            matrix->places[k] >= matrix->base && matrix->places[k] - matrix->base < matrix->columns;
    return good;
}

/* Calls action(row, column, value) for each element of the system; the larger one has 1, A and A' in it. */
#define FOR_EACH_ELEMENT(action)                                                                   \
    do {                                                                                           \
        for (int i = 0; larger && i < m; i++)                                                      \
            action(i, i, 1);                                                                       \
        for (int i = 0; i < m; i++)                                                                \
            for (int k = matrix->offsets[i] - matrix->base;                                        \
                 k < matrix->offsets[i + 1] - matrix->base; k++) {                                 \
                const int j = matrix->places[k] - matrix->base;                                    \
                const double complex v = values[k] - (i == j ? mu : 0);                            \
                action(i, larger ? m + j : j, v);                                                  \
                if (larger)                                                                        \
                    action(m + j, i, conj(v));                                                     \
            }                                                                                      \
    } while (0)
#define COUNT(row, column, value) ((void)(row), (void)(value), columns->begin[(column) + 2]++)
#define STORE(row, column, value)                                                                  \
    (columns->rows[columns->begin[(column) + 1]] = (row),                                          \
     columns->values[columns->begin[(column) + 1]++] = (value))

bool columns_of(Columns *columns, const Csr *matrix, double mu) {
    const int m = matrix->rows, n = matrix->columns;
    const bool larger = m > n;
    const int size = larger ? m + n : n;
    const Matrix given = {(void *)(uintptr_t)matrix->values, matrix->count, matrix->count, 1};
    double complex *values = matrix->values ? matrix_read(&given, matrix->type)
                                            : calloc((size_t)matrix->count + 1, sizeof *values);
    bool made =
        values && columns_new(columns, size, larger ? 2 * matrix->count + m : matrix->count);
    if (made) {
        FOR_EACH_ELEMENT(COUNT);
        for (int j = 2; j <= size + 1; j++)
            columns->begin[j] += columns->begin[j - 1];
        FOR_EACH_ELEMENT(STORE);
    }
    free(values);
    return made;
}

bool columns_add(Columns *columns, int row, double complex value) {
    int *end = &columns->begin[columns->count];
    if (*end == columns->room) {
        const size_t room = 2 * (size_t)columns->room;
        int *rows = realloc(columns->rows, room * sizeof *rows);
        if (rows)
            columns->rows = rows;
        double complex *values = realloc(columns->values, room * sizeof *values);
        if (values)
            columns->values = values;
        if (!rows || !values)
            return false;
        columns->room = (int)room;
    }
    columns->rows[*end] = row;
    columns->values[(*end)++] = value;
    return true;
}

/* ---- elimination ---- */

typedef struct Work {
    double complex *x; /* the column, by A's rows */
    int *found, *stack, *at, *mark;
} Work;

/* A - b c, without C's care for infinities. */
static double complex minus(double complex a, double complex b, double complex c) {
    return __builtin_complex(creal(a) - (creal(b) * creal(c) - cimag(b) * cimag(c)),
                             cimag(a) - (creal(b) * cimag(c) + cimag(b) * creal(c)));
}

/* The rows that a column's element changes, in an order in which each comes before what it changes: behind `top`. */
static int reach(const Factors *factors, Work *work, int row, int k, int top) {
    const Columns *lower = &factors->lower;
    int depth = 0;
    work->stack[0] = row;
    work->mark[row] = k;
    work->at[0] = -1;
    while (depth >= 0) {
        const int node = work->stack[depth], place = factors->row_place[node];
        int p = work->at[depth] >= 0 ? work->at[depth] : place >= 0 ? lower->begin[place] + 1 : 0;
        const int end = place >= 0 ? lower->begin[place + 1] : 0;
        while (p < end && work->mark[lower->rows[p]] == k)
            p++;
        if (p >= end) {
            depth--;
            work->found[--top] = node;
            continue;
        }
        work->at[depth++] = p + 1;
        work->stack[depth] = lower->rows[p];
        work->mark[lower->rows[p]] = k;
        work->at[depth] = -1;
    }
    return top;
}

/* Column k of L and U, but for its pivot, lies in x at the rows that were found. */
static int eliminate(const Factors *factors, const Columns *a, int k, Work *work) {
    const Columns *lower = &factors->lower;
    const int column = factors->column[k], n = a->count;
    int top = n;
    for (int p = a->begin[column]; p < a->begin[column + 1]; p++)
        if (work->mark[a->rows[p]] != k)
            top = reach(factors, work, a->rows[p], k, top);
    for (int i = top; i < n; i++)
        work->x[work->found[i]] = 0;
    for (int p = a->begin[column]; p < a->begin[column + 1]; p++)
        work->x[a->rows[p]] += a->values[p];
    for (int i = top; i < n; i++) {
        const int row = work->found[i], place = factors->row_place[row];
        const double complex value = work->x[row];
        for (int p = place < 0 ? 0 : lower->begin[place] + 1;
             place >= 0 && p < lower->begin[place + 1]; p++)
            work->x[lower->rows[p]] = minus(work->x[lower->rows[p]], value, lower->values[p]);
    }
    return top;
}

/* The row of the pivot; -1: there is none. */
static int pivot_of(const Factors *factors, int column, const Work *work, int top, int n,
                    int pivots, double tolerance) {
    int best = -1;
    double most = tolerance;
    for (int i = top; i < n; i++) {
        const int row = work->found[i];
        const double size = cabs(work->x[row]);
        if (factors->row_place[row] < 0 && size > most)
            most = size, best = row;
    }
    if (pivots == PIVOT_DIAGONAL)
        best = factors->row_place[column] < 0 && creal(work->x[column]) > tolerance ? column : -1;
    else if (best >= 0 && factors->row_place[column] < 0 && cabs(work->x[column]) == most)
        best = column;
    return best;
}

static bool keep(Factors *factors, const Work *work, int top, int n, int k, int pivot) {
    const double complex value = work->x[pivot];
    bool made = columns_add(&factors->lower, pivot, 1);
    for (int i = top; made && i < n; i++) {
        const int row = work->found[i], place = factors->row_place[row];
        if (place >= 0)
            made = columns_add(&factors->upper, place, work->x[row]);
        else if (row != pivot)
            made = columns_add(&factors->lower, row, work->x[row] / value);
    }
    factors->row_place[pivot] = k;
    return made && columns_add(&factors->upper, k, value);
}

static bool eliminate_all(Factors *factors, const Columns *a, int pivots, double tolerance,
                          Work *work) {
    const int n = a->count;
    bool made = true;
    factors->singular = -1;
    for (int i = 0; i < n; i++)
        factors->row_place[i] = work->mark[i] = -1;
    for (int k = 0; made && k < n; k++) {
        const int top = eliminate(factors, a, k, work);
        const int column = factors->column[k];
        if (work->mark[column] != k)
            work->x[column] = 0; /* the diagonal, which has no element */
        const int pivot = pivot_of(factors, column, work, top, n, pivots, tolerance);
        if (pivot < 0) {
            factors->singular = k;
            return true;
        }
        factors->lower.begin[k + 1] = factors->lower.begin[k];
        factors->upper.begin[k + 1] = factors->upper.begin[k];
        factors->lower.count = factors->upper.count = k + 1;
        made = keep(factors, work, top, n, k, pivot);
    }
    for (int p = 0; made && p < factors->lower.begin[n]; p++)
        factors->lower.rows[p] = factors->row_place[factors->lower.rows[p]];
    return made;
}

bool factors_make(Factors *factors, const Columns *a, int pivots, double tolerance) {
    const size_t n = (size_t)a->count + 1;
    const int room = 4 * a->begin[a->count] + a->count;
    Work work = {malloc(n * sizeof *work.x), malloc(n * sizeof(int)), malloc(n * sizeof(int)),
                 malloc(n * sizeof(int)), malloc(n * sizeof(int))};
    *factors = (Factors){.row_place = malloc(n * sizeof(int)), .column = order_of(a)};
    bool made = work.x && work.found && work.stack && work.at && work.mark && factors->row_place &&
                factors->column && columns_new(&factors->lower, a->count, room) &&
                columns_new(&factors->upper, a->count, room) &&
                eliminate_all(factors, a, pivots, tolerance, &work);
    free(work.x), free(work.found), free(work.stack), free(work.at), free(work.mark);
    if (!made)
        factors_free(factors);
    return made;
}

void factors_free(Factors *factors) {
    columns_free(&factors->lower);
    columns_free(&factors->upper);
    free(factors->row_place), free(factors->column);
    *factors = (Factors){0};
}

void factors_solve(const Factors *factors, const double complex *b, double complex *x,
                   double complex *spare) {
    const Columns *lower = &factors->lower, *upper = &factors->upper;
    const int n = lower->count;
    for (int i = 0; i < n; i++)
        spare[factors->row_place[i]] = b[i];
    for (int k = 0; k < n; k++)
        for (int p = lower->begin[k] + 1; p < lower->begin[k + 1]; p++)
            spare[lower->rows[p]] = minus(spare[lower->rows[p]], spare[k], lower->values[p]);
    for (int k = n - 1; k >= 0; k--) {
        const int end = upper->begin[k + 1] - 1;
        spare[k] /= upper->values[end];
        for (int p = upper->begin[k]; p < end; p++)
            spare[upper->rows[p]] = minus(spare[upper->rows[p]], spare[k], upper->values[p]);
    }
    for (int k = 0; k < n; k++)
        x[factors->column[k]] = spare[k];
}
