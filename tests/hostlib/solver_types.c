/* cuSOLVER's routines that have a type in their names, for all four: the same numbers, in the precision of the type, with complex
 * parts where it has them; and what each refuses. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3 };
enum { OPS = 3, RANGE_NUMBERS = 1002, RANGE_VALUES = 1003, N = 3, MOST = 2 * N * N };
typedef struct Handle *Handle;
typedef struct Info *Info;
typedef double complex Number;

int cusolverDnCreate(Handle *handle);
int cusolverDnDestroy(Handle handle);
int cusolverDnCreateSyevjInfo(Info *info);
int cusolverDnDestroySyevjInfo(Info info);
int cusolverDnXsyevjGetResidual(Handle handle, Info info, double *residual);
int cusolverDnCreateGesvdjInfo(Info *info);
int cusolverDnDestroyGesvdjInfo(Info info);
int cusolverDnXgesvdjGetResidual(Handle handle, Info info, double *residual);

/* Each routine of a type: what it is called after the type, and what it is given. */
#define ROUTINES(or, sy, ROUTINE)                                                                  \
    ROUTINE(getrf_bufferSize, getrf_size, Handle, int, int, void *, int, int *)                    \
    ROUTINE(getrf, getrf, Handle, int, int, void *, int, void *, int *, int *)                     \
    ROUTINE(getrs, getrs, Handle, int, int, int, void *, int, int *, void *, int, int *)           \
    ROUTINE(potrf_bufferSize, potrf_size, Handle, int, int, void *, int, int *)                    \
    ROUTINE(potrf, potrf, Handle, int, int, void *, int, void *, int, int *)                       \
    ROUTINE(potrs, potrs, Handle, int, int, int, void *, int, void *, int, int *)                  \
    ROUTINE(potri_bufferSize, potri_size, Handle, int, int, void *, int, int *)                    \
    ROUTINE(potri, potri, Handle, int, int, void *, int, void *, int, int *)                       \
    ROUTINE(potrfBatched, potrf_batched, Handle, int, int, void *[], int, int *, int)              \
    ROUTINE(potrsBatched, potrs_batched, Handle, int, int, int, void *[], int, void *[], int,      \
            int *, int)                                                                            \
    ROUTINE(sytrf_bufferSize, sytrf_size, Handle, int, void *, int, int *)                         \
    ROUTINE(sytrf, sytrf, Handle, int, int, void *, int, int *, void *, int, int *)                \
    ROUTINE(geqrf_bufferSize, geqrf_size, Handle, int, int, void *, int, int *)                    \
    ROUTINE(geqrf, geqrf, Handle, int, int, void *, int, void *, void *, int, int *)               \
    ROUTINE(or ##mqr_bufferSize, mqr_size, Handle, int, int, int, int, int, void *, int, void *,   \
            void *, int, int *)                                                                    \
    ROUTINE(or ##mqr, mqr, Handle, int, int, int, int, int, void *, int, void *, void *, int,      \
            void *, int, int *)                                                                    \
    ROUTINE(or ##gqr_bufferSize, gqr_size, Handle, int, int, int, void *, int, void *, int *)      \
    ROUTINE(or ##gqr, gqr, Handle, int, int, int, void *, int, void *, void *, int, int *)         \
    ROUTINE(gesvd_bufferSize, gesvd_size, Handle, int, int, int *)                                 \
    ROUTINE(gesvd, gesvd, Handle, signed char, signed char, int, int, void *, int, void *, void *, \
            int, void *, int, void *, int, void *, int *)                                          \
    ROUTINE(sy##evd_bufferSize, evd_size, Handle, int, int, int, void *, int, void *, int *)       \
    ROUTINE(sy##evd, evd, Handle, int, int, int, void *, int, void *, void *, int, int *)          \
    ROUTINE(sy##gvd_bufferSize, gvd_size, Handle, int, int, int, int, void *, int, void *, int,    \
            void *, int *)                                                                         \
    ROUTINE(sy##gvd, gvd, Handle, int, int, int, int, void *, int, void *, int, void *, void *,    \
            int, int *)                                                                            \
    ROUTINE(sy##evj_bufferSize, evj_size, Handle, int, int, int, void *, int, void *, int *, Info) \
    ROUTINE(sy##evj, evj, Handle, int, int, int, void *, int, void *, void *, int, int *, Info)    \
    ROUTINE(sy##evjBatched_bufferSize, evj_batched_size, Handle, int, int, int, void *, int,       \
            void *, int *, Info, int)                                                              \
    ROUTINE(sy##evjBatched, evj_batched, Handle, int, int, int, void *, int, void *, void *, int,  \
            int *, Info, int)                                                                      \
    ROUTINE(sy##gvj_bufferSize, gvj_size, Handle, int, int, int, int, void *, int, void *, int,    \
            void *, int *, Info)                                                                   \
    ROUTINE(sy##gvj, gvj, Handle, int, int, int, int, void *, int, void *, int, void *, void *,    \
            int, int *, Info)                                                                      \
    ROUTINE(gesvdj_bufferSize, gesvdj_size, Handle, int, int, int, int, void *, int, void *,       \
            void *, int, void *, int, int *, Info)                                                 \
    ROUTINE(gesvdj, gesvdj, Handle, int, int, int, int, void *, int, void *, void *, int, void *,  \
            int, void *, int, int *, Info)                                                         \
    ROUTINE(gesvdjBatched_bufferSize, gesvdj_batched_size, Handle, int, int, int, void *, int,     \
            void *, void *, int, void *, int, int *, Info, int)                                    \
    ROUTINE(gesvdjBatched, gesvdj_batched, Handle, int, int, int, void *, int, void *, void *,     \
            int, void *, int, void *, int, int *, Info, int)                                       \
    ROUTINE(gesvdaStridedBatched_bufferSize, gesvda_size, Handle, int, int, int, int, void *, int, \
            long long, void *, long long, void *, int, long long, void *, int, long long, int *,   \
            int)                                                                                   \
    ROUTINE(gesvdaStridedBatched, gesvda, Handle, int, int, int, int, void *, int, long long,      \
            void *, long long, void *, int, long long, void *, int, long long, void *, int, int *, \
            double *, int)
/* With bounds of the type's real numbers. */
#define BOUNDED(sy, real, ROUTINE)                                                                 \
    ROUTINE(sy##evdx_bufferSize, evdx_size, Handle, int, int, int, int, void *, int, real, real,   \
            int, int, int *, void *, int *)                                                        \
    ROUTINE(sy##evdx, evdx, Handle, int, int, int, int, void *, int, real, real, int, int, int *,  \
            void *, void *, int, int *)                                                            \
    ROUTINE(sy##gvdx_bufferSize, gvdx_size, Handle, int, int, int, int, int, void *, int, void *,  \
            int, real, real, int, int, int *, void *, int *)                                       \
    ROUTINE(sy##gvdx, gvdx, Handle, int, int, int, int, int, void *, int, void *, int, real, real, \
            int, int, int *, void *, void *, int, int *)

typedef struct Type {
    bool imaginary, single;
    double most; /* how far numbers may be off */
#define MEMBER(name, member, ...) int (*member)(__VA_ARGS__);
    ROUTINES(or, sy, MEMBER)
#define MEMBER_OF_BOTH(name, member, ...) int (*member##_single)(__VA_ARGS__);
    BOUNDED(sy, float, MEMBER_OF_BOTH)
    BOUNDED(sy, double, MEMBER)
} Type;

#define DECLARE_S(name, member, ...) int cusolverDnS##name(__VA_ARGS__);
#define DECLARE_D(name, member, ...) int cusolverDnD##name(__VA_ARGS__);
#define DECLARE_C(name, member, ...) int cusolverDnC##name(__VA_ARGS__);
#define DECLARE_Z(name, member, ...) int cusolverDnZ##name(__VA_ARGS__);
ROUTINES(or, sy, DECLARE_S)
ROUTINES(or, sy, DECLARE_D)
ROUTINES(un, he, DECLARE_C)
ROUTINES(un, he, DECLARE_Z)
BOUNDED(sy, float, DECLARE_S)
BOUNDED(sy, double, DECLARE_D)
BOUNDED(he, float, DECLARE_C)
BOUNDED(he, double, DECLARE_Z)

#define SET_S(name, member, ...) .member = cusolverDnS##name,
#define SET_D(name, member, ...) .member = cusolverDnD##name,
#define SET_C(name, member, ...) .member = cusolverDnC##name,
#define SET_Z(name, member, ...) .member = cusolverDnZ##name,
#define SET_SINGLE_S(name, member, ...) .member##_single = cusolverDnS##name,
#define SET_SINGLE_C(name, member, ...) .member##_single = cusolverDnC##name,
static const Type types[] = {
    {false, true, 2e-5, ROUTINES(or, sy, SET_S) BOUNDED(sy, float, SET_SINGLE_S)},
    {false, false, 1e-13, ROUTINES(or, sy, SET_D) BOUNDED(sy, double, SET_D)},
    {true, true, 2e-5, ROUTINES(un, he, SET_C) BOUNDED(he, float, SET_SINGLE_C)},
    {true, false, 1e-13, ROUTINES(un, he, SET_Z) BOUNDED(he, double, SET_Z)},
};
static const Type *type;
static Handle handle;

/* ---- arrays of the type, on the device, whose memory is the host's here ---- */

typedef union Elements {
    float s[MOST];
    double d[MOST];
    float complex c[MOST];
    Number z[MOST];
} Elements;

typedef struct Memory {
    Elements a, b, u, v, tau;
    double real[2 * N];
    int info[2], pivots[N];
    void *of_a[2], *of_b[2];
} Memory;
static Memory *m;

static Number get(const Elements *array, int i) {
    return type->imaginary ? type->single ? (Number)array->c[i] : array->z[i]
           : type->single ? (Number)array->s[i]
                           : (Number)array->d[i];
}

static void put(Elements *array, int i, Number value) {
    if (!type->imaginary && type->single)
        array->s[i] = (float)creal(value);
    else if (!type->imaginary)
        array->d[i] = creal(value);
    else if (type->single)
        array->c[i] = (float complex)value;
    else
        array->z[i] = value;
}

static void *from(Elements *array, int i) {
    const size_t bytes =
        (type->imaginary ? 2 : 1) * (type->single ? sizeof(float) : sizeof(double));
    return (char *)array + (size_t)i * bytes;
}

/* A singular value or an eigenvalue. */
static double real(int i) {
    return type->single ? (double)((const float *)m->real)[i] : m->real[i];
}

static bool near(Number a, Number b) {
    return cabs(a - b) < 16 * type->most;
}

/* ---- a positive definite matrix, one that is not symmetric, and a right side ---- */

static Number positive(int i, int j) {
    static const double symmetric[N][N] = {{4, 1, 1}, {1, 3, 0}, {1, 0, 2}};
    return symmetric[i][j] + (type->imaginary ? (j - i) * 0.25 * I : 0);
}

static Number any(int i, int j) {
    return positive(i, j) + (i < j ? 0.5 : 0);
}

static Number unknown(int i) {
    return i + 1 - (type->imaginary ? (double)i * I : 0);
}

/* A number of an operation on the matrix: as it is, transposed, conjugated as well. */
static Number of_operation(int op, Number (*matrix)(int, int), int i, int j) {
    const Number value = op ? matrix(j, i) : matrix(i, j);
    return op == 2 ? conj(value) : value;
}

static void fill(Elements *array, int at, Number (*matrix)(int, int), double times) {
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            put(array, at + j * N + i, matrix(i, j) * times);
}

static void right_side(Elements *array, int at, int op, Number (*matrix)(int, int), double times) {
    for (int i = 0; i < N; i++) {
        Number sum = 0;
        for (int j = 0; j < N; j++)
            sum += of_operation(op, matrix, i, j) * unknown(j) * times;
        put(array, at + i, sum);
    }
}

static void check_solved(const Elements *array, int at) {
    for (int i = 0; i < N; i++)
        CHECK(near(get(array, at + i), unknown(i)));
}

static void begin(void) {
    memset(m, 0, sizeof *m);
    m->info[0] = m->info[1] = 77;
}

/* ---- systems ---- */

static void lu(void) {
    int size = 0;
    CHECK(type->getrf_size(handle, N, N, &m->a, N, &size) == 0 && size > 0);
    for (int pivots = 0; pivots < 2; pivots++)
        for (int op = 0; op < OPS; op++) {
            int *given = pivots ? m->pivots : NULL;
            begin();
            fill(&m->a, 0, any, 1);
            right_side(&m->b, 0, op, any, 1);
            CHECK(type->getrf(handle, N, N, &m->a, N, NULL, given, m->info) == 0 && !m->info[0]);
            CHECK(type->getrs(handle, op, N, 1, &m->a, N, given, &m->b, N, m->info) == 0);
            CHECK(m->info[0] == 0);
            check_solved(&m->b, 0);
        }
    begin(); /* the first column is none: its pivot is the first that is zero */
    CHECK(type->getrf(handle, N, N, &m->a, N, NULL, NULL, m->info) == 0 && m->info[0] == 1);
}

static void cholesky(void) {
    int size = 0;
    for (int uplo = 0; uplo < 2; uplo++) {
        begin();
        fill(&m->a, 0, positive, 1);
        right_side(&m->b, 0, 0, positive, 1);
        CHECK(type->potrf_size(handle, uplo, N, &m->a, N, &size) == 0 && size > 0);
        CHECK(type->potrf(handle, uplo, N, &m->a, N, NULL, size, m->info) == 0 && !m->info[0]);
        CHECK(type->potrs(handle, uplo, N, 1, &m->a, N, &m->b, N, m->info) == 0 && !m->info[0]);
        check_solved(&m->b, 0);
        CHECK(type->potri_size(handle, uplo, N, &m->a, N, &size) == 0 && size > 0);
        CHECK(type->potri(handle, uplo, N, &m->a, N, NULL, size, m->info) == 0 && !m->info[0]);
        for (int i = 0; i < N; i++) /* the matrix times its inverse, of which there is a triangle */
            for (int j = 0; j < N; j++) {
                Number sum = 0;
                for (int k = 0; k < N; k++) {
                    const bool there = uplo ? k <= j : k >= j;
                    const Number inverse =
                        there ? get(&m->a, j * N + k) : conj(get(&m->a, k * N + j));
                    sum += positive(i, k) * inverse;
                }
                CHECK(near(sum, i == j));
            }
    }
}

/* The second matrix is four times the first, and its right side twice that. */
static void cholesky_of_two(void) {
    begin();
    for (int one = 0; one < 2; one++) {
        fill(&m->a, one * N * N, positive, one ? 4 : 1);
        right_side(&m->b, one * N, 0, positive, one ? 4 : 1);
        m->of_a[one] = from(&m->a, one * N * N);
        m->of_b[one] = from(&m->b, one * N);
    }
    CHECK(type->potrf_batched(handle, 0, N, m->of_a, N, m->info, 2) == 0);
    CHECK(m->info[0] == 0 && m->info[1] == 0);
    CHECK(type->potrs_batched(handle, 0, N, 1, m->of_a, N, m->of_b, N, m->info, 2) == 0);
    for (int one = 0; one < 2; one++)
        check_solved(&m->b, one * N);
    CHECK(type->potrf_batched(handle, 0, N, m->of_a, N, m->info, 0) == 0);
    CHECK(type->potrs_batched(handle, 0, N, 1, m->of_a, N, m->of_b, N, m->info, 0) == 0);
}

/* Symmetric, also where numbers are complex. Its pivots stay where they are: A = L D L' */
static void symmetric(void) {
    int size = 0;
    begin();
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            put(&m->a, j * N + i, i > j ? positive(i, j) : positive(j, i));
    m->b = m->a;
    CHECK(type->sytrf_size(handle, N, &m->a, N, &size) == 0 && size > 0);
    CHECK(type->sytrf(handle, 0, N, &m->a, N, m->pivots, NULL, size, m->info) == 0 && !m->info[0]);
    for (int i = 0; i < N; i++)
        CHECK(m->pivots[i] == i + 1);
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            Number sum = 0;
            for (int k = 0; k <= j; k++)
                sum += (k == i ? 1 : get(&m->a, k * N + i)) * get(&m->a, k * N + k) *
                       (k == j ? 1 : get(&m->a, k * N + j));
            CHECK(near(sum, get(&m->b, j * N + i)));
        }
}

/* Q R is the matrix, and Q's columns by its right side are what `mqr` makes of that, adjoint. */
static void qr(void) {
    const int adjoint = type->imaginary ? 2 : 1;
    int size = 0;
    begin();
    fill(&m->a, 0, any, 1);
    right_side(&m->b, 0, 0, any, 1);
    CHECK(type->geqrf_size(handle, N, N, &m->a, N, &size) == 0 && size > 0);
    CHECK(type->geqrf(handle, N, N, &m->a, N, &m->tau, NULL, size, m->info) == 0 && !m->info[0]);
    CHECK(type->mqr_size(handle, 0, adjoint, N, 1, N, &m->a, N, &m->tau, &m->b, N, &size) == 0);
    CHECK(type->mqr(handle, 0, adjoint, N, 1, N, &m->a, N, &m->tau, &m->b, N, NULL, size,
                    m->info) == 0);
    m->u = m->a;
    CHECK(type->gqr_size(handle, N, N, N, &m->u, N, &m->tau, &size) == 0);
    CHECK(type->gqr(handle, N, N, N, &m->u, N, &m->tau, NULL, size, m->info) == 0 && !m->info[0]);
    for (int i = 0; i < N; i++) {
        Number applied = 0;
        for (int k = 0; k < N; k++) {
            Number given = 0;
            for (int j = 0; j < N; j++)
                given += any(k, j) * unknown(j);
            applied += conj(get(&m->u, i * N + k)) * given;
        }
        CHECK(near(get(&m->b, i), applied));
        for (int j = 0; j < N; j++) {
            Number sum = 0;
            for (int k = 0; k <= j; k++)
                sum += get(&m->u, k * N + i) * get(&m->a, j * N + k);
            CHECK(near(sum, any(i, j)));
        }
    }
}

/* ---- values ---- */

/* U S V' is the matrix, and its values are in order. `adjoint`: V' is what there is. */
static void check_singular(int at, int values, bool adjoint, double times) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            Number sum = 0;
            for (int k = 0; k < N; k++)
                sum += get(&m->u, at + k * N + i) * real(values + k) *
                       (adjoint ? get(&m->v, at + j * N + k) : conj(get(&m->v, at + k * N + j)));
            CHECK(near(sum, any(i, j) * times));
        }
    CHECK(real(values) >= real(values + 1) && real(values + 1) >= real(values + 2));
}

static void two_of(Number (*matrix)(int, int)) {
    begin();
    fill(&m->a, 0, matrix, 1);
    fill(&m->a, N * N, matrix, 2);
}

static void singular_values(void) {
    Info info = NULL;
    double residual = 7, norms[2] = {7, 7};
    int size = 0;
    CHECK(cusolverDnCreateGesvdjInfo(&info) == 0);
    two_of(any);
    CHECK(type->gesvd_size(handle, N, N, &size) == 0 && size > 0);
    CHECK(type->gesvd(handle, 'A', 'A', N, N, &m->a, N, m->real, &m->u, N, &m->v, N, NULL, size,
                      NULL, m->info) == 0 &&
          m->info[0] == 0);
    check_singular(0, 0, true, 1);
    two_of(any);
    CHECK(type->gesvdj_size(handle, 1, 0, N, N, &m->a, N, m->real, &m->u, N, &m->v, N, &size,
                            info) == 0);
    CHECK(type->gesvdj(handle, 1, 0, N, N, &m->a, N, m->real, &m->u, N, &m->v, N, NULL, size,
                       m->info, info) == 0);
    check_singular(0, 0, false, 1);
    CHECK(cusolverDnXgesvdjGetResidual(handle, info, &residual) == 0 && residual < 16 * type->most);
    two_of(any);
    CHECK(type->gesvdj_batched_size(handle, 1, N, N, &m->a, N, m->real, &m->u, N, &m->v, N, &size,
                                    info, 2) == 0);
    CHECK(type->gesvdj_batched(handle, 1, N, N, &m->a, N, m->real, &m->u, N, &m->v, N, NULL, size,
                               m->info, info, 2) == 0);
    check_singular(0, 0, false, 1);
    check_singular(N * N, N, false, 2);
    CHECK(type->gesvdj_batched(handle, 1, N, N, &m->a, N, m->real, &m->u, N, &m->v, N, NULL, size,
                               m->info, info, 0) == 0);
    two_of(any);
    CHECK(type->gesvda_size(handle, 1, N, N, N, &m->a, N, N * N, m->real, N, &m->u, N, N * N, &m->v,
                            N, N * N, &size, 2) == 0);
    CHECK(type->gesvda(handle, 1, N, N, N, &m->a, N, N * N, m->real, N, &m->u, N, N * N, &m->v, N,
                       N * N, NULL, size, m->info, norms, 2) == 0);
    check_singular(0, 0, false, 1);
    check_singular(N * N, N, false, 2);
    CHECK(norms[0] < 16 * type->most && norms[1] < 16 * type->most);
    CHECK(type->gesvda(handle, 1, N, N, N, &m->a, N, N * N, m->real, N, &m->u, N, N * N, &m->v, N,
                       N * N, NULL, size, m->info, norms, 0) == 0);
    CHECK(cusolverDnDestroyGesvdjInfo(info) == 0);
}

/* A v = w v (w / 2 where B is twice the unit matrix) for each of so many vectors. */
static void check_eigen(int at, int values, int count, double times) {
    for (int k = 0; k < count; k++)
        for (int i = 0; i < N; i++) {
            Number sum = 0;
            for (int j = 0; j < N; j++)
                sum += positive(i, j) * get(&m->a, at + k * N + j);
            CHECK(near(sum, real(values + k) / times * get(&m->a, at + k * N + i)));
        }
    for (int k = 1; k < count; k++)
        CHECK(real(values + k) > real(values + k - 1));
}

static Number twice(int i, int j) {
    return i == j ? 2 : 0;
}

static void pair(void) {
    begin();
    fill(&m->a, 0, positive, 1);
    fill(&m->b, 0, twice, 1);
}

static void eigenvalues(void) {
    Info info = NULL;
    double residual = 7;
    int size = 0;
    CHECK(cusolverDnCreateSyevjInfo(&info) == 0);
    two_of(positive);
    CHECK(type->evd_size(handle, 1, 0, N, &m->a, N, m->real, &size) == 0 && size > 0);
    CHECK(type->evd(handle, 1, 0, N, &m->a, N, m->real, NULL, size, m->info) == 0 && !m->info[0]);
    check_eigen(0, 0, N, 1);
    two_of(positive);
    CHECK(type->evj_size(handle, 1, 1, N, &m->a, N, m->real, &size, info) == 0 && size > 0);
    CHECK(type->evj(handle, 1, 1, N, &m->a, N, m->real, NULL, size, m->info, info) == 0);
    check_eigen(0, 0, N, 1);
    CHECK(cusolverDnXsyevjGetResidual(handle, info, &residual) == 0 && residual < 16 * type->most);
    two_of(positive);
    CHECK(type->evj_batched_size(handle, 1, 1, N, &m->a, N, m->real, &size, info, 2) == 0);
    CHECK(type->evj_batched(handle, 1, 1, N, &m->a, N, m->real, NULL, size, m->info, info, 2) == 0);
    check_eigen(0, 0, N, 1);
    check_eigen(N * N, N, N, 2);
    CHECK(type->evj_batched(handle, 1, 1, N, &m->a, N, m->real, NULL, size, m->info, info, 0) == 0);
    for (int problem = 1; problem <= 3; problem++)
        for (int jacobi = 0; jacobi < 2; jacobi++) {
            pair();
            if (jacobi) {
                CHECK(type->gvj_size(handle, problem, 1, 0, N, &m->a, N, &m->b, N, m->real, &size,
                                     info) == 0);
                CHECK(type->gvj(handle, problem, 1, 0, N, &m->a, N, &m->b, N, m->real, NULL, size,
                                m->info, info) == 0);
            } else {
                CHECK(type->gvd_size(handle, problem, 1, 0, N, &m->a, N, &m->b, N, m->real,
                                     &size) == 0);
                CHECK(type->gvd(handle, problem, 1, 0, N, &m->a, N, &m->b, N, m->real, NULL, size,
                                m->info) == 0);
            }
            CHECK(m->info[0] == 0);
            check_eigen(0, 0, N, problem == 1 ? 0.5 : 2);
        }
    CHECK(cusolverDnDestroySyevjInfo(info) == 0);
}

/* The routines with bounds, whichever type those are of. */
#define EVDX(which, ...)                                                                           \
    (type->single ? type->which##_single(__VA_ARGS__) : type->which(__VA_ARGS__))

static void ranges(void) {
    int found = 7, size = 0;
    double all[N];
    two_of(positive);
    CHECK(type->evd(handle, 0, 0, N, &m->a, N, m->real, NULL, 0, m->info) == 0);
    for (int i = 0; i < N; i++)
        all[i] = real(i);
    const float low = (float)(all[0] + all[1]) / 2, high = (float)(all[1] + all[2]) / 2;
    two_of(positive);
    CHECK(EVDX(evdx_size, handle, 1, RANGE_NUMBERS, 0, N, &m->a, N, 0, 0, 2, 3, &found, m->real,
               &size) == 0);
    CHECK(EVDX(evdx, handle, 1, RANGE_NUMBERS, 0, N, &m->a, N, 0, 0, 2, 3, &found, m->real, NULL,
               size, m->info) == 0);
    CHECK(found == 2 && near(real(0), all[1]) && near(real(1), all[2]));
    check_eigen(0, 0, 2, 1);
    two_of(positive);
    CHECK(EVDX(evdx, handle, 1, RANGE_VALUES, 1, N, &m->a, N, low, high, 0, 0, &found, m->real,
               NULL, size, m->info) == 0);
    CHECK(found == 1 && near(real(0), all[1]));
    check_eigen(0, 0, 1, 1);
    pair();
    CHECK(EVDX(gvdx_size, handle, 2, 1, RANGE_NUMBERS, 0, N, &m->a, N, &m->b, N, 0, 0, 1, 1, &found,
               m->real, &size) == 0);
    CHECK(EVDX(gvdx, handle, 2, 1, RANGE_NUMBERS, 0, N, &m->a, N, &m->b, N, 0, 0, 1, 1, &found,
               m->real, NULL, size, m->info) == 0);
    CHECK(found == 1 && near(real(0), 2 * all[0]));
    check_eigen(0, 0, 1, 2);
    CHECK(EVDX(evdx, handle, 1, RANGE_NUMBERS, 0, N, &m->a, N, 0, 0, 3, 2, &found, m->real, NULL,
               size, m->info) == INVALID_VALUE);
    CHECK(EVDX(evdx, handle, 1, RANGE_NUMBERS, 0, N, &m->a, N, 0, 0, 1, 4, &found, m->real, NULL,
               size, m->info) == INVALID_VALUE);
    CHECK(EVDX(evdx, handle, 1, RANGE_VALUES, 0, N, &m->a, N, high, low, 0, 0, &found, m->real,
               NULL, size, m->info) == INVALID_VALUE);
    CHECK(EVDX(evdx, handle, 1, RANGE_NUMBERS, 0, N, &m->a, N, 0, 0, 1, 1, NULL, m->real, NULL,
               size, m->info) == INVALID_VALUE);
    CHECK(EVDX(evdx_size, handle, 1, 0, 0, N, &m->a, N, 0, 0, 1, 1, &found, m->real, &size) ==
          INVALID_VALUE);
    CHECK(EVDX(gvdx_size, handle, 1, 1, 0, 0, N, &m->a, N, &m->b, N, 0, 0, 1, 1, &found, m->real,
               &size) == INVALID_VALUE);
    for (int problem = 0; problem <= 4; problem += 4)
        CHECK(EVDX(gvdx, handle, problem, 1, RANGE_NUMBERS, 0, N, &m->a, N, &m->b, N, 0, 0, 1, 1,
                   &found, m->real, NULL, size, m->info) == INVALID_VALUE);
    CHECK(EVDX(gvdx, handle, 1, 1, RANGE_NUMBERS, 0, N, &m->a, N, &m->b, N, 0, 0, 0, 1, &found,
               m->real, NULL, size, m->info) == INVALID_VALUE);
    CHECK(EVDX(gvdx, handle, 1, 1, RANGE_NUMBERS, 0, N, &m->a, N, &m->b, N, 0, 0, 1, 1, NULL,
               m->real, NULL, size, m->info) == INVALID_VALUE);
}

/* ---- what is refused: nothing is written then ---- */

static void refused(void) {
    Info gesvdj = NULL, syevj = NULL;
    int size = 7;
    double norms[2];
    void *a = &m->a, *b = &m->b, *w = m->real, *u = &m->u, *v = &m->v;
    int *info = m->info;
    begin();
    CHECK(cusolverDnCreateGesvdjInfo(&gesvdj) == 0 && cusolverDnCreateSyevjInfo(&syevj) == 0);
    CHECK(type->getrf_size(NULL, N, N, a, N, &size) == NOT_INITIALIZED && size == 7);
    CHECK(type->getrf_size(handle, N, N, a, N, NULL) == INVALID_VALUE);
    CHECK(type->getrf(NULL, N, N, a, N, NULL, NULL, info) == NOT_INITIALIZED);
    CHECK(type->getrf(handle, N, N, a, N - 1, NULL, NULL, info) == INVALID_VALUE);
    CHECK(type->getrs(handle, OPS, N, 1, a, N, NULL, b, N, info) == INVALID_VALUE);
    CHECK(type->getrs(handle, -1, N, 1, a, N, NULL, b, N, info) == INVALID_VALUE);
    CHECK(type->potrf(handle, 2, N, a, N, NULL, 0, info) == INVALID_VALUE);
    CHECK(type->sytrf(handle, 0, N, a, N, NULL, NULL, 0, info) == INVALID_VALUE);
    CHECK(type->mqr(handle, 2, 0, N, 1, N, a, N, w, b, N, NULL, 0, info) == INVALID_VALUE);
    CHECK(type->potrf_batched(handle, 0, N, NULL, N, info, 1) == INVALID_VALUE);
    CHECK(type->potrf_batched(handle, 0, N, m->of_a, N, NULL, 1) == INVALID_VALUE);
    CHECK(type->potrf_batched(handle, 0, N, m->of_a, N, info, -1) == INVALID_VALUE);
    CHECK(type->potrf_batched(NULL, 0, N, m->of_a, N, info, 0) == NOT_INITIALIZED);
    CHECK(type->potrs_batched(handle, 0, N, 1, NULL, N, m->of_b, N, info, 1) == INVALID_VALUE);
    CHECK(type->potrs_batched(handle, 0, N, 1, m->of_a, N, NULL, N, info, 1) == INVALID_VALUE);
    CHECK(type->potrs_batched(handle, 0, N, 1, m->of_a, N, m->of_b, N, NULL, 1) == INVALID_VALUE);
    CHECK(type->potrs_batched(handle, 0, N, 1, m->of_a, N, m->of_b, N, info, -1) == INVALID_VALUE);
    CHECK(type->potrs_batched(handle, 0, N, 2, m->of_a, N, m->of_b, N, info, 1) == INVALID_VALUE);
    CHECK(type->potrs_batched(NULL, 0, N, 1, m->of_a, N, m->of_b, N, info, 0) == NOT_INITIALIZED);
    CHECK(type->gesvd_size(handle, N - 1, N, &size) == INVALID_VALUE);
    CHECK(type->gesvd(handle, 'A', 'A', N - 1, N, a, N, w, u, N, v, N, NULL, 0, NULL, info) ==
          INVALID_VALUE);
    CHECK(type->gesvd(handle, 'X', 'A', N, N, a, N, w, u, N, v, N, NULL, 0, NULL, info) ==
          INVALID_VALUE);
    CHECK(type->gesvdj_size(handle, 1, 0, N, N, a, N, w, u, N, v, N, &size, syevj) == 0);
    CHECK(type->gesvdj_size(handle, 1, 0, N, N, a, N, w, u, N, v, N, &size, NULL) == INVALID_VALUE);
    CHECK(type->gesvdj(handle, 1, 0, N, N, a, N, w, u, N, v, N, NULL, 0, info, NULL) ==
          INVALID_VALUE);
    CHECK(type->gesvdj(handle, 1, 0, N, N, a, N, w, u, N, v, N, NULL, 0, info,
                       (Info)(void *)handle) == INVALID_VALUE);
    CHECK(type->gesvdj_batched_size(handle, 1, N, N, a, N, w, u, N, v, N, &size, NULL, 1) ==
          INVALID_VALUE);
    CHECK(type->gesvdj_batched_size(handle, 1, N, N, a, N, w, u, N, v, N, &size, gesvdj, -1) ==
          INVALID_VALUE);
    for (int wrong = 0; wrong < 4; wrong++)
        CHECK(type->gesvdj_batched(handle, 1, wrong == 0 ? 33 : N, wrong == 1 ? 33 : N, a, 33, w, u,
                                   33, v, 33, NULL, 0, info, wrong == 2 ? NULL : gesvdj,
                                   wrong == 3 ? -1 : 1) == INVALID_VALUE);
    CHECK(type->gesvdj_batched(NULL, 1, N, N, a, N, w, u, N, v, N, NULL, 0, info, gesvdj, 0) ==
          NOT_INITIALIZED);
    CHECK(type->gesvda_size(handle, 1, N, N, N, a, N, 9, w, N, u, N, 9, v, N, 9, &size, -1) ==
          INVALID_VALUE);
    for (int wrong = 0; wrong < 7; wrong++)
        CHECK(type->gesvda(handle, 1,
                           wrong == 0   ? N + 1
                           : wrong == 1 ? -1
                                        : N,
                           N, N, a, N, wrong == 2 ? -1 : 9, w, wrong == 3 ? -1 : N, u, N,
                           wrong == 4 ? -1 : 9, v, N, wrong == 5 ? -1 : 9, NULL, 0, info, norms,
                           wrong == 6 ? -1 : 1) == INVALID_VALUE);
    CHECK(type->gesvda(NULL, 1, N, N, N, a, N, 9, w, N, u, N, 9, v, N, 9, NULL, 0, info, norms,
                       0) == NOT_INITIALIZED);
    CHECK(type->evj_size(handle, 1, 0, N, a, N, w, &size, NULL) == INVALID_VALUE);
    CHECK(type->evj(handle, 1, 0, N, a, N, w, NULL, 0, info, NULL) == INVALID_VALUE);
    CHECK(type->evj_batched_size(handle, 1, 0, N, a, N, w, &size, NULL, 1) == INVALID_VALUE);
    CHECK(type->evj_batched_size(handle, 1, 0, N, a, N, w, &size, syevj, -1) == INVALID_VALUE);
    CHECK(type->evj_batched(handle, 1, 0, N, a, N, w, NULL, 0, info, NULL, 1) == INVALID_VALUE);
    CHECK(type->evj_batched(handle, 1, 0, N, a, N, w, NULL, 0, info, syevj, -1) == INVALID_VALUE);
    CHECK(type->evj_batched(NULL, 1, 0, N, a, N, w, NULL, 0, info, syevj, 0) == NOT_INITIALIZED);
    CHECK(type->gvj_size(handle, 1, 1, 0, N, a, N, b, N, w, &size, NULL) == INVALID_VALUE);
    for (int problem = 0; problem <= 4; problem += 4) {
        CHECK(type->gvd(handle, problem, 1, 0, N, a, N, b, N, w, NULL, 0, info) == INVALID_VALUE);
        CHECK(type->gvj(handle, problem, 1, 0, N, a, N, b, N, w, NULL, 0, info, syevj) ==
              INVALID_VALUE);
    }
    CHECK(type->gvj(handle, 1, 1, 0, N, a, N, b, N, w, NULL, 0, info, NULL) == INVALID_VALUE);
    CHECK(m->info[0] == 77 && m->info[1] == 77);
    CHECK(cusolverDnDestroyGesvdjInfo(gesvdj) == 0 && cusolverDnDestroySyevjInfo(syevj) == 0);
}

int main(void) {
    CUdeviceptr made;
    start();
    OK(cuMemAlloc_v2(&made, sizeof *m));
    m = (Memory *)(uintptr_t)made;
    CHECK(cusolverDnCreate(&handle) == 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        type = &types[i];
        lu();
        cholesky();
        cholesky_of_two();
        symmetric();
        qr();
        singular_values();
        eigenvalues();
        ranges();
        refused();
    }
    CHECK(cusolverDnDestroy(handle) == 0);
    puts("solver_types: fine");
    return 0;
}
