/* Threads in WebAssembly's shared memory. A helper is an instance of the same module in another Web Worker, which the page has started
 * beforehand: none begins while this one does not return to its events. It waits for a Thread to run (../page/threads.mjs).
 * Where the page gave no helpers none can be started, and base/workers.c runs the jobs one after the other.
 *
 * Debian's wasi-libc is made for one thread. What helpers of warplens use of it beside arithmetic is the heap, which has a lock (heap.c), and
 * standard output, under a lock of their launch; the first thread passes on what they print. Files are the first thread's alone. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wasi/api.h>

#include "base/threads.h"

#define IMPORT(name) __attribute__((import_module("warplens"), import_name(#name)))

enum { STACK_BYTES = 2 << 20, LEAST_ALIGN = 16 };
enum { RUNNING, ENDED, DIED }; /* Thread.state, which helpers write: threads.mjs */

/* A helper enters by the table of functions, with its own stack: the linker makes an exported function begin and end the
 * program, too (constructors, exit handlers), as each export of a command does. */
struct Thread {
    _Atomic int state;                    /* these three are read in threads.mjs */
    void (*enter)(const struct Thread *); /* its number in the table */
    uint8_t *stack_end;                   /* stacks grow downwards */
    void (*run)(void *);
    void *argument;
    uint8_t *stack, *tls;
};

IMPORT(start) int host_start(Thread *thread); /* 0: there is no helper, or each is at work */
void __wasm_init_tls(void *block);            /* the linker's */

/* ---- locks: 0 free, 1 taken, 2 taken and waited for ---- */

/* A function of its own: code of V8's first tier (11.3, of Node.js 20) overwrites a variable that lives across a wait, with the upper half of the
 * address, which it writes as 64 bits into a place of 32. */
__attribute__((noinline)) static void wait_while(_Atomic int *at, int value) {
    __builtin_wasm_memory_atomic_wait32((int *)at, value, -1);
}

static _Atomic int *word(pthread_mutex_t *lock) {
    return (_Atomic int *)&lock->__u.__i[0];
}

static void lock_word(_Atomic int *at) {
    int seen = 0;
    if (atomic_compare_exchange_strong(at, &seen, 1))
        return;
    while (atomic_exchange(at, 2) != 0)
        wait_while(at, 2);
}

static void unlock_word(_Atomic int *at) {
    if (atomic_exchange(at, 0) == 2)
        __builtin_wasm_memory_atomic_notify((int *)at, 1);
}

int pthread_mutex_lock(pthread_mutex_t *lock) {
    lock_word(word(lock));
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *lock) {
    int seen = 0;
    return atomic_compare_exchange_strong(word(lock), &seen, 1) ? 0 : EBUSY;
}

int pthread_mutex_unlock(pthread_mutex_t *lock) {
    unlock_word(word(lock));
    return 0;
}

/* ---- threads: helpers are kept, not what runs on them ---- */

static void pass_on(void);
static void enter(const Thread *thread);

static void thread_free(Thread *thread) {
    free(thread->stack);
    free(thread->tls);
    free(thread);
}

Thread *thread_start(void (*run)(void *context), void *context) {
    Thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    size_t tls = (__builtin_wasm_tls_size() + LEAST_ALIGN - 1) / LEAST_ALIGN * LEAST_ALIGN;
    thread->enter = enter;
    thread->run = run;
    thread->argument = context;
    thread->stack = aligned_alloc(LEAST_ALIGN, STACK_BYTES);
    thread->tls = aligned_alloc(LEAST_ALIGN, tls ? tls : LEAST_ALIGN);
    thread->stack_end = thread->stack + (thread->stack ? STACK_BYTES : 0);
    if (thread->stack && thread->tls && host_start(thread))
        return thread;
    thread_free(thread);
    return NULL;
}

/* A thread that died has left what it was doing half-way: so does the program. */
void thread_wait(Thread *thread) {
    while (atomic_load(&thread->state) == RUNNING)
        wait_while(&thread->state, RUNNING);
    pass_on();
    if (thread->state == DIED)
        abort();
    thread_free(thread);
}

double thread_cpu(const Thread *thread) {
    (void)thread;
    return 0;
}

static _Thread_local bool helps;

/* Called in the helper. */
static void enter(const Thread *thread) {
    __wasm_init_tls(thread->tls);
    helps = true;
    thread->run(thread->argument);
}

/* ---- what helpers print: it waits until the first thread prints, too, or joins them ---- */

typedef struct Said {
    struct Said *next;
    __wasi_fd_t stream;
    size_t size;
    uint8_t bytes[];
} Said;

static Said *said, **said_last = &said;
static _Atomic int said_lock;

__wasi_errno_t __real___wasi_fd_write(__wasi_fd_t file, const __wasi_ciovec_t *parts, size_t count,
                                      __wasi_size_t *done);
__wasi_errno_t __wrap___wasi_fd_write(__wasi_fd_t file, const __wasi_ciovec_t *parts, size_t count,
                                      __wasi_size_t *done);

static void say_later(__wasi_fd_t stream, const __wasi_ciovec_t *part) {
    Said *made = malloc(sizeof *made + part->buf_len);
    if (!made)
        return;
    *made = (Said){.stream = stream, .size = part->buf_len};
    memcpy(made->bytes, part->buf, part->buf_len);
    lock_word(&said_lock);
    *said_last = made;
    said_last = &made->next;
    unlock_word(&said_lock);
}

static void pass_on(void) {
    __wasi_size_t done;
    lock_word(&said_lock);
    for (Said *at = said, *next; at; at = next) {
        next = at->next;
        __real___wasi_fd_write(at->stream, &(__wasi_ciovec_t){at->bytes, at->size}, 1, &done);
        free(at);
    }
    said = NULL;
    said_last = &said;
    unlock_word(&said_lock);
}

__wasi_errno_t __wrap___wasi_fd_write(__wasi_fd_t file, const __wasi_ciovec_t *parts, size_t count,
                                      __wasi_size_t *done) {
    if (!helps) {
        pass_on();
        return __real___wasi_fd_write(file, parts, count, done);
    }
    *done = 0;
    for (size_t i = 0; i < count; i++) {
        say_later(file, &parts[i]);
        *done += parts[i].buf_len;
    }
    return 0;
}
