# What is not supported is listed at the end.
$ warplens run unsupported
warplens: unsupported: the CUDA runtime is linked in and the symbol table is stripped, so its calls cannot be found; they fail, and its kernels are not run
warplens: the program used what is not supported (it got CUDA_ERROR_NOT_SUPPORTED):
  cuTexRefCreate
  cuArrayGetPlane
warplens: the program launched no kernel that is profiled
