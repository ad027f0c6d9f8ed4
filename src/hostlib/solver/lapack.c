/* Calls of LAPACK. */
#include "hostlib/solver/solver.h"

#include <stdlib.h>

enum { ARGUMENTS_MOST = 20 };

/* Fortran takes pointers, and after them the lengths of its texts, which are all 1 here. */
#define POINTERS_5 const void *, const void *, const void *, const void *, const void *
typedef void (*Fortran)(POINTERS_5, POINTERS_5, POINTERS_5, POINTERS_5);

static const char *const arguments_of[ROUTINES] = {
#define ROUTINE(id, real, complex, arguments) arguments,
#include "hostlib/solver/routines.def"
};

/* LAPACK's own arrays. */
typedef struct WorkArrays {
    void *work, *real, *integers;
    int work_size, real_size, integers_size;
} WorkArrays;

typedef struct Arguments {
    const void *at[ARGUMENTS_MOST];
    int count;
} Arguments;

/* ---- arguments ---- */

static void put(Arguments *arguments, const void *at) {
    arguments->at[arguments->count++] = at;
}

static void put_pair(Arguments *arguments, const void *at, const int *number) {
    put(arguments, at);
    put(arguments, number);
}

static void put_kind(Arguments *arguments, char kind, const SolverCall *call,
                     const WorkArrays *arrays) {
    switch (kind) {
    case '1':
        put(arguments, &call->first);
        break;
    case '2':
        put(arguments, &call->second);
        break;
    case 't':
        put(arguments, &call->problem);
        break;
    case 'm':
        put(arguments, &call->m);
        break;
    case 'n':
        put(arguments, &call->n);
        break;
    case 'k':
        put(arguments, &call->k);
        break;
    case 'A':
        put_pair(arguments, call->a.at, &call->a.lead);
        break;
    case 'B':
        put_pair(arguments, call->b.at, &call->b.lead);
        break;
    case 'C':
        put_pair(arguments, call->c.at, &call->c.lead);
        break;
    case 'v':
        put(arguments, call->vector);
        break;
    case 'e':
        put(arguments, call->vector);
        if (!solver_complex(call->type))
            put(arguments, call->imaginary);
        break;
    case 'p':
        put(arguments, call->pivots);
        break;
    case 'i':
        put(arguments, call->info);
        break;
    case 'w':
        put_pair(arguments, arrays->work, &arrays->work_size);
        break;
    case 'r':
        if (solver_complex(call->type))
            put(arguments, arrays->real);
        break;
    default: /* q */
        if (solver_complex(call->type))
            put_pair(arguments, arrays->real, &arrays->real_size);
        put_pair(arguments, arrays->integers, &arrays->integers_size);
    }
}

static void lapack(const SolverCall *call, const WorkArrays *arrays) {
    Arguments all = {.count = 0};
    Fortran function;
    *(void **)&function = call->lapack;
    for (const char *kind = arguments_of[call->routine]; *kind; kind++)
        put_kind(&all, *kind, call, arrays);
    while (all.count < ARGUMENTS_MOST)
        put(&all, (const void *)(uintptr_t)1);
    const void *const *p = all.at;
    function(p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10], p[11], p[12], p[13],
             p[14], p[15], p[16], p[17], p[18], p[19]);
}

/* ---- doing it ---- */

/* A size as LAPACK answers it: the first number of the array, in its type. */
static int answer(const void *number, SolverType type) {
    return solver_real_bytes(type) == sizeof(float) ? (int)*(const float *)number
                                                    : (int)*(const double *)number;
}

/* It says how large its arrays must be, gets them, and does it. */
bool solver_lapack(const SolverCall *call) {
    double work[2] = {0}, real[1] = {0};
    int integers[1] = {0}, least = call->m < call->n ? call->m : call->n;
    bool asks = false;
    WorkArrays arrays = {work, real, integers, -1, -1, -1};
    for (const char *kind = arguments_of[call->routine]; *kind; kind++)
        asks |= *kind == 'w';
    if (asks)
        lapack(call, &arrays);
    arrays.work_size = answer(work, call->type);
    arrays.real_size = answer(real, call->type);
    if (arrays.real_size < 5 * least) /* gesvd's, which it does not say */
        arrays.real_size = 5 * least;
    arrays.integers_size = integers[0];
    arrays.work = malloc((size_t)(arrays.work_size + 1) * solver_bytes(call->type));
    arrays.real = malloc((size_t)(arrays.real_size + 1) * solver_real_bytes(call->type));
    arrays.integers = malloc((size_t)(arrays.integers_size + 1) * sizeof(int));
    bool made = arrays.work && arrays.real && arrays.integers;
    if (made)
        lapack(call, &arrays);
    free(arrays.work);
    free(arrays.real);
    free(arrays.integers);
    return made;
}
