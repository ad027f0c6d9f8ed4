"""Arithmetic of numbers, infinities and NaNs of many payloads, for nans.ptx: what a NaN becomes, after
exec/lanes/ops_float.h. The numbers are small and whole, so that sums and products are exact."""

import math
import struct

SINGLES = [0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFFC12345, 0x7F800001, 0x40400000, 0xC0000000]
DOUBLES = [
    0x3FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000001,
    0xFFF8123456789ABC, 0x7FF0000000000001, 0x4008000000000000, 0xC000000000000000,
]  # fmt: skip
NAN, NAN_OF_NONE, QUIET = 0x7FFFFFFF, 0xFFF8000000000000, 0x0008000000000000
LANES = range(64)


def number(bits, code):
    return struct.unpack("<" + code, struct.pack("<I" if code == "f" else "<Q", bits))[0]


def bits_of(value, code):
    return struct.unpack("<I" if code == "f" else "<Q", struct.pack("<" + code, value))[0]


def is_nan(bits, code):
    return math.isnan(number(bits, code))


def exact(operation, values):
    try:
        return operation(*values)
    except (OverflowError, ValueError):
        return math.nan


def single(operation, *operands):
    """A result in single precision: each NaN is one and the same."""
    value = exact(operation, [number(bits, "f") for bits in operands])
    return NAN if math.isnan(value) else bits_of(value, "f")


def double(operation, order, *operands):
    """In double precision: the first that is a NaN in that order, quieted."""
    value = exact(operation, [number(bits, "d") for bits in operands])
    for i in order if math.isnan(value) else ():
        if is_nan(operands[i], "d"):
            return operands[i] | QUIET
    return NAN_OF_NONE if math.isnan(value) else bits_of(value, "d")


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def fma(a, b, c):
    return a * b + c


def inputs(patterns):
    """All pairs: a[lane], b[lane]."""
    return [patterns[lane % 8] for lane in LANES], [patterns[lane // 8] for lane in LANES]


def single_results():
    rows = [[] for _ in range(7)]
    for a, b in zip(*inputs(SINGLES)):
        sum_ = single(add, a, b)
        product = single(mul, sum_, b)
        both = single(fma, product, sum_, a)
        last = single(sub, both, sum_)
        for row, value in zip(rows, (sum_, product, both, last)):
            row.append(value)
        rows[4].append(7 if is_nan(last, "f") else 8)
        rows[5].append(both ^ 0x1234)
        rows[6].append(b if is_nan(last, "f") else bits_of(max(number(last, "f"), number(b, "f")), "f"))
        if is_nan(last, "f") and is_nan(b, "f"):
            rows[6][-1] = NAN
        elif is_nan(b, "f"):
            rows[6][-1] = last
    return sum(rows, [])


def double_results():
    rows = [[] for _ in range(5)]
    for a, b in zip(*inputs(DOUBLES)):
        sum_ = double(add, (1, 0), a, b)
        difference = double(sub, (1, 0), a, b)
        product = double(mul, (1, 0), sum_, b)
        both = double(fma, (1, 2, 0), a, product, difference)
        for row, value in zip(rows, (sum_, difference, product, both)):
            row.append(value)
        rows[4].append(7 if is_nan(both, "d") else 8)
    return sum(rows, [])


def some(values, old=5):
    """Only lanes below 40 of 64 have stored."""
    return [value if i % 64 < 40 else old for i, value in enumerate(values)]
