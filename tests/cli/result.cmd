# One way for all commands: the summary and a saved profile, -k NAME, --page; old spellings go on working.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 --no-sass; ls

Summary: 1 of 1 launch, GPU h100
                                 --- shared wavefronts ---  global sectors
# kernel             grid block   count ideal N-way excess  /req ideal excess  find  insts
- -----------------  ---- -----  ------ ----- ----- ------  ---- ----- ------  ---- ------
0 transposeTiled<0>  4x4  32x8   16,896 1,024  16.5   94 %   4.0   4.0    0 %     1 241.7k
  N-way: wavefronts / ideal. excess: share of what was counted beyond its ideal. /req: 32-byte
  sectors per request. find: findings. insts: PTX instructions, by threads.

warplens: profile saved in transpose.wlp; 'warplens report transpose.wlp' shows its lines
transpose.wlp
$ run() { name=$1; shift; warplens kernel $SAMPLES/transpose/transpose.ptx -k "$name" --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 --no-sass "$@"; }; run Naive --no-save -p details | sed -n 2p; run Naive --page all --no-save | grep '^[SL].*:'; run 'Tiled.1' -p none -o one.wlp; run 'Naive' --no-counts; run Naive --no-profile; run Naive -q -o two.wlp; mkdir naive.wlp; cp $SAMPLES/transpose/transpose.ptx naive.ptx; warplens kernel naive.ptx -k Naive --block 32,8 --arg 'f32[1024]' --arg 'f32[1024]' --arg i32=32 --no-sass -p none; echo $?; ls
Launch 0: transposeNaive
Summary: 1 of 1 launch, GPU h100
Launch 0: transposeNaive
Source of launch 0: transposeNaive
warplens: profile saved in one.wlp; 'warplens report one.wlp' shows its lines
warplens: warning: the profile is not saved: naive.wlp: cannot be written: Is a directory
0
naive.ptx
naive.wlp
one.wlp
transpose.wlp
two.wlp
$ for name in 'transposeTiled< 1 >' 'Tiled<[1]>' 'd<1' other; do warplens report one.wlp -p summary -k "$name" | grep '^0'; warplens diff one.wlp two.wlp -k "$name" | grep '^0'; warplens explain one.wlp -k "$name" | sed -n 4p; warplens fix one.wlp -k "$name" | sed -n 2p; done
0 transposeTiled<1>  4x4  32x8   1,024 1,024   1.0    0 %   4.0   4.0    0 %     - 233.5k
0   -   transposeTiled<1>  1.0  -  1,024  0 -100 %  4,096  0 -100 %
  launch 0, void transposeTiled<1>(float const*, float*, int)
  void transposeTiled<1>(float const*, float*, int)
0 transposeTiled<1>  4x4  32x8   1,024 1,024   1.0    0 %   4.0   4.0    0 %     - 233.5k
0   -   transposeTiled<1>  1.0  -  1,024  0 -100 %  4,096  0 -100 %
  launch 0, void transposeTiled<1>(float const*, float*, int)
  void transposeTiled<1>(float const*, float*, int)
0 transposeTiled<1>  4x4  32x8   1,024 1,024   1.0    0 %   4.0   4.0    0 %     - 233.5k
0   -   transposeTiled<1>  1.0  -  1,024  0 -100 %  4,096  0 -100 %
  launch 0, void transposeTiled<1>(float const*, float*, int)
  void transposeTiled<1>(float const*, float*, int)
warplens: error: no launch of a kernel whose name matches "other"; kernels:
warplens: note: void transposeTiled<1>(float const*, float*, int)
warplens: error: no launch of a kernel whose name matches "other"
warplens: error: no access to shared or global memory was recorded for what is asked
warplens: error: no launch of a kernel whose name matches "other"; kernels:
warplens: note: void transposeTiled<1>(float const*, float*, int)
