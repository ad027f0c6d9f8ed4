/* element: values of one element type - read from text, filled in, compared. */
#pragma once

#include "base/base.h"
#include "isa/isa.h"

/* A number in C's notation ("-1", "0x10", "1.5", "inf", "nan"); an integer must fit the type. */
bool element_parse(Type type, const char *text, void *value);
/* fill: a value, "iota" (0, 1, 2 …), "random:SEED" or a .npy file of the same element size and
 * kind. Random integers are uniform over the type's whole range, floats uniform in [0, 1): the top
 * bits of splitmix64's sequence, one number per element, the state starting at SEED. */
bool array_fill(Arena *arena, void *at, Type type, uint64_t count, const char *fill,
                const char *argument, Diags *diags);
double element_value(Type type, const void *at);
/* Integers: equal. Floats: equal bits, both NaN, or |a - b| <= atol + rtol * |b|. */
bool elements_agree(Type type, const void *a, const void *b, double rtol, double atol);
