# What --caches estimates: an array of structures, whose repeated sectors L1 has; the same for any number of
# workers; the same numbers as a flat array, where nothing is asked for twice. Not of some blocks.
$ warplens kernel $SAMPLES/add_const_double3/add_const_double3.ptx -k addConstDouble3 --grid 4096 --block 256 --arg i32=1048576 --arg 'f64[3145728]=random:1' --arg f64=1.5 --arg 'f64[3145728]' --gpu h200 --caches --threads 1 --no-sass -q -o one.wlp
$ warplens report one.wlp --page details | sed -n '/^Caches/,/^Findings/p'
Caches, as modelled
  level                  sectors        hits     rate  what is asked
  ------------------  ----------  ----------  -------  -----------------------------------------
  L1 loads             2,359,296  ~1,572,864  ~66.7 %  a hit may still be on its way
  L1 stores, atomics   2,359,296  ~1,572,864  ~66.7 %  a hit: the line is there; all go on to L2
  L1                   4,718,592  ~3,145,728  ~66.7 %  l1tex__t_sectors
  L2                  ~1,572,864    ~786,432  ~50.0 %  lts__t_sectors_srcunit_tex
  DRAM: ~25.17 MB read, ~3.44 MB written. L1: 224 KiB of an SM.
                           ------- L1 -------  ------- L2 -------
  line                       sectors     hits   sectors      hits  from DRAM
  -----------------------  ---------  -------  --------  --------  ---------
  add_const_double3.cu:14  2,359,296  ~66.7 %  ~786,432    ~0.0 %  ~25.17 MB
  add_const_double3.cu:18  2,359,296  ~66.7 %  ~786,432  ~100.0 %   ~0.00 MB
  ~: an estimate, for caches that are empty when the launch begins, as Nsight Compute measures them.
  docs/caches.md says how far it is off.
$ warplens kernel $SAMPLES/add_const_double3/add_const_double3.ptx -k addConstDouble3 --grid 4096 --block 256 --arg i32=1048576 --arg 'f64[3145728]=random:1' --arg f64=1.5 --arg 'f64[3145728]' --gpu h200 --caches --threads 5 --no-sass -q -o five.wlp
$ warplens report one.wlp --page details > one.txt; warplens report five.wlp --page details | cmp - one.txt && echo same
same
$ for engine in interp plan; do warplens kernel $SAMPLES/add_const_double3/add_const_double3.ptx -k addConstDouble3 --grid 4096 --block 256 --arg i32=1048576 --arg 'f64[3145728]=random:1' --arg f64=1.5 --arg 'f64[3145728]' --gpu h200 --caches --engine $engine --no-sass -q -o $engine.wlp; warplens report $engine.wlp --page details | sed -n '/^Caches/,/^Findings/p' > $engine.txt; done; cmp interp.txt plan.txt && echo same
same
$ warplens kernel $SAMPLES/add_const_double3/add_const_double3.ptx -k 'addConstDouble(' --grid 12288 --block 256 --arg i32=3145728 --arg 'f64[3145728]=random:1' --arg f64=1.5 --arg 'f64[3145728]' --gpu h200 --caches --no-sass -q -o flat.wlp
$ warplens report flat.wlp --page details | sed -n '/^Caches/,/^DRAM/p'
Caches, as modelled
  level                  sectors      hits     rate  what is asked
  ------------------  ----------  --------  -------  -----------------------------------------
  L1 loads               786,432        ~0   ~0.0 %  a hit may still be on its way
  L1 stores, atomics     786,432        ~0   ~0.0 %  a hit: the line is there; all go on to L2
  L1                   1,572,864        ~0   ~0.0 %  l1tex__t_sectors
  L2                  ~1,572,864  ~786,432  ~50.0 %  lts__t_sectors_srcunit_tex
  DRAM: ~25.17 MB read, ~5.17 MB written. L1: 224 KiB of an SM.
                           ------ L1 -------  ------- L2 --------
  line                       sectors    hits     sectors     hits  from DRAM
  -----------------------  ---------  ------  ----------  -------  ---------
  add_const_double3.cu:26  1,572,864  ~0.0 %  ~1,572,864  ~50.0 %  ~25.17 MB
  ~: an estimate, for caches that are empty when the launch begins, as Nsight Compute measures them.
  docs/caches.md says how far it is off.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --no-sass --caches --blocks first:4 -q -o some.wlp
$ warplens report some.wlp --page details | sed -n '/^Caches/,/^Findings/p'
Caches
  Not modelled: only some blocks run (--blocks).
