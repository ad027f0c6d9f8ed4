# What is there and what is missing, on a machine that has none of other people's tools; and as JSON.
$ export WARPLENS_NVCC= WARPLENS_CLANG= WARPLENS_PTXAS= WARPLENS_NVDISASM= WARPLENS_LIBCLANG=none.so; warplens doctor | grep -A1 '^[a-z]*  *\(nvcc\|clang\|ptxas\|nvdisasm\|libclang\)  ' | head -n 10
missing  nvcc              building programs for warplens run; .cu files for kernel and fix
                           get it: apt-get install nvidia-cuda-toolkit (Debian: of non-free)
missing  clang             .cu files for kernel and fix, where there is no nvcc
                           get it: apt-get install clang
missing  ptxas             registers of a thread, and from them how many blocks an SM takes
                           get it: pip install --target ~/cuda nvidia-cuda-nvcc && export CUDA_HOME=~/cuda/nvidia/cu13
missing  nvdisasm          machine code: that of kernels without PTX; with ptxas that of others, in place of their PTX
                           get it: pip install --target ~/cuda nvidia-cuda-nvdisasm && export CUDA_PATH=~/cuda/nvidia/cu13
missing  libclang          fix --patch and --apply: changes in the source
                           get it: apt-get install libclang1-14
$ printf '#!/bin/sh\n' >ptxas; chmod +x ptxas; WARPLENS_PTXAS=$PWD/ptxas warplens doctor | grep -A1 'ptxas  '
there    ptxas             registers of a thread, and from them how many blocks an SM takes
                           found: $PWD/ptxas
$ warplens doctor --json | python3 -c 'import json, sys; parts = json.load(sys.stdin)["parts"]; print(*(part["name"] for part in parts), sep=", "); print(all(part["gives"] and part["get"] and part["there"] == (part["found"] is not None) for part in parts)); print([part["name"] for part in parts if part["essential"]])'
CUDA of warplens, LLVM, nvcc, clang, ptxas, nvdisasm, libclang, addr2line, OpenBLAS, FFTW, GPU, NVIDIA's driver, Sanitizer API, device code, GPU counters
True
['CUDA of warplens']
$ cp "$(command -v warplens)" alone; ./alone doctor | head -n 4
warplens 0.1.0

missing  CUDA of warplens  warplens run: its driver and runtime in place of NVIDIA's
                           get it: make, or install the package again
$ ./alone doctor >/dev/null
? 3
$ warplens doctor more
Usage: warplens doctor [OPTION...]
Try `warplens doctor --help' or `warplens doctor --usage' for more
information.
? 3
