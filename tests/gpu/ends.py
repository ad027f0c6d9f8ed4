#!/usr/bin/env python3
"""Programs that end early, are killed, fault, reset the device or leave no memory, on this machine's GPU: ends.py WARPLENS ENDS (of
ends.cu). What was complete is in the profile. Exit status 1: it is not."""
import json
import os
import resource
import subprocess
import sys
import tempfile

# How, and the launches of each kernel; None: those that there was memory for, and it says that others are not counted
WANTED = [("abort", {"first": 3}), ("kill", {"first": 3}), ("exit", {"first": 3}), ("throw", {"first": 3}), ("fault", {"first": 3, "wild failed": 1}),
          ("reset", {"first": 3, "second": 1}), ("full", None)]
EACH = {"first": {"shared": ("wavefronts", 4), "global": ("sectors", 16)}, "second": {"global": ("sectors", 8)}}


def launches_of(warplens, profile):
    """{kernel: how many}; wrong counts end this."""
    found = {}
    text = subprocess.run([warplens, "report", "--format", "json", profile], capture_output=True, text=True).stdout
    document = json.loads(text or '{"launches": []}')
    for launch in document["launches"]:
        name = document["kernels"][launch["kernel"]]["demangled"].split("(")[0]
        if launch["status"] != "done":
            name += " failed"
        found[name] = found.get(name, 0) + 1
        for of, (counter, value) in EACH.get(name, {}).items():
            if launch[of].get(counter, 0) != value:
                sys.exit(f"{name}: {counter} {launch[of].get(counter, 0)} instead of {value}")
    return found


def main():
    warplens, program = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for how, wanted in WANTED:
            profile = f"{folder}/{how}.wlp"
            command = [warplens, "run", "--on", "gpu", "--page", "none", "--measure", "off", "-o", profile, program, how]
            done = subprocess.run(command, capture_output=True, text=True, timeout=60)
            found = launches_of(warplens, profile) if os.path.exists(profile) else {}
            good = found == wanted if wanted else done.stdout == "no error\n" and (found == {"first": 3} or (not found and "leaves no memory" in done.stderr))
            bad += not good
            said = [line for line in done.stderr.splitlines() if "saved" not in line and "note:" not in line]
            print(f"{how:6} exit {done.returncode:3}, {found}{'' if good else ' WRONG'}, says: {done.stdout.strip() or '-'}; {' | '.join(said) or '-'}")
    return 1 if bad else 0


sys.exit(main())
