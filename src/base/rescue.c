/* Where memory ends: back to who wants to know, with no lock held. */
#include "base/rescue.h"

#include <stdio_ext.h>

enum { LOCKS_MOST = 16, FILES_MOST = 16 }; /* that a thread holds at a time, by far */

static _Thread_local struct {
    Rescue *innermost;
    pthread_mutex_t *held[LOCKS_MOST];
    uint32_t count; /* of those held; beyond LOCKS_MOST they have no place */
    FILE *open[FILES_MOST];
    uint32_t files; /* the same */
} own;

void rescue_begin(Rescue *rescue) {
    rescue->outer = own.innermost;
    rescue->held = own.count;
    rescue->open = own.files;
    own.innermost = rescue;
}

void rescue_end(Rescue *rescue) {
    own.innermost = rescue->outer;
}

void rescue_return(void) {
    Rescue *rescue = own.innermost;
    if (!rescue)
        return;
    while (own.count > rescue->held) {
        own.count--;
        if (own.count < LOCKS_MOST)
            pthread_mutex_unlock(own.held[own.count]);
    }
    while (own.files > rescue->open) {
        own.files--;
        if (own.files < FILES_MOST) {
            __fpurge(own.open[own.files]);
            fclose(own.open[own.files]);
        }
    }
    own.innermost = rescue->outer; /* memory may end again in what is done then */
    longjmp(rescue->at, 1);
}

void rescue_hold(FILE *file) {
    if (own.files < FILES_MOST)
        own.open[own.files] = file;
    own.files++;
}

void rescue_let_go(FILE *file) {
    uint32_t known = own.files < FILES_MOST ? own.files : FILES_MOST;
    for (uint32_t i = known; i-- > 0;)
        if (own.open[i] == file) {
            for (; i + 1 < known; i++)
                own.open[i] = own.open[i + 1];
            break;
        }
    own.files -= own.files > 0;
}

void lock_take(pthread_mutex_t *lock) {
    pthread_mutex_lock(lock);
    if (own.count < LOCKS_MOST)
        own.held[own.count] = lock;
    own.count++;
}

/* Mostly the last one that was taken. */
void lock_give(pthread_mutex_t *lock) {
    uint32_t known = own.count < LOCKS_MOST ? own.count : LOCKS_MOST;
    for (uint32_t i = known; i-- > 0;)
        if (own.held[i] == lock) {
            for (; i + 1 < known; i++)
                own.held[i] = own.held[i + 1];
            break;
        }
    own.count -= own.count > 0;
    pthread_mutex_unlock(lock);
}
