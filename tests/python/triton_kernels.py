"""Kernels of Triton, on memory that the driver gives: no torch."""

import ctypes

import numpy
import triton
import triton.language as tl

cuda = ctypes.CDLL("libcuda.so.1")
TYPES = {"<f4": "float32", "<i4": "int32"}


class Array:
    """Device memory that NumPy sees, too: addresses are the host's."""

    def __init__(self, values):
        device, context, memory = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_void_p()
        for status in (cuda.cuInit(0), cuda.cuDeviceGet(ctypes.byref(device), 0),
                       cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device), cuda.cuCtxSetCurrent(context),
                       cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(values.nbytes))):
            assert status == 0, status
        self.dtype = TYPES[values.dtype.str]
        self.address = memory.value
        bytes_there = (ctypes.c_byte * values.nbytes).from_address(self.address)
        self.values = numpy.frombuffer(bytes_there, values.dtype).reshape(values.shape)
        self.values[...] = values

    def data_ptr(self):
        return self.address


@triton.jit
def add_kernel(x, y, o, most, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    tl.store(o + i, a + b, mask=i < n)
    tl.atomic_max(most + i % 8, a, mask=i < n)


@triton.jit
def locked_kernel(lock, count):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(count, tl.load(count) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def described_kernel(x, o, rows, columns, BLOCK: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [BLOCK, BLOCK])
    target = tl.make_tensor_descriptor(o, [rows, columns], [columns, 1], [BLOCK, BLOCK])
    tile = source.load([tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK])
    target.store([tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK], tile * 2)


def add():
    values = numpy.arange(5000, dtype=numpy.int32)
    x, y, o, most = Array(values), Array(values), Array(0 * values), Array(numpy.zeros(8, numpy.int32))
    add_kernel[(5,)](x, y, o, most, 5000, BLOCK=1024)
    assert (o.values == 2 * values).all() and (most.values == numpy.arange(4992, 5000)).all()


def locked():
    lock, count = Array(numpy.zeros(4, numpy.int32)), Array(numpy.zeros(4, numpy.int32))
    locked_kernel[(50,)](lock, count)
    assert count.values[0] == 50


def described():
    triton.set_allocator(lambda size, align, stream: Array(numpy.zeros(size // 4, numpy.int32)))
    values = numpy.arange(64 * 64, dtype=numpy.float32).reshape(64, 64)
    x, o = Array(values), Array(0 * values)
    described_kernel[(2, 2)](x, o, 64, 64, BLOCK=32)
    assert (o.values == 2 * values).all()


@triton.jit
def strided_kernel(x, o, n, STRIDE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    near = o + i
    tl.store(near, tl.load(x + i * STRIDE, mask=i < n), mask=i < n)


def strided():
    """Arguments of strided_kernel for strides up to 8."""
    return Array(numpy.arange(1 << 15, dtype=numpy.float32)), Array(numpy.zeros(1 << 12, numpy.float32)), 1 << 12
