// Reads of bytes that nobody has written.

// Half of the block writes, all of it reads.
//? shared 1 64 i32[64] i32=32 => uninitialised-read
//? shared 1 64 i32[64] i32=64 => nothing
__global__ void shared(int *out, int n) {
    __shared__ int a[64];
    if (threadIdx.x < n)
        a[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x]; //! uninitialised-read
}

// An accumulator in shared memory that begins with what is there.
//? accumulate 1 64 i32[64] i32=0 => uninitialised-read
//? accumulate 1 64 i32[64] i32=1 => nothing
__global__ void accumulate(int *out, int clear) {
    __shared__ int total;
    if (clear && threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, 1); //! uninitialised-read
    __syncthreads();
    out[threadIdx.x] = total;
}

// A part of each vector, which is only copied.
//? bytes 1 32 --sanitize=all,init=strict u8[128] i32=3 => uninitialised-read
//? bytes 1 32 u8[128] i32=4 => nothing
__global__ void bytes(unsigned char *out, int n) {
    __shared__ __align__(4) unsigned char a[128];
    for (int i = 0; i < n; i++)
        a[4 * threadIdx.x + i] = i;
    __syncthreads();
    reinterpret_cast<unsigned *>(out)[threadIdx.x] = reinterpret_cast<unsigned *>(a)[31 - threadIdx.x]; //! uninitialised-read
}

// An array on the stack, of which an index that is known late reads one that was not written.
//? local 1 32 i32[32] i32=9 => uninitialised-read
//? local 1 32 i32[32] i32=8 => nothing
__global__ void local(int *out, int n) {
    int a[16];
#pragma unroll 1
    for (int i = 0; i < 8; i++)
        a[i] = i;
    out[threadIdx.x] = a[threadIdx.x % n]; //! uninitialised-read
}

// Memory of the device.
//? global 1 32 i32[32] i32[32]=unset i32=0 => uninitialised-read
//? global 1 32 i32[32] i32[32]=unset i32=1 => nothing
__global__ void global(int *out, int *scratch, int write) {
    if (write)
        scratch[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = scratch[31 - threadIdx.x]; //! uninitialised-read
}

// Only the last element is not written, and copied with the last thread's vector; or that is all.
//? last 1 32 --sanitize=all,init=strict f32[128] f32[128]=unset i32=127 => uninitialised-read
//? last 1 32 f32[128] f32[128]=unset i32=124 => uninitialised-read
//? last 1 32 f32[128] f32[128]=unset i32=128 => nothing
__global__ void last(float *out, float *scratch, int n) {
    for (int i = threadIdx.x; i < n; i += 32)
        scratch[i] = i;
    __syncthreads();
    reinterpret_cast<float4 *>(out)[threadIdx.x] = reinterpret_cast<float4 *>(scratch)[threadIdx.x]; //! uninitialised-read
}

// malloc in a kernel gives bytes without a value.
//? heap 1 32 i32[32] i32=0 => uninitialised-read
//? heap 1 32 i32[32] i32=1 => nothing
__global__ void heap(int *out, int clear) {
    int *a = static_cast<int *>(malloc(16 * sizeof(int)));
    for (int i = 0; clear && i < 16; i++)
        a[i] = 0;
    out[threadIdx.x] = a[threadIdx.x % 16]; //! uninitialised-read
    free(a);
}

// Copied by cp.async from memory that was written, and from memory that was not: the copy reads it.
//? copied 1 32 i32[32] i32[32] => nothing
//? copied 1 32 i32[32] i32[32]=unset => uninitialised-read
__global__ void copied(int *out, const int *in) {
    __shared__ int a[32];
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&a[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + threadIdx.x)); //! uninitialised-read
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    out[threadIdx.x] = a[31 - threadIdx.x];
}

// Shared memory of the next block is new: it does not have what the last block wrote.
//? blocks 4 32 i32[128] i32=0 => uninitialised-read
//? blocks 4 32 i32[128] i32=4 => nothing
__global__ void blocks(int *out, int n) {
    __shared__ int a[32];
    if (blockIdx.x < n || (n == 0 && blockIdx.x == 0))
        a[threadIdx.x] = blockIdx.x;
    __syncthreads();
    out[32 * blockIdx.x + threadIdx.x] = a[31 - threadIdx.x]; //! uninitialised-read
}

// A structure is copied with the bytes between its members, of which nothing is made; where reads count at once, it is found.
//? padded 1 32 f64[64] => nothing
//? padded 1 32 --sanitize=init=strict f64[64] => uninitialised-read
struct __align__(16) Padded {
    int a;
    double b;
};
__global__ void padded(Padded *out) {
    __shared__ Padded a[32];
    a[threadIdx.x].a = threadIdx.x;
    a[threadIdx.x].b = 0.5;
    __syncthreads();
    reinterpret_cast<double2 *>(out)[threadIdx.x] = reinterpret_cast<double2 *>(a)[31 - threadIdx.x]; //! uninitialised-read
}

// What is not there decides where threads go on.
//? branch 1 32 i32[32] i32=31 => uninitialised-read
//? branch 1 32 i32[32] i32=32 => nothing
__global__ void branch(int *out, int n) {
    __shared__ int a[32];
    if (threadIdx.x < n)
        a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (a[31 - threadIdx.x] * 3 > 5) //! uninitialised-read
        for (int i = 0; i < n; i++)
            atomicAdd(&out[i], 1);
}

// … and which element is stored, through a register of another lane.
//? address 1 32 i32[32] i32=31 => uninitialised-read
//? address 1 32 i32[32] i32=32 => nothing
__global__ void address(int *out, int n) {
    __shared__ int a[32];
    if (threadIdx.x < n)
        a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int at = __shfl_sync(~0u, a[threadIdx.x], 31); //! uninitialised-read
    if (threadIdx.x == 31)
        out[at & 31] = 1;
}

// It is masked away, or is not among what is kept; or is.
//? masked 1 32 i32[32] i32=0 i32=31 => nothing
//? masked 1 32 i32[32] i32=1 i32=31 => uninitialised-read
//? masked 1 32 --sanitize=all,init=strict i32[32] i32=0 i32=31 => uninitialised-read
__global__ void masked(int *out, int mask, int n) {
    __shared__ int a[32];
    if (threadIdx.x < n)
        a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = (a[31 - threadIdx.x] & mask) + 1; //! uninitialised-read
}

// Copied within shared memory first, a byte of it.
//? moved 1 32 u8[32] i32=0 => nothing
//? moved 1 32 u8[32] i32=1 => uninitialised-read
__global__ void moved(unsigned char *out, int which) {
    __shared__ __align__(4) unsigned char a[128];
    __shared__ int b[32];
    a[4 * threadIdx.x] = threadIdx.x;
    __syncthreads();
    b[threadIdx.x] = reinterpret_cast<int *>(a)[31 - threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = reinterpret_cast<unsigned char *>(b)[4 * threadIdx.x + which] + 1; //! uninitialised-read
}
