//! tried
//! padded 128 4 | 8192 | carved of carve(float const*, float*)
//! padded 128 4 | 4096 | outside of rows(float const*, float*)
//! padded 128 4 | 4096 | raw of bytes(float const*, float*, int)
//! swizzled 5 2 5 | 4096 | turned of turns(float const*, float*)
//! padded 128 4 | 4096 | passed of passes(float const*, float*)
//! padded 128 4 | 4096 | mixed of mixes(float const*, float*)
//! padded 128 4 | 4096 | shared_by_two of first(float*)
//! padded 128 4 | 4096 | moving of moves(float*)
//! padded 128 4 | 4096 | fixed(float*)::fixed
//! padded 128 4 | 4096 | by_rows of rows_of(float*)
//! swizzled 5 2 5 | 4096 | not_turned of rows_of_2(float*)
//! padded 128 4 | 4096 | given of rows_of_3(float*)
// Dynamic arrays: the launch asks for more, and what points into them is followed.
#define WIDTH 32
__device__ float sum(const float *row, int n);

__global__ void carve(const float *in, float *out) {
    extern __shared__ float carved[];
    float *a = carved, *const b = a + WIDTH * WIDTH;
    const float *c = &carved[threadIdx.x];
    a[threadIdx.y * WIDTH + threadIdx.x] = in[0];
    b[threadIdx.y * WIDTH + threadIdx.x] = *(b + threadIdx.x) + c[0];
    atomicAdd(a + threadIdx.x * WIDTH, 1.0f);
    out[0] = a[threadIdx.x * WIDTH] + b[0];
}

// Rows of it.
extern __shared__ float outside[];

__global__ void rows(const float *in, float *out) {
    for (int i = threadIdx.x; i < 1024; i += 64)
        outside[i] = in[i];
    out[0] = outside[threadIdx.x * 32];
}

__global__ void bytes(const float *in, float *out, int n) {
    extern __shared__ unsigned char raw[];
    float *first = reinterpret_cast<float *>(raw);
    float *second = (float *)(raw + 16 * 32 * sizeof(float)), *third = (float *)(raw + n);
    first[threadIdx.y * 32 + threadIdx.x] = second[threadIdx.x] + third[threadIdx.x];
    out[0] = second[threadIdx.y * 32];
}

__global__ void turns(const float *in, float *out) {
    extern __shared__ float turned[];
    turned[threadIdx.y * 32 + threadIdx.x] = in[0];
    out[0] = turned[threadIdx.x * 32 + threadIdx.y + 1];
}

__global__ void passes(const float *in, float *out) {
    extern __shared__ float passed[];
    out[0] = sum(passed + 32 * threadIdx.x, 32);
}

__global__ void mixes(const float *in, float *out) {
    extern __shared__ float mixed[];
    double *wide = (double *)(mixed + 512);
    mixed[threadIdx.x * 32] = in[0];
    out[0] = wide[threadIdx.x];
}

extern __shared__ float shared_by_two[];
__global__ void first(float *out) {
    out[0] = shared_by_two[threadIdx.x * 32];
}
__global__ void second(float *out) {
    out[0] = shared_by_two[threadIdx.x];
}

__global__ void moves(float *out) {
    extern __shared__ float moving[];
    float *at = moving + threadIdx.x * 32;
    for (int i = 0; i < 32; i++)
        out[i] = *at++;
}

__global__ void fixed(float *out) {
    __shared__ float fixed[1024];
    float *half = fixed + 512;
    half[threadIdx.x] = fixed[threadIdx.x * 32];
    out[0] = half[threadIdx.y * 32];
}

__device__ float use_row(const float *row);
typedef float Rows[32];

__global__ void rows_of(float *out) {
    extern __shared__ float by_rows[];
    float(*tile)[32] = (float(*)[32])by_rows;
    auto other = reinterpret_cast<float(*)[32]>(by_rows + 512);
    tile[threadIdx.y][threadIdx.x] = other[threadIdx.x][0];
    out[0] = tile[threadIdx.x][threadIdx.y];
}

__global__ void rows_of_2(float *out) {
    extern __shared__ float not_turned[];
    float(*tile)[32] = (float(*)[32])not_turned;
    out[0] = tile[threadIdx.x][threadIdx.y];
}

__global__ void rows_of_3(float *out) {
    extern __shared__ float given[];
    float(*tile)[32] = (float(*)[32])given;
    Rows *named = (Rows *)given;
    out[0] = use_row(tile[threadIdx.x]) + named[0][0];
}

void launch(const float *in, float *out, size_t size) {
    carve<<<1, dim3(32, 8), 2 * WIDTH * WIDTH * sizeof(float)>>>(in, out);
    rows<<<1, 64, 4096>>>(in, out);
    bytes<<<dim3(1, 2), 64, size, 0>>>(in, out, 8);
    turns<<<1, 64, size>>>(in, out);
}
