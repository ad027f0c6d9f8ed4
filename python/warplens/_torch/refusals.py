"""Operators that cannot run here: by name, with what to do."""

from __future__ import annotations

import re
from typing import Any

import torch

ADVICE = (
    (r"attention", "let PyTorch choose another: torch.nn.attention.sdpa_kernel(SDPBackend.MATH), which is what warplens sets"),
    (r"cudnn", "let PyTorch choose another: torch.backends.cudnn.enabled = False, which is what warplens sets"),
    (r"miopen", "it is for AMD's GPUs"),
    (r"symm_mem|nccl|nvshmem", "it takes several GPUs"),
    (r"batch_norm_(stats|gather|elemt|backward)", "use torch.nn.BatchNorm, whose statistics are those of one device"),
    (r"", "use operators that have one, or write it as a kernel (Triton), which runs and is counted"),
)


def refuse(name: str) -> Any:
    """What runs instead of the operator: an error."""
    advice = next(text for pattern, text in ADVICE if re.search(pattern, name))

    def run(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"warplens: {name} cannot run: PyTorch {torch.__version__} has a kernel for CUDA alone, which is machine "
                                  f"code, and none for the CPU. Instead, {advice}")

    return run
