/* The table of texture and surface objects of a device. A handle is the number of a row and how often
 * that row was given out before (modulo 4095), so that a stale one is recognised; machine code keeps 32 bits of it, as
 * GPUs have them. Rows never move: kernels look
 * handles up while other threads create and destroy. */
#include "base/rescue.h"
#include "exec/memory/memory.h"

#include <stdlib.h>

enum { ROW_BITS = 20, ROWS_MOST = 1 << ROW_BITS, ROWS_PAGE = 1024, TIMES_MOST = 4095 };
#define ROW_MASK ((UINT64_C(1) << ROW_BITS) - 1)

typedef struct Row {
    Texture texture;
    uint64_t handle; /* 0: free */
    uint64_t times;  /* given out */
    uint32_t next;   /* free: the next one, plus one; 0: the last */
} Row;

struct TextureTable {
    pthread_mutex_t lock;
    Row *pages[ROWS_MOST / ROWS_PAGE];
    uint32_t count; /* rows that were ever used */
    uint32_t spare; /* the first free one, plus one */
};

static TextureTable *table_new(void) {
    TextureTable *table = calloc(1, sizeof *table);
    if (table)
        pthread_mutex_init(&table->lock, NULL);
    return table;
}

void texture_table_free(TextureTable *table) {
    if (!table)
        return;
    for (uint32_t i = 0; i < ROWS_MOST / ROWS_PAGE; i++)
        free(table->pages[i]);
    pthread_mutex_destroy(&table->lock);
    free(table);
}

static Row *row_at(const TextureTable *table, uint32_t number) {
    Row *page = __atomic_load_n(&table->pages[number / ROWS_PAGE], __ATOMIC_ACQUIRE);
    return page ? &page[number % ROWS_PAGE] : NULL;
}

static Row *row_take(TextureTable *table, uint32_t *number) {
    if (table->spare) {
        *number = table->spare - 1;
        Row *row = row_at(table, *number);
        table->spare = row->next;
        return row;
    }
    if (table->count == ROWS_MOST)
        return NULL;
    *number = table->count;
    if (!table->pages[*number / ROWS_PAGE]) {
        Row *page = calloc(ROWS_PAGE, sizeof *page);
        if (!page)
            return NULL;
        __atomic_store_n(&table->pages[*number / ROWS_PAGE], page, __ATOMIC_RELEASE);
    }
    table->count++;
    return row_at(table, *number);
}

/* The table of a device; NULL: nobody has made one. Kernels look handles up for each read: no lock. */
static TextureTable *table_of(const Memory *memory) {
    return __atomic_load_n(&memory->textures, __ATOMIC_ACQUIRE);
}

static TextureTable *table_made(Memory *memory) {
    lock_take(&memory->heap_lock);
    if (!memory->textures)
        __atomic_store_n(&memory->textures, table_new(), __ATOMIC_RELEASE);
    lock_give(&memory->heap_lock);
    return table_of(memory);
}

uint64_t texture_add(Memory *memory, const Texture *texture) {
    TextureTable *table = table_made(memory);
    if (!table)
        return 0;
    uint32_t number;
    lock_take(&table->lock);
    Row *row = row_take(table, &number);
    uint64_t handle = 0;
    if (row) {
        row->times = row->times % TIMES_MOST + 1;
        handle = row->times << ROW_BITS | number;
        row->texture = *texture;
        __atomic_store_n(&row->handle, handle, __ATOMIC_RELEASE);
    }
    lock_give(&table->lock);
    return handle;
}

uint32_t texture_row(uint64_t handle) {
    return (uint32_t)(handle & ROW_MASK);
}

static Row *row_of(const TextureTable *table, uint64_t handle) {
    Row *row = handle ? row_at(table, (uint32_t)(handle & ROW_MASK)) : NULL;
    return row && __atomic_load_n(&row->handle, __ATOMIC_ACQUIRE) == handle ? row : NULL;
}

bool texture_remove(Memory *memory, uint64_t handle) {
    TextureTable *table = table_of(memory);
    if (!table)
        return false;
    lock_take(&table->lock);
    Row *row = row_of(table, handle);
    if (row) {
        __atomic_store_n(&row->handle, 0, __ATOMIC_RELEASE);
        row->next = table->spare;
        table->spare = (uint32_t)(handle & ROW_MASK) + 1;
    }
    lock_give(&table->lock);
    return row != NULL;
}

const Texture *texture_find(Memory *memory, uint64_t handle) {
    const TextureTable *table = table_of(memory);
    const Row *row = table ? row_of(table, handle) : NULL;
    return row ? &row->texture : NULL;
}
