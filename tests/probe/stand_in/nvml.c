/* libnvidia-ml.so.1 for tests, which knows the GPU of driver.c. WARPLENS_TEST_FAILS names a function, of both, that returns an error, or is
 * "none": there is no GPU. */
#include "fails.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int nvmlInit_v2(void);
int nvmlInit_v2(void) {
    return result_of(__func__);
}

int nvmlSystemGetCudaDriverVersion(int *version);
int nvmlSystemGetCudaDriverVersion(int *version) {
    *version = stand_in_cuda();
    return result_of(__func__);
}

int nvmlDeviceGetCount_v2(unsigned int *count);
int nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = result_of("none") ? 0 : 1;
    return result_of(__func__);
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device);
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) {
    *device = NULL;
    return index ? 1 : result_of(__func__);
}

int nvmlDeviceGetName(void *device, char *name, unsigned int size);
int nvmlDeviceGetName(void *device, char *name, unsigned int size) {
    (void)device;
    snprintf(name, size, "NVIDIA H100 80GB HBM3");
    return result_of(__func__);
}

int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor);
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
    (void)device;
    *major = 9;
    *minor = 0;
    return result_of(__func__);
}
