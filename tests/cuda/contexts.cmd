# The device follows --gpu; contexts and their stacks.
$ warplens run --report none contexts
contexts: fine
warplens: the program launched no kernel that is profiled
$ warplens run -q --gpu a100 contexts 8.0
contexts: fine
$ CUDA_VISIBLE_DEVICES= warplens run -q contexts | sed "s/.*contexts.c/contexts.c/"
contexts.c:15: (cuInit(0)) == CUDA_SUCCESS
