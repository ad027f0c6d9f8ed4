"""Every spelling of the rows of ops.def that compute lane by lane: compiled, it must give what it gives
interpreted, for all lanes, for guarded ones, and for lanes that have parted from the others.

    spellings.py WARPLENS [NUMBER PARTS]     the kernels NUMBER, NUMBER + PARTS …

The interpreter's own results are held against tables and GPUs elsewhere (tests/ops, tests/vectors); here
the engines of harness.py are held against each other. Operands are random bits, small numbers, and the
special values of floating point."""

import itertools
import pathlib
import random
import re
import struct
import sys

import harness

ROWS = pathlib.Path(__file__).resolve().parents[2] / "src/isa/ops.def"
TURNS, THREADS = 48, 32  # the code is compiled after some turns of a loop, again after more
BATCH = 40  # spellings in a kernel
REGISTER = {"pred": "p", "16": "h", "32": "r", "64": "d", "f32": "f", "f64": "g"}
SPECIAL32 = [0, 1, 31, 32, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
             0x7FFFFFFF, 0x00400000, 0x80000001, 0x3F800000, 0xBF800000, 0x4F000000, 0x5F000000]  # fmt: skip
SPECIAL64 = [0, 1, 63, 64, 1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0x7FF << 52, 0xFFF << 52,
             0x7FF8 << 48, 0x7FF4 << 48, 1 << 51, 0x3FF << 52, 0xBFF << 52, 0x41E << 52]  # fmt: skip


def spellings(syntax):
    """add[.{rn,rz}].f32 -> add.f32, add.rn.f32, add.rz.f32; alternatives stand between bars."""
    for alternative in syntax.split(" | "):
        parts = re.findall(r"\[[^]]*\]|\{[^}]*\}|[^[{]+", alternative)
        choices = []
        for part in parts:
            inner = part.strip("[]")
            braces = re.fullmatch(r"(\.?)\{(.*)\}", inner)
            words = [braces[1] + word for word in braces[2].split(",")] if braces else [inner]
            choices.append(words + [""] if part[0] == "[" else words)
        yield from ("".join(words) for words in itertools.product(*choices))


def rows():
    """(spelling, type of the result, types of the operands) of each row that is an expression."""
    for line in ROWS.read_text().splitlines():
        row = re.match(r'(OP[123]|FOP[123]|CMP)\((\w+), "([^"]*)", (.*)', line)
        if not row or row[2].startswith("machine_"):  # not PTX: tests/machine
            continue
        kind, rest = row[1], [word.strip() for word in row[4].split(",")]
        count = 2 if kind == "CMP" else int(kind[-1])
        types = rest[: count + 1] if kind.startswith("OP") else [rest[0]] * (count + 1)
        if kind == "CMP":
            types[0] = "pred"
        for spelling in spellings(row[3]):
            yield spelling, types[0], types[1:], kind == "CMP"


def is_newer(spelling, types):
    """Whether it is of sm_100: minima and maxima of three, pairs of .f32, reductions of .f32."""
    extreme = re.match(r"(min|max)\.(.*\.)?f32$", spelling) and len(types) == 3
    return bool(extreme or spelling.endswith(".f32x2") or re.match(r"redux\..*\.f32$", spelling))


def conversions():
    """As rows() for cvt; an operand of 8 bits, or of half precision, is in a register of 16."""
    text = ROWS.read_text()
    syntax = re.search(r'OPL\(cvt,\s*("[^)]*?"),\s*"=t>', text)[1]
    for spelling in spellings("".join(re.findall(r'"([^"]*)"', syntax))):
        kinds = ["b16" if word in ("u8", "s8", "f16", "bf16") else word for word in spelling.split(".")[-2:]]
        yield spelling, kinds[0], kinds[1:], False


OTHERS = [
    ("lop3.b32", "b32", ["b32", "b32", "b32"], ", 0xe8"),
    ("lop3.b32", "b32", ["b32", "b32", "b32"], ", 0x1b"),
    ("bfi.b32", "b32", ["b32", "b32", "u32", "u32"], ""),
    ("bfi.b64", "b64", ["b64", "b64", "u32", "u32"], ""),
    ("mov.b32", "b32", ["b32"], ""), ("mov.b64", "b64", ["b64"], ""), ("mov.u16", "u16", ["u16"], ""),
    ("mov.pred", "pred", ["pred"], ""), ("and.pred", "pred", ["pred", "pred"], ""),
    ("or.pred", "pred", ["pred", "pred"], ""), ("xor.pred", "pred", ["pred", "pred"], ""),
    ("not.pred", "pred", ["pred"], ""), ("cvta.to.global.u64", "u64", ["u64"], ""),
]  # fmt: skip


def register(kind, number):
    if kind == "f32x2":
        kind = "b64"
    if kind in ("f32", "f64", "pred"):
        return f"%{REGISTER[kind]}{number}"
    return f"%{REGISTER[kind[1:]]}{number}"


def load(kind, number, operand):
    """Reads an operand of the thread in this turn: its words are at %d1 (32 bits), %d2 (64)."""
    if kind == "pred":
        return f"ld.global.u32 %r40, [%d1+{4 * operand}]; and.b32 %r40, %r40, 1; setp.ne.u32 %p{number}, %r40, 0;"
    if kind in ("f64", "b64", "u64", "s64", "f32x2"):
        return f"ld.global.b64 {register(kind, number)}, [%d2+{8 * operand}];"
    bits = "b16" if kind[1:] == "16" else "b32"
    return f"ld.global.{bits} {register(kind, number)}, [%d1+{4 * operand}];"


def hashed(kind, number):
    """Adds a result, whatever its type, to the sum in %d3."""
    name = register(kind, number)
    if kind == "pred":
        made = f"selp.b64 %d20, 77, 3, {name};"
    elif kind == "f32":
        made = f"mov.b32 %r41, {name}; cvt.u64.u32 %d20, %r41;"
    elif kind == "f64":
        made = f"mov.b64 %d20, {name};"
    elif kind[1:] == "16":
        made = f"cvt.u64.u16 %d20, {name};"
    elif kind[1:] == "32":
        made = f"cvt.u64.u32 %d20, {name};"
    else:
        made = f"mov.b64 %d20, {name};"
    return f"{made} mul.lo.u64 %d3, %d3, 6364136223846793005; add.u64 %d3, %d3, %d20;"


def instruction(spelling, to, operands, compares, number):
    """compares: it is a setp; or text, what stands behind the operands."""
    # Each result is at first what it may stay where its lane does not execute.
    lines = [load(kind, 8 + i, i) for i, kind in enumerate(operands)]
    lines.append(load(to, 50, 3))
    arguments = ", ".join(register(kind, 8 + i) for i, kind in enumerate(operands))
    insn = f"{spelling} {register(to, 50)}, {arguments}"
    if isinstance(compares, str):
        insn += compares
    elif compares and re.search(r"\.(and|or|xor)\.", spelling):
        lines.append(load("pred", 12, 2))
        insn += ", !%p12" if number % 2 else ", %p12"
    lines += [f"{insn};", hashed(to, 50), f"@%p1 {insn};", hashed(to, 50), f"@!%p2 {insn};", hashed(to, 50)]
    return lines


def kernel(name, batch):
    """A loop over the batch, by all lanes, then by those for which %p3 holds."""
    body = ["ld.param.u64 %d1, [words]; ld.param.u64 %d2, [longs]; ld.param.u64 %d4, [out];"]
    body += ["mov.u32 %r1, %tid.x; mul.wide.u32 %d5, %r1, 16; add.u64 %d1, %d1, %d5;"]
    body += ["mul.wide.u32 %d5, %r1, 32; add.u64 %d2, %d2, %d5; mul.wide.u32 %d5, %r1, 8;"]
    body += ["add.u64 %d4, %d4, %d5; mov.u64 %d3, 0; mov.u32 %r2, 0;", "LOOP:"]
    body += ["ld.global.u32 %r3, [%d1]; and.b32 %r4, %r3, 4; setp.ne.u32 %p1, %r4, 0;"]
    body += ["and.b32 %r4, %r3, 8; setp.ne.u32 %p2, %r4, 0; and.b32 %r4, %r3, 16; setp.ne.u32 %p3, %r4, 0;"]
    for number, row in enumerate(batch):
        body += instruction(*row, number)
    body += ["@!%p3 bra JOIN;"]
    for number, row in enumerate(batch):
        body += instruction(*row, number)
    body += ["JOIN:", f"add.u64 %d1, %d1, {16 * THREADS}; add.u64 %d2, %d2, {32 * THREADS};"]
    body += [f"add.u32 %r2, %r2, 1; setp.lt.u32 %p5, %r2, {TURNS}; @%p5 bra LOOP;"]
    body += ["st.global.u64 [%d4], %d3; ret;"]
    return harness.entry(name, {"words": "u64", "longs": "u64", "out": "u64"}, "\n".join(body))


def value(source, special, bits):
    kind = source.randrange(4)
    if kind == 0:
        return source.choice(special)
    if kind == 1:
        return source.randrange(64)
    if kind == 2 and bits == 32:
        return struct.unpack("<I", struct.pack("<f", source.uniform(-1000, 1000)))[0]
    if kind == 2:
        return struct.unpack("<Q", struct.pack("<d", source.uniform(-1000, 1000)))[0]
    return source.getrandbits(bits)


def main():
    tool = harness.Tool(sys.argv[1])
    number, parts = map(int, sys.argv[2:4] or (0, 1))
    if harness.JIT and not harness.OTHER:  # LLVM takes the time; that workers share its code is tested by the other models
        harness.CONFIGURATIONS.pop()
    source = random.Random(5)
    words = [value(source, SPECIAL32, 32) for _ in range(4 * THREADS * (TURNS + 1))]
    longs = [value(source, SPECIAL64, 64) for _ in range(4 * THREADS * (TURNS + 1))]
    arguments = [harness.Array("u32", words), harness.Array("u64", longs), f"u64[{THREADS}]=0"]
    listed = itertools.chain(rows(), conversions(), OTHERS)
    listed = list(dict.fromkeys((s, to, tuple(of), c) for s, to, of, c in listed))
    for start in range(number * BATCH, len(listed), parts * BATCH):
        name = f"rows{start}"
        text = harness.HEAD + kernel(name, listed[start : start + BATCH])
        outcome = tool.run(text, name, 1, THREADS, arguments)
        tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
    print(f"{len(listed)} spellings")
    sys.exit(tool.finish("spellings"))


if __name__ == "__main__":
    main()
