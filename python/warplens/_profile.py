"""Profiles: what launches cost, by line of the source."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from warplens._collect import collect
from warplens._fix import Fix, read
from warplens._library import Shown
from warplens._native import WarplensError, native, program

_folder: pathlib.Path | None = None


def _remove(folder: pathlib.Path, process: int) -> None:
    if os.getpid() == process:  # and not a fork of it
        shutil.rmtree(folder, ignore_errors=True)


def _scratch() -> pathlib.Path:
    """A folder for profiles that were not saved, removed when this process ends."""
    global _folder
    if _folder is None:
        _folder = pathlib.Path(tempfile.mkdtemp(prefix="warplens-"))
        atexit.register(_remove, _folder, os.getpid())
    return _folder


@dataclass(frozen=True)
class Line:
    """A line of the source, with what its accesses cost in all launches of a kernel.

    Counts are sums over warps. Of an access of a perfect layout, `wavefronts == wavefronts_ideal` (shared memory; a wavefront is a
    cycle of its banks) and `sectors == sectors_ideal` (global memory; a sector is 32 bytes).
    """

    file: str | None  # None: a line of the PTX, which has no line information
    line: int
    text: str
    kernel: str
    launches: int
    wavefronts: int
    wavefronts_ideal: int
    sectors: int
    sectors_ideal: int
    counters: dict[str, int] = field(repr=False)  # all that are not zero, by the names of docs/profile-format.md

    @property
    def n_way(self) -> float:
        """Wavefronts for each that would do: 1.0 is free of bank conflicts."""
        return self.wavefronts / self.wavefronts_ideal if self.wavefronts_ideal else 1.0

    @property
    def sector_ratio(self) -> float:
        """Sectors for each that would do: 1.0 is coalesced."""
        return self.sectors / self.sectors_ideal if self.sectors_ideal else 1.0


@dataclass(frozen=True)
class Finding:
    """What costs more than it must, in one launch."""

    rule: str  # such as "bank-conflicts-load"
    title: str
    severity: str  # "low", "medium", "high"
    message: str
    advice: str
    kernel: str
    launch: int
    file: str | None
    line: int  # the worst one
    share: float  # of all wavefronts and sectors of the launch, 0 to 1
    excess: int
    unit: str  # "wavefronts", "sectors"


@dataclass(frozen=True)
class Check:
    """Whether all lines are within limits; true if they are."""

    passed: bool
    message: str  # the lines beyond, as `warplens check` prints them

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True)
class Diff:
    """What has changed from one profile to another."""

    text: str
    before: pathlib.Path
    after: pathlib.Path
    _shown: tuple[Shown, Shown] = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def document(self) -> dict[str, Any]:
        """As docs/diff.schema.json describes it."""
        document: dict[str, Any] = json.loads(self._shown[1].diff(self._shown[0], "json"))
        return document

    def _repr_html_(self) -> str:
        return _frame(self._shown[1].diff(self._shown[0], "html"))


@dataclass(frozen=True)
class Explanation:
    """How one recorded access of a warp is served: which lane goes to which bank, or sector, in which wavefront."""

    text: str
    svg: str
    document: dict[str, Any]  # docs/explain.schema.json

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return self.svg


def _frame(page: str) -> str:
    escaped = page.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{escaped}" style="width:100%;height:640px;border:0" sandbox="allow-scripts"></iframe>'


class Profile:
    """Launches with their counts. Of `warplens.profile()`, once its block has ended; or of a file, by `warplens.load`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = pathlib.Path(path)

    @cached_property
    def _shown(self) -> Shown:
        return Shown(self.path)

    @property
    def on(self) -> str | None:
        """Where its launches were counted: "cpu" or "gpu"; None: it has none."""
        launches = self.document["launches"]
        return ("gpu" if launches[0].get("ran_on") else "cpu") if launches else None

    @cached_property
    def document(self) -> dict[str, Any]:
        """All of it, as docs/report.schema.json describes it."""
        if not self.path.exists():
            return {"launches": [], "kernels": [], "files": [], "rules": [], "counters": []}
        document: dict[str, Any] = json.loads(self._shown.page("json"))
        return document

    def __len__(self) -> int:
        """How many launches it has."""
        return len(self.document["launches"])

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self._shown.page("term", "summary") if self.path.exists() else "no kernel was launched\n"

    __repr__ = __str__

    def _place(self, row: dict[str, Any]) -> tuple[str | None, str]:
        if row.get("file") is None:
            return None, ""
        file = self.document["files"][row["file"]]
        lines = (file["text"] or "").split("\n")
        return file["path"], lines[row["line"] - 1].rstrip("\r") if row["line"] <= len(lines) else ""

    def lines(self) -> list[Line]:
        """Lines that access memory, of all launches of a kernel together; those that lose most come first."""
        sums: dict[tuple[int, Any, int], tuple[dict[str, int], dict[str, Any], int]] = {}
        for launch in self.document["launches"]:
            for row in launch["lines"]:
                if not row["own"]:
                    continue
                key = (launch["kernel"], row.get("file"), row["line"])
                counters, _, launches = sums.get(key, ({}, row, 0))
                for name, value in row["own"].items():
                    counters[name] = counters.get(name, 0) + value
                sums[key] = (counters, row, launches + 1)
        lines = []
        for (kernel, _, number), (counters, row, launches) in sums.items():
            file, text = self._place(row)
            get = counters.get
            lines.append(Line(file, number, text, self.document["kernels"][kernel]["short"], launches,
                              get("wavefronts", 0), get("wavefronts_ideal", 0), get("sectors", 0), get("sectors_ideal", 0),
                              counters))
        return sorted(lines, key=lambda line: (line.wavefronts_ideal - line.wavefronts + line.sectors_ideal - line.sectors,
                                               line.kernel, line.file or "", line.line))

    @property
    def findings(self) -> list[Finding]:
        """What costs more than it must: the worst of each launch first."""
        rules = {rule["name"]: rule for rule in self.document["rules"]}
        found = []
        for number, launch in enumerate(self.document["launches"]):
            for row in launch["findings"]:
                worst: dict[str, Any] = row["lines"][0] if row["lines"] else {"file": None, "line": 0}
                rule = rules[row["rule"]]
                found.append(Finding(row["rule"], rule["title"], row["severity"], row["message"], rule["advice"],
                                     self.document["kernels"][launch["kernel"]]["short"], number, self._place(worst)[0],
                                     worst["line"], row["share"], row["excess"], row["unit"]))
        return found

    def to_dataframe(self) -> Any:
        """`lines()` as a pandas.DataFrame with a column for each member; without pandas, a dict of lists."""
        names = ["kernel", "file", "line", "text", "launches", "wavefronts", "wavefronts_ideal", "n_way", "sectors",
                 "sectors_ideal", "sector_ratio"]
        columns: dict[str, list[Any]] = {name: [getattr(line, name) for line in self.lines()] for name in names}
        try:
            import pandas  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            return columns
        return pandas.DataFrame(columns)

    def check(self, max_nway: float | None = None, max_sector_ratio: float | None = None) -> Check:
        """Judges each line as `warplens check` does: wavefronts and sectors relative to what would do.

        Without limits, 1.1 times the wavefronts and 1.5 times the sectors. A launch that faulted fails.
        """
        if not self.path.exists():
            return Check(False, "no kernel was launched")
        if 0 in (max_nway, max_sector_ratio):
            raise WarplensError("0 is no limit: a number of at least 1")
        passed, message = self._shown.check(max_nway or 0, max_sector_ratio or 0)
        return Check(passed, message.strip())

    def fix(self, array: str | None = None, kernel: str | None = None) -> Fix:
        """Layouts of shared arrays that cost fewer wavefronts, as `warplens fix` finds them; nothing is run.

        array: the one of that name, as `warplens fix` prints it (compilers of Python give their own: `global_smem`, `_cudapy_smem_1`);
        kernel: of the kernel with that in its name. WarplensError: there is none.
        """
        if not self.path.exists():
            return Fix()
        ran = subprocess.run([str(program()), "fix", str(self.path), "--format=json", *(["-k", kernel] if kernel else [])],
                             capture_output=True, text=True, check=False)
        if ran.returncode:
            raise WarplensError(ran.stderr.strip() or f"warplens ended with status {ran.returncode}")
        short = {row["name"]: row["short"] for row in self.document["kernels"]}
        found = read(json.loads(ran.stdout), short)
        named = Fix(one for one in found if array in (None, one.name, one.symbols[1]))
        if array and not named:
            there = ", ".join(f"'{one.name}' of {one.kernel}" for one in found)
            raise WarplensError(f"no kernel that was launched accesses a shared array '{array}'"
                                + (f"; there are: {there}" if there else ""))
        return named

    def diff(self, other: Profile) -> Diff:
        """What has changed since `other`: `new.diff(old)`."""
        shown = (other._shown, self._shown)
        return Diff(shown[1].diff(shown[0], "term"), other.path, self.path, shown)

    def explain(self, line: str | int | None = None, kernel: str | None = None, launch: int | None = None, pattern: int = 0) -> Explanation:
        """A recorded access, lane by lane, as `warplens explain` shows it; a picture in a notebook.

        line: "column.py:3" or 3, of which it is the most frequent access; without it, the costliest of all. kernel, launch: of these alone.
        pattern: another of those that differ, from 1 on. WarplensError: nothing was recorded there.
        """
        if not self.path.exists():
            raise WarplensError("no kernel was launched: there is nothing to explain")
        text, svg, document = (self._shown.explain(name, None if line is None else str(line), kernel, launch, pattern)
                               for name in ("term", "svg", "json"))
        return Explanation(text, svg, json.loads(document))

    def save(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Writes it to a file for `warplens.load` and `warplens report`."""
        if not self.path.exists():
            raise WarplensError("no kernel was launched: there is nothing to save")
        return pathlib.Path(shutil.copyfile(self.path, path))

    def html(self) -> str:
        """The page, one file with everything in it."""
        if not self.path.exists():
            return "<p>no kernel was launched</p>"
        return self._shown.page("html")

    def _repr_html_(self) -> str:
        return _frame(self.html())


def load(path: str | os.PathLike[str]) -> Profile:
    """A profile that was saved. WarplensError: it cannot be read."""
    if not pathlib.Path(path).exists():
        raise WarplensError(f"{os.fspath(path)}: there is no such file")
    loaded = Profile(path)
    loaded.document  # noqa: B018 - reads it, and fails here if it is none
    return loaded


_active = False


def _check_place(on: str | None) -> None:
    here = native().on
    if on not in (None, "cpu", "gpu", "auto"):
        raise ValueError(f"on={on!r}: expected 'cpu', 'gpu' or 'auto'")
    if on not in (None, "auto", here):
        raise WarplensError(f"this process counts on the {here.upper()}, which is chosen when warplens is imported: set WARPLENS_ON={on} "
                            "before that")


def _new() -> Profile:
    return Profile(pathlib.Path(tempfile.mkdtemp(dir=_scratch())) / "profile.wlp")


@contextlib.contextmanager
def profile(name: str | None = None, layouts: Fix | None = None, on: str | None = None) -> Iterator[Profile]:
    """Counts what kernels cost that are launched in its block, by all threads of this process, its forks, and processes
    that are started in it and import warplens.

    name: what the page says was run; without it, the script. layouts: of shared arrays, which kernels have meanwhile. on: "cpu" or
    "gpu", where this process must count (WARPLENS_ON chooses when warplens is imported), or "auto", either; what it yields says which
    in `on`, and has counts once the block has ended.

        with warplens.profile() as p:
            kernel[grid](x, y)
        print(p)
    """
    global _active
    here = native()
    _check_place(on)
    if here.runs_under_warplens:
        raise WarplensError("this program runs under 'warplens run', which profiles all of it: use one or the other")
    if _active:
        raise WarplensError("a profile is being made already: they do not nest")
    made = _new()
    _active = True
    try:
        with collect(made.path, name):
            if layouts:
                here.layouts(layouts.layouts)
            yield made
    finally:
        _active = False
        if layouts:
            here.layouts(None)


def measure(run: Callable[[], object]) -> Profile:
    """What the launches of run() cost. They are in no other profile: this may be called while one is made. Machine code is not asked."""
    made = _new()
    with collect(made.path, "measure", "--no-sass"):
        run()
    return made
