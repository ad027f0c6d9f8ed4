# Which loads side by side could be one, whatever names and comments stand between them.
$ for k in nothing names label branch barrier_between written guards one_guard; do echo "$k: $(warplens fix $TESTS/fix/neighbours.ptx -k $k --grid 1 --block 128 --arg 'f32[256]' --arg 'f32[128]' | sed -n 's/^argument 0: //p')"; done
nothing: neighbouring scalars
names: neighbouring scalars
label: neighbouring scalars
branch: array of structures
barrier_between: array of structures
written: array of structures
guards: array of structures
one_guard: neighbouring scalars
