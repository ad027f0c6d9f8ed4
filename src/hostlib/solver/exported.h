/* What the files with exported functions share: how they are defined, and flags as LAPACK spells them. */
#pragma once

#include "hostlib/solver/solver.h"

enum { HANDLE_TAG = 0x77620003, JACOBI_TAG, PARAMS_TAG, REFINE_TAG, REFINED_TAG };

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") SolverStatus name(__VA_ARGS__);                        \
    _Pragma("GCC visibility pop") SolverStatus name(__VA_ARGS__)

static inline bool is_handle(const SolverHandle *handle) {
    return handle && handle->tag == HANDLE_TAG;
}

/* ---- flags, as LAPACK spells them; 0: there is none of that number ---- */

static inline char letter(int number, const char *letters, int count) {
    return number >= 0 && number < count ? letters[number] : '\0';
}

static inline char operation(int number) {
    return letter(number, "NTC", 3);
}

static inline char fill(int number) {
    return letter(number, "LU", 2);
}

static inline char side(int number) {
    return letter(number, "LR", 2);
}

static inline char vectors(int number) {
    return letter(number, "NV", 2);
}

static inline char diagonal(int number) {
    return letter(number, "NU", 2);
}

static inline char singular(int job) {
    return job == 'A' || job == 'S' || job == 'O' || job == 'N' ? (char)job : '\0';
}

/* ---- sizes of work arrays: what they are for is not looked at, as on a GPU ---- */

static inline SolverStatus work_size(const SolverHandle *handle, int *size) {
    if (!is_handle(handle))
        return SOLVER_NOT_INITIALIZED;
    if (!size)
        return SOLVER_INVALID_VALUE;
    *size = 1;
    return SOLVER_SUCCESS;
}

/* ---- routines, for each type ---- */

#define CALL(id, letter, ...)                                                                      \
    SolverCall call = {                                                                            \
        .work.function = __func__, .routine = ROUTINE_##id, .type = TYPE_##letter, __VA_ARGS__};   \
    return is_handle(handle) ? solver_call(handle, &call) : SOLVER_NOT_INITIALIZED
