# --sanitize …,stop: the first finding ends the launch as a fault does, and nothing behind it is told
$ warplens kernel $TESTS/sanitize/sync.ptx -k branch --grid 3 --block 64 --arg 'i32[64]' --arg i32=16 --sanitize all --no-sass --no-save -q 2>&1 | tail -1
warplens: 1 defect
$ warplens kernel $TESTS/sanitize/sync.ptx -k branch --grid 3 --block 64 --arg 'i32[64]' --arg i32=16 --sanitize all,stop --no-sass -q -o a.wlp
warplens: fault: barrier that not all lanes of a warp reach together: lanes 0x0000ffff come behind lanes 0xffff0000
  kernel  branch(int*, int)
  at      sync.cu:10
  PTX     $TESTS/sanitize/sync.ptx:54: bar.sync 0
  block   (0,0,0), thread (0,0,0)
  other   access
  at      sync.cu:13
  PTX     $TESTS/sanitize/sync.ptx:66: bar.sync 0
  block   (0,0,0), thread (16,0,0)
? 2
$ warplens report a.wlp --format json | tr ',' '\n' | grep -E '"(blocks_run|status)"'
   "status": "fault"
   "blocks_run": 0
$ warplens kernel $TESTS/sanitize/sync.ptx -k branch --block 64 --arg 'i32[64]' --arg i32=64 --sanitize sync,stop --no-sass --no-save -q
$ warplens kernel $TESTS/sanitize/sync.ptx -k branch --block 64 --sanitize stop
warplens: error: --sanitize stop: 'stop' is of checks, and none is named
? 3
