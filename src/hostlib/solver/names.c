/* What libcusolver exports and no other file defines. */
#include "hostlib/solver/solver.h"

#define NAME(name) MISSING(name, SOLVER_NOT_SUPPORTED)
#include "hostlib/solver/names.def"
