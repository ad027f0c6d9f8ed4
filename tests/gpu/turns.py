#!/usr/bin/env python3
"""Code that is changed while kernels of the same module run, on this machine's GPU: turns.py WARPLENS TURNS (of turns.cu). Exit status 1: a result or a count is
not as without that."""
import csv
import os
import subprocess
import sys
import tempfile

# What is chosen, and how many launches of which kernel that is.
WAYS = [(["-k", "small", "--launches", "3:40"], {"small": 37}), (["-k", "small", "--launches", "47:"], {"small": 1}), (["-k", "lasting", "--launches", "2:4"], {"lasting": 2}),
        (["--launches", "1"], {"lasting": 1, "small": 1}), (["--measure", "off", "-k", "small"], {"small": 48})]


def main():
    warplens, program = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for options, wanted in WAYS:
            profile = f"{folder}/p.wlp"
            done = subprocess.run([warplens, "run", "--on", "gpu", "--page", "none", *options, "-o", profile, program], capture_output=True, text=True, timeout=60)
            text = subprocess.run([warplens, "report", "--page", "raw", profile], capture_output=True, text=True).stdout
            launches = {}  # each with the counters of its instructions
            for row in csv.DictReader(text.splitlines(), delimiter="\t"):
                launches.setdefault((int(row["launch"]), row["kernel"].split("(")[0]), []).append(tuple(row[name] for name in ("site", "requests", "wavefronts", "sectors")))
            found = {name: sum(of == name for _, of in launches) for name in wanted}
            counts = {name: {tuple(rows) for (_, of), rows in launches.items() if of == name} for name in wanted}
            good = done.returncode == 0 and "ok no error" in done.stdout and found == wanted and len(launches) == sum(wanted.values()) and all(len(figures) == 1 for figures in counts.values())
            bad += not good
            print(f"{' '.join(options)}: {done.stdout.strip()}, counted {found}{'' if good else f' WRONG {counts} {done.stderr}'}", flush=True)
    return 1 if bad else 0


sys.exit(main())
