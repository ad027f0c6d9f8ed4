"""Kernels of other packages, where these are installed (python -m pip install triton numba-cuda cupy-cuda13x numpy): results, and the
lines that conflicts are at. Tried with Triton 3.9.0, Numba 0.68.1 with numba-cuda 0.30.4, CuPy 14.2.0. Skipped tests are counted."""

import importlib.util
import os
import pathlib
import unittest

import warplens

HERE = pathlib.Path(__file__).parent


def there(*packages):
    missing = [name for name in packages if not importlib.util.find_spec(name)]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def line_of(path, text):
    """The number of the one line that has the text."""
    found = [number for number, line in enumerate(path.read_text().splitlines(), 1) if text in line]
    assert len(found) == 1, found
    return found[0]


class Tools(unittest.TestCase):
    def expect_lines(self, made, path, texts):
        """The kernels' accesses are at the lines of `path` that have these texts, and at no other."""
        here = {line.line for line in made.lines() if line.file and os.path.basename(line.file) == path.name}
        self.assertEqual(here, {line_of(path, text) for text in texts})

    @there("triton", "numpy")
    def test_triton(self):
        import triton_kernels

        with warplens.profile() as made:
            triton_kernels.add()
            triton_kernels.locked()
            triton_kernels.described()
        self.assertEqual(len(made), 3)
        self.expect_lines(made, HERE / "triton_kernels.py", ["a = tl.load(x", "b = tl.load(y", "tl.store(o + i", "tl.atomic_max(",
                                                             "tl.atomic_cas(", "tl.store(count", "tl.atomic_xchg(",
                                                             "= tl.make_tensor_descriptor(x", "= tl.make_tensor_descriptor(o",
                                                             "tile = source.load(", "target.store("])

    @there("numba", "numba_cuda", "numpy")
    def test_numba(self):
        import numba_kernels

        with warplens.profile() as made:
            numba_kernels.transpose()
            numba_kernels.total()
        worst = max(made.lines(), key=lambda line: line.n_way)
        self.assertEqual((worst.n_way, worst.line), (32, line_of(HERE / "numba_kernels.py", "tile[x, y]")))
        self.assertEqual(worst.kernel, "transpose_kernel")
        (fix,) = made.fix(kernel="transpose_kernel")
        self.assertEqual((fix.wavefronts, fix.best.wavefronts), (1056, 64))
        self.assertIn("In Numba", fix.how)
        with warplens.profile(layouts=made.fix()) as proof:
            numba_kernels.transpose()
        self.assertEqual(max(line.n_way for line in proof.lines()), 1)

    @there("cupy", "numpy")
    def test_cupy(self):
        import cupy

        kernel = cupy.RawKernel("""extern "C" __global__ void turn(const float *in, float *out) {
            __shared__ float tile[32][32];
            tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
            __syncthreads();
            out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
        }""", "turn")
        with warplens.profile() as made:
            values = cupy.arange(1024, dtype=cupy.float32).reshape(32, 32)
            out = cupy.zeros_like(values)
            cupy.cuda.nvtx.RangePush("forward")
            kernel((1,), (32, 32), (values, out))
            cupy.cuda.nvtx.RangePop()
            self.assertTrue((cupy.asnumpy(out) == cupy.asnumpy(values).T).all())
        self.assertEqual(max(line.n_way for line in made.lines() if line.kernel == "turn"), 32)
        named = [launch.get("range") for launch in made.document["launches"]]
        self.assertEqual([name for name in named if name], ["forward"])  # in NVTX's range, launched between its two calls


if __name__ == "__main__":
    unittest.main()
