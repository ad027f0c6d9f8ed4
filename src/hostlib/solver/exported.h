/* What the files with exported functions share: how they are defined, and flags as LAPACK spells them. */
#pragma once

#include "hostlib/solver/solver.h"

enum { HANDLE_TAG = 0x77620003, JACOBI_TAG, PARAMS_TAG, REFINE_TAG, REFINED_TAG };

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") SolverStatus name(__VA_ARGS__);                        \
    _Pragma("GCC visibility pop") SolverStatus name(__VA_ARGS__)

bool is_handle(const SolverHandle *handle);

/* ---- flags, as LAPACK spells them; 0: there is none of that number ---- */

char operation(int number);
char fill(int number);
char side(int number);
char vectors(int number);
char diagonal(int number);
char singular(int job);

/* ---- sizes of work arrays: what they are for is not looked at, as on a GPU ---- */

SolverStatus work_size(const SolverHandle *handle, int *size);

/* ---- routines, for each type ---- */

#define CALL(id, letter, ...)                                                                      \
    SolverCall call = {                                                                            \
        .work.function = __func__, .routine = ROUTINE_##id, .type = TYPE_##letter, __VA_ARGS__};   \
    return solver_call(handle, &call)
