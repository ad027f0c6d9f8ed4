# cuSOLVER: Jacobi's methods and their relatives.
# needs: libopenblas.so.0
$ warplens run --no-save jacobi
jacobi: fine

Summary: 0 of 0 launches
  On the host, not counted: cusolverDnZgesvdj x2, cusolverDnSgesvdjBatched,
  cusolverDnDgesvdaStridedBatched, cusolverDnDsyevj x2, cusolverDnDsygvj x3,
  cusolverDnCheevjBatched, cusolverDnDsyevdx, cusolverDnChegvdx, cusolverDnDHgesv, cusolverDnZCgels,
  cusolverDnIRSXgesv.
