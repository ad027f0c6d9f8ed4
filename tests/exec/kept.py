"""Compiled code is kept on disk: a second run compiles nothing, and whatever lies there (the code, other bytes, another
file, nothing), results and profile are those of the interpreter, and a file that is damaged is made anew."""

import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

import harness
import switch

TIMES = {"wall_seconds", "cpu_seconds", "compile_seconds"}
STATS = re.compile(r"code compiled (\d+) times? in .* taken from disk (\d+) times?;")
STOPS = re.compile(r"compiled code stopped .*, (\d+) before accesses that lie elsewhere")
# Where `part` is 0 the loop's accesses are passed by.
BODY = """
    ld.param.u64 %d1, [data]; ld.param.u32 %r20, [part]; ld.param.u32 %r22, [turns];
    mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; mov.u32 %r8, 0;
LOOP:
    setp.eq.u32 %p1, %r20, 0; @%p1 bra PAST;
    ld.global.u32 %r10, [%d3]; add.u32 %r9, %r9, %r10; st.global.u32 [%d3], %r9;
PAST:
    add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, %r22; @%p2 bra LOOP;
    ret;
"""
PARTS = harness.HEAD + harness.entry("parts", {"data": "u64", "part": "u32", "turns": "u32"}, BODY)
# The first block ends at once; all together execute 95,000 warp instructions.
BODY = """
    ld.param.u64 %d1, [data]; ld.param.u32 %r22, [turns]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2; mov.u32 %r8, 0; mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 0; @%p1 bra PAST;
LOOP:
    add.u32 %r9, %r9, %r8; add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, %r22; @%p2 bra LOOP;
PAST:
    st.global.u32 [%d3], %r8;
    ret;
"""
SHORT = harness.HEAD + harness.entry("short", {"data": "u64", "turns": "u32"}, BODY)


def contents(path):
    """Table -> rows, without times and the command line."""
    tables = {}
    with sqlite3.connect(path) as database:
        for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
            rows = database.execute(f'SELECT * FROM "{name}"')
            keep = [i for i, column in enumerate(rows.description) if column[0] not in TIMES]
            if name not in ("meta", "origin"):
                tables[name] = sorted(repr([row[i] for i in keep]) for row in rows)
    database.close()
    return tables


class Runs:
    def __init__(self, tool, folder):
        self.tool, self.folder, self.cache = tool, folder, folder / "cache"
        (folder / "turns.ptx").write_text(switch.KERNEL)

    def begin(self, number, **environment):
        profile, result = self.folder / f"{number}.wlp", self.folder / f"{number}.npy"
        command = [self.tool.warplens, "kernel", self.folder / "turns.ptx", "-k", "turns", "--stats", "-q"]
        command += ["--grid", "8", "--block", "128", "--threads", "1", "--no-sass", "--dump", f"1={result}"]
        command += ["--arg", "u32[1152]=random:1", "--arg", "u32[4097]=0", "--arg", "u32=300", "-o", profile]
        settings = {"WARPLENS_CACHE": str(self.cache), "WARPLENS_ENGINE": "jit"} | environment
        process = subprocess.Popen(command, env=os.environ | settings, stderr=subprocess.PIPE, text=True)
        return process, profile, result

    def end(self, started):
        """What came out, and how often it was compiled and taken from disk."""
        process, profile, result = started
        messages = process.communicate()[1]
        if process.returncode:
            sys.exit(f"kept: status {process.returncode}: {messages}")
        compiled, recalled = STATS.search(messages).groups()
        return (contents(profile), result.read_bytes()), int(compiled), int(recalled)

    def run(self, **environment):
        return self.end(self.begin(0, **environment))

    def expect(self, what, compiled, recalled, expected, **environment):
        came, was_compiled, was_recalled = self.run(**environment)
        self.tool.expect(f"{what}: compiled", compiled, was_compiled > 0)
        self.tool.expect(f"{what}: taken from disk", recalled, was_recalled > 0)
        self.tool.expect(f"{what}: results and profile are the interpreter's", True, came == expected)

    def files(self):
        return sorted(self.cache.glob("*"))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :]


def damage(runs, expected):
    largest = max(runs.files(), key=lambda file: file.stat().st_size)
    good = largest.read_bytes()
    damages = {f"a bit at {at}": flipped(good, at) for at in (0, 9, 40, 90, len(good) // 2, len(good) - 1)}
    damages |= {f"{count} bytes": good[:count] for count in (0, 1, 100, len(good) - 1)}
    damages |= {"one byte more": good + b"\0", "another file": min(runs.files(), key=lambda file: file.stat().st_size).read_bytes()}
    for what, data in damages.items():
        largest.write_bytes(data)
        runs.expect(what, True, False, expected)
        runs.tool.expect(f"{what}: made anew", True, good == largest.read_bytes())
    largest.chmod(0o666)
    runs.expect("a file that others can write", True, False, expected)
    largest.chmod(0o644)
    largest.unlink()
    largest.symlink_to(runs.folder / "turns.ptx")
    runs.expect("a link", True, False, expected)
    for file in runs.files():
        if file != largest:
            file.write_bytes(flipped(file.read_bytes(), file.stat().st_size - 1))
    runs.expect("a bit of which code was last", False, True, expected)
    for file in runs.files():
        if file != largest:
            file.write_bytes(b"nothing")
    runs.expect("which code was last is not known", False, True, expected)


def at_once(runs, expected):
    for file in runs.files():
        file.unlink()
    for came, _, _ in [runs.end(one) for one in [runs.begin(number) for number in range(4)]]:
        runs.tool.expect("four processes at once", True, came == expected)
    runs.tool.expect("nothing is left beside", [], [file.name for file in runs.files() if file.suffix != ".answer"])
    runs.expect("after them", False, True, expected)


def behind(runs, expected):
    """`auto` compiles nothing in so short a launch, but behind it, for the next run; where nothing is kept, it does not."""
    for file in runs.files():
        file.unlink()
    runs.expect("auto, a short launch", False, False, expected, WARPLENS_ENGINE="auto")
    wait_for_files(runs, 2)
    runs.expect("auto, again", False, True, expected, WARPLENS_ENGINE="auto")


def stops(runs, part):
    """How often code was taken from disk, and stopped before an access."""
    module = runs.folder / "parts.ptx"
    module.write_text(PARTS)
    command = [runs.tool.warplens, "kernel", module, "-k", "parts", "--stats", "-q", "--threads", "1", "--no-sass"]
    command += ["--grid", "64", "--block", "32", "--engine", "auto", "-o", runs.folder / "parts.wlp"]
    command += ["--arg", "u32[32]=1", "--arg", f"u32={part}", "--arg", "u32=2000"]
    environment = os.environ | {"WARPLENS_CACHE": str(runs.cache)}
    messages = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=True).stderr
    return int(STATS.search(messages).group(2)), int(STOPS.search(messages).group(1))


def wait_for_files(runs, count):
    for _ in range(600):
        if len(runs.files()) == count and all(file.suffix == ".answer" for file in runs.files()):
            break
        time.sleep(0.1)


def anew(runs):
    """Code that stops for what it was not made for is made anew behind the launch: the run after that has it."""
    for file in runs.files():
        file.unlink()
    stops(runs, 0)
    wait_for_files(runs, 2)
    recalled, stopped = stops(runs, 1)
    runs.tool.expect("another part of the kernel: taken from disk, stops in each turn", (1, True), (recalled, stopped > 100000))
    wait_for_files(runs, 3)
    recalled, stopped = stops(runs, 1)
    runs.tool.expect("that part again: taken from disk, does not stop", (1, True), (recalled, stopped < 1000))


def early(runs):
    """Code that is there is taken though the launch is short, and its first block says nothing of the others."""
    for file in runs.files():
        file.unlink()
    module = runs.folder / "short.ptx"
    module.write_text(SHORT)
    command = [runs.tool.warplens, "kernel", module, "-k", "short", "--stats", "-q", "--threads", "1", "--no-sass"]
    command += ["--grid", "64", "--block", "32", "--engine", "auto", "-o", runs.folder / "short.wlp"]
    command += ["--arg", "u32[32]", "--arg", "u32=370"]
    environment = os.environ | {"WARPLENS_CACHE": str(runs.cache)}
    recalled = []
    for _ in range(2):
        messages = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, check=True).stderr
        recalled.append(int(STATS.search(messages).group(2)))
        wait_for_files(runs, 2)
    runs.tool.expect("a short launch, twice: taken from disk", [0, 1], recalled)


def has_levels(tool):
    """It is for x86-64, of which each processor has this one: who asks for another level than there is gets an error."""
    asked = subprocess.run([tool.warplens, "--version"], env=os.environ | {"WARPLENS_CPU": "x86-64-v2"}, capture_output=True)
    return asked.returncode == 0


def main():
    tool = harness.Tool(sys.argv[1])
    if not (pathlib.Path(tool.warplens).parent / "lib/warplens/libwarplens-jit.so").exists():
        print("skipped: the plug-in of the JIT was not built")
        return 77
    with tempfile.TemporaryDirectory() as name:
        runs = Runs(tool, pathlib.Path(name))
        expected = runs.run(WARPLENS_ENGINE="interp")[0]
        runs.expect("the first run", True, False, expected)
        runs.expect("the second run", False, True, expected)
        damage(runs, expected)
        if has_levels(tool):
            runs.expect("another level of the processor", True, False, expected, WARPLENS_CPU="x86-64-v2")
            runs.expect("one that is kept, too", False, True, expected)
        runs.expect("no folder", True, False, expected, WARPLENS_CACHE="")
        runs.expect("a folder that cannot be made", True, False, expected, WARPLENS_CACHE="/dev/null/kept")
        at_once(runs, expected)
        behind(runs, expected)
        anew(runs)
        early(runs)
    return tool.finish("kept")


if __name__ == "__main__":
    sys.exit(main())
