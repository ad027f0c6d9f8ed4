#!/usr/bin/env python3
"""Lines of what was counted on a GPU, over the stand-ins, nvdisasm among them: lines.py WARPLENS FOLDER (of the stand-ins)."""
import json
import os
import pty
import signal
import struct
import subprocess
import tempfile
import time

from common import PROGRAM, WARPLENS, check, environment, make_tool, rows_of

KERNEL, COUNTED = "transpose", 2  # the number of its symbol
LISTING = f"""//--------------------- .text.{KERNEL} --------------------------
.text.{KERNEL}:
	//## File "/src/t.cu", line 6
        /*0000*/                   MOV R1, R2 ;
        /*0010*/                   MOV R1, R2 ;
        /*0020*/                   MOV R1, R2 ;
        /*0030*/                   MOV R1, R2 ;
	//## File "/src/t.cu", line 7
        /*0040*/                   LDG.E R0, [R2.64] ;
        /*0050*/                   MOV R1, R2 ;
	//## File "/src/t.cu", line 8
	//## File ".nv_debug_ptx_txt", line 12
        /*0060*/                   STS [R1], R0 ;
        /*0070*/                   BAR.SYNC 0x0 ;
        /*0080*/                   MOV R1, R2 ;
	//## File "/src/t.cu", line 9
        /*0090*/                   LDS R0, [R1] ;
        /*00a0*/                   EXIT ;
"""
LISTS = 'echo "$@" >>asked\nfor file; do :; done\ncat "$(dirname "$0")/listing"\n'
NEVER_ENDS = "echo $$ >>asked\nexec sleep 600\n"
REFUSES = "echo asked >>asked\necho no such cubin >&2\nexit 1\n"


PTX = f"""
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 rest[];
.visible .entry {KERNEL}(.param .u64 p)
{{
.reg .b32 %r<3>;
.shared .align 4 .b8 head[256];
.shared .align 16 .b8 tile[8192];
mov.u32 %r0, head;
mov.u32 %r1, tile;
mov.u32 %r2, rest;
ret;
}}
"""
RESERVED = 1024  # bytes, before what is the kernel's own


def cubin(names, shared=0, ptx="", variables=()):
    """An ELF file with a function of each name, and nothing in it. shared: bytes of the kernel, with its PTX or symbols of (name, value, size)."""
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in [*names, *(of[0] for of in variables)])
    symbols = bytes(24)
    for name in names:
        symbols += struct.pack("<IBBHQQ", strings.index(name.encode() + b"\0"), 2, 0x10, 1, 0, 256)
    for name, value, size in variables:
        symbols += struct.pack("<IBBHQQ", strings.index(name.encode() + b"\0"), 1, 0, 4, value, size)
    sections = [("", 0, b"", 0), ("", 1, bytes(256), 0), ("", 2, symbols, 3), ("", 3, strings, 0)]
    if shared:
        sections.append((f".nv.shared.{KERNEL}", 8, shared, 0))
    if ptx:
        sections.append((".nv_debug_ptx_txt", 1, ptx.replace("\n", "\0").encode(), 0))
    titles = b"\0" + b"".join(of[0].encode() + b"\0" for of in sections)
    sections.append(("", 3, titles, 0))
    body, headers, at = b"", b"", 64
    for title, kind, data, link in sections:
        size, data = (data, b"") if kind == 8 else (len(data), data)
        headers += struct.pack("<IIQQQQIIQQ", titles.index(title.encode() + b"\0"), kind, 0, 0, at + len(body), size, link, 0, 1, 24 if kind == 2 else 0)
        body += data
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    count = len(sections)
    return ident + struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, at + len(body), 0, 64, 0, 0, 64, count, count - 1) + body + headers


class Runs:
    """In a folder of its own, with a cache of its own and the nvdisasm that is given."""

    def __init__(self, folder):
        self.folder, self.profile, self.asked = folder, f"{folder}/p.wlp", f"{folder}/asked"
        self.nvdisasm = None
        self.cubin()
        with open(f"{folder}/listing", "w") as file:
            file.write(LISTING)

    def cubin(self, *arguments):
        with open(f"{self.folder}/t.cubin", "wb") as file:
            file.write(cubin(["other", KERNEL, "third"], *arguments))

    def start(self, nvdisasm, stderr=subprocess.PIPE, launches=3, **more):
        if nvdisasm != self.nvdisasm:  # else the same file, whose answers the cache has
            make_tool(f"{self.folder}/nvdisasm", '[ "$1" = --version ] && exit\n' + nvdisasm)
            self.nvdisasm = nvdisasm
        for path in (self.asked, self.profile):
            if os.path.exists(path):
                os.remove(path)
        changed = environment(self.folder, WARPLENS_NVDISASM=f"{self.folder}/nvdisasm", WARPLENS_CACHE=f"{self.folder}/cache", **more)
        command = [WARPLENS, "run", "--on", "gpu", "--page", "none", "-o", self.profile, PROGRAM, str(launches), "t.cubin", KERNEL]
        return subprocess.Popen(command, env=changed, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=stderr, text=True)

    def end(self, nvdisasm, **more):
        started = self.start(nvdisasm, **more)
        said = started.communicate(timeout=300)[1]
        check(started.returncode == 0, started.returncode, said)
        return said

    def questions(self):
        if not os.path.exists(self.asked):
            return []
        with open(self.asked) as file:
            return file.read().splitlines()

    def lines(self):
        return [(row["file"], row["line"]) for row in rows_of(self.profile) if row["launch"] == "0"]


def check_refused(runs):
    said = runs.end(REFUSES)
    check("no such cubin" in said, said)
    check(len(rows_of(runs.profile)) == 9, "counts without lines", rows_of(runs.profile))


def check_interrupted(runs):
    started = runs.start(NEVER_ENDS)
    while not runs.questions():
        check(started.poll() is None, "ended", started.returncode)
        time.sleep(0.01)
    check(len(rows_of(runs.profile)) == 9, "saved before nvdisasm is asked")
    started.send_signal(signal.SIGINT)
    said = started.communicate(timeout=300)[1]
    check(started.returncode == 0 and "no lines and no machine code of 1 module;" in said, started.returncode, said)
    check(len(rows_of(runs.profile)) == 9, "kept")
    check(not os.path.exists(f"/proc/{runs.questions()[0]}"), "nvdisasm is ended")


def check_listed(runs):
    said = runs.end(LISTS)
    check("interrupted" not in said, said)
    check(len(runs.questions()) == 1 and f"-fun {COUNTED} " in runs.questions()[0], "one question", runs.questions())
    check(runs.lines() == [("/src/t.cu", line) for line in "789"], runs.lines())
    runs.end(LISTS)
    check(not runs.questions() and len(runs.lines()) == 3, "from the cache", runs.questions())


def check_variables(runs):
    """Names of variables in shared memory, where the cubin has them; what lies behind the static ones is dynamic."""
    def shared():
        raw = subprocess.run([WARPLENS, "report", "--format", "json", runs.profile], capture_output=True, text=True, check=True)
        document = json.loads(raw.stdout)
        variables = [(of["name"], of["offset"], of["bytes"]) for of in document["kernels"][0]["shared_variables"]]
        return variables, [of["dynamic_shared"] for of in document["launches"]], raw.stdout

    check(shared()[:2] == ([], [0, 0, 0]), "none", shared()[:2])
    runs.cubin(RESERVED + 8448)
    runs.end(LISTS, WARPLENS_TEST_DYNAMIC="100", launches=6)
    check(shared()[:2] == ([("static_shared", 0, 8448), ("dynamic_shared", 8448, 0)], [100, 200, 300, 400, 600]), "without names", shared()[:2])
    runs.cubin(RESERVED + 8448, PTX)
    runs.end(LISTS)
    named = [("head", 0, 256), ("tile", 256, 8192), ("rest", 8448, 0)]
    check(shared()[:2] == (named, [0, 0, 0]), "names of the PTX", shared()[:2])
    check("apart in head" in shared()[2], "and where lanes are")
    runs.cubin(RESERVED + 8000, PTX)  # not as it says
    runs.end(LISTS)
    check(shared()[0] == [("static_shared", 0, 8000)], "another size", shared()[0])
    runs.cubin(RESERVED + 8448, PTX, [("late", RESERVED + 256, 8192), ("early", RESERVED, 256)])
    runs.end(LISTS)
    check(shared()[0] == [("early", 0, 256), ("late", 256, 8192), ("rest", 8448, 0)], "names of symbols", shared()[0])


def check_children(runs):
    """Launches from the device, of which the API does not tell."""
    with open(f"{runs.folder}/listing", "w") as file:
        file.write(LISTING.replace("BAR.SYNC 0x0", "CALL.ABS.NOINC `(__cudaCDP2LaunchDeviceV2)"))
    runs.cubin(RESERVED)
    said = runs.end(LISTS)
    check("transpose launches kernels from the device, which are not counted" in said, said)
    with open(f"{runs.folder}/listing", "w") as file:
        file.write(LISTING)
    runs.cubin(RESERVED + 64)
    said = runs.end(LISTS)
    check("from the device" not in said, said)


def check_ptx(runs):
    """Machine code behind the PTX that it was made of, where the cubin has that."""
    def ptx():
        raw = subprocess.run([WARPLENS, "report", "--format", "json", runs.profile], capture_output=True, text=True, check=True)
        kernel = json.loads(raw.stdout)["kernels"][0]
        return [(line["line"], line["text"], line["site"]) for line in kernel["ptx"]], len(kernel["sass"])

    runs.cubin(RESERVED + 8448)
    runs.end(LISTS)
    check(ptx() == ([], 11), "none", ptx())
    runs.cubin(RESERVED + 8448, PTX)
    runs.end(LISTS)
    lines, insts = ptx()
    wanted = [(11, "mov.u32 %r0, head", None), (12, "mov.u32 %r1, tile", None), (12, "STS [R1], R0", 1), (12, "LDS R0, [R1]", 2)]
    check(insts == 11 and lines[:4] == wanted, lines)
    check(lines[-1] == (0, "LDG.E R0, [R2.64]", 0), "of no line that is known", lines)


def check_progress(runs):
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        print(f"left out: progress on a terminal: no pseudo-terminal: {error}")
        return
    started = runs.start(LISTS + "#\n", stderr=theirs)  # another nvdisasm, of which the cache knows nothing
    os.close(theirs)
    said = b""
    try:
        while more := os.read(ours, 4096):
            said += more
    except OSError:  # so a terminal ends
        pass
    os.close(ours)
    check(started.wait(timeout=300) == 0 and b"machine code of 0 of 1 modules" in said, said)
    check(b"machine code of 1 of 1 modules" in said, said)


def main():
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(folder)
        check_refused(runs)
        check_interrupted(runs)
        check_listed(runs)
        check_variables(runs)
        check_children(runs)
        check_ptx(runs)
        check_progress(runs)
    print("all as expected")


main()
