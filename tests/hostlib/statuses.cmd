# Statuses of cuBLAS, measured on an H200 (driver 580, CUDA 13.0): see statuses.c. The order of C: f32, f64, f16, s8, complex f32,
# complex f64, s32, bf16.
# needs: libopenblas.so.0
$ warplens run -q statuses
7  cublasCreate_v2(NULL)
1  cublasDestroy_v2(NULL)
7  cublasSetPointerMode_v2(h, 2)
0  cublasSetMathMode(h, 9)
7  cublasSetAtomicsMode(h, 2)
1  cublasSetPointerMode_v2(NULL, 0)
7  cublasGetProperty(3, &value)
7  cublasSgemm_v2(h, 0, 0, -1, 2, 2, &one, d, 2, d, 2, &one, d, 2)
7  cublasSgemm_v2(h, 3, 0, 2, 2, 2, &one, d, 2, d, 2, &one, d, 2)
7  cublasSgemm_v2(h, 0, 0, 2, 2, 2, &one, d, 1, d, 2, &one, d, 2)
7  cublasSgemm_v2(h, 0, 0, 2, 2, 2, &one, d, 2, d, 1, &one, d, 2)
7  cublasSgemm_v2(h, 0, 0, 2, 2, 2, &one, d, 2, d, 2, &one, d, 1)
0  cublasSgemm_v2(h, 0, 0, 0, 2, 2, &one, d, 1, d, 2, &one, d, 1)
7  cublasSgemm_v2(h, 0, 0, 0, 2, 2, &one, d, 0, d, 2, &one, d, 0)
7  cublasSgemv_v2(h, 0, 2, 2, &one, d, 1, d, 1, &one, d, 1)
0  cublasSgemv_v2(h, 0, -2, 2, &one, d, 2, d, 1, &one, d, 1)
0  cublasSaxpy_v2(h, -1, &one, d, 1, d, 1)
0  cublasSaxpy_v2(h, 0, &one, NULL, 1, NULL, 1)
0  cublasSaxpy_v2(h, 2, &one, d, 0, d, 1)
0  cublasSnrm2_v2(h, 2, d, 0, host)
0  cublasSnrm2_v2(h, -2, d, 1, host)
7  cublasStrsm_v2(h, 2, 0, 0, 0, 2, 2, &one, d, 2, d, 2)
7  cublasStrsm_v2(h, 0, 2, 0, 0, 2, 2, &one, d, 2, d, 2)
7  cublasStrsm_v2(h, 0, 0, 0, 2, 2, 2, &one, d, 2, d, 2)
0  cublasSsyrk_v2(h, 0, 2, 2, 2, &one, d, 2, &one, d, 2)
7  cublasSgeam(h, 0, 0, 2, 2, &one, d, 1, &one, d, 2, d, 2)
11  cublasSetVector(-1, 4, host, 1, d, 1)
7  cublasSetVector(2, 4, host, 0, d, 1)
7  cublasSetVector(2, 0, host, 1, d, 1)
11  cublasSetMatrix(2, 2, 4, host, 1, d, 2)
compute 64, A and B  0: 15 15 15 15 15 15 15 15
compute 64, A and B  1: 15 15 15 15 15 15 15 15
compute 64, A and B  2: 15 15  0 15 15 15 15 15
compute 64, A and B  3: 15 15 15 15 15 15 15 15
compute 64, A and B  4: 15 15 15 15 15 15 15 15
compute 64, A and B  5: 15 15 15 15 15 15 15 15
compute 64, A and B 10: 15 15 15 15 15 15 15 15
compute 64, A and B 14: 15 15 15 15 15 15 15 15
compute 68, A and B  0:  0 15 15 15 15 15 15 15
compute 68, A and B  1: 15 15 15 15 15 15 15 15
compute 68, A and B  2:  0 15  0 15 15 15 15 15
compute 68, A and B  3:  0 15 15 15 15 15 15 15
compute 68, A and B  4: 15 15 15 15  0 15 15 15
compute 68, A and B  5: 15 15 15 15 15 15 15 15
compute 68, A and B 10: 15 15 15 15 15 15 15 15
compute 68, A and B 14:  0 15 15 15 15 15 15  0
compute 70, A and B  0: 15 15 15 15 15 15 15 15
compute 70, A and B  1: 15  0 15 15 15 15 15 15
compute 70, A and B  2: 15 15 15 15 15 15 15 15
compute 70, A and B  3: 15 15 15 15 15 15 15 15
compute 70, A and B  4: 15 15 15 15 15 15 15 15
compute 70, A and B  5: 15 15 15 15 15  0 15 15
compute 70, A and B 10: 15 15 15 15 15 15 15 15
compute 70, A and B 14: 15 15 15 15 15 15 15 15
compute 72, A and B  0: 15 15 15 15 15 15 15 15
compute 72, A and B  1: 15 15 15 15 15 15 15 15
compute 72, A and B  2: 15 15 15 15 15 15 15 15
compute 72, A and B  3: 15 15 15 15 15 15  0 15
compute 72, A and B  4: 15 15 15 15 15 15 15 15
compute 72, A and B  5: 15 15 15 15 15 15 15 15
compute 72, A and B 10: 15 15 15 15 15 15 15 15
compute 72, A and B 14: 15 15 15 15 15 15 15 15
compute 74, A and B  0:  0 15 15 15 15 15 15 15
compute 74, A and B  1: 15 15 15 15 15 15 15 15
compute 74, A and B  2:  0 15  0 15 15 15 15 15
compute 74, A and B  3:  0 15 15 15 15 15 15 15
compute 74, A and B  4: 15 15 15 15  0 15 15 15
compute 74, A and B  5: 15 15 15 15 15 15 15 15
compute 74, A and B 10: 15 15 15 15 15 15 15 15
compute 74, A and B 14:  0 15 15 15 15 15 15  0
compute 77, A and B  0:  0 15 15 15 15 15 15 15
compute 77, A and B  1: 15 15 15 15 15 15 15 15
compute 77, A and B  2:  0 15  0 15 15 15 15 15
compute 77, A and B  3:  0 15 15 15 15 15 15 15
compute 77, A and B  4: 15 15 15 15  0 15 15 15
compute 77, A and B  5: 15 15 15 15 15 15 15 15
compute 77, A and B 10: 15 15 15 15 15 15 15 15
compute 77, A and B 14:  0 15 15 15 15 15 15  0
