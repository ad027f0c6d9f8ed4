# The environment names a level of the processor that does not exist.
$ WARPLENS_CPU=pentium warplens gpus
warplens: error: WARPLENS_CPU is 'pentium': expected x86-64-v2, x86-64-v3 or x86-64-v4, as far as this processor has it
? 3
