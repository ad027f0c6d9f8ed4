/* LU with other pivots than LAPACK has: with none, as cuSOLVER's getrf does it where it is given no array of them, and
 * with 64-bit ones. */
#include "hostlib/solver/solver.h"

#include <complex.h>
#include <stdlib.h>

/* A's columns become L's below the diagonal, which is 1, and U's; info is the number of the first zero on U's. */
#define LU(name, T)                                                                                \
    static void name(const SolverCall *call) {                                                     \
        T *a = call->a.at;                                                                         \
        const size_t lead = (size_t)call->a.lead, m = (size_t)call->m, n = (size_t)call->n;        \
        *call->info = 0;                                                                           \
        for (size_t k = 0; k < m && k < n; k++) {                                                  \
            const T pivot = a[k * lead + k];                                                       \
            if (pivot == 0 && !*call->info)                                                        \
                *call->info = (int)k + 1;                                                          \
            for (size_t i = k + 1; i < m && pivot != 0; i++)                                       \
                a[k * lead + i] /= pivot;                                                          \
            for (size_t j = k + 1; j < n; j++)                                                     \
                for (size_t i = k + 1; i < m; i++)                                                 \
                    a[j * lead + i] -= a[k * lead + i] * a[j * lead + k];                          \
        }                                                                                          \
    }
LU(lu_s, float)
LU(lu_d, double)
LU(lu_c, float complex)
LU(lu_z, double complex)

bool solver_lu(const SolverCall *call) {
    static void (*const lu[])(const SolverCall *) = {lu_s, lu_d, lu_c, lu_z};
    lu[call->type](call);
    return true;
}

static int pivots_of(const SolverCall *call) {
    return call->routine == ROUTINE_GETRF && call->m < call->n ? call->m : call->n;
}

bool solver_pivots(const SolverCall *call) {
    if (call->pivots)
        return solver_lapack(call);
    if (call->routine == ROUTINE_GETRF && !call->wide_pivots)
        return solver_lu(call);
    const int count = pivots_of(call);
    if (call->wide_pivots &&
        !warplens_reaches(call->work.function, (CUdeviceptr)(uintptr_t)call->wide_pivots,
                          (size_t)count * sizeof *call->wide_pivots))
        return true;
    SolverCall pivoted = *call;
    pivoted.pivots = malloc(((size_t)count + 1) * sizeof(int));
    for (int i = 0; pivoted.pivots && i < count; i++) /* each row stays where it is */
        pivoted.pivots[i] =
            call->wide_pivots && call->routine != ROUTINE_GETRF ? (int)call->wide_pivots[i] : i + 1;
    const bool good = pivoted.pivots && solver_lapack(&pivoted);
    for (int i = 0; good && call->wide_pivots && i < count; i++)
        call->wide_pivots[i] = pivoted.pivots[i];
    free(pivoted.pivots);
    return good;
}
