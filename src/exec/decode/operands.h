/* operands.h: what all decoders use - the function at hand, and the places of its operands. Below decode.c,
 * which calls them. Private to exec. */
#pragma once

#include "exec/decode/program.h"

typedef struct Written Written;

struct Decoding {
    Program *program; /* that is being made */
    Arena *arena;
    Routine *routine;         /* at hand */
    const Function *function; /* its function */
    Map *values;              /* "class value" of fills that exist */
    Written *written;         /* [written_count]: of the functions before, see sweep.c */
    uint32_t written_count;
};

extern const uint32_t vector_bytes[4]; /* of a register, by class */

/* The offset of a vector of registers that holds the operand: a register, or a fill made for it. */
uint32_t decode_operand(Decoding *decoding, const Operand *operand, uint8_t *class);
/* Where the coordinates of [object, {…}] are. */
void decode_coordinates(Decoding *decoding, const Operand *address, uint32_t offsets[4]);
uint32_t decode_value(Decoding *decoding, uint8_t class, uint64_t value);
/* The vector of registers that is a slot of a function. */
uint32_t decode_slot(const Routine *routine, uint8_t class, uint32_t slot);
/* Where a variable lies in its own space. */
uint64_t decode_variable(const Decoding *decoding, const Variable *variable);
/* A vector of its own; its place. */
uint32_t fill_add(Decoding *decoding, Fill fill);
