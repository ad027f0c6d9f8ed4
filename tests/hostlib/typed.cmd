# Level 1 of cuBLAS on vectors of any type.
# needs: libopenblas.so.0
$ warplens run -q typed
typed: fine
