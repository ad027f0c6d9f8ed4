#!/usr/bin/env python3
"""orders.py WARPLENS: --schedule seed:N runs kernels in other orders. What depends on the order differs between some of 20 seeds, what does
not is the same in all of them, and a seed gives the same each time, whatever the number of workers; so do the counts of lanes that meet."""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SEEDS = range(1, 21)
# kernel, grid, block, arguments, whether its results depend on the order
CASES = [
    ("blocks", "64", "32", ["i32[1]"], True),
    ("warps", "1", "64", ["i32[64]"], True),
    ("warpsMended", "1", "64", ["i32[64]"], False),
    ("lost", "2", "256", ["i32[1]=0"], True),
    ("lostMended", "2", "256", ["i32[1]=0"], False),
    ("lanes", "1", "32", ["i32[1]"], True),
    ("meet", "2", "64", ["i32[64]", "i32[64]=random:1"], False),
    ("floats", "16", "64", ["f32[1]=0", "f32[1024]=random:2"], True),
]


def launch(warplens, folder, case, options):
    """The bytes of the first argument, and the counters of all sites."""
    kernel, grid, block, arguments, _ = case
    out, profile = folder / "out.npy", folder / "out.wlp"
    subprocess.run([warplens, "kernel", HERE / "orders" / "orders.ptx", "-k", f"^{kernel}$", "--grid", grid, "--block", block, "--no-sass", "-q",
                    "-o", profile, f"--dump=0={out}", *(f"--arg={argument}" for argument in arguments), *options], check=True)
    report = json.loads(subprocess.run([warplens, "report", profile, "--format", "json"], capture_output=True, check=True).stdout)
    return out.read_bytes(), [launched["lines"] for launched in report["launches"]]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for case in CASES:
            plain = launch(sys.argv[1], folder, case, [])
            drawn = [launch(sys.argv[1], folder, case, [f"--schedule=seed:{seed}"]) for seed in SEEDS]
            again = launch(sys.argv[1], folder, case, ["--schedule=seed:3", "--threads=4", "--engine=auto"])
            differ = len({result for result, _ in [plain, *drawn]}) > 1
            if differ != case[4]:
                print(f"{case[0]}: results {'differ' if differ else 'are the same'} in {len(SEEDS)} orders")
                wrong += 1
            if again != drawn[2]:
                print(f"{case[0]}: another run with the same seed is different")
                wrong += 1
            if any(counts != plain[1] for _, counts in drawn):
                print(f"{case[0]}: counts depend on the order")
                wrong += 1
    print(f"{len(CASES)} kernels, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
