#!/usr/bin/env python3
"""Programs that nvcc builds, run without a GPU: static and shared runtime, every packing of the PTX,
relocatable device code, and device code in libraries that are linked or opened later.

    tests/cuda_runtime/programs.py LIBRARIES AGREE    LIBRARIES: the folder with libcuda.so.1
                                                      AGREE: tests/cuda/agree.c; "": not on this machine

Exit status: 0, 1 where an output is not what it should be, 77 where there is no nvcc.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent / "programs"
VARIABLES = (
    "cudaSuccess\n"
    "0 wrong, 4 blocks, 42 lanes, NVIDIA H100 SXM5 80GB with 132 SMs, runtime as built\n"
    "refused\n"
)
FOR_THREE = "-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_120,code=compute_120"

# name, what builds ./program in an empty folder ($S: the sources), what it prints
CASES = [
    ("static runtime", "nvcc -o program $S/variables.cu", VARIABLES),
    ("shared runtime", "nvcc -cudart shared -o program $S/variables.cu", VARIABLES),
    ("LZ4", "nvcc -compress-mode=speed -o program $S/variables.cu", VARIABLES),
    ("all packed", "nvcc -Xfatbin -compress-all -o program $S/variables.cu", VARIABLES),
    ("not packed", "nvcc --no-compress -o program $S/variables.cu", VARIABLES),
    ("PTX in the machine code for the GPU", f"nvcc -lineinfo {FOR_THREE} -o program $S/arch.cu", "900\n"),
    (
        "per-thread streams",
        "nvcc --default-stream per-thread -o program $S/variables.cu",
        VARIABLES,
    ),
    ("relocatable", "nvcc -rdc=true -o program $S/linked.cu $S/part.cu", "42 93\n"),
    ("launches from the device", "nvcc -arch=sm_80 -rdc=true -o program $S/child.cu", "64\n"),
    (
        "opened library",
        "nvcc -DLIBRARY -shared -Xcompiler -fPIC -o libpart.so $S/part.cu"
        " && cc -o program $S/host.c -ldl",
        "93\n",
    ),
    (
        "linked library",
        "nvcc -DLIBRARY -shared -Xcompiler -fPIC -o libpart.so $S/part.cu"
        " && cc -DLINKED -o program $S/host.c -L. -lpart -Wl,-rpath,'$ORIGIN'",
        "93\n",
    ),
    (
        "opened relocatable library",
        "nvcc -rdc=true -DLIBRARY -shared -Xcompiler -fPIC -o libpart.so $S/part.cu"
        " && cc -o program $S/host.c -ldl",
        "93\n",
    ),
    (
        "opened library with a shared runtime",
        "nvcc -cudart shared -DLIBRARY -shared -Xcompiler -fPIC -o libpart.so $S/part.cu"
        " && cc -o program $S/host.c -ldl",
        "93\n",
    ),
    (
        "static runtime and no device code",
        "cc -o program $S/devices.c -L$(dirname $(readlink -f $(which nvcc)))/../lib64 -lcudart_static -ldl -lrt -lpthread",
        "0 1\n",
    ),
    ("stripped, optimised", "nvcc -O3 -Xcompiler -O3 -o program $S/variables.cu && strip program", VARIABLES),
    (
        "opened stripped library",
        "nvcc -DLIBRARY -shared -Xcompiler -fPIC -o libpart.so $S/part.cu && strip libpart.so"
        " && cc -o program $S/host.c -ldl",
        "93\n",
    ),
    (
        "shared runtime by DT_RPATH",
        "ln -s $(dirname $(readlink -f $(which nvcc)))/../lib64 lib"
        " && nvcc -cudart shared -o program $S/variables.cu"
        " -Xlinker -rpath=$PWD/lib -Xlinker --disable-new-dtags",
        VARIABLES,
    ),
]


# What is built with a runtime inside, in which it must be found without symbols as well as with them
WITH_RUNTIME = {"static runtime": "program", "relocatable": "program", "opened library": "libpart.so"}


def agrees(name, folder, agree):
    """Whether the runtime in what a case has built is found where its symbols say, when these are gone."""
    built = WITH_RUNTIME.get(name) if agree else None
    if not built:
        return True
    subprocess.run(["strip", "-o", "stripped", built], cwd=folder, check=True)
    return subprocess.run([agree, built, "stripped"], cwd=folder).returncode == 0


def run_case(name, build, expected, libraries, agree):
    """Whether the program prints what is expected; says so where not."""
    environment = dict(os.environ, S=str(SOURCES))
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["sh", "-c", build], cwd=folder, env=environment, check=True)
        found = agrees(name, folder, agree)
        environment["LD_PRELOAD"] = f"{libraries}/libcuda.so.1"
        environment["LD_AUDIT"] = f"{libraries}/libwarplens-audit.so"
        environment["LD_LIBRARY_PATH"] = libraries
        done = subprocess.run(
            ["./program", "./libpart.so"],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=300,
        )
    output = done.stdout.decode(errors="replace")
    good = done.returncode == 0 and output == expected and found
    print(f"{'ok  ' if good else 'FAIL'} {name}")
    if not good:
        print(f"status {done.returncode}, printed\n{output}instead of\n{expected}")
    return good


def main():
    if not shutil.which("nvcc"):
        print("no nvcc on PATH: skipped")
        return 77
    libraries = str(pathlib.Path(sys.argv[1]).resolve())
    return 0 if all([run_case(*case, libraries, sys.argv[2]) for case in CASES]) else 1


sys.exit(main())
