// Accesses outside of the array that they are for.

// The last thread writes into the neighbour.
//? overrun 1 32 --sanitize=memory i32[64] i32[64] i32=1 => outside-array
//? overrun 1 32 i32[64] i32[64] i32=0 => nothing
__global__ void overrun(int *out, const int *in, int n) {
    __shared__ int a[32];
    __shared__ int b[32];
    b[threadIdx.x] = 7;
    __syncthreads();
    a[threadIdx.x + n] = in[threadIdx.x]; //! outside-array
    __syncthreads();
    out[threadIdx.x] = threadIdx.x + n < 32 ? a[threadIdx.x] + b[31 - threadIdx.x] : 0;
}

// Reads before the first element.
//? underrun 1 32 --sanitize=memory i32[64] i32=1 => outside-array
//? underrun 1 32 i32[64] i32=0 => nothing
__global__ void underrun(int *out, int n) {
    __shared__ int a[32];
    __shared__ int b[32];
    a[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + b[(int)threadIdx.x - n]; //! outside-array
}

// A loop that goes one too far, through a pointer that moves.
//? loop 1 32 --sanitize=memory i32[64] i32=9 => outside-array
//? loop 1 32 i32[64] i32=8 => nothing
__global__ void loop(int *out, int n) {
    __shared__ int rows[32][8];
    __shared__ int behind[32];
    behind[threadIdx.x] = 1;
    for (int i = 0; i < 8; i++)
        rows[threadIdx.x][i] = i;
    __syncthreads();
    int sum = 0;
    const int *at = rows[threadIdx.x];
    for (int i = 0; i < n; i++)
        sum += *at++; //! outside-array
    out[threadIdx.x] = sum + behind[31 - threadIdx.x];
}

// An atomic on the bin behind the last.
//? histogram 1 32 --sanitize=memory i32[64] i32=32 => outside-array
//? histogram 1 32 i32[64] i32=31 => nothing
__global__ void histogram(int *out, int most) {
    __shared__ int bins[32];
    __shared__ int totals[32];
    bins[threadIdx.x] = totals[31 - threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x == 31 ? most : threadIdx.x], 1); //! outside-array
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x] + totals[threadIdx.x];
}

// A vector of which the second half is outside.
//? vector 1 32 f32[128] i32=1 => outside-array
//? vector 1 32 f32[128] i32=0 => nothing
__global__ void vector(float *out, int n) {
    __shared__ __align__(16) float a[128];
    __shared__ __align__(16) float b[128];
    for (int i = threadIdx.x; i < 128; i += 32)
        a[i] = b[i] = i;
    __syncthreads();
    float4 v = reinterpret_cast<float4 *>(a)[threadIdx.x + n]; //! outside-array
    reinterpret_cast<float4 *>(out)[threadIdx.x] = v; //! outside-array
    __syncthreads(); // others read it
    out[threadIdx.x] += b[threadIdx.x];
}

// One of two arrays, chosen by a condition: either is right, so nothing is said of an address in the other.
//? choice 1 32 i32[64] i32=1 => nothing
__global__ void choice(int *out, int n) {
    __shared__ int a[32], b[32];
    a[threadIdx.x] = 1;
    b[threadIdx.x] = 2;
    __syncthreads();
    const int *from = n ? a : b;
    out[threadIdx.x] = from[31 - threadIdx.x];
}

// Parts of dynamic shared memory are one array.
//? dynamic 1 32 --shared=260 i32[64] i32=1 => nothing
__global__ void dynamic(int *out, int n) {
    extern __shared__ int parts[];
    int *a = parts, *b = parts + 32;
    a[threadIdx.x] = b[threadIdx.x] = n;
    parts[64] = 0;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x + n];
}

// A generic pointer to shared memory, into a function that is not inlined.
__device__ __noinline__ int third(const int *from) {
    return from[2];
}
//? generic 1 32 i32[64] => nothing
__global__ void generic(int *out) {
    __shared__ int a[96];
    for (int i = threadIdx.x; i < 96; i += 32)
        a[i] = i;
    __syncthreads();
    out[threadIdx.x] = third(&a[3 * threadIdx.x]);
}
