// Cells with eight members, of which neighbours use some.
struct Cell {
    float density, pressure, vx, vy;
    int kind, age, left, right;
};

__global__ void cells8(const float *in, float *out) {
    __shared__ Cell cells[130];
    const int i = threadIdx.x + 1;
    for (int k = threadIdx.x; k < 130; k += 128) {
        const float d = in[blockIdx.x * 130 + k];
        cells[k].density = d;
        cells[k].pressure = d * d;
        cells[k].kind = d > 0.5f;
    }
    __syncthreads();
    float flux = 0;
    if (cells[i].kind != 0)
        flux = cells[i + 1].pressure - cells[i - 1].pressure;
    out[blockIdx.x * 128 + threadIdx.x] = cells[i].density - 0.1f * flux;
}
