/* Contexts and modules: what the driver has loaded, and which modules are patched. */
#include "probe/inject/inject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- contexts ---- */

typedef struct Device {
    CudaDevice number;
    int major, minor, multiprocessors, threads; /* threads: of a multiprocessor */
    char name[128];
} Device;

/* Without the lock. */
static Device device_ask(const DriverApi *driver, CudaDevice number) {
    enum { MULTIPROCESSORS = 16, THREADS = 39, MAJOR = 75, MINOR = 76 };
    Device device = {.number = number};
    if (driver->device_name && driver->device_attribute) {
        driver->device_name(device.name, sizeof device.name, number);
        driver->device_attribute(&device.major, MAJOR, number);
        driver->device_attribute(&device.minor, MINOR, number);
        driver->device_attribute(&device.multiprocessors, MULTIPROCESSORS, number);
        driver->device_attribute(&device.threads, THREADS, number);
    }
    return device;
}

static void context_is_of(Probe *probe, WatchedContext *context, const Device *device) {
    context->device = (uint32_t)device->number;
    context->capability = (uint32_t)(device->major * 10 + device->minor);
    context->multiprocessors = (uint32_t)device->multiprocessors;
    context->threads = (uint64_t)device->multiprocessors * (uint64_t)device->threads;
    context->gpu = arena_copy(probe->arena, device->name, strlen(device->name));
}

void context_created(Probe *probe, const SanContextData *data) {
    probe_unlock(probe);
    const Device device = device_ask(&probe->driver, data->device);
    probe_lock(probe);
    WatchedContext *context = NEW(probe->arena, WatchedContext);
    *context = (WatchedContext){.handle = data->context, .next = probe->contexts};
    context_is_of(probe, context, &device);
    probe->contexts = context;
}

/* Without the lock. false: the context is not this thread's, or the driver does not say. */
static bool device_of_current(const DriverApi *driver, const CudaContext *handle, Device *device) {
    CudaContext *current = NULL;
    CudaDevice number = 0;
    if (!driver->current_context || !driver->current_device ||
        driver->current_context(&current) != 0 || current != handle ||
        driver->current_device(&number) != 0)
        return false;
    *device = device_ask(driver, number);
    return true;
}

/* What the API says when a context is created lies elsewhere from CUDA 13.1 on, which nothing tells. */
void context_used(Probe *probe, CudaContext *handle) {
    WatchedContext *context = context_find(probe, handle);
    Device device;
    if (!context || context->sure)
        return;
    probe_unlock(probe);
    bool known = device_of_current(&probe->driver, handle, &device);
    probe_lock(probe);
    if (known && !context->sure)
        context_is_of(probe, context, &device);
    context->sure |= known;
}

WatchedContext *context_find(Probe *probe, CudaContext *handle) {
    WatchedContext *context = probe->contexts;
    while (context && context->handle != handle)
        context = context->next;
    return context;
}

void context_gone(WatchedContext *context) {
    context->handle = NULL;
}

/* ---- modules ---- */

WatchedModule *module_find(Probe *probe, CudaModule *handle) {
    WatchedModule *module = probe->modules;
    while (module && (module->handle != handle || !handle))
        module = module->next;
    return module;
}

void module_gone(Probe *probe, WatchedModule *module) {
    lefts_forget(probe, context_find(probe, module->context), module);
    free(module->cubin);
    module->cubin = NULL;
    module->handle = NULL;
}

uint64_t module_hash(WatchedModule *module) {
    if (!module->hash)
        module->hash = bytes_hash(module->cubin, module->size, 0);
    return module->hash;
}

void module_send(Probe *probe, WatchedModule *module) {
    if (module->sent || !module->cubin)
        return;
    module->sent = true;
    module_hash(module);
    Output out = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/%016llx.cubin", probe->settings.folder,
             (unsigned long long)module->hash);
    if (!file_write(path, module->cubin, module->size))
        probe_message(probe, "%s: %s: kernels have no lines", path, strerror(errno));
    probe_put_module(&out, &(ProbeModule){module->hash, path});
    recorder_probe(probe->recorder, out.bytes, out.used);
    free(out.bytes);
}

/* ---- patches ---- */

static const struct {
    SanInstruction kind;
    const char *function; /* of device.cu */
    enum {
        OF_ALL,
        OF_NEWER,
        OF_NEWEST
    } by; /* older libraries do not know the kind; of the newest nothing is said */
} patches[] = {
    {SAN_GLOBAL, "warplens_global", OF_ALL},
    {SAN_SHARED, "warplens_shared", OF_ALL},
    {SAN_LOCAL, "warplens_local", OF_ALL},
    {SAN_COPY_ASYNC, "warplens_copy", OF_ALL},
    {SAN_MATRIX, "warplens_matrix", OF_ALL},
    {SAN_REMOTE, "warplens_remote", OF_ALL},
    {SAN_WGMMA, "warplens_wgmma", OF_NEWER},
    {SAN_ASYNC_STORE, "warplens_async_store", OF_NEWER},
    {SAN_ASYNC_REDUCTION, "warplens_async_reduction", OF_NEWER},
    {SAN_BULK_IN, "warplens_bulk_in", OF_NEWER},
    {SAN_BULK_OUT, "warplens_bulk_out", OF_NEWER},
    {SAN_BULK_WITHIN, "warplens_bulk_within", OF_NEWER},
    {SAN_BULK_REDUCTION_OUT, "warplens_bulk_out", OF_NEWER},
    {SAN_BULK_REDUCTION_WITHIN, "warplens_bulk_within", OF_NEWER},
    {SAN_TENSOR_LOAD, "warplens_tensor_load", OF_NEWEST},
};

/* What follows is without the lock: whose turn it is to patch owns it. */

static bool add_patches(Probe *probe, WatchedContext *context, const char *path) {
    if (context->has_patches)
        return true;
    SanResult result = probe->san.add_patches(path, context->handle);
    context->has_patches = result == 0;
    if (result)
        probe_message(probe, "nothing is counted on %s: %s: %s", context->gpu, path,
                      sanitizer_text(&probe->san, result));
    return result == 0;
}

static void tell_older(Probe *probe, SanResult result) {
    if (!probe->told_older)
        probe_message(probe,
                      "bulk copies, asynchronous stores or wgmma are not counted: "
                      "libsanitizer-public.so, which may be too old, says: %s",
                      sanitizer_text(&probe->san, result));
    probe->told_older = true;
}

static SanResult patch(Probe *probe, CudaModule *handle) {
    SanResult result = 0;
    for (size_t i = 0; result == 0 && i < sizeof patches / sizeof *patches; i++) {
        result = probe->san.patch_instructions(patches[i].kind, handle, patches[i].function);
        if (result && patches[i].by == OF_NEWER)
            tell_older(probe, result);
        if (patches[i].by != OF_ALL)
            result = 0;
    }
    return result ? result : probe->san.patch_module(handle);
}

/* With the lock again. */

bool module_patch(Probe *probe, WatchedModule *module) {
    char path[4096];
    if (!patching_wait(probe, module) || module->patched || module->failed)
        return module->patched;
    if (!lefts_wait(probe, module))
        return false;
    module->late = !patching_wait(probe, NULL);
    if (module->late)
        return false;
    WatchedContext *context = context_find(probe, module->context);
    CudaModule *handle = module->handle;
    if (module->patched || module->failed || !context || !handle)
        return module->patched;
    snprintf(path, sizeof path, "%s/sm_%u.cubin", probe->settings.patches, context->capability);
    patching_begins(probe, module);
    probe_unlock(probe);
    bool added = add_patches(probe, context, path);
    SanResult result = added ? patch(probe, handle) : 0;
    probe_lock(probe);
    patching_ends(probe);
    module->patched = added && result == 0;
    module->failed = !module->patched;
    if (result)
        module->why = arena_printf(probe->arena, "its code cannot be patched: %s",
                                   sanitizer_text(&probe->san, result));
    return module->patched;
}

bool patches_stay(const Probe *probe) {
    return probe->others || probe->unseen || probe->collectives;
}

bool module_may_change(const Probe *probe, const WatchedModule *module) {
    enum { MOST = 10 }; /* such a part of the time */
    return module->unpatched < PATCHED_AGAIN_LEAST ||
           probe->changing * MOST < clock_wall() - probe->began;
}

void module_unpatch(Probe *probe, WatchedModule *module) {
    if (probe->patching.module || !module->patched || module->launching || !module->handle ||
        patches_stay(probe) || !module_may_change(probe, module))
        return;
    CudaModule *handle = module->handle;
    patching_begins(probe, module);
    probe_unlock(probe);
    SanResult result = probe->san.unpatch_module(handle);
    probe_lock(probe);
    patching_ends(probe);
    if (result == 0) {
        module->patched = false;
        module->unpatched++;
    }
}

/* ---- loaded ---- */

/* Whether one of its kernels may be counted, as far as its symbols tell. */
static bool has_selected(const Probe *probe, const WatchedModule *module) {
    enum { SYMTAB = 2 };
    Elf elf;
    ElfSection symbols;
    ElfSymbol symbol;
    bool known = false, found = false;
    if (!elf_open(&elf, module->cubin, module->size) || !elf_section_typed(&elf, SYMTAB, &symbols))
        return true;
    Arena *arena = arena_new();
    for (uint64_t i = 0; i < elf_symbol_count(&symbols) && !found; i++) {
        if (!elf_symbol(&elf, &symbols, i, &symbol) || !symbol.is_function || !symbol.is_entry)
            continue;
        known = true;
        found = kernel_is_selected(probe, arena_copy(arena, symbol.name.at, symbol.name.length));
    }
    arena_free(arena);
    return found || !known;
}

void module_loaded(Probe *probe, const SanModuleData *data) {
    WatchedModule *module = NEW(probe->arena, WatchedModule);
    context_used(probe, data->context);
    *module = (WatchedModule){.handle = data->module,
                              .context = data->context,
                              .cubin = malloc(data->cubin_size),
                              .size = data->cubin_size,
                              .next = probe->modules};
    if (!module->cubin)
        return;
    memcpy(module->cubin, data->cubin, data->cubin_size);
    probe->modules = module;
    module->chosen = has_selected(probe, module);
}
