#!/usr/bin/env python3
"""`import warplens` with a GPU, over a driver and an API that stand in for the vendor's: python.py WARPLENS FOLDER (of the stand-ins)."""
import pathlib
import subprocess
import sys
import tempfile

from common import STAND_IN, WARPLENS, check, environment

LAUNCH = f"""
import ctypes, os, subprocess, sys, threading
import warplens
program = ctypes.CDLL("{STAND_IN}/libstand_in_module.so")
def launch(count):
    assert program.stand_in_main(2, (ctypes.c_char_p * 2)(b"program", str(count).encode())) == 0
def told(made):
    return made.on, [launch["grid"][0] for launch in made.document["launches"]], made.document["launches"][0]["ran_on"]
"""
BLOCKS = LAUNCH + """
launch(1)
with warplens.profile(on="gpu") as first:
    launch(3)
launch(2)
with warplens.profile(on="auto") as second:
    launch(2)
print(told(first))
print(told(second))
print([(line.sectors, line.wavefronts, line.wavefronts_ideal) for line in second.lines()])
from warplens._tune import counts_of
counts = counts_of(second)
print(counts.wavefronts, counts.sectors, counts.instructions, counts.thread_instructions)
"""
# A process that it starts has the variables, and is not meant; a fork is.
CHILDREN = LAUNCH + """
with warplens.profile() as made:
    launch(1)
    environment = {name: value for name, value in os.environ.items() if name != "WARPLENS_ON"}
    subprocess.run([sys.executable, "-c", "import ctypes, os\\n"
        f"ctypes.CDLL('{program._name}').stand_in_main(2, (ctypes.c_char_p * 2)(b'p', b'7'))"], env=environment, check=True)
    threads = [threading.Thread(target=launch, args=(1,)) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    child = os.fork()
    if child == 0:
        launch(2)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
print(len(made))
"""
REFUSED = LAUNCH + """
import contextlib
from warplens._native import native
def refused(make):
    try:
        with make(): pass
    except (warplens.WarplensError, ValueError) as error:
        print(error)
refused(lambda: warplens.profile(on="cpu"))
refused(lambda: warplens.profile(on="moon"))
with warplens.profile() as made:
    launch(1)
refused(lambda: contextlib.nullcontext(native().layouts("x")))
"""


def python(folder, text, *arguments, **more):
    command = [sys.executable, "-B", *arguments] if text is None else [sys.executable, "-B", "-c", text]
    return subprocess.run(command, env=environment(folder, WARPLENS=WARPLENS, **more), cwd=folder, capture_output=True, text=True, timeout=120)


def expect(done, *lines):
    said = [line for line in done.stdout.splitlines() if line != "done"]  # which the stand-in's program prints
    check(done.returncode == 0 and said == list(lines), done.stdout, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        h100 = "NVIDIA H100 80GB HBM3"
        for where in ("gpu", "auto"):
            done = python(folder, BLOCKS, WARPLENS_ON=where)
            expect(done, f"('gpu', [1, 2, 3], '{h100}')", f"('gpu', [1, 2], '{h100}')", "[(0, 128, 4), (16, 0, 0), (0, 4, 4)]", "132 16 0 0")  # as WANTED of run.py, twice
            check(("runs on the GPU" in done.stderr) == (where == "auto"), done.stderr)
        expect(python(folder, CHILDREN, WARPLENS_ON="gpu"), "5")
        done = python(folder, REFUSED, WARPLENS_ON="gpu")
        check("set WARPLENS_ON=cpu before" in done.stdout and "on='moon': expected" in done.stdout and "layouts are tried on the CPU" in done.stdout,
              done.stdout, done.stderr)
        done = python(folder, "import ctypes; ctypes.CDLL('libcuda.so.1'); import warplens", WARPLENS_ON="gpu")
        check("must come before torch" in done.stderr, done.stderr)
        done = python(folder, "import warplens", WARPLENS_ON="moon")
        check("WARPLENS_ON=moon: expected cpu, gpu or auto" in done.stderr, done.stderr)

        # Without a GPU
        done = python(folder, "import warplens", WARPLENS_ON="gpu", LD_LIBRARY_PATH="")
        check("no driver of NVIDIA's" in done.stderr and "unset WARPLENS_ON" in done.stderr, done.stderr)
        done = python(folder, "import warplens\nprint(warplens.on())", WARPLENS_ON="auto", LD_LIBRARY_PATH="")
        check(done.stdout == "cpu\n" and "runs on the CPU" in done.stderr, done.stdout, done.stderr)
        done = python(folder, "import warplens\nwith warplens.profile(on='gpu'): pass", LD_LIBRARY_PATH="")
        check("set WARPLENS_ON=gpu before" in done.stderr, done.stderr)

        # A whole script
        pathlib.Path(folder, "script.py").write_text(LAUNCH + "launch(3)\nprint(warplens.on())\n")
        done = python(folder, None, "-m", "warplens", "--on=gpu", "--page=none", "script.py")
        expect(done, "gpu")
        expect(python(folder, LAUNCH + "print(told(warplens.load('script.wlp')))", WARPLENS_ON="gpu"), f"('gpu', [1, 2, 3], '{h100}')")
    print("all as expected")


main()
