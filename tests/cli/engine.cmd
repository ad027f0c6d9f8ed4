# Which engine executes a kernel: one that is asked for must be there.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine fast
warplens: error: --engine fast: expected interp, jit or auto
? 3
$ cp "$(command -v warplens)" alone && ./alone kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine jit
warplens: error: --engine jit: the JIT's plug-in, libwarplens-jit.so, is not there: it needs LLVM (Debian: llvm-14-dev and clang-14, then build again)
? 3
$ ./alone kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine auto --quiet
