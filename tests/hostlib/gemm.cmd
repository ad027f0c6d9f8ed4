# Products of every type.
# needs: libopenblas.so.0
$ warplens run -q gemm
gemm: fine
