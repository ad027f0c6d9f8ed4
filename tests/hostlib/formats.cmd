# Sparse matrices of several formats, and what is made of them.
$ warplens run -q formats
formats: fine
