"""Floating point: forms.py."""

import functools
import re
from fractions import Fraction

from forms_model import (BF16, F16, F32, F64, M32, M64, Form, Format, Real, add, bits_of, compares, extreme, from_integer, integer_of, multiply, pair_results, real,
                         s32, s64)  # fmt: skip

FORMS, REFUSED = [], []
UNKNOWN = "the form of {}"


def form(arch, text, kind="f32", **results):
    settings = {name: results.pop(name) for name in ("alone", "shorter", "longer", "ignored", "given") if name in results}
    FORMS.append(Form(arch, text, results, kind=kind, **settings))


def refused(arch, why, *texts):
    for text in texts:
        REFUSED.append(Form(arch, text, why=why.format(text)))


def source(text, lane, form=F32, ftz=False):
    """"-|R4|", "1.5", "-RZ": the number in a lane; of F64 that of a pair."""
    minus, name = text.startswith("-"), text.lstrip("-")
    absolute, name = name.startswith("|"), name.strip("|")
    if name == "RZ":
        number = Real("number")
    elif name[0] == "R":
        number = real(lane.pair(int(name[1:])) if form is F64 else lane[name], form, ftz)
    elif "INF" in name:
        number = Real("inf")
    else:
        number = Real("number", False, Fraction(name))
    return (number.absolute() if absolute else number).negate(minus)


def rounding_of(text):
    return next((mode.lower() for mode in ("RZ", "RM", "RP") if f".{mode}" in text), "rn")


def arithmetic(text, lane, format=F32):
    """What FADD, FMUL, FFMA and those of doubles give."""
    opcode, operands = text.split(" ", 1)
    ftz, sat, mode = ".FTZ" in opcode, ".SAT" in opcode, rounding_of(opcode)
    a, b, *c = (source(word, lane, format, ftz) for word in operands.split(", ")[1:])
    if opcode[1:4] == "ADD":
        value = add(a, b, mode)
    elif opcode[1:4] == "MUL":
        value = multiply(a, b)
    else:
        value = add(multiply(a, b), c[0], mode)
    return bits_of(value, format, mode, ftz, sat)


MODES = ["", ".FTZ", ".SAT", ".RZ", ".RM", ".RP.FTZ", ".FTZ.RZ.SAT"]
for mode in MODES:
    for text in (f"FADD{mode} R8, R4, R6", f"FADD{mode} R8, -R4, |R6|", f"FADD{mode} R8, -R4, -R6", f"FMUL{mode} R8, R4, R6", f"FMUL{mode} R8, -R4, R6",
                 f"FMUL{mode} R8, -R4, -R6", f"FFMA{mode} R8, R4, R6, R10", f"FFMA{mode} R8, -R4, R6, R10", f"FFMA{mode} R8, R4, R6, -R10",
                 f"FFMA{mode} R8, -R4, R6, -R10", f"FFMA{mode} R8, R4, -1.5, R10", f"FADD{mode} R8, R4, -RZ"):  # fmt: skip
        form("sm_80", text, R8=lambda l, text=text: arithmetic(text, l))
form("sm_80", "FADD R8, R4, 0x3f800000", R8=lambda l: bits_of(add(real(l[4], F32), real(0x3F800000, F32)), F32))
FORMS.append(Form("sm_80", "DADD R8, R4, 0x3ff80000", pair_results(8, lambda l: bits_of(add(real(l.pair(4), F64), real(0x3FF8 << 48, F64)), F64)), kind="f64"))
refused("sm_80", UNKNOWN, "FADD.FOO R8, R4, R6", "FADD R8, R4")


def scaled(text, lane):
    """The product is scaled before it is rounded."""
    scale = re.search(r"\.([MD])([248])", text)
    factor = Fraction(int(scale[2])) if scale[1] == "M" else Fraction(1, int(scale[2]))
    ftz = ".FTZ" in text
    a, b = (source(word, lane, F32, ftz) for word in text.split(", ")[1:])
    return bits_of(multiply(multiply(a, b), Real("number", False, factor)), F32, rounding_of(text), ftz)


for mode in ("", ".RZ", ".RM", ".RP", ".FTZ"):
    for scale in ("M2", "M4", "M8", "D2", "D4", "D8"):
        text = f"FMUL{mode}.{scale} R8, R4, R6"
        form("sm_80", text, R8=lambda l, text=text: scaled(text, l))
refused("sm_80", "the instruction {}", "FMUL.M2.SAT R8, R4, R6")

for mode in ("", ".RZ", ".RM", ".RP"):
    for text in (f"DADD{mode} R8, R4, -R6", f"DADD{mode} R8, -R4, -R6", f"DADD{mode} R8, -|R4|, |R6|", f"DMUL{mode} R8, R4, -R6", f"DFMA{mode} R8, R4, R6, R10",
                 f"DFMA{mode} R8, -R4, R6, -R10", f"DFMA{mode} R8, R4, 1.5, -R10", f"DADD{mode} R8, -RZ, R4"):  # fmt: skip
        FORMS.append(Form("sm_80", text, pair_results(8, lambda l, text=text: arithmetic(text, l, F64)), kind="f64"))

# ---- smallest and largest ----


def condition_of(name):
    return {"PT": lambda l: True, "!PT": lambda l: False, "P0": lambda l: bool(l["P0"]), "!P0": lambda l: not l["P0"]}[name]


for least in ("PT", "!PT", "P0", "!P0"):
    for mode in ("", ".NAN", ".FTZ", ".FTZ.NAN"):
        holds, ftz, nan = condition_of(least), ".FTZ" in mode, ".NAN" in mode
        pick = lambda l, x, y, holds=holds, nan=nan: extreme(x, y, holds(l), nan)
        form("sm_80", f"FMNMX{mode} R8, R4, -R6, {least}",
             R8=lambda l, pick=pick, ftz=ftz: bits_of(pick(l, source("R4", l, F32, ftz), source("-R6", l, F32, ftz)), F32, ftz=ftz))  # fmt: skip
        form("sm_100", f"FMNMX3{mode} R8, R4, |R6|, R10, {least}",
             R8=lambda l, pick=pick, ftz=ftz: bits_of(pick(l, pick(l, source("R4", l, F32, ftz), source("|R6|", l, F32, ftz)), source("R10", l, F32, ftz)),
                                                      F32, ftz=ftz))  # fmt: skip


def with_signs(l, least):
    """XORSIGN: of the absolute values, with the product of the signs."""
    a, b = real(l[4], F32), real(l[6], F32)
    best = extreme(a.absolute(), b.absolute(), least)
    return bits_of(best, F32) if best.kind == "nan" else bits_of(best.negate((l[4] ^ l[6]) >> 31), F32)


PLAIN = {"R4": [0x3F800000, 0xBF800000, 0x40000000, 0xC0400000] * 8, "R6": [0x3F000000] * 8 + [0xC1000000] * 8 + [0x7F800000] * 8 + [0x80000001] * 8}
for least in ("PT", "!PT"):
    form("sm_80", f"FMNMX.XORSIGN R8, |R4|, |R6|, {least}", R8=lambda l, least=least: with_signs(l, least == "PT"), given=PLAIN)
refused("sm_80", UNKNOWN, "FMNMX.XORSIGN R8, R4, |R6|, PT", "FMNMX.XORSIGN R8, |R4|, R6, PT", "FMNMX.XORSIGN R8, -|R4|, |R6|, PT",
        "FMNMX.XORSIGN R8, |R4|, -|R6|, PT")  # fmt: skip

# ---- selection, comparison ----

form("sm_80", "FSEL R8, R4, R6, P0", R8=lambda l: l[4] if l["P0"] else l[6])
form("sm_80", "FSEL R8, -R4, |R6|, !P0", R8=lambda l: l[6] & 0x7FFFFFFF if l["P0"] else l[4] ^ 1 << 31)
form("sm_80", "FSEL R8, -|R4|, -RZ, P0", R8=lambda l: l[4] | 1 << 31 if l["P0"] else 1 << 31)
form("sm_80", "FSEL R8, R4, R6, PT", R8=lambda l: l[4])
form("sm_80", "FSEL R8, R4, 1.5, !PT", R8=lambda l: 0x3FC00000)
form("sm_80", "FSEL R8, R4, +INF , P0", R8=lambda l: l[4] if l["P0"] else 0x7F800000)
refused("sm_80", UNKNOWN, "FSEL R8, +QNAN , R6, P0", "FSEL R8, R4, -QNAN , P0", "FSEL R8, R4.H0, R6, P0", "FSEL R8, R4, R6.H1, P0")

NAMES = ("LT", "EQ", "LE", "GT", "NE", "GE", "NUM", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "NAN")
JOINED = {"AND": lambda a, b: a and b, "OR": lambda a, b: a or b, "XOR": lambda a, b: a != b}
for name in NAMES:
    for join, condition in (("AND", "PT"), ("OR", "P0"), ("XOR", "!P0"), ("AND", "!P0"), ("OR", "!PT")):
        holds, joined, ftz = condition_of(condition), JOINED[join], join == "OR"
        flush = ".FTZ" if ftz else ""
        test = lambda l, name=name, ftz=ftz, f=F32: compares(name, source("R4", l, f, ftz), source("-R6", l, f, ftz))
        p, q = (lambda l, t=test, j=joined, h=holds: int(j(t(l), h(l)))), (lambda l, t=test, j=joined, h=holds: int(j(not t(l), h(l))))
        form("sm_80", f"FSETP.{name}{flush}.{join} P2, P3, R4, -R6, {condition}", P2=p, P3=q)
        form("sm_80", f"FSET.{name}{flush}.{join} R8, R4, -R6, {condition}", R8=lambda l, p=p: M32 * p(l))
        form("sm_80", f"FSET.BF.{name}{flush}.{join} R8, R4, -R6, {condition}", R8=lambda l, p=p: 0x3F800000 * p(l))
        double = lambda l, t=test, j=joined, h=holds, name=name: int(j(compares(name, source("R4", l, F64), source("-R6", l, F64)), h(l)))
        form("sm_80", f"DSETP.{name}.{join} P2, PT, R4, -R6, {condition}", kind="f64", P2=double)
refused("sm_80", UNKNOWN, "FSETP.AND P2, PT, R4, R6, PT", "FSETP.LT P2, PT, R4, R6, PT", "FSET.BF.OR R8, R4, R6, PT", "FSET.LT R8, R4, R6, PT",
        "DSETP.OR P2, PT, R4, R6, PT", "DSETP.LT P2, PT, R4, R6, PT", "DSETP.MIN.OR P2, P3, R4, R6, PT", "DSETP.MIN.AND P2, P3, R4, R6, P0",
        "DSETP.MIN P2, P3, R4, R6, PT", "DSETP.MIN.AND.LT P2, P3, R4, R6, PT")  # fmt: skip


def first_is(l, least):
    a, b = real(l.pair(4), F64), real(l.pair(6), F64)
    if "nan" in (a.kind, b.kind):
        return int(a.kind != "nan")
    return int(compares("LT" if least else "GT", a, b) or (compares("EQ", a, b) and a.minus == (least if a.minus != b.minus else a.minus)))


DOUBLES = {"R4": [0] * 32, "R5": [0x3FF00000, 0xBFF00000, 0x40000000, 0x7FF00000] * 8, "R6": [0] * 32,
           "R7": [0x3FE00000] * 8 + [0x40080000] * 8 + [0xFFF00000] * 8 + [0x7FF80000] * 8}  # fmt: skip
for least in ("MIN", "MAX"):
    for p, q in (("P2", "P3"), ("P2", "P6")):
        form("sm_80", f"DSETP.{least}.AND {p}, {q}, R4, R6, PT", kind="f64", given=DOUBLES, alone=True,
             **{p: lambda l, least=least: first_is(l, least == "MIN"), q: lambda l: 0})  # fmt: skip

# ---- the special function unit: what is exact ----

POWERS = {"R4": [(127 + i - 16) << 23 for i in range(32)]}
form("sm_80", "MUFU.RCP R8, R4", R8=lambda l: (127 - (l[4] >> 23) + 127) << 23, given=POWERS)
form("sm_80", "MUFU.RCP R8, -|R4|", R8=lambda l: (127 - (l[4] >> 23) + 127) << 23 | 1 << 31, given=POWERS)
form("sm_80", "MUFU.EX2 R8, R4", R8=lambda l: (127 + l.number - 16) << 23, given={"R4": [bits_of(from_integer(i - 16), F32) for i in range(32)]})
form("sm_80", "MUFU.LG2 R8, R4", R8=lambda l: bits_of(from_integer(l.number), F32), given={"R4": [(127 + i) << 23 for i in range(32)]})
SQUARES = {"R4": [(127 + 2 * i - 32) << 23 for i in range(32)]}
form("sm_80", "MUFU.RSQ R8, R4", R8=lambda l: (127 - l.number + 16) << 23, given=SQUARES)
form("sm_80", "MUFU.SQRT R8, R4", R8=lambda l: (127 + l.number - 16) << 23, given=SQUARES)
form("sm_80", "MUFU.SIN R8, RZ", R8=lambda l: 0)
form("sm_80", "MUFU.COS R8, RZ", R8=lambda l: 0x3F800000)
form("sm_80", "MUFU.TANH R8, R4", R8=lambda l: 0x3F800000 | l[4] & 1 << 31, given={"R4": [0x7F800000, 0xFF800000] * 16})
form("sm_80", "MUFU.RCP64H R8, 2", R8=lambda l: 0x3FE00000)
form("sm_80", "MUFU.RSQ64H R8, 4", R8=lambda l: 0x3FE00000)
form("sm_80", "MUFU.EX2.F16 R8, R4", kind="f16", R8=lambda l: 0x4000, given={"R4": [0xABCD3C00] * 32})
form("sm_80", "MUFU.EX2.F16 R8, R4.H1", kind="f16", R8=lambda l: 0x4000, given={"R4": [0x3C00ABCD] * 32})
form("sm_80", "MUFU.TANH.F16 R8, R4.H0", kind="f16", R8=lambda l: 0x3C00, given={"R4": [0x12347C00] * 32})
form("sm_90", "MUFU.EX2.BF16 R8, R4", kind="bf16", R8=lambda l: 0x4000, given={"R4": [0xABCD3F80] * 32})
form("sm_90", "MUFU.TANH.BF16 R8, R4.H1", kind="bf16", R8=lambda l: 0xBF80, given={"R4": [0xFF80ABCD] * 32})
form("sm_80", "FCHK P2, R4, R6", P2=lambda l: 0, given={"R4": [0x3F800000] * 32, "R6": [0x40000000] * 32})
form("sm_80", "FCHK P2, R4, R6", P2=lambda l: 1, given={"R4": [0x3F800000] * 32, "R6": [0x00000001] * 32})
refused("sm_80", UNKNOWN, "MUFU R8, R4", "MUFU.RCP.EX2 R8, R4", "MUFU.RCP.F16 R8, R4", "MUFU.EX2.F16 R8, -R4", "MUFU.EX2.F16 R8, |R4|",
        "MUFU.EX2.F16 R8, R4.H2", "MUFU.F16 R8, R4", "MUFU.EX2.TANH.F16 R8, R4")  # fmt: skip

# ---- halves ----

FORMATS = {"": F16, ".BF16_V2": BF16}


@functools.lru_cache(maxsize=None)
def half_parts(text):
    """Whether there is a minus, and bars; the name; which halves."""
    name = text.lstrip("-")
    absolute = name.startswith("|")
    name, _, swizzle = name.replace("|", "").partition(".")
    return text.startswith("-"), absolute, name, swizzle


def half_source(text, lane, format, ftz, upper):
    minus, absolute, name, swizzle = half_parts(text)
    if name[0] != "R":
        return source(text, lane)
    if name == "RZ":
        return Real("number", minus)
    high = {"": upper, "H0_H0": False, "H1_H1": True, "H1_H0": upper}[swizzle]
    number = real(lane[name] >> (16 if high else 0) & 0xFFFF, format, ftz)
    return (number.absolute() if absolute else number).negate(minus)


@functools.lru_cache(maxsize=None)
def half_operands(text):
    """The sources; of a constant both halves: (of the upper half, of the lower)."""
    words, sources = re.split(r",\s*", text.split(" ", 1)[1]), []
    while words:
        word = words.pop(0)
        sources.append((word, words.pop(0)) if word[-1].isdigit() and "R" not in word and "P" not in word else (word, word))
    return sources


def of_halves(text, lane, what):
    """Both halves of a result of what(sources of a half)."""
    opcode = text.split(" ")[0]
    format, ftz = (BF16 if "BF16" in opcode else F16), ".FTZ" in opcode
    result = 0
    for upper in (True, False):
        sources = [half_source(pair[not upper], lane, format, ftz, upper) for pair in half_operands(text)[1:] if "P" not in pair[0]]
        result = result << 16 | what(sources, format)
    return result


def half_arithmetic(text, lane):
    opcode = text.split(" ")[0]
    ftz, sat, name = ".FTZ" in opcode, ".SAT" in opcode, opcode.split(".")[0]

    def one(s, format):
        value = add(s[0], s[1]) if name == "HADD2" else multiply(s[0], s[1]) if name == "HMUL2" else add(multiply(s[0], s[1]), s[2])
        if ".RELU" in opcode and value.kind != "nan" and value.minus:
            value = Real("number")
        return bits_of(value, format, "rn", ftz, sat)

    return of_halves(text, lane, one)


for kind, mods in (("f16", ("", ".FTZ", ".SAT")), ("bf16", (".BF16_V2",))):
    arch = "sm_80" if kind == "f16" else "sm_90"
    for mod in mods:
        for text in (f"HADD2{mod} R8, R4, R6", f"HADD2{mod} R8, -R4.H0_H0, R6.H1_H1", f"HADD2{mod} R8, -R4, -R6", f"HADD2{mod} R8, R4.H1_H1, |R6.H1_H1|",
                     f"HADD2{mod} R8, R4, 1.5, -2", f"HADD2{mod} R8, R4.H0_H0, 1, 1", f"HMUL2{mod} R8, R4, R6", f"HMUL2{mod} R8, -R4.H1_H1, -R6.H1_H1",
                     f"HMUL2{mod} R8, |R4|, -R6.H0_H0", f"HFMA2{mod} R8, R4, R6, R10", f"HFMA2{mod} R8, -R4, R6, -R10",
                     f"HFMA2{mod} R8, R4.H0_H0, R6.H0_H0, R10.H0_H0", f"HFMA2{mod} R8, R4.H1_H1, R6, R10.H0_H0", f"HFMA2{mod} R8, -R4, -R6, R10",
                     f"HFMA2{mod} R8, -RZ, RZ, R10", f"HFMA2{mod} R8, R4, 1, 1, R10", f"HFMA2{mod} R8, R4, R6, -RZ", f"HFMA2{mod} R8, -RZ, RZ, 1, 2",
                     f"HFMA2{mod} R8, R4, 0.5, 3, R10.H1_H1", f"HFMA2{mod} R8, RZ, R6, R10"):  # fmt: skip
            form(arch, text, kind=kind, R8=lambda l, text=text: half_arithmetic(text, l), shorter=", 1, 1" in text)
    mod = mods[0]
    for text in (f"HFMA2{mod}.RELU R8, R4, R6, R10", f"HFMA2.MMA{mod} R8, R4, R6, R10", f"HFMA2{mod}.RELU R8, -RZ, RZ, R10",
                 f"HFMA2{mod}.RELU R8, R4, 1, 1, R10", f"HFMA2{mod}.RELU R8, R4, R6, -RZ"):  # fmt: skip
        form(arch, text, kind=kind, R8=lambda l, text=text: half_arithmetic(text, l))
form("sm_80", "HFMA2 R8, -RZ, RZ, 6.103515625e-05, 5.9604644775390625e-08", kind="f16", R8=lambda l: 0x04000001)
form("sm_80", "HFMA2 R8, -RZ, RZ, +INF , -INF ", kind="f16", R8=lambda l: 0x7C00FC00)
form("sm_80", "HFMA2 R8, -RZ, RZ, +QNAN , 0", kind="f16", R8=lambda l: 0x7FFF0000)
form("sm_90", "HFMA2.BF16_V2 R8, -RZ, RZ, +INF , 1.5", kind="bf16", R8=lambda l: 0x7F803FC0)
for half, shift in (("H0_H0", 0), ("H1_H1", 16)):
    form("sm_80", f"HADD2.F32 R8, -RZ, R4.{half}", kind="f16", R8=lambda l, shift=shift: bits_of(real(l[4] >> shift, F16), F32))
    form("sm_80", f"HADD2.F32 R8, -R4.{half}, -RZ", kind="f16", R8=lambda l, shift=shift: bits_of(real(l[4] >> shift, F16).negate(), F32))
    form("sm_80", f"HADD2.F32 R8, R4.{half}, RZ.H0_H0", kind="f16",
         R8=lambda l, shift=shift: bits_of(add(real(l[4] >> shift, F16), real(0, F16), "rn"), F32))  # fmt: skip
refused("sm_80", UNKNOWN, "HADD2.F32 R8, R6, R4.H0_H0", "HADD2.F32 R8, -RZ, R4", "HADD2.F32.FTZ R8, -RZ, R4.H0_H0",
        "HADD2.F32 R8, -RZ, -RZ", "HADD2 R8, R4, 1.5", "HADD2 R8, R4, 1.5, R6", "HADD2 R8, R4", "HADD2 R8, R4, 0x5", "HADD2 R8, R4.B0, R6",
        "HADD2 R8, R4, R6, R10", "HMUL2 R8, R4, R6, R10", "HFMA2 R8, R4, R6, R10, R12", "HFMA2.SAT.RELU R8, R4, R6, R10", "HFMA2 R8, R4, R6",
        "HADD2.BF16_V2.FTZ R8, R4, R6", "HMUL2.BF16_V2.SAT R8, R4, R6")  # fmt: skip


def half_extreme(text, lane):
    least, nan, signs = text.endswith(", PT"), ".NAN" in text, ".XORSIGN" in text

    def one(s, format):
        if signs:
            best = extreme(s[0].absolute(), s[1].absolute(), least, nan)
            return bits_of(best.negate(s[0].minus != s[1].minus) if best.kind != "nan" else best, format)
        best = s[0]
        for other in s[1:]:
            best = extreme(best, other, least, nan)
        return bits_of(best, format, ftz=".FTZ" in text)

    return of_halves(text.replace("|", "") if signs else text, lane, one)


for kind, mods in (("f16", ("", ".FTZ", ".NAN")), ("bf16", (".BF16_V2", ".BF16_V2.NAN"))):
    for mod in mods:
        for least in ("PT", "!PT"):
            for text in (f"HMNMX2{mod} R8, R4, R6, {least}", f"HMNMX2{mod} R8, -R4.H1_H1, R6.H1_H1, {least}", f"HMNMX2{mod} R8, |R4|, R6.H0_H0, {least}"):
                form("sm_80", text, kind=kind, R8=lambda l, text=text: half_extreme(text, l))
            if "FTZ" not in mod:
                text = f"VHMNMX{mod} R8, R4, |R6|, -0.25, 1.5, {least}"
                form("sm_100", text, kind=kind, R8=lambda l, text=text: half_extreme(text, l))
HALVES = {"R4": [0x3C00BC00, 0x4000C200] * 16, "R6": [0x38003800] * 8 + [0xC800C800] * 8 + [0x7C007C00] * 8 + [0x80018001] * 8}
for least in ("PT", "!PT"):
    text = f"HMNMX2.XORSIGN R8, |R4|, |R6|, {least}"
    form("sm_80", text, kind="f16", R8=lambda l, text=text: half_extreme(text, l), given=HALVES)
refused("sm_80", UNKNOWN, "HMNMX2.XORSIGN R8, R4, |R6|, PT", "HMNMX2.XORSIGN R8, |R4|, -|R6|, PT", "HMNMX2 R8, R4, R6, P0", "HMNMX2 R8, R4, R6, R10, PT")


def half_tests(text, lane, condition):
    """Whether the comparison holds for the lower half, and for the upper."""
    opcode = text.split(" ")[0]
    name = next(word for word in opcode.split(".") if word in NAMES)
    join = next(word for word in opcode.split(".") if word in JOINED)
    bits = of_halves(re.sub(r"^(\S+) P\d, \S+,", r"\1 R8,", text), lane, lambda s, format: int(JOINED[join](compares(name, s[0], s[1]), condition(lane))))
    return bits & 1, bits >> 16 & 1


for kind, mod in (("f16", ""), ("f16", ".FTZ"), ("bf16", ".BF16_V2")):
    one = 0x3F80 if kind == "bf16" else 0x3C00
    for name in ("LT", "EQ", "GEU", "NUM", "NAN") if mod else NAMES:
        for join, condition, a, b in (("AND", "PT", "R4", "-R6"), ("OR", "P0", "R4.H1_H1", "R6.H1_H1"), ("XOR", "!P0", "|R4|.H0_H0", "R6")):
            holds = condition_of(condition)
            text = f"HSET2{mod}.{name}.{join} R8, {a}, {b}, {condition}"
            form("sm_80", text, kind=kind, R8=lambda l, t=text, h=holds: sum(0xFFFF * bit << 16 * i for i, bit in enumerate(half_tests(t, l, h))))
            text = f"HSET2.BF{mod}.{name}.{join} R8, {a}, {b}, {condition}"
            form("sm_80", text, kind=kind, R8=lambda l, t=text, h=holds, one=one: sum(one * bit << 16 * i for i, bit in enumerate(half_tests(t, l, h))))
            text = f"HSETP2{mod}.{name}.{join} P2, PT, {a}, {b}, {condition}"
            form("sm_80", text, kind=kind, P2=lambda l, t=text, h=holds: half_tests(t, l, h)[0])
            text = f"HSETP2{mod}.{name}.{join} P2, P3, {a}, {b}, {condition}"
            form("sm_80", text, kind=kind, P2=lambda l, t=text, h=holds: half_tests(t, l, h)[0], P3=lambda l, t=text, h=holds: half_tests(t, l, h)[1])
refused("sm_80", UNKNOWN, "HSET2.AND R8, R4, R6, PT", "HSET2.LT R8, R4, R6, PT", "HSET2.LT.AND R8, R4, R6, PT, PT", "HSETP2.AND P2, PT, R4, R6, PT",
        "HSETP2.LT P2, PT, R4, R6, PT", "HSETP2.LT.AND P2, PT, R4, R6, PT, PT")  # fmt: skip

# ---- two numbers in a pair of registers ----


def of_pair(text, lane, i):
    opcode, operands = text.split(" ", 1)
    sources = []
    for word in operands.split(", ")[1:]:
        minus, name = word.startswith("-"), word.lstrip("-")
        name, _, suffix = name.partition(".F32")
        at = {"x2.HI_LO": i, "x2.LO_HI": 1 - i}.get(suffix.removesuffix(".NP"), 0)
        if name[0] not in "R" or name == "RZ":
            number = source(name, lane)
        else:
            number = real(lane[int(name[1:]) + at], F32, ".FTZ" in opcode)
        sources.append(number.negate(minus != (suffix.endswith("NP") and i == 1)))
    mode = rounding_of(opcode)
    value = add(*sources, mode) if opcode[1] == "A" else multiply(*sources[:2])
    if opcode[1] == "F":
        value = add(value, sources[2], mode)
    return bits_of(value, F32, mode, ".FTZ" in opcode)


for mode in ("", ".FTZ", ".RZ", ".RM", ".RP"):
    for text in (f"FADD2{mode} R8, R4.F32x2.HI_LO, -R6.F32x2.LO_HI", f"FMUL2{mode} R8, R4.F32x2.HI_LO, R6.F32", f"FMUL2{mode} R8, R4.F32x2.HI_LO.NP, 1.5",
                 f"FFMA2{mode} R8, R4.F32x2.HI_LO, R6.F32x2.HI_LO, RZ.F32x2.LO_HI", f"FFMA2{mode} R8, R4.F32x2.LO_HI, R6.F32x2.HI_LO, -R10.F32x2.HI_LO",
                 f"FFMA2{mode} R8, -R4.F32x2.LO_HI.NP, R6.F32, R10.F32x2.HI_LO", f"FFMA2{mode} R8, R4.F32x2.HI_LO, R6.F32, -R10.F32x2.HI_LO.NP",
                 f"FADD2{mode} R8, R4.F32x2.LO_HI.NP, R6.F32x2.HI_LO"):  # fmt: skip
        form("sm_100", text, R8=lambda l, t=text: of_pair(t, l, 0), R9=lambda l, t=text: of_pair(t, l, 1))
refused("sm_100", UNKNOWN, "FADD2 R8, R4.F64, R6.F32x2.HI_LO", "FADD2 R8, R4.F32x2.HI_LO, R6.H0", "FADD2 R8, R4.F32.NP, R6.F32", "FADD2 R8, R4.F32x2.LO_HI.PP, R6.F32",
        "FADD2 R8, R4.F32x2.HI_LO")

# ---- conversions ----

REALS = {"F16": F16, "BF16": BF16, "F32": F32, "F64": F64}
KINDS = {"F16": "f16", "BF16": "bf16", "F32": "f32", "F64": "f64"}
INTEGERS = {f"{sign}{bits}": (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if sign == "S" else (0, (1 << bits) - 1) for bits in (8, 16, 32, 64) for sign in "US"}
ROUNDINGS = {"": "rn", ".TRUNC": "rz", ".FLOOR": "rm", ".CEIL": "rp"}


NUMBERS = {"F32": {"R4": [0, 1 << 31, 0x3F800001, 0xBFC00000, 0x7F7FFFFF, 0x33800000, 0x477FF000, 0x42F6E979] * 4},
           "F16": {"R4": [0, 0x8000, 0x3C01, 0xBE00, 0x7BFF, 1, 0x83FF, 0xFC00] * 4}}  # fmt: skip


def bits_in(l, kind, shift=0):
    return (l.pair(4) if kind.endswith("64") else l[4]) >> shift


def result(arch, text, kind, model, wide, **settings):
    FORMS.append(Form(arch, text, pair_results(8, model) if wide else {"R8": lambda l: model(l) & M32}, kind=kind, **settings))


for to, from_, mode in (("F32", "F64", ""), ("F32", "F64", ".RM"), ("F32", "F64", ".RP"), ("F32", "F64", ".RZ"), ("F64", "F32", ""), ("F16", "F32", ""),
                        ("F16", "F32", ".RZ"), ("F32", "F16", ""), ("F16", "F64", ""), ("F64", "F16", ""), ("BF16", "F32", ""), ("BF16", "F64", "")):  # fmt: skip
    text = f"F2F.{to}.{from_}{mode} R8, R4"
    model = lambda l, to=to, from_=from_, text=text: bits_of(real(bits_in(l, from_), REALS[from_]), REALS[to], rounding_of(text))
    results = pair_results(8, model) if to == "F64" else {"R8": model}
    FORMS.append(Form("sm_80", text, results, kind=KINDS[from_], given=NUMBERS.get(from_, {})))
form("sm_80", "F2F.FTZ.F32.F16 R8, R4", kind="f16", R8=lambda l: bits_of(real(l[4], F16), F32))
form("sm_80", "F2F.F32.F16 R8, -R4.H1", kind="f16", R8=lambda l: bits_of(real(l[4] >> 16, F16).negate(), F32))
form("sm_80", "F2F.F32.F16 R8, |R4|", kind="f16", R8=lambda l: bits_of(real(l[4], F16).absolute(), F32))
form("sm_80", "F2F.F32.F16 R8, -|R4|", kind="f16", R8=lambda l: bits_of(real(l[4], F16).absolute().negate(), F32))
refused("sm_80", UNKNOWN, "F2F.F32 R8, R4", "F2F.F32.F32 R8, R4", "F2F.F32.F16.RZ R8, R4", "F2F.F64.F32.RZ R8, R4", "F2F.F16.F64.FTZ R8, R4",
        "F2F.F32.F16 R8, R4.H2", "F2F.S32.F32 R8, R4")  # fmt: skip

for to, (low, high) in INTEGERS.items():
    for from_, format in (("", F32), ("F64", F64), ("F16", F16)):
        for name, mode in ROUNDINGS.items():
            wide = to.endswith("64")
            ntz = "" if wide or from_ == "F64" else ".NTZ"
            if (wide or from_) and name in (".FLOOR", ".CEIL") and to not in ("S64", "U64"):
                continue
            text = "F2I" + (f".{to}" if to != "S32" else "") + (f".{from_}" if from_ else "") + name + ntz + " R8, R4"
            nan = {True: 1 << 63, False: 0}[wide]
            of_nan = (1 << 31 if not wide else 1 << 63) if from_ == "F64" or wide else 0

            def model(l, low=low, high=high, mode=mode, format=format, of_nan=of_nan):
                value = integer_of(real(bits_in(l, "64" if format is F64 else "32"), format), mode, low, high)
                return (of_nan if value is None else value) & M64

            given = {}
            if format is F64:
                numbers = [0, -1.5, 2.5, 3.5, 1e5, -1e5, 1e12, -1e12, 1e25, -1e25, 127.5, -128.5, 254.5, 32767.25, 0.5, -0.5]
                exact = [bits_of(Real("number", n < 0, abs(Fraction(n))), F64) for n in numbers * 2]
                given = {"R4": [v & M32 for v in exact], "R5": [v >> 32 for v in exact]}
            elif format is F32:
                numbers = [0, -1.5, 2.5, 3.5, 1e5, -1e5, 1e12, -1e12, 1e25, -1e25, 127.5, -128.5, 254.5, 32767.25, 0.5, -0.5]
                given = {"R4": [bits_of(Real("number", n < 0, abs(Fraction(n))), F32) for n in numbers * 2]}
                if not wide:
                    given["R4"][31] = 0x7FC00000
            else:
                given = {"R4": [0x3E00, 0xBE00, 0x4100, 0x7BFF, 0xFBFF, 0x5BF8, 0xD808, 0x3800] * 4}
            result("sm_80", text, "int", model, wide, given=given)
form("sm_80", "F2I.FTZ.TRUNC.NTZ R8, -R4", R8=lambda l: 0xFFFFFFFE, given={"R4": [0x40200000] * 32})
refused("sm_80", UNKNOWN, "F2I.TRUNC R8, R4", "F2I.S64.TRUNC.NTZ R8, R4", "F2I.FTZ.F16.TRUNC.NTZ R8, R4", "F2I.FOO.NTZ R8, R4")

for to, format in (("", F32), ("F64", F64), ("F16", F16)):
    for from_, (low, high) in INTEGERS.items():
        for mode in ("", ".RZ", ".RM", ".RP") if from_ in ("S32", "U64") and not to else ("",):
            text = "I2F" + (f".{to}" if to else "") + (f".{from_}" if from_ != "S32" else "") + mode + " R8, R4"
            bits = int(from_[1:])

            def model(l, signed=from_[0] == "S", bits=bits, format=format, text=text):
                value = (l.pair(4) if bits == 64 else l[4]) & ((1 << bits) - 1)
                value -= (1 << bits) if signed and value >> (bits - 1) else 0
                return bits_of(from_integer(value), format, rounding_of(text))

            result("sm_80", text, "int", model, to == "F64")
for byte in range(4):
    form("sm_80", f"I2F.U8 R8, R4.B{byte}", kind="int", R8=lambda l, byte=byte: bits_of(from_integer(l[4] >> 8 * byte & 255), F32))
form("sm_80", "I2F.S16 R8, R4.H1", kind="int", R8=lambda l: bits_of(from_integer(s32(l[4]) >> 16), F32))
form("sm_80", "I2FP.F32.S32 R8, -R4", kind="int", R8=lambda l: bits_of(from_integer(s32(-s32(l[4]))), F32))
refused("sm_80", UNKNOWN, "I2F.U8 R8, -R4", "I2F.U8 R8, R4.B4", "I2F.F32.FTZ R8, R4")

for named, format in (("", F32), ("F16", F16), ("F64", F64)):
    for name, mode in ROUNDINGS.items():
        text = "FRND" + (f".{named}" if named else "") + name + " R8, R4"

        def model(l, format=format, mode=mode):
            number = real(bits_in(l, "64" if format is F64 else "32"), format)
            if number.kind != "number":
                return bits_of(number, format)
            value = integer_of(number, mode, -(1 << 1100), 1 << 1100)
            return bits_of(Real("number", number.minus, Fraction(abs(value))), format)

        result("sm_80", text, KINDS[named or "F32"], model, named == "F64")
refused("sm_80", UNKNOWN, "FRND.F32.F16 R8, R4", "FRND.F16.FTZ R8, R4", "FRND.S32 R8, R4")

for to in ("U8", "S8", "U16", "S16"):
    low, high = INTEGERS[to]
    for from_ in ("S32", "U32"):
        form("sm_80", f"I2I.{to}.{from_}.SAT R8, R4", kind="int",
             R8=lambda l, low=low, high=high, signed=from_ == "S32": max(low, min(high, s32(l[4]) if signed else l[4])) & M32)  # fmt: skip
refused("sm_80", UNKNOWN, "I2I.S16.SAT R8, R4", "I2I.S16.S32 R8, R4", "I2I.S16.F32.SAT R8, R4")

for named, format in (("F16", F16), ("BF16", BF16)):
    for arch, mid in (("sm_90", ".F32"), ("sm_80", "")):
        name = "F2FP" + (f".{named}" if named == "BF16" or mid else "") + mid
        for mode in ("", ".RZ"):
            for relu in ("", ".RELU"):
                convert = lambda number, format=format, mode=mode, relu=relu: (
                    bits_of(Real("number") if relu and number.kind != "nan" and number.minus else number, format, rounding_of(mode)))
                form(arch, f"{name}.PACK_AB{relu}{mode} R8, R4, -R6", R8=lambda l, c=convert: c(real(l[4], F32)) << 16 | c(real(l[6], F32).negate()))
                form(arch, f"{name}.PACK_AB{relu}{mode} R8, RZ, R6", R8=lambda l, c=convert: c(real(l[6], F32)))
                form(arch, f"{name}.MERGE_C{relu}{mode} R8, R6, RZ", R8=lambda l, c=convert: c(real(l[6], F32)))
refused("sm_90", UNKNOWN, "F2FP.F16.F32 R8, R4, R6", "F2FP.F16.F32.MERGE_C R8, R4, R6", "F2FP.F16.F32.PACK_AB.MERGE_C R8, R4, RZ",
        "F2FP.TF32.F32 R8, R4", "F2FP.TF32.PACK_B R8, R4")  # fmt: skip


TF32 = Format(11, -126, 127, 0, 19)  # 11 digits, with the exponents of single precision


def tf32(number, mode):
    if number.kind == "nan":
        return None
    return bits_of(number, TF32, mode) << 13


FINITE = {"R4": [0, 1 << 31, 0x3F800FFF, 0xBFC01000, 0x7F7FFFFF, 0x33803000, 0x477FF000, 0x42F6E979] * 4}
form("sm_90", "F2FP.TF32.F32.PACK_B R8, R4", R8=lambda l: tf32(real(l[4], F32), "rn"), given=FINITE)
form("sm_90", "F2FP.TF32.F32.PACK_B.RZ R8, R4", R8=lambda l: tf32(real(l[4], F32), "rz"), given=FINITE)
form("sm_90", "F2FP.RELU.TF32.F32.PACK_B R8, R4", R8=lambda l: 0 if l[4] >> 31 else tf32(real(l[4], F32), "rn"), given=FINITE)

E4M3, E5M2 = Format(4, -6, 8, 0x7F, 8), Format(3, -14, 15, 0x7F, 8)
E4M3.infinity = 0x7F  # there is none: the exponent has numbers, too


def eighth(number, name):
    """Finite, of the largest at most."""
    if number.kind == "nan":
        return 0x7F
    format, most = (E4M3, 0x7E) if name == "E4M3" else (E5M2, 0x7B)
    if number.kind == "inf":
        return int(number.minus) << 7 | most
    bits = bits_of(number.absolute(), format)
    return int(number.minus) << 7 | min(bits, most)


NEAR = {"R4": [0, 1 << 31, 0x3F900000, 0xBFC00000, 0x43E00000, 0xC4800000, 0x3B000000, 0x7F800000] * 4,
        "R6": [0x42F60000, 0x3C800000, 0xFF800000, 0x47600000, 0x3F880000, 0xC0A80000, 0x40600000, 0x7FC00000] * 4}  # fmt: skip
for name in ("E4M3", "E5M2"):
    for relu in ("", ".RELU"):
        convert = lambda number, name=name, relu=relu: eighth(Real("number") if relu and number.kind != "nan" and number.minus else number, name)
        two = lambda l, c=convert: c(real(l[4], F32)) << 8 | c(real(l[6], F32))
        form("sm_90", f"F2FP{relu}.SATFINITE.{name}.F32.PACK_AB_MERGE_C R8, R4, R6, RZ", R8=two, given=NEAR)
        form("sm_90", f"F2FP{relu}.SATFINITE.{name}.F32.PACK_AB_MERGE_C R8, R4, R6, R10", R8=lambda l, two=two: two(l) | l[10] << 16 & M32, given=NEAR)
        form("sm_90", f"F2FP{relu}.SATFINITE.{name}.F16.UNPACK_B_MERGE_C R8, R4, RZ", kind="f16",
             R8=lambda l, c=convert: c(real(l[4] >> 16, F16)) << 8 | c(real(l[4], F16)))  # fmt: skip

        def unpacked(byte, name=name, relu=relu):
            format = E4M3 if name == "E4M3" else E5M2
            number = Real("nan") if byte & 0x7F == 0x7F else real(byte, format)
            return bits_of(Real("number") if relu and number.minus else number, F16)

        form("sm_90", f"F2FP{relu}.F16.{name}.UNPACK_B R8, R4", kind="int", R8=lambda l, u=unpacked: u(l[4] >> 8 & 255) << 16 | u(l[4] & 255),
             given={"R4": [0x3C38, 0x00BC, 0x7E01, 0x8780, 0x4A08, 0xF7E8, 0x7F30, 0x1122] * 4 if name == "E4M3" else [0x3C38, 0x00BC, 0x7B01, 0x8780] * 8})  # fmt: skip
    form("sm_90", f"F2FP.F16.{name}.UNPACK_B R8, R4.H1", kind="int", R8=lambda l: bits_of(Real("number", False, Fraction(1)), F16) * 0x10001,
         given={"R4": [0x3838ABCD if name == "E4M3" else 0x3C3CABCD] * 32})  # fmt: skip
refused("sm_90", UNKNOWN, "F2FP.E4M3.F32.PACK_AB_MERGE_C R8, R4, R6, RZ", "F2FP.SATFINITE.E4M3.PACK_AB_MERGE_C R8, R4, R6, RZ",
        "F2FP.SATFINITE.E4M3.F32.PACK_AB_MERGE_C.RZ R8, R4, R6, RZ", "F2FP.SATFINITE.E4M3.F16 R8, R4, RZ", "F2FP.SATFINITE.E4M3.UNPACK_B_MERGE_C R8, R4, RZ",
        "F2FP.E4M3.UNPACK_B R8, R4", "F2FP.F16.E4M3.UNPACK_B.RZ R8, R4", "F2FP.F16.E4M3.UNPACK_B R8, -R4", "F2FP.F16.E4M3.UNPACK_B R8, |R4|")  # fmt: skip
for name, mode in ROUNDINGS.items():
    form("sm_80", f"F2IP.U8.F32{name}.NTZ R8, RZ, R4, RZ", R8=lambda l, mode=mode: integer_of(real(l[4], F32), mode, 0, 255), given={
        "R4": [0, 0x3FC00000, 0x40200000, 0xBF800000, 0x437F8000, 0x43800000, 0x4F000000, 0x3F000000] * 4})  # fmt: skip
refused("sm_80", UNKNOWN, "F2IP.U8.F32.NTZ R8, R6, R4, RZ", "F2IP.U8.F32.NTZ R8, RZ, R4, R6", "F2IP.U8.NTZ R8, RZ, R4, RZ", "F2IP.U8.F32 R8, RZ, R4, RZ",
        "F2IP.S8.F32.NTZ R8, RZ, R4, RZ")  # fmt: skip
