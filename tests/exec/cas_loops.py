"""What the compare-and-swap loops of shared atomics cost that change nothing (src/exec/access/atomic.h). As machine code
of ptxas 13.0 for sm_90 only minima and maxima compare first and leave behind the load; the others swap. Each row has
what its machine code costs, executed (`--machine-code require`): its load and its ATOMS.CAST.SPIN."""

import sys

import harness

# operation, bytes from lane to lane, what memory holds, operand -> wavefronts of the loop
CASES = {
    ("add.u64", 8, 5, 0): 6,
    ("add.u64", 64, 5, 0): 104,
    ("add.u64", 64, 5, 7): 104,
    ("and.b64", 8, 5, 7): 6,
    ("or.b64", 16, 5, 5): 14,
    ("xor.b64", 8, 5, 0): 6,
    ("min.u64", 8, 5, 7): 2,
    ("min.u64", 8, 5, 3): 6,
    ("min.s64", 16, 5, 5): 4,
    ("max.u64", 8, 5, 3): 2,
    ("max.s64", 64, 5, 3): 16,
    ("max.s64", 64, 5, 7): 104,
    ("add.f32", 8, 5, 0): 7,
    ("add.f64", 8, 5, 0): 6,
    ("add.noftz.f16x2", 8, 5, 0): 7,
    ("add.noftz.bf16x2", 128, 5, 0): 592,
}
REGISTER = {"u64": "d", "s64": "d", "b64": "d", "f32": "f", "f64": "g", "f16x2": "r", "bf16x2": "r"}


def name_of(case):
    return f"{case[0]}_{case[1]}_{case[2]}_{case[3]}".replace(".", "_")


def kernel(case):
    operation, stride, held, operand = case
    kind = operation.rpartition(".")[2]
    register, bits = REGISTER[kind], 64 if kind.endswith("64") else 32
    body = f"""
        ld.param.u64 %d1, [out]; ld.param.u64 %d3, [operand]; cvt.u32.u64 %r3, %d3;
        mov.b64 %g3, %d3; mov.b32 %f3, %r3;
        mov.u32 %r1, %tid.x; mul.lo.u32 %r1, %r1, {stride}; mov.u32 %r2, sm; add.u32 %r2, %r2, %r1;
        mov.u64 %d2, {held}; st.shared.b{bits} [%r2], %{'d2' if bits == 64 else 'r99'}; bar.sync 0;
        red.shared.{operation} [%r2], %{register}3;
        bar.sync 0; ld.shared.u32 %r9, [%r2]; st.global.u32 [%d1], %r9; ret;"""
    return harness.entry(name_of(case), {"out": "u64", "operand": "u64"}, body.replace("%r99", f"{held}"))


def wavefronts(outcome):
    """Of the atomic."""
    sites = [row["id"] for row in outcome.tables["site"] if row["op"] in ("atomic", "reduction")]
    return sum(row["wavefronts"] for row in outcome.tables["count"] if row["site"] in sites)


def main():
    tool = harness.Tool(sys.argv[1])
    module = harness.HEAD + ".shared .align 16 .b8 sm[4096];" + "".join(map(kernel, CASES))
    for case, expected in CASES.items():
        arguments = [harness.Array("u32", [0] * 32), f"u64={case[3]}"]
        outcome = tool.run(module, name_of(case), arguments=arguments, every=False)
        tool.expect(f"{name_of(case)}: exit status", 0, outcome.status)
        if outcome.status:
            print(outcome.output)
            continue
        tool.expect(f"{name_of(case)}: wavefronts", expected, wavefronts(outcome))
    return tool.finish("cas_loops")


if __name__ == "__main__":
    sys.exit(main())
