/* cuRAND: what a GPU's gives (rand.txt), errors, other memory. */
#include "check.h"

#include <math.h>
#include <stdint.h>

typedef struct Generator *curandGenerator_t;
enum { XORWOW = 101, MRG32K3A = 121, PHILOX = 161 };
enum { NOT_INITIALIZED = 101, TYPE_ERROR = 103, OUT_OF_RANGE = 104, LENGTH_NOT_MULTIPLE = 105 };

int curandCreateGenerator(curandGenerator_t *generator, int type);
int curandCreateGeneratorHost(curandGenerator_t *generator, int type);
int curandDestroyGenerator(curandGenerator_t generator);
int curandGetVersion(int *version);
int curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
int curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
int curandSetGeneratorOrdering(curandGenerator_t generator, int order);
int curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned dimensions);
int curandGenerate(curandGenerator_t generator, void *to, size_t n);
int curandGenerateLongLong(curandGenerator_t generator, void *to, size_t n);
int curandGenerateUniform(curandGenerator_t generator, void *to, size_t n);
int curandGenerateUniformDouble(curandGenerator_t generator, void *to, size_t n);
int curandGenerateNormal(curandGenerator_t generator, void *to, size_t n, float mean,
                         float deviation);
int curandGenerateNormalDouble(curandGenerator_t generator, void *to, size_t n, double mean,
                               double deviation);
int curandGenerateLogNormal(curandGenerator_t generator, void *to, size_t n, float mean,
                            float deviation);
int curandGenerateLogNormalDouble(curandGenerator_t generator, void *to, size_t n, double mean,
                                  double deviation);
int curandGeneratePoisson(curandGenerator_t generator, void *to, size_t n, double lambda);
int curandGetDirectionVectors32(uint32_t (**vectors)[32], int set);
int curandGeneratePoissonMethod(void);

enum { MOST = 100000, SHOWN = 6 };

static int type_of(const char *name) {
    return !strcmp(name, "xorwow") ? XORWOW : !strcmp(name, "mrg32k3a") ? MRG32K3A : PHILOX;
}

static int ask(curandGenerator_t generator, const char *call, void *to, size_t n) {
    if (!strcmp(call, "generate"))
        return curandGenerate(generator, to, n);
    if (!strcmp(call, "uniform"))
        return curandGenerateUniform(generator, to, n);
    if (!strcmp(call, "uniform64"))
        return curandGenerateUniformDouble(generator, to, n);
    if (!strcmp(call, "normal"))
        return curandGenerateNormal(generator, to, n, 0, 1);
    if (!strcmp(call, "normal64"))
        return curandGenerateNormalDouble(generator, to, n, 0, 1);
    if (!strcmp(call, "lognormal"))
        return curandGenerateLogNormal(generator, to, n, 0.5f, 0.25f);
    if (!strcmp(call, "lognormal64"))
        return curandGenerateLogNormalDouble(generator, to, n, 0.5, 0.25);
    return curandGeneratePoisson(generator, to, n, atof(call + strlen("poisson")));
}

/* ---- a line of rand.txt ---- */

typedef struct Line {
    char generator[16], call[16], answer[256];
    int order;
    unsigned long long seed, offset;
    size_t first, n;
} Line;

static uint64_t word(const void *numbers, size_t bytes, size_t i) {
    uint64_t word = 0;
    memcpy(&word, (const char *)numbers + i * bytes, bytes);
    return word;
}

static uint64_t checksum(const void *numbers, size_t bytes, size_t n) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ word(numbers, bytes, i)) * 0x100000001b3u;
    return sum;
}

static double number(const Line *line, uint64_t bits) {
    float single;
    double number;
    if (!strncmp(line->call, "poisson", strlen("poisson")))
        return (double)bits;
    memcpy(&single, &bits, sizeof single);
    memcpy(&number, &bits, sizeof number);
    return strstr(line->call, "64") ? number : (double)single;
}

/* How far a number may be from a GPU's, where it is not the same: its functions are others. */
static double tolerance(const char *call) {
    return !strcmp(call, "poisson5000") ? 1 : strstr(call, "64") ? 0x1p-46 : 0x1p-19;
}

static void check_numbers(const Line *line, const void *numbers, size_t bytes) {
    bool exact = !strstr(line->call, "normal") && strcmp(line->call, "poisson5000") != 0;
    unsigned long long shown[SHOWN], sum;
    size_t n = line->n, at[SHOWN] = {0, 1, 2, 3, n / 2, n - 1};
    CHECK(sscanf(line->answer, "%llx %llx %llx %llx mid %llx last %llx sum %llx", &shown[0],
                 &shown[1], &shown[2], &shown[3], &shown[4], &shown[5], &sum) == 7);
    for (int i = 0; i < SHOWN; i++) {
        double difference =
            number(line, shown[i]) - number(line, word(numbers, bytes, at[i] < n ? at[i] : n - 1));
        CHECK(fabs(difference) <= (exact ? 0 : tolerance(line->call)));
    }
    CHECK(!exact || checksum(numbers, bytes, n) == sum);
}

static void check_line(const Line *line, void *numbers) {
    curandGenerator_t generator;
    int wanted = 0, status = 0;
    CHECK(curandCreateGenerator(&generator, type_of(line->generator)) == 0);
    CHECK(curandSetGeneratorOrdering(generator, line->order) == 0);
    CHECK(curandSetPseudoRandomGeneratorSeed(generator, line->seed) == 0);
    CHECK(curandSetGeneratorOffset(generator, line->offset) == 0);
    if (line->first)
        status = ask(generator, line->call, numbers, line->first);
    if (!status)
        status = ask(generator, line->call, numbers, line->n);
    sscanf(line->answer, "failed %d", &wanted);
    CHECK(status == wanted);
    if (!status)
        check_numbers(line, numbers, strstr(line->call, "64") ? sizeof(double) : sizeof(float));
    CHECK(curandDestroyGenerator(generator) == 0);
}

static int check_lines(const char *path, void *numbers) {
    char text[512];
    int count = 0;
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fgets(text, sizeof text, file)) {
        Line line;
        if (text[0] == '#')
            continue;
        CHECK(sscanf(text, "%15s order=%d seed=%llu offset=%llu %15s first=%zu n=%zu: %255[^\n]",
                     line.generator, &line.order, &line.seed, &line.offset, line.call, &line.first,
                     &line.n, line.answer) == 8);
        check_line(&line, numbers);
        count++;
    }
    fclose(file);
    return count;
}

/* ---- the rest ---- */

static void refused(void *numbers) {
    curandGenerator_t generator;
    int version;
    CHECK(curandCreateGenerator(NULL, XORWOW) == NOT_INITIALIZED);
    CHECK(curandCreateGenerator(&generator, 99) == TYPE_ERROR);
    CHECK(curandCreateGenerator(&generator, 102) == TYPE_ERROR);
    CHECK(curandGenerate(NULL, numbers, 10) == NOT_INITIALIZED);
    CHECK(curandDestroyGenerator(NULL) == NOT_INITIALIZED);
    CHECK(curandGetVersion(&version) == 0 && version == 10400);
    CHECK(curandCreateGenerator(&generator, MRG32K3A) == 0);
    CHECK(curandGenerateLongLong(generator, numbers, 10) == TYPE_ERROR);
    CHECK(curandGenerateNormal(generator, numbers, 7, 0, 1) == LENGTH_NOT_MULTIPLE);
    CHECK(curandGeneratePoisson(generator, numbers, 8, 0) == OUT_OF_RANGE);
    CHECK(curandGeneratePoisson(generator, numbers, 8, 400001) == OUT_OF_RANGE);
    CHECK(curandSetGeneratorOrdering(generator, 102) == OUT_OF_RANGE);
    CHECK(curandSetGeneratorOrdering(generator, 201) == OUT_OF_RANGE);
    CHECK(curandSetQuasiRandomGeneratorDimensions(generator, 3) == TYPE_ERROR);
    CHECK(curandGeneratePoissonMethod() != 0);
    CHECK(curandGenerate(generator, numbers, 0) == 0);
    CHECK(curandDestroyGenerator(generator) == 0);
}

/* Generators of the host write to its memory; others do not. */
static void host(const void *numbers) {
    curandGenerator_t generator;
    uint32_t here[100];
    CHECK(curandCreateGeneratorHost(&generator, PHILOX) == 0);
    CHECK(curandGenerate(generator, here, 100) == 0);
    CHECK(!memcmp(here, numbers, sizeof here));
    CHECK(curandDestroyGenerator(generator) == 0);
    CHECK(curandCreateGenerator(&generator, PHILOX) == 0);
    CHECK(curandGenerate(generator, here, 100) == 0);
    CHECK(cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* Of other generators: what a GPU's began with. */
static void toolkit(uint64_t *numbers) {
    static const struct {
        const char *name;
        int type;
        uint64_t first[2];
    } twins[] = {
        {"MTGP32", 141, {0x1583a42b, 0x4794680a}},
        {"Sobol32", 201, {0, 0x80000000}},
        {"scrambled Sobol64", 204, {0xe20866fe27bec92a, 0x0c04e445976cff16}},
    };
    curandGenerator_t generator;
    uint32_t(*vectors)[32];
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        uint32_t *words = (uint32_t *)numbers;
        CHECK(curandCreateGenerator(&generator, twins[i].type) == 0);
        if (twins[i].type == 204) {
            CHECK(curandGenerate(generator, numbers, 2) == TYPE_ERROR);
            CHECK(curandGenerateLongLong(generator, numbers, 2) == 0);
            CHECK(numbers[0] == twins[i].first[0] && numbers[1] == twins[i].first[1]);
        } else {
            CHECK(curandGenerate(generator, words, 2) == 0);
            CHECK(words[0] == twins[i].first[0] && words[1] == twins[i].first[1]);
        }
        CHECK(curandDestroyGenerator(generator) == 0);
        puts(twins[i].name);
    }
    CHECK(curandGetDirectionVectors32(&vectors, 101) == 0 && vectors[0][0] == 0x80000000);
}

int main(int argc, char **argv) {
    CUdeviceptr memory;
    curandGenerator_t generator;
    start();
    OK(cuMemAlloc_v2(&memory, MOST * sizeof(double)));
    void *numbers = (void *)(uintptr_t)memory;
    if (argc > 1 && !strcmp(argv[1], "toolkit")) {
        toolkit(numbers);
        return 0;
    }
    printf("%d answers of a GPU\n", argc > 1 ? check_lines(argv[1], numbers) : 0);
    refused(numbers);
    CHECK(curandCreateGenerator(&generator, PHILOX) == 0);
    CHECK(curandGenerate(generator, numbers, 100) == 0);
    CHECK(curandDestroyGenerator(generator) == 0);
    host(numbers);
    puts("rand: fine");
    return 0;
}
