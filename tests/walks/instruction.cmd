# An instruction that is an expression: a row of ops.def.
$ warplens kernel $TESTS/walks/instruction.ptx -k pack --gpu b200 --grid 1 --block 32 --arg 'i32[32]' --dump 0=p.npy -q && tail -c 128 p.npy | od -An -tx4 | head -1
 00008000 00018000 00028000 00038000
