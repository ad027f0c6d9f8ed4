#!/usr/bin/env python3
"""programs.py WARPLENS: what --sanitize finds of a program's own memory, errors and streams. Status 77: skipped, there is no nvcc.

Each file of programs/ has a function for each way ("// way WAY"), and lines that end with "//! KIND if WAY" where that kind must be found, with
the way as the program's argument; "//! other if WAY" is where the other one of two calls stands. Nothing else may be found.
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


def places(message, source):
    """The line of a defect, and that of the other call."""
    other = re.search(rf"other by +\S*{source.name}:(\d+)", message)
    place = re.search(rf"{'^  by' if other else '(?:by|at)'} +\S*{source.name}:(\d+)", message, re.M)
    return int(place[1]) if place else 0, [(int(other[1]), "other")] if other else []


def results(warplens, profile, source):
    """The lines at which SARIF has the defects; 0: elsewhere. Of a program that launches nothing, and is right, there is no profile."""
    if not profile.exists():
        return []
    said = profile.with_suffix(".sarif")
    subprocess.run([warplens, "check", profile, "--sarif", said], capture_output=True)
    lines = []
    for result in json.loads(said.read_text())["runs"][0]["results"]:
        place = result["locations"][0]["physicalLocation"] if result["locations"] else {}
        here = place.get("artifactLocation", {}).get("uri", "").endswith(source.name)
        if result["ruleId"] == "defect":
            lines += [place["region"]["startLine"] if here and result["level"] == "error" else 0]
    return sorted(lines)


def judge(warplens, folder, source, way):
    """What is wrong with it; None: nothing."""
    lines = enumerate(source.read_text().splitlines(), 1)
    expected = sorted((number, match[1]) for number, line in lines for match in MARK.finditer(line) if match[2] == way)
    profile = pathlib.Path(folder) / "program.wlp"
    profile.unlink(missing_ok=True)
    ran = subprocess.run([warplens, "run", "--sanitize", "all", "-q", "--no-sass", "-o", profile, f"{folder}/{source.stem}", way],
                         capture_output=True, text=True)
    report = subprocess.run([warplens, "report", profile, "--format", "json"], capture_output=True, text=True)
    found = []
    for defect in json.loads(report.stdout).get("defects", []) if report.returncode == 0 else []:
        line, more = places(defect["message"], source)
        found += [(line, defect["kind"])] + more
    sarif = results(warplens, profile, source)
    calls = [line for line, kind in expected if kind != "other"]
    if sorted(found) == expected and ran.returncode == bool(expected) and sarif == calls:
        return None
    return (f"{source.name}: {way}: expected {expected}, found {sorted(found)}, as SARIF at {sarif}, "
            f"exit status {ran.returncode}\n{ran.stderr}")


def main():
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc or not shutil.which("addr2line"):
        print("skipped: there is no nvcc, or no addr2line")
        return 77
    ways = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted((HERE / "programs").glob("*.cu")):
            subprocess.run([nvcc, "-g", "-lineinfo", "-arch=sm_80", "-lcuda", "-o", f"{folder}/{source.stem}", source], check=True)
            for way in re.findall(r"// way (\w+)", source.read_text()):
                said = judge(sys.argv[1], folder, source, way)
                ways += 1
                if said:
                    wrong += 1
                    print(said)
    print(f"{ways} ways, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
