# cuSOLVER: the 64-bit functions.
# needs: libopenblas.so.0
$ warplens run --no-save wide 2>errors; cat errors
wide: fine
warplens: cusolver: a size of more than 2^31 - 1: LAPACK has 32-bit sizes, and the call is left out

Summary: 0 of 0 launches
  On the host, not counted: cusolverDnXgetrf x2, cusolverDnXgetrs, cusolverDnXpotrf,
  cusolverDnXpotrs, cusolverDnXgeqrf, cusolverDnXtrtri, cusolverDnXsyevBatched, cusolverDnXsyevd,
  cusolverDnXsyevdx, cusolverDnXgeev x2, cusolverDnXgesvd, cusolverDnXgesvdr.
