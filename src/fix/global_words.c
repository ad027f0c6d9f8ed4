/* Changes of global accesses in words: what they are, and what to write in the source. */
#include "fix/global.h"

static const char *align_words(Arena *arena, const Change *change) {
    const Storage *storage = &change->storage;
    const char *begin =
        storage->lead ? arena_printf(arena, "begin %u bytes later", (uint32_t)storage->lead) : "";
    if (!storage->pad)
        return begin;
    return arena_printf(arena, "%s bytes from row to row%s%s",
                        words_count(arena, storage->pitch + storage->pad), *begin ? ", " : "",
                        begin);
}

const char *change_words(Arena *arena, const Change *change) {
    switch (change->kind) {
    case CHANGE_FIELDS:
        return arena_printf(arena, "an array for each of %u fields", change->storage.field_count);
    case CHANGE_VECTOR:
        return arena_printf(arena, "vector accesses, %u bytes a lane", change->vector);
    case CHANGE_ALIGN:
        return align_words(arena, change);
    case CHANGE_TRANSPOSED:
        return "stored column by column";
    case CHANGE_TILE:
        return "along the rows";
    case CHANGE_ROWS:
        return "32 lanes in a row";
    default:
        return arena_printf(arena, "%u bytes a lane", change->vector);
    }
}

static const char *vector_type(uint32_t bytes, uint32_t width) {
    if (width >= 8)
        return "double2 or longlong2";
    if (width == 4)
        return bytes == 16 ? "float4, int4 or uint4" : "float2, int2 or uint2";
    if (width == 2)
        return bytes == 4 ? "half2 or short2" : "a vector of halves, such as uint2";
    return bytes == 4 ? "uchar4 or char4" : "a vector of bytes, such as uint2";
}

static const char *align_advice(Arena *arena, const Change *change) {
    const Storage *storage = &change->storage;
    if (!storage->pad)
        return arena_printf(arena,
                            "Let the first access fall on a multiple of 128 bytes: allocate %u "
                            "bytes more and begin the array so much later, or give the first "
                            "lanes of the row to nobody.",
                            (uint32_t)storage->lead);
    return arena_printf(arena,
                        "Allocate rows of %s bytes (cudaMallocPitch rounds up so), pass the pitch "
                        "to the kernel and index with it instead of %s%s.",
                        words_count(arena, storage->pitch + storage->pad),
                        words_count(arena, storage->pitch),
                        storage->lead ? "; let the first row begin later by the bytes said" : "");
}

static const char *tile_advice(Arena *arena, const LaunchRecord *record, const GlobalFix *fix) {
    bool flat = record->block[1] == 1 && record->block[2] == 1;
    if (fix->beside_rows && !flat)
        return "Move tiles: a block copies 32 x 32 elements into shared memory along the rows of "
               "one array, and out of it along the rows of the other; give the tile 33 columns.";
    if (!flat)
        return "Swap the axes: let threadIdx.x (and blockIdx.x) run along the row, the fastest "
               "dimension, and threadIdx.y down the column.";
    return arena_printf(arena,
                        "Let the lanes of a warp read a row together: copy tiles of 32 x 32 "
                        "elements into shared memory along the rows (33 columns a row), and let "
                        "each lane walk along its own row there%s.",
                        fix->shape.width < 16 ? "; or give each row to a warp" : "");
}

const char *change_advice(Arena *arena, const Profile *profile, uint32_t launch,
                          const GlobalFix *fix, const Change *change) {
    switch (change->kind) {
    case CHANGE_FIELDS:
        return "Keep each field in an array of its own and index it by the thread; or, where all "
               "fields are treated alike, take the array as flat and give each thread an element.";
    case CHANGE_VECTOR:
        return arena_printf(arena,
                            "Load and store %s through a pointer of that type instead of its "
                            "members one by one; recorded addresses are aligned for it.",
                            vector_type(change->vector, fix->shape.width));
    case CHANGE_ALIGN:
        return align_advice(arena, change);
    case CHANGE_TRANSPOSED:
        return arena_printf(arena,
                            "Store the matrix transposed: element (row, column) at column * %s + "
                            "row.",
                            words_count(arena, change->storage.rows));
    case CHANGE_TILE:
        return tile_advice(arena, &profile->launches.at[launch], fix);
    case CHANGE_ROWS:
        return "Make blocks wider in x: with blockDim.x a multiple of 32, a warp is part of one "
               "row.";
    default:
        return arena_printf(arena,
                            "Give each lane %u neighbouring elements: one access of %u bytes (%s) "
                            "in place of %u.",
                            change->vector / fix->shape.width, change->vector,
                            vector_type(change->vector, fix->shape.width),
                            change->vector / fix->shape.width);
    }
}

const char *global_why_none(const GlobalFix *fix) {
    switch (fix->shape.kind) {
    case SHAPE_GATHER:
        return "no storage of the array helps all lanes: sort the indices, or stage the pieces in "
               "shared memory where they are used again";
    case SHAPE_MISALIGNED:
        return "no other pitch or beginning helps all accesses to the array";
    default:
        return "no change of this kind saves sectors";
    }
}
