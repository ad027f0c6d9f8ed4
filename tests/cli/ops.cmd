# What is supported, as a page and of a census: rows of S1 to S10, calls that name a function, what is not known.
$ warplens ops --markdown | diff - $TESTS/../docs/ptx-support.md && warplens ops -m | grep -F '| `fma` |' | head -n 1
| `fma` | `fma.{rn,rz,rm,rp}[.ftz][.sat].f32 \| mad[.{rn,rz,rm,rp}][.ftz][.sat].f32` | `=f32, f32, f32, f32` |
$ warplens ops | grep -E '^(ret|bar_warp|clz)'; warplens ops | grep -c machine
clz_b32                  clz.b32	=u32, b32
clz_b64                  clz.b64	=u32, b64
ret                      ret[.uni]	
bar_warp_sync            bar.warp.sync	b32
0
? 1
$ printf 'opcode_and_modifiers,static_count,files,kind,stage\nret,10,1,opcode,S1\nmov.u32,5,1,opcode,S1\nmov.u33,5,1,opcode,S10\nld.nothing.u32,2,1,opcode,S2\nadd.s32,7,1,opcode,S11\nadd.s32,7,1,opcode,T1\nadd.s32,7,1,opcode,S\nadd.s32,7,1,directive,S1\n' >census.csv; warplens ops --census census.csv
| stage | spellings known | instructions known | share |
| --- | ---: | ---: | ---: |
| S1 | 2 / 2 | 15 / 15 | 100.00 % |
| S2 | 0 / 1 | 0 / 2 | 0.00 % |
| S10 | 0 / 1 | 0 / 5 | 0.00 % |
| all | 2 / 4 | 15 / 22 | 68.18 % |
not known: mov.u33
not known: ld.nothing.u32
$ printf 'call malloc,4,1,call target,S5\ncall nothing,2,1,call target,S5\ncall (%%r1) f,2,1,call target,S5\ncall (f),2,1,call target,S5\ncall ,9,1,call target,S5\njump malloc,9,1,call target,S5\n' >>census.csv; warplens ops --census census.csv | tail -5
| all | 2 / 4 | 15 / 22 | 68.18 % |
| calls of the CUDA runtime | 1 / 2 | 4 / 6 | 66.67 % |
not known: mov.u33
not known: ld.nothing.u32
not known: call nothing
$ warplens ops --markdown --census census.csv | sed -n '5,20p'
## Of what real programs use

A census of PTX files of public repositories: distinct spellings and instructions (static counts) that
a row takes, by stage of support.

| stage | spellings known | instructions known | share |
| --- | ---: | ---: | ---: |
| S1 | 2 / 2 | 15 / 15 | 100.00 % |
| S2 | 0 / 1 | 0 / 2 | 0.00 % |
| S10 | 0 / 1 | 0 / 5 | 0.00 % |
| all | 2 / 4 | 15 / 22 | 68.18 % |
| calls of the CUDA runtime | 1 / 2 | 4 / 6 | 66.67 % |

## Instructions

In a syntax, `{a,b}` is one of them, `[.x]` may be left out, `|` separates spellings. In operands, `=` stands
$ for column in opcode_and_modifiers static_count kind stage; do sed "1s/$column/other/" census.csv >bad.csv; warplens ops --census bad.csv; done
warplens: error: bad.csv lacks one of the columns of a census (see --help)
warplens: error: bad.csv lacks one of the columns of a census (see --help)
warplens: error: bad.csv lacks one of the columns of a census (see --help)
warplens: error: bad.csv lacks one of the columns of a census (see --help)
? 3
$ for count in many -1 '' 18446744073709551616; do sed "2s/,10,/,$count,/" census.csv >bad.csv; warplens ops --census bad.csv; done
bad.csv:2:5: error: expected a number of instructions, found 'many'
bad.csv:2:5: error: expected a number of instructions, found '-1'
bad.csv:2:5: error: expected a number of instructions, found ''
bad.csv:2:5: error: expected a number of instructions, found '18446744073709551616'
? 3
$ head -1 census.csv >none.csv; warplens ops --census none.csv; warplens ops --census nothing.csv; warplens ops more
| stage | spellings known | instructions known | share |
| --- | ---: | ---: | ---: |
| all | 0 / 0 | 0 / 0 | 100.00 % |
warplens: error: cannot read nothing.csv: No such file or directory
Usage: warplens ops [OPTION...]
Try `warplens ops --help' or `warplens ops --usage' for more information.
? 3
