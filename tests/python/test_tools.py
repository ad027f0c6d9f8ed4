"""Kernels of other packages, where these are installed (python -m pip install triton numba-cuda cupy-cuda13x numpy): results, and the
lines that conflicts are at. Tried with Triton 3.9.0, Numba 0.68.1 with numba-cuda 0.30.4, CuPy 14.2.0, nvidia-cutlass-dsl 4.8.1, warp-lang 1.19.0, TileLang 0.1.15, PyCUDA 2026.1. Skipped tests are counted."""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import warplens

HERE = pathlib.Path(__file__).parent


def is_there(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # the package that it is in is not
        return False


def there(*packages):
    missing = [name for name in packages if not is_there(name)]
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

    @there("triton", "numpy")
    def test_triton_as_machine_code(self):
        """Under `warplens run`, which knows nothing of Triton: its cubin, by Triton's own ptxas, on the lines of its two tables."""
        import triton

        tools = pathlib.Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([warplens.program(), "run", "--page=none", f"--output={folder}/add.wlp", sys.executable, "-B", "-c",
                                  "import line_kernels; line_kernels.add()"], capture_output=True, text=True, cwd=HERE,
                                 env=os.environ | {"WARPLENS_MACHINE_CODE": "on", "TRITON_CACHE_DIR": folder,
                                                   "WARPLENS_PTXAS": str(tools / "ptxas-blackwell"), "WARPLENS_NVDISASM": str(tools / "nvdisasm")})
            self.assertEqual(ran.returncode, 0, ran.stderr)
            made = warplens.load(f"{folder}/add.wlp")
            if "this ptxas reads PTX up to" in ran.stderr or "there is no ptxas" in ran.stderr:
                self.skipTest("Triton's own ptxas does not read its PTX")
            self.assertEqual([kernel["machine_code"] for kernel in made.document["kernels"]], [True], ran.stderr)
            self.expect_lines(made, HERE / "triton_kernels.py", ["a = tl.load(x", "b = tl.load(y", "tl.store(o + i", "tl.atomic_max("])

    @there("triton", "numpy")
    def test_a_file_that_was_moved(self):
        """Triton's cache knows a kernel by its text: the lines are of the file that it is in now all the same."""
        with tempfile.TemporaryDirectory() as cache:
            for _ in range(2):
                with tempfile.TemporaryDirectory() as folder:
                    shutil.copy(HERE / "triton_kernels.py", folder)
                    ran = subprocess.run([sys.executable, "-B", "-c", "import warplens, triton_kernels\n"
                                          "with warplens.profile() as p: triton_kernels.add()\nprint(*{line.file for line in p.lines()})"],
                                         capture_output=True, text=True, cwd=folder, env=os.environ | {"XDG_CACHE_HOME": cache})
                    self.assertEqual(ran.stdout.strip(), f"{folder}/triton_kernels.py", ran.stderr)

    @there("triton", "numpy")
    def test_tune(self):
        import triton
        import triton_kernels

        arguments = triton_kernels.strided()
        configs = [triton.Config({"STRIDE": 8, "BLOCK": 128}), {"STRIDE": 1, "BLOCK": 128, "num_warps": 1}, {"STRIDE": 1, "BLOCK": 100}]
        ranking = warplens.tune(triton_kernels.strided_kernel, configs, key="sectors")[lambda meta: (4096 // meta["BLOCK"],)](*arguments)
        self.assertIs(ranking.best, configs[1])
        self.assertEqual([trial.counts and (trial.counts.sectors, trial.counts.sectors_ideal) for trial in ranking],
                         [(1024, 1024), (4608, 1024), None])  # a read of 4,096 floats, one in each sector where the stride is 8; a write
        self.assertIn("power of 2", ranking[-1].error)
        self.assertEqual(ranking[0].profile.lines()[0].kernel, "strided_kernel")
        backwards = warplens.tune(triton_kernels.strided_kernel, configs, key=lambda counts: -counts.sectors)[(32,)](*arguments)
        self.assertIs(backwards.best, configs[0])
        self.assertRaisesRegex(ValueError, "expected one of cycles, wavefronts", warplens.tune, triton_kernels.strided_kernel, configs, key="x")
        self.assertRaisesRegex(ValueError, "no configuration", warplens.tune, triton_kernels.strided_kernel)
        self.assertRaisesRegex(TypeError, "triton.Config or a dict", warplens.tune, triton_kernels.strided_kernel, [7])
        none = warplens.tune(triton_kernels.strided_kernel, configs[2:])[(32,)](*arguments)
        self.assertRaisesRegex(warplens.WarplensError, "no configuration ran", lambda: none.best)
        faulting = subprocess.run(  # in a process of its own, which loses its device
            [sys.executable, "-B", "-c", "import warplens, triton_kernels\n"
             "warplens.tune(triton_kernels.strided_kernel, [{'STRIDE': 1 << 20, 'BLOCK': 128}])[(32,)](*triton_kernels.strided())"],
            capture_output=True, text=True, cwd=HERE)
        self.assertIn("'STRIDE': 1048576, 'BLOCK': 128}: out-of-bounds read", faulting.stderr)

    @there("triton", "numpy")
    def test_benchmarks(self):
        import triton
        import triton.testing
        import triton_kernels

        arguments = triton_kernels.strided()
        slow, fast = (triton.testing.do_bench(lambda: triton_kernels.strided_kernel[(32,)](*arguments, STRIDE=stride, BLOCK=128))
                      for stride in (8, 1))
        self.assertGreater(slow, fast)
        self.assertIn("ms at least, by counts", str(fast))
        self.assertAlmostEqual(fast, fast.counts.cycles / 1.98e6)  # of an H100, at 1,980 MHz
        self.assertEqual(f"{fast:.6f}", format(float(fast), ".6f"))
        self.assertNotEqual(triton.testing.do_bench(lambda: None), triton.testing.do_bench(lambda: None))  # not a number
        tuned = triton.autotune([triton.Config({"STRIDE": stride, "BLOCK": 128}) for stride in (8, 1, 4)], key=["n"])(
            triton_kernels.strided_kernel)
        with warplens.profile() as made:
            tuned[(32,)](*arguments)
        self.assertEqual(tuned.best_config.kwargs["STRIDE"], 1)
        self.assertEqual(len(made), 1)  # and none of those that were tried

    @there("triton", "numba", "numba_cuda", "numpy")
    def test_nothing_is_left(self):
        """The user's caches, named by variables or not, and the folder of a kernel that asks to be cached have nothing of it."""
        with tempfile.TemporaryDirectory() as name:
            home, given, script = (pathlib.Path(name) / part for part in ("home", "given", "script"))
            for folder in (home, given, script):
                folder.mkdir()
            (script / "cached.py").write_text("import warplens\nfrom numba import cuda\nimport numpy, triton_kernels\n"
                                              "@cuda.jit(cache=True)\ndef one(x): x[cuda.threadIdx.x] = 1\n"
                                              "x = numpy.zeros(32, 'f')\none[1, 32](x)\nassert x.all()\ntriton_kernels.add()\n")
            for more in ({}, {"TRITON_CACHE_DIR": str(given), "NUMBA_CACHE_DIR": str(given)}):
                ran = subprocess.run([sys.executable, "-B", "cached.py"], capture_output=True, text=True, cwd=script,
                                     env=os.environ | {"HOME": str(home), "XDG_CACHE_HOME": "", "PYTHONPATH": f"{os.environ.get('PYTHONPATH', '')}:{HERE}"} | more)
                self.assertEqual(ran.returncode, 0, ran.stderr)
            made = {str(file.relative_to(name)) for file in pathlib.Path(name).rglob("*") if file.is_file()} - {"script/cached.py"}
            self.assertTrue(any("triton" in file for file in made) and any(file.endswith(".nbi") for file in made), made)
            self.assertEqual({file for file in made if not file.startswith("home/.cache/warplens/")}, set())

    def test_nothing_is_left_by_others(self):
        """Below a new home there is warplens' folder alone: neither files nor folders of the tools' own caches."""
        scripts = {("cupy",): "import cupy; assert (cupy.arange(9) * 2).sum() == 72",
                   ("cutlass", "torch"): "import cute_kernels; cute_kernels.transpose()",
                   ("warp",): "import warp_kernels; warp_kernels.strided()",
                   ("tilelang", "torch"): "import tile_kernels; tile_kernels.turn()",
                   ("cuda.tile", "torch"): "import cutile_kernels; cutile_kernels.add()",
                   ("pycuda",): "import pycuda_kernels; pycuda_kernels.turn(); pycuda_kernels.add()",
                   ("triton", "torch"): "import torch; x = torch.ones(9, device='cuda'); assert torch.compile(lambda x: x.sin() + x)(x)[0] > 1.8"}
        run = 0
        for packages, script in scripts.items():
            if not all(map(is_there, packages)) or (packages[0] in ("tilelang", "pycuda") and not shutil.which("nvcc")):
                continue
            run += 1
            with self.subTest(packages[0]), tempfile.TemporaryDirectory() as home:
                environment = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
                ran = subprocess.run([sys.executable, "-B", "-c", f"import warplens; {script}"], capture_output=True, text=True, cwd=HERE,
                                     env=environment | {"HOME": home, "WARPLENS_GPU": "b200" if packages[0] == "cuda.tile" else "h100"})
                self.assertEqual(ran.returncode, 0, ran.stderr)
                own = pathlib.Path(home) / ".cache" / "warplens"
                made = {path for path in pathlib.Path(home).rglob("*") if path not in own.parents and own not in (path, *path.parents)}
                self.assertEqual(made, set())
        if not run:
            self.skipTest("no tool with a cache of its own is installed")

    @there("cuda.tile", "torch")
    def test_cutile(self):
        ran = subprocess.run([sys.executable, "-B", "-c", "import warplens, cutile_kernels\n"
                              "with warplens.profile() as p: cutile_kernels.add()\n"
                              "print(*(f'{line.text.strip()}: {line.sectors}' for line in p.lines()), sep='\\n')"],
                             capture_output=True, text=True, cwd=HERE, env=os.environ | {"WARPLENS_GPU": "b200"})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(set(ran.stdout.splitlines()), {f"{text}: 128" for text in (
            "x = cuda.tile.load(a, index=(i,), shape=(size,))", "y = cuda.tile.load(b, index=(i,), shape=(size,))",
            "cuda.tile.store(out, index=(i,), tile=x + y)")})

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

    @there("numba", "numba_cuda", "numpy")
    def test_numba_linked(self):
        import numba_kernels

        with warplens.profile() as made:
            numba_kernels.squared()
            numba_kernels.steps()
        kernels = {line.kernel for line in made.lines() if line.file and line.file.endswith("numba_kernels.py")}
        self.assertEqual(kernels, {"squared_kernel", "steps_kernel"})

    @there("cuda.bindings.nvjitlink", "cuda.core", "nvidia")
    def test_compiled_and_linked_at_run_time(self):
        ran = subprocess.run([sys.executable, "-B", "cuda_programs.py"], capture_output=True, text=True, cwd=HERE)
        if "ERROR_PTX_COMPILE" in ran.stderr:
            self.skipTest("the NVRTC that is found is newer than nvJitLink")
        lines = ran.stdout.splitlines()
        for kind in ("code", "ptx", "lto"):
            self.assertIn(f"turn_{kind} 5 32.0 out[threadIdx.x] = tile[threadIdx.x][0];", lines, ran.stderr)

    @there("warp", "numpy")
    def test_warp(self):
        import warp_kernels

        with warplens.profile() as made:
            warp_kernels.strided()
        self.expect_lines(made, HERE / "warp_kernels.py", ["def strided_kernel", "out[i] ="])
        worst = made.lines()[0]
        self.assertEqual((worst.text.strip(), worst.sectors, worst.sectors_ideal), ("out[i] = 2.0 * values[i * stride]", 1152, 256))

    @there("tilelang", "torch")
    def test_tilelang(self):
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc")
        import tile_kernels

        with warplens.profile() as made:
            tile_kernels.turn()
        worst = made.lines()[0]
        self.assertEqual((worst.kernel, worst.sectors, worst.sectors_ideal), ("main_kernel", 32 * (32 + 4), 32 * (4 + 4)))
        self.assertEqual(worst.text.strip(), "target[x, y] = source[y, x]")
        self.expect_lines(made, HERE / "tile_kernels.py", ["target[x, y] ="])

    @there("pycuda")
    def test_pycuda(self):
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc")
        import pycuda_kernels

        with warplens.profile() as made:
            pycuda_kernels.turn()
            pycuda_kernels.add()
        worst = max(made.lines(), key=lambda line: line.n_way)
        self.assertEqual((worst.n_way, worst.text.strip()), (32, "out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];"))
        self.assertIn("axpb", {line.kernel for line in made.lines() if line.text})  # of gpuarray

    def test_extension(self):
        """A library with kernels and the CUDA runtime linked in, as nvcc links it: they are registered when it is loaded."""
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc")
        text = ("__global__ void column(float *out) {\n"
                "    __shared__ float tile[1024];\n"
                "    tile[threadIdx.x * 32] = threadIdx.x;\n"
                "    __syncthreads();\n"
                "    out[threadIdx.x] = tile[threadIdx.x * 32];\n"
                "}\n"
                'extern "C" int run(float *values) {\n'
                "    float *out;\n"
                "    cudaMalloc(&out, 128);\n"
                "    column<<<1, 32>>>(out);\n"
                "    int error = cudaGetLastError();\n"
                "    cudaMemcpy(values, out, 128, cudaMemcpyDeviceToHost);\n"
                "    return error;\n"
                "}\n")
        script = ("import ctypes, sys\n{}\nlibrary = ctypes.CDLL('./column.so')\n{}\nvalues = (ctypes.c_float * 32)()\n"
                  "with warplens.profile() as p: print(library.run(values), [*values] == [*range(32)])\n"
                  "print(*((line.line, line.wavefronts) for line in p.lines() if line.wavefronts))\n")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "column.cu").write_text(text)
            subprocess.run(["nvcc", "-lineinfo", "-shared", "-Xcompiler", "-fPIC", "-o", "column.so", "column.cu"], cwd=folder, check=True)
            for before, after, said, told in (("import warplens", "", "0 True\n(3, 32) (5, 32)\n", "^$"),
                                              ("", "import warplens", "400 False\n\n", "column.so: its kernels are not known: it was loaded before warplens")):
                ran = subprocess.run([sys.executable, "-B", "-c", script.format(before, after)], cwd=folder, capture_output=True, text=True)
                self.assertEqual(ran.stdout, said, ran.stderr)
                self.assertRegex(ran.stderr, told)

    def test_machine_code_without_ptx(self):
        """Of a library that has no PTX: its machine code is executed; refused, as by a GPU that has no code for it, where nvdisasm is not there."""
        if not shutil.which("nvcc"):
            self.skipTest("there is no nvcc")
        script = ("import ctypes, warplens\nlibrary = ctypes.CDLL('./fill.so')\nvalues = (ctypes.c_int * 32)()\n"
                  "with warplens.profile() as p: print(library.run(values), [*values] == [*range(32)], len(p))\n")
        text = ('__global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }\n'
                'extern "C" int run(int *values) {\n'
                '    int *out;\n    cudaMalloc(&out, 128);\n    fill<<<1, 32>>>(out);\n    int error = cudaGetLastError();\n'
                '    cudaMemcpy(values, out, 128, cudaMemcpyDeviceToHost);\n    return error;\n}\n')
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "fill.cu").write_text(text)
            subprocess.run(["nvcc", "-gencode", "arch=compute_90,code=sm_90", "-shared", "-Xcompiler", "-fPIC", "-o", "fill.so", "fill.cu"],
                           cwd=folder, check=True)
            for tool, said, told in ((None, "0 True", "^"), ("/none", "209 False", "fill.* is not executed: there is no PTX of it, .* nvdisasm")):
                if tool is None and not (os.environ.get("WARPLENS_NVDISASM") or shutil.which("nvdisasm")):
                    continue
                ran = subprocess.run([sys.executable, "-B", "-c", script], cwd=folder, capture_output=True, text=True,
                                     env=os.environ | ({"WARPLENS_NVDISASM": tool} if tool else {}))
                self.assertEqual(ran.stdout.rsplit(" ", 1)[0], said, ran.stderr)
                self.assertRegex(ran.stderr, told)

    @there("cutlass", "torch")
    def test_cute(self):
        import cute_kernels

        with warplens.profile() as made:
            cute_kernels.transpose()
        self.expect_lines(made, HERE / "cute_kernels.py", ["tile[x, y] =", "out[y, x] ="])
        worst = max(made.lines(), key=lambda line: line.n_way)
        self.assertEqual((worst.n_way, worst.text.strip()), (32, "out[y, x] = tile[y, x]"))
        self.assertIn("make_swizzle", made.fix()[0].how)

    @there("cutlass", "torch")
    def test_swizzles(self):
        import cute_swizzle

        for swizzle, wavefronts in (((0, 3, 3), 512), ((3, 3, 3), 128), ((3, 3, 4), 64)):
            with warplens.profile() as made:
                cute_swizzle.loaded(*swizzle)
            line = next(line for line in made.lines() if "cute.copy" in line.text)
            self.assertEqual((line.wavefronts, line.wavefronts_ideal), (wavefronts, 64))

    @there("cutlass", "torch")
    def test_copies(self):
        import cute_copies

        for depth, expected in ((32, (128, 64)), (64, (128, 128))):
            with warplens.profile() as made:
                cute_copies.copied(depth)
            line = next(line for line in made.lines() if "cute.copy" in line.text)
            self.assertEqual((line.wavefronts, line.wavefronts_ideal), expected)

    @unittest.skipUnless(os.environ.get("TENSOROP_GEMM"), "TENSOROP_GEMM does not name CUTLASS' examples/python/CuTeDSL/…/ampere/…/tensorop_gemm.py")
    def test_gemm_of_cutlass(self):
        """The table of docs/guide/cute-dsl.md: A is M-major, B is K-major, whose copies alone have conflicts."""
        with tempfile.TemporaryDirectory() as folder:
            ran = subprocess.run([sys.executable, "-W", "ignore", "-m", "warplens", "--page=none", f"--output={folder}/gemm.wlp",
                                  os.environ["TENSOROP_GEMM"], "--mnkl", "256,256,64,1", "--atom_layout_mnk", "2,2,1", "--ab_dtype", "Float16",
                                  "--c_dtype", "Float16", "--acc_dtype", "Float32", "--a_major", "m", "--b_major", "k", "--c_major", "n"],
                                 capture_output=True, text=True, cwd=folder)
            self.assertIn("PASS", ran.stdout, ran.stderr)
            made = warplens.load(f"{folder}/gemm.wlp")
        rows = [(line.wavefronts // line.launches, line.wavefronts_ideal // line.launches) for line in made.lines()
                if "cute.copy(" in line.text and line.wavefronts != line.wavefronts_ideal]
        self.assertEqual(sorted(rows), [(512, 256), (1024, 512)])

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
        self.assertEqual((values.max(1).get() == cupy.asnumpy(values).max(1)).sum(), 32)  # which CUB would do, without PTX
        worst = max((line for line in made.lines() if line.kernel == "turn"), key=lambda line: line.n_way)
        self.assertEqual((worst.n_way, worst.text.strip()), (32, "out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];"))
        try:
            self.assertTrue((cupy.sort(-values.ravel()).get() == -cupy.asnumpy(values).ravel()[::-1]).all())
        except RuntimeError as refused:  # as on a GPU that its machine code is not for; which library is said, too
            self.assertIn("no kernel image", str(refused))
        named = [launch.get("range") for launch in made.document["launches"]]
        self.assertEqual([name for name in named if name], ["forward"])  # in NVTX's range, launched between its two calls

    @there("cupy", "numpy")
    def test_cupys_libraries(self):
        """cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE: on the host, listed and not counted."""
        import cupy
        import cupyx.scipy.sparse
        import numpy

        values = numpy.arange(16.).reshape(4, 4) + 16 * numpy.eye(4)
        with warplens.profile() as made:
            there = cupy.asarray(values)
            self.assertTrue(numpy.allclose(cupy.fft.fft(there).get(), numpy.fft.fft(values)))
            self.assertTrue(numpy.allclose((cupyx.scipy.sparse.csr_matrix(there) @ there[0]).get(), values @ values[0]))
            drawn = cupy.random.RandomState(1).rand(1000)
            self.assertTrue(0.4 < float(drawn.get().mean()) < 0.6)
            try:
                self.assertTrue(numpy.allclose((there @ there).get(), values @ values))
                self.assertTrue(numpy.allclose(cupy.linalg.solve(there, there[0]).get(), numpy.linalg.solve(values, values[0])))
            except RuntimeError as refused:
                self.assertIn("NOT_INITIALIZED", str(refused))  # no BLAS, which a message says
        libraries = {call["function"][:5] for call in made.document["host_calls"]}
        self.assertTrue({"cufft", "curan", "cuspa"} <= libraries, libraries)


if __name__ == "__main__":
    unittest.main()
