"""What CUDA's host libraries export and this one does not have: each function of names.def that no other file defines says
so by its name, once, and returns what the library's manual calls not supported (cuRAND: an internal error).

    missing.py WARPLENS PROGRAM LIBRARY       PROGRAM: that of missing.c; LIBRARY: libwarplens-host.so"""

import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src/hostlib"
STATUSES = {"blas": 15, "fft": 16, "rand": 999, "solver": 9, "sparse": 10}


def main():
    warplens, program, library = sys.argv[1:]
    if not shutil.which("nm"):
        print("skipped: there is no nm")
        return 77
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    weak = {words[2].split("@")[0] for words in map(str.split, symbols.splitlines()) if words[1] == "W"}
    expected = {}
    for room, status in STATUSES.items():
        names = re.findall(r"^NAME\((\w+)\)$", (SOURCE / room / "names.def").read_text(), re.M)
        expected |= {name: status for name in names if name in weak}
    assert expected.keys() == weak and len(weak) > 100, sorted(weak - expected.keys())[:5]
    names = sorted(weak)
    asked = "".join(f"{name}\n" for name in [*names, names[0]])  # the first of them twice
    done = subprocess.run([warplens, "run", "-q", "--no-save", program], input=asked, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr[-500:])
    said = [line.split() for line in done.stdout.splitlines()]
    wrong = [(name, status) for name, status in said if status != str(expected[name])]
    assert len(said) == len(names) + 1 and not wrong, wrong[:5]
    for name in names:
        told = len(re.findall(rf"\b{name}\b", done.stderr))
        assert told == 1, (name, told)
    print(f"{len(names)} functions: each refused by its name, once")
    return 0


if __name__ == "__main__":
    sys.exit(main())
