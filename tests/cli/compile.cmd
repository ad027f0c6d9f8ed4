# CUDA source without a compiler; with one that finds an error; templates that nobody instantiated.
$ printf 'template <class T, int N>\n__global__ void copy(T *out, const T *in)\n{\n    out[threadIdx.x] = in[threadIdx.x + N];\n}\n' >copy.cu
$ WARPLENS_NVCC= WARPLENS_CLANG= warplens kernel copy.cu -k copy --block 32
warplens: error: a .cu file needs a compiler, and there is neither nvcc nor clang on PATH, under CUDA_HOME, CUDA_PATH or /usr/local/cuda; install the CUDA toolkit's nvcc or clang (Debian: apt-get install clang), or compile elsewhere with `nvcc -ptx -lineinfo` and give the .ptx
? 3
$ printf '#!/bin/sh\necho "copy.cu(3): error: expected a ;" >&2; exit 2\n' >nvcc; chmod +x nvcc; WARPLENS_NVCC=$PWD/nvcc warplens kernel copy.cu -k copy --block 32
warplens: error: copy.cu: $PWD/nvcc did not compile it:
copy.cu(3): error: expected a ;
? 3
$ printf '#!/bin/sh\nfor out; do case $out in *.ptx) : >$out; esac; done\n' >nvcc; WARPLENS_NVCC=$PWD/nvcc warplens kernel copy.cu -k copy --block 32
warplens: error: copy.cu has kernel templates (copy) but nothing instantiates them, so the compiler made no kernel; say which one, as in --instantiate 'copy<float, 128>' with its own arguments
? 3
$ warplens kernel nothing.cu -k copy --block 32
warplens: error: nothing.cu: No such file or directory
? 3
