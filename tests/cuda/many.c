/* argv[1] empty launches: neither the program's memory grows, nor does a launch take long. The time
 * goes to stdout only if argv[2] is there, since it is not the same each time. */
#include "check.h"

#include <time.h>
#include <unistd.h>

static long resident_kb(void) {
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &pages, &resident) == 2);
    fclose(file);
    return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    long launches = argc > 1 ? atol(argv[1]) : 100000, warm = launches / 10;
    CUmodule module = start();
    CUfunction empty = kernel(module, "empty");
    CUdeviceptr memory;
    long before = 0;
    double began = 0;
    OK(cuMemAlloc_v2(&memory, 1 << 20));
    for (long i = 0; i < launches; i++) {
        if (i == warm) {
            before = resident_kb();
            began = now();
        }
        OK(cuLaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    }
    double microseconds = 1e6 * (now() - began) / (double)(launches - warm);
    long grown = resident_kb() - before;
    if (grown > 1024)
        printf("memory grew by %ld KB\n", grown);
    if (argc > 2)
        printf("%.2f microseconds a launch, memory grew by %ld KB\n", microseconds, grown);
    puts("many: done");
    return grown > 1024;
}
