#!/usr/bin/env python3
"""Compiles headers.c with the headers of the Compute Sanitizer API, each version that is installed: headers.py CC SOURCE_FOLDER

Looked for in the folders of WARPLENS_SANITIZER_HEADERS (several with colons between), below CUDA_HOME and /usr/local/cuda, and in the Python
packages nvidia-cuda-sanitizer-api and nvidia-cuda-sanitizer-api-cu12; skipped (77) without them."""
import glob
import os
import re
import site
import subprocess
import sys
import tempfile

CC, SOURCE = sys.argv[1:]


def folders():
    roots = [os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    packages = site.getsitepackages() + [site.getusersitepackages()]
    found = os.environ.get("WARPLENS_SANITIZER_HEADERS", "").split(":") + [f"{root}/compute-sanitizer/include" for root in roots if root]
    found += [folder for root in packages for below in ("*", "*/*") for folder in glob.glob(f"{root}/nvidia/{below}/include")]
    return [folder for folder in dict.fromkeys(found) if os.path.exists(f"{folder}/sanitizer.h")]


def fits(headers, cuda):
    with open(f"{headers}/sanitizer_patching.h") as file:
        text = file.read()
        bulk, tensor = "BULK_COPY_GLOBAL_TO_SHARED" in text, "INSTRUCTION_TMA_LOAD" in text
    with open(f"{headers}/sanitizer_callbacks.h") as file:
        green = "greenContext" in file.read()
    meta, newer = f"{headers}/generated_cuda_meta.h", []  # what calls are told with; it may have types that cuda.h does not, which are not ours
    if os.path.exists(meta):
        with open(meta) as file, open(f"{cuda}/cuda.h") as driver:
            known, newer = driver.read(), [name for name in sorted(set(re.findall(r"\bCU\w+(?= \*)", file.read())))]
        newer = [f"-D{name}=void" for name in newer if name not in known]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([CC, "-std=gnu17", "-c", f"{SOURCE}/tests/probe/headers.c", "-o", f"{folder}/headers.o", "-I", f"{SOURCE}/src",
                               "-isystem", headers, "-isystem", cuda] + ["-DWITH_BULK"] * bulk + ["-DWITH_GREEN"] * green + ["-DWITH_TENSOR"] * tensor +
                              newer + [f'-DCUDA_META="{meta}"'] * os.path.exists(meta))
    print(f"{headers}: {'as declared' if done.returncode == 0 else 'differs'}")
    return done.returncode == 0


def main():
    cuda = next((f"{root}/include" for root in (os.environ.get("CUDA_HOME"), "/usr/local/cuda")
                 if root and os.path.exists(f"{root}/include/cuda.h")), None)
    found = folders()
    if not found or not cuda:
        print("skipped: no headers of the Compute Sanitizer API, or no cuda.h")
        return 77
    return 0 if all([fits(headers, cuda) for headers in found]) else 1


sys.exit(main())
