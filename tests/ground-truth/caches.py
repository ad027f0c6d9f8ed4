#!/usr/bin/env python3
"""Compares what --caches estimates with what Nsight Compute measured on an H200 (h200/caches.csv) and an H100 (h100/caches-unseen.csv).

  caches.py WARPLENS           the table's own figures, which docs/caches.md must have; then some of its launches anew
  caches.py WARPLENS --table   prints the tables of docs/caches.md

A row of the table is a launch: `l1_…`, `l2_…`, `dram_…` are measured; `model_…` is what --caches said of the same launch
of the same program when the row was kept. Rows with at least 100,000 sectors are in the figures. They are in two halves, by a hash of
program and kernel, so that constants can be fitted to the first ("tune") and judged by the second ("test"). Rows of `micro` are the
microbenchmarks that the rules come from: measured only.

Exit status 1 where the page says something else, a median of a half or a 90th percentile of all is beyond what is wanted, or a launch
that is estimated anew is far off.
"""

import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SECTORS_LEAST = 100_000
DRAM_LEAST = 1e6  # bytes: of less, as much would be no error

# median and 90th percentile that are wanted: points, points, percent
WANTED = {"l1": (5, 10), "l2": (7, 14), "dram": (10, 20)}


def rate(hits, sectors):
    return 100 * hits / sectors if sectors else 0


def errors(measured, model):
    """Of L1's and L2's hit rates in points, of the bytes of DRAM in percent."""
    out = {}
    for level in ("l1", "l2"):
        out[level] = abs(rate(measured[f"{level}_hits"], measured[f"{level}_sectors"])
                         - rate(model[f"{level}_hits"], model[f"{level}_sectors"]))
    bytes_of = lambda row: row["dram_read"] + row["dram_written"]
    out["dram"] = 100 * abs(bytes_of(model) - bytes_of(measured)) / max(bytes_of(measured), DRAM_LEAST)
    return out


FIGURES = [f"{level}_{what}" for level in ("l1", "l2") for what in ("sectors", "hits")]
FIGURES += ["dram_read", "dram_written"]


def half_of(row, name):
    """Rows of caches-unseen.csv were drawn and measured when the model was there; on the H200 that of every line, on the H100 that of some lines for all."""
    if name.endswith("caches-blind"):
        return "H200, 2026-11-28"
    if name.endswith("caches-unseen"):
        return "unseen" if name.startswith("h200") else "H100, unseen"
    if row["program"] == "micro":
        return "micro"
    return ("tune", "test")[zlib.crc32(f"{row['program']} {row['kernel']}".encode()) & 1]


def read_rows(name="h200/caches"):
    lines = [line for line in (HERE / f"{name}.csv").read_text().splitlines() if line[0] != "#"]
    for row in csv.DictReader(lines):
        for figure in FIGURES:
            row[figure] = int(row[figure])
            row["model_" + figure] = int(row["model_" + figure] or 0)
        row["half"] = half_of(row, name)
        row["errors"] = errors(row, {figure: row["model_" + figure] for figure in FIGURES})
        yield row


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def figures(rows):
    """(half, launches, level, median, 90th percentile, worst), for launches that are large enough."""
    together = {"all": ("tune", "test"), "all five": ("tune", "test", "unseen", "H100, unseen", "H200, 2026-11-28")}
    for name in ("tune", "test", "all", "unseen", "H100, unseen", "H200, 2026-11-28", "all five"):
        halves = together.get(name, (name,))
        of = [row["errors"] for row in rows if row["half"] in halves and row["l1_sectors"] >= SECTORS_LEAST]
        for level in WANTED:
            values = [one[level] for one in of]
            yield name, len(of), level, statistics.median(values), quantile(values, 0.9), max(values)


TITLES = {"l1": "L1 hit rate, points", "l2": "L2 hit rate, points", "dram": "DRAM bytes, %"}


def summary(rows):
    yield "| launches | number | error of | median | 90 % within | worst |"
    yield "| --- | ---: | --- | ---: | ---: | ---: |"
    for name, count, level, median, most, worst in figures(rows):
        yield f"| {name} | {count} | {TITLES[level]} | {median:.1f} | {most:.1f} | {worst:.1f} |"


def worst_rows(rows, most=10):
    def badness(row):
        return max(row["errors"][level] / WANTED[level][0] for level in WANTED)

    large = [row for row in rows if row["half"] != "micro" and row["l1_sectors"] >= SECTORS_LEAST]
    yield "| program | launch | L1 hits | model | L2 hits | model | DRAM MB | model |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    large = sorted(large, key=badness, reverse=True)
    for row in list({(row["program"], row["kernel"]): row for row in reversed(large)}.values())[::-1][:most]:
        cells = [row["program"], f"{row['launch']}: `{row['kernel'][:40]}`"]
        for level in ("l1", "l2"):
            for prefix in ("", "model_"):
                hits, sectors = row[f"{prefix}{level}_hits"], row[f"{prefix}{level}_sectors"]
                cells.append(f"{rate(hits, sectors):.1f} %")
        for prefix in ("", "model_"):
            cells.append(f"{(row[prefix + 'dram_read'] + row[prefix + 'dram_written']) / 1e6:.2f}")
        yield "| " + " | ".join(cells) + " |"


# ---- launches anew, from PTX that is here: program, kernel, launch, how it is run ----

MICRO = "tests/ground-truth/h200/caches.ptx"
WORDS = "u32[{}]=0"
SAMPLE3 = "samples/add_const_double3/add_const_double3.ptx"
DOUBLES = ["f64[3145728]=random:1", "f64=1.5", "f64[3145728]"]


def of_words(count, *rest):
    return [WORDS.format(count), WORDS.format(1024), *(f"i32={value}" for value in rest)]


ANEW = [
    ("micro", 0, MICRO, "twice<0>", 132, 256, of_words(132 * 8192, 8192, 2)),
    ("micro", 1, MICRO, "twice<1>", 132, 256, of_words(132 * 8192, 8192, 2)),
    ("micro", 5, MICRO, "twice<5>", 132, 256, of_words(132 * 8192, 8192, 2)),
    ("micro", 54, MICRO, "mixed<0>", 132, 256, of_words(132 * 8192, 8192)),
    ("micro", 55, MICRO, "mixed<1>", 132, 256, of_words(132 * 8192, 8192)),
    ("micro", 58, MICRO, "mixed<4>", 132, 256, of_words(132 * 8192, 8192)),
    ("micro", 61, MICRO, "mixed<7>", 132, 256, of_words(132 * 8192, 8192)),
    ("micro", 64, MICRO, "together", 132, 256, of_words(132 * 8192, 8192)),
    ("add_const_double3", 0, SAMPLE3, "addConstDouble3", 4096, 256, ["i32=1048576", *DOUBLES]),
    ("add_const_double3", 1, SAMPLE3, "addConstDouble(", 12288, 256, ["i32=3145728", *DOUBLES]),
    ("add_const_double3", 2, SAMPLE3, "addConstDouble2", 6144, 256, ["i32=1572864", *DOUBLES]),
]


def run(warplens, folder, case):
    _, _, ptx, kernel, grid, block, arguments = case
    profile = folder / "caches.wlp"
    command = [warplens, "kernel", str(ROOT / ptx), "-k", kernel, "--gpu", "h200", "--caches"]
    command += ["--grid", str(grid), "--block", str(block), "--no-sass", "-q", "-o", str(profile)]
    for argument in arguments:
        command += ["--arg", argument]
    subprocess.run(command, check=True)
    shown = [warplens, "report", "--format", "json", str(profile)]
    caches = json.loads(subprocess.run(shown, check=True, capture_output=True).stdout)["launches"][0]["caches"]
    return {
        "l1_sectors": caches["l1_loads"] + caches["l1_others"],
        "l1_hits": caches["l1_load_hits"] + caches["l1_other_hits"],
        "l2_sectors": caches["l2_sectors"],
        "l2_hits": caches["l2_hits"],
        "dram_read": caches["dram_read_bytes"],
        "dram_written": caches["dram_written_bytes"],
    }


def check_anew(warplens, rows):
    wrong = 0
    known = {(row["program"], int(row["launch"])): row for row in rows}
    with tempfile.TemporaryDirectory() as folder:
        for case in ANEW:
            row = known[case[:2]]
            off = errors(row, run(warplens, pathlib.Path(folder), case))
            far = [level for level in WANTED if off[level] > WANTED[level][1]]
            print(f"{case[0]} {case[1]}: {case[3]}: off by", ", ".join(f"{k} {v:.1f}" for k, v in off.items()),
                  "TOO FAR" if far else "")
            wrong += bool(far)
    return wrong


def main():
    warplens, seen, unseen = sys.argv[1], list(read_rows()), list(read_rows("h200/caches-unseen"))
    h100 = list(read_rows("h100/caches-unseen"))
    blind = list(read_rows("h200/caches-blind"))
    rows = seen + unseen + h100 + blind
    tables = (summary(rows), worst_rows(seen), worst_rows(unseen, 6), worst_rows(h100), worst_rows(blind, 6))
    if sys.argv[2:] == ["--table"]:
        print("\n\n".join("\n".join(table) for table in tables))
        return 0
    wrong = 0
    page = (ROOT / "docs/caches.md").read_text()
    for line in (line for table in tables for line in table):
        if line not in page:
            print(f"docs/caches.md lacks: {line}")
            wrong += 1
    for name, count, level, median, most, _ in figures(rows):
        print(f"{name}: {count} launches, {TITLES[level]}: median {median:.2f}, 90 % within {most:.2f}")
        if median > WANTED[level][0] or (name in ("all", "unseen", "H100, unseen", "H200, 2026-11-28", "all five") and most > WANTED[level][1]):
            print("beyond what is wanted")
            wrong += 1
    return 1 if wrong + check_anew(warplens, seen) else 0


if __name__ == "__main__":
    sys.exit(main())
