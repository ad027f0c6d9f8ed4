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
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi0EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu b200 --clock 1000 --time --machine-code off --no-sass -q -o slow.wlp
$ warplens report slow.wlp --page details | grep -E 'at 1000 MHz|calibrated'
  ~13.4 us (6.7 us to 24.0 us) at 1000 MHz, ~13,355 cycles. Decided by: shared memory and L1 (busy
  The model was calibrated on H100 and H200, not on this GPU (b200): its own clock, SMs, lanes and
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi0EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu h200 --blocks first:4 --time --machine-code off --no-sass -q -o some.wlp
$ warplens report some.wlp --page details | grep -A1 '^Time'
Time
  Not estimated: only some blocks run (--blocks).
$ warplens report one.wlp --page summary | sed "1,/^$/d"
Summary: 1 of 1 launch, GPU h200
                                  - as modelled -  - shared wavefronts --  global sectors
# kernel             grid  block     time   saves      count N-way excess  /req excess  find  insts
- -----------------  ----- -----  ------- -------  --------- ----- ------  ---- ------  ---- ------
0 transposeTiled<0>  32x32 32x8   ~8.1 us ~4.2 us  1,081,344  16.5   94 %   4.0    0 %     1 15.47M
  ~: estimates, with an interval on the page details. saves: if no access had more wavefronts and
  sectors than its lanes need (docs/time.md).
  N-way: wavefronts / ideal. excess: share of what was counted beyond its ideal. /req: 32-byte
  sectors per request. find: findings. insts: PTX instructions, by threads.
$ warplens report one.wlp --page summary --columns time,cycles,registers,l1_hits,dram_rate,operations,time | sed "1,/^$/d"
Summary: 1 of 1 launch, GPU h200
                     - as modelled -
# kernel                time  cycles  registers  L1 hits  DRAM GB/s  operations
- -----------------  ------- -------  ---------  -------  ---------  ----------
0 transposeTiled<0>  ~8.1 us ~16,131          -   ~0.0 %     ~514.8           -
  ~: estimates, with an interval on the page details. saves: if no access had more wavefronts and
  sectors than its lanes need (docs/time.md).
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k _Z14transposeTiledILi1EEvPKfPfi --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --gpu h200 --time --machine-code off --no-sass -q -o padded.wlp
$ warplens merge padded.wlp one.wlp -o both.wlp && warplens report both.wlp --page summary --sort saves --columns saves,n_way | sed "1,/^$/d" && warplens report both.wlp --page source --sort time --top 1
Summary: 2 of 2 launches, GPU h200
                    as modelled shared wavefronts
# kernel              saves N-way
- ----------------- ------- -----
1 transposeTiled<0> ~4.2 us  16.5
0 transposeTiled<1>           1.0
  ~: estimates, with an interval on the page details. saves: if no access had more wavefronts and
  sectors than its lanes need (docs/time.md).

Source of launch 1: transposeTiled<0>

Lines by worst
        ------ wavefronts -------  ----- sectors -----
  reqs      count    excess N-way    count /req excess  access              line source
------  --------- --------- -----  ------- ---- ------  ------ - --------------- ----------------
65,536  1,048,576 1,015,808  32.0  131,072  4.0      0         > transpose.cu:34
32,768  1,048,576 1,015,808  32.0                       S ld 4                     4 instructions
32,768                             131,072  4.0      0  G st 4                     4 instructions
  > marks lines with a tenth or more of the launch's excess.
  access: S shared, G global, L local, C constant, * generic memory; ld load, st store, at atomic,
  rd reduction, lm ldmatrix, sm stmatrix, cp cp.async; bytes per lane.
$ warplens report one.wlp --columns time,duration
warplens: error: the summary has no column "duration"; there are: grid, block, gpu, time, saves, cycles, wavefronts, wavefronts_ideal, n_way, excess_wavefronts, sectors_per_request, sectors_per_request_ideal, excess_sectors, registers, occupancy, l1_hits, l2_hits, dram_bytes, dram_rate, operations, operation_rate, findings, insts
? 3
$ for turns in 1000 4000; do warplens kernel $TESTS/cli/steps.ptx --grid 4 --block 1024 --arg i32=$turns --gpu h200 --time --machine-code off --no-sass -q -o steps.wlp && warplens report steps.wlp --page details | grep -A1 '^Time'; done
Time, as modelled
  ~170.2 us (85.1 us to 306.4 us) at 1980 MHz, ~337,056 cycles. Decided by: shared memory (busy ~100
Time, as modelled
  ~675.4 us (337.7 us to N s) at 1980 MHz, ~1,337,218 cycles. Decided by: shared memory (busy
