/* The exported functions of routines.def. */
#include "hostlib/blas/parameters.h"

#pragma GCC visibility push(default)
#define ROUTINE_32(type, name, suffix, SHAPE, fortran, own)                                        \
    BlasStatus cublas##name##suffix(BlasHandle *handle SHAPE(NARROW));
#define ROUTINE(type, name, suffix, SHAPE, fortran, own)                                           \
    BlasStatus cublas##name##suffix##_64(BlasHandle *handle SHAPE(WIDE));                          \
    ROUTINE_32(type, name, suffix, SHAPE, fortran, own)
#include "hostlib/blas/routines.def"
#pragma GCC visibility pop

#define ROUTINE_32(type, name, suffix, SHAPE, fortran, own)                                        \
    static BlasStatus name##suffix(Returns index, BlasHandle *handle SHAPE(WIDE)) {                \
        static const Routine routine = {TYPE_##type, "cublas" #name, fortran, own};                \
        RoutineCall call;                                                                          \
        (void)index;                                                                               \
        call_begin(&call, handle, &routine);                                                       \
        SHAPE(PUT)                                                                                 \
        return call_end(&call);                                                                    \
    }                                                                                              \
    BlasStatus cublas##name##suffix(BlasHandle *handle SHAPE(NARROW)) {                            \
        return name##suffix(RETURNS_INDEX, handle SHAPE(PASS));                                    \
    }
#define ROUTINE(type, name, suffix, SHAPE, fortran, own)                                           \
    ROUTINE_32(type, name, suffix, SHAPE, fortran, own)                                            \
    BlasStatus cublas##name##suffix##_64(BlasHandle *handle SHAPE(WIDE)) {                         \
        return name##suffix(RETURNS_LONG_INDEX, handle SHAPE(PASS));                               \
    }
#include "hostlib/blas/routines.def"
