#!/usr/bin/env python3
"""Launches on two GPUs (devices.cu): devices.py WARPLENS PROGRAM. Each must say which it ran on, and have its kernel's counts. Exit status: 1 where one
does not, 77 where there are no two GPUs."""
import collections
import json
import os
import subprocess
import sys
import tempfile


def main():
    warplens, program = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        profile = f"{folder}/p.wlp"
        done = subprocess.run([warplens, "run", "--on", "gpu", "--page", "none", "--measure", "off", "-o", profile, program], capture_output=True, text=True, timeout=120)
        if done.returncode == 77:
            print("skipped: there are no two GPUs")
            return 77
        print(done.stdout + done.stderr, end="")
        text = subprocess.run([warplens, "report", "--format", "json", profile], capture_output=True, text=True, check=True).stdout
        summary = subprocess.run([warplens, "report", "--page", "summary", profile], capture_output=True, text=True, check=True).stdout
    found, wrong = collections.Counter(), 0
    for launch in json.loads(text)["launches"]:
        blocks = launch["grid"][0]
        found[launch.get("device", 0), blocks] += 1
        counts = launch["shared"]["wavefronts"], launch["global"]["sectors"]
        wrong += counts != (33 * 32 * blocks, 8 * 32 * blocks)
    wanted = collections.Counter({(0, 1): 3, (1, 2): 3, (0, 3): 5, (1, 4): 5})
    if "peers: 1" in done.stdout:
        wanted[1, 5] = 1
    print(summary)
    print(f"launches by GPU and blocks: {dict(found)}; {wrong} with other counts; {'as expected' if found == wanted and not wrong else 'WRONG'}")
    return 0 if found == wanted and not wrong else 1


sys.exit(main())
