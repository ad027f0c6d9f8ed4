"""atom and red .add.noftz of half precision and of pairs: 32 lanes add to one place in lane order. Each
value is the exact sum rounded once, subnormals included."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "exec"))
import generate
import harness

LANES = 32
RANDOM = random.Random(11)


def kernel(name, kind, is_pair):
    """Each lane adds its value in global and in shared memory: the old values, then what is left."""
    word, size, reg = ("u32", 4, "r") if is_pair else ("u16", 2, "h")
    body = f"""
mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, {size};
ld.param.u64 %d2, [in]; add.u64 %d2, %d2, %d1; ld.global.{word} %{reg}10, [%d2];
ld.param.u64 %d3, [sum]; ld.param.u64 %d4, [out]; add.u64 %d4, %d4, %d1;
mov.u64 %d5, place; ld.global.{word} %{reg}11, [%d3]; st.shared.{word} [%d5], %{reg}11;
bar.warp.sync 0xffffffff;
atom.shared.add.noftz.{kind} %{reg}12, [%d5], %{reg}10;
st.global.{word} [%d4+{LANES * size}], %{reg}12;
atom.relaxed.gpu.global.add.noftz.{kind} %{reg}13, [%d3], %{reg}10;
st.global.{word} [%d4], %{reg}13;
bar.warp.sync 0xffffffff;
red.global.add.noftz.{kind} [%d3+{size}], %{reg}10;
ret;"""
    params = {"in": "u64", "sum": "u64", "out": "u64"}
    return harness.HEAD + harness.entry(name, params, body, f".shared .align 4 .{word} place;")


def running_sums(f, start, values):
    sums = [start]
    for value in values:
        sums.append(generate.fp_add(f, "rn", sums[-1], value))
    return sums


def check(tool, f, is_pair):
    kind = f.name + ("x2" if is_pair else "")
    values = [[make(f) for _ in range(LANES)] for make in (generate.near_one, generate.near_least)]
    values = values[: 1 + is_pair]
    starts = [RANDOM.choice([1, f.infinity - 1, 0]) for _ in values]
    sums = [running_sums(f, start, some) for start, some in zip(starts, values)]

    def joined(halves):
        return [sum(half << 16 * i for i, half in enumerate(place)) for place in zip(*halves)]

    word = "u32" if is_pair else "u16"
    start = joined([[s] for s in starts])[0]
    arguments = [harness.Array(word, joined(values)), harness.Array(word, [start, start]), f"{word}[{2 * LANES}]=0"]
    outcome = tool.run(kernel(kind, kind, is_pair), kind, 1, LANES, arguments)
    tool.expect(f"{kind}: exit status", (0, ""), (outcome.status, outcome.output))
    expected = joined(sums)
    tool.expect(f"{kind}: old values", expected[:LANES] * 2, outcome.arrays[2])
    tool.expect(f"{kind}: sums", [expected[LANES]] * 2, outcome.arrays[1])


def main():
    tool = harness.Tool(sys.argv[1])
    for _ in range(4):
        for f in (generate.F16, generate.BF16):
            check(tool, f, False)
            check(tool, f, True)
    sys.exit(tool.finish("half_atomics"))


if __name__ == "__main__":
    main()
