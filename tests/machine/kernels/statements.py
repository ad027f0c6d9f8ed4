"""Statements of one thread: assignments, branches, loops, switches, calls; nested and divergent. What they
write is the thread's own, or changed by atomic operations whose results nobody reads."""

from kernels import expressions as ex
from kernels.state import BIN_WORDS

# (region of bins, text with an index and a value): every order of the operations gives the same.
ATOMICS = {
    "u": [
        (0, "atomicAdd(&bins[{}], {})"),
        (1, "atomicXor(&bins[{}], {})"),
        (2, "atomicMax(&bins[{}], {})"),
        (3, "atomicOr(&bins[{}], {})"),
        (4, "atomicMin((int *)&bins[{}], (int)({}))"),
        (5, "atomicAdd(&bins[{}], 1u + 0u * {})"),
        (6, "atomicInc(&bins[{}], 1000000u + 0u * {})"),
    ],
    "f": [(7, "atomicAdd((float *)&bins[{}], (float)(({}) & 15u))")],
    "d": [(8, "atomicAdd((double *)&bins[({}) & ~1u], (double)(({}) & 15u))")],
    "q": [(9, "atomicAdd((unsigned long long *)&bins[({}) & ~1u], (unsigned long long)({}))")],
    "h": [(10, "atomicAdd((__half2 *)&bins[{}], __float2half2_rn((float)(({}) & 1u)))")],
}


def lines(text, indent):
    return "".join(" " * indent + line + "\n" for line in text.split("\n") if line)


def assign(s):
    r = s.r
    kind = r.choice(s.types)
    if r.random() < 0.15:
        op = {"u": "+= ", "q": "^= ", "f": "+= "}.get(kind)
        if op:
            return f"{s.var(kind)} {op}{ex.of(s, kind, 2)};"
    depth = r.choice([1, 2, 2, 3])
    value = ex.of(s, kind, depth)
    if kind == "f" and r.random() < 0.3:
        value = f"fminf(fmaxf({value}, -1000.0f), 1000.0f)"
    return f"{s.var(kind)} = {value};"


def store(s):
    """To an element of an array that is the thread's own."""
    r = s.r
    arrays = s.locals + s.own
    if not arrays:
        return assign(s)
    a = r.choice(arrays)
    place = f"{a.name}[{ex.index(s, a.size)}]" if a in s.locals else f"{a.name}[tid]"
    kind = a.kind if s.has(a.kind) else None
    if kind is None:
        return assign(s)
    value = ex.of(s, kind, 2)
    if kind == "u" and r.random() < 0.3:
        return f"{place} {r.choice(['+=', '^=', '-='])} {value};"
    return f"{place} = {value};"


def atomic(s):
    r = s.r
    kind = r.choice([k for k in s.types if k in ATOMICS])
    if s.theme.get("atomics", 1) > 1:
        kind = r.choice(list(k for k in ATOMICS if k != "h" or s.has("h")))
    region, text = r.choice(ATOMICS[kind])
    k = r.randrange(4)
    mask = r.choice([0, 1, 3, 15, 31, 63])
    where = f"{region * BIN_WORDS}u"
    if mask:
        where += f" + (({r.choice(['lane', 'tid', ex.u(s, 1), ex.u(s, 0)])}) & {mask}u)" if k else " + (lane & 31u)"
    return text.format(where, ex.u(s, 1)) + ";"


def call(s):
    if not s.helpers:
        return assign(s)
    name = s.r.choice(s.helpers)
    return f"{s.var('u')} {s.r.choice(['=', '^=', '+='])} {name}({ex.u(s, 1)}, {ex.u(s, 1)});"


def simple(s):
    k = s.pick({"assign": 10, "store": 4, "atomic": s.theme.get("atomics", 1), "call": s.theme.get("calls", 1) if s.helpers else 0})
    return {"assign": assign, "store": store, "atomic": atomic, "call": call}[k](s)


def branch(s, depth, loop, indent):
    text = f"if ({ex.cond(s, 1)}) {{\n{block(s, depth - 1, loop, indent + 1)}{' ' * indent}}}"
    if s.r.random() < 0.55:
        text += f" else {{\n{block(s, depth - 1, loop, indent + 1)}{' ' * indent}}}"
    return text


def trip(s):
    """The number of times that a loop runs: of the lane, or of all, known or not."""
    r = s.r
    scalars = [n for t, n in s.scalars if t == "i"]
    k = r.randrange(6)
    if k == 0 and scalars:
        return r.choice(scalars)
    if k == 1:
        return str(r.choice([2, 3, 4, 5, 7, 8, 12]))
    if k == 2:
        return f"(int)(lane & {r.choice([3, 7])}u)"
    return f"(int)(({ex.u(s, 1)}) & {r.choice([1, 3, 7, 7])}u)"


def unroll(s, indent):
    k = s.r.randrange(6)
    return "" if k > 1 else f"#pragma unroll {s.r.choice([1, 2, 3, 4])}\n{' ' * indent}"


def loop_for(s, depth, indent):
    v = s.new("c")
    step, end = s.r.choice([("++", trip(s)), ("++", trip(s)), (" += 2", f"2 * ({trip(s)})"), (" += 3", f"{trip(s)} + 4")])
    s.counters.append(v)
    body = block(s, depth - 1, True, indent + 1)
    s.counters.remove(v)
    start = s.r.choice(["0", "0", "0", "(int)(lane & 1u)", str(s.r.randrange(3))])
    return f"{unroll(s, indent)}for (int {v} = {start}; {v} < {end}; {v}{step}) {{\n{body}{' ' * indent}}}"


def loop_while(s, depth, indent):
    v, p = s.new("c"), " " * indent
    body = block(s, depth - 1, True, indent + 1)
    k = s.r.randrange(3)
    if k == 0:
        return f"unsigned {v} = ({ex.u(s, 1)}) & 255u;\n{p}while ({v}) {{\n{p} {v} >>= {s.r.choice([1, 2, 3])};\n{body}{p}}}"
    if k == 1:
        return f"int {v} = (int)(({ex.u(s, 1)}) & 7u);\n{p}do {{\n{body}{p}}} while (--{v} > 0 && {ex.cond(s, 0)});"
    # A loop left in the middle, and at several places.
    end = f"if ({ex.cond(s, 0)}) break;"
    return f"for (int {v} = 0;; {v}++) {{\n{p} if ({v} >= {s.r.randint(2, 9)}) break;\n{body}{p} {end}\n{p}}}"


def switch(s, depth, loop, indent):
    r, p = s.r, " " * indent
    n = r.choice([3, 4, 6, 9])
    text = f"switch (({ex.u(s, 1)}) % {n}u) {{\n"
    for c in range(n - 1):
        value = c if r.random() < 0.9 else c + n
        text += f"{p}case {value}:\n{block(s, depth - 2, False, indent + 1, r.randint(1, 2))}"
        text += f"{p} break;\n" if r.random() < 0.7 else ""
    return text + f"{p}default:\n{p} {assign(s)}\n{p}}}"


def leave(s, loop):
    if loop and s.r.random() < 0.75:
        return f"if ({ex.cond(s, 0)}) {s.r.choice(['break', 'continue'])};"
    if s.may_exit:
        return f"if ({ex.cond(s, 1)}) return;"
    return simple(s)


def statement(s, depth, loop, indent):
    if depth <= 0:
        return simple(s)
    control = s.theme.get("control", 1)
    k = s.pick({"simple": 10, "if": 3 * control, "for": 2 * control, "while": control, "switch": control * 0.6, "leave": control if loop or s.may_exit else 0})
    if k == "simple":
        return simple(s)
    if k == "if":
        return branch(s, depth, loop, indent)
    if k == "for":
        return loop_for(s, depth, indent)
    if k == "while":
        return loop_while(s, depth, indent)
    if k == "switch":
        return switch(s, depth, loop, indent)
    return leave(s, loop)


def block(s, depth, loop, indent, count=None):
    count = count or s.r.randint(1, 4)
    out = ""
    for _ in range(count):
        out += " " * indent + statement(s, depth, loop, indent) + "\n"
    return out
