/* The exported functions of routines.def that do a batch of calls. */
#include "hostlib/blas/parameters.h"

/* name: behind "cublas"; PREFIX: of the parameters of a shape; pointers: as in RoutineCall. */
#define DECLARE(name, WIDES, NARROWS)                                                              \
    BlasStatus cublas##name##_64(BlasHandle *handle WIDES, int64_t count);                         \
    BlasStatus cublas##name(BlasHandle *handle NARROWS, int count);
#define DEFINE(type, name, fortran, pointers, WIDES, NARROWS, PASSES, PUTS)                        \
    BlasStatus cublas##name##_64(BlasHandle *handle WIDES, int64_t count) {                        \
        static const Routine routine = {TYPE_##type, "cublas" #name, fortran, NULL};               \
        RoutineCall call;                                                                          \
        call_begin_batch(&call, handle, &routine, count, pointers);                                \
        PUTS return call_end(&call);                                                               \
    }                                                                                              \
    BlasStatus cublas##name(BlasHandle *handle NARROWS, int count) {                               \
        return cublas##name##_64(handle PASSES, count);                                            \
    }

#pragma GCC visibility push(default)
#define BATCHED(type, name, SHAPE, fortran) DECLARE(name##Batched, SHAPE(WIDE), SHAPE(NARROW))
#define STRIDED(type, name, SHAPE, fortran)                                                        \
    DECLARE(name##StridedBatched, SHAPE(STRIDED_WIDE), SHAPE(STRIDED_NARROW))
#include "hostlib/blas/routines.def"
#pragma GCC visibility pop

#define BATCHED(type, name, SHAPE, fortran)                                                        \
    DEFINE(type, name##Batched, fortran, true, SHAPE(WIDE), SHAPE(NARROW), SHAPE(PASS), SHAPE(PUT))
#define STRIDED(type, name, SHAPE, fortran)                                                        \
    DEFINE(type, name##StridedBatched, fortran, false, SHAPE(STRIDED_WIDE), SHAPE(STRIDED_NARROW), \
           SHAPE(STRIDED_PASS), SHAPE(STRIDED_PUT))
#include "hostlib/blas/routines.def"
