/* The exported functions. */
#include "hostlib/rand/rand.h"

/* What programs are told: that of CUDA 13.0's library. */
enum { VERSION_MAJOR = 10, VERSION_MINOR = 4, VERSION_PATCH = 0 };

/* curandRngType: XORWOW, too, and those that the toolkit's library has. */
enum { TYPE_TEST = 0, TYPE_PSEUDO = 100 };
static const int twins[] = {141, 142, 200, 201, 202, 203, 204};

enum { ORDER_BEST = 100, ORDER_DEFAULT, ORDER_SEEDED, ORDER_LEGACY, ORDER_DYNAMIC };

/* ---- generators ---- */

static const RandFamily *family_of(int type) {
    if (type == TYPE_TEST || type == TYPE_PSEUDO)
        return &families[FAMILY_XORWOW];
    for (int i = 0; i < FAMILIES; i++)
        if (families[i].type == type)
            return &families[i];
    return NULL;
}

static RandStatus create(Generator **generator, int type, bool host) {
    const RandFamily *family = family_of(type);
    if (!generator)
        return RAND_NOT_INITIALIZED;
    *generator = NULL;
    Twin *twin = NULL;
    RandStatus status = family ? RAND_SUCCESS : RAND_TYPE_ERROR;
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++)
        if (twins[i] == type)
            status = twin_new(&twin, type);
    if (status)
        return status;
    *generator = generator_new(family, twin, host);
    if (!*generator && twin)
        twin_free(twin);
    return *generator ? RAND_SUCCESS : RAND_ALLOCATION_FAILED;
}

#define EXPORTED(name, ...)                                                                        \
    _Pragma("GCC visibility push(default)") RandStatus name(__VA_ARGS__);                          \
    _Pragma("GCC visibility pop") RandStatus name(__VA_ARGS__)

EXPORTED(curandCreateGenerator, Generator **generator, int type) {
    return create(generator, type, false);
}

EXPORTED(curandCreateGeneratorHost, Generator **generator, int type) {
    return create(generator, type, true);
}

EXPORTED(curandDestroyGenerator, Generator *generator) {
    if (!generator_is(generator))
        return RAND_NOT_INITIALIZED;
    generator_free(generator);
    return RAND_SUCCESS;
}

EXPORTED(curandGetVersion, int *version) {
    if (!version)
        return RAND_OUT_OF_RANGE;
    *version = VERSION_MAJOR * 1000 + VERSION_MINOR * 100 + VERSION_PATCH;
    return RAND_SUCCESS;
}

EXPORTED(curandGetProperty, int which, int *value) {
    static const int values[] = {VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH};
    if (!value || which < 0 || which > 2)
        return RAND_OUT_OF_RANGE;
    *value = values[which];
    return RAND_SUCCESS;
}

/* ---- settings ---- */

EXPORTED(curandSetStream, Generator *generator, CUstream stream) {
    if (!generator_is(generator))
        return RAND_NOT_INITIALIZED;
    generator->stream = stream;
    return RAND_SUCCESS;
}

/* The setting is not ours to make: `status` says why. It is the toolkit's, or there is no generator. */
static bool set_elsewhere(Generator *generator, const char *function, unsigned long long value,
                          RandStatus *status) {
    bool is = generator_is(generator);
    if (is && !generator->twin)
        return false;
    *status = is ? twin_set(generator->twin, function, value) : RAND_NOT_INITIALIZED;
    return true;
}

EXPORTED(curandSetPseudoRandomGeneratorSeed, Generator *generator, unsigned long long seed) {
    RandStatus status;
    if (set_elsewhere(generator, __func__, seed, &status))
        return status;
    generator->seed = seed;
    generator_restart(generator);
    return RAND_SUCCESS;
}

EXPORTED(curandSetGeneratorOffset, Generator *generator, unsigned long long offset) {
    RandStatus status;
    if (set_elsewhere(generator, __func__, offset, &status))
        return status;
    generator->offset = offset;
    generator_restart(generator);
    return RAND_SUCCESS;
}

EXPORTED(curandSetGeneratorOrdering, Generator *generator, int order) {
    RandStatus status;
    if (set_elsewhere(generator, __func__, (unsigned)order, &status))
        return status;
    bool seeded = generator->family == &families[FAMILY_XORWOW];
    if (order < ORDER_BEST || order > ORDER_DYNAMIC || (order == ORDER_SEEDED && !seeded) ||
        (order == ORDER_DYNAMIC && generator->host))
        return RAND_OUT_OF_RANGE;
    if (order == ORDER_SEEDED || order == ORDER_DYNAMIC)
        warplens_message(
            "curandSetGeneratorOrdering",
            "curandSetGeneratorOrdering: SEEDED and DYNAMIC give the numbers of DEFAULT");
    generator->legacy = order == ORDER_LEGACY;
    generator_restart(generator);
    return RAND_SUCCESS;
}

EXPORTED(curandSetQuasiRandomGeneratorDimensions, Generator *generator, unsigned dimensions) {
    RandStatus status;
    return set_elsewhere(generator, __func__, dimensions, &status) ? status : RAND_TYPE_ERROR;
}

EXPORTED(curandGenerateSeeds, Generator *generator) {
    return generator_is(generator) ? generator_place(generator) : RAND_NOT_INITIALIZED;
}

/* ---- numbers ---- */

typedef struct RandWork {
    HostWork work;
    Generator *generator;
    Distribution distribution;
    void *numbers;
    size_t count;
} RandWork;

static void run(const HostWork *data) {
    const RandWork *work = (const RandWork *)data;
    Generator *generator = work->generator;
    size_t bytes = work->count * distribution_bytes(work->distribution.id);
    if (!generator->host &&
        !warplens_reaches(data->function, (CUdeviceptr)(uintptr_t)work->numbers, bytes))
        return;
    if (generator->twin)
        generator->status = twin_fill(generator->twin, data->function, &work->distribution,
                                      work->numbers, work->count);
    else
        generator_fill(generator, &work->distribution, work->numbers, work->count);
}

static RandStatus generate(const char *function, Generator *generator, Distribution distribution,
                           void *numbers, size_t count) {
    if (!generator_is(generator))
        return RAND_NOT_INITIALIZED;
    bool own = !generator->twin;
    if (own && distribution.id == BITS_64) /* these give 32 bits */
        return RAND_TYPE_ERROR;
    if (own && generator->family->pairs && distribution_is_normal(distribution.id) && count % 2)
        return RAND_LENGTH_NOT_MULTIPLE;
    RandStatus status = generator_prepare(generator, &distribution);
    if (status || count == 0)
        return status;
    RandWork work = {{"curand", function, run}, generator, distribution, numbers, count};
    generator->status = RAND_SUCCESS;
    if (generator->host)
        run(&work.work);
    else if (warplens_enqueue(generator->stream, &work.work, sizeof work))
        return RAND_LAUNCH_FAILURE;
    return generator->status;
}

EXPORTED(curandGenerate, Generator *generator, uint32_t *numbers, size_t count) {
    return generate(__func__, generator, (Distribution){.id = BITS}, numbers, count);
}

EXPORTED(curandGenerateLongLong, Generator *generator, unsigned long long *numbers, size_t count) {
    return generate(__func__, generator, (Distribution){.id = BITS_64}, numbers, count);
}

EXPORTED(curandGenerateUniform, Generator *generator, float *numbers, size_t count) {
    return generate(__func__, generator, (Distribution){.id = UNIFORM}, numbers, count);
}

EXPORTED(curandGenerateUniformDouble, Generator *generator, double *numbers, size_t count) {
    return generate(__func__, generator, (Distribution){.id = UNIFORM_DOUBLE}, numbers, count);
}

EXPORTED(curandGenerateNormal, Generator *generator, float *numbers, size_t count, float mean,
         float deviation) {
    return generate(__func__, generator, (Distribution){NORMAL, mean, deviation, NULL}, numbers,
                    count);
}

EXPORTED(curandGenerateNormalDouble, Generator *generator, double *numbers, size_t count,
         double mean, double deviation) {
    return generate(__func__, generator, (Distribution){NORMAL_DOUBLE, mean, deviation, NULL},
                    numbers, count);
}

EXPORTED(curandGenerateLogNormal, Generator *generator, float *numbers, size_t count, float mean,
         float deviation) {
    return generate(__func__, generator, (Distribution){LOG_NORMAL, mean, deviation, NULL}, numbers,
                    count);
}

EXPORTED(curandGenerateLogNormalDouble, Generator *generator, double *numbers, size_t count,
         double mean, double deviation) {
    return generate(__func__, generator, (Distribution){LOG_NORMAL_DOUBLE, mean, deviation, NULL},
                    numbers, count);
}

EXPORTED(curandGeneratePoisson, Generator *generator, uint32_t *numbers, size_t count,
         double lambda) {
    if (!(lambda > 0 && lambda <= POISSON_MOST))
        return generator_is(generator) ? RAND_OUT_OF_RANGE : RAND_NOT_INITIALIZED;
    return generate(__func__, generator, (Distribution){.id = POISSON, .mean = lambda}, numbers,
                    count);
}

/* ---- tables for generators in kernels ---- */

static RandStatus get_table(const char *function, void *table, int set) {
    RandStatus (*get)(void *, int);
    *(void **)&get = toolkit_function(function);
    return get ? get(table, set) : RAND_INTERNAL_ERROR;
}

EXPORTED(curandGetDirectionVectors32, void *vectors, int set) {
    return get_table(__func__, vectors, set);
}

EXPORTED(curandGetDirectionVectors64, void *vectors, int set) {
    return get_table(__func__, vectors, set);
}

EXPORTED(curandGetScrambleConstants32, void *constants) {
    return get_table(__func__, constants, 0);
}

EXPORTED(curandGetScrambleConstants64, void *constants) {
    return get_table(__func__, constants, 0);
}
