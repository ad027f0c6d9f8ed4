# Without ptxas a run is complete, but for a note: see WARPLENS_PTXAS in tests/cli/run.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --page none
warplens: profile saved in transpose.wlp; 'warplens report transpose.wlp' shows its lines
warplens: note: registers and the comparison with machine code are left out: there is no ptxas on PATH or under CUDA_HOME
