"""`--sample auto`: kernels whose blocks behave alike are analysed in a few blocks, and every counter of
every site is within 1 % of what all blocks count; of the others all blocks are analysed. Results are the
same in any case, also where a launch is repeated (atomics would add twice)."""

import pathlib
import re
import subprocess
import sys

import harness

GRID, BLOCK, WORDS = 1000, 64, 1 << 17
ALL, SOME = "analysed all blocks: ", "analysed [0-9]+ of 1000 blocks"

START = """
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r1, %r3, %r2;
    ld.param.u64 %d1, [data]; ld.param.u64 %d2, [sum]; mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d1, %d3;
    mov.u32 %r9, 0;"""
END = "atom.global.add.u32 %r10, [%d2], %r9; ret;"
LOAD = "ld.global.u32 %r8, [%d4]; add.u32 %r9, %r9, %r8;"
LOOP = "mov.u32 %r6, 0; LOOP: " + LOAD + " add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r5; @%p1 bra LOOP;"

# Name -> body, and what is said.
KERNELS = {
    "alike": (LOAD, SOME + ", of 1 kind$"),
    # The last block has fewer threads that load, and the first one a loop more.
    "edges": (
        f"setp.ge.u32 %p2, %r4, {GRID * BLOCK - 40}; @%p2 bra DONE; {LOAD} setp.gt.u32 %p3, %r1, 0; @%p3 bra DONE;"
        f"mov.u32 %r5, 7; {LOOP} DONE:",
        SOME + ", of 3 kinds",
    ),
    # Two kinds that take turns, with a period that strata may have, too.
    "striped": (f"and.b32 %r5, %r1, 1; add.u32 %r5, %r5, 2; {LOOP}", SOME + ", of 2 kinds"),
    "triangle": (f"add.u32 %r5, %r1, 1; {LOOP}", ALL + "blocks are of many kinds$"),
    # One block in the middle, which is not among those that are counted, is of a kind of its own.
    "odd": (f"mov.u32 %r5, 1; setp.eq.u32 %p2, %r1, 777; @%p2 mov.u32 %r5, 90; {LOOP}", ALL + "blocks that"),
    # As many instructions in every block, but strides that grow with its number.
    "drift": (
        "and.b32 %r5, %r1, 31; add.u32 %r5, %r5, 1; mul.lo.u32 %r5, %r5, %r2; mul.wide.u32 %d3, %r5, 4;"
        f"add.u64 %d4, %d1, %d3; {LOAD}",
        ALL + "blocks that",
    ),
    "rows": (f"ld.global.u32 %r5, [%d4]; and.b32 %r5, %r5, 7; add.u32 %r5, %r5, 1; {LOOP}", ALL + "addresses or"),
    "indirect": (
        "ld.global.u32 %r5, [%d4]; and.b32 %r5, %r5, 1023; mul.wide.u32 %d3, %r5, 4; add.u64 %d4, %d1, %d3;" + LOAD,
        ALL + "addresses or",
    ),
    # The same by way of shared memory.
    "staged": (
        "mov.u32 %r11, own; shl.b32 %r12, %r2, 2; add.u32 %r11, %r11, %r12; ld.global.u32 %r5, [%d4];"
        "st.shared.u32 [%r11], %r5; bar.sync 0; ld.shared.u32 %r5, [%r11]; and.b32 %r5, %r5, 1023;"
        "mul.wide.u32 %d3, %r5, 4; add.u64 %d4, %d1, %d3;" + LOAD,
        ALL + "addresses or",
    ),
}  # fmt: skip


def kernel(name):
    variables = f".shared .align 4 .b8 own[{4 * BLOCK}];" if name == "staged" else ""
    body = START + KERNELS[name][0] + END
    return harness.entry(name, {"data": "u64", "sum": "u64"}, body, variables)


def modules():
    for name in KERNELS:
        yield harness.HEAD + kernel(name)


def launch(tool, folder, name, options):
    """What was said, the sum, and the counters."""
    (folder / "module.ptx").write_text(harness.HEAD + kernel(name))
    values = [i * 2654435761 % (1 << 32) for i in range(WORDS)]
    harness.write_npy(folder / "data.npy", "u32", values)
    command = [tool.warplens, "kernel", folder / "module.ptx", "-k", name, "--no-sass", "--page", "none"]
    command += ["--grid", str(GRID), "--block", str(BLOCK), "--evidence", "4", "-o", folder / "launch.wlp"]
    command += ["--arg", f"u32[{WORDS}]={folder}/data.npy", "--arg", "u32[1]=0"]
    command += ["--dump", f"1={folder}/sum.npy", *options]
    done = subprocess.run(command, text=True, capture_output=True, timeout=harness.SECONDS_ALLOWED)
    outcome = harness.Outcome(
        done.returncode, done.stderr, harness.read_npy(folder / "sum.npy"), folder / "launch.wlp"
    )
    return outcome


def far(sampled, counted):
    """Counters that are not within 1 %."""
    wrong = []
    for one, other in zip(sampled, counted):
        for name, value in other.items():
            if isinstance(value, int) and abs(one[name] - value) * 100 > value:
                wrong.append((name, value, one[name]))
    return wrong


def main():
    tool = harness.Tool(sys.argv[1])
    folder = pathlib.Path(tool.folder.name)
    jit = (pathlib.Path(tool.warplens).parent / "lib/warplens/libwarplens-jit.so").exists()
    for name, (_, said) in KERNELS.items():
        whole = launch(tool, folder, name, [])
        for engine in ["interp", "jit"] if jit else ["interp"]:
            for workers in "1", "3":
                options = ["--sample", "auto", "--threads", workers, "--engine", engine]
                sampled = launch(tool, folder, name, options)
                tool.launches += 1
                what = f"{name}, {workers} workers, {engine}"
                if not re.search(f"sample: {said}", sampled.output, re.MULTILINE):
                    tool.fail(f"{what}: expected {said}, is {sampled.output}")
                tool.expect(f"{what}: status", whole.status, sampled.status)
                tool.expect(f"{what}: sum", whole.arrays, sampled.arrays)
                tool.expect(f"{what}: launch", whole.tables["launch"], sampled.tables["launch"])
                tool.expect(f"{what}: sites", len(whole.tables["count"]), len(sampled.tables["count"]))
                tool.expect(f"{what}: far off", [], far(sampled.tables["count"], whole.tables["count"]))
                if said.startswith(ALL):
                    tool.expect(f"{what}: counters", whole.tables["count"], sampled.tables["count"])
    sys.exit(tool.finish("sample"))


if __name__ == "__main__":
    main()
