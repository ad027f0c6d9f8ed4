# Generators whose tables the CUDA toolkit's library has.
# needs: /usr/local/cuda/lib64/libcurand.so.10
$ warplens run --no-save rand toolkit
MTGP32
Sobol32
scrambled Sobol64

Summary: 0 of 0 launches
  On the host, not counted: curandGenerate x3, curandGenerateLongLong.
