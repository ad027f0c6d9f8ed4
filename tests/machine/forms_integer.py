"""Integers: forms.py."""

from forms_model import M32, M64, Form, pair_results, s32, s64

FORMS, REFUSED = [], []
OPERANDS = "the operands of {}"
MODIFIER = "a modifier of {}"


def form(arch, text, **results):
    settings = {name: results.pop(name) for name in ("alone", "shorter", "longer", "ignored", "kind", "given") if name in results}
    FORMS.append(Form(arch, text, results, **settings))


def pairs(arch, text, model, **more):
    uniform = text.split()[1].startswith("U")
    settings = {name: more.pop(name) for name in ("alone", "shorter", "longer", "ignored", "given") if name in more}
    FORMS.append(Form(arch, text, {**pair_results(8, model, "UR" if uniform else "R"), **more}, **settings))


def refused(arch, why, *texts):
    for text in texts:
        REFUSED.append(Form(arch, text, why=why.format(text)))


def carry(*terms):
    return int(sum(terms) >> 32 != 0)


def word(value):
    return value & M32


# ---- sums ----

form("sm_80", "IADD3 R8, R4, R6, R10", R8=lambda l: word(l[4] + l[6] + l[10]))
form("sm_80", "IADD3 R8, -R4, -R6, -R10", R8=lambda l: word(-l[4] - l[6] - l[10]))
form("sm_80", "IADD3 R8, -R4, -R6, RZ", R8=lambda l: word(-l[4] - l[6]))
form("sm_80", "IADD3 R8, P2, R4, R6, RZ", R8=lambda l: word(l[4] + l[6]), P2=lambda l: carry(l[4], l[6]))
form("sm_80", "IADD3 R8, P2, P3, R4, R6, RZ", R8=lambda l: word(l[4] + l[6]), P2=lambda l: carry(l[4], l[6]), P3=lambda l: 0)
form("sm_80", "IADD3 R8, P2, R4, -RZ, RZ", R8=lambda l: l[4], P2=lambda l: 1)
form("sm_80", "IADD3 R8, P2, R4, -R6, RZ", R8=lambda l: word(l[4] - l[6]), P2=lambda l: int(l[4] >= l[6]))
form("sm_80", "IADD3 R8, P2, -R4, R6, RZ", R8=lambda l: word(l[6] - l[4]), P2=lambda l: int(l[6] >= l[4]))
form("sm_80", "IADD3 R8, R4, 0x12345, -R6", R8=lambda l: word(l[4] + 0x12345 - l[6]))
form("sm_80", "IADD3.X R8, R4, R6, ~R10, P0, P1", R8=lambda l: word(l[4] + l[6] + (l[10] ^ M32) + l["P0"] + l["P1"]), longer=False)
form("sm_80", "IADD3.X R8, P2, R4, ~R6, RZ, P0, !PT", R8=lambda l: word(l[4] + (l[6] ^ M32) + l["P0"]), P2=lambda l: carry(l[4], l[6] ^ M32, l["P0"]))
form("sm_80", "IADD3.X R8, P0, R4, R6, RZ, P0, !PT", R8=lambda l: word(l[4] + l[6] + l["P0"]), P0=lambda l: carry(l[4], l[6], l["P0"]),
     given={"P0": [0, 1] * 16})  # fmt: skip
form("sm_80", "UIADD3 UR8, UR4, -UR6, URZ", UR8=lambda l: word(l["UR4"] - l["UR6"]), alone=True)
refused("sm_80", OPERANDS, "IADD3 R8, P2, -R4, -R6, RZ", "IADD3 R8, ~R4, R6, RZ", "IADD3.X R8, -R4, R6, RZ, P0, !PT",
        "IADD3 R8, P2, R4, R6, R10", "IADD3 R8, P2, P3, P4, R4, R6, RZ")  # fmt: skip

form("sm_120", "IADD R8, R4, R6", R8=lambda l: word(l[4] + l[6]))
form("sm_120", "IADD R8, -R4, R6", R8=lambda l: word(l[6] - l[4]))
form("sm_120", "IADD R8, R4, -R6", R8=lambda l: word(l[4] - l[6]))
form("sm_120", "IADD R8, -R4, RZ", R8=lambda l: word(-l[4]))
form("sm_120", "IADD R8, RZ, -R4", R8=lambda l: word(-l[4]))
form("sm_120", "IADD R8, R4, -0x10", R8=lambda l: word(l[4] - 16))
form("sm_120", "IADD R8, R4, 0xc000000", R8=lambda l: word(l[4] + 0xC000000))
form("sm_120", "IADD R8, R4, -UR6", R8=lambda l: word(l[4] - l["UR6"]))
form("sm_120", "IADD R8, P2, R4, R6", R8=lambda l: word(l[4] + l[6]), P2=lambda l: carry(l[4], l[6]))
form("sm_120", "IADD R8, P2, R4, -R6", R8=lambda l: word(l[4] - l[6]), P2=lambda l: int(l[4] >= l[6]))
form("sm_120", "IADD R8, P2, -R4, R6", R8=lambda l: word(l[6] - l[4]), P2=lambda l: int(l[6] >= l[4]))
form("sm_120", "IADD.X R8, R4, R6, P0", R8=lambda l: word(l[4] + l[6] + l["P0"]))
form("sm_120", "IADD.X R8, ~R4, R6, P0", R8=lambda l: word((l[4] ^ M32) + l[6] + l["P0"]))
form("sm_120", "IADD.X R8, RZ, RZ, P0", R8=lambda l: l["P0"])
form("sm_120", "IADD.X R8, P2, R4, ~R6, P0", R8=lambda l: word(l[4] + (l[6] ^ M32) + l["P0"]), P2=lambda l: carry(l[4], l[6] ^ M32, l["P0"]))
refused("sm_120", OPERANDS, "IADD R8, ~R4, R6", "IADD R8, R4, ~R6", "IADD.X R8, -R4, R6, P0", "IADD R8, P2, -R4, -R6")
form("sm_90", "VIADD R8, R4, -R6", R8=lambda l: word(l[4] - l[6]))
form("sm_90", "VIADD R8, R4, 0xfffffff0", R8=lambda l: word(l[4] - 16))


def halves(a, b, what):
    return what(a & 0xFFFF, b & 0xFFFF) & 0xFFFF | (what(a >> 16, b >> 16) & 0xFFFF) << 16


def four(a, b, what):
    return sum((what(a >> i & 0xFF, b >> i & 0xFF) & 0xFF) << i for i in (0, 8, 16, 24))


def clamped(value):
    return word(max(-(1 << 31), min((1 << 31) - 1, value)))


form("sm_90", "VIADD.16x2 R8, R4, R6", R8=lambda l: halves(l[4], l[6], int.__add__))
form("sm_120", "VIADD.S32.ISAT R8, R4, R6", R8=lambda l: clamped(l.s(4) + l.s(6)))
form("sm_120", "VIADD.S32.ISAT R8, R4, -R6", R8=lambda l: clamped(l.s(4) - l.s(6)))
form("sm_120", "VIADD.S32.ISAT R8, -R4, R6", R8=lambda l: clamped(l.s(6) - l.s(4)))
for kind in ("U8x4", "S8x4"):
    form("sm_120", f"VIADD.{kind} R8, R4, R6", R8=lambda l: four(l[4], l[6], int.__add__))
    form("sm_120", f"VIADD.{kind} R8, R4, -R6", R8=lambda l: four(l[4], l[6], int.__sub__))
    form("sm_120", f"VIADD.{kind} R8, -R4, R6", R8=lambda l: four(l[6], l[4], int.__sub__))
refused("sm_120", OPERANDS, "VIADD.S32.ISAT R8, -R4, -R6", "VIADD.S32.ISAT R8, ~R4, R6", "VIADD.S32.ISAT R8, R4, ~R6", "VIADD.16x2 R8, -R4, R6",
        "VIADD.16x2 R8, R4, -R6", "VIADD.U8x4 R8, -R4, -R6", "VIADD.U8x4 R8, ~R4, R6", "VIADD.U8x4 R8, R4, ~R6")  # fmt: skip
refused("sm_120", MODIFIER, "VIADD.ISAT R8, R4, R6", "VIADD.U8x4.ISAT R8, R4, R6", "VIADD.U16x2 R8, R4, R6")

# ---- products ----

form("sm_80", "IMAD R8, R4, R6, R10", R8=lambda l: word(l[4] * l[6] + l[10]))
form("sm_80", "IMAD R8, R4, R6, RZ", R8=lambda l: word(l[4] * l[6]))
form("sm_80", "IMAD R8, R4, 0x0, R10", R8=lambda l: l[10], ignored=(1,))
form("sm_80", "IMAD.MOV.U32 R8, RZ, RZ, R4", R8=lambda l: l[4], ignored=(1, 2))
form("sm_80", "IMAD.IADD R8, R4, 0x1, -R6", R8=lambda l: word(l[4] - l[6]))
form("sm_80", "IMAD.SHL.U32 R8, R4, 0x20, RZ", R8=lambda l: word(l[4] << 5))
form("sm_80", "IMAD R8, R4, 0x1235, R6", R8=lambda l: word(l[4] * 0x1235 + l[6]))
form("sm_80", "IMAD.X R8, R4, R6, R10, P0", R8=lambda l: word(l[4] * l[6] + l[10] + l["P0"]))
form("sm_80", "IMAD.X R8, RZ, RZ, R10, P0", R8=lambda l: word(l[10] + l["P0"]), ignored=(1, 2))
form("sm_80", "IMAD.HI.U32 R8, R4, R6, RZ", R8=lambda l: l[4] * l[6] >> 32)
form("sm_80", "IMAD.HI R8, R4, R6, RZ", R8=lambda l: word(l.s(4) * l.s(6) >> 32))
form("sm_80", "IMAD.HI R8, R4, R6, R10", R8=lambda l: word(l.s(4) * l.s(6) + l.pair(10) >> 32))
form("sm_80", "IMAD.HI.U32 R8, P2, R4, R6, R10", R8=lambda l: word(l[4] * l[6] + l.pair(10) >> 32), P2=lambda l: l[4] * l[6] + l.pair(10) >> 64)
form("sm_80", "IMAD.HI.U32.X R8, R4, R6, R10, P0", R8=lambda l: word(l[4] * l[6] + l.pair(10) + l["P0"] >> 32))
form("sm_80", "IMAD.HI.U32 R8, PT, R4, R6, R10", R8=lambda l: word(l[4] * l[6] + l.pair(10) >> 32))
pairs("sm_80", "IMAD.WIDE R8, R4, R6, R10", lambda l: l.s(4) * l.s(6) + l.pair(10))
pairs("sm_80", "IMAD.WIDE R8, R4, R6, -R10", lambda l: l.s(4) * l.s(6) - l.pair(10))
pairs("sm_80", "IMAD.WIDE.U32 R8, R4, 0x4, RZ", lambda l: l[4] * 4)
pairs("sm_80", "IMAD.WIDE.U32 R8, P2, R4, R6, R10", lambda l: l[4] * l[6] + l.pair(10), P2=lambda l: l[4] * l[6] + l.pair(10) >> 64)
pairs("sm_80", "IMAD.WIDE.U32.X R8, R4, R6, R10, P0", lambda l: l[4] * l[6] + l.pair(10) + l["P0"])
pairs("sm_80", "IMAD.WIDE.U32.X R8, R4, R6, R10, !PT", lambda l: l[4] * l[6] + l.pair(10))
pairs("sm_80", "IMAD.WIDE.U32.X R8, P2, R4, R6, R10, P0", lambda l: l[4] * l[6] + l.pair(10) + l["P0"],
      P2=lambda l: l[4] * l[6] + l.pair(10) + l["P0"] >> 64)  # fmt: skip
refused("sm_80", OPERANDS, "IMAD.WIDE R8, R4, R6, ~R10", "IMAD.WIDE R8, R4, R6, 0x5", "IMAD.WIDE.U32 R8, P2, R4, R6, -R10",
        "IMAD.WIDE.U32.X R8, R4, R6, -R10, P0")  # fmt: skip
refused("sm_80", MODIFIER, "IMAD.WIDE.S16 R8, R4, R6, R10", "IMAD.HI.SHL R8, R4, R6, RZ")

form("sm_80", "LEA R8, R4, R6, 0x3", R8=lambda l: word((l[4] << 3) + l[6]))
form("sm_80", "LEA R8, -R4, R6, 0x3", R8=lambda l: word(l[6] - (l[4] << 3)))
form("sm_80", "LEA R8, R4, RZ, 0x3", R8=lambda l: word(l[4] << 3))
form("sm_80", "LEA R8, R4, -R6, 0x3", R8=lambda l: word((l[4] << 3) - l[6]))
form("sm_80", "LEA R8, P2, R4, R6, 0x3", R8=lambda l: word((l[4] << 3) + l[6]), P2=lambda l: carry(word(l[4] << 3), l[6]))
form("sm_80", "LEA R8, P2, -R4, R6, 0x3", R8=lambda l: word(l[6] - (l[4] << 3)), P2=lambda l: int(l[6] >= word(l[4] << 3)))
form("sm_80", "LEA R8, P2, RZ, R6, 0x3", R8=lambda l: l[6], P2=lambda l: 0)
form("sm_80", "LEA R8, P2, -RZ, R6, 0x3", R8=lambda l: l[6], P2=lambda l: 1)
form("sm_80", "LEA.HI R8, R4, R6, R10, 0x5", R8=lambda l: word(((l[10] << 32 | l[4]) << 5 >> 32) + l[6]))
form("sm_80", "LEA.HI R8, R4, R6, RZ, 0x5", R8=lambda l: word((l[4] << 5 >> 32) + l[6]))
form("sm_80", "LEA.HI R8, RZ, R6, R10, 0x5", R8=lambda l: word((l[10] << 5) + l[6]))
form("sm_80", "LEA.HI R8, RZ, R6, RZ, 0x5", R8=lambda l: l[6])
form("sm_80", "LEA.HI.SX32 R8, R4, R6, 0x5", R8=lambda l: word((l.s(4) << 5 >> 32) + l[6]))
form("sm_80", "LEA.HI.X R8, R4, R6, R10, 0x5, P0", R8=lambda l: word(((l[10] << 32 | l[4]) << 5 >> 32) + l[6] + l["P0"]))
form("sm_80", "LEA.HI.X.SX32 R8, R4, ~R6, 0x5, P0", R8=lambda l: word((l.s(4) << 5 >> 32) + (l[6] ^ M32) + l["P0"]))
form("sm_80", "ULEA UR8, UR4, UR6, 0x3", UR8=lambda l: word((l["UR4"] << 3) + l["UR6"]), alone=True)
refused("sm_80", OPERANDS, "LEA R8, R4, R6, 0x20", "LEA R8, R4, R6, -0x1", "LEA R8, R4, R6, R10", "LEA R8, R4, ~R6, 0x3", "LEA R8, ~R4, R6, 0x3",
        "LEA.HI R8, -R4, R6, R10, 0x3")  # fmt: skip
refused("sm_80", MODIFIER, "LEA.SX32 R8, R4, R6, 0x5")

# ---- comparisons ----

TESTS = {"EQ": lambda a, b: a == b, "NE": lambda a, b: a != b, "LT": lambda a, b: a < b, "LE": lambda a, b: a <= b, "GT": lambda a, b: a > b, "GE": lambda a, b: a >= b}
JOINED = {"AND": lambda a, b: a and b, "OR": lambda a, b: a or b, "XOR": lambda a, b: a != b}


def comparison(arch, name, join, condition, typed, values, number, text):
    """p, q = test and its negation, each joined with the condition."""
    test, joined = TESTS[name], JOINED[join]
    holds = {"PT": lambda l: True, "!PT": lambda l: False, "P0": lambda l: bool(l["P0"]), "!P0": lambda l: not l["P0"]}[condition]
    form(arch, text, P2=lambda l: int(joined(test(*values(l)), holds(l))), P3=lambda l: int(joined(not test(*values(l)), holds(l))))


for name in TESTS:
    comparison("sm_80", name, "AND", "PT", "", lambda l: (l.s(4), l.s(6)), 2, f"ISETP.{name}.AND P2, P3, R4, R6, PT")
    comparison("sm_80", name, "OR", "!P0", ".U32", lambda l: (l[4], l[6]), 2, f"ISETP.{name}.U32.OR P2, P3, R4, R6, !P0")
    for sign, value in (("U64", lambda x: x), ("S64", s64)):
        for join, condition in (("AND", "PT"), ("OR", "P0"), ("XOR", "!P0")):
            comparison("sm_120", name, join, condition, sign, lambda l, value=value: (value(l.pair(4)), value(l.pair(6))), 2,
                       f"ISETP.{name}.{sign}.{join} P2, P3, R4, R6, {condition}")  # fmt: skip
    for sign, value in ((".U32", lambda x: x), ("", s32)):
        # of high words, with what the low ones gave in P0
        strict = {"LE": "LT", "GE": "GT"}.get(name, name)

        def extended(l, name=name, value=value, strict=strict):
            a, b, low = value(l[4]), value(l[6]), bool(l["P0"])
            if name in ("EQ", "NE"):
                return (a == b and low) if name == "EQ" else (a != b or low)
            return TESTS[strict](a, b) or (a == b and low)

        form("sm_80", f"ISETP.{name}{sign}.AND.EX P2, PT, R4, R6, PT, P0", P2=lambda l, x=extended: int(x(l)))
        form("sm_80", f"ISETP.{name}{sign}.OR.EX P2, PT, R4, R6, P1, P0", P2=lambda l, x=extended: int(x(l) or bool(l["P1"])))
comparison("sm_80", "LT", "XOR", "P0", "", lambda l: (l.s(4), l.s(6)), 2, "ISETP.LT.XOR P2, P3, R4, R6, P0")
form("sm_120", "ISETP.GE.U64.AND P2, PT, R4, RZ, PT", P2=lambda l: 1)
form("sm_80", "UISETP.LT.AND UP2, UPT, UR4, UR6, UPT", UP2=lambda l: int(s32(l["UR4"]) < s32(l["UR6"])), alone=True)
refused("sm_80", OPERANDS, "ISETP.LT.AND.EX P2, P3, R4, R6, PT, P0", "ISETP.LT.AND P2, PT, -R4, R6, PT", "ISETP.LT.AND P2, PT, R4, -R6, PT",
        "ISETP.LT.AND P2, PT, ~R4, R6, PT", "ISETP.LT.AND P2, PT, R4, ~R6, PT")  # fmt: skip
refused("sm_120", OPERANDS, "ISETP.LT.U64.AND P2, PT, ~R4, R6, PT", "ISETP.LT.U64.AND P2, PT, R4, ~R6, PT")
refused("sm_80", MODIFIER, "ISETP.AND P2, PT, R4, R6, PT", "ISETP.LT P2, PT, R4, R6, PT", "ISETP.U64.AND P2, PT, R4, R6, PT", "ISETP.LT.U64 P2, PT, R4, R6, PT")

# ---- smallest and largest ----


def chosen(least, values):
    return min(values) if least else max(values)


def relu(value, yes):
    return max(value, 0) if yes else value


for kind, value in ((".U32", lambda x: x), ("", s32)):
    for condition, least in (("PT", lambda l: True), ("!PT", lambda l: False), ("P0", lambda l: bool(l["P0"])), ("!P0", lambda l: not l["P0"])):
        form("sm_80", f"IMNMX{kind} R8, R4, R6, {condition}", R8=lambda l, v=value, p=least: word(chosen(p(l), [v(l[4]), v(l[6])])))
        form("sm_90", f"VIMNMX3{kind} R8, R4, R6, R10, {condition}", R8=lambda l, v=value, p=least: word(chosen(p(l), [v(l[4]), v(l[6]), v(l[10])])))
        form("sm_90", f"VIADDMNMX{kind} R8, R4, -R6, R10, {condition}",
             R8=lambda l, v=value, p=least: word(chosen(p(l), [v(word(l[4] - l[6])), v(l[10])])))  # fmt: skip
form("sm_90", "VIMNMX.RELU R8, R4, R6, PT", R8=lambda l: max(0, min(l.s(4), l.s(6))))
form("sm_90", "VIMNMX3.RELU R8, R4, R6, R10, !PT", R8=lambda l: max(0, l.s(4), l.s(6), l.s(10)))
form("sm_90", "VIADDMNMX.RELU R8, R4, R6, R10, PT", R8=lambda l: max(0, min(s32(l[4] + l[6]), l.s(10))))
form("sm_100", "VIMNMX.S32 R8, PT, PT, R4, R6, PT", R8=lambda l: word(min(l.s(4), l.s(6))), shorter=True)


def s16(value):
    return value - 0x10000 if value & 0x8000 else value


def s8(value):
    return value - 0x100 if value & 0x80 else value


for condition, least in (("PT", True), ("!PT", False)):
    pick = min if least else max
    form("sm_90", f"VIMNMX.U16x2 R8, R4, R6, {condition}", R8=lambda l, pick=pick: halves(l[4], l[6], pick))
    form("sm_90", f"VIMNMX.S16x2 R8, R4, R6, {condition}", R8=lambda l, pick=pick: halves(l[4], l[6], lambda a, b: pick(s16(a), s16(b))))
    form("sm_90", f"VIADDMNMX.U16x2 R8, R4, R6, R10, {condition}",
         R8=lambda l, pick=pick: halves(halves(l[4], l[6], lambda a, b: a + b), l[10], pick))  # fmt: skip
    for more, floor in (("", -0x8000), (".RELU", 0)):
        form("sm_90", f"VIADDMNMX.S16x2{more} R8, R4, R6, R10, {condition}",
             R8=lambda l, pick=pick, floor=floor: halves(halves(l[4], l[6], lambda a, b: a + b), l[10], lambda a, b: max(pick(s16(a), s16(b)), floor)))  # fmt: skip
    form("sm_120", f"VIMNMX.U8x4 R8, R4, R6, {condition}", R8=lambda l, pick=pick: four(l[4], l[6], pick))
    form("sm_120", f"VIMNMX.S8x4 R8, R4, R6, {condition}", R8=lambda l, pick=pick: four(l[4], l[6], lambda a, b: pick(s8(a), s8(b))))
    for kind, value in (("U64", lambda x: x), ("S64", s64)):
        pairs("sm_120", f"IMNMX.{kind} PT, PT, R8, R4, R6, {condition}, !PT", lambda l, v=value, pick=pick: pick(v(l.pair(4)), v(l.pair(6))) & M64)
form("sm_120", "VIMNMX.U8x4 R8, R4, R6, P0", R8=lambda l: four(l[4], l[6], min if l["P0"] else max))
form("sm_120", "VIMNMX.S8x4 R8, PT, PT, R4, R6, !P0", R8=lambda l: four(l[4], l[6], lambda a, b: (max if l["P0"] else min)(s8(a), s8(b))), shorter=True)
pairs("sm_120", "IMNMX.S64 PT, PT, R8, R4, R6, P0, !PT", lambda l: (min if l["P0"] else max)(s64(l.pair(4)), s64(l.pair(6))) & M64)
refused("sm_120", OPERANDS, "VIMNMX.S32 R8, P0, PT, R4, R6, PT", "VIMNMX.S32 R8, PT, P0, R4, R6, PT", "VIMNMX.U8x4 R8, P0, PT, R4, R6, PT",
        "VIMNMX.U8x4 R8, PT, P0, R4, R6, PT", "IMNMX.U64 P0, PT, R8, R4, R6, PT, !PT", "IMNMX.U64 PT, P0, R8, R4, R6, PT, !PT",
        "IMNMX.U64 PT, PT, R8, R4, R6, PT, PT")  # fmt: skip
refused("sm_90", OPERANDS, "VIADDMNMX.S16x2 R8, -R4, R6, R10, PT", "VIADDMNMX.S16x2 R8, R4, -R6, R10, PT", "VIADDMNMX.U16x2 R8, R4, R6, -R10, PT")
refused("sm_120", MODIFIER, "VIMNMX.U8x4.RELU R8, R4, R6, PT", "IMNMX.U64.RELU PT, PT, R8, R4, R6, PT, !PT")

# ---- pairs of registers ----

for prefix, letter in (("", "R"), ("U", "UR")):
    settings = {"alone": bool(prefix)}
    first, p, zero = letter, f"{prefix}P", f"{prefix}RZ"
    a, b = (lambda l, letter=letter: l.pair(4, letter)), (lambda l, letter=letter: l.pair(6, letter))
    pairs("sm_120", f"{prefix}IADD.64 {letter}8, {letter}4, {letter}6", lambda l, a=a, b=b: a(l) + b(l), **settings)
    pairs("sm_120", f"{prefix}IADD.64 {letter}8, {letter}4, -{letter}6", lambda l, a=a, b=b: a(l) - b(l), **settings)
    pairs("sm_120", f"{prefix}IADD.64 {letter}8, {p}2, {letter}4, {letter}6", lambda l, a=a, b=b: a(l) + b(l), **settings,
          **{f"{p}2": lambda l, a=a, b=b: a(l) + b(l) >> 64})  # fmt: skip
    pairs("sm_120", f"{prefix}IADD.64 {letter}8, {p}2, {letter}4, -{letter}6", lambda l, a=a, b=b: a(l) - b(l), **settings,
          **{f"{p}2": lambda l, a=a, b=b: int(a(l) >= b(l))})  # fmt: skip
    pairs("sm_120", f"{prefix}IADD.64.X {letter}8, {letter}4, {letter}6, {p}0", lambda l, a=a, b=b, p=p: a(l) + b(l) + l[f"{p}0"], **settings)
    pairs("sm_120", f"{prefix}IADD.64.X {letter}8, {letter}4, ~{letter}6, {p}0", lambda l, a=a, b=b, p=p: a(l) + (b(l) ^ M64) + l[f"{p}0"], **settings)
    pairs("sm_120", f"{prefix}IADD.64.X {letter}8, {p}2, {letter}4, {letter}6, {p}0", lambda l, a=a, b=b, p=p: a(l) + b(l) + l[f"{p}0"], **settings,
          **{f"{p}2": lambda l, a=a, b=b, p=p: a(l) + b(l) + l[f"{p}0"] >> 64})  # fmt: skip
    pairs("sm_120", f"{prefix}IADD.64.X {letter}8, {letter}4, {letter}6, !{p}T", lambda l, a=a, b=b: a(l) + b(l), **settings)
    pairs("sm_120", f"{prefix}MOV.64 {letter}8, {letter}4", lambda l, a=a: a(l), **settings)
    pairs("sm_120", f"{prefix}SEL.64 {letter}8, {letter}4, {letter}6, {p}0", lambda l, a=a, b=b, p=p: a(l) if l[f"{p}0"] else b(l), **settings)
pairs("sm_120", "IADD.64 R8, PT, R4, R6", lambda l: l.pair(4) + l.pair(6))
pairs("sm_120", "IADD.64 R8, R4, -0x10", lambda l: l.pair(4) - 16)
pairs("sm_120", "MOV.64 R8, RZ", lambda l: 0)
pairs("sm_120", "MOV.64 R8, -R4", lambda l: -l.pair(4) & M64)
pairs("sm_90", "UIADD3.64 UR8, UR4, UR6, UR10", lambda l: l.pair(4, "UR") + l.pair(6, "UR") + l.pair(10, "UR"), alone=True)
pairs("sm_90", "UIADD3.64 UR8, UP2, UPT, UR4, UR6, URZ", lambda l: l.pair(4, "UR") + l.pair(6, "UR"), alone=True,
      UP2=lambda l: l.pair(4, "UR") + l.pair(6, "UR") >> 64)  # fmt: skip
pairs("sm_90", "UIADD3.64.X UR8, UR4, UR6, ~URZ, UP0, UP1", lambda l: l.pair(4, "UR") + l.pair(6, "UR") + M64 + l["UP0"] + l["UP1"], alone=True)
refused("sm_90", OPERANDS, "UIADD3.64 UR8, UP2, UP3, UR4, UR6, URZ", "UIADD3.64.X UR8, UR4, UR6, UR10, UP0", "UIADD3.64 UR8, UP2, UPT, -UR4, UR6, URZ",
        "UIADD3.64 UR8, UP2, UPT, UR4, -UR6, URZ")  # fmt: skip
refused("sm_120", MODIFIER, "MOV.64.X R8, R4", "SEL.64.X R8, R4, R6, P0")
refused("sm_120", OPERANDS, "IADD.64 R8, P2, -R4, R6", "IADD.64 R8, P2, -R4, -R6", "IADD.64.X R8, P2, R4, -R6, P0")

# ---- logic, shifts, bits ----


def table(a, b, c, bits):
    return sum(1 << i for i in range(32) if bits >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1)


for bits in (0xC0, 0xFC, 0x3C, 0x96, 0xE8, 0xCA, 0x1B, 0x80, 0xFE, 0x0F, 0x55, 0x33, 0xFF, 0x00, 0xF8, 0x2A):
    form("sm_80", f"LOP3.LUT R8, R4, R6, R10, {bits:#x}, !PT", R8=lambda l, bits=bits: table(l[4], l[6], l[10], bits),
         ignored=(1, 2, 3) if bits in (0, 0xFF) else ())  # fmt: skip
form("sm_80", "LOP3.LUT P2, R8, R4, R6, RZ, 0xc0, !PT", R8=lambda l: l[4] & l[6], P2=lambda l: int(l[4] & l[6] != 0))
form("sm_80", "LOP3.LUT P2, RZ, R4, R6, RZ, 0x3c, P0", P2=lambda l: int(l[4] != l[6] or bool(l["P0"])))
refused("sm_80", OPERANDS, "LOP3.LUT R8, R4, R6, R10, 0xc0, PT", "LOP3.LUT R8, R4, R6, R10, R3, !PT", "LOP3.LUT R8, ~R4, R6, R10, 0xc0, !PT",
        "LOP3.LUT R8, R4, ~R6, R10, 0xc0, !PT", "LOP3.LUT R8, R4, R6, ~R10, 0xc0, !PT")  # fmt: skip


def shifted(l, text, by):
    """A word of {R10, R4} after a shift; by: the amount, 32-bit unsigned."""
    left, upper, wide, signed, wraps = ".L" in text, ".HI" in text, "64" in text, ".S" in text, ".W" in text
    most = 63 if wide else 31
    by = by & most if wraps else min(by, most + 1)
    both = l[10] << 32 | l[4]
    if left:
        if not upper:
            return word(l[4] << by)
        return word(both << by >> 32)
    value = s64(both) if signed else both
    return word(value >> (by + 32)) if upper else word(value >> by)


for way in ("L", "R"):
    for wraps in ("", ".W"):
        for kind in ("U64", "S64", "U32"):
            for upper in ("", ".HI"):
                text = f"SHF.{way}{wraps}.{kind}{upper}"
                form("sm_80", f"{text} R8, R4, R6, R10", R8=lambda l, text=text: shifted(l, text, l[6]))
                for by in (5, 37, 64) if kind != "U32" else (5, 31):
                    form("sm_80", f"{text} R8, R4, {by:#x}, R10", R8=lambda l, text=text, by=by: shifted(l, text, by))
form("sm_80", "SHF.R.S32.HI R8, RZ, R6, R10", R8=lambda l: word(l.s(10) >> min(l[6], 32)))
form("sm_80", "SHF.L.U32.HI R8, RZ, R6, R10", R8=lambda l: word(l[10] << min(l[6], 32)))
form("sm_80", "SHF.R.U32 R8, R4, R6, RZ", R8=lambda l: l[4] >> min(l[6], 32))
form("sm_80", "SHF.R.W.U32 R8, R4, R6, R10", R8=lambda l: word((l[10] << 32 | l[4]) >> (l[6] & 31)))
refused("sm_80", MODIFIER, "SHF.L.HI R8, R4, R6, R10", "SHF.U32 R8, R4, R6, R10")


def mask(start, bits, wraps):
    if wraps:
        return word(((1 << (bits & 31)) - 1) << (start & 31))
    return word(((1 << min(bits, 32)) - 1) << min(start, 32))


form("sm_80", "BMSK R8, R4, R6", R8=lambda l: mask(l[4], l[6], False))
form("sm_80", "BMSK.W R8, R4, R6", R8=lambda l: mask(l[4], l[6], True))


def extended(value, bits, signed):
    if bits >= 32:
        return value
    value &= (1 << bits) - 1
    return word(value - (1 << bits)) if signed and bits and value >> (bits - 1) else value


for kind, signed in ((".U32", False), ("", True)):
    form("sm_80", f"SGXT{kind} R8, R4, R6", R8=lambda l, signed=signed: extended(l[4], l[6], signed))
    form("sm_80", f"SGXT.W{kind} R8, R4, R6", R8=lambda l, signed=signed: extended(l[4], l[6] & 31, signed))
form("sm_80", "BREV R8, R4", R8=lambda l: int(f"{l[4]:032b}"[::-1], 2))
form("sm_80", "POPC R8, R4", R8=lambda l: l[4].bit_count())


def highest(value, shift):
    return M32 if value == 0 else 32 - value.bit_length() if shift else value.bit_length() - 1


for shift in ("", ".SH"):
    form("sm_80", f"FLO.U32{shift} R8, R4", R8=lambda l, shift=shift: highest(l[4], shift))
    form("sm_80", f"FLO{shift} R8, R4", R8=lambda l, shift=shift: highest(l[4] ^ (M32 if l[4] >> 31 else 0), shift))


def permuted(a, b, selector, mode):
    every, by = b << 32 | a, selector & 3
    if mode == "":
        picks = [selector >> 4 * i & 15 for i in range(4)]
    else:
        picks = {
            "F4E": [by + i for i in range(4)],
            "B4E": [(by - i) & 7 for i in range(4)],
            "RC8": [by] * 4,
            "ECL": [max(i, by) for i in range(4)],
            "ECR": [min(i, by) for i in range(4)],
            "RC16": [0, 1, 0, 1] if by & 1 == 0 else [2, 3, 2, 3],
        }[mode]
    result = 0
    for i, pick in enumerate(picks):
        byte = every >> 8 * (pick & 7) & 0xFF
        result |= (0xFF if byte & 0x80 else 0 if pick & 8 else byte) << 8 * i if pick & 8 else byte << 8 * i
    return result


form("sm_80", "PRMT R8, R4, R6, R10", R8=lambda l: permuted(l[4], l[10], l[6], ""))
for mode in ("F4E", "B4E", "RC8", "ECL", "ECR", "RC16"):
    form("sm_80", f"PRMT.{mode} R8, R4, R6, R10", R8=lambda l, mode=mode: permuted(l[4], l[10], l[6], mode))
form("sm_80", "SEL R8, R4, R6, P0", R8=lambda l: l[4] if l["P0"] else l[6])
form("sm_80", "SEL R8, R4, R6, !P0", R8=lambda l: l[6] if l["P0"] else l[4])

# ---- predicates ----


def bit(a, b, c, bits):
    return bits >> (a << 2 | b << 1 | c) & 1


for bits in range(0, 256, 3):
    form("sm_80", f"PLOP3.LUT P4, PT, P0, P1, P2, {bits:#x}, 0x0", P4=lambda l, bits=bits: bit(l["P0"], l["P1"], l["P2"], bits), ignored=(6,))
form("sm_80", "PLOP3.LUT P4, PT, P0, !PT, PT, 0xe2, 0x0", P4=lambda l: bit(l["P0"], 0, 1, 0xE2), ignored=(6,))
form("sm_80", "PLOP3.LUT P4, PT, !P0, P0, P1, 0x6a, 0x0", P4=lambda l: bit(1 - l["P0"], l["P0"], l["P1"], 0x6A), ignored=(6,))
form("sm_80", "P2R R8, PR, R4, 0x7f", R8=lambda l: l[4] & ~0x7F & M32 | sum(l[f"P{i}"] << i for i in range(7)),
     given={f"P{i}": [(i * 7 + lane * 5) >> 2 & 1 for lane in range(32)] for i in range(7)}, alone=True)  # fmt: skip
form("sm_80", "R2P PR, R4.B2, 0x6", P1=lambda l: l[4] >> 17 & 1, P2=lambda l: l[4] >> 18 & 1)
form("sm_80", "R2P PR, R4, 0x1", P0=lambda l: l[4] & 1)
refused("sm_80", OPERANDS, "PLOP3.LUT P4, P5, P0, P1, P2, 0x80, 0x0", "PLOP3.LUT P4, PT, P0, P1, P2, R3, 0x0", "P2R R8, PR, R4, 0x80", "P2R R8, PR, R4, 0x0",
        "R2P PR, R4, 0x80", "R2P PR, R4, -0x1")  # fmt: skip
refused("sm_80", "the operand R4.B4 of R2P PR, R4.B4, 0x1", "R2P PR, R4.B4, 0x1")
refused("sm_80", "the operand R4.SIGN.B of {}", "PLOP3.LUT P4, PT, R4.SIGN.B, P1, P2, 0x80, 0x0")

# ---- the rest ----

form("sm_80", "IABS R8, R4", R8=lambda l: word(abs(l.s(4))))
form("sm_80", "VABSDIFF R8, R4, R6, R10", R8=lambda l: word(abs(l.s(4) - l.s(6)) + l[10]))
form("sm_80", "VABSDIFF.U32 R8, R4, R6, R10", R8=lambda l: word(abs(l[4] - l[6]) + l[10]))
form("sm_80", "VABSDIFF4.U8 R8, R4, R6, RZ", R8=lambda l: four(l[4], l[6], lambda a, b: abs(a - b)))
form("sm_80", "VABSDIFF4.U8.ACC R8, R4, R6, R10", R8=lambda l: word(sum(abs((l[4] >> i & 255) - (l[6] >> i & 255)) for i in (0, 8, 16, 24)) + l[10]))
form("sm_80", "VABSDIFF4.ACC R8, R4, R6, R10", R8=lambda l: word(sum(abs(s8(l[4] >> i & 255) - s8(l[6] >> i & 255)) for i in (0, 8, 16, 24)) + l[10]))
PARTS = {"U8": lambda x: x & 0xFF, "S8": lambda x: s8(x & 0xFF), "U16": lambda x: x & 0xFFFF, "S16": lambda x: s16(x & 0xFFFF)}
for x in ("U8", "S8"):
    for y in ("U8", "S8"):
        form("sm_80", f"IDP.4A.{x}.{y} R8, R4, R6, R10",
             R8=lambda l, x=x, y=y: word(l[10] + sum(PARTS[x](l[4] >> i) * PARTS[y](l[6] >> i) for i in (0, 8, 16, 24))))  # fmt: skip
        for half, begin in (("LO", 0), ("HI", 16)):
            wide = x.replace("8", "16")
            form("sm_80", f"IDP.2A.{half}.{wide}.{y} R8, R4, R6, R10",
                 R8=lambda l, wide=wide, y=y, begin=begin: word(l[10] + sum(PARTS[wide](l[4] >> 16 * i) * PARTS[y](l[6] >> begin + 8 * i) for i in (0, 1))))  # fmt: skip
refused("sm_80", MODIFIER, "IDP.4A.U8 R8, R4, R6, R10", "IDP.2A.U16.U8 R8, R4, R6, R10", "IDP.2A.U16.U8.LO R8, R4, R6, R10")

# ---- moves, special registers ----

form("sm_80", "MOV R8, R4", R8=lambda l: l[4], longer=False)
form("sm_80", "MOV R8, 0xffffffff, 0xf", R8=lambda l: M32, shorter=True)
form("sm_80", "S2R R8, SR_LANEID", R8=lambda l: l.number)
form("sm_80", "S2R R8, SR_TID.Y", R8=lambda l: 0)
form("sm_80", "S2R R8, SR_LTMASK", R8=lambda l: (1 << l.number) - 1)
form("sm_80", "S2R R8, SR_GEMASK", R8=lambda l: word(M32 << l.number))
form("sm_80", "S2R R8, SR_VIRTID", R8=lambda l: 0)
form("sm_80", "S2R R8, SR_VIRTCFG", R8=lambda l: 64 << 8)
form("sm_80", "S2R R8, SR_LMEMHIOFF", R8=lambda l: 0)
form("sm_80", "CS2R.32 R8, SRZ", R8=lambda l: 0)
pairs("sm_80", "CS2R R8, SRZ", lambda l: 0)
form("sm_80", "R2UR UR8, R4", UR8=lambda l: l[4], alone=True, given={"R4": [77] * 32})
refused("sm_80", OPERANDS, "MOV R8, R4, 0x7", "CS2R R8, SR_TID.X", "CS2R R8, R4", "R2UR R8, R4", "S2R R8, R4")
refused("sm_80", MODIFIER, "CS2R.16 R8, SRZ", "S2R.64 R8, SR_TID.X", "R2UR.OR UR8, R4")
