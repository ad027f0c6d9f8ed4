#!/usr/bin/env python3
"""warplens model --on gpu over a driver that stands in for the vendor's: model.py WARPLENS FOLDER (of the stand-ins)."""
import glob
import os
import subprocess

from common import STAND_IN, WARPLENS, check

TRUTH = sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ground-truth/h100/*.csv")))


def model(*arguments, **more):
    return subprocess.run([WARPLENS, "model", *arguments], env=dict(os.environ, LD_LIBRARY_PATH=STAND_IN, **more), capture_output=True,
                          text=True, timeout=300)


def main():
    cpu, gpu = model(*TRUTH), model("--on", "gpu", *TRUTH)
    check(gpu.returncode == cpu.returncode == 1, gpu)
    lines = gpu.stdout.splitlines()
    check(lines[:-1] == cpu.stdout.splitlines(), "the same rows are exact", lines[-3:])
    rows = lines[-2].split("/")[-1]
    check(int(rows) > 6000 and lines[-1] == f"counted on the GPU, NVIDIA H100 80GB HBM3: {rows} of {rows} rows as on the CPU", lines[-1])

    measured = next(path for path in TRUTH if path.endswith("shared-wavefronts.csv"))
    good = model("--on", "gpu", measured)
    wrong = model("--on", "gpu", measured, WARPLENS_TEST_WRONG_ROW="1")
    check("1 rows" not in good.stdout and wrong.returncode == 1, wrong)
    first, last = good.stdout.splitlines()[-1].split(": ")[1].split()[0], wrong.stdout.splitlines()[-1].split(": ")[1].split()[0]
    check(int(last) == int(first) - 1, "a row that the GPU counts otherwise", good.stdout, wrong.stdout)

    done = model("--on", "gpu", measured, WARPLENS_TEST_NO_MEMORY="1")
    check(done.returncode == 3 and "--on gpu: cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY" in done.stderr and not done.stdout, done)
    for call in ("cuInit", "cuDeviceGetName", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", "cuModuleLoadData", "cuModuleGetFunction",
                 "cuMemcpyHtoD_v2", "cuLaunchKernel", "cuMemcpyDtoH_v2"):
        done = model("--on", "gpu", measured, WARPLENS_TEST_FAILS=call)
        told = f"--on gpu: {call.removesuffix('_v2')}: CUDA_ERROR_UNKNOWN"
        check(done.returncode == 3 and told in done.stderr and not done.stdout, call, done)
    done = model("--on", "moon", measured)
    check(done.returncode == 3 and "expected cpu or gpu, found 'moon'" in done.stderr, done)
    print("all as expected")


main()
