#!/usr/bin/env python3
"""headers.py WARPLENS [DIRECTORY]: each function that CUDA's headers declare is one row of `warplens calls`, and no row
is there twice. Skipped where no toolkit is installed; DIRECTORY holds another one's headers."""
import os
import re
import subprocess
import sys

DRIVER = ["cuda.h", "cudaProfiler.h", "cudaGL.h", "cudaEGL.h", "cudaVDPAU.h"]
RUNTIME = ["cuda_runtime_api.h", "cuda_profiler_api.h", "cuda_gl_interop.h", "cuda_egl_interop.h", "cuda_vdpau_interop.h"]
WINDOWS = {"cuWGLGetDevice", "cudaWGLGetDevice"}


def declared(path, mark):
    """The names behind CUDAAPI or CUDARTAPI, without comments and the lines of the preprocessor."""
    with open(path, errors="replace") as file:
        text = file.read().replace("\\\n", "")
    text = re.sub(r"/\*.*?\*/|//[^\n]*|^\s*#[^\n]*", "", text, flags=re.S | re.M)
    return set(re.findall(r"\b%s(?:_CDECL)?\s+(cu\w+)\s*\(" % mark, text)) - WINDOWS


def main(warplens, directory=None):
    directory = directory or os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
    if not os.path.exists(os.path.join(directory, DRIVER[0])):
        print(f"skipped: no cuda.h in {directory}")
        return 77
    lines = subprocess.run([warplens, "calls"], capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [line.split()[0] for line in lines]
    wrong = [f"{name}: in two rows" for name in sorted({name for name in rows if rows.count(name) > 1})]
    for headers, mark in ((DRIVER, "CUDAAPI"), (RUNTIME, "CUDARTAPI")):
        for header in headers:
            path = os.path.join(directory, header)
            missing = declared(path, mark) - set(rows) if os.path.exists(path) else ()
            wrong += [f"{name}: declared in {header}, in no row" for name in sorted(missing)]
    print("\n".join(wrong) or f"every function of {directory} is a row")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
