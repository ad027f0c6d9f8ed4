/* Whose turn it is to run a kernel, or to change what kernels see. */
#include "base/rescue.h"
#include "cuda/state.h"

void turn_take(Core *core) {
    lock_take(&core->turn);
    while (core->taken)
        pthread_cond_wait(&core->turns, &core->turn);
    core->taken = true;
    lock_give(&core->turn);
}

void turn_give(Core *core) {
    lock_take(&core->turn);
    core->taken = false;
    pthread_cond_signal(&core->turns);
    lock_give(&core->turn);
}
