// Accesses to global memory that another order of threads, or the alignment of a structure, makes better; and one that neither does.
__global__ void scaleRows(float *a, const float *f, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    a[row * n + column] *= f[row];
}

struct Particle {
    float x, y, z, mass;
};
__global__ void fall(Particle *p, float time) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].x += p[i].mass * time;
    p[i].y += 2 * p[i].mass * time;
    p[i].z -= p[i].mass * time;
}

__global__ void turn(const float *in, float *out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}

template <typename T> __global__ void sums(const T *in, T *out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        T sum = 0;
        for (int k = 0; k < 4; k++)
            sum += in[4 * i + k];
        out[2 * i] = sum;
        out[2 * i + 1] = -sum;
    }
}
template __global__ void sums(const float *, float *, int);
