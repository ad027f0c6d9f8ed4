/* Storages as text: a kind, and the numbers that it has. */
#include "mem/mem.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 3 + STORAGE_FIELDS_MOST };

static const struct {
    const char *name;
    uint32_t least, most; /* numbers */
} kinds[] = {[STORAGE_PLAIN] = {"plain", 1, 1},
             [STORAGE_PITCHED] = {"pitched", 3, 3},
             [STORAGE_FIELDS] = {"fields", 4, NUMBERS_MOST},
             [STORAGE_TRANSPOSED] = {"transposed", 4, 4}};

/* Numbers that storage_offset can compute with. */
static bool is_sound(const Storage *storage) {
    for (uint32_t i = 0; i < storage->field_count; i++)
        if (i ? storage->fields[i] <= storage->fields[i - 1] || storage->fields[i] >= storage->pitch
              : storage->fields[0] != 0)
            return false;
    bool whole = storage->kind != STORAGE_TRANSPOSED ||
                 (storage->element > 0 && storage->pitch % storage->element == 0);
    return whole && (storage->kind == STORAGE_PLAIN || storage->pitch > 0);
}

/* Numbers with commas between them; UINT32_MAX: they are none, or too many. */
static uint32_t read_numbers(const char *text, uint64_t numbers[NUMBERS_MOST]) {
    for (uint32_t count = 0; count < NUMBERS_MOST;) {
        char *end;
        if (*text < '0' || *text > '9')
            return UINT32_MAX;
        numbers[count] = strtoull(text, &end, 10);
        if (numbers[count++] > INT32_MAX)
            return UINT32_MAX;
        if (*end != ',')
            return *end ? UINT32_MAX : count;
        text = end + 1;
    }
    return UINT32_MAX;
}

bool storage_parse(const char *text, Storage *storage) {
    uint64_t numbers[NUMBERS_MOST] = {0};
    const size_t length = strcspn(text, ":");
    uint32_t kind = 0, most = sizeof kinds / sizeof *kinds;
    while (kind < most && !str_is((Str){text, length}, kinds[kind].name))
        kind++;
    uint32_t count = kind < most && text[length] ? read_numbers(text + length + 1, numbers) : 0;
    if (kind == most || count < kinds[kind].least || count > kinds[kind].most)
        return false;
    *storage = (Storage){.kind = (StorageKind)kind, .lead = numbers[0], .pitch = numbers[1]};
    if (storage->kind == STORAGE_PITCHED)
        storage->pad = numbers[2];
    else
        storage->rows = numbers[2];
    if (storage->kind == STORAGE_TRANSPOSED)
        storage->element = (uint32_t)numbers[3];
    storage->field_count = storage->kind == STORAGE_FIELDS ? count - 3 : 0;
    for (uint32_t i = 0; i < storage->field_count; i++)
        storage->fields[i] = (uint32_t)numbers[3 + i];
    return is_sound(storage);
}

const char *storage_text(Arena *arena, const Storage *storage) {
    const char *text = arena_printf(arena, "%s:%llu", kinds[storage->kind].name,
                                    (unsigned long long)storage->lead);
    if (storage->kind == STORAGE_PLAIN)
        return text;
    text = arena_printf(
        arena, "%s,%llu,%llu", text, (unsigned long long)storage->pitch,
        (unsigned long long)(storage->kind == STORAGE_PITCHED ? storage->pad : storage->rows));
    if (storage->kind == STORAGE_TRANSPOSED)
        return arena_printf(arena, "%s,%u", text, storage->element);
    for (uint32_t i = 0; i < storage->field_count; i++)
        text = arena_printf(arena, "%s,%u", text, storage->fields[i]);
    return text;
}
