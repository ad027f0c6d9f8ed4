/* libnvidia-ml.so.1 for tests, which knows the GPU of driver.c. */
#include <stdio.h>

int nvmlInit_v2(void);
int nvmlInit_v2(void) {
    return 0;
}

int nvmlSystemGetCudaDriverVersion(int *version);
int nvmlSystemGetCudaDriverVersion(int *version) {
    *version = 13000;
    return 0;
}

int nvmlDeviceGetCount_v2(unsigned int *count);
int nvmlDeviceGetCount_v2(unsigned int *count) {
    *count = 1;
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device);
int nvmlDeviceGetHandleByIndex_v2(unsigned int index, void **device) {
    *device = NULL;
    return (int)index;
}

int nvmlDeviceGetName(void *device, char *name, unsigned int size);
int nvmlDeviceGetName(void *device, char *name, unsigned int size) {
    (void)device;
    snprintf(name, size, "NVIDIA H100 80GB HBM3");
    return 0;
}

int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor);
int nvmlDeviceGetCudaComputeCapability(void *device, int *major, int *minor) {
    (void)device;
    *major = 9;
    *minor = 0;
    return 0;
}
