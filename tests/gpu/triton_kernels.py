"""A product, a softmax and attention in Triton, for `warplens run --on gpu python3 triton_kernels.py`."""
import time

import torch
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, size, TILE: tl.constexpr, DEPTH: tl.constexpr):
    rows = tl.program_id(0) * TILE + tl.arange(0, TILE)
    columns = tl.program_id(1) * TILE + tl.arange(0, TILE)
    inner = tl.arange(0, DEPTH)
    total = tl.zeros((TILE, TILE), dtype=tl.float32)
    for at in range(0, size, DEPTH):
        left = tl.load(a + rows[:, None] * size + at + inner[None, :])
        right = tl.load(b + (at + inner[:, None]) * size + columns[None, :])
        total += tl.dot(left, right)
    tl.store(c + rows[:, None] * size + columns[None, :], total)


@triton.jit
def softmax(out, values, width, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    inside = columns < width
    row = tl.load(values + tl.program_id(0) * width + columns, mask=inside, other=-float("inf"))
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + tl.program_id(0) * width + columns, powers / tl.sum(powers, axis=0), mask=inside)


@triton.jit
def attention(out, queries, keys, values, length, scale, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    """Of each head, a block of rows; keys and values go by in blocks, with the maximum and the sum of the powers so far."""
    head = tl.program_id(1) * length * DEPTH
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    depth = tl.arange(0, DEPTH)
    query = tl.load(queries + head + rows[:, None] * DEPTH + depth[None, :])
    most = tl.full((ROWS,), -float("inf"), tl.float32)
    weight = tl.zeros((ROWS,), tl.float32)
    total = tl.zeros((ROWS, DEPTH), tl.float32)
    for at in range(0, length, COLUMNS):
        columns = at + tl.arange(0, COLUMNS)
        key = tl.load(keys + head + columns[None, :] * DEPTH + depth[:, None])
        scores = tl.dot(query, key) * scale
        higher = tl.maximum(most, tl.max(scores, axis=1))
        powers = tl.exp(scores - higher[:, None])
        shrink = tl.exp(most - higher)
        value = tl.load(values + head + columns[:, None] * DEPTH + depth[None, :])
        weight = weight * shrink + tl.sum(powers, axis=1)
        total = total * shrink[:, None] + tl.dot(powers.to(value.dtype), value)
        most = higher
    tl.store(out + head + rows[:, None] * DEPTH + depth[None, :], total / weight[:, None])


def timed(name, launch, result, wanted):
    begin = time.perf_counter()
    launch()
    torch.cuda.synchronize()
    took = 1000 * (time.perf_counter() - begin)
    wrong = (result - wanted).abs().max().item()
    print(f"{name}: {took:.1f} ms, at most {wrong:.3g} off", flush=True)


torch.manual_seed(0)
SIZE, WIDTH, HEADS, LENGTH, DEPTH = 1024, 781, 8, 512, 64
a, b = (torch.randn(SIZE, SIZE, device="cuda", dtype=torch.float16) for _ in range(2))
c = torch.empty(SIZE, SIZE, device="cuda")
values = torch.randn(SIZE, WIDTH, device="cuda")
powers = torch.empty_like(values)
query, key, value = (torch.randn(HEADS, LENGTH, DEPTH, device="cuda", dtype=torch.float16) for _ in range(3))
mixed = torch.empty(HEADS, LENGTH, DEPTH, device="cuda")
wanted = torch.softmax(query.float() @ key.float().transpose(1, 2) / DEPTH**0.5, 2) @ value.float()
for _ in range(2):  # the first time, Triton compiles
    timed("product", lambda: product[(SIZE // 64, SIZE // 64)](a, b, c, SIZE, TILE=64, DEPTH=32), c, a.float() @ b.float())
    timed("softmax", lambda: softmax[(SIZE,)](powers, values, WIDTH, BLOCK=1024), powers, torch.softmax(values, 1))
    timed("attention", lambda: attention[(LENGTH // 64, HEADS)](mixed, query, key, value, LENGTH, DEPTH**-0.5, ROWS=64, COLUMNS=64, DEPTH=DEPTH), mixed, wanted)
