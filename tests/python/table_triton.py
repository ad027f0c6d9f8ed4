"""Rows: what Triton's language has, each alone, and what a script does around it."""

import warplens  # noqa: I001 - before torch
import numpy
import torch
import triton
import triton.language as tl
import triton.testing
from table_rows import row, run
from triton.language.extra import libdevice

torch.manual_seed(0)


def same(a, b, **tolerance):
    torch.testing.assert_close(a, b, check_dtype=False, **tolerance)


@triton.jit
def vadd_kernel(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(o + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def vadd():
    x, y = torch.randn(5000, device="cuda"), torch.randn(5000, device="cuda")
    o = torch.empty_like(x)
    vadd_kernel[(5,)](x, y, o, 5000, BLOCK=1024)
    same(o, x + y)


row("vector addition")(vadd)


@triton.jit
def dot_kernel(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, HOW: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left, right = tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * N + n[None, :])
    tl.store(c + m[:, None] * N + n[None, :], tl.dot(left, right, input_precision=HOW))


def dot(kind, how="ieee", out=torch.float32, tolerance=1e-2):
    def function():
        integer = kind in (torch.int8,)
        a, b = (torch.randint(-9, 9, (64, 64)).to(kind) if integer else torch.randn(64, 64).to(kind) for _ in range(2))
        c = torch.empty(64, 64, device="cuda", dtype=out)
        dot_kernel[(1,)](a.cuda(), b.cuda(), c, 64, 64, 64, how)
        same(c.cpu().double(), a.double() @ b.double(), atol=tolerance, rtol=tolerance)

    return function


row("`tl.dot` of f16")(dot(torch.float16))
row("`tl.dot` of bf16")(dot(torch.bfloat16))
row("`tl.dot` of f32 as TF32")(dot(torch.float32, "tf32", tolerance=5e-2))
row("`tl.dot` of f32 as three TF32")(dot(torch.float32, "tf32x3", tolerance=1e-4))
row("`tl.dot` of f32, IEEE")(dot(torch.float32, "ieee", tolerance=1e-4))
row("`tl.dot` of int8")(dot(torch.int8, out=torch.int32, tolerance=0))
row("`tl.dot` of fp8 e4m3")(dot(torch.float8_e4m3fn))
row("`tl.dot` of fp8 e5m2")(dot(torch.float8_e5m2))


@triton.jit
def scans_kernel(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.cumsum(v, 0))
    tl.store(o + N + i, tl.sort(v))
    tl.store(o + 2 * N + i, tl.flip(v))
    tl.store(o + 3 * N, tl.argmax(v, 0).to(tl.float32))


@row("`cumsum`, `sort`, `flip`, `argmax`")
def scans():
    x, o = torch.randn(512, device="cuda"), torch.empty(3 * 512 + 1, device="cuda")
    scans_kernel[(1,)](x, o, 512)
    same(o[:512], x.cumsum(0), atol=1e-4, rtol=1e-4)
    same(o[512:1024], x.sort().values)
    same(o[1024:1536], x.flip(0))
    assert o[1536] == x.argmax()


@triton.jit
def joined(a, b):
    return a * b


@triton.jit
def others_kernel(x, j, o, counts, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.associative_scan(v, 0, joined))
    tl.store(o + N + i, tl.gather(v, tl.load(j + i), 0))
    tl.store(o + 2 * N + tl.arange(0, 8), tl.topk(v, 8))
    tl.store(counts + tl.arange(0, 16), tl.histogram((v * 16).to(tl.int32), 16))


@row("`associative_scan`, `gather`, `topk`, `histogram`")
def others():
    x, j = torch.rand(256, device="cuda"), torch.randperm(256, device="cuda").int()
    o, counts = torch.empty(2 * 256 + 8, device="cuda"), torch.empty(16, device="cuda", dtype=torch.int32)
    others_kernel[(1,)](x, j, o, counts, 256)
    same(o[:256], x.cumprod(0), atol=1e-6, rtol=1e-4)
    same(o[256:512], x[j.long()])
    same(o[512:].sort().values, x.topk(8).values.sort().values)
    same(counts, torch.bincount((x * 16).int(), minlength=16))


@triton.jit
def philox_kernel(o, seed, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.rand(seed, i))
    tl.store(o + N + i, tl.randn(seed, i))


@row("`tl.rand`, `tl.randn`")
def philox():
    o = torch.empty(2, 4096, device="cuda")
    philox_kernel[(1,)](o, 7, 4096)
    uniform, normal = o.cpu()
    assert 0.48 < uniform.mean() < 0.52 and uniform.unique().numel() > 4000 and abs(normal.mean()) < 0.06 and 0.95 < normal.std() < 1.05


@triton.jit
def math_kernel(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.store(o + i, tl.exp(v) + tl.log(v) + tl.sin(v) + tl.cos(v) + tl.sqrt(v) + tl.erf(v) + tl.rsqrt(v) + tl.floor(v) + tl.fma(v, v, v))
    tl.store(o + N + i, libdevice.tanh(v) + libdevice.pow(v, v) + libdevice.lgamma(v) + libdevice.asin(v / 4))


@row("functions of `tl` and of `libdevice`")
def maths():
    x, o = torch.rand(256, device="cuda") * 3 + 0.1, torch.empty(512, device="cuda")
    math_kernel[(1,)](x, o, 256)
    v = x.double()
    same(o[:256].double(), v.exp() + v.log() + v.sin() + v.cos() + v.sqrt() + v.erf() + v.rsqrt() + v.floor() + v * v + v, atol=1e-4, rtol=1e-5)
    same(o[256:].double(), v.tanh() + v.pow(v) + v.lgamma() + (v / 4).asin(), atol=1e-4, rtol=1e-5)


@triton.jit
def atomics_kernel(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0)
    tl.atomic_add(o + i % 8, v, mask=i < n)
    tl.atomic_max(o + 8 + 0 * i, v, mask=i < n)
    tl.atomic_min(o + 9 + 0 * i, v, mask=i < n)
    tl.atomic_xor(o + 10 + 0 * i, v, mask=i < n)


@row("`atomic_add`, `max`, `min`, `xor`")
def atomics():
    x, o = torch.randint(-99, 99, (1000,), device="cuda", dtype=torch.int32), torch.zeros(11, device="cuda", dtype=torch.int32)
    atomics_kernel[(8,)](x, o, 1000, 128)
    values = x.cpu().numpy()
    assert o[:8].tolist() == [values[k::8].sum() for k in range(8)] and o[8:].tolist() == [values.max(), values.min(), numpy.bitwise_xor.reduce(values)]


@triton.jit
def adds_kernel(x, o, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.atomic_add(o + i, tl.load(x + i))


@row("`atomic_add` of f32 (vectors on sm_90), f16, bf16")
def adds():
    for kind in (torch.float32, torch.float16, torch.bfloat16):
        x, o = torch.randint(0, 9, (512,)).to(kind).cuda(), torch.zeros(512, device="cuda", dtype=kind)
        adds_kernel[(3,)](x, o, 512)
        same(o, 3 * x)


@triton.jit
def lock_kernel(lock, count):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(count, tl.load(count) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@row("a lock of `atomic_cas` and `atomic_xchg`")
def lock():
    word, count = torch.zeros(1, device="cuda", dtype=torch.int32), torch.zeros(1, device="cuda", dtype=torch.int32)
    lock_kernel[(50,)](word, count)
    assert count.item() == 50


@triton.jit
def printing_kernel(x):
    tl.device_print("value", tl.load(x + tl.arange(0, 2)))
    tl.device_assert(tl.load(x) < 9)


@row("`device_print`, `device_assert`")
def printing():
    printing_kernel[(1,)](torch.arange(2, device="cuda"), num_warps=1)
    torch.cuda.synchronize()


@triton.jit
def convert_kernel(x, o, N: tl.constexpr, TO: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(o + i, tl.load(x + i).to(TO).to(tl.float32))


@row("conversions to fp8, bf16, f16, int8, f64")
def conversions():
    x, o = torch.randn(256, device="cuda"), torch.empty(256, device="cuda")
    for to, kind in ((tl.float8e4nv, torch.float8_e4m3fn), (tl.float8e5, torch.float8_e5m2), (tl.bfloat16, torch.bfloat16), (tl.float16, torch.float16),
                     (tl.int8, torch.int8), (tl.float64, torch.float64)):
        convert_kernel[(1,)](x, o, 256, to)
        same(o.cpu(), x.cpu().to(kind).float())


@triton.jit
def described_kernel(source, target, BLOCK: tl.constexpr):
    at = [tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK]
    target.store(at, source.load(at) * 2)


@row("tensor descriptors of the host (TMA)")
def described_by_host():
    from triton.tools.tensor_descriptor import TensorDescriptor

    x = torch.randn(100, 64, device="cuda")
    o = torch.empty_like(x)
    described_kernel[(4, 2)](TensorDescriptor.from_tensor(x, [32, 32]), TensorDescriptor.from_tensor(o, [32, 32]), 32)
    same(o, 2 * x)


@triton.jit
def describing_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(left.load([m, k]), right.load([k, n]), total)
    out.store([m, n], total)


@row("tensor descriptors of the device, with wgmma")
def described_by_device():
    triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    a, b = torch.randn(128, 96, device="cuda").half(), torch.randn(96, 128, device="cuda").half()
    c = torch.empty(128, 128, device="cuda")
    describing_kernel[(2, 2)](a, b, c, 128, 128, 96, 64, 64, 32, num_warps=4)
    same(c, a.float() @ b.float(), atol=2e-2, rtol=2e-2)


@row("`num_ctas=2` (clusters)")
def clusters():
    a, b = torch.randn(256, 64, device="cuda").half(), torch.randn(64, 256, device="cuda").half()
    c = torch.empty(256, 256, device="cuda")
    dot_kernel[(1,)](a, b, c, 256, 256, 64, "ieee", num_ctas=2, num_warps=8)
    same(c, a.float() @ b.float(), atol=2e-2, rtol=2e-2)


@row("warp specialisation (`tl.range(warp_specialize=True)`)")
def specialised():
    a, b = torch.randn(128, 256, device="cuda").half(), torch.randn(256, 128, device="cuda").half()
    c = torch.empty(128, 128, device="cuda")
    triton.set_allocator(lambda size, align, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    specialised_kernel[(2, 2)](a, b, c, 128, 128, 256, 64, 64, 32, num_warps=4)
    same(c, a.float() @ b.float(), atol=2e-2, rtol=2e-2)


@triton.jit
def specialised_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    m, n = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=True):
        total = tl.dot(left.load([m, k]), right.load([k, n]), total)
    out.store([m, n], total)


@row("`triton.testing.do_bench`: a bound by counts, which says so")
def bench():
    x = torch.zeros(4096, device="cuda")
    assert "by counts" in str(triton.testing.do_bench(lambda: vadd_kernel[(4,)](x, x, x, 4096, BLOCK=1024)))


@row("`@triton.autotune`, by counts; `warplens.tune`")
def tuned():
    x = torch.zeros(4096, device="cuda")
    best = triton.autotune([triton.Config({"BLOCK": block}) for block in (64, 1024)], key=["n"])(vadd_kernel)
    with warplens.profile() as made:
        best[lambda meta: (4096 // meta["BLOCK"],)](x, x, x, 4096)
    assert len(made) == 1
    assert warplens.tune(vadd_kernel, [{"BLOCK": 64}, {"BLOCK": 1024}])[lambda meta: (4096 // meta["BLOCK"],)](x, x, x, 4096).best


@row("a CUDA graph of launches")
def graph():
    x, o = torch.ones(1024, device="cuda"), torch.zeros(1024, device="cuda")
    vadd_kernel[(1,)](x, o, o, 1024, BLOCK=1024)
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        vadd_kernel[(1,)](x, o, o, 1024, BLOCK=1024)
    for _ in range(3):
        captured.replay()
    assert (o == 4).all()


@row("masked loads on their own lines (`.loc` in inline assembly)")
def lines():
    x = torch.zeros(1000, device="cuda")
    with warplens.profile() as made:
        vadd_kernel[(1,)](x, x, x, 1000, BLOCK=1024)
    assert {line.text.strip()[:8] for line in made.lines()} == {"tl.store"}, made.lines()


if __name__ == "__main__":
    run()
