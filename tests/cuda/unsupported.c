/* Calls that are not supported, and another CUDA runtime's: an error for the program, and a word to its
 * user. */
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
    const void *table = handle; /* as a CUDA runtime asks that could not be replaced */
    for (int i = 0; i < 2; i++)
        CHECK(cuGetExportTable(&table, NULL) == CUDA_ERROR_NOT_SUPPORTED && !table);
    return 0;
}
