/* Contexts and modules: what the driver has loaded, and which modules are patched. */
#include "probe/inject/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- contexts ---- */

/* Two functions of the driver, which is in the process. */
typedef int DeviceAttribute(int *value, int attribute, CudaDevice device);
typedef int DeviceName(char *name, int size, CudaDevice device);

void *driver_function(const char *name) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    return driver ? dlsym(driver, name) : NULL;
}

static void read_device(Probe *probe, WatchedContext *context, CudaDevice device) {
    enum { MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76 };
    char name[128] = "";
    int major = 0, minor = 0, count = 0;
    DeviceName *get_name;
    DeviceAttribute *get;
    *(void **)&get_name = driver_function("cuDeviceGetName");
    *(void **)&get = driver_function("cuDeviceGetAttribute");
    if (get_name && get) {
        get_name(name, sizeof name, device);
        get(&major, MAJOR, device);
        get(&minor, MINOR, device);
        get(&count, MULTIPROCESSORS, device);
    }
    context->device = (uint32_t)device;
    context->capability = (uint32_t)(major * 10 + minor);
    context->multiprocessors = (uint32_t)count;
    context->gpu = arena_copy(probe->arena, name, strlen(name));
}

void context_created(Probe *probe, const SanContextData *data) {
    WatchedContext *context = NEW(probe->arena, WatchedContext);
    *context = (WatchedContext){.handle = data->context, .next = probe->contexts};
    probe->contexts = context;
    read_device(probe, context, data->device);
}

/* What the API says when a context is created lies elsewhere from CUDA 13.1 on, which nothing tells. */
void context_used(Probe *probe, CudaContext *handle) {
    WatchedContext *context = context_find(probe, handle);
    int (*get_current)(CudaContext * *current), (*get_device)(CudaDevice * device);
    CudaContext *current = NULL;
    CudaDevice device = 0;
    if (!context || context->sure)
        return;
    *(void **)&get_current = driver_function("cuCtxGetCurrent");
    *(void **)&get_device = driver_function("cuCtxGetDevice");
    if (!get_current || !get_device || get_current(&current) != 0 || current != handle ||
        get_device(&device) != 0)
        return;
    context->sure = true;
    if ((uint32_t)device != context->device)
        read_device(probe, context, device);
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

void module_gone(WatchedModule *module) {
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
    if (module->sent)
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

static bool add_patches(Probe *probe, WatchedContext *context) {
    char path[4096];
    if (context->has_patches)
        return true;
    snprintf(path, sizeof path, "%s/sm_%u.cubin", probe->settings.patches, context->capability);
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

bool module_patch(Probe *probe, WatchedModule *module) {
    WatchedContext *context = context_find(probe, module->context);
    if (module->patched || module->failed)
        return module->patched;
    module->failed = true;
    if (!context || !add_patches(probe, context))
        return false;
    SanResult result = 0;
    for (size_t i = 0; result == 0 && i < sizeof patches / sizeof *patches; i++) {
        result =
            probe->san.patch_instructions(patches[i].kind, module->handle, patches[i].function);
        if (result && patches[i].by == OF_NEWER)
            tell_older(probe, result);
        if (patches[i].by != OF_ALL)
            result = 0;
    }
    if (result == 0)
        result = probe->san.patch_module(module->handle);
    if (result)
        probe_message(probe, "kernels of a module are not counted: %s",
                      sanitizer_text(&probe->san, result));
    module->failed = result != 0;
    module->patched = result == 0;
    return module->patched;
}

void module_unpatch(Probe *probe, WatchedModule *module) {
    if (!module->patched || module->unpatched >= PATCHED_AGAIN_MOST)
        return;
    if (probe->san.unpatch_module(module->handle) == 0) {
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
    if (probe->settings.profile && has_selected(probe, module))
        module_patch(probe, module);
}
