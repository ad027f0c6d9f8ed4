#!/usr/bin/env python3
"""expressions.py WARPLENS: random expressions of `warplens explain`, written with no parentheses that C's precedence makes
needless. Their values in every lane must be those of the trees that they were written from."""

import json
import random
import subprocess
import sys

EXPRESSIONS = 300
PRECEDENCE = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "<<": 8, ">>": 8,
              "+": 9, "-": 9, "*": 10, "/": 10, "%": 10}
UNARY = 11


def signed(value):
    value &= 2**64 - 1
    return value - 2**64 if value >> 63 else value


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


VALUES = {
    "||": lambda a, b: int(bool(a) or bool(b)), "&&": lambda a, b: int(bool(a) and bool(b)),
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "&": lambda a, b: a & b, "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b), "<=": lambda a, b: int(a <= b),
    ">=": lambda a, b: int(a >= b), "<<": lambda a, b: a << (b & 7), ">>": lambda a, b: a >> (b & 7), "+": lambda a, b: a + b,
    "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: quotient(a, b | 1), "%": lambda a, b: a - quotient(a, b | 1) * (b | 1),
}
SIGNS = {"-": lambda a: -a, "~": lambda a: ~a, "!": lambda a: int(not a), "+": lambda a: a}


def tree(depth):
    kind = random.random()
    if depth == 0 or kind < 0.15:
        return random.choice([("name", "lane"), ("name", "threadIdx.x"), ("name", "threadIdx.y"), ("name", "k"),
                              ("number", random.choice([0, 1, 2, 3, 7, 31, 32, 255, 0x10]))])
    if kind < 0.25:
        return ("sign", random.choice(list(SIGNS)), tree(depth - 1))
    if kind < 0.32:
        return ("?", tree(depth - 1), tree(depth - 1), tree(depth - 1))
    operator = random.choice(list(PRECEDENCE))
    left, right = tree(depth - 1), tree(depth - 1)
    if operator in ("<<", ">>"):  # what C leaves open is not asked
        right = ("binary", "&", right, ("number", 7))
    if operator in ("/", "%"):
        right = ("binary", "|", right, ("number", 1))
    return ("binary", operator, left, right)


def text(at, least):
    """With parentheses where the context binds tighter than the expression does."""
    if at[0] == "name":
        return at[1]
    if at[0] == "number":
        return random.choice([str, hex])(at[1])
    if at[0] == "sign":
        return f"{at[1]} {text(at[2], UNARY + 1)}"
    if at[0] == "?":
        inside = f"{text(at[1], 1)} ? {text(at[2], 0)} : {text(at[3], 0)}"
        return inside if least == 0 else f"({inside})"
    own = PRECEDENCE[at[1]]
    inside = f"{text(at[2], own)}{random.choice(['', ' '])}{at[1]} {text(at[3], own + 1)}"
    return inside if own >= least else f"({inside})"


def value(at, names):
    if at[0] == "name":
        return names[at[1]]
    if at[0] == "number":
        return at[1]
    if at[0] == "sign":
        return signed(SIGNS[at[1]](value(at[2], names)))
    if at[0] == "?":
        return value(at[2] if value(at[1], names) else at[3], names)
    return signed(VALUES[at[1]](value(at[2], names), value(at[3], names)))


def main():
    random.seed(1)
    for _ in range(EXPRESSIONS):
        expression = tree(random.randint(1, 5))
        written = text(expression, 0)
        done = subprocess.run([sys.argv[1], "explain", "--bytes", f"({written}) & 4095", "--width", "1", "--block", "8,8",
                               "--set", "k = lane * 3 - 40", "--format", "json"], capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{written}: {done.stderr}"
        for lane in json.loads(done.stdout)["lanes"]:
            number = lane["lane"]
            names = {"lane": number, "threadIdx.x": number % 8, "threadIdx.y": number // 8, "k": number * 3 - 40}
            expected = value(expression, names) & 4095
            assert lane["byte"] == expected, f"{written}: lane {number}: {lane['byte']} for {expected}"
    print(f"{EXPRESSIONS} expressions agree")


main()
