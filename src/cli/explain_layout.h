/* explain_layout: `warplens explain --layout` - the table of a layout of CuTe's: the element in each place, its bank, and which
 * value of which thread it is. */
#pragma once

#include "question/question.h"

/* declaration: of an array with such a layout, at byte `offset` of shared memory. Of a composition, A o B, the places are those of A, and B says
 * which thread (its first mode) has which value (the others) there. false: diags. */
bool explain_layout(Arena *arena, const char *declaration, uint32_t offset, bool json, FILE *out,
                    Diags *diags);
