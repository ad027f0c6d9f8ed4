"""What CUDA's host libraries, driver and runtime export and those here do not have: each function of names.def that no other
file defines, and each refused one of api.def and calls.def, says so by its name, once, and returns what the library's manual calls
not supported (cuRAND: an internal error). What the driver ignores succeeds, and nothing is said of it.

    missing.py WARPLENS PROGRAM LIBRARY       PROGRAM: that of missing.c; LIBRARY: libwarplens-host.so"""

import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
STATUSES = {"blas": 15, "fft": 16, "rand": 999, "solver": 9, "sparse": 10}
REFUSED = {"cuda/api.def": "UNSUPPORTED", "cuda/runtime/calls.def": "MISSING"}  # files, kinds of rows
NOT_SUPPORTED = 801  # CUDA_ERROR_NOT_SUPPORTED, cudaErrorNotSupported


def rows_of(file, kind):
    names = re.findall(rf"^{kind}\((\w+), [^)]*\)$", (SOURCE / file).read_text(), re.M)
    assert len(names) > 2, (file, kind)
    return names


def main():
    warplens, program, library = sys.argv[1:]
    if not shutil.which("nm"):
        print("skipped: there is no nm")
        return 77
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    weak = {words[2].split("@")[0] for words in map(str.split, symbols.splitlines()) if words[1] == "W"}
    expected = {}
    for room, status in STATUSES.items():
        names = re.findall(r"^NAME\((\w+)\)$", (SOURCE / "hostlib" / room / "names.def").read_text(), re.M)
        expected |= {name: status for name in names if name in weak}
    assert expected.keys() == weak and len(weak) > 100, sorted(weak - expected.keys())[:5]
    for file, kind in REFUSED.items():
        expected |= dict.fromkeys(rows_of(file, kind), NOT_SUPPORTED)
    ignored = rows_of("cuda/api.def", "IGNORED")
    expected |= dict.fromkeys(ignored, 0)
    names = sorted(expected)
    asked = "".join(f"{name}\n" for name in [*names, names[0]])  # the first of them twice
    done = subprocess.run([warplens, "run", "-q", "--no-save", program], input=asked, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    said = [line.split() for line in done.stdout.splitlines()]
    wrong = [(name, status) for name, status in said if status != str(expected[name])]
    assert len(said) == len(names) + 1 and not wrong, wrong[:5]
    told = re.findall(r"^  (\w+)", done.stderr, re.M)
    assert sorted(told) == sorted(expected.keys() - set(ignored)), (len(told), len(expected))
    print(f"{len(told)} functions: each refused by its name, once; {len(ignored)} ignored")
    return 0


if __name__ == "__main__":
    sys.exit(main())
