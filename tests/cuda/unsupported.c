/* Calls that are not supported: an error for the program, and a list for its user. */
#include "check.h"

CUresult cuTexObjectCreate(void *object, const void *resource, const void *texture,
                           const void *view);
CUresult cuArray3DCreate_v2(void *array, const void *descriptor);
CUresult cuProfilerStart(void);

int main(void) {
    void *handle;
    start();
    CHECK(cuTexObjectCreate(&handle, NULL, NULL, NULL) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuTexObjectCreate(&handle, NULL, NULL, NULL) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuArray3DCreate_v2(&handle, NULL) == CUDA_ERROR_NOT_SUPPORTED);
    OK(cuProfilerStart());
    return 0;
}
