"""Rows: programs as tutorials have them, in Triton, against PyTorch on the CPU."""

import warplens  # noqa: F401, I001 - before torch
import math

import torch
import triton
import triton.language as tl
from table_rows import row, run

torch.manual_seed(0)


def same(a, b, **tolerance):
    torch.testing.assert_close(a.cpu().float(), b.cpu().float(), **tolerance)


@triton.jit
def softmax_kernel(x, o, rows, columns, pitch, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    for row_number in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=STAGES):
        i = tl.arange(0, BLOCK)
        values = tl.load(x + row_number * pitch + i, mask=i < columns, other=-float("inf"))
        powers = tl.exp(values - tl.max(values, axis=0))
        tl.store(o + row_number * pitch + i, powers / tl.sum(powers, axis=0), mask=i < columns)


@row("fused softmax, persistent programs")
def softmax():
    x = torch.randn(67, 781, device="cuda")
    o = torch.empty_like(x)
    softmax_kernel[(8,)](x, o, 67, 781, x.stride(0), BLOCK=1024, STAGES=2)
    same(o, torch.softmax(x.cpu(), 1))


@triton.jit
def matmul_kernel(a, b, c, M, N, K, am, ak, bk, bn, cm, cn, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid, across, down = tl.program_id(0), tl.cdiv(M, BM), tl.cdiv(N, BN)
    group = pid // (GROUP * down)
    size = min(across - group * GROUP, GROUP)
    m, n = group * GROUP + (pid % (GROUP * down)) % size, (pid % (GROUP * down)) // size
    i, j, k = (m * BM + tl.arange(0, BM)) % M, (n * BN + tl.arange(0, BN)) % N, tl.arange(0, BK)
    left, right = a + i[:, None] * am + k[None, :] * ak, b + k[:, None] * bk + j[None, :] * bn
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for step in range(0, tl.cdiv(K, BK)):
        x = tl.load(left, mask=k[None, :] < K - step * BK, other=0.0)
        y = tl.load(right, mask=k[:, None] < K - step * BK, other=0.0)
        total = tl.dot(x, y, total)
        left += BK * ak
        right += BK * bk
    total = tl.where(total >= 0, total, 0.01 * total)
    i, j = m * BM + tl.arange(0, BM), n * BN + tl.arange(0, BN)
    tl.store(c + cm * i[:, None] + cn * j[None, :], total.to(tl.float16), mask=(i[:, None] < M) & (j[None, :] < N))


@row("matmul in groups of programs, leaky relu, A and B transposed or not")
def matmul():
    for turned in (False, True):
        a, b = torch.randn(200, 90, device="cuda").half(), torch.randn(90, 150, device="cuda").half()
        if turned:
            a, b = a.t().contiguous().t(), b.t().contiguous().t()
        c = torch.empty(200, 150, device="cuda", dtype=torch.half)
        matmul_kernel[(4 * 3,)](a, b, c, 200, 150, 90, *a.stride(), *b.stride(), *c.stride(), BM=64, BN=64, BK=32, GROUP=2, num_stages=3)
        same(c, torch.nn.functional.leaky_relu(a.cpu().float() @ b.cpu().float()), atol=5e-2, rtol=2e-2)


@triton.jit
def dropout_kernel(x, o, n, p, seed, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, i) > p
    tl.store(o + i, tl.where(keep, tl.load(x + i, mask=i < n) / (1 - p), 0.0), mask=i < n)


@row("dropout by a seed, the same again for the same seed")
def dropout():
    x, made = torch.randn(10000, device="cuda"), []
    for seed in (123, 123, 512):
        made.append(torch.empty_like(x))
        dropout_kernel[(10,)](x, made[-1], 10000, 0.5, seed, BLOCK=1024)
    kept = made[0] != 0
    assert made[0].equal(made[1]) and not made[0].equal(made[2]) and 0.48 < kept.float().mean() < 0.52
    same(made[0][kept], 2 * x[kept])


@triton.jit
def norm_kernel(x, y, w, b, means, scales, columns, eps, BLOCK: tl.constexpr):
    at = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + at * columns + i, mask=i < columns, other=0.0)
    mean = tl.sum(v, axis=0) / columns
    d = tl.where(i < columns, v - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(d * d, axis=0) / columns + eps)
    tl.store(means + at, mean)
    tl.store(scales + at, scale)
    tl.store(y + at * columns + i, d * scale * tl.load(w + i, mask=i < columns) + tl.load(b + i, mask=i < columns), mask=i < columns)


@triton.jit
def norm_back_kernel(dx, dy, dw, db, x, w, means, scales, locks, columns, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    mask = i < columns
    v, g = tl.load(x + at * columns + i, mask=mask, other=0.0), tl.load(dy + at * columns + i, mask=mask, other=0.0)
    scale = tl.load(scales + at)
    hat = tl.where(mask, (v - tl.load(means + at)) * scale, 0.0)
    wg = tl.load(w + i, mask=mask, other=0.0) * g
    tl.store(dx + at * columns + i, (wg - (hat * tl.sum(hat * wg, axis=0) + tl.sum(wg, axis=0)) / columns) * scale, mask=mask)
    lock, first = locks + at % GROUP, locks + GROUP + at % GROUP
    pw, pb = g * hat, g
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(first) == 0:
        tl.atomic_xchg(first, 1)
    else:
        pw += tl.load(dw + at % GROUP * columns + i, mask=mask)
        pb += tl.load(db + at % GROUP * columns + i, mask=mask)
    tl.store(dw + at % GROUP * columns + i, pw, mask=mask)
    tl.store(db + at % GROUP * columns + i, pb, mask=mask)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@row("layer norm, forward and backward, with locks")
def norm():
    rows, columns, groups = 37, 200, 4
    x, dy = torch.randn(rows, columns, device="cuda"), torch.randn(rows, columns, device="cuda")
    w, b = torch.randn(columns, device="cuda"), torch.randn(columns, device="cuda")
    y, dx, means, scales = torch.empty_like(x), torch.empty_like(x), torch.empty(rows, device="cuda"), torch.empty(rows, device="cuda")
    dw, db = torch.zeros(groups, columns, device="cuda"), torch.zeros(groups, columns, device="cuda")
    norm_kernel[(rows,)](x, y, w, b, means, scales, columns, 1e-5, BLOCK=256)
    norm_back_kernel[(rows,)](dx, dy, dw, db, x, w, means, scales, torch.zeros(2 * groups, device="cuda", dtype=torch.int32), columns, groups, 256)
    hx, hw, hb = (each.cpu().requires_grad_() for each in (x, w, b))
    right = torch.nn.functional.layer_norm(hx, (columns,), hw, hb)
    right.backward(dy.cpu())
    for mine, theirs in ((y, right.detach()), (dx, hx.grad), (dw.sum(0), hw.grad), (db.sum(0), hb.grad)):
        same(mine, theirs, atol=1e-4, rtol=1e-4)


@triton.jit
def attention_kernel(q, k, v, o, scale, pitch, T, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, CAUSAL: tl.constexpr):
    start, base = tl.program_id(0) * BM, tl.program_id(1) * pitch
    i, j, d = start + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    query = tl.load(q + base + i[:, None] * D + d[None, :], mask=i[:, None] < T, other=0.0)
    most, total = tl.full([BM], -float("inf"), tl.float32), tl.zeros([BM], tl.float32)
    sums = tl.zeros([BM, D], tl.float32)
    for at in range(0, tl.minimum(T, start + BM) if CAUSAL else T, BN):
        n = at + j
        key = tl.load(k + base + n[None, :] * D + d[:, None], mask=n[None, :] < T, other=0.0)
        scores = tl.dot(query, key) * scale
        fits = n[None, :] < T
        if CAUSAL:
            fits = fits & (n[None, :] <= i[:, None])
        scores = tl.where(fits, scores, -float("inf"))
        larger = tl.maximum(most, tl.max(scores, 1))
        weights, shrunk = tl.exp(scores - larger[:, None]), tl.exp(most - larger)
        total = total * shrunk + tl.sum(weights, 1)
        value = tl.load(v + base + n[:, None] * D + d[None, :], mask=n[:, None] < T, other=0.0)
        sums = tl.dot(weights.to(value.dtype), value, sums * shrunk[:, None])
        most = larger
    tl.store(o + base + i[:, None] * D + d[None, :], (sums / total[:, None]).to(o.dtype.element_ty), mask=i[:, None] < T)


@row("attention, causal or not, f16, bf16, f32, of any length")
def attention():
    for T, D, causal, kind, warps in ((129, 64, True, torch.half, 4), (77, 32, False, torch.bfloat16, 4), (200, 128, True, torch.half, 8),
                                      (33, 16, True, torch.float32, 4), (1, 64, False, torch.half, 4)):
        q, k, v = (torch.randn(2, T, D, device="cuda").to(kind) for _ in range(3))
        o = torch.empty_like(q)
        attention_kernel[(triton.cdiv(T, 64), 2)](q, k, v, o, 1 / math.sqrt(D), T * D, T, D, 64, 32, causal, num_warps=warps)
        right = torch.nn.functional.scaled_dot_product_attention(*(each.cpu().float() for each in (q, k, v)), is_causal=causal)
        same(o, right, atol=2e-2, rtol=2e-2)


@triton.jit
def split_kernel(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, SPLIT: tl.constexpr):
    i, j = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for at in range(tl.program_id(2) * BK, K, BK * SPLIT):
        k = at + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
        total += tl.dot(x, y)
    tl.atomic_add(c + i[:, None] * N + j[None, :], total, mask=(i[:, None] < M) & (j[None, :] < N))


@row("matmul, split along k, summed by atomics")
def split():
    a, b, c = torch.randn(70, 130, device="cuda").half(), torch.randn(130, 50, device="cuda").half(), torch.zeros(70, 50, device="cuda")
    split_kernel[(2, 1, 3)](a, b, c, 70, 50, 130, 64, 64, 32, 3)
    same(c, a.cpu().float() @ b.cpu().float(), atol=2e-2, rtol=2e-2)


@triton.jit
def grouped_kernel(addresses, sizes, groups, programs, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tile, before = tl.program_id(0), 0
    for g in range(groups):
        M, N, K = tl.load(sizes + 3 * g), tl.load(sizes + 3 * g + 1), tl.load(sizes + 3 * g + 2)
        across, count = tl.cdiv(N, BN), tl.cdiv(M, BM) * tl.cdiv(N, BN)
        while tile >= before and tile < before + count:
            a = tl.load(addresses + 3 * g).to(tl.pointer_type(tl.float16))
            b = tl.load(addresses + 3 * g + 1).to(tl.pointer_type(tl.float16))
            c = tl.load(addresses + 3 * g + 2).to(tl.pointer_type(tl.float16))
            i, j = (tile - before) // across * BM + tl.arange(0, BM), (tile - before) % across * BN + tl.arange(0, BN)
            total = tl.zeros((BM, BN), tl.float32)
            for at in range(0, K, BK):
                k = at + tl.arange(0, BK)
                x = tl.load(a + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
                y = tl.load(b + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
                total = tl.dot(x, y, total)
            tl.store(c + i[:, None] * N + j[None, :], total.to(tl.float16), mask=(i[:, None] < M) & (j[None, :] < N))
            tile += programs
        before += count


@row("grouped GEMM by a table of addresses")
def grouped():
    shapes = [(100, 64, 40), (33, 70, 128), (16, 16, 16)]
    made = [(torch.randn(m, k, device="cuda").half(), torch.randn(k, n, device="cuda").half(), torch.zeros(m, n, device="cuda").half()) for m, n, k in shapes]
    addresses = torch.tensor([each.data_ptr() for abc in made for each in abc], device="cuda")
    grouped_kernel[(3,)](addresses, torch.tensor(shapes, device="cuda", dtype=torch.int32), 3, 3, BM=32, BN=32, BK=32)
    for a, b, c in made:
        same(c, a.cpu().float() @ b.cpu().float(), atol=2e-2, rtol=2e-2)


@triton.jit
def quantised_kernel(x, packed, scales, o, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    words = tl.load(packed + (k // 2)[:, None] * N + j[None, :])
    nibbles = (words >> (k % 2 * 4)[:, None].to(tl.uint8)) & 15
    weights = (nibbles.to(tl.int8) - 8).to(tl.float16)
    total = tl.dot(tl.load(x + i[:, None] * K + k[None, :]), weights)
    tl.store(o + i[:, None] * N + j[None, :], total * tl.load(scales + j)[None, :])


@row("products with weights of 4 bits")
def quantised():
    x, weights, scales = torch.randn(32, 64, device="cuda").half(), torch.randint(-8, 8, (64, 32)), torch.rand(32, device="cuda")
    shifted = (weights + 8).to(torch.uint8)
    o = torch.empty(32, 32, device="cuda")
    quantised_kernel[(1,)](x, (shifted[::2] | shifted[1::2] << 4).cuda(), scales, o, 32, 32, 64)
    same(o, (x.cpu().float() @ weights.float()) * scales.cpu(), atol=1e-2, rtol=1e-2)


@triton.jit
def entropy_kernel(logits, labels, losses, grads, columns, BLOCK: tl.constexpr):
    at = tl.program_id(0)
    label = tl.load(labels + at)
    most, total = -float("inf"), 0.0
    for first in range(0, columns, BLOCK):
        i = first + tl.arange(0, BLOCK)
        v = tl.load(logits + at * columns + i, mask=i < columns, other=-float("inf"))
        larger = tl.maximum(most, tl.max(v, 0))
        total = total * tl.exp(most - larger) + tl.sum(tl.exp(v - larger), 0)
        most = larger
    tl.store(losses + at, most + tl.log(total) - tl.load(logits + at * columns + label))
    for first in range(0, columns, BLOCK):
        i = first + tl.arange(0, BLOCK)
        v = tl.load(logits + at * columns + i, mask=i < columns, other=-float("inf"))
        tl.store(grads + at * columns + i, tl.exp(v - most) / total - tl.where(i == label, 1.0, 0.0), mask=i < columns)


@row("cross entropy and its gradient, online")
def entropy():
    logits, labels = torch.randn(20, 1000, device="cuda"), torch.randint(0, 1000, (20,), device="cuda")
    losses, grads = torch.empty(20, device="cuda"), torch.empty_like(logits)
    entropy_kernel[(20,)](logits, labels, losses, grads, 1000, BLOCK=256)
    host = logits.cpu().requires_grad_()
    right = torch.nn.functional.cross_entropy(host, labels.cpu(), reduction="none")
    right.sum().backward()
    same(losses, right.detach(), atol=1e-5, rtol=1e-5)
    same(grads, host.grad, atol=1e-5, rtol=1e-4)


@triton.jit
def bins_kernel(x, o, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(o + tl.load(x + i, mask=i < n, other=0), 1, mask=i < n, sem="relaxed")


@row("histogram by atomics in global memory")
def bins():
    x, o = torch.randint(0, 100, (5000,), device="cuda", dtype=torch.int32), torch.zeros(100, device="cuda", dtype=torch.int32)
    bins_kernel[(5,)](x, o, 5000, 100, BLOCK=1024)
    assert o.cpu().equal(torch.bincount(x.cpu(), minlength=100).int())


if __name__ == "__main__":
    run()
