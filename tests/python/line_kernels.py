"""Kernels of many kinds, to compare where their lines are said to be: tests/python/lines."""

import os

import numpy
import triton
import triton.language as tl
from triton_kernels import Array, add, described, locked


@triton.jit
def softmax_kernel(x, o, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + i, mask=i < columns, other=-float("inf"))
    shifted = values - tl.max(values, axis=0)
    powers = tl.exp(shifted)
    tl.store(o + row * columns + i, powers / tl.sum(powers, axis=0), mask=i < columns)


@triton.jit
def matmul_kernel(a, b, c, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, N, BK):
        left = tl.load(a + rows[:, None] * N + (start + k)[None, :])
        right = tl.load(b + (start + k)[:, None] * N + columns[None, :])
        sums += tl.dot(left, right)
    tl.store(c + rows[:, None] * N + columns[None, :], sums)


@triton.jit
def attention_kernel(q, k, v, o, T, D: tl.constexpr, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d = tl.arange(0, D)
    query = tl.load(q + rows[:, None] * D + d[None, :])
    most = tl.full((BLOCK,), -float("inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    sums = tl.zeros((BLOCK, D), tl.float32)
    for start in range(0, T, BLOCK):
        columns = start + tl.arange(0, BLOCK)
        key = tl.load(k + columns[None, :] * D + d[:, None])
        scores = tl.dot(query, key)
        scores = tl.where(rows[:, None] >= columns[None, :], scores, -1e9)
        larger = tl.maximum(most, tl.max(scores, axis=1))
        weights = tl.exp(scores - larger[:, None])
        scale = tl.exp(most - larger)
        total = total * scale + tl.sum(weights, axis=1)
        value = tl.load(v + columns[:, None] * D + d[None, :])
        sums = sums * scale[:, None] + tl.dot(weights.to(tl.float16), value)
        most = larger
    tl.store(o + rows[:, None] * D + d[None, :], sums / total[:, None])


@triton.jit
def scan_kernel(x, o, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    values = tl.load(x + i)
    tl.store(o + i, tl.cumsum(values, axis=0))
    tl.store(o + BLOCK + i, tl.sort(values))
    tl.store(o + 2 * BLOCK + i, tl.flip(values))


@triton.jit
def squashed(values):
    return tl.sigmoid(values) * tl.erf(values)


@triton.jit
def math_kernel(x, index, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.load(index + i, mask=i < n, other=0)
    values = tl.load(x + at, mask=i < n)
    tl.store(o + i, squashed(tl.sin(values)), mask=i < n)
    tl.atomic_add(o + at % 8, values, mask=i < n)


def half(*shape):
    return Array16(numpy.linspace(-1, 1, int(numpy.prod(shape))).astype(numpy.float16).reshape(shape))


class Array16(Array):
    """Of halves, whose type Triton asks for by another name."""

    def __init__(self, values):
        super().__init__(values.view(numpy.int32))
        self.dtype = "float16"


def single(*shape):
    return Array(numpy.linspace(-1, 1, int(numpy.prod(shape))).astype(numpy.float32).reshape(shape))


def run():
    """Launches each."""
    add()
    locked()
    described()
    softmax_kernel[(4,)](single(4, 1000), single(4, 1000), 1000, BLOCK=1024)
    matmul_kernel[(2, 2)](half(128, 128), half(128, 128), single(128, 128), 128, BM=64, BN=64, BK=32)
    attention_kernel[(2,)](half(128, 64), half(128, 64), half(128, 64), single(128, 64), 128, D=64, BLOCK=64)
    scan_kernel[(1,)](single(512), single(1536), BLOCK=512)
    math_kernel[(4,)](single(1000), Array(numpy.arange(1000, dtype=numpy.int32)[::-1].copy()), single(1000), 1000, BLOCK=256)


def take_every_loc():
    """So that the .loc that LLVM puts into inline assembly counts as it stands, as it does for ptxas."""
    from triton.compiler.compiler import CompiledKernel

    original = CompiledKernel.__init__

    def init(self, *args, **kwargs):
        original(self, *args, **kwargs)
        self.kernel = self.kernel.replace(b"inline asm", b"assembly")

    CompiledKernel.__init__ = init


if __name__ == "__main__":
    if os.environ.get("EVERY_LOC"):
        take_every_loc()
    run()
