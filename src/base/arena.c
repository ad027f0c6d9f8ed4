/* Arenas: chunks of zeroed memory, handed out from the front, freed all at once. */
#include "base/base.h"
#include "base/rescue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* Of an arena's first chunk, of its second, of each further one. Many arenas are for one message or one launch, and clearing
 * 64 KiB would be what these cost; 1 KiB comes from the C library's lists of pieces that were just freed. */
enum { FIRST_BYTES = 896, SECOND_BYTES = 4 * 1024, CHUNK_BYTES = 64 * 1024 };

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *next;
    void *memory;      /* what it lies in */
    size_t size, used; /* of data */
    _Alignas(64) unsigned char data[];
};

struct Arena {
    Chunk *chunks; /* the newest first */
    size_t used;
};

__attribute__((weak)) _Noreturn void out_of_memory(void) {
    rescue_return();
    fputs("warplens: out of memory\n", stderr);
    abort();
}

Arena *arena_new(void) {
    Arena *arena = malloc(sizeof *arena);
    if (!arena)
        out_of_memory();
    *arena = (Arena){0};
    return arena;
}

void arena_free(Arena *arena) {
    if (!arena)
        return;
    for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk->memory);
    }
    free(arena);
}

void arena_clear(Arena *arena) {
    Chunk *kept = NULL;
    for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        if (!kept && chunk->size <= CHUNK_BYTES) {
            kept = chunk;
            continue;
        }
        free(chunk->memory);
    }
    if (kept) {
        memset(kept->data, 0, kept->used);
        kept->used = 0;
        kept->next = NULL;
    }
    arena->chunks = kept;
    arena->used = 0;
}

/* calloc, because the system's fresh pages are zero: a large piece costs what is touched of it. But it does not look at what
 * was just freed, where malloc finds small pieces at once. */
static void *zeroed(size_t size) {
    void *memory = size > FIRST_BYTES + sizeof(Chunk) + 63 ? calloc(1, size) : malloc(size);
    if (!memory)
        out_of_memory();
    return size > FIRST_BYTES + sizeof(Chunk) + 63 ? memory : memset(memory, 0, size);
}

static Chunk *chunk_add(Arena *arena, size_t least) {
    const Chunk *last = arena->chunks;
    size_t usual = !last ? FIRST_BYTES : last->size < SECOND_BYTES ? SECOND_BYTES : CHUNK_BYTES;
    size_t size = least > usual ? least : usual;
    size_t whole = (sizeof(Chunk) + size + 63) & ~(size_t)63;
    if (whole < size)
        out_of_memory();
    void *memory = zeroed(whole + 63);
    Chunk *chunk = (Chunk *)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
    chunk->memory = memory;
    chunk->size = whole - sizeof(Chunk);
    /* A chunk made for one large piece goes behind the current one, which still has room. */
    if (least > CHUNK_BYTES / 4 && arena->chunks) {
        chunk->next = arena->chunks->next;
        arena->chunks->next = chunk;
    } else {
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    return chunk;
}

void *arena_alloc_aligned(Arena *arena, size_t size, size_t alignment) {
    assert(alignment && (alignment & (alignment - 1)) == 0 && alignment <= 64);
    Chunk *chunk = arena->chunks;
    size_t start = chunk ? (chunk->used + alignment - 1) & ~(alignment - 1) : 0;
    if (!chunk || start > chunk->size || chunk->size - start < size) {
        chunk = chunk_add(arena, size);
        start = 0;
    }
    chunk->used = start + size;
    arena->used += size;
    return chunk->data + start;
}

void *arena_alloc(Arena *arena, size_t size) {
    return arena_alloc_aligned(arena, size, 16);
}

char *arena_copy(Arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc_aligned(arena, length + 1, 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_vprintf(Arena *arena, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    assert(length >= 0);
    char *text = arena_alloc_aligned(arena, (size_t)length + 1, 1);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

char *arena_printf(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

size_t arena_used(const Arena *arena) {
    return arena->used;
}

/* A long array is filled from its beginning to where it is copied to one of twice its size: the system need not be asked for each
 * small page of it. */
static void use_large_pages(void *at, size_t bytes) {
#ifdef __linux__
    enum { PAGE = 2 << 20, LEAST = 2 * PAGE };
    const uintptr_t first = ((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    const uintptr_t end = ((uintptr_t)at + bytes) & ~(uintptr_t)(PAGE - 1);
    if (bytes >= LEAST && end > first)
        madvise((void *)first, end - first, MADV_HUGEPAGE); /* or small ones, as before */
#else
    (void)at, (void)bytes;
#endif
}

void *vec_reserve(Arena *arena, void *at, size_t element_size, uint32_t count, uint32_t *capacity) {
    if (count < *capacity)
        return at;
    uint32_t larger = *capacity ? *capacity * 2 : 8;
    assert(larger > *capacity);
    void *moved = arena_alloc_aligned(arena, larger * element_size, 64);
    use_large_pages(moved, larger * element_size);
    if (count)
        memcpy(moved, at, count * element_size);
    *capacity = larger;
    return moved;
}
