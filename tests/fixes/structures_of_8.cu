// States of eight floats, each worked on by the thread that it belongs to.
struct State {
    float q[8];
};

__global__ void structuresOf8(const float *in, float *out) {
    __shared__ State s[128];
    int tid = threadIdx.x;
    for (int k = 0; k < 8; k++)
        s[tid].q[k] = in[(blockIdx.x * 8 + k) * 128 + tid];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += s[(tid + 1) % 128].q[k] * s[(tid + 127) % 128].q[7 - k];
    out[blockIdx.x * 128 + tid] = sum;
}
