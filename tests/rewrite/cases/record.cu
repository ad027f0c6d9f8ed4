//! padded 16 4 | 1024 | use(Particle const*, float*)::p
//! padded 16 8 | 1024 | use(Particle const*, float*)::q
//! padded 16 4 | 512 | use(Particle const*, float*)::two
//! padded 16 4 | 512 | use(Particle const*, float*)::named
//! padded 16 4 | 1024 | use(Particle const*, float*)::grid
//! padded 16 4 | 512 | use(Particle const*, float*)::passed
//! padded 16 4 | 512 | use(Particle const*, float*)::local
//! padded 16 2 | 512 | use(Particle const*, float*)::odd
//! padded 32 4 | 512 | use(Particle const*, float*)::pairs
//! padded 16 4 | 512 | many<4>(float*)::own
//! instantiate many<4>
// Structures in a shared array get padding each.
struct Particle {
    float x, y, z, mass;
};
namespace ns {
struct Node {
    int left, right, up, key;
};
} // namespace ns
typedef Particle Named;
__device__ float sum_of(const Particle *);

__global__ void use(const Particle *in, float *out) {
    struct Local {
        float a, b, c, d;
    };
    __shared__ Particle p[64];
    __shared__ struct Particle q[64];
    __shared__ Particle two[32], three[32];
    __shared__ Named named[32];
    __shared__ alignas(16) ns::Node grid[8][8];
    __shared__ Particle passed[32];
    __shared__ Local local[32];
    __shared__ Particle odd[32];
    __shared__ Particle pairs[32];
    int x = threadIdx.x;
    p[x] = in[x];
    p[x].mass += q[x].y + two[x].z + three[x].x + named[x].y + odd[x].x + pairs[x].y;
    grid[x / 8][x % 8].key = local[x].a;
    Particle own = p[63 - x];
    out[x] = own.x + sum_of(passed);
}

template <int N> __global__ void many(float *out) {
    __shared__ Particle own[8 * N];
    own[threadIdx.x].x = out[threadIdx.x];
}
