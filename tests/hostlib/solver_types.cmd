# cuSOLVER on the host: each routine for each type.
# needs: libopenblas.so.0
$ warplens run --no-save -q solver_types
solver_types: fine
