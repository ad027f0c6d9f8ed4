"""Whole lines that are stored far apart in an array of 32 MiB or more go past the caches of the processor where code is
compiled. What a warp and the others of its block load behind a barrier must be what was stored, whether a line was stored
whole or in part behind that, and so must what is left in the arrays."""

import array
import os
import pathlib
import subprocess
import sys
import tempfile

import harness

ROWS, COLUMNS, WARPS = 2048, 4096, 8  # of u32: 32 MiB; a block has 8 rows of 32 columns
# tile[row][column] = row * 4096 + column + 1, by lanes of a row. Behind a barrier each thread loads what the thread of the row
# after its own stored, and stores it to `seen`. Lanes from 20 store again where the row is a multiple of 16.
BODY = """
    ld.param.u64 %d1, [tile]; ld.param.u64 %d2, [seen];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y;
    shl.b32 %r5, %r4, 3; add.u32 %r6, %r5, %r2;
    shl.b32 %r7, %r3, 5; add.u32 %r8, %r7, %r1;
    shl.b32 %r9, %r6, 12; add.u32 %r10, %r9, %r8; add.u32 %r11, %r10, 1;
    mul.wide.u32 %d3, %r10, 4; add.u64 %d4, %d1, %d3;
    st.global.u32 [%d4], %r11;
    and.b32 %r12, %r6, 15; setp.eq.u32 %p1, %r12, 0; setp.ge.and.u32 %p2, %r1, 20, %p1;
    @%p2 st.global.u32 [%d4], %r1;
    bar.sync 0;
    add.u32 %r13, %r2, 1; and.b32 %r13, %r13, 7; add.u32 %r14, %r5, %r13;
    shl.b32 %r15, %r14, 12; add.u32 %r16, %r15, %r8; mul.wide.u32 %d5, %r16, 4; add.u64 %d6, %d1, %d5;
    ld.global.u32 %r17, [%d6];
    add.u64 %d7, %d2, %d3; st.global.u32 [%d7], %r17;
    ret;
"""
TEXT = harness.HEAD + harness.entry("far", {"tile": "u64", "seen": "u64"}, BODY)


def expected():
    tile = array.array("I", range(1, ROWS * COLUMNS + 1))
    for row in range(0, ROWS, 16):
        for column in range(COLUMNS):
            if column % 32 >= 20:
                tile[row * COLUMNS + column] = column % 32
    seen = array.array("I")
    for row in range(ROWS):
        other = row // 8 * 8 + (row + 1) % 8
        seen += tile[other * COLUMNS : (other + 1) * COLUMNS]
    return tile, seen


def values(path):
    data = path.read_bytes()
    return array.array("I", data[-4 * ROWS * COLUMNS :])


def main():
    tool = pathlib.Path(sys.argv[1]).resolve()
    wanted, failed = expected(), 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "far.ptx").write_text(TEXT)
        for engine, workers in ("interp", "1"), ("jit", "1"), ("jit", "3"):
            command = [tool, "kernel", folder / "far.ptx", "-k", "far", "--grid", f"{COLUMNS // 32},{ROWS // WARPS}", "--no-sass", "-q"]
            command += ["--block", f"32,{WARPS}", "--threads", workers, "--evidence", "0", "-o", folder / "far.wlp"]
            for number, name in (0, "tile"), (1, "seen"):
                command += ["--arg", f"u32[{ROWS * COLUMNS}]=0", "--dump", f"{number}={folder / name}.npy"]
            environment = os.environ | {"WARPLENS_ENGINE": engine, "WARPLENS_CACHE": str(folder / "cache")}
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
            for name, want in zip(("tile", "seen"), wanted):
                got = values(folder / f"{name}.npy")
                if got != want:
                    at = next(i for i in range(len(want)) if got[i] != want[i])
                    print(f"{engine}, {workers} workers: {name}[{at // COLUMNS}][{at % COLUMNS}] is {got[at]}, not {want[at]}")
                    failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
