//! join signs
//! join bracketed
//! join numbers
//! join below
//! join loose
//! join divided
//! join doubled
//! join squared
//! join parts
//! join addresses
//! join expanded
//! join members
//! join inner
//! join counted
//! join added
//! join from_one
//! join by_two
//! join many
//! join broken
//! join stepped
//! join nested
//! join two_each
//! join shifted
//! join heads
//! join otherwise
//! join cases
//! join shortly
//! join atomics
//! join fenced
//! join assembled
//! join left
//! join skipped
//! join referred
//! join pointed
//! join copied
//! join other_in
//! join overlapping
//! join restricted
//! join others
//! join mixed
//! join passed_on

// Elements that lie next to each other in many spellings: some of them one access takes, most it may not.
// the index's terms in other orders, with signs and brackets
__global__ void signs(const float *in, float *out) {
    int i = threadIdx.x;
    out[i] = in[4 * i - 4] + in[-3 + 4 * i] * in[4 * i - 2] + in[(4 * i) - 1];
}

__global__ void bracketed(const float *in, float *out) {
    int i = threadIdx.x;
    out[i] = in[(i + 1) * 2] + in[(i + 1) * 2 + 1];
}

__global__ void numbers(const float *in, float *out) { out[threadIdx.x] = in[0] + in[1] + in[0 + 2] + in[3]; }

__global__ void below(const float *in, float *out) {
    const float *p = in + 8 * threadIdx.x + 8;
    out[threadIdx.x] = p[-4] + p[-3] + p[-2] + p[-1];
}

// no sums
__global__ void loose(const float *in, float *out) {
    int i = threadIdx.x;
    out[i] = in[i << 1] + in[i << 1 | 1];
}

__global__ void divided(const float *in, float *out) {
    int i = 2 * threadIdx.x;
    out[i / 2] = in[i / 2 * 4 % 64] + in[i / 2 * 4 % 64 + 1];
}

__global__ void doubled(const float *in, float *out) {
    int i = threadIdx.x;
    out[i] = in[2 * i + + 0] + in[2 * i + 1];
}

__global__ void squared(const float *in, float *out, int n) {
    int i = threadIdx.x;
    out[i] = in[2 * i * n] + in[2 * i * n + 1];
}

// what is no element alone
struct Pair { float x, y; };
__global__ void parts(const Pair *in, float *out) {
    int i = threadIdx.x;
    out[i] = in[2 * i].x + in[2 * i + 1].y;
}

__global__ void addresses(const float *in, float *out) {
    int i = threadIdx.x;
    const float *p = &in[2 * i], *q = &in[2 * i + 1];
    out[i] = *p + *q + *(in + 2 * i) + *(in + 2 * i + 1);
}

#define AT(array, i) array[i]
__global__ void expanded(const float *in, float *out) {
    int i = threadIdx.x;
    out[i] = AT(in, 2 * i) + AT(in, 2 * i + 1);
}

struct Box { const int *in; };
namespace other { __device__ int in[64]; }
__global__ void members(const int *in, int *out, Box box) {
    int i = threadIdx.x;
    out[i] = box.in[2 * i] + box.in[2 * i + 1] + other::in[2 * i] + other::in[2 * i + 1];
}

__global__ void inner(const float *in, float *out) {
    int i = threadIdx.x;
    float sum = 0;
    {
        float in[4] = {1, 2};
        sum = in[0] + in[1];
    }
    out[i] = sum;
}

__global__ void other_in(const float *in, float *out) {
    const float four[] = {1, 2, 3, 4};
    for (int k = 0; k < 4; k++) {
        double in[4] = {four[k], 2};
        out[k] = in[0] + in[1];
        in[0] = in[1] = 3;
    }
}

// changed in place, in all its ways
__global__ void counted(int *a) {
    int i = threadIdx.x;
    a[2 * i]++;
    ++a[2 * i + 1];
    --a[2 * i + 128], a[2 * i + 129]--;
}

__global__ void added(int *a, const int *b) {
    int i = threadIdx.x;
    a[2 * i] += b[2 * i];
    a[2 * i + 1] -= b[2 * i + 1];
}

// loops that do not count from 0 by 1 to a small number
__global__ void from_one(const float *in, float *out) {
    float sum = 0;
    for (int k = 1; k < 5; k++)
        sum += in[4 * threadIdx.x + k];
    out[threadIdx.x] = sum;
}

__global__ void by_two(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 4; k += 2)
        sum += in[4 * threadIdx.x + k];
    out[threadIdx.x] = sum;
}

__global__ void many(const float *in, float *out, int n) {
    float sum = 0;
    for (int k = 0; k < 4000; k++)
        sum += in[4000 * threadIdx.x + k];
    for (int k = 0; k < n; k++)
        sum += in[4 * threadIdx.x + k];
    for (int k = 0; k <= 3; k++)
        sum += in[4 * threadIdx.x + k];
    out[threadIdx.x] = sum;
}

__global__ void broken(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        if (sum > 100)
            break;
        sum += in[4 * threadIdx.x + k];
    }
    for (int k = 0; k < 4; k++)
        sum += k > 1 ? in[4 * threadIdx.x + k] : 0;
    out[threadIdx.x] = sum;
}

__global__ void stepped(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 4; k++) {
        sum += in[4 * threadIdx.x + k];
        k += sum > 3;
    }
    out[threadIdx.x] = sum;
}

__global__ void nested(const float *in, float *out) {
    float sum = 0;
    for (int j = 0; j < 3; j++)
        for (int k = 0; k < 4; k++)
            sum += in[(threadIdx.x * 3 + j) * 4 + k];
    out[threadIdx.x] = sum;
}

// two elements in a turn, and one
__global__ void two_each(const float *in, float *out) {
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += in[8 * threadIdx.x + k] * in[8 * threadIdx.x + k + 4];
    out[threadIdx.x] = sum;
}

__global__ void shifted(float *a) {
    for (int k = 0; k < 2; k++)
        a[4 * threadIdx.x + k] = a[4 * threadIdx.x + k + 2] + 1;
}

// where a statement may not be reached, or not once
__global__ void heads(const int *rows, int *out) {
    int i = threadIdx.x;
    for (int k = rows[2 * i]; k < rows[2 * i + 1]; k++)
        out[k] = i;
    while (rows[2 * i + 64] > rows[2 * i + 65])
        i++;
    do
        i += rows[2 * i] + rows[2 * i + 1];
    while (i < 7);
}

__global__ void otherwise(const int *in, int *out, bool all) {
    int i = threadIdx.x;
    if (all)
        out[i] = in[2 * i] + in[2 * i + 1];
    else
        out[i] = in[2 * i] - in[2 * i + 1];
    if (all) {
        out[i] = in[2 * i + 64] + in[2 * i + 65];
    } else {
        out[i] += in[2 * i + 128] * in[2 * i + 129];
    }
}

__global__ void cases(const int *in, int *out, int which) {
    int i = threadIdx.x;
    switch (which) {
    case 0:
        out[i] = in[2 * i] + in[2 * i + 1];
        break;
    default:
        out[i] = in[2 * i] - in[2 * i + 1];
    }
}

__global__ void shortly(const int *in, int *out) {
    int i = threadIdx.x;
    bool any = in[2 * i] > 0 || in[2 * i + 1] > 0;
    bool both = in[2 * i + 64] > 0 && in[2 * i + 65] > 0;
    out[i] = any + both;
}

// somebody waits, or leaves, in between
__global__ void atomics(int *a, int *sum) {
    int i = threadIdx.x;
    int x = a[2 * i];
    atomicAdd(sum, 1);
    sum[7] = x + a[2 * i + 1];
}

__global__ void fenced(int *a, int *sum) {
    int i = threadIdx.x;
    int x = a[2 * i];
    __threadfence();
    sum[i] = x + a[2 * i + 1];
}

__global__ void assembled(int *a, int *sum) {
    int i = threadIdx.x;
    int x = a[2 * i];
    asm volatile("bar.sync 0;");
    sum[i] = x + a[2 * i + 1];
}

__global__ void left(int *a, int *sum) {
    int i = threadIdx.x;
    int x = a[2 * i];
    if (x == 5)
        return;
    sum[i] = x + a[2 * i + 1];
}

__global__ void skipped(int *a, int *sum) {
    for (int i = threadIdx.x; i < 64; i += 32) {
        int x = a[2 * i];
        if (x == 5)
            continue;
        sum[i] = x + a[2 * i + 1];
    }
}

__device__ void next(int &i) { i += 5; }
__global__ void referred(const int *a, int *sum) {
    int i = threadIdx.x;
    int x = a[2 * i];
    next(i);
    sum[threadIdx.x] = x + a[2 * i + 1];
}

__device__ void next(float x, int *i) { *i += (int)x; }
__global__ void pointed(const float *a, float *sum) {
    int i = threadIdx.x;
    float x = a[2 * i];
    next(x, &i);
    sum[threadIdx.x] = x + a[2 * i + 1];
}

// by its value
__device__ float far_from(float x, int i);
__global__ void copied(const float *a, float *sum) {
    int i = threadIdx.x;
    float x = a[2 * i];
    float y = far_from(fmaxf(x, i), i) + (i & i);
    sum[threadIdx.x] = x + y + a[2 * i + 1];
}

// what else is written may overlap, unless both are restricted
__global__ void overlapping(const float *a, float *out) {
    int i = threadIdx.x;
    out[i] = a[2 * i];
    out[i + 32] = a[2 * i + 1];
}

__global__ void restricted(const float *__restrict__ a, float *__restrict__ out) {
    int i = threadIdx.x;
    out[i] = a[2 * i];
    out[i + 32] = a[2 * i + 1];
}

__device__ float at(const float *p);
__global__ void others(const float *a, const float *b, float *out) {
    int i = threadIdx.x;
    float x = a[2 * i];
    float y = at(b);
    out[i] = x + y + a[2 * i + 1] + *b;
}

// written, and read at another place of the row
__global__ void mixed(float *a) {
    int i = threadIdx.x;
    a[2 * i] = 3;
    a[2 * i + 1] = a[2 * i] + 4;
}

__global__ void passed_on(float *a, float *out) {
    int i = threadIdx.x;
    a[4 * i] = 1;
    a[4 * i + 1] = 2;
    out[i] = a[4 * i + 3];
    a[4 * i + 2] = 3;
    a[4 * i + 3] = 4;
}
