# cuSOLVER's sparse systems on the host: each function for each type.
$ warplens run --no-save -q sparse_types
sparse_types: fine
