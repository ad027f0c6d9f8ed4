"""Integer instructions as machine code: kernels with each of them are executed as PTX and as what ptxas makes of them
(--machine-code require), for each GPU of gpus.py, and must leave the same, bit by bit.

    integers.py WARPLENS [--gpus a100,h100] [NAME …]      with names, only those rows; PTX that differs is printed

A row of BODIES is PTX on %a %b %c (32 bits) and %A %B %C (64 bits, of the same numbers' low words); its results are %d %e %f
and %D %E %F. It is compiled four times: with operands that differ from lane to lane, with %b a parameter, with all the same
for a block (which sm_90 computes once for a warp), and with %b a constant."""

import pathlib
import random
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "exec"))
import gpus
import harness

BLOCK, GRID, GROUP = 64, 4, 12
SLOT = 48  # bytes of a thread's results
GPUS = gpus.chosen()
BORDERS = [0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
           0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x55555555, 0xAAAAAAAA, 0x12345678, 0xFFFF8000,
           0x80FF7F01, 0xF0000000]  # fmt: skip

LOADS = {
    "lanes": "ld.global.u64 %A, [%pa]; ld.global.u64 %B, [%pb]; ld.global.u64 %C, [%pc];",
    "param": "ld.global.u64 %A, [%pa]; ld.param.u64 %B, [kb]; ld.global.u64 %C, [%pc];",
    "block": "ld.param.u64 %A, [ka]; ld.param.u64 %B, [kb]; ld.param.u64 %C, [kc]; mov.u32 %e, %ctaid.x;"
    " mul.wide.u32 %E, %e, 0x9e3779b1; add.u64 %A, %A, %E; xor.b64 %C, %C, %E;",
    "constant": "ld.global.u64 %A, [%pa]; mov.u64 %B, CONSTANT; ld.global.u64 %C, [%pc];",
}
CONSTANTS = [-12345678901, 7, 0x80000000, 33]

BODIES = {}


def row(name, body, since=80):
    BODIES[name] = (body, since)


def rows_of_32_bits(t):
    for op in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
        row(f"{op}.{t}", f"{op}.{t} %d, %a, %b;")
    for op in ("mad.lo", "mad.hi", "sad"):
        row(f"{op}.{t}", f"{op}.{t} %d, %a, %b, %c;")
    row(f"bfe.{t}", f"bfe.{t} %d, %a, %b, %c; bfe.{t} %e, %a, 5, 13; bfe.{t} %f, %b, 0, 16;")
    row(f"bfind.{t}", f"bfind.{t} %d, %a; bfind.shiftamt.{t} %e, %b; bfind.{t} %f, %c;")
    row(f"shr.{t}", f"shr.{t} %d, %a, %b; shr.{t} %e, %a, 7; shr.{t} %f, %b, %c;")
    row(f"szext.{t}", f"szext.clamp.{t} %d, %a, %c; szext.wrap.{t} %e, %a, %c; szext.wrap.{t} %f, %b, %c;")
    row(f"sums.{t}", f"add.{t} %d, %a, %b; sub.{t} %e, %d, %c; add.{t} %d, %d, %e; neg.s32 %e, %e; sub.{t} %f, 5, %a;")
    row(f"wide.{t}", f"mul.wide.{t} %D, %a, %b; mad.wide.{t} %E, %b, %c, %A; mul.wide.{t} %F, %a, 0x6789;")
    row(f"minmax.{t}", f"min.{t} %d, %a, %b; max.{t} %d, %d, %c; max.{t} %e, %a, %b; max.{t} %e, %e, %c; min.{t} %f, %c, 40;")
    row(f"addmin.{t}", f"add.{t} %d, %a, %b; min.{t} %d, %d, %c; add.{t} %e, %a, %c; max.{t} %e, %e, %b;"
        f" sub.{t} %f, %a, %c; max.{t} %f, %f, 9;")  # fmt: skip
    row(f"dp4a.{t}", f"dp4a.{t}.{t} %d, %a, %b, %c; dp4a.{t}.u32 %e, %a, %b, %c; dp4a.s32.{t} %f, %a, %b, %c;")
    row(f"dp2a.{t}", f"dp2a.lo.{t}.s32 %d, %a, %b, %c; dp2a.hi.{t}.u32 %e, %a, %b, %c; dp2a.lo.u32.{t} %f, %a, %b, %c;")
    row(f"mul24.{t}", f"mul24.lo.{t} %d, %a, %b; mad24.hi.{t} %e, %a, %b, %c; mad24.lo.{t} %f, %a, %b, %c;")


def rows_of_64_bits(t):
    for op in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
        row(f"{op}.{t}", f"{op}.{t} %D, %A, %B;")
    for op in ("mad.lo", "mad.hi", "sad"):
        row(f"{op}.{t}", f"{op}.{t} %D, %A, %B, %C;")
    row(f"shr.{t}", f"shr.{t} %D, %A, %b; shr.{t} %E, %A, 7; shr.{t} %F, %A, 41; add.u64 %E, %E, %F; shr.{t} %F, %A, 32;")
    row(f"bfind.{t}", f"bfind.{t} %d, %A; bfind.shiftamt.{t} %e, %B;")
    row(f"bfe.{t}", f"bfe.{t} %D, %A, %b, %c;")
    row(f"sums.{t}", "add.u64 %D, %A, %B; add.u64 %D, %D, %C; sub.u64 %E, %A, %B; sub.u64 %E, %E, %C; sub.u64 %F, %C, %A;"
        " add.u64 %F, %F, %B;")  # fmt: skip


def rows_of_comparisons():
    for bits, kinds, r in ((32, ("u32", "s32"), "abcdef"), (64, ("u64", "s64"), "ABCDEF")):
        a, b, c, d, e, _ = ("%" + letter for letter in r)
        for t in kinds:
            for op in ("eq", "ne", "lt", "le", "gt", "ge"):
                row(f"setp.{op}.{t}",
                    f"setp.{op}.{t} %p, {a}, {b}; setp.{op}.and.{t} %q|%r, {b}, {c}, %p; setp.{op}.or.{t} %s|%t, {c}, {a}, !%p;"
                    f" setp.{op}.xor.{t} %u, {c}, 3, %q; selp.b{bits} {d}, {a}, {b}, %q; selp.b{bits} {e}, {c}, {d}, %s;"
                    f" @%t add.u{bits} {d}, {d}, {e}; @%u xor.b{bits} {d}, {d}, 77; @%r sub.u{bits} {d}, {d}, {e};"
                    f" setp.{op}.{t} %p, {a}, 0; @%p add.u{bits} {e}, {e}, 1;")  # fmt: skip


def rows_of_sums():
    row("abs", "abs.s32 %d, %a; sub.s32 %e, %b, %c; abs.s32 %e, %e; abs.s64 %E, %A; neg.s64 %F, %B;")
    row("carries", "add.cc.u32 %d, %a, %b; addc.cc.u32 %e, %b, %c; addc.u32 %f, %c, %a;")
    row("borrows", "sub.cc.u32 %d, %a, %b; subc.cc.u32 %e, %b, %c; subc.u32 %f, %c, %a;")
    row("carry out", "add.cc.u32 %d, %a, %b; addc.u32 %e, 0, 0; sub.cc.u32 %f, %a, %c; subc.u32 %f, 0, 0;")
    row("carries.64", "add.cc.u64 %D, %A, %B; addc.cc.u64 %E, %B, %C; addc.u64 %F, %C, %A;")
    row("borrows.64", "sub.cc.u64 %D, %A, %B; subc.cc.u64 %E, %B, %C; subc.u64 %F, %C, %A;")
    row("product.128", "mad.lo.cc.u64 %D, %A, %B, %C; madc.hi.cc.u64 %E, %A, %B, %B; addc.u64 %F, 0, 0;")
    row("product.64", "mad.lo.cc.u32 %d, %a, %b, %c; madc.hi.cc.u32 %e, %a, %b, %b; addc.u32 %f, 0, 0;")
    row("madc", "mad.hi.cc.u32 %d, %a, %b, %c; madc.lo.cc.u32 %e, %c, %b, %a; madc.hi.u32 %f, %b, %c, 5;")
    row("constants.64", "add.u64 %D, %A, 0x123456789abcdef0; sub.u64 %E, 0x8000000080000000, %C; add.u64 %F, %A, -1;")
    row("negatives", "neg.s32 %d, %a; sub.u32 %d, %d, %b; not.b32 %e, %c; sub.u32 %e, %e, %a; neg.s64 %F, %A; sub.u64 %F, %F, %C;")
    row("scaled", "shl.b64 %D, %A, 3; add.u64 %D, %D, %B; cvt.s64.s32 %E, %a; shl.b64 %E, %E, 5; add.u64 %E, %E, %C;"
        " cvt.u64.u32 %F, %c; shl.b64 %F, %F, 2; add.u64 %F, %F, %B;")  # fmt: skip
    row("scaled.32", "shl.b32 %d, %a, 3; add.u32 %d, %d, %b; shl.b32 %e, %b, 17; add.u32 %e, %e, 12345; mad.lo.u32 %f, %e, 9, %c;")
    row("rounded", "shr.s32 %d, %a, 31; shr.u32 %d, %d, 27; add.s32 %d, %d, %a; shr.s32 %d, %d, 5; and.b32 %e, %d, -32;"
        " sub.s32 %e, %a, %e;")  # fmt: skip
    row("high.32", "shr.u32 %d, %a, 20; add.u32 %d, %d, %b; shr.s32 %e, %a, 12; add.s32 %e, %e, %b;")
    row("by a constant", "div.s32 %d, %a, 10; rem.u32 %e, %b, 7; div.u32 %f, %c, 1000000007; div.s64 %E, %A, 13;"
        " rem.u64 %F, %C, 1000;")  # fmt: skip
    row("clamped", "add.sat.s32 %d, %a, %b; sub.sat.s32 %e, %b, %c; mad.hi.sat.s32 %f, %a, %b, %c;")


def rows_of_logic():
    for table in (0x01, 0x0F, 0x80, 0xFE, 0x96, 0xE8, 0xCA, 0xD8, 0x2D, 0x6A, 0xF8, 0x4E, 0x17, 0xB1, 0x7F):
        row(f"lop3.{table:02x}", f"lop3.b32 %d, %a, %b, %c, {table}; lop3.b32 %e, %c, 0xff00ff, %a, {table ^ 0x33};"
            f" lop3.b32 %f, %a, 0, %c, {table};")  # fmt: skip
    row("logic", "and.b32 %d, %a, %b; or.b32 %e, %b, %c; xor.b32 %f, %a, %c; not.b32 %f, %f; and.b32 %f, %f, %d;")
    row("logic.64", "and.b64 %D, %A, %B; or.b64 %E, %B, %C; xor.b64 %F, %A, %C; not.b64 %F, %F;")
    row("tested", "and.b32 %d, %a, %b; setp.ne.u32 %p, %d, 0; and.b32 %e, %c, 8; setp.eq.u32 %q, %e, 0;"
        " selp.u32 %d, %a, %c, %p; selp.u32 %e, %d, %b, %q; xor.b32 %f, %a, %b; setp.eq.u32 %r, %f, 0; @%r add.u32 %f, %f, %c;")  # fmt: skip
    row("cnot", "cnot.b32 %d, %a; cnot.b64 %E, %A;")
    row("shl", "shl.b32 %d, %a, %b; shl.b32 %e, %a, 9; shl.b32 %f, 5, %c;")
    row("shl.64", "shl.b64 %D, %A, %b; shl.b64 %E, %B, 9; shl.b64 %F, %C, 40;")
    for way in "lr":
        for mode in ("clamp", "wrap"):
            row(f"shf.{way}.{mode}", f"shf.{way}.{mode}.b32 %d, %a, %b, %c; shf.{way}.{mode}.b32 %e, %a, %b, 11;"
                f" shf.{way}.{mode}.b32 %f, %a, %b, 45;")  # fmt: skip
    row("rotated", "shf.l.wrap.b32 %d, %a, %a, %b; shf.r.wrap.b32 %e, %c, %c, 7;")
    for mode in ("clamp", "wrap"):
        row(f"bmsk.{mode}", f"bmsk.{mode}.b32 %d, %a, %b; bmsk.{mode}.b32 %e, 3, %b; bmsk.{mode}.b32 %f, %a, 9;")
    row("brev", "brev.b32 %d, %a; brev.b64 %E, %A;")
    row("popc", "popc.b32 %d, %a; popc.b64 %e, %A; not.b32 %f, %b; popc.b32 %f, %f;")
    row("clz", "clz.b32 %d, %a; clz.b64 %e, %A;")
    row("bfi", "bfi.b32 %d, %a, %b, %c, %a; bfi.b32 %e, %a, %b, 5, 11; bfi.b64 %E, %A, %B, %c, %b;")
    row("fns", "fns.b32 %d, %a, %b, %c;")


def rows_of_bytes():
    row("prmt", "prmt.b32 %d, %a, %b, %c; prmt.b32 %e, %a, %b, 0x6521; prmt.b32 %f, %b, 0, 0x4c8a;")
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        row(f"prmt.{mode}", f"prmt.b32.{mode} %d, %a, %b, %c; prmt.b32.{mode} %e, %a, %b, 2;")
    row("cvt", "cvt.u32.u8 %d, %a; cvt.s32.s8 %e, %b; cvt.s32.s16 %f, %c; cvt.s64.s32 %E, %a; cvt.u64.u8 %F, %b;")
    row("cvt.sat", "cvt.sat.u8.s32 %d, %a; cvt.sat.s16.s32 %e, %b; cvt.sat.s8.s32 %f, %c; cvt.sat.u16.u32 %e, %c;")
    row("cvt.sat.64", "cvt.sat.s32.s64 %d, %A; cvt.sat.u32.s64 %e, %B; cvt.sat.u32.u64 %f, %C;")
    row("halves", "cvt.u16.u32 %h, %a; cvt.u16.u32 %i, %b; add.u16 %j, %h, %i; mul.lo.u16 %k, %h, %i; cvt.u32.u16 %d, %j;"
        " cvt.s32.s16 %e, %k; mul.wide.s16 %f, %h, %i; min.s16 %j, %h, %i; cvt.u64.u16 %F, %j;")  # fmt: skip
    row("halves.2", "cvt.u16.u32 %h, %a; cvt.u16.u32 %i, %c; mul.hi.u16 %j, %h, %i; mad.lo.u16 %k, %h, %i, %j; cvt.u32.u16 %d, %j;"
        " cvt.s32.s16 %e, %k; shr.s16 %k, %h, 3; cvt.u32.u16 %f, %k;")  # fmt: skip
    row("pairs", "add.u16x2 %d, %a, %b; min.u16x2 %e, %a, %b; max.s16x2 %f, %b, %c;", 90)
    row("pairs.three", "max.u16x2 %d, %a, %b; max.u16x2 %d, %d, %c; min.s16x2 %e, %a, %b; min.s16x2 %e, %e, %c;"
        " max.relu.s16x2 %f, %a, %b; max.relu.s16x2 %f, %f, %c;", 90)  # fmt: skip
    for t in ("u16x2", "s16x2"):
        row(f"pairs.sums.{t}", f"add.{t} %d, %a, %b; min.{t} %d, %d, %c; add.{t} %e, %a, %c; max.{t} %e, %e, %b; add.{t} %f, %b, %c;"
            f" max{'.relu' * (t[0] == 's')}.{t} %f, %f, %a;", 90)  # fmt: skip
    row("pairs.relu", "min.relu.s16x2 %d, %a, %b; max.relu.s16x2 %e, %b, %c; max.u16x2 %f, %a, %c;", 90)
    row("relu", "min.relu.s32 %d, %a, %b; max.relu.s32 %e, %b, %c; add.s32 %f, %a, %c; max.relu.s32 %f, %f, %b;", 90)
    row("vabsdiff4", "vabsdiff4.u32.u32.u32 %d, %a, %b, %c; vabsdiff4.u32.u32.u32.add %e, %a, %b, %c;"
        " vabsdiff4.u32.s32.s32.add %f, %a, %b, %c;")  # fmt: skip
    row("vabsdiff2", "vabsdiff2.u32.u32.u32 %d, %a, %b, %c; vabsdiff2.u32.u32.u32.add %e, %a, %b, %c;")


def rows_of_predicates():
    row("selp", "setp.lt.s32 %p, %a, %b; selp.b32 %d, %a, 7, %p; selp.b64 %E, %A, %B, %p; selp.b32 %e, 0, 1, %p;")
    row("slct", "slct.b32.s32 %d, %a, %b, %c; slct.b64.s32 %E, %A, %B, %c;")
    row("predicates", "setp.lt.s32 %p, %a, %b; setp.gt.u32 %q, %b, %c; setp.eq.s32 %r, %c, 5; and.pred %s, %p, %q;"
        " or.pred %s, %s, %r; xor.pred %t, %s, %p; not.pred %u, %t; selp.b32 %d, %a, %b, %s; selp.b32 %e, %b, %c, %u;"
        " xor.pred %u, %u, %r; selp.b32 %f, 1, 2, %u;")  # fmt: skip
    many = "".join(f"setp.lt.s32 %p{i}, %a, {i * 7 - 20}; setp.gt.u32 %q{i}, %b, {i * 1000}; xor.pred %q{i}, %q{i}, %p{i}; "
                   for i in range(9))  # fmt: skip
    used = "".join(f"@%p{i} add.u32 %d, %d, %c; @!%q{i} xor.b32 %d, %d, {i * 977 + 3}; @%q{i} mul.lo.u32 %d, %d, %b; "
                   for i in range(9))  # fmt: skip
    # They outlive a loop that ptxas does not unroll: more than the seven that a thread has.
    kept = "mov.u32 %e, 0; LOOP: add.u32 %e, %e, 1; mul.lo.u32 %d, %d, 3; bar.sync 0; setp.lt.u32 %u, %e, 5; @%u bra LOOP; "
    row("many predicates", many + "mov.u32 %d, 0; " + used)
    row("kept predicates", many + "mov.u32 %d, %a; " + kept + used)
    row("places", "mov.u32 %d, %tid.x; mov.u32 %e, %laneid; mad.lo.u32 %d, %d, 7, %e; mov.u32 %e, %ntid.x; mad.lo.u32 %d, %d, 7, %e;"
        " mov.u32 %e, %ctaid.x; mad.lo.u32 %d, %d, 7, %e; mov.u32 %e, %nctaid.x; mad.lo.u32 %d, %d, 7, %e; mov.u32 %e, %warpid;"
        " mov.u32 %f, %nctaid.y; mad.lo.u32 %d, %d, 7, %f; mov.u32 %f, %tid.y; mad.lo.u32 %d, %d, 7, %f; mov.u32 %f, %smid;")  # fmt: skip
    row("lanes", "mov.u32 %d, %lanemask_lt; mov.u32 %e, %lanemask_le; mov.u32 %f, %lanemask_eq; mad.lo.u32 %d, %d, 5, %e;"
        " mad.lo.u32 %d, %d, 5, %f; mov.u32 %f, %lanemask_gt; mad.lo.u32 %d, %d, 5, %f; mov.u32 %f, %lanemask_ge;")  # fmt: skip


def all_rows():
    for t in ("u32", "s32"):
        rows_of_32_bits(t)
    for t in ("u64", "s64"):
        rows_of_64_bits(t)
    rows_of_comparisons()
    rows_of_sums()
    rows_of_logic()
    rows_of_bytes()
    rows_of_predicates()


def written(body, letter):
    return re.search(rf"%{letter}(?:\|%\w+)?,", body)


def scope(number, body):
    """A row with registers of its own; what it writes goes to its slot. The words of %D overlap no %d."""
    predicates = sorted(set(re.findall(r"%([p-u]\d?)\b", body))) or ["p"]
    body = body.replace("LOOP", f"L{number}")
    stores = ""
    for place, letter in enumerate("def"):
        if written(body, letter):
            stores += f"st.global.u32 [%po+{number * SLOT + 4 * place}], %{letter}; "
    for place, letter in enumerate("DEF"):
        if written(body, letter):
            stores += f"st.global.u64 [%po+{number * SLOT + 16 + 8 * place}], %{letter}; "
    return (
        f"{{ .reg .b32 %d, %e, %f; .reg .b64 %D, %E, %F; .reg .b16 %h, %i, %j, %k;"
        f" .reg .pred {', '.join('%' + name for name in predicates)};\n{body}\n{stores}}}\n"
    )


def module(kind, bodies, constant, arch):
    loads = LOADS[kind].replace("CONSTANT", str(constant))
    scopes = "".join(scope(number, body) for number, body in enumerate(bodies))
    return f"""{gpus.head(arch)}
.visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 po, .param .u64 ka, .param .u64 kb,
    .param .u64 kc)
{{
.reg .b32 %a, %b, %c, %e, %id;
.reg .b64 %A, %B, %C, %E, %pa, %pb, %pc, %po, %ix;
ld.param.u64 %pa, [pa]; ld.param.u64 %pb, [pb]; ld.param.u64 %pc, [pc]; ld.param.u64 %po, [po];
mov.u32 %id, %ctaid.x; mov.u32 %e, %tid.x; mad.lo.u32 %id, %id, {BLOCK}, %e;
mul.wide.u32 %ix, %id, 8; add.u64 %pa, %pa, %ix; add.u64 %pb, %pb, %ix; add.u64 %pc, %pc, %ix;
mad.wide.u32 %po, %id, {SLOT * len(bodies)}, %po;
{loads}
cvt.u32.u64 %a, %A; cvt.u32.u64 %b, %B; cvt.u32.u64 %c, %C;
{scopes}ret;
}}
"""


def numbers(source):
    """Two words, each a border or anything."""
    def word():
        return source.choice(BORDERS) if source.random() < 0.8 else source.getrandbits(32)
    return word() | (word() << 32 if source.random() < 0.7 else 0)


def compare(tool, kind, names, constant, gpu):
    """Runs a group of rows both ways; where that is not possible, halves of it."""
    text = module(kind, [BODIES[name][0] for name in names], constant, GPUS[gpu])
    source = random.Random(f"{kind} {constant} {gpu}")
    inputs = [harness.Array("u64", [numbers(source) for _ in range(GRID * BLOCK)]) for _ in "abc"]
    count = GRID * BLOCK * len(names) * SLOT // 4
    scalars = [f"u64={numbers(source)}" for _ in "abc"]
    outcomes = []
    for use in ("off", "require"):
        outcomes.append(
            tool.run(text, "k", GRID, BLOCK, [*inputs, f"u32[{count}]=0", *scalars],
                     ["--gpu", gpu, "--machine-code", use], every=False)
        )  # fmt: skip
    ptx, machine = outcomes
    what = f"{kind}, {gpu}"
    if (ptx.status or machine.status) and len(names) > 1:
        for half in (names[: len(names) // 2], names[len(names) // 2 :]):
            compare(tool, kind, half, constant, gpu)
        return
    if ptx.status or machine.status:
        tool.fail(f"{names[0]}, {what}: {(ptx.output + machine.output).strip()}")
        return
    words, others = ptx.arrays[3], machine.arrays[3]
    row_words, thread_words = SLOT // 4, SLOT // 4 * len(names)
    for number, name in enumerate(names):
        for thread in range(GRID * BLOCK):
            start = thread * thread_words + number * row_words
            expected, actual = words[start : start + row_words], others[start : start + row_words]
            if expected != actual:
                values = [hex(array.values[thread]) for array in inputs]
                tool.fail(f"{name}, {what}, constant {constant}: of {values}, {scalars}: {expected}, as machine code {actual}")
                break


def main():
    all_rows()
    if not shutil.which("ptxas") or not shutil.which("nvdisasm"):
        print("skipped: there is no ptxas, or no nvdisasm")
        sys.exit(77)
    tool = harness.Tool(sys.argv[1])
    asked = sys.argv[2:]
    for gpu, arch in GPUS.items():
        names = [name for name, (_, since) in BODIES.items() if since <= arch and (not asked or name in asked)]
        for start in range(0, len(names), GROUP):
            group = names[start : start + GROUP]
            for kind in LOADS:
                for constant in CONSTANTS if kind == "constant" and asked else CONSTANTS[start // GROUP % 4 :][:1]:
                    compare(tool, kind, group, constant, gpu)
    sys.exit(tool.finish("integers"))


if __name__ == "__main__":
    main()
