#!/usr/bin/env python3
"""The samples' programs, counted line by line on the CPU, as machine code, and on this machine's GPU: samples.py WARPLENS [FOLDER]

Prints for each how many of its lines have the same counters on both, those that differ, and what `warplens diff` makes of the two profiles, which stay in
FOLDER. Exit status 1: a program failed, or lines differ in which blocks do not wait for others."""
import collections
import csv
import io
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
sys.dont_write_bytecode = True
import samples  # noqa: E402

FIGURES = ("requests", "wavefronts", "wavefronts_ideal", "sectors", "sectors_ideal", "tag_requests")
# Where blocks read until another has written, as often as that takes, and go on as it comes: how that part of the source begins. It ends with "};".
WAITS = {"scan2d": "struct Messages {"}


def lines_of(warplens, profile):
    """(launch, file, line) -> counters"""
    raw = subprocess.run([warplens, "report", "--page", "raw", profile], capture_output=True, text=True, check=True).stdout
    sums = collections.defaultdict(lambda: [0] * len(FIGURES))
    for row in csv.DictReader(io.StringIO(raw), delimiter="\t"):
        place = sums[int(row["launch"]), os.path.basename(row["file"]), int(row["line"] or 0)]
        for i, name in enumerate(FIGURES):
            place[i] += int(row[name])
    return {place: counters for place, counters in sums.items() if any(counters)}


def waits(sample):
    """(file, line) of where its blocks wait for others."""
    if sample not in WAITS:
        return set()
    file = ROOT / "samples" / sample / f"{sample}.cu"
    lines = file.read_text().splitlines()
    first = lines.index(WAITS[sample])
    return {(file.name, 1 + i) for i in range(first, lines.index("};", first))}


def run(warplens, program, arguments, profile, *how):
    return subprocess.run([warplens, "run", "-q", *how, "-o", profile, program, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=120)


def main():
    warplens = os.path.realpath(sys.argv[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    bad = False
    for sample, program in samples.build(samples.find_nvcc(), folder, list(samples.ONCE), 8).items():
        profiles = [f"{folder}/{sample}.{on}.wlp" for on in ("cpu", "gpu")]
        done = [run(warplens, program, samples.once(sample), profiles[0], "--machine-code", "on", "--gpu", "h200"),
                run(warplens, program, samples.once(sample), profiles[1], "--on", "gpu", "--measure", "off")]
        if any(one.returncode for one in done):
            print(f"{sample}: exit status {done[0].returncode} on the CPU, {done[1].returncode} on the GPU\n{done[0].stderr}{done[1].stderr}")
            bad = True
            continue
        cpu, gpu = (lines_of(warplens, profile) for profile in profiles)
        places = sorted(set(cpu) | set(gpu))
        differ = [place for place in places if cpu.get(place) != gpu.get(place)]
        wrong = [place for place in differ if place[1:] not in waits(sample)]
        words = f"; the others ({len(differ)}) wait for other blocks, as often as that takes" if differ and not wrong else ""
        print(f"{sample}: {len(places) - len(differ)} of {len(places)} lines are equal{words}")
        for launch, file, line in differ[:8]:
            print(f"    launch {launch}, {file}:{line}: {cpu.get((launch, file, line))} on the CPU, {gpu.get((launch, file, line))} on the GPU")
        said = subprocess.run([warplens, "diff", *profiles], capture_output=True, text=True).stdout
        print("    " + "\n    ".join(line for line in said.splitlines()[-6:] if line.strip()), flush=True)
        bad |= bool(wrong)
    return 1 if bad else 0


sys.exit(main())
