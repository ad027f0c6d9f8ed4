# cuSOLVER: the 64-bit functions.
# needs: libopenblas.so.0
$ warplens run --no-save wide 2>errors; uniq errors
wide: fine
warplens: cusolver: a size of more than 2^31 - 1: LAPACK has 32-bit sizes, and the call is left out

Summary: 0 of 0 launches
  On the host, not counted: cusolverDnXgetrf x3, cusolverDnXgetrs x2, cusolverDnXpotrf x2,
  cusolverDnXpotrs x2, cusolverDnXgeqrf x2, cusolverDnXtrtri x2, cusolverDnXsyevBatched x2,
  cusolverDnXsyevd x2, cusolverDnXsyevdx x5, cusolverDnXgeev x3, cusolverDnXgesvd x2,
  cusolverDnXgesvdr x2, cusolverDnXsytrs, cusolverDnXgesvdp.
