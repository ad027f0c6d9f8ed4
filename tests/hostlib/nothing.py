"""Every function of the host libraries that has a handle is called with it and nothing else: sizes of 0, no pointers. Each returns
one of its library's statuses, of which most say that a value is wrong; none ends the program. Those
that need memory all the same fault as a kernel would, with a message: a process goes on behind each.

    nothing.py WARPLENS PROGRAM LIBRARY       PROGRAM: that of nothing.c; LIBRARY: libwarplens-host.so"""

import collections
import re
import shutil
import subprocess
import sys

LIBRARIES = re.compile(r"cublas|cusolver(Dn|Sp)|cusparse|curand")
# Handles come and go; what returns a text or a version returns no status; options of the program, of which 0 may be none.
OTHERS = re.compile(r"Create|Destroy|Shutdown|String|Name|Version|^cublas(Alloc|Free|Init)$|^curandGetProperty")
MOST = {"curand": 999}  # the highest status; of the others 40


def main():
    warplens, program, library = sys.argv[1:]
    if not shutil.which("nm"):
        print("skipped: there is no nm")
        return 77
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    names = sorted({line.split()[2].split("@")[0] for line in symbols.splitlines()})
    names = [name for name in names if LIBRARIES.match(name) and not OTHERS.search(name)]
    assert len(names) > 2000, len(names)
    answers, faults = {}, 0
    while len(answers) < len(names):
        asked = "".join(f"{name}\n" for name in names[len(answers):])
        done = subprocess.run([warplens, "run", "-q", "--no-save", program], input=asked, capture_output=True, text=True)
        said = done.stdout.split()
        faulted = "warplens: 1 fault" in done.stderr
        assert len(said) % 2 == 0 and said and (done.returncode == 0 or faulted), (done.returncode, said[-2:], done.stderr[-500:])
        answers |= zip(said[::2], map(int, said[1::2]))
        faults += faulted
    assert list(answers) == names and faults < len(names) / 20, faults
    wrong = {name: status for name, status in answers.items() if not 0 <= status <= MOST.get(name[:6], 40)}
    assert not wrong, wrong
    counts = collections.Counter("fine" if status == 0 else "refused" for status in answers.values())
    assert counts["refused"] > 10 * counts["fine"], counts
    print(f"{len(answers)} functions: {counts['refused']} refuse what is nothing, {counts['fine']} have nothing to do, {faults} need memory")


sys.exit(main())
