#!/usr/bin/env python3
"""device.ptx and rows.ptx are what nvcc makes of the .cu beside them, and ptxas takes them for every architecture:
device.py SOURCE_FOLDER [--bless]

Compared where there is the nvcc that made it; skipped (77) without nvcc and ptxas."""
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = sys.argv[1]
PTX = f"{SOURCE}/src/probe/device/device.ptx"
ROWS = f"{SOURCE}/src/probe/device/rows.ptx"  # a kernel, not patches
MADE_BY = "release 13.0"  # of nvcc
ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120)


def make(ptx):
    """What nvcc makes of the .cu beside it."""
    text = subprocess.run(["nvcc", "-ptx", "-arch=compute_75", "-I", f"{SOURCE}/src", "--keep-device-functions", "-diag-suppress", "177,550",
                           ptx.replace(".ptx", ".cu"), "-o", "-"], capture_output=True, text=True, check=True).stdout
    text = "".join(line for line in text.splitlines(True) if not line.startswith("//"))
    text = re.sub(r'(?m)^\t\.pragma "used_bytes_mask.*\n', "", text)  # advice, of which older ones know nothing
    return re.sub(r"(?m)^\.version .*$", ".version 7.0", text)  # which older versions of ptxas take, too


def check_registers(ptxas, said):
    """Of the patches that most accesses call, none saves registers: that costs more than all that they do."""
    often = {"warplens_global", "warplens_shared", "warplens_local", "warplens_matrix", "warplens_remote"}
    spilled = {name for name, stores in re.findall(r"properties for (\w+)\n.*?(\d+) bytes spill stores", said) if stores != "0"}
    if MADE_BY in subprocess.run([ptxas, "--version"], capture_output=True, text=True).stdout and often & spilled:
        print("patches that save registers:", *(often & spilled))
        return False
    return True


def main():
    nvcc, ptxas = shutil.which("nvcc"), shutil.which("ptxas")
    for path in (PTX, ROWS) if nvcc and "--bless" in sys.argv else ():
        with open(path, "w") as file:
            file.write(make(path))
    made_here = nvcc and MADE_BY in subprocess.run([nvcc, "--version"], capture_output=True, text=True).stdout
    for path in (PTX, ROWS) if made_here else ():
        with open(path) as file:
            changes = list(difflib.unified_diff(file.read().splitlines(), make(path).splitlines(), "in the tree", "made anew", "", "", 1, ""))
        if changes:
            print("\n".join(changes[:20]))
            print("tests/probe/device.py . --bless makes it anew")
            return 1
    if not ptxas:
        print("skipped: no ptxas")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        for number in ARCHITECTURES:
            done = subprocess.run([ptxas, f"-arch=sm_{number}", "--compile-as-tools-patch", "--register-usage-level=0", "-v", "-o",
                                   f"{folder}/out.cubin", PTX], capture_output=True, text=True)
            if done.returncode != 0:
                print(f"sm_{number}: {done.stdout}{done.stderr}")
                return 1
            rows = subprocess.run([ptxas, f"-arch=sm_{number}", "-o", f"{folder}/rows.cubin", ROWS], capture_output=True, text=True)
            if rows.returncode != 0:
                print(f"sm_{number}: {rows.stdout}{rows.stderr}")
                return 1
            if number == 90 and not check_registers(ptxas, done.stdout + done.stderr):
                return 1
    with open(f"{SOURCE}/src/probe/device/device.ptx") as file:
        if re.search(r"\n\s*call", file.read()):  # device.cu says why
            print("a patch calls a function")
            return 1
    print(f"taken for {len(ARCHITECTURES)} architectures")
    return 0


os.environ["LC_ALL"] = "C"
sys.exit(main())
