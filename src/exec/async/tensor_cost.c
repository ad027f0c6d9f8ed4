/* What the rows of a box cost: each is a copy of its own (mem/copies.c), what lies outside of the tensor is
 * filled. Measured on an H200 (docs/memory-model.md, section 8). */
#include "exec/async/tensor_map.h"
#include "mem/mem.h"

enum { PIECE_BYTES = 16 };

static uint32_t whole_pieces(uint32_t bytes) {
    return (bytes + PIECE_BYTES - 1) / PIECE_BYTES * PIECE_BYTES;
}

bool tensor_sectors_known(const TensorMap *map, bool stores) {
    return !map->interleave && !(map->im2col && stores);
}

/* Of a multicast copy. The part in which the tensor ends within 16 bytes costs more, as one that is
 * converted does. */
static uint64_t multicast_sectors(const TensorMap *map, uint64_t from, uint64_t to, uint32_t bytes,
                                  bool cut_off) {
    if (map->type == TENSOR_TF32 || map->type == TENSOR_TF32_FTZ)
        return mem_copy_sectors(COPY_MULTICAST_MADE, from, to, bytes);
    if (!cut_off)
        return mem_copy_sectors(COPY_MULTICAST, from, to, bytes);
    uint64_t source = (from + bytes - 1) % LINE_BYTES + 1,
             place = (to + bytes - 1) % LINE_BYTES + 1;
    uint64_t last = source < place ? source : place;
    last = last < bytes ? last : bytes;
    uint64_t before = bytes - last;
    return mem_copy_sectors(COPY_MULTICAST, from, to, before) +
           mem_copy_sectors(COPY_MULTICAST_MADE, from + before, to + before, last);
}

static uint64_t load_sectors(const TensorMap *map, const TensorRow *row, uint64_t to,
                             bool multicast) {
    CopyWay fill = multicast ? COPY_MULTICAST_FILL : COPY_FILL;
    if (!row->inside)
        return mem_copy_sectors(fill, 0, to, row->bytes);
    uint32_t inside = whole_pieces(row->inside);
    uint32_t room = row->bytes - row->skip, behind = room > inside ? room - inside : 0;
    inside = room - behind;
    uint64_t sum = mem_copy_sectors(fill, 0, to, row->skip) +
                   mem_copy_sectors(fill, 0, to + row->skip + inside, behind);
    to += row->skip;
    if (multicast)
        return sum +
               multicast_sectors(map, row->global, to, inside, row->inside % PIECE_BYTES != 0);
    return sum + mem_copy_sectors(COPY_LOAD, row->global, to, inside);
}

/* Rows that lie alike in their lines cost alike. */
uint64_t tensor_row_sectors(const TensorMap *map, const TensorRow *rows, uint32_t box,
                            TensorWay way) {
    TensorRow row = *rows;
    bool alike = row.pitch % LINE_BYTES == 0 && (row.apart % LINE_BYTES == 0 || !row.inside);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < (alike ? 1 : rows->count); i++) {
        uint64_t place = (uint64_t)box + row.shared;
        sum += way == TENSOR_STORES
                   ? mem_copy_sectors(COPY_STORE, place, row.global, whole_pieces(row.inside))
                   : load_sectors(map, &row, place, way == TENSOR_MULTICASTS);
        row.shared += row.pitch;
        row.global += row.apart;
    }
    return alike ? sum * rows->count : sum;
}
