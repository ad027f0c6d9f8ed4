/* symbols: values that are one for a block and no linear function of its place: each has the operation that makes
 * it, and is computed for 32 blocks at once by the functions that execute instructions - a lane is a block. Private
 * to the room. */
#pragma once

#include "exec/classes/forms.h"
#include "exec/run/worker.h"

enum { SYMBOLS_MOST = 256, SYMBOL_INPUTS = 3 };

/* Operand a, b or c of the operation: base + the linear, in the block at hand. */
typedef struct SymbolInput {
    uint64_t base;
    uint32_t linear, class;
} SymbolInput;

typedef struct Symbol {
    Code code; /* operands are at fixed places, or NO_OPERAND */
    SymbolInput inputs[SYMBOL_INPUTS];
    bool is_signed;
} Symbol;

typedef struct Symbols Symbols;
Symbols *symbols_new(Arena *arena, Forms *forms, const Run *run);

/* Up to 32 blocks (clusters) of the grid. */
typedef struct BlockBatch BlockBatch;
BlockBatch *batch_new(Arena *arena);
/* The k-th … of the run. */
void batch_begin(const Symbols *symbols, BlockBatch *batch, uint64_t k, uint32_t count);
/* The sum over the linear's symbols in each block; bit l: not for block l, the number is too large. */
uint32_t batch_sums(Symbols *symbols, BlockBatch *batch, uint32_t linear, int64_t sums[WARP_LANES]);

/* The number of the symbol; false: there are too many. */
bool symbol_of(Symbols *symbols, const Symbol *symbol, uint32_t *number);
