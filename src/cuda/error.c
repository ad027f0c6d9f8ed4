/* Names and texts of error codes, and which one a stale handle gives. */
#include "cuda/handle.h"

static const struct {
    CUresult number;
    const char *name, *text;
} errors[] = {
#define ERROR(name, number, text) {name, #name, text},
#include "cuda/errors.def"
};
enum { ERRORS = sizeof errors / sizeof errors[0] };

static int find(CUresult number) {
    for (int i = 0; i < ERRORS; i++) {
        if (errors[i].number == number)
            return i;
    }
    return -1;
}

CUresult cuGetErrorName(CUresult error, const char **text) {
    int i = find(error);
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = i < 0 ? NULL : errors[i].name;
    return i < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
    int i = find(error);
    if (!text)
        return CUDA_ERROR_INVALID_VALUE;
    *text = i < 0 ? NULL : errors[i].text;
    return i < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult handle_error(const void *handle) {
    uint32_t tag = handle ? *(const uint32_t *)handle : TAG_NONE;
    return tag == TAG_LOST          ? CUDA_ERROR_CONTEXT_IS_DESTROYED
           : tag == TAG_LOST_STREAM ? CUDA_ERROR_INVALID_CONTEXT
                                    : CUDA_ERROR_INVALID_HANDLE;
}
