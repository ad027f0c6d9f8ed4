"""Where an address comes from, and what ptxas merges there: does warplens make the same widths?

    merging.py LOWER_DUMP            against the stored answers of ptxas 13.0, merging.txt; needs no toolkit
    merging.py LOWER_DUMP --ptxas    asks ptxas and nvdisasm anew and compares with merging.txt; 77 where there are none
    merging.py LOWER_DUMP --bless    writes merging.txt

A case is ORIGIN.C.PATTERN: an origin below makes an address, of which C is a constant somewhere in it; the pattern accesses
it at distances that make up for C, so that only the compiler's knowledge of the address decides. An answer is the
widths in bytes of the accesses to that space, in machine code for sm_80 and sm_90, sorted."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ANSWERS = pathlib.Path(__file__).with_suffix(".txt")
TARGETS = {"sm_80": "a100", "sm_90": "h100"}
CONSTANTS = (0, 4, 8, 12)
ELEMENTS = ("f32", "f32", "f32", "f32")

START = """.reg .pred %p<32>; .reg .b32 %r<128>; .reg .b64 %d<64>; .reg .f32 %f<64>; .local .align 16 .b8 own[4096];
ld.param.u64 %d1, [out]; ld.param.u32 %r10, [n]; mov.u32 %r11, %tid.x;
ld.volatile.global.u32 %r12, [%d1+64]; shl.b32 %r13, %r10, 4; shl.b32 %r14, %r11, 4; shl.b32 %r15, %r12, 4;
mov.u32 %r16, sm; setp.gt.u32 %p9, %r10, 5;
"""


def loop(before, after, inside=""):
    """The address is made `before` the loop or `inside` it, accesses follow, `after` stands behind them."""
    head = f'{before} mov.u32 %r90, 0;\nrepeat:\n.pragma "nounroll";\n{inside}'
    tail = f"{after} add.u32 %r90, %r90, 1; setp.lt.u32 %p1, %r90, %r10; @%p1 bra repeat;\n"
    return head, tail


def straight(code, after=""):
    return code, after


# %r10: an argument; %r11: the thread; %r12: loaded; %r13, %r14, %r15: 16 times these; %r16: the array. The address goes to %r4.
# C is the constant, Q is C / 4.
ORIGINS = {
    # ---- one sum
    "array": straight("add.u32 %r4, %r16, 1024+C;"),
    "argument": straight("add.u32 %r4, %r10, C;"),
    "loaded": straight("add.u32 %r20, %r12, C; add.u32 %r4, %r20, %r16;"),
    "thread16": straight("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;"),
    "thread48": straight("mul.lo.u32 %r20, %r11, 48; add.u32 %r21, %r16, %r20; add.u32 %r4, %r21, C;"),
    "thread24": straight("mul.lo.u32 %r20, %r11, 24; add.u32 %r21, %r16, %r20; add.u32 %r4, %r21, C;"),
    "thread20": straight("mul.lo.u32 %r20, %r11, 20; add.u32 %r21, %r16, %r20; add.u32 %r4, %r21, C;"),
    "thread8": straight("shl.b32 %r20, %r11, 3; add.u32 %r21, %r16, %r20; add.u32 %r4, %r21, C;"),
    "minus": straight("add.u32 %r20, %r16, %r14; sub.u32 %r4, %r20, C;"),
    # ---- sums of several
    "early": straight("add.u32 %r20, %r15, C; add.u32 %r21, %r20, %r13; add.u32 %r4, %r21, %r16;"),
    "earlyThread": straight("add.u32 %r20, %r14, C; add.u32 %r21, %r20, %r13; add.u32 %r4, %r21, %r16;"),
    "twoConstants": straight("add.u32 %r20, %r15, C; add.u32 %r21, %r13, 32; add.u32 %r22, %r20, %r21; add.u32 %r4, %r22, %r16;"),
    "scaled": straight("add.u32 %r20, %r12, Q; shl.b32 %r21, %r20, 2; add.u32 %r4, %r21, %r16;"),
    "scaled4": straight("shl.b32 %r20, %r12, 2; add.u32 %r21, %r20, Q; shl.b32 %r22, %r21, 2; add.u32 %r4, %r22, %r16;"),
    "scaled12": straight("shl.b32 %r20, %r12, 2; add.u32 %r21, %r20, Q; mul.lo.u32 %r22, %r21, 12; add.u32 %r4, %r22, %r16;"),
    "mad": straight("mad.lo.u32 %r20, %r12, 16, C; add.u32 %r4, %r20, %r16;"),
    "mad48": straight("mad.lo.u32 %r20, %r11, 48, C; add.u32 %r4, %r20, %r16;"),
    "madBase": straight("add.u32 %r20, %r16, C; mad.lo.u32 %r4, %r11, 48, %r20;"),
    "madSum": straight("add.u32 %r20, %r13, C; mad.lo.u32 %r21, %r12, 48, %r20; add.u32 %r4, %r21, %r16;"),
    "product": straight("mul.lo.u32 %r20, %r12, %r13; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, C;"),
    "remainder": straight("rem.u32 %r20, %r12, 64; shl.b32 %r21, %r20, 4; add.u32 %r22, %r21, C; add.u32 %r4, %r22, %r16;"),
    "through64": straight("add.u32 %r20, %r15, C; cvt.u64.u32 %d5, %r20; cvt.u32.u64 %r21, %d5; add.u32 %r4, %r21, %r16;"),
    "earlyAnd": straight("and.b32 %r20, %r12, -16; add.u32 %r21, %r20, C; add.u32 %r22, %r21, %r13; add.u32 %r4, %r22, %r16;"),
    "earlyAnds": straight("and.b32 %r20, %r12, -16; and.b32 %r21, %r10, -16; add.u32 %r22, %r21, C; add.u32 %r23, %r20, %r22; add.u32 %r4, %r23, %r16;"),
    "productEarly": straight("mul.lo.u32 %r20, %r12, %r13; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "madProduct": straight("mad.lo.u32 %r20, %r12, %r13, C; add.u32 %r4, %r20, %r16;"),
    "sumOfTwo": straight("add.u32 %r20, %r15, %r13; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    # ---- what becomes one instruction: of numbers that one instruction reads, or several, and of arguments
    "productTwice": straight("mul.lo.u32 %r20, %r12, %r13; st.volatile.global.u32 [%d1+80], %r20; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "shiftedTwice": straight("st.volatile.global.u32 [%d1+80], %r15; add.u32 %r20, %r15, C; add.u32 %r4, %r20, %r16;"),
    "times48Twice": straight("mul.lo.u32 %r20, %r12, 48; st.volatile.global.u32 [%d1+80], %r20; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "earlyTwice": straight(
        "st.volatile.global.u32 [%d1+80], %r15; st.volatile.global.u32 [%d1+84], %r13;"
        "add.u32 %r20, %r15, C; add.u32 %r21, %r20, %r13; add.u32 %r4, %r21, %r16;"
    ),
    "productAway": straight("mul.lo.u32 %r20, %r12, %r13; @%p9 bra away; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;", "\naway:\n"),
    "argumentShifted": straight("add.u32 %r20, %r13, C; add.u32 %r4, %r20, %r16;"),
    "argumentAdded": straight("and.b32 %r20, %r12, -16; add.u32 %r21, %r20, C; mad.lo.u32 %r22, %r10, 48, %r21; add.u32 %r4, %r22, %r16;"),
    "madAnd": straight("and.b32 %r20, %r10, -16; add.u32 %r21, %r20, C; mad.lo.u32 %r4, %r12, 48, %r21;"),
    "madArray": straight("add.u32 %r20, %r16, C; mad.lo.u32 %r4, %r12, %r13, %r20;"),
    "joined": straight(
        "and.b32 %r20, %r12, -16; and.b32 %r23, %r10, -16; add.u32 %r21, %r20, C; mad.lo.u32 %r22, %r11, %r13, %r23; add.u32 %r4, %r21, %r22;"
    ),
    "behindJoined": straight("and.b32 %r20, %r12, -16; mad.lo.u32 %r21, %r11, %r13, %r20; add.u32 %r22, %r21, C; add.u32 %r4, %r22, %r15;"),
    "sumFirst": straight(
        "and.b32 %r20, %r12, -16; and.b32 %r21, %r11, -16; and.b32 %r22, %r10, -16; add.u32 %r23, %r20, %r21;"
        "add.u32 %r24, %r22, C; add.u32 %r4, %r23, %r24;"
    ),
    "sumSecond": straight(
        "and.b32 %r20, %r12, -16; and.b32 %r21, %r11, -16; and.b32 %r22, %r10, -16; add.u32 %r23, %r20, %r21;"
        "add.u32 %r24, %r22, C; add.u32 %r4, %r24, %r23;"
    ),
    "sumOfSums": straight("and.b32 %r20, %r12, -16; and.b32 %r21, %r11, -16; add.u32 %r22, %r20, 16+C; add.u32 %r23, %r21, -16; add.u32 %r4, %r22, %r23;"),
    "sumDeep": straight(
        "and.b32 %r20, %r12, -16; and.b32 %r21, %r11, -16; and.b32 %r22, %r10, -16; add.u32 %r23, %r20, C;"
        "add.u32 %r24, %r23, %r21; add.u32 %r25, %r24, 16; add.u32 %r26, %r25, %r22; add.u32 %r4, %r26, -16;"
    ),
    "factorSum": straight("and.b32 %r20, %r12, -4; add.u32 %r21, %r20, Q; shl.b32 %r22, %r21, 2; add.u32 %r4, %r22, %r16;"),
    "factorSum4": straight("and.b32 %r20, %r12, -4; add.u32 %r21, %r20, Q; mul.lo.u32 %r22, %r21, 4; add.u32 %r4, %r22, %r16;"),
    "factorSum12": straight("and.b32 %r20, %r12, -4; add.u32 %r21, %r20, Q; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, %r16; add.u32 %r4, %r23, %r13;"),
    "factorSumTwice": straight(
        "and.b32 %r20, %r12, -4; add.u32 %r21, %r20, Q; mul.lo.u32 %r22, %r21, 3; mul.lo.u32 %r23, %r22, 12; add.u32 %r4, %r23, %r16;"
    ),
    "threeTimes48": straight(
        "and.b32 %r20, %r10, -16; and.b32 %r21, %r11, -16; add.u32 %r22, %r20, %r21; add.u32 %r23, %r22, C; mad.lo.u32 %r4, %r12, 48, %r23;"
    ),
    "threeTwice": straight(
        "and.b32 %r20, %r10, -16; and.b32 %r21, %r11, -16; add.u32 %r22, %r20, %r21; st.volatile.global.u32 [%d1+80], %r22;"
        "add.u32 %r23, %r22, C; mad.lo.u32 %r4, %r12, 48, %r23;"
    ),
    "threeEarly": straight(
        "and.b32 %r20, %r10, -16; and.b32 %r21, %r11, -16; add.u32 %r22, %r20, 16; add.u32 %r23, %r22, %r21; add.u32 %r24, %r23, C;"
        "mad.lo.u32 %r25, %r12, 48, %r24; add.u32 %r4, %r25, -16;"
    ),
    # ---- (x + A) * 12: with another number it is x * 12 + 12 A
    "spreadOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r25;"),
    "spreadArrayOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; mul.lo.u32 %r22, %r21, 48; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r16;"),
    "spreadMoreOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, C; add.u32 %r24, %r23, %r25; add.u32 %r4, %r24, %r13;"),
    "spreadMadOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; mad.lo.u32 %r22, %r21, 12, C; add.u32 %r4, %r22, %r16;"),
    "spreadMadSumOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; mad.lo.u32 %r22, %r21, 12, %r25; add.u32 %r4, %r22, C;"),
    "spreadMadMoreOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; mad.lo.u32 %r22, %r21, 12, %r25; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r16;"),
    "spreadMadBehindOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; add.u32 %r22, %r25, C; mad.lo.u32 %r4, %r21, 20, %r22;"),
    "spreadKeptOne": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 1; st.volatile.global.u32 [%d1+80], %r21; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r25;"),
    "spreadFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r25;"),
    "spreadArrayFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; mul.lo.u32 %r22, %r21, 48; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r16;"),
    "spreadMoreFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, C; add.u32 %r24, %r23, %r25; add.u32 %r4, %r24, %r13;"),
    "spreadMadFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; mad.lo.u32 %r22, %r21, 12, C; add.u32 %r4, %r22, %r16;"),
    "spreadMadSumFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; mad.lo.u32 %r22, %r21, 12, %r25; add.u32 %r4, %r22, C;"),
    "spreadMadMoreFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; mad.lo.u32 %r22, %r21, 12, %r25; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r16;"),
    "spreadMadBehindFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; add.u32 %r22, %r25, C; mad.lo.u32 %r4, %r21, 20, %r22;"),
    "spreadKeptFour": straight("and.b32 %r20, %r12, -16; and.b32 %r25, %r11, -16; add.u32 %r21, %r20, 4; st.volatile.global.u32 [%d1+80], %r21; mul.lo.u32 %r22, %r21, 12; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r25;"),
    # ---- a product with a constant, shifted; an argument times several constants
    "foldedArray": straight("and.b32 %r25, %r11, -16; mul.lo.u32 %r20, %r12, 48; add.u32 %r21, %r20, 4; shl.b32 %r22, %r21, 1; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r16;"),
    "foldedSum": straight("and.b32 %r25, %r11, -16; shl.b32 %r20, %r10, 4; add.u32 %r21, %r20, 16; mul.lo.u32 %r22, %r21, 2; add.u32 %r23, %r22, C; add.u32 %r4, %r23, %r25;"),
    "foldedMore": straight("and.b32 %r25, %r11, -16; shl.b32 %r20, %r12, 4; add.u32 %r21, %r20, 16; shl.b32 %r22, %r21, 1; add.u32 %r23, %r22, C; add.u32 %r24, %r23, %r25; add.u32 %r4, %r24, %r13;"),
    "foldedMad": straight("and.b32 %r25, %r11, -16; shl.b32 %r20, %r12, 4; add.u32 %r21, %r20, 4; mad.lo.u32 %r22, %r21, 2, C; add.u32 %r4, %r22, %r16;"),
    "argumentShifts": straight("shl.b32 %r20, %r13, 1; add.u32 %r21, %r20, 12; add.u32 %r22, %r21, C; add.u32 %r4, %r22, %r16;"),
    "argumentTimes": straight("mul.lo.u32 %r20, %r10, 48; mul.lo.u32 %r21, %r20, 3; add.u32 %r22, %r21, C; add.u32 %r4, %r22, %r16;"),
    "argumentTimesShift": straight("mul.lo.u32 %r20, %r10, 48; shl.b32 %r21, %r20, 1; add.u32 %r22, %r21, C; add.u32 %r4, %r22, %r16;"),
    "argumentShiftTimes": straight("mul.lo.u32 %r20, %r13, 3; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "argumentShiftTimes16": straight("mul.lo.u32 %r20, %r13, 16; mul.lo.u32 %r21, %r20, 24; add.u32 %r22, %r21, C; add.u32 %r4, %r22, %r16;"),
    # ---- 64 bits
    "wideSum": straight("mul.wide.u32 %d5, %r11, 48; mov.u64 %d6, sm; add.u64 %d7, %d5, C; add.u64 %d4, %d7, %d6;"),
    "wideLast": straight("mul.wide.u32 %d5, %r11, 48; mov.u64 %d6, sm; add.u64 %d7, %d5, %d6; add.u64 %d4, %d7, C;"),
    "lowerHalf": straight("cvt.u64.u32 %d5, %r15; add.u64 %d6, %d5, C; cvt.u32.u64 %r4, %d6;"),
    # ---- differences
    "difference": straight("sub.u32 %r20, %r13, %r15; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, C;"),
    "differenceEarly": straight("add.u32 %r20, %r13, C; sub.u32 %r21, %r20, %r15; add.u32 %r4, %r21, %r16;"),
    "differenceTwice": straight("st.volatile.global.u32 [%d1+80], %r15; and.b32 %r20, %r11, -16; sub.u32 %r21, %r20, %r15; add.u32 %r4, %r21, C;"),
    "differenceKept": straight("st.volatile.global.u32 [%d1+80], %r13; sub.u32 %r20, %r13, %r15; add.u32 %r4, %r20, C;"),
    "differenceArgument": straight("and.b32 %r20, %r11, -16; sub.u32 %r21, %r20, %r13; add.u32 %r4, %r21, C;"),
    "from": straight("mov.u32 %r20, C; sub.u32 %r21, %r20, %r15; add.u32 %r4, %r21, %r16;"),
    "fromFar": straight("mov.u32 %r20, 1024+C; sub.u32 %r21, %r20, %r14; add.u32 %r4, %r21, %r16;"),
    # ---- bits
    "differenceAnd": straight("and.b32 %r20, %r12, -16; sub.u32 %r21, %r13, %r20; add.u32 %r22, %r21, %r16; add.u32 %r4, %r22, C;"),
    "differenceAnds": straight("and.b32 %r20, %r12, -16; and.b32 %r21, %r10, -16; sub.u32 %r22, %r21, %r20; add.u32 %r23, %r22, %r16; add.u32 %r4, %r23, C;"),
    "differenceScaled": straight("and.b32 %r21, %r10, -16; sub.u32 %r22, %r21, %r15; add.u32 %r23, %r22, %r16; add.u32 %r4, %r23, C;"),
    "differenceTimes48": straight("mul.lo.u32 %r20, %r12, 48; and.b32 %r21, %r10, -16; sub.u32 %r22, %r21, %r20; add.u32 %r23, %r22, %r16; add.u32 %r4, %r23, C;"),
    "and": straight("and.b32 %r20, %r12, -16; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "andField": straight("and.b32 %r20, %r12, 1008; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, C;"),
    "andBehind": straight("add.u32 %r20, %r15, C; and.b32 %r21, %r20, 1020; add.u32 %r4, %r21, %r16;"),
    "or": straight("or.b32 %r20, %r15, C; add.u32 %r4, %r20, %r16;"),
    "orThread": straight("or.b32 %r20, %r14, C; add.u32 %r4, %r20, %r16;"),
    "orSum": straight("or.b32 %r20, %r15, C; add.u32 %r21, %r20, %r13; add.u32 %r4, %r21, %r16;"),
    "orHigh": straight("or.b32 %r20, %r15, 32+C; add.u32 %r4, %r20, %r16;"),
    "orAnd": straight("and.b32 %r20, %r12, 1008; or.b32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "orTimes48": straight("mul.lo.u32 %r20, %r12, 48; or.b32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "orSum2": straight("add.u32 %r20, %r15, %r13; or.b32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "orAdded": straight("or.b32 %r20, %r15, C; and.b32 %r21, %r11, -16; add.u32 %r4, %r20, %r21;"),
    "orTimes": straight("or.b32 %r20, %r15, C; mad.lo.u32 %r4, %r11, 48, %r20;"),
    "orLast": straight("add.u32 %r20, %r15, %r16; or.b32 %r4, %r20, C;"),
    "xor": straight("xor.b32 %r20, %r15, C; add.u32 %r4, %r20, %r16;"),
    "xorFar": straight("xor.b32 %r20, %r15, 64; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, C;"),
    "shifted": straight("shr.u32 %r20, %r12, 4; shl.b32 %r21, %r20, 4; add.u32 %r22, %r21, %r16; add.u32 %r4, %r22, C;"),
    "greater": straight("max.u32 %r20, %r15, %r13; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, C;"),
    # ---- ways that meet
    "chosen": straight("add.u32 %r20, %r15, C; add.u32 %r21, %r14, 64+C; selp.b32 %r22, %r20, %r21, %p9; add.u32 %r4, %r22, %r16;"),
    "chosenLate": straight("selp.b32 %r22, %r14, %r15, %p9; add.u32 %r23, %r22, %r16; add.u32 %r4, %r23, C;"),
    "ways": straight(
        "add.u32 %r20, %r15, %r16; add.u32 %r4, %r20, C; @%p9 bra meet; mad.lo.u32 %r21, %r11, 32, %r16;"
        "st.volatile.global.u32 [%d1+80], %r21; add.u32 %r4, %r21, C; meet:\n"
    ),
    # ---- loops: pointers that are bumped
    "bumped": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "add.u32 %r4, %r4, 16;"),
    "bumped512": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "add.u32 %r4, %r4, 512;"),
    "bumped48": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "add.u32 %r4, %r4, 48;"),
    "bumped8": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "add.u32 %r4, %r4, 8;"),
    "bumped4": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "add.u32 %r4, %r4, 4;"),
    "bumpedDown": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "sub.u32 %r4, %r4, 64;"),
    "bumpedBy": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, C;", "add.u32 %r4, %r4, %r13;"),
    "bumpedArray": loop("add.u32 %r4, %r16, 1024+C;", "add.u32 %r4, %r4, 64;"),
    "bumpedFar": loop("add.u32 %r20, %r16, %r14; add.u32 %r4, %r20, 1152+C;", "add.u32 %r4, %r4, 512;"),
    "bumpedSometimes": loop("add.u32 %r4, %r16, C;", "setp.gt.u32 %p5, %r12, %r90; @%p5 add.u32 %r4, %r4, 16;"),
    "bumpedFlip": loop("add.u32 %r4, %r16, C;", "xor.b32 %r4, %r4, 64;"),
    "bumpedFlat": loop("add.u32 %r30, %r16, %r14;", "add.u32 %r30, %r30, 16;", "add.u32 %r4, %r30, C;"),
    # ---- loops: counters of which the address is made
    "counted": loop("mov.u32 %r30, C;", "add.u32 %r30, %r30, 16;", "add.u32 %r20, %r30, %r16; add.u32 %r4, %r20, %r15;"),
    "countedScaled": loop("mov.u32 %r30, Q;", "add.u32 %r30, %r30, 4;", "shl.b32 %r20, %r30, 2; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, %r15;"),
    "countedShift": loop("mov.u32 %r30, Q;", "add.u32 %r30, %r30, 1;", "shl.b32 %r20, %r30, 4; add.u32 %r21, %r20, %r16; add.u32 %r4, %r21, C;"),
    "countedPlus": loop("mov.u32 %r30, %r13;", "add.u32 %r30, %r30, 16;", "add.u32 %r20, %r30, C; add.u32 %r21, %r20, %r15; add.u32 %r4, %r21, %r16;"),
    "countedPlain": loop("mov.u32 %r20, C;", "", "shl.b32 %r21, %r90, 4; add.u32 %r22, %r21, %r20; add.u32 %r4, %r22, %r16;"),
    "countedOr": loop("mov.u32 %r30, C;", "add.u32 %r30, %r30, 16;", "or.b32 %r20, %r30, 64; add.u32 %r4, %r20, %r16;"),
    "countedOrLow": loop("mov.u32 %r30, %r13;", "add.u32 %r30, %r30, 16;", "or.b32 %r20, %r30, C; add.u32 %r4, %r20, %r16;"),
    "countedAnd": loop("mov.u32 %r30, C;", "add.u32 %r30, %r30, 16;", "and.b32 %r20, %r30, 1020; add.u32 %r4, %r20, %r16;"),
    "countedRing": loop("mov.u32 %r30, %r12;", "add.u32 %r30, %r30, 16;", "and.b32 %r20, %r30, 1008; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "countedTimes48": loop("mov.u32 %r30, %r12;", "add.u32 %r30, %r30, 1;", "mad.lo.u32 %r20, %r30, 48, %r14; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "countedShiftEarly": loop("mov.u32 %r30, %r12;", "add.u32 %r30, %r30, 1;", "shl.b32 %r20, %r30, 4; add.u32 %r21, %r20, C; add.u32 %r4, %r21, %r16;"),
    "countedBack": loop("mov.u32 %r30, C;", "sub.u32 %r30, 1024, %r30;", "add.u32 %r4, %r30, %r16;"),
}
# Other spaces: how the array's address is had. %r4 becomes a distance of 64 bits.
SPACES = {
    "global": "add.u64 %d4, %d1, %d3;",
    "local": "mov.u64 %d2, own; add.u64 %d4, %d2, %d3;",
}
OTHERS = ("thread16", "bumped", "chosenLate")
# Two arrays side by side, of 8 bytes and more, each with an address that is made alike: is what lies next to each other merged?
BESIDE = ("array", "loaded", "thread16", "thread48", "thread24", "thread20", "thread8", "early", "mad48", "madBase", "product", "and", "shifted", "productTwice", "madArray", "times48Twice", "argumentAdded")

# pattern -> (store, distances, space)
PATTERNS = {
    "four": (False, (144, 148, 152, 156), "shared"),
    "before": (False, (-140, -136, -128, -124), "shared"),
    "stored": (True, (144, 148, 152, 156), "shared"),
    "beside": (False, (0, 4, 0, 4), "shared"),
    "besideStored": (True, (0, 4, 0, 4), "shared"),
}
for space in SPACES:
    PATTERNS[space] = (False, (144, 148, 152, 156), space)

# Where warplens makes other widths than ptxas, by what ptxas does. A case that becomes equal must leave this list.
UNEQUAL = {
    "accesses to local memory are merged, too": r"\w+\.[08]\.local sm_\d+",
}


def twice(code):
    """The code for the array `near`; what depends on the array is there for `far`, too, with registers of its own."""
    lines, renamed = [], {"%r16": "%r18"}
    for line in filter(None, map(str.strip, code.split(";"))):
        lines.append(re.sub(r"%r16\b", "%r17", line) + ";")
        if any(re.search(rf"{name}\b", line) for name in renamed):
            made = re.search(r"%r\d+", line)[0]
            renamed[made] = "%r5" if made == "%r4" else made.replace("%r2", "%r7")
            lines.append(re.sub(r"%r\d+", lambda name: renamed.get(name[0], name[0]), line) + ";")
    arrays = ".shared .align 16 .b8 near[8]; .shared .align 8 .b8 far[4096]; mov.u32 %r17, near; mov.u32 %r18, far;"
    return "\n".join([arrays, *lines])


def kernel(origin, constant, pattern):
    stores, distances, space = PATTERNS[pattern]
    before, after = (
        re.sub(r"\b([CQ])\b", lambda name: str(constant if name[1] == "C" else constant // 4), code) for code in ORIGINS[origin]
    )
    out = [f"[%d1+{128 + 4 * i}], %f{i}" for i in range(len(distances))]
    lines = [f"ld.volatile.global.f32 %f{i}, [%d1+{128 + 4 * i}];" for i in range(len(distances))] if stores else []
    if space != "shared":
        before += f"cvt.u64.u32 %d3, %r4; {SPACES[space]}"
    bases = ["%r4" if space == "shared" and "%d4" not in before else "%d4"] * len(distances)
    if pattern.startswith("beside"):
        bases[2:] = ["%r5"] * 2
        before = twice(before)
    access = []
    for i, distance in enumerate(distances):
        place = f"[{bases[i]}+{distance - constant}]"
        access.append(f"st.{space}.f32 {place}, %f{i};" if stores else f"ld.{space}.f32 %f{i}, {place};")
    if not stores:
        access += [f"st.volatile.global.f32 {place};" for place in out]
    return "\n".join([START, *lines, before, *access, after, "ret;"])


def all_cases():
    cases = {}
    for origin in ORIGINS:
        for constant in CONSTANTS:
            for pattern, (_, _, space) in PATTERNS.items():
                among = BESIDE if pattern.startswith("beside") else ORIGINS if space == "shared" else OTHERS
                if origin in among:
                    cases[f"{origin}.{constant}.{pattern}"] = (origin, constant, pattern)
    return cases


def module(target, entries):
    text = f".version 8.0\n.target {target}\n.address_size 64\n.shared .align 128 .b8 sm[32768];\n"
    for name, body in entries.items():
        text += f".visible .entry {name.replace('.', '_')}(.param .u64 out, .param .u32 n) {{\n{body}\n}}\n"
    return text


def answer(widths):
    return "+".join(str(width) for width in sorted(widths)) or "none"


OPCODES = {"shared": ("LDS", "STS"), "global": ("LDG", "STG"), "local": ("LDL", "STL")}


def ask_ptxas(cases, target):
    """name -> answer"""
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = pathlib.Path(folder, "x.ptx"), pathlib.Path(folder, "x.cubin")
        ptx.write_text(module(target, {name: kernel(*case) for name, case in cases.items()}))
        subprocess.run(["ptxas", f"-arch={target}", ptx, "-o", cubin], check=True)
        listing = subprocess.run(["nvdisasm", cubin], check=True, capture_output=True, text=True).stdout
    parts = {part.split(":")[0]: part for part in listing.split("\n.text.")[1:]}
    answers = {}
    for name, (_, _, pattern) in cases.items():
        stores, _, space = PATTERNS[pattern]
        found = re.findall(rf"\b{OPCODES[space][stores]}((?:\.[A-Z0-9]+)*) .*", parts[name.replace(".", "_")])
        sizes = [re.search(r"\.(64|128)\b", words) for words in found if "STRONG" not in words]  # those are volatile
        answers[name] = answer(int(size[1]) // 8 if size else 4 for size in sizes)
    return answers


def ask_warplens(lower_dump, cases, target):
    """name -> answer"""
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder, "x.ptx")
        ptx.write_text(module(target, {name: kernel(*case) for name, case in cases.items()}))
        done = subprocess.run([lower_dump, TARGETS[target], ptx], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{target}: status {done.returncode}: {done.stderr}")
    parts = dict(part.split("\n", 1) for part in done.stdout.split("== ")[1:])
    answers = {}
    for name, (_, _, pattern) in cases.items():
        stores, _, space = PATTERNS[pattern]
        opcode = "st" if stores else "ld"
        found = re.findall(rf"\b{opcode}\.{space}\.f32.*: (?:load|store) of (\d+) bytes", parts[name.replace(".", "_")])
        answers[name] = answer(map(int, found))
    return answers


def reason(name, target):
    return next((why for why, pattern in UNEQUAL.items() if re.fullmatch(pattern, f"{name} {target}")), None)


def differences(cases, stored, made):
    for name in cases:
        for target in TARGETS:
            equal, why = made[target][name] == stored[target].get(name), reason(name, target)
            if equal == (why is None):
                continue
            if why:
                yield f"{name}, {target}: equal now; take it out of UNEQUAL ({why})"
            else:
                yield f"{name}, {target}: ptxas {stored[target].get(name)}, warplens {made[target][name]}"


def main():
    lower_dump, mode = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2] if len(sys.argv) > 2 else ""
    cases = all_cases()
    if mode and not (shutil.which("ptxas") and shutil.which("nvdisasm")):
        print("skipped: ptxas and nvdisasm are not installed")
        return 77
    anew = {target: ask_ptxas(cases, target) for target in TARGETS} if mode else None
    if mode == "--bless":
        head = f"# ptxas 13.0, see merging.py, which writes this file: case, {', '.join(TARGETS)}\n"
        ANSWERS.write_text(head + "".join(f"{name} {' '.join(anew[target][name] for target in TARGETS)}\n" for name in cases))
    rows = [line.split() for line in ANSWERS.read_text().splitlines()[1:]]
    stored = {target: {row[0]: row[1 + i] for row in rows} for i, target in enumerate(TARGETS)}
    failures = [f"{row[0]}: no such case; --bless writes the table anew" for row in rows if row[0] not in cases]
    if mode == "--ptxas":
        failures += [
            f"{name}, {target}: stored {stored[target].get(name)}, ptxas now {anew[target][name]}"
            for name in cases
            for target in TARGETS
            if stored[target].get(name) != anew[target][name]
        ]
    else:
        failures += differences(cases, stored, {target: ask_warplens(lower_dump, cases, target) for target in TARGETS})
    print("\n".join(failures))
    known = sum(reason(name, target) is not None for name in cases for target in TARGETS)
    print(f"merging: {len(cases)} cases for {len(TARGETS)} GPUs, {known} known to be unequal: {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
