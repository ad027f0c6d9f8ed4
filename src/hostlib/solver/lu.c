/* LU without pivots, which LAPACK has not: as cuSOLVER's getrf does it where it is given no array of pivots. */
#include "hostlib/solver/solver.h"

#include <complex.h>

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

void solver_lu(const SolverCall *call) {
    static void (*const lu[])(const SolverCall *) = {lu_s, lu_d, lu_c, lu_z};
    lu[call->type](call);
}
