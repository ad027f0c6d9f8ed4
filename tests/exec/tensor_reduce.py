"""Reductions of tensors, by every operation for every type of elements: those that there are against Python, the others, and maps and
boxes that are wrong, are faults that say so. (Which there are, and what an H100 refuses, was measured: tests/tma.)"""

import operator
import random
import struct
import sys

import harness

COLUMNS, ROWS = 16, 4
COUNT = COLUMNS * ROWS
UNSIGNED, SIGNED, FLOAT = "add min max and or xor".split(), "min max".split(), ["add"]
# Name, number in a map, bytes, what there is.
TYPES = [
    ("u8", 0, 1, []), ("u16", 1, 2, []), ("u32", 2, 4, [*UNSIGNED, "inc", "dec"]), ("s32", 3, 4, UNSIGNED), ("u64", 4, 8, UNSIGNED),
    ("s64", 5, 8, SIGNED), ("f16", 6, 2, [*FLOAT, *SIGNED]), ("f32", 7, 4, FLOAT), ("f32.ftz", 8, 4, FLOAT), ("f64", 9, 8, FLOAT),
    ("bf16", 10, 2, [*FLOAT, *SIGNED]), ("tf32", 11, 4, FLOAT), ("tf32.ftz", 12, 4, FLOAT),
]  # fmt: skip
OPERATIONS = {
    "add": operator.add, "min": min, "max": max, "and": operator.and_, "or": operator.or_, "xor": operator.xor,
    "inc": lambda a, b: 0 if a >= b else a + 1, "dec": lambda a, b: b if a == 0 or a > b else a - 1,
}  # fmt: skip
CODES = {"u8": "B", "u16": "H", "u32": "I", "s32": "i", "u64": "Q", "s64": "q", "f16": "e", "f64": "d"}


def packed(name, values):
    """The bytes of elements; of bf16 the upper halves of floats."""
    code = CODES.get(name.partition(".")[0], "f")
    each = [struct.pack("<" + code, value) for value in values]
    return b"".join(one[2:] if name == "bf16" else one for one in each)


def kernel(size, number, instruction, before="", place="%d2", stride=None):
    """One lane makes a map of the tensor, and executes the instruction with the box in shared memory: {place}, {box}, {bar}."""
    fields = [("rank", "", "1"), ("elemtype", "", str(number))]
    lines = [".shared .align 128 .b8 box[512]; .shared .align 8 .b64 bar;"]
    lines += ["ld.param.u64 %d1, [data]; ld.param.u64 %d2, [map]; ld.param.u64 %d3, [source]; mov.u32 %r1, %tid.x;"]
    lines += ["mul.wide.u32 %d4, %r1, 16; add.u64 %d3, %d3, %d4; mov.u32 %r2, box; mad.lo.u32 %r3, %r1, 16, %r2; mov.u32 %r4, bar;"]
    lines += ["ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%d3]; st.shared.v4.b32 [%r3], {%r10, %r11, %r12, %r13}; bar.warp.sync 0xffffffff;"]
    lines += [f"setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE; mov.b32 %r5, {COLUMNS}; mov.b32 %r6, {ROWS}; mov.b32 %r7, 1;"]
    lines += [f"mov.b64 %d5, {stride or COLUMNS * size}; mbarrier.init.shared.b64 [%r4], 1;"]
    lines += ["tensormap.replace.tile.global_address.global.b1024.b64 [%d2], %d1;"]
    for field, index, value in fields + [("interleave_layout", "", "0"), ("swizzle_mode", "", "0"), ("fill_mode", "", "0")]:
        lines.append(f"tensormap.replace.tile.{field}.global.b1024.b32 [%d2]{index}, {value};")
    for field, registers in (("box_dim", "56"), ("global_dim", "56"), ("element_stride", "77")):
        lines += [f"tensormap.replace.tile.{field}.global.b1024.b32 [%d2], {i}, %r{r};" for i, r in enumerate(registers)]
    lines += ["tensormap.replace.tile.global_stride.global.b1024.b64 [%d2], 0, %d5;"]
    lines += ["fence.proxy.tensormap::generic.acquire.gpu [%d2], 128; mov.b32 %r8, 0; mov.b32 %r9, 0;", before]
    lines += [instruction.format(place=place, box="%r2", bar="%r4")]
    lines += ["cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", "DONE: ret;"]
    return harness.HEAD.replace("8.5", "9.0").replace("sm_90", "sm_90a") + harness.entry("reduce", {"data": "u64", "map": "u64", "source": "u64"}, "\n".join(lines))


def launch(tool, text, tensor, source):
    arguments = [harness.Array("u8", list(tensor)), "u8[256]=0", harness.Array("u8", list(source + bytes(512 - len(source))))]
    return tool.run(text, "reduce", 1, 32, arguments, every=False)


def reduction(name):
    return f"cp.reduce.async.bulk.tensor.2d.global.shared::cta.{name}.tile.bulk_group [{{place}}, {{{{%r8, %r9}}}}], [{{box}}];"


def check(tool, source, kind):
    name, number, size, there = kind
    signed = name[0] in "sf" or "f" in name
    for operation, function in OPERATIONS.items():
        a, b = ([source.randint(-9 * (signed and operation not in ("and", "or", "xor")), 9) for _ in range(COUNT)] for _ in range(2))
        before = packed(name, a)
        outcome = launch(tool, kernel(size, number, reduction(operation)), before, packed(name, b))
        where = f"{operation} of {name}"
        if operation not in there:
            refused = outcome.status == 2 and "there is no such reduction of its elements" in outcome.output
            tool.expect(f"{where} is refused", (True, list(before)), (refused, outcome.arrays[0]))
            continue
        tool.expect(f"{where}: exit status", (0, ""), (outcome.status, outcome.output))
        tool.expect(where, list(packed(name, [function(x, y) for x, y in zip(a, b)])), outcome.arrays[0])


STORE = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [{place}, {{%r8, %r9}}], [{box}];"
LOAD = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [{box}], [{place}, {{%r8, %r9}}], [{bar}];"
FLAT = STORE.replace("2d", "1d").replace(", %r9", "")
WRONG = [  # what is done before it, the instruction, another stride, what is said
    ("", STORE.replace("{place}", "%d2+32"), None, "its address is not a multiple of 64"),
    ("cvt.u64.u32 %d6, %r2; cvta.shared.u64 %d6, %d6;", STORE.replace("{place}", "%d6"), None, "it is not in global, constant or parameter memory"),
    ("mov.b32 %r9, -1;", STORE, None, "box at (0, -1) of a tensor of 16 x 4 elements: a box that is stored must not begin before the tensor"),
    ("mov.b32 %r8, 1;", LOAD, None, "box at (1, 0) of a tensor of 16 x 4 elements: it does not begin at a multiple of 16 bytes"),
    ("", FLAT, None, "its tensor has another number of dimensions"),
    ("", STORE, 4096, "out-of-bounds write of 64 bytes, in the box at (0, 0) of a tensor of 16 x 4 elements"),
    ("", LOAD, 4096, "out-of-bounds read of 64 bytes, in the box at (0, 0) of a tensor of 16 x 4 elements"),
    ("mov.u64 %d6, 0; tensormap.replace.tile.global_address.global.b1024.b64 [%d2], %d6;", LOAD, None, "in the box at (0, 0)"),
]  # fmt: skip


def main():
    tool = harness.Tool(sys.argv[1])
    source = random.Random(25)
    for kind in TYPES:
        check(tool, source, kind)
    for before, instruction, stride, said in WRONG:
        outcome = launch(tool, kernel(4, 2, instruction, before, stride=stride), bytes(4 * COUNT), bytes(512))
        tool.expect(f"{said}: found", (2, True), (outcome.status, said in outcome.output))
        if said not in outcome.output:
            print(outcome.output)
    sys.exit(tool.finish("tensor_reduce"))


if __name__ == "__main__":
    main()
