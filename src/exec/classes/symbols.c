/* The programs of the symbols, and what they give for blocks of the grid. */
#include "exec/classes/symbols.h"

#include <string.h>

enum { PLACE_BYTES = 8 * WARP_LANES };

struct BlockBatch {
    uint32_t count, known; /* blocks; symbols that are computed */
    int64_t value[SYMBOLS_MOST][WARP_LANES];
    uint32_t bad[SYMBOLS_MOST]; /* bit l: not known for block l */
};

struct Symbols {
    Forms *forms;
    const Run *run;
    uint32_t count;
    Symbol at[SYMBOLS_MOST];
    Warp warp; /* its registers are the operands of one operation */
    _Alignas(64) uint8_t registers[(SYMBOL_INPUTS + 1) * PLACE_BYTES];
};

Symbols *symbols_new(Arena *arena, Forms *forms, const Run *run) {
    Symbols *symbols = arena_alloc_aligned(arena, sizeof *symbols, 64);
    memset(symbols, 0, sizeof *symbols);
    symbols->forms = forms;
    symbols->run = run;
    symbols->count = PLACES;
    symbols->warp.registers = symbols->registers;
    symbols->warp.live = symbols->warp.exists = FULL_MASK;
    return symbols;
}

BlockBatch *batch_new(Arena *arena) {
    return NEW(arena, BlockBatch);
}

void batch_begin(const Symbols *symbols, BlockBatch *batch, uint64_t k, uint32_t count) {
    const Run *run = symbols->run;
    batch->count = count;
    batch->known = PLACES;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t at = k + (l < count ? l : 0);
        uint64_t unit = run->chosen ? run->chosen[at] : at * run->step;
        for (uint32_t i = 0; i < PLACES; i++) {
            uint32_t units = run->launch->grid[i] / run->cluster[i];
            batch->value[i][l] = (int64_t)(unit % units);
            unit /= units;
        }
    }
    memset(batch->bad, 0, PLACES * sizeof batch->bad[0]);
}

static void fill_input(Symbols *symbols, const SymbolInput *input, uint32_t place,
                       const int64_t sums[WARP_LANES]) {
    const Warp *warp = &symbols->warp;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t value = input->base + (uint64_t)sums[l];
        if (input->class == 2)
            reg64(warp, place)[l] = value;
        else
            reg32(warp, place)[l] = (uint32_t)value;
    }
    if (input->class == 0)
        *reg32(warp, place) = input->base ? FULL_MASK : 0;
}

static uint32_t sum_up(const Forms *forms, const BlockBatch *batch, uint32_t linear,
                       int64_t sums[WARP_LANES]) {
    Linear at = linear_at(forms, linear);
    uint32_t bad = 0;
    memset(sums, 0, WARP_LANES * sizeof *sums);
    for (uint32_t t = 0; t < at.count; t++) {
        const int64_t *value = batch->value[at.at[t].symbol];
        bad |= batch->bad[at.at[t].symbol];
        for (uint32_t l = 0; l < WARP_LANES; l++) {
            int64_t product;
            bool over = __builtin_mul_overflow(value[l], at.at[t].factor, &product);
            over |= __builtin_add_overflow(sums[l], product, &sums[l]);
            bad |= (uint32_t)over << l;
        }
    }
    return bad;
}

static void compute(Symbols *symbols, BlockBatch *batch, uint32_t number) {
    const Symbol *symbol = &symbols->at[number];
    const Code *code = &symbol->code;
    const uint32_t places[SYMBOL_INPUTS] = {code->a, code->b, code->c};
    int64_t sums[WARP_LANES];
    uint32_t bad = 0;
    for (uint32_t i = 0; i < SYMBOL_INPUTS; i++) {
        if (places[i] == NO_OPERAND)
            continue;
        /* Values wrap as the operation's do: sums that are too large for T are right modulo 2^64. */
        bad |= sum_up(symbols->forms, batch, symbol->inputs[i].linear, sums);
        fill_input(symbols, &symbol->inputs[i], places[i], sums);
    }
    code->full(&symbols->warp, code, FULL_MASK);
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint32_t word = reg32(&symbols->warp, code->d)[l];
        batch->value[number][l] = code->d_class == 2  ? (int64_t)reg64(&symbols->warp, code->d)[l]
                                  : symbol->is_signed ? (int64_t)(int32_t)word
                                                      : (int64_t)word;
    }
    batch->bad[number] = bad;
}

uint32_t batch_sums(Symbols *symbols, BlockBatch *batch, uint32_t linear,
                    int64_t sums[WARP_LANES]) {
    Linear at = linear_at(symbols->forms, linear);
    uint64_t last = at.count ? at.at[at.count - 1].symbol : 0;
    for (; batch->known <= last; batch->known++)
        compute(symbols, batch, batch->known);
    return sum_up(symbols->forms, batch, linear, sums);
}

static bool same_input(const SymbolInput *a, const SymbolInput *b) {
    return a->base == b->base && a->linear == b->linear && a->class == b->class;
}

static bool same(const Symbol *a, const Symbol *b) {
    bool equal = a->code.full == b->code.full && a->code.a == b->code.a && a->code.b == b->code.b &&
                 a->code.c == b->code.c && a->code.d_class == b->code.d_class &&
                 a->is_signed == b->is_signed && a->code.negated == b->code.negated &&
                 a->code.insn->op == b->code.insn->op &&
                 memcmp(&a->code.mods, &b->code.mods, sizeof a->code.mods) == 0;
    for (uint32_t i = 0; equal && i < SYMBOL_INPUTS; i++)
        equal = same_input(&a->inputs[i], &b->inputs[i]);
    return equal;
}

bool symbol_of(Symbols *symbols, const Symbol *symbol, uint32_t *number) {
    for (uint32_t i = PLACES; i < symbols->count; i++) {
        *number = i;
        if (same(&symbols->at[i], symbol))
            return true;
    }
    if (symbols->count == SYMBOLS_MOST)
        return false;
    *number = symbols->count++;
    symbols->at[*number] = *symbol;
    return true;
}
