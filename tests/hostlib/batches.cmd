# LU, QR, triangles and products of a batch of matrices; one of them reaches beyond its allocation.
# needs: libopenblas.so.0
$ warplens run -q batches 2>errors; sed 's/0x[0-9a-f]*/ADDRESS/' errors
batches: fine
warplens: fault: cublasDtrsmBatched: a: 72 bytes at ADDRESS: they reach beyond the allocation that they begin in
warplens: 1 fault
