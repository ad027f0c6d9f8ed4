# cublasXt on the host.
# needs: libopenblas.so.0
$ warplens run --no-save xt
xt: fine

Summary: 0 of 0 launches
  On the host, not counted: cublasXtSgemm, cublasXtZherk, cublasXtZherkx, cublasXtDtrmm,
  cublasXtDsymm, cublasXtDtrsm.
