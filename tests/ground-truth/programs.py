#!/usr/bin/env python3
"""Compares the launches of public programs, as warplens counted them, with what Nsight Compute
measured of the same launches on an H100 (h100/programs.csv).

  programs.py WARPLENS PATH ...      profiles NAME.wlp, or directories of them; NAME is the table's
                                     column "program". Prints each launch, and the totals

Get a program from its repository, build it for sm_80, as the table's rows were (nvcc -arch=sm_80 -O3
-lineinfo; PolyBench with -DMINI_DATASET), and run it with the arguments of the table:

  warplens run --machine-code require -o profiles/lud.wlp ./lud -s 64 -v
  programs.py warplens profiles

Of launches that were executed as machine code (without `--machine-code off`, where ptxas and nvdisasm are)
the warp instructions are compared as well, in a line of their own.

Exit status 1 where a launch is another one than the table's, or differs and docs/programs.md or
docs/machine-code.md does not say why.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Column of the table -> counter, summed over all sites but those of local and constant memory.
COUNTERS = {
    "shared_wavefronts": "wavefronts",
    "shared_wavefronts_ideal": "wavefronts_ideal",
    "global_sectors": "sectors",
    "global_sectors_ideal": "sectors_ideal",
    "l1_tag_requests": "tag_requests",
}
# Column of the table -> first words of the access, whose requests are summed.
REQUESTS = {
    "shared_ld_inst": ("shared load",),
    "shared_st_inst": ("shared store",),
    "shared_atom_inst": ("shared atomic", "shared reduction"),
    "ldmatrix_inst": ("ldmatrix",),
    "global_ld_inst": ("global load",),
    "global_st_inst": ("global store", "generic store"),
}
# (program, kernel) -> why its launches differ; more in docs/programs.md
EXPLAINED = {
    ("filter", "filter"): "blocks take their places in the output in the order in which they come",
    (
        "globalToShmemAsyncCopy",
        "MatrixMulAsyncCopyMultiStageLargeChunk",
    ): "the measured figures are not those of the lanes that copy: they differ between launches",
}
# Likewise where warp instructions differ: docs/machine-code.md
ORDER = "which lanes go on first where they are apart"
EXPLAINED_INSTRUCTIONS = {
    ("shfl_scan", "shfl_scan_test"): ORDER,
    ("nqueen", "BP_queens_root_dfs"): ORDER,
}


def plain(kernel):
    """void n::f<(int)1>(int *) -> f"""
    name = re.split(r"[<(]", kernel.removeprefix("void "), maxsplit=1)[0]
    return name.rsplit("::", 1)[-1]


def sites(warplens, profile, launch):
    """The counters of each memory instruction; none, and why not."""
    command = [warplens, "report", profile, "--page", "raw", "--launch", launch]
    raw = subprocess.run(command, text=True, capture_output=True)
    if raw.returncode:
        return [], raw.stderr.strip()
    return list(csv.DictReader(raw.stdout.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)), ""


def compare(row, rows):
    """Differences of one launch: column -> (ours, measured)."""
    ours = {}
    for column, counter in COUNTERS.items():
        counted = (row for row in rows if not row["access"].startswith(("local", "const")))
        ours[column] = sum(int(row[counter]) for row in counted)
    for column, words in REQUESTS.items():
        ours[column] = sum(int(s["requests"]) for s in rows if s["access"].startswith(words))
    measured = {column: int(float(row[column])) for column in ours}
    return {c: (ours[c], measured[c]) for c in ours if ours[c] != measured[c]}


def issued(warplens, profile):
    """Launch -> its warp instructions, of those that were executed as machine code."""
    command = [warplens, "report", profile, "--format", "json"]
    page = subprocess.run(command, text=True, capture_output=True)
    document = json.loads(page.stdout) if page.returncode == 0 else {"launches": []}
    launches = (run for run in document["launches"] if document["kernels"][run["kernel"]]["machine_code"])
    return {str(run["launch"]): run["warp_insts"] for run in launches}


def judge_issued(row, ours):
    """The same of its warp instructions."""
    measured = int(float(row["warp_inst"]))
    if ours == measured:
        return "exact", ""
    why = EXPLAINED_INSTRUCTIONS.get((row["program"], plain(row["kernel"])), "not explained")
    near = abs(ours - measured) <= 0.01 * measured
    return "within 1 %" if near else "differs", f"warp_inst {ours:,} against {measured:,}: {why}"


def tell(totals, row, word, text):
    """Counts the launch, and prints it; whether nobody knows why it differs."""
    totals[word] = totals.get(word, 0) + 1
    where = f"{row['program']} {row['launch']} {plain(row['kernel'])}"
    print(f"{where}: {word}{': ' if text else ''}{text}")
    return word == "another launch" or text.endswith("not explained")


def show(totals):
    return ", ".join(f"{totals.get(word, 0)} {word}" for word in ("exact", "within 1 %", "differs"))


def judge(row, rows, error):
    """'exact', 'within 1 %', 'differs' or 'another launch', and what to print behind it."""
    if not rows:
        return "another launch", error
    if plain(rows[0]["kernel"]) != plain(row["kernel"]):
        return "another launch", f"the profile has {rows[0]['kernel']}"
    found = compare(row, rows)
    if not found:
        return "exact", ""
    near = all(abs(a - b) <= 0.01 * b for a, b in found.values())
    figures = ", ".join(f"{column} {a:,} against {b:,}" for column, (a, b) in found.items())
    why = EXPLAINED.get((row["program"], plain(row["kernel"])), "not explained")
    return "within 1 %" if near else "differs", f"{figures}: {why}"


def profiles(arguments):
    for argument in map(pathlib.Path, arguments):
        for path in sorted(argument.glob("*.wlp")) if argument.is_dir() else [argument]:
            yield path.stem, path


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    warplens, given = sys.argv[1], dict(profiles(sys.argv[2:]))
    with open(HERE / "h100" / "programs.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    table = [row for row in rows if row["shared_wavefronts"]]  # without: the profiler lost it
    unknown = given.keys() - {row["program"] for row in rows}
    if unknown:
        sys.exit(f"{given[min(unknown)]}: the table has no program of this name")
    totals, totals_issued, failed = {}, {}, False
    warp_insts = {name: issued(warplens, path) for name, path in given.items()}
    for row in table:
        if row["program"] not in given:
            continue
        word, text = judge(row, *sites(warplens, given[row["program"]], row["launch"]))
        failed |= tell(totals, row, word, text)
        ours = warp_insts[row["program"]].get(row["launch"])
        if ours is not None and word != "another launch":
            word, text = judge_issued(row, ours)
            totals_issued[word] = totals_issued.get(word, 0) + 1
            failed |= word != "exact" and tell({}, row, word, text)
    count = sum(totals.values())
    print(f"{count} of {len(table)} launches compared: {show(totals)}")
    if totals_issued:
        print(f"{sum(totals_issued.values())} of them as machine code, their warp instructions: {show(totals_issued)}")
    missing = sorted({row["program"] for row in table} - given.keys())
    if missing and any(pathlib.Path(argument).is_dir() for argument in sys.argv[2:]):
        print(f"no profiles of {', '.join(missing)}")
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
