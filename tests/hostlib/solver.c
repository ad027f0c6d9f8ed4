/* cuSOLVER: systems by LU, QR and Cholesky, singular values and eigenvalues, wrong calls. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, NOT_SUPPORTED = 9 };
enum { OP_N, OP_T, OP_C };
typedef struct Handle *cusolverDnHandle_t;

int cusolverDnCreate(cusolverDnHandle_t *handle);
int cusolverDnDestroy(cusolverDnHandle_t handle);
int cusolverDnDgetrf_bufferSize(cusolverDnHandle_t handle, int m, int n, void *a, int lda,
                                int *size);
int cusolverDnDgetrf(cusolverDnHandle_t handle, int m, int n, void *a, int lda, void *work,
                     int *pivots, int *info);
int cusolverDnDgetrs(cusolverDnHandle_t handle, int op, int n, int k, void *a, int lda, int *pivots,
                     void *b, int ldb, int *info);
int cusolverDnDgeqrf(cusolverDnHandle_t handle, int m, int n, void *a, int lda, void *tau,
                     void *work, int size, int *info);
int cusolverDnDormqr(cusolverDnHandle_t handle, int side, int op, int m, int n, int k, void *a,
                     int lda, void *tau, void *b, int ldb, void *work, int size, int *info);
int cusolverDnSpotrf(cusolverDnHandle_t handle, int fill, int n, void *a, int lda, void *work,
                     int size, int *info);
int cusolverDnSpotrs(cusolverDnHandle_t handle, int fill, int n, int k, void *a, int lda, void *b,
                     int ldb, int *info);
int cusolverDnSpotrfBatched(cusolverDnHandle_t handle, int fill, int n, float *a[], int lda,
                            int *info, int count);
int cusolverDnSpotrsBatched(cusolverDnHandle_t handle, int fill, int n, int k, float *a[], int lda,
                            float *b[], int ldb, int *info, int count);
int cusolverDnZgesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *size);
int cusolverDnZgesvd(cusolverDnHandle_t handle, signed char job_u, signed char job_v, int m, int n,
                     void *a, int lda, void *values, void *u, int ldu, void *v, int ldv, void *work,
                     int size, void *rest, int *info);
int cusolverDnCheevd(cusolverDnHandle_t handle, int job, int fill, int n, void *a, int lda,
                     void *values, void *work, int size, int *info);
int cusolverDnDgebrd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *size);

enum { N = 3 };
/* Columns of a symmetric matrix with eigenvalues 1, 2 and 4, and what it makes of (1, 2, 3). */
static const double matrix[N * N] = {3, 1, 1, 1, 2, 0, 1, 0, 2};
static const double right[N] = {8, 5, 7};

typedef struct Memory {
    double a[N * N], b[N], tau[N];
    float a_single[N * N], b_single[N];
    float complex a_complex[N * N];
    double complex a_double[N * N], u[N * N], v[N * N];
    double values[N];
    float singles[N];
    int pivots[N], info;
    float *batch_a[2], *batch_b[2], second_a[N * N], second_b[N];
    int batch_info[2];
} Memory;
static Memory *memory;

static void fill(void) {
    memset(memory, 0, sizeof *memory);
    memcpy(memory->a, matrix, sizeof matrix);
    memcpy(memory->b, right, sizeof right);
    for (int i = 0; i < N * N; i++) {
        memory->a_single[i] = (float)matrix[i];
        memory->a_complex[i] = (float)matrix[i];
        memory->a_double[i] = matrix[i] * I;
    }
    for (int i = 0; i < N; i++)
        memory->b_single[i] = (float)right[i];
    memory->info = 77;
}

static void lu_and_cholesky(cusolverDnHandle_t handle) {
    Memory *m = memory;
    int size = 0;
    fill();
    CHECK(cusolverDnDgetrf_bufferSize(handle, N, N, m->a, N, &size) == 0 && size > 0);
    CHECK(cusolverDnDgetrf(handle, N, N, m->a, N, NULL, m->pivots, &m->info) == 0 && m->info == 0);
    CHECK(cusolverDnDgetrs(handle, OP_N, N, 1, m->a, N, m->pivots, m->b, N, &m->info) == 0);
    for (int i = 0; i < N; i++)
        CHECK(fabs(m->b[i] - (i + 1)) < 1e-14);
    fill(); /* without pivots: 3 stays where it is, and so does what is below it */
    CHECK(cusolverDnDgetrf(handle, N, N, m->a, N, NULL, NULL, &m->info) == 0 && m->info == 0);
    CHECK(fabs(m->a[1] - 1 / 3.0) < 1e-15 && fabs(m->a[N + 1] - 5 / 3.0) < 1e-15);
    CHECK(cusolverDnDgetrs(handle, OP_N, N, 1, m->a, N, NULL, m->b, N, &m->info) == 0);
    for (int i = 0; i < N; i++)
        CHECK(fabs(m->b[i] - (i + 1)) < 1e-14);
    m->a[0] = 0;
    CHECK(cusolverDnDgetrf(handle, N, N, m->a, N, NULL, NULL, &m->info) == 0 && m->info == 1);
    CHECK(cusolverDnSpotrf(handle, 0, N, m->a_single, N, NULL, 0, &m->info) == 0 && m->info == 0);
    CHECK(cusolverDnSpotrs(handle, 0, N, 1, m->a_single, N, m->b_single, N, &m->info) == 0);
    for (int i = 0; i < N; i++)
        CHECK(fabsf(m->b_single[i] - (float)(i + 1)) < 1e-5f);
    fill();
    m->a_single[0] = -1; /* not positive: the first minor */
    CHECK(cusolverDnSpotrf(handle, 0, N, m->a_single, N, NULL, 0, &m->info) == 0 && m->info == 1);
}

/* The second matrix is four times the first, and its right side twice that. */
static void cholesky_of_two(cusolverDnHandle_t handle) {
    Memory *m = memory;
    fill();
    for (int i = 0; i < N * N; i++)
        m->second_a[i] = 4 * m->a_single[i];
    for (int i = 0; i < N; i++)
        m->second_b[i] = 2 * m->b_single[i];
    m->batch_a[0] = m->a_single, m->batch_a[1] = m->second_a;
    m->batch_b[0] = m->b_single, m->batch_b[1] = m->second_b;
    m->batch_info[0] = m->batch_info[1] = 77;
    CHECK(cusolverDnSpotrfBatched(handle, 0, N, m->batch_a, N, m->batch_info, 2) == 0);
    CHECK(m->batch_info[0] == 0 && m->batch_info[1] == 0);
    CHECK(cusolverDnSpotrsBatched(handle, 0, N, 1, m->batch_a, N, m->batch_b, N, &m->info, 2) == 0);
    for (int i = 0; i < N && m->info == 0; i++) {
        CHECK(fabsf(m->b_single[i] - (float)(i + 1)) < 1e-5f);
        CHECK(fabsf(m->second_b[i] - (float)(i + 1) / 2) < 1e-5f);
    }
    CHECK(m->info == 0);
    fill();
    m->second_a[0] = -1;
    m->batch_a[0] = m->a_single, m->batch_a[1] = m->second_a;
    CHECK(cusolverDnSpotrfBatched(handle, 0, N, m->batch_a, N, m->batch_info, 2) == 0);
    CHECK(m->batch_info[0] == 0 && m->batch_info[1] == 1);
    CHECK(cusolverDnSpotrsBatched(handle, 0, N, 2, m->batch_a, N, m->batch_b, N, &m->info, 2) ==
          INVALID_VALUE);
    CHECK(cusolverDnSpotrfBatched(handle, 0, N, m->batch_a, N, m->batch_info, -1) == INVALID_VALUE);
}

/* R x = transposed Q * b */
static void qr(cusolverDnHandle_t handle) {
    Memory *m = memory;
    fill();
    CHECK(cusolverDnDgeqrf(handle, N, N, m->a, N, m->tau, NULL, 0, &m->info) == 0 && m->info == 0);
    CHECK(cusolverDnDormqr(handle, 0, OP_T, N, 1, N, m->a, N, m->tau, m->b, N, NULL, 0, &m->info) ==
          0);
    for (int i = N - 1; i >= 0; i--) {
        for (int k = i + 1; k < N; k++)
            m->b[i] -= m->a[k * N + i] * m->b[k];
        m->b[i] /= m->a[i * N + i];
        CHECK(fabs(m->b[i] - (i + 1)) < 1e-13);
    }
}

static void values(cusolverDnHandle_t handle) {
    static const double wanted[N] = {1, 2, 4};
    Memory *m = memory;
    fill();
    CHECK(cusolverDnZgesvd(handle, 'A', 'A', N, N, m->a_double, N, m->values, m->u, N, m->v, N,
                           NULL, 0, NULL, &m->info) == 0);
    CHECK(m->info == 0);
    CHECK(cusolverDnCheevd(handle, 1, 0, N, m->a_complex, N, m->singles, NULL, 0, &m->info) == 0);
    CHECK(m->info == 0);
    for (int i = 0; i < N; i++) {
        CHECK(fabs(m->values[N - 1 - i] - wanted[i]) < 1e-13);
        CHECK(fabs(m->singles[i] - wanted[i]) < 1e-5);
    }
}

static void refused(cusolverDnHandle_t handle) {
    Memory *m = memory;
    int size;
    CHECK(cusolverDnDgetrf_bufferSize(NULL, N, N, m->a, N, &size) == NOT_INITIALIZED);
    CHECK(cusolverDnDgetrf_bufferSize(handle, -1, N, m->a, N - 1, &size) == 0);
    CHECK(cusolverDnDgetrf(handle, N, N, m->a, N - 1, NULL, m->pivots, &m->info) == INVALID_VALUE);
    CHECK(cusolverDnDgetrs(handle, 5, N, 1, m->a, N, m->pivots, m->b, N, &m->info) ==
          INVALID_VALUE);
    CHECK(cusolverDnSpotrf(handle, 7, N, m->a_single, N, NULL, 0, &m->info) == INVALID_VALUE);
    CHECK(cusolverDnZgesvd_bufferSize(handle, N - 1, N, &size) == INVALID_VALUE);
    CHECK(cusolverDnDestroy(NULL) == NOT_INITIALIZED);
    CHECK(cusolverDnDgebrd_bufferSize(handle, N, N, &size) == NOT_SUPPORTED);
}

int main(void) {
    CUdeviceptr made;
    cusolverDnHandle_t handle;
    start();
    OK(cuMemAlloc_v2(&made, sizeof *memory));
    memory = (Memory *)(uintptr_t)made;
    CHECK(cusolverDnCreate(&handle) == 0);
    lu_and_cholesky(handle);
    qr(handle);
    values(handle);
    cholesky_of_two(handle);
    refused(handle);
    CHECK(cusolverDnDestroy(handle) == 0);
    puts("solver: fine");
    return 0;
}
