#!/usr/bin/env python3
"""compare.py WARPLENS [--sources DIR] [--as-good] [CASE...]: the suite's kernels as they are, as an expert fixed them, and as
`warplens fix` does: wavefronts of shared memory, sectors of global memory, thread instructions, and whether the
results are the same bit for bit. Prints a table, tab-separated. --sources keeps what `fix` wrote, which time.py times.

Needs nvcc, and for fix libclang and patch: each source is compiled. Exit status 1 if an expert's version gives other
results or costs more than the original, or if one that fix wrote gives other results; with --as-good also if it has
more wavefronts than the expert's, or 3 % more instructions; of kernels without shared memory, more sectors. 77 where a tool is missing."""

import argparse
import filecmp
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from cases import all_cases


class Missing(Exception):
    """A tool."""


def run(warplens, case, source, scratch, variant=None):
    """(wavefronts, sectors, thread instructions, the folder with the arrays) of a source; None: it does not run."""
    out = scratch / (variant or "original")
    out.mkdir()
    words = [warplens, "kernel", source, *case.launch(variant), "-q", "--no-sass", "--machine-code", "off", "--threads", "1", "-o", out / "p.wlp"]
    arrays = [n for n, text in enumerate(case.arguments()) if "[" in text]
    for n in arrays:
        words += ["--dump", f"{n}={out}/{n}.npy"]
    done = subprocess.run(words, text=True, capture_output=True, timeout=300)
    if done.returncode:
        print(f"{case.name}: {source}: {done.stderr.strip()}", file=sys.stderr)
        return None
    profile = sqlite3.connect(out / "p.wlp")
    shared, = profile.execute("SELECT sum(wavefronts) FROM count JOIN site ON site.id = site WHERE space = 'shared'").fetchone()
    sectors, = profile.execute("SELECT sum(sectors) FROM count").fetchone()
    insts, = profile.execute("SELECT thread_insts FROM launch").fetchone()
    profile.close()
    return shared or 0, sectors or 0, insts, out


def same(a, b):
    return all(filecmp.cmp(file, b / file.name, shallow=False) for file in a.glob("*.npy"))


def fixed(warplens, case, scratch, options):
    """The source as fix writes it and what fix says; no source: it writes none."""
    work = scratch / "work"
    work.mkdir()
    source = shutil.copy(case.source, work)
    words = [warplens, "fix", pathlib.Path(source).name, *case.launch(), *options, "--patch=fix.patch"]
    done = subprocess.run(words, text=True, capture_output=True, timeout=600, cwd=work)
    text = done.stdout + done.stderr
    if "rewriting source needs libclang" in text or "without libclang" in text:
        raise Missing(text.strip())
    if not (work / "fix.patch").exists():
        return None, text
    subprocess.run(["patch", "-s", "-p1", "-i", "fix.patch"], cwd=work, check=True)
    return work / f"{case.name}.cu", text


def percent(part, whole):
    return f"{100 * (part - whole) / whole:+.1f} %"


def compare(warplens, case, keep, options, say):
    """A row of the table, and whether what must hold does."""
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        before = run(warplens, case, case.source, scratch)
        expert = run(warplens, case, case.expert, scratch, "expert")
        if not before or not expert:
            return [case.name, "does not run"], False
        unit = 0 if before[0] else 1
        good = same(before[3], expert[3]) and expert[unit] <= before[unit]
        row = [case.name, *before[:3], *expert[:3], percent(expert[2], before[2])]
        if not good:
            print(f"{case.name}: the expert's version gives other results, or costs more", file=sys.stderr)
        source, text = fixed(warplens, case, scratch, options)
        say(text)
        case.say_dynamic("fix", text)
        after = source and run(warplens, case, source, scratch, "fix")
        if not after:
            return [*row, "-", "-", "-", "-", "no change"], good
        if not same(before[3], after[3]):
            print(f"{case.name}: fix's version gives other results", file=sys.stderr)
            good = False
        if keep:
            head = f"// a launch asks for {case.dynamic('fix')} bytes\n" if case.dynamic("fix") else ""
            (keep / f"{case.name}.fix.cu").write_text(head + source.read_text())
        met = after[unit] <= expert[unit] and after[2] <= expert[2] * 1.03
        why = "yes" if met else ("wavefronts", "sectors")[unit] if after[unit] > expert[unit] else "instructions"
        return [*row, *after[:3], percent(after[2], before[2]), why], good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warplens")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--sources", type=pathlib.Path)
    parser.add_argument("--prefer", default=None)
    parser.add_argument("--as-good", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_intermixed_args()
    for tool in ("nvcc", "patch"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            return 77
    if given.sources:
        given.sources.mkdir(parents=True, exist_ok=True)
    columns = [f"{who} {what}" for who in ("before:", "expert:") for what in ("wavefronts", "sectors", "instructions")]
    print("\t".join(["case", *columns, "change", "fix: wavefronts", "sectors", "instructions", "change", "as good"]))
    options = ["--prefer", given.prefer] if given.prefer else []
    say = print if given.verbose else lambda text: None
    held, met, cases = True, 0, all_cases(given.cases)
    for case in cases:
        try:
            row, good = compare(str(pathlib.Path(given.warplens).resolve()), case, given.sources, options, say)
        except Missing as missing:
            print(f"skipped: {missing}")
            return 77
        print("\t".join(map(str, row)), flush=True)
        held &= good
        met += row[-1] == "yes"
    print(f"# as good as the expert's (wavefronts at most its, instructions at most 3 % more): {met} of {len(cases)}")
    if given.as_good and met < len(cases):
        held = False
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
