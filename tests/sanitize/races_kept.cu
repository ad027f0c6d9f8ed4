// Races of blocks whose accesses are remembered in short: words that blocks have read which ended need no second read, until
// somebody writes them. By rows and otherwise.

//? table 5 32 --sanitize=races i32[160] i32[160] i32=1 i32=0 i32=1 => read-write-race write-read-race
//? table 5 32 --sanitize=races i32[160] i32[160] i32=2 i32=0 i32=1 => read-write-race write-read-race
//? table 5 32 --sanitize=races i32[160] i32[160] i32=1 i32=3 i32=1 => read-write-race write-read-race
//? table 5 32 --sanitize=races i32[160] i32[160] i32=1 i32=0 i32=0 => nothing
//? table 5 32 --sanitize=races i32[160] i32[160] i32=2 i32=3 i32=0 => nothing
__global__ void table(int *in, int *out, int step, int skip, int writes) {
    const int at = step * threadIdx.x + skip;
    if (blockIdx.x == 3 && writes)
        in[at] = 1; //! read-write-race
    else
        out[blockIdx.x * blockDim.x + threadIdx.x] = in[at]; //! read-write-race write-read-race
}

// The same value is written: told apart, and told of if that is asked for.
//? same 2 32 --sanitize=races i32[32] i32=0 => nothing
//? same 2 32 --sanitize=races=benign i32[32] i32=0 => nothing
//? same 2 32 --sanitize=races i32[32] i32=1 => write-write-race
__global__ void same(int *out, int differs) {
    out[threadIdx.x] = differs ? blockIdx.x : 7; //! write-write-race
}
