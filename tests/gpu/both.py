#!/usr/bin/env python3
"""Counts programs on the CPU, as machine code, and on this machine's GPU, and compares launch by launch: both.py WARPLENS PROGRAM…

PROGRAM: a path, or a path with arguments in one word of the shell. Each is run in its folder until it has launched 30 kernels, with the first two launches of
each kernel profiled. Prints a table; exit status 1: figures differ, or a program ended otherwise."""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

FIGURES = [("shared", "wavefronts"), ("shared", "wavefronts_ideal"), ("global", "sectors"), ("global", "sectors_ideal"),
           ("global", "tag_requests")]
LIMIT = 150  # seconds


def profiled(warplens, program, on):
    """(exit status, output, launches, seconds); launches: {(kernel, grid, block): [figures, …]}"""
    words = shlex.split(program)
    words[0] = os.path.realpath(words[0])
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/p.wlp"
        how = ["--on", "gpu", "--measure", "off"] if on == "gpu" else ["--machine-code", "on", "--gpu", "h200", "--threads", "4"]
        begin = time.time()
        try:
            done = subprocess.run([warplens, "run", "-q", *how, "--launches", "2", "--stop-after", "30", "-o", path, *words], cwd=os.path.dirname(words[0]), capture_output=True,
                                  text=True, errors="replace", timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None, "", {}, LIMIT
        seconds = time.time() - begin
        launches = {}
        if os.path.exists(path):
            text = subprocess.run([warplens, "report", "--format", "json", path], capture_output=True, text=True).stdout
            document = json.loads(text or '{"launches": []}')
            for launch in document["launches"]:
                kernel = document["kernels"][launch["kernel"]]
                key = kernel["demangled"] or kernel["name"], tuple(launch["grid"]), tuple(launch["block"])
                figures = [launch[of].get(name, 0) if launch[of] else 0 for of, name in FIGURES]
                launches.setdefault(key, []).append((figures, kernel["modelled"]))
        return done.returncode, done.stdout, launches, seconds


def compare(name, cpu, gpu):
    """A line of the table; whether all is equal."""
    differences, equal, launches, modelled = [], 0, 0, 0
    for key in sorted(set(cpu[2]) | set(gpu[2]), key=str):
        ours, theirs = cpu[2].get(key, []), gpu[2].get(key, [])
        if len(ours) != len(theirs):
            differences.append(f"{key[0].split(chr(40))[0][-60:]}: {len(ours)} launches on the CPU, {len(theirs)} on the GPU")
        for (mine, why), (its, _) in zip(ours, theirs):
            launches += 1
            modelled += why is not None
            if mine == its:
                equal += 1
            else:
                differences.append(f"{key[0].split(chr(40))[0][-60:]}{' (as PTX: ' + why + ')' if why else ''}: " + ", ".join(
                    f"{of} {figure} {a} on the CPU, {b} on the GPU" for (of, figure), a, b in zip(FIGURES, mine, its) if a != b))
    status = f"exit {cpu[0]}/{gpu[0]}"
    print(f"{name:26} {launches:4} launches, {equal:4} equal, {modelled:3} as PTX; {status}; {cpu[3]:.1f} s, {gpu[3]:.1f} s")
    for line in differences[:12]:
        print("   ", line[:400])
    sys.stdout.flush()
    return 0 < launches == equal and not differences and cpu[0] == gpu[0]


def main():
    warplens, programs = sys.argv[1], sys.argv[2:]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        on_cpu = {program: pool.submit(profiled, warplens, program, "cpu") for program in programs}
        on_gpu = {program: profiled(warplens, program, "gpu") for program in programs}
        good = [compare(os.path.basename(shlex.split(program)[0]), on_cpu[program].result(), on_gpu[program]) for program in programs]
    print(f"{sum(good)} of {len(good)} programs have the same figures on both")
    return 0 if all(good) else 1


sys.exit(main())
