"""A kernel of TileLang, which generates CUDA; importing it imports warplens, which puts the driver there."""

import warplens  # noqa: F401, I001 - before torch
import tilelang
import tilelang.language as T
import torch


@tilelang.jit(out_idx=[-1])
def turned(rows, columns):
    @T.prim_func
    def main(source: T.Tensor((rows, columns), "float32"), target: T.Tensor((columns, rows), "float32")):
        with T.Kernel(1, threads=columns) as _:
            x = T.get_thread_binding()
            for y in T.serial(rows):
                target[x, y] = source[y, x]

    return main


def turn():
    values = torch.arange(1024.0, device="cuda").view(32, 32)
    assert turned(32, 32)(values).equal(values.t())
