/* Where memory ends: back to who wants to know, with no lock held. */
#include "base/rescue.h"

#include <stdio_ext.h>

enum { HELD_MOST = 16 }; /* locks, or files, that a thread has at a time, by far */

/* What a thread has, in the order in which it took it. */
typedef struct Held {
    void *at[HELD_MOST];
    uint32_t count; /* beyond HELD_MOST they have no place */
} Held;

static _Thread_local struct {
    Rescue *innermost;
    Held locks, files;
} own;

static void add(Held *held, void *one) {
    if (held->count < HELD_MOST)
        held->at[held->count] = one;
    held->count++;
}

/* Mostly the last one that was taken. */
static void take_out(Held *held, const void *one) {
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
static void *take_last(Held *held) {
    held->count--;
    return held->count < HELD_MOST ? held->at[held->count] : NULL;
}

void rescue_begin(Rescue *rescue) {
    rescue->outer = own.innermost;
    rescue->held = own.locks.count;
    rescue->open = own.files.count;
    own.innermost = rescue;
}

void rescue_end(Rescue *rescue) {
    own.innermost = rescue->outer;
}

void rescue_return(void) {
    Rescue *rescue = own.innermost;
    if (!rescue)
        return;
    while (own.locks.count > rescue->held) {
        pthread_mutex_t *lock = take_last(&own.locks);
        if (lock)
            pthread_mutex_unlock(lock);
    }
    while (own.files.count > rescue->open) {
        FILE *file = take_last(&own.files);
        if (file) {
            __fpurge(file);
            fclose(file);
        }
    }
    own.innermost = rescue->outer; /* memory may end again in what is done then */
    longjmp(rescue->at, 1);
}

void rescue_hold(FILE *file) {
    add(&own.files, file);
}

void rescue_let_go(FILE *file) {
    take_out(&own.files, file);
}

void lock_take(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    add(&own.locks, lock);
}

bool lock_try(pthread_mutex_t *lock) {
    if (pthread_mutex_trylock(lock) != 0)
        return false;
    add(&own.locks, lock);
    return true;
}

void lock_give(pthread_mutex_t *lock) {
    take_out(&own.locks, lock);
    pthread_mutex_unlock(lock);
}
