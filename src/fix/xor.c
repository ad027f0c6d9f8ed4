/* The cheapest XOR map: which banks the bytes of a 128-byte line move to, linear over GF(2) in the line's
 * number.
 *
 * A map is one constant for each bit of the number (Layout.xor); the place of a byte is its offset XORed
 * with the constants of the bits that are set. Up to a renaming of banks, which changes no cost, that is
 * every linear map of offsets to banks that keeps a line free of conflicts in itself.
 *
 * Constants are chosen one bit after the other, all values of each, by branch and bound. Two lanes whose
 * lines agree in all bits that are not chosen yet will lie as they do now, whatever is chosen: the most
 * that such a group of lanes costs is a bound for the whole access. Accesses that differ by a constant
 * XORed into all their offsets cost the same under every map, and are one shape. */
#include "fix/search.h"

#include <stdlib.h>
#include <string.h>

enum {
    VALUES_MOST = LINE_BYTES / BANK_BYTES,
    EFFORT = 1 << 19 /* groups of lanes to price: half a second */
};

typedef struct UseShape {
    AccessKind kind;
    uint32_t width, mask, matrices;
    bool no_change;
    uint64_t offset[WARP_LANES];
    const int64_t *source;
    uint64_t count;
} UseShape;

typedef struct Tree {
    const Search *search;
    VEC(UseShape) shapes;
    Layout layout;                     /* with the constants chosen so far */
    uint32_t bits[LAYOUT_XORS], count; /* of the lines' numbers in which lanes differ */
    uint64_t work, work_most;          /* groups of lanes that were priced */
    Candidate *best;
} Tree;

/* ---- shapes ---- */

static int compare_shapes(const void *left, const void *right) {
    const UseShape *a = left, *b = right;
    const uint64_t keys[2][5] = {{a->kind, a->width, a->mask, a->matrices, a->no_change},
                                 {b->kind, b->width, b->mask, b->matrices, b->no_change}};
    for (uint32_t i = 0; i < 5; i++)
        if (keys[0][i] != keys[1][i])
            return keys[0][i] < keys[1][i] ? -1 : 1;
    if (!a->source != !b->source)
        return a->source ? 1 : -1;
    int order = memcmp(a->offset, b->offset, sizeof a->offset);
    return order || !a->source ? order : memcmp(a->source, b->source, sizeof a->offset);
}

static void add_piece(Tree *tree, const Use *use, uint32_t first, uint32_t width) {
    const AccessPattern *pattern = use->pattern;
    UseShape shape = {.kind = (AccessKind)use->site->access,
                      .width = width,
                      .mask = pattern->mask,
                      .matrices = use->site->matrices,
                      .no_change = pattern->no_change,
                      .source = pattern->source,
                      .count = use->count};
    uint64_t chunk = UINT64_C(1) << tree->layout.base;
    uint64_t origin = (pattern->base + first) & ~(chunk - 1);
    for (uint32_t l = 0; l < WARP_LANES; l++)
        if (shape.mask >> l & 1)
            shape.offset[l] = (pattern->base + (uint64_t)pattern->delta[l] + first) ^ origin;
    *vec_add(tree->search->arena, &tree->shapes) = shape;
}

/* false: an access is wider than what stays together. */
static bool add_use(Tree *tree, const Use *use) {
    const Site *site = use->site;
    if (!site->merged_used) {
        add_piece(tree, use, 0, site->width);
        return site->width <= 1u << tree->layout.base;
    }
    MergedPiece pieces[LAYOUT_PIECES];
    MergedAccess merged = {site->width, site->merged_element, site->merged_used};
    uint32_t count = layout_split(&tree->layout, &merged, site->access == ACCESS_LOAD, pieces);
    for (uint32_t i = 0; i < count; i++) {
        if (pieces[i].bytes > 1u << tree->layout.base)
            return false;
        add_piece(tree, use, pieces[i].first, pieces[i].bytes);
    }
    return true;
}

static void merge_shapes(Tree *tree) {
    qsort(tree->shapes.at, tree->shapes.count, sizeof *tree->shapes.at, compare_shapes);
    uint32_t kept = 0;
    for (uint32_t i = 1; i < tree->shapes.count; i++) {
        if (compare_shapes(&tree->shapes.at[kept], &tree->shapes.at[i]) == 0)
            tree->shapes.at[kept].count += tree->shapes.at[i].count;
        else
            tree->shapes.at[++kept] = tree->shapes.at[i];
    }
    tree->shapes.count = kept + 1;
}

static void find_bits(Tree *tree) {
    uint64_t differ = 0;
    for (uint32_t i = 0; i < tree->shapes.count; i++)
        for (uint32_t l = 0; l < WARP_LANES; l++)
            differ |= tree->shapes.at[i].offset[l] / LINE_BYTES;
    for (uint32_t j = 0; j < LAYOUT_XORS; j++)
        if (differ >> j & 1)
            tree->bits[tree->count++] = j;
}

/* ---- bounds ---- */

static uint32_t cost_of(const UseShape *shape, uint32_t mask, const uint64_t address[WARP_LANES]) {
    Access access = {.kind = shape->kind,
                     .space = SPACE_SHARED,
                     .width = shape->width,
                     .mask = mask,
                     .matrices = shape->matrices,
                     .no_change = shape->no_change,
                     .address = address,
                     .source = (const uint64_t *)shape->source};
    return mem_shared(&access).wavefronts;
}

/* Does part of an access never cost more than all of it? Loops of atomics need not. */
static bool has_parts(AccessKind kind) {
    return kind <= ACCESS_ATOMIC_CAS || kind == ACCESS_LDMATRIX || kind == ACCESS_STMATRIX;
}

/* The least that it can cost; `open`: bits of lines' numbers whose constants are not chosen. */
static uint64_t shape_bound(Tree *tree, const UseShape *shape, uint64_t open) {
    uint64_t address[WARP_LANES] = {0};
    uint32_t rest = shape->mask, most = 0;
    for (uint32_t l = 0; l < WARP_LANES; l++)
        address[l] = layout_offset(&tree->layout, shape->offset[l]);
    if (open && !has_parts(shape->kind))
        return 0;
    while (rest) {
        uint32_t first = (uint32_t)__builtin_ctz(rest), group = 0;
        for (uint32_t l = first; l < WARP_LANES; l++) {
            uint64_t differ = (shape->offset[l] ^ shape->offset[first]) / LINE_BYTES;
            group |= (uint32_t)(!(differ & open)) << l;
        }
        group &= rest;
        rest &= ~group;
        uint32_t cost = cost_of(shape, group, address);
        most = cost > most ? cost : most;
        tree->work++;
    }
    return most * shape->count;
}

static uint64_t bound(Tree *tree, uint64_t open) {
    uint64_t sum = 0;
    for (uint32_t i = 0;
         i < tree->shapes.count && tree->work < tree->work_most && sum < tree->best->wavefronts;
         i++)
        sum += shape_bound(tree, &tree->shapes.at[i], open);
    return tree->work < tree->work_most ? sum : UINT64_MAX;
}

/* ---- the tree ---- */

typedef struct Branch {
    uint64_t bound;
    uint8_t value;
} Branch;

/* All values of the constant of a bit, that with the least bound first. */
static uint32_t children(Tree *tree, uint32_t depth, uint64_t open, Branch found[VALUES_MOST]) {
    uint32_t count = 0, step = 1u << tree->layout.base;
    uint8_t *constant = &tree->layout.xor [tree->bits[depth]];
    for (uint32_t value = 0; value < LINE_BYTES; value += step) {
        *constant = (uint8_t)value;
        Branch child = {bound(tree, open), (uint8_t)value};
        if (child.bound >= tree->best->wavefronts)
            continue;
        uint32_t at = count++;
        for (; at > 0 && found[at - 1].bound > child.bound; at--)
            found[at] = found[at - 1];
        found[at] = child;
    }
    *constant = 0;
    return count;
}

/* At most LAYOUT_XORS deep. */
static void descend(Tree *tree, uint32_t depth) {
    Branch found[VALUES_MOST];
    uint64_t open = 0;
    for (uint32_t d = depth + 1; d < tree->count; d++)
        open |= UINT64_C(1) << tree->bits[d];
    uint32_t count = children(tree, depth, open, found);
    for (uint32_t i = 0; i < count && tree->work < tree->work_most; i++) {
        if (found[i].bound >= tree->best->wavefronts)
            break;
        tree->layout.xor [tree->bits[depth]] = found[i].value;
        if (depth + 1 < tree->count)
            descend(tree, depth + 1);
        else
            candidate_try(tree->search, &tree->layout, tree->best);
    }
    tree->layout.xor [tree->bits[depth]] = 0;
}

/* false: an access is wider than what stays together. */
static bool grow(Tree *tree) {
    for (uint32_t i = 0; i < tree->search->uses.count; i++)
        if (!add_use(tree, &tree->search->uses.at[i]))
            return false;
    merge_shapes(tree);
    find_bits(tree);
    return true;
}

/* Maps that keep more bytes together are among those that keep less; but they also keep together what
 * ptxas merged. */
void search_xors(const Search *search, Candidate *best) {
    bool merged = false, done = false;
    uint32_t effort = search->scope->effort ? search->scope->effort : EFFORT;
    for (uint32_t i = 0; i < search->uses.count; i++)
        merged |= search->uses.at[i].site->merged_used != 0;
    for (uint32_t base = BASE_LEAST; base <= BASE_MOST && (merged || !done); base++) {
        Tree tree = {.search = search,
                     .layout = {.kind = LAYOUT_XORED, .base = base},
                     .work_most = effort,
                     .best = best};
        done = grow(&tree);
        if (done && tree.count)
            descend(&tree, 0);
    }
}
