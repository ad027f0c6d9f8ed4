/* Calls that are not supported, and another CUDA runtime's: an error for the program, and a word to its
 * user. */
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
    const void *table = handle; /* as a CUDA runtime asks that could not be replaced */
    for (int i = 0; i < 2; i++)
        CHECK(cuGetExportTable(&table, NULL) == CUDA_ERROR_NOT_SUPPORTED && !table);
    return 0;
}
