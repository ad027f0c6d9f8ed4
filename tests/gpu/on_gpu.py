"""import warplens with WARPLENS_ON=gpu, and a kernel of Triton's: what a profile of its launches says, by line of Python."""
import warplens  # before torch
import torch
import triton
import triton.language as tl


@triton.jit
def transpose(x, out, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tile = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + rows[:, None] + columns[None, :] * n, tile)


x = torch.randn(512, 512, device="cuda")
out = torch.empty_like(x)
transpose[(16, 16)](x, out, 512, BLOCK=32)
with warplens.profile(on="gpu") as p:
    transpose[(16, 16)](x, out, 512, BLOCK=32)
with warplens.profile() as q:
    transpose[(16, 16)](x, out, 512, BLOCK=32)
    transpose[(16, 16)](x, out, 512, BLOCK=32)
assert torch.equal(out, x.t()), "the result"
assert warplens.on() == p.on == "gpu" and len(p) == 1 and len(q) == 2, (warplens.on(), p.on, len(p), len(q))
lines = {line.text.strip(): line for line in p.lines()}
store = next(line for text, line in lines.items() if text.startswith("tl.store"))
assert store.sectors == store.sectors_ideal == 32768, store
assert all(line.file == __file__ for line in lines.values()), lines
p.save("on_gpu.wlp")
print("as expected:", p.lines())
