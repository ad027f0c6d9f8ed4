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

const char *sketch_change(Arena *arena, const Profile *profile, uint32_t launch,
                          const GlobalFix *fix, const Change *change) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const bool flat = record->block[1] == 1 && record->block[2] == 1;
    const uint32_t width = fix->shape.width;
    enum { STATIC_MOST = 48 * 1024, TILE_ROW = 33 };
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
