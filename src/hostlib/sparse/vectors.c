/* Sparse vectors, with dense ones. */
#include "hostlib/sparse/sparse.h"

/* Where element i of the sparse vector is in a dense one; -1: not within it. */
static int64_t place(const SparseVector *v, int64_t i, const DenseMatrix *dense) {
    const int64_t index = index_load(v->indices, v->index_type, i, v->base);
    return index >= 0 && index < dense->rows ? index : -1;
}

static bool gather(const SparseWork *work) {
    const SparseVector *v = &work->v;
    for (int64_t i = 0, at; i < v->count; i++)
        if ((at = place(v, i, &work->b)) >= 0)
            value_store(v->values, v->type, i, dense_load(&work->b, at, 0));
    return true;
}

static bool scatter(const SparseWork *work) {
    const SparseVector *v = &work->v;
    for (int64_t i = 0, at; i < v->count; i++)
        if ((at = place(v, i, &work->c)) >= 0)
            dense_store(&work->c, at, 0, value_load(v->values, v->type, i));
    return true;
}

static bool add(const SparseWork *work) {
    const SparseVector *v = &work->v;
    const DenseMatrix *y = &work->c;
    for (int64_t i = 0; work->beta != 1 && i < y->rows; i++)
        dense_store(y, i, 0, work->beta == 0 ? 0 : times(work->beta, dense_load(y, i, 0)));
    for (int64_t i = 0, at; i < v->count; i++)
        if ((at = place(v, i, y)) >= 0)
            dense_store(y, at, 0,
                        dense_load(y, at, 0) +
                            times(work->alpha, value_load(v->values, v->type, i)));
    return true;
}

/* alpha is the cosine, beta the sine. */
static bool rotate(const SparseWork *work) {
    const SparseVector *v = &work->v;
    const double complex c = work->alpha, s = work->beta;
    for (int64_t i = 0, at; i < v->count; i++) {
        if ((at = place(v, i, &work->c)) < 0)
            continue;
        const double complex x = value_load(v->values, v->type, i), y = dense_load(&work->c, at, 0);
        value_store(v->values, v->type, i, times(c, x) + times(s, y));
        dense_store(&work->c, at, 0, times(c, y) - times(s, x));
    }
    return true;
}

/* Into `result`, which sparse_put_scalars has not seen: it is written. */
static bool dot(const SparseWork *work) {
    const SparseVector *v = &work->v;
    double complex sum = 0;
    for (int64_t i = 0, at; i < v->count; i++)
        if ((at = place(v, i, &work->b)) >= 0) {
            const double complex x = value_load(v->values, v->type, i);
            sum += times(work->op_a == OP_CONJUGATE ? conj(x) : x, dense_load(&work->b, at, 0));
        }
    value_store(work->result, work->scalar_type, 0, sum);
    return true;
}

/* ---- calls ---- */

static bool fit(const SparseHandle *handle, const SparseVector *x, const DenseMatrix *y) {
    return sparse_is_handle(handle) && x && y && x->type == y->type && x->size == y->rows;
}

EXPORTED(cusparseGather, const SparseHandle *handle, const DenseMatrix *y, const SparseVector *x) {
    if (!fit(handle, x, y))
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = gather, .b = *y, .v = *x};
    return sparse_enqueue(handle, &work);
}

EXPORTED(cusparseScatter, const SparseHandle *handle, const SparseVector *x, const DenseMatrix *y) {
    if (!fit(handle, x, y))
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = scatter, .c = *y, .v = *x};
    return sparse_enqueue(handle, &work);
}

EXPORTED(cusparseAxpby, const SparseHandle *handle, const void *alpha, const SparseVector *x,
         const void *beta, const DenseMatrix *y) {
    if (!fit(handle, x, y) || !alpha || !beta)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = add, .c = *y, .v = *x};
    sparse_put_scalars(handle, &work, alpha, beta, x->type);
    return sparse_enqueue(handle, &work);
}

EXPORTED(cusparseRot, const SparseHandle *handle, const void *c, const void *s,
         const SparseVector *x, const DenseMatrix *y) {
    if (!fit(handle, x, y) || !c || !s)
        return SPARSE_INVALID_VALUE;
    SparseWork work = {.work.function = __func__, .compute = rotate, .c = *y, .v = *x};
    sparse_put_scalars(handle, &work, c, s, x->type);
    return sparse_enqueue(handle, &work);
}

EXPORTED(cusparseSpVV_bufferSize, const SparseHandle *handle, int op, const SparseVector *x,
         const DenseMatrix *y, const void *result, int type, size_t *size) {
    (void)op, (void)result, (void)type;
    return sparse_size(handle, fit(handle, x, y) ? SPARSE_SUCCESS : SPARSE_INVALID_VALUE, size);
}

EXPORTED(cusparseSpVV, const SparseHandle *handle, int op, const SparseVector *x,
         const DenseMatrix *y, void *result, int type, void *area) {
    if (!fit(handle, x, y) || !result || !area || !sparse_is_operation(op))
        return SPARSE_INVALID_VALUE;
    if (type != x->type)
        return SPARSE_NOT_SUPPORTED;
    if (handle->scalars == SCALARS_DEVICE &&
        !warplens_reaches(__func__, (CUdeviceptr)(uintptr_t)result, value_bytes(type)))
        return SPARSE_EXECUTION_FAILED;
    SparseWork work = {.work.function = __func__,
                       .compute = dot,
                       .b = *y,
                       .v = *x,
                       .op_a = op,
                       .scalar_type = type,
                       .result = result};
    return sparse_enqueue(handle, &work);
}
