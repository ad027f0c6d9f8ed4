/* Indices of elements: brought into order, and where each row begins from the row of each element. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

typedef struct SortWork {
    HostWork work;
    int rows, count, base;
    int *offsets; /* of a matrix whose rows lie one behind the other; NULL: of any order */
    int *first, *second,
        *places; /* of each element: what is sorted by, and then by; where it was. NULL: not there */
} SortWork;

static bool reaches(const SortWork *work, const int *at, int count) {
    return !at || warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at,
                                   (size_t)count * sizeof *at);
}

static bool reaches_all(const SortWork *work) {
    return reaches(work, work->offsets, work->rows + 1) &&
           reaches(work, work->first, work->count) && reaches(work, work->second, work->count) &&
           reaches(work, work->places, work->count);
}

static SparseStatus enqueue(const SparseHandle *handle, SortWork *work,
                            void (*run)(const HostWork *work)) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    if (work->rows < 0 || work->count < 0 || work->base < 0 || work->base > 1)
        return SPARSE_INVALID_VALUE;
    work->work.library = "cusparse";
    work->work.run = run;
    return warplens_enqueue(handle->stream, &work->work, sizeof *work) ? SPARSE_EXECUTION_FAILED
                                                                       : SPARSE_SUCCESS;
}

/* ---- sorting ---- */

typedef struct Key {
    int first, second, at, place;
} Key;

static int compare(const void *a, const void *b) {
    const Key *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->second != y->second)
        return x->second < y->second ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at); /* equal ones stay as they are */
}

static void sort(const SortWork *work, int begin, int end, Key *keys) {
    for (int i = begin; i < end; i++)
        keys[i - begin] = (Key){work->first[i], work->second ? work->second[i] : 0, i,
                                work->places ? work->places[i] : 0};
    qsort(keys, (size_t)(end - begin), sizeof *keys, compare);
    for (int i = begin; i < end; i++) {
        work->first[i] = keys[i - begin].first;
        if (work->second)
            work->second[i] = keys[i - begin].second;
        if (work->places)
            work->places[i] = keys[i - begin].place;
    }
}

static void run_sort(const HostWork *host) {
    const SortWork *work = (const SortWork *)(const void *)host;
    Key *keys = reaches_all(work) ? malloc((size_t)work->count * sizeof *keys + 1) : NULL;
    if (keys && !work->offsets)
        sort(work, 0, work->count, keys);
    for (int row = 0; keys && work->offsets && row < work->rows; row++) {
        const int begin = work->offsets[row] - work->base,
                  end = work->offsets[row + 1] - work->base;
        if (begin >= 0 && begin < end && end <= work->count)
            sort(work, begin, end, keys);
    }
    free(keys);
}

/* Rows with their columns, or columns with their rows. */
#define SORT_LINES(name, lines)                                                                    \
    EXPORTED(cusparse##name##_bufferSizeExt, const SparseHandle *handle, int m, int n, int count,  \
             const int *offsets, const int *places, size_t *size) {                                \
        (void)offsets, (void)places;                                                               \
        bool good = m >= 0 && n >= 0 && count >= 0;                                                \
        return sparse_size(handle, good ? SPARSE_SUCCESS : SPARSE_INVALID_VALUE, size);            \
    }                                                                                              \
    EXPORTED(cusparse##name, const SparseHandle *handle, int m, int n, int count,                  \
             const SparseMatrix *matrix, int *offsets, int *places, int *permutation,              \
             void *area) {                                                                         \
        (void)area;                                                                                \
        if (!matrix || m < 0 || n < 0 || (lines && !offsets))                                      \
            return SPARSE_INVALID_VALUE;                                                           \
        SortWork work = {{.function = "cusparse" #name},                                           \
                         lines,                                                                    \
                         count,                                                                    \
                         matrix->base,                                                             \
                         offsets,                                                                  \
                         places,                                                                   \
                         NULL,                                                                     \
                         permutation};                                                             \
        return enqueue(handle, &work, run_sort);                                                   \
    }
SORT_LINES(Xcsrsort, m)
SORT_LINES(Xcscsort, n)

#define COO                                                                                        \
    const SparseHandle *handle, int m, int n, int count, int *rows, int *columns,                  \
        int *permutation, void *area

EXPORTED(cusparseXcoosort_bufferSizeExt, const SparseHandle *handle, int m, int n, int count,
         const int *rows, const int *columns, size_t *size) {
    (void)rows, (void)columns;
    bool good = m >= 0 && n >= 0 && count >= 0;
    return sparse_size(handle, good ? SPARSE_SUCCESS : SPARSE_INVALID_VALUE, size);
}

EXPORTED(cusparseXcoosortByRow, COO) {
    (void)n, (void)area;
    SortWork work = {{.function = __func__}, m, count, 0, NULL, rows, columns, permutation};
    return enqueue(handle, &work, run_sort);
}

EXPORTED(cusparseXcoosortByColumn, COO) {
    (void)m, (void)area;
    SortWork work = {{.function = __func__}, n, count, 0, NULL, columns, rows, permutation};
    return enqueue(handle, &work, run_sort);
}

static void run_identity(const HostWork *host) {
    const SortWork *work = (const SortWork *)(const void *)host;
    for (int i = 0; reaches_all(work) && i < work->count; i++)
        work->places[i] = i;
}

EXPORTED(cusparseCreateIdentityPermutation, const SparseHandle *handle, int count, int *places) {
    SortWork work = {.work.function = __func__, .count = count, .places = places};
    return count && !places ? SPARSE_INVALID_VALUE : enqueue(handle, &work, run_identity);
}

/* ---- where rows begin ---- */

static void run_offsets(const HostWork *host) {
    const SortWork *work = (const SortWork *)(const void *)host;
    if (!reaches_all(work))
        return;
    for (int row = 0, at = 0; row <= work->rows; row++) {
        while (at < work->count && work->first[at] - work->base < row)
            at++;
        work->offsets[row] = at + work->base;
    }
}

static void run_rows(const HostWork *host) {
    const SortWork *work = (const SortWork *)(const void *)host;
    for (int row = 0; reaches_all(work) && row < work->rows; row++) {
        const int end = work->offsets[row + 1] - work->base;
        for (int at = work->offsets[row] - work->base; at >= 0 && at < end && at < work->count;
             at++)
            work->first[at] = row + work->base;
    }
}

EXPORTED(cusparseXcoo2csr, const SparseHandle *handle, int *first, int count, int rows,
         int *offsets, int base) {
    SortWork work = {{.function = __func__}, rows, count, base, offsets, first, NULL, NULL};
    return enqueue(handle, &work, run_offsets);
}

EXPORTED(cusparseXcsr2coo, const SparseHandle *handle, int *offsets, int count, int rows,
         int *first, int base) {
    SortWork work = {{.function = __func__}, rows, count, base, offsets, first, NULL, NULL};
    return enqueue(handle, &work, run_rows);
}
