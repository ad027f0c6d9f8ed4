"""Operations over the lanes of a warp - shuffles in every mode with every clamp and segment mask, votes,
match, redux, elect, activemask - against the manual's words, for full and partial member masks, with
all lanes together and arriving from different branches."""

import random
import sys

import harness

LANES, FULL = 32, 0xFFFFFFFF
RANDOM = random.Random(7)
START = "mov.u32 %r1, %tid.x; mov.u32 %r2, %laneid;"
IN = "ld.param.u64 %d1, [in]; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;"


def lanes_of(mask):
    return [lane for lane in range(LANES) if mask >> lane & 1]


# ---- shuffles ----

MODES = ("up", "down", "bfly", "idx")


def shuffle_kernel():
    """For each c of a table, all four modes with the lane's own b: value and predicate."""
    body = f"{START}{IN}\nld.global.u32 %r3, [%d1];\nld.param.u64 %d3, [b]; add.u64 %d3, %d3, %d2;\n"
    body += "ld.param.u64 %d4, [c]; ld.param.u32 %r20, [count]; ld.param.u64 %d5, [out];\n"
    body += "mad.wide.u32 %d5, %r1, 64, %d5;\nmov.u32 %r21, 0;\nagain:\nsetp.ge.u32 %p1, %r21, %r20;\n@%p1 bra done;\n"
    body += "ld.global.u32 %r4, [%d3]; ld.global.u32 %r5, [%d4];\n"
    for i, mode in enumerate(MODES):
        body += f"shfl.sync.{mode}.b32 %r6|%p2, %r3, %r4, %r5, 0xffffffff;\nselp.u32 %r7, 1, 0, %p2;\n"
        body += f"st.global.v2.u32 [%d5+{16 * i}], {{%r6, %r7}};\n"
        body += f"shfl.{mode}.b32 %r8|%p3, %r3, %r4, %r5;\nselp.u32 %r9, 1, 0, %p3;\n"
        body += f"st.global.v2.u32 [%d5+{16 * i + 8}], {{%r8, %r9}};\n"
    body += "add.u64 %d3, %d3, 128; add.u64 %d4, %d4, 4; add.u64 %d5, %d5, 2048; add.u32 %r21, %r21, 1;\n"
    body += "bra again;\ndone: ret;"
    params = {"in": "u64", "b": "u64", "c": "u64", "count": "u32", "out": "u64"}
    return harness.entry("shuffles", params, body)


def shuffled(mode, lane, b, c):
    """Source lane and predicate, as the pseudo-code of "shfl.sync" has them."""
    segment, clamp, b = c >> 8 & 31, c & 31, b & 31
    last, first = (lane & segment) | (clamp & ~segment), lane & segment
    if mode == "up":
        j, inside = lane - b, lane - b >= last
    elif mode == "down":
        j, inside = lane + b, lane + b <= last
    elif mode == "bfly":
        j, inside = lane ^ b, lane ^ b <= last
    else:
        j = first | (b & ~segment)
        inside = j <= last
    return (j if inside else lane), int(inside)


PAIRS = ((1, 1), (16, 16), (1, 2), (7, 0))  # how far the lower and the upper half of 64 bits come from


def pairs_kernel():
    """64 bits shuffled as two halves, alike and not; the halves in their order, and changed for each other."""
    body = f"{START}mov.u32 %r7, %ctaid.x; mad.lo.u32 %r1, %r7, {LANES}, %r1;\n"
    body += "ld.param.u64 %d1, [in]; mul.wide.u32 %d2, %r1, 8; add.u64 %d1, %d1, %d2; ld.global.u64 %d3, [%d1];\n"
    body += "ld.param.u64 %d5, [out]; mad.wide.u32 %d5, %r1, 64, %d5;\n"
    for i, (low, high) in enumerate(PAIRS):
        body += "mov.b64 {%r3, %r4}, %d3;\n"
        body += f"shfl.sync.bfly.b32 %r5, %r3, {low}, 31, -1; shfl.sync.bfly.b32 %r6, %r4, {high}, 31, -1;\n"
        body += f"mov.b64 %d6, {{%r5, %r6}}; st.global.u64 [%d5+{16 * i}], %d6;\n"
        body += f"mov.b64 %d7, {{%r6, %r5}}; st.global.u64 [%d5+{16 * i + 8}], %d7;\n"
    return harness.entry("pairs", {"in": "u64", "out": "u64"}, body + "ret;")


def check_pairs(tool):
    data = [RANDOM.getrandbits(64) for _ in range(2 * LANES)]  # of two blocks: compiled code has the second
    outcome = tool.run(harness.HEAD + pairs_kernel(), "pairs", 2, LANES, [harness.Array("u64", data), f"u64[{16 * LANES}]=0"])
    expected = []
    for at in range(2 * LANES):
        for low, high in PAIRS:
            halves = data[at ^ low] & FULL, data[at ^ high] >> 32
            expected += [halves[0] | halves[1] << 32, halves[1] | halves[0] << 32]
    tool.expect("64 bits as two halves", expected, outcome.arrays[1])


def check_shuffles(tool):
    data = [RANDOM.getrandbits(32) for _ in range(LANES)]
    controls = [segment << 8 | clamp for segment in range(32) for clamp in range(32)]
    controls += [c | RANDOM.getrandbits(32) & ~0x1F1F for c in RANDOM.sample(controls, 64)]
    offsets = []
    for i in range(len(controls)):
        kind = i % 3  # the same in all lanes, of all lanes, any bits
        same = RANDOM.randrange(32)
        offsets += [same if kind == 0 else RANDOM.getrandbits(5 if kind == 1 else 32) for _ in range(LANES)]
    arguments = [harness.Array("u32", data), harness.Array("u32", offsets), harness.Array("u32", controls)]
    arguments += [f"u32={len(controls)}", f"u32[{len(controls) * LANES * 16}]=0"]
    module = harness.HEAD.replace("sm_90", "sm_60") + shuffle_kernel()
    outcome = tool.run(module, "shuffles", 1, LANES, arguments)
    expected = []
    for i, c in enumerate(controls):
        for lane in range(LANES):
            for mode in MODES:
                source, inside = shuffled(mode, lane, offsets[LANES * i + lane], c)
                expected += [data[source], inside] * 2
    tool.expect("shuffles: exit status", (0, ""), (outcome.status, outcome.output))
    tool.expect("shuffles", expected, outcome.arrays[4])


# ---- votes, match, redux, elect ----

# Results of one group of operations that lanes of `members` execute; each writes a word.
REDUX = [("add", "u32"), ("add", "s32"), ("min", "u32"), ("min", "s32"), ("max", "u32"), ("max", "s32")]
REDUX += [("and", "b32"), ("or", "b32"), ("xor", "b32")]


def group(members):
    """PTX of every operation, with its results stored behind %d5; the number of results."""
    results, lines = 0, []

    def put(register):
        nonlocal results
        lines.append(f"st.global.u32 [%d5+{4 * results}], {register};")
        results += 1

    def put_predicate(name):
        lines.append(f"selp.u32 %r9, 1, 0, {name};")
        put("%r9")

    for mode in ("all", "any", "uni"):
        for operand in ("%p1", "!%p1"):
            lines.append(f"vote.sync.{mode}.pred %p2, {operand}, {members};")
            put_predicate("%p2")
    for operand in ("%p1", "!%p1"):
        lines.append(f"vote.sync.ballot.b32 %r9, {operand}, {members};")
        put("%r9")
    lines.append(f"match.any.sync.b32 %r9, %r4, {members};")
    put("%r9")
    lines.append(f"match.any.sync.b64 %r9, %d6, {members};")
    put("%r9")
    for operand in ("b32 %r9|%p2, %r4", "b64 %r9|%p2, %d6", "b32 %r9|%p2, %r5"):
        lines.append(f"match.all.sync.{operand}, {members};")
        put("%r9")
        put_predicate("%p2")
    for function, kind in REDUX:
        lines.append(f"redux.sync.{function}.{kind} %r9, %r3, {members};")
        put("%r9")
    lines.append(f"elect.sync %r9|%p2, {members};")
    put("%r9")
    put_predicate("%p2")
    lines.append(f"shfl.sync.bfly.b32 %r9, %r3, 1, 31, {members};\nbar.warp.sync {members};")
    put("%r9")
    lines.append("activemask.b32 %r9;")
    put("%r9")
    return "\n".join(lines), results


def reduced_float(function, values):
    """Of bits: numbers are ordered with -0 before +0; a NaN counts where .NaN says so, or where there is nothing else."""
    name, *modifiers = function.split(".")
    values = [v & 0x7FFFFFFF if "abs" in modifiers else v for v in values]
    numbers = [v for v in values if v & 0x7FFFFFFF <= 0x7F800000]
    if not numbers or ("NaN" in modifiers and len(numbers) < len(values)):
        return 0x7FFFFFFF
    ordered = sorted(numbers, key=lambda v: ~v if v >> 31 else v)
    return ordered[0 if name == "min" else -1]


def reduced(function, kind, values):
    signed = [v - (1 << 32) if kind == "s32" and v >> 31 else v for v in values]
    result = signed[0]
    for v in signed[1:]:
        result = {
            "add": result + v, "min": min(result, v), "max": max(result, v),
            "and": result & v, "or": result | v, "xor": result ^ v,
        }[function]  # fmt: skip
    return result & FULL


def expected_of(lane, members, data):
    """What group() stores for a lane of members."""
    lanes = lanes_of(members)
    yes = {l for l in lanes if data[l] & 1}
    results = []
    for mode in ("all", "any", "uni"):
        for holds in (yes, set(lanes) - yes):
            all_, any_ = len(holds) == len(lanes), bool(holds)
            results.append(int({"all": all_, "any": any_, "uni": all_ or not any_}[mode]))
    results += [sum(1 << l for l in yes), sum(1 << l for l in lanes if l not in yes)]
    few = [v & 3 for v in data]
    wide = [(v & 3) << 32 | v >> 31 for v in data]
    for values in (few, wide):
        results.append(sum(1 << l for l in lanes if values[l] == values[lane]))
    for values in (few, wide, [5] * LANES):
        same = len({values[l] for l in lanes}) == 1
        results += [members if same else 0, int(same)]
    results += [reduced(f, kind, [data[l] for l in lanes]) for f, kind in REDUX]
    results += [lanes[0], int(lane == lanes[0])]
    results += [data[lane ^ 1] if members >> (lane ^ 1) & 1 else None, members]
    return results


PREPARE = START + IN + """
ld.global.u32 %r3, [%d1]; and.b32 %r4, %r3, 3; mov.u32 %r5, 5; shr.u32 %r6, %r3, 31;
mov.b64 %d6, {%r6, %r4}; and.b32 %r7, %r3, 1; setp.ne.u32 %p1, %r7, 0;
ld.param.u64 %d5, [out]; mad.wide.u32 %d5, %r1, 256, %d5;
"""


def partial_kernel(name, members, together):
    """Lanes of members execute the group and the others leave or do something else first."""
    operations, _ = group(f"0x{members:08x}")
    others = FULL & ~members
    body = PREPARE
    body += f"mov.u32 %r8, 1; shl.b32 %r8, %r8, %r2; and.b32 %r8, %r8, 0x{members:x}; setp.eq.u32 %p3, %r8, 0;\n"
    if others and together:  # they exit at once
        body += "@%p3 exit;\n"
    elif others:
        body += "@%p3 bra rest;\n"
    if not together:  # odd lanes come later, on another way
        body += "setp.lt.u32 %p4, %r2, 11;\n@%p4 bra early;\nmov.u32 %r10, 3;\n"
        body += "spin: sub.u32 %r10, %r10, 1; setp.ne.u32 %p5, %r10, 0;\n@%p5 bra spin;\nearly:\n"
        body += f"bar.warp.sync 0x{members:08x};\n"
    body += operations + "\nret;\n"
    if others and not together:
        body += f"rest: vote.sync.ballot.b32 %r9, %p1, 0x{others:08x};\nst.global.u32 [%d5], %r9;\nret;\n"
    return harness.entry(name, {"in": "u64", "out": "u64"}, body)


def two_ways_kernel():
    """One shuffle for all lanes, executed at two places: each half gives the other's values."""
    body = START + IN + """
    ld.global.u32 %r3, [%d1]; ld.param.u64 %d5, [out]; add.u64 %d5, %d5, %d2;
    setp.lt.u32 %p1, %r2, 16;
    @%p1 bra low;
    bar.warp.sync 0xffffffff;
    redux.sync.add.u32 %r9, %r3, 0xffff0000;
    bra join;
low: redux.sync.add.u32 %r9, %r3, 0x0000ffff;
    bar.warp.sync 0xffffffff;
join: st.global.u32 [%d5], %r9;
    ret;"""
    return harness.entry("twoWays", {"in": "u64", "out": "u64"}, body)


def exits_kernel():
    """Lanes that have exited are waited for no more (PTX ISA, bar.warp.sync: the executing thread waits
    for those of the mask that have not exited)."""
    body = START + IN + """
    ld.global.u32 %r3, [%d1]; ld.param.u64 %d5, [out]; add.u64 %d5, %d5, %d2;
    setp.lt.u32 %p1, %r2, 24;
    @%p1 bra stay;
    mov.u32 %r10, 100;
spin: sub.u32 %r10, %r10, 1; setp.ne.u32 %p5, %r10, 0;
    @%p5 bra spin;
    exit;
stay: bar.warp.sync 0xffffffff;
    vote.sync.ballot.b32 %r9, 1, 0xffffffff;
    st.global.u32 [%d5], %r9;
    ret;"""
    return harness.entry("exits", {"in": "u64", "out": "u64"}, body)


def exits_later_kernel():
    """The same where those that wait are the first to arrive."""
    body = START + IN + """
    ld.global.u32 %r3, [%d1]; ld.param.u64 %d5, [out]; add.u64 %d5, %d5, %d2;
    setp.ge.u32 %p1, %r2, 24;
    @%p1 bra leave;
    bar.warp.sync 0xffffffff;
    vote.sync.ballot.b32 %r9, 1, 0xffffffff;
    st.global.u32 [%d5], %r9;
    ret;
leave: mov.u32 %r10, 100;
spin: sub.u32 %r10, %r10, 1; setp.ne.u32 %p5, %r10, 0;
    @%p5 bra spin;
    exit;"""
    return harness.entry("exitsLater", {"in": "u64", "out": "u64"}, body)


def old_votes_kernel():
    """The forms without .sync speak of the lanes that execute them together."""
    body = START + IN + """
    ld.global.u32 %r3, [%d1]; ld.param.u64 %d5, [out]; mad.wide.u32 %d5, %r1, 16, %d5;
    and.b32 %r7, %r3, 1; setp.ne.u32 %p1, %r7, 0; setp.ge.u32 %p2, %r2, 20;
    @%p2 bra done;
    vote.all.pred %p3, !%p1; selp.u32 %r4, 1, 0, %p3; vote.any.pred %p3, %p1; selp.u32 %r5, 1, 0, %p3;
    vote.uni.pred %p3, %p1; selp.u32 %r6, 1, 0, %p3; vote.ballot.b32 %r8, %p1;
    st.global.v4.u32 [%d5], {%r4, %r5, %r6, %r8};
done: ret;"""
    return harness.entry("oldVotes", {"in": "u64", "out": "u64"}, body)


MASKS = [FULL, 0x1, 0x80000000, 0xFFFF, 0xAAAAAAAA, 0x7FFFFFFE, 0x00F00F01]


def inputs_for(kind):
    if kind == "random":
        return [RANDOM.getrandbits(32) for _ in range(LANES)]
    return [{"even": 0x80000002, "odd": 0x7FFFFFF1}[kind]] * LANES


def check_groups(tool):
    text, names = harness.HEAD, []
    for i, members in enumerate(MASKS):
        for together in (True, False):
            names.append((f"group{i}{'' if together else 'Apart'}", members, together))
            text += partial_kernel(*names[-1])
    for name, members, together in names:
        for kind in ("random", "even", "odd"):
            data = inputs_for(kind)
            arguments = [harness.Array("u32", data), f"u32[{LANES * 64}]=0"]
            outcome = tool.run(text, name, 1, LANES, arguments, every=kind == "random")
            tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
            for lane in range(LANES):
                got = outcome.arrays[1][64 * lane : 64 * lane + 64]
                if members >> lane & 1:
                    expected = expected_of(lane, members, data)
                elif together:
                    expected = [0]
                else:
                    expected = [sum(1 << l for l in lanes_of(FULL & ~members) if data[l] & 1)]
                got = [None if e is None else g for e, g in zip(expected, got)]
                tool.expect(f"{name}, {kind}, lane {lane}", expected, got)


FLOAT_REDUX = [f + m for f in ("min", "max") for m in ("", ".abs", ".NaN", ".abs.NaN")]
NANS = [0x7FFFFFFF, 0xFFC00001, 0x7F800001]
FLOATS = [[0x80000000, 0], [0x3F800000, 0xC0000000, 0x40400000], [0x7F800000, 0xFF800000, 1, 0x80000001]]


def float_redux_kernel(name, members):
    body = START + IN + f"""
    ld.global.f32 %f1, [%d1]; ld.param.u64 %d5, [out]; mad.wide.u32 %d5, %r1, {4 * len(FLOAT_REDUX)}, %d5;
    shr.u32 %r7, {members}, %r2; and.b32 %r7, %r7, 1; setp.eq.u32 %p1, %r7, 0;
    @%p1 exit;\n"""
    for at, operation in enumerate(FLOAT_REDUX):
        body += f"redux.sync.{operation}.f32 %f2, %f1, {members}; st.global.f32 [%d5+{4 * at}], %f2;\n"
    return harness.entry(name, {"in": "u64", "out": "u64"}, body + "ret;")


def check_float_redux(tool):
    """Numbers, numbers with NaNs among them, and NaNs alone."""
    names = {f"float{i}": members for i, members in enumerate(MASKS)}
    text = harness.HEAD.replace("sm_90", "sm_100a") + "".join(float_redux_kernel(*one) for one in names.items())
    for name, members in names.items():
        for few in [*FLOATS, NANS, *(one + NANS[:1] for one in FLOATS)]:
            data = [RANDOM.choice(few) for _ in range(LANES)]
            outcome = tool.run(text, name, 1, LANES, [harness.Array("u32", data), f"u32[{LANES * len(FLOAT_REDUX)}]=0"],
                               options=["--gpu", "b200"])
            tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
            of = [data[lane] for lane in lanes_of(members)]
            one = [reduced_float(operation, of) for operation in FLOAT_REDUX]
            expected = [word for lane in range(LANES) for word in (one if members >> lane & 1 else [0] * len(one))]
            tool.expect(f"{name} of {few}", expected, outcome.arrays[1])


def check_ways(tool):
    data = inputs_for("random")
    arguments = [harness.Array("u32", data), f"u32[{LANES}]=0"]
    module = harness.HEAD + two_ways_kernel() + exits_kernel() + exits_later_kernel()
    outcome = tool.run(module, "twoWays", 1, LANES, arguments)
    low, high = sum(data[:16]) & FULL, sum(data[16:]) & FULL
    tool.expect("twoWays", [low] * 16 + [high] * 16, outcome.arrays[1])
    for name in ("exits", "exitsLater"):
        outcome = tool.run(module, name, 1, LANES, arguments)
        tool.expect(f"{name}: exit status", (0, ""), (outcome.status, outcome.output))
        tool.expect(name, [0xFFFFFF] * 24 + [0] * 8, outcome.arrays[1])
    module = harness.HEAD.replace("sm_90", "sm_60") + old_votes_kernel()
    for kind in ("random", "even", "odd"):
        data = inputs_for(kind)
        outcome = tool.run(module, "oldVotes", 1, LANES, [harness.Array("u32", data), "u32[128]=0"])
        odd = [v & 1 for v in data[:20]]
        ballot = sum(bit << lane for lane, bit in enumerate(odd))
        four = [int(not any(odd)), int(any(odd)), int(len(set(odd)) == 1), ballot]
        tool.expect(f"oldVotes, {kind}", four * 20 + [0] * 48, outcome.arrays[1])


def modules():
    """The PTX that this test runs, for the check that every row has a case."""
    yield shuffle_kernel()
    yield pairs_kernel()
    yield partial_kernel("k", FULL, True)
    yield two_ways_kernel()
    yield old_votes_kernel()


def main():
    tool = harness.Tool(sys.argv[1])
    check_shuffles(tool)
    check_pairs(tool)
    check_groups(tool)
    check_ways(tool)
    if not harness.MACHINE:  # of sm_100
        check_float_redux(tool)
    sys.exit(tool.finish("warpwide"))


if __name__ == "__main__":
    main()
