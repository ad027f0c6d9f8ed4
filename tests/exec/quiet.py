"""quiet.py WARPLENS: in a block's first turns a warp goes on through basic blocks of which others notice nothing, also where one goes on to
a single other one; and behind an access each of its turns is one basic block (src/exec/decode/quiet.c)."""

import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = """.version 7.0
.target sm_80
.address_size 64
.visible .entry turns(.param .u64 to) {
.reg .b32 %r<9>;
.reg .b64 %d<9>;
.reg .pred %p<2>;
mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x;
mad.lo.u32 %r2, %r1, 64, %r0;
mul.wide.u32 %d1, %r2, 4;
ld.param.u64 %d0, [to];
add.u64 %d2, %d0, %d1;
"""
ACCESS = "ld.global.u32 %r4, [%d2];\nadd.u32 %r3, %r3, %r4;\n"
# Two joints: a label that is jumped to from further on, and the end of a way around, which nobody takes.
JOINTS = """again:
{between}add.u32 %r3, %r0, 7;
setp.eq.u32 %p0, %r0, 12345;
@%p0 bra away;
skip:
add.u32 %r3, %r3, 1;
setp.eq.u32 %p1, %r0, 54321;
@%p1 bra again;
st.global.u32 [%d2], %r3;
ret;
away:
xor.b32 %r3, %r3, 3;
bra skip;
}}
"""


def turns(warplens, folder, between):
    """How often a plan stopped for another turn, of 512 warps."""
    module = pathlib.Path(folder, "turns.ptx")
    module.write_text(HEAD + JOINTS.format(between=between))
    command = [warplens, "kernel", module, "-k", "turns", "--grid", "256", "--block", "64", "--arg", "u32[16384]", "--machine-code=off"]
    done = subprocess.run([*command, "--engine=plan", "--threads=1", "--stats", "-q", "--no-save"], text=True, capture_output=True, check=True)
    return int(re.search(r"(\d+) for another turn", done.stderr).group(1))


def main():
    with tempfile.TemporaryDirectory() as folder:
        quiet, noticed = turns(sys.argv[1], folder, ""), turns(sys.argv[1], folder, ACCESS)
    print(f"{quiet} other turns of 512 warps, {noticed} behind an access")
    return 0 if quiet < 16 and noticed > 400 else 1


if __name__ == "__main__":
    sys.exit(main())
