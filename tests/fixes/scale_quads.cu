// Four neighbouring elements a thread, one by one.
__global__ void scaleQuads(const float *in, float *out, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[4 * i] = in[4 * i] * factor;
    out[4 * i + 1] = in[4 * i + 1] * factor;
    out[4 * i + 2] = in[4 * i + 2] * factor;
    out[4 * i + 3] = in[4 * i + 3] * factor;
}
