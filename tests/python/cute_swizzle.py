"""CUTLASS issue 3172 in CuTe DSL: ldmatrix.x4.trans of an M-major (128, 32) tile of halves, made of swizzled (128, 8) atoms."""

import cutlass
import cutlass.cute as cute
import torch
from cutlass.cute.runtime import from_dlpack

ROWS, COLUMNS = 128, 32  # M and K


@cute.kernel
def load(values: cute.Tensor, out: cute.Tensor, layout: cute.ComposedLayout, mma: cute.TiledMma):
    lane, _, _ = cute.arch.thread_idx()
    tile = cutlass.utils.SmemAllocator().allocate_tensor(cutlass.Float16, layout, 128)
    for i in cutlass.range_constexpr(ROWS * COLUMNS // 32):
        row, column = lane + (32 * i) % ROWS, (32 * i) // ROWS
        tile[row, column] = values[row, column]
    cute.arch.sync_threads()
    atom = cute.make_copy_atom(cute.nvgpu.warp.LdMatrix8x8x16bOp(True, 4), cutlass.Float16)
    copy = cute.make_tiled_copy_A(atom, mma)
    fragment = mma.make_fragment_A(mma.get_slice(lane).partition_A(tile))
    cute.copy(copy, copy.get_slice(lane).partition_S(tile), copy.get_slice(lane).retile(fragment))
    target = mma.get_slice(lane).partition_A(out)
    for i in cutlass.range_constexpr(cute.size(fragment)):
        target[i] = fragment[i]


@cute.jit
def launch(values: cute.Tensor, out: cute.Tensor, bits: cutlass.Constexpr, base: cutlass.Constexpr, shift: cutlass.Constexpr):
    atom = cute.make_composed_layout(cute.make_swizzle(bits, base, shift), 0, cute.make_layout((ROWS, 8), stride=(1, ROWS)))
    mma = cute.make_tiled_mma(cute.nvgpu.warp.MmaF16BF16Op(cutlass.Float16, cutlass.Float32, (16, 8, 16)))
    load(values, out, cute.tile_to_shape(atom, (ROWS, COLUMNS), (0, 1)), mma).launch(grid=[1, 1, 1], block=[32, 1, 1])


def loaded(bits, base, shift):
    """Loads the tile by Swizzle<bits, base, shift>, and sees that it is the tile."""
    values = torch.arange(ROWS * COLUMNS, dtype=torch.float32).remainder(2048).half().reshape(COLUMNS, ROWS).t().cuda()
    out = torch.empty(ROWS, COLUMNS, dtype=torch.half).cuda()
    launch(from_dlpack(values), from_dlpack(out), bits, base, shift)
    torch.cuda.synchronize()
    assert (out.cpu() == values.cpu()).all()
