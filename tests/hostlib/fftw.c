/* FFTW's transforms beside those of our own, on random shapes: the files of src/hostlib/fft that compute, with FFTW and
 * without. `fftw seconds`: how long each takes. */
#include "hostlib/fft/fft.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SKIPPED = 77, SHAPES = 60, TOTAL_MOST = 6000 };

static bool with_fftw;

void *provider_look(ProviderId id, const char *name) {
    static void *library;
    if (!library)
        library = dlopen("libfftw3.so.3", RTLD_NOW);
    return id == PROVIDER_FFTW && with_fftw && library ? dlsym(library, name) : NULL;
}

static long long random_below(long long most) {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (long long)((state >> 33) % (unsigned long long)most);
}

/* A dense transform of complex numbers, or of real ones into complex ones. */
static Transform make(int rank, const long long *size, bool real, bool fftw) {
    Transform made = {.rank = rank, .batches = 1, .number = R_64F};
    with_fftw = fftw;
    made.from.is_complex = !real;
    made.to.is_complex = true;
    for (int i = 0; i < rank; i++) {
        made.size[i] = size[i];
        made.lines[i] = line_new((size_t)size[i]);
    }
    transform_pack(&made, false);
    return made;
}

static void release(Transform *transform) {
    for (int i = 0; i < transform->rank; i++)
        line_free(transform->lines[i]);
}

static double seconds_of(const Transform *transform, const void *from, void *to) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    if (!transform_run(transform, from, to, false))
        exit(1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
}

/* The largest difference of the two, beside the largest number. */
static double compare(int rank, const long long *size, bool real, double seconds[2]) {
    size_t total = 1;
    double most = 0, apart = 0;
    for (int i = 0; i < rank; i++)
        total *= (size_t)size[i];
    double *from = malloc(2 * total * sizeof *from);
    double complex *to[2];
    if (!from)
        exit(1);
    for (size_t i = 0; i < 2 * total; i++)
        from[i] = (double)random_below(2001) / 1000 - 1;
    for (int fftw = 0; fftw < 2; fftw++) {
        Transform transform = make(rank, size, real, fftw);
        to[fftw] = calloc(total, sizeof *to[fftw]);
        if (!to[fftw])
            exit(1);
        seconds[fftw] = seconds_of(&transform, from, to[fftw]);
        release(&transform);
    }
    for (size_t i = 0; i < total; i++) {
        const double difference = cabs(to[0][i] - to[1][i]), number = cabs(to[0][i]);
        apart = difference > apart ? difference : apart;
        most = number > most ? number : most;
    }
    free(from);
    free(to[0]);
    free(to[1]);
    return most > 0 ? apart / most : 1;
}

static int check(void) {
    double seconds[2], worst = 0;
    for (int shape = 0; shape < SHAPES; shape++) {
        long long size[RANK_MOST] = {1, 1, 1}, room = TOTAL_MOST;
        const int rank = 1 + shape % RANK_MOST;
        for (int i = 0; i < rank; i++) {
            size[i] = 1 + random_below(i == rank - 1 ? room : room < 40 ? room : 40);
            room /= size[i];
        }
        const double apart = compare(rank, size, shape % 2, seconds);
        worst = apart > worst ? apart : worst;
        if (apart > 1e-14) {
            printf("%lld x %lld x %lld: %g of the largest number\n", size[0], size[1], size[2],
                   apart);
            return 1;
        }
    }
    printf("%d shapes, at most %.1g of the largest number apart\n", SHAPES, worst);
    return 0;
}

static int measure(void) {
    static const long long sizes[][RANK_MOST] = {{1 << 20}, {1000003}, {2048, 2048}};
    static const int ranks[] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        double seconds[2];
        compare(ranks[i], sizes[i], false, seconds);
        printf("%lld x %lld: own %.3f s, FFTW %.3f s\n", sizes[i][0],
               ranks[i] > 1 ? sizes[i][1] : 1, seconds[0], seconds[1]);
    }
    return 0;
}

int main(int argc, char **argv) {
    with_fftw = true;
    if (!provider_look(PROVIDER_FFTW, "fftw_plan_dft_1d")) {
        puts("skipped: there is no libfftw3.so.3 (apt-get install libfftw3-double3)");
        return SKIPPED;
    }
    return argc > 1 && strcmp(argv[1], "seconds") == 0 ? measure() : check();
}
