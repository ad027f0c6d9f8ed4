"""Kernels of Numba with its default options."""

import numpy
from numba import cuda


@cuda.jit
def transpose_kernel(values, out):
    tile = cuda.shared.array((32, 32), dtype=numpy.float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    tile[y, x] = values[y, x]
    cuda.syncthreads()
    out[y, x] = tile[x, y]


@cuda.reduce
def sum_up(a, b):
    return a + b


def transpose():
    values = numpy.arange(1024, dtype=numpy.float32).reshape(32, 32)
    out = cuda.to_device(0 * values)
    transpose_kernel[1, (32, 32)](cuda.to_device(values), out)
    assert (out.copy_to_host() == values.T).all()


def total():
    assert sum_up(numpy.arange(1000, dtype=numpy.float64)) == 499500


@cuda.jit
def squared_kernel(values, out):
    out[cuda.grid(1)] = values[cuda.grid(1)] * values[cuda.grid(1)]


def squared():
    """In half precision, which Numba compiles with NVRTC and links."""
    values = numpy.arange(32).astype(numpy.float16)
    out = numpy.zeros_like(values)
    squared_kernel[1, 32](values, out)
    assert (out == values * values).all()


@cuda.jit
def steps_kernel(rows):
    column = cuda.grid(1)
    for row in range(1, rows.shape[0]):
        rows[row, column] = rows[row - 1, rows.shape[1] - 1 - column] + 1
        cuda.cg.this_grid().sync()


def steps():
    """Each block needs what another one did in the step before."""
    rows = numpy.zeros((10, 256), dtype=numpy.int32)
    steps_kernel[4, 64](rows)
    assert (rows == numpy.arange(10)[:, None]).all()
