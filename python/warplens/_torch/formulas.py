"""Operators that have a kernel for CUDA alone and that PyTorch chooses by itself: by operators that the CPU has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

Tensor = torch.Tensor


def _with(gates: Tensor, bias: Tensor | None) -> Tensor:
    return gates if bias is None else gates + bias


def lstm_cell(input_gates: Tensor, hidden_gates: Tensor, cx: Tensor, input_bias: Tensor | None = None,
              hidden_bias: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """The new h and c, and the four gates for the way back."""
    i, f, g, o = (_with(input_gates, input_bias) + _with(hidden_gates, hidden_bias)).chunk(4, 1)
    gates = torch.cat([i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()], 1)
    i, f, g, o = gates.chunk(4, 1)
    cy = f * cx + i * g
    return o * cy.tanh(), cy, gates


def lstm_cell_backward(grad_hy: Tensor | None, grad_cy: Tensor | None, cx: Tensor, cy: Tensor, gates: Tensor,
                       has_bias: bool) -> tuple[Tensor, Tensor, Tensor]:
    i, f, g, o = gates.chunk(4, 1)
    hy = torch.zeros_like(cx) if grad_hy is None else grad_hy
    tanh = cy.tanh()
    c = hy * o * (1 - tanh * tanh) + (0 if grad_cy is None else grad_cy)
    grad = torch.cat([c * g * i * (1 - i), c * cx * f * (1 - f), c * i * (1 - g * g), hy * tanh * o * (1 - o)], 1)
    return grad, c * f, grad.sum(0) if has_bias else torch.empty(0, dtype=grad.dtype, device=grad.device)


def gru_cell(input_gates: Tensor, hidden_gates: Tensor, hx: Tensor, input_bias: Tensor | None = None,
             hidden_bias: Tensor | None = None) -> tuple[Tensor, Tensor]:
    """The new h, and for the way back r, z, n, h and what r was multiplied with."""
    ir, iz, inew = _with(input_gates, input_bias).chunk(3, 1)
    hr, hz, hnew = _with(hidden_gates, hidden_bias).chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    n = (inew + r * hnew).tanh()
    return n + z * (hx - n), torch.cat([r, z, n, hx, hnew], 1)


def gru_cell_backward(grad_hy: Tensor, kept: Tensor, has_bias: bool) -> tuple[Tensor | None, ...]:
    r, z, n, hx, hnew = kept.chunk(5, 1)
    dn = grad_hy * (1 - z) * (1 - n * n)
    dr, dz = dn * hnew * r * (1 - r), grad_hy * (hx - n) * z * (1 - z)
    of_input, of_hidden = torch.cat([dr, dz, dn], 1), torch.cat([dr, dz, dn * r], 1)
    biases = (of_input.sum(0), of_hidden.sum(0)) if has_bias else (None, None)
    return of_input, of_hidden, grad_hy * z, *biases


def mm_dtype(a: Tensor, b: Tensor, out_dtype: torch.dtype) -> Tensor:
    """A product that is summed up and kept in another type."""
    return a.to(out_dtype) @ b.to(out_dtype)


def no(*args: Any, **kwargs: Any) -> bool:
    """Whether cuDNN or MIOpen shall do it."""
    return False


FORMULAS: dict[str, Callable[..., Any]] = {
    "aten::_thnn_fused_lstm_cell": lstm_cell,
    "aten::_thnn_fused_lstm_cell_backward_impl": lstm_cell_backward,
    "aten::_thnn_fused_gru_cell": gru_cell,
    "aten::_thnn_fused_gru_cell_backward": gru_cell_backward,
    "aten::mm.dtype": mm_dtype,
    "aten::bmm.dtype": mm_dtype,
    "aten::_masked_scale": lambda x, mask, scale: x * mask * scale,
    "aten::_use_cudnn_ctc_loss": no,
    "aten::_use_cudnn_ctc_loss.Tensor": no,
    "aten::_use_miopen_ctc_loss": no,
    "aten::_use_miopen_ctc_loss.Tensor": no,
}
