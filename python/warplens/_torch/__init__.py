"""PyTorch: its own operators on "cuda" tensors run on the CPU, over the same bytes.

PyTorch's kernels are machine code without PTX, so no simulator of PTX can run them. Device memory is memory of the process, though: for
each operator that has a kernel for CUDA, `operators` puts one in its place that makes CPU tensors over the CUDA tensors' bytes
(`tensors`), calls the CPU's kernel in the stream's order (`queue`), and gives CUDA tensors back. The kernels of Triton, of
torch.compile and of extensions run as they are, and are counted; these operators are listed in the profile as run on the host.
"""

from __future__ import annotations

import warnings
from types import ModuleType
from typing import Any

from warplens._native import Native, WarplensError

OLDEST, NEWEST = (2, 9), (2, 15)  # tried


def _version(torch: Any) -> tuple[int, int]:
    major, minor = str(torch.__version__).split(".")[:2]
    return int(major), int(minor)


def check(torch: Any) -> None:
    """WarplensError: it is older than what was tried. A warning: newer."""
    version = _version(torch)
    tried = " to ".join(f"{major}.{minor}" for major, minor in sorted({OLDEST, NEWEST}))
    if version < OLDEST:
        raise WarplensError(f"torch {torch.__version__} is too old for warplens, which was tried with torch {tried}")
    if version > NEWEST:
        warnings.warn(f"torch {torch.__version__} is newer than what warplens was tried with, torch {tried}", stacklevel=2)


def install(torch: ModuleType, native: Native) -> None:
    """When torch was imported: its operators for CUDA. A build without CUDA, which has none, is left alone."""
    if torch.version.cuda is None:
        return
    check(torch)
    from warplens._torch.operators import replace

    replace(native)
