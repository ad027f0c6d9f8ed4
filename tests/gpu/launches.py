#!/usr/bin/env python3
"""What launches take that are filtered out, on this machine's GPU: launches.py WARPLENS LAUNCHES (of launches.cu). Exit status 1: by more than 5 % and 30 us
a launch longer than natively."""
import os
import re
import subprocess
import sys

WAYS = [("by name", ["-k", "none"], []), ("by number", ["--launches", "1"], []), ("by number, after 3", ["--launches", "3"], ["2000"]),
        ("by name, another stream alone", ["-k", "none"], ["2000", "other"]), ("by number, another alone", ["--launches", "3"], ["2000", "other"]),
        ("another is counted", ["-k", "tiny", "--launches", "100:104"], ["2000", "mixed"])]


def figures_of(command):
    text = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    return [float(figure) for figure in re.findall(r"([\d.]+) us", text)]


def main():
    warplens, program = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    bad = 0
    print("us a launch: in a row, each waited for, of shared loads; the same in another stream")
    for words, options, arguments in WAYS:
        native = figures_of([program, *arguments])
        left = figures_of([warplens, "run", "--on", "gpu", "-q", "--no-save", *options, program, *arguments])
        good = len(native) == len(left) == (3 if "other" in arguments else 6) and all(is_us <= 1.05 * was + 30 for was, is_us in zip(native, left))
        bad += not good
        print(f"{words:29} native {native}, left out {left}{'' if good else ' WRONG'}", flush=True)
    return 1 if bad else 0


sys.exit(main())
