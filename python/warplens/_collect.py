"""Where what launches cost is sent while a block runs."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

from warplens._native import WarplensError, native, program

_PRELOADED = ("LD_PRELOAD", "LD_AUDIT", "WARPLENS_SOCKET")  # by which 'warplens run' leads a program here

_sockets: list[str] = []  # of the blocks that run, the innermost last


def _environment() -> dict[str, str]:
    """Of the collector, which launches nothing."""
    under = native().runs_under_warplens
    return {name: value for name, value in os.environ.items() if not (under and name in _PRELOADED)}


def _outer() -> str | None:
    """Where records go without a block of ours."""
    return _sockets[-1] if _sockets else os.environ.get("WARPLENS_SOCKET") if native().runs_under_warplens else None


@contextlib.contextmanager
def collect(path: pathlib.Path, name: str | None, *options: str) -> Iterator[None]:
    """Launches in the block, of all threads and forks, go into the profile `path`, and into no other; without any it is not made.

    name: what the profile says was run; without it, the script. options: of `warplens run`.
    """
    script = "notebook" if "ipykernel" in sys.modules else sys.argv[0] if sys.argv and sys.argv[0] else "python"
    # Collects in a process of its own, as for programs: what it does is what `warplens run` does. Its program only waits.
    collector = subprocess.Popen(
        [str(program()), "run", "-q", "--page", "none", "-o", str(path), "--as", name or script, "--gpu",
         os.environ.get("WARPLENS_GPU", "h100"), *options, "sh", "-c", 'echo "$WARPLENS_SOCKET"; exec cat'],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True, env=_environment())
    assert collector.stdin and collector.stdout
    socket = collector.stdout.readline().strip()
    if not socket:
        raise WarplensError(f"{program()} run could not start (status {collector.wait()})")
    _sockets.append(socket)
    try:
        native().record(socket)
        yield
    finally:
        _sockets.pop()
        native().record(_outer())
        collector.stdin.close()
        collector.wait()
        collector.stdout.close()
