/* Systems of three or five diagonals, one or many: with pivots in double precision, rounded once. */
#include "hostlib/sparse/sparse.h"

#include <stdlib.h>

enum { BELOW = 2, WIDTH = 7 }; /* diagonals below; of a row, with those that change of rows adds */

/* What each of the systems has, from a description of where it lies: element i of system s is at i * step + s * next. */
typedef struct Bands {
    SparseWork work;
    const void *diagonals[5]; /* from the lowest to the highest; NULL: zeros */
    void *right;
    int64_t rows, systems, step, next;
    int64_t columns, lead; /* right sides of one matrix */
    int type;
} Bands;

typedef struct System {
    double complex (*rows)[WIDTH]; /* of row i from column i - BELOW */
    double complex *right;         /* of all columns, one after the other */
} System;

/* Row i takes the pivot's place, and what is below loses its share of it. */
static void eliminate(System *system, int64_t k, int64_t rows, int64_t columns) {
    int64_t best = k;
    for (int64_t i = k + 1; i <= k + BELOW && i < rows; i++)
        if (cabs(system->rows[i][k - i + BELOW]) > cabs(system->rows[best][k - best + BELOW]))
            best = i;
    for (int64_t j = k; best != k && j <= k + 2 * BELOW; j++) {
        const double complex kept = system->rows[k][j - k + BELOW];
        const int64_t at = j - best + BELOW;
        system->rows[k][j - k + BELOW] = system->rows[best][at];
        system->rows[best][at] = kept;
    }
    for (int64_t c = 0; best != k && c < columns; c++) {
        const double complex kept = system->right[c * rows + k];
        system->right[c * rows + k] = system->right[c * rows + best];
        system->right[c * rows + best] = kept;
    }
    for (int64_t i = k + 1; i <= k + BELOW && i < rows; i++) {
        const double complex share =
            quotient(system->rows[i][k - i + BELOW], system->rows[k][BELOW]);
        if (system->rows[i][k - i + BELOW] == 0)
            continue;
        for (int64_t j = k; j <= k + 2 * BELOW; j++)
            system->rows[i][j - i + BELOW] -= times(share, system->rows[k][j - k + BELOW]);
        for (int64_t c = 0; c < columns; c++)
            system->right[c * rows + i] -= times(share, system->right[c * rows + k]);
    }
}

static void solve(System *system, int64_t rows, int64_t columns) {
    for (int64_t k = 0; k < rows; k++)
        eliminate(system, k, rows, columns);
    for (int64_t c = 0; c < columns; c++)
        for (int64_t k = rows - 1; k >= 0; k--) {
            double complex rest = system->right[c * rows + k];
            for (int64_t j = k + 1; j <= k + 2 * BELOW && j < rows; j++)
                rest -= times(system->rows[k][j - k + BELOW], system->right[c * rows + j]);
            system->right[c * rows + k] = quotient(rest, system->rows[k][BELOW]);
        }
}

static void load(const Bands *bands, int64_t s, System *system) {
    for (int64_t i = 0; i < bands->rows; i++) {
        for (int j = 0; j < WIDTH; j++)
            system->rows[i][j] = 0;
        for (int d = 0; d < 5; d++) {
            const int64_t column = i + d - BELOW, at = i * bands->step + s * bands->next;
            if (bands->diagonals[d] && column >= 0 && column < bands->rows)
                system->rows[i][d] = value_load(bands->diagonals[d], bands->type, at);
        }
        for (int64_t c = 0; c < bands->columns; c++)
            system->right[c * bands->rows + i] = value_load(
                bands->right, bands->type, i * bands->step + s * bands->next + c * bands->lead);
    }
}

static bool compute(const SparseWork *work) {
    const Bands *bands = (const Bands *)work;
    const size_t rows = (size_t)bands->rows + 1;
    System system = {malloc(rows * sizeof *system.rows),
                     malloc(rows * (size_t)bands->columns * sizeof *system.right + 1)};
    const bool made = system.rows && system.right;
    for (int64_t s = 0; made && s < bands->systems; s++) {
        load(bands, s, &system);
        solve(&system, bands->rows, bands->columns);
        for (int64_t c = 0; c < bands->columns; c++)
            for (int64_t i = 0; i < bands->rows; i++)
                value_store(bands->right, bands->type,
                            i * bands->step + s * bands->next + c * bands->lead,
                            system.right[c * bands->rows + i]);
    }
    free(system.rows);
    free(system.right);
    return made;
}

static bool reaches(const Bands *bands, const void *at, int64_t elements) {
    return warplens_reaches(bands->work.work.function, (CUdeviceptr)(uintptr_t)at,
                            (size_t)elements * value_bytes(bands->type));
}

static void run(const HostWork *data) {
    const Bands *bands = (const Bands *)data;
    const int64_t last = (bands->rows - 1) * bands->step + (bands->systems - 1) * bands->next;
    for (int d = 0; d < 5; d++)
        if (bands->diagonals[d] && !reaches(bands, bands->diagonals[d], last + 1))
            return;
    if (reaches(bands, bands->right, last + (bands->columns - 1) * bands->lead + 1) &&
        !compute(&bands->work))
        warplens_message("cusparse", "cusparse: no memory: a call is left out");
}

static SparseStatus enqueue(const SparseHandle *handle, Bands *bands) {
    if (!sparse_is_handle(handle))
        return SPARSE_NOT_INITIALIZED;
    if (bands->rows < 0 || bands->systems < 0 || bands->columns < 0 || bands->next < 0 ||
        (bands->columns > 1 && bands->lead < bands->rows))
        return SPARSE_INVALID_VALUE;
    if (bands->rows == 0 || bands->systems == 0 || bands->columns == 0)
        return SPARSE_SUCCESS;
    bands->work.work.library = "cusparse";
    bands->work.work.run = run;
    return warplens_enqueue(handle->stream, &bands->work.work, sizeof *bands)
               ? SPARSE_EXECUTION_FAILED
               : SPARSE_SUCCESS;
}

#define BANDS(type_, ...)                                                                          \
    Bands bands = {.work.work.function = __func__, .type = type_, __VA_ARGS__};                    \
    return enqueue(handle, &bands)

#define ONE(name, value_type)                                                                      \
    EXPORTED(cusparse##name##_bufferSizeExt, const SparseHandle *handle, int rows, int columns,    \
             const void *low, const void *middle, const void *high, const void *right, int lead,   \
             size_t *size) {                                                                       \
        (void)rows, (void)columns, (void)low, (void)middle, (void)high, (void)right, (void)lead;   \
        return sparse_size(handle, SPARSE_SUCCESS, size);                                          \
    }                                                                                              \
    EXPORTED(cusparse##name, const SparseHandle *handle, int rows, int columns, const void *low,   \
             const void *middle, const void *high, void *right, int lead, void *area) {            \
        (void)area;                                                                                \
        BANDS(value_type, .diagonals = {NULL, low, middle, high, NULL}, .right = right,            \
              .rows = rows, .systems = 1, .step = 1, .columns = columns, .lead = lead);            \
    }

#define MANY(T, value_type)                                                                        \
    EXPORTED(cusparse##T##gtsv2StridedBatch_bufferSizeExt, const SparseHandle *handle, int rows,   \
             const void *low, const void *middle, const void *high, const void *right,             \
             int systems, int next, size_t *size) {                                                \
        (void)rows, (void)low, (void)middle, (void)high, (void)right, (void)systems, (void)next;   \
        return sparse_size(handle, SPARSE_SUCCESS, size);                                          \
    }                                                                                              \
    EXPORTED(cusparse##T##gtsv2StridedBatch, const SparseHandle *handle, int rows,                 \
             const void *low, const void *middle, const void *high, void *right, int systems,      \
             int next, void *area) {                                                               \
        (void)area;                                                                                \
        BANDS(value_type, .diagonals = {NULL, low, middle, high, NULL}, .right = right,            \
              .rows = rows, .systems = systems, .step = 1, .next = next, .columns = 1);            \
    }                                                                                              \
    EXPORTED(cusparse##T##gtsvInterleavedBatch_bufferSizeExt, const SparseHandle *handle,          \
             int algorithm, int rows, const void *low, const void *middle, const void *high,       \
             const void *right, int systems, size_t *size) {                                       \
        (void)algorithm, (void)rows, (void)low, (void)middle, (void)high, (void)right;             \
        (void)systems;                                                                             \
        return sparse_size(handle, SPARSE_SUCCESS, size);                                          \
    }                                                                                              \
    EXPORTED(cusparse##T##gtsvInterleavedBatch, const SparseHandle *handle, int algorithm,         \
             int rows, void *low, void *middle, void *high, void *right, int systems,              \
             void *area) {                                                                         \
        (void)area, (void)algorithm;                                                               \
        BANDS(value_type, .diagonals = {NULL, low, middle, high, NULL}, .right = right,            \
              .rows = rows, .systems = systems, .step = systems, .next = 1, .columns = 1);         \
    }                                                                                              \
    EXPORTED(cusparse##T##gpsvInterleavedBatch_bufferSizeExt, const SparseHandle *handle,          \
             int algorithm, int rows, const void *lowest, const void *low, const void *middle,     \
             const void *high, const void *highest, const void *right, int systems,                \
             size_t *size) {                                                                       \
        (void)algorithm, (void)rows, (void)lowest, (void)low, (void)middle, (void)high;            \
        (void)highest, (void)right, (void)systems;                                                 \
        return sparse_size(handle, SPARSE_SUCCESS, size);                                          \
    }                                                                                              \
    EXPORTED(cusparse##T##gpsvInterleavedBatch, const SparseHandle *handle, int algorithm,         \
             int rows, void *lowest, void *low, void *middle, void *high, void *highest,           \
             void *right, int systems, void *area) {                                               \
        (void)area, (void)algorithm;                                                               \
        BANDS(value_type, .diagonals = {lowest, low, middle, high, highest}, .right = right,       \
              .rows = rows, .systems = systems, .step = systems, .next = 1, .columns = 1);         \
    }

ONE(Sgtsv2, VALUE_R_32)
ONE(Dgtsv2, VALUE_R_64)
ONE(Cgtsv2, VALUE_C_32)
ONE(Zgtsv2, VALUE_C_64)
ONE(Sgtsv2_nopivot, VALUE_R_32)
ONE(Dgtsv2_nopivot, VALUE_R_64)
ONE(Cgtsv2_nopivot, VALUE_C_32)
ONE(Zgtsv2_nopivot, VALUE_C_64)
MANY(S, VALUE_R_32)
MANY(D, VALUE_R_64)
MANY(C, VALUE_C_32)
MANY(Z, VALUE_C_64)
