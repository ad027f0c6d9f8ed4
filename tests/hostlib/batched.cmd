# Sparse matrices in batches, Cholesky factors, bands, products in the same places.
$ warplens run -q batched
batched: fine
