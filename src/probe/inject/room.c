/* Whether the program leaves memory for the stacks of patches. The driver takes it for all threads that may be resident at once, when a patched kernel is
 * launched for the first time, and where there is none it refuses the launch: the program would see it fail. */
#include "probe/inject/inject.h"

/* A function's attribute: what each of its own threads takes. */
enum { LOCAL_SIZE = 3 };
/* Of each thread: for 270,336 an H100 takes 86 MiB, 334 of each, and an H200 106 MiB, 411 of each. */
enum { PATCH_BYTES = 432 };

typedef struct StackNeed {
    uint64_t each; /* bytes of a thread */
    size_t free;   /* of the GPU's memory; SIZE_MAX: the driver does not say */
} StackNeed;

/* Without the lock. known: what has room already. */
static StackNeed ask(const DriverApi *driver, CudaFunction *function, uint64_t known) {
    enum { RELAXED = 2 };
    int own = 0, mode = RELAXED; /* as in lefts.c */
    if (!function || !driver->function_attribute ||
        driver->function_attribute(&own, LOCAL_SIZE, function) != 0 || own < 0)
        own = 0;
    StackNeed need = {(uint64_t)own + PATCH_BYTES, SIZE_MAX};
    size_t all;
    if (need.each <= known || !driver->memory_info)
        return need;
    if (driver->capture_mode)
        driver->capture_mode(&mode);
    if (driver->memory_info(&need.free, &all) != 0)
        need.free = SIZE_MAX;
    if (driver->capture_mode)
        driver->capture_mode(&mode);
    return need;
}

bool stacks_have_room(Probe *probe, WatchedContext *context, CudaFunction *function) {
    if (!context)
        return true;
    const uint64_t known = context->stack_bytes;
    probe_unlock(probe);
    const StackNeed need = ask(&probe->driver, function, known);
    probe_lock(probe);
    if (need.each <= context->stack_bytes)
        return true;
    context->full = need.free / need.each < context->threads;
    if (!context->full)
        context->stack_bytes = need.each;
    return !context->full;
}
