"""Loads and stores of lanes that lie anyhow: every type and vector width, all lanes, half of them, a few and one,
each at a place of its own and all at one, through registers of 32 and 64 bits, against the same bytes in Python. So it is while
nothing is counted, and while everything is looked at."""

import random
import sys

import harness

LANES, ZONE = 32, 512  # bytes in which the lanes of a store have their places, 16 each
MASKS = [0xFFFFFFFF, 0x55A5F00F, 0x80020101, 0x00010000]
# Type, its elements, those whose values are looked at: of four of which only the last two are asked for, ptxas loads two. SPLIT: two
# accesses that ptxas makes one of in shared memory; it is counted at the upper element, from 4 bytes before it.
SPLIT = -2
TYPES = [("u8", 1, 1), ("s8", 1, 1), ("u16", 1, 1), ("s16", 1, 1), ("b32", 1, 1), ("b64", 1, 1)]
TYPES += [("b32", 2, 3), ("b32", SPLIT, 3), ("b32", 4, 15), ("b32", 4, 12), ("b64", 2, 3), ("u8", 4, 15)]
FACTORS = (1, 3, 5, 7)
UNTOUCHED = 0x5EED
SOURCE = random.Random(4)
DATA = SOURCE.randbytes(2 * ZONE)
PLACES = [16 * place for place in SOURCE.sample(range(LANES), LANES)]
SAME = 16 * 21


def bits_of(kind):
    return int(kind[1:])


def names(kind, count):
    return [f"%{'d' if bits_of(kind) == 64 else 'r'}{20 + i}" for i in range(abs(count))]


def instructions(label, guard, name, kind, registers, base, at, count):
    """The load or store of these registers, or, by lanes that go another way than the rest, of one after the other."""
    parts = [(".v%d" % len(registers) if len(registers) > 1 else "", "{" + ", ".join(registers) + "}", at)]
    if count == SPLIT:
        parts = [("", registers[1], at + 4), ("", registers[0], at)]
        parts = parts if name[:2] == "ld" else parts[::-1]
    lines = [f"@!%p{guard} bra {label};"] if count == SPLIT else []
    for vector, operand, place in parts:
        operand = operand if vector else operand.strip("{}")
        pair = f"{operand}, [{base}+{place}]" if name[:2] == "ld" else f"[{base}+{place}], {operand}"
        lines.append(f"{'' if count == SPLIT else f'@%p{guard} '}{name}{vector}.{kind} {pair};")
    return lines + [f"{label}:"] if count == SPLIT else lines


def loads():
    """(space, register with the address, whether all lanes have one, type, elements, those asked for, mask)"""
    for space, address in (("global", "%d"), ("shared", "%r"), ("shared", "%d")):
        for same in (False, True):
            for kind in TYPES:
                for mask in range(len(MASKS)):
                    yield space, address + ("11" if same else "10"), same, *kind, mask


def stores():
    for space, address in (("global", "%d"), ("shared", "%r"), ("shared", "%d")):
        for kind, count, asked in TYPES:
            for mask in range(len(MASKS)):
                if asked + 1 == 1 << abs(count):
                    yield space, address + "12", kind, count, mask


def load_lines(number, load):
    space, address, same, kind, count, asked, mask = load
    registers = names(kind, count)
    base = address if space == "global" else address.replace("1", "3", 1)
    lines = [f"mov.b{64 if register[1] == 'd' else 32} {register}, {UNTOUCHED};" for register in registers]
    lines += instructions(f"L{number}", mask, f"ld.{space}", kind, registers, base, 16 * (number % 4), count) + ["mov.b64 %d2, 0;"]
    for i, register in enumerate(registers):
        if asked >> i & 1:
            wide = register if register[1] == "d" else "%d3"
            lines += [f"cvt.u64.u32 %d3, {register};"] if register[1] != "d" else []
            lines.append(f"mad.lo.u64 %d2, {wide}, {FACTORS[i]}, %d2;")
    return lines + [f"st.global.b64 [%d4+{8 * LANES * number}], %d2;"]


def store_lines(number, store):
    space, address, kind, count, mask = store
    registers = names(kind, count)
    base = address if space == "global" else address.replace("1", "3", 1)
    lines = []
    for i, register in enumerate(registers):
        value = f"mad.lo.u32 %r3, %r1, 0x01030507, {0x13572468 * (number + i + 1) & 0xFFFFFFFF};"
        lines += [value, f"mov.b64 {register}, {{%r3, %r1}};" if register[1] == "d" else f"mov.b32 {register}, %r3;"]
    return lines + instructions(f"S{space}{number}", mask, f"st.{space}", kind, registers, base, ZONE * number, count)


def kernel():
    all_loads, all_stores = list(loads()), list(stores())
    shared = [number for number, store in enumerate(all_stores) if store[0] == "shared"]
    size = ZONE * len(all_stores)
    body = [f".shared .align 16 .b8 bytes[{len(DATA)}]; .shared .align 16 .b8 zones[{ZONE * len(shared)}];"]
    body += ["mov.u32 %r1, %tid.x; mul.wide.u32 %d5, %r1, 4; ld.param.u64 %d6, [places]; add.u64 %d6, %d6, %d5;"]
    body += ["ld.param.u64 %d7, [data]; ld.param.u64 %d8, [stored]; ld.param.u64 %d4, [out]; mul.wide.u32 %d5, %r1, 8;"]
    body += ["add.u64 %d4, %d4, %d5;"]
    # The same bytes in shared memory; zeros for what is stored.
    body += ["mul.wide.u32 %d5, %r1, 4; add.u64 %d9, %d7, %d5; mov.u32 %r2, bytes; mad.lo.u32 %r2, %r1, 4, %r2;"]
    body += [f"ld.global.b32 %r3, [%d9+{at}]; st.shared.b32 [%r2+{at}], %r3;" for at in range(0, len(DATA), 4 * LANES)]
    body += ["mov.u32 %r2, zones; mad.lo.u32 %r2, %r1, 4, %r2; mov.u32 %r3, 0; mov.u32 %r4, 0;", "CLEAR:"]
    body += [f"st.shared.b32 [%r2], %r3; add.u32 %r2, %r2, {4 * LANES}; add.u32 %r4, %r4, {4 * LANES};"]
    body += [f"setp.lt.u32 %p6, %r4, {ZONE * len(shared)}; @%p6 bra CLEAR; bar.sync 0;"]
    for number, mask in enumerate(MASKS):
        body.append(f"shr.u32 %r3, {mask}, %r1; and.b32 %r3, %r3, 1; setp.ne.u32 %p{number}, %r3, 0;")
    body += ["mov.u32 %r5, 0;", "TURN:", "ld.global.u32 %r40, [%d6]; mul.lo.u32 %r41, %r40, 16; cvt.u64.u32 %d5, %r41;"]
    body += [f"add.u64 %d10, %d7, %d5; add.u64 %d11, %d7, {SAME}; add.u64 %d12, %d8, %d5;"]
    # Registers of their own, or ptxas does not know that these are multiples of 16.
    body += [f"mov.u32 %r42, bytes; add.u32 %r30, %r42, %r41; add.u32 %r31, %r42, {SAME}; mov.u32 %r43, zones;"]
    body += ["add.u32 %r32, %r43, %r41;"]
    body += [f"cvt.u64.u32 %d3{i}, %r3{i};" for i in range(3)]
    for number, load in enumerate(all_loads):
        body += load_lines(number, load)
    for number, store in enumerate(all_stores):
        body += store_lines(shared.index(number) if store[0] == "shared" else number, store)
    body += ["add.u32 %r5, %r5, 1; setp.lt.u32 %p6, %r5, 3; @%p6 bra TURN; bar.sync 0;"]
    # What the zones of shared memory hold goes to where they would lie in global memory.
    body += ["mul.wide.u32 %d5, %r1, 4; add.u64 %d9, %d8, %d5; mov.u32 %r2, zones; mad.lo.u32 %r2, %r1, 4, %r2; mov.u32 %r4, 0;"]
    body += [f"add.u64 %d9, %d9, {ZONE * (len(all_stores) - len(shared))};", "COPY:", "ld.shared.b32 %r3, [%r2]; st.global.b32 [%d9], %r3;"]
    body += [f"add.u32 %r2, %r2, {4 * LANES}; add.u64 %d9, %d9, {4 * LANES}; add.u32 %r4, %r4, {4 * LANES};"]
    body += [f"setp.lt.u32 %p6, %r4, {ZONE * len(shared)}; @%p6 bra COPY; ret;"]
    text = harness.entry("scattered", {"data": "u64", "places": "u64", "stored": "u64", "out": "u64"}, "\n".join(body))
    return text, all_loads, all_stores, size


def loaded(number, load, lane):
    """What a lane puts into its word of `out`."""
    _, _, same, kind, count, asked, mask = load
    register = 8 if bits_of(kind) == 64 else 4
    width, total = bits_of(kind) // 8, 0
    for i in range(abs(count)):
        at = (SAME if same else PLACES[lane]) + 16 * (number % 4) + i * width
        value = int.from_bytes(DATA[at : at + width], "little", signed=kind[0] == "s") & (1 << 8 * register) - 1
        value = value if MASKS[mask] >> lane & 1 else UNTOUCHED
        total += FACTORS[i] * value if asked >> i & 1 else 0
    return total & (1 << 64) - 1


def stored_bytes(all_stores, size):
    memory = bytearray(size)
    shared = [number for number, store in enumerate(all_stores) if store[0] == "shared"]
    for number, (space, _, kind, count, mask) in enumerate(all_stores):
        place = shared.index(number) if space == "shared" else number
        zone = ZONE * (place + (len(all_stores) - len(shared) if space == "shared" else 0))
        for lane in range(LANES):
            for i in range(abs(count) if MASKS[mask] >> lane & 1 else 0):
                value = (lane * 0x01030507 + 0x13572468 * (place + i + 1)) & 0xFFFFFFFF
                at, width = zone + PLACES[lane], bits_of(kind) // 8
                value |= lane << 32
                memory[at + i * width : at + (i + 1) * width] = (value & (1 << 8 * width) - 1).to_bytes(width, "little")
    return list(memory)


def main():
    tool = harness.Tool(sys.argv[1])
    text, all_loads, all_stores, size = kernel()
    assert [s[0] == "shared" for s in all_stores] == sorted(s[0] == "shared" for s in all_stores)
    arguments = [harness.Array("u8", list(DATA)), harness.Array("u32", [place // 16 for place in PLACES]), f"u8[{size}]=0", f"u64[{LANES * len(all_loads)}]=0"]
    out = [loaded(number, load, lane) for number, load in enumerate(all_loads) for lane in range(LANES)]
    for options in ([], ["--no-profile"], ["--sanitize=all"]):
        outcome = tool.run(harness.HEAD + text, "scattered", 1, LANES, arguments, options=options)
        where = f"scattered {' '.join(options)}"
        tool.expect(f"{where}: exit status", (0, ""), (outcome.status, outcome.output))
        if outcome.status:
            continue
        tool.expect(f"{where}: loaded", out, outcome.arrays[3])
        tool.expect(f"{where}: stored", stored_bytes(all_stores, size), outcome.arrays[2])
    sys.exit(tool.finish("scattered"))


if __name__ == "__main__":
    main()
