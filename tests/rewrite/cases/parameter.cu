//! tried
//! padded 128 4 | 4096 | fills(float const*, float*)::tile
//! padded 128 4 | 4096 | fills(float const*, float*)::shared
//! padded 128 4 | 4096 | exchanges(int const*, int*)::memory
//! padded 128 4 | 4096 | own_rows(float*)::panel
//! padded 128 4 | 4096 | alone(float*)::lonely
//! padded 128 4 | 4096 | alone(float*)::overloaded
// Functions that get a flat array as a pointer: what they do with it is changed, where nobody else calls them.

// Only `fills` calls it, with its tile; and it passes it on.
__device__ void row(float *line, int y, float value) {
    line[y * 32 + threadIdx.x] = value;
}

__device__ void fill(float *to, const float *from);
__device__ void fill(float *to, const float *from) {
    for (int y = 0; y < 32; y += 8)
        row(to, y, from[y]);
}

// Another array is passed to it, too.
__device__ float sum(const float *of) {
    return of[threadIdx.x * 32] + of[threadIdx.x];
}

__global__ void fills(const float *in, float *out) {
    __shared__ float tile[1024], shared[1024], other[1024];
    fill(tile, in);
    shared[threadIdx.x * 32] = other[threadIdx.x] = in[0];
    out[0] = tile[threadIdx.x * 32] + sum(shared) + sum(other);
}

// Where the function is a template, so is what it does.
template <int ITEMS, typename T> __device__ void exchange(T (&items)[ITEMS], T *places) {
    for (int i = 0; i < ITEMS; ++i)
        places[threadIdx.x * ITEMS + i] = items[i];
    for (int i = 0; i < ITEMS; ++i)
        items[i] = places[i * 128 + threadIdx.x];
}

__global__ void exchanges(const int *in, int *out) {
    __shared__ int memory[1024];
    int items[8] = {in[0]};
    exchange<8>(items, memory);
    out[0] = items[1];
}

// A pointer to a row stays within it; one to a piece of many rows does not.
__global__ void own_rows(float *out) {
    __shared__ float panel[1024];
    float *mine = panel + threadIdx.x * 32, *half = panel + 512;
    for (int i = threadIdx.x; i < 1024; i += 64)
        panel[i / 32 * 32 + i % 32] = out[i];
    for (int c = 1; c < 32; c++)
        mine[c] -= mine[0] + half[c];
    out[0] = mine[threadIdx.y * 32];
}

__device__ float pick(const float *of, int i) {
    return of[i];
}
__device__ float pick(const float *of) {
    return of[0];
}
__device__ float kept(float *of);

__global__ void alone(float *out) {
    __shared__ float lonely[1024], overloaded[1024];
    lonely[threadIdx.x * 32] = overloaded[threadIdx.x * 32] = out[0];
    out[0] = kept(lonely) + pick(overloaded, 32) + pick(overloaded);
}
