#!/usr/bin/env python3
"""hints.py WARPLENS: what a finding says that `warplens fix` says is said: of samples, of global.cu's kernels, and with nvcc of the
kernels of tests/fixes. Where a finding points to `fix`, that names the shape, and what to change or why nothing helps; where shared
memory has excess, it names a layout for each array, or why there is none."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "fixes")]
import changes  # noqa: E402
import samples  # noqa: E402
from cases import all_cases  # noqa: E402

HINT = "says what to write instead"
SUITE = ["reduce_chunks", "structures_of_4", "product_registers", "matvec_rows", "axes_swapped"]  # one of each shape that the suite has
PATTERNS = "access_patterns/access_patterns.ptx"
DOUBLES = ["--grid", "32", "--block", "256", "i32=8000", "f64[24000]=random:1", "f64=2", "f64[24000]"]


def run(*words):
    done = subprocess.run(list(map(str, words)), text=True, capture_output=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def launches():
    """(name, words of `warplens kernel`)"""
    cases = [(path, kernel, launch) for path, kernel, launch, *_ in samples.CASES]
    cases.append(("add_const_double3/add_const_double3.ptx", "addConstDouble3", DOUBLES))
    for path, kernel, launch in cases:
        words = [samples.SAMPLES / path, "-k", kernel]
        for i, word in enumerate(launch):
            words += [word] if word.startswith("--") or launch[i - 1].startswith("--") else ["--arg", word]
        yield f"{path} {kernel}", words
    for kernel, launch, *_ in changes.CASES:
        yield kernel, [HERE / "global.ptx", "-k", kernel, *launch]
    for case in all_cases(SUITE) if shutil.which("nvcc") else []:
        yield case.name, [case.source, *case.launch()]


def sections(text):
    """{shape: its lines} of what fix says of global memory."""
    found = {}
    for block in text.split("\n\n"):
        head = re.match(r"(.+): (.+)\n", block)
        if head and "    at " in block:
            found.setdefault(head[2], []).extend(block.splitlines()[1:])
    return found


def says(lines):
    """A change, or why there is none: what stands below the table's ideal."""
    for i, line in enumerate(lines):
        if re.match(r"    ideal ", line):
            return any(line.strip() for line in lines[i + 1:])
    return False


def wrong(warplens, words, scratch):
    """What a finding promises and fix does not say; and how many findings point to it."""
    profile = scratch / "p.wlp"
    profile.unlink(missing_ok=True)
    code, text = run(warplens, "kernel", *words, "-q", "--no-sass", "--machine-code", "off", "--evidence", "all", "-o", profile)
    if code:
        return [text], 0
    _, findings = run(warplens, "report", "-p", "details", profile)
    _, fix = run(warplens, "fix", profile)
    findings = " ".join(findings.split())
    shapes = re.findall(r"Shape: ([^(]+) \([^)]*\)\. warplens fix", findings)
    said, bad = sections(fix), []
    if findings.count(HINT) != len(shapes):
        bad.append(f"{findings.count(HINT)} hints, and {len(shapes)} shapes")
    for shape in shapes:
        if shape not in said:
            bad.append(f"fix names no {shape}")
        elif not says(said[shape]):
            bad.append(f"fix has nothing to say of the {shape}")
    shared = re.search(r"\d\. (Excess shared|Bank conflicts)", findings)
    if shared and not re.search(r"(?m)^  \* |no layout helps|no padding, swizzle|nothing to fix|no conflicts", fix):
        bad.append("fix has no layout for shared memory, and does not say why")
    return bad, len(shapes)


def main():
    warplens, failed, hints, count = pathlib.Path(sys.argv[1]).resolve(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in launches():
            bad, some = wrong(warplens, words, pathlib.Path(folder))
            hints += some
            count += 1
            for why in bad:
                print(f"{name}: {why}")
                failed += 1
    print(f"hints: {count} launches, {hints} findings that point to fix, {failed} failures")
    return 1 if failed or not hints else 0


sys.exit(main())
