/* Calls that are not supported: an error for the program, and a word to its user. */
#include "check.h"

CUresult cuTexRefCreate(void *reference);
CUresult cuArrayGetPlane(void *plane, void *array, unsigned index);
CUresult cuProfilerStart(void);

int main(void) {
    void *handle;
    start();
    CHECK(cuTexRefCreate(&handle) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuTexRefCreate(&handle) == CUDA_ERROR_NOT_SUPPORTED);
    CHECK(cuArrayGetPlane(&handle, NULL, 0) == CUDA_ERROR_NOT_SUPPORTED);
    OK(cuProfilerStart());
    const void *table = handle; /* NVIDIA's compilers ask for one and need none */
    CHECK(cuGetExportTable(&table, NULL) == CUDA_ERROR_NOT_SUPPORTED && !table);
    return 0;
}
