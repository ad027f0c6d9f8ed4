"""A kernel of Warp, whose compilers are linked in; importing it imports warplens, which puts the driver there."""

import numpy
import warplens  # noqa: F401
import warp


@warp.kernel
def strided_kernel(values: warp.array(dtype=float), out: warp.array(dtype=float), stride: int):
    i = warp.tid()
    out[i] = 2.0 * values[i * stride]


def strided():
    values = warp.array(numpy.arange(8192, dtype=numpy.float32), device="cuda")
    out = warp.zeros(1024, dtype=float, device="cuda")
    warp.launch(strided_kernel, dim=1024, inputs=[values, out, 8], device="cuda")
    assert (out.numpy() == 2 * numpy.arange(0, 8192, 8)).all()
