"""CUTLASS issue 2810 in CuTe DSL: the copies of a K-major tile from global to shared memory, as the Ampere example `tensorop_gemm.py` makes them
(its `_make_gmem_tiled_copy_AB`), for tiles of some depth."""

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack

ROWS, PITCH, THREADS = 128, 256, 128


@cute.kernel
def fill(values: cute.Tensor, out: cute.Tensor, layout: cute.ComposedLayout, copy: cute.TiledCopy):
    thread, _, _ = cute.arch.thread_idx()
    tile = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float16, layout, 128)
    own = copy.get_slice(thread)
    cute.copy(copy, own.partition_S(values), own.partition_D(tile))
    cute.arch.cp_async_commit_group()
    cute.arch.cp_async_wait_group(0)
    cute.arch.sync_threads()
    for i in cutlass.range_constexpr(cute.size(layout) // THREADS):
        row, column = thread, i
        out[row, column] = tile[row, column]


@cute.jit
def launch(values: cute.Tensor, out: cute.Tensor, depth: cutlass.Constexpr, bits: cutlass.Constexpr):
    each = 8  # halves of 16 bytes
    atom = cute.make_composed_layout(cute.make_swizzle(bits, 3, 3), 0, cute.make_layout((8, depth), stride=(depth, 1)))
    operation = cute.make_copy_atom(cute.nvgpu.cpasync.CopyG2SOp(cache_mode=cute.nvgpu.LoadCacheMode.GLOBAL), cutlass.Float16, num_bits_per_copy=128)
    threads = cute.make_layout((THREADS // (depth // each), depth // each), stride=(depth // each, 1))
    copy = cute.make_tiled_copy_tv(operation, threads, cute.make_layout((1, each)))
    fill(values, out, cute.tile_to_shape(atom, (ROWS, depth), (0, 1)), copy).launch(grid=[1, 1, 1], block=[THREADS, 1, 1])


def copied(depth):
    """Copies a tile of that depth, 32 with Swizzle<2,3,3> or 64 with Swizzle<3,3,3>, out of rows that are longer, and sees that it is the tile."""
    whole = torch.arange(ROWS * PITCH, dtype=torch.float32).remainder(2048).half().reshape(ROWS, PITCH).cuda()
    values, out = whole[:, :depth], torch.empty(ROWS, depth, dtype=torch.half).cuda()
    launch(from_dlpack(values, assumed_align=16), from_dlpack(out), depth, 2 if depth == 32 else 3)
    torch.cuda.synchronize()
    assert (out.cpu() == values.cpu()).all()
