/* pthread.h: POSIX threads, as far as warplens asks, over WebAssembly's shared memory (threads.c). Threads are begun by
 * base/threads.h alone. */
#pragma once

#define __NEED_pthread_mutex_t
#define __NEED_pthread_key_t
#include <bits/alltypes.h>
#include <errno.h>
#include <sched.h>
#include <time.h>

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
    {                                                                                              \
        {                                                                                          \
            { 0 }                                                                                  \
        }                                                                                          \
    }

int pthread_mutex_lock(pthread_mutex_t *lock);
int pthread_mutex_trylock(pthread_mutex_t *lock); /* EBUSY: another has it */
int pthread_mutex_unlock(pthread_mutex_t *lock);

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes) {
    (void)attributes;
    lock->__u.__i[0] = 0;
    return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *lock) {
    (void)lock;
    return 0;
}
/* There are no keys: variables of a thread are enough (base/rescue.c). */
static inline int pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
    (void)key, (void)destroy;
    return EAGAIN;
}
static inline int pthread_setspecific(pthread_key_t key, const void *value) {
    (void)key, (void)value;
    return EINVAL;
}
static inline void *pthread_getspecific(pthread_key_t key) {
    (void)key;
    return NULL;
}
