#!/usr/bin/env python3
"""Copies boxes of drawn tensors under `warplens run` and compares with what an H100 gave.

check.py WARPLENS PROBE ANSWERS

ANSWERS is what the probe wrote on the GPU: a line for each case, a hash of what it copied or "refused",
then a line with a digit for each call of cuTensorMapEncode…, 1 where it was refused. "~" at the end of a
line: known to differ (docs/tma.md)."""
import subprocess
import sys
import tempfile


def described(probe, numbers):
    for number in numbers[:10]:
        yield subprocess.run([probe, "-", str(number)], stdout=subprocess.PIPE, text=True).stdout.strip()


def main(warplens, probe, answers):
    with open(answers) as lines:
        expected = lines.read().split("\n")
    *cases, calls = expected[:-1]
    with tempfile.NamedTemporaryFile() as out:
        run = subprocess.run([warplens, "run", "--no-profile", probe, out.name, str(len(cases)), str(len(calls))],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        if run.returncode:
            sys.exit(f"the probe failed:\n{run.stdout}")
        with open(out.name) as lines:
            *given, codes = lines.read().split("\n")[:-1]
    known = [n for n, case in enumerate(cases) if case.endswith("~")]
    wrong = [n for n, case in enumerate(cases) if n not in known and given[n] != case]
    for description in described(probe, wrong):
        print("differs from the H100:", description)
    calls_wrong = [n for n, code in enumerate(calls) if codes[n] != code]
    for number in calls_wrong[:10]:
        print(f"call {number}: the H100's driver {'refused' if calls[number] == '1' else 'took'} it")
    print(f"{len(cases) - len(known) - len(wrong)} of {len(cases)} cases and {len(calls) - len(calls_wrong)} of "
          f"{len(calls)} calls equal the H100's; {len(known)} cases are known to differ")
    return bool(wrong or calls_wrong)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
