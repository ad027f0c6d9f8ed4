/* Waiting for the GPU. */
#include "probe/inject/inject.h"

const char *stream_wait(Probe *probe, SanStream *stream) {
    probe_unlock(probe);
    SanResult result = probe->san.wait(stream);
    const char *failed = result ? sanitizer_text(&probe->san, result) : NULL;
    probe_lock(probe);
    return failed;
}
