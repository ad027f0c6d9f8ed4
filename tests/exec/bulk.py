"""Bulk copies (cp.async.bulk, cp.reduce.async.bulk), st.async and red.async: what they move in each direction,
to which blocks of a cluster, which mbarriers they complete, what is counted, and what they refuse."""

import struct
import sys

import harness

WAIT = """
wait{0}: mbarrier.try_wait.parity.shared::cta.b64 %p9, [object], {1};
    @!%p9 bra wait{0};"""
# Thread 0 fetches 4096 bytes in two copies; all add 1; thread 0 sends them back in two.
ROUND = """
    .shared .align 128 .b8 tile[4096];
    .shared .align 8 .b8 object[8];
    mov.u32 %r1, %tid.x; ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r2, %ctaid.x;
    mad.wide.u32 %d1, %r2, 4096, %d1; mad.wide.u32 %d2, %r2, 4096, %d2; mov.u32 %r3, tile; setp.ne.u32 %p1, %r1, 0;
    @%p1 bra begun;
    mbarrier.init.shared::cta.b64 [object], 1; fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;
    mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [object], 4096; mov.u32 %r4, 1024;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%d1], %r4, [object];
    cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.L2::cache_hint [%r3+1024], [%d1+1024], 3072, [object], 0;
begun: bar.sync 0;
wait: mbarrier.try_wait.parity.shared::cta.b64 %p2, [object], 0;
    @!%p2 bra wait;
    mov.u32 %r5, %r1;
more: mad.lo.u32 %r6, %r5, 4, %r3; ld.shared.u32 %r7, [%r6]; add.u32 %r7, %r7, 1; st.shared.u32 [%r6], %r7;
    mov.u32 %r8, %ntid.x; add.u32 %r5, %r5, %r8; setp.lt.u32 %p3, %r5, 1024;
    @%p3 bra more;
    fence.proxy.async.shared::cta; bar.sync 0;
    @%p1 bra end;
    cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile], 16;
    cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%d2+16], [%r3+16], 4080, 0;
    cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;
end: ret;"""
# Block 1 of a cluster of 4 sends 64 bytes to blocks 0, 2 and 3 at once, and its own 32 bytes to block 3; block 2
# stores and adds in block 0.
FAR = """
    .shared .align 128 .b8 tile[256];
    .shared .align 8 .b8 object[8];
    mov.u32 %r1, %cluster_ctarank; ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r3, tile; mov.u32 %r4, object;
    mad.wide.u32 %d2, %r1, 256, %d2; mbarrier.init.shared::cta.b64 [object], 1; mov.u32 %r20, 0;
fill: add.u32 %r21, %r3, %r20; mad.lo.u32 %r22, %r1, 1000, %r20; st.shared.u32 [%r21], %r22;
    add.u32 %r20, %r20, 4; setp.lt.u32 %p8, %r20, 256;
    @%p8 bra fill;
    fence.mbarrier_init.release.cluster; barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;
    setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 2; setp.eq.u32 %p3, %r1, 0; setp.eq.u32 %p4, %r1, 3;
    @%p3 mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 100;
    @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 0;
    @%p2 mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 64;
    @%p4 mbarrier.arrive.expect_tx.shared::cta.b64 _, [object], 128;
    mov.u16 %h1, 13;
    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [%d1], 64, [object], %h1;
    mapa.shared::cluster.u32 %r5, tile, 3; mapa.shared::cluster.u32 %r6, object, 3;
    @%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5+64], [tile+16], 32, [%r6];
    @%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r5+96], [tile+96], 32, [%r6];
    mapa.shared::cluster.u32 %r5, %r3, 0; mapa.shared::cluster.u32 %r6, %r4, 0; mov.u32 %r7, 7; mov.u64 %d3, 9;
    @%p2 st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r5+64], {%r7, %r7, %r7, %r7}, [%r6];
    mapa.u64 %d4, tile, 0; cvt.u64.u32 %d5, %r6; cvta.shared::cluster.u64 %d5, %d5;
    @%p2 st.async.mbarrier::complete_tx::bytes.b64 [%d4+80], %d3, [%d5];
    @%p2 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r5+88], %d3, [%r6];
    @%p2 red.async.relaxed.cluster.mbarrier::complete_tx::bytes.min.u32 [%d4+96], %r7, [%d5];
wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p5, [object], 0;
    @!%p5 bra wait;
    cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile], 256; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
    barrier.cluster.arrive; barrier.cluster.wait; ret;"""
MASKED = """
    .shared .align 128 .b8 tile[32];
    ld.param.u64 %d2, [out]; mov.u64 %d3, -1; st.shared.u64 [tile], %d3; st.shared.u64 [tile+8], %d3; mov.u16 %h1, 0x8005;
    st.shared.u64 [tile+16], %d3; st.shared.u64 [tile+24], %d3;
    cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d2], [tile], 32, %h1; ret;"""
WRONG = {
    "notMultiple": ("mov.u32 %r1, 24; cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile], %r1;", "24 bytes: the size must be a multiple of 16"),
    "notAligned": ("cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile+8], 16;", "from an address that is no multiple of 16"),
    "toUnaligned": ("cp.async.bulk.global.shared::cta.bulk_group [%d2+4], [tile], 16;", "to an address that is no multiple of 16"),
    "behind": ("cp.async.bulk.global.shared::cta.bulk_group [%d2], [tile+240], 32;", "out-of-bounds read of 32 bytes in shared memory"),
    "behindGlobal": ("cp.async.bulk.global.shared::cta.bulk_group [%d2+4096], [tile], 32;", "out-of-bounds write of 32 bytes in global memory"),
    "noBarrier": ("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [tile], [%d1], 32, [object];", "mbarrier that was not initialised"),
    "noCluster": ("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [tile], [tile+16], 16, [object];", "a launch without cluster dimensions"),
    "noBlock": ("mov.u32 %r1, tile; mapa.shared::cluster.u32 %r1, %r1, 5; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 32, [object];", "cluster's block 5, which the cluster does not have"),
}  # fmt: skip
REDUCE = """
    .shared .align 128 .b8 tile[64];
    ld.param.u64 %d1, [in]; ld.param.u64 %d2, [out]; mov.u32 %r3, tile; mov.u32 %r1, %tid.x; mad.lo.u32 %r4, %r1, 4, %r3;
    mad.wide.u32 %d1, %r1, 4, %d1; ld.global.u32 %r5, [%d1]; st.shared.u32 [%r4], %r5; bar.sync 0; setp.ne.u32 %p1, %r1, 0;
    @%p1 bra end;
    cp.reduce.async.bulk.global.shared::cta.bulk_group.{0} [%d2], [tile], 64; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
end: ret;"""  # fmt: skip


def integers(words, kind):
    return list(struct.unpack(f"<{64 // struct.calcsize(kind)}{kind}", struct.pack("<16I", *words)))


def words_of(values, kind):
    size = 8 * struct.calcsize(kind)
    masked = [v % (1 << size) for v in values]
    return list(struct.unpack("<16I", struct.pack(f"<{len(values)}{kind.upper()}", *masked)))


REDUCTIONS = {
    "and.b32": ("I", lambda old, new: old & new),
    "or.b64": ("Q", lambda old, new: old | new),
    "xor.b32": ("I", lambda old, new: old ^ new),
    "add.u32": ("I", lambda old, new: old + new),
    "add.u64": ("Q", lambda old, new: old + new),
    "min.s32": ("i", min),
    "max.s64": ("q", max),
    "min.u64": ("Q", min),
    "inc.u32": ("I", lambda old, new: 0 if old >= new else old + 1),
    "dec.u32": ("I", lambda old, new: new if old == 0 or old > new else old - 1),
}


def main():
    tool = harness.Tool(sys.argv[1])
    params = {"in": "u64", "out": "u64"}
    text = harness.HEAD.replace("sm_90", "sm_90a") + harness.entry("round", params, ROUND) + harness.entry("masked", params, MASKED)
    text += harness.entry("far", params, FAR, "", ".reqnctapercluster 4")
    for name, (body, _) in WRONG.items():
        start = ".shared .align 128 .b8 tile[256];\n.shared .align 8 .b8 object[8];\nld.param.u64 %d1, [in]; ld.param.u64 %d2, [out];\n"
        # shared memory ends behind tile
        start = start if "object" in body else start.replace(".shared .align 8 .b8 object[8];\n", "")
        text += harness.entry(name, params, f"{start}{body}\nret;")
    for name in REDUCTIONS:
        text += harness.entry(name.replace(".", "_"), params, REDUCE.replace("{0}", name))

    numbers = [(i * 2654435761) % (1 << 32) for i in range(2048)]
    outcome = tool.run(text, "round", 2, 96, [harness.Array("u32", numbers), "u32[2048]=0"])
    tool.expect("round: exit status", (0, ""), (outcome.status, outcome.output))
    tool.expect("round", [(n + 1) % (1 << 32) for n in numbers], outcome.arrays[1])
    # What is stored in pieces of 16 and 4080 bytes asks for one sector twice.
    counted = [(text_, outcome.counters(text_), sectors) for text_, sectors in (("cp.async.bulk.shared", 256), ("cp.async.bulk.global", 258))]
    for what, counters, sectors in counted:
        picked = {key: counters[key] for key in ("requests", "lanes", "bytes", "unmodelled", "global_moved", "shared_moved", "copy_sectors", "wavefronts", "sectors")}
        tool.expect(what, {"requests": 4, "lanes": 4, "bytes": 8192, "unmodelled": 4, "global_moved": 8192, "shared_moved": 8192, "copy_sectors": sectors, "wavefronts": 0, "sectors": 0}, picked)

    outcome = tool.run(text, "far", 4, 1, [harness.Array("u32", numbers[:16]), "u32[256]=0"])
    tool.expect("far: exit status", (0, ""), (outcome.status, outcome.output))
    tiles = [[rank * 1000 + 4 * i for i in range(64)] for rank in range(4)]
    own = list(tiles[1])
    for rank in (0, 2, 3):
        tiles[rank][:16] = numbers[:16]
    tiles[3][16:24] = own[4:12]
    tiles[3][24:32] = [a + b for a, b in zip(tiles[3][24:32], own[24:32])]
    tiles[0][16:20] = [7] * 4
    tiles[0][20:22] = [9, 0]
    tiles[0][22] += 9
    tiles[0][24] = 7
    if outcome.arrays[1]:
        for rank in range(4):
            tool.expect(f"far, block {rank}", tiles[rank], outcome.arrays[1][64 * rank : 64 * rank + 64])
    # 32 bytes that are sent, all in one sector, are two (as measured); stores of 256 are eight.
    for what, sectors in (("cp.async.bulk.shared::cluster.shared", 2), ("cp.async.bulk.global", 4 * 8)):
        tool.expect(f"far: {what}", sectors, outcome.counters(what).get("copy_sectors"))
    outcome = tool.run(text, "masked", 1, 1, ["u32[4]=0", "u32[8]=0"])
    tool.expect("masked", [0xFF00FF, 0, 0, 0xFF000000] * 2, outcome.arrays[1])
    for name, (_, message) in WRONG.items():
        outcome = tool.run(text, name, 1, 1, ["u32[16]=0", "u32[1024]=0"])
        tool.expect(f"{name}: told", (True, outcome.output), (outcome.status != 0 and message in outcome.output, outcome.output))
    old, new = numbers[100:116], numbers[200:216]
    old[3:6], new[3:6] = [0, 5, 6], [6, 6, 5]
    for name, (kind, combine) in REDUCTIONS.items():
        outcome = tool.run(text, name.replace(".", "_"), 1, 16, [harness.Array("u32", new), harness.Array("u32", old)])
        expected = words_of([combine(a, b) for a, b in zip(integers(old, kind), integers(new, kind))], kind)
        tool.expect(name, expected, outcome.arrays[1])
    bad = harness.HEAD + harness.entry("bad", params, "setmaxnreg.dec.sync.aligned.u32 20;\nret;")
    outcome = tool.run(bad, "bad", 1, 1, ["u32[1]=0", "u32[1]=0"])
    tool.expect("setmaxnreg 20", True, "expected a multiple of 8" in outcome.output)
    sys.exit(tool.finish("bulk"))


if __name__ == "__main__":
    main()
