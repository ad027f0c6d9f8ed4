"""A kernel of CuTe DSL: a transpose through shared memory."""

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack


@cute.kernel
def turn(values: cute.Tensor, out: cute.Tensor):
    memory = cutlass.utils.SmemAllocator()
    tile = memory.allocate_tensor(cutlass.Float32, cute.make_layout((32, 32)), 16)
    x, y, _ = cute.arch.thread_idx()
    tile[x, y] = values[y, x]
    cute.arch.sync_threads()
    out[y, x] = tile[y, x]


@cute.jit
def launch(values: cute.Tensor, out: cute.Tensor):
    turn(values, out).launch(grid=[1, 1, 1], block=[32, 32, 1])


def transpose():
    values = torch.arange(1024, dtype=torch.float32).reshape(32, 32).cuda()
    out = torch.empty_like(values)
    launch(from_dlpack(values), from_dlpack(out))
    torch.cuda.synchronize()
    assert (out.cpu() == values.cpu().T).all()
