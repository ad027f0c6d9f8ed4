# LU of a batch of matrices, and what is solved with it.
# needs: libopenblas.so.0
$ warplens run -q lu 2>/dev/null
lu: fine
