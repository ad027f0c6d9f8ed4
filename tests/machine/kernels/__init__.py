"""What tests/machine/gen.py makes CUDA kernels of: state.py the values of a thread, expressions.py and
statements.py the code of one thread, phases.py what threads do together, hungry.py what needs more
registers than there are, functions.py what is called, themes.py which of these a kernel has."""
