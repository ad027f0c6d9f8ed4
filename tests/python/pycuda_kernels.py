"""A kernel of PyCUDA, which compiles with nvcc; importing it imports warplens, which puts the driver there."""

import numpy
import warplens  # noqa: F401, I001 - before pycuda
import pycuda.autoinit  # noqa: F401
import pycuda.driver
import pycuda.gpuarray
from pycuda.compiler import SourceModule

SOURCE = """
__global__ void turn(const float *in, float *out) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}"""


def turn():
    values = numpy.arange(1024, dtype=numpy.float32).reshape(32, 32)
    out = numpy.zeros_like(values)
    SourceModule(SOURCE).get_function("turn")(pycuda.driver.In(values), pycuda.driver.Out(out), block=(32, 32, 1), grid=(1, 1))
    assert (out == values.T).all()


def add():
    values = pycuda.gpuarray.to_gpu(numpy.arange(1000, dtype=numpy.float32))
    assert ((2 * values + 1).get() == 2 * numpy.arange(1000) + 1).all()
