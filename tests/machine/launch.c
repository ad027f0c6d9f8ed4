/* launch: launches kernels of gen.py, each once, and prints a checksum of what it wrote.
 *
 *   launch FOLDER SUFFIX [NAME ...]     FOLDER/kernels.tsv says which there are; NAME.SUFFIX is PTX or a cubin
 *   launch FOLDER SUFFIX MODULE [NAME ...]   of rows that begin with a module, those of this one: MODULE.SUFFIX has them all
 *
 * What main() of each NAME.cu does, but over the driver, with many kernels in one process: a profiler starts
 * slowly. Exit status 1 where a kernel faults. */
#include <cuda.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IN = 16384, OUT = 8, BINS = 1024, SCALARS = 8 };

static void check(CUresult result, const char *what) {
    const char *text = "?";
    if (!result)
        return;
    cuGetErrorString(result, &text);
    printf("%s: %s\n", what, text);
    exit(1);
}

static uint32_t next(uint32_t *x) {
    *x ^= *x << 13;
    *x ^= *x >> 17;
    return *x ^= *x << 5;
}

/* "i32=5 f32=1.25" */
static void scalars(char *text, uint32_t values[SCALARS], void **parameters) {
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"), values++) {
        const char *value = strchr(word, '=') + 1;
        float real = strtof(value, NULL);
        *values = (uint32_t)strtoll(value, NULL, 10);
        if (*word == 'f')
            memcpy(values, &real, 4);
        *parameters++ = values;
    }
}

static CUdeviceptr array(const void *data, size_t bytes) {
    CUdeviceptr place;
    check(cuMemAlloc(&place, bytes), "cuMemAlloc");
    check(data ? cuMemcpyHtoD(place, data, bytes) : cuMemsetD8(place, 0, bytes), "filling");
    return place;
}

static void launch(CUmodule module, const char *name, unsigned grid, const unsigned block[2],
                   char *rest) {
    size_t count = (size_t)OUT * grid * block[0] * block[1];
    uint32_t *result = calloc(count + BINS, 4), values[SCALARS], seed = 2463534242u;
    static uint32_t in[IN];
    static float real[IN];
    for (int i = 0; i < IN; i++)
        in[i] = next(&seed);
    for (int i = 0; i < IN; i++)
        real[i] = (float)(next(&seed) % 513) / 64 - 4;
    CUdeviceptr arrays[5] = {array(in, sizeof in), array(real, sizeof real), array(NULL, 4 * count),
                             array(NULL, 4 * BINS), array(NULL, 4 * count)};
    void *parameters[5 + SCALARS] = {&arrays[0], &arrays[1], &arrays[2], &arrays[3], &arrays[4]};
    scalars(rest, values, parameters + 5);
    CUfunction function;
    check(cuModuleGetFunction(&function, module, name), name);
    check(cuLaunchKernel(function, grid, 1, 1, block[0], block[1], 1, 0, NULL, parameters, NULL),
          name);
    check(cuCtxSynchronize(), name);
    check(cuMemcpyDtoH(result, arrays[2], 4 * count), name);
    check(cuMemcpyDtoH(result + count, arrays[3], 4 * BINS), name);
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < count + BINS; i++)
        sum = (sum ^ result[i]) * 1099511628211u;
    printf("%s\t%016llx\n", name, (unsigned long long)sum);
    fflush(stdout);
    for (int i = 0; i < 5; i++)
        check(cuMemFree(arrays[i]), "cuMemFree");
    free(result);
}

static int wanted(int count, char **names, const char *name) {
    for (int i = 0; i < count; i++)
        if (!strcmp(names[i], name))
            return 1;
    return !count;
}

/* A row: name, theme, grid, block, values; with a module, that comes first. */
static int read_row(const char *line, char module[64], char name[64], unsigned *grid,
                    unsigned block[2], char rest[512]) {
    rest[0] = 0;
    if (sscanf(line, "%63s %63s %*s %u %u,%u %511[^\n]", module, name, grid, &block[0], &block[1],
               rest) >= 5)
        return 1;
    rest[0] = module[0] = 0;
    return sscanf(line, "%63s %*s %u %u,%u %511[^\n]", name, grid, &block[0], &block[1], rest) >= 4;
}

int main(int count, char **arguments) {
    char path[4096], line[1024], in[64], name[64], rest[512], loaded[64] = "";
    unsigned grid, block[2];
    CUdevice device;
    CUcontext context;
    CUmodule module = NULL;
    if (count < 3)
        return fprintf(stderr, "usage: launch FOLDER SUFFIX [MODULE] [NAME ...]\n"), 2;
    snprintf(path, sizeof path, "%s/kernels.tsv", arguments[1]);
    FILE *list = fopen(path, "r");
    if (!list)
        return fprintf(stderr, "%s cannot be read\n", path), 2;
    check(cuInit(0), "cuInit");
    check(cuDeviceGet(&device, 0), "cuDeviceGet");
    check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    while (fgets(line, sizeof line, list)) {
        if (!read_row(line, in, name, &grid, block, rest))
            continue;
        int first = *in ? 4 : 3;
        const char *file = *in ? in : name;
        if ((*in && (count < 4 || strcmp(in, arguments[3]))) ||
            !wanted(count - first, arguments + first, name))
            continue;
        if (strcmp(loaded, file)) {
            if (module)
                check(cuModuleUnload(module), loaded);
            snprintf(path, sizeof path, "%s/%s.%s", arguments[1], file, arguments[2]);
            check(cuModuleLoad(&module, path), path);
            snprintf(loaded, sizeof loaded, "%s", file);
        }
        launch(module, name, grid, block, rest);
    }
    fclose(list);
    return 0;
}
