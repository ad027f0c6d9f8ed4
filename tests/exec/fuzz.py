"""Random structured kernels, executed by warplens and by an interpreter of the same programs in Python
that knows nothing of warps: one thread after the other, between barriers. Memory must be equal.

    fuzz.py WARPLENS [FIRST_SEED [COUNT]]

A program works on eight 32-bit registers: arithmetic, predicated statements, if/else, loops with a
number of turns that depends on the lane, break and continue, and loads and stores of the thread's own
words and of what other threads stored before the last barrier. Many kernels make one module."""

import random
import sys

import harness

M = 0xFFFFFFFF
REGISTERS, THREADS, OWN = 8, 80, 4  # words of its own that a thread has, in shared and global memory
BATCH = 20
UNARY = {"not.b32": lambda a: ~a, "neg.s32": lambda a: -a, "popc.b32": lambda a: a.bit_count()}
UNARY |= {"clz.b32": lambda a: 32 - a.bit_length(), "brev.b32": lambda a: int(f"{a:032b}"[::-1], 2)}


def signed(a):
    return a - (1 << 32) if a >> 31 else a


BINARY = {
    "add.u32": lambda a, b: a + b, "sub.u32": lambda a, b: a - b, "mul.lo.u32": lambda a, b: a * b,
    "mul.hi.u32": lambda a, b: a * b >> 32, "mul.hi.s32": lambda a, b: signed(a) * signed(b) >> 32,
    "and.b32": lambda a, b: a & b, "or.b32": lambda a, b: a | b, "xor.b32": lambda a, b: a ^ b,
    "min.u32": min, "max.s32": lambda a, b: max(a, b, key=signed),
    "shl.b32": lambda a, b: a << b if b < 32 else 0, "shr.u32": lambda a, b: a >> b if b < 32 else 0,
    "shr.s32": lambda a, b: signed(a) >> min(b, 31),
}  # fmt: skip
COMPARE = {
    "eq.u32": lambda a, b: a == b, "ne.u32": lambda a, b: a != b, "lt.u32": lambda a, b: a < b,
    "ge.u32": lambda a, b: a >= b, "lt.s32": lambda a, b: signed(a) < signed(b),
    "gt.s32": lambda a, b: signed(a) > signed(b),
}  # fmt: skip


class Generator:
    """Makes a program: a list of phases between barriers, each a list of statements (tuples)."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0

    def program(self):
        return [self.block(3, False) for _ in range(self.random.randint(1, 4))]

    def block(self, depth, in_loop):
        return [self.statement(depth, in_loop) for _ in range(self.random.randint(1, 6))]

    def register(self):
        return self.random.randrange(REGISTERS)

    def condition(self):
        return self.random.choice(list(COMPARE)), self.register(), self.register()

    def statement(self, depth, in_loop):
        r = self.random
        kind = r.choices(
            ["binary", "unary", "constant", "if", "loop", "load", "store", "guarded", "peer", "leave"],
            [8, 2, 2, 4, 3, 3, 4, 2, 2, 2],
        )[0]
        if kind == "if" and depth:
            return "if", self.condition(), self.block(depth - 1, in_loop), self.block(depth - 1, in_loop)
        if kind == "loop" and depth > 1:
            self.loops += 1
            return "loop", self.loops, self.register(), r.choice([1, 3, 7]), self.block(depth - 1, True)
        if kind == "leave" and in_loop:
            return r.choice(["break", "continue"]), self.condition()
        if kind in ("load", "store"):
            return kind, r.choice(["shared", "global"]), self.register(), self.register()
        if kind == "guarded":
            return kind, self.condition(), r.choice(list(BINARY)), *(self.register() for _ in range(3))
        if kind == "peer":
            return kind, self.register(), self.register()
        if kind == "unary":
            return kind, r.choice(list(UNARY)), self.register(), self.register()
        if kind == "constant":
            return kind, self.register(), r.choice([r.getrandbits(32), r.randrange(40)])
        return "binary", r.choice(list(BINARY)), *(self.register() for _ in range(3))


class Printer:
    """The program as PTX. %r0 … are its registers; %r20 … scratch; %r40 + n counts the turns of loop n."""

    def __init__(self):
        self.lines, self.labels = [], 0

    def put(self, *lines):
        self.lines += lines

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def compare(self, condition):
        operation, a, b = condition
        self.put(f"setp.{operation} %p1, %r{a}, %r{b};")

    def word(self, space, index):
        """%d20 or %r21: the address of one of the thread's own words."""
        self.put(f"and.b32 %r20, %r{index}, {OWN - 1};")
        if space == "shared":
            self.put("mad.lo.u32 %r21, %r20, 4, %r31;")
            return "%r21"
        self.put("mad.wide.u32 %d20, %r20, 4, %d2;")
        return "%d20"

    def block(self, statements, leave=None):
        for statement in statements:
            self.statement(statement, leave)

    def statement(self, s, leave):
        kind = s[0]
        if kind == "binary":
            self.put(f"{s[1]} %r{s[2]}, %r{s[3]}, %r{s[4]};")
        elif kind == "unary":
            self.put(f"{s[1]} %r{s[2]}, %r{s[3]};")
        elif kind == "constant":
            self.put(f"mov.u32 %r{s[1]}, {s[2]};")
        elif kind == "guarded":
            self.compare(s[1])
            self.put(f"@!%p1 {s[2]} %r{s[3]}, %r{s[4]}, %r{s[5]};")
        elif kind == "load":
            self.put(f"ld.{s[1]}.u32 %r{s[2]}, [{self.word(s[1], s[3])}];")
        elif kind == "store":
            self.put(f"st.{s[1]}.u32 [{self.word(s[1], s[3])}], %r{s[2]};")
        elif kind == "peer":  # what any thread of the block showed before the last barrier
            self.put(f"rem.u32 %r20, %r{s[2]}, {THREADS}; mad.lo.u32 %r21, %r20, 4, %r32;")
            self.put(f"ld.shared.u32 %r{s[1]}, [%r21];")
        elif kind == "if":
            other, end = self.label(), self.label()
            self.compare(s[1])
            self.put(f"@!%p1 bra {other};")
            self.block(s[2], leave)
            self.put(f"bra {end};", f"{other}:")
            self.block(s[3], leave)
            self.put(f"{end}:")
        elif kind == "loop":
            again, end, turns = self.label(), self.label(), f"%r{40 + s[1]}"
            self.put(f"and.b32 {turns}, %r{s[2]}, {s[3]};", f"{again}:")
            self.put(f"setp.eq.u32 %p2, {turns}, 0;", f"@%p2 bra {end};", f"sub.u32 {turns}, {turns}, 1;")
            self.block(s[4], (again, end))
            self.put(f"bra {again};", f"{end}:")
        else:
            self.compare(s[1])
            self.put(f"@%p1 bra {leave[1] if kind == 'break' else leave[0]};")

    def kernel(self, name, program):
        self.put(f".shared .align 4 .b8 own[{4 * OWN * THREADS}]; .shared .align 4 .b8 show[{4 * THREADS}];")
        self.put("mov.u32 %r30, %tid.x; mov.u32 %r33, %ctaid.x; ld.param.u64 %d1, [out];")
        self.put(f"mad.lo.u32 %r34, %r33, {THREADS}, %r30; mad.wide.u32 %d2, %r34, {4 * OWN}, %d1;")
        self.put(f"mov.u32 %r31, own; mad.lo.u32 %r31, %r30, {4 * OWN}, %r31; mov.u32 %r32, show;")
        self.put("mad.lo.u32 %r35, %r30, 4, %r32;")
        for i in range(REGISTERS):
            self.put(f"mad.lo.u32 %r{i}, %r34, {2 * i + 1}, {i};")
        for phase in program:
            self.block(phase)
            self.put("bar.sync 0; st.shared.u32 [%r35], %r0; bar.sync 0;")
        for i in range(OWN):  # own shared words and registers become part of the result
            self.put(f"ld.shared.u32 %r20, [%r31+{4 * i}]; ld.global.u32 %r21, [%d2+{4 * i}];")
            self.put(f"xor.b32 %r20, %r20, %r{i}; add.u32 %r20, %r20, %r{i + 4}; xor.b32 %r21, %r21, %r20;")
            self.put(f"st.global.u32 [%d2+{4 * i}], %r21;")
        self.put("ret;")
        return harness.entry(name, {"out": "u64"}, "\n".join(self.lines))


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Thread:
    def __init__(self, number):
        self.r = [(number * (2 * i + 1) + i) & M for i in range(REGISTERS)]
        self.memory = {"shared": [0] * OWN, "global": [0] * OWN}

    def holds(self, condition):
        operation, a, b = condition
        return COMPARE[operation](self.r[a], self.r[b])

    def run(self, statements, shown):
        r = self.r
        for s in statements:
            kind = s[0]
            if kind == "binary":
                r[s[2]] = BINARY[s[1]](r[s[3]], r[s[4]]) & M
            elif kind == "unary":
                r[s[2]] = UNARY[s[1]](r[s[3]]) & M
            elif kind == "constant":
                r[s[1]] = s[2]
            elif kind == "guarded":
                if not self.holds(s[1]):
                    r[s[3]] = BINARY[s[2]](r[s[4]], r[s[5]]) & M
            elif kind == "load":
                r[s[2]] = self.memory[s[1]][r[s[3]] % OWN]
            elif kind == "store":
                self.memory[s[1]][r[s[3]] % OWN] = r[s[2]]
            elif kind == "peer":
                r[s[1]] = shown[r[s[2]] % THREADS]
            elif kind == "if":
                self.run(s[2] if self.holds(s[1]) else s[3], shown)
            elif kind == "loop":
                try:
                    for _ in range(r[s[2]] & s[3]):
                        try:
                            self.run(s[4], shown)
                        except Continue:
                            pass
                except Break:
                    pass
            elif self.holds(s[1]):
                raise Break if kind == "break" else Continue

    def result(self):
        own = [self.memory["shared"][i] ^ self.r[i] for i in range(OWN)]
        return [self.memory["global"][i] ^ (own[i] + self.r[i + 4] & M) for i in range(OWN)]


def interpret(program, block):
    threads = [Thread(THREADS * block + i) for i in range(THREADS)]
    shown = [0] * THREADS
    for phase in program:
        for thread in threads:
            thread.run(phase, shown)
        shown = [thread.r[0] for thread in threads]
    return [word for thread in threads for word in thread.result()]


def check(tool, seeds):
    programs = {f"fuzz{seed}": Generator(seed).program() for seed in seeds}
    text = harness.HEAD + "".join(Printer().kernel(*named) for named in programs.items())
    for name, program in programs.items():
        outcome = tool.run(text, name, 2, THREADS, [f"u32[{2 * THREADS * OWN}]=0"], every=name[-1] == "0")
        tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
        tool.expect(name, interpret(program, 0) + interpret(program, 1), outcome.arrays[0])


def main():
    tool = harness.Tool(sys.argv[1])
    first, count = (*map(int, sys.argv[2:]), *(1, 200)[len(sys.argv) - 2 :])[:2]
    for start in range(first, first + count, BATCH):
        check(tool, range(start, min(start + BATCH, first + count)))
    sys.exit(tool.finish("fuzz"))


if __name__ == "__main__":
    main()
