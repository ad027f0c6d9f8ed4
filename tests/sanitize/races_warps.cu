// Races between the lanes of a warp. Since Volta lanes go on each on its own: what they write for each other needs
// __syncwarp, however they are executed.

// The tree of a reduction within a warp.
//? tree 1 32 --sanitize=races i32[32] i32[32] i32=0 => write-read-race
//? tree 1 32 --sanitize=races i32[32] i32[32] i32=1 => nothing
__global__ void tree(const int *in, int *out, int right) {
    __shared__ volatile int first[32];
    __shared__ int a[32];
    first[threadIdx.x] = 0;
    a[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    for (int n = 16; n > 0; n /= 2) {
        if (threadIdx.x < n)
            a[threadIdx.x] += a[threadIdx.x + n]; //! write-read-race read-write-race
        if (right)
            __syncwarp();
    }
    if (threadIdx.x == 0)
        out[0] = a[0] + first[0];
}

// The reduction of old books: volatile, and no __syncwarp. Accesses are strong, so no race; but nothing says what
// it computes.
//? old_tree 1 32 --sanitize=races i32[64] i32[32] => nothing
__global__ void old_tree(const int *in, int *out) {
    __shared__ volatile int a[64];
    a[threadIdx.x] = in[threadIdx.x];
    a[threadIdx.x + 32] = 0;
    a[threadIdx.x] += a[threadIdx.x + 16];
    a[threadIdx.x] += a[threadIdx.x + 8];
    out[threadIdx.x] = a[threadIdx.x];
}

// A shuffle brings lanes together, and orders no memory.
//? shuffle 1 32 --sanitize=races i32[32] i32=0 => write-read-race
//? shuffle 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void shuffle(int *out, int right) {
    __shared__ int a[32];
    a[threadIdx.x] = threadIdx.x;
    int other = __shfl_xor_sync(~0u, (int)threadIdx.x, 1);
    if (right)
        __syncwarp();
    out[threadIdx.x] = a[31 - threadIdx.x] + other; //! write-read-race
}

// A vote, the same.
//? ballot 1 32 --sanitize=races i32[32] i32=0 => write-read-race
//? ballot 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void ballot(int *out, int right) {
    __shared__ int a[32];
    a[threadIdx.x] = threadIdx.x;
    unsigned all = __ballot_sync(~0u, threadIdx.x % 3 == 0);
    if (right)
        __syncwarp();
    out[threadIdx.x] = a[threadIdx.x ^ 1] + all; //! write-read-race
}

// Halves of a warp that each work on their own: the mask names those that wait.
//? halves 1 32 --sanitize=races i32[32] i32=0 => write-read-race
//? halves 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void halves(int *out, int right) {
    __shared__ int a[32];
    unsigned mask = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    a[threadIdx.x] = threadIdx.x;
    __syncwarp(mask);
    out[threadIdx.x] = a[right ? threadIdx.x ^ 15 : threadIdx.x ^ 31]; //! write-read-race
}

// Both ways of a branch write the same array.
//? branches 1 32 --sanitize=races i32[32] i32=0 => write-read-race
//? branches 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void branches(int *out, int right) {
    __shared__ int a[32];
    if (threadIdx.x % 2)
        a[threadIdx.x] = 3 * threadIdx.x;
    else
        a[threadIdx.x] = out[threadIdx.x];
    if (right)
        __syncwarp();
    out[threadIdx.x] = a[threadIdx.x ^ 1]; //! write-read-race
}

// Two lanes write one word with one instruction: which stays is not said.
//? one_word 1 32 --sanitize=races i32[32] i32=0 => write-write-race
//? one_word 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void one_word(int *out, int right) {
    __shared__ int a[32];
    a[threadIdx.x] = 0;
    __syncwarp();
    a[right ? threadIdx.x : threadIdx.x / 2] = threadIdx.x; //! write-write-race
    __syncwarp();
    out[threadIdx.x] = a[threadIdx.x];
}

// All lanes write one value: benign.
//? one_value 1 32 --sanitize=races i32[32] => nothing
__global__ void one_value(int *out) {
    __shared__ int a;
    a = 5;
    __syncwarp();
    out[threadIdx.x] = a;
}

// What one lane writes is read by all.
//? leader 1 32 --sanitize=races i32[32] i32=0 => write-read-race
//? leader 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void leader(int *out, int right) {
    __shared__ int a;
    a = 0;
    __syncwarp();
    if (threadIdx.x == 0)
        a = 5;
    if (right)
        __syncwarp();
    out[threadIdx.x] = a; //! write-read-race
}

// Each warp of a block has its part: __syncwarp is enough.
//? parts 1 128 --sanitize=races i32[128] i32=0 => write-read-race read-write-race
//? parts 1 128 --sanitize=races i32[128] i32=1 => nothing
__global__ void parts(int *out, int right) {
    __shared__ int a[128];
    a[threadIdx.x] = threadIdx.x; //! read-write-race
    __syncwarp();
    out[threadIdx.x] = a[right ? threadIdx.x ^ 31 : threadIdx.x ^ 127]; //! write-read-race read-write-race
}

// A block of one warp that counts on it, with __syncthreads.
//? one_warp 1 32 --sanitize=races i32[32] => nothing
__global__ void one_warp(int *out) {
    __shared__ int a[32];
    a[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = a[31 - threadIdx.x];
}

// An exchange through memory, read and written again: twice __syncwarp.
//? exchange 1 32 --sanitize=races i32[32] i32=0 => read-write-race
//? exchange 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void exchange(int *out, int right) {
    __shared__ int a[32];
    int mine = threadIdx.x;
    for (int i = 1; i < 32; i *= 2) {
        a[threadIdx.x] = mine; //! read-write-race
        __syncwarp();
        mine += a[threadIdx.x ^ i]; //! read-write-race
        if (right)
            __syncwarp();
    }
    out[threadIdx.x] = mine;
}

// In global memory, the same.
//? global 1 32 --sanitize=races i32[32] i32[32] i32=0 => write-read-race
//? global 1 32 --sanitize=races i32[32] i32[32] i32=1 => nothing
__global__ void global(int *a, int *out, int right) {
    a[threadIdx.x] = threadIdx.x;
    if (right)
        __syncwarp();
    out[threadIdx.x] = a[31 - threadIdx.x]; //! write-read-race
}
