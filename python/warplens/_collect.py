"""Where what launches cost is sent while a block runs."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator

from warplens._native import Place, WarplensError, native, program

_PRELOADED = ("LD_PRELOAD", "LD_AUDIT", "WARPLENS_SOCKET")  # by which 'warplens run' leads a program here
_INJECTED = ("CUDA_INJECTION64_PATH", "WARPLENS_PROBE_SANITIZER", "WARPLENS_PROBE_PATCHES", "WARPLENS_PROBE_FOLDER", "WARPLENS_PROBE_PROCESS")

_BLOCK = "WARPLENS_BLOCK"  # tells processes that are started in a block where its launches go

_places: list[Place] = []  # of the blocks that run, the innermost last


def _inherited() -> Place | None:
    """Of the block that this process was started in."""
    words = os.environ.get(_BLOCK, "").split("\n")
    return Place(*words) if len(words) == 3 and os.path.exists(words[0]) else None


_started_in = _inherited()


def join() -> None:
    """Launches of a process that was started in a block go there, once it has imported warplens."""
    if _started_in and not native().runs_under_warplens:
        native().record(_started_in)


def _tell(place: Place | None) -> None:
    if place:
        os.environ[_BLOCK] = "\n".join((place.socket, place.patches, place.folder))
    else:
        os.environ.pop(_BLOCK, None)


def _environment() -> dict[str, str]:
    """Of the collector, which launches nothing."""
    here = native()
    led = (*(_PRELOADED if here.runs_under_warplens else ()), *(_INJECTED if here.on == "gpu" else ()))
    return {name: value for name, value in os.environ.items() if name not in led}


def _outer() -> Place | None:
    """Where records go without a block of ours."""
    if _places:
        return _places[-1]
    if _started_in and os.path.exists(_started_in.socket):
        return _started_in
    return Place(os.environ["WARPLENS_SOCKET"]) if native().runs_under_warplens and "WARPLENS_SOCKET" in os.environ else None


@contextlib.contextmanager
def collect(path: pathlib.Path, name: str | None, *options: str) -> Iterator[None]:
    """Launches in the block, of all threads and forks, go into the profile `path`, and into no other; without any it is not made.

    name: what the profile says was run; without it, the script. options: of `warplens run`.
    """
    script = "notebook" if "ipykernel" in sys.modules else sys.argv[0] if sys.argv and sys.argv[0] else "python"
    # Collects in a process of its own, as for programs: what it does is what `warplens run` does. Its program only waits.
    where = ["--on", "gpu"] if native().on == "gpu" else ["--gpu", os.environ.get("WARPLENS_GPU", "h100")]
    try:
        collector = subprocess.Popen(
            [str(program()), "run", "-q", "--page", "none", "-o", str(path), "--as", name or script, *where, *options, "sh", "-c",
             'echo "$WARPLENS_SOCKET"; echo "$WARPLENS_PROBE_PATCHES"; echo "$WARPLENS_PROBE_FOLDER"; exec cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True, env=_environment())
    except RuntimeError as error:  # of Python: a sub-interpreter starts no processes
        raise WarplensError(f"a profile cannot be made here ({error}): make it in the main interpreter, whose block counts the launches of "
                            "all interpreters") from error
    assert collector.stdin and collector.stdout
    place = Place(*(collector.stdout.readline().rstrip("\n") for _ in range(3)))
    if not place.socket:
        raise WarplensError(f"{program()} run could not start (status {collector.wait()})")
    _places.append(place)
    try:
        native().record(place)
        _tell(place)
        yield
    finally:
        _places.pop()
        outer = _outer()
        native().record(outer)
        _tell(None if native().runs_under_warplens else outer)
        collector.stdin.close()
        collector.wait()
        collector.stdout.close()
