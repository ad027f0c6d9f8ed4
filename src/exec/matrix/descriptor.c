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
#include "exec/matrix/descriptor.h"
#include "exec/run/worker.h"

#include <string.h>

enum { PIECE_BYTES = 16, PIECE_SHIFT = 4, PATTERN_LINES = 8, ADDRESS_BITS = 18 };

/* 14 bits, in units of 16 bytes. */
static uint32_t bytes_at(uint64_t bits, uint32_t first) {
    return (uint32_t)(bits >> first & 0x3fff) * PIECE_BYTES;
}

Descriptor descriptor_read(uint64_t bits, bool turned) {
    static const uint32_t shifts[4] = {4, 7, 6, 5};
    return (Descriptor){.start = bytes_at(bits, 0),
                        .leading = bytes_at(bits, 16),
                        .stride = bytes_at(bits, 32),
                        .base = bits >> 49 & 7,
                        .shift = shifts[bits >> 62],
                        .turned = turned};
}

/* Where the pattern begins in which a piece lies, and how far behind the piece is in its first line. line:
 * across the contiguous direction; piece: number along it. */
static inline uint32_t first_line(const Descriptor *descriptor, uint32_t line, uint32_t piece) {
    uint32_t along = piece * PIECE_BYTES, across = along >> descriptor->shift;
    uint32_t within = along & ((1u << descriptor->shift) - 1);
    bool plain_turned = descriptor->turned && descriptor->shift == PIECE_SHIFT;
    uint32_t lines = plain_turned ? descriptor->leading : descriptor->stride;
    uint32_t pieces = plain_turned ? descriptor->stride : descriptor->leading;
    return descriptor->start + line / PATTERN_LINES * lines + across * pieces + within;
}

/* The piece in that line of the pattern. */
static inline uint32_t swizzled(const Descriptor *descriptor, uint32_t first, uint32_t line) {
    uint32_t swizzle = (1u << (descriptor->shift - PIECE_SHIFT)) - 1;
    uint32_t address = first + (line % PATTERN_LINES << descriptor->shift);
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
        1u << descriptor->shift, piece, line);
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

/* Whose pieces are read; room: bytes of shared memory from `lowest` on. */
typedef struct Reader {
    Warp *warp;
    const Code *code;
    Descriptor descriptor;
    const Region *region;
    const uint8_t *shared;
    uint32_t lowest, room;
    bool moved;
} Reader;

/* Host memory of a piece; NULL: worker->fault. first: see first_line. */
static inline const uint8_t *find_piece(const Reader *reader, uint32_t first, uint32_t line,
                                        uint32_t piece) {
    uint32_t address = swizzled(&reader->descriptor, first, line);
    if (address - reader->lowest > reader->room - PIECE_BYTES) {
        fault(reader->warp, reader->code, &reader->descriptor, reader->region, line, piece,
              address);
        return NULL;
    }
    if (reader->moved && move_piece(reader->warp, reader->code, &address) != STEP_NEXT)
        return NULL;
    return reader->shared + address;
}

/* ---- the common case: 16-bit elements of a B that is contiguous along k, 8 lines at a time ---- */

typedef uint16_t Piece __attribute__((vector_size(PIECE_BYTES)));
typedef uint32_t WidePiece __attribute__((vector_size(2 * PIECE_BYTES)));

#define LOWER(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define UPPER(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)

/* Three of these exchange rows and columns. */
static inline void interleave(const Piece from[PATTERN_LINES], Piece to[PATTERN_LINES]) {
#pragma GCC unroll 4
    for (uint32_t i = 0; i < PATTERN_LINES / 2; i++) {
        to[2 * i] = LOWER(from[i], from[i + PATTERN_LINES / 2]);
        to[2 * i + 1] = UPPER(from[i], from[i + PATTERN_LINES / 2]);
    }
}

static Step gather_columns(const Reader *reader, uint32_t *word) {
    const Region *region = reader->region;
    for (uint32_t l = 0; l < region->lines; l += PATTERN_LINES)
        for (uint32_t p = 0; p < region->pieces; p++) {
            uint32_t line = region->first_line + l, piece = region->first_piece + p;
            uint32_t first = first_line(&reader->descriptor, line, piece);
            Piece lines[PATTERN_LINES], other[PATTERN_LINES];
#pragma GCC unroll 8
            for (uint32_t i = 0; i < PATTERN_LINES; i++) {
                const uint8_t *from = find_piece(reader, first, line + i, piece);
                if (!from)
                    return STEP_FAULT;
                memcpy(&lines[i], from, sizeof lines[i]);
            }
            interleave(lines, other);
            interleave(other, lines);
            interleave(lines, other);
#pragma GCC unroll 8
            for (uint32_t k = 0; k < PATTERN_LINES; k++) {
                WidePiece row = __builtin_convertvector(other[k], WidePiece);
                memcpy(&word[(p * PATTERN_LINES + k) * region->element_step + l], &row, sizeof row);
            }
        }
    return STEP_NEXT;
}

static Step gather_any(const Reader *reader, uint32_t *word) {
    const Region *region = reader->region;
    uint32_t piece_step = 8 * PIECE_BYTES / region->bits * region->element_step;
    for (uint32_t l = 0; l < region->lines; l++)
        for (uint32_t p = 0; p < region->pieces; p++) {
            uint32_t line = region->first_line + l, piece = region->first_piece + p;
            uint32_t first = first_line(&reader->descriptor, line, piece);
            const uint8_t *from = find_piece(reader, first, line, piece);
            if (!from)
                return STEP_FAULT;
            spread(from, region, &word[l * region->line_step + p * piece_step]);
        }
    return STEP_NEXT;
}

Step descriptor_gather(Warp *warp, const Code *code, const Descriptor *descriptor,
                       const Region *region, uint32_t *word) {
    uint32_t lowest = warp->worker->program->shared.first;
    Reader reader = {.warp = warp,
                     .code = code,
                     .descriptor = *descriptor,
                     .region = region,
                     .shared = warp->cta->shared,
                     .lowest = lowest,
                     .room = warp->cta->shared_end - lowest,
                     .moved = warp->worker->run->relaid != NULL};
    bool columns = region->bits == 16 && region->line_step == 1 && !descriptor->turned;
    if (reader.room < PIECE_BYTES)
        return fault(warp, code, descriptor, region, 0, 0, descriptor->start);
    return columns ? gather_columns(&reader, word) : gather_any(&reader, word);
}
