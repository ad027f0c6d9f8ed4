/* cuSOLVER's 64-bit functions, which take types as numbers. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, NOT_SUPPORTED = 9 };
enum { R_32 = 0, R_64 = 1, C_32 = 4, C_64 = 5, R_16 = 2 };
enum { RANGE_ALL = 1001, RANGE_NUMBERS, RANGE_VALUES };
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

int cusolverDnXsytrs(Handle handle, int fill, int64_t n, int64_t k, int type, const void *a,
                     int64_t lda, const int64_t *pivots, int type_b, void *b, int64_t ldb, WORK);
int cusolverDnXgesvdp(Handle handle, Params params, int job, int econ, int64_t rows, int64_t n,
                      int type, void *a, int64_t lda, int type_s, void *s, int type_u, void *u,
                      int64_t ldu, int type_v, void *v, int64_t ldv, int compute, WORK,
                      double *perturbation);
#define SIZES size_t *device, size_t *host
int cusolverDnXgeqrf_bufferSize(Handle handle, Params params, int64_t rows, int64_t n, int type,
                                const void *a, int64_t lda, int type_tau, const void *tau,
                                int compute, SIZES);
int cusolverDnXpotrf_bufferSize(Handle handle, Params params, int fill, int64_t n, int type,
                                const void *a, int64_t lda, int compute, SIZES);
int cusolverDnXtrtri_bufferSize(Handle handle, int fill, int unit, int64_t n, int type, void *a,
                                int64_t lda, SIZES);
int cusolverDnXsytrs_bufferSize(Handle handle, int fill, int64_t n, int64_t k, int type,
                                const void *a, int64_t lda, const int64_t *pivots, int type_b,
                                void *b, int64_t ldb, SIZES);
int cusolverDnXsyevd_bufferSize(Handle handle, Params params, int job, int fill, int64_t n,
                                int type, const void *a, int64_t lda, int type_w, const void *w,
                                int compute, SIZES);
int cusolverDnXsyevBatched_bufferSize(Handle handle, Params params, int job, int fill, int64_t n,
                                      int type, const void *a, int64_t lda, int type_w,
                                      const void *w, int compute, SIZES, int64_t count);
int cusolverDnXsyevdx_bufferSize(Handle handle, Params params, int job, int range, int fill,
                                 int64_t n, int type, const void *a, int64_t lda, void *low,
                                 void *high, int64_t first, int64_t last, int64_t *found,
                                 int type_w, const void *w, int compute, SIZES);
int cusolverDnXgeev_bufferSize(Handle handle, Params params, int job_left, int job_right, int64_t n,
                               int type, const void *a, int64_t lda, int type_w, const void *w,
                               int type_left, const void *left, int64_t ldl, int type_right,
                               const void *right_, int64_t ldr, int compute, SIZES);
int cusolverDnXgesvd_bufferSize(Handle handle, Params params, signed char job_u, signed char job_v,
                                int64_t rows, int64_t n, int type, const void *a, int64_t lda,
                                int type_s, const void *s, int type_u, const void *u, int64_t ldu,
                                int type_v, const void *v, int64_t ldv, int compute, SIZES);
int cusolverDnXgesvdp_bufferSize(Handle handle, Params params, int job, int econ, int64_t rows,
                                 int64_t n, int type, const void *a, int64_t lda, int type_s,
                                 const void *s, int type_u, const void *u, int64_t ldu, int type_v,
                                 const void *v, int64_t ldv, int compute, SIZES);
int cusolverDnXgesvdr_bufferSize(Handle handle, Params params, signed char job_u, signed char job_v,
                                 int64_t rows, int64_t n, int64_t k, int64_t more, int64_t steps,
                                 int type, const void *a, int64_t lda, int type_s, const void *s,
                                 int type_u, const void *u, int64_t ldu, int type_v, const void *v,
                                 int64_t ldv, int compute, SIZES);

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
    CHECK(cusolverDnSetAdvOptions(params, 0, 1) == 0);
    CHECK(cusolverDnSetDeterministicMode(handle, 2) == 0);
    CHECK(cusolverDnGetDeterministicMode(handle, &mode) == 0 && mode == 2);
}

/* Each function with one thing that is wrong, or none. */
enum {
    GETRF,
    GEQRF,
    POTRF,
    TRTRI,
    SYTRS,
    SYEVD,
    SYEV_BATCHED,
    SYEVDX,
    GEEV,
    GESVD,
    GESVDP,
    GESVDR,
    WITH_WORK,
    GETRS = WITH_WORK,
    POTRS,
    FUNCTIONS
};
typedef struct Wrong {
    bool no_handle;
    int type, large; /* which of the types is another one, which of the sizes is 2^31; -1: none */
} Wrong;
static const Wrong nothing = {false, -1, -1};

#define TYPE(at) (wrong.type == (at) ? R_16 : R_64)
#define SIZE(at) (wrong.large == (at) ? INT64_C(1) << 31 : N)

static int call(Handle handle, Params p, int function, Wrong wrong) {
    static double low, high = 9;
    int64_t found;
    Handle h = wrong.no_handle ? NULL : handle;
    fill();
    void *a = m->a, *w = m->w, *u = m->u, *v = m->v;
    for (int i = 0; i < N; i++)
        m->pivots[i] = i + 1;
    switch (function) {
    case GETRF:
        return cusolverDnXgetrf(h, p, SIZE(0), SIZE(1), TYPE(0), a, SIZE(2), m->pivots, TYPE(1),
                                NO_WORK);
    case GEQRF:
        return cusolverDnXgeqrf(h, p, SIZE(0), SIZE(1), TYPE(0), a, SIZE(2), TYPE(1), w, TYPE(2),
                                NO_WORK);
    case POTRF:
        return cusolverDnXpotrf(h, p, 0, SIZE(0), TYPE(0), a, SIZE(1), TYPE(1), NO_WORK);
    case TRTRI:
        return cusolverDnXtrtri(h, 0, 0, SIZE(0), TYPE(0), a, SIZE(1), NO_WORK);
    case SYTRS:
        return cusolverDnXsytrs(h, 0, SIZE(0), SIZE(1), TYPE(0), a, SIZE(2), m->pivots, TYPE(1), u,
                                SIZE(3), NO_WORK);
    case SYEVD:
        return cusolverDnXsyevd(h, p, 1, 0, SIZE(0), TYPE(0), a, SIZE(1), TYPE(1), w, TYPE(2),
                                NO_WORK);
    case SYEV_BATCHED:
        return cusolverDnXsyevBatched(h, p, 1, 0, SIZE(0), TYPE(0), a, SIZE(1), TYPE(1), w, TYPE(2),
                                      NO_WORK, wrong.large == 2 ? SIZE(2) : 1);
    case SYEVDX:
        return cusolverDnXsyevdx(h, p, 1, RANGE_ALL, 0, SIZE(0), TYPE(0), a, SIZE(1), &low, &high,
                                 0, 0, &found, TYPE(1), w, TYPE(2), NO_WORK);
    case GEEV:
        return cusolverDnXgeev(h, p, 1, 1, SIZE(0), TYPE(0), a, SIZE(1), TYPE(1), w, TYPE(2), u,
                               SIZE(2), TYPE(3), v, SIZE(3), TYPE(4), NO_WORK);
    case GESVD:
        return cusolverDnXgesvd(h, p, 'S', 'S', SIZE(0), N, TYPE(0), a, SIZE(1), TYPE(1), w,
                                TYPE(2), u, SIZE(2), TYPE(3), v, SIZE(3), TYPE(4), NO_WORK);
    case GESVDP:
        return cusolverDnXgesvdp(h, p, 1, 0, SIZE(0), SIZE(1), TYPE(0), a, SIZE(2), TYPE(1), w,
                                 TYPE(2), u, SIZE(3), TYPE(3), v, SIZE(4), TYPE(4), NO_WORK, &high);
    case GESVDR:
        return cusolverDnXgesvdr(h, p, 'S', 'S', SIZE(0), SIZE(1), 2, 1, 3, TYPE(0), a, SIZE(2),
                                 TYPE(1), w, TYPE(2), u, SIZE(3), TYPE(3), v, SIZE(4), TYPE(4),
                                 NO_WORK);
    case GETRS:
        return cusolverDnXgetrs(h, p, 0, SIZE(0), SIZE(1), TYPE(0), a, SIZE(2), m->pivots, TYPE(1),
                                u, SIZE(3), m->info);
    default:
        return cusolverDnXpotrs(h, p, 0, SIZE(0), SIZE(1), TYPE(0), a, SIZE(2), TYPE(1), u, SIZE(3),
                                m->info);
    }
}

static int work(Handle handle, Params p, int function, Wrong wrong, size_t *device, size_t *host) {
    static double low, high = 9;
    int64_t found;
    Handle h = wrong.no_handle ? NULL : handle;
    const void *a = m->a, *w = m->w, *u = m->u, *v = m->v;
    switch (function) {
    case GETRF:
        return cusolverDnXgetrf_bufferSize(h, p, N, N, TYPE(0), a, N, TYPE(1), device, host);
    case GEQRF:
        return cusolverDnXgeqrf_bufferSize(h, p, N, N, TYPE(0), a, N, TYPE(1), w, TYPE(2), device,
                                           host);
    case POTRF:
        return cusolverDnXpotrf_bufferSize(h, p, 0, N, TYPE(0), a, N, TYPE(1), device, host);
    case TRTRI:
        return cusolverDnXtrtri_bufferSize(h, 0, 0, N, TYPE(0), m->a, N, device, host);
    case SYTRS:
        return cusolverDnXsytrs_bufferSize(h, 0, N, 1, TYPE(0), a, N, m->pivots, TYPE(1), m->b, N,
                                           device, host);
    case SYEVD:
        return cusolverDnXsyevd_bufferSize(h, p, 1, 0, N, TYPE(0), a, N, TYPE(1), w, TYPE(2),
                                           device, host);
    case SYEV_BATCHED:
        return cusolverDnXsyevBatched_bufferSize(h, p, 1, 0, N, TYPE(0), a, N, TYPE(1), w, TYPE(2),
                                                 device, host, 1);
    case SYEVDX:
        return cusolverDnXsyevdx_bufferSize(h, p, 1, RANGE_ALL, 0, N, TYPE(0), a, N, &low, &high, 0,
                                            0, &found, TYPE(1), w, TYPE(2), device, host);
    case GEEV:
        return cusolverDnXgeev_bufferSize(h, p, 1, 1, N, TYPE(0), a, N, TYPE(1), w, TYPE(2), u, N,
                                          TYPE(3), v, N, TYPE(4), device, host);
    case GESVD:
        return cusolverDnXgesvd_bufferSize(h, p, 'S', 'S', N, N, TYPE(0), a, N, TYPE(1), w, TYPE(2),
                                           u, N, TYPE(3), v, N, TYPE(4), device, host);
    case GESVDP:
        return cusolverDnXgesvdp_bufferSize(h, p, 1, 0, N, N, TYPE(0), a, N, TYPE(1), w, TYPE(2), u,
                                            N, TYPE(3), v, N, TYPE(4), device, host);
    default:
        return cusolverDnXgesvdr_bufferSize(h, p, 'S', 'S', N, N, 2, 1, 3, TYPE(0), a, N, TYPE(1),
                                            w, TYPE(2), u, N, TYPE(3), v, N, TYPE(4), device, host);
    }
}

static void one_wrong(Handle handle, Params params) {
    static const int types[] = {2, 3, 2, 1, 2, 3, 3, 3, 5, 5, 5, 5, 2, 2};
    static const int sizes[] = {3, 3, 2, 2, 4, 2, 3, 2, 4, 4, 5, 5, 4, 4};
    for (int function = 0; function < FUNCTIONS; function++) {
        const bool asks = function < WITH_WORK;
        size_t device = 0, host = 7;
        CHECK(call(handle, params, function, nothing) == 0 && m->info[0] == 0);
        CHECK(!asks || (work(handle, params, function, nothing, &device, &host) == 0 &&
                        device > 0 && host == 0));
        CHECK(!asks || work(handle, params, function, nothing, NULL, &host) == INVALID_VALUE);
        CHECK(!asks || work(handle, params, function, nothing, &device, NULL) == INVALID_VALUE);
        const Wrong none = {true, -1, -1};
        CHECK(call(handle, params, function, none) == NOT_INITIALIZED && m->info[0] == 77);
        CHECK(!asks || work(handle, params, function, none, &device, &host) == NOT_INITIALIZED);
        for (int type = 0; type < types[function]; type++) {
            const Wrong wrong = {false, type, -1};
            CHECK(call(handle, params, function, wrong) == INVALID_VALUE && m->info[0] == 77);
            CHECK(!asks || work(handle, params, function, wrong, &device, &host) == INVALID_VALUE);
        }
        for (int size = 0; size < sizes[function]; size++) {
            const Wrong wrong = {false, -1, size};
            CHECK(call(handle, params, function, wrong) == NOT_SUPPORTED && m->info[0] == 77);
        }
    }
}

/* Which eigenvalues, by their numbers and by bounds that are no bounds. */
static void ranges(Handle handle, Params params) {
    static const int64_t numbers[][2] = {{0, 2}, {2, 4}, {3, 2}};
    float low = 1.5f, high = 4.5f;
    double wide_low = 1.5, wide_high = 4.5;
    int64_t found = 7;
#define ASK(range, low, high, first, last, found, type, a)                                         \
    cusolverDnXsyevdx(handle, params, 0, range, 0, N, type, a, N, low, high, first, last, found,   \
                      type, m->w, type, NO_WORK)
    fill();
    CHECK(ASK(RANGE_NUMBERS, NULL, NULL, 2, 3, &found, R_64, m->a) == 0 && found == 2);
    CHECK(fabs(m->w[0][0] - 2) < 1e-14 && fabs(m->w[0][1] - 4) < 1e-14);
    fill();
    CHECK(ASK(RANGE_VALUES, &low, &high, 0, 0, &found, R_32, m->s) == 0 && found == 2);
    CHECK(fabsf(((float *)m->w)[0] - 2) < 1e-5f && fabsf(((float *)m->w)[1] - 4) < 1e-5f);
    fill();
    CHECK(ASK(RANGE_ALL, NULL, NULL, 0, 0, &found, R_64, m->a) == 0 && found == N);
    for (int i = 0; i < 3; i++)
        CHECK(ASK(RANGE_NUMBERS, NULL, NULL, numbers[i][0], numbers[i][1], &found, R_64, m->a) ==
              INVALID_VALUE);
    CHECK(ASK(RANGE_VALUES, NULL, &wide_high, 0, 0, &found, R_64, m->a) == INVALID_VALUE);
    CHECK(ASK(RANGE_VALUES, &wide_low, NULL, 0, 0, &found, R_64, m->a) == INVALID_VALUE);
    CHECK(ASK(RANGE_VALUES, &wide_high, &wide_low, 0, 0, &found, R_64, m->a) == INVALID_VALUE);
    CHECK(ASK(7, &wide_low, &wide_high, 0, 0, &found, R_64, m->a) == INVALID_VALUE);
    CHECK(ASK(RANGE_ALL, NULL, NULL, 0, 0, NULL, R_64, m->a) == INVALID_VALUE);
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
    one_wrong(handle, params);
    ranges(handle, params);
    CHECK(cusolverDnDestroyParams(params) == 0 && cusolverDnDestroy(handle) == 0);
    puts("wide: fine");
    return 0;
}
