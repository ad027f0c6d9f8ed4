// The program of README.md: transposes a matrix by tiles that are not padded.
#include <cstdio>

__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    const int n = 1024;
    static float matrix[n * n], result[n * n];
    float *in, *out;
    for (int i = 0; i < n * n; i++)
        matrix[i] = i;
    cudaMalloc(&in, sizeof matrix);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(in, matrix, sizeof matrix, cudaMemcpyHostToDevice);
    transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    printf("%s\n", result[1] == matrix[n] ? "transposed" : "wrong");
    return result[1] != matrix[n];
}
