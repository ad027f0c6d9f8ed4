"""Rows: cuTile, whose compiler knows Blackwell alone: WARPLENS_GPU=b200."""

import warplens  # noqa: F401, I001 - before torch
import cuda.tile
import cutile_kernels
import torch
from table_rows import row, run

row("cuTile: vector addition")(cutile_kernels.add)


@cuda.tile.kernel
def turn_kernel(x, out, size: cuda.tile.Constant[int]):
    i, j = cuda.tile.bid(0), cuda.tile.bid(1)
    cuda.tile.store(out, index=(j, i), tile=cuda.tile.transpose(cuda.tile.load(x, index=(i, j), shape=(size, size))))


@row("cuTile: transpose")
def turn():
    x = torch.randn(64, 96, device="cuda")
    out = torch.empty(96, 64, device="cuda")
    cuda.tile.launch(torch.cuda.current_stream(), (2, 3), turn_kernel, (x, out, 32))
    assert out.equal(x.t())


@cuda.tile.kernel
def product_kernel(a, b, out, size: cuda.tile.Constant[int], depth: cuda.tile.Constant[int]):
    i, j = cuda.tile.bid(0), cuda.tile.bid(1)
    total = cuda.tile.full((size, size), 0, dtype=cuda.tile.float32)
    for k in range(depth):
        total = cuda.tile.mma(cuda.tile.load(a, index=(i, k), shape=(size, 32)), cuda.tile.load(b, index=(k, j), shape=(32, size)), total)
    cuda.tile.store(out, index=(i, j), tile=total)


@row("cuTile: `mma` (tensor maps in hidden parameters, which NVIDIA's driver fills in by no documented rule)", refused="JIT compilation failed")
def product():
    a, b = torch.randn(64, 96, device="cuda").half(), torch.randn(96, 64, device="cuda").half()
    out = torch.empty(64, 64, device="cuda")
    cuda.tile.launch(torch.cuda.current_stream(), (1, 1), product_kernel, (a, b, out, 64, 3))
    torch.testing.assert_close(out, a.float() @ b.float(), atol=2e-2, rtol=2e-2)


if __name__ == "__main__":
    run()
