/* The routines of own.h for one type: T, REAL (of the same precision) and OWN(name), the name of its
 * routine. IS_COMPLEX: T is a complex type. */

#define NUMBER(i) (*(const int *)p[i])
#define LETTER(i) (*(const char *)p[i])
#define SCALAR(i) (*(const T *)p[i])
#define INPUT(i) ((const T *)p[i])
#define OUTPUT(i) ((T *)(uintptr_t)p[i])

/* The first of a vector's elements; a negative step goes backwards from the other end. */
static inline const T *OWN(_first)(const T *x, int n, int step) {
    return step < 0 ? x + (size_t)(n - 1) * (size_t)-step : x;
}

static inline T OWN(_conjugate)(T x) {
#if IS_COMPLEX
    return (T)conj(x);
#else
    return x;
#endif
}

/* A column of a matrix. */
static inline T *OWN(_column)(const T *a, int lead, int column) {
    return (T *)(uintptr_t)a + (size_t)column * (size_t)lead;
}

/* An element of op(A). */
static inline T OWN(_at)(char op, const T *a, int lead, int row, int column) {
    size_t at = op == 'N' ? (size_t)column * (size_t)lead + (size_t)row
                          : (size_t)row * (size_t)lead + (size_t)column;
    return op == 'C' ? OWN(_conjugate)(a[at]) : a[at];
}

/* n, x, incx, result */
void OWN(amin)(const void *const *p, Fortran fortran) {
    (void)fortran;
    int n = NUMBER(0), step = NUMBER(2), *result = (int *)(uintptr_t)p[3];
    const T *x = INPUT(1);
    double least = 0;
    *result = 0;
    for (int i = 0; i < n && step > 0; i++) {
        T value = x[(size_t)i * (size_t)step];
        double size = fabs((double)creal(value)) + fabs((double)cimag(value));
        if (i == 0 || size < least) {
            least = size;
            *result = i + 1;
        }
    }
}

/* Whether an element is in the triangle that uplo names. */
static inline bool OWN(_inside)(char uplo, int row, int column) {
    return uplo == 'U' ? row <= column : row >= column;
}

#if IS_COMPLEX
/* uplo, n, alpha, x, incx, y, incy, a, lda */
void OWN(syr2)(const void *const *p, Fortran fortran) {
    (void)fortran;
    int n = NUMBER(1), x_step = NUMBER(4), y_step = NUMBER(6);
    const T alpha = SCALAR(2), *x = OWN(_first)(INPUT(3), n, x_step),
            *y = OWN(_first)(INPUT(5), n, y_step);
    for (int j = 0; j < n; j++) {
        T *a = OWN(_column)(INPUT(7), NUMBER(8), j);
        for (int i = 0; i < n; i++)
            if (OWN(_inside)(LETTER(0), i, j))
                a[i] += alpha * (x[i * x_step] * y[j * y_step] + y[i * y_step] * x[j * x_step]);
    }
}
#endif

/* uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc: a triangle of alpha op(A) op'(B) + beta C,
 * which `fortran`, gemm, makes whole. Hermitian: beta is real, and so is the diagonal. */
static void OWN(_rank)(const void *const *p, Fortran fortran, bool hermitian) {
    typedef void Gemm(const char *, const char *, const int *, const int *, const int *, const T *,
                      const T *, const int *, const T *, const int *, const T *, T *, const int *,
                      size_t, size_t);
    const char other = LETTER(1) != 'N' ? 'N' : hermitian ? 'C' : 'T';
    const int n = NUMBER(2);
    const T zero = 0, beta = hermitian ? *(const REAL *)p[9] : SCALAR(9);
    T *product = malloc((size_t)n * (size_t)n * sizeof *product + 1);
    if (!product || n == 0) {
        free(product);
        return;
    }
    ((Gemm *)fortran)(p[1], &other, p[2], p[2], p[3], p[4], p[5], p[6], p[7], p[8], &zero, product,
                      p[2], 1, 1);
    for (int j = 0; j < n; j++) {
        const T *from = OWN(_column)(product, n, j);
        T *c = OWN(_column)(INPUT(10), NUMBER(11), j);
        for (int i = 0; i < n; i++)
            if (OWN(_inside)(LETTER(0), i, j))
                c[i] = from[i] + (beta == 0 ? 0 : beta * c[i]);
        if (hermitian)
            c[j] = (T)creal(c[j]);
    }
    free(product);
}

void OWN(syrkx)(const void *const *p, Fortran fortran) {
    OWN(_rank)(p, fortran, false);
}

#if IS_COMPLEX
void OWN(herkx)(const void *const *p, Fortran fortran) {
    OWN(_rank)(p, fortran, true);
}
#endif

/* side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, c, ldc: Fortran's works in place. */
void OWN(trmm)(const void *const *p, Fortran fortran) {
    typedef void Trmm(const char *, const char *, const char *, const char *, const int *,
                      const int *, const T *, const T *, const int *, T *, const int *, size_t,
                      size_t, size_t, size_t);
    for (int j = 0; j < NUMBER(5); j++)
        memmove(OWN(_column)(INPUT(11), NUMBER(12), j), OWN(_column)(INPUT(9), NUMBER(10), j),
                (size_t)NUMBER(4) * sizeof(T));
    ((Trmm *)fortran)(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], OUTPUT(11), p[12], 1, 1,
                      1, 1);
}

/* transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc. C may be A or B where that is not
 * transposed. */
void OWN(geam)(const void *const *p, Fortran fortran) {
    (void)fortran;
    const T alpha = SCALAR(4), beta = SCALAR(7);
    for (int j = 0; j < NUMBER(3); j++) {
        T *c = OWN(_column)(INPUT(10), NUMBER(11), j);
        for (int i = 0; i < NUMBER(2); i++) {
            T a = alpha == 0 ? 0 : alpha * OWN(_at)(LETTER(0), INPUT(5), NUMBER(6), i, j);
            T b = beta == 0 ? 0 : beta * OWN(_at)(LETTER(1), INPUT(8), NUMBER(9), i, j);
            c[i] = a + b;
        }
    }
}

/* side, m, n, a, lda, x, incx, c, ldc */
void OWN(dgmm)(const void *const *p, Fortran fortran) {
    (void)fortran;
    int m = NUMBER(1), n = NUMBER(2), step = NUMBER(6);
    const T *x = OWN(_first)(INPUT(5), LETTER(0) == 'L' ? m : n, step);
    for (int j = 0; j < n; j++) {
        const T *a = OWN(_column)(INPUT(3), NUMBER(4), j);
        T *c = OWN(_column)(INPUT(7), NUMBER(8), j);
        for (int i = 0; i < m; i++)
            c[i] = a[i] * x[(LETTER(0) == 'L' ? i : j) * step];
    }
}

/* uplo, n, ap, a, lda */
void OWN(tpttr)(const void *const *p, Fortran fortran) {
    (void)fortran;
    const T *packed = INPUT(2);
    for (int j = 0; j < NUMBER(1); j++) {
        T *a = OWN(_column)(INPUT(3), NUMBER(4), j);
        for (int i = 0; i < NUMBER(1); i++)
            if (OWN(_inside)(LETTER(0), i, j))
                a[i] = *packed++;
    }
}

/* uplo, n, a, lda, ap */
void OWN(trttp)(const void *const *p, Fortran fortran) {
    (void)fortran;
    T *packed = OUTPUT(4);
    for (int j = 0; j < NUMBER(1); j++) {
        const T *a = OWN(_column)(INPUT(2), NUMBER(3), j);
        for (int i = 0; i < NUMBER(1); i++)
            if (OWN(_inside)(LETTER(0), i, j))
                *packed++ = a[i];
    }
}

/* n, a, lda, info: LU factors without pivots. */
void OWN(getrf_plain)(const void *const *p, Fortran fortran) {
    (void)fortran;
    const int n = NUMBER(0), lead = NUMBER(2);
    int *info = (int *)(uintptr_t)p[3];
    for (int k = 0; k < n; k++) {
        T *column = OWN(_column)(INPUT(1), lead, k);
        if (column[k] == 0 && *info == 0)
            *info = k + 1;
        for (int i = k + 1; i < n; i++)
            column[i] /= column[k];
        for (int j = k + 1; j < n; j++) {
            T *other = OWN(_column)(INPUT(1), lead, j);
            for (int i = k + 1; i < n; i++)
                other[i] -= column[i] * other[k];
        }
    }
}

#undef NUMBER
#undef LETTER
#undef SCALAR
#undef INPUT
#undef OUTPUT
#undef OWN
#undef T
#undef REAL
