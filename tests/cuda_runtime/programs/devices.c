/* A program of host code alone, with the CUDA runtime linked in. */
#include <stdio.h>

int cudaGetDeviceCount(int *count);

int main(void) {
    int count = 0, error = cudaGetDeviceCount(&count);
    printf("%d %d\n", error, count);
    return 0;
}
