/* What a driver offers beside computing: its log, core dumps, notifications, atomic operations over links. Nothing
 * of it happens here, so that callers find an empty log and settings that are kept and without effect. */
#include "cuda/state.h"

#include <stdio.h>
#include <string.h>

/* ---- the log: errors are told by `warplens run` ---- */

CUresult cuLogsRegisterCallback(CUlogsCallback callback, void *data, CUlogsCallbackHandle *handle) {
    if (!callback || !handle)
        return CUDA_ERROR_INVALID_VALUE;
    (void)data;
    *handle = (CUlogsCallbackHandle)(uintptr_t)core_number();
    return CUDA_SUCCESS;
}

CUresult cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLogsCurrent(unsigned *iterator, unsigned flags) {
    (void)flags; /* reserved, and not looked at (measured on an H200) */
    if (!iterator)
        return CUDA_ERROR_INVALID_VALUE;
    *iterator = 0;
    return CUDA_SUCCESS;
}

CUresult cuLogsDumpToFile(unsigned *iterator, const char *path, unsigned flags) {
    (void)iterator;
    FILE *file = path && !flags ? fopen(path, "we") : NULL;
    if (!file)
        return CUDA_ERROR_INVALID_VALUE;
    fclose(file);
    return CUDA_SUCCESS;
}

CUresult cuLogsDumpToMemory(unsigned *iterator, char *buffer, size_t *size, unsigned flags) {
    (void)iterator;
    if (!buffer || !size || flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (*size)
        buffer[0] = 0;
    *size = 0;
    return CUDA_SUCCESS;
}

/* ---- core dumps ---- */

enum { COREDUMP_FILE = 5, COREDUMP_FLAGS = 7, COREDUMP_LAST = COREDUMP_FLAGS };

/* All of them are off, and the names of files empty. */
CUresult cuCoredumpGetAttribute(int attribute, void *value, size_t *size) {
    if (attribute < 1 || attribute > COREDUMP_LAST || !size)
        return CUDA_ERROR_INVALID_VALUE;
    size_t wanted = attribute == COREDUMP_FLAGS ? sizeof(int) : 1;
    if (value && attribute != COREDUMP_FILE && *size != wanted)
        return CUDA_ERROR_INVALID_VALUE;
    if (value)
        memset(value, 0, wanted);
    *size = wanted;
    return CUDA_SUCCESS;
}

/* Settings are kept nowhere, since there are no dumps. A trigger cannot be set any more in a process that has a
 * context (measured on an H200). */
CUresult cuCoredumpSetAttribute(int attribute, const void *value, const size_t *size) {
    enum { TRIGGER_HOST = 2, PIPE = 4 };
    bool fits = value && size && attribute >= 1 && attribute <= COREDUMP_LAST;
    if (!fits || attribute == TRIGGER_HOST || attribute == PIPE)
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

/* ---- notifications of memory that becomes scarce: it does not ---- */

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, void *callback, void *data,
                                           CUasyncCallbackHandle *handle) {
    (void)data;
    if (!callback || !handle)
        return CUDA_ERROR_INVALID_VALUE;
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    *handle = (CUasyncCallbackHandle)(uintptr_t)core_number();
    return CUDA_SUCCESS;
}

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle handle) {
    if (!device_of(device))
        return CUDA_ERROR_INVALID_DEVICE;
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
