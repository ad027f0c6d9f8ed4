#!/usr/bin/env python3
"""Wall time of whole programs on this machine's GPU, in seconds: as they are, counted, and under Nsight Compute with two address-based metrics:
walls.py WARPLENS PROGRAM…, each a path with arguments in one word of the shell. Each once, run before, so that files are in memory; what compilers say is in the cache
for the second of two counted runs."""
import math
import os
import shlex
import subprocess
import sys
import time

METRICS = "memory_l1_wavefronts_shared,memory_l1_tag_requests_global"
LIMIT = 60


def wall(words, folder):
    """None: it did not end in time, or not well."""
    begin = time.time()
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode else time.time() - begin


def text(seconds):
    return "-" if seconds is None else f"{seconds:.2f}"


def main():
    warplens, shares = os.path.realpath(sys.argv[1]), []
    print(f"{'program':28} {'native':>7} {'first':>7} {'again':>7} {'ncu':>7} {'by ncu':>7}")
    for program in sys.argv[2:]:
        words = shlex.split(program)
        folder = os.path.dirname(os.path.realpath(words[0]))
        words[0] = os.path.realpath(words[0])
        counted = [warplens, "run", "--on", "gpu", "-q", "--no-save", *words]
        wall(words, folder)
        native, first, again = wall(words, folder), wall(counted, folder), wall(counted, folder)
        ncu = wall(["ncu", "--clock-control", "none", "--metrics", METRICS, *words], folder)
        share = again / ncu if again and ncu else None
        shares += [share] if share else []
        print(f"{os.path.basename(words[0]):28} {text(native):>7} {text(first):>7} {text(again):>7} {text(ncu):>7} {text(share):>7}", flush=True)
    if shares:
        print(f"geometric mean of the last column: {math.exp(sum(map(math.log, shares)) / len(shares)):.2f}")


main()
