#!/usr/bin/env python3
"""time.py [--also DIR]... [--rounds N] [--build DIR | --built DIR] [CASE...]: times the suite's kernels on the GPU: as they are, as an expert fixed them,
and the variants NAME.VARIANT.cu in each DIR. Medians of interleaved launches in microseconds; prints a table,
tab-separated. Needs nvcc and a GPU; exit status 77 without. --build compiles only, for --arch, into DIR; --built takes
what lies there, on a machine that needs no nvcc then, and with the same --also.

What is measured is the time between two events around ten launches, so that the launch itself hardly counts."""

import argparse
import concurrent.futures
import ctypes
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from cases import HERE, all_cases

SIZES = {"8": 1, "16": 2, "32": 4, "64": 8}
LAUNCHES = 10
SCALARS = {"f32": ctypes.c_float, "f64": ctypes.c_double, "u16": ctypes.c_ushort, "u8": ctypes.c_ubyte}


class Driver:
    """The few calls of the driver's API that are needed."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(100)
        self.call("cuDeviceGetName", name, 100, device)
        self.device = name.value.decode()

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name}: error {status}")

    def function(self, cubin):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin.read_bytes())
        self.call("cuModuleEnumerateFunctions", ctypes.byref(function), 1, module)
        return function

    def allocate(self, data, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        if data:
            self.call("cuMemcpyHtoD_v2", pointer, data, ctypes.c_size_t(size))
        else:
            self.call("cuMemsetD8_v2", pointer, ctypes.c_ubyte(0), ctypes.c_size_t(size))
        return pointer

    def event(self):
        event = ctypes.c_void_p()
        self.call("cuEventCreate", ctypes.byref(event), 0)
        return event


def random_bytes(kind, count):
    """As good as any: values of floats are in [0, 1), integers take all bits."""
    import random
    source = random.Random(1)
    size = SIZES[kind[1:]]
    if kind[0] != "f":
        block = source.randbytes(1 << 20)
    else:
        import struct
        code = {"f16": "e", "f32": "f", "f64": "d"}[kind]
        block = struct.pack(f"{1 << 14}{code}", *(source.random() for _ in range(1 << 14)))
    whole = count * size
    return (block * (whole // len(block) + 1))[:whole]


def arguments(driver, case):
    """Values for cuLaunchKernel, and what is to be freed."""
    values, pointers = [], []
    for text in case.arguments(big=True):
        kind, _, rest = text.partition("[")
        if rest:
            count, _, how = rest.partition("]")
            data = random_bytes(kind, int(count)) if "random" in how else None
            pointers.append(driver.allocate(data, int(count) * SIZES[kind[1:]]))
            values.append(pointers[-1])
        else:
            number = text.partition("=")[2]
            scalar = SCALARS.get(kind.partition("=")[0], ctypes.c_int)
            values.append(scalar(float(number) if "." in number else int(number)))
    return values, pointers


def measure(driver, case, cubins, rounds):
    """Microseconds of each variant."""
    values, pointers = arguments(driver, case)
    array = (ctypes.c_void_p * len(values))(*(ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values))
    grid, block = case.grid(True), [int(x) for x in (case.block + ",1,1").split(",")[:3]]
    functions = {name: driver.function(path) for name, path in cubins.items()}
    begin, end, times = driver.event(), driver.event(), {name: [] for name in cubins}
    for turn in range(rounds + 2):
        for name, function in functions.items():
            driver.call("cuEventRecord", begin, None)
            for _ in range(LAUNCHES):
                driver.call("cuLaunchKernel", function, *grid, *block, case.dynamic(name), None, array, None)
            driver.call("cuEventRecord", end, None)
            driver.call("cuEventSynchronize", end)
            milliseconds = ctypes.c_float()
            driver.call("cuEventElapsedTime", ctypes.byref(milliseconds), begin, end)
            if turn >= 2:
                times[name].append(milliseconds.value * 1000 / LAUNCHES)
    for pointer in pointers:
        driver.call("cuMemFree_v2", pointer)
    return {name: statistics.median(list_) for name, list_ in times.items()}


def compile_one(arch, source, cubin):
    """None, or what the compiler says. A cubin that is newer than its source stays."""
    if cubin.exists() and cubin.stat().st_mtime > source.stat().st_mtime:
        return None
    done = subprocess.run(["nvcc", "-O3", f"-arch={arch}", "-cubin", "-o", cubin, source], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


def all_sources(case, folders):
    """By variant: the two of the suite, and NAME.VARIANT.cu in the folders."""
    sources = {"original": case.source, "expert": case.expert}
    for folder in folders:
        for source in sorted(folder.glob(f"{case.name}.*.cu")):
            variant = source.name.split(".")[1]
            sources[variant] = source
            case.say_dynamic(variant, source.read_text().split("\n", 1)[0])
    return sources


def compile_all(cases, given, folder):
    """[case, {variant: cubin}] as they are ready; what does not compile is said."""
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        jobs = []
        for case in cases:
            cubins = {variant: (source, folder / f"{case.name}.{variant}.cubin") for variant, source in all_sources(case, given.also).items()}
            jobs.append((case, {v: (cubin, None if given.built else pool.submit(compile_one, given.arch, source, cubin)) for v, (source, cubin) in cubins.items()}))
        for case, cubins in jobs:
            for variant, (cubin, job) in cubins.items():
                if job and job.result():
                    print(f"{case.name} {variant}: {job.result()}", file=sys.stderr)
            yield case, {v: cubin for v, (cubin, _) in cubins.items() if cubin.exists()}


def time_all(driver, given, cases, folder):
    variants = []
    for case in cases:
        variants += [v for v in all_sources(case, given.also) if v not in variants]
    print(f"# microseconds on one {driver.device}, medians of {given.rounds} turns of {LAUNCHES} launches")
    print("\t".join(["case", *variants]))
    for case, cubins in compile_all(cases, given, folder):
        try:
            took = measure(driver, case, cubins, given.rounds)
        except RuntimeError as error:
            print(f"{case.name}: {error}", file=sys.stderr)
            continue
        print("\t".join([case.name, *(f"{took[v]:.2f}" if v in took else "-" for v in variants)]), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--also", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--arch", default="native")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--built", type=pathlib.Path)
    given = parser.parse_intermixed_args()
    if not given.built and not shutil.which("nvcc"):
        print("skipped: there is no nvcc")
        return 77
    cases = all_cases(given.cases)
    if given.build:
        given.build.mkdir(parents=True, exist_ok=True)
        for case, cubins in compile_all(cases, given, given.build):
            print(f"{case.name}: {' '.join(cubins)}", flush=True)
        return 0
    try:
        driver = Driver()
    except (OSError, RuntimeError):
        print("skipped: there is no GPU")
        return 77
    with tempfile.TemporaryDirectory() as name:
        time_all(driver, given, cases, given.built or pathlib.Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
