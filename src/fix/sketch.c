/* Sketches: what an expert would write where no layout, or no layout alone, does it. Lines of C++ with the kernel's own sizes, shown as
 * sketches: they are neither compiled nor tried, since they change what each thread does. */
#include "fix/fix.h"
#include "fix/global.h"
#include "rules/rules.h"

const char *sketch_tree(Arena *arena, const ArrayFix *array, const char *name) {
    if (!array->tree_last || array->wavefronts <= array->ideal)
        return NULL;
    return arena_printf(arena,
                        "// Lanes lie %u, %u, ... %u elements apart, further in each turn. Where "
                        "all adds up to one\n"
                        "// result (not in a scan), halve the step in place of doubling it: "
                        "neighbouring threads take\n"
                        "// neighbouring elements.\n"
                        "for (int step = COUNT / 2; step > 0; step /= 2) {\n"
                        "    if (threadIdx.x < step)\n"
                        "        %s[threadIdx.x] += %s[threadIdx.x + step];\n"
                        "    __syncthreads();\n"
                        "}\n"
                        "// Saves up to %s of %s wavefronts, without arithmetic of indices. Sums "
                        "of floats come out in\n"
                        "// another order.\n",
                        array->tree_first, array->tree_first * 2, array->tree_last, name, name,
                        words_count(arena, array->wavefronts - array->ideal),
                        words_count(arena, array->wavefronts));
}

static const char *element_type(uint32_t bytes) {
    return bytes == 8 ? "double" : bytes == 4 ? "float" : bytes == 2 ? "half" : "unsigned char";
}

/* Bytes of the access that begins at a place in the structure; 0: none does. */
static uint32_t accessed(const Profile *profile, const Shape *shape, uint32_t at) {
    for (uint32_t i = 0; i < shape->sites.count; i++)
        if (shape->sites.at[i].offset == at)
            return profile->sites.at[shape->sites.at[i].site].width;
    return 0;
}

/* The host makes the array: what changes on both sides. Members that this kernel does not access can stay where they are. */
static const char *sketch_fields(Arena *arena, const Profile *profile, const GlobalFix *fix,
                                 const Change *change) {
    const Storage *storage = &change->storage;
    const char *members = "", *one = "";
    for (uint32_t i = 0; i < storage->field_count; i++) {
        const uint32_t at = storage->fields[i], width = accessed(profile, &fix->shape, at);
        if (!width)
            continue;
        one = *one ? one : arena_printf(arena, "from_%u", at);
        members = arena_printf(
            arena, "%s    T%u *from_%u; // T%u: the type of the member at byte %u, %u bytes\n",
            members, at, at, at, at, width);
    }
    return arena_printf(
        arena,
        "struct Arrays { // what the kernel gets in place of the pointer p to structures of %s "
        "bytes\n"
        "%s};\n"
        "// In the kernel: p[i].member becomes arrays.%s[i], and so on.\n"
        "// On the host: an allocation of %s elements for each; what fills or reads p[i].member "
        "does\n"
        "// that to its array, and a copy of p becomes one of each. Other kernels that get p "
        "change, too.\n"
        "// Saves %s of %s sectors.\n",
        words_count(arena, storage->pitch), members, one, words_count(arena, storage->rows),
        words_count(arena, fix->shape.sectors - change->sectors),
        words_count(arena, fix->shape.sectors));
}

const char *sketch_change(Arena *arena, const Profile *profile, uint32_t launch,
                          const GlobalFix *fix, const Change *change) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const bool flat = record->block[1] == 1 && record->block[2] == 1;
    const uint32_t width = fix->shape.width;
    enum { STATIC_MOST = 48 * 1024, TILE_ROW = 33 };
    if (change->kind == CHANGE_FIELDS && change->sectors < fix->shape.sectors)
        return sketch_fields(arena, profile, fix, change);
    if (change->kind != CHANGE_TILE || width > sizeof(double) || (!flat && !fix->beside_rows) ||
        (flat && record->block[0] * TILE_ROW * width > STATIC_MOST))
        return NULL;
    if (!flat)
        return arena_printf(arena,
                            "__shared__ %s tile[32][33]; // blocks of 32 x %u threads\n"
                            "for (int i = threadIdx.y; i < 32; i += %u)\n"
                            "    tile[i][threadIdx.x] = in[(y0 + i) * pitch + x0 + threadIdx.x];\n"
                            "__syncthreads();\n"
                            "for (int i = threadIdx.y; i < 32; i += %u)\n"
                            "    out[(x0 + i) * pitch + y0 + threadIdx.x] = tile[threadIdx.x][i];\n"
                            "// Saves %s of %s sectors.\n",
                            element_type(width), record->block[1], record->block[1],
                            record->block[1],
                            words_count(arena, fix->shape.sectors - change->sectors),
                            words_count(arena, fix->shape.sectors));
    return arena_printf(
        arena,
        "__shared__ %s tile[%u][33]; // a row for each thread of the block\n"
        "for (int k0 = 0; k0 < columns; k0 += 32) {\n"
        "    for (int i = threadIdx.x / 32; i < %u; i += %u)\n"
        "        tile[i][threadIdx.x %% 32] = a[(row0 + i) * pitch + k0 + threadIdx.x %% 32];\n"
        "    __syncthreads();\n"
        "    // what read a[row * pitch + k0 + k] reads tile[threadIdx.x][k], k = 0 ... 31\n"
        "    __syncthreads();\n"
        "}\n"
        "// Saves %s of %s sectors.\n",
        element_type(width), record->block[0], record->block[0],
        record->block[0] < WARP_LANES ? 1 : record->block[0] / WARP_LANES,
        words_count(arena, fix->shape.sectors - change->sectors),
        words_count(arena, fix->shape.sectors));
}
