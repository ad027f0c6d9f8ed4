# Epilogues of cublasLtMatmul for forward and backward passes, and products in groups: what an H200 printed (cuBLAS of CUDA 13.0),
# but for cuBLAS's own lines about wrong parameters, and sums behind gelu to four digits.
# needs: libopenblas.so.0
$ warplens run -q lt_passes
  epilogue 2, type 2: 0, 1 found
    product: 0
    d: 8 9 2, all 17450
  epilogue 2, type 0: 0, 1 found
    product: 0
    d: 8 9 2, all 17450
  epilogue 2, type 14: 0, 1 found
    product: 0
    d: 8 9 2, all 17450
  epilogue 130, type 2: 0, 1 found
    product: 0
    d: 8 9 2, all 17450
    mask: c3 1c, all 3608001238
  epilogue 130, type 0: 0, 1 found
    product: 0
    d: 8 9 2, all 17450
    mask: c3 1c, all 3608001238
  epilogue 130, type 14: 0, 1 found
    product: 0
    d: 8 9 2, all 17450
    mask: c3 1c, all 3608001238
  epilogue 134, type 2: 0, 1 found
    product: 0
    d: 4 6 0, all 17648
    mask: e3 1c, all 117254498
  epilogue 134, type 0: 0, 1 found
    product: 0
    d: 4 6 0, all 17648
    mask: e3 1c, all 117254498
  epilogue 134, type 14: 0, 1 found
    product: 0
    d: 4 6 0, all 17648
    mask: e3 1c, all 117254498
  epilogue 6, type 2: 0, 1 found
    product: 0
    d: 4 6 0, all 17648
  epilogue 6, type 0: 0, 1 found
    product: 0
    d: 4 6 0, all 17648
  epilogue 6, type 14: 0, 1 found
    product: 0
    d: 4 6 0, all 17648
  epilogue 136, type 2: 0, 1 found
    product: 0
    d: 8 9 2, all 329
  epilogue 136, type 0: 0, 1 found
    product: 0
    d: 8 9 2, all 329
  epilogue 136, type 14: 0, 1 found
    product: 0
    d: 8 9 2, all 329
  epilogue 152, type 2: 0, 1 found
    product: 0
    d: 8 9 2, all 329
    bias: 10 4 -7, all -348
  epilogue 152, type 0: 0, 1 found
    product: 0
    d: 8 9 2, all 329
    bias: 10 4 -7, all -348
  epilogue 152, type 14: 0, 1 found
    product: 0
    d: 8 9 2, all 329
    bias: 10 4 -7, all -348
  epilogue 32, type 2: 0, 1 found
    product: 0
    d: 8 9 1.955, all 1.739e+04
  epilogue 32, type 0: 0, 1 found
    product: 0
    d: 8 9 1.955, all 1.739e+04
  epilogue 32, type 14: 0, 1 found
    product: 0
    d: 8 9 1.953, all 1.739e+04
  epilogue 36, type 2: 0, 1 found
    product: 0
    d: 4 6 -0.1588, all 1.761e+04
  epilogue 36, type 0: 0, 1 found
    product: 0
    d: 4 6 -0.1588, all 1.761e+04
  epilogue 36, type 14: 0, 1 found
    product: 0
    d: 4 6 -0.1592, all 1.761e+04
  epilogue 160, type 2: 0, 1 found
    product: 0
    d: 8 9 1.955, all 1.739e+04
    before: 8 9 0, all -862
  epilogue 160, type 0: 0, 1 found
    product: 0
    d: 8 9 1.955, all 1.739e+04
    before: 8 9 0, all -862
  epilogue 160, type 14: 0, 1 found
    product: 0
    d: 8 9 1.953, all 1.739e+04
    before: 8 9 0, all -862
  epilogue 164, type 2: 0, 1 found
    product: 0
    d: 4 6 -0.1588, all 1.761e+04
    before: 4 6 0, all -1068
  epilogue 164, type 0: 0, 1 found
    product: 0
    d: 4 6 -0.1588, all 1.761e+04
    before: 4 6 0, all -1068
  epilogue 164, type 14: 0, 1 found
    product: 0
    d: 4 6 -0.1592, all 1.761e+04
    before: 4 6 0, all -1068
  epilogue 192, type 2: 0, 1 found
    product: 0
    d: -1.021 -1.103 1.734, all -275.2
  epilogue 192, type 0: 0, 1 found
    product: 0
    d: -1.022 -1.102 1.735, all -275
  epilogue 192, type 14: 0, 1 found
    product: 0
    d: -1.023 -1.102 1.734, all -274.9
  epilogue 208, type 2: 0, 1 found
    product: 0
    d: -1.021 -1.103 1.734, all -275.2
    bias: 1.32 7.184 -6.695, all -1190
  epilogue 208, type 0: 0, 1 found
    product: 0
    d: -1.022 -1.102 1.735, all -275
    bias: 1.32 7.182 -6.695, all -1190
  epilogue 208, type 14: 0, 1 found
    product: 0
    d: -1.023 -1.102 1.734, all -274.9
    bias: 1.32 7.188 -6.688, all -1191
  epilogue 256, type 2: 0, 1 found
    product: 0
    d: 17 -21 9, all -743
    bias: -3 0 0, all 123
  epilogue 256, type 0: 0, 1 found
    product: 0
    d: 17 -21 9, all -743
    bias: -3 0 0, all 123
  epilogue 256, type 14: 0, 1 found
    product: 0
    d: 17 -21 9, all -743
    bias: -3 0 0, all 123
  epilogue 512, type 2: 0, 1 found
    product: 0
    d: 10 4 7, all -184
    bias: -2 1 -1, all -1
  epilogue 512, type 0: 0, 1 found
    product: 0
    d: 10 4 7, all -184
    bias: -2 1 -1, all -1
  epilogue 512, type 14: 0, 1 found
    product: 0
    d: 10 4 7, all -184
    bias: -2 1 -1, all -1
  epilogue 4, type 2: 0, 1 found
    product: 0
    d: 4 6 -1, all 933
  epilogue 4, type 0: 0, 1 found
    product: 0
    d: 4 6 -1, all 933
  epilogue 4, type 14: 0, 1 found
    product: 0
    d: 4 6 -1, all 933
  epilogue 130, lead 256, aux 0, bias 1: 7
  epilogue 130, lead 0, aux 1, bias 1: 7
  epilogue 130, lead 64, aux 1, bias 1: 7
  epilogue 130, lead 200, aux 1, bias 1: 7
  epilogue 160, lead 132, aux 1, bias 1: 7
  epilogue 160, lead 136, aux 1, bias 1: 7
  epilogue 152, lead 256, aux 1, bias 0: 7
  epilogue 256, lead 0, aux 0, bias 0: 15
  epilogue 34, lead 0, aux 0, bias 1: 7
  epilogue 4096, lead 0, aux 0, bias 1: 7
  epilogue 4, lead 0, aux 0, bias 0: 7
  groups of type 0: 0
    c: 9 -3 -4, all -1
    c: -4 1 0, all 0
    c: 4 7 2, all 1090
  no group: 0, less: 7, of -1 products: 7
  of single precision: 0
    c: 16 25 2, all 4084
  groups of type 2: 0
    c: 9 -3 -4, all -1
    c: -4 1 0, all 0
    c: 4 7 2, all 1090
  no group: 0, less: 7, of -1 products: 7
  groups of type 14: 0
    c: 9 -3 -4, all -1
    c: -4 1 0, all 0
    c: 4 7 2, all 1090
  no group: 0, less: 7, of -1 products: 7
