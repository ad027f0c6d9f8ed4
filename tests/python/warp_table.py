"""More of Warp: tiles, and gradients."""

import numpy
import warp
import warp_kernels  # noqa: F401 - imports warplens


@warp.kernel
def sums_kernel(values: warp.array2d(dtype=float), out: warp.array(dtype=float)):
    i = warp.tid()
    warp.tile_store(out, warp.tile_sum(warp.tile_load(values[i], shape=64)), offset=i)


def tiles():
    values = numpy.arange(8 * 64, dtype=numpy.float32).reshape(8, 64)
    out = warp.zeros(8, dtype=float, device="cuda")
    warp.launch_tiled(sums_kernel, dim=[8], inputs=[warp.array(values, device="cuda"), out], block_dim=64, device="cuda")
    assert numpy.allclose(out.numpy(), values.sum(1))


@warp.kernel
def cubes_kernel(x: warp.array(dtype=float), out: warp.array(dtype=float)):
    i = warp.tid()
    warp.atomic_add(out, 0, x[i] * x[i] * x[i])


def gradients():
    x = warp.array(numpy.arange(9, dtype=numpy.float32), device="cuda", requires_grad=True)
    out = warp.zeros(1, dtype=float, device="cuda", requires_grad=True)
    with warp.Tape() as tape:
        warp.launch(cubes_kernel, dim=9, inputs=[x, out], device="cuda")
    tape.backward(out)
    assert numpy.allclose(x.grad.numpy(), 3 * numpy.arange(9) ** 2)
