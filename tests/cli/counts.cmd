# Only counts are wanted: some blocks run for all, or it is said which line makes all of them run.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --grid 1024,1024 --block 32,8 --arg 'f32[1073741824]=random:1' --arg 'f32[1073741824]' --arg i32=32768 --no-sass --page none --counts-only
warplens: counts only: 1048576 blocks by 1 that ran
warplens: profile saved in transpose.wlp; 'warplens report transpose.wlp' shows its lines
$ warplens report transpose.wlp --page summary | grep exactly; warplens report transpose.wlp --page details | grep 'blocks run'; warplens report transpose.wlp --format json | grep -o '"representatives":[ 0-9]*'
  0: 1,048,576 blocks by 1 that ran: counters are those of all blocks, exactly
  blocks run          1,048,576, by 1 that ran  shared memory     4,224 B static, 0 B dynamic
"representatives": 1
$ warplens kernel $SAMPLES/histogram/histogram.ptx -k histogramShared --grid 256 --block 256 --arg 'u8[1048576]=random:1' --arg 'u32[256]=0' --arg i32=1048576 --no-sass --page none --counts-only
warplens: counts only: all blocks ran: an address depends on data: samples/histogram/histogram.cu:27: atom.shared.add.u32 %r17, [%r16], 1
warplens: profile saved in histogram.wlp; 'warplens report histogram.wlp' shows its lines
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --block 32,8 --counts-only --dump 1=out.npy
warplens: error: --counts-only and --dump: there are no results then
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --block 32,8 --counts-only --sample auto
warplens: error: --counts-only and --sample: its counts are exact, and need no sample
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --grid 32,32 --block 32,8 --arg 'f32[1048576]=many' --arg 'f32[1048576]' --arg i32=1024 --counts-only
warplens: error: argument f32[1048576]=many: cannot fill f32 elements with 'many'; expected a value, unset, iota, random:SEED or a .npy file
warplens: note: void transposeTiled<1>(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
