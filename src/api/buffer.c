/* Buffers: pieces of the device's memory, its own or the host's. */
#include "api/api.h"

#include <string.h>

WarplensBuffer *warplens_buffer(WarplensModule *module, const char *name, size_t elements,
                                size_t element_bytes, WarplensError *error) {
    error_clear(error);
    uint64_t bytes;
    if (!module || !name || element_bytes == 0 || element_bytes > UINT32_MAX || elements == 0 ||
        __builtin_mul_overflow(elements, element_bytes, &bytes)) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no buffer can be had of %zu elements of %zu bytes",
                  elements, element_bytes);
        return NULL;
    }
    name = arena_copy(module->arena, name, strlen(name));
    uint64_t address =
        memory_allocate(module->session->memory, bytes, name, (uint32_t)element_bytes);
    if (!address) {
        error_set(error, WARPLENS_NO_MEMORY, "no %llu bytes are left for buffer '%s'",
                  (unsigned long long)bytes, name);
        return NULL;
    }
    WarplensBuffer *buffer = NEW(module->arena, WarplensBuffer);
    *buffer = (WarplensBuffer){module, name, address, bytes};
    return buffer;
}

WarplensBuffer *warplens_adopt(WarplensModule *module, const char *name, void *host, size_t bytes,
                               WarplensError *error) {
    error_clear(error);
    if (!module || !name || !host || bytes == 0) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no %s",
                  !module ? "module"
                  : !name ? "name"
                  : !host ? "memory"
                          : "bytes");
        return NULL;
    }
    name = arena_copy(module->arena, name, strlen(name));
    if (!memory_adopt(module->session->memory, host, bytes, name)) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "'%s' overlaps memory that the module has", name);
        return NULL;
    }
    WarplensBuffer *buffer = NEW(module->arena, WarplensBuffer);
    *buffer = (WarplensBuffer){module, name, (uint64_t)(uintptr_t)host, bytes};
    return buffer;
}

void *warplens_buffer_data(WarplensBuffer *buffer) {
    return memory_host(buffer->module->session->memory, buffer->address);
}

size_t warplens_buffer_bytes(const WarplensBuffer *buffer) {
    return buffer->bytes;
}

uint64_t warplens_buffer_address(const WarplensBuffer *buffer) {
    return buffer->address;
}

void warplens_buffer_free(WarplensBuffer *buffer) {
    if (!buffer || !buffer->address)
        return;
    memory_release(buffer->module->session->memory, buffer->address);
    buffer->address = buffer->bytes = 0;
}
