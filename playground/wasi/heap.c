/* The heap of several threads: wasi-libc's, which is made for one, under a lock (the linker's --wrap), and where it grows.
 *
 * Memory that threads share must not grow while they run. An engine tells other threads late that it has (V8 with an interrupt, for
 * which each instance has a length of its own), and until then what asks for that length traps beyond the old one: atomic operations,
 * memory.copy, memory.fill, and the views of JavaScript. So such memory has its whole size from the beginning (../page/memory.mjs), of which
 * the system gives what is written; what is taken of it is counted here. Memory of one thread grows. */
#include "heap.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAGE_BYTES = 1 << 16 };

extern uint8_t __heap_base; /* the linker's: behind all variables and the first stack */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t end; /* of what is taken, in whole pages; 0: nothing is */

/* In place of wasi-libc's, which grows memory each time. The caller has the lock. */
void *sbrk(intptr_t increment) {
    if (!end)
        end = ((uintptr_t)&__heap_base + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    uintptr_t begin = end, pages = (uintptr_t)increment / PAGE_BYTES;
    uintptr_t need = begin / PAGE_BYTES + pages, have = __builtin_wasm_memory_size(0);
    if (increment < 0 || (uintptr_t)increment % PAGE_BYTES ||
        (need > have && __builtin_wasm_memory_grow(0, need - have) == SIZE_MAX)) {
        errno = ENOMEM;
        return (void *)-1;
    }
    end = need * PAGE_BYTES;
    return (void *)begin;
}

uint8_t *heap_beside(uint32_t bytes) {
    pthread_mutex_lock(&lock);
    void *begin = sbrk((intptr_t)bytes);
    pthread_mutex_unlock(&lock);
    return begin == (void *)-1 ? NULL : begin;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *block, size_t bytes);
void *__real_aligned_alloc(size_t align, size_t bytes);
void __real_free(void *block);

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *block, size_t bytes);
void *__wrap_aligned_alloc(size_t align, size_t bytes);
void __wrap_free(void *block);

#define LOCKED(call)                                                                               \
    do {                                                                                           \
        pthread_mutex_lock(&lock);                                                                 \
        void *made = __real_##call;                                                                \
        pthread_mutex_unlock(&lock);                                                               \
        return made;                                                                               \
    } while (0)

void *__wrap_malloc(size_t bytes) {
    LOCKED(malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes) {
    LOCKED(calloc(count, bytes));
}

void *__wrap_realloc(void *block, size_t bytes) {
    LOCKED(realloc(block, bytes));
}

void *__wrap_aligned_alloc(size_t align, size_t bytes) {
    LOCKED(aligned_alloc(align, bytes));
}

void __wrap_free(void *block) {
    pthread_mutex_lock(&lock);
    __real_free(block);
    pthread_mutex_unlock(&lock);
}
