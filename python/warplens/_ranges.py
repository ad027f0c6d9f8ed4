"""Names for launches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from warplens._native import native


@contextlib.contextmanager
def annotate(name: str) -> Iterator[None]:
    """Launches of this thread in the block carry the name in their `range`, as in an NVTX range of that name."""
    native().range_push(name)
    try:
        yield
    finally:
        native().range_pop()
