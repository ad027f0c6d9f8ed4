// Threads that meet wrongly, and copies that nobody awaits.

// A barrier in a branch that a part of the warp takes; the others come to the one behind it.
//? branch 1 64 --sanitize=sync i32[64] i32=16 => divergent-barrier
//? branch 1 64 --sanitize=sync i32[64] i32=64 => nothing
__global__ void branch(int *out, int n) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x;
    if (threadIdx.x % 64 < n) {
        __syncthreads(); //! divergent-barrier
        out[threadIdx.x] = a[63 - threadIdx.x];
    } else {
        __syncthreads(); //! divergent-barrier
        out[threadIdx.x] = 0;
    }
}

// Whole warps may take different ways.
//? warps 1 64 --sanitize=sync i32[64] => nothing
__global__ void warps(int *out) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 32)
        __syncthreads();
    else
        __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x];
}

// Half of a warp has ended before the barrier: who is left comes together.
//? ended 1 64 --sanitize=sync i32[64] => nothing
__global__ void ended(int *out) {
    if (threadIdx.x % 32 >= 16)
        return;
    __syncthreads();
    out[threadIdx.x] = 1;
}

// Named barriers, whose warps say different numbers of threads.
//? counts 1 64 --sanitize=sync i32[64] i32=32 => barrier-counts
//? counts 1 64 --sanitize=sync i32[64] i32=64 => nothing
__global__ void counts(int *out, int n) {
    int threads = threadIdx.x < 32 ? 64 : n;
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); //! barrier-counts
    out[threadIdx.x] = threads;
}

// A shuffle with a mask that does not name the lane that executes it.
//? shuffle 1 32 --sanitize=sync i32[32] i32=0x0000ffff => absent-lanes
//? shuffle 1 32 --sanitize=sync i32[32] i32=-1 => nothing
__global__ void shuffle(int *out, int mask) {
    out[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1); //! absent-lanes
}

//? together 1 32 --sanitize=sync i32[32] i32=0x0000ffff => absent-lanes
//? together 1 32 --sanitize=sync i32[32] i32=-1 => nothing
__global__ void together(int *out, int mask) {
    out[threadIdx.x] = 1;
    __syncwarp(mask); //! absent-lanes
}

// The mask is that of the lanes that are there.
//? active 1 32 --sanitize=sync i32[32] => nothing
__global__ void active(int *out) {
    if (threadIdx.x % 3 == 0)
        out[threadIdx.x] = __shfl_sync(__activemask(), threadIdx.x, 0);
}

// Two groups of one warp, each with its own mask, at one instruction.
//? groups 1 32 --sanitize=sync i32[32] => nothing
__global__ void groups(int *out) {
    unsigned mask = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
    out[threadIdx.x] = __ballot_sync(mask, threadIdx.x & 1);
}

__device__ void copy(int *to, const int *from) {
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}

// A read before the wait.
//? unawaited 1 32 --sanitize=sync i32[32] i32[32] => missing-wait
__global__ void unawaited(int *out, const int *in) {
    __shared__ int a[32];
    copy(&a[threadIdx.x], in + threadIdx.x);
    asm volatile("cp.async.commit_group;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = a[31 - threadIdx.x]; //! missing-wait
}

//? awaited 1 32 --sanitize=sync i32[32] i32[32] => nothing
__global__ void awaited(int *out, const int *in) {
    __shared__ int a[32];
    copy(&a[threadIdx.x], in + threadIdx.x);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = a[31 - threadIdx.x];
}

// Two stages: the wait must leave one group at most, and not the one that is read.
//? stages 1 32 --sanitize=sync i32[32] i32[64] => nothing
//? late 1 32 --sanitize=sync i32[32] i32[64] => missing-wait
__global__ void stages(int *out, const int *in) {
    __shared__ int a[2][32];
    copy(&a[0][threadIdx.x], in + threadIdx.x);
    asm volatile("cp.async.commit_group;" ::: "memory");
    copy(&a[1][threadIdx.x], in + 32 + threadIdx.x);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    int sum = a[0][31 - threadIdx.x];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = sum + a[1][31 - threadIdx.x];
}

__global__ void late(int *out, const int *in) {
    __shared__ int a[2][32];
    copy(&a[0][threadIdx.x], in + threadIdx.x);
    asm volatile("cp.async.commit_group;" ::: "memory");
    copy(&a[1][threadIdx.x], in + 32 + threadIdx.x);
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = a[0][31 - threadIdx.x] + a[1][31 - threadIdx.x]; //! missing-wait
}
