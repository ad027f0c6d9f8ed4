//! tried
//! padded 128 4 | 4096 | flat(float*)::tile
//! padded 128 4 | 4096 | flat(float*)::macro
//! padded 128 4 | 4096 | flat(float*)::twice
//! padded 128 4 | 4096 | flat(float*)::number
//! padded 128 4 | 4096 | flat(float*)::made
// A pitch that has a name, of arrays that functions get as pointers.
constexpr int PITCH = 32;
#define WIDTH 32
const int SIDE = 32;
enum { ROWS = 32 };
constexpr int MADE = 16 * 2;
__device__ void fill(float *);
__device__ void shift(int SIDE = 32);

__global__ void flat(float *out) {
    __shared__ float tile[ROWS * PITCH];
    __shared__ float macro[ROWS * WIDTH];
    __shared__ float twice[SIDE * 32];
    __shared__ float number[32 * 32];
    __shared__ float made[MADE * 32];
    fill(tile);
    fill(macro);
    fill(twice);
    fill(number);
    fill(made);
    out[threadIdx.x] = tile[threadIdx.x * PITCH] + macro[threadIdx.x];
}
