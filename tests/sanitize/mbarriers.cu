// Misuse of mbarriers, and waits that never end: each wrong, and mended.
//- -arch=sm_90
typedef unsigned long long Word;

__device__ unsigned at(void *object) {
    return static_cast<unsigned>(__cvta_generic_to_shared(object));
}
__device__ __forceinline__ void init(Word *object, unsigned count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(object)), "r"(count) : "memory"); //! mbarrier-reused
}
__device__ __forceinline__ void inval(Word *object) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(object)) : "memory");
}
__device__ __forceinline__ void arrive(Word *object) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at(object)) : "memory");
}
__device__ __forceinline__ void expect(Word *object, unsigned bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at(object)), "r"(bytes) : "memory");
}
__device__ __forceinline__ void await(Word *object, unsigned parity) {
    asm volatile("{ .reg .pred done; again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1; @!done bra again; }" ::"r"(at(object)), "r"(parity)
                 : "memory");
}

// Made twice, without inval between.
//? again 1 32 --sanitize=sync i32[1] i32=0 => mbarrier-reused
//? again 1 32 --sanitize=sync i32[1] i32=1 => nothing
__global__ void again(int *out, int mended) {
    __shared__ Word object;
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x == 0)
            init(&object, 32);
        __syncthreads();
        arrive(&object);
        await(&object, 0);
        __syncthreads();
        if (mended && threadIdx.x == 0)
            inval(&object);
    }
    *out = 1;
}

// Its memory is used for something else.
//? written 1 32 --sanitize=sync i32[32] i32=0 => mbarrier-reused
//? written 1 32 --sanitize=sync i32[32] i32=1 => nothing
//? written 1 32 --sanitize=all i32[32] i32=1 => nothing
__global__ void written(int *out, int mended) {
    __shared__ __align__(8) int memory[32];
    Word *object = reinterpret_cast<Word *>(&memory[8]);
    if (threadIdx.x == 0)
        init(object, 32);
    __syncthreads();
    arrive(object);
    await(object, 0);
    __syncthreads();
    if (mended && threadIdx.x == 0)
        inval(object);
    __syncthreads();
    memory[threadIdx.x] = threadIdx.x; //! mbarrier-reused
    __syncthreads();
    out[threadIdx.x] = memory[31 - threadIdx.x];
}

// Beside it, and before it was made.
//? beside 1 32 --sanitize=all i32[32] => nothing
__global__ void beside(int *out) {
    __shared__ __align__(8) int memory[64];
    Word *object = reinterpret_cast<Word *>(&memory[32]);
    memory[32 + threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        init(object, 32);
    __syncthreads();
    memory[threadIdx.x] = memory[34 + threadIdx.x % 30];
    arrive(object);
    await(object, 0);
    out[threadIdx.x] = memory[31 - threadIdx.x];
}

//? unmade 1 32 i32=0 => fault mbarrier that was not initialised
//? unmade 1 32 i32=1 => nothing
__global__ void unmade(int mended) {
    __shared__ Word object;
    if (threadIdx.x == 0 && mended)
        init(&object, 32);
    __syncthreads();
    arrive(&object); //! fault
}

//? invalid 1 32 i32=0 => fault mbarrier that was not initialised
//? invalid 1 32 i32=1 => nothing
__global__ void invalid(int mended) {
    __shared__ Word object;
    if (threadIdx.x == 0)
        init(&object, 32);
    __syncthreads();
    if (threadIdx.x == 0 && !mended)
        inval(&object);
    __syncthreads();
    arrive(&object); //! fault
}

//? overrun 1 64 i32=32 => fault mbarrier: more arrivals than it expects in this phase
//? overrun 1 64 i32=64 => nothing
__global__ void overrun(int count) {
    __shared__ Word object;
    if (threadIdx.x == 0) {
        init(&object, count);
        expect(&object, 4); // the phase stays
    }
    __syncthreads();
    arrive(&object); //! fault
}

//? bytes 1 32 i32=1048575 => fault mbarrier: more than 1048575 bytes of transactions in a phase
//? bytes 1 32 i32=1 => nothing
__global__ void bytes(int count) {
    __shared__ Word object;
    if (threadIdx.x == 0) {
        init(&object, 1);
        expect(&object, 1000000);
        expect(&object, count); //! fault
    }
}

// One thread too few arrives.
//? never 1 64 i32[1] i32=65 => fault misses 1 of 65 arrivals and 0 bytes of copies
//? never 1 64 i32[1] i32=64 => nothing
__global__ void never(int *out, int count) {
    __shared__ Word object;
    if (threadIdx.x == 0)
        init(&object, count);
    __syncthreads();
    arrive(&object);
    await(&object, 0); //! fault
    *out = 1;
}

// A named barrier that a warp does not come to.
//? barrier 1 64 i32=96 => fault deadlock: 64 of the block's 64 live threads wait at barrier 1 for threads that never arrive
//? barrier 1 64 i32=64 => nothing
__global__ void barrier(int threads) {
    asm volatile("bar.sync 1, %0;" ::"r"(threads) : "memory"); //! fault
}

// Lanes that wait for lanes which wait elsewhere.
//? lanes 1 32 i32[32] i32=-1 => fault deadlock: lanes 0x
//? lanes 1 32 i32[32] i32=0 => nothing
__global__ void lanes(int *out, int mask) {
    if (threadIdx.x < 16)
        out[threadIdx.x] = __shfl_sync(mask ? mask : 0x0000ffff, threadIdx.x, 0); //! fault
    else
        out[threadIdx.x] = __ballot_sync(mask ? 0xffff0000 : 0xffff0000, 1) + __shfl_sync(mask ? 0x0000ffff | 1u << threadIdx.x : 0xffff0000, 1, 0); //! fault
}
