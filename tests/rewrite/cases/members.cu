//! tried
//! transposed 256 16 4 | 4096 | walks(Particle const*, float*)::p
//! transposed 64 8 4 | 512 | pairs(geo::Pair const*, geo::Pair*, int)::a
//! transposed 64 8 4 | 512 | pairs(geo::Pair const*, geo::Pair*, int)::b
//! transposed 64 8 4 | 512 | refuses(geo::Pair const*, float*)::bound
//! transposed 64 8 4 | 512 | refuses(geo::Pair const*, float*)::called
//! transposed 64 8 4 | 512 | refuses(geo::Pair const*, float*)::kept
//! transposed 64 8 4 | 512 | refuses(geo::Pair const*, float*)::inner
//! transposed 64 16 4 | 1024 | refuses(geo::Pair const*, float*)::rows
// Arrays of structures as structures of arrays: members, whole elements, and what prevents it.
struct Particle {
    float x, y;
    int kind;
    unsigned next;
};

namespace geo {
struct Pair {
    float first, second;
    __device__ float sum() const { return first + second; }
};
} // namespace geo

struct Rows {
    float at[4];
};

__global__ void walks(const Particle *in, float *out) {
    __shared__ Particle p[256];
    p[threadIdx.x] = in[threadIdx.x];
    p[threadIdx.x].kind += 1;
    unsigned next = p[p[threadIdx.x].next].next;
    atomicAdd(&p[next].x, 1.0f);
    Particle own = p[p[next].next];
    out[threadIdx.x] = own.x + p[threadIdx.x + 1 & 255].y;
}

__global__ void pairs(const geo::Pair *in, geo::Pair *out, int n) {
    const int count = 64;
    __shared__ geo::Pair a[count];
    __shared__ geo::Pair b[count / 2 + 32];
    if (n)
        a[threadIdx.x] = in[threadIdx.x];
    b[threadIdx.x] = a[63 - threadIdx.x];
    out[0] = b[0];
}

__global__ void refuses(const geo::Pair *in, float *out) {
    __shared__ geo::Pair bound[64], unused;
    __shared__ geo::Pair called[64];
    __shared__ geo::Pair kept[64];
    __shared__ geo::Pair inner[64];
    __shared__ Rows rows[64];
    bound[0] = in[0];
    out[0] = called[1].sum();
    geo::Pair &one = kept[0];
    one.first = 1;
    out[1] = (inner[0] = in[0]).first;
    out[2] = rows[0].at[1];
}
