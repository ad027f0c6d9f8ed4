/* Shapes in words. */
#include "rules/shapes.h"

const char *shape_name(ShapeKind kind) {
    static const char *const names[] = {"array of structures",
                                        "neighbouring scalars",
                                        "walk down columns",
                                        "rows that begin within a sector",
                                        "short rows",
                                        "narrow elements",
                                        "gather",
                                        "ideal"};
    return names[kind];
}

static uint64_t bytes_used(const Profile *profile, const Shape *shape) {
    uint64_t sum = 0, end = 0;
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        const ShapeSite *one = &shape->sites.at[i];
        uint64_t from = one->offset > end ? one->offset : end;
        uint64_t to = one->offset + profile->sites.at[one->site].width;
        sum += to > from ? to - from : 0;
        end = to > end ? to : end;
    }
    return sum;
}

static const char *misaligned_words(Arena *arena, const Shape *shape) {
    if (shape->pitch)
        return arena_printf(arena,
                            "lanes lie side by side, but rows are %s bytes apart, no multiple of "
                            "32: most begin within a sector",
                            words_count(arena, shape->pitch));
    return "lanes lie side by side, but begin within a sector: the array is entered at an offset";
}

const char *words_shape(Arena *arena, const Profile *profile, const Shape *shape) {
    const char *stride = words_count(arena, shape->stride);
    switch (shape->kind) {
    case SHAPE_STRUCTURES:
        return arena_printf(arena,
                            "lanes are %s bytes apart, a structure each; the accesses use %s of "
                            "them",
                            stride, words_count(arena, bytes_used(profile, shape)));
    case SHAPE_NEIGHBOURS:
        return arena_printf(arena,
                            "each lane takes %s neighbouring bytes in %u accesses; one would do",
                            stride, shape->sites.count);
    case SHAPE_COLUMNS:
        return arena_printf(
            arena, "lanes are %s bytes apart, a row each, and walk along their rows", stride);
    case SHAPE_MISALIGNED:
        return misaligned_words(arena, shape);
    case SHAPE_SHORT_ROWS:
        return arena_printf(arena,
                            "only %u bytes lie side by side, then comes another row: a sector has "
                            "32",
                            shape->row_bytes);
    case SHAPE_NARROW:
        return arena_printf(arena,
                            "%u byte%s a lane: as few sectors as there can be, in many "
                            "requests",
                            shape->width, shape->width == 1 ? "" : "s");
    case SHAPE_GATHER:
        return "lanes have no common stride: where they go depends on data, or on an index that "
               "is no linear one";
    default:
        return "lanes lie side by side, or use one place";
    }
}
