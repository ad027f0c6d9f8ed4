# What --time estimates: bank conflicts that decide, and what mending them saves; a GPU that the model was not calibrated on;
# not of some blocks. The same for any number of workers.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi0EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu h200 --time --machine-code off --threads 1 --no-sass -q -o one.wlp
$ warplens report one.wlp --page details | sed -n '/Matters/p; /^Time/,/docs.time/p'
     Matters: mending it saves ~4.2 us of ~8.1 us (~51 %), as modelled.
Time, as modelled
  ~8.1 us (4.1 us to 14.7 us) at 1980 MHz, ~16,131 cycles. Decided by: shared memory and L1 (busy
  ~76 % of the time).
  mended                              saves     then
  --------------------------------  -------  -------
  transpose.cu:34, shared load 4 B  ~4.2 us  ~4.0 us
  ~: an estimate, of a launch that finds empty caches; nine of ten measured launches took a time
  within the interval. docs/time.md says how far it is off.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi0EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu h200 --time --machine-code off --threads 5 --no-sass -q -o five.wlp
$ warplens report one.wlp --page details | sed -n '/^Time/,/docs.time/p' > one.txt
$ warplens report five.wlp --page details | sed -n '/^Time/,/docs.time/p' | diff one.txt -
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi0EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu h100 --clock 1000 --time --machine-code off --no-sass -q -o slow.wlp
$ warplens report slow.wlp --page details | grep -E 'at 1000 MHz|calibrated'
  ~14.5 us (7.3 us to 26.2 us) at 1000 MHz, ~14,533 cycles. Decided by: shared memory and L1 (busy
  The model was calibrated on an H200, not on this GPU (h100): its own clock, SMs, lanes and
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi0EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu h200 --blocks first:4 --time --machine-code off --no-sass -q -o some.wlp
$ warplens report some.wlp --page details | grep -A1 '^Time'
Time
  Not estimated: only some blocks run (--blocks).
