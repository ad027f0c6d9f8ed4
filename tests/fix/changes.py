"""What `warplens fix` promises of changed global accesses is what the changed kernel costs: for each kernel of
global.cu that wastes sectors or requests, and the one that one would write instead. And that it finds
nothing where there is nothing to find."""

import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

LINE = ["--grid", "8", "--block", "128"]
FLOATS = "f32[1024]"


def launch(shape, *arguments):
    return [*shape, *(word for argument in arguments for word in ("--arg", argument))]


TILES = ["--grid", "8,16", "--block", "16,8"]
SUM = launch(["--grid", "4", "--block", "128"], "f32[49152]=random:1", "f32[512]", "i32=96")
SUM_TILED = launch(["--grid", "16", "--block", "32"], "f32[49152]=random:1", "f32[512]", "i32=96")
SUM_TRANSPOSED = [*SUM, "--arg", "i32=512"]
PITCHED = ["--grid", "8,8", "--block", "128,8"]
HALVES = ["--grid", "4", "--block", "128"]
BYTES = ["--grid", "2", "--block", "128"]
STRUCTURES, NEIGHBOURS, COLUMNS = "array of structures", "neighbouring scalars", "walk down columns"
OFF, SHORT, NARROW = "rows that begin within a sector", "short rows", "narrow elements"

# kernel, launch, [(array, shape, change, is it proven by running?)], the changed kernel and its launch
CASES = [
    ("bodies", launch(LINE, "u8[24000]=1", "i32=1000", "f64=0.5"),
     [("argument 0", STRUCTURES, "an array for each of 4 fields", True)],
     "bodiesSplit", launch(LINE, "f64[1000]", "f32[1000]=1", "i32[1000]=1", "f64[1000]", "i32=1000", "f64=0.5")),
    ("bodies", launch(LINE, "u8[24000]=random:1", "i32=1000", "f64=0.5"),  # some lanes only
     [("argument 0", STRUCTURES, "an array for each of 4 fields", True)], None, None),
    ("keys", launch(LINE, "f32[16384]=random:1", FLOATS, "i32=1000"),
     [("argument 0", STRUCTURES, "an array for each of 2 fields", True)],
     "keysSplit", launch(LINE, FLOATS, FLOATS, "i32=1000")),
    ("scalars", launch(LINE, "f32[4096]=random:1", FLOATS, "i32=1000"),
     [("argument 0", NEIGHBOURS, "vector accesses, 16 bytes a lane", False)],
     "scalarsVector", launch(LINE, "f32[4096]=random:1", FLOATS, "i32=1000")),
    ("eight", launch(LINE, "f32[8192]=random:1", FLOATS, "i32=1000"),
     [("argument 0", STRUCTURES, "vector accesses, 16 bytes a lane", False)],
     "eightVector", launch(LINE, "f32[8192]=random:1", FLOATS, "i32=1000")),
    ("scalarsOff", launch(LINE, "f32[4100]=random:1", FLOATS, "i32=1000"),  # aligned for pairs only
     [("argument 0", STRUCTURES, "vector accesses, 8 bytes a lane", False)], None, None),
    ("scaleRows", launch(PITCHED, "f32[70000]=random:1", "i32=1000", "i32=60", "i32=1001"),
     [("argument 0", OFF, "4,096 bytes from row to row", True)],
     "scaleRows", launch(PITCHED, "f32[70000]=random:1", "i32=1000", "i32=60", "i32=1024")),
    ("shifted", launch(LINE, "f32[1025]=random:1", FLOATS, "i32=1000"),
     [("argument 0", OFF, "begin 124 bytes later", True)],
     "keysSplit", launch(LINE, FLOATS, FLOATS, "i32=1000")),
    ("sumRows", SUM, [("argument 0", COLUMNS, "along the rows", False)], "sumRowsTiled", SUM_TILED),
    ("sumRows", SUM, [("argument 0", COLUMNS, "stored column by column", True)], "sumRowsTransposed", SUM_TRANSPOSED),
    ("swapped", launch(TILES, "f32[16384]=random:1", "i32=128"),
     [("argument 0", COLUMNS, "along the rows", False)],
     "swappedBack", launch(TILES, "f32[16384]=random:1", "i32=128")),
    ("anyBlock", launch(["--grid", "32,4", "--block", "4,32"], "f32[16384]=random:1", "f32[16384]", "i32=128"),
     [("argument 0", SHORT, "32 lanes in a row", False), ("argument 1", SHORT, "32 lanes in a row", False)],
     "anyBlock", launch(["--grid", "4,32", "--block", "32,4"], "f32[16384]=random:1", "f32[16384]", "i32=128")),
    ("invert", launch(LINE, "u8[1024]=random:1"),
     [("argument 0", NARROW, "4 bytes a lane", False)],
     "invertFour", launch(BYTES, "u8[1024]=random:1")),
    ("halves", launch(LINE, "s16[1024]=random:1", "s16[1024]"),
     [("argument 0", NARROW, "4 bytes a lane", False), ("argument 1", NARROW, "4 bytes a lane", False)],
     "halvesTwo", launch(HALVES, "s16[1024]=random:1", "s16[1024]")),
    # nothing to change
    ("gather", launch(LINE, "i32[1024]=random:1", FLOATS, FLOATS), [("argument 1", "gather", None, False)], None, None),
    ("stencil", launch(LINE, "f32[1026]=random:1", FLOATS, "i32=1024"), [("argument 0", OFF, None, False)], None, None),
    ("saxpy", launch(LINE, FLOATS, FLOATS, "f32[1]=2"), [], None, None),
    ("keysSplit", launch(LINE, FLOATS, FLOATS, "i32=1000"), [], None, None),
    ("scalarsVector", launch(LINE, "f32[4096]=random:1", FLOATS, "i32=1000"), [], None, None),
    ("swappedBack", launch(TILES, "f32[16384]=random:1", "i32=128"), [], None, None),
]


def run(warplens, name, kernel, arguments, *more):
    words = [warplens, name, HERE / "global.ptx", "-k", kernel + "(", *arguments, *more]
    return subprocess.run(words, text=True, capture_output=True, timeout=600)


def counted(warplens, kernel, arguments, scratch):
    """Requests and sectors of global memory, of a launch."""
    done = run(warplens, "kernel", kernel, arguments, "-q", "--no-sass", "-o", scratch)
    if done.returncode != 0:
        sys.exit(done.stderr)
    rows = sqlite3.connect(scratch).execute(
        "SELECT sum(requests), sum(sectors) FROM count JOIN site ON site.id = count.site WHERE space = 'global'")
    return rows.fetchone()


def row_of(block, name):
    """Requests and sectors in a row of a table, and whether it is marked as proven."""
    found = re.search(rf"^  ([* ]) {re.escape(name)} +([\d,]+) +([\d,]+) +[\d.]+$", block, re.M)
    if not found:
        return None
    return int(found[2].replace(",", "")), int(found[3].replace(",", "")), found[1] == "*"


def check(warplens, case, scratch):
    kernel, arguments, changes, changed, changed_arguments = case
    done = run(warplens, "fix", kernel, arguments)
    text = done.stdout + done.stderr
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{text}"
    named = re.findall(r"^(argument \d): (.*)$", text, re.M)
    if sorted(named) != sorted((array, shape) for array, shape, _, _ in changes):
        return f"other arrays or shapes than expected:\n{text}"
    requests, sectors = counted(warplens, kernel, arguments, scratch)
    for array, _, change, proven in changes:
        block = text[text.index(f"\n{array}:"):].split("\n\n")[0]
        if change is None:
            if "*" in block or "\n    vector" in block:
                return f"a change of {array} where there is none:\n{text}"
            continue
        before, after = row_of(block, "as it is"), row_of(block, change)
        if not after:
            return f"'{change}' of {array} is not there:\n{text}"
        if after[2] != proven or (proven and not re.search(r"^proven: .*\n.*, as promised$", text, re.M)):
            return f"'{change}' of {array} is not proven, or should not be:\n{text}"
        members = change.startswith("an array for each of")
        if members and not re.search(r"a sketch, not compiled.*struct Arrays.*T0 \*from_0;.*On the host", block, re.S):
            return f"there is no sketch of what changes for {array}:\n{text}"
        requests += after[0] - before[0]
        sectors += after[1] - before[1]
    if changed and (requests, sectors) != counted(warplens, changed, changed_arguments, scratch):
        real = counted(warplens, changed, changed_arguments, scratch)
        return f"promised {requests} requests and {sectors} sectors; {changed} has {real[0]} and {real[1]}\n{text}"
    return None


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            wrong = check(sys.argv[1], case, pathlib.Path(folder) / "x.wlp")
            print(f"{case[0]}, {case[3] or 'nothing to compare with'}: {wrong or 'as expected'}")
            failed += wrong is not None
    print(f"changes: {len(CASES)} kernels, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
