/* Matrices in shared memory behind a descriptor (PTX ISA 9.7.15.5.1, "Shared memory matrix layout").
 *
 * A pattern is 8 lines of 16, 32, 64 or 128 bytes. Lines repeat every 8 with one of the two offsets of
 * the descriptor, pieces beyond the width of a pattern with the other one:
 *
 *                       pieces beyond a pattern      every 8 lines
 *   along k, plain      leading                      stride
 *   along k, swizzled   -                            stride
 *   along m/n, plain    stride                       leading
 *   along m/n, swizzled leading                      stride
 *
 * A swizzle exchanges the pieces of a line: bits 4 … of the address are xor-ed with the line's number in the
 * pattern, bits 7 … of the same address less the base offset. The address is that in shared memory, so
 * that a start address within a pattern (the next k of a line) needs no care. */
#include "exec/descriptor.h"

#include <string.h>

enum { PIECE_BYTES = 16, PATTERN_LINES = 8, ADDRESS_BITS = 18 };

/* 14 bits, in units of 16 bytes. */
static uint32_t bytes_at(uint64_t bits, uint32_t first) {
    return (uint32_t)(bits >> first & 0x3fff) * PIECE_BYTES;
}

Descriptor descriptor_read(uint64_t bits, bool turned) {
    static const uint32_t widths[4] = {16, 128, 64, 32};
    return (Descriptor){.start = bytes_at(bits, 0),
                        .leading = bytes_at(bits, 16),
                        .stride = bytes_at(bits, 32),
                        .base = bits >> 49 & 7,
                        .width = widths[bits >> 62],
                        .turned = turned};
}

uint32_t descriptor_address(const Descriptor *descriptor, uint32_t line, uint32_t piece) {
    uint32_t across = piece * PIECE_BYTES / descriptor->width;
    uint32_t within = piece * PIECE_BYTES % descriptor->width;
    bool plain_turned = descriptor->turned && descriptor->width == PIECE_BYTES;
    uint32_t lines = plain_turned ? descriptor->leading : descriptor->stride;
    uint32_t pieces = plain_turned ? descriptor->stride : descriptor->leading;
    uint32_t address = descriptor->start + line / PATTERN_LINES * lines +
                       line % PATTERN_LINES * descriptor->width + across * pieces + within;
    uint32_t swizzle = descriptor->width / PIECE_BYTES - 1;
    address &= (1u << ADDRESS_BITS) - 1;
    return address ^ (((address >> 7) - descriptor->base) & swizzle) * PIECE_BYTES;
}

/* ---- reading ---- */

static void spread(const uint8_t *from, const Region *region, uint32_t *to) {
    uint32_t step = region->element_step;
    if (region->bits == 16) {
        uint16_t element[PIECE_BYTES / 2];
        memcpy(element, from, sizeof element);
        for (uint32_t e = 0; e < PIECE_BYTES / 2; e++)
            to[e * step] = element[e];
    } else if (region->bits == 8) {
        for (uint32_t e = 0; e < PIECE_BYTES; e++)
            to[e * step] = from[e];
    } else {
        uint32_t element[PIECE_BYTES / 4];
        memcpy(element, from, sizeof element);
        for (uint32_t e = 0; e < PIECE_BYTES / 4; e++)
            to[e * step] = element[e];
    }
}

static Step fault(Warp *warp, const Code *code, const Descriptor *descriptor, const Region *region,
                  uint32_t line, uint32_t piece, uint32_t address) {
    return memory_fault(
        warp, code, FAULT_OUT_OF_BOUNDS, 0, SPACE_SHARED, address,
        "matrix %c of wgmma reaches outside of shared memory: descriptor with start "
        "0x%x, leading offset %u, stride offset %u, %u bytes a line, at piece %u of "
        "16 bytes of line %u",
        region->matrix - 'a' + 'A', descriptor->start, descriptor->leading, descriptor->stride,
        descriptor->width, piece, line);
}

/* The pieces where they are in another layout of shared memory. */
static Step move_piece(Warp *warp, const Code *code, uint32_t *address) {
    Touch touch = {.address = {*address}};
    touch.pattern = pattern_of(touch.address, 1);
    if (touch_check(&touch, warp, code, SPACE_SHARED, 1, PIECE_BYTES, false) != STEP_NEXT)
        return STEP_FAULT;
    *address = (uint32_t)touch.address[0];
    return STEP_NEXT;
}

Step descriptor_gather(Warp *warp, const Code *code, const Descriptor *descriptor,
                       const Region *region, uint32_t *word) {
    const uint8_t *shared = warp->cta->shared;
    uint32_t first = warp->worker->program->shared_first, end = warp->cta->shared_end;
    uint32_t elements = 8 * PIECE_BYTES / region->bits;
    bool moved = warp->worker->run->relaid != NULL;
    for (uint32_t l = 0; l < region->lines; l++)
        for (uint32_t p = 0; p < region->pieces; p++) {
            uint32_t line = region->first_line + l, piece = region->first_piece + p;
            uint32_t address = descriptor_address(descriptor, line, piece);
            if (address < first || address + PIECE_BYTES > end)
                return fault(warp, code, descriptor, region, line, piece, address);
            if (moved && move_piece(warp, code, &address) != STEP_NEXT)
                return STEP_FAULT;
            spread(shared + address, region,
                   &word[l * region->line_step + p * elements * region->element_step]);
        }
    return STEP_NEXT;
}
