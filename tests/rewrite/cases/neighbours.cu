//! join quads
//! join sums
//! join in_place
//! join pixels
//! join pointers
//! join several
//! join named
//! join guarded
//! join chosen
//! join offsets
//! join halves
//! join between
//! join moved
//! join three
//! join passed

// Neighbouring elements that one access takes, and those that it may not.
__global__ void quads(const float *in, float *out, float scale) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[4 * i] = in[4 * i] * scale;
    out[4 * i + 1] = in[4 * i + 1] * scale;
    out[4 * i + 2] = in[4 * i + 2] * scale;
    out[4 * i + 3] = in[4 * i + 3] * scale;
}

template <typename T> __global__ void sums(const T *__restrict__ in, T *__restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
#pragma unroll
    for (int k = 0; k < 4; k++)
        sum += in[i * 4 + k];
    out[i] = sum;
}
template __global__ void sums(const float *, float *);

__global__ void in_place(float *a) {
    int base = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int k = 0; k < 8; ++k)
        a[base + k] = a[k + base] * 2 + 1;
}

__global__ void pixels(const unsigned char *rgba, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float r = rgba[4 * i], g = rgba[4 * i + 1];
        float b = rgba[4 * i + 2];
        float a = rgba[4 * i + 3];
        out[i] = (0.3f * r + 0.6f * g + 0.1f * b) * a;
    }
}

__global__ void pointers(const float *a, float *out, int n) {
    for (int i = threadIdx.x; i < n; i += 32) {
        const float *p = a + 2 * i;
        out[i] = p[0] * p[1];
    }
}

// two vectors of one pointer, one of which is at other places
__global__ void several(const int *in, int *out) {
    int i = threadIdx.x;
    int low = in[2 * i] + in[2 * i + 1];
    int high = in[2 * i + 64] + in[2 * i + 65];
    out[i] = low * high;
}

// a number by its name, a directive, and a choice that the accesses do not depend on
__global__ void named(const int *__restrict__ in, int *__restrict__ out) {
    const int ITEMS = 8;
    int items[ITEMS], base = ITEMS * threadIdx.x;
    #pragma unroll
    for (int i = 0; i < ITEMS; i++)
        items[i] = in[base + i] > 7 ? 1 : 0;
    for (int i = 0; i < ITEMS; i++) out[base + i] = items[i];
}

__global__ void chosen(const float *in, float *out, bool all) {
    int i = 2 * threadIdx.x;
    out[threadIdx.x] = in[i] + (all ? in[i + 1] : 0);
}

// at any place
__global__ void offsets(const int *starts, int *lengths) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    lengths[v] = starts[v + 1] - starts[v];
}

// a multiple by what is assigned to it, of 2 and not of 4
__global__ void halves(const float *in, float *out, int n) {
    const float *p = in + 8 * blockIdx.x;
    for (int at = threadIdx.x << 2; at < n; at += 4 * blockDim.x + 2) {
        out[at / 2] = p[at] + p[at + 1] + p[at + 2] * p[at + 3];
    }
}

// behind conditions of their own
__global__ void guarded(const float *in, float *out, int n) {
    int i = 2 * threadIdx.x;
    if (i < n) out[i] = in[i];
    if (i + 1 < n) out[i + 1] = in[i + 1];
}

// another thread may have written in between
__global__ void between(float *a, float *out) {
    int i = threadIdx.x;
    float x = a[2 * i];
    __syncthreads();
    out[i] = x + a[2 * i + 1];
}

// the index is another then
__global__ void moved(const float *in, float *out) {
    int i = threadIdx.x;
    float x = in[2 * i];
    i += 32;
    out[i] = x + in[2 * i + 1];
}

// what is behind the third is not known to be there
__global__ void three(const float *in, float *out) {
    int i = threadIdx.x;
    out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2];
}

// somebody else writes it
__device__ void change(float *a);
__global__ void passed(float *a) {
    int i = threadIdx.x;
    a[2 * i] = 1;
    change(a);
    a[2 * i + 1] = 2;
}
