"""What machines that share a job out find is what one machine finds, whatever the parts and the order in which they are merged.

    merge.py WARPLENS SAMPLES PROGRAMS CTEST

SAMPLES: samples/; PROGRAMS: the folder of tests/cuda's programs, "" where there are none. Profiles are compared as what they say of
each launch, in order: its counters site by site, its instructions place by place, its recorded patterns; seconds are left out."""

import itertools
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

WARPLENS, SAMPLES, PROGRAMS, CTEST = sys.argv[1:5]
SECONDS = ("wall_seconds", "cpu_seconds", "compile_seconds")
failed = 0


def warplens(*words, status=0, **options):
    done = subprocess.run([WARPLENS, *map(str, words)], capture_output=True, text=True, **options)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def expect(what, wanted, got):
    global failed
    if wanted != got:
        failed += 1
        print(f"{what}: differs")
        for a, b in itertools.zip_longest(wanted, got) if isinstance(wanted, list) else [(wanted, got)]:
            if a != b:
                print(f"  expected {str(a)[:600]}\n  got      {str(b)[:600]}")
                break


class Rows:
    """The tables of a profile, rows as dictionaries, by id."""

    def __init__(self, path):
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.database.row_factory = sqlite3.Row

    def all(self, table):
        return [dict(row) for row in self.database.execute(f"SELECT * FROM {table}")]


def place(locations, files, number):
    if number is None:
        return None
    row = locations[number]
    file = None if row["file"] is None else files[row["file"]]["path"]
    return file, row["line"], row["column"], row["function"], place(locations, files, row["inlined_at"])


def without(row, *names):
    return tuple((key, value) for key, value in row.items() if key not in names)


def launches(path):
    """What the profile says of its launches, without numbers of rows."""
    rows = Rows(path)
    files, locations, kernels, modules = (rows.all(table) for table in ("file", "location", "kernel", "module"))
    counts, insts, patterns, allocations = {}, {}, {}, {}
    for row in rows.all("count"):
        counts.setdefault(row["launch"], []).append((row["site"], without(row, "launch", "site")))
    for row in rows.all("location_count"):
        insts.setdefault(row["launch"], []).append((place(locations, files, row["location"]), without(row, "id", "launch", "location")))
    for row in rows.all("pattern"):
        patterns.setdefault(row["launch"], []).append((row["site"], without(row, "id", "launch", "site")))
    for row in rows.all("allocation"):
        allocations.setdefault(row["launch"], []).append(without(row, "launch"))
    found = []
    for row in rows.all("launch"):
        kernel = kernels[row["kernel"]]
        first = kernel["first_site"]
        by_site = lambda pairs: [(site - first, rest) for site, rest in pairs]
        shared = [without(one, "kernel") for one in rows.all("shared_variable") if one["kernel"] == row["kernel"]]
        own = without(row, "id", "kernel", "fault_location", "launched_by", *SECONDS, "process", "number")
        found.append((
            kernel["name"], modules[kernel["module"]]["hash"], place(locations, files, kernel["location"]), shared, own, row["launched_by"] - row["id"],
            by_site(counts.get(row["id"], [])), sorted(insts.get(row["id"], []), key=repr), by_site(patterns.get(row["id"], [])),
            allocations.get(row["id"], []),
        ))  # fmt: skip
    return found


def common(path):
    """How many rows there are of what profiles have in common."""
    return [len(Rows(path).all(table)) for table in ("file", "module", "location", "kernel", "site", "sass_line", "sass", "host_call", "defect", "origin")]


# ---- parts of a launch ----

TRANSPOSE = ("transpose/transpose.ptx", "transposeTiled<0>", "--grid", "9,7", "--block", "32,8", "--arg", "f32[262144]=random:1", "--arg", "f32[262144]", "--arg", "i32=512")
KERNELS = [
    TRANSPOSE,
    (*TRANSPOSE, "--evidence", "all"),
    (*TRANSPOSE, "--evidence", "0"),
    (*TRANSPOSE, "--evidence", "5", "--threads", "2"),
    ("transpose/transpose.ptx", "transposeNaive", *TRANSPOSE[2:4], *TRANSPOSE[4:]),
    ("add_const_double3/add_const_double3.ptx", "addConstDouble2", "--grid", "37", "--block", "128", "--arg", "i32=4000", "--arg", "f64[20000]=random:1", "--arg", "f64=3", "--arg", "f64[20000]"),
]  # fmt: skip


def kernel(folder, name, given, *options):
    path, kernel, *rest = given
    warplens("kernel", f"{SAMPLES}/{path}", "-k", kernel, *rest, "-q", "-o", folder / name, *options)
    return folder / name


def check_parts(folder):
    chosen = random.Random(25)
    for number, given in enumerate(KERNELS):
        whole = kernel(folder, "whole.wlp", given)
        for parts in (1, 2, 3, 16, 70) if number == 0 else (4,):
            made = [kernel(folder, f"part{i}.wlp", given, "--shard", f"{i}/{parts}") for i in range(1, parts + 1)]
            chosen.shuffle(made)
            warplens("merge", *made, "-o", folder / "all.wlp")
            expect(f"kernel {number} in {parts} parts", launches(whole), launches(folder / "all.wlp"))
            expect(f"kernel {number} in {parts} parts: rows", common(whole), common(folder / "all.wlp"))
        if number == 0:
            said = warplens("diff", whole, folder / "all.wlp")
            expect("diff", True, "No counter has changed." in said)


def check_groups(folder):
    """Merged in any groups; parts that are missing, and launches that are there twice."""
    parts = [kernel(folder, f"part{i}.wlp", TRANSPOSE, "--shard", f"{i}/3") for i in (1, 2, 3)]
    whole, other = kernel(folder, "whole.wlp", TRANSPOSE), kernel(folder, "other.wlp", KERNELS[4])
    a, b, c = parts
    merge = lambda out, *paths: warplens("merge", *paths, "-o", folder / out) and folder / out or folder / out
    left = merge("left.wlp", merge("ab.wlp", a, b), c, other)
    right = merge("right.wlp", a, merge("bc.wlp", b, merge("co.wlp", c, other)))
    back = merge("back.wlp", other, c, b, a)
    wanted = launches(whole) + launches(other)
    expect("(ab)c", wanted, launches(left))
    expect("a(bc)", wanted, launches(right))
    expect("cba", wanted[::-1], launches(back))
    expect("origin of either", *(dict(Rows(path).all("origin")[0]) for path in (left, right)))
    expect("two of three stay apart", 2, len(launches(folder / "ab.wlp")))
    expect("and are named", True, "2 of 3 parts are there, and stay apart (missing: 3)" in warplens("merge", a, b, "-o", folder / "ab.wlp"))
    twice = merge("twice.wlp", left, *[shutil.copy(path, folder / f"again{path.name}") for path in parts])
    expect("a launch twice", wanted + wanted[:1], launches(twice))
    expect("by itself", launches(whole), launches(merge("same.wlp", whole)))


# ---- launches and tests of programs ----


def run(folder, name, *command, options=(), **variables):
    warplens("run", "-q", "--no-sass", "-o", folder / name, *options, *command, env=os.environ | variables)
    return folder / name


def check_launches(folder):
    for program in ("children", "ranges", "graphs"):
        command = (f"{PROGRAMS}/{program}",)
        whole = run(folder, "whole.wlp", *command)
        for parts in (1, 2, 5):
            made = [run(folder, f"run{i}.wlp", *command, options=("--shard", f"{i}/{parts}")) for i in range(1, parts + 1)]
            random.Random(parts).shuffle(made)
            warplens("merge", *made, "-o", folder / "all.wlp")
            expect(f"{program} in {parts} parts", launches(whole), launches(folder / "all.wlp"))
            expect(f"{program} in {parts} parts: kernels", common(whole)[3:5], common(folder / "all.wlp")[3:5])


def check_nothing(folder):
    """A part of a program that launches nothing."""
    run(folder, "none.wlp", "true", options=("--shard", "2/2"))
    warplens("merge", folder / "none.wlp", "-o", folder / "all.wlp")
    expect("no launches", [], launches(folder / "all.wlp"))


def check_processes(folder):
    """Launches of several processes are in order, also where one has none in a part."""
    script = folder / "several.sh"
    script.write_text(f"#!/bin/sh\n{PROGRAMS}/ranges >/dev/null\n{PROGRAMS}/clusters >/dev/null\n{PROGRAMS}/ranges >/dev/null\n")
    script.chmod(0o755)
    whole = run(folder, "whole.wlp", script)
    made = [run(folder, f"run{i}.wlp", script, options=("--shard", f"{i}/3")) for i in (1, 2, 3)]
    warplens("merge", *made[::-1], "-o", folder / "all.wlp")
    expect("processes", launches(whole), launches(folder / "all.wlp"))


def check_tests(folder):
    """Tests of ctest: each is run by one part."""
    suite = folder / "suite"
    suite.mkdir()
    names = ("clusters", "ranges", "children", "graphs")
    (suite / "CTestTestfile.cmake").write_text("".join(f"add_test({name} {PROGRAMS}/{name})\n" for name in names))
    command = (CTEST, "--test-dir", suite)
    whole = launches(run(folder, "whole.wlp", *command))
    made = [run(folder, f"tests{i}.wlp", *command, options=("--shard", f"{i}/3")) for i in (1, 2, 3)]
    warplens("merge", *made, "-o", folder / "all.wlp")
    expect("tests", sorted(map(repr, whole)), sorted(map(repr, launches(folder / "all.wlp"))))
    expect("the second part runs one test", launches(run(folder, "one.wlp", f"{PROGRAMS}/ranges")), launches(made[1]))


# ---- very many ----


def peak(*words):
    """Kilobytes of memory. (What was freed goes back to the system at once under AddressSanitizer, too.)"""
    sanitizer = ":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=0", "thread_local_quarantine_size_kb=0"]))
    process = subprocess.Popen([WARPLENS, *map(str, words)], env=os.environ | {"ASAN_OPTIONS": sanitizer})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    return usage.ru_maxrss if status == 0 else sys.exit(f"{words}: {status}")


def check_memory(folder):
    """Of profiles that are merged one is in memory at a time."""
    big = folder / "big.wlp"
    kernel(folder, "big.wlp", (*TRANSPOSE, "--evidence", "all"))
    database = sqlite3.connect(big)  # with 200 launches more, and what they counted
    for table in ("launch", "count", "allocation", "location_count", "pattern"):
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        new = [f"{name} + n * (SELECT max(id) + 1 FROM {table})" if name == "id" else "n" if name in ("launch", "launched_by") else name for name in names]
        database.execute(f"INSERT INTO {table} WITH c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200) SELECT {', '.join(new)} FROM {table}, c")
    database.commit()
    copies = [shutil.copy(big, folder / f"big{i}.wlp") for i in range(24)]
    few, many = peak("merge", *copies[:3], "-o", folder / "few.wlp"), peak("merge", *copies, "-o", folder / "many.wlp")
    expect(f"memory for 3 profiles {few} kB, for 24 {many} kB", True, many < 1.2 * few)
    expect("launches of 24 profiles", 24 * 201, Rows(folder / "many.wlp").database.execute("SELECT count(*) FROM launch").fetchone()[0])


def main():
    os.environ.update(WARPLENS_MACHINE_CODE="off", WARPLENS_CACHE="/dev/null")
    checks = [check_parts, check_groups, check_memory]
    checks += [check_launches, check_nothing, check_processes, check_tests] if PROGRAMS else []
    for check in checks:
        with tempfile.TemporaryDirectory() as folder:
            check(pathlib.Path(folder))
    print("failed" if failed else f"{len(checks)} checks")
    sys.exit(1 if failed else 0)


main()
