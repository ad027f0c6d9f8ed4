/* What a tensor copy moves, by the rule that runs on the GPU, against the walk that the CPU's copies take: random maps and boxes. */
#include "exec/async/tensor_map.h"
#include "probe/device/tile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { BOXES = 200000, WORDS = TENSOR_MAP_BYTES / 4 };

static uint64_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* As tensormap.replace writes the fields, by ptxas. */
static void encode(const TensorMap *map, uint32_t words[WORDS]) {
    static const uint8_t types[TENSOR_TYPES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 7, 8};
    memset(words, 0, WORDS * sizeof *words);
    words[2] = (uint32_t)(map->rank - 1) << 4 | (uint32_t)types[map->type] << 7 |
               (uint32_t)map->interleave << 11 | (uint32_t)map->swizzle << 13;
    if (map->type >= TENSOR_TF32)
        words[2] |= 1 << 16;
    for (uint32_t i = 0; i < map->rank; i++) {
        words[8 + i] = map->last[i];
        words[13] |= (uint32_t)(map->step[i] - 1) << 3 * i;
        words[i ? 14 : 13] |= (uint32_t)(map->box[i] - 1) << (i ? 8 * (i - 1) : 24);
    }
}

static TensorMap random_map(uint64_t *state) {
    TensorMap map = {.mark = TENSOR_MAP_MARK,
                     .rank = (uint8_t)(1 + next(state) % TENSOR_RANK_MOST),
                     .type = (uint8_t)(next(state) % TENSOR_TYPES)};
    for (uint32_t i = 0; i < map.rank; i++) {
        const uint32_t most = i < 2 ? 256 : 4, of = i ? 1 : 16; /* rows of 16 bytes at least */
        map.box[i] = (uint16_t)(of * (1 + next(state) % (most / of)));
        map.step[i] = (uint8_t)(1 + next(state) % 8);
        map.last[i] = (uint32_t)(next(state) % (next(state) % 4 ? 300 : UINT32_MAX));
    }
    return map;
}

static TileRule walked(const TensorMap *map, const TensorBox *box) {
    TensorWalk walk;
    TensorRow row;
    TileRule sum = {0, 0};
    tensor_walk_begin(&walk, map, box);
    while (tensor_walk_next(&walk, &row)) {
        sum.bytes += row.count * row.bytes;
        sum.inside += row.count * row.inside;
    }
    return sum;
}

static void test_tiles(void **test) {
    (void)test;
    uint64_t state = 1;
    uint32_t cut = 0;
    for (uint32_t i = 0; i < BOXES; i++) {
        TensorMap map = random_map(&state);
        TensorBox box = {0};
        uint32_t words[WORDS];
        for (uint32_t k = 0; k < map.rank; k++)
            box.at[k] = (int32_t)(next(&state) % 600) - 300;
        if (i % 8 == 0)
            box.at[i / 8 % map.rank] = i % 16 ? INT32_MAX : INT32_MIN;
        encode(&map, words);
        const TileRule is = rule_tile(words, box.at), wanted = walked(&map, &box);
        if (is.bytes != wanted.bytes || is.inside != wanted.inside)
            fail_msg("box %u: %u bytes, %u inside, not %u, %u", i, is.bytes, is.inside,
                     wanted.bytes, wanted.inside);
        cut += is.inside && is.inside < is.bytes;
    }
    assert_true(cut > BOXES / 20);
}

static void test_unknown(void **test) {
    (void)test;
    const int32_t at[TILE_RANK_MOST] = {0};
    uint32_t words[WORDS] = {0};
    words[2] = 1 << 11;
    assert_int_equal(rule_tile(words, at).bytes, 0); /* interleaved */
    words[2] = 11 << 7;
    assert_int_equal(rule_tile(words, at).bytes, 0); /* packed */
    words[2] = 5 << 4;
    assert_int_equal(rule_tile(words, at).bytes, 0); /* no map */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiles),
                                       cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
