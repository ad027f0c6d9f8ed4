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
