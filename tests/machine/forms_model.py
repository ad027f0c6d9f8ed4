"""What forms.py's models are made of: operands, and numbers of floating point as exact fractions that are rounded once."""

import functools
import random
import re
from fractions import Fraction

LANES = 32
M32, M64 = (1 << 32) - 1, (1 << 64) - 1
BORDERS = [0, 1, 2, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE,
           0xFFFFFFFF, 0x55555555, 0xAAAAAAAA, 0x80FF7F01]  # fmt: skip


class Lane:
    """The operands of one lane: registers by name; pairs, signs."""

    def __init__(self, values, number):
        self.values, self.number = values, number

    def __getitem__(self, name):
        return self.values[name if isinstance(name, str) else f"R{name}"]

    def pair(self, number, letter="R"):
        return self[f"{letter}{number}"] | self[f"{letter}{number + 1}"] << 32

    def s(self, number):
        return s32(self[number])


def s32(value):
    value &= M32
    return value - (1 << 32) if value >> 31 else value


def s64(value):
    value &= M64
    return value - (1 << 64) if value >> 63 else value


class Form:
    """arch, text, {result: model of it in a lane}; what its operands are drawn from; the text that it becomes where nothing is executed.
    alone: only as it is written; shorter, longer: also a form without its last operand, with one more; ignored: operands that may be any."""

    def __init__(self, arch, text, results=None, kind="int", becomes=None, why=None, alone=False, shorter=False, longer=False, ignored=(), given=None):
        self.arch, self.text, self.results, self.kind, self.becomes, self.why = arch, text, results or {}, kind, becomes, why
        self.alone, self.shorter, self.longer, self.ignored, self.given = alone, shorter, longer, ignored, given or {}


def pair_results(number, model, letter="R"):
    """{R8, R9} of a model that gives 64 bits."""
    return {f"{letter}{number}": lambda lane: model(lane) & M32, f"{letter}{number + 1}": lambda lane: model(lane) >> 32 & M32}


# ---- floating point ----


class Format:
    """digits: of the fraction, with the first; least, most: exponents of normal numbers."""

    def __init__(self, digits, least, most, nan, width):
        self.least, self.nan, self.width = least, nan, width
        self.fraction = digits - 1
        self.infinity = (most - least + 2) << self.fraction


F16, BF16 = Format(11, -14, 15, 0x7FFF, 16), Format(8, -126, 127, 0x7FFF, 16)
F32, F64 = Format(24, -126, 127, 0x7FFFFFFF, 32), Format(53, -1022, 1023, 0xFFF8000000000000, 64)


class Real:
    """A number with its sign, so that there are two zeros; kind: "number", "inf", "nan"."""

    def __init__(self, kind, minus=False, value=Fraction(0)):
        self.kind, self.minus, self.value = kind, minus, value  # value: without sign

    def signed(self):
        return -self.value if self.minus else self.value

    def negate(self, yes=True):
        return Real(self.kind, self.minus ^ bool(yes), self.value)

    def absolute(self):
        return Real(self.kind, False, self.value)


def two_to(exponent):
    return Fraction(1 << exponent) if exponent >= 0 else Fraction(1, 1 << -exponent)


@functools.lru_cache(maxsize=1 << 16)
def real(bits, form, ftz=False):
    bits &= (1 << form.width) - 1
    minus, rest = bits >> (form.width - 1), bits & ((1 << (form.width - 1)) - 1)
    exponent, digits = rest >> form.fraction, rest & ((1 << form.fraction) - 1)
    if rest > form.infinity:
        return Real("nan")
    if rest == form.infinity:
        return Real("inf", bool(minus))
    if exponent == 0:
        return Real("number", bool(minus), Fraction(0) if ftz else digits * two_to(form.least - form.fraction))
    return Real("number", bool(minus), (digits | 1 << form.fraction) * two_to(exponent - 1 + form.least - form.fraction))


def whole(value, mode):
    """A fraction of at least 0 to a whole number. rn, up, down."""
    below, rest = divmod(value.numerator, value.denominator)
    if mode == "rn":
        return below + (2 * rest > value.denominator or (2 * rest == value.denominator and below & 1))
    return below + (mode == "up" and rest > 0)


def away(minus, rounding):
    return {"rn": "rn", "rz": "down", "rm": "up" if minus else "down", "rp": "down" if minus else "up"}[rounding]


def bits_of(number, form, rounding="rn", ftz=False, sat=False):
    if sat:
        if number.kind == "nan" or number.minus:
            return 0
        if number.kind == "inf" or number.value > 1:
            number = Real("number", False, Fraction(1))
    if number.kind == "nan":
        return form.nan
    sign = int(number.minus) << (form.width - 1)
    if number.kind == "inf":
        return sign | form.infinity
    value, mode = number.value, away(number.minus, rounding)
    if value == 0:
        return sign
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    if two_to(exponent) > value:
        exponent -= 1
    exponent = max(exponent, form.least)
    digits = whole(value * two_to(form.fraction - exponent), mode)
    bits = ((exponent - form.least) << form.fraction) + digits
    if bits >= form.infinity:
        return sign | (form.infinity if mode != "down" else form.infinity - 1)
    if ftz and bits < 1 << form.fraction:
        return sign
    return sign | bits


def add(a, b, rounding="rn"):
    if "nan" in (a.kind, b.kind):
        return Real("nan")
    if a.kind == "inf" and b.kind == "inf":
        return a if a.minus == b.minus else Real("nan")
    if "inf" in (a.kind, b.kind):
        return a if a.kind == "inf" else b
    total = a.signed() + b.signed()
    if total == 0:
        return Real("number", a.minus if a.minus == b.minus else rounding == "rm")
    return Real("number", total < 0, abs(total))


def multiply(a, b):
    minus = a.minus != b.minus
    if "nan" in (a.kind, b.kind):
        return Real("nan")
    if "inf" in (a.kind, b.kind):
        return Real("nan") if 0 in (a.value if a.kind == "number" else 1, b.value if b.kind == "number" else 1) else Real("inf", minus)
    return Real("number", minus, a.value * b.value)


def order(a, b):
    """-1, 0, 1; None: a NaN is among them."""
    if "nan" in (a.kind, b.kind):
        return None
    x = float("inf") * (-1 if a.minus else 1) if a.kind == "inf" else a.signed()
    y = float("inf") * (-1 if b.minus else 1) if b.kind == "inf" else b.signed()
    return (x > y) - (x < y)


def extreme(a, b, least, propagates=False):
    """The lesser or greater; -0 is less than +0; of a NaN and a number the number, or with .NAN the NaN."""
    if "nan" in (a.kind, b.kind):
        return Real("nan") if propagates or a.kind == b.kind else b if a.kind == "nan" else a
    which = order(a, b) or (0 if a.minus == b.minus else -1 if a.minus else 1)
    return a if (which <= 0) == least else b


def compares(name, a, b):
    which = order(a, b)
    if name in ("NUM", "NAN"):
        return (which is None) == (name == "NAN")
    base = name[:2]
    if which is None:
        return len(name) == 3
    return {"LT": which < 0, "EQ": which == 0, "LE": which <= 0, "GT": which > 0, "NE": which != 0, "GE": which >= 0}[base]


def integer_of(number, rounding, low, high):
    """To a whole number between two, as F2I does; a NaN: None."""
    if number.kind == "nan":
        return None
    if number.kind == "inf":
        return low if number.minus else high
    mode = {"rn": "rn", "rz": "down", "rm": "up" if number.minus else "down", "rp": "down" if number.minus else "up"}[rounding]
    value = whole(number.value, mode)
    return max(low, min(high, -value if number.minus else value))


def from_integer(value):
    return Real("number", value < 0, Fraction(abs(value)))


# ---- operands ----

SPECIAL = {
    "f32": [0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F000001,
            0x4B000001, 0xCF000000, 0x3FC00000, 0x40200000, 0xC0200000],
    "f16": [0, 0x8000, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7E00, 1, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x3801, 0x4248],
    "bf16": [0, 0x8000, 0x3F80, 0xBF80, 0x7F80, 0xFF80, 0x7FC0, 1, 0x807F, 0x0080, 0x7F7F, 0xFF7F, 0x3F01, 0x4049],
    "f64": [0, 1 << 63, 0x3FF0000000000000, 0xBFF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000,
            0x7FEFFFFFFFFFFFFF, 0x3FE0000000000001, 0x4330000000000001, 0x3FF8000000000000],
}  # fmt: skip
NEAR = {"f32": (0x3E000000, 0x42000000), "f16": (0x3000, 0x4C00), "bf16": (0x3E00, 0x4200), "f64": (0x3FB0000000000000, 0x4050000000000000)}


def drawn(kind, generator):
    if kind == "int":
        return generator.choice(BORDERS) if generator.random() < 0.5 else generator.getrandbits(32)
    if generator.random() < 0.4:
        return generator.choice(SPECIAL[kind])
    sign = 1 << ({"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[kind] - 1)
    return generator.randrange(*NEAR[kind]) | (sign if generator.random() < 0.5 else 0)


def word(kind, generator):
    if kind in ("f16", "bf16"):
        return drawn(kind, generator) | drawn(kind, generator) << 16
    return drawn(kind, generator)


def operands_of(form):
    """What the registers and predicates hold that the form may read."""
    generator = random.Random(form.text)
    text = re.sub(r"\bU?R\d+", lambda m: m[0] + " ", form.text)
    values = {}
    for letter, number in sorted(set(re.findall(r"\b(UR|R)(\d+) ", text)), key=lambda x: (x[0], int(x[1]))):
        for name in (f"{letter}{number}", f"{letter}{int(number) + 1}"):
            if name in form.results and name not in form.given:
                continue
            if form.kind == "f64":
                continue
            values[name] = [word(form.kind, generator) for _ in range(1 if letter == "UR" else LANES)] * (LANES if letter == "UR" else 1)
        if form.kind == "f64" and f"R{number}" not in form.results:
            pairs = [drawn("f64", generator) for _ in range(LANES)]
            values[f"R{number}"], values[f"R{int(number) + 1}"] = [v & M32 for v in pairs], [v >> 32 for v in pairs]
    for letter, number in sorted(set(re.findall(r"\b(UP|P)(\d+)\b", form.text))):
        name = f"{letter}{number}"
        if name not in form.results or name in form.given:
            values[name] = [generator.getrandbits(1)] * LANES if letter == "UP" else [generator.getrandbits(1) for _ in range(LANES)]
    values.update(form.given)
    for name, value in form.given.items():
        if isinstance(value, str) and value[0] == "&":
            values.pop(f"R{int(name[1:]) + 1}", None)  # its upper half
    return values
