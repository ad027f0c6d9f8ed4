"""--counts-only on the kernels of the bench: the counts of executing all blocks, and which of them need not execute.

    counts_bench.py WARPLENS

Where data decide (the words of a histogram), it is said which line makes it so."""

import os
import subprocess
import sys

os.environ["WARPLENS_TEST_COUNTS"] = "1"
import harness

BENCH = harness.HERE.parents[1] / "bench"
# Kernel -> grid, block, arguments, why all blocks run (None: they do not).
KERNELS = {
    "vecadd": ("300", "256", ["f32[76000]", "f32[76000]", "f32[76000]", "i32=76000"], None),
    "matmulNaive": ("6,6", "16,16", ["f32[9216]"] * 3 + ["i32=96"], None),
    "matmulTiled": ("4,4", "32,32", ["f32[16384]"] * 3 + ["i32=128"], None),
    "transpose": ("9,9", "32,8", ["f32[82944]"] * 2 + ["i32=288"], None),
    "scan": ("6,6", "32,32", ["u8[36864]", "u64[36864]", "i32=192"], None),
    "gemmTensor": ("4,4", "128", ["u16[65536]", "u16[65536]", "f32[65536]", "i32=256"], None),
    "reduce": ("40", "256", ["i32[100000]", "i32[1]", "i32=100000"], None),
    "histogram": ("24", "256", ["u8[60000]=random:1", "i32[256]", "i32=60000"], "an address depends on data: "),
    "stencil": ("9,40", "32,8", ["f32[92160]", "f32[92160]", "i32=288", "i32=320"], None),
    "mandelbrot": ("6,6", "16,16", ["i32[9216]", "i32=96", "i32=96", "i32=40"], None),
}  # fmt: skip


def module_of(kernel):
    return next(path for path in sorted(BENCH.glob("*.ptx")) if f"{len(kernel)}{kernel}" in path.read_text())


def main():
    tool = harness.Tool(sys.argv[1])
    for kernel, (grid, block, arguments, because) in KERNELS.items():
        before = tool.represented
        first = tool.run(module_of(kernel), kernel, grid, block, arguments)
        tool.expect(f"{kernel}: exit status", (0, ""), (first.status, first.output))
        tool.expect(f"{kernel}: some blocks ran for all", before + (not because), tool.represented)
        if not because:
            continue
        command = [tool.warplens, "kernel", module_of(kernel), "-k", kernel, "--grid", grid, "--block", block]
        command += ["--no-sass", "--no-save", "--page", "none", "--counts-only"]
        command += [word for argument in arguments for word in ("--arg", argument)]
        said = subprocess.run(command, text=True, capture_output=True).stderr
        tool.expect(f"{kernel}: what is said", True, f"all blocks ran: {because}" in said and ".cu:" in said)
    sys.exit(tool.finish("counts_bench"))


if __name__ == "__main__":
    main()
