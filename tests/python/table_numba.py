"""Rows: Numba, with its default options."""

import warplens  # noqa: F401, I001 - before numba.cuda
import math

import numpy
from numba import cuda, float32, guvectorize, int32, vectorize
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32
from table_rows import row, run

random = numpy.random.default_rng(0)


@cuda.jit
def matmul_kernel(a, b, c):
    left, right = cuda.shared.array((16, 16), float32), cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    i, j = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for step in range((a.shape[1] + 15) // 16):
        left[j, i] = a[y, i + step * 16] if y < a.shape[0] and i + step * 16 < a.shape[1] else 0
        right[j, i] = b[j + step * 16, x] if x < b.shape[1] and j + step * 16 < b.shape[0] else 0
        cuda.syncthreads()
        for k in range(16):
            total += left[j, k] * right[k, i]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


@row("matmul in shared tiles")
def matmul():
    a, b, c = random.random((37, 53), "f"), random.random((53, 41), "f"), numpy.zeros((37, 41), "f")
    matmul_kernel[(3, 3), (16, 16)](a, b, c)
    assert numpy.allclose(c, a @ b, rtol=1e-4)


@cuda.jit
def stencil_kernel(x, o):
    tile = cuda.shared.array(130, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    tile[t + 1] = x[i] if i < x.size else 0
    if t == 0:
        tile[0] = x[i - 1] if i > 0 else 0
    if t == 127:
        tile[129] = x[i + 1] if i + 1 < x.size else 0
    cuda.syncthreads()
    if 0 < i < x.size - 1:
        o[i] = (tile[t] + tile[t + 1] + tile[t + 2]) / 3


@row("a stencil with its halo in shared memory")
def stencil():
    x, o = random.random(1000, "f"), numpy.zeros(1000, "f")
    stencil_kernel[8, 128](x, o)
    assert numpy.allclose(o[1:-1], numpy.convolve(x, numpy.ones(3) / 3, "valid"), atol=1e-6)


@cuda.jit
def histogram_kernel(x, bins):
    own = cuda.shared.array(64, int32)
    t = cuda.threadIdx.x
    if t < 64:
        own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(own, x[i], 1)
    cuda.syncthreads()
    if t < 64:
        cuda.atomic.add(bins, t, own[t])


@row("a histogram by atomics in shared memory")
def histogram():
    x, bins = random.integers(0, 64, 5000).astype("i"), numpy.zeros(64, "i")
    histogram_kernel[4, 128](x, bins)
    assert (bins == numpy.bincount(x, minlength=64)).all()


@cuda.jit
def tree_kernel(x, sums):
    tile = cuda.shared.array(256, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    tile[t] = x[i] if i < x.size else 0
    step = cuda.blockDim.x // 2
    while step > 0:
        cuda.syncthreads()
        if t < step:
            tile[t] += tile[t + step]
        step //= 2
    if t == 0:
        sums[cuda.blockIdx.x] = tile[0]


@row("a reduction as a tree; `@cuda.reduce`")
def reduction():
    x, sums = random.random(2000, "f"), numpy.zeros(8, "f")
    tree_kernel[8, 256](x, sums)
    assert numpy.allclose(sums.sum(), x.sum(), rtol=1e-4)
    assert cuda.reduce(lambda a, b: a + b)(numpy.arange(1234.0)) == 1233 * 617


@cuda.jit
def atomics_kernel(x, out, words):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.max(out, 0, x[i])
        cuda.atomic.min(out, 1, x[i])
        cuda.atomic.add(out, 2, x[i])
        cuda.atomic.cas(words, 0, -1, i)
        cuda.atomic.exch(words, 1, i)


@row("atomics of f64: max, min, add; `cas`, `exch`")
def atomics():
    x, out, words = random.random(300), numpy.array([0, 9, 0.0]), numpy.full(2, -1)
    atomics_kernel[3, 128](x, out, words)
    assert out[0] == x.max() and out[1] == x.min() and abs(out[2] - x.sum()) < 1e-9 and (words >= 0).all()


@cuda.jit
def warp_kernel(x, o):
    v = x[cuda.threadIdx.x]
    for step in (16, 8, 4, 2, 1):
        v += cuda.shfl_down_sync(0xFFFFFFFF, v, step)
    if cuda.threadIdx.x == 0:
        o[0] = v
    votes = cuda.ballot_sync(0xFFFFFFFF, x[cuda.threadIdx.x] % 3 == 0)
    if cuda.threadIdx.x == 0:
        o[1] = cuda.popc(votes)


@row("shuffles, votes")
def warps():
    o = numpy.zeros(2, "i")
    warp_kernel[1, 32](numpy.arange(32, dtype="i"), o)
    assert o.tolist() == [496, 11]


@cuda.jit
def steps_kernel(rows):
    column, grid = cuda.grid(1), cuda.cg.this_grid()
    for number in range(1, rows.shape[0]):
        rows[number, column] = rows[number - 1, rows.shape[1] - 1 - column] + 1
        grid.sync()


@row("a grid that is synchronised")
def steps():
    rows = numpy.zeros((10, 256), "i")
    steps_kernel[4, 64](rows)
    assert (rows == numpy.arange(10)[:, None]).all()


@cuda.jit
def reversed_kernel(x):
    tile, t = cuda.shared.array(0, float32), cuda.threadIdx.x
    tile[t] = x[t]
    cuda.syncthreads()
    x[t] = tile[cuda.blockDim.x - 1 - t]


@row("dynamic shared memory, streams, events, pinned, mapped and managed memory")
def memory():
    stream, x = cuda.stream(), numpy.arange(96, dtype="f")
    there = cuda.to_device(x, stream=stream)
    begin, end = cuda.event(), cuda.event()
    begin.record(stream)
    reversed_kernel[1, 96, stream, 96 * 4](there)
    end.record(stream)
    stream.synchronize()
    assert (there.copy_to_host() == x[::-1]).all() and cuda.event_elapsed_time(begin, end) >= 0
    for make in (cuda.mapped_array, cuda.managed_array):
        own = make(96, dtype="f")
        own[:] = x
        reversed_kernel[1, 96, 0, 96 * 4](own)
        cuda.synchronize()
        assert (own == x[::-1]).all()
    assert cuda.pinned_array(9).size == 9


TABLE = numpy.arange(16, dtype="f")


@cuda.jit
def places_kernel(o):
    own, constant, i = cuda.local.array(8, float32), cuda.const.array_like(TABLE), cuda.grid(1)
    for k in range(8):
        own[k] = i * k
    total = constant[i % 16]
    for k in range(8):
        total += own[(k * 3 + i) % 8]
    o[i] = total


@row("local and constant arrays")
def places():
    o = numpy.zeros(64, "f")
    places_kernel[1, 64](o)
    assert (o == numpy.arange(64) * 28 + numpy.arange(64) % 16).all()


@cuda.jit(device=True, inline="always")
def squared(a):
    return a * a + 1


@cuda.jit
def records_kernel(x, halves, numbers, o):
    i = cuda.grid(1)
    o[i] = squared(x[i]["a"]) + x[i]["b"]
    halves[i] = halves[i] * halves[i]
    numbers[i] = numbers[i] * numbers[i] + 1j


@row("records, device functions, half precision, complex numbers")
def records():
    x, o = numpy.zeros(32, numpy.dtype([("a", "f4"), ("b", "i4")])), numpy.zeros(32, "f")
    x["a"], x["b"], halves, numbers = numpy.arange(32), 7, numpy.arange(32).astype("e"), (numpy.arange(32) * (1 + 2j)).astype("F")
    squares, powers = halves * halves, numbers * numbers + 1j
    records_kernel[1, 32](x, halves, numbers, o)
    assert (o == numpy.arange(32) ** 2 + 8).all() and (halves == squares).all() and numpy.allclose(numbers, powers)


@cuda.jit
def random_kernel(states, o):
    i = cuda.grid(1)
    o[i] = xoroshiro128p_uniform_float32(states, i)


@row("random numbers (xoroshiro128+)")
def draws():
    o = numpy.zeros(256, "f")
    random_kernel[2, 128](create_xoroshiro128p_states(256, 1), o)
    assert 0.4 < o.mean() < 0.6 and len(set(o)) > 250


@row("`@vectorize`, `@guvectorize`")
def vectorized():
    @vectorize(["float32(float32,float32)"], target="cuda")
    def sines(a, b):
        return math.sin(a) * b

    x = numpy.linspace(0, 3, 1000, dtype="f")
    assert numpy.allclose(sines(x, x), numpy.sin(x) * x, atol=1e-6)

    @guvectorize(["void(float32[:,:],float32[:,:],float32[:,:])"], "(m,n),(n,p)->(m,p)", target="cuda")
    def products(a, b, c):
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                total = float32(0)
                for k in range(a.shape[1]):
                    total += a[i, k] * b[k, j]
                c[i, j] = total

    a, b = random.random((7, 4, 5), "f"), random.random((7, 5, 3), "f")
    assert numpy.allclose(products(a, b), a @ b, rtol=1e-4)


@row("exceptions in kernels (`debug=True`), `print`")
def exceptions():
    @cuda.jit(debug=True, opt=False)
    def raising(x):
        if cuda.grid(1) == 5:
            raise ValueError("no")
        x[cuda.grid(1)] = 1

    @cuda.jit
    def printing(x):
        print(cuda.threadIdx.x, x[cuda.threadIdx.x])

    printing[1, 2](numpy.arange(2, dtype="f"))
    try:
        raising[1, 32](numpy.zeros(32, "f"))
    except ValueError:
        return
    raise AssertionError("it raised nothing")


@row("lines of Python, with default options")
def lines():
    with warplens.profile() as made:
        histogram()
    assert {line.text.strip()[:11] for line in made.lines() if line.wavefronts} >= {"cuda.atomic"}, made.lines()


if __name__ == "__main__":
    run()
