#!/usr/bin/env python3
"""Compares what --time estimates with what Nsight Compute measured on an H200 (h200/times.csv) and an H100 (h100/times-unseen.csv).

  times.py WARPLENS           the table's own figures, which docs/time.md must have; then some launches anew
  times.py WARPLENS --table   prints the tables of docs/time.md

A row of the table is a launch: `time_ns` and `clock_mhz` are measured; `model_…` is what --time says of the same launch of the
same program at that clock. Rows of at least 10 us are in the figures. They are in two halves, by a hash of program and kernel: constants
were fitted to the first ("tune"), the second is only judged ("test"). Pairs are a kernel and its improved form, of one program.
Rows of …/times-unseen.csv were drawn and measured when the model was there: `first_…` is what it said then. The H100's are in two
halves, too: intervals (src/timing/intervals.def) were set by the first of all tables. They are worked out here, from what decides.

  times.py WARPLENS --quantiles   what the launches of the first half took, in parts of the estimate, by what decides

h200/times-blind.csv has launches that nothing had been changed by when `model_…` was kept; `again_…` is the model since.
h200/times-third.csv has further ones, which nothing was changed by. Of h200/times-fourth.csv `model_…` is what a model said that
was there before they were measured, `again_…` the model since. estimate.py writes `model_…` and `again_…`; `model_on` is the day.

Exit status 1 where the page says something else, or a figure or a launch that is estimated anew is beyond what is wanted.
"""

import csv
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEAST_US = 10

# What is wanted: the median error and where 90 % are within, percent; the share of intervals that hold the
# truth, and how far apart their ends are.
MEDIAN, WITHIN, INSIDE, APART = 20, 50, 90, 2
ANEW_ON = "2026-11-28"  # of the column model_on
FEW = 20  # launches, whose median says little
HELD = ("all", "all three, test", "the same, since")  # the tables that all of it is held to

# A version and its improved form: the first launch of each kernel whose name begins so.
PAIRS = [
    ("s_add_const_double3", "_Z15addConstDouble3", "_Z14addConstDouble"),
    ("s_add_const_double3", "_Z15addConstDouble3", "_Z15addConstDouble2"),
    ("s_transpose", "_Z14transposeNaive", "_Z14transposeTiledILi1E"),
    ("s_transpose", "_Z14transposeTiledILi0E", "_Z14transposeTiledILi1E"),
    ("s_transpose", "_Z14transposeTiledILi0E", "_Z17transposeSwizzled"),
    ("s_transpose", "_Z14transposeNaive", "_Z13transposeWide"),
    ("s_scan2d", "_Z9blockScanILi0E", "_Z9blockScanILi1E"),
    ("s_scan2d", "_Z9blockScanILi0E", "_Z17blockScanSwizzled"),
    ("s_scan2d", "_Z14squaresInTiles", "_Z14squaresInOrder"),
    ("s_histogram", "_Z15histogramGlobal", "_Z15histogramShared"),
    ("s_histogram", "_Z16histogramPerLaneP", "_Z20histogramPerLaneWide"),
    ("s_access_patterns", "_Z11ownElementsIfLi32E", "_Z11ownElementsIfLi1E"),
    ("s_sgemm", "_Z4gemmIfLi128ELi128ELi32ELi8ELi8E6LoaderI4Sync5PlainES3_", "_Z4gemmIfLi128ELi128ELi32ELi8ELi8E6LoaderI5Async5PlainES0_"),
    ("s_sgemm", "_Z4gemmIfLi128ELi128ELi32ELi8ELi8E6LoaderI4Sync5PlainES3_", "_Z10gemmStages"),
    ("s_sgemm", "_Z4gemmIfLi128ELi128ELi32ELi8ELi8E6LoaderI4Sync5PlainES3_", "_Z10gemmTurned"),
    ("layout", "_Z9AoSKernel", "_Z9SoAKernel"),
    ("cs_transpose", "_Z14transposeNaive", "_Z18transposeCoalesced"),
    ("cs_transpose", "_Z18transposeCoalesced", "_Z24transposeNoBankConflicts"),
]


def half(row):
    return ("tune", "test")[zlib.crc32(f"{row['program']} {row['kernel']}".encode()) & 1]


# What a row says that decides, as a row of intervals.def; all else is a unit.
LIMITS = {"instruction issue": "ISSUE", "L1": "L1", "shared memory": "L1", "shared memory and L1": "L1", "shuffles": "L1"}
LIMITS |= {"asynchronous copies": "L1", "texture units": "L1", "L2": "L2", "DRAM": "DRAM", "launching": "LAUNCH"}
LIMITS |= {"barriers": "BARRIERS", "latency of memory": "MEMORY_LATENCY", "latency of shared memory": "SHARED_LATENCY"}
LIMITS |= {"latency of arithmetic": "ARITHMETIC_LATENCY", "atomics": "ATOMICS"}
INTERVALS = {limit: (float(least), float(most)) for limit, least, most in
             re.findall(r"^INTERVAL\((\w+), +([0-9.]+), +([0-9.]+)\)", (ROOT / "src/timing/intervals.def").read_text(), re.M)}
# … when the launches of h200/times-blind.csv were measured
INTERVALS_THEN = INTERVALS | {"L2": (0.80, 1.90), "DRAM": (0.80, 1.90)}


def stage(row):
    return LIMITS.get(row["model_limit"], "UNIT")


def read_rows(name="h200/times", model="model", intervals=INTERVALS):
    """model: "first" for what it said when the rows were measured, with the interval that it had then; "again": since."""
    lines = [line for line in (HERE / f"{name}.csv").read_text().splitlines() if line[0] != "#"]
    for row in csv.DictReader(lines):
        if not row[f"{model}_us"]:
            continue  # measured, and not estimated: README.md says why
        row["us"] = float(row["time_ns"]) / 1e3
        row["model_us"] = float(row[f"{model}_us"])
        if model == "again":
            row["model_limit"] = row["again_limit"]
        least, most = (0.83, 1.62) if model == "first" else intervals[stage(row)]
        row["model_least_us"], row["model_most_us"] = least * row["model_us"], most * row["model_us"]
        row["half"] = half(row)
        row["error"] = 100 * abs(row["model_us"] / row["us"] - 1)
        row["inside"] = row["model_least_us"] <= row["us"] <= row["model_most_us"]
        yield row


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def figures_of(name, rows):
    """(name, launches, programs, median, 90 % within, share within WITHIN, share inside, ends apart)"""
    of = [row for row in rows if row["us"] >= LEAST_US]
    errors = [row["error"] for row in of]
    return (name, len(of), len({row["program"] for row in of}), statistics.median(errors), quantile(errors, 0.9),
            100 * sum(error <= WITHIN for error in errors) / len(of), 100 * sum(row["inside"] for row in of) / len(of),
            statistics.median(row["model_most_us"] / row["model_least_us"] for row in of))


def figures(rows):
    for name in ("tune", "test", "all"):
        yield figures_of(name, [row for row in rows if name in ("all", row["half"])])


def unseen_figures():
    yield figures_of("H200, unseen, at first", read_rows("h200/times-unseen", "first"))
    yield figures_of("H200, unseen", read_rows("h200/times-unseen"))


def anew_figures():
    """Of the H200's two tables, the rows that estimate.py estimated again with the model of that day."""
    rows = [row for name in ("h200/times", "h200/times-unseen") for row in read_rows(name) if row["model_on"] >= ANEW_ON]
    for name in ("tune", "test", "all"):
        yield figures_of(f"H200, estimated anew, {name}", [row for row in rows if name in ("all", row["half"])])


def h100_figures():
    yield figures_of("H100, unseen, at first", read_rows("h100/times-unseen", "first"))
    rows = list(read_rows("h100/times-unseen"))
    for name in ("tune", "test", "all"):
        yield figures_of(f"H100, {name}", [row for row in rows if name in ("all", row["half"])])


def blind_figures():
    yield figures_of("H200, 2026-11-28, unseen", read_rows("h200/times-blind", intervals=INTERVALS_THEN))
    yield figures_of("the same, since", read_rows("h200/times-blind", "again"))
    yield figures_of("H200, third draw", read_rows("h200/times-third"))
    yield figures_of("H200, fourth draw, unseen", read_rows("h200/times-fourth"))
    yield figures_of("the fourth draw, since", read_rows("h200/times-fourth", "again"))


def of_all():
    """The launches of the three tables."""
    for name in ("h200/times", "h200/times-unseen", "h100/times-unseen"):
        yield from (row for row in read_rows(name) if row["us"] >= LEAST_US)


def all_figures():
    rows = list(of_all())
    for name in ("tune", "test"):
        yield figures_of(f"all three, {name}", [row for row in rows if row["half"] == name])


def quantiles():
    stages = {}
    for row in of_all():
        if row["half"] == "tune":
            stages.setdefault(stage(row), []).append(row["us"] / row["model_us"])
    yield "| decides | launches | 3 % took less than | median | 97 % took less than | the interval |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for limit, values in sorted(stages.items(), key=lambda one: -len(one[1])):
        least, most = INTERVALS[limit]
        yield (f"| {limit.replace('_', ' ').lower()} | {len(values)} | {quantile(values, 0.03):.2f} | "
               f"{statistics.median(values):.2f} | {quantile(values, 0.97):.2f} | {least:.2f} to {most:.2f} |")


def pairs(rows):
    first = {}
    for row in rows:
        first.setdefault((row["program"], row["kernel"]), row)
    for program, before, after in PAIRS:
        found = [[row for key, row in first.items() if key[0] == program and key[1].startswith(name)]
                 for name in (before, after)]
        if all(found):
            yield program, found[0][0], found[1][0]


def pair_figures(rows):
    """(pairs, those in the right order, median error of the saving in percent). Of pairs that differ by less than a tenth
    the order is not asked: measured twice they change it."""
    asked = [(a, b) for _, a, b in pairs(rows) if max(a["us"], b["us"]) > 1.1 * min(a["us"], b["us"])]
    right = sum((a["us"] > b["us"]) == (a["model_us"] > b["model_us"]) for a, b in asked)
    errors = [100 * abs((a["model_us"] - b["model_us"]) / (a["us"] - b["us"]) - 1) for a, b in asked]
    return len(asked), right, statistics.median(errors)


def summary(figures):
    yield "| launches | number | programs | median error | 90 % within | within 50 % | in the interval | its ends apart |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, count, programs, median, most, within, inside, apart in figures:
        yield (f"| {name} | {count} | {programs} | {median:.1f} % | {most:.1f} % | {within:.0f} % | {inside:.0f} % | "
               f"{apart:.2f} x |")


def pair_rows(rows):
    yield "| program | from | to | measured us | saved | modelled us | saved |"
    yield "| --- | --- | --- | ---: | ---: | ---: | ---: |"
    for program, a, b in pairs(rows):
        yield (f"| {program} | `{a['kernel'][:34]}` | `{b['kernel'][:34]}` | {a['us']:.1f} | {a['us'] - b['us']:.1f} | "
               f"~{a['model_us']:.1f} | ~{a['model_us'] - b['model_us']:.1f} |")


def worst_rows(rows, most=10):
    """Of a kernel the worst launch."""
    large = sorted((row for row in rows if row["us"] >= LEAST_US), key=lambda row: row["error"], reverse=True)
    large = list({(row["program"], row["kernel"]): row for row in reversed(large)}.values())[::-1]
    yield "| program | launch | half | measured us | modelled us | decided by |"
    yield "| --- | --- | --- | ---: | ---: | --- |"
    for row in large[:most]:
        half = row["half"]
        yield (f"| {row['program']} | {row['launch']}: `{row['kernel'][:40]}` | {half} | {row['us']:.1f} | "
               f"~{row['model_us']:.1f} | {row['model_limit']} |")


# ---- launches anew, from PTX that is here: what the PTX gives, at the clock that was measured ----

SAMPLE3 = "samples/add_const_double3/add_const_double3.ptx"
DOUBLES = ["f64[3145728]=random:1", "f64=1.5", "f64[3145728]"]
ANEW = [
    ("s_add_const_double3", "_Z15addConstDouble3iPK7double3dPS_", SAMPLE3, 4096, 256, ["i32=1048576", *DOUBLES]),
    ("s_add_const_double3", "_Z14addConstDoubleiPKddPd", SAMPLE3, 12288, 256, ["i32=3145728", *DOUBLES]),
    ("s_add_const_double3", "_Z15addConstDouble2iPK7double2dPS_", SAMPLE3, 6144, 256, ["i32=1572864", *DOUBLES]),
]


def run(warplens, folder, row, case):
    _, kernel, ptx, grid, block, arguments = case
    profile = folder / "times.wlp"
    command = [warplens, "kernel", str(ROOT / ptx), "-k", kernel, "--gpu", "h200", "--time", "--machine-code", "off"]
    command += ["--clock", str(round(float(row["clock_mhz"]))), "--grid", str(grid), "--block", str(block)]
    command += ["--no-sass", "-q", "-o", str(profile)]
    for argument in arguments:
        command += ["--arg", argument]
    subprocess.run(command, check=True)
    shown = [warplens, "report", "--format", "json", str(profile)]
    return json.loads(subprocess.run(shown, check=True, capture_output=True).stdout)["launches"][0]["time"]


def check_anew(warplens, rows):
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in ANEW:
            row = next(row for row in rows if (row["program"], row["kernel"]) == case[:2])
            time = run(warplens, pathlib.Path(folder), row, case)
            error = 100 * abs(time["us"] / row["us"] - 1)
            inside = time["least_us"] <= row["us"] <= time["most_us"]
            print(f"{case[1]}: {row['us']:.1f} us, PTX gives ~{time['us']:.1f} us, off by {error:.0f} %")
            wrong += error > WITHIN or not inside
    return wrong


def every_figure(rows):
    return [*figures(rows), *unseen_figures(), *anew_figures(), *h100_figures(), *all_figures(), *blind_figures()]


def tables(rows):
    return (summary(every_figure(rows)), quantiles(), pair_rows(rows), worst_rows(rows),
            worst_rows(list(read_rows("h200/times-unseen")), 4), worst_rows(list(read_rows("h100/times-unseen"))),
            worst_rows(list(read_rows("h200/times-blind")), 6), worst_rows(list(read_rows("h200/times-third")), 6),
            worst_rows(list(read_rows("h200/times-fourth"))))


def main():
    warplens, rows = sys.argv[1], list(read_rows())
    if sys.argv[2:] == ["--quantiles"]:
        print("\n".join(quantiles()))
        return 0
    if sys.argv[2:] == ["--table"]:
        for table in tables(rows):
            print("\n".join(table), "\n")
        print(pair_figures(rows))
        return 0
    wrong = 0
    page = (ROOT / "docs/time.md").read_text()
    for line in (line for table in tables(rows) for line in table):
        if line not in page:
            print(f"docs/time.md lacks: {line}")
            wrong += 1
    for name, count, _, median, _, within, inside, apart in every_figure(rows):
        print(f"{name}: {count} launches: median error {median:.1f} %, {within:.0f} % within {WITHIN} %, {inside:.0f} % inside")
        if (median > MEDIAN and count > FEW) or (name in HELD and (within < 90 or inside < INSIDE or apart > APART)):
            print("beyond what is wanted")
            wrong += 1
    return 1 if wrong + check_anew(warplens, rows) else 0


if __name__ == "__main__":
    sys.exit(main())
