// Particles, the fields that are needed as arrays: a thread walks over those of its neighbours, a field at a time.
struct Particle {
    float x, y, z, mass;
};

__global__ void structuresOf4(const Particle *in, float *out) {
    __shared__ float x[256], mass[256];
    int tid = threadIdx.x;
    Particle own = in[blockIdx.x * 256 + tid];
    x[tid] = own.x;
    mass[tid] = own.mass;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; k++) {
        float away = x[(tid + k) % 256] - own.x;
        if (away > 0)
            sum += mass[(tid + k) % 256] * away;
    }
    out[blockIdx.x * 256 + tid] = sum;
}
