#!/usr/bin/env python3
"""wrong_calls.py WARPLENS: the calls of wrong_calls.txt give what they give on an H200, but for those that have a reason of reasons.txt
to differ. Status 77: skipped, there is no nvcc."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import reasons

HERE = pathlib.Path(__file__).resolve().parent
LINE = re.compile(rf"(?P<call>.*): (?P<gpu>\d+)(?:{reasons.WRONG_CALL.pattern})?")


def main():
    unmarked = reasons.wrong_marks()
    print("".join(f"{row}\n" for row in unmarked), end="")
    if unmarked:
        return 1
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("skipped: there is no nvcc")
        return 77
    lines = [line for line in (HERE / "wrong_calls.txt").read_text().splitlines() if not line.startswith("#")]
    rows = [LINE.fullmatch(line) for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "calls.inc").write_text("".join(f"W({row['call']})\n" for row in rows))
        program = f"{folder}/wrong_calls"
        quiet = ["-Xcompiler", "-w", "-diag-suppress", "69"]
        subprocess.run([nvcc, *quiet, "-I", folder, "-o", program, HERE / "wrong_calls.cu", "-lcuda"], check=True)
        command = [sys.argv[1], "run", "-q", "--no-save", "--gpu", "h200", program]
        printed = subprocess.run(command, text=True, capture_output=True).stdout.splitlines()
    wrong = 0
    for row, got in zip(rows, printed, strict=False):
        wanted = f"{row['call']}: {row['here'] or row['gpu']}"
        if got != wanted:
            wrong += 1
            print(f"expected {wanted}, not {got.rpartition(': ')[2]}")
    if len(printed) != len(rows):
        print(f"{len(rows)} calls, {len(printed)} answers")
        wrong += 1
    known = sum(row["here"] is not None for row in rows)
    errors = sum(row["gpu"] != "0" and row["here"] is None for row in rows)
    print(f"{len(rows) - known - wrong} of {len(rows)} calls as on an H200, {errors} of them errors; {known} known to differ")
    return wrong > 0


sys.exit(main())
