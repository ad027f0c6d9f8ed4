/* The order of basic blocks in which lanes that parted wait for each other.
 *
 * A reverse post-order of the control flow graph, in which the blocks of a loop stand together, before
 * those that follow the loop. If of a warp's groups of lanes the one at the first block of this order
 * always runs, and groups at the same block become one, then lanes meet at the earliest block where
 * they can: at the latest at the immediate post-dominator, and before it where a loop is left or a
 * case falls through (thread frontiers: Diamos et al., SIMD Re-Convergence at Thread Frontiers, 2011).
 * How well this agrees with what ptxas does was measured: docs/memory-model.md. */
#include "ir/ir.h"

#include <stdlib.h>
#include <string.h>

typedef struct Loop {
    uint32_t header, parent;
} Loop;

typedef struct Ordering {
    const Function *function;
    Arena *arena;
    VEC(Loop) loops;
    uint32_t *loop_of;      /* innermost, or NO_INDEX */
    uint32_t *begin, *last; /* [loops]: numbers of a loop and of the last one within it */
} Ordering;

typedef VEC(uint32_t) Numbers;

/* One level of a depth-first walk, kept on a stack of our own: graphs can be deep. */
typedef struct Visit {
    uint32_t block, next;
} Visit;

enum { NEW_BLOCK, ON_STACK, FINISHED };

/* A depth-first walk from the first block. */
typedef struct Walked {
    Numbers begun, finished;  /* blocks */
    uint32_t *number;         /* [blocks]: in begun; NO_INDEX: not reached */
    uint32_t *last;           /* [blocks]: number of the last one begun before it was finished */
    Numbers latches, headers; /* edges back to a block that is not finished */
} Walked;

/* first(context, block): which of its successors to walk first, 0 or 1. */
static Walked walk(Arena *arena, const Function *function,
                   uint32_t (*first)(const void *context, const Block *block, uint32_t number),
                   const void *context) {
    uint32_t count = function->blocks.count, depth = 0;
    Walked walked = {.number = NEW_ARRAY(arena, uint32_t, count + 1),
                     .last = NEW_ARRAY(arena, uint32_t, count + 1)};
    uint8_t *state = NEW_ARRAY(arena, uint8_t, count + 1);
    Visit *stack = NEW_ARRAY(arena, Visit, count + 1);
    memset(walked.number, 0xff, sizeof *walked.number * count);
    stack[depth++] = (Visit){0, 0};
    while (depth > 0) {
        Visit *top = &stack[depth - 1];
        const Block *block = &function->blocks.at[top->block];
        if (state[top->block] == NEW_BLOCK) {
            state[top->block] = ON_STACK;
            walked.number[top->block] = walked.begun.count;
            *vec_add(arena, &walked.begun) = top->block;
        }
        if (top->next == block_successor_count(block)) {
            state[top->block] = FINISHED;
            walked.last[top->block] = walked.begun.count - 1;
            *vec_add(arena, &walked.finished) = top->block;
            depth--;
            continue;
        }
        uint32_t which = first ? first(context, block, top->block) : 0;
        uint32_t index = top->next++;
        uint32_t to = block_successor(block, index < 2 ? index ^ which : index);
        if (to == NO_INDEX)
            continue;
        if (state[to] == ON_STACK) {
            *vec_add(arena, &walked.latches) = top->block;
            *vec_add(arena, &walked.headers) = to;
        }
        if (state[to] == NEW_BLOCK)
            stack[depth++] = (Visit){to, 0};
    }
    return walked;
}

/* ---- loops ---- */

static Numbers *predecessors_of(Arena *arena, const Function *function) {
    Numbers *all = NEW_ARRAY(arena, Numbers, function->blocks.count + 1);
    for (uint32_t b = 0; b < function->blocks.count; b++) {
        const Block *block = &function->blocks.at[b];
        for (uint32_t s = 0; s < block_successor_count(block); s++) {
            uint32_t to = block_successor(block, s);
            if (to != NO_INDEX)
                *vec_add(arena, &all[to]) = b;
        }
    }
    return all;
}

/* Marks the blocks from which `latch` is reached without passing `header`: the natural loop. */
static void mark_body(Arena *arena, const Numbers *predecessors, uint32_t header, uint32_t latch,
                      uint8_t *body) {
    Numbers open = {0};
    body[header] = 1;
    if (!body[latch]) {
        body[latch] = 1;
        *vec_add(arena, &open) = latch;
    }
    while (open.count > 0) {
        uint32_t block = open.at[--open.count];
        for (uint32_t i = 0; i < predecessors[block].count; i++) {
            uint32_t from = predecessors[block].at[i];
            if (body[from])
                continue;
            body[from] = 1;
            *vec_add(arena, &open) = from;
        }
    }
}

typedef struct Body {
    uint32_t header, size;
    uint8_t *in;
} Body;

static int by_size(const void *left, const void *right) {
    const Body *a = left, *b = right;
    return a->size != b->size ? (a->size < b->size ? -1 : 1)
                              : (a->header < b->header ? -1 : a->header > b->header);
}

/* Of any graph: the body of each loop. That takes time for all blocks times all loops. */
static void find_bodies(Ordering *ordering, const Numbers *latches, const Numbers *headers,
                        const Numbers *predecessors) {
    Arena *arena = ordering->arena;
    uint32_t count = ordering->function->blocks.count;
    VEC(Body) bodies = {0};
    for (uint32_t i = 0; i < latches->count; i++) {
        Body *body = NULL;
        for (uint32_t k = 0; k < bodies.count && !body; k++) {
            if (bodies.at[k].header == headers->at[i])
                body = &bodies.at[k];
        }
        if (!body) {
            body = vec_add(arena, &bodies);
            *body = (Body){headers->at[i], 0, NEW_ARRAY(arena, uint8_t, count)};
        }
        mark_body(arena, predecessors, headers->at[i], latches->at[i], body->in);
    }
    for (uint32_t k = 0; k < bodies.count; k++) {
        for (uint32_t b = 0; b < count; b++)
            bodies.at[k].size += bodies.at[k].in[b];
    }
    if (bodies.count)
        qsort(bodies.at, bodies.count, sizeof *bodies.at, by_size);
    for (uint32_t k = 0; k < bodies.count; k++) {
        const Body *body = &bodies.at[k];
        *vec_add(arena, &ordering->loops) = (Loop){body->header, NO_INDEX};
        for (uint32_t outer = k + 1; outer < bodies.count; outer++) {
            if (bodies.at[outer].in[body->header]) {
                ordering->loops.at[k].parent = outer;
                break;
            }
        }
        for (uint32_t b = 0; b < count; b++) {
            if (body->in[b] && ordering->loop_of[b] == NO_INDEX)
                ordering->loop_of[b] = k;
        }
    }
}

/* Loops that are entered at their headers alone are nested or apart. They are found from the inside out: a loop that has been
 * found is one block to those around it (Havlak, "Nesting of reducible and irreducible loops", 1997). */
typedef struct Nesting {
    Ordering *ordering;
    const Numbers *predecessors;
    uint32_t *number,
        *last;       /* [blocks]: in the order of the walk's beginning; the last one below it */
    uint32_t *whole; /* [blocks]: a header of a loop around it, or itself; see whole_of */
    uint32_t *heads, *open,
        *inside; /* [blocks]: the loop that it heads; to look at; in which loop it is looked at */
    uint32_t *latch_start,
        *latch_of; /* [blocks + 1]: of the header b: latch_of[latch_start[b]] … */
    uint32_t open_count;
} Nesting;

static uint32_t whole_of(const Nesting *nesting, uint32_t block) {
    uint32_t *whole = nesting->whole;
    while (whole[block] != block) {
        whole[block] = whole[whole[block]];
        block = whole[block];
    }
    return block;
}

/* false: lanes come there without passing the header. */
static bool put_inside(Nesting *nesting, uint32_t header, uint32_t from) {
    if (nesting->number[from] == NO_INDEX) /* cannot be reached */
        return true;
    uint32_t block = whole_of(nesting, from);
    if (nesting->number[block] < nesting->number[header] ||
        nesting->number[block] > nesting->last[header])
        return false;
    if (block != header && nesting->inside[block] != header) {
        nesting->inside[block] = header;
        nesting->open[nesting->open_count++] = block;
    }
    return true;
}

static bool find_loop(Nesting *nesting, uint32_t header) {
    Ordering *ordering = nesting->ordering;
    uint32_t loop = ordering->loops.count;
    *vec_add(ordering->arena, &ordering->loops) = (Loop){header, NO_INDEX};
    ordering->loop_of[header] = nesting->heads[header] = loop;
    nesting->open_count = 0;
    for (uint32_t i = nesting->latch_start[header]; i < nesting->latch_start[header + 1]; i++)
        if (!put_inside(nesting, header, nesting->latch_of[i]))
            return false;
    for (uint32_t at = 0; at < nesting->open_count; at++) {
        uint32_t block = nesting->open[at];
        for (uint32_t i = 0; i < nesting->predecessors[block].count; i++)
            if (!put_inside(nesting, header, nesting->predecessors[block].at[i]))
                return false;
    }
    for (uint32_t at = 0; at < nesting->open_count; at++) {
        uint32_t block = nesting->open[at];
        nesting->whole[block] = header;
        if (nesting->heads[block] != NO_INDEX)
            ordering->loops.at[nesting->heads[block]].parent = loop;
        else
            ordering->loop_of[block] = loop;
    }
    return true;
}

static void sort_latches(Nesting *nesting, const Numbers *latches, const Numbers *headers) {
    Arena *arena = nesting->ordering->arena;
    uint32_t count = nesting->ordering->function->blocks.count;
    nesting->latch_start = NEW_ARRAY(arena, uint32_t, count + 2);
    nesting->latch_of = NEW_ARRAY(arena, uint32_t, latches->count);
    uint32_t *fill = nesting->latch_start + 1; /* becomes the start of the next one while filling */
    for (uint32_t i = 0; i < headers->count; i++)
        nesting->latch_start[headers->at[i] + 2]++;
    for (uint32_t b = 0; b < count; b++)
        nesting->latch_start[b + 2] += nesting->latch_start[b + 1];
    for (uint32_t i = 0; i < headers->count; i++)
        nesting->latch_of[fill[headers->at[i]]++] = latches->at[i];
}

static uint32_t *new_numbers(Arena *arena, uint32_t count) {
    uint32_t *numbers = NEW_ARRAY(arena, uint32_t, count);
    memset(numbers, 0xff, sizeof *numbers * count);
    return numbers;
}

/* false: a loop can be entered elsewhere. */
static bool find_nested(Ordering *ordering, const Walked *walked, const Numbers *predecessors) {
    Arena *arena = ordering->arena;
    uint32_t count = ordering->function->blocks.count;
    Nesting nesting = {.ordering = ordering,
                       .predecessors = predecessors,
                       .number = walked->number,
                       .last = walked->last,
                       .whole = NEW_ARRAY(arena, uint32_t, count),
                       .heads = new_numbers(arena, count),
                       .open = NEW_ARRAY(arena, uint32_t, count),
                       .inside = new_numbers(arena, count)};
    sort_latches(&nesting, &walked->latches, &walked->headers);
    for (uint32_t b = 0; b < count; b++)
        nesting.whole[b] = b;
    for (uint32_t i = walked->begun.count; i-- > 0;) {
        uint32_t block = walked->begun.at[i];
        if (nesting.latch_start[block] < nesting.latch_start[block + 1] &&
            !find_loop(&nesting, block))
            return false;
    }
    return true;
}

/* Numbers the loops so that those within one are behind it, together. (Loops within have lower indices, or where bodies
 * were compared smaller ones: a parent's index is higher.) */
static void number_loops(Ordering *ordering) {
    uint32_t count = ordering->loops.count;
    uint32_t *size = NEW_ARRAY(ordering->arena, uint32_t, count);
    uint32_t *next = NEW_ARRAY(ordering->arena, uint32_t, count), outside = 0;
    ordering->begin = NEW_ARRAY(ordering->arena, uint32_t, count);
    ordering->last = NEW_ARRAY(ordering->arena, uint32_t, count);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t parent = ordering->loops.at[k].parent;
        size[k]++;
        if (parent != NO_INDEX)
            size[parent] += size[k];
    }
    for (uint32_t k = count; k-- > 0;) {
        uint32_t parent = ordering->loops.at[k].parent;
        uint32_t *at = parent == NO_INDEX ? &outside : &next[parent];
        ordering->begin[k] = *at;
        *at += size[k];
        next[k] = ordering->begin[k] + 1;
        ordering->last[k] = ordering->begin[k] + size[k] - 1;
    }
}

/* The depth of each block's innermost loop would not do: leaving one loop for another of the same
 * depth is leaving, too. So: the innermost loop's number, and each loop's parent. */
static void find_loops(Ordering *ordering, const Walked *walked) {
    const Numbers *predecessors = predecessors_of(ordering->arena, ordering->function);
    if (!find_nested(ordering, walked, predecessors)) {
        ordering->loops.count = 0;
        memset(ordering->loop_of, 0xff,
               sizeof *ordering->loop_of * ordering->function->blocks.count);
        find_bodies(ordering, &walked->latches, &walked->headers, predecessors);
    }
    number_loops(ordering);
}

static bool leaves_loop(const Ordering *ordering, uint32_t from, uint32_t to) {
    uint32_t loop = ordering->loop_of[from], into = ordering->loop_of[to];
    if (loop == NO_INDEX || into == NO_INDEX)
        return loop != NO_INDEX;
    return ordering->begin[into] < ordering->begin[loop] ||
           ordering->begin[into] > ordering->last[loop];
}

/* What leaves the loop is walked first, so it is finished first, and comes last. */
static uint32_t leaving_first(const void *context, const Block *block, uint32_t number) {
    const Ordering *ordering = context;
    if (block->successor[1] == NO_INDEX || block->successor[0] == NO_INDEX)
        return 0;
    bool left0 = leaves_loop(ordering, number, block->successor[0]);
    bool left1 = leaves_loop(ordering, number, block->successor[1]);
    return left0 && !left1 ? 0 : 1;
}

uint32_t *block_order(Arena *arena, const Function *function) {
    uint32_t count = function->blocks.count;
    uint32_t *order = NEW_ARRAY(arena, uint32_t, count + 1);
    Arena *scratch = arena_new();
    Ordering ordering = {.function = function, .arena = scratch};
    ordering.loop_of = NEW_ARRAY(scratch, uint32_t, count + 1);
    for (uint32_t b = 0; b < count; b++)
        ordering.loop_of[b] = NO_INDEX;
    Numbers finished = {0};
    if (count > 0) {
        const Walked walked = walk(scratch, function, NULL, NULL);
        find_loops(&ordering, &walked);
        finished = walk(scratch, function, leaving_first, &ordering).finished;
    }
    for (uint32_t b = 0; b < count; b++)
        order[b] = count; /* cannot be reached */
    for (uint32_t i = 0; i < finished.count; i++)
        order[finished.at[i]] = finished.count - 1 - i;
    arena_free(scratch);
    return order;
}
