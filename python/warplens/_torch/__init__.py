"""PyTorch: its own operators on "cuda" tensors run on the CPU, over the same bytes.

PyTorch's kernels are machine code without PTX, so no simulator of PTX can run them. Device memory is memory of the process, though: for
each operator that has a kernel for CUDA, `operators` puts one in its place that makes CPU tensors over the CUDA tensors' bytes
(`tensors`), calls the CPU's kernel in the stream's order (`queue`), and gives CUDA tensors back. The kernels of Triton, of
torch.compile and of extensions run as they are, and are counted; these operators are listed in the profile as run on the host.
"""

from __future__ import annotations

from types import ModuleType

from warplens._native import Native, WarplensError
from warplens._tried import TRIED, compared

def check(version: str) -> None:
    """WarplensError: it is older than what was tried. Of a newer one there is a warning already."""
    _, oldest, newest = TRIED["torch"]
    said = compared("torch", version, oldest, newest)
    if said and "older" in said:
        raise WarplensError(f"{said}: it is too old")


def install(torch: ModuleType, native: Native) -> None:
    """When torch was imported: its operators for CUDA. A build without CUDA, which has none, is left alone."""
    if torch.version.cuda is None:
        return
    check(torch.__version__)
    from warplens._torch.operators import replace

    replace(native)
