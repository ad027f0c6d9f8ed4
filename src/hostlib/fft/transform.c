/* Transforms of one to three dimensions. Real numbers are complex ones whose imaginary part is zero: half of
 * their transform is the conjugate of the other half, which is not stored. */
#include "hostlib/fft/fft.h"

#include <stdlib.h>
#include <string.h>

/* How many numbers a side has in the last dimension. */
static long long last_of(const Transform *transform, const FftLayout *layout) {
    long long last = transform->size[transform->rank - 1];
    bool half = transform->from.is_complex != transform->to.is_complex && layout->is_complex;
    return half ? last / 2 + 1 : last;
}

static long long element(const Transform *transform, const FftLayout *layout, const long long *at) {
    long long index = 0;
    for (int i = 0; i < transform->rank; i++)
        index = (i ? index * layout->embed[i] : 0) + at[i];
    return index * layout->step;
}

static size_t number_bytes(const Transform *transform, const FftLayout *layout) {
    size_t real = element_bytes(transform->number);
    return layout->is_complex ? 2 * real : real;
}

size_t fft_layout_bytes(const Transform *transform, const FftLayout *layout) {
    long long last[RANK_MOST];
    for (int i = 0; i < transform->rank; i++)
        last[i] = transform->size[i] - 1;
    last[transform->rank - 1] = last_of(transform, layout) - 1;
    long long index = (transform->batches - 1) * layout->batch + element(transform, layout, last);
    return (size_t)(index + 1) * number_bytes(transform, layout);
}

static void pack(Transform *transform, FftLayout *layout, bool padded) {
    long long last = last_of(transform, layout);
    if (padded && !layout->is_complex)
        last = 2 * (last / 2 + 1);
    layout->step = layout->batch = 1;
    for (int i = 0; i < transform->rank; i++) {
        layout->embed[i] = i == transform->rank - 1 ? last : transform->size[i];
        layout->batch *= layout->embed[i];
    }
}

void transform_pack(Transform *transform, bool in_place) {
    bool real = transform->from.is_complex != transform->to.is_complex;
    pack(transform, &transform->from, real && in_place);
    pack(transform, &transform->to, real && in_place);
}

/* ---- numbers in memory ---- */

static double complex load(const Transform *transform, const FftLayout *layout, const void *base,
                           long long index) {
    size_t at = (size_t)(layout->is_complex ? 2 * index : index);
    double real = element_real(transform->number, base, at);
    return layout->is_complex ? complex_of(real, element_real(transform->number, base, at + 1))
                              : real;
}

static void store(const Transform *transform, const FftLayout *layout, void *base, long long index,
                  double complex number) {
    size_t at = (size_t)(layout->is_complex ? 2 * index : index);
    element_set(transform->number, base, at, creal(number), 0);
    if (layout->is_complex)
        element_set(transform->number, base, at + 1, cimag(number), 0);
}

/* The place after `at`, the last dimension first; false after the last one. */
static bool advance(const Transform *transform, long long *at, long long last) {
    for (int i = transform->rank - 1; i >= 0; i--) {
        if (++at[i] < (i == transform->rank - 1 ? last : transform->size[i]))
            return true;
        at[i] = 0;
    }
    return false;
}

static long long dense(const Transform *transform, const long long *at) {
    long long index = 0;
    for (int i = 0; i < transform->rank; i++)
        index = index * transform->size[i] + at[i];
    return index;
}

static void load_all(const Transform *transform, const void *from, long long batch,
                     double complex *data) {
    const FftLayout *layout = &transform->from;
    long long at[RANK_MOST] = {0}, last = last_of(transform, layout);
    long long size = transform->size[transform->rank - 1];
    do {
        double complex number =
            load(transform, layout, from, batch * layout->batch + element(transform, layout, at));
        data[dense(transform, at)] = number;
        long long mirror[RANK_MOST] = {0};
        for (int i = 0; i < transform->rank; i++)
            mirror[i] = (transform->size[i] - at[i]) % transform->size[i];
        if (last < size && mirror[transform->rank - 1] >= last)
            data[dense(transform, mirror)] = conj(number);
    } while (advance(transform, at, last));
}

static void store_all(const Transform *transform, void *to, long long batch,
                      const double complex *data) {
    const FftLayout *layout = &transform->to;
    long long at[RANK_MOST] = {0}, last = last_of(transform, layout);
    do
        store(transform, layout, to, batch * layout->batch + element(transform, layout, at),
              data[dense(transform, at)]);
    while (advance(transform, at, last));
}

/* ---- the transform ---- */

static void along(Line *line, double complex *data, double complex *row, size_t count, size_t step,
                  bool inverse) {
    if (step == 1) {
        line_transform(line, data, inverse);
        return;
    }
    for (size_t i = 0; i < count; i++)
        row[i] = data[i * step];
    line_transform(line, row, inverse);
    for (size_t i = 0; i < count; i++)
        data[i * step] = row[i];
}

static void transform_dense(const Transform *transform, double complex *data, double complex *row,
                            size_t total, bool inverse) {
    size_t step = total;
    for (int i = 0; i < transform->rank; i++) {
        size_t size = (size_t)transform->size[i], block = step;
        step /= size;
        for (size_t first = 0; first < total; first += block)
            for (size_t k = 0; k < step; k++)
                along(transform->lines[i], data + first + k, row, size, step, inverse);
    }
}

bool transform_run(const Transform *transform, const void *from, void *to, bool inverse) {
    size_t total = 1, longest = 1;
    for (int i = 0; i < transform->rank; i++) {
        size_t size = (size_t)transform->size[i];
        total *= size;
        longest = size > longest ? size : longest;
    }
    double complex *data = malloc((total + longest) * sizeof *data);
    if (!data)
        return false;
    for (long long batch = 0; batch < transform->batches; batch++) {
        load_all(transform, from, batch, data);
        transform_dense(transform, data, data + total, total, inverse);
        store_all(transform, to, batch, data);
    }
    free(data);
    return true;
}
