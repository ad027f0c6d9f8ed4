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

typedef struct Loop {
    uint32_t header, blocks, parent;
} Loop;

typedef struct Ordering {
    const Function *function;
    Arena *arena;
    VEC(Loop) loops;
    uint32_t *loop_of; /* innermost, or NO_INDEX */
} Ordering;

typedef VEC(uint32_t) Numbers;

/* One level of a depth-first walk, kept on a stack of our own: graphs can be deep. */
typedef struct Visit {
    uint32_t block, next;
} Visit;

enum { NEW_BLOCK, ON_STACK, FINISHED };

/* Calls edge(context, from, to, back) for each edge once and lists blocks as they are finished.
 * first(context, block): which of its successors to walk first, 0 or 1. */
static void walk(Arena *arena, const Function *function,
                 uint32_t (*first)(const void *context, const Block *block, uint32_t number),
                 const void *context, Numbers *latches, Numbers *headers, Numbers *finished) {
    uint32_t count = function->blocks.count, depth = 0;
    uint8_t *state = NEW_ARRAY(arena, uint8_t, count + 1);
    Visit *stack = NEW_ARRAY(arena, Visit, count + 1);
    stack[depth++] = (Visit){0, 0};
    state[0] = ON_STACK;
    while (depth > 0) {
        Visit *top = &stack[depth - 1];
        const Block *block = &function->blocks.at[top->block];
        if (top->next == block_successor_count(block)) {
            state[top->block] = FINISHED;
            *vec_add(arena, finished) = top->block;
            depth--;
            continue;
        }
        uint32_t which = first ? first(context, block, top->block) : 0;
        uint32_t index = top->next++;
        uint32_t to = block_successor(block, index < 2 ? index ^ which : index);
        if (to == NO_INDEX)
            continue;
        if (state[to] == ON_STACK && latches) {
            *vec_add(arena, latches) = top->block;
            *vec_add(arena, headers) = to;
        }
        if (state[to] == NEW_BLOCK) {
            state[to] = ON_STACK;
            stack[depth++] = (Visit){to, 0};
        }
    }
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

/* The depth of each block's innermost loop would not do: leaving one loop for another of the same
 * depth is leaving, too. So: the innermost loop's number, and each loop's parent. */
static void find_loops(Ordering *ordering, const Numbers *latches, const Numbers *headers) {
    Arena *arena = ordering->arena;
    uint32_t count = ordering->function->blocks.count;
    Numbers *predecessors = predecessors_of(arena, ordering->function);
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
        *vec_add(arena, &ordering->loops) = (Loop){body->header, body->size, NO_INDEX};
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

static bool leaves_loop(const Ordering *ordering, uint32_t from, uint32_t to) {
    uint32_t loop = ordering->loop_of[from];
    if (loop == NO_INDEX)
        return false;
    for (uint32_t at = ordering->loop_of[to]; at != NO_INDEX; at = ordering->loops.at[at].parent) {
        if (at == loop)
            return false;
    }
    return true;
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
    Numbers latches = {0}, headers = {0}, found = {0}, finished = {0};
    if (count > 0) {
        walk(scratch, function, NULL, NULL, &latches, &headers, &found);
        find_loops(&ordering, &latches, &headers);
        walk(scratch, function, leaving_first, &ordering, NULL, NULL, &finished);
    }
    for (uint32_t b = 0; b < count; b++)
        order[b] = count; /* cannot be reached */
    for (uint32_t i = 0; i < finished.count; i++)
        order[finished.at[i]] = finished.count - 1 - i;
    arena_free(scratch);
    return order;
}
