/* bytes: how numbers, texts and rows of the Profile's tables are written one behind the other, and read
 * again. A row is its fields, eight at a time: a byte that says which of them are set, then these. */
#pragma once

#include "prof/fields.h"

typedef struct Output {
    uint8_t *bytes;
    size_t used, capacity;
} Output;

void output_bytes(Output *out, const void *data, size_t size);
void output_number(Output *out, uint64_t value); /* LEB128 */
void output_text(Output *out, const char *text); /* length + 1, then its bytes; 0: NULL */
void output_row(Output *out, const ProfTable *table, const void *row);

/* Errors stick: once bad, everything that is read is 0. */
typedef struct Input {
    const uint8_t *at, *end;
    bool bad;
} Input;

uint64_t input_number(Input *in);
uint32_t input_small(Input *in); /* that fits 32 bits */
uint32_t input_count(Input *in); /* of things of which each takes a byte at least */
double input_real(Input *in);
const char *input_text(Input *in, Arena *arena); /* NULL is bad, and becomes "" */
/* Numbers of rows are the sender's. A field that must be set and is not, and an enumerator that there is not, are bad. */
void input_row(Input *in, Arena *arena, const ProfTable *table, void *row);
