/* Boxes of tensors against a second implementation that goes element by element, on drawn maps. What an
 * H100 makes of such maps is tests/tma. */
#include "exec/async/tensor_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY = 64 * 1024, AREA = 128 * 1024, CASES = 4000 };

static uint8_t memory[MEMORY], area[AREA], expected[AREA];
static uint64_t state;

static uint32_t below(uint32_t limit) {
    return (uint32_t)(random_next(&state) >> 33) % limit;
}

static TensorMap draw_map(bool im2col) {
    static const uint8_t types[] = {TENSOR_U8, TENSOR_F16, TENSOR_U32, TENSOR_F64};
    TensorMap map = {.mark = TENSOR_MAP_MARK, .im2col = im2col, .address = (uintptr_t)memory};
    map.rank = (uint8_t)(im2col ? 3 + below(3) : 1 + below(5));
    map.type = types[below(4)];
    map.swizzle = (uint8_t)below(TENSOR_SWIZZLES);
    uint32_t size = tensor_type_bytes((TensorType)map.type);
    uint32_t pieces = map.swizzle ? 1u << map.swizzle : 8;
    uint64_t bytes = 16 * (1 + below(6));
    map.last[0] = (uint32_t)bytes / size - 1 - below(16 / size);
    map.box[0] = (uint16_t)(16 / size * (1 + below(pieces)));
    for (uint32_t i = 1; i < map.rank; i++) {
        map.last[i] = below(5);
        map.stride[i - 1] = bytes + 16 * below(2);
        bytes = map.stride[i - 1] * (map.last[i] + 1);
        map.box[i] = (uint16_t)(im2col ? 1 : 1 + below(5));
    }
    for (uint32_t i = 0; i < 5; i++)
        map.step[i] = (uint8_t)(1 + below(2) * below(3));
    if (im2col)
        map.box[1] = (uint16_t)(1 + below(40));
    for (uint32_t i = 0; im2col && i + 2 < map.rank; i++) {
        map.lower[i] = (int16_t)((int)below(5) - 2);
        map.upper[i] = (int16_t)((int)below(5) - 2);
        if (map.lower[i] > (int)map.last[i] + map.upper[i])
            map.upper[i] = map.lower[i];
    }
    return map;
}

/* ---- the second implementation ---- */

/* 128 bytes are a row of eight pieces; piece x of row y is piece x ^ (y mod 2, 4 or 8) (CUDA C++
 * Programming Guide, "TMA swizzle patterns"). */
static uint32_t placed(const TensorMap *map, uint32_t address) {
    static const uint32_t rows[] = {1, 2, 4, 8};
    uint32_t y = address / 128, x = address / 16 % 8, in = address % 16;
    return y * 128 + (x ^ (y % rows[map->swizzle])) * 16 + in;
}

/* The row that begins at coordinate `at` in all dimensions, at `address` of shared memory. */
static void expect_row(const TensorMap *map, const int64_t *at, uint32_t address) {
    uint32_t size = tensor_type_bytes((TensorType)map->type);
    for (uint32_t e = 0; e < map->box[0]; e++) {
        bool inside = at[0] + e >= 0 && at[0] + e <= map->last[0];
        int64_t byte = (at[0] + e) * size;
        for (uint32_t i = 1; i < map->rank; i++) {
            inside &= at[i] >= 0 && at[i] <= map->last[i];
            byte += at[i] * (int64_t)map->stride[i - 1];
        }
        for (uint32_t b = 0; b < size; b++)
            expected[placed(map, address + e * size + b)] = inside ? memory[byte + b] : 0;
    }
}

static uint32_t pitch_of(const TensorMap *map) {
    uint32_t bytes = map->box[0] * tensor_type_bytes((TensorType)map->type);
    uint32_t span = map->swizzle ? 16u << map->swizzle : bytes;
    return bytes > span ? bytes : span;
}

static void expect_tile(const TensorMap *map, const TensorBox *box, uint32_t address) {
    uint32_t box_of[5] = {1, 1, 1, 1, 1};
    for (uint32_t i = 1; i < map->rank; i++)
        box_of[i] = map->box[i];
    for (uint32_t m = 0; m < box_of[4]; m += map->step[4])
        for (uint32_t l = 0; l < box_of[3]; l += map->step[3])
            for (uint32_t k = 0; k < box_of[2]; k += map->step[2])
                for (uint32_t j = 0; j < box_of[1]; j += map->step[1]) {
                    int64_t at[5] = {box->at[0], (int64_t)box->at[1] + j, (int64_t)box->at[2] + k,
                                     (int64_t)box->at[3] + l, (int64_t)box->at[4] + m};
                    expect_row(map, at, address);
                    address += pitch_of(map);
                }
}

/* Spatial dimensions that the tensor does not have are one pixel wide. */
static void expect_im2col(const TensorMap *map, const TensorBox *box, uint32_t address) {
    uint32_t spatial = map->rank - 2u, pixels = map->box[1];
    int64_t low[3] = {0}, high[3] = {0}, from[3] = {0};
    for (uint32_t i = 0; i < spatial; i++) {
        low[i] = map->lower[i];
        high[i] = (int64_t)map->last[i + 1] + map->upper[i];
        from[i] = box->at[i + 1];
    }
    for (int64_t n = box->at[map->rank - 1];; n += map->step[map->rank - 1]) {
        for (int64_t d = from[2]; d <= high[2]; d += spatial > 2 ? map->step[3] : 1) {
            for (int64_t h = from[1]; h <= high[1]; h += spatial > 1 ? map->step[2] : 1) {
                for (int64_t w = from[0]; w <= high[0]; w += map->step[1]) {
                    int64_t at[5] = {box->at[0], w + box->offset[0], h + box->offset[1],
                                     d + box->offset[2], 0};
                    at[map->rank - 1] = n;
                    expect_row(map, at, address);
                    address += pitch_of(map);
                    if (--pixels == 0)
                        return;
                }
                from[0] = low[0];
            }
            from[1] = low[1];
        }
        from[2] = low[2];
    }
}

/* ---- comparing ---- */

static TensorBox draw_place(const TensorMap *map) {
    uint32_t unit = 16 / tensor_type_bytes((TensorType)map->type);
    TensorBox box = {{0}, {0}};
    box.at[0] = (int32_t)(below(8) * unit) - (int32_t)(3 * unit);
    for (uint32_t i = 1; i < map->rank; i++)
        box.at[i] = (int32_t)below(map->last[i] + 6) - 3;
    for (uint32_t i = 0; map->im2col && i + 2 < map->rank; i++) {
        uint32_t width = (uint32_t)((int)map->last[i + 1] + map->upper[i] - map->lower[i] + 1);
        if ((int)width < 1)
            width = 1;
        box.at[i + 1] = map->lower[i] + (int32_t)below(width);
        box.offset[i] = (uint16_t)below(3);
    }
    return box;
}

static void compare(bool im2col) {
    for (uint32_t n = 0; n < CASES; n++) {
        TensorMap map = draw_map(im2col);
        for (uint32_t i = 0; im2col && i + 2 < map.rank; i++)
            if (map.lower[i] > (int)map.last[i + 1] + map.upper[i])
                map.upper[i] = (int16_t)(map.lower[i] - (int)map.last[i + 1]);
        TensorBox box = draw_place(&map);
        uint32_t address = 128 * below(16);
        assert_null(tensor_map_wrong(&map));
        memset(area, 0xee, sizeof area);
        memset(expected, 0xee, sizeof expected);
        if (im2col)
            expect_im2col(&map, &box, address);
        else
            expect_tile(&map, &box, address);
        TensorWalk walk;
        TensorRow row;
        uint32_t bytes = 0;
        tensor_walk_begin(&walk, &map, &box);
        while (tensor_walk_next(&walk, &row)) {
            tensor_row_load(&map, &row, area + address, address);
            bytes += row.bytes * row.count;
        }
        assert_int_equal(bytes, tensor_box_bytes(&map));
        assert_memory_equal(area, expected, sizeof area);
    }
}

static void test_tiles(void **unused) {
    (void)unused;
    compare(false);
}

static void test_im2col(void **unused) {
    (void)unused;
    compare(true);
}

/* What cannot be walked is never taken for a map. */
static void test_wrong(void **unused) {
    (void)unused;
    TensorMap map = draw_map(false), changed = {0};
    assert_non_null(tensor_map_wrong(&changed));
    changed = map;
    changed.rank = 6;
    assert_non_null(tensor_map_wrong(&changed));
    changed = map;
    changed.step[0] = 0;
    assert_non_null(tensor_map_wrong(&changed));
    changed = map;
    changed.box[0] = 257;
    assert_non_null(tensor_map_wrong(&changed));
    changed = map;
    changed.address += 8;
    assert_non_null(tensor_map_wrong(&changed));
    changed = map;
    changed.type = TENSOR_TYPES;
    assert_non_null(tensor_map_wrong(&changed));
}

int main(void) {
    state = 1;
    for (uint32_t i = 0; i < MEMORY; i++)
        memory[i] = (uint8_t)below(256);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles), cmocka_unit_test(test_im2col),
                                       cmocka_unit_test(test_wrong)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
