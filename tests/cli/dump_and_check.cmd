# --dump writes an array, --check compares one and sets the exit status.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass --quiet --dump 0=in.npy --dump 1=out.npy
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=out.npy' --arg 'f32[1024]' --arg i32=32 --no-sass --quiet --check 1=in.npy
check 1=in.npy: 1024 elements agree
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass --quiet --check 1=in.npy
check 1=in.npy: 992 of 1024 elements differ; the first is [1]: 32, expected 1
? 1
