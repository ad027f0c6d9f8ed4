"""Triton's configurations ranked by what they cost, and what its benchmarks say where there is no GPU to time."""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from warplens._native import WarplensError, native
from warplens._profile import Profile, measure


@dataclass(frozen=True)
class Counts:
    """Sums over launches. `cycles` is a bound and no time: of each launch what the stage of an SM that is busy longest needs at least,
    without latencies, misses of caches and barriers, and without the tensor cores' work; 0 where the GPU's stages are not known."""

    cycles: int
    wavefronts: int
    wavefronts_ideal: int
    sectors: int
    sectors_ideal: int
    instructions: int  # of PTX, by warps; 0 where it was counted on a GPU, as for threads
    thread_instructions: int
    launches: int

    @property
    def excess(self) -> int:
        """Wavefronts and sectors beyond what would do."""
        return self.wavefronts - self.wavefronts_ideal + self.sectors - self.sectors_ideal


def counts_of(made: Profile) -> Counts:
    """Of all its launches. WarplensError: one faulted."""
    launches = made.document["launches"]
    for launch in launches:
        if launch["fault"]:
            raise WarplensError(launch["fault"])

    def counter(name: str) -> int:
        return sum(launch["all"].get(name, 0) for launch in launches)

    return Counts(sum(max((stage["least"] for stage in launch["stages"]), default=0) for launch in launches),
                  counter("wavefronts"), counter("wavefronts_ideal"), counter("sectors"), counter("sectors_ideal"),
                  sum(launch["warp_insts"] or 0 for launch in launches), sum(launch["thread_insts"] or 0 for launch in launches),
                  len(launches))


# ---- tune ----

KEYS = ("cycles", "wavefronts", "sectors", "instructions", "thread_instructions", "excess")


@dataclass(frozen=True)
class Trial:
    """A configuration that was run once."""

    config: Any  # as it was given: triton.Config, or a dict
    counts: Counts | None  # None: it did not run
    profile: Profile | None
    error: str | None  # why it did not


class Ranking(list[Trial]):
    """Trials, the best first; those that did not run come last."""

    @property
    def best(self) -> Any:
        """The configuration that costs least. WarplensError: none ran."""
        if not self or self[0].counts is None:
            raise WarplensError("no configuration ran: " + "; ".join(f"{one.config}: {one.error}" for one in self))
        return self[0].config

    def __str__(self) -> str:
        head = f"{'cycles':>10} {'wavefronts':>12} {'ideal':>12} {'sectors':>12} {'ideal':>12} {'instructions':>13}  configuration\n"
        for trial in self:
            c = trial.counts
            head += (f"{c.cycles:>10,} {c.wavefronts:>12,} {c.wavefronts_ideal:>12,} {c.sectors:>12,} {c.sectors_ideal:>12,} "
                     f"{c.instructions:>13,}  {trial.config}\n" if c else f"{'did not run':>76}  {trial.config}: {trial.error}\n")
        return head + "cycles: at least, of the stage that is busy longest; no time that a GPU takes\n"

    __repr__ = __str__


def _options(config: Any) -> dict[str, Any]:
    """What the kernel is called with."""
    if isinstance(config, dict):
        return config
    if hasattr(config, "all_kwargs"):
        options: dict[str, Any] = config.all_kwargs()
        return options
    raise TypeError(f"a configuration is a triton.Config or a dict of the kernel's keyword arguments, not {config!r}")


def _key(key: str | Callable[[Counts], Any]) -> Callable[[Counts], Any]:
    if callable(key):
        return key
    if key not in KEYS:
        raise ValueError(f"key={key!r}: expected one of {', '.join(KEYS)}, or a function of warplens.Counts")
    # among equals, what the others say
    return lambda counts: (getattr(counts, key), counts.cycles, counts.wavefronts + counts.sectors, counts.instructions)


class Tuner:
    """`tuner[grid](arguments)` runs each configuration once and returns the ranking. WarplensError: the kernel faulted."""

    def __init__(self, kernel: Any, configs: Sequence[Any], key: str | Callable[[Counts], Any], prepare: Callable[[], object] | None):
        self._kernel, self._configs, self._key, self._prepare = kernel, configs, _key(key), prepare

    def __getitem__(self, grid: Any) -> Callable[..., Ranking]:
        return functools.partial(self._run, grid)

    def _try(self, config: Any, grid: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Trial:
        options = kwargs | _options(config)
        if self._prepare:
            self._prepare()
        if getattr(config, "pre_hook", None):
            config.pre_hook(dict(zip(getattr(self._kernel, "arg_names", ()), args)) | options)
        try:
            made = measure(lambda: self._kernel[grid](*args, **options))
        except Exception as error:
            if not isinstance(error, _refusals()):
                raise
            return Trial(config, None, None, _message(error))
        try:
            counts = counts_of(made)
        except WarplensError as error:  # after which the process can launch nothing more, as on a GPU
            raise WarplensError(f"{config}: {error}") from error
        if counts.launches == 0:
            return Trial(config, None, None, "no kernel was launched")
        return Trial(config, counts, made, None)

    def _run(self, grid: Any, *args: Any, **kwargs: Any) -> Ranking:
        trials = []
        for number, config in enumerate(self._configs, 1):
            if sys.stderr.isatty():
                print(f"\rwarplens: configuration {number} of {len(self._configs)}", end="", file=sys.stderr)
            trials.append(self._try(config, grid, args, kwargs))
        if sys.stderr.isatty():
            print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
        ran = [trial for trial in trials if trial.counts]
        ran.sort(key=lambda trial: self._key(trial.counts))  # type: ignore[arg-type]
        return Ranking(ran + [trial for trial in trials if not trial.counts])


def _refusals() -> tuple[type[Exception], ...]:
    """What Triton says of a configuration that it cannot compile, or that the GPU has no room for."""
    try:
        from triton.errors import TritonError  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return (RuntimeError, ValueError)
    return (RuntimeError, ValueError, TritonError)


def _message(error: Exception) -> str:
    """In a line: errors of Triton's compiler end with it, below the source."""
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    return lines[-1] if lines else type(error).__name__


def tune(kernel: Any, configs: Iterable[Any] | None = None, key: str | Callable[[Counts], Any] = "cycles",
         prepare: Callable[[], object] | None = None) -> Tuner:
    """Ranks configurations of a Triton kernel by their counts, without a GPU.

        ranking = warplens.tune(kernel, [triton.Config({"BLOCK": 64}, num_warps=2), {"BLOCK": 128}], key="wavefronts")[grid](x, y, n)
        ranking.best

    configs: triton.Config, or dicts of keyword arguments; without them, those of @triton.autotune. key: a count to be the least, one of
    warplens.KEYS ("cycles", "wavefronts", ...), or a function of warplens.Counts that gives what is sorted by. prepare: called before each
    run, for a kernel that reads what it writes.
    """
    inner = kernel
    while not inspect.isfunction(inner) and hasattr(inner, "configs") and hasattr(inner, "fn"):  # @triton.autotune
        configs = inner.configs if configs is None else configs
        inner = inner.fn
    listed = list(configs or ())
    if not listed:
        raise ValueError("there is no configuration to try: give configs, or a kernel with @triton.autotune")
    for config in listed:
        _options(config)
    return Tuner(inner, listed, key, prepare)


# ---- what benchmarks say ----


class Bound(float):
    """Milliseconds that kernels take at least by their counts: cycles of the busiest stage at the GPU's boost clock. Not a time: nothing
    was timed. `counts` has what it is made of. Not a number where nothing was counted."""

    counts: Counts

    def __new__(cls, counts: Counts) -> Bound:
        made = super().__new__(cls, counts.cycles / native().clock_khz() if counts.launches else "nan")
        made.counts = counts
        return made

    def __str__(self) -> str:
        if not self.counts.launches:
            return "no kernel was counted"
        return f"{float(self):.4g} ms at least, by counts: {self.counts.cycles:,} cycles of the busiest stage, launches: {self.counts.launches}"

    __repr__ = __str__

    def __format__(self, form: str) -> str:
        return format(float(self), form) if form else str(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Bound, (self.counts,)


_told = False


def _tell() -> None:
    global _told
    if not _told and not os.environ.get("WARPLENS_QUIET"):
        print("warplens: nothing can be timed here: do_bench gives the milliseconds that kernels take at least, by their counts (one run)",
              file=sys.stderr)
    _told = True


def do_bench(fn: Callable[[], object], *_: Any, quantiles: Sequence[float] | None = None, return_mode: str = "mean", **__: Any) -> Any:
    """In the place of triton.testing.do_bench: fn runs once, in a profile of its own. Every quantile and mean is the same
    warplens.Bound, since counts do not vary."""
    _tell()
    bound = Bound(counts_of(measure(fn)))
    if quantiles is not None:
        return [bound] * len(quantiles) if len(quantiles) > 1 else bound
    return [bound] if return_mode == "all" else bound


def replace_benchmarks(testing: Any) -> None:
    """In triton.testing, which autotuning uses, too."""
    for name in ("do_bench", "do_bench_cudagraph", "do_bench_proton"):
        if hasattr(testing, name):
            setattr(testing, name, do_bench)
