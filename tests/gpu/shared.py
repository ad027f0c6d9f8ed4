#!/usr/bin/env python3
"""Compares what a profile says of launches' shared memory with what the driver says: shared.py WARPLENS PROFILE.wlp OUTPUT (of shared.cu).
Exit status 1: something differs."""
import json
import subprocess
import sys

VARIABLES = {"fixed": ["flags", "tile"], "dynamic": ["rest"], "both": ["rest", "sums"], "none": []}


def main():
    text = subprocess.run([sys.argv[1], "report", "--format", "json", sys.argv[2]], capture_output=True, text=True, check=True).stdout
    document, wrong = json.loads(text), 0
    with open(sys.argv[3]) as file:
        wanted = [line.split() for line in file if line.strip()]
    if len(wanted) != len(document["launches"]):
        print(f"{len(document['launches'])} launches, not {len(wanted)}")
        return 1
    for launch, (name, fixed, dynamic, blocks) in zip(document["launches"], wanted):
        kernel = document["kernels"][launch["kernel"]]
        variables = kernel["shared_variables"]
        ours = kernel["short"], max([of["offset"] + of["bytes"] for of in variables if not of["dynamic"]], default=0), launch["dynamic_shared"], launch["occupancy"]["blocks"]
        names = sorted(of["name"] for of in variables)
        if ours != (name, int(fixed), int(dynamic), int(blocks)) or names != VARIABLES[name]:
            print("counted", ours, names, "the driver says", (name, fixed, dynamic, blocks), VARIABLES[name])
            wrong += 1
    print(f"shared memory, its variables and occupancy: {len(wanted) - wrong} of {len(wanted)} launches as the driver says")
    return 1 if wrong else 0


sys.exit(main())
