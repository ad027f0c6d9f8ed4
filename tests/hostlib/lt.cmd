# cublasLtMatmul.
# needs: libopenblas.so.0
$ warplens run -q lt
lt: fine
