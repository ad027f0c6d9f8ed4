// A product of 64 x 64 on tensor cores: extents and leading dimensions are constants.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
constexpr int M = 64, N = 64, K = 32;

__global__ void wmmaProduct(const half *a, const half *b, float *c) {
    __shared__ half as[M][K + 8];
    __shared__ half bs[K][N + 8];
    int warp = threadIdx.y, tid = warp * 32 + threadIdx.x;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[4];
    for (int j = 0; j < 4; j++)
        wmma::fill_fragment(sum[j], 0.0f);
    for (int t = 0; t < 64; t += K) {
        for (int i = tid; i < M * K; i += 128)
            as[i / K][i % K] = a[(blockIdx.x * M + i / K) * 64 + t + i % K];
        for (int i = tid; i < K * N; i += 128)
            bs[i / N][i % N] = b[(t + i / N) * N + i % N];
        __syncthreads();
        for (int k = 0; k < K; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
            wmma::load_matrix_sync(fa, &as[warp * 16][k], K + 8);
            for (int j = 0; j < 4; j++) {
                wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
                wmma::load_matrix_sync(fb, &bs[k][j * 16], N + 8);
                wmma::mma_sync(sum[j], fa, fb, sum[j]);
            }
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        wmma::store_matrix_sync(c + (blockIdx.x * M + warp * 16) * N + j * 16, sum[j], N,
                                wmma::mem_row_major);
}
