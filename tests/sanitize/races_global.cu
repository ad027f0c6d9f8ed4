// Races in global memory: within a block, between blocks, and what orders blocks: fences with flags and atomics.
#include <cuda/atomic>

// All blocks write the same words.
//? blocks 4 32 --sanitize=races i32[128] i32=0 => write-write-race
//? blocks 4 32 --sanitize=races i32[128] i32=1 => nothing
__global__ void blocks(int *out, int right) {
    out[threadIdx.x + (right ? 32 * blockIdx.x : 0)] = blockIdx.x; //! write-write-race
}

// … the same value: benign.
//? same 4 32 --sanitize=races i32[32] => nothing
__global__ void same(int *out) {
    out[threadIdx.x] = 5;
}

// A stencil in place.
//? stencil 4 64 --sanitize=races i32[258] i32[258] i32=0 => read-write-race write-read-race
//? stencil 4 64 --sanitize=races i32[258] i32[258] i32=1 => nothing
__global__ void stencil(int *a, int *b, int right) {
    int i = 64 * blockIdx.x + threadIdx.x + 1;
    int sum = a[i - 1] + a[i + 1]; //! read-write-race write-read-race
    __syncthreads();
    (right ? b : a)[i] = sum; //! read-write-race write-read-race
}

// __syncthreads orders a block, and no others.
//? neighbours 4 64 --sanitize=races i32[256] i32[256] i32=0 => write-read-race read-write-race
//? neighbours 4 64 --sanitize=races i32[256] i32[256] i32=1 => nothing
__global__ void neighbours(int *a, int *out, int right) {
    int i = 64 * blockIdx.x + threadIdx.x;
    a[i] = i; //! read-write-race
    __syncthreads();
    out[i] = a[right ? 64 * blockIdx.x + 63 - threadIdx.x : 255 - i]; //! write-read-race read-write-race
}

// A sum by all blocks.
//? sum 4 64 --sanitize=races i32[256] i32[1] i32=0 => write-write-race write-read-race read-write-race
//? sum 4 64 --sanitize=races i32[256] i32[1] i32=1 => nothing
__global__ void sum(const int *in, int *out, int right) {
    int mine = in[64 * blockIdx.x + threadIdx.x];
    if (right)
        atomicAdd(out, mine);
    else
        *out += mine + 1; //! write-write-race write-read-race read-write-race
}

// A histogram of all blocks, whose bins the first block clears.
//? histogram 4 64 --sanitize=races i32[256] i32[64] i32=0 => write-write-race
//? histogram 4 64 --sanitize=races i32[256] i32[64] i32=1 => nothing
__global__ void histogram(const int *in, int *bins, int right) {
    if (!right && blockIdx.x == 0)
        bins[threadIdx.x] = 0; //! write-write-race
    atomicAdd(&bins[(in[64 * blockIdx.x + threadIdx.x] + threadIdx.x) % 64], 1);
}

// Atomics that reach the block alone, by several blocks.
//? narrow 4 32 --sanitize=races i32[1] i32=0 => write-write-race
//? narrow 4 32 --sanitize=races i32[1] i32=1 => nothing
__global__ void narrow(int *out, int right) {
    if (right)
        atomicAdd(out, 1);
    else
        atomicAdd_block(out, 1); //! write-write-race
}

// The last block adds up what all have left: as in NVIDIA's threadFenceReduction. Without the fence the sums may
// come behind the ticket.
//? last_block 8 64 --sanitize=races i32[512] i32[8] u32[1] i32[1] i32=0 => write-read-race
//? last_block 8 64 --sanitize=races i32[512] i32[8] u32[1] i32[1] i32=1 => nothing
__global__ void last_block(const int *in, int *sums, unsigned *tickets, int *out, int right) {
    __shared__ bool is_last;
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[64 * blockIdx.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum; //! write-read-race
        if (right)
            __threadfence();
        is_last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x < 8)
        atomicAdd(out, sums[threadIdx.x]); //! write-read-race
}

// The same, but each thread leaves its own sum before one takes the ticket: the barrier between is needed.
//? last_threads 4 64 --sanitize=races i32[256] u32[1] i32[1] i32=0 => write-read-race
//? last_threads 4 64 --sanitize=races i32[256] u32[1] i32[1] i32=1 => nothing
__global__ void last_threads(int *sums, unsigned *tickets, int *out, int right) {
    __shared__ bool is_last;
    sums[64 * blockIdx.x + threadIdx.x] = threadIdx.x; //! write-read-race
    __threadfence();
    if (right)
        __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    __syncthreads();
    if (is_last)
        for (int i = threadIdx.x; i < 256; i += 64)
            atomicAdd(out, sums[i]); //! write-read-race
}

// A fence that reaches the block alone.
//? near_fence 4 32 --sanitize=races i32[4] u32[1] i32[1] i32=0 => write-read-race
//? near_fence 4 32 --sanitize=races i32[4] u32[1] i32[1] i32=1 => nothing
__global__ void near_fence(int *sums, unsigned *tickets, int *out, int right) {
    if (threadIdx.x)
        return;
    sums[blockIdx.x] = blockIdx.x; //! write-read-race
    if (right)
        __threadfence();
    else
        __threadfence_block();
    if (atomicInc(tickets, 4) == 3) {
        __threadfence();
        for (int i = 0; i < 4; i++)
            *out += sums[i]; //! write-read-race
    }
}

// A message behind a flag: volatile with fences. Without the fence of who reads; without the one of who writes.
//? message 2 1 --sanitize=races i32[1] i32[1] i32[1] i32=1 => write-read-race
//? message 2 1 --sanitize=races i32[1] i32[1] i32[1] i32=2 => write-read-race
//? message 2 1 --sanitize=races i32[1] i32[1] i32[1] i32=3 => nothing
__global__ void message(int *data, volatile int *flag, int *out, int fences) {
    if (blockIdx.x == 0) {
        *data = 42; //! write-read-race
        if (fences & 1)
            __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        if (fences & 2)
            __threadfence();
        *out = *data; //! write-read-race
    }
}

// A flag that is not volatile is a race itself.
//? plain_flag 2 1 --sanitize=races i32[1] i32[1] => write-read-race
//? strong_flag 2 1 --sanitize=races i32[1] i32[1] => nothing
__global__ void plain_flag(int *flag, int *out) {
    if (blockIdx.x == 0)
        *flag = 1; //! write-read-race
    else
        *out = *flag; //! write-read-race
}
__global__ void strong_flag(int *flag, int *out) {
    if (blockIdx.x == 0)
        *(volatile int *)flag = 1;
    else
        *out = *(volatile int *)flag;
}

// Release and acquire of libcu++; relaxed ones order nothing.
//? release 2 1 --sanitize=races i32[1] i32[1] i32[1] i32=0 => write-read-race
//? release 2 1 --sanitize=races i32[1] i32[1] i32[1] i32=1 => nothing
__global__ void release(int *data, int *flag, int *out, int right) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (blockIdx.x == 0) {
        *data = 42; //! write-read-race
        ready.store(1, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
    } else {
        while (ready.load(right ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0)
            ;
        *out = *data; //! write-read-race
    }
}

// A chain of three: what the second has acquired, it hands on.
//? chain 3 1 --sanitize=races i32[1] i32[2] i32[1] i32=0 => write-read-race
//? chain 3 1 --sanitize=races i32[1] i32[2] i32[1] i32=1 => nothing
__global__ void chain(int *data, int *flags, int *out, int right) {
    cuda::atomic_ref<int, cuda::thread_scope_device> first(flags[0]), second(flags[1]);
    if (blockIdx.x == 0) {
        *data = 42; //! write-read-race
        first.store(1, cuda::memory_order_release);
    } else if (blockIdx.x == 1) {
        while (first.load(right ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0)
            ;
        second.store(1, cuda::memory_order_release);
    } else {
        while (second.load(cuda::memory_order_acquire) == 0)
            ;
        *out = *data; //! write-read-race
    }
}

// A spin lock: with fences behind the taking and before the giving back.
//? lock 8 1 --sanitize=races i32[1] i32[1] i32=0 => write-read-race write-write-race
//? lock 8 1 --sanitize=races i32[1] i32[1] i32=1 => write-read-race write-write-race
//? lock 8 1 --sanitize=races i32[1] i32[1] i32=3 => nothing
__global__ void lock(int *taken, int *count, int fences) {
    while (atomicCAS(taken, 0, 1) != 0)
        ;
    if (fences & 2)
        __threadfence();
    *count += 1; //! write-read-race write-write-race read-write-race
    if (fences & 1)
        __threadfence();
    atomicExch(taken, 0);
}

// The lock of libcu++.
//? atomic_lock 8 1 --sanitize=races i32[1] i32[1] i32=0 => write-read-race write-write-race
//? atomic_lock 8 1 --sanitize=races i32[1] i32[1] i32=1 => nothing
__global__ void atomic_lock(int *taken, int *count, int right) {
    cuda::atomic_ref<int, cuda::thread_scope_device> lock(*taken);
    int free = 0;
    while (!lock.compare_exchange_weak(free, 1, right ? cuda::memory_order_acquire : cuda::memory_order_relaxed))
        free = 0;
    *count += 1; //! write-read-race write-write-race read-write-race
    lock.store(0, cuda::memory_order_release);
}

// A scan that looks back: each block waits for the sum of the one before it.
//? look_back 6 32 --sanitize=races i32[192] i32[6] i32[6] i32=0 => write-read-race
//? look_back 6 32 --sanitize=races i32[192] i32[6] i32[6] i32=1 => nothing
__global__ void look_back(int *data, int *sums, volatile int *ready, int right) {
    __shared__ int before, total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, data[32 * blockIdx.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        if (blockIdx.x > 0) {
            while (ready[blockIdx.x - 1] == 0)
                ;
            __threadfence();
            sum = sums[blockIdx.x - 1]; //! write-read-race
        }
        sums[blockIdx.x] = sum + total; //! write-read-race
        if (right)
            __threadfence();
        ready[blockIdx.x] = 1;
        before = sum;
    }
    __syncthreads();
    data[32 * blockIdx.x + threadIdx.x] += before;
}

// … the sum and its state in one word: no fence is needed, as nothing else is read.
//? packed 6 1 --sanitize=races u64[6] i32[6] => nothing
__global__ void packed(unsigned long long *states, int *out) {
    unsigned long long sum = 0;
    if (blockIdx.x > 0) {
        unsigned long long state;
        while ((state = atomicAdd(&states[blockIdx.x - 1], 0)) == 0)
            ;
        sum = state >> 32;
    }
    atomicExch(&states[blockIdx.x], (sum + blockIdx.x) << 32 | 1);
    out[blockIdx.x] = (int)sum;
}

// A barrier of the grid from atomics, as cooperative groups have it.
__device__ void all_blocks(unsigned *arrived, bool fences) {
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fences)
            __threadfence();
        atomicAdd(arrived, 1);
        while (*(volatile unsigned *)arrived < gridDim.x)
            ;
        if (fences)
            __threadfence();
    }
    __syncthreads();
}
//? grid_barrier 4 64 --sanitize=races i32[256] i32[256] u32[1] i32=0 => write-read-race
//? grid_barrier 4 64 --sanitize=races i32[256] i32[256] u32[1] i32=1 => nothing
__global__ void grid_barrier(int *a, int *out, unsigned *arrived, int right) {
    int i = 64 * blockIdx.x + threadIdx.x;
    a[i] = i; //! write-read-race
    all_blocks(arrived, right);
    out[i] = a[255 - i]; //! write-read-race
}

// Read by all, then written by others behind the barrier; without it they race.
//? phases 4 64 --sanitize=races i32[256] i32[256] u32[1] i32=0 => read-write-race write-read-race
//? phases 4 64 --sanitize=races i32[256] i32[256] u32[1] i32=1 => nothing
__global__ void phases(int *a, int *out, unsigned *arrived, int right) {
    int i = 64 * blockIdx.x + threadIdx.x;
    int other = a[(i + 77) % 256]; //! read-write-race write-read-race
    if (right)
        all_blocks(arrived, true);
    a[i] = i; //! read-write-race write-read-race
    out[i] = other;
}

// A queue: each takes a number, and writes where nobody else does.
//? queue 4 64 --sanitize=races u32[1] i32[256] i32=0 => write-write-race
//? queue 4 64 --sanitize=races u32[1] i32[256] i32=1 => nothing
__global__ void queue(unsigned *next, int *out, int right) {
    unsigned at = right ? atomicAdd(next, 1) : threadIdx.x;
    out[at] = blockIdx.x; //! write-write-race
}

// Reads of what nobody writes.
//? table 8 64 --sanitize=races i32[64] i32[512] => nothing
__global__ void table(const int *in, int *out) {
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += in[i];
    out[64 * blockIdx.x + threadIdx.x] = sum;
}

// What a block reads behind its own atomics.
//? own_atomic 4 64 --sanitize=races i32[4] i32[256] i32=0 => write-read-race
//? own_atomic 4 64 --sanitize=races i32[4] i32[256] i32=1 => nothing
__global__ void own_atomic(int *sums, int *out, int right) {
    atomicAdd(&sums[blockIdx.x], 1);
    if (right)
        __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = sums[blockIdx.x]; //! write-read-race
}

// What a block frees, another gets: malloc orders them. What they share without it races.
//? heap 4 1 --sanitize=races i32[4] u64[1] i32=0 => write-write-race
//? heap 4 1 --sanitize=races i32[4] u64[1] i32=1 => nothing
__global__ void heap(int *out, unsigned long long *shared, int right) {
    int *mine = (int *)malloc(64);
    if (!right && atomicCAS(shared, 0ull, (unsigned long long)mine) != 0)
        mine = (int *)*(volatile unsigned long long *)shared;
    mine[blockIdx.x % 2] = blockIdx.x; //! write-write-race
    out[blockIdx.x] = mine[blockIdx.x % 2];
    if (right)
        free(mine);
}

// Who sees the last ticket sets the counter back: all that the others did to it has come before that. Who does not look
// at its ticket cannot know.
//? tickets 4 32 --sanitize=races i32[1]=0 => nothing
__global__ void tickets(int *counter) {
    if (atomicAdd(counter, 1) == gridDim.x * blockDim.x - 1)
        *counter = 0;
}
//? blind 4 32 --sanitize=races i32[1]=0 => write-write-race
//? blind 4 1 --sanitize=races i32[1]=0 => write-write-race
__global__ void blind(int *counter) {
    atomicAdd(counter, 1);
    if (blockIdx.x * blockDim.x + threadIdx.x == gridDim.x * blockDim.x - 1)
        *counter = 0; //! write-write-race
}
