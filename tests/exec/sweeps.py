"""Loads that go through the same address registers, which change in between: by all lanes, by some, by what was
loaded, or not at all; in one basic block, in others, beyond barriers and calls. What the executor knows of a register
from one access must not be used for another when it is no longer so. Values and counters are compared with a
model that looks at every lane of every access; all warps of all blocks do the same."""

import random
import sys

import harness

KERNELS, STEPS, TURNS, WORDS = 40, 24, 3, 1024
BLOCKS, WARPS = 3, 2  # so that a warp executes several blocks, and others between its barriers
DATA = [random.Random(1).randrange(1 << 32) for _ in range(WORDS)]
M = 0xFFFFFFFF
LANES = range(32)
BIAS = 256  # so that offsets may be negative
PATTERNS = [
    lambda l: 4 * l, lambda l: 8 * l, lambda l: 0, lambda l: 12 * l, lambda l: 4 * (31 - l),
    lambda l: 4 * (l % 16), lambda l: 4 * (l % 16) + 512 * (l // 16), lambda l: 32 * (l // 16),
    lambda l: 4 * (l * 7 % 32), lambda l: 4 * (l * l % 97), lambda l: 4 * (l * l % 131),
]  # fmt: skip
# %p1: lanes below 20; %p2: all; %p4: all in the second turn.
GUARDS = {"": lambda lane, turn: True, "@%p1 ": lambda lane, turn: lane < 20,
          "@!%p1 ": lambda lane, turn: lane >= 20, "@%p2 ": lambda lane, turn: True,
          "@!%p2 ": lambda lane, turn: False, "@%p4 ": lambda lane, turn: turn == 1}  # fmt: skip
SPACES = [("global", 0), ("global", 1), ("shared", 0), ("shared", 1)]
AGAIN = 8  # bytes from what a call loads to what the one that it makes loads
# A load as often as it calls itself, and behind each call another one through what has come back with the lanes.
LOOK = """
.func (.param .b32 sum) look(.param .b32 at, .param .b32 depth)
{
    .reg .b32 %r<256>; .reg .pred %p<2>; .param .b32 next; .param .b32 less; .param .b32 found;
    ld.param.b32 %r0, [at]; ld.param.b32 %r1, [depth];
    setp.eq.u32 %p0, %r1, 0; mov.u32 %r3, 0; @%p0 bra END;
    ld.shared.b32 %r2, [%r0];
    add.u32 %r4, %r0, 8; sub.u32 %r5, %r1, 1;
    st.param.b32 [next], %r4; st.param.b32 [less], %r5;
    call (found), look, (next, less);
    ld.param.b32 %r3, [found];
    ld.shared.b32 %r6, [%r0+12];
    mad.lo.u32 %r3, %r3, 3, %r2; mad.lo.u32 %r3, %r3, 3, %r6;
END:
    st.param.b32 [sum], %r3; ret;
}
"""


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
        self.loads = 0

    def address(self, space, number):
        return f"%d{number + 1}" if space == "global" else f"%r{number + 1}"

    def begin(self):
        self.lines += [
            "mov.u32 %r9, %tid.x; and.b32 %r9, %r9, 31; mov.u32 %r20, 0; setp.lt.u32 %p1, %r9, 20; setp.lt.u32 %p2, %r9, 32;",
            "ld.param.u64 %d9, [data]; mul.wide.u32 %d8, %r9, 4; add.u64 %d8, %d8, %d9;",
            "mov.u32 %r8, own; shl.b32 %r7, %r9, 2; add.u32 %r8, %r8, %r7; mov.u32 %r21, 0;",
        ]
        for i in range(0, WORDS // 32):
            self.lines.append(f"ld.global.b32 %r6, [%d8+{128 * i}]; st.shared.b32 [%r8+{128 * i}], %r6;")
        self.barrier()
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

    def barrier(self):
        self.lines.append("bar.sync 0;")

    def branch(self, guard, text):
        """The text by those lanes for which the guard holds, in a basic block of its own."""
        label = f"S{len(self.lines)}"
        over = guard.replace("@!", "@") if "!" in guard else guard.replace("@", "@!")
        self.lines.append(f"{over}bra {label}; {text} {label}:")

    def by_some(self, guard, text):
        if guard and self.random.random() < 0.4:
            self.branch(guard, text)
        else:
            self.lines.append(guard + text)

    def call(self):
        number = self.random.randrange(2)
        depth = self.random.randrange(1, 4)
        register = self.address("shared", number)
        self.lines.append(
            "{ .param .b32 at; .param .b32 depth; .param .b32 sum;"
            f" st.param.b32 [at], {register}; st.param.b32 [depth], {depth};"
            " call (sum), look, (at, depth); ld.param.b32 %r6, [sum]; } mad.lo.u32 %r20, %r20, 3, %r6;"
        )

        def look(at, depth):
            if depth == 0:
                return 0
            found = look(at + AGAIN, depth - 1)
            return ((3 * found + DATA[at // 4]) * 3 + DATA[(at + 12) // 4]) & M

        def step(turn):
            places = self.registers["shared", number]
            self.sums = [(3 * s + look(at, depth)) & M for s, at in zip(self.sums, places)]
            for d in range(depth):
                for name, offset in (("%r2", 0), ("%r6", 12)):
                    self.count(f"{name}, [%r0", "shared", [at + AGAIN * d + offset for at in places])

        self.steps.append(step)

    def count(self, name, space, addresses):
        counters = self.expected.setdefault(name, {})
        for counter, value in cost(space, addresses).items():
            counters[counter] = counters.get(counter, 0) + BLOCKS * WARPS * value

    def load(self):
        space, number = self.random.choice(SPACES)
        guard = self.random.choice(["", "", "", *GUARDS])
        offset = 12 * self.random.randrange(-20, 60)  # no two neighbours, which ptxas would merge
        self.loads += 1
        name = f"%r{100 + self.loads}"
        self.lines.append(f"mov.u32 {name}, 0;")
        order = self.random.choice(["", "", ".volatile"])  # which waits for nothing here, and may be made to
        self.by_some(guard, f"ld{order}.{space}.b32 {name}, [{self.address(space, number)}+{offset}];")
        self.lines.append(f"mad.lo.u32 %r20, %r20, 3, {name};")

        def step(turn):
            lanes = [lane for lane in LANES if GUARDS[guard](lane, turn)]
            at = {lane: self.registers[space, number][lane] + offset for lane in lanes}
            self.loaded = [DATA[at[lane] // 4] if lane in at else 0 for lane in LANES]
            self.sums = [(3 * s + v) & M for s, v in zip(self.sums, self.loaded)]
            self.count(f"{name}, [", space, list(at.values()))

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
            self.by_some(guard, f"add.{kind} {register}, {register}, {by};")

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
            elif choice < 0.85:
                self.change()
            elif choice < 0.9:
                self.barrier()
            elif choice < 0.95:
                self.call()
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
        return LOOK + harness.entry("k", params, "\n".join(self.lines), f".shared .align 128 .b8 own[{4 * WORDS}];")


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
        outcome = tool.run(module, "k", BLOCKS, 32 * WARPS, arrays)
        tool.expect(f"seed {seed}: sums", model.sums, outcome.arrays[1])
        for name, expected in model.expected.items():
            counted = outcome.counters(f" {name}")
            actual = {counter: counted.get(counter, 0) for counter in expected}
            tool.expect(f"seed {seed}: counters of {name}", expected, actual)
    sys.exit(tool.finish("sweeps"))


if __name__ == "__main__":
    main()
