# Which engine executes a kernel: one that is asked for must be there.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine fast
warplens: error: --engine fast: expected interp, plan, jit or auto
? 3
$ cp "$(command -v warplens)" alone && ./alone kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine jit
warplens: error: --engine jit: the JIT's plug-in, libwarplens-jit.so, is not there: it needs LLVM (Debian: llvm-14-dev and clang-14, then build again)
? 3
$ ./alone kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine auto --quiet
$ ./alone --version
warplens 0.1.0
engines: interpreter; no JIT: the JIT's plug-in, libwarplens-jit.so, is not there: it needs LLVM (Debian: llvm-14-dev and clang-14, then build again)
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32 --arg "f32[1024]" --arg "f32[1024]" --arg i32=32 --engine jit --quiet 2>lacks || true; warplens --version | if [ -s lacks ]; then grep -c 'no JIT: .* libwarplens-jit.so'; else grep -c 'interpreter, JIT (LLVM [1-9][0-9.]*)$'; fi
1
