/* The transform of one row. Without FFTW: a power of two by J. Cooley's and J. Tukey's algorithm, in T. Stockham's
 * order; another length as a convolution of a power of two (L. Bluestein, 1970). */
#include "hostlib/fft/fft.h"

#include <stdlib.h>
#include <string.h>

enum { FFTW_FORWARD = -1, FFTW_UNALIGNED = 1 << 1, FFTW_ESTIMATE = 1 << 6 };

typedef struct Fftw {
    void *(*plan)(int count, double complex *from, double complex *to, int sign, unsigned flags);
    void (*execute)(void *plan, double complex *from, double complex *to);
    void (*destroy)(void *plan);
} Fftw;

struct Line {
    size_t count;
    Fftw fftw;
    void *plan;                            /* FFTW's, or NULL, and … */
    size_t padded;                         /* a power of two */
    double complex *turns;                 /* its roots of one */
    double complex *chirp, *filter, *work; /* of another length: Bluestein's */
};

static double complex turn(size_t k, size_t of) {
    return cexp(-2 * 3.14159265358979323846 * I * (double)k / (double)of);
}

/* Without C's care for infinities. */
static double complex times(double complex a, double complex b) {
    return complex_of(creal(a) * creal(b) - cimag(a) * cimag(b),
                      creal(a) * cimag(b) + cimag(a) * creal(b));
}

static bool find_fftw(Fftw *fftw) {
    *(void **)&fftw->plan = provider_look(PROVIDER_FFTW, "fftw_plan_dft_1d");
    *(void **)&fftw->execute = provider_look(PROVIDER_FFTW, "fftw_execute_dft");
    *(void **)&fftw->destroy = provider_look(PROVIDER_FFTW, "fftw_destroy_plan");
    return fftw->plan && fftw->execute && fftw->destroy;
}

/* ---- powers of two ---- */

static void power_transform(const Line *line, double complex *data, double complex *work) {
    double complex *from = data, *to = work;
    size_t half = line->padded / 2;
    for (size_t span = 1; span < line->padded; span *= 2) {
        for (size_t block = 0; block < half; block += span) {
            double complex by = line->turns[block];
            for (size_t k = 0; k < span; k++) {
                double complex a = from[block + k], b = from[block + k + half];
                to[2 * block + k] = a + b;
                to[2 * block + k + span] = times(a - b, by);
            }
        }
        double complex *swap = from;
        from = to, to = swap;
    }
    if (from != data)
        memcpy(data, from, line->padded * sizeof *data);
}

/* ---- other lengths ---- */

static void conjugate(double complex *data, size_t count) {
    for (size_t i = 0; i < count; i++)
        data[i] = conj(data[i]);
}

static void make_filter(Line *line, double complex *work) {
    for (size_t i = 0; i < line->count; i++) /* pi * i * i / count, whole turns left out */
        line->chirp[i] = turn(i * i % (2 * line->count), 2 * line->count);
    line->filter[0] = conj(line->chirp[0]);
    for (size_t i = 1; i < line->count; i++)
        line->filter[i] = line->filter[line->padded - i] = conj(line->chirp[i]);
    power_transform(line, line->filter, work);
}

static void convolve(Line *line, double complex *data) {
    double complex *wide = line->work, *work = line->work + line->padded;
    double scale = 1.0 / (double)line->padded;
    memset(wide, 0, line->padded * sizeof *wide);
    for (size_t i = 0; i < line->count; i++)
        wide[i] = times(data[i], line->chirp[i]);
    power_transform(line, wide, work);
    for (size_t i = 0; i < line->padded; i++)
        wide[i] = conj(times(wide[i], line->filter[i]));
    power_transform(line, wide, work);
    for (size_t i = 0; i < line->count; i++)
        data[i] = times(conj(wide[i]) * scale, line->chirp[i]);
}

/* ---- both ---- */

static bool make_own(Line *line) {
    size_t least = line->count;
    bool power = (line->count & (line->count - 1)) == 0;
    if (!power)
        least = 2 * line->count - 1;
    for (line->padded = 1; line->padded < least;)
        line->padded *= 2;
    line->turns = malloc((line->padded / 2 + 1) * sizeof *line->turns);
    line->work = malloc(2 * line->padded * sizeof *line->work);
    if (!power) {
        line->chirp = malloc(line->count * sizeof *line->chirp);
        line->filter = calloc(line->padded, sizeof *line->filter);
    }
    if (!line->turns || !line->work || (!power && (!line->chirp || !line->filter)))
        return false;
    for (size_t i = 0; i < line->padded / 2; i++)
        line->turns[i] = turn(i, line->padded);
    if (!power)
        make_filter(line, line->work);
    return true;
}

Line *line_new(size_t count) {
    Line *line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    line->count = count;
    if (count <= INT32_MAX && find_fftw(&line->fftw)) {
        double complex *sample = malloc(count * sizeof *sample);
        if (sample)
            line->plan = line->fftw.plan((int)count, sample, sample, FFTW_FORWARD,
                                         FFTW_ESTIMATE | FFTW_UNALIGNED);
        free(sample);
    }
    if (line->plan || make_own(line))
        return line;
    line_free(line);
    return NULL;
}

void line_free(Line *line) {
    if (!line)
        return;
    if (line->plan)
        line->fftw.destroy(line->plan);
    free(line->turns);
    free(line->chirp);
    free(line->filter);
    free(line->work);
    free(line);
}

void line_transform(Line *line, double complex *data, bool inverse) {
    if (inverse)
        conjugate(data, line->count);
    if (line->plan)
        line->fftw.execute(line->plan, data, data);
    else if (line->chirp)
        convolve(line, data);
    else
        power_transform(line, data, line->work);
    if (inverse)
        conjugate(data, line->count);
}
