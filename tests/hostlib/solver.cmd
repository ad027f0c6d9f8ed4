# cuSOLVER on the host.
# needs: libopenblas.so.0
$ warplens run --no-save solver
solver: fine
warplens: the program called what is not supported (it got an error that says so):
  cusolverDnDgebrd_bufferSize

Summary: 0 of 0 launches
  On the host, not counted: cusolverDnDgetrf x3, cusolverDnDgetrs x2, cusolverDnSpotrf x2,
  cusolverDnSpotrs, cusolverDnDgeqrf, cusolverDnDormqr, cusolverDnZgesvd, cusolverDnCheevd,
  cusolverDnSpotrfBatched x2, cusolverDnSpotrsBatched.
