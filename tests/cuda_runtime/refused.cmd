# Each call that is refused says so; warplens names them, once each, with the reason
$ warplens run -q refused 2>err.txt
67 calls, 0 wrong
$ grep -c ': ' err.txt
68
$ head -4 err.txt
warplens: the program called what is not supported (it got an error that says so):
  __cudaGetProcAddress: it is not documented
  cudaArrayGetMemoryRequirements: arrays have all of their memory: sparse ones are not modelled
  cudaArrayGetPlane: arrays of video formats with several planes are not modelled
