# A source in place of a program: compiled with nvcc -lineinfo; or the command that does it. (cuda/run_source runs what comes out.)
$ echo '__global__ void k() {}' >x.cu; WARPLENS_NVCC= warplens run x.cu
warplens: error: x.cu is a source, and there is no nvcc on PATH or under CUDA_HOME. Where there is one: nvcc -lineinfo -o x x.cu && warplens run ./x
? 3
$ printf '#!/bin/sh\necho "nvcc $1 $2 $4"\necho "x.cu(1): error: expected a ;" >&2; exit 2\n' >nvcc; chmod +x nvcc; WARPLENS_NVCC=$PWD/nvcc warplens run x.cu
warplens: error: x.cu does not compile; nvcc -lineinfo says
nvcc -lineinfo -o x.cu
x.cu(1): error: expected a ;
? 3
$ warplens run y.cu; ls
warplens: error: y.cu: No such file or directory
nvcc
x.cu
