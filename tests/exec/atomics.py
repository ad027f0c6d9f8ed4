"""Atomics and reductions of every operation and type, in shared and global memory: what they return and
leave, lane after lane in one warp; and sums, maxima and tickets under contention of many blocks."""

import random
import struct
import sys

import harness

LANES, BLOCKS, THREADS = 32, 64, 256
OPERATIONS = [(op, kind) for op in ("and", "or", "xor", "exch") for kind in ("b32", "b64")]
OPERATIONS += [(op, kind) for op in ("min", "max") for kind in ("u32", "s32", "u64", "s64")]
OPERATIONS += [("add", "u32"), ("add", "s32"), ("add", "u64"), ("inc", "u32"), ("dec", "u32")]
OPERATIONS += [("cas", kind) for kind in ("b16", "b32", "b64")]
RANDOM = random.Random(3)


def combine(op, kind, old, b, c):
    bits = int(kind[1:])
    mask = (1 << bits) - 1
    if op == "cas":
        return c & mask if old == b & mask else old
    b &= mask

    def key(v):
        return v - (1 << bits) if kind[0] == "s" and v >> (bits - 1) else v

    return {
        "and": old & b, "or": old | b, "xor": old ^ b, "exch": b, "add": old + b,
        "min": min(old, b, key=key), "max": max(old, b, key=key),
        "inc": 0 if old >= b else old + 1, "dec": b if old == 0 or old > b else old - 1,
    }[op] & mask  # fmt: skip


def register(kind, number):
    return {"16": "%h", "32": "%r", "64": "%d"}[kind[1:]] + str(number)


def kernel(space, reduces):
    """Every operation on a word of its own, at 16 bytes times its number."""
    body = f".shared .align 16 .b8 own[{16 * len(OPERATIONS)}];\n" if space == "shared" else ""
    body += "ld.param.u64 %d1, [words]; ld.param.u64 %d2, [in]; ld.param.u64 %d3, [out]; mov.u32 %r1, %tid.x;\n"
    body += "mad.wide.u32 %d2, %r1, 16, %d2; ld.global.u64 %d4, [%d2]; ld.global.u64 %d5, [%d2+8];\n"
    body += "cvt.u32.u64 %r4, %d4; cvt.u32.u64 %r5, %d5; cvt.u16.u64 %h4, %d4; cvt.u16.u64 %h5, %d5;\n"
    body += f"mad.wide.u32 %d3, %r1, {8 * len(OPERATIONS)}, %d3;\nmov.u32 %r20, own;\n" if space == "shared" else (
        f"mad.wide.u32 %d3, %r1, {8 * len(OPERATIONS)}, %d3;\n")  # fmt: skip
    base = "%r20" if space == "shared" else "%d1"
    if space == "shared":  # lane 0 copies the words in, and out again
        for i in range(len(OPERATIONS)):
            body += f"ld.global.u64 %d6, [%d1+{16 * i}]; st.shared.u64 [%r20+{16 * i}], %d6;\n"
    for i, (op, kind) in enumerate(OPERATIONS):
        at, b, c = f"[{base}+{16 * i}]", register(kind, 4), f", {register(kind, 5)}" if op == "cas" else ""
        if reduces and op not in ("cas", "exch"):
            body += f"red.{space}.{op}.{kind} {at}, {b};\n"
        else:
            size = kind[1:]
            body += f"atom.{space}.{op}.{kind} {register(kind, 8)}, {at}, {b}{c};\n"
            body += f"st.global.b{size} [%d3+{8 * i}], {register(kind, 8)};\n"
    if space == "shared":
        for i in range(len(OPERATIONS)):
            body += f"ld.shared.u64 %d6, [%r20+{16 * i}]; st.global.u64 [%d1+{16 * i}], %d6;\n"
    name = f"{space}{'Red' if reduces else ''}"
    return name, harness.entry(name, {"words": "u64", "in": "u64", "out": "u64"}, body + "ret;")


def check_one_warp(tool, space, reduces):
    name, text = kernel(space, reduces)
    operands = [RANDOM.choice([RANDOM.getrandbits(64), RANDOM.randrange(4)]) for _ in range(2 * LANES)]
    words = [RANDOM.choice([RANDOM.getrandbits(64), 0, 3]) for _ in range(2 * len(OPERATIONS))]
    arguments = [harness.Array("u64", words), harness.Array("u64", operands)]
    arguments += [f"u64[{LANES * len(OPERATIONS)}]=0"]
    outcome = tool.run(harness.HEAD + text, name, 1, LANES, arguments)
    returned, left = [0] * (LANES * len(OPERATIONS)), list(words)
    for i, (op, kind) in enumerate(OPERATIONS):
        mask = (1 << int(kind[1:])) - 1
        for lane in range(LANES):
            old = left[2 * i] & mask
            if not reduces or op in ("cas", "exch"):
                returned[lane * len(OPERATIONS) + i] = old
            new = combine(op, kind, old, operands[2 * lane], operands[2 * lane + 1])
            left[2 * i] = left[2 * i] & ~mask | new
    tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
    tool.expect(f"{name}: returned", returned, outcome.arrays[2])
    tool.expect(f"{name}: left", left, outcome.arrays[0])


def contention():
    body = """
    .shared .align 4 .b8 own[8];
    ld.param.u64 %d1, [words]; ld.param.u64 %d2, [tickets]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1;
    atom.global.add.u32 %r5, [%d1], 1; mad.wide.u32 %d3, %r5, 4, %d2; st.global.u32 [%d3], 1;
    red.global.max.u32 [%d1+8], %r4; cvt.u64.u32 %d4, %r4; red.global.add.u64 [%d1+16], %d4;
    red.relaxed.gpu.global.inc.u32 [%d1+24], 999; cvt.rn.f32.u32 %f1, 1; red.global.add.f32 [%d1+32], %f1;
    cvt.rn.f64.u32 %g1, %r1; red.global.add.f64 [%d1+40], %g1; red.shared.add.u32 [own], %r1; bar.sync 0;
    setp.ne.u32 %p1, %r1, 0; ld.shared.u32 %r6, [own];
    @!%p1 atom.acq_rel.gpu.global.add.u32 %r7, [%d1+48], %r6; ret;"""
    return harness.entry("contention", {"words": "u64", "tickets": "u64"}, body)


def check_contention(tool):
    count = BLOCKS * THREADS
    arguments = ["u32[14]=0", f"u32[{count}]=0"]
    module = harness.HEAD + contention()
    outcome = tool.run(module, "contention", BLOCKS, THREADS, arguments, varies=True)  # tickets do
    sums = BLOCKS * sum(range(THREADS))
    wide = sum(range(count))
    f32 = int.from_bytes(struct.pack("<f", count), "little")
    f64 = int.from_bytes(struct.pack("<d", sums), "little")
    words = [count, 0, count - 1, 0, wide & 0xFFFFFFFF, wide >> 32, count % 1000, 0, f32, 0]
    words += [f64 & 0xFFFFFFFF, f64 >> 32, sums, 0]
    tool.expect("contention: words", words, outcome.arrays[0])
    tool.expect("contention: every ticket once", [1] * count, outcome.arrays[1])


def main():
    tool = harness.Tool(sys.argv[1])
    for space in ("global", "shared"):
        for reduces in (False, True):
            check_one_warp(tool, space, reduces)
    check_contention(tool)
    sys.exit(tool.finish("atomics"))


if __name__ == "__main__":
    main()
