// Threads that wait for other threads: within a warp, between the warps of a block, and between blocks.
// None of this may hang, whatever the number of workers; only the counts depend on it.
//
// launch spinLock grid=6 block=64
// varies
// arg u32[1]=0
// arg u32[1]=0
// expect 0: 0
// expect 1: 384
// launch spinLockSleep grid=6 block=64
// varies
// arg u32[1]=0
// arg u32[1]=0
// expect 1: 384
// launch lanesInTurn block=32
// varies
// arg u32[1]=0
// arg u32[32]=0
// expect 1: range(32)
// launch lanesInTurnBackwards grid=4 block=32
// varies
// arg u32[4]=0
// arg u32[128]=0
// expect 1: [31 - i % 32 for i in range(128)]
// launch lanesThenBlocks grid=6 block=32 limit=1000000
// varies
// arg u32[6]=0
// arg u32[14]=0
// expect 0: 6*32
// expect 1: [1, 7] * 6 + [0, 0]
// launch ring grid=8 block=64
// varies
// arg u32[8]=0
// expect 0: [sum(range(1000))] * 8
// launch gridBarrier grid=200 block=64
// varies
// arg u32[20]=0
// arg u32[200]=0
// arg u32=20
// expect 0: [200 * (i + 1) for i in range(20)]
// expect 1: 200*20
// launch lookBack grid=500 block=128
// varies
// arg u32[64000]=iota
// arg u64[501]=0
// arg u32[64000]=0
// expect 2: prefix_sums(64000)
// launch backwardChain grid=100 block=32
// varies
// arg u32[101]=0
// expect 0: [*range(100, 0, -1), 0]
// launch warpsInTurn grid=3 block=1024
// varies
// arg u32[96]=0
// expect 0: list(range(32)) * 3

typedef unsigned long long Word;

// Each thread takes the lock for itself: lanes of one warp contend.
extern "C" __global__ void spinLock(unsigned *lock, unsigned *counter) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    unsigned value = *(volatile unsigned *)counter;
    *(volatile unsigned *)counter = value + 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void spinLockSleep(unsigned *lock, unsigned *counter) {
    unsigned pause = 8;
    while (atomicCAS(lock, 0, 1) != 0) {
        __nanosleep(pause);
        if (pause < 256)
            pause *= 2;
    }
    __threadfence();
    *(volatile unsigned *)counter = *(volatile unsigned *)counter + 1;
    __threadfence();
    atomicExch(lock, 0);
}

// Lane i waits for lane i - 1: independent thread scheduling.
extern "C" __global__ void lanesInTurn(volatile unsigned *turn, unsigned *order) {
    while (*turn != threadIdx.x) {
    }
    order[threadIdx.x] = *turn;
    *turn = threadIdx.x + 1;
}

extern "C" __global__ void lanesInTurnBackwards(volatile unsigned *turns, unsigned *order) {
    volatile unsigned *turn = &turns[blockIdx.x];
    unsigned mine = 31 - threadIdx.x;
    while (*turn != mine) {
    }
    order[32 * blockIdx.x + threadIdx.x] = *turn;
    *turn = mine + 1;
}

// Lanes that have waited for each other for long, so that they change places often, wait for the next block, which
// begins after this one: a block in which nothing else happens has to leave its turn to that one.
extern "C" __global__ void lanesThenBlocks(volatile unsigned *turns, volatile unsigned *chain) {
    volatile unsigned *turn = &turns[blockIdx.x], *mine = &chain[2 * blockIdx.x], *next = mine + 2;
    while (*turn != threadIdx.x) {
    }
    *turn = threadIdx.x + 1;
    bool last = blockIdx.x + 1 == gridDim.x;
    if (threadIdx.x % 2) {
        while (!last && next[1] != 7) {
        }
        mine[1] = 7;
    } else {
        while (!last && next[0] == 0) {
        }
        mine[0] = 1;
    }
}

// One warp produces, the other consumes, through four slots in shared memory and no lock.
extern "C" __global__ void ring(unsigned *sums) {
    __shared__ volatile unsigned slot[4];
    __shared__ volatile unsigned written, taken;
    if (threadIdx.x == 0)
        written = taken = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        for (unsigned i = 0; i < 1000; i++) {
            while (written - taken == 4) {
            }
            slot[i % 4] = i;
            __threadfence_block();
            written = i + 1;
        }
    }
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (unsigned i = 0; i < 1000; i++) {
            while (written == i) {
            }
            sum += slot[i % 4];
            __threadfence_block();
            taken = i + 1;
        }
        sums[blockIdx.x] = sum;
    }
}

// All blocks meet, several times.
extern "C" __global__ void gridBarrier(unsigned *arrived, unsigned *rounds, unsigned count) {
    for (unsigned round = 0; round < count; round++) {
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            unsigned value = atomicAdd(&arrived[count - 1], 1) + 1;
            while (*(volatile unsigned *)&arrived[count - 1] < gridDim.x * (round + 1)) {
            }
            if (value == gridDim.x * (round + 1))
                arrived[round] = value;
            rounds[blockIdx.x] = round + 1;
        }
        __syncthreads();
    }
}

// A decoupled look-back scan: state in the upper half of a word, 1 = sum of the block, 2 = of all before, too.
extern "C" __global__ void lookBack(const unsigned *in, volatile Word *states, unsigned *out) {
    __shared__ unsigned scan[128];
    __shared__ unsigned tile, before;
    if (threadIdx.x == 0)
        tile = (unsigned)atomicAdd((Word *)&states[gridDim.x], 1);
    __syncthreads();
    unsigned at = 128 * tile + threadIdx.x;
    scan[threadIdx.x] = in[at];
    for (unsigned step = 1; step < 128; step *= 2) {
        __syncthreads();
        unsigned left = threadIdx.x >= step ? scan[threadIdx.x - step] : 0;
        __syncthreads();
        scan[threadIdx.x] += left;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        if (tile > 0) {
            states[tile] = (Word)1 << 32 | scan[127];
            for (unsigned other = tile - 1;; other--) {
                Word state;
                do
                    state = states[other];
                while (state >> 32 == 0);
                sum += (unsigned)state;
                if (state >> 32 == 2)
                    break;
            }
        }
        states[tile] = (Word)2 << 32 | (sum + scan[127]);
        before = sum;
    }
    __syncthreads();
    out[at] = before + scan[threadIdx.x];
}

// A block waits for the one with the next number, which begins after it.
extern "C" __global__ void backwardChain(volatile unsigned *chain) {
    if (threadIdx.x == 0) {
        unsigned next = 0;
        if (blockIdx.x + 1 < gridDim.x)
            while ((next = chain[blockIdx.x + 1]) == 0) {
            }
        chain[blockIdx.x] = next + 1;
    }
}

// 32 warps take turns through shared memory.
extern "C" __global__ void warpsInTurn(unsigned *order) {
    __shared__ volatile unsigned turn;
    if (threadIdx.x == 0)
        turn = 0;
    __syncthreads();
    unsigned warp = threadIdx.x / 32;
    while (turn != warp) {
    }
    if (threadIdx.x % 32 == 0)
        order[32 * blockIdx.x + warp] = turn;
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        turn = warp + 1;
}
