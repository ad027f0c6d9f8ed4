/* explain_layout: `warplens explain --layout` - the table of a layout of CuTe's: the element in each place, its bank, which
 * value of which thread it is, and which wavefronts of an access serve it. */
#pragma once

#include "report/asked.h"

/* Prints the table, as JSON if asked. asked: the declaration of an array with such a layout and, with an index, an access to it. Of a
 * composition, A o B, the places are those of A, and B says which thread (its first mode) has which value (the others) there.
 * false: the question cannot be answered, diags says why. */
bool explain_layout(Arena *arena, const Asked *asked, bool json, FILE *out, Diags *diags);
