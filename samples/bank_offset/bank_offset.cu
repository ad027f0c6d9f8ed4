// bank_offset: what the distance between neighbouring threads costs in shared memory.
//
// Shared memory has 32 banks of 4 bytes; the word at byte address b lies in bank (b / 4) mod 32. In
// one pass, a *wavefront*, every bank delivers one word. A warp whose 32 threads want different
// words of the same bank therefore waits for 32 passes, and threads that want the same word share
// one.
//
// Thread t of a warp reads word t * offset. Two threads share a bank whenever their distance is a
// multiple of 32 / gcd(offset, 32), so gcd(offset, 32) threads meet in each bank that is used:
// offset 1 and every odd one cost one wavefront, 2 costs two, 4 four … and 32 costs thirty-two.

// 32 threads x offset 64: up to there no two threads of a warp wrap around to the same word.
constexpr unsigned WORDS = 2048;

// Each thread makes `loads` reads. Each moves the whole warp 32 words on, which changes no bank.
__global__ void bankOffset(unsigned *out, unsigned offset, unsigned loads) {
    __shared__ unsigned words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = i;
    __syncthreads();

    unsigned sum = 0;
    for (unsigned i = 0; i < loads; i++)
        sum += words[(threadIdx.x * offset + 32 * i) % WORDS];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Two threads, each at a byte of its own: 0 and 128 are two words of bank 0, one after the other; 0
// and 132 lie in banks 0 and 1; and for 0 and 0 the bank hands one word to both.
__global__ void twoThreads(unsigned *out, unsigned firstByte, unsigned secondByte) {
    __shared__ unsigned words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = 3 * i;
    __syncthreads();

    unsigned byte = threadIdx.x == 0 ? firstByte : secondByte;
    out[threadIdx.x] = words[byte / 4];
}
