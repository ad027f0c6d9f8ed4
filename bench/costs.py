"""costs.py: what a program under `warplens run` pays beside its kernels - the start, a module with a
thousand entries, empty launches, copies -, how fast it reads textures and multiplies matrices, and what
the JIT's compiler takes for 300 instructions."""

import os
import pathlib
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["cost", "unit", "median", "low", "high", "wanted"]
ENTRIES = 1000
MANY = 100000


def library(path, entries, instructions):
    """A module as nvcc writes a library of templates: line numbers, long names, a table, functions."""
    table = ",".join(f"0f3F{number:06X}" for number in range(256))
    text = [".version 8.0", ".target sm_80", ".address_size 64", '.file 1 "library.cu"']
    text += [f".const .align 4 .f32 table[256] = {{{table}}};"]
    for number in range(8):
        text += [f".func (.param .b32 r) helper{number}(.param .b32 a)", "{", ".reg .b32 %r<2>;"]
        text += ["ld.param.u32 %r1, [a];", *["add.s32 %r1, %r1, %r1;"] * 20]
        text += ["st.param.b32 [r], %r1;", "ret;", "}"]
    for entry in range(entries):
        name = f"_ZN7library6detail6kernelILi{entry}EfNS_6policyILi{entry % 7}EEEEvPT0_i"
        text += [f".visible .entry {name}(", f".param .u64 {name}_param_0,"]
        text += [f".param .u32 {name}_param_1)", ".maxntid 256, 1, 1", "{", ".reg .b32 %r<9>;"]
        text += [".reg .f32 %f<9>;", ".reg .b64 %rd<9>;", f".loc 1 {entry + 10} 3"]
        text += [f"ld.param.u64 %rd1, [{name}_param_0];", "cvta.to.global.u64 %rd2, %rd1;"]
        text += ["mov.u32 %r1, %tid.x;", "mul.wide.u32 %rd3, %r1, 4;", "add.s64 %rd4, %rd2, %rd3;"]
        text += ["ld.global.f32 %f1, [%rd4];"]
        for i in range(instructions):
            text += [f".loc 1 {entry + 11 + i} 7"]
            text += [f"fma.rn.f32 %f{2 + i % 6}, %f1, 0f3F800000, %f{2 + (i + 1) % 6};"]
        text += ["st.global.f32 [%rd4], %f2;", "ret;", "}"]
    path.write_text("\n".join(text) + "\n")
    return name


def row(cost, unit, values, wanted=""):
    values = [float(value) for value in values]
    middle = [f"{value:.4g}" for value in (statistics.median(values), min(values), max(values))]
    return [cost, unit, *middle, wanted]


def milliseconds(values):
    return [1e3 * float(value) for value in values]


def timed(command, **settings):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True)
    if done.returncode:
        sys.exit(f"{done.stderr.decode()}bench: {' '.join(map(str, command))}")
    return time.perf_counter() - start, done.stdout.decode()


def program(given, folder, name):
    """A program of the driver API; None where it cannot be had."""
    if given.programs and (pathlib.Path(given.programs) / name).exists():
        return pathlib.Path(given.programs) / name
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    libraries = pathlib.Path(given.warplens).parent / "lib" / "warplens"
    if not compiler or not (libraries / "libcuda.so.1").exists():
        print(f"skipped: {name}, which needs a C compiler and the libraries of the build")
        return None
    binary, source = folder / name, ROOT / "bench" / "programs" / f"{name}.c"
    timed([compiler, "-O2", "-I", ROOT / "src", source, "-o", binary, "-L", libraries, "-l:libcuda.so.1"])
    return binary


def programs(given, folder):
    driver = program(given, folder, "driver")
    if not driver:
        return []
    run = [given.warplens, "run", "-q", "--no-sass", "-o", folder / "costs.wlp"]
    alone = milliseconds(timed(["true"])[0] for _ in range(given.repeats))
    under = milliseconds(timed([*run, "true"])[0] for _ in range(given.repeats))
    rows = [row("true, alone", "ms", alone), row("true, under warplens run", "ms", under)]
    library(folder / "library.ptx", ENTRIES, 60)
    lines = {}
    for _ in range(max(1, given.repeats // 2)):
        for line in timed([*run, driver, folder / "library.ptx"])[1].splitlines():
            name, *values = line.split()
            lines.setdefault(name, []).append(values)
    loads = [float(one[0]) + float(kernels[0]) for one, kernels in zip(lines["load"], lines["kernels"])]
    further = [value for kernels in lines["kernels"] for value in kernels[1:]]
    megabytes = (folder / "library.ptx").stat().st_size / 1e6
    rows += [
        row(f"module of {ENTRIES} entries, {megabytes:.1f} MB, and its first kernel", "CPU ms", milliseconds(loads), "<40"),
        row("each further kernel of it", "CPU ms", milliseconds(further), "<2"),
        row("empty launch", "us", [1e6 * float(value) for one in lines["launch"] for value in one], "<10"),
    ]
    for name, words in (
        ("memcpy", "memcpy of 256 MiB"),
        ("to_device", "cuMemcpyHtoD of it"),
        ("from_device", "cuMemcpyDtoH of it"),
    ):
        rows.append(row(words, "GB/s", [value for one in lines[name] for value in one]))
    return rows


def many_launches(given, folder):
    """CPU seconds of a program that only launches, and of the process that records it."""
    driver = program(given, folder, "driver")
    if not driver:
        return []
    values = []
    for _ in range(given.repeats):
        before = os.times()
        timed([given.warplens, "run", "-q", "--no-sass", "-o", folder / "costs.wlp", driver, str(MANY)])
        after = os.times()
        values += [after.children_user + after.children_system - before.children_user - before.children_system]
    return [row(f"{MANY:,} empty launches, with what records them", "CPU s", values, "<1")]


def rates(given, folder, name, what):
    """Millions per CPU second, by one worker, that a program prints for each of its kinds: fetches of
    textures, products of matrices."""
    reader = program(given, folder, name)
    if not reader:
        return []
    run = [given.warplens, "run", "-q", "--no-sass", "--no-save", "--threads", "1", reader]
    lines = [line.split() for line in timed(run)[1].splitlines()]
    return [row(f"{what} {kind}", "M/s", values) for kind, *values in lines]


def first_tier(command):
    """Milliseconds that the plan of the kernel takes, as --stats says."""
    done = subprocess.run([*command, "--engine", "plan", "--stats"], cwd=ROOT, capture_output=True, check=True)
    return [float(found) for found in re.findall(r"plans?, made in ([0-9.]+) ms", done.stderr.decode())]


def compiler(given, folder):
    """CPU time of the first tier, and of the JIT, for one kernel of 300 instructions."""
    kernel = library(folder / "one.ptx", 1, 290)
    profile = folder / "costs.wlp"
    command = [given.warplens, "kernel", folder / "one.ptx", "-k", kernel, "--grid", "20000", "--block", "64"]
    command += ["--arg", "f32[64]", "--arg", "i32=0", "-q", "--no-sass", "-o", profile]
    plans = [first_tier(command) for _ in range(given.repeats)]
    rows = [row("first tier of 300 instructions", "CPU ms", [made for one in plans for made in one], "<10")]
    if "jit" not in given.engines:
        return rows
    command += ["--engine", "jit"]
    times = []
    for repeat in range(given.repeats):
        timed(command, WARPLENS_CACHE=str(folder / f"kept{repeat}"))  # where nothing is on disk yet
        with sqlite3.connect(profile) as database:
            if "compile_seconds" in [column[1] for column in database.execute("PRAGMA table_info(launch)")]:
                times += [one[0] for one in database.execute("SELECT compile_seconds FROM launch")]
    return [*rows, row("JIT of 300 instructions", "CPU ms", milliseconds(times))] if times else rows


def measure(given, folder):
    rows = programs(given, folder) + many_launches(given, folder) + rates(given, folder, "textures", "texture")
    rows += rates(given, folder, "matrices", "wmma.mma of") + compiler(given, folder)
    for cost, unit, middle, low, high, wanted in rows:
        verdict = "  missed" if wanted and float(middle) >= float(wanted[1:]) else ""
        print(f"{cost:<60} {middle:>9} {unit:<7} ({low} to {high}) {wanted}{verdict}")
    return rows


def save(path, machine, rows):
    lines = [f"# {machine}", "\t".join(COLUMNS), *map("\t".join, rows)]
    path.write_text("\n".join(lines) + "\n")
