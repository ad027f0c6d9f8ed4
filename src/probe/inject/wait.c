/* Waiting for the GPU. */
#include "probe/inject/inject.h"

const char *stream_wait(Probe *probe, SanStream *stream) {
    pthread_mutex_unlock(&probe->lock);
    SanResult result = probe->san.wait(stream);
    pthread_mutex_lock(&probe->lock);
    return result ? sanitizer_text(&probe->san, result) : NULL;
}
