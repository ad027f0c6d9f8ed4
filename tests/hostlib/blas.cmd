# cuBLAS on the host: what ran is listed and not counted, what is missing is named, and so is memory that no kernel could access.
# needs: libopenblas.so.0
$ warplens run --no-save blas 2>errors; sed 's/0x[0-9a-f]*/ADDRESS/' errors
blas: fine
warplens: fault: cublasSscal: x: 16 bytes at ADDRESS: this is memory of the host, which the GPU cannot access
warplens: the program called what is not supported (it got an error that says so):
  cublasAlloc

Summary: 0 of 0 launches
  On the host, not counted: cublasSgemm, cublasSscal x4, cublasSdot, cublasCsyrk, cublasCherk.
warplens: 1 fault
