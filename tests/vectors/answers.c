/* Reading and writing answers; the format is in answers.h. */
#include "answers.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

static const char magic[] = "WLANSWERS1\n";
enum { MAGIC_BYTES = sizeof magic - 1, LARGEST = 1 << 28 };

enum { KEPT = 64 }; /* cases of each slot */

uint32_t piece_hash(const uint8_t *results, uint32_t cases, uint32_t bytes, uint32_t piece) {
    const size_t size = (size_t)cases * bytes / PIECES;
    return (uint32_t)bytes_hash(results + piece * size, size, 0);
}

/* ---- writing ---- */

static void put_u32(FILE *out, uint32_t value) {
    fwrite(&value, 1, sizeof value, out);
}

typedef enum Part { PART_NAME, PART_HASHES, PART_FIRST } Part;

static void write_part(FILE *out, const Kernel *kernel, const Slot *slot, const uint8_t *results,
                       Part part) {
    switch (part) {
    case PART_NAME:
        fwrite(slot->name, 1, strlen(slot->name) + 1, out);
        put_u32(out, kernel->cases);
        put_u32(out, slot->bytes);
        put_u32(out, KEPT);
        break;
    case PART_HASHES:
        for (uint32_t i = 0; i < PIECES; i++)
            put_u32(out, piece_hash(results, kernel->cases, slot->bytes, i));
        break;
    default:
        fwrite(results, slot->bytes, KEPT, out);
    }
}

static void write_all(FILE *out, const Plan *plan, const uint8_t *results) {
    uint32_t slots = 0;
    for (uint32_t k = 0; k < plan->kernels.count; k++)
        slots += plan->kernels.at[k]->slots.count;
    fwrite(magic, 1, MAGIC_BYTES, out);
    put_u32(out, slots);
    for (Part part = PART_NAME; part <= PART_FIRST; part++) {
        const uint8_t *at = results;
        for (uint32_t k = 0; k < plan->kernels.count; k++) {
            const Kernel *kernel = plan->kernels.at[k];
            for (uint32_t s = 0; s < kernel->slots.count; s++) {
                const Slot *slot = &kernel->slots.at[s];
                write_part(out, kernel, slot, at + slot->offset, part);
            }
            at += kernel->out_bytes;
        }
    }
}

bool answers_write(Arena *arena, const Plan *plan, const uint8_t *results, const char *path) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    write_all(out, plan, results);
    fclose(out);
    const size_t most = ZSTD_compressBound(length);
    uint8_t *packed = arena_alloc(arena, most);
    const size_t size = ZSTD_compress(packed, most, text, length, ZSTD_maxCLevel());
    free(text);
    return !ZSTD_isError(size) && file_write(path, packed, size);
}

/* ---- reading ---- */

typedef struct Reader {
    const uint8_t *at, *end;
} Reader;

/* NULL: there are not that many. */
static const uint8_t *take(Reader *reader, size_t bytes) {
    if ((size_t)(reader->end - reader->at) < bytes)
        return NULL;
    reader->at += bytes;
    return reader->at - bytes;
}

static uint32_t take_u32(Reader *reader) {
    uint32_t value = 0;
    const uint8_t *at = take(reader, sizeof value);
    if (at)
        memcpy(&value, at, sizeof value);
    return value;
}

static bool take_name(Reader *reader, const char **name) {
    const uint8_t *end = memchr(reader->at, 0, (size_t)(reader->end - reader->at));
    if (!end)
        return false;
    *name = (const char *)reader->at;
    reader->at = end + 1;
    return true;
}

static bool read_all(Arena *arena, Reader *reader, Answers *answers) {
    const uint8_t *begin = take(reader, MAGIC_BYTES);
    if (!begin || memcmp(begin, magic, MAGIC_BYTES) != 0)
        return false;
    const uint32_t slots = take_u32(reader);
    for (uint32_t i = 0; i < slots; i++) {
        Answer answer = {0};
        if (!take_name(reader, &answer.name))
            return false;
        answer.cases = take_u32(reader);
        answer.bytes = take_u32(reader);
        answer.kept = take_u32(reader);
        *vec_add(arena, &answers->list) = answer;
        map_put(answers->by_name, str_of(answer.name), i);
    }
    for (uint32_t i = 0; i < slots; i++)
        for (uint32_t piece = 0; piece < PIECES; piece++)
            answers->list.at[i].hashes[piece] = take_u32(reader);
    for (uint32_t i = 0; i < slots; i++) {
        Answer *answer = &answers->list.at[i];
        answer->first = take(reader, (size_t)answer->kept * answer->bytes);
        if (!answer->first)
            return false;
    }
    return true;
}

const Answers *answers_read(Arena *arena, const char *path) {
    size_t size = 0;
    char *packed = file_read(arena, path, &size);
    if (!packed)
        return NULL;
    const unsigned long long length = ZSTD_getFrameContentSize(packed, size);
    if (length > LARGEST)
        return NULL;
    uint8_t *text = arena_alloc(arena, length);
    if (ZSTD_isError(ZSTD_decompress(text, length, packed, size)))
        return NULL;
    Answers *answers = NEW(arena, Answers);
    answers->by_name = map_new(arena);
    Reader reader = {text, text + length};
    return read_all(arena, &reader, answers) ? answers : NULL;
}

const Answer *answer_find(const Answers *answers, const Slot *slot, uint32_t cases) {
    uint64_t index;
    if (!map_get(answers->by_name, str_of(slot->name), &index))
        return NULL;
    const Answer *answer = &answers->list.at[index];
    return answer->cases == cases && answer->bytes == slot->bytes ? answer : NULL;
}
