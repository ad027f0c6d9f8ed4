# Every routine of cuBLAS that takes scalars, vectors and matrices of one type, by each of its names
# needs: libopenblas.so.0
$ warplens run -q every
180 routines, 4224 of 4320 calls answered
