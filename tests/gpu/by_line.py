#!/usr/bin/env python3
"""Compares profiles of the programs of ground truth, line by line, with what Nsight Compute derived on an H100: by_line.py WARPLENS
TABLE-by-line.csv PROFILE.wlp … in pairs. Profiles of machine code: nothing is explained by what ptxas did. Exit status 1: a line differs."""
import csv
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ground-truth"))
sys.dont_write_bytecode = True
from by_line import CALL, COLUMNS, EXPLAINED, compare, plain  # noqa: E402


def lines_of(warplens, profile):
    """(kernel, file, line) -> counters, inlined calls included"""
    raw = subprocess.run([warplens, "report", profile, "--page", "raw", "--lines"], check=True, text=True, capture_output=True)
    rows = csv.DictReader(raw.stdout.splitlines(), delimiter="\t")
    return {(plain(row["kernel"]), pathlib.Path(row["file"]).name, row["line"]): row for row in rows}


def main():
    warplens, bad = sys.argv[1], 0
    for table, profile in zip(sys.argv[2::2], sys.argv[3::2]):
        lines, equal, called, total = lines_of(warplens, profile), 0, 0, 0
        with open(table, newline="") as file:
            for row in csv.DictReader(file):
                differs = compare(row, lines.get((plain(row["kernel"]), row["file"], row["line"])))
                known, why = EXPLAINED.get((row["kernel"], row["line"]), ({}, None))
                total += 1
                equal += not differs
                if differs and why == CALL and differs == known:  # Nsight Compute leaves out inlined stores there
                    called += 1
                elif differs:
                    print(f"{plain(row['kernel'])} {row['file']}:{row['line']}: {differs}")
        bad += equal + called < total
        print(f"{pathlib.Path(table).name}: {equal} of {total} lines exact, {called} that Nsight Compute shows in part")
    return 1 if bad else 0


sys.exit(main())
