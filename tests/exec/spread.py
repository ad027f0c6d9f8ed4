"""Words of shared memory that lie anyhow within some lines: loads, stores and atomics of all lanes and of some, each warp in a
window of its own of 1 to 300 lines. Wavefronts are those of the fullest bank: its distinct words, or, of atomics that do more than
count lanes, the lanes on it."""

import random
import sys

import harness

LANES, BANKS, WORDS = 32, 32, 10240
LINES = (1, 2, 4, 5, 8, 16, 17, 31, 32, 33, 48, 64, 128, 300)
MASKS = (0xFFFFFFFF, 0x55A5F00F, 0x7FFFFFFE, 0x80020101)
RANDOM = random.Random(7)
LOAD, STORE = "ld.shared.u32 %r8, [%r7]", "st.shared.u32 [%r7], %r1"
COUNT, ADD, SWAP = "red.shared.add.u32 [%r7], 1", "red.shared.add.u32 [%r7], %r1", "atom.shared.exch.b32 %r9, [%r7], %r1"
BODY = f"""
    ld.param.u64 %d1, [places]; ld.param.u64 %d2, [out];
    mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 5; add.u32 %r3, %r3, %r1;
    mul.wide.u32 %d3, %r3, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;
    ld.global.u32 %r4, [%d1]; setp.lt.s32 %p1, %r4, 0; @%p1 bra END;
    mov.u32 %r5, words; shl.b32 %r6, %r4, 2; add.u32 %r7, %r5, %r6;
    {LOAD};
    {COUNT};
    {ADD};
    {SWAP};
    {STORE};
    add.u32 %r10, %r8, %r9; st.global.u32 [%d2], %r10;
END:
    ret;
"""
TEXT = harness.HEAD + harness.entry(
    "spread", {"places": "u64", "out": "u64"}, BODY, f".shared .align 128 .b8 words[{4 * WORDS}];"
)


def warp(lines, mask):
    """The word of each lane, -1 of those that do not take part. Some lanes share one."""
    first = RANDOM.randrange(WORDS // BANKS - lines + 1) * BANKS
    few = RANDOM.choice((3, 20, lines * BANKS))
    words = [first + RANDOM.randrange(lines * BANKS) for _ in range(few)]
    words += [first, first + (lines - 1) * BANKS]  # one bank, the window's first line and its last
    return [RANDOM.choice(words) if mask >> lane & 1 else -1 for lane in range(LANES)]


def fullest(words):
    return max(sum(word % BANKS == bank for word in words) for bank in range(BANKS))


def swapped(places):
    """What SWAP finds behind COUNT and ADD, lane after lane in each."""
    held, found = {}, [0] * LANES
    for lane, word in enumerate(places):
        if word >= 0:
            held[word] = held.get(word, 0) + 1 + lane
    for lane, word in enumerate(places):
        if word >= 0:
            found[lane], held[word] = held[word], lane
    return found


def main():
    tool = harness.Tool(sys.argv[1])
    warps = [warp(lines, mask) for lines in LINES for mask in MASKS for _ in range(8)]
    places = [word for one in warps for word in one]
    arguments = [harness.Array("i32", places), f"u32[{len(places)}]"]
    first = tool.run(TEXT, "spread", len(warps), 32, arguments)
    tool.expect("what was found", [value for one in warps for value in swapped(one)], first.arrays[1])
    active = [[word for word in one if word >= 0] for one in warps]
    distinct, lanes = (sum(fullest(kind(one)) for one in active) for kind in (set, list))
    for text, wavefronts in (LOAD, distinct), (STORE, distinct), (COUNT, distinct), (ADD, lanes), (SWAP, lanes):
        counters = first.counters(text)
        tool.expect(f"{text}: wavefronts", wavefronts, counters["wavefronts"])
        tool.expect(f"{text}: conflicts", wavefronts - len(warps), counters["conflicts"])
    return tool.finish("spread")


if __name__ == "__main__":
    sys.exit(main())
