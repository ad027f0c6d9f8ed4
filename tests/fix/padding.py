#!/usr/bin/env python3
"""padding.py WARPLENS [--no-programs]: `warplens fix` writes another number where a kernel pads by itself after the wrong number of elements, also
in a program that it builds; a number that counts something else as well stays. 77 without nvcc, patch or libclang."""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# kernel, block, arguments, lines of the diff; None: it has no other padding
CASES = [("tree", "512", ["f32[2048]=random:1", "f32[2]"], ["-constexpr int LOG_BANKS = 4;", "+constexpr int LOG_BANKS = 5;"]),
         ("rows", "64", ["f64[2048]=random:1", "f64[128]"], ["-#define PADDED(i) ((i) + (i) / 32)", "+#define PADDED(i) ((i) + (i) / 16)"]),
         ("both", "64", ["f32[1024]=random:1", "f32[64]"], None)]


def run(*words, folder):
    return subprocess.run(list(map(str, words)), text=True, capture_output=True, timeout=300, cwd=folder)


def wavefronts(warplens, folder, launch):
    """Of the kernel as the source is, and its results."""
    run(warplens, "kernel", "padding.cu", *launch, "-q", "--no-sass", "--machine-code", "off", "-o", "p.wlp", "--dump", "1=out.npy", folder=folder)
    profile = sqlite3.connect(folder / "p.wlp")
    sums = profile.execute("SELECT sum(wavefronts) FROM count JOIN site ON site.id = site WHERE space = 'shared'").fetchone()
    profile.close()
    return sums[0], (folder / "out.npy").read_bytes()


def check(warplens, folder, kernel, block, arguments, lines):
    shutil.copy(HERE / "padding.cu", folder)
    launch = ["-k", kernel, "--grid", "1" if kernel == "both" else "2", "--block", block] + [word for one in arguments for word in ("--arg", one)]
    said = run(warplens, "fix", "padding.cu", *launch, "--format=json", folder=folder)
    if "libclang" in said.stderr:
        print(f"skipped: {said.stderr.strip()}")
        sys.exit(77)
    document = json.loads(said.stdout)
    rows = [row for row in document["summary"] if row["kind"] == "source"]
    if not lines:
        assert not rows and "ROWS = " not in (document["patch"] or ""), said.stdout
        return
    row, = rows
    changed = [line for line in document["patch"].splitlines() if line[0] in "+-" and line[:3] not in ("---", "+++")]
    assert changed == lines and row["unit"] == "wavefronts" and row["proven"] == "yes", said.stdout
    before, results = wavefronts(warplens, folder, launch)
    subprocess.run(["patch", "-s", "-p1"], input=document["patch"], text=True, cwd=folder, check=True)
    assert before == row["before"] and row["then"] < before, row
    assert (row["then"], results) == wavefronts(warplens, folder, launch), f"{kernel}: {row}"


def check_program(warplens, folder):
    source, build = pathlib.Path(shutil.copy(HERE / "padding.cu", folder)), "nvcc -lineinfo -o padding padding.cu"
    subprocess.run(build.split(), cwd=folder, check=True)
    before = source.read_text()
    done = run(warplens, "fix", "--apply", "--build", build, "--format=json", "--", "./padding", folder=folder)
    said, document = done.stderr, json.loads(done.stdout)
    assert done.returncode == 0 and "wavefronts of shared memory become" in said and "applied: padding.cu." in said, done.stdout + said
    assert "NOT applied: no array" not in said, said
    row, = (row for row in document["summary"] if row["kind"] == "source")
    assert document["applied"] and row["proven"] == "yes" and row["unit"] == "wavefronts" and row["then"] < row["before"], done.stdout
    assert source.read_text() == before.replace("LOG_BANKS = 4", "LOG_BANKS = 5"), done.stdout


def main():
    for tool in ("nvcc", "patch"):
        if not shutil.which(tool):
            print(f"skipped: there is no {tool}")
            return 77
    warplens = pathlib.Path(sys.argv[1]).resolve()
    for case in CASES:
        with tempfile.TemporaryDirectory() as folder:
            check(warplens, pathlib.Path(folder), *case)
    programs = "--no-programs" not in sys.argv
    if programs:
        with tempfile.TemporaryDirectory() as folder:
            check_program(warplens, pathlib.Path(folder))
    print(f"padding: {len(CASES)} kernels, {'a program' if programs else 'no program in this build'}")
    return 0


sys.exit(main())
