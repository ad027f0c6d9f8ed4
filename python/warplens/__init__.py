"""Bank conflicts and uncoalesced accesses of CUDA kernels, by line of Python, on a machine without a GPU.

    import warplens                     # before torch: there is a GPU now, and it counts

    with warplens.profile() as p:
        kernel[grid](x, y, out, n, BLOCK=1024)

    p                                   # the page in a notebook; the summary in a terminal
    p.lines()                           # each line with its wavefronts and sectors, and how many would do
    p.findings; p.check(max_nway=1)     # what to change; whether lines are within limits
    p.save("kernel.wlp")

`python -m warplens script.py` profiles a whole script, as `warplens run python script.py` does.
"""

import sys as _sys

from warplens._collect import join as _join
from warplens._fix import ArrayFix, Fix, Layout
from warplens._hooks import install as _install
from warplens._native import WarplensError, program
from warplens._native import native as _native
from warplens._profile import Check, Diff, Explanation, Finding, Line, Profile, load, profile
from warplens._ranges import annotate
from warplens._tune import KEYS, Bound, Counts, Ranking, Trial, tune

__all__ = ["KEYS", "ArrayFix", "Bound", "Check", "Counts", "Diff", "Explanation", "Finding", "Fix", "Layout", "Line", "Profile", "Ranking", "Trial",
           "WarplensError", "annotate", "load", "on", "profile", "program", "tune"]
__version__ = "0.1.0"

# Where `python -m warplens` looks for the package, the process only starts another.
if not (_sys.argv[:1] == ["-m"] and ["-m", "warplens"] in [_sys.orig_argv[i:i + 2] for i in range(len(_sys.orig_argv))]):
    _install(_native())
    _join()


def on() -> str:
    """Where kernels of this process run and are counted: "cpu", or "gpu", as WARPLENS_ON chose when warplens was imported."""
    return _native().on


def load_ipython_extension(shell: object) -> None:
    """`%load_ext warplens`"""
    from warplens._ipython import register

    register(shell)
