"""Memory, atomics, and what lanes do together: forms.py. Of copies, products of matrices, textures and the like: what they become in PTX."""

import pathlib

from forms_model import M32, BORDERS, Form

FORMS, REFUSED = [], []
INSTRUCTION = "the instruction {}"
BYTES = [(37 * i + 11) & 255 for i in range(1024)]
HEX = "".join(f"{byte:02x}" for byte in BYTES)


def form(arch, text, **results):
    settings = {name: results.pop(name) for name in ("alone", "shorter", "longer", "ignored", "given", "kind") if name in results}
    FORMS.append(Form(arch, text, results, **settings))


def becomes(arch, text, ptx, **settings):
    FORMS.append(Form(arch, text, becomes=ptx, **settings))


def refused(arch, why, *texts):
    for text in texts:
        REFUSED.append(Form(arch, text, why=why.format(text)))


def at(place, bytes=4):
    return int.from_bytes(bytes_at(place, bytes), "little")


def bytes_at(place, count):
    return bytes(BYTES[place : place + count])


# ---- loads ----

PLACE = {"R4": "&40", "M": HEX}
for mods in ("", ".STRONG.GPU", ".STRONG.SYS", ".STRONG.CTA", ".CONSTANT", ".EL", ".LTC128B", ".MMIO.SYS"):
    for opcode in ("LDG", "LD"):
        if opcode == "LD" and ("CONSTANT" in mods):
            continue
        form("sm_80", f"{opcode}.E{mods} R8, [R4.64+0x8]", given=PLACE, R8=lambda l: at(0x48))
for width, bytes_, signed in (("U8", 1, 0), ("S8", 1, 1), ("U16", 2, 0), ("S16", 2, 1)):
    form("sm_80", f"LDG.E.{width} R8, [R4.64+0x6]", given=PLACE,
         R8=lambda l, n=bytes_, s=signed: int.from_bytes(bytes_at(0x46, n), "little", signed=bool(s)) & M32)  # fmt: skip
form("sm_80", "LDG.E.64 R8, [R4.64+-0x10]", given=PLACE, R8=lambda l: at(0x30), R9=lambda l: at(0x34))
form("sm_80", "LDG.E.128 R12, [R4.64]", given=PLACE, alone=True, **{f"R{12 + i}": lambda l, i=i: at(0x40 + 4 * i) for i in range(4)})
form("sm_75", "LDG.E.U.128.CONSTANT.SYS R12, [R4]", given=PLACE, alone=True, **{f"R{12 + i}": lambda l, i=i: at(0x40 + 4 * i) for i in range(4)})
# the second operand has the first half
form("sm_100", "LDG.E.ENL2.256 R12, R20, [R4.64+0x20]", given=PLACE, alone=True,
     **{f"R{20 + i % 4 - i // 4 * 8}": lambda l, i=i: at(0x60 + 4 * i) for i in range(8)})  # fmt: skip
form("sm_90", "LDG.E R8, desc[UR6][R4.64+0x8]", given=PLACE, R8=lambda l: at(0x48))
form("sm_80", "R2UR UR10, R10; R2UR UR11, R11; LDG.E R8, [R6.U32+UR10+0x8]", R8=lambda l: at(0x48 + 8), given={"R10": "&40", "M": HEX, "R6": [8] * 32})
form("sm_80", "R2UR UR10, R4; R2UR UR11, R5; LDG.E R8, [UR10.64+0x8]; LDG.E R9, [R6.64+UR10.64+0x8]", R8=lambda l: at(0x48), R9=lambda l: at(0x68),
     given={"R4": "&40", "M": HEX, "R6": [0x20] * 32, "R7": [0] * 32})  # fmt: skip
refused("sm_80", INSTRUCTION, "LDG R8, [R4.64]", "LD R8, [R4.64]", "STG [R4.64], R8", "ST [R4.64], R8", "LDG.E 0x5, [R4.64]", "STG.E [R4.64], 0x5",
        "LDG.E R8, R4", "STG.E R4, R8", "LD.E.CONSTANT R8, [R4.64]", "LDS 0x5, [R4]", "LDS R8, R4", "STS [R4], 0x5", "LDL R8, R4", "STL [R4], 0x5")  # fmt: skip
refused("sm_80", "the address [R4.X4] of {}", "LDG.E R8, [R4.X4]", "ST.E [R4.X4], R8", "STG.E [R4.X4], R8", "LD.E R8, [R4.X4]", "ATOMG.E.ADD PT, R8, [R4.X4], R6",
        "RED.E.ADD [R4.X4], R6")  # fmt: skip
refused("sm_80", "the address [R4.64] of {}", "LDS R8, [R4.64]", "STS [R4.64], R8", "LDL R8, [R4.64]", "STL [R4.64], R8", "ATOMS.ADD R8, [R4.64], R6",
        "ATOMS.CAST.SPIN R8, [R4.64], R6, R10", "ATOMS.POPC.INC.32 RZ, [R4.64]", "LDSM.16.M88 R8, [R4.64]", "STSM.16.M88 [R4.64], R8",
        "LDGSTS.E [R4.64], [R6.64]")  # fmt: skip
refused("sm_80", "the address [R4.64+UR6.X4] of {}", "LDG.E R8, [R4.64+UR6.X4]")
refused("sm_80", "the address [R4+UR6.64] of {}", "LDS R8, [R4+UR6.64]")

# ---- stores, and shared memory: two instructions ----

for mods in ("", ".STRONG.GPU", ".EF"):
    for opcode in ("STG", "ST"):
        form("sm_80", f"{opcode}.E{mods} [R4.64+0x8], R6", alone=True, given={**PLACE, "R6": [0x12345678] * 32}, **{"M48+4": lambda l: "78563412"})
form("sm_80", "STG.E.U8 [R4.64+0x3], R6", alone=True, given={**PLACE, "R6": [0x12345678] * 32},
     **{"M40+5": lambda l: bytes_at(0x40, 3).hex() + "78" + bytes_at(0x44, 1).hex()})  # fmt: skip
form("sm_80", "STG.E.64 [R4.64], R6", alone=True, given={**PLACE, "R6": [0x12345678] * 32, "R7": [0x9ABCDEF0] * 32}, **{"M40+8": lambda l: "78563412f0debc9a"})
form("sm_80", "ST.E.128 [R4.64], RZ", alone=True, given=PLACE, **{"M40+10": lambda l: "00" * 16})
form("sm_100", "STG.E.ENL2.256 [R4.64+0x20], R12, R8", alone=True,
     given={**PLACE, **{f"R{first + i}": [first << 8 | i] * 32 for first in (8, 12) for i in range(4)}},
     **{"M60+20": lambda l: b"".join((first << 8 | i).to_bytes(4, "little") for first in (12, 8) for i in range(4)).hex()})  # fmt: skip
refused("sm_100", INSTRUCTION, "LDG.E.256 R12, R20, [R4.64]", "LDG.E.ENL2.256 R12, [R4.64]", "LDG.ENL2.256 R12, R20, [R4.64]", "STG.E.ENL2.256 [R4.64], R12",
        "STG.E.ENL2.256.CONSTANT [R4.64], R12, R8", "STG.E.ENL2 [R4.64], R12, R8")  # fmt: skip
LANES4 = {"R4": [4 * i for i in range(32)]}
for base, arch in ((0, "sm_80"), (1024, "sm_90")):
    places = {"R4": [base + 4 * i for i in range(32)], "R10": [base // 4 + i for i in range(32)]}
    form(arch, "STS [R4], R6; LDS R8, [R4]", alone=True, given=places, R8=lambda l: l[6])
    form(arch, "STS.U16 [R4], R6; LDS.S16 R8, [R4]", alone=True, given=places, R8=lambda l: (l[6] & 0xFFFF) - (l[6] & 0x8000) * 2 & M32)  # fmt: skip
    form(arch, "STS [R10.X4], R6; LDS.U R8, [R10.X4]", alone=True, given=places, R8=lambda l: l[6])
    form(arch, "STS [R10.X4+UR4], R6; LDS R8, [R4+UR4]", alone=True, given={**places, "UR4": [64] * 32}, R8=lambda l: l[6])  # fmt: skip
    form(arch, f"STS [UR4], R6; LDS R8, [{base:#x}+0x40]", alone=True, given={"UR4": [base + 64] * 32, "R6": [77] * 32}, R8=lambda l: 77)  # fmt: skip

# ---- atomics ----

OPERATIONS = {"ADD": lambda a, b: a + b, "AND": lambda a, b: a & b, "OR": lambda a, b: a | b, "XOR": lambda a, b: a ^ b, "EXCH": lambda a, b: b,
              "INC": lambda a, b: 0 if a >= b else a + 1, "DEC": lambda a, b: b if a == 0 or a > b else a - 1}  # fmt: skip
for bits, word in ((32, ""), (64, ".64")):
    old, value = at(0x40, bits // 8), 0x0102030405060708 & (1 << bits) - 1
    signed = lambda x, bits=bits: x - (1 << bits) if x >> (bits - 1) else x
    cases = [(f".{name}{word}", what(old, value)) for name, what in OPERATIONS.items() if bits == 32 or name not in ("INC", "DEC")]
    cases += [(f".{name}.{sign}{bits}", what((signed if sign == "S" else int)(old), (signed if sign == "S" else int)(value)))
              for name, what in (("MIN", min), ("MAX", max)) for sign in "SU"]  # fmt: skip
    for mods, wanted in cases:
        wanted &= (1 << bits) - 1
        one = {**PLACE, "R6": [value & M32] * 32, "R7": [value >> 32] * 32}
        after = {f"M40+{bits // 8:x}": lambda l, w=wanted, n=bits // 8: w.to_bytes(n, "little").hex()}
        results = {"R8": lambda l, old=old: old & M32, **({"R9": lambda l, old=old: old >> 32} if bits == 64 else {})}
        first = {"P0": [1] + [0] * 31}  # one lane
        for opcode in ("ATOMG.E{}.STRONG.GPU PT, R8, [R4.64], R6", "ATOM.E{} PT, R8, [R4.64], R6", "ATOM.E{} P2, R8, [R4.64], R6"):
            told = {"P2": lambda l: 1} if "P2" in opcode else {}
            if told and ("INC" in mods or "DEC" in mods):
                continue
            text = opcode.format(mods)
            before = {name: [0xDEAD] * 32 for name in results} | {name: [0] * 32 for name in told}
            kept = {name: lambda l, m=model, n=name: m(l) if l.number == 0 else (0 if n[0] == "P" else 0xDEAD) for name, model in {**results, **told}.items()}
            form("sm_80", "@P0 " + text, given={**one, **first, **before}, **kept, **after)
            form("sm_80", text)
        if "EXCH" not in mods:
            form("sm_80", f"@P0 RED.E{mods}.STRONG.GPU [R4.64], R6", given={**one, **first}, **after)
            form("sm_80", f"RED.E{mods}.STRONG.GPU [R4.64], R6")
        if bits == 64 and "M" in mods:  # there are none in shared memory
            continue
        form("sm_80", f"STS{word} [RZ], R12; @P0 ATOMS{mods} R8, [RZ], R6; LDS{word} R10, [RZ]",
             given={**one, **first, **{name: [0xDEAD] * 32 for name in results}, "R12": [old & M32] * 32, "R13": [old >> 32] * 32},
             R10=lambda l, w=wanted: w & M32, **{name: lambda l, m=model: m(l) if l.number == 0 else 0xDEAD for name, model in results.items()})  # fmt: skip
        form("sm_80", f"ATOMS{mods} R8, [R4], R6")
ONE = {"P0": [1] + [0] * 31}
for bits, word in ((32, ""), (64, ".64")):
    old = at(0x40, bits // 8)
    for same in (True, False):
        expected = old if same else old ^ 1
        given = {**PLACE, **ONE, "R6": [expected & M32] * 32, "R7": [expected >> 32] * 32, "R10": [0x11223344] * 32, "R11": [0x55667788] * 32}
        wanted = ((0x5566778811223344 & (1 << bits) - 1) if same else old).to_bytes(bits // 8, "little").hex()
        form("sm_80", f"@P0 ATOMG.E.CAS{word}.STRONG.GPU PT, R8, [R4.64], R6, R10", given={**given, "R8": [5] * 32}, R8=lambda l, o=old: o & M32 if l.number == 0 else 5,
             **{f"M40+{bits // 8:x}": lambda l, w=wanted: w})  # fmt: skip
        form("sm_80", f"STS{word} [RZ], R12; @P0 ATOMS.CAS{word} R8, [RZ], R6, R10; LDS{word} R14, [RZ]",
             given={**given, "R8": [5] * 32, "R12": [old & M32] * 32, "R13": [old >> 32] * 32},
             R8=lambda l, o=old: o & M32 if l.number == 0 else 5, R14=lambda l, s=same, o=old: 0x11223344 if s else o & M32)  # fmt: skip
        for opcode, got in (("ATOMS.CAST.SPIN{} R8, [RZ], R6, R10", "R8"), ("ATOMS.CAST.SPIN{} P2, [RZ], R6, R10", "P2")):
            form("sm_100", f"STS{word} [RZ+0x400], R12; @P0 {opcode.format(word).replace('[RZ]', '[RZ+0x400]')}; LDS{word} R14, [RZ+0x400]",
                 given={**given, got: [0] * 32, "R12": [old & M32] * 32, "R13": [old >> 32] * 32},
                 R14=lambda l, s=same, o=old: 0x11223344 if s else o & M32, **{got: lambda l, s=same: int(s and l.number == 0)})  # fmt: skip
            form("sm_100", opcode.format(word))
    form("sm_80", f"ATOMG.E.CAS{word}.STRONG.GPU PT, R8, [R4.64], R6, R10", shorter=True)
    form("sm_80", f"ATOMS.CAS{word} R8, [R4], R6, R10")
form("sm_80", "STS [RZ], RZ; ATOMS.POPC.INC.32 RZ, [RZ]; LDS R8, [RZ]", R8=lambda l: 32)
form("sm_80", "ATOMS.POPC.INC.32 RZ, [R4]")

# Sums of floating point: exact ones.
FLOATS = {"F32.FTZ.RN": ("3f800000", "40200000", "40600000"), "F64.RN": ("3ff0000000000000", "4004000000000000", "400c000000000000"),
          "F16x2.RN": ("3c004000", "41004100", "43004480"), "BF16x2.RN": ("3f804000", "40204020", "40604090"),
          "F32x2.FTZ.RN": ("3f80000040000000", "4020000040200000", "4060000040900000"),
          "F16x4.RN": ("3c0040003c004000", "4100410041004100", "4300448043004480"),
          "BF16x4.RN": ("3f8040003f804000", "4020402040204020", "4060409040604090"),
          "F32x4.FTZ.RN": ("3f80000040000000" * 2, "40200000" * 4, "4060000040900000" * 2),
          "F16x8.RN": ("3c004000" * 4, "4100" * 8, "43004480" * 4), "BF16x8.RN": ("3f804000" * 4, "4020" * 8, "40604090" * 4)}  # fmt: skip


def words_of(hexadecimal):
    """The least first."""
    number, count = int(hexadecimal, 16), len(hexadecimal) // 8
    return [number >> 32 * i & M32 for i in range(count)]


def memory_of(hexadecimal, place):
    return HEX[: 2 * place] + int(hexadecimal, 16).to_bytes(len(hexadecimal) // 2, "little").hex() + HEX[2 * place + len(hexadecimal) :]


for type, (was, value, total) in FLOATS.items():
    count = len(was) // 2
    operands = {"R4": "&40", "M": memory_of(was, 0x40), **ONE, **{f"R{12 + i}": [word] * 32 for i, word in enumerate(words_of(value))}}
    after = {f"M40+{count:x}": lambda l, t=total, n=count: int(t, 16).to_bytes(n, "little").hex()}
    olds = {f"R{8 + i}": lambda l, w=word: w if l.number == 0 else 5 for i, word in enumerate(words_of(was))}
    for opcode in ("ATOMG", "ATOM"):
        form("sm_90", f"@P0 {opcode}.E.ADD.{type}.STRONG.GPU PT, R8, [R4.64], R12", given={**operands, **{name: [5] * 32 for name in olds}}, **olds, **after)
        form("sm_90", f"{opcode}.E.ADD.{type}.STRONG.GPU PT, R8, [R4.64], R12")
    form("sm_90", f"@P0 RED.E.ADD.{type}.STRONG.GPU [R4.64], R12", given=operands, **after)
    form("sm_90", f"@P0 ATOMG.E.ADD.{type}.STRONG.GPU PT, RZ, [R4.64], R12", given=operands, **after)
    form("sm_90", f"@P0 ATOMG.E.ADD.{type}.STRONG.GPU PT, R8, [R4.64], RZ", given={**operands, **{name: [5] * 32 for name in olds}}, **olds)
for type, least, most in (("F16x2", "3c003800", "40003900"), ("BF16x2", "3f803f00", "40003f20")):
    for name, wanted in (("MIN", 0), ("MAX", 1)):
        low, high = int(least, 16), int(most, 16)
        was, value = low & 0xFFFF0000 | high & 0xFFFF, high & 0xFFFF0000 | low & 0xFFFF
        given = {"R4": "&40", "M": memory_of(f"{was:08x}", 0x40), **ONE, "R6": [value] * 32, "R8": [5] * 32}
        form("sm_90", f"@P0 ATOMG.E.{name}.{type}.RN.STRONG.GPU PT, R8, [R4.64], R6", given=given, R8=lambda l, was=was: was if l.number == 0 else 5,
             **{"M40+4": lambda l, x=(low, high)[wanted]: x.to_bytes(4, "little").hex()})  # fmt: skip
        form("sm_90", f"ATOMG.E.{name}.{type}.RN.STRONG.GPU PT, R8, [R4.64], R6")
refused("sm_90", INSTRUCTION, "ATOMG.E.ADD.F32.RN PT, R8, [R4.64], R6", "ATOMG.E.ADD.F32.FTZ PT, R8, [R4.64], R6", "ATOMG.E.MIN.F32.FTZ.RN PT, R8, [R4.64], R6",
        "ATOMG.E.ADD.F64.FTZ.RN PT, R8, [R4.64], R6", "ATOMG.E.XOR.F16x2.RN PT, R8, [R4.64], R6", "ATOMG.E.ADD.FTZ PT, R8, [R4.64], R6",
        "ATOMG.E PT, R8, [R4.64], R6", "ATOMG.ADD PT, R8, [R4.64], R6", "ATOMG.E.ADD P2, R8, [R4.64], R6", "ATOM.E.ADD.F16x4.RN P2, R8, [R4.64], R6",
        "ATOMG.E.AND.S32 PT, R8, [R4.64], R6", "ATOMG.E.ADD.S64 PT, R8, [R4.64], R6", "ATOMG.E.ADD R3, R8, [R4.64], R6", "ATOMG.E.ADD PT, 0x5, [R4.64], R6",
        "RED.ADD [R4.64], R6", "RED.E [R4.64], R6", "RED.E.AND.S64 [R4.64], R6", "ATOMS.ADD 0x5, [R4], R6", "ATOMS R8, [R4], R6", "ATOMS.CAST R8, [R4], R6, R10",
        "ATOMS.POPC.32 RZ, [R4]", "ATOMS.POPC.INC.32 R8, [R4]", "ATOM.E.CAST P2, R8, [R4.64], R6, R10", "ATOM.E.CAST.SPIN P2, R8, [R4.64], R6, R10",
        "ATOM.E.CAST PT, R8, [R4.64], R6, R10")  # fmt: skip

# ---- constants ----

CONSTANT = 0x40490FDB3FC00000  # the last parameter
for arch, begin in (("sm_80", 0x178), ("sm_90", 0x228), ("sm_120", 0x398)):
    form(arch, f"LDC R8, c[0x0][{begin:#x}]", R8=lambda l: CONSTANT & M32)
    form(arch, f"LDC.64 R8, c[0x0][{begin:#x}]", R8=lambda l: CONSTANT & M32, R9=lambda l: CONSTANT >> 32)
    form(arch, f"LDC.U16 R8, c[0x0][{begin + 6:#x}]", R8=lambda l: CONSTANT >> 48)
    form(arch, f"LDC.S8 R8, c[0x0][{begin + 4:#x}]", R8=lambda l: 0xFFFFFFDB)
    form(arch, f"LDC R8, c[0x0][R6+{begin:#x}]", given={"R6": [0, 4] * 16}, R8=lambda l: CONSTANT >> (32 * (l.number & 1)) & M32)
    form(arch, f"LDC R8, c[0x0][UR6+{begin:#x}]", given={"UR6": [4] * 32}, R8=lambda l: CONSTANT >> 32)
    form(arch, f"ULDC UR8, c[0x0][{begin:#x}]", alone=True, UR8=lambda l: CONSTANT & M32)
    form(arch, f"FADD R8, RZ, c[0x0][{begin:#x}]", R8=lambda l: CONSTANT & M32)
    form(arch, f"FADD R8, -RZ, -|c[0x0][{begin:#x}]|", R8=lambda l: CONSTANT & M32 | 1 << 31)
    form(arch, f"IADD3 R8, -c[0x0][{begin:#x}], RZ, RZ", R8=lambda l: -CONSTANT & M32)
    form(arch, f"FMUL2 R8, R4.F32x2.HI_LO, c[0x0][{begin:#x}].F32x2.HI_LO", given={"R4": [0x3F800000] * 32, "R5": [0x3F800000] * 32}, R8=lambda l: CONSTANT & M32,
         R9=lambda l: CONSTANT >> 32)  # fmt: skip
refused("sm_80", INSTRUCTION, "LDC R8, R4", "LDC R8, c[0x0][R6+UR6+0x160]", "LDC R8, c[0x4][R6]")

# ---- spaces, order, caches ----

form("sm_80", "QSPC.E.G P2, RZ, [R4.64]", given=PLACE, P2=lambda l: 1)
form("sm_80", "QSPC.E.S P2, RZ, [R4.64+0x8]", given=PLACE, P2=lambda l: 0)
form("sm_80", "QSPC.E.L P2, RZ, [R4.64]", given=PLACE, P2=lambda l: 0)
form("sm_90", "QSPC.E.D P2, RZ, [R4.64]", given=PLACE, P2=lambda l: 0)
refused("sm_80", INSTRUCTION, "QSPC.E P2, RZ, [R4.64]", "QSPC.E.G P2, R6, [R4.64]")

# ---- lanes ----

from_lane = lambda pick: lambda l: 0x100 + (pick(l.number) if 0 <= pick(l.number) < 32 else l.number)
NUMBERED = {"R4": [0x100 + i for i in range(32)]}
for text, pick in (("SHFL.IDX {}, R8, R4, 0x5, 0x1f", lambda i: 5), ("SHFL.UP {}, R8, R4, 0x3, RZ", lambda i: i - 3), ("SHFL.DOWN {}, R8, R4, 0x3, 0x1f", lambda i: i + 3),
                   ("SHFL.BFLY {}, R8, R4, 0x10, 0x1f", lambda i: i ^ 16)):  # fmt: skip
    form("sm_80", text.format("PT"), alone=True, given=NUMBERED, R8=from_lane(pick))
    form("sm_80", text.format("P2"), alone=True, given=NUMBERED, R8=from_lane(pick), P2=lambda l, pick=pick: int(0 <= pick(l.number) < 32))
refused("sm_80", INSTRUCTION, "SHFL.FOO PT, R8, R4, 0x5, 0x1f", "SHFL.IDX.UP PT, R8, R4, 0x5, 0x1f", "SHFL PT, R8, R4, 0x5, 0x1f")
ODD = {"P0": [i & 1 for i in range(32)], "P1": [1] * 32}
for text, results in (("VOTE.ANY R8, PT, P0", {"R8": 0xAAAAAAAA}), ("VOTE.ANY R8, P2, P0", {"R8": 0xAAAAAAAA, "P2": 1}), ("VOTE.ALL P2, P0", {"P2": 0}),
                      ("VOTE.ALL R8, P2, P1", {"R8": M32, "P2": 1}), ("VOTE.EQ RZ, P2, P0", {"P2": 0}), ("VOTE.EQ P2, P1", {"P2": 1}),
                      ("VOTE.ANY P2, !P1", {"P2": 0}), ("VOTEU.ANY UR8, UPT, P0", {"UR8": 0xAAAAAAAA})):  # fmt: skip
    form("sm_80", text, alone=True, given=ODD, longer="R8" not in text, shorter=True, **{name: lambda l, v=value: v for name, value in results.items()})
refused("sm_80", INSTRUCTION, "VOTE P2, P0", "VOTE.ANY.ALL P2, P0", "VOTE.ANY P0", "VOTE.ANY R8, P0", "VOTE.ANY R8, P2, P0, P1", "VOTE.ANY P2, P0, P1")
FOUR = {"R4": [i >> 3 for i in range(32)], "R5": [7] * 32, "R6": [9] * 32}
form("sm_80", "MATCH.ANY R8, R4", alone=True, given=FOUR, R8=lambda l: 0xFF << (l.number & 24))
form("sm_80", "MATCH.ANY.U64 R8, R4", alone=True, given=FOUR, R8=lambda l: 0xFF << (l.number & 24))
form("sm_80", "MATCH.ALL P2, R8, R4", alone=True, given=FOUR, R8=lambda l: 0, P2=lambda l: 0)
form("sm_80", "MATCH.ALL.U64 P2, R8, R6", alone=True, given={"R6": [9] * 32, "R7": [8] * 32}, R8=lambda l: M32, P2=lambda l: 1)
refused("sm_80", INSTRUCTION, "MATCH R8, R4", "MATCH.ALL.ANY R8, R4", "MATCH.ALL R8, R4", "MATCH.ANY P2, R8, R4")
VALUES = {"R4": [(BORDERS * 2)[i] for i in range(32)]}
signed = lambda x: x - (1 << 32) if x >> 31 else x
everything = lambda what: (lambda l: what(VALUES["R4"]) & M32)


def folded(what):
    def fold(values):
        result = values[0]
        for value in values[1:]:
            result = what(result, value)
        return result

    return fold


for mods, what in (("SUM", sum), ("SUM.S32", sum), ("MIN.S32", lambda v: min(v, key=signed)), ("MAX.S32", lambda v: max(v, key=signed)), ("MIN.U32", min), ("MAX", max),
                   ("OR", folded(lambda a, b: a | b)), ("AND", folded(lambda a, b: a & b)), ("XOR", folded(lambda a, b: a ^ b))):  # fmt: skip
    form("sm_80", f"REDUX.{mods} UR8, R4", alone=True, given=VALUES, UR8=everything(what))
    form("sm_100", f"CREDUX.{mods} UR8, R4", alone=True, given=VALUES, UR8=everything(what))
form("sm_80", "REDUX UR8, R4", alone=True, given=VALUES, UR8=everything(folded(lambda a, b: a & b)))
form("sm_80", "ELECT P2, UR8, PT", alone=True, P2=lambda l: int(l.number == 0), UR8=lambda l: 0)
form("sm_80", "@P0 ELECT P2, UR8, PT", given={"P0": [i >> 3 & 1 for i in range(32)], "P2": [0] * 32, "UR8": [77] * 32}, P2=lambda l: int(l.number == 8))
REAL = {"R4": [0x3F800000 + (i << 20) | (i & 1) << 31 for i in range(32)]}
for mods, value in (("MIN", 0xBF800000 + (31 << 20)), ("MAX", 0x3F800000 + (30 << 20)), ("MINABS", 0x3F800000), ("MAXABS", 0x3F800000 + (31 << 20)), ("MIN", None)):
    if value:
        form("sm_100", f"CREDUX.{mods}.F32 UR8, R4", alone=True, given=REAL, UR8=lambda l, v=value: v)
        form("sm_100", f"CREDUX.{mods}.F32.NAN UR8, R4", alone=True, given={"R4": REAL["R4"][:-1] + [0x7FC00000]}, UR8=lambda l: 0x7FFFFFFF)
refused("sm_100", INSTRUCTION, "CREDUX.F32 UR8, R4", "CREDUX.SUM.F32 UR8, R4", "CREDUX.MIN.F32.S32 UR8, R4")
refused("sm_80", INSTRUCTION, "ELECT P2, UR8, P0", "ELECT P2, UR8, !PT", "NANOSLEEP R4, R5", "WARPSYNC R4, R5", "WARPSYNC.ALL R4", "WARPSYNC.EXCLUSIVE.ALL R4",
        "@P0 WARPSYNC.EXCLUSIVE R4", "@P0 WARPSYNC.COLLECTIVE R4, `(.L_x_1)", "WARPSYNC.COLLECTIVE R4, R5", "WARPSYNC.COLLECTIVE R4, `(.L_x_9)",
        "@P0 ENDCOLLECTIVE", "ENDCOLLECTIVE R4", "ENDCOLLECTIVE.FOO", "YIELD.FOO", "YIELD R4", "BAR.SYNC.ARV 0x0", "BAR.ARV 0x0", "BAR 0x0", "BAR.SYNC 0x0, 0x20, 0x40",
        "BAR.RED 0x0, P0", "BAR.RED.POPC 0x0", "BAR.SYNC", "B2R R8", "B2R.RESULT", "B2R.RESULT R8, P0", "B2R.RESULT RZ, P0, P1", "B2R.RESULT.FOO R8",
        "UCGABAR_ARV.FOO", "UCGABAR_ARV R4", "UCGABAR_WAIT.FOO", "UCGABAR_WAIT R4", "USETMAXREG", "USETMAXREG.ALLOC UP0, 0xe8, R4", "ERRBAR R4", "ERRBAR.FOO", "FENCE.VIEW.S", "FENCE.ASYNC.S", "FENCE.VIEW.ASYNC.S R4", "MEMBAR.FOO")  # fmt: skip
refused("sm_90", "the operands of {}", "ACQBULK R4", "PREEXIT.FOO", "RPCMOV.32 Rpc.LO", "RPCMOV Rpc.LO, R4")
for text in ("NANOSLEEP R4", "WARPSYNC.ALL", "WARPSYNC 0xffffffff", "WARPSYNC.EXCLUSIVE R4", "YIELD", "BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC 0x1, 0x20",
             "MEMBAR.SC.GPU", "MEMBAR.ALL.CTA", "MEMBAR.SC.SYS", "ERRBAR", "CCTL.IVALL", "NOP; PMTRIG 0x1", "ACQBULK", "PREEXIT", "FENCE.VIEW.ASYNC.S",
             "USETMAXREG.DEALLOC.CTAPOOL 0x18", "BAR.ARV 0x1, 0x40", "CGAERRBAR"):  # fmt: skip
    # what was there stays
    form("sm_90", text, alone=True, given={"R4": [M32] * 32}, R4=lambda l: M32, shorter=True, longer=True, ignored=range(9))
form("sm_90", "USETMAXREG.TRY_ALLOC.CTAPOOL UP2, 0xe8", alone=True, UP2=lambda l: 1, shorter=True, ignored=(1,))
form("sm_80", "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0; B2R.RESULT R8", given=ODD, R8=lambda l: 16)
form("sm_80", "BAR.RED.AND.DEFER_BLOCKING 0x0, P0; B2R.RESULT RZ, P2", given=ODD, P2=lambda l: 0)
form("sm_80", "BAR.RED.OR.DEFER_BLOCKING 0x0, P0; B2R.RESULT RZ, P2", given=ODD, P2=lambda l: 1)
form("sm_80", "BAR.SYNC R6, R7", alone=True, given={"R6": [0x200001] * 32, "R7": [0x200001] * 32, "R4": [5] * 32}, R4=lambda l: 5, shorter=True)
form("sm_80", "R2UR P2, UR8, R4", alone=True, given=NUMBERED, P2=lambda l: int(l.number != 0), UR8=lambda l: 0x100)
form("sm_80", "R2UR.OR P2, UR8, R4", alone=True, given={**NUMBERED, "P2": [i >> 4 for i in range(32)]}, P2=lambda l: int(l.number != 0), UR8=lambda l: 0x100)
form("sm_80", "RPCMOV.32 Rpc.LO, R4; RPCMOV.32 Rpc.HI, R5; RPCMOV.32 R8, Rpc.HI; RPCMOV.32 R9, Rpc.LO", R8=lambda l: l[5], R9=lambda l: l[4])

# ---- branches, calls, convergence barriers ----

SPLIT = {"P0": [i & 1 for i in range(32)], "P1": [i >> 1 & 1 for i in range(32)]}


def branches(arch, text, result, **given):
    """MOV R8, 0x5 is what is jumped over."""
    code = f"MOV R8, 0x7; BSSY B0, `(.L_x_9); {text}; MOV R8, 0x5; .L_x_1:; .L_x_9:; BSYNC B0"
    form(arch, code, given={**SPLIT, **given}, R8=lambda l: 7 if result(l) else 5)


odd, second = (lambda l: l["P0"]), (lambda l: l["P1"])
branches("sm_80", "@P0 BRA `(.L_x_1)", odd)
branches("sm_80", "@!P0 BRA `(.L_x_1)", lambda l: not odd(l))
branches("sm_80", "BRA P0, `(.L_x_1)", odd)
branches("sm_80", "BRA !P0, `(.L_x_1)", lambda l: not odd(l))
branches("sm_80", "@P1 BRA P0, `(.L_x_1)", lambda l: odd(l) and second(l))
branches("sm_80", "BRA.U UP0, `(.L_x_1)", lambda l: True, UP0=[1] * 32)
branches("sm_80", "BRA.U !UP0, `(.L_x_1)", lambda l: False, UP0=[1] * 32)
branches("sm_80", "@P0 BRA.U.ANY `(.L_x_1)", lambda l: True)
branches("sm_80", "@P0 BRA.U.ANY `(.L_x_1)", lambda l: False, P0=[0] * 32)
branches("sm_80", "BRA.DIV UR4, `(.L_x_1)", lambda l: False, UR4=[M32] * 32)
branches("sm_80", "BRA.DIV UR4, `(.L_x_1)", lambda l: True, UR4=[0xFFFF] * 32)
branches("sm_80", "BRA.CONV UR4, `(.L_x_1)", lambda l: True, UR4=[M32] * 32)
branches("sm_80", "@P0 BRA.DIV UR4, `(.L_x_1)", lambda l: True, UR4=[M32] * 32)
branches("sm_80", "@P0 BRA.DIV UR4, `(.L_x_1)", lambda l: False, UR4=[0xAAAAAAAA] * 32)
branches("sm_75", "BRA.DIV `(.L_x_1)", lambda l: False)
branches("sm_75", "@P0 BRA.CONV `(.L_x_1)", lambda l: False)
branches("sm_80", "BRA.INC `(.L_x_1)", lambda l: True)
branches("sm_80", "@!PT BRA `(.L_x_1)", lambda l: False)
form("sm_80", "MOV R8, 0x5; @P0 EXIT", given=SPLIT, R8=lambda l: 0 if odd(l) else 5)
form("sm_80", "MOV R8, 0x5; EXIT P0", given=SPLIT, R8=lambda l: 0 if odd(l) else 5)
form("sm_80", "MOV R8, 0x5; @P1 EXIT P0", given=SPLIT, R8=lambda l: 0 if odd(l) and second(l) else 5)
form("sm_80", "MOV R8, 0x5; @P0 KILL", given=SPLIT, R8=lambda l: 0 if odd(l) else 5)
for leaves in ("BREAK P0, B0", "@P0 BREAK B0", "@P1 BREAK P0, B0", "BREAK !P0, B0"):
    form("sm_80", f"MOV R8, 0x5; BSSY B0, `(.L_x_1); {leaves}; @P0 BRA `(.L_x_2); .L_x_1:; BSYNC B0; MOV R8, 0x7; .L_x_2:; WARPSYNC 0xffffffff",
         given=SPLIT, R8=lambda l: 5 if odd(l) else 7)  # fmt: skip
form("sm_80", "BSSY B0, `(.L_x_1); BMOV.32.CLEAR R8, B0; BMOV.32 R9, B0; BMOV.32 B0, R8; .L_x_1:; BSYNC B0", R8=lambda l: M32, R9=lambda l: 0)
FUNCTION = "BRA `(.L_x_9); .L_x_5:; IADD3 R8, R4, 0x1, RZ; RET.REL.NODEC R20 `(k); .L_x_9:; "
RETURN = "MOV R20, 32@lo((k + .L_x_1@srel)); MOV R21, 32@hi((k + .L_x_1@srel)); "
for text in (RETURN + "CALL.REL.NOINC `(.L_x_5)", "LEPC R20, `(.L_x_1); CALL.ABS.NOINC `(.L_x_5)", "LEPC R20, `(.L_x_1); LEPC R22, `(.L_x_5); RET.ABS.NODEC R22 `(k)"):
    form("sm_80", f"{FUNCTION}{text}; .L_x_1:; IADD3 R8, R8, R4, RZ", R8=lambda l: 2 * l[4] + 1 & M32)
form("sm_80", "LEPC R20; LEPC R22; IADD3 R8, R22, -R20, RZ; MOV R9, R21", R8=lambda l: 16, R9=lambda l: 0)
for register, before in (("R4", ""), ("UR4", "R2UR UR4, R4; ")):
    way = "BRXU" if before else "BRX"
    table = f'{way} {register} -{0x50 if before else 0x40:#x} (*"BRANCH_TARGETS .L_x_6,.L_x_7"*)'
    for target, value in ((6, 66), (7, 77)):
        form("sm_90", f"LEPC R24; LEPC R20, `(.L_x_{target}); IADD3 R4, R20, -R24, RZ; {before}{table}; .L_x_6:; MOV R8, 0x42; BRA `(.L_x_8); .L_x_7:; MOV R8, 0x4d; .L_x_8:",
             R8=lambda l, v=value: v)  # fmt: skip
form("sm_90", 'MOV R8, 0x5; LEPC R24; LEPC R20, `(.L_x_6); IADD3 R4, R20, -R24, RZ; @!PT BRX R4 -0x40 (*"BRANCH_TARGETS .L_x_6"*); .L_x_6:', R8=lambda l: 5)
form("sm_80", "@!PT BPT.TRAP 0x1; MOV R8, R4", R8=lambda l: l[4])
REFUSED.append(Form("sm_80", "BPT.TRAP 0x1", why="trap executed"))
refused("sm_80", INSTRUCTION, "BRA R4", "BRA", "BRA `(.L_x_99)", "BRA.FOO `(k)", "BRA.U.ANY P0, `(k)", "BRA P0, P1, `(k)", "BRA 0x5, `(k)", "EXIT P0, P1", "EXIT.FOO", "BSSY P0, B0, `(k)",
        "BSSY R4, `(k)", "BSSY B0", "BSSY B0, R4", "BSSY.FOO B0, `(k)", "BSYNC R4", "BSYNC B0, B1", "BSYNC.FOO B0", "BREAK", "BREAK R4", "BREAK P0, P1, B0", "BREAK.FOO B0",
        "BMOV.32.PQUAD B0, R4", "BMOV.32 B0", "BMOV.32 R4, R5", "BMOV.32 P0, B0", "BMOV.64 R4, B0", "CALL.REL `(k)", "CALL.FOO.NOINC `(k)", "CALL.REL.NOINC", "CALL.REL.NOINC R6, R7",
        "RET.REL.NODEC", "RET.FOO R20 `(k)", "RET.REL.NODEC `(k)", "BRX R4", "BRX", "BRX 0x5 -0x10", 'BRX.FOO R4 -0x10 (*"BRANCH_TARGETS .L_x_1"*)', "BRXU R4 -0x10", "LEPC R2, R4", "LEPC R2, `(.L_x_9)",
        "LEPC R2, R3, R4", "LEPC.FOO R2", "BPT", "BPT.INT 0x1",
        # what is no instruction
        "IADD3 R8, R4, c[0x0, RZ", "IADD3 R8, R4, c[0x0], RZ", "IADD3 R8, R4, c[x][0x160], RZ", "IADD3 R8, R4, c[0x0]x, RZ", "IADD3 R8, R4, c[0x0][0x160, RZ", "IADD3 R8, R4, c[0x0][`(x)], RZ",
        "IADD3 R8, R4, cx[UR4][0x10], RZ", "IADD3 R8, R4, , RZ", "IADD3 R8, R4, -, RZ", "LDS R8, [R4", "LDS R8, [R4+QUX]", "LDS R8, [R4+R5]", "LDS R8, [UR4+UR5]", "LDS R8, [R4+P0]",
        "LDS R8, [R4+B0]", "IADD3 " + ", ".join(f"R{i}" for i in range(13)))  # fmt: skip
refused("sm_80", "the target .L_x_99", 'BRX R4 -0x10 (*"BRANCH_TARGETS .L_x_99"*)')
refused("sm_80", "the function that {} calls", "CALL.REL.NOINC `(nothing)", "@P0 CALL.REL.NOINC R6 `(k)", "CALL.REL.NOINC `(.L_x_99)", "CALL.REL.NOINC 0x5")
OPERAND = "the operand {} of {}"
for text in ("0x", "0x1g", "1.5x", "32@lo((k + .L_x_99@srel))", "32@lo(nothing)", "32@hi(nothing", "32@lo((k", "`(s", "`(nothing)", "R4.FOO"):
    REFUSED.append(Form("sm_80", f"MOV R8, {text}", why=OPERAND.format(text, f"MOV R8, {text}")))
form("sm_80", "MOV R8, |R4|", R8=lambda l: abs(l.s(4)))
form("sm_80", "MOV R8, -RZ", R8=lambda l: 0)
form("sm_80", "MOV R8, ~RZ", R8=lambda l: M32)
form("sm_80", "MOV R8, ~R4", R8=lambda l: l[4] ^ M32)
form("sm_80", "MOV R8, `(s)", R8=lambda l: 0)
form("sm_90", "MOV R8, `((s + 0x10))", R8=lambda l: 16)

# ---- what is not executed here: forms_ptx.tsv has what it becomes, as PTX's manual describes the same ----

MAY_END = ("TEX", "TLD", "TLD4", "TXD", "LDGSTS", "DEPBAR", "HGMMA", "QGMMA", "IGMMA", "BGMMA", "SULD", "SUST", "UTMAPF", "UBLKPF")
for line in (pathlib.Path(__file__).parent / "forms_ptx.tsv").read_text().splitlines():
    arch, text, ptx = line.split("\t")
    opcode = text.split(" ")[0].split(".")[0]
    FORMS.append(Form(arch, text, becomes=ptx, shorter=opcode in MAY_END or "desc[" in text, longer=opcode in MAY_END,
                      ignored=range(9) if "PF" in opcode or opcode == "DEPBAR" else (2,) if "A1T0" in text or "A0T1" in text else ()))  # fmt: skip
refused("sm_80", "the operands of {}", "TEX.SCR.LL R6, R4, R8, R12, 0x0, 0x58, ARRAY_CUBE, 0xf", "TEX.SCR.B.LL R6, R4, R8, R12, 3D, 0xf", "TEX.LL R6, R4, R8, 0x0, 0x58, 2D, 0xf")
refused("sm_90", INSTRUCTION,
        # products
        "HMMA.F32 R4, R8, R12, R4", "HMMA.16816 R4, R8, R12, R4", "HMMA.16816.F16.F32 R4, R8, R12, R4", "HMMA.16816.F32 -R4, R8, R12, R4",
        "HMMA.16816.F32 R4, |R8|, R12, R4", "HMMA.16816.F32 R4, R8, ~R12, R4", "HMMA.16816.F32 R4, R8, R12, 0x5", "HMMA.16816.F32 RZ, R8, R12, R4",
        "HMMA.16816.F32 R4, R8.ROW, R12, R4", "HMMA.SP.16832.F32 R4, R8, R12, R4, R16, R17", "HMMA.SP.16832.F32 R4, R8, R12, R4, 0x1, 0x1",
        "HMMA.16816.1688.F32 R4, R8, R12, R4", "HMMA.16.F32 R4, R8, R12, R4", "HMMA.99816.F32 R4, R8, R12, R4", "HMMA.1681x.F32 R4, R8, R12, R4",
        "HMMA.1680.F32 R4, R8, R12, R4", "HMMA.0x8x16.F32 R4, R8, R12, R4", "HMMA.16x0x16.F32 R4, R8, R12, R4", "HMMA.16x8.F32 R4, R8, R12, R4",
        "HMMA.16x.F32 R4, R8, R12, R4", "HMMA.16816168161681616816.F32 R4, R8, R12, R4", "IMMA.16832.S8 R4, R8.ROW, R12.COL, R4",
        "IMMA.16832.S8.S4 R4, R8.ROW, R12.COL, R4", "IMMA.S8.S8 R4, R8.ROW, R12.COL, R4", "IMMA.16832.S8.S8 R4, R8, R12.COL, R4", "IMMA.16832.S8.S8.U8 R4, R8.ROW, R12.COL",
        "IMMA.SP.16864.S8.S8 R4, R8.ROW, R12.COL, R4, R16, R17", "BMMA.168256.XOR R4, R8.ROW, R12.COL, R4", "BMMA.168256.POPC R4, R8.ROW, R12.COL, R4",
        "BMMA.168256.XOR.AND.POPC R4, R8.ROW, R12.COL, R4", "BMMA.XOR.POPC R4, R8.ROW, R12.COL, R4", "DMMA R4, R8, R12, R4", "DMMA.64x64x4 R4, R8, R12, R4",
        "QMMA.16832.F32.E4M3 R4, R8, R12, R4", "QMMA.16832.F16.F32.E4M3 R4, R8, R12, R4", "QMMA.F32.E4M3.E4M3 R4, R8, R12, R4", "QMMA.16832.E4M3.E4M3.E5M2 R4, R8, R12, R4",
        "QMMA.16832.F32.E4M3.E4M3 R4, R8.ROW, R12.COL, R4", "QMMA.SP.16864.F32.E4M3.E4M3 R4, R8, R12, R4, R16, R17", "LDSM.M88 R4, [R2]", "LDSM.16 R4, [R2]",
        "LDSM.16.M88.MT88 R4, [R2]", "LDSM.16.M88 0x5, [R2]", "STSM.16.M88 [R2], 0x5", "STSM.16 [R2], R4", "MOVM.16 R4, R2", "MOVM.16.MT88 R4, RZ",
        # copies
        "LDGSTS [R4], [R2.64]", "LDGSTS.E.BYPASS.64 [R4], [R2.64]", "LDGSTS.E [R4]", "LDGSTS.E [R4], [R2.64], P0, P1", "LDGDEPBAR.FOO", "LDGDEPBAR R4", "DEPBAR.FOO",
        "SYNCS.EXCH.64 R4, [UR8], UR4", "SYNCS.EXCH.64 URZ, [UR8]", "SYNCS.ARRIVE.TRANS64.RED.A1T0 R4, [R0], RZ", "SYNCS.ARRIVE.TRANS64.RED.TMASK.ART0 RZ, [R0], R4",
        "SYNCS.ARRIVE.TRANS64.TMASK.A1T0 RZ, [R0], R4", "SYNCS.ARRIVE.TRANS64.TMASK RZ, [R0], R4", "SYNCS.ARRIVE.TRANS64.A0TR R4, [R0], R4", "SYNCS.FOO [UR8]",
        "SYNCS.CCTL [UR8]", "SYNCS.CCTL.IV.IV [UR8]", "SYNCS.CCTL.IV [UR8], R4", "ARRIVES.LDGSTSBAR.64 [UR4]", "ARRIVES.LDGSTSBAR.64.ARVCNT [UR4], R4",
        "UBLKCP.S.G [UR8], [UR4], R6", "UBLKCP.S [UR8], [UR4], UR6", "UBLKCP.S.G [UR8], [UR4]", "UBLKCP.G.G [UR8], [UR4], UR6", "UBLKCP.S.G [UR8+0x10], [UR4], UR6",
        "UBLKCP.S.G [UR8], [R4], UR6", "UBLKCP.S.G UR8, [UR4], UR6", "UBLKCP.S.G [UR8], [UR4+`(x)], UR6", "UBLKCP.S.G desc[UR4][UR8], [UR4], UR6",
        "UBLKCP.MULTICAST.S.G [UR8], [UR4], UR6", "UBLKCP.G.S.MULTICAST [UR8], [UR4], UR6", "UBLKCP.S.MULTICAST [UR8], [UR4], UR6", "UBLKCP.S.G.S [UR8], [UR4], UR6",
        "UBLKRED.S.G.ADD [UR4], [UR8], UR6", "UBLKRED.G.S [UR4], [UR8], UR6", "UBLKRED.G.S.ADD.FOO [UR4], [UR8], UR6", "UTMALDG [UR8], [UR6]",
        "UTMALDG.2D.3D [UR8], [UR6]", "UTMALDG.2D [UR8], [UR6], UR4", "UTMALDG.2D.MULTICAST [UR8], [UR6]", "UTMALDG.2D [R8], [UR6]", "UTMALDG.2D [UR8], [R6]",
        "UTMALDG.2D.MULTICAST [UR8], [UR6], R4", "UTMALDG.2D.IM2COL [UR8], [UR6], UR4", "UTMASTG.2D.IM2COL [UR8], [UR6]", "UTMASTG [UR8], [UR6]",
        "UTMASTG.2D [UR8], [R6]", "UTMASTG.2D [R8], [UR6]", "UTMASTG.2D [UR8], [UR6], UR4", "UTMAREDG.2D [UR8], [UR6]", "UTMACMDFLUSH.FOO", "UTMACMDFLUSH UR4",
        "STAS [R12], R4", "STAS [R12.64+0x8], R4", "STAS [R12.64+UR4], R4", "STAS R12, R4", "STAS [RZ.64], R4", "STAS [UR4.64], R4", "REDAS [R12.64], R4",
        "REDAS.MIN.64 [R12.64], R4", "REDAS.ADD [R12], R4",
        # of warpgroups
        "HGMMA.64x8x16.F32 R24, gdesc[UR8].negA.negA, R24", "HGMMA.64x8x16.F32 R24, gdesc[UR8].foo, R24", "HGMMA.64x8x16.F32 R24, gdesc[UR8, R24", "HGMMA.F32 R24, gdesc[UR8], R24",
        "HGMMA.64x8x16.F32 R24, gdesc[R8], R24", "HGMMA.64x8x16.F32 R24, gdesc[UR8]", "HGMMA.64x8x16.F32 0x5, gdesc[UR8], R24", "HGMMA.64x8x16.F32 R24, R28, R24",
        "HGMMA.64x8x16.F32 R24, gdesc[UR8], 0x5", "HGMMA.64x8x16.F32 R24, gdesc[UR8], R24, 0x5", "HGMMA.64x8x16.F32 R24, gdesc[UR8], R24, gsb1", "HGMMA.64x8x16.F32 R24, R28, gdesc[UR8]",
        "HGMMA.64x8x16.F16.F32 R24, gdesc[UR8], R24", "HGMMA.32x8x16.F32 R24, gdesc[UR8], R24", "HGMMA.64x7x16.F32 R24, gdesc[UR8], R24", "HGMMA.64x264x16.F32 R24, gdesc[UR8], R24",
        "HGMMA.64x8x16.F32 R24, gdesc[UR8], R28", "HGMMA.64x8x16.F32 R24, gdesc[URZ], R24", "HGMMA.64x8x16.F32 R24, gdesc[UR8], R24, R32, 0x1",
        "HGMMA.SP.64x8x32.F32 R24, gdesc[UR8], R24", "HGMMA.64x8x8.F32.TF32 R24, gdesc[UR8].tnspB, R24", "HGMMA.64x8x16.F32 R24, R28, gdesc[UR8].tnspA, R24",
        "@P0 HGMMA.64x8x16.F32 R24, gdesc[UR8], R24", "@P0 HGMMA.64x8x16.F32 RZ, gdesc[URZ], RZ, gsb0", "QGMMA.64x8x32.F32.E4M3 R24, gdesc[UR4], R24",
        "QGMMA.64x8x32.F32.E4M3.E4M3.E5M2 R24, gdesc[UR4], R24", "QGMMA.64x8x32.F16.F32.E4M3.E4M3 R24, gdesc[UR4], R24", "QGMMA.64x8x32.F32.E4M3.E4M3 R24, gdesc[UR4].tnspB, R24",
        "IGMMA.64x8x32.S8 R24, gdesc[UR8], R24", "IGMMA.64x8x32.S8.S8 R24, gdesc[UR8].negB, R24", "IGMMA.64x8x32.S8.S8 R24, -R28, gdesc[UR8], R24", "IGMMA.S8.S8 R24, gdesc[UR8], R24",
        "BGMMA.AND.POPC R24, gdesc[UR8], R24", "BGMMA.64x8x256.AND.POPC R24, gdesc[URZ], R24", "IGMMA.64x8x32.S8.S8 R24, gdesc[URZ], R24", "QGMMA.64x8x32.F32.E4M3.E4M3 R24, gdesc[URZ], R24",
        "WARPGROUP.ARRIVE R4", "WARPGROUP.ARRIVE.DEPBAR", "WARPGROUP.DEPBAR gsb0, 0x1", "WARPGROUP.DEPBAR.LE gsb1, 0x1", "WARPGROUP.DEPBAR.LE gsb0, R4", "WARPGROUP.DEPBAR.LE gsb0",
        # textures
        "TEX.LL R6, R4, R8, R12, 0x0, 0x58, 1D, 0xf", "TEX R6, R4, R8, 0x0, 0x58, 2D, 0xf", "TEX.LL.LZ R6, R4, R8, 0x0, 0x58, 2D, 0xf", "TEX.LZ R6, R4, R8, 0x0, 0x58, 4D, 0xf",
        "TEX.LZ R6, R4, 2D", "TEX.LZ 0x5, R4, R8, 0x0, 0x58, 2D, 0xf", "TEX.LZ R6, 0x5, R8, 0x0, 0x58, 2D, 0xf", "TEX.LZ R6, R4, R8, R12, R16, 0x0, 0x58, 2D, 0xf",
        "TEX.LZ R6, R4, R8, 0x1, 0x58, 2D, 0xf", "TEX.LZ R6, R4, R8, 0x0, R12, 2D, 0xf", "TEX.LZ R6, R4, R8, UR4, 0x8, 2D, 0xf", "TEX.LZ R6, R4, R8, P0, 0x0, 2D, 0xf", "TEX.LZ R6, R4, R8, P0, 2D, 0xf",
        "TEX.LZ R6, R4, R8, 0x0, 0x58, 2D, 0x10", "TEX.LZ R6, R4, R8, 0x0, 0x58, 2D, 0xf, 0x1", "TEX.LZ R6, R4, R8, 0x0, 0x58, 2D, R12", "TEX.LZ R6, R4, 0x0, 0x58, 2D, 0xf",
        "TEX.LZ R6, R4, R8, 0x0, 0x58, R12", "TLD R6, R4, R8, 0x0, 0x58, 2D, 0xf", "TLD.SCR.LZ R6, R4, R8, R12, 0x0, 0x58, CUBE, 0x8", "TLD.LZ R6, R4, R8, 0x0, 0x58, 4D, 0xf",
        "TLD4.R R6, R4, R8, 0x0, 0x58, 3D, 0xf", "TLD4.R R6, R4, R8, 0x0, 0x58, 4D, 0xf", "TXD R6, R4, R8, R12, 0x0, 0x58, 3D, 0xf", "TXD R6, R4, R8, R12, 0x0, 0x58, 4D, 0xf", "TXD R6, R4, R8, 0x0, 0x58, 2D, 0xf",
        "TXD R6, R4, R8, R12, 0x1, 0x58, 2D, 0xf", "TXQ RZ, R5, R5, TEX_HEADER_DIMENSION, 0x0, 0x58, 0x1", "TXQ RZ, R5, R5, TEX_HEADER_TYPE, 0x0, 0x58, 0x1",
        "TXQ RZ, R5, R5, TEX_HEADER_DIMENSION, 0x0, 0x58, R6", "TXQ.B RZ, R5, R5, TEX_HEADER_DIMENSION, 0x1", "TXQ RZ, R5, R5, TEX_HEADER_DIMENSION", "SULD.D.2D R4, [R8], 0x0, 0x58",
        "SULD.BA.2D R4, [R8], 0x0, 0x58", "SULD.D.BA R4, [R8], 0x0, 0x58", "SULD.D.BA.2D R4, [R8]", "SULD.D.BA.2D R4, R8, 0x0, 0x58", "SULD.D.BA.2D R4, [UR8], 0x0, 0x58",
        "SULD.D.BA.2D R4, [R8+0x4], 0x0, 0x58", "SULD.D.BA.2D R4, [R8+UR4], 0x0, 0x58", "SULD.D.BA.2D R4, [R8.64], 0x0, 0x58", "SULD.D.BA.2D R4, [R8], 0x1, 0x58", "SULD.D.BA.2D R4, [R8], 0x0, 0x58, R12",
        "SULD.D.BA.2D.S8 R4, [R8], 0x0, 0x58", "SUST.D.BA.2D [R8]", "SUST.D.BA.2D R8, R4, UR4, 0x0", "SUST.D.BA.2D [R8], R4, UR4, 0x8", "SUST.D.BA.2D [R8], R4, P0", "SUST.D [R8], R4, UR4, 0x0",
        # not known at all
        "FOO R4", "BRXU UR4 -0x10")  # fmt: skip
