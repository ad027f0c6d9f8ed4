"""warplens fix on kernels whose cure is known: each is fixed and proven, and where a sample has the cured
kernel too, that one costs what the fix promised."""

import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = HERE.parent.parent / "samples"

TRANSPOSE = ["--grid", "4,4", "--block", "32,8", "f32[16384]=random:1", "f32[16384]", "i32=128"]
SCAN = ["--grid", "4,4", "--block", "32,32", "u8[16384]=random:1", "u64[16384]", "u64[512]=0", "u64[512]=0"]
SCAN += ["i32=128", "i32=128"]
GEMM = ["--grid", "1", "--block", "16,16", "f32[16384]=random:1", "f32[16384]=random:2", "f32[16384]=0"]
GEMM += ["i32=128", "i32=128", "i32=128", "f32=1", "f32=0"]
OWN = ["--grid", "1", "--block", "32", "f32[4224]=random:1", "f32[32]"]
HISTOGRAM = ["--grid", "4", "--block", "256", "u8[65536]=random:1", "u32[256]=0", "i32=65536"]
ROWS = ["--grid", "1", "--block", "32,8", "f32[2048]=random:1"]
PLAIN = "gemm<float, 128, 128, 32, 8, 8, Loader<Sync, Plain>, Loader<Sync, Plain> >"

# file, kernel, launch, array that is fixed (None: none can be), N-way after, the cured kernel or None
CASES = [
    ("transpose/transpose.ptx", "transposeTiled<0>", TRANSPOSE, "tile", "1.0", "transposeTiled<1>"),
    ("scan2d/scan2d.ptx", "blockScan<0>", SCAN, "tile", "1.0", "blockScan<1>"),
    ("access_patterns/access_patterns.ptx", "ownElement<float, 32>", OWN, "elements", "1.0", "ownElement<float, 33>"),
    ("bank_offset/bank_offset.ptx", "bankOffset", ["--grid", "4", "--block", "256", "u32[1024]", "u32=32", "u32=64"],
     "words", "1.0", None),
    ("sgemm/sgemm.ptx", PLAIN, GEMM, "tileB", "1.0", None),
    ("histogram/histogram.ptx", "histogramShared", HISTOGRAM, None, None, None),
    ("histogram/histogram.ptx", "histogramPerLane(", HISTOGRAM, None, None, None),
    (HERE / "rows.ptx", "rows<0>", ROWS, "tile", "1.0", "rows<1>"),  # loads that ptxas merges
    (HERE / "rows.ptx", "rows<0>", ROWS, "tile", "1.0", "rows<4>"),
]


def command(warplens, name, path, kernel, launch, *more):
    words = [warplens, name, SAMPLES / path, "-k", kernel, *more]
    for i, word in enumerate(launch):
        words += [word] if word.startswith("--") or launch[i - 1].startswith("--") else ["--arg", word]
    return subprocess.run(words, text=True, capture_output=True, timeout=600)


def number(text):
    return int(text.replace(",", ""))


def wavefronts(warplens, path, kernel, launch, scratch):
    """Of shared memory, of a launch."""
    command(warplens, "kernel", path, kernel, launch, "-q", "--no-sass", "-o", scratch)
    rows = sqlite3.connect(scratch).execute("SELECT sum(wavefronts) FROM count")
    return rows.fetchone()[0]


def check(warplens, case, scratch):
    path, kernel, launch, array, way, cured = case
    done = command(warplens, "fix", path, kernel, launch)
    text = done.stdout + done.stderr
    if done.returncode != 0:
        return f"exit status {done.returncode}\n{text}"
    if array is None:
        return None if "\nproven" not in text and "\n  * " not in text else f"a fix where there is none:\n{text}"
    block = next((part for part in text.split("\n\n") if part.startswith(array + ":")), "")
    chosen = re.search(r"^  \* .*\s([\d,]+) +([\d.]+) +([\d,]+) +\d+$", block, re.M)
    proof = re.search(r"all [\d,]+ bytes of the results are equal.*\n.* become ([\d,]+), as promised", text)
    if not chosen or not proof:
        return f"no fix of {array}, or no proof:\n{text}"
    if chosen[2] != way:
        return f"{array} is {chosen[2]}-way after the fix, expected {way}"
    if cured and number(proof[1]) != wavefronts(warplens, path, cured, launch, scratch):
        return f"{proof[1]} wavefronts after the fix; {cured} has {wavefronts(warplens, path, cured, launch, scratch)}"
    return None


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            wrong = check(sys.argv[1], case, pathlib.Path(folder) / "cured.wlp")
            print(f"{case[1]}: {wrong or 'as expected'}")
            failed += wrong is not None
    print(f"fix: {len(CASES)} kernels, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
