# cuSPARSE on the host.
$ warplens run --no-save sparse
sparse: fine
warplens: the program called what is not supported (it got an error that says so):
  cusparseCreateBsric02Info

Summary: 0 of 0 launches
  On the host, not counted: cusparseSpMV, cusparseSpMM, cusparseDcsrilu02 x2, cusparseSpSV_solve x2.
