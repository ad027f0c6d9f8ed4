"""Runs every sample's program without a GPU, and compares what warplens counts with what Nsight Compute
counted for the same program on an H100.

Each program is built with nvcc, checks its own results, and launches each of its kernels once
(bench/samples.py has the arguments). tests/ground-truth/h100/samples-by-line.csv has the counters of
every source line of these launches, as `bench/gpu counters` wrote them.

Where functions are inlined, Nsight Compute shows some of their instructions at the line of the function
and some at the line of the call. Lines that differ and are connected by such calls are compared as one:
their sums must be equal. A line that differs beyond that must be explained in EXPLAINED.

  programs.py WARPLENS [--write]     with --write, the table in samples/README.md is written
"""

import csv
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "bench"))

import samples  # noqa: E402

MEASURED = ROOT / "tests" / "ground-truth" / "h100" / "samples-by-line.csv"
TABLE = ROOT / "samples" / "README.md"
MARKS = ("<!-- truth: written by tests/samples/programs.py --write -->\n", "<!-- end of truth -->")
# CSV column -> counter of a line
COLUMNS = {
    "shared_wavefronts": "wavefronts",
    "shared_wavefronts_ideal": "wavefronts_ideal",
    "global_sectors": "sectors",
    "global_sectors_ideal": "sectors_ideal",
    "l1_tag_requests": "tag_requests",
}
# Counters by site, once for every (file, line) of the chain of inlined calls that the site lies in;
# depth 0 is where the instruction itself stands.
SITES = """
WITH RECURSIVE chain(site, location, depth) AS (
    SELECT id, location, 0 FROM site
    UNION SELECT chain.site, location.inlined_at, depth + 1
    FROM chain JOIN location ON location.id = chain.location
    WHERE location.inlined_at IS NOT NULL)
SELECT count.launch AS launch, chain.site AS site, depth, file.path AS path, location.line AS line, count.*
FROM chain JOIN count ON count.site = chain.site
     JOIN location ON location.id = chain.location JOIN file ON file.id = location.file
ORDER BY chain.site, depth
"""
POLLS = "blocks read until another has written: as often as that takes"
# (sample, a piece of the text of one of the lines) -> why they differ
EXPLAINED = {
    ("scan2d", ': "l"(from)'): POLLS,
    ("scan2d", ': "=l"(value.x), "=l"(value.y)'): POLLS,
}


def neutral(path):
    """A source file relative to the repository, or the name alone of a header of CUDA's."""
    path = os.path.normpath(path)
    return os.path.relpath(path, ROOT) if path.startswith(f"{ROOT}/") else pathlib.Path(path).name


def run(warplens, sample, program, folder):
    """Runs the program, which must find its results right. The sites of its profile."""
    profile = f"{folder}/{sample}.wlp"
    command = [warplens, "run", "-q", "-o", profile, program, *samples.once(sample)]
    result = subprocess.run(list(map(str, command)), cwd=ROOT, text=True, capture_output=True, timeout=300)
    versions = result.stdout.splitlines()[1:]
    if result.returncode != 0 or not versions or not all("right" in line for line in versions):
        sys.exit(f"{result.stdout}{result.stderr}FAIL {sample}: exit status {result.returncode}")
    database = sqlite3.connect(profile)
    database.row_factory = sqlite3.Row
    return len(versions), [dict(row, path=neutral(row["path"])) for row in database.execute(SITES)]


class Launch:
    """One launch, measured and counted: (file, line) -> a vector in the order of COLUMNS."""

    def __init__(self, rows, sites):
        self.measured, self.counted, self.calls = {}, {}, {}
        for row in rows:
            self.measured[row["file"], int(row["line"])] = [int(row[column]) for column in COLUMNS]
        inner = None
        for site in sites:
            place = site["path"], site["line"]
            if site["depth"] == 0:
                inner = place
                counters = [site[name] for name in COLUMNS.values()]
                if any(counters):
                    self.counted[place] = add(self.counted.get(place, [0] * len(COLUMNS)), counters)
            elif inner in self.counted:
                self.calls.setdefault(inner, set()).add(place)

    def groups(self):
        """Sets of lines to be compared: one line, or differing lines connected by inlined calls."""
        places = self.measured.keys() | self.counted.keys()
        groups = {place: {place} for place in places}
        differing = {place for place in places if self.measured.get(place) != self.counted.get(place)}
        for inner in sorted(differing & self.calls.keys()):
            for place in sorted(self.calls[inner] & differing):
                together = groups[inner] | groups[place]
                groups.update(dict.fromkeys(together, together))
        return {id(group): sorted(group) for group in groups.values()}.values()

    def total(self, table, group):
        none = [0] * len(COLUMNS)
        total = none
        for place in group:
            total = add(total, table.get(place, none))
        return total


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def explanation(sample, group):
    for file, line in group:
        path = ROOT / file
        text = path.read_text().splitlines()[line - 1] if path.exists() else ""
        for (which, piece), reason in EXPLAINED.items():
            if which == sample and piece in text:
                return reason
    return None


def short(kernel):
    """void f<(int)1>(int *) -> f<1>"""
    name = re.sub(r"^void ", "", kernel)
    name = re.sub(r"\((?:int|bool)\)", "", name)
    return re.sub(r"\((?!.*>).*", "", name)


def compare(sample, rows, sites):
    """A row of the table for each kernel: lines, how many equal, equal together, differing, and why;
    and the number of differences that nothing explains."""
    table, unexplained = {}, 0
    for number in sorted({int(row["launch"]) for row in rows}):
        mine = [row for row in rows if int(row["launch"]) == number]
        launch = Launch(mine, [site for site in sites if site["launch"] == number])
        entry = table.setdefault(short(mine[0]["kernel"]), [0, 0, 0, 0, set()])
        for group in launch.groups():
            measured, counted = launch.total(launch.measured, group), launch.total(launch.counted, group)
            reason = explanation(sample, group)  # such lines may happen to be equal
            entry[0] += len(group)
            if measured == counted and not reason:
                entry[1 if len(group) == 1 else 2] += len(group)
                continue
            entry[3] += len(group)
            entry[4].add(reason)
            if not reason:
                unexplained += 1
                lines = ", ".join(f"{file}:{line}" for file, line in group)
                print(f"FAIL {sample}, launch {number}, {mine[0]['kernel']}, {lines}:")
                print(f"     {', '.join(COLUMNS)}: counted {counted}, measured {measured}")
    return table, unexplained


def document(tables):
    """The table in samples/README.md: a row for each kernel, several launches of it in one."""
    lines = ["", "| sample | kernel | lines | equal | equal with their callers | differ |"]
    lines.append("| --- | --- | ---: | ---: | ---: | --- |")
    totals = [0, 0, 0, 0]
    for sample, table in tables.items():
        for kernel, (*numbers, reasons) in table.items():
            totals = add(totals, numbers)
            differ = f"{numbers[3]}: {'; '.join(sorted(map(str, reasons)))}" if numbers[3] else "-"
            lines.append(f"| {sample} | `{kernel}` | {numbers[0]} | {numbers[1]} | {numbers[2]} | {differ} |")
    lines.append(f"| all | | {totals[0]} | {totals[1]} | {totals[2]} | {totals[3]} |")
    return MARKS[0] + "\n".join(lines) + "\n\n" + MARKS[1]


def check_table(text, write):
    """Whether samples/README.md has the table; with `write` it is put there."""
    before = TABLE.read_text()
    if any(mark not in before for mark in MARKS):
        sys.exit(f"FAIL {TABLE.name} has no place for the table: {MARKS[0]}{MARKS[1]}")
    start, end = before.index(MARKS[0]), before.index(MARKS[1]) + len(MARKS[1])
    after = before[:start] + text + before[end:]
    if write:
        TABLE.write_text(after)
    elif after != before:
        print(f"FAIL the table in samples/{TABLE.name} is out of date; write it with --write")
    return write or after == before


def main():
    warplens, write = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] == ["--write"]
    nvcc = samples.find_nvcc()
    if not nvcc:
        print("skipped: there is no nvcc on PATH or under CUDA_HOME")
        sys.exit(77)
    programs = samples.build(nvcc, warplens.parent / "samples", samples.ONCE, 2)
    with open(MEASURED, newline="") as file:
        measured = list(csv.DictReader(file))
    tables, unexplained = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for sample, program in programs.items():
            versions, sites = run(warplens, sample, program, folder)
            rows = [row for row in measured if row["sample"] == sample]
            tables[sample], failures = compare(sample, rows, sites)
            unexplained += failures
            print(f"{sample}: {versions} versions are right; {len(rows)} lines measured, {failures} differ")
    sys.exit(0 if check_table(document(tables), write) and not unexplained else 1)


if __name__ == "__main__":
    main()
