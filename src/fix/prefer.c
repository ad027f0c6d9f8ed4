/* Which of the layouts that help is chosen: by how much of the source they change, or as was asked for. */
#include "fix/fix.h"

/* How much there is to write, without knowing the source: an extent, extents and subscripts, a formula. */
static uint32_t effort_of(const ArrayFix *array, const Layout *layout) {
    switch (layout->kind) {
    case LAYOUT_PADDED:
        return layout->pitch2 ? 3 : layout->pitch == array->row ? 0 : 1;
    case LAYOUT_TRANSPOSED:
        return 2;
    case LAYOUT_SWIZZLED:
        return 4;
    default:
        return 5;
    }
}

/* Fewer blocks at once cost more than a formula does. */
static bool crowds(const ArrayFix *array, const Candidate *one) {
    return one->blocks_per_sm * 4 < array->blocks_per_sm * 3;
}

bool fix_wanted(FixPreference prefer, const Layout *layout) {
    bool swizzle = layout->kind == LAYOUT_SWIZZLED || layout->kind == LAYOUT_XORED;
    return prefer == PREFER_PADDING   ? layout->kind == LAYOUT_PADDED
           : prefer == PREFER_SWIZZLE ? swizzle
                                      : true;
}

bool fix_preferred(const ArrayFix *array, FixPreference prefer, const Candidate *a,
                   const Candidate *b) {
    bool wanted = fix_wanted(prefer, &a->layout);
    uint32_t effort = effort_of(array, &a->layout), other = effort_of(array, &b->layout);
    if (wanted != fix_wanted(prefer, &b->layout))
        return wanted;
    if (a->wavefronts != b->wavefronts)
        return a->wavefronts < b->wavefronts;
    if (prefer != PREFER_NONE && crowds(array, a) != crowds(array, b))
        return crowds(array, b);
    if (prefer != PREFER_NONE && effort != other)
        return effort < other;
    return a->bytes < b->bytes;
}
