// histogram: how often each byte value occurs. Blocks of 256 threads: thread t also owns bin t.
//
//   histogramGlobal        every byte is an atomic addition in global memory
//   histogramShared        a histogram per block in shared memory, added to the global one at the
//                          end. Threads of a warp collide where their bins differ by a multiple of
//                          32: the same bank, another word. (Equal bytes are no conflict: additions
//                          of a constant 1 to the same word are merged.)
//   histogramPerLane       32 histograms per block, one per lane, interleaved so that lane l only
//                          touches bank l: a request is one wavefront, whatever the data
//   histogramPerLaneWide   the same, and four bytes per load

typedef unsigned char u8;

constexpr int BINS = 256; // and blockDim.x
constexpr int LANES = 32;

__global__ void histogramGlobal(const u8 *in, unsigned *bins, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1u);
}

__global__ void histogramShared(const u8 *in, unsigned *bins, int n) {
    __shared__ unsigned counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[in[i]], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}

// words[bin][lane] is what the threads with that lane number have counted in that bin; it lies in
// bank `lane`.
struct LaneCounts {
    unsigned words[BINS][LANES];

    __device__ void clear() {
        for (int row = threadIdx.x / LANES; row < BINS; row += blockDim.x / LANES)
            words[row][threadIdx.x % LANES] = 0;
    }
    __device__ void add(unsigned bin) {
        atomicAdd(&words[bin][threadIdx.x % LANES], 1u);
    }
    // Threads of a warp sum neighbouring rows, and a row's first word always lies in bank 0: so
    // each starts at another column, its own.
    __device__ unsigned total(unsigned bin) {
        unsigned sum = 0;
        for (int i = 0; i < LANES; i++)
            sum += words[bin][(i + threadIdx.x) % LANES];
        return sum;
    }
};

__global__ void histogramPerLane(const u8 *in, unsigned *bins, int n) {
    __shared__ LaneCounts counts;
    counts.clear();
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        counts.add(in[i]);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts.total(threadIdx.x));
}

// n counts words of four bytes.
__global__ void histogramPerLaneWide(const unsigned *in, unsigned *bins, int n) {
    __shared__ LaneCounts counts;
    counts.clear();
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned bytes = in[i];
        counts.add(bytes & 255);
        counts.add(bytes >> 8 & 255);
        counts.add(bytes >> 16 & 255);
        counts.add(bytes >> 24);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts.total(threadIdx.x));
}

// The same, and sixteen bytes per load, two loads at a time. n counts pieces of sixteen bytes.
__device__ __forceinline__ void addBytes(LaneCounts &counts, unsigned bytes) {
    counts.add(bytes & 255);
    counts.add(bytes >> 8 & 255);
    counts.add(bytes >> 16 & 255);
    counts.add(bytes >> 24);
}

__global__ void histogramPerLaneWidest(const uint4 *in, unsigned *bins, int n) {
    __shared__ LaneCounts counts;
    counts.clear();
    __syncthreads();
    const int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 2 * step) {
        const uint4 first = in[i], second = i + step < n ? in[i + step] : make_uint4(0, 0, 0, 0);
        addBytes(counts, first.x);
        addBytes(counts, first.y);
        addBytes(counts, first.z);
        addBytes(counts, first.w);
        if (i + step < n) {
            addBytes(counts, second.x);
            addBytes(counts, second.y);
            addBytes(counts, second.z);
            addBytes(counts, second.w);
        }
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], counts.total(threadIdx.x));
}
