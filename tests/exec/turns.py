"""Turns of loops that --counts-only counts without executing them: kernels made by chance, whose loops have up to hundreds
of turns, against executing all of them; and kernels with a billion turns, which nobody could, against what their counters
must be.

    turns.py WARPLENS [FIRST_SEED [COUNT]]

Beside the registers of classes.py there are some that only loops change, by constants; addresses and guards are made of
them more often than of others."""

import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

os.environ["WARPLENS_TEST_COUNTS"] = "1"
import classes
import harness

CARRIED = 4


class Loops(classes.Generator):
    reading = False

    def index(self):
        if self.reading and self.random.random() < 0.6:
            return f"%r{50 + self.random.randrange(CARRIED)}"
        return super().index()

    def source(self):
        return f"%r{50 + self.random.randrange(CARRIED)}" if self.random.random() < 0.4 else super().source()

    def access(self):
        self.reading = True
        super().access()
        self.reading = False

    def loop(self, depth):
        r = self.random
        turn, last, top, end = f"%r{20 + depth}", f"%r{24 + depth}", self.label(), self.label()
        alike = r.random() < 0.6  # all threads make as many turns
        most = 150 if depth == 2 else 12
        if alike:
            self.emit(f"mov.u32 {last}, {r.randint(1, most)};")
        else:
            self.emit(f"and.b32 {last}, {self.index()}, {r.choice([7, 31, 63])}; add.u32 {last}, {last}, {r.randint(1, most)};")
            self.parted += 1
        self.emit(f"setp.ne.u32 %p{depth + 5}, {turn}, {turn}; mov.u32 {turn}, 0; {top}:" + ("" if r.random() < 0.5 else f" setp.ge.u32 %p4, {turn}, {last}; @%p4 bra {end};"))
        for _ in range(r.randint(1, 3)):
            step = r.choice([1, 1, 2, 4, 8, 32, 64, 100, 128, 4096, 0xFFFFFFFF, 0xFFFFFFE0, r.randint(0, 50)])
            carried = f"%r{50 + r.randrange(CARRIED)}"
            if r.random() < 0.2:  # another one in each block
                step = super().index()
            self.emit(f"add.u32 {carried}, {carried}, {step};")
        if alike and not self.parted and r.random() < 0.5:
            self.emit("bar.sync 0;")
        later = self.label()  # of what the turn before has compared
        self.emit(f"@%p{depth + 5} bra {later};")
        self.parted += 1
        super().block(0)
        self.parted -= 1
        self.emit(f"{later}: setp.lt.u32 %p{depth + 5}, %r{50 + r.randrange(CARRIED)}, {r.choice([1000, 5000, 77777])};")
        self.block(depth - 1)
        self.emit(f"add.u32 {turn}, {turn}, 1; setp.lt.u32 %p4, {turn}, {last}; @%p4 bra {top}; {end}:")
        self.parted -= not alike

    def block(self, depth):
        if depth == 2:  # the kernel's own: loops above all
            for i in range(CARRIED):
                start = self.random.choice(["%r0", "%r1", "%r2", "%r7", "%r11", "5", "0", "4000"])
                self.emit(f"mov.u32 %r{50 + i}, {start};")
            super().block(0)
            for _ in range(self.random.randint(1, 2)):
                self.loop(2)
        super().block(min(depth, 1))

    def launch(self):
        grid, block, n = super().launch()
        return self.random.choice(["2", "18", "40", "8,8", "3,20"]), block, n


# Each of 64 threads of a block reads a word, and the next one in the next turn.
LINE = """
    ld.param.u64 %d1, [data]; ld.param.u32 %r8, [n]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
    mov.u32 %r3, 0; mov.u32 %r5, 0;
AGAIN: ld.global.u32 %r4, [%d1]; add.u64 %d1, %d1, 4; add.u32 %r5, %r5, %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r8;
    @%p1 bra AGAIN; mov.u32 %r6, tile; st.shared.u32 [%r6], %r5; ret;"""

# Block b stores so many times more than the one before, in rows of a line each, between barriers; and reads a tile.
ROWS = """
    ld.param.u64 %d1, [data]; ld.param.u32 %r8, [n]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; add.u32 %r2, %r2, 1;
    mul.lo.u32 %r8, %r8, %r2; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; mov.u32 %r3, 0;
AGAIN: bar.sync 0; and.b32 %r5, %r3, 1; shl.b32 %r5, %r5, 11; mov.u32 %r6, tile; add.u32 %r5, %r5, %r6; mul.lo.u32 %r7, %r1, 8;
    add.u32 %r5, %r5, %r7; ld.shared.u32 %r4, [%r5]; bar.sync 0; mul.wide.u32 %d3, %r3, 256; add.u64 %d4, %d1, %d3;
    st.global.u32 [%d4], %r4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r8; @%p1 bra AGAIN; ret;"""

# Block b goes on by b words with each turn, as far as there are any.
STRIDES = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, 0; mov.u32 %r4, 0;
AGAIN: add.u32 %r5, %r3, %r1; setp.lt.u32 %p1, %r5, 2000; mul.wide.u32 %d2, %r5, 4; add.u64 %d2, %d1, %d2;
    @%p1 ld.global.u32 %r6, [%d2]; @%p1 st.global.u32 [%d2], %r4; add.u32 %r3, %r3, %r2; add.u32 %r4, %r4, 1;
    setp.lt.u32 %p2, %r4, 300; @%p2 bra AGAIN; ret;"""

# Block b reads a line, and words two lines further back with each block; it stores a line, and to shared memory.
LINES = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x;
    shl.b32 %r4, %r2, 5; add.u32 %r4, %r4, %r1; mul.wide.u32 %d2, %r4, 4; add.u64 %d2, %d1, %d2; ld.global.u32 %r5, [%d2];
    sub.u32 %r6, %r3, %r2; mul.lo.u32 %r6, %r6, 64; add.u32 %r6, %r6, %r1; mul.wide.u32 %d3, %r6, 4; add.u64 %d3, %d1, %d3;
    ld.global.u32 %r7, [%d3+64]; ld.global.u32 %r3, [%d1+512]; mul.lo.u32 %r9, %r1, 8; mov.u32 %r8, tile; add.u32 %r8, %r8, %r9;
    st.shared.u32 [%r8], %r5; st.global.u32 [%d2+16384], %r7; ret;"""

# Every 65,536th block stores: of the product only 32 bits are left.
WRAPPED = """
    ld.param.u64 %d1, [data]; mov.u32 %r2, %ctaid.x; mov.u32 %r1, %tid.x; shl.b32 %r3, %r2, 16; setp.eq.u32 %p1, %r3, 0;
    mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2; @%p1 st.global.u32 [%d2], %r1; ret;"""

# The blocks of a cluster make other numbers of turns, then wait for each other in each.
CLUSTERS = """
    ld.param.u64 %d1, [data]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; mov.u32 %r3, 0;
    mov.u32 %r9, %cluster_ctarank; mad.lo.u32 %r10, %r9, 7, 300;
AGAIN: ld.global.u32 %r4, [%d1]; add.u64 %d1, %d1, 4; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r10; @%p1 bra AGAIN;
    barrier.cluster.arrive; barrier.cluster.wait; mov.u32 %r3, 0;
MORE: ld.global.u32 %r4, [%d1]; add.u64 %d1, %d1, 8; barrier.cluster.arrive; barrier.cluster.wait;
    add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 300; @%p1 bra MORE; ret;"""


def counted(tool, kernel, body, grid, array, n, variables=""):
    """The sum of each counter over the sites of a space, of blocks of 64 threads."""
    with tempfile.TemporaryDirectory() as folder:
        source, profile = pathlib.Path(folder) / "k.ptx", pathlib.Path(folder) / "k.wlp"
        source.write_text(harness.HEAD + harness.entry(kernel, {"data": "u64", "n": "u32"}, body, variables=variables))
        command = [tool.warplens, "kernel", source, "-k", kernel, "--grid", str(grid), "--block", "64", "--arg", f"u32[{array}]"]
        # The limit is of those that are executed, without a store: few, where turns stand for others.
        command += ["--arg", f"u32={n}", "--limit=1000000", "--counts-only", "--no-sass", "--page", "none", "-q", "-o", profile]
        done = subprocess.run(command, capture_output=True, text=True)
        tool.expect(f"{kernel}: exit status", (0, ""), (done.returncode, done.stderr[:0] if done.returncode == 0 else done.stderr))
        with sqlite3.connect(profile) as database:
            query = "SELECT sum(requests), sum(sectors) FROM count"
            rows = dict(zip(("requests", "sectors"), database.execute(query).fetchone()))
            query = "SELECT sum(count) FROM pattern"
            rows["recorded"] = database.execute(query).fetchone()[0]
            query = "SELECT loaded_sectors, stored_sectors FROM launch"
            rows |= dict(zip(("loaded", "stored"), database.execute(query).fetchone()))
        database.close()
    return rows


def billions(tool):
    """Turns in numbers that only can be counted."""
    n, blocks = 1 << 24, 20
    got = counted(tool, "line", LINE, blocks, n + 64, n, ".shared .align 16 .b8 tile[4096];")
    turns = 2 * blocks * n  # of warps
    tool.expect("line: requests", turns + 2 * blocks, got["requests"])
    tool.expect("line: sectors", turns // 8 * (4 + 7 * 5), got["sectors"])
    tool.expect("line: recorded", blocks // 2 * (2 * n + 2), got["recorded"])
    tool.expect("line: footprint", ((n + 63) * 4 + 31) // 32, got["loaded"])
    n, blocks = 1 << 16, 20
    got = counted(tool, "rows", ROWS, blocks, 64 * n * blocks, n, ".shared .align 16 .b8 tile[4096];")
    turns = 2 * n * blocks * (blocks + 1) // 2
    tool.expect("rows: requests", 2 * turns, got["requests"])
    tool.expect("rows: sectors", 4 * turns, got["sectors"])
    tool.expect("rows: stored", (blocks - 1) * n * 8, got["stored"])


def main():
    tool = harness.Tool(sys.argv[1])
    billions(tool)
    tool.run(harness.HEAD + harness.entry("strides", {"data": "u64"}, STRIDES), "strides", "40", "64", ["u32[2064]"])
    lines = harness.entry("lines", {"data": "u64"}, LINES, variables=".shared .align 16 .b8 tile[4096];")
    tool.run(harness.HEAD + lines, "lines", "40", "32", ["u32[6144]"])
    tool.run(harness.HEAD + harness.entry("wrapped", {"data": "u64"}, WRAPPED), "wrapped", "65600", "32", ["u32[64]"])
    clusters = harness.entry("clusters", {"data": "u64"}, CLUSTERS, directives=".explicitcluster .reqnctapercluster 2")
    tool.run(harness.HEAD + clusters, "clusters", "40", "64", ["u32[4096]"])
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    for start in range(first, first + count, classes.BATCH):
        seeds = range(start, min(start + classes.BATCH, first + count))
        made = {seed: Loops(seed) for seed in seeds}
        module = harness.HEAD + "".join(made[seed].kernel(f"seed{seed}") for seed in seeds)
        for seed in seeds:
            grid, block, n = made[seed].shape
            before = tool.represented
            tool.run(module, f"seed{seed}", grid, block, [f"u32[{classes.GLOBAL}]=iota", f"u32={n}"])
            long = f"seed{seed}" in tool.reasons.get("its blocks are too long", [])  # hundreds of turns, each another form
            if not long:
                tool.expect(f"seed{seed}: launches that some blocks stood for", before + 1, tool.represented)
    sys.exit(tool.finish("turns"))


if __name__ == "__main__":
    main()
