/* Work that is done aside: on a thread of its own, while the host goes on. Streams do their work when it is enqueued; but a kernel may
 * wait for what the host does after the launch, or for a kernel of another stream, and a stream for a value that is written later.
 * Work that may wait (work_may_wait) is begun on a thread. Mostly it is over soon, and the host, which has waited for it, never
 * notices; where it is found to wait, the host goes on, and whatever comes behind it in the order of streams is kept, as a node of a
 * graph of its own, until it is done. See decision 65.
 *
 * What waits for what is known by numbers: work is done when nothing of that number is in the list any more. */
#include "cuda/aside.h"
#include "base/rescue.h"
#include "cuda/allocation.h"
#include "cuda/graph.h"
#include "cuda/precedence.h"
#include "cuda/record.h"
#include "cuda/state.h"
#include "cuda/stream.h"
#include "cuda/work.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ASIDES_MOST = 1024 };     /* as many launches as a GPU takes before it lets the host wait */
enum { PATIENCE_MS = 100 };      /* with a function of the host */
enum { ENDING_MS = 2000 };       /* at the end of the process, until it is ended all the same */
enum { STAGED_MOST = 64 << 10 }; /* bytes of the host that are copied when they are enqueued */
enum { STACK_BYTES = 8 << 20 };  /* of its thread */

static struct Asides *all(void) {
    return &core_get()->asides;
}

bool work_may_wait(const Work *work) { /* a sanitizer sees one thing after the other */
    return work->kind->waits && !sanitizer_of_launches(core_get()->sanitizer) &&
           work->kind->waits(work);
}

static bool is_ready(const Aside *aside) {
    for (uint32_t i = 0; i < aside->behind.count; i++)
        if (asides_pend(all(), aside->behind.at[i]))
            return false;
    return true;
}

/* ---- doing it ---- */

static void aside_free(Aside *aside) {
    graph_drop(aside->graph);
    free(aside->behind.at);
    free((char *)(uintptr_t)aside->range);
    free(aside);
}

/* What it returns is told to nobody by now: as a fault, it sticks. */
static void stick(CUresult result) {
    int none = CUDA_SUCCESS;
    if (result)
        __atomic_compare_exchange_n((int *)&core_get()->sticky, &none, (int)result, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static CUresult do_it(const Work *work) {
    if (work->kind->node == NODE_GRAPH)
        conditions_assign(work->graph);
    return work->kind->run(work);
}

static CUresult run_now(CUstream stream, const Work *work) {
    if (!core_get()->precedence.on)
        return do_it(work);
    if (work->kind->node == NODE_GRAPH)
        conditions_assign(work->graph);
    return operations_enqueue(stream, work);
}

static CUresult run(const Aside *aside) {
    if (core_sticky() || all()->ending)
        return CUDA_SUCCESS; /* what comes behind a fault is not done */
    cuCtxSetCurrent(aside->context);
    return do_it(&aside->graph->nodes.at[0]->work);
}

static void take_out(struct Asides *asides, const Aside *aside) {
    Aside **at = &asides->first;
    while (*at != aside)
        at = &(*at)->next;
    *at = aside->next;
    asides->count--;
}

static void *thread(void *data) {
    struct Asides *asides = all();
    Aside *aside = data;
    aside_begin(aside);
    lock_take(&asides->lock);
    while (!is_ready(aside))
        pthread_cond_wait(&asides->changed, &asides->lock);
    lock_give(&asides->lock);
    CUresult result = run(aside);
    lock_take(&asides->lock);
    aside->result = result;
    aside->done = true;
    take_out(asides, aside);
    bool watched = aside->watched;
    if (!watched)
        stick(result);
    pthread_cond_broadcast(&asides->changed);
    lock_give(&asides->lock);
    if (!watched)
        aside_free(aside);
    return NULL;
}

static bool start(Aside *aside) {
    pthread_attr_t attributes;
    pthread_t made;
    sigset_t all_signals, before; /* they are the program's threads' */
    sigfillset(&all_signals);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all_signals, &before);
    bool started = pthread_create(&made, &attributes, thread, aside) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* ---- waiting for it: `while (…) asides_pause(asides)` under the lock ---- */

static bool pause_until(struct Asides *asides, const struct timespec *end) {
    return pthread_cond_timedwait(&asides->changed, &asides->lock, end) == 0;
}

static struct timespec in_ms(long ms) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += ms / 1000;
    end.tv_nsec += ms % 1000 * 1000000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    return end;
}

/* ---- at the end of the process ---- */

/* What runs ends early and is written down, what comes behind it is not done. */
static void end(void) {
    struct Asides *asides = all();
    const struct timespec late = in_ms(ENDING_MS);
    lock_take(&asides->lock);
    asides->ending = true;
    if (core_get()->interrupted && *core_get()->interrupted == 0)
        *core_get()->interrupted = -1;
    while (asides->count && pause_until(asides, &late))
        ;
    lock_give(&asides->lock);
}

/* ---- enqueueing ---- */

static bool is_of_host(CUmemorytype type, const void *host, CUdeviceptr device, bool *pinned) {
    AllocationRecord found;
    uint64_t at = type == MEMORYTYPE_HOST ? (uint64_t)(uintptr_t)host : device;
    bool known = type != MEMORYTYPE_ARRAY && allocated_find(at, &found);
    *pinned = known && (found.kind == KIND_HOST || found.kind == KIND_REGISTERED);
    return type != MEMORYTYPE_ARRAY && type != MEMORYTYPE_DEVICE && !known;
}

/* Of memory that the host may change, or use, as soon as the call returns: what is little is copied now.
 * true: the call returns when the copy is done. */
static bool settle_copy(Aside *aside) {
    CUDA_MEMCPY3D *copy = &aside->graph->nodes.at[0]->work.copy;
    bool pinned, target = is_of_host(copy->dstMemoryType, copy->dstHost, copy->dstDevice, &pinned);
    if (!is_of_host(copy->srcMemoryType, copy->srcHost, copy->srcDevice, &pinned))
        return target;
    bool line = copy->Height == 1 && copy->Depth == 1 && copy->WidthInBytes <= STAGED_MOST;
    if (!line)
        return true;
    const uint64_t from = copy->srcMemoryType == MEMORYTYPE_HOST
                              ? (uint64_t)(uintptr_t)copy->srcHost
                              : copy->srcDevice;
    void *staged = arena_alloc(aside->graph->arena, copy->WidthInBytes + 1);
    memcpy(staged, (const uint8_t *)(uintptr_t)from + copy->srcXInBytes, copy->WidthInBytes);
    copy->srcMemoryType = MEMORYTYPE_HOST;
    copy->srcHost = staged;
    copy->srcXInBytes = copy->srcY = copy->srcZ = 0;
    return target;
}

static Aside *aside_new(const struct Stream *stream, const Work *work) {
    enum { NON_BLOCKING = 1 };
    Aside *aside = calloc(1, sizeof *aside);
    Arena *arena = arena_new();
    const char *range = range_path(arena);
    Work own = *work;
    aside->graph = graph_new();
    if (work->kind->node == NODE_GRAPH)
        own.graph = graph_copy(work->graph);
    graph_add(aside->graph, NULL, 0, &own);
    graph_sort(aside->graph);
    aside->context = stream->context;
    aside->stream = aside_stream(stream);
    aside->legacy = stream == &stream->context->device->streams[0];
    aside->blocking = !(stream->flags & NON_BLOCKING);
    aside->range = range ? strdup(range) : NULL;
    arena_free(arena);
    return aside;
}

/* Into the list; what it comes behind is in `behind`. */
static void append(struct Asides *asides, Aside *aside, const Numbers *behind) {
    if (asides->numbers == 0)
        atexit(end);
    aside->number = ++asides->numbers;
    aside->behind = *behind;
    Aside **at = &asides->first;
    while (*at)
        at = &(*at)->next;
    *at = aside;
    asides->count++;
}

/* It has begun: until it is done, or found to wait. */
static CUresult watch(struct Asides *asides, Aside *aside, bool host) {
    const struct timespec late = in_ms(PATIENCE_MS);
    aside->watched = true;
    bool patient = true;
    while (!aside->done && !aside->goes_on && patient) {
        if (host)
            patient = pause_until(asides, &late);
        else
            pthread_cond_wait(&asides->changed, &asides->lock);
    }
    aside->watched = false;
    if (!aside->done)
        return CUDA_SUCCESS;
    CUresult result = aside->result;
    aside_free(aside);
    return result;
}

static void add_number(Numbers *numbers, uint64_t number) {
    uint64_t *more = realloc(numbers->at, (numbers->count + 1) * sizeof *more);
    if (!more)
        return;
    numbers->at = more;
    numbers->at[numbers->count++] = number;
}

static Numbers preceding(const struct Asides *asides, const struct Stream *stream,
                         const Work *work) {
    Numbers behind = {0};
    for (const Aside *aside = asides->first; aside; aside = aside->next)
        if (aside_precedes(aside, stream) ||
            (work->kind->node == NODE_WAIT_EVENT && aside->number == work->event->aside))
            add_number(&behind, aside->number);
    return behind;
}

CUresult aside_enqueue(CUstream stream, const Work *work) {
    struct Asides *asides = all();
    if (aside_current() || (asides->count == 0 && !work_may_wait(work)))
        return run_now(stream, work); /* as most; or a call that a function of the host makes */
    lock_take(&asides->lock);
    while (asides->count >= ASIDES_MOST)
        asides_pause(asides);
    Numbers behind = preceding(asides, stream, work);
    const bool first = behind.count == 0, waits = work_may_wait(work);
    if (work->kind->node == NODE_EVENT_RECORD) {
        work->event->aside = first ? 0 : asides->numbers + 1;
        work->event->recorded = true;
    }
    if (first && !waits) {
        lock_give(&asides->lock);
        return run_now(stream, work);
    }
    Aside *aside = aside_new(stream, work);
    append(asides, aside, &behind);
    const bool stays = work->kind->node == NODE_MEMCPY && settle_copy(aside);
    const uint64_t number = aside->number;
    CUresult result = CUDA_SUCCESS;
    if (!start(aside)) {
        take_out(asides, aside);
        aside_free(aside);
        result = CUDA_ERROR_OUT_OF_MEMORY;
    } else if (first)
        result = watch(asides, aside, work->kind->node == NODE_HOST);
    while (stays && asides_pend(asides, number))
        asides_pause(asides);
    lock_give(&asides->lock);
    return result;
}
