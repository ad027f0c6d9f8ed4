/* Routines that BLAS lacks, for each of the four types: own_type.h is one type's. */
#include "hostlib/blas/own.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IS_COMPLEX 0
#define T float
#define REAL float
#define OWN(name) s##name
#include "hostlib/blas/own_type.h"
#define T double
#define REAL double
#define OWN(name) d##name
#include "hostlib/blas/own_type.h"
#undef IS_COMPLEX
#define IS_COMPLEX 1
#define T float complex
#define REAL float
#define OWN(name) c##name
#include "hostlib/blas/own_type.h"
#define T double complex
#define REAL double
#define OWN(name) z##name
#include "hostlib/blas/own_type.h"
