"""samples.py: builds the samples' programs with nvcc, for bench/gpu and tests/samples/programs.py."""

import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-O3", "-lineinfo", "-std=c++17", "-arch=sm_90"]

# Arguments of a run without a GPU or under a profiler, with one launch of each version: sizes at
# which every block, warp and edge of the tiles is there, and which an emulator takes in its stride.
ONCE = {
    "access_patterns": ["--size", "15"],
    "add_const_double3": ["--size", "4096"],
    "bank_offset": ["--size", "16"],
    "histogram": ["--size", "65536"],
    "scan2d": ["--size", "1030", "--height=200"],
    "sgemm": ["--size", "256"],
    "transpose": ["--size", "256"],
}


def once(sample):
    return [*ONCE[sample], "--repeats", "0"]


def find_nvcc():
    """The compiler, or None."""
    home = os.environ.get("CUDA_HOME", "/usr/local/cuda")
    return shutil.which("nvcc") or shutil.which("nvcc", path=os.path.join(home, "bin"))


def build(nvcc, folder, samples, jobs):
    """sample -> its program, built in the folder where it is older than its sources."""
    folder.mkdir(parents=True, exist_ok=True)
    programs, running = {}, []
    for sample in samples:
        programs[sample] = folder / sample
        sources = [*(ROOT / "samples" / sample).glob("*.cu"), ROOT / "samples" / "bench.h"]
        newest = max(source.stat().st_mtime for source in sources)
        if programs[sample].exists() and programs[sample].stat().st_mtime > newest:
            continue
        if len(running) == jobs:
            wait(*running.pop(0))
        command = [nvcc, *FLAGS, "-o", str(programs[sample]), f"samples/{sample}/main.cu"]
        running.append((command, subprocess.Popen(command, cwd=ROOT)))
    for command, process in running:
        wait(command, process)
    return programs


def wait(command, process):
    if process.wait() != 0:
        raise SystemExit(f"failed: {' '.join(command)}")
