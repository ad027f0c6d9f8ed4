"""Which accesses to shared memory become one (src/lower/merge.c), against the machine code of ptxas 13.0
for sm_80 and sm_90: each kernel below was compiled, and its LDS and STS instructions are the expected ones, in the
order in which the first load or the last store of each stands in the PTX. An access is written
bytes@offset in the lane's part of the array, so 16@0 is an LDS.128 [R4].

The first kernel of a group shows the rule, the others its limits."""

import sqlite3
import sys

import harness

REGISTERS = {"f32": "%f", "u32": "%r5", "f64": "%g", "u16": "%h", "s16": "%h", "b16": "%h"}
STORED = {"s16": "u16"}


def register(kind, i):
    return f"{REGISTERS[kind]}{10 + i}"


def start(shift):
    """%r4: the lane's part of the array; %d1: its part of the output; %r99 differs from launch to launch."""
    return f"""
        ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 128; add.u64 %d1, %d1, %d2;
        ld.param.u32 %r99, [n]; mov.u32 %r3, sm; shl.b32 %r2, %r1, {shift}; add.u32 %r4, %r3, %r2;"""


def use(kind, count):
    kept = STORED.get(kind, kind)
    return "".join(f"st.volatile.global.{kept} [%d1+{8 * i}], {register(kind, i)};\n" for i in range(count))


def loads(offsets, kind="f32", shift=4, before="", between=None, after=None):
    """Loads at these offsets; between: index -> what stands behind that load."""
    body = start(shift) + before
    for i, offset in enumerate(offsets):
        body += f"ld.shared.{kind} {register(kind, i)}, [%r4+{offset}];\n" + (between or {}).get(i, "")
    return body + (use(kind, len(offsets)) if after is None else after) + "ret;"


def stores(offsets, kind="f32", shift=4, between=None):
    body = start(shift)
    for i in range(len(offsets)):
        body += f"ld.volatile.global.{kind} {register(kind, i)}, [%d1+{8 * i}];\n"
    for i, offset in enumerate(offsets):
        body += f"st.shared.{kind} [%r4+{offset}], {register(kind, i)};\n" + (between or {}).get(i, "")
    return body + "ret;"


def address(code):
    """Four loads from an address that the code leaves in %r2, as a distance from the array."""
    return loads([0, 4, 8, 12], before="mov.u32 %r9, %r99;\n" + code + "\nadd.u32 %r4, %r3, %r2;\n")


FOUR, WHOLE, HALVES, SINGLES = [0, 4, 8, 12], "16@0", "8@0 8@8", "4@0 4@4 4@8 4@12"
STORE_ELSEWHERE = "st.shared.f32 [%r4+2048], %f10;"
SKIP = "setp.gt.u32 %p1, %r1, 5; @%p1 bra after; st.volatile.global.u32 [%d1+120], %r1; after:"

# name -> (body, accesses). Accesses to "sm" alone; its 4,096 bytes begin at address 0.
CASES = {
    # ---- loads: which elements of a group are one load
    "four": (loads(FOUR), WHOLE),
    "backwards": (loads(FOUR[::-1]), WHOLE),
    "mixedUp": (loads([8, 0, 4, 12]), WHOLE),
    "threeFirst": (loads([0, 4, 8]), WHOLE),
    "threeLast": (loads([4, 8, 12]), WHOLE),
    "withGap": (loads([0, 8, 12]), WHOLE),
    "firstHalf": (loads([0, 4]), "8@0"),
    "secondHalf": (loads([8, 12]), "8@8"),
    "middle": (loads([4, 8]), "4@4 4@8"),
    "everyOther": (loads([0, 8]), "4@0 4@8"),
    "ends": (loads([0, 12]), "4@0 4@12"),
    "acrossGroups": (loads([4, 8, 12, 16]), "16@0 4@16"),
    "twoGroups": (loads([8, 12, 16, 20], shift=6), "8@8 8@16"),
    "eight": (loads(range(0, 32, 4), shift=5), "16@0 16@16"),
    # ---- sizes
    "doubles": (loads([0, 8, 16, 24], "f64", shift=5), "16@0 16@16"),
    "doublesAcross": (loads([8, 16, 24], "f64", shift=5), "8@8 16@16"),
    "halves": (loads(range(0, 16, 2), "b16"), "8@0 8@8"),
    "halvesPair": (loads([0, 2], "b16"), "4@0"),
    "halvesOdd": (loads([2, 4], "b16"), "2@2 2@4"),
    "signedHalves": (loads([0, 2], "s16"), "4@0"),
    "widenedHalves": (
        start(4)
        + "ld.shared.u16 %r90, [%r4]; ld.shared.u16 %r91, [%r4+2];\n"
        + "st.volatile.global.u32 [%d1], %r90; st.volatile.global.u32 [%d1+8], %r91; ret;",
        "2@0 2@2",
    ),
    "halvesAsNumbers": (
        loads([0, 2], "u16", after="add.s16 %h20, %h10, %h11; st.volatile.global.u16 [%d1], %h20;"),
        "2@0 2@2",
    ),
    "vectors": (
        start(4)
        + "ld.shared.v2.f32 {%f10, %f11}, [%r4]; ld.shared.v2.f32 {%f12, %f13}, [%r4+8];\n"
        + use("f32", 4)
        + "ret;",
        WHOLE,
    ),
    "vectorAndOne": (
        start(4)
        + "ld.shared.v2.f32 {%f10, %f11}, [%r4]; ld.shared.f32 %f12, [%r4+8];\n"
        + use("f32", 3)
        + "ret;",
        WHOLE,
    ),
    "twoTypes": (
        start(4)
        + "ld.shared.f32 %f10, [%r4]; ld.shared.u32 %r90, [%r4+4]; mov.b32 %f11, %r90;\n"
        + use("f32", 2)
        + "ret;",
        "8@0",
    ),
    # ---- alignment
    "known8": (loads(FOUR, shift=3), HALVES),
    "known4": (loads(FOUR, shift=2), SINGLES),
    "known8Across": (loads([4, 8, 12, 16], shift=3), "4@4 8@8 4@16"),
    "product48": (address("mul.lo.u32 %r2, %r1, 48;"), WHOLE),
    "product24": (address("mul.lo.u32 %r2, %r1, 24;"), HALVES),
    "masked": (address("and.b32 %r2, %r9, 0x3f0;"), WHOLE),
    "squares": (address("shl.b32 %r7, %r9, 2; shl.b32 %r8, %r1, 2; mul.lo.u32 %r2, %r7, %r8;"), WHOLE),
    "chosen": (address("setp.le.u32 %p1, %r1, 5; shl.b32 %r7, %r1, 4; selp.b32 %r2, %r7, 64, %p1;"), WHOLE),
    "wide": (address("mul.wide.u32 %d9, %r1, 16; cvt.u32.u64 %r2, %d9;"), WHOLE),
    "remainder": (address("shl.b32 %r7, %r1, 4; rem.u32 %r2, %r7, 1024;"), WHOLE),
    "minimum": (address("shl.b32 %r7, %r1, 4; min.u32 %r2, %r7, 1024;"), SINGLES),
    "shiftedBack": (address("shl.b32 %r7, %r1, 8; shr.u32 %r2, %r7, 4;"), SINGLES),
    "ternary": (address("shl.b32 %r7, %r1, 4; lop3.b32 %r2, %r7, 48, 48, 0x96;"), SINGLES),
    "twoBases": (
        start(4)
        + "add.u32 %r70, %r4, 8; ld.shared.f32 %f10, [%r4]; ld.shared.f32 %f11, [%r4+4];\n"
        + "ld.shared.f32 %f12, [%r70]; ld.shared.f32 %f13, [%r70+4];\n"
        + use("f32", 4)
        + "ret;",
        WHOLE,
    ),
    "movedBase": (
        start(4)
        + "mov.u32 %r70, %r4; ld.shared.f32 %f10, [%r70]; ld.shared.f32 %f11, [%r70+4];\n"
        + "add.u32 %r70, %r70, 16; ld.shared.f32 %f12, [%r70+8]; ld.shared.f32 %f13, [%r70+12];\n"
        + use("f32", 4)
        + "ret;",
        "8@0 8@24",
    ),
    # ---- what lies between
    "barrier": (loads(FOUR, between={1: "bar.sync 0;"}), HALVES),
    "warpBarrier": (loads(FOUR, between={1: "bar.warp.sync -1;"}), HALVES),
    "fence": (loads(FOUR, between={1: "membar.cta;"}), HALVES),
    "storeElsewhere": (loads(FOUR, between={1: STORE_ELSEWHERE}), "8@0 4@2048 8@8"),
    "atomicShared": (loads(FOUR, between={1: "red.shared.add.u32 [other], 1;"}), HALVES),
    "atomicGlobal": (loads(FOUR, between={1: "red.global.add.u32 [%d1], 1;"}), WHOLE),
    "storeGlobal": (loads(FOUR, between={1: "st.global.f32 [%d1+64], %f10;"}), WHOLE),
    "clusterArrive": (loads(FOUR, between={1: "barrier.cluster.arrive; barrier.cluster.wait;"}), HALVES),
    "gridWait": (loads(FOUR, between={1: "griddepcontrol.wait;"}), HALVES),
    "gridLaunch": (loads(FOUR, between={1: "griddepcontrol.launch_dependents;"}), HALVES),
    "bulkStore": (
        loads(FOUR, between={1: "cp.async.bulk.global.shared::cta.bulk_group [%d1], [other], 16;"}),
        HALVES,
    ),
    "tensormapFence": (
        loads(FOUR, between={1: "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;"}),
        HALVES,
    ),
    "prefetchGlobal": (loads(FOUR, between={1: "prefetch.global.L1 [%d1];"}), WHOLE),
    "prefetchAnywhere": (loads(FOUR, between={1: "prefetch.L1 [%d1];"}), HALVES),
    "atomicHalf": (loads(FOUR, between={1: "red.global.add.noftz.f16 [%d1], 0x0000;"}), HALVES),
    "branch": (loads(FOUR, between={1: SKIP}), WHOLE),
    "inBranch": (
        loads([0, 4], before="mov.f32 %f12, 0f00000000; setp.gt.u32 %p1, %r1, 5;", after="")[: -len("ret;")]
        + "@%p1 bra after; st.volatile.global.u32 [%d1+120], %r1; ld.shared.f32 %f12, [%r4+8];\nafter:\n"
        + use("f32", 3)
        + "ret;",
        WHOLE,
    ),
    "afterBranch": (
        start(4)
        + "mov.f32 %f10, 0f00000000; mov.f32 %f11, %f10; setp.gt.u32 %p1, %r1, 5; @%p1 bra after;\n"
        + "st.volatile.global.u32 [%d1+120], %r1; ld.shared.f32 %f10, [%r4]; ld.shared.f32 %f11, [%r4+4];\n"
        + "after: ld.shared.f32 %f12, [%r4+8]; ld.shared.f32 %f13, [%r4+12];\n"
        + use("f32", 4)
        + "ret;",
        HALVES,
    ),
    "guarded": (
        start(4)
        + "setp.lt.u32 %p1, %r1, 5;\n"
        + "".join(
            f"mov.f32 %f{10 + i}, 0f00000000; @%p1 ld.shared.f32 %f{10 + i}, [%r4+{4 * i}];\n" for i in range(4)
        )
        + use("f32", 4)
        + "ret;",
        SINGLES,
    ),
    "volatileLoads": (loads(FOUR).replace("ld.shared", "ld.volatile.shared"), SINGLES),
    "loop": (
        start(4)
        + "mov.u32 %r50, 0;\nagain: ld.shared.f32 %f10, [%r4]; ld.shared.f32 %f11, [%r4+4];\n"
        + use("f32", 2)
        + "add.u32 %r4, %r4, 8; add.u32 %r50, %r50, 1; setp.lt.u32 %p2, %r50, %r99; @%p2 bra again; ret;",
        "8@0",
    ),
    # ---- stores: those that follow each other, and pieces that are complete
    "storeFour": (stores(FOUR), WHOLE),
    "storeBackwards": (stores(FOUR[::-1]), WHOLE),
    "storeThree": (stores([0, 4, 8]), "8@0 4@8"),
    "storeGap": (stores([0, 8, 12]), "4@0 8@8"),
    "storeMiddle": (stores([4, 8]), "4@4 4@8"),
    "storeEight": (stores(range(0, 32, 4), shift=5), "16@0 16@16"),
    "storeByTurns": (stores([0, 16, 4, 20], shift=5), "4@0 4@16 4@4 4@20"),
    "storeDoubles": (stores([0, 8], "f64"), "16@0"),
    "storeHalves": (stores([0, 2, 4, 6], "u16"), "8@0"),
    "storeThenLoad": (stores(FOUR, between={1: "ld.volatile.shared.f32 %f60, [%r4+1024];"}), "8@0 4@1024 8@8"),
    "storeThenGlobal": (stores(FOUR, between={1: "st.global.f32 [%d1+64], %f10;"}), WHOLE),
    "storeBarrier": (stores(FOUR, between={1: "bar.sync 0;"}), HALVES),
    "storeBranch": (stores(FOUR, between={1: SKIP}), HALVES),
    "storeKnown8": (stores(FOUR, shift=3), HALVES),
}
VARIABLES = ".shared .align 16 .b8 sm[4096]; .shared .align 16 .b8 other[16];"


def accesses(outcome):
    """bytes@offset of each access to sm as it is counted, for the first active lane of lane 0's warp."""
    database = sqlite3.connect(outcome.profile)
    rows = database.execute(
        """SELECT site.width, site.accesses, (SELECT min(base) FROM pattern WHERE site = site.id)
           FROM site WHERE site.space = 'shared' AND site.op IN ('load', 'store') ORDER BY site.id"""
    )
    return [f"{width}@{base}" for width, count, base in rows if count]


def main():
    tool = harness.Tool(sys.argv[1])
    module = harness.HEAD + VARIABLES + "\n.global .align 4 .b8 nothing[4];\n"
    for name, (body, _) in CASES.items():
        module += harness.entry(name, {"out": "u64", "n": "u32"}, body)
    for name, (_, expected) in CASES.items():
        # one thread: lane 0's part is the array's start
        out = harness.Array("u8", [0] * 4096)
        outcome = tool.run(module, name, block="1", arguments=[out, "u32=0"], every=False)
        tool.expect(f"{name}: exit status", 0, outcome.status)
        if outcome.status == 0:
            tool.expect(name, expected, " ".join(accesses(outcome)))
        else:
            print(outcome.output)
    return tool.finish("merge")


sys.exit(main())
