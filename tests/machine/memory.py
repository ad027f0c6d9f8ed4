"""Loads, stores, atomics, what lanes do together, and matrix products as machine code: kernels with each of them are executed as
PTX and as what ptxas makes of them (--machine-code require), for each GPU of gpus.py, and must leave the same, bit by bit.

    memory.py WARPLENS [--gpus a100,h100] [NAME …]      with names, only those kernels

A row of KERNELS is the body of a kernel: %in and %out are the thread's 256 bytes of the arrays, %t its number in the block, %w
its word of 64 in shared memory, %a %b %c and %A %B words of its input; it stores behind %out."""

import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "exec"))
import gpus
import harness

BLOCK, GRID, BYTES = 64, 2, 256
GPUS = gpus.chosen()
KERNELS = {}
REFUSED = {"mma 36 m16n8k64": "MOVM.U4TO8", "mma 42 m16n8k256": "MOVM.U4TO8"}  # from sm_100 on: the instruction


def row(name, body, since=80, alone=0):
    """since: the oldest architecture; alone: the only one, by its own target (sm_100a)."""
    KERNELS[name] = (body, alone or since, alone)


def stores(names, at=0):
    return "".join(f"st.global.u32 [%out+{at + 4 * i}], {name}; " for i, name in enumerate(names))


# ---- loads and stores ----

WIDTHS = ["u8", "s8", "u16", "s16", "b32", "b64", "v2.b32", "v4.b32", "v2.b64", "v2.u16", "v4.u8"]


def moved(width):
    """Registers of one access: "%h0", "{%r0, %r1}"."""
    count, kind = (int(width[1]), width[3:]) if width[0] == "v" else (1, width)
    letter = {"b32": "r", "b64": "d"}.get(kind, "h")
    names = [f"%{letter}{i}" for i in range(count)]
    return names[0] if count == 1 else "{" + ", ".join(names) + "}"


def rows_of_accesses():
    for space in ("global", "shared", "local", "generic"):
        for half in (WIDTHS[:6], WIDTHS[6:]):
            body = ""
            at = {"global": "%out+128", "shared": "%w", "local": "%l", "generic": "%g"}[space]
            if space == "local":
                body += "mov.u64 %L, frame; and.b64 %M, %A, 48; add.u64 %l, %L, %M; "
            if space == "generic":
                body += "cvt.u64.u32 %L, %w; cvta.shared.u64 %L, %L; setp.lt.u32 %p, %a, 0x80000000; add.u64 %M, %out, 128;"
                body += "selp.b64 %g, %L, %M, %p; "
            dotted = "" if space == "generic" else f".{space}"
            for i, width in enumerate(half):
                body += f"ld.global.{width} {moved(width)}, [%in+{16 * i}]; st{dotted}.{width} [{at}], {moved(width)}; "
                body += f"ld{dotted}.{width} {moved(width)}, [{at}]; st.global.{width} [%out+{16 * i}], {moved(width)};\n"
            row(f"{space} {half[0]} …", body)
    body = "and.b32 %r0, %a, 60; cvt.u64.u32 %L, %r0; mov.u64 %M, table; cvta.const.u64 %M, %M; add.u64 %L, %L, %M; ld.u32 %r1, [%L];"
    body += "cvta.to.const.u64 %L, %L; ld.const.u32 %r2, [%L]; isspacep.const %p, %M; selp.u32 %r3, 1, 0, %p; isspacep.const %p, %out;"
    row("constants as generic", body + f"selp.u32 %r4, 1, 0, %p; mov.u64 %A, %gridid; cvt.u32.u64 %r5, %A; {stores(['%r1', '%r2', '%r3', '%r4', '%r5'])}")
    body = "and.b32 %r0, %b, 60; cvt.u64.u32 %L, %r0; mov.b64 %M, many; cvta.param.u64 %M, %M; add.u64 %L, %L, %M; ld.u32 %r1, [%L];"
    row("parameters as generic", body + f"ld.u32 %r2, [%M+68]; {stores(['%r1', '%r2'])}", since=70)
    qualifiers = ("volatile.global", "relaxed.gpu.global", "relaxed.sys.global", "acquire.gpu.global", "global.nc", "global.cg",
                  "global.cv", "global.L1::no_allocate.L2::128B", "global.L1::evict_last", "volatile.shared")  # fmt: skip
    body = "st.shared.b32 [%w], %a; "
    for i, words in enumerate(qualifiers):
        body += f"ld.{words}.b32 %r0, [{'%w' if 'shared' in words else f'%in+{4 * i}'}]; {stores(['%r0'], 4 * i)}\n"
    body += "st.release.gpu.global.b32 [%out+60], %a; st.volatile.global.v2.b32 [%out+64], {%b, %c}; membar.sys; fence.acq_rel.gpu;"
    row("qualifiers", body)
    row("constants", "and.b32 %r0, %a, 60; mov.u32 %r1, %ctaid.x; shl.b32 %r1, %r1, 3; cvt.u64.u32 %L, %r0; mov.u64 %M, table;"
        " add.u64 %L, %L, %M; ld.const.b32 %r2, [%L]; ld.const.s8 %r3, [%L+3]; ld.const.u16 %r4, [%L+2]; cvt.u64.u32 %g, %r1;"
        " add.u64 %g, %g, %M; ld.const.v2.b32 {%r5, %r6}, [%g]; mov.u64 %M, other; and.b64 %A, %A, 7; shl.b64 %A, %A, 3;"
        " add.u64 %M, %M, %A; ld.const.b64 %d0, [%M]; st.global.b64 [%out+64], %d0; mov.b64 %M, many; add.u64 %M, %M, %A;"
        " ld.param.b32 %r7, [%M+4]; ld.const.b32 %r8, [table+8]; ld.const.s16 %r9, [other+14]; "
        + stores([f"%r{i}" for i in range(10)]))  # fmt: skip
    row("windows", "cvt.u64.u32 %L, %w; cvta.shared.u64 %L, %L; setp.lt.u32 %p, %a, 0x80000000; selp.b64 %g, %L, %out, %p;"
        " isspacep.shared %q, %g; selp.u32 %r0, 1, 2, %q; isspacep.local %q, %g; selp.u32 %r1, 1, 2, %q; mov.u64 %L, frame;"
        " cvta.local.u64 %L, %L; isspacep.local %q, %L; selp.u32 %r2, 1, 2, %q; st.u32 [%L+8], %b; ld.u32 %r3, [%L+8]; "
        + stores(["%r0", "%r1", "%r2", "%r3"]))  # fmt: skip
    copies = (("ca", 4, ""), ("ca", 8, ""), ("ca", 16, ""), ("cg", 16, ""), ("ca", 4, ", %r1"), ("ca", 8, ", %r2"),
              ("cg", 16, ", %r3"), ("ca", 16, ", 12"), ("cg", 16, ", %p"), ("ca", 4, ", %q"))  # fmt: skip
    body = "and.b32 %r1, %a, 3; add.u32 %r1, %r1, 1; and.b32 %r2, %b, 7; and.b32 %r3, %c, 15; setp.lt.u32 %p, %a, 0x80000000;"
    body += " not.pred %q, %p;\n"
    for i, (cache, size, tail) in enumerate(copies):
        body += f"st.shared.v4.b32 [%w], {{%a, %b, %c, %a}}; cp.async.{cache}.shared.global [%w], [%in+{16 * i}], {size}{tail};"
        body += " cp.async.commit_group; cp.async.wait_group 0; ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%w];"
        body += f" st.global.v4.b32 [%out+{16 * i}], {{%r4, %r5, %r6, %r7}};\n"
    row("copies", body)


# ---- atomics ----

OPERATIONS = [(op, kind) for op in ("and", "or", "xor", "exch") for kind in ("b32", "b64")]
OPERATIONS += [(op, kind) for op in ("min", "max") for kind in ("u32", "s32", "u64", "s64")]
OPERATIONS += [("add", kind) for kind in ("u32", "s32", "u64", "f32", "f64")] + [("inc", "u32"), ("dec", "u32")]
OPERATIONS += [("add.noftz", "f16x2"), ("cas", "b32"), ("cas", "b64")]


def rows_of_atomics():
    """Each lane on a word of its own, for the lanes' order is nobody's; then sums that have none."""
    for space in ("global", "shared", "generic"):
        for op, kind in OPERATIONS:
            at = {"global": "%M", "shared": "%w", "generic": "%g"}[space]
            dotted = "" if space == "generic" else f".{space}"
            wide, letter = kind in ("u64", "s64", "b64", "f64"), {"f32": "f", "f64": "e"}.get(kind, "")
            letter = letter or ("d" if wide else "r")
            bits = "b64" if wide else "b32"
            body = "add.u64 %M, %out, 128; st.global.b64 [%M], %A; st.shared.b64 [%w], %A; cvt.u64.u32 %L, %w;"
            body += " cvta.shared.u64 %L, %L; setp.lt.u32 %p, %c, 0x80000000; selp.b64 %g, %L, %M, %p;\n"
            for i, given in enumerate(("%B", "1")):
                if given == "1" and op == "cas":
                    continue
                operand = f"%{letter}1"
                body += f"mov.b64 %d5, {given}; cvt.u32.u64 %r5, %d5; mov.b64 %e1, %d5; mov.b32 %f1, %r5; mov.b64 %d1, %d5;"
                body += " mov.b32 %r1, %r5; "
                if kind == "f16x2":  # of half a register of 64 bits ptxas 13.0 takes the wrong halves
                    operand = ("%b", "%c")[i]
                if op == "cas":
                    operand = "%A, %B" if wide else "%a, %b"
                body += f"atom{dotted}.{op}.{kind} %{letter}0, [{at}], {operand}; st.global.{bits} [%out+{16 * i}], %{letter}0; "
                if op not in ("exch", "cas"):
                    body += f"red{dotted}.{op}.{kind} [{at}], {operand}; "
                body += f"ld{dotted}.b64 %d2, [{at}]; st.global.b64 [%out+{16 * i + 8}], %d2;\n"
            row(f"{space} {op} {kind}", body)
    for kind, register in (("u32", "%a"), ("u64", "%A"), ("s32", "%b"), ("f32", "%f0"), ("f64", "%e0")):
        step = 8 if kind in ("u64", "f64") else 4
        body = "cvt.rn.f32.u32 %f0, %t; cvt.rn.f64.u32 %e0, %t; mov.u32 %r0, words; st.shared.b64 [%w], 0; bar.sync 0;"
        for lanes in (1, 3, 7):
            body += f" and.b32 %r1, %t, {lanes}; mad.lo.u32 %r1, %r1, {step}, %r0; red.shared.add.{kind} [%r1], {register};"
        body += " red.shared.add.u32 [%r0+512], 1; @%odd red.shared.add.u32 [%r0+512], 3; bar.sync 0; ld.shared.b32 %r2, [%r0+512];"
        body += " ld.shared.b64 %d0, [%w]; st.global.b64 [%out], %d0; st.global.b32 [%out+8], %r2;"
        row(f"shared sums {kind}", body)


VECTORS = [("add", "v2.f32"), ("add", "v4.f32")]
VECTORS += [(op, f"{v}.{t}") for t in ("f16", "bf16") for op in ("add", "min", "max") for v in ("v2", "v4", "v8")]
VECTORS += [(op, f"{v}.{t}x2") for t in ("f16", "bf16") for op in ("add", "min", "max") for v in ("v2", "v4")]


def vector_atomics(number, space, op, kind):
    """What is returned, then what is in memory: 32 bytes of the output."""
    count, element = int(kind[1]), kind[3:]
    letter, bits, step = {"f32": ("f", "f32", 4), "f16": ("h", "b16", 2), "bf16": ("h", "b16", 2)}.get(element, ("r", "b32", 4))
    given, got = ([f"%{letter}{first + i}" for i in range(count)] for first in (0, 8))
    name = f"{space}.{op}{'' if letter == 'f' else '.noftz'}.{kind}"
    body = "st.global.v4.b32 [%M], {%a, %b, %c, %a}; "
    body += "".join(f"ld.global.{bits} {one}, [%in+{32 + step * i}]; " for i, one in enumerate(given))
    body += f"atom{name} {{{', '.join(got)}}}, [%M], {{{', '.join(given)}}}; red{name} [%M], {{{', '.join(given)}}}; "
    body += "".join(f"st.global.{bits} [%out+{32 * number + step * i}], {one}; " for i, one in enumerate(got))
    return body + f"ld.global.v2.b64 {{%d0, %d1}}, [%M]; st.global.v2.b64 [%out+{32 * number + 16}], {{%d0, %d1}};\n"


def rows_of_vector_atomics():
    for space in (".global", ""):
        for start in range(0, len(VECTORS), 7):
            group = VECTORS[start : start + 7]
            body = "".join(vector_atomics(i, space, *words) for i, words in enumerate(group))
            row(f"{space or '.generic'} vectors {start}", "add.u64 %M, %out, 240;\n" + body, since=90)


# ---- what lanes do together ----


def rows_of_warps():
    body = ""
    for i, (mode, clamp) in enumerate((("idx", 31), ("up", 0), ("down", 31), ("bfly", 31), ("idx", 0x181F), ("up", 0x1800))):
        body += f"shfl.sync.{mode}.b32 %r{i}|%p, %a, {3 + i}, {clamp}, -1; selp.b32 %r8, 1, 0, %p; {stores([f'%r{i}', '%r8'], 8 * i)}"
        body += f"shfl.sync.{mode}.b32 %r{i}|%p, %b, %c, {clamp}, -1; {stores([f'%r{i}'], 64 + 4 * i)}\n"
    row("shuffles", body)
    body = "setp.lt.s32 %p, %a, 0; "
    for i, mode in enumerate(("all", "any", "uni")):
        body += f"vote.sync.{mode}.pred %q, %p, -1; selp.u32 %r{i}, 1, 0, %q; "
    body += "vote.sync.ballot.b32 %r3, %p, -1; vote.sync.ballot.b32 %r4, !%p, -1; and.b32 %r9, %a, 3; and.b64 %M, %A, 3;"
    body += " match.any.sync.b32 %r5, %r9, -1; match.any.sync.b64 %r6, %M, -1; match.all.sync.b32 %r7|%q, %r9, -1; activemask.b32 %r8; "
    body += stores([f"%r{i}" for i in range(9)])
    for i, words in enumerate(("add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32")):
        body += f"redux.sync.{words} %r0, %b, -1; {stores(['%r0'], 64 + 4 * i)}"
    row("votes", body)
    body = "mov.u64 %L, 0; "
    for i, words in enumerate((m + a + n for m in ("min", "max") for a in ("", ".abs") for n in ("", ".NaN"))):
        body += f"mov.b32 %f0, {'%b' if i < 4 else '%t'}; redux.sync.{words}.f32 %f1, %f0, -1; st.global.f32 [%out+{4 * i}], %f1;"
    row("least floats", body, alone=100)
    row("elect", "elect.sync %r0|%p, -1; selp.u32 %r1, 1, 0, %p; " + stores(["%r0", "%r1"]), since=90)
    body = "and.b32 %r9, %t, 1; setp.lt.s32 %p, %a, 0; bar.red.popc.u32 %r0, 0, %p; bar.red.popc.u32 %r1, 1, 64, !%p;"
    body += " bar.red.and.pred %q, 2, %p; selp.u32 %r2, 1, 0, %q; bar.red.or.pred %q, 3, 64, %p; selp.u32 %r3, 1, 0, %q;"
    body += " ld.param.u32 %r4, [number]; st.shared.u32 [%w], %a; bar.sync %r4; bar.sync %r4, 64; barrier.sync 7, 64;"
    body += " mov.u32 %r5, %tid.x; xor.b32 %r5, %r5, 33; mov.u32 %r6, words; mad.lo.u32 %r6, %r5, 64, %r6; ld.shared.u32 %r5, [%r6];"
    body += " shr.u32 %r7, %t, 5; setp.eq.u32 %q, %r7, 0; @%q bra FIRST; bar.arrive 5, 64; bra SECOND; FIRST: bar.sync 5, 64; SECOND: "
    row("barriers", body + stores([f"%r{i}" for i in range(6)]))
    # arrivals that do not end the phase, and others; the phase that they end
    body = "mov.u32 %r0, gate; setp.ne.u32 %p, %t, 0; @%p bra READY; mbarrier.init.shared.b64 [%r0], 320; READY: bar.sync 0; mov.u32 %r1, 2;"
    body += " mbarrier.arrive.noComplete.shared.b64 %d0, [%r0], %r1; mbarrier.pending_count.b64 %r2, %d0; setp.lt.u32 %q, %r2, 193; "
    body += " bar.sync 0; mbarrier.arrive_drop.noComplete.shared.b64 %d1, [%r0], 1; mbarrier.pending_count.b64 %r3, %d1; setp.lt.u32 %p, %r3, 129;"
    body += " selp.u32 %r2, 1, 2, %q; selp.u32 %r3, 1, 2, %p; bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p, [%r0], 0; bar.sync 0;"
    body += " mbarrier.arrive.shared.b64 %d2, [%r0]; mbarrier.arrive.shared.b64 %d2, [%r0]; bar.sync 0;"
    body += " mbarrier.test_wait.parity.shared.b64 %q, [%r0], 0; selp.u32 %r4, 1, 2, %p; selp.u32 %r5, 1, 2, %q; "
    row("arrivals", body + stores(["%r2", "%r3", "%r4", "%r5"]), since=90)
    row("apart", "setp.lt.u32 %p, %t, 40; and.b32 %r9, %t, 7; mov.u32 %r0, 0; @%odd bra ODD; LOOP: add.u32 %r0, %r0, %a;"
        " sub.u32 %r9, %r9, 1; setp.gt.s32 %q, %r9, 0; @%q bra LOOP; bra MEET; ODD: xor.b32 %r0, %b, 5; MEET: bar.warp.sync -1;"
        " shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; " + stores(["%r0", "%r1"]))  # fmt: skip


# ---- matrices ----

SIZES = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "b1": 1, "f64": 64}
SIZES.update(e4m3=8, e5m2=8)
PRODUCTS = [(shape, d, a, a, "", "") for shape in ("m16n8k8", "m16n8k16") for d, a in (("f16", "f16"), ("f32", "f16"), ("f32", "bf16"))]
PRODUCTS += [(shape, "f32", "tf32", "tf32", "", "") for shape in ("m16n8k4", "m16n8k8")]
PRODUCTS += [(shape, "s32", a, b, sat, "") for shape in ("m8n8k16", "m16n8k16", "m16n8k32") for a in ("u8", "s8") for b in ("u8", "s8")
             for sat in ("", ".satfinite")]  # fmt: skip
PRODUCTS += [(shape, "s32", a, b, "", "") for shape in ("m8n8k32", "m16n8k32", "m16n8k64") for a, b in (("u4", "s4"), ("s4", "u4"))]
PRODUCTS += [(shape, "s32", "b1", "b1", "", end) for shape in ("m8n8k128", "m16n8k128", "m16n8k256") for end in (".xor.popc", ".and.popc")]
PRODUCTS += [("m8n8k4", "f64", "f64", "f64", way, "") for way in (".rn", ".rz", ".rm", ".rp")]
EIGHTHS = [("m16n8k32", "f32", "e4m3", "e5m2", "", ""), ("m16n8k16", "f16", "e5m2", "e5m2", "", ""), ("m16n8k32", "f16", "e4m3", "e4m3", "", "")]
SPARSE = [(shape, d, a) for shape in ("m16n8k16", "m16n8k32") for d, a in (("f16", "f16"), ("f32", "f16"), ("f32", "bf16"))]
SPARSE += [(shape, "f32", "tf32") for shape in ("m16n8k8", "m16n8k16")] + [(shape, "s32", "s8") for shape in ("m16n8k32", "m16n8k64")]


def fragment(kind, elements, start):
    """Registers from number `start` on that hold a lane's share, and what loads them."""
    size = 64 if kind == "f64" else 32
    letter = {"f32": "f", "f64": "e"}.get(kind, "r")
    names = [f"%{letter}{start + i}" for i in range(elements * SIZES[kind] // (size * 32))]
    loads = "".join(f"ld.global.{'f' if letter in 'fe' else 'b'}{size} {name}, [%in+{size // 8 * i + 4 * start}]; "
                    for i, name in enumerate(names))  # fmt: skip
    return "{" + ", ".join(names) + "}", loads, names, size // 8


def product(number, shape, d, a, b, middle, end, sparse=False):
    m, n, k = (int(word) for word in shape[1:].replace("n", " ").replace("k", " ").split())
    of_a, load_a, _, _ = fragment(a, m * k // (2 if sparse else 1), 0)
    of_b, load_b, _, _ = fragment(b, k * n, 8)
    of_c, load_c, _, _ = fragment(d, m * n, 16)
    of_d, _, names, size = fragment(d, m * n, 24)
    mma = f"mma{'.sp' if sparse else ''}.sync.aligned.{shape}.row.col{middle}.{d}.{a}.{b}.{d}{end}"
    body = load_a + load_b + load_c + f"{mma} {of_d}, {of_a}, {of_b}, {of_c}{', %a, 0x0' if sparse else ''};\n"
    kind = {"f32": "f32", "f64": "f64"}.get(d, "b32")
    return body + "".join(f"st.global.{kind} [%out+{16 * number + size * i}], {name}; " for i, name in enumerate(names))


def rows_of_matrices():
    for start in range(0, len(PRODUCTS), 6):
        group = PRODUCTS[start : start + 6]
        row(f"mma {start} {group[0][0]}", "".join(product(i, *words) for i, words in enumerate(group)))
    row("mma of eighths", "".join(product(i, *words) for i, words in enumerate(EIGHTHS)), since=90)
    row("mma.sp of eighths", product(0, "m16n8k64", "f32", "e4m3", "e4m3", "", "", sparse=True), since=120)
    row("mma.sp", "".join(product(i, shape, d, a, a, "", "", sparse=True) for i, (shape, d, a) in enumerate(SPARSE)))
    body = "st.shared.v4.b32 [%w], {%a, %b, %c, %t}; bar.sync 0; mov.u32 %r0, %laneid; mov.u32 %r1, words; mad.lo.u32 %r1, %r0, 64, %r1;\n"
    for i, (count, trans) in enumerate((c, t) for c in (1, 2, 4) for t in ("", ".trans")):
        names = [f"%r{2 + j}" for j in range(count)]
        body += f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{', '.join(names)}}}, [%r1]; {stores(names, 16 * i)}"
        body += f"movmatrix.sync.aligned.m8n8.trans.b16 %r9, %r2; {stores(['%r9'], 128 + 4 * i)}\n"
    row("ldmatrix", body)
    body = "mov.u32 %r0, %laneid; mov.u32 %r1, words; mad.lo.u32 %r1, %t, 64, %r1; st.shared.v4.b32 [%w], {%t, %t, %t, %t};\n"
    for i, (count, trans) in enumerate((c, t) for c in (1, 2, 4) for t in ("", ".trans")):
        names = ["%a", "%b", "%c", "%t"][:count]
        body += f"bar.sync 0; stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r1], {{{', '.join(names)}}}; bar.sync 0;"
        body += f" ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [%w]; {stores(['%r4', '%r5', '%r6', '%r7'], 16 * i)}\n"
    row("stmatrix", body, since=90)


def rows_of_pairs():
    """Sums and products of two floats at once: as they lie, crossed, one for both, with signs, and numbers."""
    body = "mov.b64 {%f0, %f1}, %A; mov.b64 {%f2, %f3}, %B; mov.b64 %d0, {%f1, %f0}; mov.b64 %d1, {%f1, %f1}; neg.f32 %f4, %f0; neg.f32 %f5, %f1;"
    body += " mov.b64 %d2, {%f4, %f5}; abs.f32 %f4, %f0; abs.f32 %f5, %f1; mov.b64 %d3, {%f4, %f5}; mov.b64 %d4, {0f40400000, 0f40400000};"
    body += " mov.b64 %d5, {0f3f800000, 0fc0200000}; ld.global.b64 %M, [%in+48]; mov.b64 %L, {0fc0400000, 0f3fc00000}; "
    at = 0
    for first in ("%A", "%d0", "%d1", "%d2", "%d3", "%d4", "%d5", "%L"):
        rounding = (".rn", ".rz.ftz", ".rp", ".rm.ftz")[at // 8 % 4]
        for text in (f"add{rounding}.f32x2 %d6, {first}, %B", f"mul{rounding}.f32x2 %d6, %B, {first}", f"fma{rounding}.f32x2 %d6, {first}, %B, %M",
                     f"fma{rounding}.f32x2 %d6, %B, %M, {first}"):  # fmt: skip
            body += f"{text}; st.global.b64 [%out+{at}], %d6;\n"
            at += 8
    row("pairs of floats", body, since=100)
    body = "mov.b64 {%f0, %f1}, %A; mov.b64 {%f2, %f3}, %B; neg.f32 %f4, %f0; neg.f32 %f5, %f1; mov.b64 %d1, {%f2, %f2}; ld.global.b64 %M, [%in+48];\n"
    for at, (low, high) in enumerate((("%f5", "%f0"), ("%f1", "%f4"), ("%f4", "%f1"), ("%f0", "%f5"), ("%f5", "%f4"))):
        body += f"mov.b64 %d0, {{{low}, {high}}};\n"
        for i, text in enumerate(("add.f32x2 %d6, %d0, %B", "mul.f32x2 %d6, %d0, %d1", "fma.rn.f32x2 %d6, %d0, %d1, %M", "fma.rn.f32x2 %d6, %B, %d1, %d0")):
            body += f"{text}; st.global.b64 [%out+{8 * (4 * at + i)}], %d6;\n"
    row("one of two negative", body, since=100)


def rows_of_widest():
    """Loads and stores of 32 bytes."""
    ways = ((".v8.b32", [f"%r{i}" for i in range(8)]), (".v8.f32", [f"%f{i}" for i in range(8)]), (".v4.b64", ["%d0", "%d1", "%d2", "%d3"]))
    body = ""
    for at, (kind, names) in enumerate(ways):
        body += f"ld.global{'.nc' if at == 1 else ''}{kind} {{{', '.join(names)}}}, [%in+{32 * at}];\n"
        body += f"st.global{kind} [%out+{64 * at}], {{{', '.join(names)}}}; st.global{kind} [%out+{64 * at + 32}], {{{', '.join(names[::-1])}}};\n"
    row("32 bytes", body, since=100)


def module(body, arch, letter):
    return f"""{gpus.head(arch, letter)}
.const .align 8 .b32 table[20] = {{{", ".join(str(i * 0x9E3779B1 % 2**32) for i in range(20))}}};
.const .align 8 .b64 other[8] = {{{", ".join(str(i * 0x9E3779B97F4A7C15 % 2**63) for i in range(8))}}};
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 number, .param .align 8 .b8 many[72])
{{
.reg .pred %p, %q, %odd; .reg .b16 %h<16>; .reg .b32 %r<32>, %a, %b, %c, %t, %w, %id; .reg .f32 %f<32>; .reg .f64 %e<32>;
.reg .b64 %d<8>, %A, %B, %in, %out, %L, %M, %l, %g;
.shared .align 8 .b64 gate;
.shared .align 16 .b8 words[{64 * BLOCK}];
.local .align 16 .b8 frame[64];
ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %id, %ctaid.x; mad.lo.u32 %id, %id, {BLOCK}, %t;
mad.wide.u32 %in, %id, {BYTES}, %in; mad.wide.u32 %out, %id, {BYTES}, %out; mov.u32 %w, words; mad.lo.u32 %w, %t, 64, %w;
ld.global.v4.b32 {{%a, %b, %c, %id}}, [%in]; ld.global.v2.b64 {{%A, %B}}, [%in+16]; and.b32 %id, %t, 1; setp.ne.u32 %odd, %id, 0;
{body}
ret;
}}
"""


def compare(tool, name, gpu):
    text = module(KERNELS[name][0], GPUS[gpu], "a" if KERNELS[name][2] else "")
    source = random.Random(f"{name} {gpu}")
    words = [source.getrandbits(32) for _ in range(GRID * BLOCK * BYTES // 4)]
    arguments = [harness.Array("u32", words), f"u32[{len(words)}]=0", "u32=4", "bytes=" + bytes(range(72)).hex()]
    outcomes = []
    for use in ("off", "require"):
        options = ["--gpu", gpu, "--machine-code", use]
        outcomes.append(tool.run(text, "k", GRID, BLOCK, list(arguments), options, every=False))
    ptx, machine = outcomes
    if machine.status and GPUS[gpu] >= 100 and REFUSED.get(name, "?") in machine.output:
        return
    if ptx.status or machine.status:
        tool.fail(f"{name}, {gpu}: {(ptx.output + machine.output).strip()}")
        return
    expected, actual = ptx.arrays[1], machine.arrays[1]
    for i, (old, new) in enumerate(zip(expected, actual)):
        if old != new:
            thread, word = divmod(i, BYTES // 4)
            tool.fail(f"{name}, {gpu}: word {word} of thread {thread} is {new:#x}, and {old:#x} as PTX")
            return
    if not any(expected):
        tool.fail(f"{name}, {gpu}: nothing was stored")


def main():
    if not shutil.which("ptxas") or not shutil.which("nvdisasm"):
        print("skipped: there is no ptxas, or no nvdisasm")
        sys.exit(77)
    for rows in (rows_of_accesses, rows_of_atomics, rows_of_vector_atomics, rows_of_warps, rows_of_pairs, rows_of_widest, rows_of_matrices):
        rows()
    tool = harness.Tool(sys.argv[1])
    for gpu, arch in GPUS.items():
        for name, (_, since, alone) in KERNELS.items():
            if since <= arch and alone in (0, arch) and (name in sys.argv[2:] or len(sys.argv) == 2):
                compare(tool, name, gpu)
    sys.exit(tool.finish("memory"))


if __name__ == "__main__":
    main()
