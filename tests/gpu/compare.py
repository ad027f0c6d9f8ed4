#!/usr/bin/env python3
"""Compares a profile that was counted on a GPU with Nsight Compute: compare.py WARPLENS PROFILE.wlp NCU.csv [LAUNCHES…]

NCU.csv: ncu --csv --metrics of METRICS below, of the same program with the same arguments. Launches are matched by their order; or a launch
for each of LAUNCHES, such as 3 or 4+5: those of Nsight Compute, by number, that it is the sum of.
Prints each figure that differs, then how many are equal. Exit status 1: some differ."""
import csv
import io
import subprocess
import sys

METRICS = {
    "memory_l1_wavefronts_shared": "wavefronts",
    "memory_l1_wavefronts_shared_ideal": "wavefronts_ideal",
    "memory_l1_tag_requests_global": "tag_requests",
    "memory_l2_theoretical_sectors_global": "sectors",
    "memory_l2_theoretical_sectors_global_ideal": "sectors_ideal",
    "memory_l2_theoretical_sectors_local": "sectors_local",
}


def of_ncu(path):
    launches = {}
    with open(path) as file:
        lines = [line for line in file if line.startswith('"')]
    for row in csv.DictReader(lines):
        name = METRICS.get(row["Metric Name"])
        if name:
            launch = launches.setdefault(int(row["ID"]), {"kernel": row["Kernel Name"]})
            launch[name] = int(float(row["Metric Value"].replace(",", "")))
    return launches


def of_profile(warplens, path):
    text = subprocess.run([warplens, "report", "--page", "raw", path], capture_output=True, text=True, check=True).stdout
    launches = {}
    for row in csv.DictReader(io.StringIO(text), delimiter="\t"):
        sums = launches.setdefault(int(row["launch"]), dict.fromkeys(METRICS.values(), 0))
        local = row["access"].startswith("local")
        sums["wavefronts"] += int(row["wavefronts"])
        sums["wavefronts_ideal"] += int(row["wavefronts_ideal"])
        sums["sectors_local" if local else "sectors"] += int(row["sectors"])
        if not local:
            sums["sectors_ideal"] += int(row["sectors_ideal"])
            sums["tag_requests"] += int(row["tag_requests"])
    return launches


def summed(launches, numbers):
    parts = [launches[int(number)] for number in numbers.split("+")]
    return {name: value if name == "kernel" else sum(part[name] for part in parts) for name, value in parts[0].items()}


def main():
    ours, theirs = of_profile(sys.argv[1], sys.argv[2]), of_ncu(sys.argv[3])
    if len(sys.argv) > 4:
        theirs = {i: summed(theirs, numbers) for i, numbers in enumerate(sys.argv[4:])}
    equal = differ = 0
    if len(ours) != len(theirs):
        print(f"launches: {len(ours)} counted, {len(theirs)} of ncu")
        differ += 1
    for number in sorted(set(ours) & set(theirs)):
        for name in METRICS.values():
            if name not in theirs[number]:
                continue
            if ours[number][name] == theirs[number][name]:
                equal += 1
            else:
                differ += 1
                print(f"launch {number} {theirs[number]['kernel']}: {name} {ours[number][name]:,} counted, "
                      f"{theirs[number][name]:,} of ncu")
    print(f"equal: {equal} of {equal + differ}")
    return 1 if differ else 0


sys.exit(main())
