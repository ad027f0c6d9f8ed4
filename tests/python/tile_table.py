"""More of TileLang: a matmul that is pipelined."""

import tile_kernels  # noqa: F401 - imports warplens
import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[-1])
def product(M, N, K, BM, BN, BK):
    @T.prim_func
    def main(a: T.Tensor((M, K), "float16"), b: T.Tensor((K, N), "float16"), c: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, BN), T.ceildiv(M, BM), threads=128) as (x, y):
            left, right = T.alloc_shared((BM, BK), "float16"), T.alloc_shared((BK, BN), "float16")
            total = T.alloc_fragment((BM, BN), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(K, BK), num_stages=2):
                T.copy(a[y * BM, k * BK], left)
                T.copy(b[k * BK, x * BN], right)
                T.gemm(left, right, total)
            T.copy(total, c[y * BM, x * BN])

    return main


def matmul():
    a, b = torch.randn(128, 128, device="cuda").half(), torch.randn(128, 128, device="cuda").half()
    torch.testing.assert_close(product(128, 128, 128, 64, 64, 32)(a, b), a.float() @ b.float(), atol=2e-2, rtol=2e-2)
