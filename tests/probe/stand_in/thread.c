/* A thread that a tool puts into every process that it is loaded into, and that takes what signals there are. */
#include <pthread.h>
#include <unistd.h>

static void *wait_for_ever(void *nothing) {
    for (;;)
        pause();
    return nothing;
}

__attribute__((constructor)) static void begin(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) == 0)
        pthread_detach(thread);
}
