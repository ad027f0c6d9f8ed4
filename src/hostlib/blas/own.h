/* own: routines that BLAS lacks, with the arguments of routines.def as Fortran takes them: pointers. */
#pragma once

#include "hostlib/blas/blas.h"

#define OWN_ROUTINE(name) void name(const void *const *p, Fortran fortran);
#define OWN_FOR_COMPLEX(name) OWN_ROUTINE(c##name) OWN_ROUTINE(z##name)
#define OWN_FOR_ALL(name) OWN_ROUTINE(s##name) OWN_ROUTINE(d##name) OWN_FOR_COMPLEX(name)

OWN_FOR_ALL(amin)
OWN_FOR_COMPLEX(syr2)
OWN_FOR_ALL(syrkx)
OWN_FOR_COMPLEX(herkx)
OWN_FOR_ALL(trmm)
OWN_FOR_ALL(geam)
OWN_FOR_ALL(dgmm)
OWN_FOR_ALL(tpttr)
OWN_FOR_ALL(trttp)
OWN_FOR_ALL(getrf_plain)
