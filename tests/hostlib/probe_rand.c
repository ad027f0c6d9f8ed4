/* What cuRAND's host API gives: asks generators, in their orderings, from several seeds and offsets, for
 * several counts, by every call, and prints the first, the middle and the last numbers and a checksum of all
 * bits. rand.txt has the answers of an H200. On a machine with a GPU:
 *
 *   gcc -O2 probe_rand.c -lcurand -lcudart -o probe_rand && ./probe_rand > rand.txt */
#include <cuda_runtime.h>
#include <curand.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 100000, DEFAULT = 101, LEGACY = 103 };
static uint8_t got[MOST * 8];
static void *device;

static const struct {
    int type;
    const char *name;
} generators[] = {{101, "xorwow"}, {121, "mrg32k3a"}, {161, "philox"}};

static const struct {
    const char *name;
    size_t bytes;
} calls[] = {{"generate", 4},   {"uniform", 4},    {"uniform64", 8},   {"normal", 4},
             {"normal64", 8},   {"lognormal", 4},  {"lognormal64", 8}, {"poisson3", 4},
             {"poisson100", 4}, {"poisson5000", 4}};
enum { CALLS = sizeof calls / sizeof calls[0] };

static int ask(curandGenerator_t g, int call, void *to, size_t n) {
    switch (call) {
    case 0:
        return curandGenerate(g, to, n);
    case 1:
        return curandGenerateUniform(g, to, n);
    case 2:
        return curandGenerateUniformDouble(g, to, n);
    case 3:
        return curandGenerateNormal(g, to, n, 0.0f, 1.0f);
    case 4:
        return curandGenerateNormalDouble(g, to, n, 0.0, 1.0);
    case 5:
        return curandGenerateLogNormal(g, to, n, 0.5f, 0.25f);
    case 6:
        return curandGenerateLogNormalDouble(g, to, n, 0.5, 0.25);
    default:
        return curandGeneratePoisson(g, to, n, call == 7 ? 3.0 : call == 8 ? 100.0 : 5000.0);
    }
}

static uint64_t word(size_t bytes, size_t i) {
    uint64_t word = 0;
    memcpy(&word, got + i * bytes, bytes);
    return word;
}

static void show(size_t bytes, size_t n) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ word(bytes, i)) * 0x100000001b3u;
    for (size_t i = 0; i < 4; i++)
        printf(" %llx", (unsigned long long)word(bytes, i < n ? i : n - 1));
    printf(" mid %llx last %llx sum %016llx\n", (unsigned long long)word(bytes, n / 2),
           (unsigned long long)word(bytes, n - 1), (unsigned long long)sum);
}

/* `first` numbers are drawn before, and left out. */
static void question(int generator, int order, uint64_t seed, uint64_t offset, int call,
                     size_t first, size_t n) {
    curandGenerator_t g;
    curandCreateGenerator(&g, generators[generator].type);
    curandSetGeneratorOrdering(g, order);
    curandSetPseudoRandomGeneratorSeed(g, seed);
    curandSetGeneratorOffset(g, offset);
    printf("%s order=%d seed=%llu offset=%llu %s first=%zu n=%zu:", generators[generator].name,
           order, (unsigned long long)seed, (unsigned long long)offset, calls[call].name, first, n);
    int status = first ? ask(g, call, device, first) : 0;
    if (!status)
        status = ask(g, call, device, n);
    cudaMemcpy(got, device, n * calls[call].bytes, cudaMemcpyDeviceToHost);
    if (status)
        printf(" failed %d\n", status);
    else
        show(calls[call].bytes, n);
    curandDestroyGenerator(g);
}

int main(void) {
    cudaMalloc(&device, sizeof got);
    for (int generator = 0; generator < 3; generator++)
        for (int call = 0; call < CALLS; call++) {
            question(generator, DEFAULT, 0, 0, call, 0, 7);
            question(generator, DEFAULT, 0, 0, call, 1002, 1000);
            question(generator, DEFAULT, 0x123456789abcdef, 0, call, 0, MOST);
            question(generator, DEFAULT, 0, 100000007, call, 0, 1000);
            if (call == 0 || call == 3)
                question(generator, LEGACY, 0, 0, call, 1000, MOST);
        }
    return 0;
}
