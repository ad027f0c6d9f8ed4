/* What libcublas and libcublasLt export and no other file defines. */
#include "hostlib/blas/blas.h"

#define NAME(name) MISSING(name, BLAS_NOT_SUPPORTED)
#include "hostlib/blas/names.def"
