/* Threads that are kept: see threads.h. */
#include "base/threads.h"
#include "base/rescue.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

struct Thread {
    Thread *next; /* that rests, too */
    pthread_t id;
    clockid_t clock;
    double before; /* on its clock, when its work began */
    pthread_mutex_t lock;
    pthread_cond_t changed;     /* run, ends */
    void (*run)(void *context); /* NULL: nothing is left to do */
    void *context;
    bool ends;
};

static struct {
    pthread_mutex_t lock;
    Thread *resting;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *live(void *argument) {
    Thread *thread = argument;
    RescueThread own = {.innermost = NULL};
    rescue_thread(&own);
    pthread_mutex_lock(&thread->lock);
    while (!thread->ends) {
        if (!thread->run) {
            pthread_cond_wait(&thread->changed, &thread->lock);
            continue;
        }
        pthread_mutex_unlock(&thread->lock);
        thread->run(thread->context);
        pthread_mutex_lock(&thread->lock);
        thread->run = NULL;
        pthread_cond_signal(&thread->changed);
    }
    pthread_mutex_unlock(&thread->lock);
    return NULL;
}

/* What an instruction of the thread itself raises cannot wait. */
static bool create(Thread *thread) {
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        sigdelset(&blocked, own[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    bool made = pthread_create(&thread->id, NULL, live, thread) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made && pthread_getcpuclockid(thread->id, &thread->clock) != 0)
        thread->clock = CLOCK_PROCESS_CPUTIME_ID;
    return made;
}

static Thread *make(void (*run)(void *context), void *context) {
    Thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    thread->run = run;
    thread->context = context;
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->changed, NULL);
    if (create(thread))
        return thread;
    free(thread);
    return NULL;
}

Thread *thread_start(void (*run)(void *context), void *context) {
    pthread_mutex_lock(&pool.lock);
    Thread *thread = pool.resting;
    if (thread)
        pool.resting = thread->next;
    pthread_mutex_unlock(&pool.lock);
    if (!thread)
        return make(run, context);
    thread->before = clock_read(thread->clock);
    pthread_mutex_lock(&thread->lock);
    thread->run = run;
    thread->context = context;
    pthread_cond_signal(&thread->changed);
    pthread_mutex_unlock(&thread->lock);
    return thread;
}

void thread_wait(Thread *thread) {
    pthread_mutex_lock(&thread->lock);
    while (thread->run)
        pthread_cond_wait(&thread->changed, &thread->lock);
    pthread_mutex_unlock(&thread->lock);
    pthread_mutex_lock(&pool.lock);
    thread->next = pool.resting;
    pool.resting = thread;
    pthread_mutex_unlock(&pool.lock);
}

double thread_cpu(const Thread *thread) {
    return clock_read(thread->clock) - thread->before;
}

/* ---- the process ---- */

static void before_fork(void) {
    pthread_mutex_lock(&pool.lock);
}

static void in_parent(void) {
    pthread_mutex_unlock(&pool.lock);
}

static void in_child(void) {
    pthread_mutex_init(&pool.lock, NULL);
    for (Thread *thread = pool.resting, *next; thread; thread = next) {
        next = thread->next;
        free(thread);
    }
    pool.resting = NULL;
}

__attribute__((constructor)) static void begin(void) {
    pthread_atfork(before_fork, in_parent, in_child);
}

/* A library may be unloaded, with the code that its threads are in. */
__attribute__((destructor)) static void end(void) {
    pthread_mutex_lock(&pool.lock);
    Thread *resting = pool.resting;
    pool.resting = NULL;
    pthread_mutex_unlock(&pool.lock);
    for (Thread *thread = resting, *next; thread; thread = next) {
        next = thread->next;
        pthread_mutex_lock(&thread->lock);
        thread->ends = true;
        pthread_cond_signal(&thread->changed);
        pthread_mutex_unlock(&thread->lock);
        pthread_join(thread->id, NULL);
        pthread_cond_destroy(&thread->changed);
        pthread_mutex_destroy(&thread->lock);
        free(thread);
    }
}
