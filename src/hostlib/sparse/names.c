/* What libcusparse exports and no other file defines. */
#include "hostlib/sparse/sparse.h"

#define NAME(name) MISSING(name, SPARSE_NOT_SUPPORTED)
#include "hostlib/sparse/names.def"
