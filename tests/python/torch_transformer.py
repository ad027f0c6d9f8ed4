"""A training step of a small transformer on "cuda": norms, gates and the loss by Triton kernels of its own, all else by PyTorch's operators.

Checked against the same model on the CPU, which has PyTorch's operators alone. `python -m warplens`, `warplens run python` and plain
python run it; tests call `check`.
"""

import warplens  # noqa: F401, I001 - before torch
import torch
import triton
import triton.language as tl
from torch import nn
from torch.nn import functional as F


@triton.jit
def rms_norm_forward(x, weight, out, scales, columns, eps, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + i, mask=i < columns, other=0.0)
    scale = 1 / tl.sqrt(tl.sum(values * values) / columns + eps)
    tl.store(scales + row, scale)
    tl.store(out + row * columns + i, values * scale * tl.load(weight + i, mask=i < columns), mask=i < columns)


@triton.jit
def rms_norm_backward(grad, x, weight, scales, grad_x, grad_weight, columns, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    there = i < columns
    scale = tl.load(scales + row)
    upper = tl.load(grad + row * columns + i, mask=there, other=0.0)
    normal = tl.load(x + row * columns + i, mask=there, other=0.0) * scale
    weighted = upper * tl.load(weight + i, mask=there, other=0.0)
    tl.store(grad_x + row * columns + i, scale * (weighted - normal * tl.sum(weighted * normal) / columns), mask=there)
    tl.atomic_add(grad_weight + i, upper * normal, mask=there)


@triton.jit
def swiglu_forward(gate, up, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    g = tl.load(gate + i, mask=i < n)
    tl.store(out + i, g * tl.sigmoid(g) * tl.load(up + i, mask=i < n), mask=i < n)


@triton.jit
def swiglu_backward(grad, gate, up, grad_gate, grad_up, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    d, g, u = tl.load(grad + i, mask=i < n), tl.load(gate + i, mask=i < n), tl.load(up + i, mask=i < n)
    s = tl.sigmoid(g)
    tl.store(grad_gate + i, d * u * s * (1 + g * (1 - s)), mask=i < n)
    tl.store(grad_up + i, d * g * s, mask=i < n)


@triton.jit
def cross_entropy(logits, labels, losses, grad, rows, columns, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(logits + row * columns + i, mask=i < columns, other=float("-inf"))
    label = tl.load(labels + row)
    powers = tl.exp(values - tl.max(values))
    total = tl.sum(powers)
    tl.store(losses + row, tl.log(total) + tl.max(values) - tl.load(logits + row * columns + label))
    tl.store(grad + row * columns + i, (powers / total - tl.where(i == label, 1.0, 0.0)) / rows, mask=i < columns)


class RMSNormOp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps):
        flat = x.contiguous().view(-1, x.shape[-1])
        rows, columns = flat.shape
        out, scales = torch.empty_like(flat), torch.empty(rows, device=x.device)
        rms_norm_forward[(rows,)](flat, weight, out, scales, columns, eps, BLOCK=triton.next_power_of_2(columns))
        ctx.save_for_backward(flat, weight, scales)
        return out.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        x, weight, scales = ctx.saved_tensors
        rows, columns = x.shape
        grad_x, grad_weight = torch.empty_like(x), torch.zeros_like(weight)
        rms_norm_backward[(rows,)](grad.contiguous(), x, weight, scales, grad_x, grad_weight, columns,
                                   BLOCK=triton.next_power_of_2(columns))
        return grad_x.view_as(grad), grad_weight, None


class SwiGLUOp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, gate, up):
        gate, up = gate.contiguous(), up.contiguous()
        out, n = torch.empty_like(gate), gate.numel()
        swiglu_forward[(triton.cdiv(n, 1024),)](gate, up, out, n, BLOCK=1024)
        ctx.save_for_backward(gate, up)
        return out

    @staticmethod
    def backward(ctx, grad):
        gate, up = ctx.saved_tensors
        grad_gate, grad_up, n = torch.empty_like(gate), torch.empty_like(up), gate.numel()
        swiglu_backward[(triton.cdiv(n, 1024),)](grad.contiguous(), gate, up, grad_gate, grad_up, n, BLOCK=1024)
        return grad_gate, grad_up


class CrossEntropyOp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits, labels):
        rows, columns = logits.shape
        losses, grad = torch.empty(rows, device=logits.device), torch.empty_like(logits)
        cross_entropy[(rows,)](logits.contiguous(), labels, losses, grad, rows, columns, BLOCK=triton.next_power_of_2(columns))
        ctx.save_for_backward(grad)
        return losses.mean()

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.saved_tensors[0], None


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        if x.is_cuda:
            return RMSNormOp.apply(x, self.weight, 1e-6)
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = Norm(width), Norm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.gate, self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(mixed)
        y = self.norm2(x)
        gate, up = self.gate(y), self.up(y)
        return x + self.down(SwiGLUOp.apply(gate, up) if x.is_cuda else F.silu(gate) * up)


class Transformer(nn.Module):
    def __init__(self, vocabulary=101, width=48, heads=3, layers=2):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = Norm(width), nn.Linear(width, vocabulary, bias=False)

    def forward(self, tokens):
        logits = self.head(self.norm(self.blocks(self.embedding(tokens[:, :-1])))).flatten(0, 1)
        labels = tokens[:, 1:].flatten()
        return CrossEntropyOp.apply(logits, labels) if logits.is_cuda else F.cross_entropy(logits, labels)


def train(device, steps=2):
    """The losses of the steps, and the weights after them."""
    torch.manual_seed(7)
    model, tokens = Transformer(), torch.randint(0, 101, (2, 17))
    model, tokens = model.to(device), tokens.to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = model(tokens)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses, {name: value.detach().cpu() for name, value in model.named_parameters()}


def check():
    """Two steps on "cuda" and on the CPU: the same losses within 1e-5, the same weights within 1e-6."""
    losses, weights = train("cuda")
    expected, right = train("cpu")
    torch.testing.assert_close(losses, expected, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(weights, right, rtol=0, atol=1e-6)
    return losses


if __name__ == "__main__":
    print("losses", *(f"{loss:.4f}" for loss in check()))
