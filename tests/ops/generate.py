#!/usr/bin/env python3
"""Writes the files of cases/ (all but manual.txt): the same bytes each time. Takes a minute.

The expected values do not come from warplens. Integers are computed with Python's unbounded ones, after the text of the
PTX ISA manual; floating point with exact fractions that are rounded once, by the definition of the rounding mode;
approximations with Python's math in double precision and the error that the manual allows.
"""
import itertools
import math
import os
import random
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
rng = random.Random(2026)
lines = []


def emit(*parts):
    lines.append(' '.join(str(part) for part in parts))


def write(name, title):
    text = f'# {title} Written by generate.py; do not edit.\n' + '\n'.join(lines) + '\n'
    with open(os.path.join(HERE, 'cases', name), 'w') as out:
        out.write(text)
    lines.clear()


# ---- integers ----

def width(t):
    return int(t[1:])


def is_signed(t):
    return t[0] == 's'


def wrap(t, value):
    """value as type t: modulo 2^n, signed or not"""
    n = width(t)
    value &= (1 << n) - 1
    return value - (1 << n) if is_signed(t) and value >> (n - 1) else value


def bits(t, value):
    return value & ((1 << width(t)) - 1)


def least(t):
    return -(1 << (width(t) - 1)) if is_signed(t) else 0


def greatest(t):
    return (1 << (width(t) - is_signed(t))) - 1


def clamp(t, value):
    return min(max(value, least(t)), greatest(t))


def values(t, more=3):
    n = width(t)
    edges = [0, 1, 2, 7, (1 << (n - 1)) - 1, 1 << (n - 1), (1 << n) - 1, (1 << n) - 2, 0x5a5a5a5a5a5a5a5a]
    edges += [rng.getrandbits(n) for _ in range(more)]
    return [wrap(t, e) for e in edges]


def pairs(t, u=None, count=24):
    u = u or t
    some = [(a, b) for a in values(t, 0) for b in values(u, 0)]
    rng.shuffle(some)
    return some[:count] + [(rng.choice(values(t)), rng.choice(values(u))) for _ in range(8)]


def hexa(t, value):
    return hex(bits(t, value))


INTEGERS = ['u16', 's16', 'u32', 's32', 'u64', 's64']


def binary(op, t, function, td=None, tb=None):
    for a, b in pairs(t, tb):
        emit(op, hexa(t, a), hexa(tb or t, b), '=', hexa(td or t, function(a, b)))


def ternary(op, t, function, tc=None):
    tc = tc or t
    for a, b in pairs(t):
        c = rng.choice(values(tc))
        emit(op, hexa(t, a), hexa(t, b), hexa(tc, c), '=', hexa(tc, function(a, b, c)))


def truncated(a, b):
    quotient = abs(a) // abs(b)
    return -quotient if (a < 0) != (b < 0) else quotient


BY_ZERO = -1  # on an H100: all ones

def divide(t):
    return lambda a, b: truncated(a, b) if b else BY_ZERO


def remainder(t):
    return lambda a, b: a - b * truncated(a, b) if b else BY_ZERO


def low24(t, a):
    a &= 0xffffff
    return a - (1 << 24) if is_signed(t) and a >> 23 else a


def double(t):
    return t[0] + str(2 * width(t))


def halves(function, t):
    """function on the two 16-bit parts of a 32-bit word"""
    def both(a, b):
        parts = [bits('u16', function(wrap(t, a >> s), wrap(t, b >> s))) for s in (0, 16)]
        return parts[0] | parts[1] << 16
    return both


def integer_arithmetic():
    for t in INTEGERS:
        n = width(t)
        binary(f'add.{t}', t, lambda a, b: a + b)
        binary(f'sub.{t}', t, lambda a, b: a - b)
        binary(f'mul.lo.{t}', t, lambda a, b: a * b)
        binary(f'mul.hi.{t}', t, lambda a, b: a * b >> n)
        ternary(f'mad.lo.{t}', t, lambda a, b, c: a * b + c)
        ternary(f'mad.hi.{t}', t, lambda a, b, c: (a * b >> n) + c)
        ternary(f'sad.{t}', t, lambda a, b, c: abs(a - b) + c)
        binary(f'div.{t}', t, divide(t))
        binary(f'rem.{t}', t, remainder(t))
        binary(f'min.{t}', t, min)
        binary(f'max.{t}', t, max)
        if n < 64:
            binary(f'mul.wide.{t}', t, lambda a, b: a * b, td=double(t))
            ternary(f'mad.wide.{t}', t, lambda a, b, c: a * b + c, tc=double(t))
        if is_signed(t):
            for a in values(t):
                emit(f'abs.{t}', hexa(t, a), '=', hexa(t, abs(a)))
                emit(f'neg.{t}', hexa(t, a), '=', hexa(t, -a))
    s = 's32'
    binary('add.sat.s32', s, lambda a, b: clamp(s, a + b))
    binary('sub.sat.s32', s, lambda a, b: clamp(s, a - b))
    ternary('mad.hi.sat.s32', s, lambda a, b, c: clamp(s, (a * b >> 32) + c))
    binary('min.relu.s32', s, lambda a, b: max(min(a, b), 0))
    binary('max.relu.s32', s, lambda a, b: max(a, b, 0))
    for t in ('u32', 's32'):
        binary(f'mul24.lo.{t}', t, lambda a, b: low24(t, a) * low24(t, b))
        binary(f'mul24.hi.{t}', t, lambda a, b: low24(t, a) * low24(t, b) >> 16)
        ternary(f'mad24.lo.{t}', t, lambda a, b, c: low24(t, a) * low24(t, b) + c)
        ternary(f'mad24.hi.{t}', t, lambda a, b, c: (low24(t, a) * low24(t, b) >> 16) + c)
    ternary('mad24.hi.sat.s32', s, lambda a, b, c: clamp(s, wrap(s, low24(s, a) * low24(s, b) >> 16) + c))
    for t in ('u16', 's16'):
        binary(f'add.{t}x2', 'b32', halves(lambda a, b: a + b, t))
        binary(f'min.{t}x2', 'b32', halves(min, t))
        binary(f'max.{t}x2', 'b32', halves(max, t))
    binary('min.relu.s16x2', 'b32', halves(lambda a, b: max(min(a, b), 0), 's16'))
    binary('max.relu.s16x2', 'b32', halves(lambda a, b: max(a, b, 0), 's16'))


def bit_string(a, n):
    return [a >> i & 1 for i in range(n)]


def of_bits(string):
    return sum(bit << i for i, bit in enumerate(string))


def bfind(t, a):
    a = ~a if a < 0 else a
    return a.bit_length() - 1


def bfe(t, a, b, c):
    """the manual's pseudocode; in 64 bits an H100 does not take position and length modulo 256"""
    msb, kept = width(t) - 1, 255 if width(t) == 32 else 0xffffffff
    position, length = b & kept, c & kept
    source = bit_string(a, width(t))
    sign = 0 if not is_signed(t) or length == 0 else source[min(position + length - 1, msb)]
    return of_bits([source[position + i] if i < length and position + i <= msb else sign for i in range(msb + 1)])


def bfi(n, a, b, c, d):
    kept = 255 if n == 32 else 0xffffffff
    result, position, length = bit_string(b, n), c & kept, d & kept
    for i in range(min(length, n)):
        if position + i < n:
            result[position + i] = a >> i & 1
    return of_bits(result)


def szext(t, a, b, is_clamp):
    n = min(b, 32) if is_clamp else b & 31
    if n == 0:
        return 0
    return wrap(t[0] + '32', a) if n == 32 else wrap(f'{t[0]}{n}', a)


def bmsk(a, b, is_clamp):
    a, b = (a, min(b, 32)) if is_clamp else (a & 31, b & 31)
    return 0 if a > 31 else ((1 << b) - 1) << a & 0xffffffff


def fns(mask, base, offset):
    if offset == 0:
        return base if mask >> base & 1 else 0xffffffff
    order = range(base, 32) if offset > 0 else range(base, -1, -1)
    found = [i for i in order if mask >> i & 1]
    return found[abs(offset) - 1] if abs(offset) <= len(found) else 0xffffffff


AMOUNTS = [0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256, 0xffffffff]


def bit_operations():
    for t in ('b32', 'b64'):
        n = width(t)
        for a in values(t, 8) + [1 << i for i in range(0, n, 11)]:
            emit(f'popc.{t}', hex(a), '=', bin(a).count('1'))
            emit(f'clz.{t}', hex(a), '=', n - a.bit_length())
            emit(f'brev.{t}', hex(a), '=', hex(of_bits(bit_string(a, n)[::-1])))
        for a, b in pairs(t):
            c, d = rng.choice(AMOUNTS), rng.choice(AMOUNTS)
            emit(f'bfi.{t}', hex(a), hex(b), c, d, '=', hex(bfi(n, a, b, c, d)))
    for t in ('u32', 's32', 'u64', 's64'):
        for a in values(t, 8):
            found = bfind(t, a)
            emit(f'bfind.{t}', hexa(t, a), '=', hexa('u32', found))
            shift = found if found < 0 else width(t) - 1 - found
            emit(f'bfind.shiftamt.{t}', hexa(t, a), '=', hexa('u32', shift))
        for a in values(t) + values(t):
            b, c = rng.choice(AMOUNTS), rng.choice(AMOUNTS)
            emit(f'bfe.{t}', hexa(t, a), b, c, '=', hexa(t, bfe(t, a, b, c)))
            b, c = rng.randrange(width(t)), rng.randrange(width(t))
            emit(f'bfe.{t}', hexa(t, a), b, c, '=', hexa(t, bfe(t, a, b, c)))
    for mode in ('clamp', 'wrap'):
        for t in ('u32', 's32'):
            for b in AMOUNTS + [5, 24]:
                a = rng.getrandbits(32)
                emit(f'szext.{mode}.{t}', hex(a), b, '=', hexa(t, szext(t, a, b, mode == 'clamp')))
        for _ in range(40):
            a, b = rng.choice(AMOUNTS), rng.choice(AMOUNTS + [3, 12])
            emit(f'bmsk.{mode}.b32', a, b, '=', hex(bmsk(a, b, mode == 'clamp')))
    for _ in range(32):
        mask, base, offset = rng.getrandbits(32), rng.randrange(32), rng.randrange(-9, 10)
        emit('fns.b32', hex(mask), base, offset, '=', hex(fns(mask, base, offset)))


def parts(word, n, t):
    return [wrap(f'{t[0]}{n}', word >> s) for s in range(0, 32, n)]


def dot_products():
    for ta in ('u32', 's32'):
        for tb in ('u32', 's32'):
            for _ in range(8):
                a, b, c = (rng.getrandbits(32) for _ in range(3))
                total = c + sum(x * y for x, y in zip(parts(a, 8, ta), parts(b, 8, tb)))
                emit(f'dp4a.{ta}.{tb}', hex(a), hex(b), hex(c), '=', hexa('u32', total))
                for half, skip in (('lo', 0), ('hi', 2)):
                    total = c + sum(x * y for x, y in zip(parts(a, 16, ta), parts(b, 8, tb)[skip:]))
                    emit(f'dp2a.{half}.{ta}.{tb}', hex(a), hex(b), hex(c), '=', hexa('u32', total))


def carries():
    for t in ('u32', 's32', 'u64', 's64'):
        n, u = width(t), 'u' + t[1:]
        top = 1 << n
        for a, b in pairs(u, count=8)[:12]:
            for carry in (0, 1):
                c = rng.choice(values(u))
                low = bits(u, a * b)
                high = bits(u, wrap(t, a) * wrap(t, b) >> n)
                into, out = f'cc:{carry}', lambda total: f'cc:{int(total >= top)}'
                for op, second, parts_ in (('add', '', a + b), ('mad.lo', c, low + c), ('mad.hi', c, high + c)):
                    third = [hex(c)] if second != '' else []
                    name = op.replace('mad', 'madc').replace('add', 'addc')
                    total = parts_ + carry
                    emit(f'{op}.cc.{t}', hex(a), hex(b), *third, into, '=', hexa(u, parts_), out(parts_))
                    emit(f'{name}.{t}', hex(a), hex(b), *third, into, '=', hexa(u, total))
                    position = name.replace('addc', 'addc.cc').replace('lo', 'lo.cc').replace('hi', 'hi.cc')
                    emit(f'{position}.{t}', hex(a), hex(b), *third, into, '=', hexa(u, total), out(total))
                emit(f'sub.cc.{t}', hex(a), hex(b), into, '=', hexa(u, a - b), f'cc:{int(a >= b)}')
                difference = a - b - 1 + carry  # a plus the complement of b: a carry is no borrow
                emit(f'subc.{t}', hex(a), hex(b), into, '=', hexa(u, difference))
                emit(f'subc.cc.{t}', hex(a), hex(b), into, '=', hexa(u, difference), f'cc:{int(difference >= 0)}')
    lines.sort(key=lambda line: line.split()[0])


PRMT_MODES = {  # the manual's table: d.b3 d.b2 d.b1 d.b0 for c = 0, 1, 2, 3
    'f4e': ['3210', '4321', '5432', '6543'],
    'b4e': ['5670', '6701', '7012', '0123'],
    'rc8': ['0000', '1111', '2222', '3333'],
    'ecl': ['3210', '3211', '3222', '3333'],
    'ecr': ['0000', '1110', '2210', '3210'],
    'rc16': ['1010', '3232', '1010', '3232'],
}


def permute(a, b, digits):
    source = [(b << 32 | a) >> 8 * i & 255 for i in range(8)]
    result = 0
    for position, digit in enumerate(reversed(digits)):
        byte = source[digit & 7]
        result |= (255 * (byte >> 7) if digit & 8 else byte) << 8 * position
    return result


def logic():
    operations = {'and': lambda a, b: a & b, 'or': lambda a, b: a | b, 'xor': lambda a, b: a ^ b}
    for op, function in operations.items():
        for t in ('b16', 'b32', 'b64'):
            binary(f'{op}.{t}', t, function)
        for a in (0, 1):
            for b in (0, 1):
                emit(f'{op}.pred', a, b, '=', function(a, b))
    for t in ('b16', 'b32', 'b64'):
        for a in values(t):
            emit(f'not.{t}', hex(a), '=', hexa(t, ~a))
            emit(f'cnot.{t}', hex(a), '=', int(a == 0))
        for b in AMOUNTS:
            a = rng.getrandbits(width(t)) | 1 << (width(t) - 1)
            emit(f'shl.{t}', hex(a), b, '=', hexa(t, a << min(b, 64)))
            for name in (t, 'u' + t[1:]):
                emit(f'shr.{name}', hex(a), b, '=', hex(a >> min(b, 64)))
            s = 's' + t[1:]
            emit(f'shr.{s}', hex(a), b, '=', hexa(s, wrap(s, a) >> min(b, 64)))
    emit('not.pred', 0, '=', 1)
    emit('not.pred', 1, '=', 0)
    for table in (0x00, 0x01, 0x1a, 0x40, 0x80, 0x96, 0xc0, 0xe8, 0xfe, 0xff, 0x2d):
        for _ in range(5):
            a, b, c = (rng.getrandbits(32) for _ in range(3))
            d = of_bits([table >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1 for i in range(32)])
            emit('lop3.b32', hex(a), hex(b), hex(c), hex(table), '=', hex(d))
    for direction in 'lr':
        for mode in ('clamp', 'wrap'):
            for c in AMOUNTS:
                a, b = rng.getrandbits(32), rng.getrandbits(32)
                n = min(c, 32) if mode == 'clamp' else c & 31
                joined = b << 32 | a
                d = joined << n >> 32 if direction == 'l' else joined >> n
                emit(f'shf.{direction}.{mode}.b32', hex(a), hex(b), c, '=', hexa('b32', d))
    for _ in range(24):
        a, b, c = (rng.getrandbits(32) for _ in range(3))
        emit('prmt.b32', hex(a), hex(b), hex(c), '=', hex(permute(a, b, [c >> s & 15 for s in (12, 8, 4, 0)])))
    for mode, rows in PRMT_MODES.items():
        for _ in range(3):
            for c, row in enumerate(rows):
                a, b, high = (rng.getrandbits(32) for _ in range(3))
                selector = high & ~3 | c
                emit(f'prmt.b32.{mode}', hex(a), hex(b), hex(selector), '=', hex(permute(a, b, [int(x) for x in row])))


# ---- floating point: exact, then rounded once ----

class Format:
    def __init__(self, name, exponent_bits, fraction_bits, nan):
        self.name, self.exponent_bits, self.fraction_bits, self.nan = name, exponent_bits, fraction_bits, nan
        self.size = 1 + exponent_bits + fraction_bits
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.infinity = ((1 << exponent_bits) - 1) << fraction_bits
        self.sign = 1 << (self.size - 1)

    def text(self, pattern):
        return {'f32': '0f%08x', 'f64': '0d%016x'}.get(self.name, '0x%x') % pattern


F16 = Format('f16', 5, 10, 0x7fff)
BF16 = Format('bf16', 8, 7, 0x7fff)
TF32 = Format('tf32', 8, 10, 0x3ffff)
F32 = Format('f32', 8, 23, 0x7fffffff)
F64 = Format('f64', 11, 52, 0xfff8000000000000)
FORMATS = {f.name: f for f in (F16, BF16, F32, F64)}


class Value:
    """nan (with its bits), inf, or an exact fraction; sign also for zeros"""

    def __init__(self, kind, negative, fraction=Fraction(0), pattern=0):
        self.kind, self.negative, self.fraction, self.pattern = kind, negative, fraction, pattern


def decode(f, pattern):
    negative = bool(pattern & f.sign)
    exponent = (pattern & ~f.sign) >> f.fraction_bits
    fraction = pattern & ((1 << f.fraction_bits) - 1)
    if exponent == (1 << f.exponent_bits) - 1:
        return Value('nan' if fraction else 'inf', negative, pattern=pattern)
    significand = fraction + (1 << f.fraction_bits if exponent else 0)
    value = Fraction(significand) * Fraction(2) ** (max(exponent, 1) - f.bias - f.fraction_bits)
    return Value('finite', negative, -value if negative else value)


def round_integer(value, mode):
    """a fraction to an integer, by the definition of the mode"""
    floor = value.numerator // value.denominator
    if value == floor or mode in ('rm', 'rmi'):
        return floor
    if mode in ('rp', 'rpi'):
        return floor + 1
    if mode in ('rz', 'rzi'):
        return floor + (value < 0)
    rest = value - floor
    if mode == 'rna' and rest == Fraction(1, 2):
        return floor + (value > 0)
    return floor + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and floor % 2 == 1))


def encode(f, value, mode='rn', negative_zero=False, finite=False):
    """value: a fraction"""
    if value == 0:
        return f.sign if negative_zero else 0
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    while Fraction(2) ** exponent > abs(value):
        exponent -= 1
    while Fraction(2) ** (exponent + 1) <= abs(value):
        exponent += 1
    unit = Fraction(2) ** (max(exponent, 1 - f.bias) - f.fraction_bits)
    rounded = round_integer(value / unit, mode) * unit
    sign = f.sign if value < 0 else 0
    top = (2 - Fraction(1, 1 << f.fraction_bits)) * Fraction(2) ** f.bias
    if abs(rounded) > top:
        towards_zero = mode == 'rz' or (mode == 'rm' and value > 0) or (mode == 'rp' and value < 0)
        return sign | (f.infinity - 1 if towards_zero or finite else f.infinity)
    magnitude, exponent = abs(rounded), 1 - f.bias
    while Fraction(2) ** (exponent + 1) <= magnitude:
        exponent += 1
    field = 0 if magnitude < Fraction(2) ** (1 - f.bias) else exponent + f.bias
    fraction = magnitude / Fraction(2) ** (max(field, 1) - f.bias - f.fraction_bits)
    assert fraction.denominator == 1
    return sign | (field << f.fraction_bits) + fraction.numerator - (1 << f.fraction_bits if field else 0)


def flush(f, pattern):
    return pattern if pattern & f.infinity else pattern & f.sign


def flush_result(f, function, mode, operands, result):
    """.ftz: whether a result is subnormal is judged as if its exponent had no limit"""
    values_ = [decode(f, x) for x in operands]
    if result & ~f.sign == 1 << f.fraction_bits and all(x.kind == 'finite' for x in values_):
        wide = Format('wide', f.exponent_bits + 3, f.fraction_bits, None)
        unlimited = decode(wide, function(wide, mode, *[encode(wide, x.fraction, 'rn', x.negative) for x in values_]))
        if abs(unlimited.fraction) < Fraction(2) ** (1 - f.bias):
            return result & f.sign
    return flush(f, result)


def nan_of(f, *operands):
    """single precision: the canonical one; double: the first operand's, quieted (callers give them in an H100's order)"""
    if f is F64:
        for operand in operands:
            if decode(f, operand).kind == 'nan':
                return operand | 1 << 51
    return f.nan


def saturate(f, pattern):
    value = decode(f, pattern)
    if value.kind == 'nan' or value.negative:
        return 0
    one = f.bias << f.fraction_bits
    return min(pattern, one)


def sum_of(f, x, y, mode, operands):
    """x and y: exact Values"""
    if 'nan' in (x.kind, y.kind) or (x.kind == y.kind == 'inf' and x.negative != y.negative):
        return nan_of(f, *operands)
    if x.kind == 'inf' or y.kind == 'inf':
        negative = x.negative if x.kind == 'inf' else y.negative
        return f.infinity | (f.sign if negative else 0)
    both_zero = x.fraction == 0 and y.fraction == 0
    negative = x.negative if both_zero and x.negative == y.negative else mode == 'rm'
    return encode(f, x.fraction + y.fraction, mode, negative)


def product_value(x, y):
    negative = x.negative != y.negative
    if 'nan' in (x.kind, y.kind):
        return Value('nan', False)
    if 'inf' in (x.kind, y.kind):
        zero = (x.kind == 'finite' and x.fraction == 0) or (y.kind == 'finite' and y.fraction == 0)
        return Value('nan' if zero else 'inf', negative)
    return Value('finite', negative, x.fraction * y.fraction)


def fp_add(f, mode, a, b):
    return sum_of(f, decode(f, a), decode(f, b), mode, (b, a))


def fp_sub(f, mode, a, b):
    y = decode(f, b)
    minus = Value(y.kind, not y.negative, -y.fraction)
    return sum_of(f, decode(f, a), minus, mode, (b, a))


def finish(f, value, mode, operands):
    if value.kind == 'nan':
        return nan_of(f, *operands)
    if value.kind == 'inf':
        return f.infinity | (f.sign if value.negative else 0)
    return encode(f, value.fraction, mode, value.negative)


def fp_mul(f, mode, a, b):
    return finish(f, product_value(decode(f, a), decode(f, b)), mode, (b, a))


def fp_fma(f, mode, a, b, c):
    product = product_value(decode(f, a), decode(f, b))
    return sum_of(f, product, decode(f, c), mode, (b, c, a))


def fp_div(f, mode, a, b):
    x, y = decode(f, a), decode(f, b)
    negative = x.negative != y.negative
    if 'nan' in (x.kind, y.kind) or (x.kind == y.kind == 'inf'):
        return nan_of(f, a, b)
    if x.kind == 'inf':
        return finish(f, Value('inf', negative), mode, ())
    if y.kind == 'inf':
        return finish(f, Value('finite', negative), mode, ())
    if y.fraction == 0:
        return nan_of(f, a, b) if x.fraction == 0 else finish(f, Value('inf', negative), mode, ())
    return finish(f, Value('finite', negative, x.fraction / y.fraction), mode, ())


def fp_rcp(f, mode, a):
    result = fp_div(f, mode, f.bias << f.fraction_bits, a)
    return nan_of(f, a) if decode(f, a).kind == 'nan' else result


def fp_sqrt(f, mode, a):
    x = decode(f, a)
    if x.kind == 'nan' or (x.negative and (x.kind == 'inf' or x.fraction != 0)):
        return nan_of(f, a)
    if x.kind == 'inf' or x.fraction == 0:
        return a
    # an approximation from below with far more digits, and one more bit where it is not exact
    shift = 2400
    scaled = x.fraction * (1 << shift)
    root = math.isqrt(scaled.numerator // scaled.denominator)
    exact = root * root == scaled
    value = Fraction(2 * root + (not exact), 2) / (1 << (shift // 2))
    return encode(f, value, mode)


def float_patterns(f, more=6):
    one = f.bias << f.fraction_bits
    smallest_normal = 1 << f.fraction_bits
    edges = [0, f.sign, one, f.sign | one, one + 1, one - 1, 1, f.sign | 1, smallest_normal, smallest_normal - 1,
             f.sign | smallest_normal - 1, f.infinity, f.sign | f.infinity, f.infinity - 1, f.sign | f.infinity - 1,
             f.infinity | 1 << (f.fraction_bits - 1) | 5, f.infinity | 3, f.sign | f.infinity | 1 << (f.fraction_bits - 1),
             one + (1 << f.fraction_bits), one | 1 << (f.fraction_bits - 1)]
    return edges + [rng.getrandbits(f.size) for _ in range(more)]


def near_one(f):
    """values whose sums and products round"""
    exponent = f.bias + rng.randrange(-3, 4)
    return rng.getrandbits(1) << (f.size - 1) | exponent << f.fraction_bits | rng.getrandbits(f.fraction_bits)


def near_least(f):
    exponent = rng.randrange(0, 4)
    return rng.getrandbits(1) << (f.size - 1) | exponent << f.fraction_bits | rng.getrandbits(f.fraction_bits)


def float_operands(f, count, arity):
    some = []
    for i in range(count):
        source = (i * 7) % 10
        make = (lambda: rng.choice(float_patterns(f))) if source < 5 else \
            (lambda: near_one(f)) if source < 8 else (lambda: near_least(f))
        some.append([make() for _ in range(arity)])
    return some


def float_cases(op, f, function, arity, mode, ftz, sat, count):
    spelling = op + ('.ftz' if ftz else '') + ('.sat' if sat else '') + '.' + f.name
    for operands in float_operands(f, count, arity):
        inputs = [flush(f, x) for x in operands] if ftz else operands
        result = function(f, mode, *inputs)
        if ftz and decode(f, result).kind != 'nan':
            result = flush_result(f, function, mode, inputs, result)
        result = saturate(f, result) if sat else result
        emit(spelling, *[f.text(x) for x in operands], '=', f.text(result))


def rounded_arithmetic():
    operations = [('add', fp_add, 2, True, True), ('sub', fp_sub, 2, True, True), ('mul', fp_mul, 2, True, True),
                  ('fma', fp_fma, 3, True, False), ('mad', fp_fma, 3, True, False), ('div', fp_div, 2, False, False),
                  ('rcp', fp_rcp, 1, False, False), ('sqrt', fp_sqrt, 1, False, False)]
    for name, function, arity, can_saturate, has_default in operations:
        for mode in ([''] if has_default else []) + ['rn', 'rz', 'rm', 'rp']:
            op = f'{name}.{mode}' if mode else name
            long = 48 if mode in ('', 'rn') else 32
            for ftz in (False, True):
                for sat in ((False, True) if can_saturate else (False,)):
                    float_cases(op, F32, function, arity, mode or 'rn', ftz, sat, 16 if sat else long)
            float_cases(op, F64, function, arity, mode or 'rn', False, False, long)


def least_of(f, a, b, sign, with_nan):
    x, y = decode(f, a), decode(f, b)
    if x.kind == 'nan' or y.kind == 'nan':
        if with_nan or x.kind == y.kind:
            return nan_of(f, b, a)
        return b if x.kind == 'nan' else a
    def order(pattern, value):
        large = Fraction(2) ** 2000
        number = value.fraction if value.kind == 'finite' else -large if value.negative else large
        return (number, not pattern & f.sign)
    ordered = sorted([(order(a, x), a), (order(b, y), b)])
    return ordered[0 if sign < 0 else 1][1]


def minimum(f, sign, with_nan, xorsign):
    def function(f, mode, a, b):
        flip = (a ^ b) & f.sign
        if xorsign:
            a, b = a & ~f.sign, b & ~f.sign
        result = least_of(f, a, b, sign, with_nan)
        if xorsign and decode(f, result).kind != 'nan':
            result |= flip
        return result
    return function


def testp():
    for f in (F32, F64):
        for pattern in float_patterns(f):
            value = decode(f, pattern)
            is_subnormal = value.kind == 'finite' and value.fraction != 0 and not pattern & f.infinity
            answers = {'finite': value.kind == 'finite', 'infinite': value.kind == 'inf',
                       'number': value.kind != 'nan', 'notanumber': value.kind == 'nan',
                       'normal': value.kind == 'finite' and not is_subnormal, 'subnormal': is_subnormal}
            for op, answer in answers.items():
                emit(f'testp.{op}.{f.name}', f.text(pattern), '=', int(answer))
    lines.sort(key=lambda line: line.split()[0])


def sign_operations():
    for f in (F32, F64):
        for a in float_patterns(f):
            b = rng.choice(float_patterns(f))
            emit(f'copysign.{f.name}', f.text(a), f.text(b), '=', f.text(a & f.sign | b & ~f.sign))
    for f, ftz in ((F32, False), (F32, True), (F64, False)):
        suffix = '.ftz' if ftz else ''
        for a in float_patterns(f):
            is_nan = decode(f, a).kind == 'nan'
            x = flush(f, a) if ftz else a
            nan = nan_of(f, a)
            emit(f'abs{suffix}.{f.name}', f.text(a), '=', f.text(nan if is_nan else x & ~f.sign))
            emit(f'neg{suffix}.{f.name}', f.text(a), '=', f.text(nan if is_nan else x ^ f.sign))
    for op, sign in (('min', -1), ('max', 1)):
        for nan in (False, True):
            for xorsign in (False, True):
                modifiers = ('.NaN' if nan else '') + ('.xorsign.abs' if xorsign else '')
                for ftz in (False, True):
                    spelling = op + ('.ftz' if ftz else '') + modifiers + '.f32'
                    function = minimum(F32, sign, nan, xorsign)
                    for a, b in float_operands(F32, 48, 2):
                        x, y = (flush(F32, a), flush(F32, b)) if ftz else (a, b)
                        emit(spelling, F32.text(a), F32.text(b), '=', F32.text(function(F32, '', x, y)))
        for a, b in float_operands(F64, 64, 2):
            emit(f'{op}.f64', F64.text(a), F64.text(b), '=', F64.text(least_of(F64, a, b, sign, False)))


# ---- comparison and selection ----

ORDERED = {'eq': lambda r: r == 0, 'ne': lambda r: r != 0, 'lt': lambda r: r < 0, 'le': lambda r: r <= 0,
           'gt': lambda r: r > 0, 'ge': lambda r: r >= 0}
UNSIGNED = {'lo': 'lt', 'ls': 'le', 'hi': 'gt', 'hs': 'ge'}
BOOLEAN = {'and': lambda t, c: t & c, 'or': lambda t, c: t | c, 'xor': lambda t, c: t ^ c}


def relation(f, a, b):
    """None: unordered"""
    x, y = decode(f, a), decode(f, b)
    if 'nan' in (x.kind, y.kind):
        return None
    large = Fraction(2) ** 2000
    x, y = (v.fraction if v.kind == 'finite' else -large if v.negative else large for v in (x, y))
    return (x > y) - (x < y)


def float_comparisons():
    answers = {}
    for name, holds in ORDERED.items():
        answers[name] = lambda r, holds=holds: r is not None and holds(r)
        answers[name + 'u'] = lambda r, holds=holds: r is None or holds(r)
    answers['num'] = lambda r: r is not None
    answers['nan'] = lambda r: r is None
    return answers


def compare(op, type_text, a, b, t, set_types):
    """a setp, one combined with a predicate, and a set"""
    emit(f'setp.{op}.{type_text}', a, b, '=', f'{t}|{1 - t}')
    combine, c = rng.choice(list(BOOLEAN)), rng.getrandbits(1)
    p, q = BOOLEAN[combine](t, c), BOOLEAN[combine](1 - t, c)
    emit(f'setp.{op}.{combine}.{type_text}', a, b, c, '=', f'{p}|{q}')
    emit(f'setp.{op}.{combine}.{type_text}', a, b, f'!{1 - c}', '=', p)
    true = {'u32': '0xffffffff', 's32': '-1', 'f32': '1.0'}
    dtype = rng.choice(set_types)
    head, _, flags = type_text.rpartition('.')
    ftz = head + '.' if head else ''
    emit(f'set.{op}.{ftz}{dtype}.{flags}', a, b, '=', true[dtype] if t else '0')
    emit(f'set.{op}.{combine}.{ftz}{dtype}.{flags}', a, b, c, '=', true[dtype] if p else '0')


def comparisons():
    for t in ['b16', 'b32', 'b64'] + INTEGERS:
        names = dict(ORDERED) if t[0] != 'b' else {'eq': ORDERED['eq'], 'ne': ORDERED['ne']}
        if t[0] == 'u':
            names.update({alias: ORDERED[name] for alias, name in UNSIGNED.items()})
        for name, holds in names.items():
            for a, b in pairs(t, count=2)[:6] + [(x, x) for x in values(t, 0)[:2]]:
                result = int(holds((a > b) - (a < b)))
                compare(name, t, hexa(t, a), hexa(t, b), result, ['u32', 's32', 'f32'])
    for f, ftz in ((F32, ''), (F32, 'ftz.'), (F64, '')):
        for name, holds in float_comparisons().items():
            some = float_operands(f, 8, 2) + [(x, x) for x in float_patterns(f, 0)[:3]] + [(0, f.sign), (1, f.sign | 1)]
            for a, b in some:
                x, y = (flush(f, a), flush(f, b)) if ftz else (a, b)
                compare(name, ftz + f.name, f.text(a), f.text(b), int(holds(relation(f, x, y))), ['u32', 's32', 'f32'])
    lines.sort(key=lambda line: (line.split()[0], '!' in line))
    emit('setp.lt.and.s32', 1, 2, 1, '=', '_|0')
    emit('setp.lt.and.s32', 1, 2, 1, '=', '1|_')


def selections():
    for t in ('b16', 'u16', 's16', 'b32', 'u32', 's32', 'b64', 'u64', 's64'):
        for a, b in pairs(t, count=2)[:5]:
            for c in (0, 1):
                emit(f'selp.{t}', hexa(t, a), hexa(t, b), c, '=', hexa(t, a if c else b))
            for c in (0, 1, -1, -2**31, 2**31 - 1):
                emit(f'slct.{t}.s32', hexa(t, a), hexa(t, b), c, '=', hexa(t, a if c >= 0 else b))
            for c in float_patterns(F32, 0):
                value = decode(F32, c)
                for ftz in ('', 'ftz.'):
                    is_zero = value.kind == 'finite' and (value.fraction == 0 or (ftz and not c & F32.infinity))
                    first = value.kind != 'nan' and (is_zero or not value.negative)
                    if rng.random() < 0.3:
                        emit(f'slct.{ftz}{t}.f32', hexa(t, a), hexa(t, b), F32.text(c), '=', hexa(t, a if first else b))
    for f in (F32, F64):
        for a, b in float_operands(f, 20, 2):
            for c in (0, 1):
                emit(f'selp.{f.name}', f.text(a), f.text(b), c, '=', f.text(a if c else b))
    lines.sort(key=lambda line: line.split()[0])


def moves():
    for t in ('b16', 'u16', 's16', 'b32', 'u32', 's32', 'b64', 'u64', 's64'):
        for a in values(t):
            emit(f'mov.{t}', hexa(t, a), '=', hexa(t, a))
    for f in (F32, F64):
        for a in float_patterns(f):
            emit(f'mov.{f.name}', f.text(a), '=', f.text(a))
    for a in (0, 1):
        emit('mov.pred', a, '=', a)
    for n, count in ((16, 2), (32, 2), (32, 4), (64, 2), (64, 4)):
        for _ in range(16):
            e = [rng.getrandbits(n // count) for _ in range(count)]
            whole = sum(x << i * n // count for i, x in enumerate(e))
            vector = '{' + ','.join(hex(x) for x in e) + '}'
            emit(f'mov.b{n}', vector, '=', hex(whole))
            emit(f'mov.b{n}', hex(whole), '=', vector)
    lines.sort(key=lambda line: (line.split()[0], line.count(','), '= {' in line))
    for e in (['_', '0x7'], ['0x9', '_']):
        emit('mov.b64', '0x700000009', '=', '{' + ','.join(e) + '}')


# ---- conversion ----

CVT_INTEGERS = ['u8', 's8', 'u16', 's16', 'u32', 's32', 'u64', 's64']


def integer_conversions():
    for to in CVT_INTEGERS:
        for source in CVT_INTEGERS:
            for a in values(source):
                emit(f'cvt.{to}.{source}', hexa(source, a), '=', hexa(to, a))
                if least(source) < least(to) or greatest(source) > greatest(to):
                    emit(f'cvt.sat.{to}.{source}', hexa(source, a), '=', hexa(to, clamp(to, a)))
            if to != source and to[1:] != '64':  # a wide register: extended by the sign of the type
                for a in values(source):
                    junk = 0 if source[1:] == '64' else rng.getrandbits(32) << 32 & ~((1 << width(source)) - 1)
                    operand = hexa(source, a) if source[1:] == '64' else hex(bits(source, a) | junk) + ':64'
                    emit(f'cvt.{to}.{source}', operand, '=', hexa('u64', wrap(to, a)) + ':64')
    lines.sort(key=lambda line: (line.split()[0], line.count(':64')))


def integers_to_floats():
    for f in (F16, BF16, F32, F64):
        for source in CVT_INTEGERS:
            some = values(source) + [wrap(source, (1 << k) + d) for k in (11, 24, 25, 53, 54) for d in (-1, 1, 3)]
            some = rng.sample(some, 16)
            for mode in ('rn', 'rz', 'rm', 'rp'):
                for a in some:
                    emit(f'cvt.{mode}.{f.name}.{source}', hexa(source, a), '=', f.text(encode(f, Fraction(a), mode)))
            for a in some[:8] if f is not BF16 else []:  # ptxas takes no .sat there
                sat = saturate(f, encode(f, Fraction(a)))
                emit(f'cvt.rn.sat.{f.name}.{source}', hexa(source, a), '=', f.text(sat))


def conversion_patterns(f):
    halves_ = [Fraction(n, 2) for n in (1, 3, 5, -1, -3, -5, 255, 511, 65535 * 2 + 1)]
    near = [Fraction(2) ** k + d for k in (7, 8, 15, 16, 31, 32, 63, 64) for d in (0, -1, Fraction(-1, 2))]
    near += [-x for x in near]
    fitting = [encode(f, x) for x in halves_ + near + [Fraction(1, 3), Fraction(-1, 1000), Fraction(100)]]
    return float_patterns(f, 4) + fitting


def floats_to_integers():
    for f in (F16, BF16, F32, F64):
        for to in CVT_INTEGERS:
            for mode in ('rni', 'rzi', 'rmi', 'rpi'):
                for ftz in ((False, True) if f is F32 else (False,)):
                    some = conversion_patterns(f)
                    for a in rng.sample(some, 32 if f in (F32, F64) else 6):
                        value = decode(f, flush(f, a) if ftz else a)
                        if value.kind == 'nan':
                            result = 0 if f is not F64 and width(to) < 64 else 1 << (width(to) - 1)
                        elif value.kind == 'inf':
                            result = least(to) if value.negative else greatest(to)
                        else:
                            result = clamp(to, round_integer(value.fraction, mode))
                        spelling = f'cvt.{mode}' + ('.ftz' if ftz else '') + f'.{to}.{f.name}'
                        emit(spelling, f.text(a), '=', hexa(to, result))


def convert_nan(to, f, mode, a, ftz):
    """as an H100 does: what only copies or widens keeps the bits; from and to double precision the upper ones, quieted"""
    sign, payload = a & f.sign, a & ((1 << f.fraction_bits) - 1)
    if to is f and not mode and not ftz:
        return a
    if f is BF16 and to is F32 and not ftz:
        return a << 16
    if to is F64 and ftz:
        return 0x7fffffffe0000000
    if F64 in (to, f):
        shift = to.fraction_bits - f.fraction_bits
        payload = payload << shift if shift >= 0 else payload >> -shift
        return (to.sign if sign else 0) | to.infinity | 1 << (to.fraction_bits - 1) | payload
    return to.nan


def convert_float(to, f, mode, a, ftz=False, sat=False, finite=False, relu=False):
    value = decode(f, flush(f, a) if ftz and f is F32 and to is not F16 else a)  # so does an H100
    if value.kind == 'nan':
        return 0 if sat else convert_nan(to, f, mode, a, ftz)
    if value.kind == 'inf':
        result = (to.infinity - finite) | (to.sign if value.negative else 0)
    elif mode in ('rni', 'rzi', 'rmi', 'rpi'):
        result = encode(to, Fraction(round_integer(value.fraction, mode)), 'rn', value.negative)
    else:
        result = encode(to, value.fraction, mode or 'rn', value.negative, finite)
    if ftz and to is F32:
        result = flush(to, result)
    if sat:
        result = saturate(to, result)
    return 0 if relu and value.negative else result


def between_floats():
    narrowing = [(F32, F64), (F16, F32), (F16, F64), (BF16, F32), (BF16, F64)]
    widening = [(F64, F32), (F32, F16), (F64, F16), (F32, BF16), (F64, BF16)]
    for to, f in narrowing + widening:
        for mode in ('rn', 'rz', 'rm', 'rp') if (to, f) in narrowing else ('',):
            for ftz in (False, True) if F32 in (to, f) else (False,):
                for sat in (False, True) if to is not BF16 else (False,):
                    spelling = 'cvt' + (f'.{mode}' if mode else '') + ('.ftz' if ftz else '') + ('.sat' if sat else '')
                    close = [encode(f, Fraction(to.infinity - 1 and 2) ** to.bias * x) for x in
                             (Fraction(2) - Fraction(1, 1 << (to.fraction_bits + k)) for k in (0, 1, 2))]
                    tiny = [encode(f, Fraction(2) ** (1 - to.bias - to.fraction_bits) * x) for x in
                            (Fraction(1, 2), Fraction(3, 2), Fraction(1, 4), Fraction(3, 4), Fraction(5), 1000)]
                    some = float_patterns(f, 8) + [near_one(f) for _ in range(8)] + close + tiny
                    for a in rng.sample(some, 8 if sat else 24):
                        if sat and f is BF16:
                            continue  # ptxas takes no .sat there
                        emit(f'{spelling}.{to.name}.{f.name}', f.text(a), '=',
                             to.text(convert_float(to, f, mode, a, ftz, sat)))
    for f in (F16, F32, F64):
        for mode in ('', 'rni', 'rzi', 'rmi', 'rpi'):
            for ftz in (False, True) if f is F32 else (False,):
                for sat in (False, True):
                    if not mode and not sat and f is not F32:
                        continue
                    spelling = 'cvt' + (f'.{mode}' if mode else '') + ('.ftz' if ftz else '') + ('.sat' if sat else '')
                    for a in rng.sample(conversion_patterns(f), 24):
                        emit(f'{spelling}.{f.name}.{f.name}', f.text(a), '=',
                             f.text(convert_float(f, f, mode, a, ftz, sat)))


def special_conversions():
    for mode in ('rn', 'rz'):
        for relu in (False, True):
            for finite in (False, True):
                suffix = ('.relu' if relu else '') + ('.satfinite' if finite else '')
                for to in (F16, BF16):
                    some = float_patterns(F32, 8) + [near_one(F32) for _ in range(8)]
                    halves_ = [convert_float(to, F32, mode, a, finite=finite, relu=relu) for a in some]
                    if suffix:
                        for a, h in zip(some, halves_):
                            emit(f'cvt.{mode}{suffix}.{to.name}.f32', F32.text(a), '=', hex(h))
                    for a, h, b, g in zip(some, halves_, some[1:], halves_[1:]):
                        emit(f'cvt.{mode}{suffix}.{to.name}x2.f32', F32.text(a), F32.text(b), '=', hex(h << 16 | g))
    for mode in ('rna', 'rn', 'rz'):
        for finite in (False, True):
            for a in float_patterns(F32, 8) + [near_one(F32) for _ in range(8)] + [0x3f801000, 0xbf803000]:
                value = decode(F32, a)
                result = convert_float(TF32, F32, mode, a, finite=finite) << 13
                if value.kind == 'nan':  # as an H100 does
                    result = (a & 0xffffe000) - (0x2000 if finite else 0) if mode == 'rna' else 0x7fffe000
                emit(f'cvt.{mode}' + ('.satfinite' if finite else '') + '.tf32.f32', F32.text(a), '=', hex(result))


# ---- half precision, and pairs of it ----

def relu(f, pattern):
    return 0 if pattern & f.sign and decode(f, pattern).kind != 'nan' else pattern


def approximated(f, function):
    """function(float), rounded: ours are better than the manual asks for"""
    def result(f, mode, a):
        value = decode(f, a)
        if value.kind == 'nan':
            return f.nan
        return function(f, value)
    return result


def without_last_digits(f, value, negative):
    """as an H100 makes half precision of its approximations: rounded in single precision, then cut off"""
    single = decode(F32, encode(F32, value, 'rn', negative))
    if single.kind == 'inf' or abs(single.fraction) >= Fraction(2) ** (f.bias + 1):
        return f.infinity
    return encode(f, single.fraction, 'rz', negative)


def half_tanh(f, value):
    if value.kind == 'inf':
        return (f.sign if value.negative else 0) | f.bias << f.fraction_bits
    return without_last_digits(f, Fraction(math.tanh(float(value.fraction))), value.negative)


def half_ex2(f, value):
    if value.kind == 'inf' or abs(value.fraction) > 1000:
        return 0 if value.negative else f.infinity
    whole = round(value.fraction)
    power = Fraction(2.0 ** float(value.fraction - whole)) * Fraction(2) ** whole
    return without_last_digits(f, power, False)


def sign_only(change):
    def function(f, mode, a):
        return f.nan if decode(f, a).kind == 'nan' else change(f, a)
    return function


HALF_MODIFIERS = ['', '.ftz', '.sat', '.ftz.sat']
EXTREME_MODIFIERS = [n + x for n in ('', '.NaN') for x in ('', '.xorsign.abs')]


def half_operations(f):
    """(spelling without type, function, arity)"""
    is_f16 = f is F16
    for name, function, arity in (('add', fp_add, 2), ('sub', fp_sub, 2), ('mul', fp_mul, 2), ('fma', fp_fma, 3)):
        rounding = ['.rn'] if name == 'fma' else ['', '.rn']
        modifiers = HALF_MODIFIERS if is_f16 else ['']
        if name == 'fma':
            modifiers = modifiers + (['.relu', '.ftz.relu'] if is_f16 else ['.relu'])
        for r in rounding:
            for modifier in modifiers:
                yield name + r + modifier, function, arity
    for ftz in ('', '.ftz') if is_f16 else ('',):
        yield 'abs' + ftz, sign_only(lambda f, a: a & ~f.sign), 1
        yield 'neg' + ftz, sign_only(lambda f, a: a ^ f.sign), 1
        for op, sign in (('min', -1), ('max', 1)):
            for modifier in EXTREME_MODIFIERS:
                yield op + ftz + modifier, minimum(f, sign, '.NaN' in modifier, '.xorsign' in modifier), 2
    yield 'tanh.approx', approximated(f, half_tanh), 1
    yield 'ex2.approx' + ('' if is_f16 else '.ftz'), approximated(f, half_ex2), 1


def half_result(f, spelling, function, operands):
    ftz = '.ftz' in spelling
    inputs = [flush(f, x) if ftz else x for x in operands]
    result = function(f, 'rn', *inputs)
    if ftz and decode(f, result).kind != 'nan':
        known = function in (fp_add, fp_sub, fp_mul, fp_fma)
        result = flush_result(f, function, 'rn', inputs, result) if known else flush(f, result)
    if '.sat' in spelling:
        result = saturate(f, result)
    return relu(f, result) if '.relu' in spelling else result


def tie_operands(f, count):
    """a * b + c where the product lies halfway between two numbers, or nearly, and c is far smaller"""
    some = []
    n = f.fraction_bits + 1
    while len(some) < count:
        a = (1 << n - 1) + rng.getrandbits(n - 1)
        b = (1 << n - 1) + rng.getrandbits(n - 1)
        product = a * b
        digits = product.bit_length() - n
        if digits <= 0 or (product & ((1 << digits) - 1)) != 1 << (digits - 1):
            continue
        scale = Fraction(1, 1 << (n - 1))
        c = rng.choice([1, -1]) * Fraction(2) ** rng.randrange(1 - f.bias - f.fraction_bits, -n)
        some.append([encode(f, a * scale), encode(f, -b * scale if rng.getrandbits(1) else b * scale), encode(f, c)])
    return some


def half_arithmetic():
    for f in (F16, BF16):
        for spelling, function, arity in half_operations(f):
            count = 96 if spelling in ('add', 'mul', 'fma.rn') else 32
            some = float_operands(f, count, arity)
            if spelling == 'fma.rn':
                some += tie_operands(f, 64)
            results = [half_result(f, spelling, function, operands) for operands in some]
            for operands, result in zip(some, results):
                emit(f'{spelling}.{f.name}', *[hex(x) for x in operands], '=', hex(result))
            for low, high, r, s in zip(some, some[1:], results, results[1:]):
                packed = [hex(x | y << 16) for x, y in zip(low, high)]
                emit(f'{spelling}.{f.name}x2', *packed, '=', hex(r | s << 16))
    lines.sort(key=lambda line: line.split()[0])


def half_comparisons():
    for f in (F16, BF16):
        true = {'f16': 0x3c00, 'bf16': 0x3f80, 'u16': 0xffff, 's16': 0xffff, 'u32': 0xffffffff, 's32': 0xffffffff,
                f'{f.name}x2': f.bias << f.fraction_bits}
        own = ['f16', 'bf16'] if f is F16 else ['bf16']
        for name, holds in float_comparisons().items():
            for ftz in ('', '.ftz') if f is F16 else ('',):
                some = float_operands(f, 8, 2) + [(x, x) for x in float_patterns(f, 0)[:3]] + [(0, f.sign), (1, f.sign | 1)]
                answers = [int(holds(relation(f, *[flush(f, x) if ftz else x for x in pair]))) for pair in some]
                op, c, boolean = f'{name}', rng.getrandbits(1), rng.choice(list(BOOLEAN))
                combine = BOOLEAN[boolean]
                for (a, b), t in zip(some, answers):
                    emit(f'setp.{op}{ftz}.{f.name}', hex(a), hex(b), '=', f'{t}|{1 - t}')
                    emit(f'setp.{op}.{boolean}{ftz}.{f.name}', hex(a), hex(b), c, '=', f'{combine(t, c)}|{combine(1 - t, c)}')
                    to = rng.choice(own + ['u16', 's16', 'u32', 's32'])
                    emit(f'set.{op}{ftz}.{to}.{f.name}', hex(a), hex(b), '=', hex(true[to] * t))
                    emit(f'set.{op}.{boolean}{ftz}.{to}.{f.name}', hex(a), hex(b), c, '=', hex(true[to] * combine(t, c)))
                for low, high, t, u in zip(some, some[1:], answers, answers[1:]):
                    a, b = (hex(x | y << 16) for x, y in zip(low, high))
                    emit(f'setp.{op}{ftz}.{f.name}x2', a, b, '=', f'{t}|{u}')
                    emit(f'setp.{op}.{boolean}{ftz}.{f.name}x2', a, b, c, '=', f'{combine(t, c)}|{combine(u, c)}')
                    to = rng.choice([f'{f.name}x2', 'u32', 's32'])
                    yes = true[to] & 0xffff
                    emit(f'set.{op}{ftz}.{to}.{f.name}x2', a, b, '=', hex(yes * t | yes * u << 16))
                    t, u = combine(t, c), combine(u, c)
                    emit(f'set.{op}.{boolean}{ftz}.{to}.{f.name}x2', a, b, c, '=', hex(yes * t | yes * u << 16))
    for to, yes in (('f16', 0x3c00), ('bf16', 0x3f80)):
        for source in INTEGERS:
            for a, b in pairs(source, count=4)[:8]:
                emit(f'set.lt.{to}.{source}', hexa(source, a), hexa(source, b), '=', hex(yes * (a < b)))
        for f in (F32, F64):
            for a, b in float_operands(f, 16, 2):
                relation_ = relation(f, a, b)
                emit(f'set.geu.{to}.{f.name}', f.text(a), f.text(b), '=', hex(yes * (relation_ is None or relation_ >= 0)))
    lines.sort(key=lambda line: line.split()[0])


E4M3 = Format('e4m3', 4, 3, 0x7f)
E5M2 = Format('e5m2', 5, 2, 0x7f)


def decode8(f, pattern):
    """e4m3 has numbers where others have infinities and NaNs, but for the last one"""
    if f is E4M3 and pattern & 0x78 == 0x78 and pattern & 7 != 7:
        value = Fraction(8 + (pattern & 7)) * 32
        return Value('finite', bool(pattern & 0x80), -value if pattern & 0x80 else value)
    return decode(f, pattern)


def encode8(f, value, with_relu):
    """.rn.satfinite"""
    if value.kind == 'nan':
        return 0x7f
    if with_relu and value.negative:
        return 0
    sign = 0x80 if value.negative else 0
    finite = [(decode8(f, p).fraction, p) for p in range(0x80) if decode8(f, p).kind == 'finite']
    if value.kind == 'inf' or abs(value.fraction) >= finite[-1][0]:
        return sign | finite[-1][1]
    magnitude = abs(value.fraction)
    below, above = max(x for x in finite if x[0] <= magnitude), min(x for x in finite if x[0] >= magnitude)
    low, high = magnitude - below[0], above[0] - magnitude
    even = below[1] if below[1] % 2 == 0 else above[1]
    return sign | (below[1] if low < high else above[1] if high < low else even)


def narrow_conversions():
    for f in (E4M3, E5M2):
        exact = [decode8(f, p).fraction for p in range(256) if decode8(f, p).kind == 'finite']
        positive = sorted(x for x in exact if x >= 0)
        halfway = [(x + y) / 2 for x, y in zip(positive, positive[1:])] + [positive[-1] * Fraction(33, 32), positive[-1] * 2]
        for source in (F32, F16):
            some = float_patterns(source, 16) + [encode(source, rng.choice([1, -1]) * x) for x in rng.sample(halfway, 24)]
            some += [near_one(source) for _ in range(8)]
            for with_relu in (False, True):
                suffix = '.relu' if with_relu else ''
                results = [encode8(f, decode(source, a), with_relu) for a in some]
                for a, b, r, s in zip(some, some[1:], results, results[1:]):
                    operands = [F32.text(a), F32.text(b)] if source is F32 else [hex(a << 16 | b)]
                    dot = 'f32' if source is F32 else 'f16x2'
                    emit(f'cvt.rn.satfinite{suffix}.{f.name}x2.{dot}', *operands, '=', hex(r << 8 | s))
        for with_relu in (False, True):
            suffix = '.relu' if with_relu else ''
            for p in range(0, 256):
                q = rng.getrandbits(8)
                halves_ = []
                for x in (p, q):
                    value = decode8(f, x)
                    half = finish(F16, value, 'rn', ())
                    halves_.append(relu(F16, half) if with_relu else half)
                emit(f'cvt.rn{suffix}.f16x2.{f.name}x2', hex(p << 8 | q), '=', hex(halves_[0] << 16 | halves_[1]))
    lines.sort(key=lambda line: line.split()[0])


# ---- SIMD video instructions ----

def video():
    for n, count in ((8, 4), (16, 2)):
        for t in ('u32', 's32'):
            for _ in range(32):
                a, b, c = (rng.getrandbits(32) for _ in range(3))
                if rng.random() < 0.3:
                    b = a ^ 1 << rng.randrange(32)
                differences = [abs(x - y) for x, y in zip(parts(a, n, t), parts(b, n, t))]
                whole = sum(d << n * i for i, d in enumerate(differences))
                for sat in ('', '.sat'):
                    emit(f'vabsdiff{count}.u32.{t}.{t}{sat}', hex(a), hex(b), hex(c), '=', hex(whole))
                emit(f'vabsdiff{count}.u32.{t}.{t}.add', hex(a), hex(b), hex(c), '=', hexa('u32', c + sum(differences)))
    lines.sort(key=lambda line: line.split()[0])


# ---- approximations ----

def approximations():
    inf, ninf = F32.infinity, F32.infinity | F32.sign
    special = {  # the manual's tables: -inf, -0, +0, +inf, nan
        'rcp': (F32.sign, ninf, inf, 0, 'nan'),
        'sqrt': ('nan', F32.sign, 0, inf, 'nan'),
        'rsqrt': ('nan', ninf, inf, 0, 'nan'),
        'sin': ('nan', F32.sign, 0, 'nan', 'nan'),
        'cos': ('nan', 0x3f800000, 0x3f800000, 'nan', 'nan'),
        'lg2': ('nan', ninf, ninf, inf, 'nan'),
        'ex2': (0, 0x3f800000, 0x3f800000, inf, 'nan'),
        'tanh': (0xbf800000, F32.sign, 0, 0x3f800000, 'nan'),
    }
    for op, results in special.items():
        for ftz in ('', '.ftz') if op != 'tanh' else ('',):
            for a, result in zip((ninf, F32.sign, 0, inf, 0x7fc00001), results):
                emit(f'{op}.approx{ftz}.f32', F32.text(a), '=', result if result == 'nan' else F32.text(result))
            if ftz:  # subnormal operands are zeros
                emit(f'{op}.approx.ftz.f32', F32.text(1), '=', results[2] if results[2] == 'nan' else F32.text(results[2]))
                emit(f'{op}.approx.ftz.f32', F32.text(0x807fffff), '=', results[1] if results[1] == 'nan' else F32.text(results[1]))
    for op in ('sqrt', 'rsqrt', 'lg2'):
        emit(f'{op}.approx.f32', '-1.5', '=', 'nan')
    lines.sort(key=lambda line: line.split()[0])

    def single(x):
        return float(decode(F32, encode(F32, Fraction(x))).fraction)

    def some(low, high, count=40):
        return [single(rng.uniform(low, high)) for _ in range(count)]

    def powers(low, high, count=40):
        return [single(math.ldexp(1 + rng.random(), rng.randint(low, high))) for _ in range(count)]

    for x in powers(-126, 125):
        emit('rcp.approx.f32', repr(x), '=', repr(1 / x), '~ulp:1')
        emit('rcp.approx.ftz.f32', repr(x), '=', repr(1 / x), '~ulp:1')
    for x in powers(-140, 127):
        emit('sqrt.approx.f32', repr(x), '=', repr(math.sqrt(x)), '~rel:2^-23')
        emit('rsqrt.approx.f32', repr(x), '=', repr(1 / math.sqrt(x)), '~rel:2^-22.9')
    for low, high, bound in ((-2 * math.pi, 2 * math.pi, '2^-20.5'), (-100 * math.pi, 100 * math.pi, '2^-14.7')):
        for x in some(low, high):
            emit('sin.approx.f32', repr(x), '=', repr(math.sin(x)), f'~abs:{bound}')
            emit('cos.approx.f32', repr(x), '=', repr(math.cos(x)), f'~abs:{bound}')
    for x in some(0.5, 2) + [single(1 + k * 2.0 ** -20) for k in range(-4, 5)]:
        emit('lg2.approx.f32', repr(x), '=', repr(math.log2(x)), '~abs:2^-22')
    for x in powers(-148, 127) + [2.0 ** k for k in (-149, -126, -1, 1, 2, 127)]:
        if not 0.5 < x < 2:
            emit('lg2.approx.f32', repr(x), '=', repr(math.log2(x)), '~rel:2^-22')
            if x >= 2.0 ** -126:
                emit('lg2.approx.ftz.f32', repr(x), '=', repr(math.log2(x)), '~rel:2^-22')
    for x in some(-149, 127, 60) + [-126.5, single(-148.9), single(127.99), single(-1e-30)] + [float(k) for k in range(-149, 128, 9)]:
        emit('ex2.approx.f32', repr(x), '=', repr(2.0 ** x), '~ulp:2')
        if x >= -126:
            emit('ex2.approx.ftz.f32', repr(x), '=', repr(2.0 ** x), '~ulp:2')
    emit('ex2.approx.f32', '128', '=', 'inf')
    emit('ex2.approx.f32', '-160', '=', '0')
    emit('ex2.approx.ftz.f32', '-126.5', '=', '0')
    for x in some(-9, 9) + powers(-149, 3):
        emit('tanh.approx.f32', repr(x), '=', repr(math.tanh(x)), '~rel:2^-11')
    for x, y in zip(powers(-60, 60), powers(-60, 60)):
        for op in ('approx', 'full'):
            emit(f'div.{op}.f32', repr(x), repr(y), '=', repr(x / y), '~ulp:2')
            emit(f'div.{op}.ftz.f32', repr(x), repr(y), '=', repr(x / y), '~ulp:2')
    for sign, result in (('', '0'), ('-', '-0')):  # 2^126 < |b| < 2^128
        emit('div.approx.f32', f'{sign}1e38', '1.2e38', '=', result)
    emit('div.approx.f32', 'inf', '1.2e38', '=', 'nan')
    emit('div.approx.f32', '1e38', '0x1p126', '=', repr(1e38 / 2.0 ** 126), '~ulp:2')
    for x in [math.ldexp(1 + rng.random(), rng.randint(-1000, 1000)) for _ in range(40)]:
        emit('rsqrt.approx.f64', repr(x), '=', repr(1 / math.sqrt(x)), '~rel:2^-50')
        emit('rcp.approx.ftz.f64', repr(x), '=', repr(1 / x), '~rel:2^-19')
        emit('rsqrt.approx.ftz.f64', repr(x), '=', repr(1 / math.sqrt(x)), '~rel:2^-19')
    lines.sort(key=lambda line: (line.split()[0], '~' in line))
    nan = '0d7fffffff00000000'
    for op, results in (('rcp', ['-0', '-inf', '-inf', 'inf', 'inf', '0', nan]),
                        ('rsqrt', [nan, '-inf', '-inf', 'inf', 'inf', '0', nan])):
        operands = ['-inf', '-1e-310', '-0', '0', '1e-310', 'inf', 'nan']
        for a, result in zip(operands, results):
            emit(f'{op}.approx.ftz.f64', a, '=', result)


def extremes_of_three():
    for op, sign in (('min', -1), ('max', 1)):
        for nan in ('', '.NaN'):
            for absolute in ('', '.abs'):
                for ftz in ('', '.ftz'):
                    for operands in float_operands(F32, 64, 3):
                        inputs = [flush(F32, v) if ftz else v for v in operands]
                        x, y, z = (v & ~F32.sign if absolute else v for v in inputs)
                        least = least_of(F32, least_of(F32, x, y, sign, nan), z, sign, nan)
                        emit(f'{op}{ftz}{nan}{absolute}.f32', *map(F32.text, operands), '=', F32.text(least))


def float_pairs():
    def paired(low, high):
        return f'0x{high << 32 | low:x}'
    for op, function, arity in (('add', fp_add, 2), ('sub', fp_sub, 2), ('mul', fp_mul, 2), ('fma', fp_fma, 3)):
        for mode in ['rn', 'rz', 'rm', 'rp'] + [''] * (op != 'fma'):
            for ftz in ('', '.ftz'):
                for low, high in zip(float_operands(F32, 40, arity), reversed(float_operands(F32, 40, arity))):
                    results = []
                    for operands in (low, high):
                        inputs = [flush(F32, x) for x in operands] if ftz else operands
                        result = function(F32, mode or 'rn', *inputs)
                        if ftz and decode(F32, result).kind != 'nan':
                            result = flush_result(F32, function, mode or 'rn', inputs, result)
                        results.append(result)
                    spelling = f'{op}.{mode}{ftz}.f32x2' if mode else f'{op}{ftz}.f32x2'
                    emit(spelling, *map(paired, low, high), '=', paired(*results))


# ---- every row at its edges ----

def special_patterns(f):
    """zeros, ones, numbers about the least normal one, infinities, NaNs, the largest number"""
    one, normal = f.bias << f.fraction_bits, 1 << f.fraction_bits
    quiet = f.infinity | 1 << (f.fraction_bits - 1)
    some = [0, one, one + normal, 1, normal - 1, normal, f.infinity - 1, f.infinity]
    return some + [f.sign | x for x in some] + [quiet | 5, f.sign | f.infinity | 3]


def edge_operands(f, arity, count):
    """of pairs of a zero, one, an infinity and a NaN of both signs, and of others: `count`"""
    if arity == 1:
        return [[x] for x in special_patterns(f)]
    one = f.bias << f.fraction_bits
    few = [x | s for x in (0, one, f.infinity, f.infinity | 5) for s in (0, f.sign)]
    some = [list(pair) for pair in itertools.product(few, few)]
    some += [[rng.choice(special_patterns(f)) for _ in range(2)] for _ in range(max(count - len(some), 0))]
    rng.shuffle(some)
    return [pair[:1] + [rng.choice(special_patterns(f)) for _ in range(arity - 2)] + pair[1:] for pair in some[:count]]


def extremes_at_edges():
    for op, sign in (('min', -1), ('max', 1)):
        for a, b in edge_operands(F64, 2, 72):
            emit(f'{op}.f64', F64.text(a), F64.text(b), '=', F64.text(least_of(F64, a, b, sign, False)))
        for nan in ('', '.NaN'):
            for ftz in ('', '.ftz'):
                for xorsign in ('', '.xorsign.abs'):
                    function = minimum(F32, sign, nan, xorsign)
                    for a, b in edge_operands(F32, 2, 72):
                        x, y = (flush(F32, v) if ftz else v for v in (a, b))
                        emit(f'{op}{ftz}{nan}{xorsign}.f32', F32.text(a), F32.text(b), '=', F32.text(function(F32, '', x, y)))
                for absolute in ('', '.abs'):
                    for operands in itertools.product((0, F32.sign, 0x3f800000, 0xbfc00000, 0x7fc00005), repeat=3):
                        x, y, z = (v & ~F32.sign if absolute else v for v in operands)
                        least = least_of(F32, least_of(F32, x, y, sign, nan), z, sign, nan)
                        emit(f'{op}{ftz}{nan}{absolute}.f32', *map(F32.text, operands), '=', F32.text(least))


def products_of_machine_code():
    """the sum of a product whose sign, or that of what is added, an instruction changes; a NaN stays as it is"""
    def negated(f, pattern):
        return pattern if decode(f, pattern).kind == 'nan' else pattern ^ f.sign

    def function(minus_product, minus_sum):
        return lambda f, mode, a, b, c: fp_fma(f, mode, negated(f, a) if minus_product else a, b, negated(f, c) if minus_sum else c)
    for name, signs in (('fms', (False, True)), ('fnma', (True, False)), ('fnms', (True, True))):
        for mode in ('rn', 'rz', 'rm', 'rp'):
            for ftz in (False, True):
                for sat in (False, True):
                    float_cases(f'machine.{name}.{mode}', F32, function(*signs), 3, mode, ftz, sat, 24)
            float_cases(f'machine.{name}.{mode}', F64, function(*signs), 3, mode, False, False, 24)


def comparisons_at_edges():
    """each boolean operation with both values of its predicate; one of the two results not written"""
    def every(spelling, pairs_, holds):
        head, _, tail = spelling.partition('?')
        answers = [int(holds(a, b)) for a, b in pairs_]
        for boolean, combine in BOOLEAN.items():
            for c in (0, 1):
                for (a, b), t in zip(pairs_, answers):
                    emit(f'{head}.{boolean}{tail}', a, b, c, '=', f'{combine(t, c)}|{combine(1 - t, c)}')
        for (a, b), t in zip(pairs_, answers):
            emit(f'{head}{tail}', a, b, '=', f'_|{1 - t}')
    for t in ['b16', 'b32', 'b64'] + INTEGERS:
        for name, holds in ORDERED.items():
            if t[0] != 'b' or name in ('eq', 'ne'):
                some = [(hexa(t, a), hexa(t, b)) for a, b in ((3, 5), (5, 3), (5, 5), (least(t), greatest(t)))]
                every(f'setp.{name}?.{t}', some, lambda a, b: holds((lambda x, y: (x > y) - (x < y))(wrap(t, int(a, 16)), wrap(t, int(b, 16)))))
    for f, ftz in ((F32, ''), (F32, '.ftz'), (F64, ''), (F16, ''), (BF16, '')):
        one = f.bias << f.fraction_bits
        for name, holds in float_comparisons().items():
            patterns = [(one, one), (one, 0), (f.sign, 0), (one, f.infinity | 5), (f.infinity | 5, f.infinity | 5), (f.infinity | 5, 0)]
            if f in (F32, F64):
                some = [(f.text(a), f.text(b)) for a, b in patterns]
                every(f'setp.{name}?{ftz}.{f.name}', some, lambda a, b: holds(relation(f, int(a[2:], 16), int(b[2:], 16))))


def halves_at_edges():
    for f in (F16, BF16):
        for spelling, function, arity in half_operations(f):
            if '.rn' in spelling and 'fma' not in spelling:
                continue  # the same without
            some = edge_operands(f, arity, 72 if spelling.startswith(('min', 'max')) else 24)
            some += tie_operands(f, 16) if spelling == 'fma.rn.relu' else []
            if 'approx' in spelling:  # of the least numbers the approximation gives 1, not what lies beside it
                kept = [decode(f, flush(f, *x) if '.ftz' in spelling else x[0]).fraction for x in some]
                some = [x for x, y in zip(some, kept) if y == 0 or abs(y) > Fraction(1, 64)]
                some += [[encode(f, Fraction(y))] for y in (-15, -127, -130)]
            results = [half_result(f, spelling, function, operands) for operands in some]
            for operands, result in zip(some, results):
                emit(f'{spelling}.{f.name}', *[hex(x) for x in operands], '=', hex(result))
            for low, high, r, s in zip(some, reversed(some), results, reversed(results)):
                emit(f'{spelling}.{f.name}x2', *[hex(x | y << 16) for x, y in zip(low, high)], '=', hex(r | s << 16))


def integers_at_edges():
    s = 's32'
    for a, b, c in ((-1 << 23, 1, -1 << 31), ((1 << 23) - 1, (1 << 23) - 1, greatest(s)), (1 << 16, -1, 7), (1 << 20, 1 << 20, 5)):
        product = wrap(s, low24(s, a) * low24(s, b) >> 16)
        emit('mad24.hi.sat.s32', hexa(s, a), hexa(s, b), hexa(s, c), '=', hexa(s, clamp(s, product + c)))
    for base, offset in ((31, 1), (0, -1), (0, 32), (0, 33), (31, -32), (31, -33), (7, 0)):
        for mask in (0, 0xffffffff, 0x80000001, 0x80):
            emit('fns.b32', hex(mask), base, offset, '=', hex(fns(mask, base, offset)))
    emit('fns.b32', '0x80', 7, -1 << 31, '=', 0)  # as an H100 has these
    emit('fns.b32', '0x80', 32, 1, '=', '0xffffffff')


def approximations_at_edges():
    """the values that the manual's tables have, and that subnormal operands and results are kept or flushed"""
    def number(x):
        return repr(x) if isinstance(x, float) else x
    values_ = [0, F32.sign, 0x3fc00000, 0xc0000000, F32.infinity, F32.sign | F32.infinity, F32.infinity | 5]
    for op in ('approx', 'full'):
        for ftz in ('', '.ftz'):
            for a, b in itertools.product(values_, repeat=2):
                x, y = decode(F32, a), decode(F32, b)
                if x.kind == y.kind == 'finite' and x.fraction and y.fraction:
                    continue  # rounds
                emit(f'div.{op}{ftz}.f32', F32.text(a), F32.text(b), '=', F32.text(fp_div(F32, 'rn', a, b)))
        for a, b in ((-120, -130), (-140, -149), (-3, -128), (-60, 68), (-70, 60)):
            emit(f'div.{op}.f32', f'0x1p{a}', f'-0x1p{b}', '=', repr(-2.0 ** (a - b)), '~ulp:2')
        emit(f'div.{op}.ftz.f32', '0x1p-60', '-0x1p68', '=', '-0')
        emit(f'div.{op}.ftz.f32', '0x1p-149', '0x1p-3', '=', '0')
        emit(f'div.{op}.ftz.f32', '-3', '0x1p-149', '=', '-inf')
    emit('div.approx.ftz.f32', '-3', '0x1p127', '=', '-0')
    emit('lg2.approx.ftz.f32', '1', '=', '0')
    emit('div.full.f32', '3', '0x1.8p126', '=', repr(2.0 ** -125), '~ulp:2')
    emit('div.full.f32', '0x1p127', '-0x1p127', '=', '-1.0', '~ulp:2')
    emit('div.full.ftz.f32', '0x1p127', '-0x1p127', '=', '-1.0', '~ulp:2')
    emit('rcp.approx.f32', '0x1p127', '=', repr(2.0 ** -127), '~ulp:1')
    emit('rcp.approx.ftz.f32', '0x1p127', '=', '0')
    emit('rcp.approx.ftz.f32', '-0x1.8p126', '=', '-0')
    for op in ('sqrt', 'rsqrt', 'lg2'):
        emit(f'{op}.approx.ftz.f32', '-1.5', '=', 'nan')
    for x in [0.51 + k / 17 for k in range(24)]:
        x = float(decode(F32, encode(F32, Fraction(x))).fraction)
        turn = 2 * math.pi * x
        for op, value, bound in (('sqrt.approx.ftz', math.sqrt(x), '~rel:2^-23'), ('rsqrt.approx.ftz', 1 / math.sqrt(x), '~rel:2^-22.9'),
                                 ('sin.approx.ftz', math.sin(x), '~abs:2^-20.5'), ('cos.approx.ftz', math.cos(x), '~abs:2^-20.5'),
                                 ('machine.sin', math.sin(turn), '~abs:2^-20.5'), ('machine.cos', math.cos(turn), '~abs:2^-20.5')):
            emit(f'{op}.f32', repr(x), '=', repr(value), bound)
        emit('lg2.approx.ftz.f32', repr(x), '=', repr(math.log2(x)), '~abs:2^-22')
    for x in (2.0 ** -1074, 3 * 2.0 ** -1060, 1e-310, 1.75, 4.0, 1e300):
        emit('rsqrt.approx.f64', repr(x), '=', repr(1 / math.sqrt(x)), '~rel:2^-50')
    for a, result in (('0', 'inf'), ('-0', '-inf'), ('inf', '0'), ('-1', 'nan'), ('-inf', 'nan'), ('-1e-310', 'nan')):
        emit('rsqrt.approx.f64', a, '=', result)
    for a in (0x7ff0000000000005, 0xfff8000000000009):
        emit('rsqrt.approx.f64', F64.text(a), '=', F64.text(a | 1 << 51))
    nan = 0x7fffffff
    for op, table in (('rcp', {0: 0x7ff00000, 1 << 31: 0xfff00000, 0x7ff00000: 0, 0xfff00000: 1 << 31, 0x3ff00000: 0x3ff00000,
                               0x80000fff: 0xfff00000, 0x7fe00000: 0, 0x7ff00001: nan, 0xffffffff: nan}),
                      ('rsq', {0: 0x7ff00000, 1 << 31: 0xfff00000, 0x7ff00000: 0, 0xfff00000: nan, 0x3ff00000: 0x3ff00000,
                               0x40100000: 0x3fe00000, 0x80000fff: 0xfff00000, 0xbff00000: nan, 0x7ff00001: nan})):
        for a, result in table.items():
            emit(f'machine.{op}64h.b32', hex(a), '=', hex(result))


def edges():
    rng.seed(88)
    extremes_at_edges()
    products_of_machine_code()
    comparisons_at_edges()
    halves_at_edges()
    integers_at_edges()
    approximations_at_edges()
    lines.sort(key=lambda line: (line.split()[0], line.count(' '), '_|' in line, '~' in line))


def main():
    integer_arithmetic()
    bit_operations()
    dot_products()
    write('integer.txt', 'Integer arithmetic and bit fields.')
    carries()
    write('carry.txt', 'Extended precision.')
    logic()
    write('logic.txt', 'Logic, shifts and permutations.')
    rounded_arithmetic()
    write('float.txt', 'Floating-point arithmetic under every rounding mode, .ftz and .sat.')
    testp()
    write('testp.txt', 'Properties of floating-point numbers.')
    sign_operations()
    write('minmax.txt', 'Signs, minima and maxima.')
    comparisons()
    write('compare.txt', 'setp and set.')
    selections()
    write('select.txt', 'selp and slct.')
    moves()
    write('move.txt', 'mov, packing and unpacking.')
    integer_conversions()
    integers_to_floats()
    floats_to_integers()
    between_floats()
    special_conversions()
    write('convert.txt', 'cvt.')
    approximations()
    write('approx.txt', 'Approximations within the error that the manual allows.')
    half_arithmetic()
    write('half.txt', 'Half precision, and pairs.')
    half_comparisons()
    write('half_compare.txt', 'setp and set of half precision.')
    narrow_conversions()
    write('narrow.txt', 'cvt from and to eight bits.')
    video()
    write('video.txt', 'SIMD video instructions.')
    extremes_of_three()
    float_pairs()
    write('sm_100.txt', 'Minima and maxima of three, and pairs of .f32.')
    edges()
    write('edges.txt', 'Zeros, infinities, NaNs, subnormal numbers and what lies beside them, with every modifier.')


if __name__ == '__main__':
    main()
