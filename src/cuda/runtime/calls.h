/* calls: the entry points, declared from calls.def. Everything declared here is exported under its own name, but for
 * X_12 and X_13, which are exported as X in that version (VERSIONED). */
#pragma once

#include "cuda/runtime/runtime.h"

/* The program finds X_12 as X@libcudart.so.12, X_13 as X@libcudart.so.13. */
#define VERSIONED(name)                                                                            \
    __asm__(".symver " #name "_12, " #name "@libcudart.so.12");                                    \
    __asm__(".symver " #name "_13, " #name "@@libcudart.so.13");

#pragma GCC visibility push(default)
#define CALL_OF(type, name, parameters) type name parameters;
#define CALL_12_13(name, parameters_12, parameters_13)                                             \
    cudaError name##_12 parameters_12;                                                             \
    cudaError name##_13 parameters_13;
#define MISSING(name, reason) /* calls.c */
#include "cuda/runtime/calls.def"
#pragma GCC visibility pop
