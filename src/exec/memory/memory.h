/* memory.h: what device memory consists of, for the files of this room and the table of textures; exec.h
 * has what others do with it. */
#pragma once

#include "exec/texture/texture.h"

#include <pthread.h>

enum {
    BLOCKS_MOST = 1 << 24,
    ADOPTED_MOST = 1 << 16,
    CLASSES = 4 * 64, /* of sizes: four for each power of two */
};

/* What only writers look at. */
typedef struct MemorySlot {
    uint32_t next; /* released: the next one of its class */
    bool released;
    bool shared; /* its pages are those of `file` (share.c) */
    int file;
    uint64_t bytes; /* that it had when it was released */
    char name[40];
} MemorySlot;

struct Memory {
    pthread_mutex_t lock;
    uint8_t *base;
    uint64_t reserved, used, limit; /* limit: what reserved may grow to */
    MemoryBlock *blocks;            /* [most], by address; bytes == 0: released */
    MemorySlot *slots;              /* [most] */
    uint32_t count, most;
    uint32_t free[CLASSES]; /* the first released slot, or NONE */
    MemoryBlock *adopted;   /* [ADOPTED_MOST], in no order; bytes == 0: free */
    uint32_t adopted_count;
    Heap *heap;                /* of kernels; NULL: not asked for yet */
    TextureTable *textures;    /* NULL: none yet */
    uint64_t grid_barrier;     /* 0: none yet */
    pthread_mutex_t heap_lock; /* of these three */
};

/* ---- space.c ---- */

/* Of *limit bytes at most the first *bytes, which read as zero and take memory when they are written; NULL: there are none. */
uint8_t *space_reserve(uint64_t *bytes, uint64_t *limit);
void space_release(uint8_t *base, uint64_t bytes, uint64_t used); /* used: what was written */
void *space_take(uint64_t bytes);                                 /* likewise, anywhere */
void space_give(void *at, uint64_t bytes);                        /* NULL is allowed */
/* These bytes will be filled: they may have large pages, of which a table of the processor holds more. */
void space_large(uint64_t address, uint64_t bytes);
uint32_t space_blocks(uint64_t limit); /* of it at most: what tables have room for */
/* Reserves more, so that `end` bytes are there; false: there is no more. The caller holds the lock. */
bool memory_grow(Memory *memory, uint64_t end);

/* ---- share.c ---- */

typedef struct PageSpan { /* whole pages */
    void *at;
    uint64_t bytes;
} PageSpan;
PageSpan pages_of(uint64_t address, uint64_t bytes);
int pages_share(PageSpan span); /* the file that they are in from now on; -1: as before */
void pages_unshare(PageSpan span, int file); /* private again, and empty */
