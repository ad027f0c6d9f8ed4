// add_const_double3: the same numbers in memory, asked for as an array of structures and as a flat
// array.
//
// A double3 has 24 bytes and there is no 24-byte load, so the compiler makes three 8-byte loads of
// it: x, y, z. In each of them neighbouring threads are 24 bytes apart. A warp's request then spans
// 32 x 24 = 768 bytes = 24 sectors of 32 bytes, although it uses only 8 of every 24 bytes; 8
// sectors hold what it asked for. The other two loads of the structure touch the same 24 sectors
// again. Read flat, neighbouring threads read neighbouring doubles, and a request is 8 sectors.

// One thread per structure.
__global__ void addConstDouble3(int n, const double3 *in, double k, double3 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double3 a = in[i];
        a.x += k;
        a.y += k;
        a.z += k;
        out[i] = a;
    }
}

// One thread per double: n is three times the number of structures.
__global__ void addConstDouble(int n, const double *in, double k, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + k;
}

// One thread per pair of doubles: as few sectors, in half as many requests. n is the number of
// pairs.
__global__ void addConstDouble2(int n, const double2 *in, double k, double2 *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double2 a = in[i];
        a.x += k;
        a.y += k;
        out[i] = a;
    }
}
