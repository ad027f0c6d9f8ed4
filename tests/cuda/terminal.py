#!/usr/bin/env python3
"""Programs on a terminal: the progress line, and Ctrl-C.

    tests/cuda/terminal.py WARPLENS LASTING      LASTING: the program of lasting.c

Each case runs in a terminal of its own (a pseudo-terminal), 80 columns wide; Ctrl-C is the key.
"""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

WARPLENS, LASTING = (os.path.abspath(path) for path in sys.argv[1:])
LINE = "launch 2: waits ["
SECONDS_ALLOWED = 300


class Terminal:
    """warplens run [OPTION…] lasting [ARGUMENT…] on a terminal. variables: as a shell sets them for one command."""

    def __init__(self, options, arguments, redirect="", variables=""):
        self.folder = tempfile.TemporaryDirectory(prefix="warplens-terminal-")
        words = [WARPLENS, "run", "-o", "t.wlp", *options, LASTING, *arguments]
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(self.folder.name)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execvp("sh", ["sh", "-c", f"{variables} exec {' '.join(words)} {redirect}"])
        self.output, self.status = "", None

    def read(self, seconds):
        """Takes what is printed within that time; False: the terminal was hung up."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        self.output += data.decode(errors="replace")
        return bool(data)

    def wait_for(self, text):
        deadline = time.monotonic() + SECONDS_ALLOWED
        while text not in self.output:
            if not self.read(0.1) or time.monotonic() > deadline:
                raise AssertionError(f"waited for {text!r}, got {self.output!r}")

    def tell(self, file):
        """The program looks for such files: `write`, `end`."""
        open(os.path.join(self.folder.name, file), "w").close()

    def press_ctrl_c(self):
        os.write(self.fd, b"\x03")

    def end(self):
        """Exit status, and the launches of the profile (None: there is no profile)."""
        deadline = time.monotonic() + SECONDS_ALLOWED
        while self.read(0.1):
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"does not end: {self.output!r}")
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        shown = subprocess.run(
            [WARPLENS, "report", "t.wlp", "--page", "summary"],
            cwd=self.folder.name,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ).stdout.decode()
        found = re.search(r"Summary: (.*) launch", shown)
        return status, found and found.group(1)


def screen(output):
    """What a terminal shows: rows of 80 columns, blanks at their ends left off."""
    rows, row, column = [[" "] * 80], 0, 0
    for part in re.findall(r"\x1b\[[0-9;]*[A-Za-z]|.", output, re.S):
        if part == "\x1b[K":
            rows[row][column:] = [" "] * (80 - column)
        elif part == "\r":
            column = 0
        elif part == "\n" or (len(part) == 1 and column == 80):
            row, column = row + 1, column if part == "\n" else 0
            if row == len(rows):
                rows.append([" "] * 80)
        if len(part) == 1 and part not in "\r\n":
            rows[row][column] = part
            column += 1
    return [bytes("".join(line), "utf8").decode().rstrip() for line in rows]


def expect(found, wanted, what):
    if found != wanted:
        raise AssertionError(f"{what}: {found!r} instead of {wanted!r}")


def progress_line():
    terminal = Terminal(["--report", "none"], ["told"])
    terminal.wait_for(LINE)
    while_shown = screen(terminal.output)
    terminal.tell("end")
    expect(while_shown[0], "waiting...", "what stood there")
    expect(while_shown[1].startswith(LINE), True, "the line has its own row")
    expect(terminal.end(), (0, "2 of 2"), "end")
    expect(screen(terminal.output)[:2], ["waiting...", "done"], "what stays")


def no_line_without_terminal():
    terminal = Terminal(["--report", "none"], ["1500"], "2>err")
    terminal.end()
    expect(screen(terminal.output)[0], "waiting...done", "stdout")
    expect(LINE in terminal.output, False, "the line is shown")


def no_line_if_quiet():
    terminal = Terminal(["-q"], ["1500"])
    terminal.end()
    expect(screen(terminal.output), ["waiting...done", ""], "what stays")


def colours():
    """A page has them where the manual says so."""
    for variables, options, coloured in (
        ("TERM=xterm", [], True),
        ("TERM=xterm NO_COLOR=", [], True),
        ("TERM=xterm NO_COLOR=1", [], False),
        ("TERM=dumb", [], False),
        ("TERM=dumb", ["--color", "always"], True),
        ("TERM=xterm", ["--color", "never"], False),
    ):
        terminal = Terminal(options, ["0"], variables=variables)
        terminal.end()
        found = re.search(r"\x1b\[[0-9;]*m", terminal.output) is not None
        expect((found, "Summary" in terminal.output), (coloured, True), f"{variables} {options}")


def withdrawn():
    """Once the program writes while a launch runs, there is no line any more."""
    terminal = Terminal(["--report", "none"], ["1500", "writes"])
    terminal.wait_for(LINE)
    terminal.tell("write")
    terminal.wait_for("meanwhile")
    terminal.end()
    expect(LINE in terminal.output[terminal.output.index("meanwhile") + 300 :], False, "later")


def interrupt():
    terminal = Terminal(["--report", "none"], ["for-ever"])
    terminal.wait_for(LINE)
    terminal.press_ctrl_c()
    expect(terminal.end(), (128 + 2, "2 of 2"), "Ctrl-C: status, profile")


def interrupt_handled():
    terminal = Terminal(["--report", "none"], ["0", "handles"])
    terminal.wait_for(LINE)
    terminal.press_ctrl_c()
    expect(terminal.end(), (0, "2 of 2"), "Ctrl-C of a program that handles it")
    expect("noted" in terminal.output, True, "the program's own handler ran")


def interrupt_ignored():
    terminal = Terminal(["--report", "none"], ["for-ever", "ignores"])
    terminal.wait_for(LINE)
    terminal.press_ctrl_c()
    for pressed in range(1, SECONDS_ALLOWED):  # two in a moment are one, and moments are long on a busy machine
        until = time.monotonic() + 1
        while time.monotonic() < until and terminal.read(0.1):
            pass
        if "profile saved" in terminal.output:
            break
        terminal.press_ctrl_c()
    expect(pressed > 1, True, "goes on after the first Ctrl-C")
    expect(terminal.end(), (128 + 9, "1 of 1"), "second Ctrl-C: status, profile")


CASES = [
    progress_line,
    no_line_without_terminal,
    no_line_if_quiet,
    colours,
    withdrawn,
    interrupt,
    interrupt_handled,
    interrupt_ignored,
]


def main():
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print(f"skipped: no pseudo-terminal: {error}")
        return 77
    failed = 0
    for case in CASES:
        try:
            case()
            print(f"ok   {case.__name__}")
        except AssertionError as error:
            failed += 1
            print(f"FAIL {case.__name__}: {error}")
    return 1 if failed else 0


sys.exit(main())
