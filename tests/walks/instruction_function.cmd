# An instruction that needs a function: a row of ops.def, a file that decodes and executes it, its declaration.
$ warplens kernel $TESTS/walks/instruction.ptx -k greatest --gpu b200 --grid 1 --block 32 --arg 'f32[32]' --dump 0=g.npy -q && tail -c 128 g.npy | od -An -v -tf4 | sort -u
              31              31              31              31
