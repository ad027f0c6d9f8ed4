#!/usr/bin/env python3
"""Two tools at once, on this machine's GPU: tools.py WARPLENS PROGRAM. The program runs to its end, or is refused; nothing is counted without a word of
why. Exit status 1: not so."""
import os
import shutil
import subprocess
import sys
import tempfile


def main():
    warplens, program = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        ours = [warplens, "run", "--on", "gpu", "--page", "none", "-o", f"{folder}/p.wlp"]
        sanitizer, ncu, debugger = (["compute-sanitizer"], ["ncu", "--metrics", "smsp__inst_executed.sum"], ["cuda-gdb", "-q", "-batch", "-ex", "run", "--args"])
        for words, command in (("compute-sanitizer within", ours + sanitizer + [program]), ("within compute-sanitizer", sanitizer + ours + [program]),
                               ("ncu within", ours + ncu + [program]), ("within ncu", ncu + ["--target-processes", "all"] + ours + [program]),
                               ("cuda-gdb within", ours + debugger + [program]), ("within cuda-gdb", debugger + ours + [program])):
            tool = next(word for word in command if word in ("compute-sanitizer", "ncu", "cuda-gdb"))
            if not shutil.which(tool):
                print(f"{words}: skipped: there is no {tool}")
                continue
            try:
                done = subprocess.run(command, capture_output=True, text=True, timeout=25, stdin=subprocess.DEVNULL)
                said = [line for line in done.stderr.splitlines() if line.startswith("warplens:")]
                counted = any("saved" in line for line in said)
                status = done.returncode
            except subprocess.TimeoutExpired:
                said, counted, status = [], False, "none: it does not end"
            good = status != "none: it does not end" and (counted or any("another tool" in line for line in said))
            bad += not good
            print(f"{words}: exit status {status}, {'counted' if counted else 'not counted'}{'' if good else ' WRONG'}: {' | '.join(said)}", flush=True)
    return 1 if bad else 0


sys.exit(main())
