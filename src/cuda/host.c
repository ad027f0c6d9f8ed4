/* Work of the libraries that stand in for NVIDIA's: see host.h. */
#include "cuda/host.h"
#include "cuda/state.h"
#include "cuda/unmade.h"
#include "cuda/work.h"
#include "wire/wire.h"

static void run(void *data) {
    const HostWork *work = data;
    const Core *core = core_get();
    const HostCall call = {work->library, work->function, 1};
    work->run(work);
    if (core->sanitizer) /* which memory it wrote is not known: maybe any */
        sanitize_written(core->sanitizer, 0, UINT64_MAX);
    if (core->settings.profile && recorder_active(core->recorder))
        recorder_call(core->recorder, &call);
}

CUresult warplens_enqueue(CUstream stream, const HostWork *work, size_t bytes) {
    Work host = {.kind = &work_host, .host = {run, (void *)(uintptr_t)work, bytes, false}};
    return work_enqueue(stream, &host);
}

void warplens_missing(const char *function) {
    core_unsupported(function);
}

void warplens_message(const char *about, const char *text) {
    core_message_once(about, "%s", text);
}

static void refuse(const char *what, CUdeviceptr address, size_t bytes, const char *why) {
    Arena *arena = arena_new();
    const char *text = arena_printf(arena, "%s: %zu bytes at 0x%llx: %s", what, bytes,
                                    (unsigned long long)address, why);
    core_fault(text, CUDA_ERROR_ILLEGAL_ADDRESS);
    arena_free(arena);
}

bool warplens_reaches(const char *what, CUdeviceptr address, size_t bytes) {
    const MemoryBlock *block = memory_find(core_memory(), address, NULL);
    if (bytes && unmade_read(what, address, bytes))
        return false;
    if (bytes == 0 || (block && bytes <= block->bytes - (address - block->address)))
        return true;
    if (block)
        refuse(what, address, bytes, "they reach beyond the allocation that they begin in");
    else if (memory_is_host(core_memory(), address))
        refuse(what, address, bytes, "this is memory of the host, which the GPU cannot access");
    else
        refuse(what, address, bytes, "no memory is allocated there");
    return false;
}

bool warplens_reaches_anywhere(const char *what, CUdeviceptr address, size_t bytes) {
    bool host =
        !memory_find(core_memory(), address, NULL) && memory_is_host(core_memory(), address);
    return host || warplens_reaches(what, address, bytes);
}
