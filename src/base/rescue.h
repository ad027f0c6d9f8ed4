/* rescue: a way back from where memory ends, for those that live in processes of others, which must not end with them.
 *
 *     Rescue rescue;
 *     if (RESCUE(&rescue))
 *         work();
 *     else
 *         what there is to do when memory ended in it;
 *     rescue_end(&rescue);
 *
 * out_of_memory comes back to the innermost one of its thread; without one it ends the process.
 *
 * Invariants
 *   - The function that has RESCUE in it returns after rescue_end, and changes no variable of its own between them that it reads in the
 *     second branch.
 *   - Locks that work() took by lock_take are given back, and texts that it was printing (printed_begin) are closed. What it
 *     allocated stays allocated, and what it was changing may be changed half-way: whoever comes back must not use it again. */
#pragma once

#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Rescue Rescue;
struct Rescue {
    jmp_buf at;
    Rescue *outer;
    uint32_t held, open; /* locks and files of the thread when it began */
};

/* What a thread has taken, in the order in which it took it. */
enum { HELD_MOST = 16 }; /* locks, or files, that a thread has at a time, by far */
typedef struct RescueHeld {
    void *at[HELD_MOST];
    uint32_t count; /* beyond HELD_MOST they have no place */
} RescueHeld;

typedef struct RescueThread {
    Rescue *innermost;
    RescueHeld locks, files;
} RescueThread;

/* The first thing that a thread of ours does. *own, zeroed, is where rescue keeps what it knows of the thread, and lasts as long as
 * the thread. For other threads that is a thread-local variable, which the C library allocates at a thread's first access if the
 * library was loaded late; without memory for it the process ends. */
void rescue_thread(RescueThread *own);

#define RESCUE(rescue) (rescue_begin(rescue), setjmp((rescue)->at) == 0)
void rescue_begin(Rescue *rescue);
void rescue_end(Rescue *rescue);
/* Does not return where there is one. */
void rescue_return(void);

/* A file that is to be closed without what it has not written yet, until rescue_let_go. */
void rescue_hold(FILE *file);
void rescue_let_go(FILE *file);

/* As pthread_mutex_lock, pthread_mutex_trylock and pthread_mutex_unlock. */
void lock_take(pthread_mutex_t *lock);
bool lock_try(pthread_mutex_t *lock); /* false: another has it */
void lock_give(pthread_mutex_t *lock);
