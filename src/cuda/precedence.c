/* --sanitize races: in which order streams do what they do. Work is done when it is enqueued, so its order is followed beside: by streams,
 * events, edges of graphs, and what the host waits for. The host is one, whatever its threads do: what orders those is not seen. */
#include "cuda/precedence.h"
#include "base/rescue.h"
#include "cuda/device.h"
#include "cuda/handle.h"
#include "cuda/state.h"
#include "cuda/stream.h"

static Precedence *all(void) {
    Precedence *precedence = &core_get()->precedence;
    return precedence->on ? precedence : NULL;
}

static Sanitizer *sanitizer(void) {
    return core_get()->sanitizer;
}

/* ---- orders ---- */

static struct StreamOrder *order_of(CUstream stream) {
    if (!stream->order) {
        stream->order = NEW(core_get()->arena, struct StreamOrder);
        stream->order->line = sanitize_line_new(sanitizer());
        stream->order->at = sanitize_reached_new(stream->order->line);
    }
    return stream->order;
}

void precedence_join(CUstream stream) {
    if (!all())
        return;
    lock_take(&all()->lock);
    order_of(stream);
    lock_give(&all()->lock);
}

static bool is_blocking(const struct Stream *stream) {
    enum { NON_BLOCKING = 1 };
    return !(stream->flags & NON_BLOCKING);
}

static void behind(Reached *at, const struct Stream *stream) {
    if (stream->order && stream->order->at != at)
        sanitize_reached_join(at, stream->order->at);
}

/* What is enqueued on the stream now comes behind all this. */
Reached *precedence_arrive(CUstream stream) {
    Core *core = core_get();
    Device *device = stream->context->device;
    Reached *at = order_of(stream)->at;
    sanitize_reached_host(sanitizer(), at);
    if (stream == &device->streams[0]) {
        behind(at, &device->streams[1]);
        for (CUstream other = core->made_streams; other; other = other->made)
            if (other->tag == TAG_STREAM && other->context->device == device && is_blocking(other))
                behind(at, other);
    } else if (is_blocking(stream))
        behind(at, &device->streams[0]);
    return at;
}

void precedence_leave(CUstream stream) {
    if (!all() || !stream->order)
        return;
    lock_take(&all()->lock);
    const Device *device = stream->context->device;
    struct StreamOrder *order = stream->order;
    if (!all()->left)
        all()->left = sanitize_reached_new(NONE);
    sanitize_reached_join(all()->left, order->at);
    if (is_blocking(stream) &&
        device->streams[0].order) /* what it has begun, the legacy stream awaits */
        sanitize_reached_join(device->streams[0].order->at, order->at);
    sanitize_line_free(sanitizer(), order->line);
    for (uint32_t i = 0; i < order->branches.count; i++)
        sanitize_line_free(sanitizer(), order->branches.at[i]);
    sanitize_reached_free(order->at);
    stream->order = NULL;
    lock_give(&all()->lock);
}

/* ---- the host waits ---- */

void precedence_host_reaches(const Reached *at) {
    if (sanitize_host_reaches(sanitizer(), at))
        arena_clear(all()->arena);
}

void precedence_await_stream(CUstream stream) {
    if (!all())
        return;
    lock_take(&all()->lock);
    precedence_host_reaches(precedence_arrive(stream));
    host_guard_update();
    lock_give(&all()->lock);
}

void precedence_await_event(CUevent event) {
    if (!all() || !event->reached)
        return;
    lock_take(&all()->lock);
    precedence_host_reaches(event->reached);
    host_guard_update();
    lock_give(&all()->lock);
}

void precedence_await_all(const Device *device) {
    Core *core = core_get();
    if (!all())
        return;
    lock_take(&all()->lock);
    if (all()->left)
        precedence_host_reaches(all()->left);
    for (CUstream stream = core->made_streams; stream; stream = stream->made)
        if (stream->order && (!device || stream->context->device == device))
            precedence_host_reaches(stream->order->at);
    for (uint32_t i = 0; i < core->device_count; i++)
        for (uint32_t s = 0; s < 2 && (!device || device == &core->devices[i]); s++)
            if (core->devices[i].streams[s].order)
                precedence_host_reaches(core->devices[i].streams[s].order->at);
    host_guard_update();
    lock_give(&all()->lock);
}

void precedence_forget(uint64_t address, uint64_t bytes) {
    if (!all())
        return;
    lock_take(&all()->lock);
    sanitize_operations_forget(sanitizer(), address, bytes);
    sanitize_invisible(sanitizer(), address, bytes);
    host_guard_update();
    lock_give(&all()->lock);
}
