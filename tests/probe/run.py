#!/usr/bin/env python3
"""warplens run --on gpu over a driver and an API that stand in for the vendor's: run.py WARPLENS FOLDER (of the stand-ins)."""
import json
import os
import pty
import re
import select
import shutil
import sqlite3
import subprocess
import tempfile

from common import PROGRAM, STAND_IN, WARPLENS, check, environment, rows_of, run

# Two warps of stand_in/program.c: a row of global memory is loaded, a row of shared memory stored, a column of it loaded.
WANTED = {
    "global": {"requests": 2, "lanes": 64, "sectors": 8, "sectors_ideal": 8, "tag_requests": 2, "bytes_used": 256},
    "shared store": {"requests": 2, "wavefronts": 2, "wavefronts_ideal": 2, "conflicts": 0},
    "shared load": {"requests": 2, "wavefronts": 64, "wavefronts_ideal": 2, "conflicts": 62},
}


def check_counts(rows, launches):
    for launch in range(launches):
        for words, wanted in WANTED.items():
            found = [row for row in rows if row["launch"] == str(launch) and row["access"].startswith(words)]
            check(len(found) == 1, launch, words, rows)
            for name, value in wanted.items():
                check(int(found[0][name]) == value, launch, words, name, found[0][name], "instead of", value)


# Launch i of the program has i + 1 blocks.
def grids_of(profile):
    json_text = subprocess.run([WARPLENS, "report", "--format", "json", profile], capture_output=True, text=True, check=True).stdout
    return [launch["grid"][0] for launch in json.loads(json_text)["launches"]]


# Launch i has a grid of its own: it is timed where that launch, or one of another run, is left as it is.
def check_times(folder, profile):
    def times():
        with sqlite3.connect(profile) as file:
            return file.execute("select grid_x, wall_seconds from launch order by rowid").fetchall()

    done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "6")
    check([grid for grid, _ in times()] == [1, 2, 3, 4, 6], "one launch is left", times())
    check("1 launch was not counted but timed" in done.stderr, done.stderr)
    done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, "6")
    check(times() == [(grid, 0) for grid in range(1, 7)], "--measure off", times())
    run(folder, "--on", "gpu", "--launches", "1", "-o", profile, PROGRAM, "1", "1")  # the graph's is no launch that can be timed
    check(times() == [(1, 0)], "--launches 1", times())
    for more in ({"WARPLENS_TEST_STREAM": "1"}, {}):
        done = run(folder, "--on", "gpu", "--measure", "twice", "-o", profile, PROGRAM, "2", **more)
        check(done.stdout == "done\ndone\n" and times() == [(1, 0.00025), (2, 0.00025)], "--measure twice", more, times(), done)
    details = subprocess.run([WARPLENS, "report", "--page", "details", profile], capture_output=True, text=True).stdout
    check("It takes 250.0 us where nothing is counted" in details and "24 a thread" in details, details)
    findings = subprocess.run([WARPLENS, "report", "--page", "details", profile], capture_output=True, text=True).stdout
    check("May be hidden: the data stage (shared memory, L1) is busy for < 1 % of the 250.0 us" in " ".join(findings.split()), findings)
    check("Instructions that access no memory were not counted" in " ".join(findings.split()), findings)
    json_text = subprocess.run([WARPLENS, "report", "--format", "json", profile], capture_output=True, text=True).stdout
    launch = json.loads(json_text)["launches"][0]
    check(launch["warp_insts"] is None and launch["thread_insts"] is None and launch["roofline"]["fp32_operations"] is None, "not counted", launch)
    check(launch["stages"][0]["stage"] == "the data stage (shared memory, L1)", launch["stages"])
    check(launch["seconds"] == 0.00025 and 0 < launch["findings"][0]["matters"]["busy"][1] < 0.01, launch["findings"])
    done = run(folder, "--measure", "off", PROGRAM, "1")
    check(done.returncode == 3 and "--on gpu" in done.stderr, done)


# Modules that several threads load, of two in a context each. The stand-ins have each call wait for another thread's callback.
def check_threads(folder, profile):
    done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, "5", "threads", "8")
    check(done.returncode == 0 and "not counted" not in done.stderr, done)
    check(sorted(grids_of(profile)) == sorted(8 * [1, 2, 3, 4, 5]), grids_of(profile))
    check_counts(rows_of(profile), 40)
    done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "9", "threads", "8")  # patches are taken away, and come again
    check(done.returncode == 0, done)
    left = re.search(r"(\d+) launch(?:es)? (?:was|were) not counted but timed", done.stderr)
    check(left and len(grids_of(profile)) + int(left[1]) == 72, grids_of(profile), done)
    check_counts(rows_of(profile), len(grids_of(profile)))
    done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, "2", WARPLENS_TEST_LOADS="1")
    check(done.returncode == 0, "one that is loaded while another is patched, which waits for that", done)
    check_counts(rows_of(profile), 2)


# A module is patched before a launch that is counted, and loses that before one that is not: l is a launch, p the patching, u its end.
def check_patches(folder, profile):
    path = f"{folder}/events"

    def events(*arguments, **more):
        done = run(folder, "--on", "gpu", "-o", profile, *arguments, WARPLENS_TEST_EVENTS=path, **more)
        check(done.returncode == 0 and "maybe others of it" not in done.stderr, arguments, done)
        with open(path) as file:
            found = file.read()
        os.remove(path)
        return found

    streams = {"WARPLENS_TEST_STREAM": "1"}
    for more in ({}, streams, {**streams, "WARPLENS_TEST_EX": "1"}):
        for words, wanted, grids in ((("--measure", "off", PROGRAM, "3"), "plll", [1, 2, 3]), (("--launches", "2:4", PROGRAM, "6"), "llpllull", [3, 4]),
                                     ((PROGRAM, "6"), "pllllulpl", [1, 2, 3, 4, 6])):
            found = events(*words, **more)
            check(found == wanted and grids_of(profile) == grids, words, more, found, grids_of(profile))
            check_counts(rows_of(profile), len(grids))
        check(events("-k", "gemm", PROGRAM, "3", **more) == "lll", "no kernel of it is counted, which its symbols do not tell")
        check(events("--measure", "off", PROGRAM, "2", WARPLENS_TEST_LAZY="1", **more) == "pll", "it is loaded in the launch")
        found = events("--launches", "1:", PROGRAM, "1", "3", **more)
        check(found == "lp", "it is patched before a graph", found)
        check([row["requests"] for row in rows_of(profile)] == ["6"] * 3, "three nodes", rows_of(profile))
        found = events("--launches", "1", PROGRAM, "2", "2", **more)
        check(found == "plulp", "and again before one", found)
    for numbers, wanted in (("2:3", "llplul"), ("1", "plulll")):
        found = events("--launches", numbers, PROGRAM, "4", WARPLENS_TEST_NAMELESS="1", **streams)
        check(found == wanted, "known from its first launch on, where the driver does not know it", found)
    found = events("--launches", "1", PROGRAM, "5", "threads", "8", **streams)  # a module each
    check(grids_of(profile) == [1] * 8, "the first launch of each is counted", found, grids_of(profile))
    done = run(folder, "--on", "gpu", "--no-save", "--launches", "1", PROGRAM, "3", WARPLENS_TEST_EVENTS=path, WARPLENS_TEST_KERNEL="ncclDevKernel_AllReduce_Sum_f32_RING_LL")
    with open(path) as file:
        check(file.read() == "plll", "NCCL's: all is patched before, and stays so", done)
    os.remove(path)
    for more in ({"WARPLENS_TEST_UNSEEN": "1"}, {"WARPLENS_TEST_CAPTURES": "1"}):
        found = events("--launches", "1", PROGRAM, "3", **more)
        check(found == "plll" and len(rows_of(profile)) == 3, "where launches are not seen coming, patches stay", more, found)
    done = run(folder, "--on", "gpu", "--no-save", "--launches", "2:", PROGRAM, "5", WARPLENS_TEST_EVENTS=path, WARPLENS_TEST_LASTS="1", **streams)
    check(done.returncode == 0 and done.stderr.count("runs on, and code can be patched only behind it") == 1, "a launch that was left out never ends", done)
    with open(path) as file:
        check(file.read() == "lllll", "nothing is patched while it runs")
    os.remove(path)
    turns = ("-k", "transpose", "--measure", "off", PROGRAM, "20", "kernels", "2")  # every second launch is counted
    found = events(*turns, WARPLENS_TEST_SECOND="_Z5otherPf", WARPLENS_TEST_CHANGE="30")
    check(len(grids_of(profile)) == 20 and 16 <= found.count("u") < 20, "changes of code that take all the time end", found)
    found = events(*turns, WARPLENS_TEST_SECOND="_Z5otherPf", WARPLENS_TEST_LAUNCH="100")
    check(len(grids_of(profile)) == 20 and found.count("u") > 16, "and do not, where they take a small part of it", found)


# One table takes some 280 KB.
def check_memory(folder, profile):
    def counted(kernels, memory):
        done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, "3", "kernels", kernels, WARPLENS_TEST_MEMORY=memory)
        check(done.returncode == 0 and done.stdout == "done\n", done)
        return done.stderr

    said = counted("2", "700000")
    check_counts(rows_of(profile), 6)
    check("memory" not in said, "two tables have room", said)
    said = counted("5", "700000")
    check_counts(rows_of(profile), 15)
    check("memory" not in said, "tables of other kernels are given back", said)
    done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, "1", "kernels", "1000")
    check(done.returncode == 0 and "stand-in:" not in done.stderr and "memory" not in done.stderr, "at most 256 MiB, however many kernels", done)
    check(len(grids_of(profile)) == 1000, "which are all counted", len(grids_of(profile)))
    said = counted("2", "150000")
    check_counts(rows_of(profile), 6)
    check(said.count("the GPU's memory is short") == 1 and "counts stay exact" in said, "smaller tables", said)
    os.remove(profile)
    said = counted("1", "10000")
    check("transpose is not counted, and maybe others of it: a stand-in's error" in said and "launched no kernel" in said, "no table", said)
    check(said.count("is not counted") == 1, "said once", said)


# An H100 or H200 has 270,336 threads; 432 bytes for the patches of each are 111.4 MiB. The driver takes them in the launch.
def check_stacks(folder, profile):
    path = f"{folder}/events"

    def events(*arguments, **more):
        done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, *arguments, WARPLENS_TEST_EVENTS=path, **more)
        check(done.returncode == 0 and done.stdout == "done\n", done)
        with open(path) as file:
            found = file.read()
        os.remove(path)
        return found, done.stderr

    found, said = events("3", WARPLENS_TEST_FREE="112")
    check(found == "plll" and "leaves no memory" not in said, "there is room", found, said)
    for arguments, wanted in (("3",), "lll"), (("3", "2"), "lll"):  # a graph's, too
        found, said = events(*arguments, WARPLENS_TEST_FREE="111")
        check(found == wanted and said.count("leaves no memory of the GPU's for the stacks") == 1 and "launched no kernel" in said, "nothing is patched", found, said)
    found, said = events("3", WARPLENS_TEST_FREE="112", WARPLENS_TEST_STACK="16")
    check(found == "lll" and "leaves no memory" in said, "the kernel's own stack is of it", found, said)


# The driver takes 150 ms to begin, and is not begun only to ask which GPUs there are, where NVML says it.
def check_begins(folder, profile):
    def begun(*arguments, **more):
        path = f"{folder}/begins"
        run(folder, *arguments, "-o", profile, PROGRAM, "1", WARPLENS_TEST_BEGINS=path, **more)
        with open(path) as file:
            number = len(file.read())
        os.remove(path)
        check(len(rows_of(profile)) == 3, arguments, rows_of(profile))
        return number

    check(begun("--on", "gpu") == 1, "once, by the program")
    check(begun("--on", "auto") == 2, "auto is sure")
    check(begun("--on", "gpu", CUDA_VISIBLE_DEVICES="0") == 2, "NVML knows nothing of CUDA_VISIBLE_DEVICES")


# NVML knows less than the driver, which is asked then; and both fail.
def check_failing(folder, profile):
    path = f"{folder}/begins"

    def tried(fails):
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "1", WARPLENS_TEST_BEGINS=path, WARPLENS_TEST_FAILS=fails)
        with open(path, "a+") as file:
            file.seek(0)
            number = len(file.read())
        os.remove(path)
        return done, number

    for call in ("Init_v2", "SystemGetCudaDriverVersion", "DeviceGetCount_v2", "DeviceGetHandleByIndex_v2", "DeviceGetName",
                 "DeviceGetCudaComputeCapability"):
        done, begun = tried(f"nvml{call}")
        check(done.returncode == 0 and begun == 2 and len(rows_of(profile)) == 3, call, done, begun)
    done, begun = tried("none")
    check(done.returncode == 3 and begun == 1 and "the driver finds no GPU" in done.stderr, "none", done, begun)
    for call in ("cuDeviceGetCount", "cuDeviceGetName", "cuDeviceGetAttribute"):
        done = run(folder, "--on", "auto", "-o", profile, "/bin/true", WARPLENS_TEST_FAILS=call)
        check("runs on the CPU: --on gpu: the driver finds no GPU" in done.stderr, call, done)
    done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "1", TMPDIR="/nowhere")
    check(done.returncode == 3 and done.stdout == "" and "no temporary directory: " in done.stderr, "it does not run on the CPU", done)


# On a terminal, what was counted so far, while the program goes on.
def check_progress(folder, profile):
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        print(f"left out: progress on a terminal: no pseudo-terminal: {error}")
        return
    started = subprocess.Popen([WARPLENS, "run", "--on", "gpu", "--page", "none", "-o", profile, PROGRAM, "3", "ends", "wait"], env=environment(folder),
                               cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    said = b""
    while b" counted" not in said:
        ready = select.select([ours], [], [], 300)[0]
        check(ready, "nothing is said", said)
        said += os.read(ours, 4096)
    started.stdin.close()
    check(re.search(rb"warplens: \d+ s: 3 launches of 1 kernel counted, [\d.]+ a second", said), said)
    while select.select([ours], [], [], 300)[0]:
        try:
            os.read(ours, 4096)
        except OSError:  # so a terminal ends
            break
    os.close(ours)
    check(started.wait(timeout=300) == 7, started.returncode)


# Where pip puts the library, in the layouts that its packages have had.
def check_packages(folder):
    def found():
        changed = environment(folder, HOME=folder, WARPLENS_SANITIZER="")
        for name in ("CUDA_HOME", "CUDA_PATH", "VIRTUAL_ENV"):
            changed.pop(name, None)
        told = subprocess.run([WARPLENS, "doctor", "--json"], env=changed, capture_output=True, text=True).stdout
        return next(part["found"] for part in json.loads(told)["parts"] if part["name"] == "Sanitizer API")

    if found():
        print("left out: the library in Python packages: this machine has another, which goes before them")
        return
    for place in ("nvidia/cu13/lib", "nvidia/cu13/compute-sanitizer", "nvidia/cuda_sanitizer_api/lib"):
        path = f"{folder}/.local/lib/python3.11/site-packages/{place}/libsanitizer-public.so"
        os.makedirs(os.path.dirname(path))
        os.symlink(f"{STAND_IN}/libsanitizer-public.so", path)
        check(found() == path, place, found())
        os.remove(path)
    check(found() is None, "none is left", found())


# What was complete is in the profile.
def check_ends(folder, profile):
    for how, status in (("abort", 134), ("kill", 137), ("exit", 7)):
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "2", "ends", how)
        check(done.returncode == status, how, done)
        check_counts(rows_of(profile), 2)
        check(len(rows_of(profile)) == 6, how, rows_of(profile))
        os.remove(profile)
    done = run(folder, "--on", "gpu", "--measure", "off", "-o", profile, PROGRAM, "3", WARPLENS_TEST_REFUSES="2")
    raw = subprocess.run([WARPLENS, "report", "--format", "json", profile], capture_output=True, text=True, check=True).stdout
    statuses = [launch["status"] for launch in json.loads(raw)["launches"]]
    check(statuses == ["done", "fault", "done"], "a launch that the driver refuses has no counts", statuses)
    check("a launch of transpose failed: " in done.stderr and "memory of the GPU's" in done.stderr, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        profile = f"{folder}/p.wlp"
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "3")
        check(done.returncode == 0 and done.stdout == "done\n", done)
        check("3 of 3 launches, GPU h100" in done.stderr, done.stderr)
        rows = rows_of(profile)
        check(len(rows) == 9, rows)
        check_counts(rows, 3)
        details = subprocess.run([WARPLENS, "report", "--page", "details", profile], capture_output=True, text=True).stdout
        check("NVIDIA H100 80GB HBM3" in details, details)
        summary = subprocess.run([WARPLENS, "report", "--page", "summary", profile], capture_output=True, text=True).stdout
        check(any(line.split()[1:2] == ["transpose"] and line.endswith(" -") for line in summary.splitlines()), summary)

        run(folder, "--on", "gpu", "-o", profile, "--launches", "1", PROGRAM, "3")
        check(len(rows_of(profile)) == 3, "--launches 1")
        run(folder, "--on", "gpu", "-o", profile, "--launches", "1:3", PROGRAM, "5")
        check(grids_of(profile) == [2, 3], "--launches 1:3", grids_of(profile))
        run(folder, "--on", "gpu", "-o", profile, "--launches", "3:", PROGRAM, "5")
        check(grids_of(profile) == [4, 5], "--launches 3:", grids_of(profile))
        for wrong in ("3:3", "3:1", ":2", "1:2:3", "-1", "a", ""):
            done = run(folder, "--on", "gpu", "--launches", wrong, PROGRAM, "5")
            check(done.returncode == 3 and "A:B with A below B" in done.stderr, wrong, done)
        done = run(folder, "--on", "gpu", "--no-save", "-k", "gemm", PROGRAM, "1")
        check("no kernel that is profiled" in done.stderr, done.stderr)
        done = run(folder, "--on", "gpu", "--no-save", "/bin/true")
        check(done.returncode == 0 and "no process of the program loaded the library" in done.stderr, done)
        for result, words in (("10", "another tool"), ("13", "does not fit this driver: WARPLENS_SANITIZER names another"), ("14", "the virtual machine"), ("1", "stand-in's error")):
            done = run(folder, "--on", "gpu", "--no-save", PROGRAM, "1", WARPLENS_TEST_SUBSCRIBE=result)
            check(done.returncode == 0 and done.stdout == "done\n" and "nothing is counted: " in done.stderr and words in done.stderr, result, done)
        done = run(folder, "--on", "gpu", "--no-save", "--measure", "off", PROGRAM, "2", "kernels", "2", WARPLENS_TEST_SECOND="_Z5otherPf", WARPLENS_TEST_FAILS="sanitizerPatchModule")
        for name in ("transpose", "other"):
            check(done.stdout == "done\n" and done.stderr.count(f"a launch of {name} is not counted, and maybe others of it: its code cannot be patched: ") == 1, name, done)
        done = run(folder, "--on", "gpu", "--stop-after", "2", "-o", profile, PROGRAM, "5")
        check(len(rows_of(profile)) == 6 and "ended after 2 launches" in done.stderr, done.stderr)
        done = run(folder, "--on", "gpu", "--list", PROGRAM, "4")
        check(" 4 " in done.stderr and "transpose" in done.stderr, done.stderr)
        done = run(folder, "--on", "auto", "-o", profile, PROGRAM, "1")
        check("runs on the GPU" in done.stderr, done.stderr)

        run(folder, "--on", "gpu", "-o", profile, PROGRAM, "2", "1")
        check_counts(rows_of(profile), 3)
        check(grids_of(profile) == [1, 2, 1], "a graph of one kernel", grids_of(profile))
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "0", "3")
        check("3 launches by one CUDA graph are counted together" in done.stderr, done.stderr)
        check([int(row["requests"]) for row in rows_of(profile)] == [6, 6, 6], "three nodes", rows_of(profile))
        run(folder, "--on", "gpu", "-o", profile, "--launches", "2", PROGRAM, "1", "1")
        check(len(rows_of(profile)) == 6, "a graph is among the launches that --launches counts")
        done = run(folder, "--on", "gpu", "-o", profile, "--launches", "1", PROGRAM, "1", "1")
        check(len(rows_of(profile)) == 3, "and among those that it leaves out")

        run(folder, "--on", "gpu", "-o", profile, PROGRAM, "0", "dense", "1")  # nearly all instructions access memory
        check(len(rows_of(profile)) == 1016, "a slot each", len(rows_of(profile)))
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "0", "dense", "4")
        check("launches are left out" in done.stderr and "launched no kernel" in done.stderr, "no slot each", done.stderr)

        run(folder, "--on", "gpu", "-o", profile, PROGRAM, "1", WARPLENS_TEST_DEVICE="1")
        raw = subprocess.run([WARPLENS, "report", "--format", "json", profile], capture_output=True, text=True, check=True).stdout
        check(json.loads(raw)["launches"][0].get("device") == 1, "the driver says which device it is", raw)

        check_threads(folder, profile)
        check_patches(folder, profile)
        check_times(folder, profile)
        check_memory(folder, profile)
        check_stacks(folder, profile)
        done = run(folder, "--on", "gpu", "--no-save", PROGRAM, "3", WARPLENS_TEST_KERNEL="ncclDevKernel_AllReduce_Sum_f32_RING_LL")
        check("launched no kernel" in done.stderr and done.stderr.count("it waits for kernels of other GPUs") == 1, "NCCL's are not waited for", done.stderr)
        done = run(folder, "--on", "gpu", "-o", profile, PROGRAM, "2", LD_PRELOAD=f"{STAND_IN}/libthread.so")  # which takes SIGCHLD
        check(done.returncode == 0 and len(rows_of(profile)) == 6, "the end of the program is noticed", done)
        tool = f"{folder}/cuda-gdb"
        shutil.copy(f"{STAND_IN}/tracer", tool)
        done = run(folder, "--on", "gpu", "--no-save", tool, PROGRAM, "1")
        check(done.returncode == 0 and "another tool (cuda-gdb) watches" in done.stderr, done)
        shutil.copy(PROGRAM, tool)  # the debugger itself calls the driver
        done = run(folder, "--on", "gpu", "--no-save", tool, "1")
        check(done.returncode == 0 and "another tool (cuda-gdb) watches" in done.stderr, done)
        os.remove(tool)
        with open(tool, "w") as file:  # a process of the debugger's that is named otherwise
            file.write('#!/bin/sh\n"$1" 0\n')
        os.chmod(tool, 0o755)
        done = run(folder, "--on", "gpu", "--no-save", tool, PROGRAM)
        check(done.returncode == 0 and "nothing was counted: another tool (cuda-gdb) watches" in done.stderr, done)
        check_ends(folder, profile)
        check_progress(folder, profile)
        check_packages(folder)
        check_begins(folder, profile)
        check_failing(folder, profile)
        done = run(folder, "--on", "gpu", PROGRAM, "1", WARPLENS_SANITIZER="/nowhere")
        check(done.returncode == 3 and "libsanitizer-public.so" in done.stderr, done)
        done = run(folder, "--on", "gpu", PROGRAM, "1", WARPLENS_PTXAS="/nowhere")
        doctor = subprocess.run([WARPLENS, "doctor", "--json"], env=environment(folder), capture_output=True, text=True).stdout
        made = next(part["found"] for part in json.loads(doctor)["parts"] if part["name"] == "device code")
        check(done.returncode == (0 if made else 3) and ("needs ptxas" in done.stderr) == (not made), "made when warplens was built", made, done)
        done = run(folder, "--on", "gpu", PROGRAM, "1", WARPLENS_PTXAS="/nowhere", WARPLENS_TEST_CUDA="11080")
        check(done.returncode == 3 and "needs ptxas" in done.stderr, "which an older driver does not take", done)
        done = run(folder, "--on", "gpu", "--gpu", "a100", PROGRAM, "1")
        check(done.returncode == 3 and "--gpu is of runs on the CPU" in done.stderr, done)
        done = run(folder, "--on", "gpu", PROGRAM, "1", CUDA_INJECTION64_PATH="/other")
        check(done.returncode == 3 and "another tool" in done.stderr, done)
        done = run(folder, "--on", "moon", PROGRAM, "1")
        check(done.returncode == 3 and "cpu, gpu or auto" in done.stderr, done)
    print("all as expected")


main()
