#!/usr/bin/env python3
"""Reads textures of every kind under `warplens run` and compares with what an H100 gave.

check.py WARPLENS PROBE ANSWERS         compare; with --machine-code [GPU] behind them, what ptxas makes of the kernels (for it)
check.py --record PROBE-OUTPUT          print ANSWERS from the probe's output on a GPU

ANSWERS has a line for each case: the FNV-1a hash of its first 64 results and its name; "~" before the
name where results are known to differ (docs/textures.md)."""
import re
import shutil
import subprocess
import sys
import tempfile

READS = 64
KNOWN = re.compile(r"s8x1n-linear|u8x4n-linear.*-srgb|^grad-.*-mips|^level-3d-u8x4n-linear.*-mips-linear|-seamless")


def cases_of(path):
    """name -> list of result lines"""
    cases, results = {}, None
    with open(path) as lines:
        for line in lines:
            line = line.rstrip("\n")
            if re.fullmatch(r"[0-9a-f]{8}( [0-9a-f]{8}){3}|refused", line):
                results.append(line)
            else:
                results = cases.setdefault(line, [])
    return cases


def hash_of(results):
    value = 0xCBF29CE484222325
    for byte in "\n".join(results[:READS]).encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def record(path):
    for name, results in cases_of(path).items():
        print(hash_of(results), "~" + name if KNOWN.search(name) else name)


def compare(warplens, probe, answers, machine="", gpu="h100"):
    if machine and not (shutil.which("ptxas") and shutil.which("nvdisasm")):
        print("skipped: there is no ptxas or no nvdisasm")
        return 77
    use = "require" if machine else "off"
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run([warplens, "run", "--gpu", gpu, "--machine-code", use, "--no-profile", probe, str(READS), out.name],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        if run.returncode:
            sys.exit(f"the probe failed:\n{run.stdout}")
        cases = cases_of(out.name)
    with open(answers) as lines:
        expected = dict(reversed(line.split()) for line in lines)
    known = {name[1:] for name in expected if name.startswith("~")}
    wrong = [name for name, value in expected.items()
             if not name.startswith("~") and hash_of(cases.get(name, [])) != value]
    missing = [name for name in known if name not in cases]
    extra = [name for name in cases if name not in expected and name not in known]
    for title, names in (("differ from the H100", wrong), ("were not read", missing), ("have no answer", extra)):
        for name in names[:10]:
            print(f"{name}: {title}")
        if names:
            print(f"{len(names)} cases {title}")
    print(f"{len(expected) - len(known) - len(wrong)} of {len(expected)} cases equal the H100's; "
          f"{len(known)} are known to differ (docs/textures.md)")
    return bool(wrong or missing or extra)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--record":
        record(sys.argv[2])
    elif len(sys.argv) == 4 or (sys.argv[4] == "--machine-code" and len(sys.argv) < 7):
        sys.exit(compare(*sys.argv[1:]))
    else:
        sys.exit(__doc__)
