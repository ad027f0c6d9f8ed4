"""Versions of other packages that warplens was tried with. What it changes in them is theirs, and may change."""

from __future__ import annotations

import importlib.metadata
import re
import warnings

# Names of distributions, any of which brings the package, and the oldest and newest version that was tried, as far as it is compared
TRIED: dict[str, tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]] = {
    "triton.compiler.compiler": (("triton",), (3, 5), (3, 9)),
    "numba_cuda.numba.cuda.decorators": (("numba-cuda",), (0, 30), (0, 30)),
    "cupy": (("cupy-cuda13x", "cupy-cuda12x", "cupy"), (14, 2), (14, 2)),
    "cutlass.base_dsl.dsl": (("nvidia-cutlass-dsl",), (4, 8), (4, 8)),
    "cuda.tile": (("cuda-tile",), (1, 7), (1, 7)),
    "tilelang.contrib.nvcc": (("tilelang",), (0, 1, 15), (0, 1, 15)),
    "pycuda.compiler": (("pycuda",), (2026, 1), (2026, 1)),
    "jax._src.hardware_utils": (("jax",), (0, 10), (0, 10)),
    "torch": (("torch",), (2, 9), (2, 15)),
    "warp.config": (("warp-lang",), (1, 19), (1, 19)),
}


def _spelled(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def compared(name: str, version: str, oldest: tuple[int, ...], newest: tuple[int, ...]) -> str | None:
    """What is to be said of a version: that it is older or newer than what was tried, and what that was. None: it is neither."""
    numbers = tuple(map(int, re.findall(r"\d+", version)))[:len(oldest)]
    tried = " to ".join(_spelled(one) for one in sorted({oldest, newest}))
    if not numbers or oldest <= numbers <= newest:
        return None
    return f"{name} {version} is {'older' if numbers < oldest else 'newer'} than what warplens was tried with, {name} {tried}"


def warn(module: str) -> None:
    """When the module has been imported: a warning, if its package is of another version."""
    names, oldest, newest = TRIED[module]
    for name in names:
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        said = compared(name, version, oldest, newest)
        if said:
            warnings.warn(said, stacklevel=2)
        return
