"""Ctrl-C, SIGTERM and SIGHUP stop a long launch and keep what ran; a terminal gets a progress bar, a pipe gets none."""

import os
import pathlib
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import time

import harness

LOOP = """
    mov.u32 %r1, 0;
again: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 20000;
    @%p1 bra again;
    ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r1; ret;"""


def command(tool, folder, profile):
    (folder / "loop.ptx").write_text(harness.HEAD + harness.entry("loop", {"out": "u64"}, LOOP))
    words = [tool.warplens, "kernel", "loop.ptx", "--grid", "1000000", "--block", "64", "--no-sass"]
    return [*words, "--page", "none", "--arg", "u32[1]", "-o", profile, "--threads", "2"]


def read_terminal(master, seconds):
    """What the program writes to its terminal, for so long or until it ends."""
    text, until = b"", time.monotonic() + seconds
    while time.monotonic() < until and b"blocks" not in text:
        try:
            text += os.read(master, 4096)
        except OSError:
            break
    return text.decode()


def wait_until_it_runs(process):
    """A second of a processor: by the clock it may take long on a busy machine. (Fields 14 and 15 of stat: ticks.)"""
    stat, until = pathlib.Path(f"/proc/{process.pid}/stat"), time.monotonic() + 300
    while process.poll() is None and time.monotonic() < until:
        if sum(map(int, stat.read_text().rpartition(")")[2].split()[11:13])) >= os.sysconf("SC_CLK_TCK"):
            break
        time.sleep(0.02)


def stop(tool, what, process, profile, number=signal.SIGINT):
    process.send_signal(number)
    tool.expect(f"{what}: exit status", 130, process.wait(timeout=300))
    rows = list(sqlite3.connect(profile).execute("SELECT status, blocks, blocks_run FROM launch"))
    tool.expect(f"{what}: launches", 1, len(rows))
    status, blocks, ran = rows[0]
    tool.expect(f"{what}: status, blocks", ("interrupted", 1000000), (status, blocks))
    tool.expect(f"{what}: some blocks ran", True, 0 < ran < blocks)
    return ran


def on_terminal(tool, folder):
    try:
        master, terminal = pty.openpty()
    except OSError as error:
        print(f"the progress bar is not tested: no pseudo-terminal: {error}")
        return
    profile = folder / "terminal.wlp"
    process = subprocess.Popen(command(tool, folder, profile), cwd=folder, stderr=terminal)
    text = read_terminal(master, 60)
    bar = r"\r\[[#.]{24}\] +\d+ % +\d+ of 1000000 blocks"
    tool.expect("terminal: progress bar", True, re.match(bar, text) is not None)
    stop(tool, "terminal", process, profile)
    os.close(terminal)
    os.close(master)


def main():
    tool = harness.Tool(sys.argv[1])
    folder = pathlib.Path(tool.folder.name)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        profile = folder / f"{number.name}.wlp"
        process = subprocess.Popen(command(tool, folder, profile), cwd=folder, stderr=subprocess.PIPE, text=True)
        wait_until_it_runs(process)
        ran = stop(tool, number.name, process, profile, number)
        last = process.stderr.read().splitlines()[-1]  # behind where the profile is
        tool.expect(f"{number.name}: message", f"warplens: interrupted: {ran} of 1000000 blocks ran", last)

    on_terminal(tool, folder)
    sys.exit(tool.finish("interrupt"))


if __name__ == "__main__":
    main()
