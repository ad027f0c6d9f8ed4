/* cuSOLVER: Jacobi's methods, eigenvalues of a range and of pairs, singular values of rectangles, systems that are refined. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, NOT_SUPPORTED = 9, PRECISION_WRONG = 14 };
enum { RANGE_ALL = 1001, RANGE_NUMBERS, RANGE_VALUES };
typedef struct Handle *Handle;
typedef struct Info *Info;

int cusolverDnCreate(Handle *handle);
int cusolverDnDestroy(Handle handle);
int cusolverDnCreateSyevjInfo(Info *info);
int cusolverDnDestroySyevjInfo(Info info);
int cusolverDnXsyevjSetTolerance(Info info, double tolerance);
int cusolverDnXsyevjGetResidual(Handle handle, Info info, double *residual);
int cusolverDnXsyevjGetSweeps(Handle handle, Info info, int *sweeps);
int cusolverDnCreateGesvdjInfo(Info *info);
int cusolverDnDestroyGesvdjInfo(Info info);
int cusolverDnXgesvdjSetMaxSweeps(Info info, int most);
int cusolverDnXgesvdjSetSortEig(Info info, int sorted);
int cusolverDnXgesvdjGetResidual(Handle handle, Info info, double *residual);
int cusolverDnZgesvdj_bufferSize(Handle handle, int job, int econ, int m, int n, const void *a,
                                 int lda, const void *s, const void *u, int ldu, const void *v,
                                 int ldv, int *size, Info info);
int cusolverDnZgesvdj(Handle handle, int job, int econ, int m, int n, void *a, int lda, void *s,
                      void *u, int ldu, void *v, int ldv, void *work, int size, int *info, Info of);
int cusolverDnSgesvdjBatched(Handle handle, int job, int m, int n, void *a, int lda, void *s,
                             void *u, int ldu, void *v, int ldv, void *work, int size, int *info,
                             Info of, int count);
int cusolverDnDgesvdaStridedBatched(Handle handle, int job, int rank, int m, int n, const void *a,
                                    int lda, long long step_a, void *s, long long step_s, void *u,
                                    int ldu, long long step_u, void *v, int ldv, long long step_v,
                                    void *work, int size, int *info, double *norms, int count);
int cusolverDnDsyevj(Handle handle, int job, int fill, int n, void *a, int lda, void *w, void *work,
                     int size, int *info, Info of);
int cusolverDnCheevjBatched(Handle handle, int job, int fill, int n, void *a, int lda, void *w,
                            void *work, int size, int *info, Info of, int count);
int cusolverDnDsygvj(Handle handle, int type, int job, int fill, int n, void *a, int lda, void *b,
                     int ldb, void *w, void *work, int size, int *info, Info of);
int cusolverDnDsyevdx(Handle handle, int job, int range, int fill, int n, void *a, int lda,
                      double low, double high, int first, int last, int *found, void *w, void *work,
                      int size, int *info);
int cusolverDnChegvdx(Handle handle, int type, int job, int range, int fill, int n, void *a,
                      int lda, void *b, int ldb, float low, float high, int first, int last,
                      int *found, void *w, void *work, int size, int *info);
int cusolverDnDHgesv(Handle handle, int n, int k, void *a, int lda, int *pivots, void *b, int ldb,
                     void *x, int ldx, void *work, size_t bytes, int *steps, int *info);
int cusolverDnZCgels(Handle handle, int m, int n, int k, void *a, int lda, void *b, int ldb,
                     void *x, int ldx, void *work, size_t bytes, int *steps, int *info);
int cusolverDnIRSParamsCreate(Info *params);
int cusolverDnIRSParamsDestroy(Info params);
int cusolverDnIRSParamsSetSolverPrecisions(Info params, int main, int lowest);
int cusolverDnIRSInfosCreate(Info *results);
int cusolverDnIRSInfosDestroy(Info results);
int cusolverDnIRSInfosGetNiters(Info results, int *steps);
int cusolverDnIRSXgesv(Handle handle, Info params, Info results, int n, int k, void *a, int lda,
                       void *b, int ldb, void *x, int ldx, void *work, size_t bytes, int *steps,
                       int *info);

/* A symmetric matrix with eigenvalues 1, 2 and 4, by columns; with 2 as every right side's second unknown. */
enum { N = 3, ROWS = 4, COLUMNS = 2 };
static const double matrix[N * N] = {3, 1, 1, 1, 2, 0, 1, 0, 2};
static const double right[N] = {8, 5, 7}; /* of (1, 2, 3) */

typedef struct Memory {
    double a[N * N], b[N * N], w[N], x[N];
    float complex ca[2][N * N], cb[N * N];
    float cw[2][N];
    double complex za[ROWS * COLUMNS], zu[ROWS * ROWS], zv[COLUMNS * COLUMNS], zb[ROWS], zx[ROWS];
    double zs[COLUMNS];
    float sa[2][ROWS * COLUMNS], ss[2][COLUMNS], su[2][ROWS * ROWS], sv[2][COLUMNS * COLUMNS];
    double da[2][ROWS * COLUMNS + 1], ds[2][1], du[2][ROWS + 1], dv[2][COLUMNS];
    int info[2], pivots[N];
} Memory;
static Memory *m;

/* 4 by 2 of rank 2: column j of row i. */
static double complex rectangle(int i, int j) {
    return (i + 1) * (j + 1) + (i == j) * 3 + I * (double)(i - j);
}

static void fill(void) {
    memset(m, 0, sizeof *m);
    memcpy(m->a, matrix, sizeof matrix);
    for (int i = 0; i < N * N; i++) {
        m->ca[0][i] = (float)matrix[i];
        m->ca[1][i] = (float)(2 * matrix[i]);
        m->cb[i] = i % (N + 1) ? 0 : 2;
        m->b[i] = i % (N + 1) ? 0 : 2;
    }
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++) {
            m->za[j * ROWS + i] = rectangle(i, j);
            for (int one = 0; one < 2; one++) {
                m->sa[one][j * ROWS + i] = (float)creal(rectangle(i, j)) * (float)(one + 1);
                m->da[one][j * ROWS + i] = (i + 1) * (j + 1) * (one + 1); /* of rank 1 */
            }
        }
    m->info[0] = m->info[1] = 77;
}

/* Whether U S V' is the rectangle. */
static bool is_rectangle(void) {
    bool good = true;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double complex sum = 0;
            for (int k = 0; k < COLUMNS; k++)
                sum += m->zu[k * ROWS + i] * m->zs[k] * conj(m->zv[k * COLUMNS + j]);
            good &= cabs(sum - rectangle(i, j)) < 1e-13;
        }
    return good;
}

static void singular_values(Handle handle) {
    Info info = NULL;
    double residual = 7, norms[2];
    int size;
    CHECK(cusolverDnCreateGesvdjInfo(&info) == 0 && cusolverDnXgesvdjSetMaxSweeps(info, 15) == 0);
    CHECK(cusolverDnXgesvdjSetSortEig(info, 1) == 0);
    for (int econ = 0; econ < 2; econ++) {
        fill();
        CHECK(cusolverDnZgesvdj_bufferSize(handle, 1, econ, ROWS, COLUMNS, m->za, ROWS, m->zs,
                                           m->zu, ROWS, m->zv, COLUMNS, &size, info) == 0);
        CHECK(cusolverDnZgesvdj(handle, 1, econ, ROWS, COLUMNS, m->za, ROWS, m->zs, m->zu, ROWS,
                                m->zv, COLUMNS, NULL, size, m->info, info) == 0 &&
              m->info[0] == 0);
        CHECK(is_rectangle() && m->zs[0] >= m->zs[1]);
        CHECK((m->zu[(ROWS - 1) * ROWS] == 0) == econ);
        CHECK(cusolverDnXgesvdjGetResidual(handle, info, &residual) == 0 && residual < 1e-13);
    }
    CHECK(cusolverDnSgesvdjBatched(handle, 1, ROWS, COLUMNS, m->sa, ROWS, m->ss, m->su, ROWS, m->sv,
                                   COLUMNS, NULL, 0, m->info, info, 2) == 0);
    CHECK(m->info[0] == 0 && m->info[1] == 0 && fabsf(m->ss[1][0] - 2 * m->ss[0][0]) < 1e-4f &&
          fabsf(m->ss[1][1] - 2 * m->ss[0][1]) < 1e-4f && m->ss[0][1] > 0);
    CHECK(cusolverDnXgesvdjGetResidual(handle, info, &residual) == NOT_SUPPORTED);
    CHECK(cusolverDnSgesvdjBatched(handle, 1, 33, 1, m->sa, 33, m->ss, m->su, 33, m->sv, 1, NULL, 0,
                                   m->info, info, 1) == INVALID_VALUE);
    CHECK(cusolverDnDgesvdaStridedBatched(
              handle, 1, 1, ROWS, COLUMNS, m->da, ROWS, ROWS * COLUMNS + 1, m->ds, 1, m->du, ROWS,
              ROWS + 1, m->dv, COLUMNS, COLUMNS, NULL, 0, m->info, norms, 2) == 0);
    for (int one = 0; one < 2; one++) /* the lengths of (1, 2, 3, 4) and (1, 2) */
        CHECK(norms[one] < 1e-13 && fabs(m->ds[one][0] - sqrt(30. * 5) * (one + 1)) < 1e-12);
    CHECK(cusolverDnDestroyGesvdjInfo(info) == 0);
}

static void eigenvalues(Handle handle) {
    static const double wanted[N] = {1, 2, 4};
    Info info = NULL;
    double residual = 7;
    int sweeps = 7;
    CHECK(cusolverDnCreateSyevjInfo(&info) == 0 && cusolverDnXsyevjSetTolerance(info, 1e-9) == 0);
    for (int job = 0; job < 2; job++) {
        fill();
        CHECK(cusolverDnDsyevj(handle, job, 1, N, m->a, N, m->w, NULL, 0, m->info, info) == 0);
        CHECK(m->info[0] == 0 && cusolverDnXsyevjGetResidual(handle, info, &residual) == 0);
        CHECK(residual < 1e-14 && cusolverDnXsyevjGetSweeps(handle, info, &sweeps) == 0);
        for (int i = 0; i < N; i++)
            CHECK(fabs(m->w[i] - wanted[i]) < 1e-14);
        CHECK((m->a[0] == matrix[0]) == !job && sweeps == 0);
    }
    for (int type = 1; type <= 3; type++) { /* B is twice the unit matrix: w is halved or doubled */
        fill();
        CHECK(cusolverDnDsygvj(handle, type, 1, 0, N, m->a, N, m->b, N, m->w, NULL, 0, m->info,
                               info) == 0);
        CHECK(m->info[0] == 0 && cusolverDnXsyevjGetResidual(handle, info, &residual) == 0);
        CHECK(residual < 1e-14);
        for (int i = 0; i < N; i++)
            CHECK(fabs(m->w[i] - (type == 1 ? wanted[i] / 2 : wanted[i] * 2)) < 1e-13);
    }
    fill();
    CHECK(cusolverDnCheevjBatched(handle, 1, 0, N, m->ca, N, m->cw, NULL, 0, m->info, info, 2) ==
          0);
    for (int i = 0; i < N; i++)
        CHECK(fabs(m->cw[0][i] - wanted[i]) < 1e-6 && fabs(m->cw[1][i] - 2 * wanted[i]) < 2e-6);
    CHECK(cusolverDnXsyevjGetSweeps(handle, info, &sweeps) == NOT_SUPPORTED);
    CHECK(cusolverDnDsygvj(handle, 4, 1, 0, N, m->a, N, m->b, N, m->w, NULL, 0, m->info, info) ==
          INVALID_VALUE);
    CHECK(cusolverDnDestroySyevjInfo(info) == 0);
}

static void ranges(Handle handle) {
    int found = 7;
    fill();
    CHECK(cusolverDnDsyevdx(handle, 1, RANGE_NUMBERS, 0, N, m->a, N, 0, 0, 2, 3, &found, m->w, NULL,
                            0, m->info) == 0);
    CHECK(found == 2 && fabs(m->w[0] - 2) < 1e-14 && fabs(m->w[1] - 4) < 1e-14);
    double sum = 0; /* A x = 2 x, of the first vector that was asked for */
    for (int i = 0; i < N; i++) {
        double product = 0;
        for (int k = 0; k < N; k++)
            product += matrix[k * N + i] * m->a[k];
        sum += fabs(product - 2 * m->a[i]);
    }
    CHECK(sum < 1e-13);
    fill();
    CHECK(cusolverDnChegvdx(handle, 1, 0, RANGE_VALUES, 0, N, m->ca, N, m->cb, N, 0.75f, 1.5f, 0, 0,
                            &found, m->cw, NULL, 0, m->info) == 0);
    CHECK(found == 1 && fabs(m->cw[0][0] - 1) < 1e-6);
    CHECK(cusolverDnDsyevdx(handle, 0, RANGE_NUMBERS, 0, N, m->a, N, 0, 0, 0, 3, &found, m->w, NULL,
                            0, m->info) == INVALID_VALUE);
    CHECK(cusolverDnDsyevdx(handle, 0, 5, 0, N, m->a, N, 0, 0, 1, 3, &found, m->w, NULL, 0,
                            m->info) == INVALID_VALUE);
}

static void refined(Handle handle) {
    Info params = NULL, results = NULL;
    int steps = 7;
    fill();
    memcpy(m->b, right, sizeof right);
    CHECK(cusolverDnDHgesv(handle, N, 1, m->a, N, m->pivots, m->b, N, m->x, N, NULL, 0, &steps,
                           m->info) == 0);
    for (int i = 0; i < N; i++)
        CHECK(fabs(m->x[i] - (i + 1)) < 1e-14);
    CHECK(steps == 0 && m->info[0] == 0 && m->a[0] == matrix[0] && m->b[0] == right[0]);
    for (int i = 0; i < ROWS; i++) /* of (1, i) */
        m->zb[i] = m->za[i] + I * m->za[ROWS + i];
    CHECK(cusolverDnZCgels(handle, ROWS, COLUMNS, 1, m->za, ROWS, m->zb, ROWS, m->zx, COLUMNS, NULL,
                           0, &steps, m->info) == 0);
    CHECK(cabs(m->zx[0] - 1) < 1e-13 && cabs(m->zx[1] - I) < 1e-13 && m->zx[2] == 0);
    CHECK(cusolverDnIRSParamsCreate(&params) == 0 && cusolverDnIRSInfosCreate(&results) == 0);
    CHECK(cusolverDnIRSXgesv(handle, params, results, N, 1, m->a, N, m->b, N, m->x, N, NULL, 0,
                             &steps, m->info) == PRECISION_WRONG);
    CHECK(cusolverDnIRSParamsSetSolverPrecisions(params, 1203, 1205) == 0);
    memset(m->x, 0, sizeof m->x);
    CHECK(cusolverDnIRSXgesv(handle, params, results, N, 1, m->a, N, m->b, N, m->x, N, NULL, 0,
                             &steps, m->info) == 0);
    CHECK(fabs(m->x[2] - 3) < 1e-14 && cusolverDnIRSInfosGetNiters(results, &steps) == 0);
    CHECK(cusolverDnIRSParamsDestroy(params) == 0 && cusolverDnIRSInfosDestroy(results) == 0);
}

int main(void) {
    CUdeviceptr made;
    Handle handle;
    start();
    OK(cuMemAlloc_v2(&made, sizeof *m));
    m = (Memory *)(uintptr_t)made;
    CHECK(cusolverDnCreate(&handle) == 0);
    singular_values(handle);
    eigenvalues(handle);
    ranges(handle);
    refined(handle);
    CHECK(cusolverDnDestroy(handle) == 0);
    puts("jacobi: fine");
    return 0;
}
