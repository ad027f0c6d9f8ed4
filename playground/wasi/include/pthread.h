/* pthread.h: POSIX threads where there is one thread, as far as warplens asks: a lock is free or it is ours, and no
 * thread can be started (base/workers.c then runs the jobs one after the other). */
#pragma once

#define __NEED_pthread_t
#define __NEED_pthread_mutex_t
#define __NEED_pthread_once_t
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
#define PTHREAD_ONCE_INIT 0

static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes) {
    (void)attributes;
    lock->__u.__i[0] = 0;
    return 0;
}
static inline int pthread_mutex_destroy(pthread_mutex_t *lock) {
    (void)lock;
    return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *lock) {
    lock->__u.__i[0] = 1;
    return 0;
}
static inline int pthread_mutex_trylock(pthread_mutex_t *lock) {
    if (lock->__u.__i[0])
        return EBUSY;
    return pthread_mutex_lock(lock);
}
static inline int pthread_mutex_unlock(pthread_mutex_t *lock) {
    lock->__u.__i[0] = 0;
    return 0;
}
static inline int pthread_once(pthread_once_t *once, void (*run)(void)) {
    if (!*once)
        run();
    *once = 1;
    return 0;
}
static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*run)(void *),
                                 void *argument) {
    (void)thread, (void)attributes, (void)run, (void)argument;
    return EAGAIN;
}
static inline int pthread_join(pthread_t thread, void **result) {
    (void)thread, (void)result;
    return ESRCH;
}
static inline int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
    (void)thread, (void)clock;
    return ESRCH;
}
