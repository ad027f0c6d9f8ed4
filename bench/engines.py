"""What `auto` costs against the better of both engines.

    bench/engines.py build/warplens --save NAME
    bench/engines.py build/warplens vecadd scan --workers 1,4 --repeats 9

Each launch of the bench, short and long, is made by the interpreter, by the JIT and by `auto`, in turns, each engine with a
folder of its own for what is kept on disk: a first run finds nothing there, a second run what the first has left. Wall
time is the launch's, in which what the JIT compiles is contained; `process` is the whole command. The better engine
is that of the smaller median; a ratio is the median of the ratios of the repeats, each of which is of processes that ran one after
the other. Before a second run a process that compiles behind the first one gets the time to end.
"""

import argparse
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

import launches

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENGINES = "interp", "jit", "auto"
WANTED = 1.05  # times the better engine's wall time
COLUMNS = ["part", "name", "run", "workers", "interp_ms", "jit_ms", "auto_ms", "auto_to_better"]
COLUMNS += ["cpu_auto_to_better", "process_auto_to_better", "compiled_ms"]


def engine_folder(folder, engine):
    return folder / f"kept-{engine}"


def timed(command, folder, engine):
    """Wall and CPU seconds of the launch, seconds of compiling, wall seconds of the process."""
    profile = folder / "engines.wlp"
    settings = {"WARPLENS_CACHE": str(engine_folder(folder, engine)), "WARPLENS_ENGINE": engine}
    begin = time.perf_counter()
    done = subprocess.run([*command, "-o", profile], cwd=ROOT, env=os.environ | settings, capture_output=True)
    process = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"{done.stderr.decode()}bench/engines.py: {' '.join(map(str, command))}")
    with sqlite3.connect(profile) as database:
        query = "SELECT wall_seconds, cpu_seconds, compile_seconds FROM launch"
        wall, cpu, compiling = database.execute(query).fetchone()
    database.close()
    return wall, cpu + compiling, compiling, process


def wait_for_others():
    """Until no process of the program is left: some seconds at most."""
    for _ in range(500):
        if not any(is_ours(process) for process in pathlib.Path("/proc").glob("[0-9]*")):
            return
        time.sleep(0.01)


def is_ours(process):
    try:
        return b"engines.wlp" in (process / "cmdline").read_bytes()
    except OSError:
        return False


def measure(command, folder, repeats):
    """run -> engine -> figures of the repeats. All engines have their turn in each."""
    found = {run: {engine: [] for engine in ENGINES} for run in ("first", "second")}
    for _ in range(repeats):
        for engine in ENGINES:
            shutil.rmtree(engine_folder(folder, engine), ignore_errors=True)
        for run in found:
            for engine in ENGINES:
                found[run][engine].append(timed(command, folder, engine))
            wait_for_others()
    return found


def to_better(engines, number):
    medians = {engine: statistics.median(one[number] for one in engines[engine]) for engine in ("interp", "jit")}
    better = min(medians, key=medians.get)
    return statistics.median(auto[number] / one[number] for one, auto in zip(engines[better], engines["auto"]))


def row(part, name, run, workers, engines):
    walls = [1e3 * statistics.median(figures[0] for figures in engines[engine]) for engine in ENGINES]
    ratios = [to_better(engines, number) for number in (0, 1, 3)]
    compiling = 1e3 * statistics.median(figures[2] for figures in engines["auto"])
    numbers = [*(f"{wall:.2f}" for wall in walls), *(f"{ratio:.3f}" for ratio in ratios), f"{compiling:.1f}"]
    return [part, name, run, str(workers), *numbers]


def commands(given, folder, part, name):
    options = ["-q", "--no-sass", "--page", "none"]
    launch = launches.prepare_long(name) if part == "long" else launches.prepare(name, folder)[0]
    return [given.warplens, "kernel", *launch, *options]


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    level = os.environ.get("WARPLENS_CPU", "its best level")
    return f"{models[0] if models else 'unknown processor'}, {os.cpu_count()} cores, {level}"


def save(name, rows):
    path = ROOT / "bench" / "results" / f"{name}-engines.tsv"
    lines = [f"# {processor()}", "\t".join(COLUMNS), *map("\t".join, rows)]
    path.write_text("\n".join(lines) + "\n")


def judge(rows):
    """How many are as wanted, and which are furthest from it."""
    number = COLUMNS.index("auto_to_better")
    good = [one for one in rows if float(one[number]) <= WANTED]
    print(f"auto at most {WANTED} times the better engine's wall time: {len(good)} of {len(rows)}")
    for one in sorted(rows, key=lambda one: -float(one[number]))[:10]:
        print("  " + " ".join(one))


def table(given, folder):
    rows = []
    widths = [max(13, len(name) + 1) for name in COLUMNS]
    print("".join(name.rjust(width) for name, width in zip(COLUMNS, widths)))
    for part in given.parts:
        for name in given.names:
            command = commands(given, folder, part, name)
            for workers in given.workers:
                found = measure([*command, "--threads", str(workers)], folder, given.repeats)
                for run, engines in found.items():
                    rows.append(row(part, name, run, workers, engines))
                    print("".join(cell.rjust(width) for cell, width in zip(rows[-1], widths)), flush=True)
                if given.save:
                    save(given.save, rows)
    judge(rows)
    return rows


def parse():
    """The command line; without the JIT there is nothing to compare."""
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("warplens", nargs="?", default="build/warplens", help="the program")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these kernels")
    parser.add_argument("--repeats", type=int, default=5, help="of each (default 5)")
    parser.add_argument("--workers", metavar="LIST", help="default: 1, 2, 4 … up to all cores")
    parser.add_argument("--parts", metavar="LIST", default="short,long", help="default: short,long")
    parser.add_argument("--save", metavar="NAME", help="write bench/results/NAME-engines.tsv")
    given = parser.parse_args()
    given.warplens = os.path.abspath(given.warplens)
    if not (pathlib.Path(given.warplens).parent / "lib/warplens/libwarplens-jit.so").exists():
        sys.exit("bench/engines.py: the JIT was not built")
    given.names = given.names or list(launches.KERNELS)
    given.parts = given.parts.split(",")
    counts = [2**i for i in range(cores.bit_length())]
    given.workers = [int(n) for n in given.workers.split(",")] if given.workers else counts
    return given


def main():
    with tempfile.TemporaryDirectory() as folder:
        table(parse(), pathlib.Path(folder))


if __name__ == "__main__":
    main()
