#!/usr/bin/env python3
"""schedules.py WARPLENS: what `warplens run --schedules` says of a program, and its exit status. Status 77: skipped, there is no nvcc."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# way, exit status, what must be said, what must not
CASES = [
    ("", 0, [r"6 orders: results and counts are the same in all of them"], ["memory", "output"]),
    ("status", 0, [r"6 orders: results and counts are the same in all of them"], ["memory", "output"]),
    ("last", 1, [r"results depend on the order", r"output: what it prints differs in \d", r"memory: .* \(64 bytes\) behind launch 1, last, differs in \d of 6",
                 r"1 of 16 words of 4 bytes differ, the first is \[0\]: 31, and \d+ "], ["right", "count:"]),
    ("unguarded", 1, [r"memory: counter \(4 bytes\) behind launch 1, unguarded", r"count: unguarded\(\), .*program\.cu:31: requests are \d+, and \d+ with"], ["output"]),
    ("sum", 0, [r"behind launch 2, sum", r"as near as sums of floating point", r"Only sums of floating point"], ["output"]),
]


def main():
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        print("skipped: there is no nvcc")
        return 77
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/program"
        subprocess.run([nvcc, "-lineinfo", "-arch=sm_80", "-o", program, HERE / "orders" / "program.cu"], check=True)
        for way, status, said, unsaid in CASES:
            ran = subprocess.run([sys.argv[1], "run", "--schedules", "6", program, way], capture_output=True, text=True, cwd=folder)
            missing = [text for text in said if not re.search(text, ran.stdout)] + [f"not: {text}" for text in unsaid if text in ran.stdout]
            if ran.returncode != status or missing:
                wrong += 1
                print(f"{way}: exit status {ran.returncode}, missing {missing}:\n{ran.stdout}{ran.stderr}")
    print(f"{len(CASES)} ways, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
