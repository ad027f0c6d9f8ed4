/* Whose turn it is to run a kernel, or to change what kernels see. */
#include "cuda/objects.h"

void turn_take(Core *core) {
    pthread_mutex_lock(&core->turn);
    while (core->taken)
        pthread_cond_wait(&core->turns, &core->turn);
    core->taken = true;
    pthread_mutex_unlock(&core->turn);
}

void turn_give(Core *core) {
    pthread_mutex_lock(&core->turn);
    core->taken = false;
    pthread_cond_signal(&core->turns);
    pthread_mutex_unlock(&core->turn);
}
