// Four warps multiply a tile of halves by a matrix of 64 x 16 on tensor cores.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void wmmaTile(const half *a, const half *b, float *c) {
    __shared__ half as[64][64];
    int warp = threadIdx.y, tid = warp * 32 + threadIdx.x;
    for (int i = tid; i < 64 * 64; i += 128)
        as[i / 64][i % 64] = a[blockIdx.x * 64 * 64 + i];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < 64; k += 16) {
        wmma::load_matrix_sync(fa, &as[warp * 16][k], 64);
        wmma::load_matrix_sync(fb, b + k * 16, 16);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + (blockIdx.x * 64 + warp * 16) * 16, sum, 16, wmma::mem_row_major);
}
