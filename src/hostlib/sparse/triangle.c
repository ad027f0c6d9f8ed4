/* Triangular systems with one right-hand side (SpSV) or many (SpSM). */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

/* One right-hand side: the rows of op(a) one after the other, each with what is known by then. */
static void solve(const SparseWork *work, const Lines *rows, bool lower, int64_t column,
                  double complex *x) {
    for (int64_t i = 0; i < rows->count; i++) {
        const int64_t row = lower ? i : rows->count - 1 - i;
        double complex rest = times(work->alpha, dense_load_op(&work->b, work->op_b, row, column));
        double complex diagonal = work->a.diag == DIAG_UNIT; /* which may not be stored: it is 0 */
        for (int64_t at = rows->offsets[row]; at < rows->offsets[row + 1]; at++) {
            const int64_t place = rows->places[at];
            if (lower ? place < row : place > row)
                rest -= times(rows->values[at], x[place]);
            else if (place == row && work->a.diag == DIAG_NON_UNIT)
                diagonal = rows->values[at];
        }
        x[row] = quotient(rest, diagonal);
    }
}

static bool compute(const SparseWork *work) {
    const bool lower = (work->a.fill == FILL_LOWER) == (work->op_a == OP_NONE);
    Lines rows;
    double complex *x = calloc((size_t)work->c.rows + 1, sizeof *x);
    bool made = x && lines_of(&rows, &work->a, work->op_a);
    for (int64_t column = 0; made && column < work->c.columns; column++) {
        solve(work, &rows, lower, column, x);
        for (int64_t row = 0; row < work->c.rows; row++)
            dense_store(&work->c, row, column, x[row]);
    }
    if (made)
        lines_free(&rows);
    free(x);
    return made;
}

#define SYSTEMS                                                                                    \
    const SparseHandle *handle, int op_a, int op_b, const void *alpha, const SparseMatrix *a,      \
        const DenseMatrix *b, const DenseMatrix *c, int type, int algorithm, void *description
#define SYSTEM                                                                                     \
    const SparseHandle *handle, int op_a, const void *alpha, const SparseMatrix *a,                \
        const DenseMatrix *b, const DenseMatrix *c, int type, int algorithm, void *description

static SparseStatus check(int op_a, int op_b, const SparseMatrix *a, const DenseMatrix *b,
                          const DenseMatrix *c, int type) {
    SparseStatus wrong = sparse_check_product(op_a, op_b, a, b, c, type);
    return !wrong && a->row_count != a->column_count ? SPARSE_INVALID_VALUE : wrong;
}

static SparseStatus enqueue(const char *function, SYSTEMS) {
    (void)algorithm;
    if (!sparse_is_handle(handle) || !alpha || !description)
        return SPARSE_INVALID_VALUE;
    SparseStatus wrong = check(op_a, op_b, a, b, c, type);
    if (wrong)
        return wrong;
    SparseWork work = {.work.function = function,
                       .compute = compute,
                       .a = *a,
                       .b = *b,
                       .c = *c,
                       .op_a = op_a,
                       .op_b = op_b};
    sparse_put_scalars(handle, &work, alpha, NULL, type);
    return sparse_enqueue(handle, &work);
}

/* Nothing is kept in a description. */
#define FUNCTIONS(name, PARAMETERS, op)                                                            \
    EXPORTED(cusparse##name##_createDescr, void **description) {                                   \
        if (!description)                                                                          \
            return SPARSE_INVALID_VALUE;                                                           \
        *description = malloc(1);                                                                  \
        return *description ? SPARSE_SUCCESS : SPARSE_ALLOC_FAILED;                                \
    }                                                                                              \
    EXPORTED(cusparse##name##_destroyDescr, void *description) {                                   \
        free(description);                                                                         \
        return SPARSE_SUCCESS;                                                                     \
    }                                                                                              \
    EXPORTED(cusparse##name##_bufferSize, PARAMETERS, size_t *size) {                              \
        (void)alpha, (void)algorithm, (void)description;                                           \
        return sparse_size(handle, check(op_a, op, a, b, c, type), size);                          \
    }                                                                                              \
    EXPORTED(cusparse##name##_analysis, PARAMETERS, void *area) {                                  \
        (void)alpha, (void)algorithm;                                                              \
        return handle && area && description ? check(op_a, op, a, b, c, type)                      \
                                             : SPARSE_INVALID_VALUE;                               \
    }                                                                                              \
    EXPORTED(cusparse##name##_solve, PARAMETERS) {                                                 \
        return enqueue("cusparse" #name "_solve", handle, op_a, op, alpha, a, b, c, type,          \
                       algorithm, description);                                                    \
    }
FUNCTIONS(SpSV, SYSTEM, OP_NONE)
FUNCTIONS(SpSM, SYSTEMS, op_b)
