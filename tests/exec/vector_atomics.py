"""atom and red on vectors in global memory: each element as its own atomic, lanes in their order, and the
sectors of all bytes. Values are small whole numbers, which every type holds exactly.

    vector_atomics.py WARPLENS"""

import random
import struct
import sys

import harness

LANES, PLACES = 32, 16  # two lanes at each place
RANDOM = random.Random(3)
# (operation, type, elements of a vector)
CASES = [("add", "f32", n) for n in (2, 4)]
CASES += [(op, kind, n) for op in ("add", "min", "max") for kind in ("f16", "bf16") for n in (2, 4, 8)]
CASES += [(op, kind, n) for op in ("add", "min", "max") for kind in ("f16x2", "bf16x2") for n in (2, 4)]


def bits(kind, number):
    if kind.startswith("f16"):
        return int.from_bytes(struct.pack("<e", number), "little")
    word = int.from_bytes(struct.pack("<f", number), "little")
    return word >> 16 if kind.startswith("bf16") else word


def kernel(op, kind, count, space):
    """Old values of atom, then red on a copy of the places."""
    letter, size = ("f", 32) if kind == "f32" else ("h", 16) if kind in ("f16", "bf16") else ("r", 32)
    width, noftz = count * size // 8, "" if kind == "f32" else ".noftz"
    vector = "{" + ", ".join(f"%{letter}{10 + i}" for i in range(count)) + "}"
    old = "{" + ", ".join(f"%{letter}{20 + i}" for i in range(count)) + "}"
    body = "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [in]; ld.param.u64 %d2, [places]; ld.param.u64 %d3, [old];\n"
    body += f"mad.wide.u32 %d1, %r1, {width}, %d1; mad.wide.u32 %d3, %r1, {width}, %d3;\n"
    body += f"and.b32 %r2, %r1, {PLACES - 1}; mad.wide.u32 %d2, %r2, {width}, %d2;\n"
    for i in range(count):
        body += f"ld.global.b{size} %{letter}{10 + i}, [%d1+{i * size // 8}];\n"
    body += f"atom{space}.{op}{noftz}.v{count}.{kind} {old}, [%d2], {vector};\n"
    body += f"red.relaxed.gpu{space}.{op}{noftz}.v{count}.{kind} [%d2+{PLACES * width}], {vector};\n"
    for i in range(count):
        body += f"st.global.b{size} [%d3+{i * size // 8}], %{letter}{20 + i};\n"
    return harness.entry("k", {"in": "u64", "places": "u64", "old": "u64"}, body + "ret;"), width


def check(tool, op, kind, count, space):
    per_lane = count * (2 if kind.endswith("x2") else 1)
    start = [RANDOM.randrange(-40, 40) for _ in range(PLACES * per_lane)]
    given = [RANDOM.randrange(-40, 40) for _ in range(LANES * per_lane)]
    left, old = list(start), []
    for lane in range(LANES):
        for i in range(per_lane):
            at = lane % PLACES * per_lane + i
            a, b = left[at], given[lane * per_lane + i]
            old.append(a)
            left[at] = {"add": a + b, "min": min(a, b), "max": max(a, b)}[op]
    word = "u32" if kind == "f32" else "u16"

    def packed(numbers):
        return [bits(kind, number) for number in numbers]

    text, width = kernel(op, kind, count, space)
    arguments = [harness.Array(word, packed(given)), harness.Array(word, packed(start) * 2), f"{word}[{len(given)}]=0"]
    outcome = tool.run(harness.HEAD + text, "k", 1, LANES, arguments)
    what = f"{op} of {count} {kind}{space}"
    tool.expect(f"{what}: exit status", (0, ""), (outcome.status, outcome.output))
    tool.expect(f"{what}: old values", packed(old), outcome.arrays[2])
    tool.expect(f"{what}: places", packed(left) * 2, outcome.arrays[1])
    sectors = {"requests": 1, "lanes": LANES, "sectors": PLACES * width // 32, "wavefronts": 0}
    for name in ("atom", "red."):
        counters = outcome.counters(name)
        tool.expect(f"{what}: counters of {name}", sectors, {key: counters[key] for key in sectors})


def check_faults(tool):
    """A vector has its own alignment, and shared memory has no such atomics."""
    body = "ld.param.u64 %d1, [in]; red.global.add.v4.f32 [%d1+8], {%f1, %f2, %f3, %f4}; ret;"
    outcome = tool.run(harness.HEAD + harness.entry("k", {"in": "u64"}, body), "k", 1, 1, ["f32[8]=0"])
    tool.expect("misaligned", (2, True), (outcome.status, "misaligned" in outcome.output))
    body = """.shared .align 16 .b8 own[16];
    mov.u32 %r1, own; cvt.u64.u32 %d1, %r1; cvta.shared.u64 %d1, %d1; red.add.v2.f32 [%d1], {%f1, %f2}; ret;"""
    outcome = tool.run(harness.HEAD + harness.entry("k", {"in": "u64"}, body), "k", 1, 1, ["f32[8]=0"])
    tool.expect("shared", (2, True), (outcome.status, "outside of global memory" in outcome.output))


def main():
    tool = harness.Tool(sys.argv[1])
    for case in CASES:
        for space in (".global", ""):
            check(tool, *case, space)
    check_faults(tool)
    sys.exit(tool.finish("vector_atomics"))


if __name__ == "__main__":
    main()
