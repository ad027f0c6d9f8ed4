/* json_text.h: JSON values as text. Private to report/. */
#pragma once

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Writes the value, one member or element in a line, where it is `depth` deep in others: its lines but the first are
 * moved in. The caller looks at ferror(). */
void json_text(json_t *value, uint32_t depth, FILE *out);
