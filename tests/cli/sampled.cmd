# Some blocks only: the profile and its pages say so.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 8,8 --block 32,8 --arg 'f32[65536]=iota' --arg 'f32[65536]' --arg i32=256 --blocks first:8 --no-sass --quiet -o sampled.wlp
$ warplens report sampled.wlp --page details | grep -i -A1 -e blocks -e extrapolated; warplens report sampled.wlp --page summary | grep -e "sampled," -e extrapolated
  blocks run          8 of 64 (sampled)         shared memory     0 B static, 0 B dynamic
  PTX thread insts    73,728                    PTX warp insts    2,304 (32.0 lanes active)
  All counts below are of the blocks that ran. Extrapolated to the grid (x 8.0): 589,824 thread
  instructions, 73,728 global sectors.
  s0: 8 of 64 blocks ran; ~ marks totals extrapolated to all blocks (x 8.0)
  s: sampled, only some blocks were asked for
