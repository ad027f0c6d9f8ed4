"""What `sweep` and `valgrind` run: each command of warplens on a small input, in.wlp, with its output as `out`."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCAN = [str(ROOT / "samples/scan2d/scan2d.ptx"), "-k", "blockScan<0>", "--grid", "1", "--block", "32,32", "--arg", "u8[1024]=random:1",
        "--arg", "u64[1024]", "--arg", "u64[32]=0", "--arg", "u64[32]=0", "--arg", "i32=32", "--arg", "i32=32"]
TIMED = ["--time", "--caches", "--sanitize", "all"]
COMMANDS = {
    "explain": ["explain", "__shared__ float t[32][32]", "--access", "t[lane][0]"],
    "report": ["report", "in.wlp"],
    "json": ["report", "in.wlp", "--format", "json"],
    "html": ["report", "in.wlp", "--format", "html", "-o", "out"],
    "csv": ["report", "in.wlp", "--format", "csv"],
    "svg": ["report", "in.wlp", "--format", "svg", "-o", "out"],
    "check": ["check", "in.wlp", "--format", "sarif"],
    "junit": ["check", "in.wlp", "--format", "junit"],
    "gate": ["check", "in.wlp", "--baseline", "in.wlp"],
    "compare": ["diff", "in.wlp", "in.wlp"],
    "diff": ["diff", "in.wlp", "in.wlp", "--format", "html", "-o", "out"],
    "baseline": ["baseline", "in.wlp"],
    "fix": ["fix", "in.wlp"],
    "kernel": ["kernel", *SCAN, "--engine", "interp", "--threads", "1", "--no-sass", "-q", "-o", "out"],
    "timed": ["kernel", *SCAN, *TIMED, "--engine", "interp", "--threads", "1", "--no-sass", "-q", "-o", "out"],
    "counted": ["kernel", *SCAN, "--counts-only", "--engine", "interp", "--threads", "1", "--no-sass", "-q", "-o", "out"],
    "merge": ["merge", "in.wlp", "-o", "out"],
    "gpus": ["gpus"],
    "ops": ["ops"],
    "calls": ["calls"],
    "model": ["model", str(ROOT / "tests/ground-truth/h100/shared-pairs.csv")],
    "cache": ["cache"],
    "manual": ["manual"],
    "completions": ["manual", "--bash"],
    "api": [],
}
# In front of a program.
RUN = ["run", "--engine", "interp", "--threads", "1", "--no-sass", "-q", "-o", "out"]
