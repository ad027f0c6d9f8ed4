"""mbarrier: phases that all threads pass, a ring of producers and consumers, counts of arrivals and of bytes,
barriers of other blocks of a cluster, what is wrong use, and waits that never end."""

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

# One thread: after each step, whether the phase 0 (then 1, 0, 1) is over. Bytes may be there before they are expected.
BYTES = """
    .shared .align 8 .b8 object[8];
    ld.param.u64 %d1, [out]; mov.u64 %d3, object; cvta.shared.u64 %d3, %d3; mov.u32 %r3, object;
    mbarrier.init.shared::cta.b64 [object], 2;
    mbarrier.arrive.expect_tx.shared::cta.b64 %d2, [object], 96;"""
for _step, (_what, _parity) in enumerate((
        ("mbarrier.arrive.b64 _, [%d3];", 0),
        ("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r3], 64;", 0),
        ("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 32;", 0),
        ("mbarrier.complete_tx.b64 [%d3], 64;", 0),  # over
        ("mbarrier.complete_tx.shared::cluster.b64 [%r3], 16;", 1),  # before it is expected
        ("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%r3], 1048575;", 1),
        ("mbarrier.arrive_drop.expect_tx.shared::cta.release.cta.b64 _, [%r3], 1;", 1),
        ("mbarrier.complete_tx.b64 [%d3], 1048560;", 1),  # over; one arrival a phase from now on
        ("mbarrier.arrive.shared::cluster.b64 _, [%r3], 1;", 0),  # over
        ("mbarrier.complete_tx.b64 [%d3], 8;", 1),
        ("mbarrier.arrive.shared::cta.relaxed.cluster.b64 _, [%r3];", 1),
        ("mbarrier.expect_tx.b64 [%d3], 8;", 1),  # over
        ("mbarrier.arrive_drop.shared::cluster.b64 _, [%r3];", 0),  # over, and nobody is left
)):  # fmt: skip
    BYTES += f"""
    {_what}
    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [object], {_parity}, 100; selp.u32 %r1, 1, 0, %p1;
    st.global.u32 [%d1+{4 * _step}], %r1;"""
BYTES += "\n    mbarrier.test_wait.shared.b64 %p1, [object], %d2; @%p1 st.global.u32 [%d1+52], 1; ret;"
# Blocks of a cluster of four: each tells block 0 of 256 bytes and of their being there; block 0 lets the others go.
CLUSTER = """
    .shared .align 8 .b8 object[8];
    mov.u32 %r1, %cluster_ctarank; ld.param.u64 %d1, [out]; mov.u32 %r2, %ctaid.x; mad.wide.u32 %d1, %r2, 4, %d1;
    mov.u32 %r3, object; mapa.shared::cluster.u32 %r4, %r3, 0;
    setp.eq.u32 %p1, %r1, 0; selp.u32 %r5, 4, 1, %p1; mbarrier.init.shared::cta.b64 [object], %r5;
    fence.mbarrier_init.release.cluster; barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%r4], 256;
    mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r4], 256;
    mov.u32 %r7, 0;
    @!%p1 bra wait;
lead: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [object], 0;
    @!%p2 bra lead;
    mov.u32 %r6, 1;
go: mapa.shared::cluster.u32 %r4, %r3, %r6; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
    add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 4;
    @%p3 bra go;
    bra end;
wait: add.u32 %r7, %r7, 1; mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 %p2, [object], 0;
    @!%p2 bra wait;
end: setp.gt.u32 %p4, %r7, 0; selp.u32 %r7, 1, 0, %p4; st.global.u32 [%d1], %r7;
    barrier.cluster.arrive; barrier.cluster.wait; ret;"""
TOO_MANY = """
    .shared .align 8 .b8 object[8];
    mbarrier.init.shared.b64 [object], 2; mbarrier.expect_tx.shared::cta.b64 [object], 1048575;
    mbarrier.expect_tx.shared::cta.b64 [object], 1; ret;"""
FAR_WAIT = """
    .shared .align 8 .b8 object[8];
    mbarrier.init.shared.b64 [object], 2; mov.u32 %r1, object; mapa.shared::cluster.u32 %r1, %r1, 1;
    mbarrier.test_wait.parity.shared::cta.b64 %p1, [%r1], 0; ret;"""
# Lane 0 of the block waits for bytes that nobody copies, the others for lane 0.
STUCK = """
    .shared .align 8 .b8 object[16];
    mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0;
    @%p1 bra meet;
    mbarrier.init.shared.b64 [object+8], 2; mbarrier.arrive.expect_tx.shared.b64 _, [object+8], 4096;
    mbarrier.complete_tx.b64 [object+8], 1024;
wait: mbarrier.try_wait.parity.shared.b64 %p2, [object+8], 0;
    @!%p2 bra wait;
meet: bar.sync 0; ret;"""
STUCK = STUCK.replace(".complete_tx.b64", ".complete_tx.shared::cta.b64")
# A loop that ends after many vain looks goes on.
TIMES_OUT = """
    .shared .align 8 .b8 object[8];
    ld.param.u64 %d1, [out]; mbarrier.init.shared.b64 [object], 1; mov.u32 %r1, 0;
wait: mbarrier.try_wait.parity.shared.b64 %p1, [object], 0; add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 10000;
    @%p2 bra wait;
    st.global.u32 [%d1], %r1; ret;"""


def main():
    tool = harness.Tool(sys.argv[1])
    bodies = {"meet": MEET, "ring": RING, "counts": COUNTS, "wrong": WRONG, "notBegun": NOT_BEGUN,
              "bytes": BYTES, "tooMany": TOO_MANY, "stuck": STUCK, "timesOut": TIMES_OUT}  # fmt: skip
    text = harness.HEAD + "".join(harness.entry(n, {"out": "u64"}, b) for n, b in bodies.items())
    for name, body in (("cluster", CLUSTER), ("farWait", FAR_WAIT)):
        text += harness.entry(name, {"out": "u64"}, body, "", ".reqnctapercluster 4")

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
    check("bytes", 1, 14, [0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1])
    check("timesOut", 1, 1, [10000])
    outcome = tool.run(text, "cluster", 8, 1, ["u32[8]=0"])
    tool.expect("cluster", (0, "", [0, 1, 1, 1] * 2), (outcome.status, outcome.output, outcome.arrays[0]))
    for name, grid, block, message in (
        ("wrong", 1, 1, "more arrivals"),
        ("notBegun", 1, 1, "not initialised"),
        ("tooMany", 1, 1, "more than 1048575 bytes"),
        ("farWait", 4, 1, "only for mbarriers of its own block"),
        ("stuck", 1, 64, "phase (parity 0) misses 1 of 2 arrivals and 3072 bytes of copies"),
    ):
        outcome = tool.run(text, name, grid, block, ["u32[1]=0"], varies=True)
        tool.expect(f"{name}: told", (True, outcome.output), (outcome.status != 0 and message in outcome.output, outcome.output))
    sys.exit(tool.finish("mbarriers"))


if __name__ == "__main__":
    main()
