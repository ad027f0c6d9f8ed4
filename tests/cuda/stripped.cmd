# A runtime is found without symbols, by the names its entry points refer to and by how the program calls them.
$ warplens run -q unstripped; warplens run -q stripped
0: 3, total 192
0: 3, total 192
$ warplens run -q unknown 2>&1 | sed "s|error: .*/|error: |"
warplens: error: unknown: the CUDA runtime is linked in and the symbol table is stripped; these of its calls cannot be found: __cudaRegisterFatBinaryEnd; rebuild without strip and -s, or with nvcc -cudart shared (CMake: CUDA_RUNTIME_LIBRARY Shared)
$ warplens run -q sh -c unknown >printed; status=$?; cat printed; exit $status
warplens: unknown: the CUDA runtime is linked in and the symbol table is stripped; these of its calls were not found, they fail, and its kernels are not run: __cudaRegisterFatBinaryEnd
an entry point without a name is not replaced: 801
? 1
