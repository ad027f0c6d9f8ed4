/* Calls of LAPACK. */
#include "hostlib/solver/solver.h"

#include <stdio.h>
#include <stdlib.h>

enum { ARGUMENTS_MOST = 20 };

/* Fortran takes pointers, and after them the lengths of its texts, which are all 1 here. */
#define POINTERS_5 const void *, const void *, const void *, const void *, const void *
typedef void (*Fortran)(POINTERS_5, POINTERS_5, POINTERS_5, POINTERS_5);

static const struct {
    const char *real, *complex, *arguments;
} routines[ROUTINES] = {
#define ROUTINE(id, real, complex, arguments) {real, complex, arguments},
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

static bool is_complex(SolverType type) {
    return type == TYPE_C || type == TYPE_Z;
}

static size_t real_bytes(SolverType type) {
    return type == TYPE_S || type == TYPE_C ? sizeof(float) : sizeof(double);
}

static size_t element_bytes(SolverType type) {
    return is_complex(type) ? 2 * real_bytes(type) : real_bytes(type);
}

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
        if (is_complex(call->type))
            put(arguments, arrays->real);
        break;
    default: /* q */
        if (is_complex(call->type))
            put_pair(arguments, arrays->real, &arrays->real_size);
        put_pair(arguments, arrays->integers, &arrays->integers_size);
    }
}

static void lapack(const SolverCall *call, const WorkArrays *arrays) {
    Arguments all = {.count = 0};
    Fortran function;
    *(void **)&function = call->lapack;
    for (const char *kind = routines[call->routine].arguments; *kind; kind++)
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
    return real_bytes(type) == sizeof(float) ? (int)*(const float *)number
                                             : (int)*(const double *)number;
}

/* It says how large its arrays must be, gets them, and does it. */
static bool run_lapack(const SolverCall *call) {
    double work[2] = {0}, real[1] = {0};
    int integers[1] = {0}, least = call->m < call->n ? call->m : call->n;
    bool asks = false;
    WorkArrays arrays = {work, real, integers, -1, -1, -1};
    for (const char *kind = routines[call->routine].arguments; *kind; kind++)
        asks |= *kind == 'w';
    if (asks)
        lapack(call, &arrays);
    arrays.work_size = answer(work, call->type);
    arrays.real_size = answer(real, call->type);
    if (arrays.real_size < 5 * least) /* gesvd's, which it does not say */
        arrays.real_size = 5 * least;
    arrays.integers_size = integers[0];
    arrays.work = malloc((size_t)(arrays.work_size + 1) * element_bytes(call->type));
    arrays.real = malloc((size_t)(arrays.real_size + 1) * real_bytes(call->type));
    arrays.integers = malloc((size_t)(arrays.integers_size + 1) * sizeof(int));
    bool made = arrays.work && arrays.real && arrays.integers;
    if (made)
        lapack(call, &arrays);
    free(arrays.work);
    free(arrays.real);
    free(arrays.integers);
    return made;
}

/* Each row stays where it is. False: no memory. */
static bool without_pivots(const SolverCall *call) {
    if (call->routine == ROUTINE_GETRF) {
        solver_lu(call);
        return true;
    }
    SolverCall pivoted = *call;
    pivoted.pivots = malloc(((size_t)call->n + 1) * sizeof(int));
    for (int i = 0; pivoted.pivots && i < call->n; i++)
        pivoted.pivots[i] = i + 1;
    const bool good = pivoted.pivots && run_lapack(&pivoted);
    free(pivoted.pivots);
    return good;
}

static bool has_pivots(const SolverCall *call) {
    return call->pivots || (call->routine != ROUTINE_GETRF && call->routine != ROUTINE_GETRS);
}

static bool reaches_matrix(const SolverCall *call, const Matrix *matrix) {
    if (!matrix->at || matrix->rows == 0 || matrix->columns == 0)
        return true;
    size_t count = (size_t)(matrix->columns - 1) * (size_t)matrix->lead + (size_t)matrix->rows;
    return warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)matrix->at,
                            count * element_bytes(call->type));
}

static bool run_one(const SolverCall *call) {
    if (!reaches_matrix(call, &call->a) || !reaches_matrix(call, &call->b) ||
        !reaches_matrix(call, &call->c) ||
        !warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)call->info, sizeof(int)))
        return false;
    if (has_pivots(call) ? run_lapack(call) : without_pivots(call))
        return true;
    warplens_message("cusolver", "cusolver: no memory for LAPACK's work: the call is left out");
    return false;
}

static bool reaches_pointers(const SolverCall *call, const Matrix *matrix) {
    return !matrix->at || warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)matrix->at,
                                           (size_t)call->batch * sizeof(void *));
}

static void run(const HostWork *work) {
    const SolverCall *call = (const SolverCall *)work;
    if (!call->batch) {
        run_one(call);
        return;
    }
    if (!reaches_pointers(call, &call->a) || !reaches_pointers(call, &call->b))
        return;
    for (int i = 0; i < call->batch; i++) {
        SolverCall one = *call;
        one.a.at = ((void *const *)call->a.at)[i];
        one.b.at = call->b.at ? ((void *const *)call->b.at)[i] : NULL;
        one.info = call->info + (call->each_info ? i : 0);
        if (!run_one(&one))
            return;
    }
}

static bool is_matrix(const Matrix *matrix) {
    int rows = matrix->rows > 1 ? matrix->rows : 1;
    return matrix->rows >= 0 && matrix->columns >= 0 && (!matrix->at || matrix->lead >= rows);
}

SolverStatus solver_call(SolverHandle *handle, SolverCall *call) {
    char name[16];
    const char *routine =
        is_complex(call->type) ? routines[call->routine].complex : routines[call->routine].real;
    if (call->m < 0 || call->n < 0 || call->k < 0 || !is_matrix(&call->a) || !is_matrix(&call->b) ||
        !is_matrix(&call->c) || !call->first || !call->second)
        return SOLVER_INVALID_VALUE;
    snprintf(name, sizeof name, "%c%s_", "sdcz"[call->type], routine);
    call->lapack = provider_function(PROVIDER_BLAS, name);
    if (!call->lapack)
        return SOLVER_NOT_SUPPORTED;
    call->work.library = "cusolver";
    call->work.run = run;
    return warplens_enqueue(handle->stream, &call->work, sizeof *call) ? SOLVER_EXECUTION_FAILED
                                                                       : SOLVER_SUCCESS;
}
