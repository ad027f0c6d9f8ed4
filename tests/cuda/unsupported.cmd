# What is not supported is listed at the end.
$ warplens run unsupported
warplens: the program used what is not supported (it got CUDA_ERROR_NOT_SUPPORTED):
  cuTexObjectCreate
  cuArray3DCreate_v2
warplens: the program launched no kernel that is profiled
