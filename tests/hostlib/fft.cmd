# cuFFT on the host.
$ warplens run --no-save fft
fft: fine
warplens: the program called what is not supported (it got an error that says so):
  cufftXtSetCallback

Summary: 0 of 0 launches
  On the host, not counted: cufftExecZ2Z x50, cufftExecC2C x7, cufftExecR2C x2, cufftExecC2R.
