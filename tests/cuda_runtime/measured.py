#!/usr/bin/env python3
"""measured.py WARPLENS: each program of measured/ prints what it printed on a GPU: its .txt, where "  # here (WORD): …" behind a line
is what warplens gives instead, for the reason that reasons.txt has by that word. The first line says where that was, and with which
options it runs here. Status 77: skipped, there is no nvcc."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import reasons

MEASURED = pathlib.Path(__file__).resolve().parent / "measured"


def release(nvcc):
    printed = subprocess.run([nvcc, "--version"], text=True, capture_output=True, check=True).stdout
    return int(re.search(r"release (\d+)", printed)[1])


def differences(warplens, nvcc, text, folder):
    """How many lines differ; says which."""
    head, *lines = text.read_text().splitlines()
    facts = dict(fact.split(" with ", 1) for fact in head.split("; ")[1:] if " with " in fact)
    if "needs CUDA 13" in head and release(nvcc) < 13:
        print(f"{text.stem}: not with this nvcc")
        return 0
    program = f"{folder}/{text.stem}"
    subprocess.run([nvcc, "-std=c++17", "-w", *facts.get("built", "").split(), "-o", program, text.with_suffix(".cu"), "-lcuda"], check=True)
    command = [warplens, "run", "-q", "--no-save", *facts.get("run", "").split(), program]
    printed = [line.rstrip() for line in subprocess.run(command, text=True, capture_output=True).stdout.splitlines()]
    marks = [reasons.MEASURED.search(line) for line in lines]
    wanted = [mark["here"] if mark else line for mark, line in zip(marks, lines, strict=True)]
    printed += ["nothing"] * (len(wanted) - len(printed))
    wrong = [(want, got) for want, got in zip(wanted, printed, strict=False) if want != got]
    for want, got in wrong:
        print(f"{text.stem}: expected {want}\n{' ' * len(text.stem)}  not      {got}")
    known = sum(mark is not None for mark in marks)
    print(f"{text.stem}: {len(lines) - known - len(wrong)} of {len(lines)} lines as on a GPU, {known} known to differ")
    return len(wrong) + abs(len(printed) - len(wanted))


def main():
    unmarked = reasons.wrong_marks()
    print("".join(f"{row}\n" for row in unmarked), end="")
    if unmarked:
        return 1
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("skipped: there is no nvcc")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        return any([differences(sys.argv[1], nvcc, text, folder) for text in sorted(MEASURED.glob("*.txt"))])


sys.exit(main())
