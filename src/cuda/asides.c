/* What is not done yet: work that waits, and what comes behind it in the order of streams (aside.c enqueues it and does it). Who
 * may go on, and who has to wait for what. */
#include "base/rescue.h"
#include "cuda/aside.h"
#include "cuda/device.h"
#include "cuda/precedence.h"
#include "cuda/state.h"
#include "cuda/stream.h"

static __thread Aside *current; /* on its own thread */

static struct Asides *all(void) {
    return &core_get()->asides;
}

Aside *aside_current(void) {
    return current;
}

void aside_begin(Aside *aside) {
    current = aside;
}

bool asides_end(void) {
    return all()->ending;
}

/* ---- the order of streams (under the lock) ---- */

bool asides_pend(const struct Asides *asides, uint64_t number) {
    for (const Aside *aside = asides->first; aside; aside = aside->next)
        if (aside->number == number)
            return true;
    return false;
}

/* The default streams of all devices have the same ids. */
uint64_t aside_stream(const struct Stream *stream) {
    const Device *device = stream->context->device;
    bool own = stream != &device->streams[0] && stream != &device->streams[1];
    return own ? stream->id : (uint64_t)(uintptr_t)stream;
}

static bool is_legacy(const struct Stream *stream) {
    return stream == &stream->context->device->streams[0];
}

static bool is_blocking(const struct Stream *stream) {
    enum { NON_BLOCKING = 1 };
    return !(stream->flags & NON_BLOCKING);
}

bool aside_precedes(const Aside *aside, const struct Stream *stream) {
    if (aside->stream == aside_stream(stream))
        return true;
    if (aside->context->device != stream->context->device)
        return false;
    return (aside->legacy && is_blocking(stream)) || (aside->blocking && is_legacy(stream));
}

/* ---- waiting for it ---- */

void asides_pause(struct Asides *asides) {
    asides->others = 0;
    pthread_cond_wait(&asides->changed, &asides->lock);
    asides->others = 1;
}

void aside_goes_on(Aside *aside) {
    struct Asides *asides = all();
    if (!aside)
        return;
    lock_take(&asides->lock);
    aside->goes_on = true;
    pthread_cond_broadcast(&asides->changed);
    lock_give(&asides->lock);
}

/* ---- asking, and waiting, by what the host names ---- */

/* The legacy default stream stands for all that wait for it. */
static bool stream_pends(const struct Asides *asides, const struct Stream *stream) {
    for (const Aside *aside = asides->first; aside; aside = aside->next)
        if (aside->stream == aside_stream(stream) ||
            (is_legacy(stream) && aside_precedes(aside, stream)))
            return true;
    return false;
}

bool aside_stream_pends(CUstream stream, bool wait) {
    struct Asides *asides = all();
    precedence_await_stream(stream);
    if (asides->count == 0 || current)
        return false;
    lock_take(&asides->lock);
    bool pends;
    while ((pends = stream_pends(asides, stream)) && wait)
        asides_pause(asides);
    lock_give(&asides->lock);
    return pends;
}

bool aside_event_pends(CUevent event, bool wait) {
    struct Asides *asides = all();
    precedence_await_event(event);
    if (asides->count == 0 || current || event->aside == 0)
        return false;
    lock_take(&asides->lock);
    bool pends;
    while ((pends = asides_pend(asides, event->aside)) && wait)
        asides_pause(asides);
    lock_give(&asides->lock);
    return pends;
}

void asides_settle(const Device *device) {
    struct Asides *asides = all();
    precedence_await_all(device);
    if (asides->count == 0 || current)
        return;
    lock_take(&asides->lock);
    for (const Aside *aside = asides->first; aside;) {
        if (device && aside->context->device != device) {
            aside = aside->next;
            continue;
        }
        asides_pause(asides);
        aside = asides->first;
    }
    lock_give(&asides->lock);
}
