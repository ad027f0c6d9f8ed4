#!/usr/bin/env python3
"""threads.py WARPLENS [--no-programs]: `warplens fix` changes what threads do where that pays: axes that change places, in square blocks and others, and
structures that are aligned for vector accesses and taken whole, and neighbouring elements in one access; also in the sources of a program that it builds. The changed source has equal results; where neither pays, it stays. 77 without nvcc or
libclang."""

import pathlib
import shutil
import sys

from sources import HERE, build, data_of, launch_of, main, run

MATRIX = ["f32[4096]=random:1", "f32[64]=random:2", "i32=64"]
# kernel, block, grid, arguments, what the source has then, sectors then at most, in parts of those before
CASES = [("scaleRows", "16,16", "4,4", MATRIX, "int row = blockIdx.x * blockDim.x + threadIdx.y;", 0.3),
         ("scaleRows", "32,8", "2,8", MATRIX, "thread_x = thread_number / blockDim.y", 0.3),
         ("fall", "128", "2", ["f32[1024]=random:1", "f32=0.5"], "    Particle p_i = p[i];", 0.3),
         ("sums", "128", "2", ["f32[2048]=random:1", "f32[1024]", "i32=512"], "reinterpret_cast<const Neighbours<T, 4> *>(in)[i]", 0.4),
         ("turn", "16,16", "4,4", ["f32[4096]=random:1", "f32[4096]", "i32=64"], None, 1)]


def results(warplens, folder, launch):
    """The bytes of the first two arguments."""
    run(warplens, "kernel", "threads.cu", *launch, "-q", "--no-sass", "-o", "p.wlp", "--dump", "0=0.npy", "--dump", "1=1.npy", folder=folder)
    return [(folder / f"{n}.npy").read_bytes() for n in (0, 1) if (folder / f"{n}.npy").exists()]


def check(warplens, folder, kernel, block, grid, arguments, line, part):
    source = pathlib.Path(shutil.copy(HERE / "threads.cu", folder))
    before = source.read_text()
    launch = launch_of(kernel, grid, block, arguments)
    document, rows = data_of(warplens, folder, "threads.cu", launch)
    was = results(warplens, folder, launch)
    done = run(warplens, "fix", "threads.cu", *launch, "--apply", folder=folder)
    if not line:
        assert not rows and source.read_text() == before and document["patch"] is None, document
        assert "not offered: threadIdx.x and .y change places" in run(warplens, "fix", "threads.cu", *launch, folder=folder).stdout
        return
    row, = rows
    assert row["then"] <= part * row["before"] and row["proven"] == "yes" and line in document["patch"], document
    assert done.returncode == 0 and "applied: threads.cu" in done.stdout and line in source.read_text(), done.stdout + done.stderr
    assert was and was == results(warplens, folder, launch), f"{kernel}: other results"


def check_program(warplens, folder):
    """Kernel by kernel in a program's sources, as far as it pays."""
    source, command = build(folder, "columns.cu")
    before = source.read_text()
    done = run(warplens, "fix", "--apply", "--build", f"! grep -q 'struct __align__' columns.cu && {command}", "--", "./columns", folder=folder)
    after = source.read_text()
    assert done.returncode == 0 and done.stdout.count("applied: columns.cu.") == 1, done.stdout + done.stderr
    assert "4,352 sectors of global memory become 1,152" in done.stdout and "NOT applied, the sources are as they were: the build fails" in done.stdout
    assert after != before and "it takes no fewer cycles" in done.stdout, done.stdout
    assert after[after.index("__global__ void fall"):] == before[before.index("__global__ void fall"):], after


sys.exit(main(CASES, check, check_program))
