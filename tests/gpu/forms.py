#!/usr/bin/env python3
"""Forms that a program may have, counted on this machine's GPU: forms.py WARPLENS FOLDER. forms.cu is built there in several ways, and run
in several; each launch must be there, with the counts of its kernel. Exit status 1: it is not."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

SOURCE = str(pathlib.Path(__file__).resolve().parent / "forms.cu")
BUILDS = {"forms": [], "forms_nvrtc": ["-DNVRTC", "-lnvrtc"], "forms_shared": ["-cudart", "shared"], "forms_rdc": ["-rdc=true", "-DDEVICE"], "forms_debug": ["-G"],
          "forms_ptx": ["-gencode", "arch=compute_75,code=compute_75"], "forms_library.so": ["-DLIBRARY", "-shared", "-Xcompiler", "-fPIC"]}
# Each: words, program, how, launches of (kernel, warps), more of the environment.
PLAIN = [("column", 128)]
RUNS = [("static runtime", "forms", "plain", 3 * PLAIN, {}), ("shared runtime", "forms_shared", "plain", 3 * PLAIN, {}), ("stripped", "forms_stripped", "plain", 3 * PLAIN, {}),
        ("-rdc=true", "forms_rdc", "plain", 3 * PLAIN, {}), ("-G", "forms_debug", "plain", 3 * PLAIN, {}), ("PTX alone", "forms_ptx", "plain", 3 * PLAIN, {}),
        ("eager loading", "forms", "plain", 3 * PLAIN, {"CUDA_MODULE_LOADING": "EAGER"}), ("8 threads, a stream each", "forms", "threads", 40 * PLAIN, {}),
        ("3 contexts", "forms", "contexts", 7 * PLAIN, {}), ("cooperative launch", "forms", "cooperative", [("together", 128)], {}), ("NVRTC", "forms_nvrtc", "nvrtc", 2 * PLAIN, {}),
        ("modules that two threads load in two contexts", "forms_nvrtc", "loading", 40 * PLAIN, {}),
        ("a library that is loaded", "forms", "library", 3 * PLAIN, {}), ("launches from the device", "forms_rdc", "device", [("parent", None)] + PLAIN, {}),
        ("fork", "forms", "fork", 3 * PLAIN, {}), ("fork and exec", "forms", "exec", 4 * PLAIN, {}), ("two children of a shell at once", "forms", "shell", 43 * PLAIN, {})]


def driver(folder):
    """The driver's library, to link with: it is not everywhere where nvcc looks."""
    known = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True).stdout
    for line in known.splitlines():
        if "libcuda.so.1 " in line and "x86-64" in line:
            os.symlink(line.split()[-1], f"{folder}/libcuda.so")
            return


def build(folder):
    def one(name):
        how = BUILDS[name]
        arch = [] if "-gencode" in how else ["-arch=native"]
        done = subprocess.run(["nvcc", "-O3", "-std=c++17", *arch, "-o", f"{folder}/{name}", SOURCE, *how, f"-L{folder}", "-lcuda", "-ldl"], capture_output=True, text=True)
        if done.returncode:
            print(f"{name}: {done.stderr[-500:]}")

    if not os.path.exists(f"{folder}/libcuda.so"):
        driver(folder)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(one, BUILDS))
    subprocess.run(["strip", "-o", f"{folder}/forms_stripped", f"{folder}/forms"])


def counted(warplens, folder, program, how, more):
    """The launches, as wanted has them, or what is wrong."""
    profile = f"{folder}/forms.wlp"
    if os.path.exists(profile):
        os.remove(profile)
    done = subprocess.run([warplens, "run", "--on", "gpu", "--page", "none", "--measure", "off", "-o", profile, f"{folder}/{program}", how], capture_output=True, text=True,
                          timeout=30, env=dict(os.environ, **more))
    said = " | ".join(line for line in (done.stdout + done.stderr).splitlines() if "saved" not in line and "note:" not in line)
    if done.returncode or not os.path.exists(profile):
        return [], f"exit status {done.returncode}: {said}"
    text = subprocess.run([warplens, "report", "--format", "json", profile], capture_output=True, text=True, check=True).stdout
    document, launches = json.loads(text), []
    for launch in document["launches"]:
        shared, memory = (launch[of] or {} for of in ("shared", "global"))
        warps = launch["grid"][0] * 32
        name, fits = document["kernels"][launch["kernel"]]["short"], (shared.get("wavefronts"), shared.get("wavefronts_ideal")) == (33 * warps, 2 * warps)
        if name != "together":  # whose barrier is in global memory
            fits &= (memory.get("sectors"), memory.get("tag_requests")) == (8 * warps, 2 * warps)
        launches.append((name, warps if fits else None))
    return launches, said


def main():
    warplens, folder, good = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), 0
    build(folder)
    for words, program, how, wanted, more in RUNS:
        try:
            launches, said = counted(warplens, folder, program, how, more)
        except subprocess.TimeoutExpired:
            launches, said = [], "does not end"
        equal = sorted(launches, key=str) == sorted(wanted, key=str)
        good += equal
        print(f"{words}: {len(launches)} launches{'' if equal else ' WRONG: ' + str(launches[:8])}{'; ' + said if said else ''}", flush=True)
    print(f"{good} of {len(RUNS)} forms as expected")
    return 0 if good == len(RUNS) else 1


sys.exit(main())
