"""Loads of one basic block that go through the same address registers, which change in between: by all
lanes, by some, by what was loaded, or not at all. What the executor knows of a register from one
access must not be used for another when it is no longer so. Values and counters are compared with a
model that looks at every lane of every access."""

import random
import sys

import harness

KERNELS, STEPS, TURNS, WORDS = 40, 24, 3, 1024
DATA = [random.Random(1).randrange(1 << 32) for _ in range(WORDS)]
M = 0xFFFFFFFF
LANES = range(32)
BIAS = 256  # so that offsets may be negative
PATTERNS = [
    lambda l: 4 * l, lambda l: 8 * l, lambda l: 0, lambda l: 12 * l, lambda l: 4 * (31 - l),
    lambda l: 4 * (l % 16), lambda l: 4 * (l % 16) + 512 * (l // 16), lambda l: 32 * (l // 16),
    lambda l: 4 * (l * 7 % 32),
]  # fmt: skip
# %p1: lanes below 20; %p2: all; %p4: all in the second turn.
GUARDS = {"": lambda lane, turn: True, "@%p1 ": lambda lane, turn: lane < 20,
          "@!%p1 ": lambda lane, turn: lane >= 20, "@%p2 ": lambda lane, turn: True,
          "@!%p2 ": lambda lane, turn: False, "@%p4 ": lambda lane, turn: turn == 1}  # fmt: skip
SPACES = [("global", 0), ("global", 1), ("shared", 0), ("shared", 1)]


class Model:
    """Writes a kernel, a loop of TURNS, and does for all lanes what the kernel will do."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        # Space and number of an address register -> what the lanes hold, without the array's address.
        self.registers = {}
        self.sums = [0] * 32
        self.lines = []
        self.steps = []  # of one turn, to be done by the model
        self.expected = {}  # destination of a load -> counters

    def address(self, space, number):
        return f"%d{number + 1}" if space == "global" else f"%r{number + 1}"

    def begin(self):
        self.lines += [
            "mov.u32 %r9, %tid.x; mov.u32 %r20, 0; setp.lt.u32 %p1, %r9, 20; setp.lt.u32 %p2, %r9, 32;",
            "ld.param.u64 %d9, [data]; mul.wide.u32 %d8, %r9, 4; add.u64 %d8, %d8, %d9;",
            "mov.u32 %r8, own; shl.b32 %r7, %r9, 2; add.u32 %r8, %r8, %r7; mov.u32 %r21, 0;",
        ]
        for i in range(0, WORDS // 32):
            self.lines.append(f"ld.global.b32 %r6, [%d8+{128 * i}]; st.shared.b32 [%r8+{128 * i}], %r6;")
        self.lines.append("bar.sync 0;")
        for space in ("global", "shared"):
            for number in range(2):
                self.set(space, number)
        self.lines.append("TURN: setp.eq.u32 %p4, %r21, 1;")

    def place(self, space, number):
        """Makes %r5 the register's offset."""
        register = self.address(space, number)
        if space == "global":
            self.lines.append(f"cvt.u64.u32 %d5, %r5; add.u64 {register}, %d5, %d9;")
        else:
            self.lines.append(f"mov.u32 %r4, own; add.u32 {register}, %r4, %r5;")

    def set(self, space, number):
        pattern = self.random.choice(PATTERNS)
        values = [pattern(lane) + BIAS for lane in LANES]
        text = f"mov.u32 %r5, {values[0]};"
        for lane in range(1, 32):
            text += f" setp.eq.u32 %p3, %r9, {lane}; @%p3 mov.u32 %r5, {values[lane]};"
        self.lines.append(text)
        self.place(space, number)

        def step(turn):
            self.registers[space, number] = values

        self.steps.append(step)

    def load(self):
        space, number = self.random.choice(SPACES)
        guard = self.random.choice(["", "", "", *GUARDS])
        offset = 12 * self.random.randrange(-20, 60)  # no two neighbours, which ptxas would merge
        name = f"%r{100 + len(self.expected)}"
        self.lines.append(f"mov.u32 {name}, 0;")
        order = self.random.choice(["", "", ".volatile"])  # which waits for nothing here, and may be made to
        self.lines.append(f"{guard}ld{order}.{space}.b32 {name}, [{self.address(space, number)}+{offset}];")
        self.lines.append(f"mad.lo.u32 %r20, %r20, 3, {name};")
        self.expected[name] = {}

        def step(turn):
            lanes = [lane for lane in LANES if GUARDS[guard](lane, turn)]
            at = {lane: self.registers[space, number][lane] + offset for lane in lanes}
            self.loaded = [DATA[at[lane] // 4] if lane in at else 0 for lane in LANES]
            self.sums = [(3 * s + v) & M for s, v in zip(self.sums, self.loaded)]
            for counter, value in cost(space, list(at.values())).items():
                self.expected[name][counter] = self.expected[name].get(counter, 0) + value

        self.steps.append(step)
        return name

    def change(self):
        space, number = self.random.choice(SPACES)
        register = self.address(space, number)
        way = self.random.choice(["add", "add", "guarded", "loaded", "set"])
        if way == "set":
            self.set(space, number)
        elif way == "loaded":
            name = self.load()
            self.lines.append(f"and.b32 %r5, {name}, 1020; add.u32 %r5, %r5, {BIAS};")
            self.place(space, number)

            def step(turn):
                self.registers[space, number] = [(value & 1020) + BIAS for value in self.loaded]

            self.steps.append(step)
        else:
            guard = self.random.choice(list(GUARDS)) if way == "guarded" else ""
            by = 4 * self.random.randrange(0, 6)
            kind = "u64" if space == "global" else "u32"
            self.lines.append(f"{guard}add.{kind} {register}, {register}, {by};")

            def step(turn):
                values = self.registers[space, number]
                self.registers[space, number] = [
                    v + by * GUARDS[guard](lane, turn) for lane, v in enumerate(values)
                ]

            self.steps.append(step)

    def kernel(self):
        self.begin()
        once, self.steps = self.steps, []
        for i in range(STEPS):
            choice = self.random.random()
            if choice < 0.65:
                self.load()
            elif choice < 0.95:
                self.change()
            else:
                self.lines.append(f"bra L{i}; L{i}:")
        self.lines.append(f"add.u32 %r21, %r21, 1; setp.lt.u32 %p3, %r21, {TURNS}; @%p3 bra TURN;")
        self.lines.append("ld.param.u64 %d7, [out]; mul.wide.u32 %d6, %r9, 4; add.u64 %d7, %d7, %d6;")
        self.lines.append("st.global.u32 [%d7], %r20; ret;")
        for step in once:
            step(0)
        for turn in range(TURNS):
            for step in self.steps:
                step(turn)
        params = {"data": "u64", "out": "u64"}
        return harness.entry("k", params, "\n".join(self.lines), f".shared .align 128 .b8 own[{4 * WORDS}];")


def cost(space, addresses):
    """Of a warp's load of 4 bytes for each of these addresses; docs/memory-model.md, sections 1 and 2."""
    if not addresses:
        return {"requests": 0, "lanes": 0, "wavefronts": 0, "sectors": 0, "tag_requests": 0, "bytes_used": 0}
    counters = {"requests": 1, "lanes": len(addresses)}
    words = {address // 4 for address in addresses}
    if space == "shared":
        banks = [word % 32 for word in words]
        return counters | {"wavefronts": max(map(banks.count, banks)), "sectors": 0}
    sectors, lines = {w // 8 for w in words}, {w // 32 for w in words}
    return counters | {"sectors": len(sectors), "tag_requests": len(lines), "bytes_used": 4 * len(words)}


def modules():
    yield harness.HEAD + Model(1).kernel()


def main():
    tool = harness.Tool(sys.argv[1])
    for seed in range(KERNELS):
        model = Model(seed)
        module = harness.HEAD + model.kernel()
        arrays = [harness.Array("u32", DATA), "u32[32]=0"]
        outcome = tool.run(module, "k", "1", 32, arrays)
        tool.expect(f"seed {seed}: sums", model.sums, outcome.arrays[1])
        for name, expected in model.expected.items():
            counted = outcome.counters(f" {name}, [")
            actual = {counter: counted.get(counter, 0) for counter in expected}
            tool.expect(f"seed {seed}: counters of {name}", expected, actual)
    sys.exit(tool.finish("sweeps"))


if __name__ == "__main__":
    main()
