/* copies: how many 32-byte sectors bulk and tensor copies, and reductions, move to or from an SM.
 *
 * A copy is cut where a 128-byte line begins on either side, so that where source and destination are
 * shifted against each other it falls into more parts. Each part is asked for on its own. Measured on an
 * H200, see docs/memory-model.md, section 8. */
#include "mem/mem.h"

/* What a part costs at least. */
static uint32_t sectors_at_least(CopyWay way) {
    switch (way) {
    case COPY_MULTICAST:
        return 2;
    case COPY_MULTICAST_MADE:
    case COPY_MULTICAST_FILL:
        return 3;
    default:
        return 1;
    }
}

static bool counts_source(CopyWay way) {
    return way == COPY_LOAD || way == COPY_MULTICAST || way == COPY_MULTICAST_MADE;
}

static uint64_t part_sectors(CopyWay way, uint64_t at, uint64_t bytes) {
    uint64_t sectors = (at + bytes - 1) / SECTOR_BYTES - at / SECTOR_BYTES + 1;
    if (way == COPY_SEND && bytes == SECTOR_BYTES && sectors == 1)
        return 2;
    uint32_t least = sectors_at_least(way);
    return sectors < least ? least : sectors;
}

static uint64_t parts_sectors(CopyWay way, uint64_t from, uint64_t to, uint64_t bytes) {
    uint64_t sum = 0;
    while (bytes) {
        uint64_t source = LINE_BYTES - from % LINE_BYTES, place = LINE_BYTES - to % LINE_BYTES;
        uint64_t part = source < place ? source : place;
        part = part < bytes ? part : bytes;
        sum += part_sectors(way, counts_source(way) ? from : to, part);
        from += part;
        to += part;
        bytes -= part;
    }
    return sum;
}

/* Between two lines of the source the parts come again and again. */
uint64_t mem_copy_sectors(CopyWay way, uint64_t from, uint64_t to, uint64_t bytes) {
    if (way == COPY_FILL || way == COPY_MULTICAST_FILL)
        from = to;
    uint64_t head = (LINE_BYTES - from % LINE_BYTES) % LINE_BYTES;
    if (bytes < head + 2 * LINE_BYTES)
        return parts_sectors(way, from, to, bytes);
    uint64_t lines = (bytes - head) / LINE_BYTES, behind = head + lines * LINE_BYTES;
    return parts_sectors(way, from, to, head) +
           lines * parts_sectors(way, from + head, to + head, LINE_BYTES) +
           parts_sectors(way, from + behind, to + behind, bytes - behind);
}
