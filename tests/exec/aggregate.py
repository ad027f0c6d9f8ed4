"""Which atomics one lane does for all (src/lower/atomic.c, varying.c), against the machine code of ptxas
13.0 for sm_80 and sm_90: each kernel below was compiled; where ptxas elects a lane (FLO, REDUX), one
lane is expected, else all (where the two agree: addresses from ballots, shuffles and redux are taken
for the same on sm_90 only). `one` and `all` say how many lanes each execution of the last atomic has."""

import sys

import harness

# %r60 and %d60 differ between lanes; %r99 does not; %p1 is for use.
START = """
    ld.param.u64 %d1, [out]; ld.param.u32 %r99, [n]; mov.u32 %r1, %tid.x; mov.u32 %r3, sm;
    mul.wide.u32 %d2, %r1, 4; add.u64 %d3, %d1, %d2; ld.global.u32 %r60, [%d3+1024];
    mul.wide.u32 %d2, %r1, 8; add.u64 %d3, %d1, %d2; ld.global.u64 %d60, [%d3+1024]; cvt.u64.u32 %d61, %r99;
"""
KEEP = "st.global.u32 [%d1+4], %r7;"
BUSY = "st.volatile.global.u32 [%d1+900], %r1;" * 8
AT = "and.b32 %r24, %r21, 252; add.u32 %r20, %r3, %r24; red.shared.add.u32 [%r20], 2;"


def loop(label, counter, limit, body):
    return (
        f"{label}: {body} {BUSY} add.u32 {counter}, {counter}, 1; setp.lt.u32 %p2, {counter}, {limit};"
        f" @%p2 bra {label};"
    )


COUNTED = loop("again", "%r22", "%r99", "shl.b32 %r21, %r22, 2;" + AT)
PART = "setp.ge.u32 %p3, %r60, 9; @%p3 bra after;"

CASES = {
    # ---- operations, at one address
    "add": ("red.shared.add.u32 [sm], %r60;", "one"),
    "addConstant": ("red.shared.add.u32 [sm], 2;", "one"),
    "addOne": ("red.shared.add.u32 [sm], 1;", "all"),  # ATOMS.POPC.INC
    "addOneSigned": ("red.shared.add.s32 [sm], 1;", "one"),
    "addOneGlobal": ("red.global.add.u32 [%d1], 1;", "one"),
    "addGlobal": ("red.global.add.u32 [%d1], %r60;", "one"),
    "addGeneric": ("red.add.u32 [%d1], 2;", "one"),
    "addWide": ("red.global.add.u64 [%d1], %d60;", "all"),
    "addWideSame": ("red.global.add.u64 [%d1], %d61;", "one"),
    "minimum": ("red.shared.min.u32 [sm], %r60;", "one"),
    "maximum": ("red.shared.max.s32 [sm], %r60;", "one"),
    "and": ("red.shared.and.b32 [sm], %r60;", "one"),
    "orSame": ("red.global.or.b32 [%d1], %r99;", "one"),
    "xor": ("red.shared.xor.b32 [sm], 1;", "one"),
    "maximumWide": ("red.global.max.u64 [%d1], %d61;", "all"),
    "andWide": ("red.global.and.b64 [%d1], %d60;", "all"),
    "increment": ("red.global.inc.u32 [%d1], %r99;", "all"),
    "exchange": ("atom.shared.exch.b32 %r7, [sm], %r60;" + KEEP, "all"),
    "compare": ("atom.shared.cas.b32 %r7, [sm], %r60, %r99;" + KEEP, "all"),
    "addFloat": ("cvt.rn.f32.u32 %f1, %r60; red.global.add.f32 [%d1], %f1;", "all"),
    "addFloatSame": ("mov.f32 %f1, 0f3f800000; red.global.add.f32 [%d1], %f1;", "all"),
    "addDouble": ("cvt.rn.f64.u32 %g1, %r60; red.global.add.f64 [%d1], %g1;", "all"),
    # ---- the old value is used
    "usedSame": ("atom.global.add.u32 %r7, [%d1], 1;" + KEEP, "one"),
    "usedShared": ("atom.shared.add.u32 %r7, [sm], %r99;" + KEEP, "one"),
    "usedFull": ("atom.global.add.u32 %r7, [%d1], %r60;" + KEEP, "one"),
    "usedPart": (
        "setp.gt.u32 %p1, %r1, 7; @%p1 bra after; atom.global.add.u32 %r7, [%d1], %r60;" + KEEP + "after:",
        8,
    ),
    "usedWideSame": ("atom.global.add.u64 %d7, [%d1], %d61; st.global.u64 [%d1+8], %d7;", "one"),
    "usedWide": ("atom.global.add.u64 %d7, [%d1], %d60; st.global.u64 [%d1+8], %d7;", "all"),
    "usedMaximum": ("atom.shared.max.u32 %r7, [sm], %r99;" + KEEP, "all"),
    "usedOr": ("atom.global.or.b32 %r7, [%d1], %r60;" + KEEP, "all"),
    "unused": ("atom.shared.add.u32 %r7, [sm], %r60;", "one"),
    # ---- addresses
    "block": ("mov.u32 %r22, %ctaid.x; shl.b32 %r21, %r22, 2;" + AT, "one"),
    "parameter": ("shl.b32 %r21, %r99, 2;" + AT, "one"),
    "loaded": ("ld.global.u32 %r21, [%d1];" + AT, "one"),
    "loadedShared": ("ld.shared.u32 %r21, [sm+64];" + AT, "one"),
    "thread": ("shl.b32 %r21, %r1, 2;" + AT, "all"),
    "threadY": ("mov.u32 %r22, %tid.y; shl.b32 %r21, %r22, 2;" + AT, "all"),
    "warp": ("shr.u32 %r22, %r1, 5; shl.b32 %r21, %r22, 2;" + AT, "all"),
    "active": ("activemask.b32 %r21;" + AT, "one"),
    # ---- control
    "counter": ("mov.u32 %r22, 0;" + COUNTED, "one"),
    "ownCount": ("mov.u32 %r22, 0;" + loop("again", "%r22", "%r60", "shl.b32 %r21, %r22, 2;" + AT), "all"),
    "inBranch": (PART + "mov.u32 %r22, 0;" + COUNTED + "after:" + BUSY, "one"),
    "beforeBranch": ("mov.u32 %r22, %ctaid.x;" + PART + COUNTED + "after:" + BUSY, "all"),
    "beforeExit": ("mov.u32 %r22, %ctaid.x;" + PART + COUNTED + "after:", "one"),
    "chosen": ("setp.gt.u32 %p1, %r60, 3; selp.b32 %r21, 0, 64, %p1;" + AT, "all"),
    "joined": ("mov.u32 %r21, 0;" + PART + "mov.u32 %r21, 64;" + BUSY + "after:" + AT, "all"),
    "joinedSame": (
        "mov.u32 %r21, 0; setp.gt.u32 %p1, %r99, 3; @%p1 bra after; mov.u32 %r21, 64;" + BUSY + "after:" + AT,
        "one",
    ),
    "leftLoop": (
        "mov.u32 %r22, 0;"
        + loop("again", "%r22", "%r60", "ld.volatile.global.u32 %r23, [%d1];")
        + "mov.u32 %r21, %r23;"
        + AT,
        "all",
    ),
    "innerLoop": (
        "mov.u32 %r25, 0; outer: mov.u32 %r22, 0;"
        + COUNTED
        + "add.u32 %r25, %r25, 1; setp.lt.u32 %p1, %r25, %r60; @%p1 bra outer;",
        "one",
    ),
    "guarded": ("setp.le.u32 %p1, %r60, 3; @%p1 red.shared.add.u32 [sm], %r60;", "one"),
}
VARIABLES = ".shared .align 16 .b8 sm[1024];"


def main():
    tool = harness.Tool(sys.argv[1])
    module = harness.HEAD + VARIABLES
    for name, (body, _) in CASES.items():
        module += harness.entry(name, {"out": "u64", "n": "u32"}, START + body + " ret;")
    for name, (_, expected) in CASES.items():
        out = harness.Array("u32", [0] * 1024)
        outcome = tool.run(module, name, arguments=[out, "u32=1"], every=False)
        tool.expect(f"{name}: exit status", 0, outcome.status)
        if outcome.status:
            print(outcome.output)
            continue
        sites = [row["id"] for row in outcome.tables["site"] if row["op"] in ("atomic", "reduction")]
        count = next(row for row in outcome.tables["count"] if row["site"] == sites[-1])
        lanes = {"one": 1, "all": 32}.get(expected, expected)
        tool.expect(name, lanes * count["requests"], count["lanes"])
        tool.expect(f"{name}: ran", True, count["requests"] > 0)
    return tool.finish("aggregate")


if __name__ == "__main__":
    sys.exit(main())
