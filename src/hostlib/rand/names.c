/* What libcurand exports and no other file defines. */
#include "hostlib/rand/rand.h"

#define NAME(name) MISSING(name, RAND_INTERNAL_ERROR)
#include "hostlib/rand/names.def"
