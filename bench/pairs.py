"""pairs.py: for each repair in the samples, what warplens says of it against what it saved on a GPU.

The programs run under `warplens run` at a size that an emulator takes in seconds, with as many blocks
as there are on the GPU; counts and busy cycles grow with the work, so they are scaled to the size that
was timed. The time that a launch takes at least is that of its longest stage, which the profile has
between two bounds (docs/guide/limits.md); so a repair saves something between two bounds too.
"""

import csv
import json
import subprocess

CLOCK_MHZ = 1980  # of the H100 under all these loads

# sample -> arguments of the program under warplens, and how much more work the timed size is
RUNS = {
    "access_patterns": (["--size", "64", "--repeats", "1"], 64),
    "add_const_double3": (["--size", "1048576", "--repeats", "0"], 16),
    "bank_offset": (["--size", "64", "--repeats", "1"], 64),
    "histogram": (["--size", "16777216", "--repeats", "0"], 16),
    "scan2d": (["--size", "2048", "--repeats", "0"], 16),
    "sgemm": (["--size", "1024", "--repeats", "0"], 64),
    "transpose": (["--size", "2048", "--repeats", "0"], 16),
}
TIMED_SIZE = {"scan2d": "8192", "sgemm": "4096"}

# sample, version before, version after; and their kernels, where the version's name is not the kernel's
GEMM = "gemm<float, 128, 128, 32, 8, 8, Loader<{}>, Loader<{}> >"
KERNELS = {
    "gemm<Sync,Plain>": GEMM.format("Sync, Plain", "Sync, Plain"),
    "gemm<Sync,Skewed>": GEMM.format("Sync, Plain", "Sync, Skewed"),
    "gemm<Async,Plain>": GEMM.format("Async, Plain", "Async, Plain"),
    "gemm<Async,Skewed>": GEMM.format("Async, Plain", "Async, Skewed"),
    "gemm<Async,Swizzled>": GEMM.format("Async, Plain", "Async, Swizzled"),
    "ownElements<float,32>": "ownElements<float, 32>",
    "ownElements<float,33>": "ownElements<float, 33>",
}
PAIRS = [
    ("access_patterns", "ownElements<float,32>", "ownElements<float,33>"),
    ("add_const_double3", "addConstDouble3", "addConstDouble"),
    ("add_const_double3", "addConstDouble3", "addConstDouble2"),
    ("bank_offset", "bankOffset:32", "bankOffset:33"),
    ("bank_offset", "bankOffset:8", "bankOffset:9"),
    ("bank_offset", "bankOffset:2", "bankOffset:3"),
    ("histogram", "histogramGlobal", "histogramShared"),
    ("histogram", "histogramShared", "histogramPerLane"),
    ("histogram", "histogramPerLane", "histogramPerLaneWide"),
    ("histogram", "histogramPerLaneWide", "histogramPerLaneWidest"),
    ("scan2d", "blockScan<0>", "blockScan<1>"),
    ("scan2d", "blockScan<0>", "blockScanSwizzled"),
    ("sgemm", "gemm<Sync,Plain>", "gemm<Sync,Skewed>"),
    ("sgemm", "gemm<Async,Plain>", "gemm<Async,Skewed>"),
    ("sgemm", "gemm<Async,Skewed>", "gemm<Async,Swizzled>"),
    ("sgemm", "gemm<Async,Swizzled>", "gemmStages<3>"),
    ("sgemm", "gemmStages<3>", "gemmTurned"),
    ("transpose", "transposeNaive", "transposeTiled<0>"),
    ("transpose", "transposeTiled<0>", "transposeTiled<1>"),
    ("transpose", "transposeTiled<0>", "transposeSwizzled"),
    ("transpose", "transposeTiled<1>", "transposeWide"),
]
COLUMNS = ["sample", "before", "after", "excess_wavefronts", "excess_sectors", "verdict"]
COLUMNS += ["predicted_least_us", "predicted_most_us", "before_us", "after_us", "saved_us"]


class Launch:
    """What warplens says of a version's kernel, scaled to the timed size."""

    def __init__(self, launch, factor):
        def excess(counter):
            return factor * (launch["all"].get(counter, 0) - launch["all"].get(f"{counter}_ideal", 0))

        self.wavefronts, self.sectors = excess("wavefronts"), excess("sectors")
        micro = factor / CLOCK_MHZ
        self.least = micro * max(stage["least"] for stage in launch["stages"])
        self.most = micro * max(stage["most"] for stage in launch["stages"])
        matters = [finding["matters"] for finding in launch["findings"] if finding["matters"]]
        self.verdict = matters[0]["words"] if matters else ""


def launches(warplens, sample, program, folder):
    """version -> Launch."""
    arguments, factor = RUNS[sample]
    profile = f"{folder}/{sample}.wlp"
    command = [warplens, "run", "-q", "--report", "none", "-o", profile, program, *arguments]
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL)
    text = subprocess.run(
        [str(warplens), "report", profile, "--format", "json"], check=True, text=True, capture_output=True
    ).stdout
    found = {}
    offset = 0
    report = json.loads(text)
    for launch in report["launches"]:
        name = report["kernels"][launch["kernel"]]["short"]
        if name == "bankOffset":
            offset += 1
            name = f"bankOffset:{offset}"
        found.setdefault(name, Launch(launch, factor))
    return found


def rows(warplens, programs, times, folder):
    with open(times, newline="") as file:
        measured = {}
        for row in csv.DictReader(file, delimiter="\t"):
            if TIMED_SIZE.get(row["sample"], row["size"]) == row["size"]:
                measured[row["sample"], row["version"]] = float(row["median_us"])
    found = {sample: launches(warplens, sample, program, folder) for sample, program in programs.items()}
    for sample, before, after in PAIRS:
        if sample not in found:
            continue
        a, b = (found[sample][KERNELS.get(name, name)] for name in (before, after))
        times = measured[sample, before], measured[sample, after]
        yield [
            sample, before, after, a.wavefronts - b.wavefronts, a.sectors - b.sectors, a.verdict,
            f"{max(a.least - b.most, 0):.0f}", f"{max(a.most - b.least, 0):.0f}",
            *times, f"{times[0] - times[1]:.2f}",
        ]  # fmt: skip
