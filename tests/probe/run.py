#!/usr/bin/env python3
"""warplens run --on gpu over a driver and an API that stand in for the vendor's: run.py WARPLENS FOLDER (of the stand-ins)."""
import csv
import io
import os
import stat
import subprocess
import sys
import tempfile

WARPLENS, STAND_IN = sys.argv[1:]
PROGRAM = f"{STAND_IN}/stand_in_program"
# Two warps of stand_in/program.c: a row of global memory is loaded, a row of shared memory stored, a column of it loaded.
WANTED = {
    "global": {"requests": 2, "lanes": 64, "sectors": 8, "sectors_ideal": 8, "tag_requests": 2, "bytes_used": 256},
    "shared store": {"requests": 2, "wavefronts": 2, "wavefronts_ideal": 2, "conflicts": 0},
    "shared load": {"requests": 2, "wavefronts": 64, "wavefronts_ideal": 2, "conflicts": 62},
}


def environment(folder, **more):
    ptxas = f"{folder}/ptxas"
    with open(ptxas, "w") as file:  # it makes a file: nobody reads it here
        file.write('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho code >"$2"\n')
    os.chmod(ptxas, stat.S_IRWXU)
    changed = dict(os.environ, LD_LIBRARY_PATH=STAND_IN, WARPLENS_PTXAS=ptxas,
                   WARPLENS_SANITIZER=f"{STAND_IN}/libsanitizer-public.so")
    changed.pop("CUDA_INJECTION64_PATH", None)
    changed.update(more)
    return changed


def run(folder, *arguments, **more):
    return subprocess.run([WARPLENS, "run", *arguments], env=environment(folder, **more), cwd=folder, capture_output=True,
                          text=True, timeout=60)


def check(good, *what):
    if not good:
        print("FAILED:", *what)
        sys.exit(1)


def rows_of(profile):
    raw = subprocess.run([WARPLENS, "report", "--page", "raw", profile], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(raw.stdout), delimiter="\t"))


def check_counts(rows, launches):
    for launch in range(launches):
        for words, wanted in WANTED.items():
            found = [row for row in rows if row["launch"] == str(launch) and row["access"].startswith(words)]
            check(len(found) == 1, launch, words, rows)
            for name, value in wanted.items():
                check(int(found[0][name]) == value, launch, words, name, found[0][name], "instead of", value)


def main():
    with tempfile.TemporaryDirectory() as folder:
        profile = f"{folder}/p.wlp"
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "3")
        check(done.returncode == 0 and done.stdout == "done\n", done)
        check("3 of 3 launches, GPU h100" in done.stderr, done.stderr)
        rows = rows_of(profile)
        check(len(rows) == 9, rows)
        check_counts(rows, 3)
        details = subprocess.run([WARPLENS, "report", "--page", "details", profile], capture_output=True, text=True).stdout
        check("NVIDIA H100 80GB HBM3" in details, details)

        run(folder, "--on", "gpu", "-o", profile, "--launches", "1", PROGRAM, "3")
        check(len(rows_of(profile)) == 3, "--launches 1")
        done = run(folder, "--on", "gpu", "--no-save", "-k", "gemm", PROGRAM, "1")
        check("no kernel that is profiled" in done.stderr, done.stderr)
        done = run(folder, "--on", "gpu", "--stop-after", "2", "-o", profile, PROGRAM, "5")
        check(len(rows_of(profile)) == 6 and "ended after 2 launches" in done.stderr, done.stderr)
        done = run(folder, "--on", "gpu", "--list", PROGRAM, "4")
        check(" 4 " in done.stderr and "transpose" in done.stderr, done.stderr)
        done = run(folder, "--on", "auto", "-o", profile, PROGRAM, "1")
        check("runs on the GPU" in done.stderr, done.stderr)

        done = run(folder, "--on", "gpu", PROGRAM, "1", WARPLENS_SANITIZER="/nowhere")
        check(done.returncode == 3 and "libsanitizer-public.so" in done.stderr, done)
        done = run(folder, "--on", "gpu", PROGRAM, "1", WARPLENS_PTXAS="/nowhere")
        check(done.returncode == 3 and "needs ptxas" in done.stderr, done)
        done = run(folder, "--on", "gpu", "--gpu", "a100", PROGRAM, "1")
        check(done.returncode == 3 and "--gpu is of runs on the CPU" in done.stderr, done)
        done = run(folder, "--on", "gpu", PROGRAM, "1", CUDA_INJECTION64_PATH="/other")
        check(done.returncode == 3 and "another tool" in done.stderr, done)
        done = run(folder, "--on", "moon", PROGRAM, "1")
        check(done.returncode == 3 and "cpu, gpu or auto" in done.stderr, done)
    print("all as expected")


main()
