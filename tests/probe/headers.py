#!/usr/bin/env python3
"""Compiles headers.c with the headers of the Compute Sanitizer API where they are installed: headers.py CC SOURCE_FOLDER

Looked for in the folder of WARPLENS_SANITIZER_HEADERS, below CUDA_HOME, /usr/local/cuda; skipped (77) without them."""
import os
import subprocess
import sys
import tempfile

CC, SOURCE = sys.argv[1:]


def main():
    roots = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    folders = [os.environ.get("WARPLENS_SANITIZER_HEADERS")] + [f"{root}/compute-sanitizer/include" for root in roots if root]
    found = next((folder for folder in folders if folder and os.path.exists(f"{folder}/sanitizer.h")), None)
    cuda = next((f"{root}/include" for root in roots if root and os.path.exists(f"{root}/include/cuda.h")), None)
    if not found or not cuda:
        print("skipped: no headers of the Compute Sanitizer API, or no cuda.h")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run([CC, "-std=gnu17", "-c", f"{SOURCE}/tests/probe/headers.c", "-o", f"{folder}/headers.o", "-I", f"{SOURCE}/src",
                               "-isystem", found, "-isystem", cuda]).returncode


sys.exit(main())
