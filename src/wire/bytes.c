#include "wire/bytes.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

static void output_room(Output *out, size_t size) {
    if (out->used + size <= out->capacity)
        return;
    size_t capacity = 2 * (out->used + size) + 4096;
    uint8_t *larger = realloc(out->bytes, capacity);
    if (!larger)
        out_of_memory();
    out->bytes = larger;
    out->capacity = capacity;
}

void output_bytes(Output *out, const void *data, size_t size) {
    output_room(out, size);
    memcpy(out->bytes + out->used, data, size);
    out->used += size;
}

void output_number(Output *out, uint64_t value) {
    enum { MOST = 10 };
    output_room(out, MOST);
    for (; value >= 0x80; value >>= 7)
        out->bytes[out->used++] = (uint8_t)(value | 0x80);
    out->bytes[out->used++] = (uint8_t)value;
}

/* Zigzag: small numbers of either sign are short. */
static void output_signed(Output *out, int64_t value) {
    output_number(out, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

void output_text(Output *out, const char *text) {
    size_t length = text ? strlen(text) : 0;
    output_number(out, text ? length + 1 : 0);
    output_bytes(out, text ? text : "", length);
}

/* How many bytes, then these. */
static void output_lanes(Output *out, const int64_t *lanes) {
    uint8_t bytes[PACKED_MOST];
    size_t size = lanes_pack(lanes, bytes);
    output_number(out, size);
    output_bytes(out, bytes, size);
}

static void output_field(Output *out, const ProfField *field, const void *row) {
    const void *at = (const char *)row + field->offset;
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_ENUM:
    case FIELD_INDEX:
        output_number(out, *(const uint32_t *)at);
        break;
    case FIELD_U64:
        output_number(out, *(const uint64_t *)at);
        break;
    case FIELD_I64:
        output_signed(out, *(const int64_t *)at);
        break;
    case FIELD_BOOL: /* is set, that is all */
        break;
    case FIELD_REAL:
        output_bytes(out, at, sizeof(double));
        break;
    case FIELD_TEXT:
        output_text(out, *(const char *const *)at);
        break;
    case FIELD_LANES:
        output_lanes(out, *(const int64_t *const *)at);
        break;
    }
}

void output_row(Output *out, const ProfTable *table, const void *row) {
    size_t set = 0; /* where the byte is that says which of eight fields are set */
    for (uint32_t i = 0; i < table->field_count; i++) {
        const ProfField *field = &table->fields[i];
        if (i % 8 == 0) {
            set = out->used;
            output_bytes(out, "", 1);
        }
        if (!field_is_set(field, row))
            continue;
        out->bytes[set] |= (uint8_t)(1u << i % 8);
        output_field(out, field, row);
    }
}

/* ---- reading ---- */

uint64_t input_number(Input *in) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        uint8_t byte = *in->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return in->bad ? 0 : value;
    }
    in->bad = true;
    return 0;
}

uint32_t input_small(Input *in) {
    uint64_t value = input_number(in);
    in->bad |= value > UINT32_MAX;
    return (uint32_t)value;
}

uint32_t input_count(Input *in) {
    uint64_t count = input_number(in);
    in->bad |= count > (uint64_t)(in->end - in->at);
    return in->bad ? 0 : (uint32_t)count;
}

static int64_t input_signed(Input *in) {
    uint64_t value = input_number(in);
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

double input_real(Input *in) {
    double value = 0;
    if (in->end - in->at < (ptrdiff_t)sizeof value) {
        in->bad = true;
        return 0;
    }
    memcpy(&value, in->at, sizeof value);
    in->at += sizeof value;
    return value;
}

const char *input_text(Input *in, Arena *arena) {
    uint64_t length = input_number(in);
    in->bad |= length == 0 || length - 1 > (uint64_t)(in->end - in->at);
    if (in->bad)
        return "";
    const char *text = arena_copy(arena, (const char *)in->at, length - 1);
    in->at += length - 1;
    return text;
}

static const int64_t *input_lanes(Input *in, Arena *arena) {
    int64_t *lanes = NEW_ARRAY(arena, int64_t, FIELD_LANE_COUNT);
    uint32_t size = input_count(in);
    if (in->bad || !lanes_unpack(in->at, size, lanes))
        in->bad = true;
    in->at += in->bad ? 0 : size;
    return lanes;
}

static uint32_t input_enum(Input *in, const char *const *names) {
    uint32_t value = input_small(in), count = 0;
    while (names[count])
        count++;
    in->bad |= value >= count;
    return in->bad ? 0 : value;
}

static void input_field(Input *in, Arena *arena, const ProfField *field, void *row) {
    void *at = (char *)row + field->offset;
    switch (field->kind) {
    case FIELD_U32:
    case FIELD_INDEX:
        *(uint32_t *)at = input_small(in);
        break;
    case FIELD_ENUM:
        *(uint32_t *)at = input_enum(in, field->names);
        break;
    case FIELD_U64:
        *(uint64_t *)at = input_number(in);
        break;
    case FIELD_I64:
        *(int64_t *)at = input_signed(in);
        break;
    case FIELD_BOOL:
        *(bool *)at = true;
        break;
    case FIELD_REAL:
        *(double *)at = input_real(in);
        break;
    case FIELD_TEXT:
        *(const char **)at = input_text(in, arena);
        break;
    case FIELD_LANES:
        *(const int64_t **)at = input_lanes(in, arena);
        break;
    }
}

/* What is not set is 0, NULL or NONE, which is wrong only where something is needed. */
static void clear_row(const ProfTable *table, void *row) {
    memset(row, 0, table->row_bytes);
    for (uint32_t i = 0; i < table->field_count; i++)
        if (table->fields[i].kind == FIELD_INDEX)
            *(uint32_t *)((char *)row + table->fields[i].offset) = NONE;
}

void input_row(Input *in, Arena *arena, const ProfTable *table, void *row) {
    clear_row(table, row);
    for (uint32_t first = 0; first < table->field_count && !in->bad; first += 8) {
        uint32_t set = 0, last = table->field_count - first < 8 ? table->field_count - first : 8;
        in->bad = in->at >= in->end || (set = *in->at++) >> last;
        for (; set && !in->bad; set &= set - 1) {
            const ProfField *field = &table->fields[first + (uint32_t)__builtin_ctz(set)];
            input_field(in, arena, field, row);
            in->bad |= field_fault(field, row);
        }
    }
    for (uint32_t i = 0; i < table->field_count && !in->bad; i++)
        in->bad = table->fields[i].flags & NEEDED && !field_is_set(&table->fields[i], row);
}
