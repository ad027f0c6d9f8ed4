/* cuSOLVER's sparse systems whose functions have a type in their names, for all four, of the device's memory and of the host's:
 * at once, in steps, of many; what each refuses; settings of those that are factored again. */
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdint.h>

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 3, NOT_SUPPORTED = 9 };
enum { N = 3, COUNT = 7 };
typedef struct Handle *Handle;
typedef struct Object *Object;
typedef double complex Number;

#define SYSTEM                                                                                     \
    Handle handle, int n, int count, Object description, const void *values, const int *offsets,   \
        const int *places
#define STEP Handle handle, int n, const void *b, void *x, Object steps, void *area
#define QR_STEP                                                                                    \
    Handle handle, int m, int n, int count, Object description, const void *values,                \
        const int *offsets, const int *places
#define SIZES Object steps, size_t *inside, size_t *work

int cusparseCreateMatDescr(Object *description);
int cusparseDestroyMatDescr(Object description);
int cusparseSetMatIndexBase(Object description, int base);
int cusolverSpCreate(Handle *handle);
int cusolverSpDestroy(Handle handle);
int cusolverSpSetStream(Handle handle, CUstream stream);
int cusolverSpGetStream(Handle handle, CUstream *stream);
int cusolverSpXcsrluAnalysisHost(Handle handle, int n, int count, Object description,
                                 const int *offsets, const int *places, Object steps);
int cusolverSpXcsrluNnzHost(Handle handle, int *lower, int *upper, Object steps);
#define OBJECT(Name)                                                                               \
    int cusolverSpCreate##Name(Object *object);                                                    \
    int cusolverSpDestroy##Name(Object object);
OBJECT(CsrcholInfo)
OBJECT(CsrcholInfoHost)
OBJECT(CsrqrInfo)
OBJECT(CsrqrInfoHost)
OBJECT(CsrluInfoHost)
#define ANALYSIS(name)                                                                             \
    int cusolverSpX##name(Handle handle, int n, int count, Object description, const int *offsets, \
                          const int *places, Object steps);
ANALYSIS(csrcholAnalysis)
ANALYSIS(csrcholAnalysisHost)
#define ANALYSIS_QR(name)                                                                          \
    int cusolverSpX##name(Handle handle, int m, int n, int count, Object description,              \
                          const int *offsets, const int *places, Object steps);
ANALYSIS_QR(csrqrAnalysis)
ANALYSIS_QR(csrqrAnalysisHost)
ANALYSIS_QR(csrqrAnalysisBatched)

typedef struct Memory {
    union {
        float s[2 * N];
        double d[2 * N];
        float complex c[2 * N];
        Number z[2 * N];
    } b, x;
    union {
        float s[2 * COUNT];
        double d[2 * COUNT];
        float complex c[2 * COUNT];
        Number z[2 * COUNT];
    } values;
    int offsets[N + 1], places[COUNT];
} Memory;
static Memory *m;
static Handle h;
static Object description;

/* ---- each way, for each type ---- */

enum Way { LU_HOST, QR, QR_HOST, CHOL, CHOL_HOST, WAYS };

/* What is left out: of the matrix and so on, which is given as none. */
enum {
    WITHOUT_DESCRIPTION,
    WITHOUT_VALUES,
    WITHOUT_OFFSETS,
    WITHOUT_PLACES,
    WITHOUT_B,
    WITHOUT_X,
    WITHOUT_ANSWER,
    ALL
};
static int without = ALL;
#define GIVEN(which, what) (without == WITHOUT_##which ? NULL : (what))
#define GIVEN_MATRIX                                                                               \
    COUNT, GIVEN(DESCRIPTION, description), GIVEN(VALUES, &m->values), GIVEN(OFFSETS, m->offsets), \
        GIVEN(PLACES, m->places)

typedef struct Type {
    bool imaginary, single;
    int (*at_once)(enum Way way, Handle handle, int *singular);
    int (*sizes)(enum Way way, Handle handle, SIZES);
    int (*factor)(enum Way way, Handle handle, Object steps);
    int (*pivot)(enum Way way, Handle handle, Object steps, double tolerance, int *position);
    int (*solve)(enum Way way, Handle handle, int n, Object steps);
    int (*shifted)(Handle handle, Object steps); /* by an imaginary number, where there are any */
    int (*of_many)(Handle handle, int many, Object steps);
    int (*sizes_of_many)(Handle handle, SIZES);
} Type;

#define DECLARE_AT_ONCE(name, real)                                                                \
    int cusolverSp##name(SYSTEM, const void *b, real tolerance, int reorder, void *x,              \
                         int *singular);
#define DECLARE_STEPS(T, real, number, Host)                                                       \
    int cusolverSp##T##csrcholBufferInfo##Host(SYSTEM, SIZES);                                     \
    int cusolverSp##T##csrcholFactor##Host(SYSTEM, Object steps, void *area);                      \
    int cusolverSp##T##csrcholZeroPivot##Host(Handle handle, Object steps, real tolerance,         \
                                              int *position);                                      \
    int cusolverSp##T##csrcholSolve##Host(STEP);                                                   \
    int cusolverSp##T##csrqrBufferInfo##Host(QR_STEP, SIZES);                                      \
    int cusolverSp##T##csrqrSetup##Host(QR_STEP, number shift, Object steps);                      \
    int cusolverSp##T##csrqrFactor##Host(Handle handle, int m, int n, int count, void *b, void *x, \
                                         Object steps, void *area);                                \
    int cusolverSp##T##csrqrZeroPivot##Host(Handle handle, Object steps, real tolerance,           \
                                            int *position);                                        \
    int cusolverSp##T##csrqrSolve##Host(Handle handle, int m, int n, const void *b, void *x,       \
                                        Object steps, void *area);

#define TYPE(T, real, number)                                                                        \
    DECLARE_AT_ONCE(T##csrlsvluHost, real)                                                           \
    DECLARE_AT_ONCE(T##csrlsvqr, real)                                                               \
    DECLARE_AT_ONCE(T##csrlsvqrHost, real)                                                           \
    DECLARE_AT_ONCE(T##csrlsvchol, real)                                                             \
    DECLARE_AT_ONCE(T##csrlsvcholHost, real)                                                         \
    DECLARE_STEPS(T, real, number, )                                                                 \
    DECLARE_STEPS(T, real, number, Host)                                                             \
    int cusolverSp##T##csrluBufferInfoHost(SYSTEM, SIZES);                                           \
    int cusolverSp##T##csrluFactorHost(SYSTEM, Object steps, real threshold, void *area);            \
    int cusolverSp##T##csrluZeroPivotHost(Handle handle, Object steps, real tolerance,               \
                                          int *position);                                            \
    int cusolverSp##T##csrluSolveHost(STEP);                                                         \
    int cusolverSp##T##csrqrsvBatched(QR_STEP, const void *b, void *x, int batch, Object steps,      \
                                      void *area);                                                   \
    int cusolverSp##T##csrqrBufferInfoBatched(QR_STEP, int batch, SIZES);                            \
                                                                                                     \
    static int at_once_##T(enum Way way, Handle handle, int *singular) {                             \
        static int (*const ways[])(SYSTEM, const void *, real, int, void *, int *) = {               \
            cusolverSp##T##csrlsvluHost, cusolverSp##T##csrlsvqr, cusolverSp##T##csrlsvqrHost,       \
            cusolverSp##T##csrlsvchol, cusolverSp##T##csrlsvcholHost};                               \
        return ways[way](handle, N, GIVEN_MATRIX, GIVEN(B, &m->b), (real)1e-6, 0, GIVEN(X, &m->x),   \
                         GIVEN(ANSWER, singular));                                                   \
    }                                                                                                \
    static int sizes_##T(enum Way way, Handle handle, SIZES) {                                       \
        return way == LU_HOST   ? cusolverSp##T##csrluBufferInfoHost(handle, N, GIVEN_MATRIX, steps, \
                                                                     inside, work)                   \
               : way == QR      ? cusolverSp##T##csrqrBufferInfo(handle, N, N, GIVEN_MATRIX, steps,  \
                                                                 inside, work)                       \
               : way == QR_HOST ? cusolverSp##T##csrqrBufferInfoHost(handle, N, N, GIVEN_MATRIX,     \
                                                                     steps, inside, work)            \
               : way == CHOL    ? cusolverSp##T##csrcholBufferInfo(handle, N, GIVEN_MATRIX, steps,   \
                                                                   inside, work)                     \
                                : cusolverSp##T##csrcholBufferInfoHost(handle, N, GIVEN_MATRIX,      \
                                                                       steps, inside, work);            \
    }                                                                                                \
    static int factor_##T(enum Way way, Handle handle, Object steps) {                               \
        if (way == QR || way == QR_HOST) {                                                           \
            int status =                                                                             \
                way == QR ? cusolverSp##T##csrqrSetup(handle, N, N, GIVEN_MATRIX, 0, steps)          \
                          : cusolverSp##T##csrqrSetupHost(handle, N, N, GIVEN_MATRIX, 0, steps);     \
            return status ? status                                                                   \
                   : way == QR                                                                       \
                       ? cusolverSp##T##csrqrFactor(handle, N, N, COUNT, NULL, NULL, steps, NULL)    \
                       : cusolverSp##T##csrqrFactorHost(handle, N, N, COUNT, &m->b, &m->x, steps,    \
                                                        NULL);                                       \
        }                                                                                            \
        return way == LU_HOST                                                                        \
                   ? cusolverSp##T##csrluFactorHost(handle, N, GIVEN_MATRIX, steps, 1, NULL)         \
               : way == CHOL                                                                         \
                   ? cusolverSp##T##csrcholFactor(handle, N, GIVEN_MATRIX, steps, NULL)              \
                   : cusolverSp##T##csrcholFactorHost(handle, N, GIVEN_MATRIX, steps, NULL);         \
    }                                                                                                \
    static int pivot_##T(enum Way way, Handle handle, Object steps, double tolerance,                \
                         int *position) {                                                            \
        static int (*const ways[])(Handle, Object, real, int *) = {                                  \
            cusolverSp##T##csrluZeroPivotHost, cusolverSp##T##csrqrZeroPivot,                        \
            cusolverSp##T##csrqrZeroPivotHost, cusolverSp##T##csrcholZeroPivot,                      \
            cusolverSp##T##csrcholZeroPivotHost};                                                    \
        return ways[way](handle, steps, (real)tolerance, position);                                  \
    }                                                                                                \
    static int solve_##T(enum Way way, Handle handle, int n, Object steps) {                         \
        const void *b = GIVEN(B, &m->b);                                                             \
        void *x = GIVEN(X, &m->x);                                                                   \
        return way == LU_HOST   ? cusolverSp##T##csrluSolveHost(handle, n, b, x, steps, NULL)        \
               : way == QR      ? cusolverSp##T##csrqrSolve(handle, N, n, b, x, steps, NULL)         \
               : way == QR_HOST ? cusolverSp##T##csrqrSolveHost(handle, N, n, b, x, steps, NULL)     \
               : way == CHOL    ? cusolverSp##T##csrcholSolve(handle, n, b, x, steps, NULL)          \
                                : cusolverSp##T##csrcholSolveHost(handle, n, b, x, steps, NULL);        \
    }                                                                                                \
    static int shifted_##T(Handle handle, Object steps) {                                            \
        return cusolverSp##T##csrqrSetup(handle, N, N, GIVEN_MATRIX, (number)I, steps);              \
    }                                                                                                \
    static int of_many_##T(Handle handle, int many, Object steps) {                                  \
        return cusolverSp##T##csrqrsvBatched(handle, N, N, GIVEN_MATRIX, GIVEN(B, &m->b),            \
                                             GIVEN(X, &m->x), many, steps, NULL);                    \
    }                                                                                                \
    static int sizes_of_many_##T(Handle handle, SIZES) {                                             \
        return cusolverSp##T##csrqrBufferInfoBatched(handle, N, N, GIVEN_MATRIX, 2, steps, inside,   \
                                                     work);                                          \
    }
TYPE(S, float, float)
TYPE(D, double, double)
TYPE(C, float, float complex)
TYPE(Z, double, Number)

#define FUNCTIONS(T)                                                                               \
    at_once_##T, sizes_##T, factor_##T, pivot_##T, solve_##T, shifted_##T, of_many_##T,            \
        sizes_of_many_##T
static const Type types[] = {{false, true, FUNCTIONS(S)},
                             {false, false, FUNCTIONS(D)},
                             {true, true, FUNCTIONS(C)},
                             {true, false, FUNCTIONS(Z)}};
static const Type *type;

/* ---- a matrix with three diagonals, positive definite ---- */

static Number element(int i, int j) {
    static const double symmetric[N][N] = {{4, 1, 0}, {1, 3, 0.5}, {0, 0.5, 2}};
    return symmetric[i][j] + (type->imaginary && i + j == 1 ? (j - i) * 0.25 * I : 0);
}

static Number unknown(int i) {
    return i + 1 - (type->imaginary ? (double)i * I : 0);
}

#define PUT(array, i, value)                                                                       \
    do {                                                                                           \
        if (!type->imaginary && type->single)                                                      \
            (array).s[i] = (float)creal(value);                                                    \
        else if (!type->imaginary)                                                                 \
            (array).d[i] = creal(value);                                                           \
        else if (type->single)                                                                     \
            (array).c[i] = (float complex)(value);                                                 \
        else                                                                                       \
            (array).z[i] = (value);                                                                \
    } while (0)

static Number solution(int i) {
    return type->imaginary ? type->single ? (Number)m->x.c[i] : m->x.z[i]
           : type->single ? (Number)m->x.s[i]
                           : (Number)m->x.d[i];
}

/* `zero`: the row and the column of that number are. The second matrix is twice the first. */
static void fill(int zero) {
    memset(m, 0, sizeof *m);
    int count = 0;
    for (int i = 0; i < N; i++) {
        Number sum = 0;
        m->offsets[i] = count + 1;
        for (int j = i > 0 ? i - 1 : 0; j < N && j <= i + 1; j++) {
            const Number value = i == zero || j == zero ? 0 : element(i, j);
            m->places[count] = j + 1;
            PUT(m->values, COUNT + count, 2 * value);
            PUT(m->values, count++, value);
            sum += element(i, j) * unknown(j);
        }
        PUT(m->b, i, sum);
        PUT(m->b, N + i, sum);
    }
    m->offsets[N] = count + 1;
    CHECK(count == COUNT);
}

static void check_solved(int at, double times) {
    for (int i = 0; i < N; i++)
        CHECK(cabs(solution(at + i) - unknown(i) * times) < (type->single ? 1e-4 : 1e-13));
}

/* ---- what they do ---- */

static void at_once(void) {
    for (enum Way way = 0; way < WAYS; way++) {
        int singular = 7;
        fill(-1);
        CHECK(type->at_once(way, h, &singular) == 0 && singular == -1);
        check_solved(0, 1);
        fill(1);
        CHECK(type->at_once(way, h, &singular) == 0 && singular >= 0 && solution(0) == 0);
        CHECK(type->at_once(way, NULL, &singular) == NOT_INITIALIZED);
        for (without = 0; without < ALL; without++)
            CHECK(type->at_once(way, h, &singular) == INVALID_VALUE);
    }
}

static Object new_object(enum Way way) {
    Object object = NULL;
    CHECK((way == LU_HOST   ? cusolverSpCreateCsrluInfoHost(&object)
           : way == QR      ? cusolverSpCreateCsrqrInfo(&object)
           : way == QR_HOST ? cusolverSpCreateCsrqrInfoHost(&object)
           : way == CHOL    ? cusolverSpCreateCsrcholInfo(&object)
                            : cusolverSpCreateCsrcholInfoHost(&object)) == 0);
    return object;
}

static int destroy(enum Way way, Object object) {
    return way == LU_HOST   ? cusolverSpDestroyCsrluInfoHost(object)
           : way == QR      ? cusolverSpDestroyCsrqrInfo(object)
           : way == QR_HOST ? cusolverSpDestroyCsrqrInfoHost(object)
           : way == CHOL    ? cusolverSpDestroyCsrcholInfo(object)
                            : cusolverSpDestroyCsrcholInfoHost(object);
}

static int analysis(enum Way way, Handle handle, Object steps) {
    const Object one = GIVEN(DESCRIPTION, description);
    const int *offsets = GIVEN(OFFSETS, m->offsets), *places = GIVEN(PLACES, m->places);
    return way == LU_HOST
               ? cusolverSpXcsrluAnalysisHost(handle, N, COUNT, one, offsets, places, steps)
           : way == QR ? cusolverSpXcsrqrAnalysis(handle, N, N, COUNT, one, offsets, places, steps)
           : way == QR_HOST
               ? cusolverSpXcsrqrAnalysisHost(handle, N, N, COUNT, one, offsets, places, steps)
           : way == CHOL
               ? cusolverSpXcsrcholAnalysis(handle, N, COUNT, one, offsets, places, steps)
               : cusolverSpXcsrcholAnalysisHost(handle, N, COUNT, one, offsets, places, steps);
}

static void in_steps(void) {
    for (enum Way way = 0; way < WAYS; way++) {
        size_t inside = 0, work = 0;
        int position = 7;
        Object steps = new_object(way);
        fill(-1);
        CHECK(analysis(way, h, steps) == 0);
        CHECK(type->sizes(way, h, steps, &inside, &work) == 0 && inside > 0 && work > 0);
        CHECK(type->factor(way, h, steps) == 0);
        CHECK(type->pivot(way, h, steps, 1e-6, &position) == 0 && position == -1);
        CHECK(type->pivot(way, h, steps, 100, &position) == 0 &&
              (position == -1) == (way == LU_HOST)); /* which takes no tolerance */
        memset(&m->x, 0, sizeof m->x);
        CHECK(type->solve(way, h, N, steps) == 0);
        check_solved(0, 1);
        CHECK(type->sizes(way, NULL, steps, &inside, &work) == NOT_INITIALIZED);
        CHECK(type->sizes(way, h, NULL, &inside, &work) == INVALID_VALUE);
        CHECK(type->sizes(way, h, steps, NULL, &work) == INVALID_VALUE);
        CHECK(type->sizes(way, h, steps, &inside, NULL) == INVALID_VALUE);
        CHECK(type->factor(way, NULL, steps) == NOT_INITIALIZED);
        CHECK(type->factor(way, h, NULL) == INVALID_VALUE);
        CHECK(type->pivot(way, NULL, steps, 1e-6, &position) == NOT_INITIALIZED);
        CHECK(type->pivot(way, h, NULL, 1e-6, &position) == INVALID_VALUE);
        CHECK(type->pivot(way, h, steps, 1e-6, NULL) == INVALID_VALUE);
        CHECK(type->solve(way, NULL, N, steps) == NOT_INITIALIZED);
        CHECK(type->solve(way, h, N, NULL) == INVALID_VALUE);
        CHECK(type->solve(way, h, N + 1, steps) == INVALID_VALUE);
        CHECK(analysis(way, NULL, steps) == NOT_INITIALIZED);
        CHECK(analysis(way, h, NULL) == INVALID_VALUE);
        for (without = 0; without < ALL; without++) {
            if (without == WITHOUT_DESCRIPTION || without == WITHOUT_OFFSETS ||
                without == WITHOUT_PLACES)
                CHECK(analysis(way, h, steps) == INVALID_VALUE);
            if (without <= WITHOUT_PLACES)
                CHECK(type->factor(way, h, steps) == INVALID_VALUE);
            else if (without <= WITHOUT_X)
                CHECK(type->solve(way, h, N, steps) == INVALID_VALUE);
        }
        fill(1);
        CHECK(type->factor(way, h, steps) == 0);
        CHECK(type->pivot(way, h, steps, 0, &position) == 0 && position >= 0);
        /* There is no solution. */
        CHECK(type->solve(way, h, N, steps) == (way == QR || way == QR_HOST ? 0 : INVALID_VALUE));
        CHECK(solution(0) == 0);
        CHECK(destroy(way, NULL) == INVALID_VALUE && destroy(way, steps) == 0);
    }
    CHECK(cusolverSpCreateCsrcholInfo(NULL) == INVALID_VALUE);
    CHECK(cusolverSpCreateCsrluInfoHost(NULL) == INVALID_VALUE);
}

static void of_many(void) {
    size_t inside = 0, work = 0;
    Object steps = new_object(QR);
    fill(-1);
    CHECK(cusolverSpXcsrqrAnalysisBatched(h, N, N, COUNT, description, m->offsets, m->places,
                                          steps) == 0);
    CHECK(type->sizes_of_many(h, steps, &inside, &work) == 0 && inside > 0 && work > 0);
    CHECK(type->of_many(h, 2, steps) == 0);
    check_solved(0, 1);
    check_solved(N, 0.5);
    CHECK(type->sizes_of_many(NULL, steps, &inside, &work) == NOT_INITIALIZED);
    CHECK(type->sizes_of_many(h, NULL, &inside, &work) == INVALID_VALUE);
    CHECK(type->sizes_of_many(h, steps, NULL, &work) == INVALID_VALUE);
    CHECK(type->sizes_of_many(h, steps, &inside, NULL) == INVALID_VALUE);
    CHECK(type->of_many(NULL, 2, steps) == NOT_INITIALIZED);
    CHECK(type->of_many(h, 2, NULL) == INVALID_VALUE);
    CHECK(type->of_many(h, 0, steps) == INVALID_VALUE);
    for (without = 0; without < WITHOUT_ANSWER; without++)
        CHECK(type->of_many(h, 2, steps) == INVALID_VALUE);
    without = ALL;
    CHECK(type->shifted(h, steps) == (type->imaginary ? NOT_SUPPORTED : 0));
    CHECK(destroy(QR, steps) == 0);
}

/* ---- settings ---- */

#define PAIR(Name, T)                                                                              \
    int cusolverRfSet##Name(Object again, T a, T b);                                               \
    int cusolverRfGet##Name(Object again, T *a, T *b);                                             \
    static void check_##Name(Object again, Object other) {                                         \
        T a = 0, b = 0;                                                                            \
        CHECK(cusolverRfSet##Name(again, 1, 2) == 0 && cusolverRfGet##Name(again, &a, &b) == 0);   \
        CHECK(a == 1 && b == 2);                                                                   \
        CHECK(cusolverRfSet##Name(NULL, 1, 2) == NOT_INITIALIZED);                                 \
        CHECK(cusolverRfGet##Name(NULL, &a, &b) == NOT_INITIALIZED);                               \
        CHECK(cusolverRfGet##Name(other, &a, &b) == INVALID_VALUE);                                \
        CHECK(cusolverRfGet##Name(again, NULL, &b) == INVALID_VALUE);                              \
        CHECK(cusolverRfGet##Name(again, &a, NULL) == INVALID_VALUE);                              \
    }
PAIR(MatrixFormat, int)
PAIR(NumericProperties, double)
PAIR(Algs, int)
int cusolverRfCreate(Object *again);
int cusolverRfDestroy(Object again);
int cusolverRfSetResetValuesFastMode(Object again, int fast);
int cusolverRfGetResetValuesFastMode(Object again, int *fast);
int cusolverRfRefactor(Object again);
int cusolverRfResetValues(int n, int count, int *offsets, int *places, double *values, int *p,
                          int *q, Object again);

static void settings(void) {
    Object again = NULL, other = new_object(QR);
    CUstream stream = NULL, kept = (CUstream)&stream;
    int fast = 7;
    CHECK(cusolverRfCreate(NULL) == INVALID_VALUE && cusolverRfCreate(&again) == 0);
    CHECK(cusolverRfRefactor(NULL) == NOT_INITIALIZED &&
          cusolverRfRefactor(again) == INVALID_VALUE);
    CHECK(cusolverRfSetResetValuesFastMode(again, 1) == 0);
    CHECK(cusolverRfGetResetValuesFastMode(again, &fast) == 0 && fast == 1);
    CHECK(cusolverRfSetResetValuesFastMode(NULL, 1) == NOT_INITIALIZED);
    CHECK(cusolverRfGetResetValuesFastMode(NULL, &fast) == NOT_INITIALIZED);
    CHECK(cusolverRfGetResetValuesFastMode(again, NULL) == INVALID_VALUE);
    check_NumericProperties(again, other);
    check_Algs(again, other);
    check_MatrixFormat(again, other); /* by columns from here on */
    fill(-1);
    CHECK(cusolverRfResetValues(N, COUNT, m->offsets, m->places, m->values.d, NULL, NULL, NULL) ==
          NOT_INITIALIZED);
    CHECK(cusolverRfResetValues(0, COUNT, m->offsets, m->places, m->values.d, NULL, NULL, again) ==
          INVALID_VALUE);
    CHECK(cusolverRfResetValues(N, COUNT, m->offsets, m->places, m->values.d, NULL, NULL, again) ==
          NOT_SUPPORTED);
    CHECK(cusolverRfDestroy(again) == 0 && cusolverRfDestroy(NULL) == NOT_INITIALIZED);
    CHECK(cusolverSpSetStream(NULL, stream) == NOT_INITIALIZED);
    CHECK(cusolverSpGetStream(NULL, &kept) == NOT_INITIALIZED);
    CHECK(cusolverSpGetStream(h, NULL) == INVALID_VALUE);
    CHECK(cusolverSpSetStream(h, stream) == 0 && cusolverSpGetStream(h, &kept) == 0);
    CHECK(kept == stream && destroy(QR, other) == 0);
}

int main(void) {
    CUdeviceptr made;
    start();
    OK(cuMemAlloc_v2(&made, sizeof *m));
    m = (Memory *)(uintptr_t)made;
    CHECK(cusolverSpCreate(NULL) == INVALID_VALUE);
    CHECK(cusolverSpCreate(&h) == 0 && cusparseCreateMatDescr(&description) == 0);
    CHECK(cusparseSetMatIndexBase(description, 1) == 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        type = &types[i];
        at_once();
        in_steps();
        of_many();
    }
    type = &types[1];
    settings();
    CHECK(cusparseDestroyMatDescr(description) == 0);
    CHECK(cusolverSpDestroy(h) == 0 && cusolverSpDestroy(NULL) == NOT_INITIALIZED);
    puts("sparse_types: fine");
    return 0;
}
