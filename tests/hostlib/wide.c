/* cuSOLVER's 64-bit functions, which take types as numbers. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, NOT_SUPPORTED = 9 };
enum { R_32 = 0, R_64 = 1, C_32 = 4, C_64 = 5, RANGE_VALUES = 1003 };
typedef struct Handle *Handle;
typedef struct Params *Params;
#define WORK void *work, size_t bytes, void *host, size_t host_bytes, int *info
#define NO_WORK NULL, 0, NULL, 0, m->info

int cusolverDnCreate(Handle *handle);
int cusolverDnDestroy(Handle handle);
int cusolverDnCreateParams(Params *params);
int cusolverDnDestroyParams(Params params);
int cusolverDnSetAdvOptions(Params params, int function, int algorithm);
int cusolverDnSetDeterministicMode(Handle handle, int mode);
int cusolverDnGetDeterministicMode(Handle handle, int *mode);
int cusolverDnXgetrf_bufferSize(Handle handle, Params params, int64_t rows, int64_t n, int type,
                                const void *a, int64_t lda, int compute, size_t *device,
                                size_t *host);
int cusolverDnXgetrf(Handle handle, Params params, int64_t rows, int64_t n, int type, void *a,
                     int64_t lda, int64_t *pivots, int compute, WORK);
int cusolverDnXgetrs(Handle handle, Params params, int op, int64_t n, int64_t k, int type,
                     const void *a, int64_t lda, const int64_t *pivots, int type_b, void *b,
                     int64_t ldb, int *info);
int cusolverDnXpotrf(Handle handle, Params params, int fill, int64_t n, int type, void *a,
                     int64_t lda, int compute, WORK);
int cusolverDnXpotrs(Handle handle, Params params, int fill, int64_t n, int64_t k, int type,
                     const void *a, int64_t lda, int type_b, void *b, int64_t ldb, int *info);
int cusolverDnXgeqrf(Handle handle, Params params, int64_t rows, int64_t n, int type, void *a,
                     int64_t lda, int type_tau, void *tau, int compute, WORK);
int cusolverDnXtrtri(Handle handle, int fill, int unit, int64_t n, int type, void *a, int64_t lda,
                     WORK);
int cusolverDnXsyevd(Handle handle, Params params, int job, int fill, int64_t n, int type, void *a,
                     int64_t lda, int type_w, void *w, int compute, WORK);
int cusolverDnXsyevBatched(Handle handle, Params params, int job, int fill, int64_t n, int type,
                           void *a, int64_t lda, int type_w, void *w, int compute, WORK,
                           int64_t count);
int cusolverDnXsyevdx(Handle handle, Params params, int job, int range, int fill, int64_t n,
                      int type, void *a, int64_t lda, void *low, void *high, int64_t first,
                      int64_t last, int64_t *found, int type_w, void *w, int compute, WORK);
int cusolverDnXgeev(Handle handle, Params params, int job_left, int job_right, int64_t n, int type,
                    void *a, int64_t lda, int type_w, void *w, int type_left, void *left,
                    int64_t ldl, int type_right, void *right_, int64_t ldr, int compute, WORK);
int cusolverDnXgesvd(Handle handle, Params params, signed char job_u, signed char job_v,
                     int64_t rows, int64_t n, int type, void *a, int64_t lda, int type_s, void *s,
                     int type_u, void *u, int64_t ldu, int type_v, void *v, int64_t ldv,
                     int compute, WORK);
int cusolverDnXgesvdr(Handle handle, Params params, signed char job_u, signed char job_v,
                      int64_t rows, int64_t n, int64_t k, int64_t more, int64_t steps, int type,
                      void *a, int64_t lda, int type_s, void *s, int type_u, void *u, int64_t ldu,
                      int type_v, void *v, int64_t ldv, int compute, WORK);

enum { N = 3 };
/* By columns, with eigenvalues 1, 2 and 4; and what it makes of (1, 2, 3). */
static const double matrix[N * N] = {3, 1, 1, 1, 2, 0, 1, 0, 2};
static const double right[N] = {8, 5, 7};
/* A rotation by 90 degrees beside a 5: eigenvalues i, -i and 5. */
static const double turn[N * N] = {0, 1, 0, -1, 0, 0, 0, 0, 5};

typedef struct Memory {
    double a[2][N * N], b[N], w[2][N], u[N * N], v[N * N];
    float s[N * N], sb[N];
    double complex z[N * N], zw[N];
    int64_t pivots[N];
    int info[2];
} Memory;
static Memory *m;

static void fill(void) {
    memset(m, 0, sizeof *m);
    memcpy(m->b, right, sizeof right);
    for (int i = 0; i < N * N; i++) {
        m->a[0][i] = matrix[i];
        m->z[i] = matrix[i];
        m->a[1][i] = 3 * matrix[i];
        m->s[i] = (float)matrix[i];
    }
    for (int i = 0; i < N; i++)
        m->sb[i] = (float)right[i];
    m->info[0] = m->info[1] = 77;
}

static void systems(Handle handle, Params params) {
    size_t bytes = 0, host = 7;
    fill();
    CHECK(cusolverDnXgetrf_bufferSize(handle, params, N, N, R_64, m->a, N, R_64, &bytes, &host) ==
          0);
    CHECK(bytes > 0 && host == 0);
    CHECK(cusolverDnXgetrf(handle, params, N, N, R_64, m->a, N, m->pivots, R_64, NO_WORK) == 0);
    CHECK(m->info[0] == 0 && m->pivots[0] == 1 && m->pivots[2] == 3);
    CHECK(cusolverDnXgetrs(handle, params, 0, N, 1, R_64, m->a, N, m->pivots, R_64, m->b, N,
                           m->info) == 0);
    CHECK(cusolverDnXpotrf(handle, params, 0, N, R_32, m->s, N, R_32, NO_WORK) == 0);
    CHECK(cusolverDnXpotrs(handle, params, 0, N, 1, R_32, m->s, N, R_32, m->sb, N, m->info) == 0);
    for (int i = 0; i < N; i++)
        CHECK(fabs(m->b[i] - (i + 1)) < 1e-14 && fabsf(m->sb[i] - (float)(i + 1)) < 1e-5f);
    fill(); /* rows change places, the first with the third */
    m->a[0][2] = 9;
    CHECK(cusolverDnXgetrf(handle, params, N, N, R_64, m->a, N, m->pivots, R_64, NO_WORK) == 0);
    CHECK(m->pivots[0] == 3 && m->a[0][0] == 9);
    CHECK(cusolverDnXgeqrf(handle, params, N, N, C_64, m->z, N, C_64, m->zw, C_64, NO_WORK) == 0);
    CHECK(m->info[0] == 0 && fabs(cabs(m->z[0]) - sqrt(11)) < 1e-14);
    fill();
    CHECK(cusolverDnXtrtri(handle, 0, 0, N, R_64, m->a, N, NO_WORK) == 0);
    CHECK(m->a[0][0] == 1 / 3.0 && m->a[0][4] == 0.5 && fabs(m->a[0][1] + 1 / 6.0) < 1e-15);
}

static void eigenvalues(Handle handle, Params params) {
    double low = 1.5, high = 2.5;
    int64_t found = 7;
    fill();
    CHECK(cusolverDnXsyevBatched(handle, params, 1, 0, N, R_64, m->a, N, R_64, m->w, R_64, NO_WORK,
                                 2) == 0);
    CHECK(fabs(m->w[0][2] - 4) < 1e-14 && fabs(m->w[1][2] - 12) < 1e-14);
    CHECK(m->info[0] == 0 && m->info[1] == 0);
    CHECK(cusolverDnXsyevd(handle, params, 0, 1, N, C_64, m->z, N, R_64, m->w, C_64, NO_WORK) == 0);
    CHECK(fabs(m->w[0][0] - 1) < 1e-14);
    fill();
    CHECK(cusolverDnXsyevdx(handle, params, 0, RANGE_VALUES, 0, N, R_64, m->a, N, &low, &high, 0, 0,
                            &found, R_64, m->w, R_64, NO_WORK) == 0);
    CHECK(found == 1 && fabs(m->w[0][0] - 2) < 1e-14);
    memcpy(m->a[0], turn, sizeof turn);
    CHECK(cusolverDnXgeev(handle, params, 0, 1, N, R_64, m->a, N, C_64, m->zw, R_64, NULL, 1, R_64,
                          m->v, N, R_64, NO_WORK) == 0);
    CHECK(m->info[0] == 0 && cabs(m->zw[0] - I) < 1e-15 && cabs(m->zw[1] + I) < 1e-15 &&
          cabs(m->zw[2] - 5) < 1e-14 && fabs(m->v[8]) == 1);
    memcpy(m->a[0], turn, sizeof turn);
    CHECK(cusolverDnXgeev(handle, params, 0, 0, N, R_64, m->a, N, R_64, m->w, R_64, NULL, 1, R_64,
                          NULL, 1, R_64, NO_WORK) == 0);
    CHECK(m->w[0][2] == 5 && fabs(m->w[1][0]) == 1 && m->w[1][2] == 0);
}

static void singular_values(Handle handle, Params params) {
    fill();
    CHECK(cusolverDnXgesvd(handle, params, 'S', 'S', N, N, R_64, m->a, N, R_64, m->w, R_64, m->u, N,
                           R_64, m->v, N, R_64, NO_WORK) == 0);
    CHECK(m->info[0] == 0 && fabs(m->w[0][0] - 4) < 1e-14 && fabs(m->w[0][2] - 1) < 1e-14);
    fill();
    m->w[0][2] = 7, m->u[2 * N] = 7;
    CHECK(cusolverDnXgesvdr(handle, params, 'S', 'N', N, N, 2, 1, 3, R_64, m->a, N, R_64, m->w,
                            R_64, m->u, N, R_64, m->v, N, R_64, NO_WORK) == 0);
    CHECK(fabs(m->w[0][1] - 2) < 1e-14 && m->w[0][2] == 7 && m->u[2 * N] == 7 && m->v[0] == 0);
    CHECK(fabs(m->u[0] * m->u[0] + m->u[1] * m->u[1] + m->u[2] * m->u[2] - 1) < 1e-14);
}

static void refused(Handle handle, Params params) {
    size_t bytes, host;
    int mode = 7;
    fill();
    CHECK(cusolverDnXgetrf_bufferSize(NULL, params, N, N, R_64, m->a, N, R_64, &bytes, &host) ==
          NOT_INITIALIZED);
    CHECK(cusolverDnXgetrf(handle, params, N, N, R_64, m->a, N, m->pivots, R_32, NO_WORK) ==
          INVALID_VALUE);
    CHECK(cusolverDnXgetrf(handle, params, -1, N, R_64, m->a, N, m->pivots, R_64, NO_WORK) ==
          INVALID_VALUE);
    CHECK(cusolverDnXgetrf(handle, params, N, N, R_64, m->a, N - 1, m->pivots, R_64, NO_WORK) ==
          INVALID_VALUE);
    CHECK(cusolverDnXgetrf(handle, params, 1L << 40, N, R_64, m->a, 1L << 40, m->pivots, R_64,
                           NO_WORK) == NOT_SUPPORTED);
    CHECK(cusolverDnXsyevd(handle, params, 0, 1, N, C_64, m->z, N, C_64, m->w, C_64, NO_WORK) ==
          INVALID_VALUE);
    CHECK(cusolverDnSetAdvOptions(params, 0, 9) == INVALID_VALUE);
    CHECK(cusolverDnSetDeterministicMode(handle, 2) == 0);
    CHECK(cusolverDnGetDeterministicMode(handle, &mode) == 0 && mode == 2);
}

int main(void) {
    CUdeviceptr made;
    Handle handle;
    Params params;
    start();
    OK(cuMemAlloc_v2(&made, sizeof *m));
    m = (Memory *)(uintptr_t)made;
    CHECK(cusolverDnCreate(&handle) == 0 && cusolverDnCreateParams(&params) == 0);
    systems(handle, params);
    eigenvalues(handle, params);
    singular_values(handle, params);
    refused(handle, params);
    CHECK(cusolverDnDestroyParams(params) == 0 && cusolverDnDestroy(handle) == 0);
    puts("wide: fine");
    return 0;
}
