"""The profile and the result of a launch do not depend on the number of worker threads.

Every row of every table of the profile is compared, evidence included; only the command line and
the times may differ.
"""

import pathlib
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMES = {"wall_seconds", "cpu_seconds", "compile_seconds"}
FLOATS = ["--arg", "f32[65536]=random:1", "--arg", "f32[65536]=random:2", "--arg", "f32[65536]=0"]
SIZES = ["--arg", "i32=256", "--arg", "i32=256", "--arg", "i32=256"]

# sample, kernel, grid, block, number of the result's argument, arguments
LAUNCHES = [
    ("scan2d", "blockScan<0>", "16,16", "32,32", 1,
     ["--arg", "u8[262144]=random:1", "--arg", "u64[262144]", "--arg", "u64[8192]=0",
      "--arg", "u64[8192]=0", "--arg", "i32=512", "--arg", "i32=512"]),
    ("histogram", "histogramShared", "64", "256", 1,
     ["--arg", "u8[1048576]=random:1", "--arg", "u32[256]=0", "--arg", "i32=1048576"]),
    ("sgemm", "Loader<Async, Skewed>", "2,2", "16,16", 2,
     [*FLOATS, *SIZES, "--arg", "f32=1", "--arg", "f32=0"]),
    ("transpose", "transposeNaive", "16,16", "32,8", 1,
     ["--arg", "f32[262144]=random:1", "--arg", "f32[262144]", "--arg", "i32=512"]),
]  # fmt: skip


def contents(path):
    """Table -> rows, without the columns that may differ."""
    database = sqlite3.connect(path)
    tables = {}
    for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
        rows = database.execute(f'SELECT * FROM "{name}"')
        keep = [i for i, column in enumerate(rows.description) if column[0] not in TIMES]
        if name not in ("meta", "origin"):  # the command line, when and where
            tables[name] = sorted(repr([row[i] for i in keep]) for row in rows)
    return tables


def main():
    warplens = str(pathlib.Path(sys.argv[1]).resolve())
    failed = 0
    for sample, kernel, grid, block, number, arguments in LAUNCHES:
        results = []
        for threads in (1, 2, 7):
            with tempfile.TemporaryDirectory() as folder:
                profile, dump = pathlib.Path(folder) / "p.wlp", pathlib.Path(folder) / "d.npy"
                command = [warplens, "kernel", f"samples/{sample}/{sample}.ptx", "-k", kernel]
                command += ["--grid", grid, "--block", block, *arguments]
                command += ["--threads", str(threads), "--quiet", "--no-sass"]
                command += ["-o", str(profile), "--dump", f"{number}={dump}"]
                subprocess.run(command, cwd=ROOT, check=True)
                results.append({**contents(profile), "result": dump.read_bytes()})
        for result in results[1:]:
            differing = [table for table in results[0] if result[table] != results[0][table]]
            if differing:
                failed += 1
                print(f"FAIL {kernel}: {', '.join(differing)} differ with the number of workers")
        print(f"{kernel}: {len(results[0]['pattern'])} patterns, {len(results[0]['count'])} sites")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
