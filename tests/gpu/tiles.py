#!/usr/bin/env python3
"""Bytes of boxes of tensors that are loaded, counted on this machine's GPU: tiles.py WARPLENS TILES (of tiles.cu). Exit status 1: they are not what the program says;
77: the library does not tell of such loads, or the GPU has none."""
import csv
import os
import re
import subprocess
import sys
import tempfile


def main():
    warplens, program = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([warplens, "run", "--on", "gpu", "--page", "none", "--measure", "off", "-o", f"{folder}/p.wlp", program], capture_output=True, text=True, timeout=60)
        text = subprocess.run([warplens, "report", "--page", "raw", f"{folder}/p.wlp"], capture_output=True, text=True).stdout
    if re.search("such as UTMALDG, (is|are) not counted", done.stderr):
        print("skipped: it takes the library of CUDA 13.4 or later")
        return 77
    wanted = [tuple(int(number) for number in re.findall(r"(?:requests|bytes|global|shared) (\d+)", line)) for line in done.stdout.splitlines() if line.startswith("0 no error")]
    rows = [row for row in csv.DictReader(text.splitlines(), delimiter="\t") if "UTMALDG" in row["text"]]
    found = [tuple(int(row[name]) for name in ("requests", "bytes", "global_moved", "shared_moved")) for row in rows]
    equal = sum(one == other for one, other in zip(wanted, found))
    print(f"boxes: {equal} of {len(wanted)} launches as they are", *([] if equal == len(wanted) == 8 else [done.stdout, done.stderr, found]))
    return 0 if equal == len(wanted) == len(found) == 8 else 1


sys.exit(main())
