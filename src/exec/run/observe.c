/* Launch.observer: what is told while a launch runs. */
#include "exec/run/observe.h"
#include "exec/run/worker.h"

#define TELL(cta, event, ...)                                                                      \
    do {                                                                                           \
        const Observer *observer = (cta)->worker->launch->observer;                                \
        if (observer && observer->event)                                                           \
            observer->event(observer->context, __VA_ARGS__);                                       \
    } while (0)

static Actor actor_of(const Warp *warp, const Code *code) {
    return (Actor){code->insn, code->site, warp->number, warp->cta->linear};
}

void observe_begin(const Cta *cta) {
    TELL(cta, begin, cta->linear);
}

void observe_end(const Cta *cta) {
    TELL(cta, end, cta->linear);
}

void observe_access(const Warp *warp, const Code *code, const Access *access) {
    const Actor actor = actor_of(warp, code);
    TELL(warp->cta, access, &actor, access);
}

void observe_traffic(const Warp *warp, const Code *code, const Traffic *traffic) {
    const Actor actor = actor_of(warp, code);
    TELL(warp->cta, traffic, &actor, traffic);
}

void observe_range(const Warp *warp, const Code *code, Space space, uint64_t address,
                   uint64_t bytes, bool writes) {
    const Actor actor = actor_of(warp, code);
    TELL(warp->cta, range, &actor, space, address, bytes, writes);
}

void observe_arrive(const Warp *warp, uint32_t barrier, uint32_t lanes) {
    TELL(warp->cta, arrive, warp->cta->linear, warp->number, barrier, lanes);
}

void observe_release(const Cta *cta, uint32_t barrier) {
    TELL(cta, release, cta->linear, barrier);
}
