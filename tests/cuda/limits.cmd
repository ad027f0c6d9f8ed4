# The heap and the stack of kernels are as large as the program says.
$ warplens run -q limits
limits: fine
