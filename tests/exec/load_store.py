"""Loads and stores of every state space, type and vector width, into registers of the type's size and
of wider ones (PTX ISA 9.4.1: signed types are sign-extended, others zero-extended), against slices of
the same bytes in Python. Memory is written as the same type, so narrow stores must leave their
neighbours alone; and it is reached both by its own space and by generic addresses."""

import random
import sys

import harness

LANES, BYTES = 32, 32  # each lane has BYTES of its own
TYPES = [f"{kind}{bits}" for bits in (8, 16, 32, 64) for kind in "bus"] + ["f32", "f64", "b128"]
REGISTERS = {16: "%h", 32: "%r", 64: "%d"}
DATA = random.Random(1).randbytes(LANES * BYTES)

# Space -> how the address of the lane's bytes comes into %d1 (32 bits: %r1); and declarations.
PLACES = {
    "global": ("", "ld.param.u64 %d1, [data]; add.u64 %d1, %d1, %d9;"),
    "shared": (f".shared .align 16 .b8 own[{LANES * BYTES}];", "mov.u32 %r1, own; add.u32 %r1, %r1, %r9;"),
    "local": (f".local .align 16 .b8 own[{BYTES}];", "mov.u64 %d1, own;"),
    "const": ("", "mov.u64 %d1, table; add.u64 %d1, %d1, %d9;"),
    "param": ("", "mov.b64 %d1, bytes; add.u64 %d1, %d1, %d9;"),
}
TABLE = f".const .align 16 .b8 table[{len(DATA)}] = {{{', '.join(map(str, DATA))}}};"


def bits_of(kind):
    return int(kind.lstrip("busf"))


def register_sizes(kind):
    """Sizes of registers that a load of the type may have."""
    bits = bits_of(kind)
    if kind[0] == "f":
        return [bits]
    return [size for size in REGISTERS if size >= bits]


def register(kind, size, number):
    return {"f32": "%f", "f64": "%g"}.get(kind, REGISTERS[size]) + str(number)


def value(kind, data):
    number = int.from_bytes(data, "little", signed=kind[0] == "s")
    return number & (1 << 64) - 1


def pieces(kind):
    """(elements, register size) of every load of a type."""
    width = bits_of(kind) // 8
    for size in register_sizes(kind):
        for count in (1, 2, 4):
            if width * count <= 16:
                yield count, size


def store_own(space, kind, base):
    """Copies the lane's bytes into the space, element by element, or as vectors."""
    width = bits_of(kind) // 8
    lines = []
    # The even elements first, so that a store that is too wide would spoil what stands there already.
    count = BYTES // width
    for i in [*range(1, count, 2), *range(0, count, 2)]:
        lines.append(f"ld.global.{kind} {register(kind, max(16, width * 8), 20)}, [%d8+{i * width}];")
        lines.append(f"st{space}.{kind} [{base}+{i * width}], {register(kind, max(16, width * 8), 20)};")
    if 2 * width <= 16:  # and the first 16 bytes once more as vectors
        each = 4 if 4 * width <= 16 else 2
        names = ", ".join(register(kind, max(16, width * 8), 20 + i) for i in range(each))
        for i in range(0, 16 // width, each):
            for j in range(each):
                at = (i + j) * width
                lines.append(f"ld.global.{kind} {register(kind, max(16, width * 8), 20 + j)}, [%d8+{at}];")
            lines.append(f"st{space}.v{each}.{kind} [{base}+{i * width}], {{{names}}};")
    return lines


def load_kernel(name, space, generic, kind):
    """Returns the kernel and the values that a lane writes: (offset, type, register size)."""
    variables, address = PLACES[space]
    lines = [variables] if variables else []
    lines += ["mov.u32 %r2, %tid.x; mul.lo.u32 %r9, %r2, 32; cvt.u64.u32 %d9, %r9;"]
    lines += ["ld.param.u64 %d8, [in]; add.u64 %d8, %d8, %d9;", address]
    base, suffix = "%r1" if space == "shared" else "%d1", "." + space
    if generic:
        if space == "shared":
            lines.append("cvt.u64.u32 %d1, %r1;")
        base, suffix = "%d1", ""
        lines.append(f"cvta.{space}.u64 %d1, %d1;")
    if space in ("global", "shared", "local"):
        lines += store_own(suffix, kind, base)
    width, results = bits_of(kind) // 8, []
    lines.append("ld.param.u64 %d10, [out];")
    for count, size in pieces(kind):
        for at in range(0, BYTES, width * count):
            names = [register(kind, size, 30 + i) for i in range(count)]
            operand = names[0] if count == 1 else "{" + ", ".join(names) + "}"
            vector = "" if count == 1 else f".v{count}"
            lines.append(f"ld{suffix}{vector}.{kind} {operand}, [{base}+{at}];")
            for i, one in enumerate(names):
                stored = f"f{size}" if kind[0] == "f" else f"b{size}"
                lines.append(f"st.global.{stored} [%d10+OUT{len(results)}], {one};")
                results.append((at + i * width, kind, size))
    lines += ["ret;"]
    stride = 8 * len(results)
    body = "\n".join(lines)
    for i in reversed(range(len(results))):
        body = body.replace(f"+OUT{i}]", f"+{8 * i}]")
    step = f"ld.param.u64 %d10, [out]; mad.wide.u32 %d10, %r2, {stride}, %d10;"
    body = body.replace("ld.param.u64 %d10, [out];", step)
    params = {"in": "u64", "data": "u64", "out": "u64"}
    if space == "param":
        params["bytes[1024]"] = "align 16 .b8"
    return harness.entry(name, params, body), results


def quad_kernel(name):
    """b128: a whole vector register of 16 bytes, through shared memory."""
    body = f"""
    .reg .b128 %q<4>; .shared .align 16 .b8 own[{LANES * BYTES}];
    mov.u32 %r2, %tid.x; mul.lo.u32 %r9, %r2, 32; cvt.u64.u32 %d9, %r9;
    ld.param.u64 %d8, [in]; add.u64 %d8, %d8, %d9; ld.param.u64 %d10, [out]; add.u64 %d10, %d10, %d9;
    mov.u32 %r1, own; add.u32 %r1, %r1, %r9;
    ld.global.b128 %q0, [%d8]; ld.global.b128 %q1, [%d8+16];
    st.shared.b128 [%r1+16], %q0; st.shared.b128 [%r1], %q1;
    ld.shared.b128 %q2, [%r1]; mov.b128 {{%d1, %d2}}, %q2; mov.b128 %q3, {{%d2, %d1}};
    st.global.b128 [%d10], %q3; ld.shared.b128 %q2, [%r1+16]; st.global.b128 [%d10+16], %q2;
    ret;"""
    return harness.entry(name, {"in": "u64", "out": "u64"}, body)


def check_loads(tool):
    inputs = harness.Array("u8", list(DATA))
    cases = [(space, generic) for space in PLACES for generic in (False, True)]
    for space, generic in cases:
        kernels, expected = [], {}
        for kind in TYPES[:-1]:
            name = f"{space}{'Generic' if generic else ''}_{kind}"
            text, results = load_kernel(name, space, generic, kind)
            kernels.append(text)
            expected[name] = results
        module = harness.HEAD + TABLE + "".join(kernels)
        for name, results in expected.items():
            arguments = [inputs, "u8[1024]=0", f"u64[{LANES * len(results)}]=0"]
            if space == "param":
                arguments.append(f"bytes={DATA.hex()}")
            every = name.endswith("32")  # the other types run in one configuration, to save time
            outcome = tool.run(module, name, "1", LANES, arguments, every=every)
            tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
            tool.expect(name, [stored(lane, *one) for lane in range(LANES) for one in results], outcome.arrays[2])
            if space == "global":
                tool.expect(f"{name}: stored", list(DATA), outcome.arrays[1])


def stored(lane, at, kind, size):
    """What the lane's store of a register leaves in 8 zeroed bytes."""
    width = bits_of(kind) // 8
    start = lane * BYTES + at
    return value(kind, DATA[start : start + width]) & (1 << size) - 1


def check_quads(tool):
    arguments = [harness.Array("u8", list(DATA)), "u8[1024]=0"]
    outcome = tool.run(harness.HEAD + quad_kernel("quads"), "quads", "1", LANES, arguments)
    expected = []
    for lane in range(LANES):
        low, high = DATA[32 * lane :][:16], DATA[32 * lane + 16 :][:16]
        expected += high[8:] + high[:8] + low
    tool.expect("quads", expected, outcome.arrays[1])


def modules():
    """The PTX that this test runs, for the check that every row has a case."""
    for space in PLACES:
        for kind in TYPES[:-1]:
            yield load_kernel("k", space, False, kind)[0]
            yield load_kernel("k", space, True, kind)[0]
    yield quad_kernel("k")


def main():
    tool = harness.Tool(sys.argv[1])
    check_loads(tool)
    check_quads(tool)
    sys.exit(tool.finish("load_store"))


if __name__ == "__main__":
    main()
