// A structure of sixteen words for each thread.
struct Node {
    float weight[12];
    int left, right, depth, count;
    int padding;
};

__global__ void nodes16(const float *in, float *out) {
    __shared__ Node nodes[128];
    Node &own = nodes[threadIdx.x];
    int tid = threadIdx.x;
    for (int i = 0; i < 12; i++)
        nodes[tid].weight[i] = in[(blockIdx.x * 12 + i) * 128 + tid];
    nodes[tid].left = (tid + 1) % 128;
    nodes[tid].count = tid & 7;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 12; i++)
        sum += nodes[own.left].weight[i] * nodes[tid].count;
    out[blockIdx.x * 128 + tid] = sum;
}
