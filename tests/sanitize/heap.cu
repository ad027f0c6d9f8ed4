// malloc of kernels: blocks that are used after free, and outside of what malloc gave. Pointers go through memory, so that
// the compiler does not see where they come from.

// Read behind its free, by who freed it.
//? after 1 2 i32[2] i32=0 => freed-memory
//? after 1 2 i32[2] i32=1 => nothing
__global__ void after(int *out, int right) {
    int *volatile keep = (int *)malloc(16);
    *(volatile int *)keep = threadIdx.x;
    if (!right)
        free(keep); //! freed-memory
    out[threadIdx.x] = *(volatile int *)keep; //! freed-memory
    if (right)
        free(keep);
}

// One thread frees what the others of its block read, behind a barrier or before it.
//? shared_block 1 64 i32[64] i32=0 => freed-memory
//? shared_block 1 64 i32[64] i32=1 => nothing
__global__ void shared_block(int *out, int right) {
    __shared__ int *block;
    if (threadIdx.x == 0)
        block = (int *)malloc(256);
    __syncthreads();
    block[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (!right && threadIdx.x == 0)
        free(block); //! freed-memory
    __syncthreads();
    out[threadIdx.x] = block[63 - threadIdx.x]; //! freed-memory
    __syncthreads();
    if (right && threadIdx.x == 0)
        free(block);
}

// One element behind the end: another thread's block begins elsewhere, so that nobody else is there.
//? behind 1 1 i32[1] i32=4 => outside-malloc
//? behind 1 1 i32[1] i32=3 => nothing
__global__ void behind(int *out, int last) {
    int *volatile keep = (int *)malloc(16); //! outside-malloc
    for (int i = 0; i <= last; i++)
        ((volatile int *)keep)[i] = i; //! outside-malloc
    *out = ((volatile int *)keep)[3];
    free(keep);
}

// 10 bytes, and a word of which the last two are not among them.
//? over 1 1 i32[1] i32=2 => outside-malloc
//? over 1 1 i32[1] i32=1 => nothing
__global__ void over(int *out, int at) {
    volatile int *volatile keep = (volatile int *)malloc(10); //! outside-malloc
    keep[at] = 1; //! outside-malloc
    *out = 0;
    free((void *)keep);
}

// A list whose elements are freed as it is walked: the next one must be read before.
//? list 1 1 i32[1] i32=0 => freed-memory
//? list 1 1 i32[1] i32=1 => nothing
struct Link {
    Link *volatile next;
    volatile int value;
};
__global__ void list(int *out, int right) {
    Link *first = nullptr;
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        Link *link = (Link *)malloc(sizeof(Link));
        link->next = first;
        link->value = i;
        first = link;
    }
    while (first) {
        Link *old = first;
        sum += old->value;
        if (right)
            first = old->next;
        free(old); //! freed-memory
        if (!right)
            first = old->next; //! freed-memory
    }
    *out = sum;
}

// What is freed is given to somebody else, whose it is then.
//? again 1 32 i32[32] => nothing
__global__ void again(int *out) {
    int sum = 0;
    for (int i = 1; i < 20; i++) {
        int *volatile mine = (int *)malloc(4 * i);
        for (int j = 0; j < i; j++)
            mine[j] = j;
        sum += mine[i - 1];
        free(mine);
    }
    out[threadIdx.x] = sum;
}
