# An instruction that needs a function: a row of ops.def, a file that decodes and executes it, its declaration.
$ warplens kernel $TESTS/walks/instruction.ptx -k greatest --gpu b200 --grid 1 --block 32 --arg 'f32[32]' --dump 0=g.npy -q && python3 -c "import numpy; print(set(numpy.load('g.npy').tolist()))"
{31.0}
