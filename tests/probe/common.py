"""What tests of `warplens run --on gpu` over the stand-ins share."""
import csv
import io
import os
import subprocess
import sys

WARPLENS, STAND_IN = sys.argv[1:]
PROGRAM = f"{STAND_IN}/stand_in_program"


def make_tool(path, text):
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o700)


def environment(folder, **more):
    ptxas = f"{folder}/ptxas"  # it makes a file: nobody reads it here
    make_tool(ptxas, 'while [ "$1" != -o ]; do shift; done\necho code >"$2"\n')
    changed = dict(os.environ, LD_LIBRARY_PATH=STAND_IN, WARPLENS_PTXAS=ptxas,
                   WARPLENS_SANITIZER=f"{STAND_IN}/libsanitizer-public.so")
    changed.pop("CUDA_INJECTION64_PATH", None)
    changed.update(more)
    return changed


def run(folder, *arguments, **more):
    return subprocess.run([WARPLENS, "run", *arguments], env=environment(folder, **more), cwd=folder, capture_output=True,
                          text=True, timeout=300)


def check(good, *what):
    if not good:
        print("FAILED:", *what)
        sys.exit(1)


def rows_of(profile):
    raw = subprocess.run([WARPLENS, "report", "--page", "raw", profile], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(raw.stdout), delimiter="\t"))
