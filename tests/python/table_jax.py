"""Rows: JAX."""

import warplens  # noqa: F401, I001 - before jax
import jax
import jax.numpy as jnp
import numpy
from jax.experimental import pallas
from jax.experimental.pallas import triton as pallas_triton
from table_rows import row, run

random = numpy.random.default_rng(0)
x = random.random((64, 48), "f")
square = x @ x.T + 64 * numpy.eye(64, dtype="f")


def same(a, b, tolerance=1e-4):
    assert numpy.allclose(numpy.asarray(a), b, atol=tolerance, rtol=tolerance)


@row("what XLA fuses: elementwise, softmax, reductions, transposes")
def fused():
    powers = numpy.exp(numpy.sin(x) + x.sum(1)[:, None])
    same(jax.jit(lambda a: jax.nn.softmax(jnp.sin(a) + a.T.sum(0)[:, None], -1))(x), powers / powers.sum(1)[:, None])


@row("products of matrices (TF32, as on an H100; `precision=\"highest\"`)")
def products():
    same(jnp.matmul(x, x.T), x @ x.T, 2e-3)
    same(jnp.matmul(x, x.T, precision="highest"), x @ x.T)


@row("`jax.grad`, `vmap`, `scan`")
def gradients():
    same(jax.grad(lambda a: (a**3).sum())(x), 3 * x * x)
    same(jax.vmap(lambda a: a @ a)(x), (x * x).sum(1), 2e-2)
    same(jax.lax.scan(lambda total, a: (total + a, total), jnp.zeros(48), x)[0], x.sum(0), 1e-3)


@row("sorting, random numbers")
def sorting():
    same(jnp.sort(x, axis=0), numpy.sort(x, axis=0))
    assert 0.45 < float(jax.random.uniform(jax.random.key(0), (1000,)).mean()) < 0.55


@row("`jnp.linalg`, `jnp.fft` (cuSOLVER, cuBLAS, cuFFT): on the host")
def algebra():
    same(jnp.linalg.solve(square, x), numpy.linalg.solve(square, x), 1e-3)
    same(jnp.linalg.cholesky(square), numpy.linalg.cholesky(square), 1e-3)
    same(jnp.linalg.svd(x, compute_uv=False), numpy.linalg.svd(x, compute_uv=False), 1e-3)
    same(jnp.fft.fft(x), numpy.fft.fft(x), 1e-3)


@row("Pallas (Triton)")
def kernels():
    def double(a, o):
        o[...] = a[...] * 2 + 1

    spec = pallas.BlockSpec((32, 32), lambda i: (i, 0))
    call = pallas.pallas_call(double, out_shape=jax.ShapeDtypeStruct((64, 32), jnp.float32), grid=(2,), in_specs=[spec], out_specs=spec,
                              compiler_params=pallas_triton.CompilerParams(num_warps=4))
    same(call(x[:, :32]), 2 * x[:, :32] + 1)


@row("convolutions (cuDNN)", refused="cudnn")
def convolutions():
    numpy.asarray(jax.lax.conv(jnp.ones((1, 3, 8, 8)), jnp.ones((4, 3, 3, 3)), (1, 1), "SAME"))


if __name__ == "__main__":
    run()
