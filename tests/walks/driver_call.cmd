# A call of the driver API: a row of api.def, and the function.
$ cc -o record $TESTS/walks/driver_call.c && warplens run ./record
made: 0
recorded: 0, without a context: 201, done: 0
warplens: the program launched no kernel that is profiled
