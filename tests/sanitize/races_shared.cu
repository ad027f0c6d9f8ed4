// Races in shared memory between the warps of a block, and the barriers that order them.

// The word that the other half of the block wrote.
//? swap 1 64 --sanitize=races i32[64] i32=0 => write-read-race
//? swap 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void swap(int *out, int right) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x;
    if (right)
        __syncthreads();
    out[threadIdx.x] = a[63 - threadIdx.x]; //! write-read-race
}

// A tile is filled again while others read it: they read first, since warps leave a barrier side by side.
//? tile 1 64 --sanitize=races i32[640] i32[64] i32=0 => read-write-race
//? tile 1 64 --sanitize=races i32[640] i32[64] i32=1 => nothing
__global__ void tile(const int *in, int *out, int right) {
    __shared__ int a[64];
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        a[threadIdx.x] = in[64 * i + threadIdx.x]; //! read-write-race write-read-race
        __syncthreads();
        for (int k = 0; k < 64; k++)
            sum += a[k]; //! read-write-race write-read-race
        if (right)
            __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// A tiled product of matrices without its second barrier, and without its first.
//? product 2,2 16,16 --sanitize=races f32[1024] f32[1024] f32[1024] i32=1 => read-write-race
//? product 2,2 16,16 --sanitize=races f32[1024] f32[1024] f32[1024] i32=2 => write-read-race
//? product 2,2 16,16 --sanitize=races f32[1024] f32[1024] f32[1024] i32=3 => nothing
__global__ void product(const float *a, const float *b, float *c, int barriers) {
    __shared__ float as[16][16], bs[16][16];
    int x = 16 * blockIdx.x + threadIdx.x, y = 16 * blockIdx.y + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < 2; t++) {
        as[threadIdx.y][threadIdx.x] = a[32 * y + 16 * t + threadIdx.x]; //! read-write-race
        bs[threadIdx.y][threadIdx.x] = b[32 * (16 * t + threadIdx.y) + x]; //! read-write-race
        if (barriers & 1)
            __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x]; //! write-read-race read-write-race
        if (barriers & 2)
            __syncthreads();
    }
    c[32 * y + x] = sum;
}

// All threads say who they are.
//? last 1 64 --sanitize=races i32[64] i32=0 => write-write-race
//? last 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void last(int *out, int right) {
    __shared__ int who;
    if (!right || threadIdx.x == 0)
        who = threadIdx.x; //! write-write-race
    __syncthreads();
    out[threadIdx.x] = who;
}

// All write the same: that is benign, and told of where it is asked for.
//? same 1 64 --sanitize=races i32[64] => nothing
__global__ void same(int *out) {
    __shared__ int flag;
    flag = 1;
    __syncthreads();
    out[threadIdx.x] = flag;
}

// A counter.
//? counter 1 64 --sanitize=races i32[64] i32=0 => write-write-race write-read-race read-write-race
//? counter 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void counter(int *out, int right) {
    __shared__ int count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    if (right)
        atomicAdd(&count, 1);
    else
        count += 1; //! write-write-race write-read-race read-write-race
    __syncthreads();
    out[threadIdx.x] = count;
}

// The bins are not empty yet when others count.
//? histogram 1 64 --sanitize=races i32[64] i32[64] i32=0 => write-write-race
//? histogram 1 64 --sanitize=races i32[64] i32[64] i32=1 => nothing
__global__ void histogram(const int *in, int *out, int right) {
    __shared__ int bins[64];
    bins[threadIdx.x] = 0; //! write-write-race
    if (right)
        __syncthreads();
    atomicAdd(&bins[(in[threadIdx.x] + 40) % 64], 1);
    __syncthreads();
    out[threadIdx.x] = bins[threadIdx.x];
}

// A read between atomics, without a barrier behind them.
//? total 1 64 --sanitize=races i32[64] i32=0 => write-read-race
//? total 1 64 --sanitize=races i32[64] i32=1 => nothing
__global__ void total(int *out, int right) {
    __shared__ int sum;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    atomicAdd(&sum, (int)threadIdx.x);
    if (right)
        __syncthreads();
    out[threadIdx.x] = sum; //! write-read-race
}

// The tree of a reduction.
//? reduce 1 256 --sanitize=races i32[256] i32[256] i32=0 => write-read-race
//? reduce 1 256 --sanitize=races i32[256] i32[256] i32=1 => nothing
__global__ void reduce(const int *in, int *out, int right) {
    __shared__ int a[256];
    a[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int n = 128; n > 0; n /= 2) {
        if (threadIdx.x < n)
            a[threadIdx.x] += a[threadIdx.x + n]; //! write-read-race read-write-race
        if (right)
            __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] = a[0];
}

// Hillis and Steele's scan, in place with two barriers, and with one.
//? scan 1 128 --sanitize=races i32[128] i32[128] i32=0 => read-write-race
//? scan 1 128 --sanitize=races i32[128] i32[128] i32=1 => nothing
__global__ void scan(const int *in, int *out, int right) {
    __shared__ int a[128];
    a[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int n = 1; n < 128; n *= 2) {
        int left = threadIdx.x >= n ? a[threadIdx.x - n] : 0; //! read-write-race write-read-race
        if (right)
            __syncthreads();
        a[threadIdx.x] += left; //! read-write-race
        __syncthreads();
    }
    out[threadIdx.x] = a[threadIdx.x];
}

// The same with two arrays: one barrier is enough.
//? scan_two 1 128 --sanitize=races i32[128] i32[128] i32=0 => write-read-race read-write-race
//? scan_two 1 128 --sanitize=races i32[128] i32[128] i32=1 => nothing
__global__ void scan_two(const int *in, int *out, int right) {
    __shared__ int a[2][128];
    int now = 0;
    a[0][threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int n = 1; n < 128; n *= 2, now = 1 - now) {
        int left = threadIdx.x >= n ? a[now][threadIdx.x - n] : 0; //! write-read-race read-write-race
        a[1 - now][threadIdx.x] = a[now][threadIdx.x] + left; //! write-read-race read-write-race
        if (right || n != 64) // behind the last step
            __syncthreads();
    }
    out[threadIdx.x] = a[now][127 - threadIdx.x]; //! write-read-race
}

// A stencil whose edge is written by the first and the last thread alone.
//? stencil 1 64 --sanitize=races i32[128] i32[64] i32=0 => write-read-race
//? stencil 1 64 --sanitize=races i32[128] i32[64] i32=1 => nothing
__global__ void stencil(const int *in, int *out, int right) {
    __shared__ int a[66];
    a[threadIdx.x + 1] = in[threadIdx.x + 1];
    if (right)
        ;
    else
        __syncthreads();
    if (threadIdx.x == 63) {
        a[65] = in[65];
        a[0] = in[0];
    }
    if (right)
        __syncthreads();
    out[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x + 2]; //! write-read-race
}

// Bytes beside each other are no race; words that hold them are.
//? bytes 1 64 --sanitize=races u8[64] i32=0 => write-read-race
//? bytes 1 64 --sanitize=races u8[64] i32=1 => nothing
__global__ void bytes(unsigned char *out, int right) {
    __shared__ __align__(4) unsigned char a[64];
    a[threadIdx.x] = threadIdx.x;
    if (right)
        out[threadIdx.x] = a[threadIdx.x];
    else
        out[threadIdx.x] = reinterpret_cast<unsigned *>(a)[threadIdx.x / 4]; //! write-read-race
}

// The transposed tile.
//? transpose 1 32,8 --sanitize=races f32[1024] f32[1024] i32=0 => write-read-race
//? transpose 1 32,8 --sanitize=races f32[1024] f32[1024] i32=1 => nothing
__global__ void transpose(const float *in, float *out, int right) {
    __shared__ float a[32][33];
    for (int i = threadIdx.y; i < 32; i += 8)
        a[i][threadIdx.x] = in[32 * i + threadIdx.x];
    if (right)
        __syncthreads();
    for (int i = threadIdx.y; i < 32; i += 8)
        out[32 * i + threadIdx.x] = a[threadIdx.x][i]; //! write-read-race
}

// Vectors that overlap by half.
//? vectors 1 64 --sanitize=races i32[256] i32=0 => write-read-race
//? vectors 1 64 --sanitize=races i32[256] i32=1 => nothing
__global__ void vectors(int4 *out, int right) {
    __shared__ __align__(16) int a[264];
    reinterpret_cast<int4 *>(a)[threadIdx.x] = make_int4(1, 2, 3, (int)threadIdx.x);
    if (threadIdx.x == 0)
        a[256] = a[257] = 0;
    if (right)
        __syncthreads();
    int2 low = reinterpret_cast<int2 *>(a)[2 * threadIdx.x + 1], high = reinterpret_cast<int2 *>(a)[2 * threadIdx.x + 2]; //! write-read-race
    out[threadIdx.x] = make_int4(low.x, low.y, high.x, high.y);
}

// Some threads leave before the barrier, which the others complete.
//? leave 1 64 --sanitize=races i32[64] => nothing
__global__ void leave(int *out) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x;
    if (threadIdx.x >= 40)
        return;
    __syncthreads();
    out[threadIdx.x] = a[39 - threadIdx.x];
}

// __syncthreads_or orders as __syncthreads does.
//? vote 1 64 --sanitize=races i32[64] => nothing
__global__ void vote(int *out) {
    __shared__ int a[64];
    a[threadIdx.x] = threadIdx.x;
    int any = __syncthreads_or(threadIdx.x == 7);
    out[threadIdx.x] = any + a[63 - threadIdx.x];
}
