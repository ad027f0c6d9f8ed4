# warplens fix -- PROGRAM: layouts proven by a second run; results that vary by themselves; what cannot be run.
$ warplens fix -- tiles $SAMPLES/transpose/transpose.ptx
void transposeTiled<0>(float const*, float*, int)
3 launches

tile: 1,024 elements (4,096 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
    as it is                                               12,672     16.5        4,096          8
    Swizzle<5,0,5>: i ^ (i >> 5 & 31)                         768      1.0        4,096          8
  * 1 element (4 bytes) of padding after every 32             768      1.0        4,224          8
    4 elements (16 bytes) of padding after every 32: still 2.5-way
    16 elements (64 bytes) of padding after every 32: still 8.5-way
    32 elements (128 bytes) of padding after every 32: no help, still 16.5-way

Matters: the data stage (shared memory, L1) is the longest stage, at least 4.7 x instruction issue

no conflicts in shared memory:
  void transposeTiled<1>(float const*, float*, int)

proven: run again with the layouts marked *, all 6 results of the program (copies from the
device, memory when it is released; 98,304 bytes) are equal, and
  void transposeTiled<0>(float const*, float*, int): 12,672 wavefronts become 768, as promised
1 of 2 lines that it prints differ: times, if it measures any
$ warplens fix -k 'Tiled<1>' -- tiles $SAMPLES/transpose/transpose.ptx
no conflicts in shared memory:
  void transposeTiled<1>(float const*, float*, int)

$ warplens fix -k Tiled --patch=v.patch -- tiles $SAMPLES/transpose/transpose.ptx varying | tail -4
NOT proven: the program's results differ from run to run, with the same layouts, too
  void transposeTiled<0>(float const*, float*, int): 12,672 wavefronts become 768, as promised
1 of 2 lines that it prints differ: times, if it measures any
v.patch is not written: the layouts are not proven
$ warplens run -q -o t.wlp tiles $SAMPLES/transpose/transpose.ptx | head -1
tiles: fine
$ warplens fix t.wlp -l 3
no conflicts in shared memory:
  void transposeTiled<1>(float const*, float*, int)

$ warplens fix t.wlp -l 4
warplens: error: --launch 4: the profile has 4 launches
? 3
$ warplens fix -- no-such-program
warplens: error: no-such-program: No such file or directory
? 3
$ WARPLENS_LAYOUTS='_Z14transposeTiledILi0EEvPKfPfi nothing swizzled:5,2,5' warplens run --report none -q tiles $SAMPLES/transpose/transpose.ptx 2>&1 | grep warplens
warplens: a kernel cannot be run
warplens: error: the kernel has no shared variable 'nothing'
$ warplens fix --on gpu -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: --on gpu needs --build COMMAND: what is measured is the program that it makes of the changed sources
? 3
$ warplens fix --on moon --build true -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: --on moon: expected cpu or gpu
? 3
$ CUDA_INJECTION64_PATH=other warplens fix --on gpu --build true -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: another tool (CUDA_INJECTION64_PATH is set) watches the program: one at a time can
? 3
$ warplens fix --on gpu t.wlp
warplens: error: --on is of a program: -- PROGRAM
? 3
