# Routines with arguments of all kinds, and those that BLAS lacks.
# needs: libopenblas.so.0
$ warplens run -q routines
routines: fine
