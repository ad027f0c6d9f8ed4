/* argv[1] empty launches, with argv[2] allocations alive: neither the program's memory grows, nor does
 * a launch take longer than 100 microseconds of the processor (an empty one takes 6; the test is to
 * notice work that each launch does for each allocation). argv[3]: so many modules are loaded, run and
 * unloaded as well. The time goes to stdout if there is an argv[4]: it is not the same each time. */
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

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static long number(int argc, char **argv, int which, long otherwise) {
    return argc > which ? atol(argv[which]) : otherwise;
}

/* Every second one is released, as programs do that come and go with pieces of memory. */
static void make_allocations(long count) {
    for (long i = 0; i < count; i++) {
        CUdeviceptr kept, released;
        OK(cuMemAlloc_v2(&kept, (size_t)(1 + i % 7) * 1000));
        OK(cuMemAlloc_v2(&released, (size_t)(1 + i % 5) * 3000));
        OK(cuMemFree_v2(released));
    }
}

static void use_modules(long count) {
    long before = 0;
    for (long i = 0; i < count; i++) {
        CUmodule module;
        if (i == count / 2)
            before = resident_kb();
        OK(cuModuleLoadData(&module, kernels));
        OK(cuLaunchKernel(kernel(module, "empty"), 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
        OK(cuModuleUnload(module));
    }
    long grown = count ? resident_kb() - before : 0;
    if (grown > count / 2) /* KB; handles of what was unloaded stay: half of one for each */
        printf("modules: memory grew by %ld KB\n", grown);
}

int main(int argc, char **argv) {
    long launches = number(argc, argv, 1, 100000), warm = launches / 10;
    CUmodule module = start();
    CUfunction empty = kernel(module, "empty");
    long before = 0;
    double began = 0, cpu_began = 0;
    make_allocations(number(argc, argv, 2, 1));
    use_modules(number(argc, argv, 3, 0));
    for (long i = 0; i < launches; i++) {
        if (i == warm) {
            before = resident_kb();
            began = now(CLOCK_MONOTONIC);
            cpu_began = now(CLOCK_PROCESS_CPUTIME_ID);
        }
        OK(cuLaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    }
    double each = 1e6 / (double)(launches - warm);
    double microseconds = each * (now(CLOCK_MONOTONIC) - began);
    double cpu_microseconds = each * (now(CLOCK_PROCESS_CPUTIME_ID) - cpu_began);
    long grown = resident_kb() - before;
    if (grown > 1024)
        printf("memory grew by %ld KB\n", grown);
    if (cpu_microseconds > 100)
        printf("a launch takes %.1f microseconds\n", cpu_microseconds);
    if (argc > 4)
        printf("%.2f microseconds a launch, memory grew by %ld KB\n", microseconds, grown);
    puts("many: done");
    return grown > 1024;
}
