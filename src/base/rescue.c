/* Where memory ends: back to who wants to know, with no lock held. */
#include "base/rescue.h"

#include <stdio_ext.h>

static _Thread_local RescueThread of_thread;
static pthread_key_t key; /* of what was given to rescue_thread */
static bool has_key;

__attribute__((constructor)) static void make_key(void) {
    has_key = pthread_key_create(&key, NULL) == 0;
}

void rescue_thread(RescueThread *own) {
    if (has_key)
        (void)!pthread_setspecific(key, own);
}

static RescueThread *own(void) {
    RescueThread *given = has_key ? pthread_getspecific(key) : NULL;
    return given ? given : &of_thread;
}

static void add(RescueHeld *held, void *one) {
    if (held->count < HELD_MOST)
        held->at[held->count] = one;
    held->count++;
}

/* Mostly the last one that was taken. */
static void take_out(RescueHeld *held, const void *one) {
    uint32_t known = held->count < HELD_MOST ? held->count : HELD_MOST;
    for (uint32_t i = known; i-- > 0;)
        if (held->at[i] == one) {
            for (; i + 1 < known; i++)
                held->at[i] = held->at[i + 1];
            break;
        }
    held->count -= held->count > 0;
}

/* The last one; NULL: it has no place. */
static void *take_last(RescueHeld *held) {
    held->count--;
    return held->count < HELD_MOST ? held->at[held->count] : NULL;
}

void rescue_begin(Rescue *rescue) {
    RescueThread *thread = own();
    rescue->outer = thread->innermost;
    rescue->held = thread->locks.count;
    rescue->open = thread->files.count;
    thread->innermost = rescue;
}

void rescue_end(Rescue *rescue) {
    own()->innermost = rescue->outer;
}

void rescue_return(void) {
    RescueThread *thread = own();
    Rescue *rescue = thread->innermost;
    if (!rescue)
        return;
    while (thread->locks.count > rescue->held) {
        pthread_mutex_t *lock = take_last(&thread->locks);
        if (lock)
            pthread_mutex_unlock(lock);
    }
    while (thread->files.count > rescue->open) {
        FILE *file = take_last(&thread->files);
        if (file) {
            __fpurge(file);
            fclose(file);
        }
    }
    thread->innermost = rescue->outer; /* memory may end again in what is done then */
    longjmp(rescue->at, 1);
}

void rescue_hold(FILE *file) {
    add(&own()->files, file);
}

void rescue_let_go(FILE *file) {
    take_out(&own()->files, file);
}

void lock_take(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    add(&own()->locks, lock);
}

bool lock_try(pthread_mutex_t *lock) {
    if (pthread_mutex_trylock(lock) != 0)
        return false;
    add(&own()->locks, lock);
    return true;
}

void lock_give(pthread_mutex_t *lock) {
    take_out(&own()->locks, lock);
    pthread_mutex_unlock(lock);
}
