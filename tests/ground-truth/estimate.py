#!/usr/bin/env python3
"""Estimates the launches of a table of measured durations again, with programs that were built elsewhere.

  estimate.py WARPLENS PROGRAMS TABLE     TABLE is h200/times, h200/times-unseen, h200/times-blind, h200/times-third,
                                          h200/times-fourth or h100/times-unseen; PROGRAMS a folder with a folder for each
                                          name in the column `program`, in which the program lies as `main`, with the files
                                          that it reads
    --column NAME   `model` (default) or `again`: writes NAME_us and NAME_limit (of `model`: model_on, too)
    --only A,B      only these programs
    --seconds N     the longest that a program may take (default 300)
    --kept FOLDER   estimates are kept there, a file for each program, and taken from there when they are there
    --dry-run       writes nothing: prints each row's estimate beside what the table has

How programs are built: README.md. Only estimates are written; what was measured stays as it is. A row is left as it was, and named, where its
program is not there, takes too long, or launches that kernel otherwise (grid, block). A program runs at the median of its rows' clocks.
"""

import argparse
import csv
import datetime
import io
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def read(path):
    """The lines that begin with #, the names of the columns, and the rows."""
    lines = path.read_text().splitlines(keepends=True)
    comments = [line for line in lines if line.startswith("#")]
    reader = csv.DictReader(line for line in lines if not line.startswith("#"))
    return comments, reader.fieldnames, list(reader)


def write(path, comments, names, rows):
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_text("".join(comments) + text.getvalue())


def run(command, folder, seconds):
    """None, or why it failed. What the program starts ends with it."""
    program = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               errors="replace", start_new_session=True)
    try:
        errors = program.communicate(timeout=seconds)[1].strip()
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)
        program.communicate()
        return f"more than {seconds:g} s"
    return (errors or f"exit status {program.returncode}").splitlines()[-1][:120] if program.returncode else None


def launches_of(arguments, folder, rows, gpu):
    """What --time says of the launches of the rows' kernels: a list of kernel, number, grid, block, us, limit."""
    kernels = {}
    for row in rows:
        kernels[row["kernel"]] = max(kernels.get(row["kernel"], 0), int(row["launch"]) + 1)
    names = "|".join(re.escape(kernel) for kernel in kernels)
    clock = round(statistics.median(float(row["clock_mhz"]) for row in rows))
    with tempfile.TemporaryDirectory() as scratch:
        profile = f"{scratch}/program.wlp"
        command = [arguments.warplens, "run", "--gpu", gpu, "--time", "--clock", str(clock), "-k", f"^({names})$"]
        command += ["--launches", str(max(kernels.values())), "--stop-after", str(sum(kernels.values()))]
        command += ["--machine-code", "require", "--no-sass", "--evidence", "1", "-q", "-o", profile, "./main"]
        failed = run(command + rows[0]["arguments"].split(), folder, arguments.seconds)
        if not os.path.exists(profile):
            return None, failed or "no such launch"
        shown = [arguments.warplens, "report", "--format", "json", profile]
        report = json.loads(subprocess.run(shown, check=True, capture_output=True).stdout)
    found, numbers = [], {}
    for launch in report["launches"]:
        kernel = report["kernels"][launch["kernel"]]["name"]
        number = numbers[kernel] = numbers.get(kernel, -1) + 1
        time = launch["time"] or {}
        found.append({"kernel": kernel, "launch": number, "grid": launch["grid"], "block": launch["block"],
                      "us": time.get("us"), "limit": time.get("limit"), "warp_insts": launch["warp_insts"]})
    return found, "no such launch"


def estimates(arguments, program, rows, gpu):
    kept = arguments.kept and arguments.kept / f"{gpu}.{program}.json"
    if kept and kept.exists():
        return json.loads(kept.read_text()), "no such launch"
    folder = arguments.programs / program
    if not os.access(folder / "main", os.X_OK):
        return None, "program is not there"
    found, why = launches_of(arguments, folder, rows, gpu)
    if kept and found is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(found))
    return found, why


def same_shape(row, launch):
    return all("x".join(map(str, launch[of])) == row[of] for of in ("grid", "block"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("warplens", type=pathlib.Path)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("table")
    parser.add_argument("--column", choices=["model", "again"], default="model")
    parser.add_argument("--only")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--kept", type=pathlib.Path)
    parser.add_argument("--dry-run", action="store_true")
    arguments = parser.parse_args()
    arguments.warplens = arguments.warplens.resolve()
    path = HERE / f"{arguments.table}.csv"
    comments, names, rows = read(path)
    programs = {}
    for row in rows:
        programs.setdefault(row["program"], []).append(row)
    left = 0
    for program, of in programs.items():
        if arguments.only and program not in arguments.only.split(","):
            continue
        found, why = estimates(arguments, program, of, arguments.table.split("/")[0])
        done = 0
        for row in of:
            launch = next((one for one in found or [] if (one["kernel"], one["launch"]) == (row["kernel"], int(row["launch"]))), None)
            if not launch or not launch["us"] or not same_shape(row, launch):
                print(f"left: {program} {row['launch']}: {row['kernel'][:60]}: {'another grid or block' if launch and launch['us'] else why}")
                left += 1
                continue
            if arguments.dry_run:
                was = float(row[f"{arguments.column}_us"] or 0)
                print(f"{program} {row['launch']}: {row['kernel'][:40]}: measured {float(row['time_ns']) / 1e3:.1f}, ~{was:.1f} -> ~{launch['us']:.1f} us")
            row[f"{arguments.column}_us"] = f"{launch['us']:.4g}"
            row[f"{arguments.column}_limit"] = launch["limit"]
            if arguments.column == "model" and "model_on" in names:
                row["model_on"] = datetime.date.today().isoformat()
            done += 1
        print(f"{program}: {done} of {len(of)} rows", flush=True)
        if not arguments.dry_run:
            write(path, comments, names, rows)
    print(f"{left} rows were left")


if __name__ == "__main__":
    sys.exit(main())
