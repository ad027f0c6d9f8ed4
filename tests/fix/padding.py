#!/usr/bin/env python3
"""padding.py WARPLENS [--no-programs]: `warplens fix` writes another number where a kernel pads by itself after the wrong number of elements, also
in a program that it builds; a number that counts something else as well stays. 77 without nvcc, patch or libclang."""

import json
import shutil
import sqlite3
import subprocess
import sys

from sources import HERE, build, data_of, launch_of, main, run

# kernel, block, arguments, lines of the diff; None: it has no other padding
CASES = [("tree", "512", ["f32[2048]=random:1", "f32[2]"], ["-constexpr int LOG_BANKS = 4;", "+constexpr int LOG_BANKS = 5;"]),
         ("rows", "64", ["f64[2048]=random:1", "f64[128]"], ["-#define PADDED(i) ((i) + (i) / 32)", "+#define PADDED(i) ((i) + (i) / 16)"]),
         ("both", "64", ["f32[1024]=random:1", "f32[64]"], None)]


def wavefronts(warplens, folder, launch):
    """Of the kernel as the source is, and its results."""
    run(warplens, "kernel", "padding.cu", *launch, "-q", "--no-sass", "--machine-code", "off", "-o", "p.wlp", "--dump", "1=out.npy", folder=folder)
    profile = sqlite3.connect(folder / "p.wlp")
    sums = profile.execute("SELECT sum(wavefronts) FROM count JOIN site ON site.id = site WHERE space = 'shared'").fetchone()
    profile.close()
    return sums[0], (folder / "out.npy").read_bytes()


def check(warplens, folder, kernel, block, arguments, lines):
    shutil.copy(HERE / "padding.cu", folder)
    launch = launch_of(kernel, "1" if kernel == "both" else "2", block, arguments)
    document, rows = data_of(warplens, folder, "padding.cu", launch)
    if not lines:
        assert not rows and "ROWS = " not in (document["patch"] or ""), document
        return
    row, = rows
    changed = [line for line in document["patch"].splitlines() if line[0] in "+-" and line[:3] not in ("---", "+++")]
    assert changed == lines and row["unit"] == "wavefronts" and row["proven"] == "yes", document
    before, results = wavefronts(warplens, folder, launch)
    subprocess.run(["patch", "-s", "-p1"], input=document["patch"], text=True, cwd=folder, check=True)
    assert before == row["before"] and row["then"] < before, row
    assert (row["then"], results) == wavefronts(warplens, folder, launch), f"{kernel}: {row}"


def check_program(warplens, folder):
    source, command = build(folder, "padding.cu")
    before = source.read_text()
    done = run(warplens, "fix", "--apply", "--build", command, "--format=json", "--", "./padding", folder=folder)
    said, document = done.stderr, json.loads(done.stdout)
    assert done.returncode == 0 and "wavefronts of shared memory become" in said and "applied: padding.cu." in said, done.stdout + said
    assert "NOT applied: no array" not in said, said
    row, = (row for row in document["summary"] if row["kind"] == "source")
    assert document["applied"] and row["proven"] == "yes" and row["unit"] == "wavefronts" and row["then"] < row["before"], done.stdout
    assert source.read_text() == before.replace("LOG_BANKS = 4", "LOG_BANKS = 5"), done.stdout


sys.exit(main(CASES, check, check_program, ("nvcc", "patch")))
