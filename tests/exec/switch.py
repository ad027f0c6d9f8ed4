"""When compiled code takes over in the middle of a launch, nothing changes: results, counters and access
patterns are those of the interpreter, after however many instructions that happens, at once or from a
thread that compiles meanwhile, with 1, 2 and 7 workers. What is too short is not compiled. Who waits for a block whose
worker waits for the compiler is in no endless loop."""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import harness

# A loop of loads of several shapes (one of which depends on the turn), stores, shared memory with
# barriers, lanes that part, and an atomic: 3,000 warp instructions in a block of 4 warps.
BODY = """
    ld.param.u64 %d1, [data]; ld.param.u64 %d2, [out]; ld.param.u32 %r20, [turns];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, own;
    mad.lo.u32 %r4, %r2, 128, %r1; mul.wide.u32 %d3, %r4, 4; add.u64 %d4, %d1, %d3; add.u64 %d5, %d2, %d3;
    shl.b32 %r5, %r1, 2; add.u32 %r6, %r3, %r5; xor.b32 %r7, %r5, 124; add.u32 %r7, %r3, %r7;
    mov.u32 %r8, 0; mov.u32 %r9, 0; and.b32 %r18, %r1, 15;
LOOP:
    ld.global.u32 %r10, [%d4]; add.u32 %r9, %r9, %r10; st.shared.u32 [%r6], %r9; bar.sync 0;
    ld.shared.u32 %r11, [%r7]; xor.b32 %r9, %r9, %r11; bar.sync 0;
    mul.lo.u32 %r12, %r1, %r8; and.b32 %r12, %r12, 127; mul.wide.u32 %d6, %r12, 4; add.u64 %d7, %d1, %d6;
    ld.global.u32 %r13, [%d7]; add.u32 %r9, %r9, %r13;
    and.b32 %r14, %r9, 1; setp.eq.u32 %p1, %r14, 0; @%p1 bra EVEN;
    mad.lo.u32 %r9, %r9, 3, 1;
EVEN:
    add.u32 %r8, %r8, 1; setp.lt.u32 %p2, %r8, %r20; @%p2 bra LOOP;
    st.global.u32 [%d5], %r9; setp.ne.u32 %p3, %r1, 0; @%p3 bra END;
    atom.global.add.u32 %r15, [%d2+16384], 1;
END:
    ret;
"""
PARAMS = {"data": "u64", "out": "u64", "turns": "u32"}
KERNEL = harness.HEAD + harness.entry("turns", PARAMS, BODY, ".shared .align 4 .b8 own[512];")
AFTER = [1, 40, 700, 12000]  # instructions of the first worker


def arguments(blocks, turns):
    data = harness.Array("u32", [i * 2654435761 % (1 << 32) for i in range(128 * blocks + 128)])
    return [data, harness.Array("u32", [0] * 4097), f"u32={turns}"]


def same(tool):
    configurations = [(1, None, "interp")]
    configurations += [(1, None, f"{engine}={n}") for engine in ("plan", "jit", "auto") for n in AFTER]
    configurations += [(n, None, engine) for n in (2, 7) for engine in ("interp", "plan=700", "jit=700", "auto=700")]
    for turns in (30, 2000):
        tool.run(KERNEL, "turns", "32", "128", arguments(32, turns), configurations=configurations)


def compile_seconds(tool, folder, engine, turns):
    ptx, profile = folder / "turns.ptx", folder / "profile.wlp"
    ptx.write_text(KERNEL)
    command = [tool.warplens, "kernel", ptx, "-k", "turns", "--grid", "8", "--block", "128", "-q", "--threads", "1"]
    command += ["--arg", "u32[1152]=1", "--arg", "u32[4097]=0", "--arg", f"u32={turns}"]
    subprocess.run([*command, "--engine", engine, "-o", profile], check=True)
    with sqlite3.connect(profile) as database:
        seconds = database.execute("SELECT compile_seconds FROM launch").fetchone()[0]
    database.close()
    return seconds


def when(tool):
    with tempfile.TemporaryDirectory() as name:
        for engine, turns, compiled in [("interp", 50000, False), ("auto", 100, False),
                                        ("auto", 100000, True), ("jit", 100, True)]:  # fmt: skip
            seconds = compile_seconds(tool, pathlib.Path(name), engine, turns)
            tool.expect(f"{engine}, {turns} turns: is compiled", compiled, seconds > 0)


# Each block waits for the one before it, behind STEPS instructions: long to compile, soon over.
STEPS = 1500
WAITING = harness.HEAD + harness.entry("waiting", {"flags": "u64"}, """
    ld.param.u64 %d1, [flags]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;
    mov.u32 %r2, %tid.x; mov.u32 %r3, 3;
""" + "    mad.lo.u32 %r3, %r3, %r2, %r1;\n" * STEPS + """
WAIT:
    ld.volatile.global.u32 %r4, [%d3]; setp.eq.u32 %p1, %r4, 0; @%p1 bra WAIT;
    add.u32 %r4, %r4, 1; st.volatile.global.u32 [%d3+4], %r4; ret;
""")  # fmt: skip


def waits(tool):
    """A worker that spins reads 250,000 times in some 10 ms; compiling takes some 100 ms."""
    blocks = 2000
    flags = harness.Array("u32", [1] + [0] * blocks)
    configurations = [(1, None, "interp"), (3, None, "interp"), (3, None, "jit=600000")]
    result = tool.run(WAITING, "waiting", str(blocks), "32", [flags], options=("--limit", "1000000"), varies=True, configurations=configurations)
    tool.expect("all blocks have waited for one another", list(range(1, blocks + 2)), result.arrays[0])


def main():
    tool = harness.Tool(sys.argv[1])
    plugin = pathlib.Path(tool.warplens).parent / "lib/warplens/libwarplens-jit.so"
    if not os.path.exists(plugin):
        print("skipped: the plug-in of the JIT was not built")
        return 77
    same(tool)
    when(tool)
    waits(tool)
    return tool.finish("switch")


if __name__ == "__main__":
    sys.exit(main())
