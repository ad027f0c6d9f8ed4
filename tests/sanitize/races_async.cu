// Copies beside the warp, mbarriers, named barriers, clusters.
//- -arch=sm_90
#include <cooperative_groups.h>
#include <cuda/ptx>

static __device__ unsigned shared_address(const void *at) {
    return (unsigned)__cvta_generic_to_shared(at);
}
static __device__ void copy_async(int *to, const int *from) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from) : "memory"); //! write-read-race write-write-race read-write-race
}
static __device__ void commit() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}
template <int left> static __device__ void wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory");
}
static __device__ void arrive(int barrier, int threads) {
    asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
static __device__ void sync(int barrier, int threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

// A copy that its own thread does not await.
//? own_copy 1 32 --sanitize=races i32[32] i32[32] i32=0 => write-read-race
//? own_copy 1 32 --sanitize=races i32[32] i32[32] i32=1 => nothing
__global__ void own_copy(const int *in, int *out, int right) {
    __shared__ int a[32];
    copy_async(&a[threadIdx.x], &in[threadIdx.x]); //! write-read-race
    commit();
    if (right)
        wait<0>();
    out[threadIdx.x] = a[threadIdx.x]; //! write-read-race
}

// Awaited by its thread, read by others: the barrier is needed, too.
//? others_copy 1 64 --sanitize=races i32[64] i32[64] i32=0 => write-read-race
//? others_copy 1 64 --sanitize=races i32[64] i32[64] i32=1 => write-read-race
//? others_copy 1 64 --sanitize=races i32[64] i32[64] i32=3 => nothing
__global__ void others_copy(const int *in, int *out, int how) {
    __shared__ int a[64];
    copy_async(&a[threadIdx.x], &in[threadIdx.x]); //! write-read-race
    commit();
    if (how & 2)
        wait<0>();
    if (how & 1)
        __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x]; //! write-read-race
}

// Two groups, of which the newer is read behind a wait for the older.
//? groups 1 32 --sanitize=races i32[64] i32[64] i32=0 => write-read-race
//? groups 1 32 --sanitize=races i32[64] i32[64] i32=1 => nothing
__global__ void groups(const int *in, int *out, int right) {
    __shared__ int a[2][32];
    copy_async(&a[0][threadIdx.x], &in[threadIdx.x]);
    commit();
    copy_async(&a[1][threadIdx.x], &in[threadIdx.x + 32]); //! write-read-race
    commit();
    wait<1>();
    out[threadIdx.x] = a[right ? 0 : 1][threadIdx.x]; //! write-read-race
}

// Double buffering: without the last barrier the next copy overwrites what others still read; with a wait for one
// group too few the tile is not there yet.
//? buffers 1 64 --sanitize=races i32[640] i32[64] i32=1 => read-write-race
//? buffers 1 64 --sanitize=races i32[640] i32[64] i32=2 => write-read-race write-write-race
//? buffers 1 64 --sanitize=races i32[640] i32[64] i32=3 => nothing
__global__ void buffers(const int *in, int *out, int how) {
    __shared__ int a[2][64];
    int sum = 0;
    copy_async(&a[0][threadIdx.x], &in[threadIdx.x]); //! write-read-race read-write-race
    commit();
    for (int i = 0; i < 10; i++) {
        if (i + 1 < 10)
            copy_async(&a[(i + 1) % 2][threadIdx.x], &in[64 * (i + 1) + threadIdx.x]); //! write-read-race read-write-race
        commit();
        if (how & 1)
            wait<1>();
        else
            wait<2>();
        __syncthreads();
        for (int k = 0; k < 64; k++)
            sum += a[i % 2][k]; //! write-read-race read-write-race
        if (how & 2)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// What a copy reads is written again before it is complete.
//? source 1 32 --sanitize=races i32[32] i32[32] i32=0 => read-write-race
//? source 1 32 --sanitize=races i32[32] i32[32] i32=1 => nothing
__global__ void source(int *in, int *out, int right) {
    __shared__ int a[32];
    copy_async(&a[threadIdx.x], &in[threadIdx.x]); //! read-write-race
    commit();
    if (right)
        wait<0>();
    in[threadIdx.x] = 7; //! read-write-race
    wait<0>();
    out[threadIdx.x] = a[threadIdx.x];
}

// The first warp makes, the second takes: each has a named barrier for "full" and one for "empty".
//? named 1 64 --sanitize=races i32[64] i32=2 => write-read-race read-write-race
//? named 1 64 --sanitize=races i32[64] i32=3 => nothing
__global__ void named(int *out, int how) {
    __shared__ int a[32];
    int sum = 0;
    for (int i = 0; i < 4; i++)
        if (threadIdx.x < 32) {
            if (how & 2 && i > 0)
                sync(2, 64);
            a[threadIdx.x] = i * threadIdx.x; //! write-read-race read-write-race
            if (how & 1)
                arrive(1, 64);
        } else {
            if (how & 1)
                sync(1, 64);
            sum += a[63 - threadIdx.x]; //! write-read-race read-write-race
            if (how & 2 && i < 3)
                arrive(2, 64);
        }
    out[threadIdx.x] = sum;
}

// Two warps of four meet; what the others wrote is not ordered by that.
//? pairs 1 128 --sanitize=races i32[128] i32=0 => write-read-race read-write-race
//? pairs 1 128 --sanitize=races i32[128] i32=1 => nothing
__global__ void pairs(int *out, int right) {
    __shared__ int a[128];
    a[threadIdx.x] = threadIdx.x; //! read-write-race
    sync(1 + threadIdx.x / 64, 64);
    out[threadIdx.x] = a[threadIdx.x ^ (right ? 63 : 127)]; //! write-read-race read-write-race
}

// A producer and consumers with mbarriers.
//? mbarriers 1 64 --sanitize=races i32[64] i32=0 => write-read-race
//? mbarriers 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void mbarriers(int *out, int right) {
    __shared__ uint64_t full;
    __shared__ int a[32];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&full, 32);
    __syncthreads();
    if (threadIdx.x < 32) {
        a[threadIdx.x] = threadIdx.x; //! write-read-race
        cuda::ptx::mbarrier_arrive(&full);
    } else {
        if (right)
            while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0))
                ;
        out[threadIdx.x] = a[63 - threadIdx.x]; //! write-read-race
    }
}

// An mbarrier that others use before it is known to be made.
//? make 1 64 --sanitize=races i32[64] i32=0 => write-write-race
//? make 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void make(int *out, int right) {
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(shared_address(&full)) : "memory"); //! write-write-race
    if (right)
        __syncthreads();
    else
        __syncwarp();
    cuda::ptx::mbarrier_arrive(&full);
    out[threadIdx.x] = threadIdx.x;
}

// The phase before: the parity is the one of a phase that is over long since.
//? parity 1 64 --sanitize=races i32[64] i32=0 => write-read-race
//? parity 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void parity(int *out, int right) {
    __shared__ uint64_t full;
    __shared__ int a[32];
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&full, 32);
    __syncthreads();
    if (threadIdx.x < 32)
        for (int i = 0; i < 2; i++) {
            if (i == 1)
                a[threadIdx.x] = threadIdx.x; //! write-read-race
            cuda::ptx::mbarrier_arrive(&full);
            while (!cuda::ptx::mbarrier_try_wait_parity(&full, i))
                ;
        }
    else {
        while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0))
            ;
        if (right)
            while (!cuda::ptx::mbarrier_try_wait_parity(&full, 1))
                ;
        out[threadIdx.x] = a[63 - threadIdx.x]; //! write-read-race
    }
}

static __device__ void bulk_load(int *to, const int *from, unsigned bytes, uint64_t *full) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(full)) //! write-write-race
                 : "memory");
}

// A bulk copy that reports to an mbarrier.
//? bulk 1 64 --sanitize=races i32[64] i32[64] i32=0 => write-read-race
//? bulk 1 64 --sanitize=races i32[64] i32[64] i32=1 => nothing
__global__ void bulk(const int *in, int *out, int right) {
    __shared__ __align__(16) int a[64];
    __shared__ uint64_t full;
    if (threadIdx.x == 0)
        cuda::ptx::mbarrier_init(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        bulk_load(a, in, 256, &full); //! write-read-race
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(shared_address(&full)) : "memory");
    }
    if (right)
        while (!cuda::ptx::mbarrier_try_wait_parity(&full, 0))
            ;
    out[threadIdx.x] = a[63 - threadIdx.x]; //! write-read-race
}

// Double buffering with bulk copies: "full" of each buffer, and "empty", which is told too early in the first case; and one
// wait is left out in the last.
//? stages 1 64 --sanitize=races i32[640] i32[64] i32=0 => write-read-race read-write-race
//? stages 1 64 --sanitize=races i32[640] i32[64] i32=1 => nothing
//? stages 1 64 --sanitize=races i32[640] i32[64] i32=3 => write-read-race write-write-race
__global__ void stages(const int *in, int *out, int how) {
    __shared__ __align__(16) int a[2][64];
    __shared__ uint64_t full[2], empty[2];
    if (threadIdx.x == 0)
        for (int i = 0; i < 2; i++) {
            cuda::ptx::mbarrier_init(&full[i], 1);
            cuda::ptx::mbarrier_init(&empty[i], 64);
        }
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        int at = i % 2, phase = i / 2 % 2;
        if (threadIdx.x == 0) {
            if (i >= 2)
                while (!cuda::ptx::mbarrier_try_wait_parity(&empty[at], 1 - phase))
                    ;
            bulk_load(a[at], in + 64 * i, 256, &full[at]); //! read-write-race write-read-race
            asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(shared_address(&full[at])) : "memory");
        }
        if (!(how & 2) || i != 5)
            while (!cuda::ptx::mbarrier_try_wait_parity(&full[at], phase))
                ;
        if (!(how & 1))
            cuda::ptx::mbarrier_arrive(&empty[at]);
        for (int k = 0; k < 64; k++)
            sum += a[at][k]; //! read-write-race write-read-race
        if (how & 1)
            cuda::ptx::mbarrier_arrive(&empty[at]);
    }
    out[threadIdx.x] = sum;
}

// What a bulk copy reads from shared memory is written again before its group has been read.
//? bulk_store 1 32 --sanitize=races i32[32] i32=0 => read-write-race
//? bulk_store 1 32 --sanitize=races i32[32] i32=1 => nothing
__global__ void bulk_store(int *out, int right) {
    __shared__ __align__(16) int a[32];
    a[threadIdx.x] = threadIdx.x;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(shared_address(a)) : "memory"); //! read-write-race
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        if (right)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
    a[threadIdx.x] = 5; //! read-write-race
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// The other block of a cluster reads what this one wrote: the cluster's barrier is needed, not the block's.
//? cluster 2 32 --sanitize=races i32[64] i32=0 => write-read-race read-write-race
//? cluster 2 32 --sanitize=races i32[64] i32=1 => nothing
__global__ void __cluster_dims__(2, 1, 1) cluster(int *out, int right) {
    __shared__ int a[32];
    auto group = cooperative_groups::this_cluster();
    group.sync();
    a[threadIdx.x] = threadIdx.x; //! write-read-race read-write-race
    if (right)
        group.sync();
    else
        __syncthreads();
    int *other = group.map_shared_rank(a, 1 - group.block_rank());
    out[32 * blockIdx.x + threadIdx.x] = other[31 - threadIdx.x]; //! write-read-race read-write-race
    group.sync();
}

// Both blocks count in the first one's shared memory.
//? cluster_count 2 32 --sanitize=races i32[1] i32=0 => write-write-race
//? cluster_count 2 32 --sanitize=races i32[1] i32=1 => nothing
__global__ void __cluster_dims__(2, 1, 1) cluster_count(int *out, int right) {
    __shared__ int count;
    auto group = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        count = 0;
    group.sync();
    int *first = group.map_shared_rank(&count, 0);
    if (right)
        atomicAdd(first, 1);
    else
        *first = blockIdx.x; //! write-write-race
    group.sync();
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *out = count;
}
