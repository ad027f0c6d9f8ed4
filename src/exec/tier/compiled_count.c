/* What compiled code counts, turned into counters and evidence. The code counts only how often each
 * batch of accesses was executed with its base at each place within 128 bytes; here the memory model
 * says what such an access costs, once for all of them. Banks, sectors and lines do not change when all
 * addresses move by 128 bytes, so that is exact. */
#include "exec/run/worker.h"
#include "exec/tier/tier.h"

#include <stdlib.h>
#include <string.h>

/* In a block that is recorded: how often a batch had this base. In global memory, places in an
 * allocation that differ by ALLOCATION_ALIGN are one (evidence.c). */
typedef struct Note {
    uint64_t first, place; /* of the allocation; 0 in shared memory */
    uint64_t base, count;  /* base: the lowest one; count 0: a free row */
    uint32_t batch;
} Note;

/* Bytes that a batch touches, from lane 0's base: [low, high). */
typedef struct Span {
    int64_t low, high;
    bool stored;
} Span;

typedef struct Spans {
    Span *at; /* NULL: not asked for yet */
    uint32_t count;
} Spans;

struct Notes {
    Note *rows;
    uint32_t size, used; /* size: a power of 2 */
    Spans *spans;        /* [batches] */
};

/* ---- notes ---- */

static Note *find(Notes *notes, const Note *wanted) {
    uint64_t hash = (wanted->first ^ wanted->place * 31 ^ (uint64_t)wanted->batch << 40) *
                    UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(hash >> 32) & (notes->size - 1);
    for (;; at = (at + 1) & (notes->size - 1)) {
        Note *row = &notes->rows[at];
        if (!row->count || (row->batch == wanted->batch && row->first == wanted->first &&
                            row->place == wanted->place))
            return row;
    }
}

static void grow(Worker *worker, Notes *notes) {
    Notes before = *notes;
    notes->size = before.size ? 2 * before.size : 256;
    notes->rows = NEW_ARRAY(worker->evidence_arena, Note, notes->size);
    for (uint32_t i = 0; i < before.size; i++) {
        if (before.rows[i].count)
            *find(notes, &before.rows[i]) = before.rows[i];
    }
}

/* ---- bytes ---- */

static int by_place(const void *left, const void *right) {
    const Span *a = left, *b = right;
    if (a->stored != b->stored)
        return a->stored ? 1 : -1;
    return a->low < b->low ? -1 : a->low > b->low;
}

/* Bytes that overlap or follow each other become one span; returns how many are left. */
static uint32_t join(Span *spans, uint32_t count) {
    uint32_t joined = 0;
    qsort(spans, count, sizeof *spans, by_place);
    for (uint32_t i = 0; i < count; i++) {
        Span *last = &spans[joined ? joined - 1 : 0];
        if (joined && last->stored == spans[i].stored && spans[i].low <= last->high)
            last->high = spans[i].high > last->high ? spans[i].high : last->high;
        else
            spans[joined++] = spans[i];
    }
    return joined;
}

/* The bytes that a batch touches, from lane 0's base. */
static void find_spans(Worker *worker, const Batch *batch, Spans *spans) {
    const CompiledCode *compiled = worker->counted;
    uint32_t most = batch->count * WARP_LANES;
    spans->at = NEW_ARRAY(worker->evidence_arena, Span, most);
    for (uint32_t m = 0; m < batch->count; m++) {
        const Code *code = &worker->program->code[compiled->members[batch->first + m]];
        uint64_t address[WARP_LANES];
        Access access = batch_access(compiled, code, batch, 0, address);
        for (uint32_t l = 0; access.width && l < WARP_LANES; l++) {
            int64_t low = (int64_t)address[l];
            spans->at[spans->count++] =
                (Span){low, low + access.width, access.kind == ACCESS_STORE};
        }
    }
    spans->count = join(spans->at, spans->count);
}

/* The bytes that the batch touches are those of this block. */
static void touch(Worker *worker, uint32_t batch, uint64_t base) {
    Spans *spans = &worker->notes->spans[batch];
    if (!spans->at)
        find_spans(worker, &worker->counted->batches[batch], spans);
    for (uint32_t i = 0; i < spans->count; i++) {
        const Span *span = &spans->at[i];
        bytes_range(worker->account.bytes, worker->last->cta->record, base + (uint64_t)span->low,
                    (uint64_t)(span->high - span->low), span->stored);
    }
}

__attribute__((noinline)) static void record(Worker *worker, uint64_t batch, uint64_t base) {
    Notes *notes = worker->notes;
    const CompiledCode *compiled = worker->counted;
    if (2 * (notes->used + 1) > notes->size)
        grow(worker, notes);
    if (!notes->spans)
        notes->spans = NEW_ARRAY(worker->evidence_arena, Spans, compiled->batch_count);
    uint32_t access = compiled->checks[compiled->batches[batch].check].access;
    const Code *code = &worker->program->code[access];
    Note wanted = {.place = base, .base = base, .batch = (uint32_t)batch};
    if (code->space == SPACE_GLOBAL) {
        wanted.first = worker->hits[code->site].first;
        wanted.place = (base - wanted.first) % ALLOCATION_ALIGN;
    }
    Note *row = find(notes, &wanted);
    if (!row->count) {
        *row = wanted;
        notes->used++;
    }
    row->base = base < row->base ? base : row->base;
    row->count++;
    if (code->space == SPACE_GLOBAL)
        touch(worker, (uint32_t)batch, base);
}

/* Frame.note */
static void note(Worker *worker, uint64_t batch, uint64_t base) {
    if (worker->last->counting == COUNT_AND_RECORD)
        record(worker, batch, base);
    if (worker->last->cta->trace)
        compiled_ask(worker, (uint32_t)batch, base);
}

static void add_times(Counters *to, const Counters *cost, uint64_t times) {
    for (uint32_t i = 0; i < COUNTER_COUNT; i++)
        to->at[i] += cost->at[i] * times;
}

static void count_batch(Worker *worker, const Batch *batch, uint32_t place, uint64_t times) {
    const CompiledCode *compiled = worker->counted;
    /* Far enough from 0 for offsets below it, and a multiple of PLACES. */
    uint64_t base = (UINT64_C(1) << 30) + place;
    for (uint32_t m = 0; m < batch->count; m++) {
        const Code *code = &worker->program->code[compiled->members[batch->first + m]];
        uint64_t address[WARP_LANES];
        Access access = batch_access(compiled, code, batch, base, address);
        if (!access.width)
            continue;
        Pattern pattern = pattern_of(address, FULL_MASK);
        Counters cost = {0};
        access_cost(&cost, &access, &pattern);
        add_times(&worker->account.sites[code->site].sum, &cost, times);
    }
}

static void record_note(const Worker *worker, const Note *row) {
    const CompiledCode *compiled = worker->counted;
    const Batch *batch = &compiled->batches[row->batch];
    for (uint32_t m = 0; m < batch->count; m++) {
        const Code *code = &worker->program->code[compiled->members[batch->first + m]];
        uint64_t address[WARP_LANES];
        Access access = batch_access(compiled, code, batch, row->base, address);
        if (access.width)
            evidence_record(worker->account.evidence, code->site, &access, row->count);
    }
}

/* ---- the worker's numbers ---- */

void compiled_count_up(Worker *worker) {
    const CompiledCode *compiled = worker->counted;
    if (!compiled || !worker->last)
        return;
    for (uint32_t b = 0; b < compiled->batch_count; b++) {
        uint64_t *counts = worker->frame->counts + (size_t)b * PLACES;
        for (uint32_t place = 0; place < PLACES; place++) {
            if (counts[place] && worker->counting)
                count_batch(worker, &compiled->batches[b], place, counts[place]);
            counts[place] = 0;
        }
    }
    Notes *notes = worker->notes;
    for (uint32_t i = 0; i < notes->size; i++) {
        if (notes->rows[i].count && worker->counting)
            record_note(worker, &notes->rows[i]);
    }
    *notes = (Notes){0};
    worker->last = NULL;
}

void compiled_count_for(Worker *worker, const CompiledCode *compiled) {
    compiled_count_up(worker);
    Arena *arena = worker->arena;
    if (!worker->frame) {
        worker->frame = NEW(arena, Frame);
        worker->notes = NEW(arena, Notes);
    }
    worker->counted = compiled;
    *worker->frame = (Frame){
        .block_counts = worker->block_counts,
        .counts = NEW_ARRAY(arena, uint64_t, (size_t)compiled->batch_count * PLACES + 1),
        .hits = worker->hits,
        .shared_first = worker->program->shared.first,
        .code = worker->program->code,
        .note = note,
        .plan = compiled->plan,
    };
}
