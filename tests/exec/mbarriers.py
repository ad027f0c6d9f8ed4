"""mbarrier: phases that all threads pass, a ring of producers and consumers, counts, and what is wrong use."""

import sys

import harness

# Three phases: each thread shows a number, arrives, waits for the state that it got (or the parity), reads its
# neighbour's.
MEET = """
    .shared .align 8 .b8 object[8];
    .shared .align 4 .b8 show[4096];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; ld.param.u64 %d1, [out]; mad.wide.u32 %d1, %r1, 4, %d1;
    mov.u32 %r3, show; mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, object;
    setp.ne.u32 %p1, %r1, 0;
    @!%p1 mbarrier.init.shared::cta.b64 [object], %r2;
    bar.sync 0;
    add.u32 %r5, %r1, 1; rem.u32 %r5, %r5, %r2; mad.lo.u32 %r5, %r5, 4, %r3; mad.lo.u32 %r4, %r1, 4, %r3;
again: add.u32 %r6, %r1, %r10; st.shared.u32 [%r4], %r6;
    mbarrier.arrive.shared.b64 %d2, [%r12]; and.b32 %r7, %r10, 1; setp.eq.u32 %p2, %r7, 1;
    @%p2 bra parity;
wait: mbarrier.test_wait.shared::cta.b64 %p3, [object], %d2;
    @!%p3 bra wait;
    bra read;
parity: mbarrier.try_wait.parity.shared.b64 %p3, [object], %r7;
    @!%p3 bra parity;
read: ld.shared.u32 %r8, [%r5]; mad.lo.u32 %r11, %r11, 1000, %r8; bar.sync 0;
    add.u32 %r10, %r10, 1; setp.lt.u32 %p4, %r10, 3;
    @%p4 bra again;
    st.global.u32 [%d1], %r11; ret;"""
# Warp 0 hands ten numbers a lane to warp 1, through two places, each with a barrier for full and one for empty.
RING = """
    .shared .align 8 .b8 full[16];
    .shared .align 8 .b8 empty[16];
    .shared .align 4 .b8 place[256];
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [out]; and.b32 %r2, %r1, 31; mad.wide.u32 %d1, %r2, 4, %d1;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra begun;
    mbarrier.init.shared.b64 [full], 32; mbarrier.init.shared.b64 [full+8], 32;
    mbarrier.init.shared.b64 [empty], 32; mbarrier.init.shared.b64 [empty+8], 32;
begun: bar.sync 0;
    mov.u32 %r3, 0; mov.u32 %r10, 0; setp.ge.u32 %p2, %r1, 32;
loop: and.b32 %r4, %r3, 1; shr.u32 %r5, %r3, 1; and.b32 %r5, %r5, 1; xor.b32 %r6, %r5, 1;
    mov.u32 %r7, full; mad.lo.u32 %r7, %r4, 8, %r7; mov.u32 %r8, empty; mad.lo.u32 %r8, %r4, 8, %r8;
    mov.u32 %r9, place; mad.lo.u32 %r9, %r4, 128, %r9; mad.lo.u32 %r9, %r2, 4, %r9;
    @%p2 bra take;
room: mbarrier.test_wait.parity.shared.b64 %p3, [%r8], %r6;
    @!%p3 bra room;
    mad.lo.u32 %r11, %r3, 100, %r2; st.shared.u32 [%r9], %r11; mbarrier.arrive.release.cta.shared::cta.b64 _, [%r7];
    bra next;
take: mbarrier.test_wait.parity.shared.b64 %p3, [%r7], %r5;
    @!%p3 bra take;
    ld.shared.u32 %r11, [%r9]; mbarrier.arrive.shared.b64 _, [%r8]; mad.lo.u32 %r10, %r10, 3, %r11;
next: add.u32 %r3, %r3, 1; setp.lt.u32 %p4, %r3, 10;
    @%p4 bra loop;
    @%p2 st.global.u32 [%d1], %r10;
    ret;"""
# One thread: what is still waited for before each arrival, and which phases are over.
COUNTS = """
    .shared .align 8 .b8 object[8];
    ld.param.u64 %d1, [out]; mov.u64 %d3, object; cvta.shared.u64 %d3, %d3;
    mbarrier.init.b64 [%d3], 10;
    mbarrier.arrive.shared.b64 %d2, [object]; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%d1], %r1;
    mbarrier.arrive.b64 %d2, [%d3], 3; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%d1+4], %r1;
    mbarrier.arrive.noComplete.shared.b64 %d2, [object], 2; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%d1+8], %r1;
    mbarrier.arrive_drop.shared.b64 %d2, [object]; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%d1+12], %r1;
    cp.async.mbarrier.arrive.shared.b64 [object];
    cp.async.mbarrier.arrive.noinc.shared.b64 [object];
    mbarrier.test_wait.parity.shared.b64 %p1, [object], 0; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1+16], %r1;
    mbarrier.arrive_drop.noComplete.shared.b64 %d2, [object], 1; mbarrier.arrive.shared.b64 %d2, [object];
    mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%d1+20], %r1;
    mbarrier.test_wait.shared.b64 %p1, [object], %d2; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1+24], %r1;
    mbarrier.test_wait.parity.shared.b64 %p1, [object], 1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%d1+28], %r1;
    mbarrier.arrive.shared.b64 %d2, [object]; mbarrier.pending_count.b64 %r1, %d2; st.global.u32 [%d1+32], %r1;
    mbarrier.inval.shared.b64 [object]; ret;"""
WRONG = """
    .shared .align 8 .b8 object[8];
    ld.param.u64 %d1, [out]; mbarrier.init.shared.b64 [object], 2;
    mbarrier.arrive.shared.b64 %d2, [object], 3; ret;"""
NOT_BEGUN = """
    .shared .align 8 .b8 object[8];
    mbarrier.arrive.shared.b64 %d2, [object]; ret;"""


def main():
    tool = harness.Tool(sys.argv[1])
    bodies = {"meet": MEET, "ring": RING, "counts": COUNTS, "wrong": WRONG, "notBegun": NOT_BEGUN}
    text = harness.HEAD + "".join(harness.entry(n, {"out": "u64"}, b) for n, b in bodies.items())

    def check(name, block, words, expected):
        outcome = tool.run(text, name, 3, block, [f"u32[{words}]=0"])
        tool.expect(f"{name}, {block}: exit status", (0, ""), (outcome.status, outcome.output))
        tool.expect(f"{name}, {block} threads", expected, outcome.arrays[0])

    for size in (1, 33, 256):
        sums = []
        for i in range(size):
            n = (i + 1) % size
            sums.append((n * 1000 + n + 1) * 1000 + n + 2)
        check("meet", size, size, sums)
    ring = [0] * 32
    for step in range(10):
        ring = [3 * sum_ + 100 * step + lane for lane, sum_ in enumerate(ring)]
    check("ring", 64, 32, ring)
    # 10, less 1, 3, 2, 1 dropped, 1 copied: 2 of 9 are missing; then 1 dropped and the last: 8 in the next phase
    check("counts", 1, 9, [10, 9, 6, 4, 0, 1, 1, 0, 8])
    for name, message in (("wrong", "more arrivals"), ("notBegun", "not initialised")):
        outcome = tool.run(text, name, 1, 1, ["u32[1]=0"])
        tool.expect(f"{name}: told", True, outcome.status != 0 and message in outcome.output)
    sys.exit(tool.finish("mbarriers"))


if __name__ == "__main__":
    main()
