/* Other places for the bytes of an array in global memory: rows at another pitch, structures taken apart
 * into an array for each field, a matrix stored column by column. The what-if of fixes and the run that
 * proves one use the same functions. */
#include "mem/mem.h"

enum {
    FIELD_ALIGN = 512,        /* of the array of a field: an allocation of its own */
    COLUMN_ALIGN = LINE_BYTES /* of a column of a transposed array */
};

static uint64_t aligned(uint64_t bytes, uint64_t to) {
    return (bytes + to - 1) / to * to;
}

static uint64_t field_end(const Storage *storage, uint32_t field) {
    return field + 1 < storage->field_count ? storage->fields[field + 1] : storage->pitch;
}

static uint64_t field_bytes(const Storage *storage, uint32_t field) {
    uint64_t each = field_end(storage, field) - storage->fields[field];
    return aligned(storage->rows * each, FIELD_ALIGN);
}

static uint64_t column_bytes(const Storage *storage) {
    return aligned(storage->rows * storage->element, COLUMN_ALIGN);
}

/* All whole rows, or structures, together. */
static uint64_t whole_bytes(const Storage *storage) {
    uint64_t sum = 0;
    if (storage->kind == STORAGE_TRANSPOSED)
        return storage->pitch / storage->element * column_bytes(storage);
    for (uint32_t field = 0; field < storage->field_count; field++)
        sum += field_bytes(storage, field);
    return sum;
}

static uint64_t field_offset(const Storage *storage, uint64_t row, uint64_t within) {
    uint64_t begin = 0;
    uint32_t field = 0;
    for (; within >= field_end(storage, field); field++)
        begin += field_bytes(storage, field);
    uint64_t each = field_end(storage, field) - storage->fields[field];
    return begin + row * each + within - storage->fields[field];
}

uint64_t storage_offset(const Storage *storage, uint64_t offset) {
    if (storage->kind == STORAGE_PLAIN)
        return storage->lead + offset;
    uint64_t row = offset / storage->pitch, within = offset % storage->pitch;
    if (storage->kind == STORAGE_PITCHED)
        return storage->lead + offset + row * storage->pad;
    if (row >= storage->rows)
        return storage->lead + whole_bytes(storage) + offset - storage->rows * storage->pitch;
    if (storage->kind == STORAGE_FIELDS)
        return storage->lead + field_offset(storage, row, within);
    return storage->lead + within / storage->element * column_bytes(storage) +
           row * storage->element + within % storage->element;
}

uint64_t storage_bytes(const Storage *storage, uint64_t bytes) {
    switch (storage->kind) {
    case STORAGE_PLAIN:
        return storage->lead + bytes;
    case STORAGE_PITCHED:
        return storage->lead + bytes + bytes / storage->pitch * storage->pad;
    default:
        return storage->lead + whole_bytes(storage) + bytes - storage->rows * storage->pitch;
    }
}
