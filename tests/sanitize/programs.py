#!/usr/bin/env python3
"""programs.py WARPLENS: what --sanitize finds of a program's own memory and errors. Status 77: skipped, there is no nvcc.

program.cu has a function for each way, and lines that end with "//! KIND" where that kind must be found, with the way as its
argument: a line "//! KIND if WAY". Nothing else may be found.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MARK = re.compile(r"//! (\S+) if (\w+)")


def main():
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc or not shutil.which("addr2line"):
        print("skipped: there is no nvcc, or no addr2line")
        return 77
    source = HERE / "programs" / "program.cu"
    lines = source.read_text().splitlines()
    ways = re.findall(r'// way (\w+)', source.read_text())
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program, profile = f"{folder}/program", f"{folder}/program.wlp"
        subprocess.run([nvcc, "-g", "-lineinfo", "-arch=sm_80", "-o", program, source], check=True)
        for way in ways:
            expected = sorted((number, match[1]) for number, line in enumerate(lines, 1) for match in MARK.finditer(line) if match[2] == way)
            ran = subprocess.run([sys.argv[1], "run", "--sanitize", "all", "-q", "--no-sass", "-o", profile, program, way], capture_output=True, text=True)
            report = subprocess.run([sys.argv[1], "report", profile, "--format", "json"], capture_output=True, text=True)
            found = []
            for defect in json.loads(report.stdout).get("defects", []) if report.returncode == 0 else []:
                place = re.search(r"(?:by|at) +\S*program\.cu:(\d+)", defect["message"])
                found.append((int(place[1]) if place else 0, defect["kind"]))
            if sorted(found) != expected or ran.returncode != bool(expected):
                wrong += 1
                print(f"{way}: expected {expected}, found {sorted(found)}, exit status {ran.returncode}\n{ran.stderr}")
    print(f"{len(ways)} ways, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
