"""The machine's own GPU in the place of the library that stands for CUDA's: launches are counted there, as `warplens run --on gpu` does."""

from __future__ import annotations

import ctypes
import os
import pathlib
import subprocess
import sys

from warplens._native import THEIRS, Place, WarplensError, libraries_loaded, library, program

PROBE = "libwarplens-probe.so"
INJECTION = "CUDA_INJECTION64_PATH"


def is_watched_by_run() -> bool:
    """Whether this process runs under `warplens run --on gpu`."""
    return pathlib.Path(os.environ.get(INJECTION, "")).name == PROBE and "WARPLENS_SOCKET" in os.environ


def find(where: str) -> str | None:
    """The library that counts, as the program finds it; None, with "auto": it cannot be counted here, which was said. WarplensError: likewise,
    with "gpu"."""
    ran = subprocess.run([str(program()), "run", "--on", where, "--no-save", "--page=none", "sh", "-c", 'echo "$WARPLENS_PROBE_SANITIZER"'],
                         capture_output=True, text=True, check=False)
    if ran.returncode:
        raise WarplensError(ran.stderr.strip().removeprefix("warplens: error: ") + "; or unset WARPLENS_ON, and count on the CPU")
    said = next((line for line in ran.stderr.splitlines() if "runs on the " in line), None)
    if where == "auto" and said and not os.environ.get("WARPLENS_QUIET"):
        print(said, file=sys.stderr)
    return ran.stdout.strip() or None


class OnGpu:
    """As `Native`, for a process whose GPU is the machine's."""

    on = "gpu"

    def __init__(self, sanitizer: str | None) -> None:
        """sanitizer: the library that counts; None: `warplens run --on gpu` has seen to it."""
        self.runs_under_warplens = sanitizer is None
        self.path = library().parent / PROBE
        if sanitizer is None:
            return
        theirs = sorted(file for file in libraries_loaded() if pathlib.Path(file).name.startswith(THEIRS[0]))
        if theirs:
            raise WarplensError(f"{theirs[0]} is loaded already: 'import warplens' must come before torch, cupy and whatever else opens CUDA")
        # The driver loads the library when it begins. Processes that this one starts see that they are not meant.
        os.environ.update({INJECTION: str(self.path), "WARPLENS_PROBE_SANITIZER": sanitizer, "WARPLENS_PROBE_PROCESS": str(os.getpid())})
        self._library = ctypes.CDLL(str(self.path))
        self._library.warplens_probe_record.restype = ctypes.c_bool
        self._library.warplens_probe_record.argtypes = [ctypes.c_char_p] * 3

    def record(self, place: Place | None) -> None:
        """Launches are counted and sent to `place` from now on; None: they just run."""
        words = [word.encode() for word in (place.socket, place.patches, place.folder)] if place else [None] * 3
        if not self._library.warplens_probe_record(*words):
            raise WarplensError(f"{place and place.socket}: the path of the socket is too long")

    def layouts(self, layouts: str | None) -> None:
        """WarplensError: machine code is executed as it is."""
        if layouts is not None:
            raise WarplensError("layouts are tried on the CPU: the GPU executes the kernels' machine code as it is")

    def tile_launches(self) -> None:
        """The driver sees to it."""

    def clock_khz(self) -> int:
        """Of the CPU's bounds alone."""
        raise WarplensError("on the GPU there is time to be measured, and no bound by counts")

    def range_push(self, name: str) -> None:
        """Launches on a GPU have no ranges yet."""

    def range_pop(self) -> None:
        """Launches on a GPU have no ranges yet."""

    def objects_changed(self) -> None:
        """The driver is NVIDIA's, and so are the runtimes."""
