# A call of the driver API: a row of api.def, and the function.
$ cc -o ask $TESTS/walks/driver_call.c && warplens run ./ask
made: 0
asked: 0, bytes: 2097152, of an unknown kind: 1
warplens: the program launched no kernel that is profiled
