"""Counting by classes of blocks (--counts-only) against executing all of them: generated kernels whose addresses, guards
and loops follow from indices alone. Counters, evidence and footprint must be equal, and some blocks must have stood
for all: in no such kernel do data decide.

    classes.py WARPLENS [FIRST_SEED [COUNT]]

A program works on index registers (the place of the block, of the thread, and what arithmetic makes of them: strides,
swizzles by division and masks, wrap-around) and on data registers, which only are loaded, added and stored. Its
statements are guards, edges, loops (triangular ones, too), barriers, and accesses to global and shared memory wherever the
index is below the number of words."""

import os
import random
import sys

os.environ["WARPLENS_TEST_COUNTS"] = "1"
import harness

INDICES, DATA = 12, 4
GLOBAL, SHARED = 1 << 14, 1 << 10  # words
BATCH = 20


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines, self.labels = [], 0
        self.shape = self.launch()
        self.full = eval(self.shape[1].replace(",", "*")) % 32 == 0  # no lane gives what nobody has written

    def emit(self, line):
        self.lines.append(line)

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def index(self):
        return f"%r{self.random.randrange(INDICES)}"

    def source(self):
        """Often the number of the thread in the grid, of which most others are made."""
        return "%r0" if self.random.random() < 0.3 else self.index()

    def data(self):
        return f"%r{40 + self.random.randrange(DATA)}"

    def constant(self):
        r = self.random
        return r.choice([r.randint(0, 9), 1 << r.randint(0, 8), (1 << r.randint(1, 8)) - 1, r.randint(0, 5000),
                         0xFFFFFFFF - r.randint(0, 40), r.randint(0, 0xFFFFFFFF)])  # fmt: skip

    def arithmetic(self):
        r, to, a, b = self.random, self.index(), self.source(), self.source()
        small = r.choice([1, 2, 3, 4, 7, 8, 16, 32, 33, 100, 128])
        shift = r.randint(0, 9)
        self.emit(r.choice([
            f"add.u32 {to}, {a}, {b};", f"add.u32 {to}, {a}, {self.constant()};", f"sub.u32 {to}, {a}, {b};",
            f"mul.lo.u32 {to}, {a}, {small};", f"mad.lo.u32 {to}, {a}, {small}, {b};", f"mul.lo.u32 {to}, {a}, {b};",
            f"mad.lo.s32 {to}, {a}, {b}, {small};", f"shl.b32 {to}, {a}, {shift};", f"shr.u32 {to}, {a}, {shift};",
            f"shr.s32 {to}, {a}, {shift};", f"div.u32 {to}, {a}, {small};", f"rem.u32 {to}, {a}, {small};",
            f"div.s32 {to}, {a}, {small};", f"rem.s32 {to}, {a}, {small};", f"and.b32 {to}, {a}, {(1 << shift) - 1};",
            f"and.b32 {to}, {a}, {self.constant()};", f"or.b32 {to}, {a}, {small};", f"xor.b32 {to}, {a}, {b};",
            f"or.b32 {to}, {a}, {b};", f"min.u32 {to}, {a}, {b};", f"max.s32 {to}, {a}, {small};",
            f"min.s32 {to}, {a}, {self.constant()};", f"mul.hi.u32 {to}, {a}, {self.constant()};",
            f"cvt.u64.u32 %d3, {a}; mul.lo.u64 %d3, %d3, {small}; cvt.u32.u64 {to}, %d3;",
            f"cvt.s64.s32 %d3, {a}; add.s64 %d3, %d3, {small}; shr.s64 %d3, %d3, {shift}; cvt.u32.u64 {to}, %d3;",
            f"mul.wide.s32 %d3, {a}, {small}; cvt.u32.u64 {to}, %d3;", f"popc.b32 {to}, {a};",
            f"mul.wide.u16 {to}, %h1, %h2;", f"bfe.u32 {to}, {a}, {shift}, 5;", f"not.b32 {to}, {a};",
            f"cvt.u16.u32 %h1, {a}; cvt.u16.u32 %h2, {b}; add.u16 %h1, %h1, %h2; cvt.u32.u16 {to}, %h1;",
            f"add.cc.u32 {to}, {a}, {b}; addc.u32 {self.index()}, {a}, 0;",
            f"shfl.sync.bfly.b32 {to}, {a}, {1 << r.randint(0, 4)}, 31, 0xffffffff;" if self.full and not self.parted else "",
            f"cvt.rn.f32.u32 %f1, {a}; mul.f32 %f1, %f1, 0f3F000000; cvt.rzi.u32.f32 {to}, %f1;",
            self.compare(1) + f"selp.b32 {to}, {a}, {b}, %p1;",
        ]))  # fmt: skip

    def compare(self, predicate):
        r = self.random
        kind = r.choice(["eq.u32", "ne.s32", "lt.u32", "lt.s32", "ge.u32", "gt.s32", "le.u32", "eq.b32"])
        other = self.index() if r.random() < 0.4 else r.choice([self.constant(), r.randint(0, 3000)])
        return f"setp.{kind} %p{predicate}, {self.index()}, {other};"

    def access(self):
        r, at, masked = self.random, self.index(), False
        if r.random() < 0.5:  # a place that lies in the array more often than a random one
            self.emit(f"mad.lo.u32 %r30, {at}, {r.choice([1, 1, 2, 32])}, {self.index()};")
            at = "%r30"
        elif r.random() < 0.7:  # a place that needs no guard
            masked = True
            self.emit(r.choice([f"and.b32 %r30, {at}, {(GLOBAL >> r.randint(2, 9)) - 1};",
                                f"rem.u32 %r30, {at}, {r.choice([7, 96, 1000, 4096])};",
                                f"min.u32 %r30, {at}, {r.choice([33, 1000, 4000])};",
                                f"div.u32 %r30, {at}, {r.choice([3, 7, 7, 9, 100])}; min.u32 %r30, %r30, 4000;"]))
            at = "%r30"
        shared = r.random() < 0.3
        width = r.choice([1, 1, 1, 2, 4])
        kind = {1: "u32", 2: "v2.u32", 4: "v4.u32"}[width]
        what = self.data() if width == 1 else "{" + ", ".join(f"%r{40 + i % DATA}" for i in range(width)) + "}"
        if shared:
            self.emit(f"and.b32 %r31, {at}, {SHARED // width - 1}; shl.b32 %r31, %r31, {width.bit_length() + 1};")
            self.emit(f"mov.u32 %r32, tile; add.u32 %r31, %r31, %r32;")
            line = r.choice([f"ld.shared.{kind} {what}, [%r31];", f"st.shared.{kind} [%r31], {what};"])
            if width == 1 and r.random() < 0.2:
                line = f"atom.shared.add.u32 {what}, [%r31], 3;"
            self.emit((self.compare(2) + "@%p2 " if r.random() < 0.3 else "") + line)
            return
        self.emit(f"setp.lt.u32 %p2, {at}, {GLOBAL // width};")
        self.emit(r.choice([f"mul.wide.u32 %d2, {at}, {4 * width}; add.u64 %d2, %d1, %d2;",
                            f"cvt.u64.u32 %d2, {at}; mad.lo.u64 %d2, %d2, {4 * width}, %d1;",
                            f"cvt.u64.u32 %d2, {at}; shl.b64 %d2, %d2, {width.bit_length() + 1}; add.s64 %d2, %d1, %d2;"]))
        line = r.choice([f"ld.global.{kind} {what}, [%d2];", f"st.global.{kind} [%d2], {what};"])
        if width == 1 and r.random() < 0.15:
            line = r.choice([f"red.global.add.u32 [%d2], {what};", f"atom.global.max.u32 {what}, [%d2], 7;"])
        if r.random() < 0.2 and width > 0:
            self.emit(f"and.b32 %r31, %r1, {SHARED // width - 1}; shl.b32 %r31, %r31, {width.bit_length() + 1};")
            self.emit("mov.u32 %r32, tile; add.u32 %r31, %r31, %r32;")
            line = f"cp.async.ca.shared.global [%r31], [%d2], {4 * width};"
        self.emit(("" if masked else "@%p2 ") + line)

    parted = 0  # how many branches are open that lanes may have parted at

    def branch(self, depth):
        other, end = self.label(), self.label()
        self.emit(self.compare(3) + f" @%p3 bra {other};")
        self.parted += 1
        self.block(depth - 1)
        self.emit(f"bra {end}; {other}:")
        if self.random.random() < 0.5:
            self.block(depth - 1)
        self.parted -= 1
        self.emit(f"{end}:")

    def loop(self, depth):
        """Turns that are a constant, or follow from an index: triangular loops."""
        turn, last, top, end = f"%r{20 + depth}", f"%r{24 + depth}", self.label(), self.label()
        if self.random.random() < 0.5:
            self.emit(f"mov.u32 {last}, {self.random.randint(1, 5)};")
        else:
            self.emit(f"and.b32 {last}, {self.index()}, 7;")
        self.emit(f"mov.u32 {turn}, 0; {top}: setp.ge.u32 %p4, {turn}, {last}; @%p4 bra {end};")
        self.parted += 1
        if self.random.random() < 0.5:
            self.emit(f"add.u32 {self.index()}, {turn}, {self.index()};")
        self.block(depth - 1)
        self.parted -= 1
        self.emit(f"add.u32 {turn}, {turn}, 1; bra {top}; {end}:")

    def block(self, depth):
        for _ in range(self.random.randint(1, 5)):
            kind = self.random.choices(["arithmetic", "access", "branch", "loop", "sum", "barrier"],
                                       [6, 5, 2 * (depth > 0), 1 * (depth > 0), 1, not self.parted])[0]  # fmt: skip
            if kind in ("branch", "loop"):
                getattr(self, kind)(depth)
            elif kind == "sum":
                self.emit(f"add.u32 {self.data()}, {self.data()}, {self.data()};")
            elif kind == "barrier":
                self.emit("bar.sync 0;")
            else:
                getattr(self, kind)()

    def kernel(self, name):
        r = self.random
        self.emit("ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ctaid.y;")
        self.emit("mov.u32 %r4, %ntid.x; mad.lo.u32 %r0, %r2, %r4, %r1; mov.u32 %r5, %tid.y; mov.u32 %r6, %nctaid.x;")
        self.emit("mad.lo.u32 %r7, %r3, %r6, %r2; ld.param.u32 %r8, [n]; mov.u32 %r9, %laneid; mov.u32 %r10, %warpid;")
        self.emit(f"mul.lo.u32 %r11, %r0, {r.choice([1, 2, 3, 32, 129])}; mov.u16 %h1, 3; mov.u16 %h2, 5;")
        for i in range(DATA):
            self.emit(f"mov.u32 %r{40 + i}, {i};")
        if r.random() < 0.6:  # the usual guard
            self.emit("setp.ge.u32 %p5, %r0, %r8; @%p5 bra DONE;")
            self.parted += 1
        self.block(2)
        self.emit("DONE: ret;")
        return harness.entry(name, {"data": "u64", "n": "u32"}, "\n".join(self.lines),
                             variables=f".shared .align 16 .b8 tile_{name}[{4 * SHARED}];").replace(" tile;", f" tile_{name};").replace(" tile,", f" tile_{name},")  # fmt: skip

    def launch(self):
        r = self.random
        grid = r.choice(["2", "7", "40", "100", "8,8", "13,5", "3,20", "64"])
        return grid, r.choice(["32", "64", "48", "100", "50", "16,4", "128", "1", "33"]), r.choice([0, 31, 500, 2000, 99999])


# Warps that meet very often do little in between, as those do that wait for another block; but they wait for nobody.
ROUNDS = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0;
AGAIN: bar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 3000; @%p1 bra AGAIN;
    mad.lo.u32 %r4, %r2, 64, %r1; mul.wide.u32 %d2, %r4, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r3; ret;"""

# Blocks of 64 threads, seven of them on a line: every seventh block begins as the first does.
SEVENTHS = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mad.lo.u32 %r3, %r2, 64, %r1;
    div.u32 %r4, %r3, 7; mul.wide.u32 %d2, %r4, 128; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r1; ret;"""

# In block 0 both operands of `min` are equal, in all others the moving one is the lesser: they begin to read one word earlier each.
LEAST = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; sub.s32 %r2, 0, %r2; min.s32 %r3, %r2, 0;
    add.s32 %r3, %r3, 64; add.s32 %r3, %r3, %r1; mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r1; ret;"""

# The first operands of `set` are one value for all lanes of a block, the predicate is not: odd lanes write 32 words further on in five blocks.
COMBINED = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; and.b32 %r3, %r1, 1; setp.ne.u32 %p1, %r3, 0;
    cvt.rn.f32.u32 %f1, %r2; set.lt.and.u32.f32 %r3, %f1, 0f40A00000, %p1; and.b32 %r3, %r3, 32;
    add.u32 %r3, %r3, %r1; mul.wide.u32 %d2, %r3, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r1; ret;"""

# The place of a block times 2^60, which is beyond 2^63 in some: what is shifted down again is the place modulo 16, not the place. Those of the others
# that a block of the former could be taken to stand for are below 5, unlike it.
WRAPPED = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mul.lo.s32 %r3, %r2, 3; sub.s32 %r3, %r3, %r1;
    cvt.s64.s32 %d2, %r3; mul.lo.s64 %d2, %d2, 1152921504606846976; add.s64 %d2, %d2, -1152921504606846976; shr.u64 %d3, %d2, 60;
    mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r1;
    setp.ge.u64 %p1, %d3, 5; @%p1 bra DONE; st.global.u32 [%d1+512], %r1; DONE: ret;"""


def main():
    tool = harness.Tool(sys.argv[1])
    tool.run(harness.HEAD + harness.entry("sevenths", {"data": "u64"}, SEVENTHS), "sevenths", "40", "64", [f"u32[{GLOBAL}]"])
    tool.run(harness.HEAD + harness.entry("rounds", {"data": "u64"}, ROUNDS), "rounds", "20", "64", ["u32[1280]"])
    tool.run(harness.HEAD + harness.entry("least", {"data": "u64"}, LEAST), "least", "20", "64", ["u32[128]"])
    tool.run(harness.HEAD + harness.entry("combined", {"data": "u64"}, COMBINED), "combined", "20", "64", ["u32[128]"])
    tool.run(harness.HEAD + harness.entry("wrapped", {"data": "u64"}, WRAPPED), "wrapped", "10,4", "64", ["u32[256]"])
    tool.expect("rounds, sevenths, least, combined, wrapped: launches that some blocks stood for", 5, tool.represented)
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 300
    for start in range(first, first + count, BATCH):
        seeds = range(start, min(start + BATCH, first + count))
        made = {seed: Generator(seed) for seed in seeds}
        module = harness.HEAD + "".join(made[seed].kernel(f"seed{seed}") for seed in seeds)
        for seed in seeds:
            grid, block, n = made[seed].shape
            before = tool.represented
            tool.run(module, f"seed{seed}", grid, block, [f"u32[{GLOBAL}]=iota", f"u32={n}"])
            tool.expect(f"seed{seed}: launches that some blocks stood for", before + 1, tool.represented)
    sys.exit(tool.finish("classes"))


if __name__ == "__main__":
    main()
