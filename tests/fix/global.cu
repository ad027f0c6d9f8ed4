// Accesses to global memory that cost more than they must, each with the kernel that one would write
// instead: what `warplens fix` promises of the first must be what the second one costs. And some that
// nothing helps. tests/fix/changes.py has the launches.
//   tools/regen-ptx tests/fix/global.cu
#include <cuda_fp16.h>

// ---- structures of 24 bytes, and an array for each field ----

struct Body {
    double x;
    float mass;
    int kind;
    double v;
};

__global__ void bodies(Body *body, int n, double dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (body[i].kind > 0)
        body[i].x += body[i].v * dt / body[i].mass;
}

__global__ void bodiesSplit(double *x, const float *mass, const int *kind, const double *v, int n, double dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    if (kind[i] > 0)
        x[i] += v[i] * dt / mass[i];
}

// ---- one field of many ----

struct Record {
    float key;
    float rest[15];
};

__global__ void keys(const Record *records, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = records[i].key;
}

__global__ void keysSplit(const float *key, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = key[i];
}

// ---- neighbouring scalars, and vectors of them ----

__global__ void scalars(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[4 * i] + in[4 * i + 1] * in[4 * i + 2] - in[4 * i + 3];
}

__global__ void scalarsVector(const float4 *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 a = in[i];
    out[i] = a.x + a.y * a.z - a.w;
}

// Structures of eight floats: two vectors each.
__global__ void eight(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *a = in + 8 * i;
    out[i] = a[0] * a[1] + a[2] * a[3] + a[4] * a[5] + a[6] * a[7];
}

__global__ void eightVector(const float4 *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 a = in[2 * i], b = in[2 * i + 1];
    out[i] = a.x * a.y + a.z * a.w + b.x * b.y + b.z * b.w;
}

// One float further on: no vector is aligned.
__global__ void scalarsOff(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[4 * i + 1] + in[4 * i + 2] * in[4 * i + 3] - in[4 * i + 4];
}

// ---- rows that begin within a sector, and rows that do not ----

__global__ void scaleRows(float *a, int width, int height, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        a[y * pitch + x] *= 2;
}

// From the second element on; and an array that begins so much later.
__global__ void shifted(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i + 1];
}

// Three neighbours: wherever the array begins, two of them lie off.
__global__ void stencil(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + in[i + 1] + in[i + 2];
}

// ---- columns: a thread for each row, and 32 x 32 tiles turned round; the same stored transposed ----

__global__ void sumRows(const float *a, float *sums, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < columns; k++)
        sum += a[row * columns + k];
    sums[row] = sum;
}

// Blocks of 32 threads.
__global__ void sumRowsTiled(const float *a, float *sums, int columns) {
    __shared__ float tile[32][33];
    int first = blockIdx.x * 32;
    float sum = 0;
    for (int k = 0; k < columns; k += 32) {
        for (int r = 0; r < 32; r++)
            tile[r][threadIdx.x] = a[(first + r) * columns + k + threadIdx.x];
        __syncwarp();
        for (int c = 0; c < 32; c++)
            sum += tile[threadIdx.x][c];
        __syncwarp();
    }
    sums[first + threadIdx.x] = sum;
}

__global__ void sumRowsTransposed(const float *a, float *sums, int columns, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 1
    for (int k = 0; k < columns; k++)
        sum += a[k * rows + row];
    sums[row] = sum;
}

// ---- axes the wrong way round ----

__global__ void swapped(float *a, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[x * n + y] += 1;
}

__global__ void swappedBack(float *a, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    a[y * n + x] += 1;
}

// ---- blocks that are 4 threads wide (and 32, launched so) ----

__global__ void anyBlock(const float *in, float *out, int pitch) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * pitch + x] = in[y * pitch + x] * 3;
}

// ---- one and two bytes a lane ----

__global__ void invert(unsigned char *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 255 - a[i];
}

__global__ void invertFour(uchar4 *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uchar4 v = a[i];
    a[i] = make_uchar4(255 - v.x, 255 - v.y, 255 - v.z, 255 - v.w);
}

__global__ void halves(const short *in, short *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i] + 1;
}

__global__ void halvesTwo(const short2 *in, short2 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    short2 v = in[i];
    out[i] = make_short2(v.x + 1, v.y + 1);
}

// ---- nothing to change ----

__global__ void gather(const int *index, const float *in, float *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(unsigned)index[i] % 1024];
}

__global__ void saxpy(const float *x, float *y, const float *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] += *a * x[i];
}
