"""A kernel of cuTile, whose compiler is for a B200; importing it imports warplens, which puts the driver there."""

import warplens  # noqa: F401, I001 - before torch
import cuda.tile
import torch


@cuda.tile.kernel
def add_kernel(a, b, out, size: cuda.tile.Constant[int]):
    i = cuda.tile.bid(0)
    x = cuda.tile.load(a, index=(i,), shape=(size,))
    y = cuda.tile.load(b, index=(i,), shape=(size,))
    cuda.tile.store(out, index=(i,), tile=x + y)


def add():
    a, b = torch.arange(1024.0, device="cuda"), torch.ones(1024, device="cuda")
    out = torch.empty_like(a)
    cuda.tile.launch(torch.cuda.current_stream(), (8,), add_kernel, (a, b, out, 128))
    assert torch.equal(out, a + b)
