# An instruction that is an expression: a row of ops.def.
$ warplens kernel $TESTS/walks/instruction.ptx -k pack --gpu b200 --grid 1 --block 32 --arg 'i32[32]' --dump 0=p.npy -q && python3 -c "import numpy; print([hex(v) for v in numpy.load('p.npy').astype('u4')[:3].tolist()])"
['0x8000', '0x18000', '0x28000']
