// Particles as structures: a thread walks over those of its neighbours, a field at a time.
struct Particle {
    float x, y, z, mass;
};

__global__ void structuresOf4(const Particle *in, float *out) {
    __shared__ Particle p[256];
    int tid = threadIdx.x;
    Particle own = in[blockIdx.x * 256 + tid];
    p[tid].x = own.x;
    p[tid].mass = own.mass;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 32; k++) {
        float away = p[(tid + k) % 256].x - own.x;
        if (away > 0)
            sum += p[(tid + k) % 256].mass * away;
    }
    out[blockIdx.x * 256 + tid] = sum;
}
