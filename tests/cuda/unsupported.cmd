# What is not supported is listed at the end.
$ warplens run unsupported
warplens: the program called what is not supported (it got an error that says so):
  cuTexRefCreate: texture and surface references ended with CUDA 12; objects took their place
  cuArrayGetPlane: arrays of video formats with several planes are not modelled
warplens: the program launched no kernel that is profiled
