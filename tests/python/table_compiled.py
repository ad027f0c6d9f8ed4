"""Rows: kernels that Triton compiles for a GPU that is not there, executed by `warplens kernel`."""

import warplens  # noqa: F401, I001
import pathlib
import subprocess
import tempfile

import line_kernels
import numpy
import triton
from table_rows import row, run
from triton.backends.compiler import GPUTarget

random = numpy.random.default_rng(0)
GPU = {80: "a100", 90: "h100", 100: "b200"}


def execute(kernel, arch, grid, arguments, constants, out):
    """What argument number `out` holds behind the launch. arguments: numpy arrays, and integers."""
    types = {"float16": "fp16", "float32": "fp32", "int32": "i32"}
    names = [name for name in kernel.arg_names if name not in constants]
    signature = {name: f"*{types[str(value.dtype)]}" if isinstance(value, numpy.ndarray) else "i32" for name, value in zip(names, arguments)}
    source = triton.compiler.ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants)
    compiled = triton.compile(source, target=GPUTarget("cuda", arch, 32))
    with tempfile.TemporaryDirectory() as name:
        folder, words = pathlib.Path(name), []
        (folder / "kernel.ptx").write_text(compiled.asm["ptx"])
        for number, value in enumerate(arguments):
            if isinstance(value, numpy.ndarray):
                numpy.save(folder / f"{number}.npy", value)
                words += ["--arg", f"{'f16' if value.dtype == numpy.float16 else 'f32'}[{value.size}]={folder}/{number}.npy"]
            else:
                words += ["--arg", f"i32={value}"]
        ran = subprocess.run([warplens.program(), "kernel", folder / "kernel.ptx", "--gpu", GPU[arch], "--grid", ",".join(map(str, grid)),
                              "--shared", str(compiled.metadata.shared), *words, "--arg", "u8[1]", "--arg", "u8[1]", "--no-save", "--page", "none",
                              "--dump", f"{out}={folder}/out.npy"], capture_output=True, text=True, check=False)
        if ran.returncode:
            raise RuntimeError(ran.stderr.partition("error: ")[2].partition("\n")[0])
        return numpy.load(folder / "out.npy").reshape(arguments[out].shape)


def add(arch):
    import table_triton

    x, y = random.random(1000, "f"), random.random(1000, "f")
    assert (execute(table_triton.vadd_kernel, arch, (8,), [x, y, 0 * x, 1000], {"BLOCK": 128}, 2) == x + y).all()


def softmax(arch):
    x = random.random((4, 1000), "f")
    made = execute(line_kernels.softmax_kernel, arch, (4,), [x, 0 * x, 1000], {"BLOCK": 1024}, 1)
    assert numpy.allclose(made, numpy.exp(x) / numpy.exp(x).sum(1, keepdims=True), atol=1e-7)


def matmul(arch):
    a, b = (random.standard_normal((128, 128)).astype("e") for _ in range(2))
    made = execute(line_kernels.matmul_kernel, arch, (2, 2), [a, b, numpy.zeros((128, 128), "f"), 128], {"BM": 64, "BN": 64, "BK": 32}, 2)
    assert numpy.allclose(made, a.astype("f") @ b.astype("f"), atol=1e-3)


def attention(arch):
    q, k, v = (random.standard_normal((128, 64)).astype("e") for _ in range(3))
    made = execute(line_kernels.attention_kernel, arch, (2,), [q, k, v, numpy.zeros((128, 64), "f"), 128], {"D": 64, "BLOCK": 64}, 3)
    scores = numpy.where(numpy.tri(128) > 0, q.astype("f") @ k.astype("f").T, -1e9)
    weights = numpy.exp(scores - scores.max(1, keepdims=True))
    assert numpy.allclose(made, weights / weights.sum(1, keepdims=True) @ v.astype("f"), atol=5e-3)


for each in GPU:
    for function in (add, softmax, matmul, attention):
        tensor = each == 100 and function in (matmul, attention)  # Blackwell's tensor cores, whose memory is not modelled
        row(f"{function.__name__} for sm_{each}", refused="tcgen05" if tensor else None)(lambda arch=each, function=function: function(arch))

if __name__ == "__main__":
    run()
