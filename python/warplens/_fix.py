"""Layouts of shared arrays that cost fewer wavefronts, and what of them can be written in Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# What each tool lets a source say of a shared array, by the name that its compiler gives the array: the beginning of it.
_WRITTEN = {
    "global_smem": "Triton lays out shared memory by itself, and this is all of it: the source cannot declare the layout. What changes "
                   "it: the block sizes, num_warps, the order of dimensions that is loaded. In Gluon a SwizzledSharedLayout or "
                   "PaddedSharedLayout says it.",
    "_cudapy_smem": "In Numba: padding is the shape's last extent, as in cuda.shared.array((32, 33), ...) for rows of 32; an XOR is in "
                    "each index of the array.",
    "__dynamic_shmem__": "In CuTe DSL: the layout of the tensor in shared memory, cute.make_composed_layout(cute.make_swizzle(B, M, S), 0, "
                         "...) for a swizzle.",
    "buf_dyn_shmem": "In TileLang: T.annotate_layout({tile: T.Layout(...)}), or tilelang.layout.make_swizzled_layout(tile).",
}
_SOURCE = "In CUDA source: 'warplens fix --patch' writes it for a kernel of a file; in an index, by hand."
_VERDICTS = {
    "ideal": "nothing to fix: no access to it has a conflict",
    "words": "no layout helps: each access takes as many wavefronts wherever its words are",
    "data": "no layout helps: the addresses depend on data",
    "none": "no padding, swizzle, XOR map or transposition saves a tenth of the excess",
}


@dataclass(frozen=True)
class Layout:
    """A layout that was found. `wavefronts` are of the recorded accesses to the array."""

    words: str  # such as "Swizzle<5,0,5>: i ^ (i >> 5 & 31)"
    layout: str  # as `warplens` reads it
    wavefronts: int
    bytes: int
    blocks_per_sm: int
    chosen: bool  # what changes the source least of those that save most, if a block has room for it
    id: str = ""  # kernel/array/layout: the same in every run
    cost: dict[str, Any] | None = None  # of the kernel with it written into its source; None: it was not tried


@dataclass(frozen=True)
class ArrayFix:
    """A shared array of a kernel: what it costs as it is, and what else it could be."""

    name: str
    kernel: str
    bytes: int
    wavefronts: int
    ideal: int
    verdict: str  # "found", or why nothing was: "ideal", "words", "data", "none"
    layouts: list[Layout]  # the cheapest first
    remedies: dict[str, int | None]  # what people do first, where it is not as good: its wavefronts; None: impossible
    how: str  # what of it can be written, and where
    symbols: tuple[str, str]  # of the kernel and the array in the PTX

    @property
    def best(self) -> Layout | None:
        """The chosen layout; None: it stays as it is."""
        return next((layout for layout in self.layouts if layout.chosen), None)

    def __str__(self) -> str:
        def row(mark: str, words: str, wavefronts: int, size: int) -> str:
            return f"  {mark} {words:<48} {wavefronts:>12,} {wavefronts / max(self.ideal, 1):>7.1f}-way {size:>10,} bytes\n"

        text = f"{self.name} of {self.kernel}\n" + row(" ", "as it is", self.wavefronts, self.bytes)
        text += "".join(row("*" if one.chosen else " ", one.words, one.wavefronts, one.bytes) for one in self.layouts)
        for words, wavefronts in self.remedies.items():
            text += f"    {words}: " + ("impossible\n" if wavefronts is None else f"{wavefronts:,} wavefronts\n")
        return text + (f"    {self.how}\n" if self.layouts else f"    {_VERDICTS.get(self.verdict, self.verdict)}\n")


class Fix(list[ArrayFix]):
    """The shared arrays that were asked for. Promises are for the accesses that were recorded; `warplens.profile(layouts=fix)` counts
    kernels with the layouts in place, their code untouched, and so proves them: the results must be the same."""

    @property
    def layouts(self) -> str:
        """Of all arrays that have a better one, as the library reads it."""
        return "".join(f"{one.symbols[0]} {one.symbols[1]} {one.best.layout};" for one in self if one.best)

    def __str__(self) -> str:
        return "\n".join(map(str, self)) if self else "no kernel that was launched accesses a shared array\n"

    __repr__ = __str__


def read(document: dict[str, Any], short: dict[str, str]) -> Fix:
    """From the document of `warplens fix --format=json` (docs/fix.schema.json); `short` has short names of kernels."""
    found = Fix()
    for kernel in document["kernels"]:
        for row in kernel["arrays"]:
            how = next((text for start, text in _WRITTEN.items() if row["symbol"].startswith(start)), _SOURCE)
            found.append(ArrayFix(row["name"], short.get(kernel["symbol"], kernel["kernel"]), row["bytes"], row["wavefronts"],
                                  row["ideal"], row["verdict"], [Layout(**layout) for layout in row["layouts"]],
                                  {remedy["words"]: remedy["wavefronts"] for remedy in row["remedies"]}, how,
                                  (kernel["symbol"], row["symbol"])))
    return found
