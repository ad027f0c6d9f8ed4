"""Asynchronous copies and mbarriers against the answers of an H100.

    check.py WARPLENS           runs every case and compares a digest of what it leaves with h100.txt
    check.py --write FOLDER     writes cases.ptx, cases.txt and cases.bin, which probe.c runs on a GPU
    check.py --digest OUT.BIN   prints h100.txt, from what probe.c left

A case is a kernel with two pages of 4096 bytes: `in` is read, `out` is changed. Reductions combine them element
by element; operands are pairs of special values, then random ones."""

import itertools
import pathlib
import random
import struct
import sys
import zlib

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "exec"))
import harness  # noqa: E402

PAGE = 4096
F16 = [0x0000, 0x8000, 0x0001, 0x8001, 0x03FF, 0x83FF, 0x0400, 0x8400, 0x3C00, 0xBC00, 0x3C01, 0x1400, 0x1001, 0x0FFF,
       0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7C01, 0x7DFF, 0x7E00, 0xFE00, 0xFFFF, 0x7FFF, 0xFC01, 0x4C00, 0x5BFF, 0xD800]  # fmt: skip
BF16 = [0x0000, 0x8000, 0x0001, 0x8001, 0x007F, 0x807F, 0x0080, 0x8080, 0x3F80, 0xBF80, 0x3F81, 0x3B80, 0x3B7F, 0x3C00,
        0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7F81, 0x7FBF, 0x7FC0, 0xFFC0, 0xFFFF, 0x7FFF, 0xFF81, 0x4300, 0x4380, 0xC380]  # fmt: skip
F32 = [0, 1 << 31, 1, 0x80000001, 0x007FFFFF, 0x807FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000, 0x33800000,
       0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0x7FC00000, 0xFFC00001, 0x7FFFFFFF, 0xFFFFFFFF]  # fmt: skip
F64 = [bits << 32 | bits & 1 for bits in F32[:6]] + [0x3FF << 52, 0xBFF << 52, 0x3CA << 52, 0x7FEFFFFFFFFFFFFF,
       0x7FF << 52, 0xFFF << 52, 0x7FF0000000000001, 0x7FF8000000000000, 0xFFF8000000000123, 0xFFFFFFFFFFFFFFFF]  # fmt: skip
INTEGER = [0, 1, 5, 6, 7, 0x7F, 0x80, (1 << 31) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
SPECIAL = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}

GLOBAL = [f"{op}.{kind}" for op, kinds in (("and", "b32 b64"), ("or", "b32 b64"), ("xor", "b32 b64"), ("add", "u32 s32 u64 f32 f64"),
          ("add.noftz", "f16 bf16"), ("min", "u32 s32 u64 s64 f16 bf16"), ("max", "u32 s32 u64 s64 f16 bf16"),
          ("inc", "u32"), ("dec", "u32")) for kind in kinds.split()]  # fmt: skip
SHARED = [f"{op}.{kind}" for op, kinds in (("and", "b32"), ("or", "b32"), ("xor", "b32"), ("add", "u32 s32 u64"),
          ("min", "u32 s32"), ("max", "u32 s32"), ("inc", "u32"), ("dec", "u32")) for kind in kinds.split()]  # fmt: skip
STORES = ["b32", "u64", "v2.f32", "v4.s32", "v2.b64"]

TILE = """
    .shared .align 128 .b8 tile[4096];
    .shared .align 128 .b8 other[4096];
    .shared .align 8 .b8 object[8];
    ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r1, %tid.x; mov.u32 %r3, tile; mov.u32 %r4, other;
    setp.ne.u32 %p1, %r1, 0; mov.u32 %r8, object;
    @!%p1 mbarrier.init.shared::cta.b64 [object], 1;
    mov.u32 %r5, %r1;
fill: mad.wide.u32 %d3, %r5, 4, %d1; ld.global.u32 %r6, [%d3]; mad.lo.u32 %r7, %r5, 4, %r3; st.shared.u32 [%r7], %r6;
    mad.wide.u32 %d3, %r5, 4, %d2; ld.global.u32 %r6, [%d3]; mad.lo.u32 %r7, %r5, 4, %r4; st.shared.u32 [%r7], %r6;
    add.u32 %r5, %r5, 128; setp.lt.u32 %p2, %r5, 1024;
    @%p2 bra fill;
    fence.mbarrier_init.release.cluster; fence.proxy.async; bar.sync 0;
"""
TO_GLOBAL = TILE + """
    @%p1 bra end;
    cp.reduce.async.bulk.global.shared::cta.bulk_group.{0} [%d2], [tile], 4096;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
end: ret;"""  # fmt: skip
BACK = """
wait: mbarrier.try_wait.parity.shared::cta.b64 %p9, [object], 0;
    @!%p9 bra wait;
    fence.proxy.async; cp.async.bulk.global.shared::cta.bulk_group [%d2], [other], 4096;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
end: ret;"""
TO_SHARED = TILE + """
    @%p1 bra end;
    mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 4096;
    cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.{0} [other], [tile], 4096, [object];
""" + BACK  # fmt: skip


def store(kind):
    """Thread 0 stores values of `in` to every other place of `other`."""
    bits, count = int(kind[-2:]), int(kind[1]) if kind[0] == "v" else 1
    size, reg = bits // 8 * count, "%r" if bits == 32 else "%d"
    lines = [TILE, "@%p1 bra end;", f"mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], {8 * size};"]
    for i in range(8):
        names = [f"{reg}{20 + 4 * i + j}" for j in range(count)]
        lines += [f"ld.shared.b{bits} {name}, [%r3+{size * i + bits // 8 * j}];" for j, name in enumerate(names)]
        value = f"{{{', '.join(names)}}}" if count > 1 else names[0]
        lines.append(f"st.async.shared::cluster.mbarrier::complete_tx::bytes.{kind} [%r4+{2 * size * i}], {value}, [%r8];")
    return "\n".join(lines).replace("f32 %r", "b32 %r") + BACK


# Steps on an mbarrier, by one thread. After each, the parities that are over; of what gives a state, its pending count.
STEPS = """
    mbarrier.init.shared::cta.b64 [object], 3;
    S mbarrier.arrive.shared::cta.b64 %d9, [object];
    S mbarrier.arrive.expect_tx.shared::cta.b64 %d9, [object], 96;
    X mbarrier.complete_tx.shared::cta.b64 [object], 32;
    S mbarrier.arrive.shared::cta.b64 %d9, [object];
    X mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 16;
    X mbarrier.complete_tx.shared::cta.b64 [object], 64;
    X mbarrier.complete_tx.shared::cta.b64 [object], 16;
    X mbarrier.complete_tx.shared::cta.b64 [object], 40;
    S mbarrier.arrive.shared::cta.b64 %d9, [object], 2;
    S mbarrier.arrive.shared::cta.b64 %d9, [object];
    X mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 40;
    S mbarrier.arrive_drop.shared::cta.b64 %d9, [object];
    S mbarrier.arrive_drop.expect_tx.shared::cta.b64 %d9, [object], 1048575;
    S mbarrier.arrive.shared::cta.b64 %d9, [object];
    X mbarrier.complete_tx.shared::cta.b64 [object], 1048575;
    X mbarrier.complete_tx.shared::cta.b64 [object], 8;
    S mbarrier.arrive.noComplete.shared::cta.b64 %d9, [object], 1;
    X mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 8;
    mbarrier.inval.shared::cta.b64 [object];
    mbarrier.init.shared::cta.b64 [object], 1048575;
    S mbarrier.arrive.shared::cta.b64 %d9, [object], 1048574;
    S mbarrier.arrive_drop.shared::cta.b64 %d9, [object], 1;
    S mbarrier.arrive.shared::cta.b64 %d9, [object], 1048574;
    mbarrier.inval.shared::cta.b64 [object];
    mbarrier.init.shared::cta.b64 [object], 1;
    S mbarrier.arrive_drop.shared::cta.b64 %d9, [object];
    X mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 8;
    X mbarrier.complete_tx.shared::cta.b64 [object], 8;
"""


def states():
    lines, at = [".shared .align 8 .b8 object[8];\nld.param.u64 %d2, [out];"], 0
    for step in STEPS.strip().splitlines():
        kind, _, insn = step.strip().partition(" ")
        if kind not in "SX":
            lines.append(step)
            continue
        lines.append(insn)
        for parity in (0, 1):
            lines.append(f"mbarrier.test_wait.parity.shared::cta.b64 %p1, [object], {parity}; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d2+{at + 4 * parity}], %r1;")
        if kind == "S":
            lines.append(f"mbarrier.pending_count.b64 %r1, %d9; st.global.u32 [%d2+{at + 8}], %r1;")
            lines.append(f"mbarrier.test_wait.shared::cta.b64 %p1, [object], %d9; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d2+{at + 12}], %r1;")
        at += 16
    return "\n".join(lines) + "\nret;"


def cases():
    """(name, body, threads, type of the elements)"""
    for spelling in GLOBAL:
        yield "global_" + spelling.replace(".", "_"), TO_GLOBAL.replace("{0}", spelling), 128, spelling.split(".")[-1]
    for spelling in SHARED:
        yield "shared_" + spelling.replace(".", "_"), TO_SHARED.replace("{0}", spelling), 128, spelling.split(".")[-1]
    for kind in STORES:
        yield "store_" + kind.replace(".", "_"), store(kind), 128, "b32"
    yield "states", states(), 1, "u32"


def module():
    text = harness.HEAD.replace("8.5", "8.6")
    return text + "".join(harness.entry(name, {"in": "u64", "out": "u64"}, body, "", ".reqnctapercluster 1") for name, body, _, _ in cases())


def operands(name, kind):
    """Bytes of `in` and of `out`: each pair of special values, then random ones."""
    bits = 16 if kind.endswith("16") else int(kind[-2:])
    count = PAGE * 8 // bits
    source = random.Random(name)
    special = [value for value in SPECIAL.get(kind, INTEGER) if value < 1 << bits]
    pairs = list(itertools.product(special, special))[:count]
    while len(pairs) < count:
        pairs.append((source.getrandbits(bits), source.getrandbits(bits)))
    form = f"<{count}{ {16: 'H', 32: 'I', 64: 'Q'}[bits]}"
    return [struct.pack(form, *column) for column in zip(*pairs)]


def digest(page):
    return f"{zlib.crc32(page):08x}"


def write(folder):
    folder.mkdir(exist_ok=True)
    (folder / "cases.ptx").write_text(module())
    (folder / "cases.txt").write_text("".join(f"{name} {threads}\n" for name, _, threads, _ in cases()))
    (folder / "cases.bin").write_bytes(b"".join(b"".join(operands(name, kind)) for name, _, _, kind in cases()))


def print_digests(path):
    pages = path.read_bytes()
    print("# Digests (CRC-32) of what an H100 left; made by check.py --digest from the output of probe.c.")
    for number, (name, _, _, _) in enumerate(cases()):
        print(name, digest(pages[PAGE * number : PAGE * (number + 1)]))


def main():
    if sys.argv[1] == "--write":
        return write(pathlib.Path(sys.argv[2]))
    if sys.argv[1] == "--digest":
        return print_digests(pathlib.Path(sys.argv[2]))
    tool = harness.Tool(sys.argv[1])
    lines = (HERE / "h100.txt").read_text().splitlines()
    answers = dict(line.split() for line in lines if not line.startswith("#"))
    text = module()
    for name, _, threads, kind in cases():
        words = [harness.Array("u32", list(struct.unpack(f"<{PAGE // 4}I", page))) for page in operands(name, kind)]
        outcome = tool.run(text, name, 1, threads, words, every=False)
        left = outcome.arrays[1]
        page = struct.pack(f"<{PAGE // 4}I", *left) if left else b""
        tool.expect(name, (answers.pop(name, None), ""), (digest(page), outcome.output))
    tool.expect("answers without a case", {}, answers)
    sys.exit(tool.finish("async"))


if __name__ == "__main__":
    main()
