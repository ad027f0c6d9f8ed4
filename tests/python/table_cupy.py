"""Rows: CuPy."""

import warplens  # noqa: F401, I001 - before cupy
import cupy
import numpy
from table_rows import row, run

random = numpy.random.default_rng(0)


def same(there, here, **tolerance):
    assert numpy.allclose(cupy.asnumpy(there), here, **tolerance)


@row("RawKernel, RawModule: templates, constants, globals")
def raw():
    module = cupy.RawModule(code="template<typename T, int N> __global__ void scale(T *x, int n) { int i = threadIdx.x; if (i < n) x[i] *= N; }",
                            options=("-std=c++17",), name_expressions=["scale<float,3>", "scale<double,5>"])
    for name, kind, by in (("scale<float,3>", "f", 3), ("scale<double,5>", "d", 5)):
        x = cupy.arange(100, dtype=kind)
        module.get_function(name)((1,), (128,), (x, numpy.int32(100)))
        same(x, numpy.arange(100) * by)
    module = cupy.RawModule(code='extern "C" { __constant__ float c[4]; __device__ int count; __global__ void use(float *o) {'
                                 " o[threadIdx.x] = c[threadIdx.x % 4]; atomicAdd(&count, 1); } }")
    cupy.ndarray((4,), "f", module.get_global("c"))[...] = cupy.array([1, 2, 3, 4], "f")
    o = cupy.zeros(32, "f")
    module.get_function("use")((1,), (32,), (o,))
    same(o, numpy.tile([1, 2, 3, 4], 8))
    assert cupy.ndarray((1,), "i", module.get_global("count"))[0] == 32


@row("a RawKernel over a grid that is synchronised")
def cooperative():
    kernel = cupy.RawKernel("""#include <cooperative_groups.h>
        extern "C" __global__ void sum(int *x, int *s) { auto grid = cooperative_groups::this_grid(); int i = grid.thread_rank(); x[i] = i;
        grid.sync(); if (i == 0) { int t = 0; for (int j = 0; j < grid.size(); j++) t += x[j]; *s = t; } }""", "sum", enable_cooperative_groups=True)
    x, s = cupy.zeros(256, "i"), cupy.zeros(1, "i")
    kernel((4,), (64,), (x, s))
    assert s[0] == 256 * 255 // 2


@row("ElementwiseKernel (types left open, raw arguments), `fuse`")
def elementwise():
    a = random.random((30, 7)).astype("f")
    same(cupy.ElementwiseKernel("T x, T y", "T z", "z = x * x + y", "square")(cupy.asarray(a), cupy.asarray(a)), a * a + a)
    rolled = cupy.ElementwiseKernel("raw float32 x, int32 n", "float32 z", "z = x[(i + 1) % n]", "roll")
    view = cupy.asarray(a)[::2]
    same(rolled(view, view.size, size=view.size), numpy.roll(a[::2].ravel(), -1))

    @cupy.fuse()
    def fused(x, y):
        return cupy.sum(cupy.sqrt(x * x + y * y) + cupy.exp(-x))

    same(fused(cupy.asarray(a), cupy.asarray(a)), (numpy.sqrt(2 * a * a) + numpy.exp(-a)).sum(), rtol=1e-4)


@row("ReductionKernel, `sum`, `max`, `argmax`, `std`, `cumsum`")
def reductions():
    a = random.random((37, 53))
    there = cupy.asarray(a)
    same(cupy.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "length_of")(there, axis=1), numpy.linalg.norm(a, axis=1))
    for name in ("sum", "max", "argmax", "std", "cumsum"):
        for axis in (None, 0, 1):
            same(getattr(there, name)(axis=axis), getattr(a, name)(axis=axis))


@row("boolean and fancy indices, `where`, transposed copies, broadcasting")
def indices():
    a = random.random((40, 30))
    there = cupy.asarray(a)
    same(there[there > 0.5], a[a > 0.5])
    same(there[cupy.asarray([3, 1]), :], a[[3, 1], :])
    same(cupy.where(there > 0.5, there, -there), numpy.where(a > 0.5, a, -a))
    same(cupy.ascontiguousarray(there.T), a.T)
    same(there + there[0], a + a[0])


@row("`histogram`, `bincount`")
def histograms():
    a = random.integers(0, 10, 1000)
    same(cupy.histogram(cupy.asarray(a), 10)[0], numpy.histogram(a, 10)[0])
    same(cupy.bincount(cupy.asarray(a)), numpy.bincount(a))


@row("`sort`, `argsort`, `unique` (CUB, from its machine code)")
def sorting():
    a = random.random(500)
    same(cupy.sort(cupy.asarray(a)), numpy.sort(a))
    same(cupy.argsort(cupy.asarray(a)), numpy.argsort(a))
    same(cupy.unique(cupy.asarray(a)), numpy.unique(a))


@row("`cupyx.jit`: shared memory, atomics")
def compiled():
    from cupyx import jit

    @jit.rawkernel()
    def kernel(x, y, n):
        t = jit.threadIdx.x
        tile = jit.shared_memory(cupy.float32, 128)
        tile[t] = x[t]
        jit.syncthreads()
        y[t] = tile[cupy.uint32(n) - cupy.uint32(1) - t]
        jit.atomic_add(y, 0, cupy.float32(1))

    x, y = cupy.arange(128, dtype="f"), cupy.zeros(128, "f")
    kernel((1,), (128,), (x, y, 128))
    assert y[1] == 126


@row("streams, events, graphs, pinned and managed memory, DLPack")
def streams():
    import cupyx

    stream, x = cupy.cuda.Stream(), cupy.zeros(100, "f")
    with stream:
        stream.begin_capture()
        x += 1
        graph = stream.end_capture()
        for _ in range(3):
            graph.launch()
        stream.record()
    stream.synchronize()
    pinned = cupyx.empty_pinned((100,), "f")
    pinned[:] = 3
    managed = cupy.ndarray((100,), "f", cupy.cuda.malloc_managed(400))
    managed[:] = cupy.asarray(pinned)
    assert (x == 3).all() and (cupy.from_dlpack(managed) == 3).all()


@row("products and solvers (cuBLAS, cuSOLVER): on the host, not counted")
def algebra():
    a = random.random((20, 20)) + 20 * numpy.eye(20)
    there = cupy.asarray(a)
    same(there @ there, a @ a)
    same(there.astype("f") @ there.astype("f"), a @ a, rtol=1e-4)
    same(cupy.linalg.solve(there, there[0]), numpy.linalg.solve(a, a[0]))
    same(cupy.linalg.svd(there, compute_uv=False), numpy.linalg.svd(a, compute_uv=False))
    same(cupy.linalg.cholesky(there @ there.T), numpy.linalg.cholesky(a @ a.T))
    same(cupy.einsum("ij,jk->ik", there, there), a @ a)


@row("transforms (cuFFT): on the host, not counted")
def transforms():
    a = random.random((8, 16))
    for name in ("fft", "rfft", "fft2", "ifft"):
        same(getattr(cupy.fft, name)(cupy.asarray(a)), getattr(numpy.fft, name)(a))


@row("random numbers (cuRAND on the host; `default_rng`, kernels of CuPy's)")
def draws():
    assert 0.4 < cupy.random.RandomState(1).rand(1000).mean() < 0.6
    drawn = cupy.random.default_rng(1).standard_normal(2000)
    assert abs(drawn.mean()) < 0.1 and 0.9 < drawn.std() < 1.1


@row("sparse matrices (cuSPARSE on the host)")
def sparse():
    import cupyx.scipy.sparse

    a = random.random((30, 20)) * (random.random((30, 20)) > 0.7)
    there = cupyx.scipy.sparse.csr_matrix(cupy.asarray(a))
    same(there @ cupy.arange(20.0), a @ numpy.arange(20.0))
    same((there @ there.T).toarray(), a @ a.T)


@row("NVTX ranges name launches")
def ranges():
    with warplens.profile() as made:
        cupy.cuda.nvtx.RangePush("forward")
        cupy.arange(9) + 1
        cupy.cuda.nvtx.RangePop()
    assert {launch.get("range") for launch in made.document["launches"]} == {"forward"}


if __name__ == "__main__":
    run()
