/* Batches of matrices: see batch.h. */
#include "hostlib/blas/batch.h"

#include <stdio.h>

size_t batch_bytes(const BatchWork *work) {
    static const size_t bytes[] = {4, 8, 8, 16};
    return bytes[work->type];
}

static bool reaches(const BatchWork *work, const void *at, size_t bytes) {
    return warplens_reaches(work->work.function, (CUdeviceptr)(uintptr_t)at, bytes);
}

bool batch_reaches(const BatchWork *work, const void *matrix, int lead, int rows, int columns) {
    size_t count = columns && rows ? (size_t)(columns - 1) * (size_t)lead + (size_t)rows : 0;
    return reaches(work, matrix, count * batch_bytes(work));
}

void *batch_at(const BatchWork *work, void *matrix, int lead, int row, int column) {
    return (char *)matrix + ((size_t)column * (size_t)lead + (size_t)row) * batch_bytes(work);
}

static void run(const HostWork *host) {
    const BatchWork *work = (const BatchWork *)(const void *)host;
    const size_t count = (size_t)work->count, pointers = count * sizeof(void *);
    if (!reaches(work, work->matrices, pointers) ||
        (work->to && !reaches(work, work->to, pointers)) ||
        (work->info && !reaches(work, work->info, count * sizeof(int))) ||
        (work->pivots && !reaches(work, work->pivots, count * (size_t)work->n * sizeof(int))))
        return;
    for (int i = 0; i < work->count && work->one(work, i);)
        i++;
}

/* NULL: there is no name, or no such routine. */
static Fortran find(ElementType type, const char *name) {
    char text[16];
    Fortran found = NULL;
    if (name) {
        snprintf(text, sizeof text, "%c%s", "sdcz"[type], name + 1);
        *(void **)&found = provider_function(PROVIDER_BLAS, text);
    }
    return found;
}

BlasStatus batch_enqueue(const BlasHandle *handle, BatchWork *work, const char *first,
                         const char *second) {
    work->first = find(work->type, first);
    work->second = find(work->type, second);
    work->work.library = "cublas";
    work->work.run = run;
    if ((first && !work->first) || (second && !work->second))
        return BLAS_NOT_SUPPORTED;
    return status_of(warplens_enqueue(handle->stream, &work->work, sizeof *work));
}
