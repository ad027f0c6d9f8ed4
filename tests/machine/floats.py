"""Floating point as machine code: every spelling of the rows of ops.def that compute with it is executed as PTX and as what
ptxas makes of it (--machine-code require), for each GPU of gpus.py, and must leave the same, bit by bit: NaNs, infinities,
subnormal numbers, all roundings. That the PTX rows compute what a GPU does is what tests/vectors measures.

    floats.py WARPLENS [--gpus a100,h100] [SPELLING …]      with spellings, only those

Operands differ from lane to lane; a part of the rows also gets its second operand as a parameter (constant memory) and as a
constant (an immediate). Spellings that ptxas does not take for an architecture are counted and left out."""

import itertools
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "exec"))
import gpus
import harness
import spellings

BLOCK, GRID, GROUP = 64, 6, 40
GPUS = gpus.chosen()
FLOATS = ("f16", "bf16", "f16x2", "bf16x2", "f32", "f64", "tf32", "e4m3x2", "e5m2x2")
SPECIAL = {
    16: [0, 0x8000, 1, 0x8001, 0x3FF, 0x400, 0x83FF, 0x3C00, 0xBC00, 0x3C01, 0x7BFF, 0x7C00, 0xFC00, 0x7C01, 0x7E00, 0xFFFF,
         0x3F80, 0xBF80, 0x7F80, 0x7F81, 0x80, 0x7F, 0x4248, 0xC500, 0x3800],
    32: [0, 0x80000000, 1, 0x80000001, 0x7FFFFF, 0x800000, 0x807FFFFF, 0x3F800000, 0xBF800000, 0x3F800001, 0x3F7FFFFF, 0x7F7FFFFF,
         0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7F800001, 0xFFC12345, 0x7FFFFFFF, 0x40490FDB, 0xC0200000, 0x3F000000, 0x4F000000,
         0x5F000000, 0x4B800001, 0x7E800000, 0x01000000, 0x0C000000, 0x33800000, 0xC2FC0000, 0x477FE000],
    64: [0, 1 << 63, 1, (1 << 63) + 1, (1 << 52) - 1, 1 << 52, 0x3FF << 52, 0xBFF << 52, (0x3FF << 52) + 1, (0x7FF << 52) - 1,
         0x7FF << 52, 0xFFF << 52, (0x7FF << 52) + 1, 0xFFF8 << 48, (0x7FF8 << 48) + 0x12345, (1 << 63) - 1, 0x400921FB54442D18,
         0xC004 << 48, 0x3FE << 52, 0x41DFFFFFFFC00000, 0x41EFFFFFFFE00000, 0x43E << 52, 0x380 << 52, 0x36A << 52, 0x47EFFFFFF << 28,
         0x7FDFFFFFFFFFFFFF, 0x0020000000000001],
}  # fmt: skip


def bits_of(kind):
    if kind.endswith("x2") and kind[0] in "fb":
        return 32
    return {"pred": 1, "e4m3x2": 16, "e5m2x2": 16, "tf32": 32}.get(kind) or max(16, int(re.sub(r"\D", "", kind.replace("b16", "16"))))


def other_rows():
    """(spelling, type of the result, types of the operands) of the OPL rows: halves, set, setp, cvt."""
    text = spellings.ROWS.read_text()
    for name, joined, operands in re.findall(r'OPL\((\w+),((?:\s*"[^"]*",?)+?)\s*"(=[^"]*)",', text):
        if not re.search(r"half|^set$|^cvt", name):
            continue
        for spelling in spellings.spellings("".join(re.findall(r'"([^"]*)"', joined))):
            words = spelling.split(".")
            kinds = [w for w in words if re.fullmatch(r"[busf]f?\d+(x2)?|tf32|e[45]m[23]x2", w)]
            kinds = kinds[:2] if words[0] in ("cvt", "set") else kinds[:1]
            second = kinds[-1]
            place = {"t": kinds[0], "t>": kinds[0], "t2": second, "t2>": second, "=t": kinds[0], "=t>": kinds[0]}
            takes = [w.strip() for w in operands.split(",")]
            compares = bool(re.search(r"\.(and|or|xor)\.", spelling))
            wanted = [w for w in takes[1:] if w != "!pred?"]
            to = "pred" if takes[0].startswith("=pred") else place.get(takes[0], takes[0].strip("=>"))
            yield spelling, to, [place.get(w, w.strip(">")) for w in wanted], compares


def all_rows():
    rows = [(s, to, tuple(of), c and ".f" in s) for s, to, of, c in spellings.rows()
            if not spellings.is_newer(s, of)]  # fmt: skip
    rows = [(s, to, of, bool(c and re.search(r"\.(and|or|xor)\.", s))) for s, to, of, c in rows]
    rows += [(s, to, tuple(of), c) for s, to, of, c in other_rows()]
    return [row for row in dict.fromkeys(rows) if not row[0].startswith("machine.")
            and any(kind in FLOATS for kind in (row[1], *row[2]))]  # fmt: skip


def register(kind, letter):
    bits = bits_of(kind)
    return f"%{letter}p" if bits == 1 else f"%{letter}{bits}"


def scope(number, row):
    """One line: the instruction, and what it writes to its slot of 8 bytes."""
    spelling, to, of, compares = row
    sources = [register(kind, letter) for kind, letter in zip(of, "abc")]
    if compares:
        sources.append(("!" if number % 2 else "") + "%cp")
    target, bits = register(to, "d"), bits_of(to)
    both = spelling.startswith("setp") and (number % 3 == 0 or spelling.endswith("x2")) and not re.search(r"\.b?f16$", spelling)
    name = target + ("|%ep" if both else "")
    shown = "selp.b32 %d32, 1, 2, %dp;" if bits == 1 else ""
    shown += " selp.b32 %e32, 4, 8, %ep; add.u32 %d32, %d32, %e32;" if both else ""
    stored = 32 if bits == 1 else bits
    store = f"st.global.b{stored} [%po+{8 * number}], %d{stored};"
    return f"{spelling} {name}, {', '.join(sources)}; {shown} {store}\n"


LOADS = {"lanes": "ld.global.u64 %b64, [%pb];", "param": "ld.param.u64 %b64, [kb];", "constant": "mov.u64 %b64, CONSTANT;"}


def module(kind, rows, constant, arch):
    loads = LOADS[kind].replace("CONSTANT", hex(constant))
    scopes = "".join(scope(number, row) for number, row in enumerate(rows))
    words = "".join(f"cvt.u32.u64 %{r}32, %{r}64; cvt.u16.u64 %{r}16, %{r}64; " for r in "abc")
    return f"""{gpus.head(arch)}
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 po, .param .u64 kb)
{{
.reg .b16 %a16, %b16, %c16, %d16; .reg .b32 %a32, %b32, %c32, %d32, %e32, %id; .reg .pred %ap, %bp, %cp, %dp, %ep;
.reg .b64 %a64, %b64, %c64, %d64, %pa, %pb, %pc, %po, %ix;
ld.param.u64 %pa, [pa]; ld.param.u64 %pb, [pb]; ld.param.u64 %pc, [pc]; ld.param.u64 %po, [po];
mov.u32 %id, %ctaid.x; mov.u32 %e32, %tid.x; mad.lo.u32 %id, %id, {BLOCK}, %e32;
mul.wide.u32 %ix, %id, 8; add.u64 %pa, %pa, %ix; add.u64 %pb, %pb, %ix; add.u64 %pc, %pc, %ix;
mad.wide.u32 %po, %id, {8 * len(rows)}, %po;
ld.global.u64 %a64, [%pa]; {loads} ld.global.u64 %c64, [%pc];
{words} and.b32 %e32, %c32, 1; setp.ne.u32 %cp, %e32, 0;
{scopes}ret;
}}
"""


def number(source, bits):
    """A special value, one near 1, a small whole number or a half, or any bits."""
    if bits <= 16:
        kind = source.randrange(3)
        return source.choice(SPECIAL[16]) if kind else source.getrandbits(16)
    kind = source.randrange(8)
    pack = ("<f", "<I") if bits == 32 else ("<d", "<Q")
    if kind < 4:
        return source.choice(SPECIAL[bits])
    if kind < 6:
        value = source.uniform(-4, 4) if kind == 4 else source.randrange(-600, 600) / 2
        return struct.unpack(pack[1], struct.pack(pack[0], value))[0]
    return source.getrandbits(bits)


def operand(source, kind):
    if kind.endswith("x2") and bits_of(kind) == 32:
        return number(source, 16) | number(source, 16) << 16 | source.getrandbits(32) << 32
    if kind[0] in "us" and source.random() < 0.5:
        value = source.randrange(-70000, 70000) if source.random() < 0.5 else source.getrandbits(64)
        return value & (1 << 64) - 1
    bits = max(16, bits_of(kind)) if kind != "pred" else 32
    return number(source, bits) | (source.getrandbits(64) << bits & (1 << 64) - 1)


def taken(rows, arch):
    """Those that ptxas takes for the architecture."""
    left = list(rows)
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "x.ptx"
        while left:
            source.write_text(text := module("lanes", left, 0, arch))
            command = ["ptxas", "-O0", f"-arch=sm_{arch}", source, "-o", "/dev/null"]
            said = subprocess.run(command, text=True, capture_output=True)
            before = text[: text.index(scope(0, left[0]))].count("\n")
            wrong = {int(line) - before - 1 for line in re.findall(r"line (\d+); error", said.stderr)}
            if not wrong:
                return left
            left = [row for place, row in enumerate(left) if place not in wrong]
    return left


def compare(tool, kind, rows, constant, gpu):
    """Runs rows both ways; where that is not possible, halves of them."""
    text = module(kind, rows, constant, GPUS[gpu])
    source = random.Random(f"{rows[0]} {kind}")
    kinds = (*rows[0][2], "u32", "u32", "u32")[:3]
    inputs = [harness.Array("u64", [operand(source, of) for _ in range(GRID * BLOCK)]) for of in kinds]
    results = harness.Array("u64", [0] * (GRID * BLOCK * len(rows)))
    arguments = [*inputs, results, f"u64={constant}"]
    outcomes = [
        tool.run(text, "k", GRID, BLOCK, arguments, ["--gpu", gpu, "--machine-code", use], every=False)
        for use in ("off", "require")
    ]
    if any(outcome.status for outcome in outcomes) and len(rows) > 1:
        for half in (rows[: len(rows) // 2], rows[len(rows) // 2 :]):
            compare(tool, kind, half, constant, gpu)
        return
    if any(outcome.status for outcome in outcomes):
        tool.fail(f"{rows[0][0]}, {kind}, {gpu}: {''.join(outcome.output for outcome in outcomes).strip()}")
        return
    words, others = (outcome.arrays[3] for outcome in outcomes)
    for place, row in enumerate(rows):
        wrong = [thread for thread in range(GRID * BLOCK) if words[thread * len(rows) + place] != others[thread * len(rows) + place]]
        if wrong:
            at = wrong[0] * len(rows) + place
            values = [hex(array.values[wrong[0]]) for array in inputs]
            tool.fail(f"{row[0]}, {kind} {constant:#x}, {gpu}: {len(wrong)} of {GRID * BLOCK}, {values}: {words[at]:#x},"
                      f" as machine code {others[at]:#x}")  # fmt: skip


def main():
    if not shutil.which("ptxas") or not shutil.which("nvdisasm"):
        print("skipped: there is no ptxas, or no nvdisasm")
        sys.exit(77)
    tool = harness.Tool(sys.argv[1])
    asked = sys.argv[2:]
    rows = [row for row in all_rows() if not asked or row[0] in asked]
    done = 0
    for gpu, arch in GPUS.items():
        known = taken(rows, arch)
        done += len(known)
        print(f"sm_{arch}: {len(known)} of {len(rows)} spellings; ptxas does not take the others")
        for _, group in itertools.groupby(sorted(known, key=lambda row: row[2]), lambda row: row[2]):
            group = list(group)
            for count, start in enumerate(range(0, len(group), GROUP)):
                part = group[start : start + GROUP]
                source = random.Random(start)
                constant = operand(source, part[0][2][min(1, len(part[0][2]) - 1)])
                kinds = LOADS if asked else ["lanes", ("param", "constant")[(count + arch) % 2]]
                for kind in kinds if len(part[0][2]) > 1 else ["lanes"]:
                    # of a constant divisor ptxas knows the reciprocal, without its unit's error
                    some = [row for row in part if kind != "constant" or not re.search(r"approx|full", row[0])]
                    if some:
                        compare(tool, kind, some, constant, gpu)
        # nvdisasm writes a NaN without its bits: FSEL moves them
        for row in (row for row in known if row[0] == "selp.f32"):
            for constant in (0x7FC00000, 0xFFC12345, 0x7F800001, 0x7FFFFFFF):
                compare(tool, "constant", [row], constant, gpu)
    if not done:
        tool.fail("nothing was compared")
    sys.exit(tool.finish("floats"))


if __name__ == "__main__":
    main()
