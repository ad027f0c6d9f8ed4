"""bar.sync, .arrive and .red in blocks of every kind of size, with warps that left early, and named
barriers for some of the warps."""

import sys

import harness

SIZES = (1, 16, 33, 48, 1024)

# Each thread shows its number, waits and reads its neighbour's; then the three reductions over odd threads.
ALL = """
    .shared .align 4 .b8 show[4096];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 16, %d1;
    mov.u32 %r3, show; mad.lo.u32 %r4, %r1, 4, %r3; st.shared.u32 [%r4], %r1; bar.sync 0;
    add.u32 %r5, %r1, 1; rem.u32 %r5, %r5, %r2; mad.lo.u32 %r5, %r5, 4, %r3; ld.shared.u32 %r6, [%r5];
    and.b32 %r7, %r1, 1; setp.ne.u32 %p1, %r7, 0; bar.red.popc.u32 %r7, 1, %p1;
    bar.red.and.pred %p2, 2, !%p1; selp.u32 %r8, 1, 0, %p2; bar.red.or.pred %p3, 15, %p1; selp.u32 %r9, 1, 0, %p3;
    st.global.v4.u32 [%d1], {%r6, %r7, %r8, %r9}; ret;"""
# Warps from number 2 on exit at once; the others meet at barriers without a count.
EARLY = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; setp.ge.u32 %p1, %r1, 64;
    @%p1 exit;
    bar.sync 0; bar.red.popc.u32 %r2, 0, !%p1; barrier.sync 3; st.global.u32 [%d1], %r2; ret;"""
# Warps 0, 1 produce and go on; warps 2, 3 wait for them at barrier 1, and among themselves at barrier 2.
PAIRS = """
    .shared .align 4 .b8 show[256];
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; mov.u32 %r3, show;
    setp.ge.u32 %p1, %r1, 64;
    @%p1 bra takes;
    mad.lo.u32 %r4, %r1, 4, %r3; add.u32 %r5, %r1, 100; st.shared.u32 [%r4], %r5; bar.arrive 1, 128; ret;
takes: bar.sync 1, 128; sub.u32 %r6, %r1, 64; mad.lo.u32 %r4, %r6, 4, %r3; ld.shared.u32 %r5, [%r4];
    bar.red.popc.u32 %r7, 2, 64, 1; add.u32 %r5, %r5, %r7; st.global.u32 [%d1], %r5; ret;"""
# The two halves of each warp come to a counted barrier one after the other.
HALVES = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; and.b32 %r2, %r1, 16;
    setp.eq.u32 %p1, %r2, 0;
    @%p1 bra low;
    barrier.sync 1, 64; mov.u32 %r3, 2; bra done;
low: barrier.sync 1, 64; mov.u32 %r3, 1;
done: st.global.u32 [%d1], %r3; ret;"""

# Two warps meet so often, and do so little in between, that only what they wait for tells this from a deadlock.
OFTEN = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; mov.u32 %r2, 0;
again: bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 150000;
    @%p1 bra again;
    st.global.u32 [%d1], %r2; ret;"""
# Thread 0 comes last, long after all others of the block wait: what follows is for all lanes of its warp.
LATE = """
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1; setp.ne.u32 %p1, %r1, 0;
    @%p1 bra meet;
    mov.u32 %r2, 30000;
more: ld.volatile.global.u32 %r3, [%d1]; sub.u32 %r2, %r2, 1; setp.ne.u32 %p2, %r2, 0;
    @%p2 bra more;
meet: bar.sync 0; add.u32 %r1, %r1, 7; st.global.u32 [%d1], %r1; ret;"""


def main():
    tool = harness.Tool(sys.argv[1])
    bodies = {"all": ALL, "early": EARLY, "pairs": PAIRS, "halves": HALVES, "often": OFTEN, "late": LATE}
    text = harness.HEAD + "".join(harness.entry(n, {"out": "u64"}, b) for n, b in bodies.items())

    def check(name, block, words, expected):
        outcome = tool.run(text, name, 3, block, [f"u32[{words}]=0"])
        tool.expect(f"{name}, {block}: exit status", (0, ""), (outcome.status, outcome.output))
        tool.expect(f"{name}, {block} threads", expected, outcome.arrays[0])

    for size in SIZES:
        odd = size // 2
        rows = [[(i + 1) % size, odd, int(odd == 0), int(odd > 0)] for i in range(size)]
        check("all", size, 4 * size, [word for row in rows for word in row])
    check("early", 256, 256, [64] * 64 + [0] * 192)
    check("pairs", 128, 128, [0] * 64 + [100 + i + 64 for i in range(64)])
    check("halves", 64, 64, ([1] * 16 + [2] * 16) * 2)
    check("often", 64, 64, [150000] * 64)
    check("late", 64, 192, [*range(7, 71), *[0] * 128])
    sys.exit(tool.finish("barriers"))


if __name__ == "__main__":
    main()
