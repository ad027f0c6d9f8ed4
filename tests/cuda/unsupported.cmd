# What is not supported is listed at the end.
$ warplens run unsupported
warplens: the program used what is not supported (it got CUDA_ERROR_NOT_SUPPORTED):
  cuTexRefCreate: texture and surface references ended with CUDA 12; objects took their place
  cuArrayGetPlane: arrays of video formats with several planes are not modelled
warplens: the program launched no kernel that is profiled
